/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * VOQsw, virtual output queues at the level of the switch: at an input a queue for each output, or
 * for each class where a fabric has more; an output store has one link, and one queue.
 */
#include "sim/frame/net.h"

static int queues(const swq_async *spec, const swq_fabric *fabric, bool output)
{
    (void)spec;
    return output ? 1 : fabric->classes;
}

static int joins(const swq_async_net *net, uint32_t store, int class, uint32_t from, uint32_t to)
{
    (void)from;
    (void)to;
    return store < net->inputs ? class : 0;
}

static const swq_management_hooks hooks = {.queues = queues, .joins = joins};

const swq_management swq_management_voqsw = {
    .name = "voqsw",
    .summary = "virtual output queues: at each input, a queue for each output of the switch",
    .source = "Duato, Johnson, Flich, Naven, Garcia and Nachiondo (RECN, 2005); Tamir and Frazier "
              "(1992)",
    .by_class = true,
    .hooks = &hooks,
};
