/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * VOQnet, virtual output queues at the level of the network: in every store a queue for each node
 * of the network, with memory of its own, so that no packet waits behind or for one for another
 * node.
 */
#include "sim/frame/net.h"

static int queues(const swq_async *spec, const swq_fabric *fabric, bool output)
{
    (void)spec;
    (void)output;
    return (int)fabric->nodes;
}

static int joins(const swq_async_net *net, uint32_t store, int class, uint32_t from, uint32_t to)
{
    (void)net;
    (void)store;
    (void)class;
    (void)from;
    return (int)to;
}

static const swq_management_hooks hooks = {.queues = queues, .joins = joins};

const swq_management swq_management_voqnet = {
    .name = "voqnet",
    .summary = "in each buffer, a queue for each node of the network, with a part of the memory",
    .source = "Dally, Carvey and Dennison (1998); Duato, Johnson, Flich, Naven, Garcia and "
              "Nachiondo (RECN, 2005)",
    .apart = true,
    .hooks = &hooks,
};
