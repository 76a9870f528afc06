/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Little address space, as under ulimit -v.
 */
#ifndef SWQ_TESTS_SPACE_H
#define SWQ_TESTS_SPACE_H

/* Lets this process map that many megabytes in addition to what it has mapped; below 0: no
 * limit. */
void test_limit_space(long megabytes);

#endif
