/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Little address space, as under ulimit -v.
 */
#ifndef SWQ_TESTS_SPACE_H
#define SWQ_TESTS_SPACE_H

/* Let this process map so many megabytes beyond those that it has; below 0: as many as it likes. */
void test_limit_space(long megabytes);

#endif
