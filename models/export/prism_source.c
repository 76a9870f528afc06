/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model itself in the PRISM language: a .pm from which PRISM explores the chain on its own, and
 * a .props with the questions. A cycle takes several steps of that chain, so every figure is a
 * ratio of two long-run averages. Sources: PRISM manual, "The PRISM Language"; docs/model.md.
 */
#include "base/context.h"
#include "models/export/formats.h"
#include "models/export/source/source.h"
#include "models/priority.h"

/* Rules of admission with a function that this format has written. */
static bool knows(const swq_admission_rule *rule)
{
    return rule == &swq_admission_longest_queue_drop || rule == &swq_admission_harmonic ||
           rule == &swq_admission_abm || rule == &swq_admission_occamy ||
           rule == &swq_admission_follow_lqd;
}

/* Rules of admission for pools, in which inputs do not take turns at closed ports. */
static bool for_open_pools(const swq_admission_rule *rule)
{
    return rule == &swq_admission_longest_queue_drop || rule == &swq_admission_occamy ||
           rule == &swq_admission_follow_lqd;
}

static swq_status check(swq_context *ctx, const swq_switch *sw)
{
    bool pool = sw->buffer.scope == SWQ_POOL;
    const source_arbiter *how = source_arbiter_of(sw->arbiter);
    const swq_admission_rule *rule = swq_buffer_admission(&sw->buffer);
    swq_status status = swq_priority_refuse(ctx, &sw->priority, "format prism-source");

    if (status)
        return status;
    if (sw->burst > 1)
        return swq_fail(ctx, SWQ_EINVAL,
                        "format prism-source has no bursts (burst %g); the chain's formats have",
                        sw->burst);
    if (rule->fate && !knows(rule))
        return swq_fail(ctx, SWQ_EINVAL, "format prism-source has no rules for admission %s",
                        rule->name);
    if (for_open_pools(rule) && swq_buffer_pool_rule(&sw->buffer)->opens_ports)
        return swq_fail(ctx, SWQ_EINVAL,
                        "format prism-source has admission %s with pool-rule room, not %s",
                        rule->name, swq_buffer_pool_rule(&sw->buffer)->name);
    if (for_open_pools(rule) && !pool)
        return swq_fail(ctx, SWQ_EINVAL,
                        "format prism-source has admission %s for a pool (cbda) only", rule->name);
    if (sw->ports > SOURCE_MOST_PORTS)
        return swq_fail(ctx, SWQ_EINVAL, "format prism-source is for at most %d ports, not %d",
                        SOURCE_MOST_PORTS, sw->ports);
    if (!pool && !how)
        return swq_fail(ctx, SWQ_EINVAL,
                        "format prism-source knows the arbiters random, random-outputs, longest, "
                        "fixed, maximum, maximum-longest and max-weight, not %s",
                        sw->arbiter->name);
    if (!pool && how->way == SOURCE_SETS && sw->buffer.read == SWQ_READ_ONE &&
        sw->ports > SOURCE_MOST_PORTS_OF_SETS)
        return swq_fail(ctx, SWQ_EINVAL,
                        "format prism-source lists every set of transmissions for arbiter %s: at "
                        "most %d ports, not %d",
                        sw->arbiter->name, SOURCE_MOST_PORTS_OF_SETS, sw->ports);
    if (sw->buffer.queues == SWQ_ONE_QUEUE && sw->buffer.capacity > SOURCE_MOST_FIFO_SLOTS)
        return swq_fail(ctx, SWQ_EINVAL,
                        "format prism-source has a variable for each slot of a FIFO: at most %d "
                        "slots, not %d",
                        SOURCE_MOST_FIFO_SLOTS, sw->buffer.capacity);
    return SWQ_OK;
}

static void write_model(FILE *out, const swq_export_data *d)
{
    const swq_switch *sw = d->sw;
    char text[32];

    fprintf(
        out,
        "// A %d x %d switch that works in stage cycles, written by switchq from the rules.\n"
        "// One cycle takes several steps of this chain: phase ARRIVE (reception), then the\n"
        "// choice of who %s, then SEND. What is asked per cycle or per packet\n"
        "// is therefore the ratio of two long-run averages; see the .props file. The chain is\n"
        "// periodic. For instance:\n"
        "//     prism NAME.pm NAME.props -ex -gs -epsilon 1e-12 -maxiters 1000000\n"
        "//     prism NAME.pm NAME.props -exact\n"
        "dtmc\n\n",
        sw->ports, sw->ports,
        sw->buffer.scope == SWQ_POOL ? "is admitted" : "sends to which output");
    for (int i = 0; i < sw->ports; i++) {
        fprintf(out, "const double load%d = %s;\n", i, source_number(sw->load[i], text));
        for (int j = 0; j < sw->ports; j++)
            fprintf(out, "const double to%d_%d = %s;\n", i, j, source_number(sw->dest[i][j], text));
    }
    if (sw->buffer.scope == SWQ_POOL) {
        source_write_pool(out, sw);
        source_write_pool_rewards(out, sw);
    } else {
        source_write_inputs(out, sw);
        source_write_arbiter(out, sw);
        source_write_input_rewards(out, sw);
    }
}

static void write_questions(FILE *out, const swq_export_data *d)
{
    fprintf(out,
            "// probability that an offered packet is refused%s\n"
            "\"refusal\": R{\"refused\"}=? [ S ] / R{\"offered\"}=? [ S ];\n\n"
            "// packets sent per output and cycle\n"
            "\"throughput\": R{\"sent\"}=? [ S ] / R{\"cycles\"}=? [ S ] / %d;\n\n"
            "// packets in all buffers, after transmission and before reception\n"
            "\"mean_packets\": R{\"packets\"}=? [ S ] / R{\"cycles\"}=? [ S ];\n",
            d->sw->flow == SWQ_DISCARD ? ", which is that a packet is lost" : "", d->sw->ports);
}

static const swq_export_part parts[] = {
    {".pm", write_model}, {".props", write_questions}, {NULL, NULL}};

const swq_export_format swq_export_prism_source = {
    .name = "prism-source",
    .summary = "the rules of the model in the PRISM language, .pm and .props",
    .source = true,
    .check = check,
    .part = parts,
};
