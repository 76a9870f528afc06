/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claims of document 002 (3.2) about the way congestion trees change, checked by the paths of
 * set-aside queues: trees that overlap without merging, and local trees that merge. A SAQ's path
 * leads to a point, an output of a switch, and the SAQs with paths to one point are a tree. In the
 * omegas of 64 nodes used here flow s2 s1 s0 (digits to base 4) goes through switch s1 s0 of the
 * first stage, and meets all other flows with the same s0 in the second.
 */
#include "base/context.h"
#include "validate/checks/printed_find.h"
#include "validate/figures/figures.h"

#include <stdio.h>
#include <string.h>

enum { MOST_EVENTS = 1 << 16, FLOWS = 8, END = 60000, PORTS = 4, SLOT = 64, GROUPS_ROOM = 900 };

/* ---- runs ---- */

typedef struct {
    swq_fabric fabric;
    swq_saq_event *event;
    int events;
    swq_async_result result;
} saq_story;

static void keep(void *arg, const swq_saq_event *event)
{
    saq_story *s = arg;

    if (s->events < MOST_EVENTS)
        s->event[s->events++] = *event;
}

static void end_story(swq_context *ctx, saq_story *s)
{
    swq_fabric_clear(ctx, &s->fabric);
    swq_free(ctx, s->event);
}

/* A group of one sender with all its packets for one node. */
static void add_flow(char *groups, size_t size, uint32_t from, uint32_t to, double interval,
                     uint32_t until)
{
    const size_t used = strlen(groups);
    char end[24] = "";

    if (until)
        snprintf(end, sizeof end, ",until=%u", until);
    snprintf(groups + used, size - used,
             " --group mask=0xffffffff,value=%u,interval=geometric:%.17g,traffic=node:%u%s", from,
             interval, to, end);
}

static swq_status run(swq_context *ctx, const swq_management *row, const char *speedup,
                      const char *groups, uint64_t seed, saq_story *s)
{
    swq_sim_options options = swq_sim_defaults();
    swq_async_watch watch = {.saq = keep, .arg = s};
    swq_figure_setting network;

    *s = (saq_story){0};
    options.seed = seed;
    options.warmup = 0;
    options.cycles = END;
    swq_status status = figure_network(
        ctx, &network,
        "--engine async --architecture cioq --speedup %s --link-rest 2 --management %s%s", speedup,
        row->name, groups);
    if (!status)
        status = swq_fabric_make(ctx, &network.async.shape, &s->fabric);
    s->event = swq_calloc(ctx, MOST_EVENTS, sizeof *s->event);
    if (!status && !s->event)
        status = swq_memory_status(ctx);
    return status ? status : swq_async_run(ctx, &network.async, &options, &watch, &s->result);
}

/* ---- trees ---- */

/* The output to which a SAQ's path leads. */
static uint32_t point_of(const saq_story *s, const swq_saq_event *e)
{
    const swq_fabric *f = &s->fabric;
    const uint32_t inputs = f->switches * PORTS;
    uint32_t port = e->port >= inputs ? f->entry[e->port - inputs]
                    : e->at_output    ? f->link[e->port]
                                      : e->port;
    uint32_t out = 0;

    for (int turn = 0; turn < e->length; turn++) {
        out = port / PORTS * PORTS +
              (uint32_t)(e->turns >> turn * e->bits & ((UINT64_C(1) << e->bits) - 1));
        port = f->link[out];
    }
    return out;
}

static uint32_t output_to(const saq_story *s, uint32_t node)
{
    uint32_t out = 0;

    while (s->fabric.link[out] != (SWQ_TO_NODE | node))
        out++;
    return out;
}

static bool is_new(const swq_saq_event *e)
{
    return e->kind == SWQ_SAQ_DETECTED || e->kind == SWQ_SAQ_TOLD;
}

/* Is the SAQ that this event has made there still in use in that cycle? */
static bool lives(const saq_story *s, int k, uint32_t cycle)
{
    const swq_saq_event *e = &s->event[k];

    if (!is_new(e) || e->cycle > cycle)
        return false;
    for (int i = k + 1; i < s->events && s->event[i].cycle <= cycle; i++) {
        const swq_saq_event *later = &s->event[i];
        if (later->kind == SWQ_SAQ_FREED && later->port == e->port &&
            later->at_output == e->at_output && later->number == e->number)
            return false;
    }
    return true;
}

/* The SAQs in use in that cycle whose paths lead to the outputs first .. last. */
static int in_tree(const saq_story *s, uint32_t cycle, uint32_t first, uint32_t last)
{
    int saqs = 0;

    for (int k = 0; k < s->events; k++) {
        if (lives(s, k, cycle)) {
            const uint32_t point = point_of(s, &s->event[k]);
            saqs += point >= first && point <= last;
        }
    }
    return saqs;
}

/* The inputs that have SAQs of both trees. */
static int overlap(const saq_story *s, uint32_t cycle, uint32_t a, uint32_t b)
{
    int both = 0;

    for (int k = 0; k < s->events; k++) {
        const swq_saq_event *e = &s->event[k];
        if (e->at_output || e->port >= s->fabric.switches * PORTS || !lives(s, k, cycle) ||
            point_of(s, e) != a)
            continue;
        for (int i = 0; i < s->events; i++)
            both += s->event[i].port == e->port && !s->event[i].at_output && lives(s, i, cycle) &&
                    point_of(s, &s->event[i]) == b;
    }
    return both;
}

/* ---- trees that overlap ---- */

#define FLOW_LOAD 0.45

enum { ROOT_A = 63, ROOT_B = 60, A_ENDS = 30000, BEFORE_END = 500, SEVERAL = 3 };

/* Each of three first switches has a flow for either root; its two flows share two links and part
 * at the last switch. The flows together fill 0.9 of the shared links, and would fill 1.35 of the
 * links to the roots. */
swq_status printed_overlap(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    const double interval = SLOT / FLOW_LOAD - SLOT - swq_async_defaults().link.rest;
    char groups[GROUPS_ROOM] = "";
    saq_story s;

    (void)effort;
    for (uint32_t k = 0; k < SEVERAL; k++)
        add_flow(groups, sizeof groups, k, ROOT_A, interval, A_ENDS);
    for (uint32_t k = 0; k < SEVERAL; k++)
        add_flow(groups, sizeof groups, 16 + k, ROOT_B, interval, 0);
    swq_status status = run(ctx, &swq_management_recn_enhanced, "1", groups, seed, &s);
    if (!status) {
        const uint32_t a = output_to(&s, ROOT_A), b = output_to(&s, ROOT_B),
                       all = s.fabric.switches * PORTS - 1;
        const uint32_t then = A_ENDS - BEFORE_END, later = END - BEFORE_END;
        const int both = overlap(&s, then, a, b), of_a = in_tree(&s, then, a, a),
                  of_b = in_tree(&s, then, b, b),
                  elsewhere = in_tree(&s, then, 0, all) - of_a - of_b,
                  a_left = in_tree(&s, later, a, a), b_left = in_tree(&s, later, b, b);
        printed_none(f,
                     (both < SEVERAL) + (elsewhere > 0) + (a_left > 0) + (b_left < SEVERAL) +
                         (s.events == MOST_EVENTS),
                     5);
        snprintf(f->text, sizeof f->text,
                 "%d inputs have SAQs of both trees; %d and %d SAQs, %d of others; %d and %d after "
                 "one has ended",
                 both, of_a, of_b, elsewhere, a_left, b_left);
    }
    end_story(ctx, &s);
    return status;
}

/* ---- trees that merge ---- */

enum { ROOT = 63, FIRST_STAGE = 16 /* switches */, LEAVES = 2 };

/* Three flows meet in each of two first switches, another one joins each three in the second stage,
 * and all meet at the root. */
static swq_status run_merging(swq_context *ctx, const swq_management *row, uint64_t seed,
                              saq_story *s)
{
    static const uint32_t from[FLOWS] = {0, 16, 32, 4, 1, 17, 33, 5};
    char groups[GROUPS_ROOM] = "";

    for (int k = 0; k < FLOWS; k++)
        add_flow(groups, sizeof groups, from[k], ROOT, 0, 0);
    return run(ctx, row, "3/2", groups, seed, s);
}

/* The cycle before the root's tree has its first SAQ at a switch of the first stage. */
static uint32_t before_root(const saq_story *s, uint32_t root)
{
    for (int k = 0; k < s->events; k++) {
        const swq_saq_event *e = &s->event[k];
        if (is_new(e) && e->port < FIRST_STAGE * PORTS && !e->at_output && point_of(s, e) == root)
            return e->cycle - 1;
    }
    return 0;
}

/* How many switches of the first stage have trees whose roots are their own outputs. */
static int local_trees(const saq_story *s, uint32_t cycle)
{
    int trees = 0;

    for (uint32_t sw = 0; sw < FIRST_STAGE; sw++)
        trees += in_tree(s, cycle, sw * PORTS, sw * PORTS + PORTS - 1) > 0;
    return trees;
}

static void judge_merging(const saq_story *enhanced, const saq_story *basic, swq_finding *f)
{
    const uint32_t root = output_to(enhanced, ROOT), last = enhanced->fabric.switches * PORTS - 1;
    const uint32_t before = before_root(enhanced, root), end = END - BEFORE_END;
    const int local = local_trees(enhanced, before), apart = local_trees(basic, end);
    const int of_root = in_tree(enhanced, end, root, root),
              of_others = in_tree(enhanced, end, 0, last) - of_root;

    printed_none(f,
                 (local != LEAVES) + (of_root == 0) + (of_others > 0) + (apart != LEAVES) +
                     (enhanced->events == MOST_EVENTS || basic->events == MOST_EVENTS),
                 5);
    snprintf(f->text, sizeof f->text,
             "%d local trees until cycle %u; at the end %d SAQs of the root's tree, and %d of "
             "others; with basic RECN %d local trees at the end, after %llu refused notices",
             local, before, of_root, of_others, apart,
             (unsigned long long)basic->result.saqs.refused_specific);
}

swq_status printed_merging(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    saq_story enhanced, basic = {0};
    swq_status status = run_merging(ctx, &swq_management_recn_enhanced, seed, &enhanced);

    (void)effort;
    if (!status)
        status = run_merging(ctx, &swq_management_recn, seed, &basic);
    if (!status)
        judge_merging(&enhanced, &basic, f);
    end_story(ctx, &enhanced);
    end_story(ctx, &basic);
    return status;
}
