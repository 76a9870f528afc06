/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * DBBM, destination-based buffer management: in every store Q queues, and a packet joins that of
 * its destination modulo Q. Flows to destinations of another remainder never wait behind it.
 */
#include "sim/frame/net.h"

static int queues(const swq_async *spec, const swq_fabric *fabric, bool output)
{
    (void)fabric;
    (void)output;
    return spec->management.queues;
}

static int joins(const swq_async_net *net, uint32_t store, int class, uint32_t from, uint32_t to)
{
    (void)store;
    (void)class;
    (void)from;
    return (int)(to % (uint32_t)net->spec->management.queues);
}

static const swq_management_hooks hooks = {.queues = queues, .joins = joins};

const swq_management swq_management_dbbm = {
    .name = "dbbm",
    .summary = "--queues queues in each buffer; a packet joins the queue of its destination modulo "
               "their number",
    .source = "Nachiondo, Flich and Duato (2010): destination-based buffer management",
    .default_queues = 8,
    .hooks = &hooks,
};
