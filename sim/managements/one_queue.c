/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 1Q: one queue in every store, the worst case that the others are measured against. At an input
 * that is a FIFO.
 */
#include "sim/frame/net.h"

static int queues(const swq_async *spec, const swq_fabric *fabric, bool output)
{
    (void)spec;
    (void)fabric;
    (void)output;
    return 1;
}

static int joins(const swq_async_net *net, uint32_t store, int class, uint32_t from, uint32_t to)
{
    (void)net;
    (void)store;
    (void)class;
    (void)from;
    (void)to;
    return 0;
}

static const swq_management_hooks hooks = {.queues = queues, .joins = joins};

const swq_management swq_management_1q = {
    .name = "1q",
    .summary = "one queue in each buffer: the worst case",
    .source = "Duato, Johnson, Flich, Naven, Garcia and Nachiondo (RECN, 2005)",
    .hooks = &hooks,
};
