/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The version of the library and of the program.
 */
#ifndef SWITCHQ_VERSION_H
#define SWITCHQ_VERSION_H

#define SWQ_VERSION "0.1.0"

/* Of the release; before the first one, of the first version. */
#define SWQ_VERSION_DATE "2026-11-23"

#endif
