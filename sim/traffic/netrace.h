/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traces of Netrace (Hestness, Grot and Keckler, "Netrace: dependency-driven trace-based
 * network-on-chip simulation", NoCArc 2010), .tra and .tra.bz2: what the caches and memory
 * controllers of a chip sent one another, and which packets could only be sent when others had
 * come.
 */
#ifndef SWQ_SIM_TRAFFIC_NETRACE_H
#define SWQ_SIM_TRAFFIC_NETRACE_H

#include "sim/traffic/trace_files.h"

/* Reads the packets of a file and their dependencies, each with a delay of one cycle. The fabric
 * must have been counted. The caller initializes *trace to zero and clears it, after errors too.
 * Errors: SWQ_EIO naming the path; SWQ_EINVAL naming path, record and what is allowed; SWQ_ENOMEM;
 * SWQ_ECANCELLED. Cost: O(records log records). */
swq_status swq_netrace_read(swq_context *ctx, const char *path, const swq_fabric *fabric,
                            swq_trace_messages *trace);

#endif
