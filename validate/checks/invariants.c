/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What must be true of every simulation, counted in integers: packets are conserved, and Little's
 * law is an identity. The networks are drawn at random: multistage ones with priorities, bursts
 * and hot spots; asynchronous tori, meshes, hypercubes.
 */
#include "base/context.h"
#include "validate/checks/families.h"
#include "validate/checks/networks.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CONSERVED, LITTLE, PARTS, LAWS };

static const char *const law_names[LAWS] = {"conservation", "little", "parts"};
static const char *const law_claims[LAWS] = {
    "created = delivered + discarded + in flight",
    "packet-cycles in the system = cycles that all packets spent there",
    "the measurements of classes and groups add up to the total"};

static void describe_law(const char *family, const char *what, int k, swq_check *check)
{
    snprintf(check->name, sizeof check->name, "%s/%s,spec=%d", family, law_names[k % LAWS],
             k / LAWS);
    snprintf(check->claim, sizeof check->claim, "%s %d drawn at random: %s", what, k / LAWS,
             law_claims[k % LAWS]);
    check->level = SWQ_LEVEL_EXACT;
    check->weight = 0.004;
}

static void judge(swq_finding *f, double left, double right, bool holds)
{
    f->left = left;
    f->right = right;
    f->off = fabs(left - right);
    f->allowed = 0;
    f->outcome = holds && left == right ? SWQ_OUTCOME_PASS : SWQ_OUTCOME_FAIL;
}

/* The created, delivered and lost packets of all parts must sum to the packets of the whole. */
static void judge_parts(swq_finding *f, const swq_sim_result *r, const swq_flow_result *part,
                        int parts)
{
    uint64_t sum = 0;

    for (int k = 0; k < parts; k++)
        sum += part[k].created + part[k].delivered + part[k].discarded;
    if (f->outcome == SWQ_OUTCOME_PASS)
        judge(f, (double)(r->all.created + r->all.delivered + r->all.discarded), (double)sum, true);
}

static void judge_laws(swq_finding *f, const swq_sim_result *r)
{
    judge(&f[CONSERVED], (double)r->total_created,
          (double)(r->total_delivered + r->total_discarded + r->total_in_flight), r->conserved);
    judge(&f[LITTLE], 1, r->little_exact, true);
    judge(&f[PARTS], 0, 0, true);
}

/* ---- synchronous ---- */

static int count_synchronous(swq_effort effort)
{
    return LAWS * (effort == SWQ_EFFORT_FULL ? 3000 : 150);
}

static void describe_synchronous(swq_effort effort, int k, swq_check *check)
{
    (void)effort;
    describe_law("invariants", "network", k, check);
}

static swq_status run_synchronous(swq_context *ctx, swq_effort effort, int k, uint64_t seed,
                                  swq_finding *f)
{
    swq_draws draws = swq_draws_of(seed, "invariants", k / LAWS);
    swq_sim_result r;
    swq_drawn_network *s = swq_calloc(ctx, 1, sizeof *s);
    swq_status status = s ? swq_draw_network(ctx, &draws, s) : swq_memory_status(ctx);

    (void)effort;
    if (!status)
        status = swq_sim_run(ctx, &s->network, &s->options, &r);
    if (!status) {
        judge_laws(f, &r);
        judge_parts(&f[PARTS], &r, r.by_class, SWQ_CLASSES);
        if (s->options.group)
            judge_parts(&f[PARTS], &r, r.by_group, s->options.groups);
        for (int l = 0; l < LAWS; l++)
            swq_drawn_words(s, f[l].text, sizeof f[l].text);
    }
    swq_free(ctx, s);
    return status;
}

const swq_family swq_family_invariants = {
    .name = "invariants",
    .title = "Conservation and Little's law in synchronous networks",
    .legs = "counters of packets that came; counters of packets that left and that remain",
    .criterion = "equal, as integers, over the whole run, warm-up included",
    .count = count_synchronous,
    .describe = describe_synchronous,
    .parts = LAWS,
    .run = run_synchronous,
};

/* ---- asynchronous ---- */

enum { GROUPS = 3 };

static int count_asynchronous(swq_effort effort)
{
    return LAWS * (effort == SWQ_EFFORT_FULL ? 2000 : 100);
}

static void describe_asynchronous(swq_effort effort, int k, swq_check *check)
{
    (void)effort;
    describe_law("invariants-async", "fabric", k, check);
}

static swq_status draw_shape(swq_context *ctx, swq_draws *d, swq_shape *shape)
{
    static const char *const names[] = {"torus",     "torus", "mesh",
                                        "hypercube", "omega", "butterfly"};
    const int k = swq_draw(d, 6);
    swq_status status = swq_fabric_find(ctx, names[k], shape);

    shape->dims = 1 + swq_draw(d, 3);
    for (int e = 0; e < shape->dims; e++)
        shape->extent[e] = 2 + swq_draw(d, shape->dims == 3 ? 2 : 5);
    shape->chained = k < 3 && swq_draw(d, 4) == 0;
    shape->one_way = k < 2 && !shape->chained && swq_draw(d, 4) == 0;
    if (k >= 4) {
        shape->dims = 0;
        shape->ports = 2 + swq_draw(d, 2);
        shape->stages = 2 + swq_draw(d, 2);
    }
    return status;
}

static swq_status draw_memory(swq_context *ctx, swq_draws *d, swq_async *n,
                              const swq_buffer_kind **kind)
{
    static const int blocks[] = {1, 3, 8, 16};
    static const char *const buffers[] = {"fifo", "samq", "safc", "damq", "dafc"};
    const char *buffer = buffers[swq_draw(d, 5)];

    for (int k = 0; swq_buffer_kinds[k]; k++) {
        if (strcmp(swq_buffer_kinds[k]->name, buffer) == 0)
            *kind = swq_buffer_kinds[k];
    }
    assert(*kind);
    n->packet.block = blocks[swq_draw(d, 4)];
    n->packet.max = 1 + swq_draw(d, 40);
    const int packet = (n->packet.max + n->packet.block - 1) / n->packet.block;
    const int queues = (*kind)->partitioned ? 2 + swq_draw(d, 8) : 1;
    const int bytes =
        packet * n->packet.block * queues * (1 + swq_draw(d, 3)) + swq_draw(d, 5 * n->packet.block);
    n->memory.release = (swq_release)swq_draw(d, 4);
    n->flow.row = swq_draw(d, 2) ? &swq_flow_blocking : &swq_flow_maximum_usage;
    n->flow.threshold = swq_draw(d, packet * 3);
    n->link.hop_delay = 1 + swq_draw(d, 8);
    n->link.rest = swq_draw(d, 4);
    return swq_async_buffer(ctx, n, *kind, bytes);
}

static void draw_senders(swq_draws *d, swq_async *n, swq_sender_group *group)
{
    n->traffic.group = group;
    n->traffic.groups = 1 + swq_draw(d, GROUPS);
    for (int g = 0; g < n->traffic.groups; g++) {
        const swq_spread length = {SWQ_UNIFORM, 1, 1 + swq_draw(d, 2 * n->packet.max)};
        group[g] = swq_sender_group_uniform(n, swq_draw(d, 2) ? SWQ_SOURCE_HOLD : SWQ_SOURCE_OPEN,
                                            0.1 * (1 + swq_draw(d, 9)), length);
        group[g].mask = g + 1 < n->traffic.groups ? 3 : 0;
        group[g].value = (uint32_t)g & group[g].mask;
    }
}

/* Draws until the result is valid. */
static swq_status draw_fabric(swq_context *ctx, swq_draws *d, swq_async *n, swq_sender_group *group,
                              const swq_buffer_kind **kind)
{
    swq_status status = SWQ_EINVAL;
    uint32_t nodes;

    for (int tries = 0; tries < 1000 && status == SWQ_EINVAL; tries++) {
        *n = swq_async_defaults();
        status = draw_shape(ctx, d, &n->shape);
        if (status)
            continue;
        const swq_status made = draw_memory(ctx, d, n, kind);
        if (swq_draw(d, 2))
            n->arbiter.row = swq_arbiters[swq_draw(d, 10)];
        draw_senders(d, n, group);
        status = made ? made : swq_async_check(ctx, n, &nodes);
    }
    return status;
}

static swq_status run_asynchronous(swq_context *ctx, swq_effort effort, int k, uint64_t seed,
                                   swq_finding *f)
{
    swq_draws draws = swq_draws_of(seed, "invariants-async", k / LAWS);
    swq_sim_options options = swq_sim_defaults();
    swq_sender_group group[GROUPS];
    const swq_buffer_kind *kind = NULL;
    swq_async n;
    swq_async_result *r = swq_calloc(ctx, 1, sizeof *r);
    swq_status status = r ? draw_fabric(ctx, &draws, &n, group, &kind) : swq_memory_status(ctx);

    (void)effort;
    options.seed = (uint64_t)swq_draw(&draws, 1 << 20);
    options.warmup = (uint64_t)swq_draw(&draws, 200);
    options.cycles = 1500;
    if (!status)
        status = swq_async_run(ctx, &n, &options, NULL, r);
    if (!status) {
        judge_laws(f, &r->sim);
        judge(&f[CONSERVED], (double)r->bytes_created,
              (double)(r->bytes_delivered + r->bytes_in_flight),
              f[CONSERVED].outcome == SWQ_OUTCOME_PASS);
        if (n.traffic.groups > 1)
            judge_parts(&f[PARTS], &r->sim, r->sim.by_group, n.traffic.groups);
        for (int l = 0; l < LAWS; l++)
            snprintf(f[l].text, sizeof f[l].text, "%s, %s of %d bytes, %s, release %d%s",
                     n.shape.kind->name, kind->name, n.memory.buffer.capacity * n.packet.block,
                     n.flow.row->name, (int)n.memory.release,
                     r->sim.stopped_by == SWQ_STOP_DEADLOCK ? ", deadlocked" : "");
    }
    swq_free(ctx, r);
    return status;
}

const swq_family swq_family_invariants_async = {
    .name = "invariants-async",
    .title = "Conservation and Little's law in tori, meshes, hypercubes and slow networks",
    .legs = "counters of packets that came; counters of packets that left and that remain",
    .criterion = "packets and bytes equal, as integers, over the whole run, warm-up included",
    .count = count_asynchronous,
    .describe = describe_asynchronous,
    .parts = LAWS,
    .run = run_asynchronous,
};
