/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 4Q: four queues in every store. The paper does not say which packet joins which; here it is the
 * destination modulo 4.
 * Room: sim.
 */
#include "sim/async/net.h"

enum { QUEUES = 4 };

static int queues(const swq_async *spec, const swq_fabric *fabric, bool output)
{
    (void)spec;
    (void)fabric;
    (void)output;
    return QUEUES;
}

static int joins(const swq_async_net *net, uint32_t store, int class, uint32_t from, uint32_t to)
{
    (void)net;
    (void)store;
    (void)class;
    (void)from;
    return (int)(to % QUEUES);
}

static const swq_management_hooks hooks = {.queues = queues, .joins = joins};

const swq_management swq_management_4q = {
    .name = "4q",
    .summary = "four queues in each store: a packet joins that of its destination modulo 4",
    .source = "Duato, Johnson, Flich, Naven, Garcia and Nachiondo (RECN, 2005), which leaves open "
              "who joins which",
    .hooks = &hooks,
};
