/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The version of the library and of the program.
 */
#ifndef SWITCHQ_VERSION_H
#define SWITCHQ_VERSION_H

#define SWQ_VERSION "0.1.0"

#endif
