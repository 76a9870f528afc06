/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Worst cases of rules that keep words, against a search of its own: all pairs of what the rule and
 * the optimum hold, with the names of their queues, and longest ways by Bellman and Ford. If these
 * settle for a ratio, no cycle exceeds it; if not, one does.
 */
#include "models/buffers/buffers.h"
#include "models/intern.h"
#include "switchq/worst.h"
#include "tests/support/support.h"

enum { QUEUES = 2, MOST_WORDS = 8 * QUEUES };

static swq_context *ctx;

static void setup(void)
{
    ctx = swq_context_new();
}

static void teardown(void)
{
    cr_expect_eq(swq_context_live_blocks(ctx), 0, "a block is left");
    swq_context_free(ctx);
}

TestSuite(worst_kept, .init = setup, .fini = teardown, .timeout = 120);

typedef struct {
    int64_t from, to;
    int rule, optimum; /* packets sent */
} kept_edge;

/* A node: lengths under the rule, words that it keeps, lengths under the optimum. */
typedef struct {
    const swq_buffer *memory;
    int kept;
    swq_intern nodes;
    kept_edge *edge;
    int64_t edges, room;
} kept_graph;

static void add_edge(kept_graph *g, int64_t from, const swq_word *to, int rule, int optimum)
{
    if (g->edges == g->room) {
        g->room = 2 * g->room + 64;
        cr_assert(swq_resize_array(ctx, &g->edge, g->room, sizeof *g->edge));
    }
    g->edge[g->edges++] = (kept_edge){from, swq_intern_number(ctx, &g->nodes, to), rule, optimum};
}

static void add_arrival(kept_graph *g, int64_t from, int queue)
{
    const int at = QUEUES + g->kept;
    swq_dice dice;

    swq_dice_begin_enumeration(&dice);
    do {
        swq_word to[MOST_WORDS];
        int optimum = 0;
        memcpy(to, swq_intern_state(&g->nodes, from), sizeof *to * (size_t)g->nodes.words);
        const swq_fate fate = swq_buffer_fate(g->memory, QUEUES, to, to + QUEUES, queue, &dice);
        cr_assert(fate == SWQ_TAKE || fate == SWQ_REFUSE);
        to[queue] = (swq_word)(to[queue] + (fate == SWQ_TAKE));
        add_edge(g, from, to, 0, 0);
        for (int q = 0; q < QUEUES; q++)
            optimum += to[at + q];
        to[at + queue]++;
        if (optimum < g->memory->capacity)
            add_edge(g, from, to, 0, 0);
    } while (swq_dice_next(&dice));
}

static void add_end(kept_graph *g, int64_t from)
{
    const swq_admission_rule *rule = swq_buffer_admission(g->memory);
    const int at = QUEUES + g->kept;
    swq_word to[MOST_WORDS];
    uint8_t sent[QUEUES];
    int rule_sent = 0, optimum_sent = 0;

    memcpy(to, swq_intern_state(&g->nodes, from), sizeof *to * (size_t)g->nodes.words);
    for (int q = 0; q < QUEUES; q++) {
        sent[q] = to[q] > 0;
        rule_sent += sent[q];
        to[q] = (swq_word)(to[q] - sent[q]);
        optimum_sent += to[at + q] > 0;
        to[at + q] = (swq_word)(to[at + q] - (to[at + q] > 0));
    }
    rule->end_cycle(g->memory, QUEUES, to, sent, to + QUEUES);
    add_edge(g, from, to, rule_sent, optimum_sent);
}

static void make_graph(const swq_buffer *memory, kept_graph *g)
{
    const swq_word empty[MOST_WORDS] = {0};

    *g = (kept_graph){.memory = memory, .kept = QUEUES * swq_buffer_admission(memory)->keeps};
    swq_intern_init(&g->nodes, 2 * QUEUES + g->kept);
    swq_intern_number(ctx, &g->nodes, empty);
    for (int64_t k = 0; k < g->nodes.count; k++) {
        for (int q = 0; q < QUEUES; q++)
            add_arrival(g, k, q);
        add_end(g, k);
    }
}

/* Do the edges by which values last grew close a cycle? Its weight is then positive. */
static bool closes(const kept_graph *g, const int64_t *next)
{
    int32_t *met = swq_calloc(ctx, (size_t)g->nodes.count, sizeof *met);
    bool closed = false;

    for (int64_t k = 0; k < g->nodes.count && !closed; k++) {
        int64_t node = k;
        for (; node >= 0 && met[node] == 0; node = next[node])
            met[node] = (int32_t)k + 1;
        closed = node >= 0 && met[node] == (int32_t)k + 1;
    }
    swq_free(ctx, met);
    return closed;
}

/* Does a cycle exceed numerator / denominator? Longest ways from all nodes at once. */
static bool exceeds(const kept_graph *g, int64_t numerator, int64_t denominator)
{
    int64_t *value = swq_calloc(ctx, (size_t)g->nodes.count, sizeof *value);
    int64_t *next = swq_calloc(ctx, (size_t)g->nodes.count, sizeof *next);
    bool changed = true, closed = false;

    for (int64_t k = 0; k < g->nodes.count; k++)
        next[k] = -1;
    while (changed && !closed) {
        changed = false;
        for (int64_t k = g->edges; k-- > 0;) {
            const kept_edge *e = &g->edge[k];
            const int64_t behind = value[e->to] + denominator * e->optimum - numerator * e->rule;
            if (behind <= value[e->from])
                continue;
            value[e->from] = behind;
            next[e->from] = e->to;
            changed = true;
        }
        closed = closes(g, next);
    }
    swq_free(ctx, value);
    swq_free(ctx, next);
    return closed;
}

static void expect_same(const swq_admission_rule *rule, int slots, double alpha)
{
    swq_buffer b = {.scope = SWQ_POOL,
                    .queues = SWQ_QUEUE_PER_OUTPUT,
                    .read = SWQ_READ_EACH_QUEUE,
                    .capacity = slots,
                    .queue_max = slots,
                    .alpha = alpha,
                    .admission = rule,
                    .ties = SWQ_TIES_RANDOM};
    swq_worst_spec spec = swq_worst_spec_defaults();
    swq_worst w;
    kept_graph g;

    spec.buffer = &b;
    spec.queues = QUEUES;
    cr_assert_eq(swq_worst_run(ctx, &spec, &w), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert(w.proven && !w.unbounded);
    make_graph(&b, &g);
    cr_expect_not(exceeds(&g, w.numerator, w.denominator), "%s, %d slots, alpha %g", rule->name,
                  slots, alpha);
    cr_expect(exceeds(&g, 99 * w.numerator, 100 * w.denominator), "%s, %d slots, alpha %g",
              rule->name, slots, alpha);
    cr_expect_lt(w.nodes, g.nodes.count);
    swq_intern_clear(ctx, &g.nodes);
    swq_free(ctx, g.edge);
    swq_worst_clear(ctx, &w);
}

Test(worst_kept, no_cycle_exceeds_the_ratio_and_one_reaches_it)
{
    for (int m = 1; m <= 3; m++) {
        for (double alpha = 0.5; alpha <= 2; alpha *= 2) {
            expect_same(&swq_admission_edt, m, alpha);
            if (m < 3)
                expect_same(&swq_admission_tdt, m, alpha);
        }
        expect_same(&swq_admission_follow_lqd, m, 0);
    }
}
