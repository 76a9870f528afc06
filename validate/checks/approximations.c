/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Family "approximations": every method of `switchq approx` has the error that its row states,
 * against the simulator, and no larger one; for one switch against exact answers.
 */
#include "approx/links/errors.h"
#include "base/context.h"
#include "switchq/approx.h"
#include "switchq/exact.h"
#include "switchq/formula.h"
#include "validate/checks/families.h"
#include "validate/checks/stated.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { QUICK = 6000, FULL = 60000, LONGER = 10 };

static uint64_t cycles_of(swq_effort effort)
{
    return effort == SWQ_EFFORT_QUICK ? QUICK : FULL;
}

static swq_status approximate(swq_context *ctx, const swq_stated *row, const swq_network *network,
                              swq_approx_result *result)
{
    const swq_approx_method *method = NULL;
    swq_status status = row->method ? swq_approx_find(ctx, row->method, &method) : SWQ_OK;

    return status ? status : swq_approx_run(ctx, network, method, result);
}

/* ---- stated errors of measured networks, against the simulator ---- */

/* The errors that `approx` states for the row's network; NULL: this network was not measured. */
static const links_errors *stated_of(const swq_stated *row)
{
    for (int k = 0; k < links_measured_count; k++) {
        const links_errors *e = &links_measured[k];
        if (strcmp(e->buffer, row->buffer) == 0 && e->ports == row->ports &&
            e->stages == row->stages && e->slots == row->slots &&
            e->discard == (row->flow == SWQ_DISCARD))
            return e;
    }
    return NULL;
}

/* Large networks have as many packets in fewer cycles. */
static uint64_t fewer_cycles(swq_effort effort, const swq_stated *row)
{
    const double most = 4e6 / pow(row->ports, row->stages);

    return (uint64_t)fmin((double)cycles_of(effort), most);
}

/* Checks that the throughput at full load is within the stated errors, widened by the interval of
 * the simulation that they were measured with. */
static swq_status as_stated(swq_context *ctx, const swq_stated *row, swq_effort effort,
                            uint64_t seed, swq_finding *finding)
{
    const links_errors *e = stated_of(row);
    swq_stated with = *row;
    swq_network network;
    swq_approx_result a = {0};
    swq_sim_result s;

    if (!e)
        return swq_fail(ctx, SWQ_EINTERNAL, "%s: not measured", row->name);
    with.least = (e->throughput[0] - e->half_width) / 100;
    with.most = (e->throughput[1] + e->half_width) / 100;
    swq_status status = swq_stated_network(ctx, row, row->flow, row->credit, &network);
    if (!status)
        status = approximate(ctx, row, &network, &a);
    if (!status)
        status = swq_stated_simulate(ctx, &network, fewer_cycles(effort, row), seed, &s);
    if (!status)
        swq_stated_off(finding, &with, a.throughput, s.all.throughput);
    return status;
}

/* ---- one switch, against exact results ---- */

/* Saturated inputs: the chain of heads is the chain of the formula hol-saturation. */
static swq_status one_stage_saturated(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                      uint64_t seed, swq_finding *finding)
{
    swq_network network;
    swq_approx_result a = {0};
    double exact = NAN;
    swq_status status = swq_stated_network(ctx, row, SWQ_BLOCK, SWQ_CREDIT_SAME, &network);

    (void)effort, (void)seed;
    network.sw.credit = SWQ_CREDIT_NEXT;
    if (!status)
        status = approximate(ctx, row, &network, &a);
    if (!status)
        status = swq_hol_saturation(ctx, row->ports, 1, &exact);
    if (!status)
        swq_finding_near(finding, a.throughput, exact, 1e-7);
    return status;
}

/* With one stage, the chain of one switch is the whole network. */
static swq_status one_stage_chain(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                  uint64_t seed, swq_finding *finding)
{
    swq_network network;
    swq_approx_result a;
    swq_answers exact;
    swq_exact_options options = swq_exact_options_defaults();
    swq_status status = swq_stated_network(ctx, row, SWQ_DISCARD, SWQ_CREDIT_SAME, &network);

    (void)effort, (void)seed;
    if (!status)
        status = approximate(ctx, row, &network, &a);
    if (status)
        return status;
    swq_switch sw = network.sw;
    for (int p = 0; p < sw.ports; p++)
        sw.load[p] = network.traffic.load;
    swq_traffic_uniform(&sw);
    status = swq_exact_solve(ctx, &sw, &options, &exact);
    if (!status) {
        swq_finding_near(finding, a.discard_fraction / exact.discard.value, 1, 1e-9);
        if (fabs(a.throughput / exact.throughput.value - 1) > 1e-9)
            swq_finding_near(finding, a.throughput, exact.throughput.value, 0);
    }
    if (!status || status == SWQ_ECONVERGE)
        swq_answers_clear(ctx, &exact);
    return status;
}

/* ---- rows of methods ---- */

#define DISCARDS .flow = SWQ_DISCARD, .credit = SWQ_CREDIT_SAME
#define BLOCKS   .flow = SWQ_BLOCK, .credit = SWQ_CREDIT_NEXT
/* A network approximated, and simulated. */
#define EITHER_WAY(words, method, key, quantity)                                                   \
    "{approx " words " --method " method " : result." key "} = {<6000 60000> cycles of " words     \
    " : " quantity "}"
#define THROUGHPUT(words, method) EITHER_WAY(words, method, "throughput", "throughput")
#define LATENCY_OF(words, method) EITHER_WAY(words, method, "latency_cycles", "latency")
#define OMEGA(stages, ports, kind, size, at, flow)                                                 \
    "--topology omega --stages " stages " --ports " ports " --buffer " kind " --slots " size       \
    " --load " at " --flow " flow
#define BLOCKING   "block --credit next"
#define DISCARDING "discard --credit same"
#define FULL_LOAD(kind, size, from, to, full_)                                                     \
    SWQ_EQUATION("links/buffer=" kind "-" #size ",flow=block,load=1",                              \
                 "links, blocking: throughput at full load is too high by " #from " to " #to "%",  \
                 SWQ_LEVEL_APPROX,                                                                 \
                 THROUGHPUT(OMEGA("3", "4", kind, #size, "1", BLOCKING), "links"),                 \
                 .least = (from) / 100.0, .most = (to) / 100.0, .full = (full_), .weight = 0.15)
#define LATENCY(kind, size, at, full_)                                                             \
    SWQ_EQUATION("links/buffer=" kind "-" #size ",flow=block,load=" #at ",what=latency",           \
                 "links, blocking: latency within 3.1% below 80% of saturation", SWQ_LEVEL_APPROX, \
                 LATENCY_OF(OMEGA("3", "4", kind, #size, #at, BLOCKING), "links"),                 \
                 .least = -0.031, .most = 0.031, .full = (full_), .weight = 0.1)
#define DISCARDS_AT(kind, size, at, full_)                                                         \
    SWQ_EQUATION("links/buffer=" kind "-" #size ",flow=discard,load=" #at,                         \
                 "links, discarding: throughput within 1%", SWQ_LEVEL_APPROX,                      \
                 THROUGHPUT(OMEGA("3", "4", kind, #size, #at, DISCARDING), "links"),               \
                 .least = -0.01, .most = 0.01, .full = (full_), .weight = 0.1)
/* `low`: a load below 80% of saturation */
#define LINKS(kind, size, from, to, low, full_)                                                    \
    FULL_LOAD(kind, size, from, to, full_), LATENCY(kind, size, low, full_),                       \
        DISCARDS_AT(kind, size, 0.5, true), DISCARDS_AT(kind, size, 0.8, full_),                   \
        DISCARDS_AT(kind, size, 1, true)

/* stated in whole percent, so to half a percent */
#define NOT_LINKS(method, name_, claim_, credit, what, ports, stages, size, at, from, to, full_)   \
    SWQ_EQUATION(                                                                                  \
        method "/" name_, claim_, SWQ_LEVEL_APPROX,                                                \
        what(OMEGA(#stages, #ports, "fifo", #size, #at, "block --credit " credit), method),        \
        .least = ((from)-0.5) / 100, .most = ((to) + 0.5) / 100, .full = (full_), .weight = 0.15)
#define SMALL_CYCLE "small-cycle: throughput at full load +13 to +22%"
#define YOON        "yoon-lee-liu: throughput at full load +12 to +23%"
#define CHAINS(kind, size, to, full_)                                                              \
    SWQ_EQUATION("exact-chains/buffer=" kind "-" #size ",load=1",                                  \
                 "exact-chains: throughput up to " #to "% too high", SWQ_LEVEL_APPROX,             \
                 THROUGHPUT(OMEGA("3", "4", kind, #size, "1", DISCARDING), "exact-chains"),        \
                 .least = 0, .most = (to) / 100.0, .full = (full_), .weight = 0.2)
#define HOT_AT(kind, name_, claim_, what, at, off, full_)                                          \
    SWQ_EQUATION(                                                                                  \
        "hot-tree/buffer=" kind "-4,load=" at name_, "hot-tree: 5% hot: " claim_,                  \
        SWQ_LEVEL_APPROX,                                                                          \
        what(OMEGA("3", "4", kind, "4", at, BLOCKING " --traffic hotspot:0.05"), "hot-tree"),      \
        .least = -(off), .most = (off), .full = (full_), .weight = 0.1)
#define HOT(kind, full_)                                                                           \
    HOT_AT(kind, "", "throughput within 1%", THROUGHPUT, "1", 0.01, full_),                        \
        HOT_AT(kind, ",what=latency", "latency within 8% at full load", LATENCY_OF, "1", 0.08,     \
               full_),                                                                             \
        HOT_AT(kind, ",what=latency", "latency within 6% up to 80% of the bound", LATENCY_OF,      \
               "0.15", 0.06, full_)
/* percent: latency of high priority is within `from` to `to` of the simulated one */
#define CLASS(kind, size, support, flow_word, flow, at, class, from, to, full_)                    \
    SWQ_EQUATION(                                                                                  \
        "classes/buffer=" kind "-" #size ",priority=" support ",flow=" flow_word ",load=" #at      \
        ",of=" class,                                                                              \
        "classes: latency of " class " packets off by " #from " to " #to "%", SWQ_LEVEL_APPROX,    \
        EITHER_WAY(OMEGA("3", "4", kind, #size, #at, flow) " --high 0.25 --priority " support,     \
                   "classes", "classes." class ".latency_cycles", "latency." class),               \
        .least = (from) / 100.0, .most = (to) / 100.0, .full = (full_), .weight = 0.2)
/* one of the networks of approx/links/errors.csv */
#define MEASURED(kind, ports_, stages_, size, word, full_, ...)                                    \
    {                                                                                              \
        .name = "links/measured/buffer=" kind "-" #size ",ports=" #ports_ ",stages=" #stages_      \
                ",flow=" word ",load=1",                                                           \
        .claim = "links: throughput at full load is off by what the answer states",                \
        .level = SWQ_LEVEL_APPROX, .find = as_stated, __VA_ARGS__, .method = "links",              \
        .buffer = (kind), .ports = (ports_), .stages = (stages_), .slots = (size),                 \
        .full = (full_), .weight = 0.2                                                             \
    }
#define BOTH_FLOWS(kind, ports_, stages_, size, full_)                                             \
    MEASURED(kind, ports_, stages_, size, "block", full_, BLOCKS),                                 \
        MEASURED(kind, ports_, stages_, size, "discard", full_, DISCARDS)
#define SATURATED(size)                                                                            \
    {                                                                                              \
        .name = "links/one-stage,ports=" #size,                                                    \
        .claim = "links, one stage at full load is the saturation of head-of-line blocking",       \
        .level = SWQ_LEVEL_EXACT, .find = one_stage_saturated, .method = "links",                  \
        .buffer = "fifo", .ports = (size), .stages = 1, .slots = 8, .weight = 0.01                 \
    }
#define ONE_CHAIN(kind, size)                                                                      \
    {                                                                                              \
        .name = "exact-chains/one-stage,buffer=" kind "-" #size,                                   \
        .claim = "exact-chains, one stage: the exact chain itself", .level = SWQ_LEVEL_EXACT,      \
        .find = one_stage_chain, .method = "exact-chains", .buffer = (kind), .ports = 2,           \
        .stages = 1, .slots = (size), .load = 0.8, .arbiter = "longest", .weight = 0.05            \
    }

static const swq_stated rows[] = {
    LINKS("fifo", 1, 0.6, 2.4, 0.15, true),
    LINKS("fifo", 2, 0.6, 2.4, 0.3, true),
    LINKS("fifo", 4, 0.6, 2.4, 0.4, false),
    LINKS("fifo", 6, 0.6, 2.4, 0.4, true),
    LINKS("fifo", 8, 0.6, 2.4, 0.4, true),
    LINKS("fifo", 12, 0.6, 2.4, 0.4, true),
    LINKS("samq", 4, 3.3, 3.3, 0.4, false),
    LINKS("samq", 8, 4.7, 4.7, 0.5, true),
    LINKS("samq", 12, 6.9, 6.9, 0.6, true),
    LINKS("safc", 4, 3.6, 4.5, 0.4, false),
    LINKS("safc", 8, 3.6, 4.5, 0.6, true),
    LINKS("safc", 12, 3.6, 4.5, 0.6, true),
    LINKS("damq", 2, 1.1, 4.5, 0.4, true),
    LINKS("damq", 3, 1.1, 4.5, 0.5, true),
    LINKS("damq", 4, 1.1, 4.5, 0.5, false),
    LINKS("damq", 8, 1.1, 4.5, 0.6, true),
    LINKS("damq", 12, 1.1, 4.5, 0.7, true),
    LINKS("cbda", 1, 1.6, 3.3, 0.2, true),
    LINKS("cbda", 2, 1.6, 3.3, 0.4, true),
    LINKS("cbda", 4, 1.6, 3.3, 0.6, false),
    LINKS("cbda", 8, 1.6, 3.3, 0.7, true),
    LINKS("cbda", 12, 1.6, 3.3, 0.7, true),
    BOTH_FLOWS("dafc", 4, 3, 4, false),
    BOTH_FLOWS("damq", 2, 6, 2, false),
    BOTH_FLOWS("fifo", 2, 2, 1, false),
    BOTH_FLOWS("samq", 2, 1, 2, false),
    BOTH_FLOWS("damq", 2, 10, 2, true),
    BOTH_FLOWS("fifo", 2, 10, 1, true),
    BOTH_FLOWS("samq", 2, 6, 8, true),
    BOTH_FLOWS("safc", 2, 10, 4, true),
    BOTH_FLOWS("cbda", 2, 10, 4, true),
    BOTH_FLOWS("dafc", 2, 10, 4, true),
    BOTH_FLOWS("damq", 4, 5, 4, true),
    BOTH_FLOWS("damq", 8, 2, 4, true),
    SATURATED(2),
    SATURATED(3),
    SATURATED(4),
    SATURATED(8),
    HOT("fifo", false),
    HOT("samq", true),
    HOT("safc", true),
    HOT("damq", false),
    HOT("cbda", true),
    CHAINS("fifo", 2, 4.0, false),
    CHAINS("fifo", 4, 4.0, true),
    CHAINS("damq", 2, 2.5, true),
    CHAINS("samq", 4, 2.5, true),
    CHAINS("safc", 4, 2.5, true),
    CHAINS("cbda", 2, 2.5, true),
    ONE_CHAIN("fifo", 4),
    ONE_CHAIN("samq", 4),
    ONE_CHAIN("safc", 4),
    ONE_CHAIN("damq", 4),
    ONE_CHAIN("cbda", 2),
    CLASS("damq", 4, "queue", "discard", DISCARDING, 0.5, "high", -0.7, 0.7, false),
    CLASS("damq", 4, "arbiter", "discard", DISCARDING, 0.5, "high", -3.1, 3.1, false),
    CLASS("damq", 4, "buffer", "block", BLOCKING, 0.6, "high", -0.6, 0.6, false),
    CLASS("damq", 4, "queue", "block", BLOCKING, 0.3, "high", -2.2, 2.2, true),
    CLASS("damq", 4, "queue", "discard", DISCARDING, 0.5, "normal", -6.8, 6.8, true),
    CLASS("damq", 4, "arbiter", "discard", DISCARDING, 0.9, "high", -18, 4.9, true),
    CLASS("damq", 2, "queue", "block", BLOCKING, 0.9, "high", -30, 0, true),
    NOT_LINKS("small-cycle", "slots=1,load=1", SMALL_CYCLE, "next", THROUGHPUT, 4, 3, 1, 1, 13, 22,
              true),
    NOT_LINKS("small-cycle", "slots=4,load=1", SMALL_CYCLE, "next", THROUGHPUT, 4, 3, 4, 1, 13, 22,
              false),
    NOT_LINKS("small-cycle", "slots=12,load=1", SMALL_CYCLE, "next", THROUGHPUT, 4, 3, 12, 1, 13,
              22, true),
    NOT_LINKS("small-cycle", "slots=4,load=0.4,what=latency",
              "small-cycle: latency -9 to -14% at load 0.4", "next", LATENCY_OF, 4, 3, 4, 0.4, -14,
              -9, true),
    NOT_LINKS("yoon-lee-liu", "slots=1,load=1", YOON, "same", THROUGHPUT, 4, 3, 1, 1, 12, 23, true),
    NOT_LINKS("yoon-lee-liu", "slots=4,load=1", YOON, "same", THROUGHPUT, 4, 3, 4, 1, 12, 23,
              false),
    NOT_LINKS("yoon-lee-liu", "slots=12,load=1", YOON, "same", THROUGHPUT, 4, 3, 12, 1, 12, 23,
              true),
    NOT_LINKS("yoon-lee-liu", "slots=4,load=0.4,what=latency",
              "yoon-lee-liu: latency -9 to -13% at load 0.4", "same", LATENCY_OF, 4, 3, 4, 0.4, -13,
              -9, true),
    NOT_LINKS("jenq", "load=0.3", "jenq, 6 stages: throughput +1% at load 0.3", "same", THROUGHPUT,
              2, 6, 1, 0.3, 1, 1, true),
    NOT_LINKS("jenq", "load=0.9", "jenq, 6 stages: throughput +23% at load 0.9", "same", THROUGHPUT,
              2, 6, 1, 0.9, 23, 23, false),
    SWQ_EQUATION("kruskal-snir-weiss/buffer=cbda-4,load=0.5,what=latency",
                 "kruskal-snir-weiss: latency of CBDA-4 within 0.2% up to load 0.5",
                 SWQ_LEVEL_APPROX,
                 LATENCY_OF(OMEGA("3", "4", "cbda", "4", "0.5", BLOCKING), "kruskal-snir-weiss"),
                 .least = -0.002, .most = 0.002, .weight = 0.15),
    SWQ_EQUATION("kruskal-snir-weiss/buffer=cbda-4,load=0.9",
                 "kruskal-snir-weiss: throughput of CBDA-4 at load 0.9 +12%", SWQ_LEVEL_APPROX,
                 THROUGHPUT(OMEGA("3", "4", "cbda", "4", "0.9", BLOCKING), "kruskal-snir-weiss"),
                 .least = 0.115, .most = 0.125, .full = true, .weight = 0.15),
    {.name = NULL},
};

SWQ_STATED_FUNCTIONS(rows, "approximations", LONGER)

const swq_family swq_family_approximations = {
    .name = "approximations",
    .title = "Approximations of networks: is their error the stated one?",
    .legs = "approximation; synchronous simulator, exact chain",
    .criterion = "value / simulated - 1 lies within what `switchq approx --methods` states for "
                 "the method (links/measured: an answer for its network), including the sign, to "
                 "the digits stated, within the half-width "
                 "of the simulation's 99.9% interval plus 0.05%; one stage: 1e-7 from "
                 "head-of-line saturation, 1e-9 from the exact chain",
    .count = count,
    .describe = describe,
    .run = run,
};
