/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The method "shared-memory": rare losses of one switch whose queues share one memory without
 * limits, of 8 to 128 ports. The most likely path says how often an unlimited memory would hold as
 * many packets as this one has slots (path.h), and a walk at the brim how many packets are lost
 * then (brim.h).
 */
#include "approx/memory/brim.h"
#include "approx/memory/off.h"
#include "approx/memory/path.h"
#include "approx/methods.h"

#include "base/context.h"
#include "models/buffers/buffers.h"

#include <math.h>
#include <stdio.h>

/* With fewer ports the loss is off by more than a factor of 2, and the exact chain has the answer.
 * Errors were measured for up to MOST_PORTS. */
enum { LEAST_PORTS = 8, MOST_PORTS = 128 };

/* Without being named, the method is chosen for more ports than those for which errors of `links`
 * were measured. */
enum { CHOSEN_ABOVE = 8 };

/* Where an unlimited memory holds more packets than fit with this probability, losses are not
 * rare. */
#define RARE 0.5

/* Probability that an unlimited memory holds more packets than this one has slots: log p(s + n) is
 * taken as quadratic in n. */
static double beyond(const memory_path *path)
{
    double sum = 0, term = 1;

    for (int n = 1; n < 10000 && term > 1e-12; n++) {
        term = exp(path->log_probability - path->decay * n - path->bend * n * n / 2);
        sum += term;
    }
    return sum;
}

static swq_status run(swq_context *ctx, const swq_network *network, swq_approx_result *r)
{
    const int ports = network->sw.ports, slots = network->sw.buffer.capacity;
    const double load = network->traffic.load;
    memory_path path;
    double lost;

    swq_status status = memory_path_find(ctx, ports, load, slots, &path);
    if (!status && (path.decay <= 0 || beyond(&path) > RARE))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "method shared-memory is not for this network: a memory of %d slots "
                          "loses packets too often (switchq sim simulates frequent losses)",
                          slots);
    if (!status)
        status = memory_brim(ctx, ports, load, path.busy, path.decay, &lost);
    if (status)
        return status;
    const double loss = lost / (ports * load) * exp(path.log_probability) / (1 - beyond(&path));
    const double waiting = memory_mean(ports, load) - ports * load;
    r->discard_fraction = r->refusal = loss < 1 ? loss : 1;
    r->throughput = load * (1 - r->discard_fraction);
    r->latency = 1 + waiting / (ports * load);
    r->stage[0] = (swq_approx_stage){.occupancy = waiting,
                                     .sent = r->throughput,
                                     .blocked = 0,
                                     .discarded = r->discard_fraction};
    r->steps = path.steps;
    r->change = path.change;
    return SWQ_OK;
}

static const char *objection(const swq_network *n, char *text, size_t size)
{
    const int ports = n->sw.ports, slots = n->sw.buffer.capacity;
    const double load = n->traffic.load;

    if (n->shape.stages != 1)
        return "it is for one switch (stages 1, topology switch)";
    if (ports < LEAST_PORTS)
        return "it is for 8 ports and more (switchq solve has the exact answer for fewer)";
    if (load >= 1)
        return "the load must be below 1: an unlimited memory would fill without end";
    if (slots <= memory_mean(ports, load)) {
        snprintf(text, size,
                 "the memory of %d slots is too small: with room for all, %.1f packets would be "
                 "there on average, and the method is for rare losses (switchq sim simulates "
                 "frequent ones)",
                 slots, memory_mean(ports, load));
        return text;
    }
    return NULL;
}

static const swq_buffer_kind *const pools[] = {&swq_buffer_cbda, NULL};

static const swq_approx_takes takes = {
    .fabrics = approx_multistage,
    .buffers = pools,
    .patterns = approx_uniform,
    .flows = SWQ_TAKES_DISCARD_SAME,
    .needs = SWQ_NEEDS(SWQ_NEED_AGES),
    .most_ports = MOST_PORTS,
};

const swq_approx_method approx_shared_memory = {
    .name = "shared-memory",
    .ours = true,
    .chosen_above = CHOSEN_ABOVE,
    .summary = "rare losses of one switch with one shared memory, 8 to 128 ports: the most likely "
               "way in which an unlimited memory fills, and what is lost at the brim",
    .assumptions =
        "uniform traffic; complete sharing; many ports (errors fall as 1 / ports); at the brim, "
        "the "
        "numbers of queues that send are independent from cycle to cycle; latency and contents are "
        "those of an unlimited memory",
    .source = "ours; docs/approximation.md. Saddle points: Daniels (1954)",
    .error = "each answer states what was measured with as many ports, against exact chains (8 and "
             "16 ports) and rare simulations (32, 64 and 128): the loss was 0.57 to 1.73 times the "
             "true one, for losses from 1e-2 to 4e-12 and loads from 0.3 to 0.9. Latency and "
             "contents are too high by as much as losses matter. Loads above 0.9 were not "
             "compared, and take seconds at 0.95, a minute at 0.98",
    .off = memory_off,
    .takes = &takes,
    .objection = objection,
    .run = run,
};
