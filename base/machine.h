/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory that the machine and its limits leave to this process.
 */
#ifndef SWQ_BASE_MACHINE_H
#define SWQ_BASE_MACHINE_H

#include <stddef.h>

/* The default memory limit, in bytes: 80% of the machine's memory, or of the limit on the process's
 * address space or data if that is lower; 0: not known. */
size_t swq_usual_memory(void);

#endif
