/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models/expand_rows.c: taking a switch apart into rows gives the chain that the rules define
 * (models/expand_whole.c), state by state and probability by probability; merging states that are
 * alike gives the chain of their orbits, and the same answers.
 */
#include "base/packed.h"
#include "models/chain_parts.h"
#include "tests/support/support.h"

static swq_context *ctx;

static void setup(void)
{
    ctx = swq_context_new();
}

static void teardown(void)
{
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(rows, .init = setup, .fini = teardown, .timeout = 480);

enum { WORDS = 200 };

static swq_chain *make(const swq_switch *sw, bool reduce, bool whole, const char *text)
{
    swq_chain *chain = NULL;
    swq_status status = whole ? swq_chain_generate_whole(ctx, sw, reduce, &chain)
                              : swq_chain_generate(ctx, sw, reduce, &chain);

    cr_assert_eq(status, SWQ_OK, "%s: %s", text, swq_context_message(ctx));
    return chain;
}

/* The index in `into` of each state of `from`. */
static int64_t *match(const swq_chain *from, swq_chain *into, const char *text)
{
    int64_t *at = malloc((size_t)swq_chain_states(from) * sizeof *at);

    for (int64_t s = 0; s < swq_chain_states(from); s++) {
        uint16_t words[WORDS];
        char state[400];
        cr_assert_leq(swq_chain_words(from), WORDS);
        swq_chain_state(from, s, words);
        at[s] = swq_chain_find(ctx, into, words);
        cr_assert(at[s] >= 0 && at[s] < swq_chain_states(into), "%s: no %s", text,
                  swq_chain_state_text(from, s, state, sizeof state));
    }
    return at;
}

/* Compares an entry of a row of one matrix, in the numbering of the other, with that one's row,
 * which is expanded in `row`. All terms are positive, so both are right up to a few roundings. */
static void expect_same_rows(const swq_csr *a, const swq_csr *b, const int64_t *at,
                             const char *text)
{
    double *row = calloc((size_t)b->cols, sizeof *row);

    for (int64_t s = 0; s < a->rows; s++) {
        cr_assert_eq(a->start[s + 1] - a->start[s], b->start[at[s] + 1] - b->start[at[s]],
                     "%s: state %lld leads to %lld states, not %lld", text, (long long)s,
                     (long long)(a->start[s + 1] - a->start[s]),
                     (long long)(b->start[at[s] + 1] - b->start[at[s]]));
        for (int64_t e = b->start[at[s]]; e < b->start[at[s] + 1]; e++)
            row[b->col[e]] = b->value[e];
        for (int64_t e = a->start[s]; e < a->start[s + 1]; e++)
            assert_relative(a->value[e], row[at[a->col[e]]], 1e-14, "%s: %.17g not %.17g", text,
                            a->value[e], row[at[a->col[e]]]);
        for (int64_t e = b->start[at[s]]; e < b->start[at[s] + 1]; e++)
            row[b->col[e]] = 0;
    }
    free(row);
}

static void expect_same_expectations(const swq_chain *a, const swq_chain *b, const int64_t *at,
                                     const char *text)
{
    int n = swq_chain_switch(a)->ports;

    for (int64_t s = 0; s < swq_chain_states(a); s++) {
        for (int i = 0; i < n; i++) {
            assert_relative(swq_chain_accepted(a)[s * n + i], swq_chain_accepted(b)[at[s] * n + i],
                            1e-14, "%s: accepted", text);
            assert_relative(swq_chain_refused(a)[s * n + i], swq_chain_refused(b)[at[s] * n + i],
                            1e-14, "%s: refused", text);
        }
        cr_assert_eq(swq_chain_held(a, s), swq_chain_held(b, at[s]), "%s: held", text);
    }
}

/* Compares the chain by rows with the chain that the rules define. */
static void expect_same_chain(const swq_switch *sw, bool reduce, const char *text)
{
    swq_chain *rows = make(sw, reduce, false, text), *whole = make(sw, reduce, true, text);
    int64_t n = swq_chain_states(rows);
    swq_csr p, q;

    cr_assert(rows->by_rows && !whole->by_rows, "%s: not taken apart", text);
    cr_assert_eq(n, swq_chain_states(whole), "%s: %lld states, not %lld", text, (long long)n,
                 (long long)swq_chain_states(whole));
    cr_assert_eq(swq_chain_intermediates(rows), swq_chain_intermediates(whole), "%s", text);
    int64_t *at = match(rows, whole, text), *back = match(whole, rows, text);
    for (int64_t s = 0; s < n; s++)
        cr_assert_eq(back[at[s]], s, "%s: two states are found as one", text);
    cr_assert_eq(swq_chain_matrix(ctx, rows, &p, NULL), SWQ_OK);
    cr_assert_eq(swq_chain_matrix(ctx, whole, &q, NULL), SWQ_OK);
    expect_same_rows(&p, &q, at, text);
    expect_same_expectations(rows, whole, at, text);
    swq_csr_clear(ctx, &p);
    swq_csr_clear(ctx, &q);
    free(at);
    free(back);
    swq_chain_free(ctx, rows);
    swq_chain_free(ctx, whole);
}

/* Strong lumpability, checked by definition: from every state, the probability of moving into an
 * orbit is that of the orbit's state in the reduced chain; expectations of the inputs of a class
 * agree in sum. */
static void expect_lumped(const swq_switch *sw, const char *text)
{
    swq_chain *full = make(sw, false, true, text), *reduced = make(sw, true, false, text);
    int64_t *orbit = match(full, reduced, text), orbits = swq_chain_states(reduced), met = 0;
    double *row = calloc((size_t)orbits, sizeof *row);
    bool *seen = calloc((size_t)orbits, sizeof *seen);
    int n = sw->ports;
    swq_csr p, q;

    cr_assert_eq(swq_chain_matrix(ctx, full, &p, NULL), SWQ_OK);
    cr_assert_eq(swq_chain_matrix(ctx, reduced, &q, NULL), SWQ_OK);
    for (int64_t s = 0; s < p.rows; s++) {
        int64_t o = orbit[s];
        met += !seen[o];
        seen[o] = true;
        memset(row, 0, (size_t)orbits * sizeof *row);
        for (int64_t e = p.start[s]; e < p.start[s + 1]; e++)
            row[orbit[p.col[e]]] += p.value[e];
        for (int64_t e = q.start[o]; e < q.start[o + 1]; e++) {
            assert_relative(row[q.col[e]], q.value[e], 2e-14, "%s: %.17g not %.17g", text,
                            row[q.col[e]], q.value[e]);
            row[q.col[e]] = 0;
        }
        for (int64_t k = 0; k < orbits; k++)
            cr_assert_eq(row[k], 0, "%s: an orbit that is not reached", text);
        for (int c = 0; c < n; c++) {
            double in[2] = {0}, out[2] = {0};
            for (int i = 0; i < n; i++) {
                if (swq_chain_input_class(reduced, i) != c)
                    continue;
                in[0] += swq_chain_accepted(full)[s * n + i];
                in[1] += swq_chain_accepted(reduced)[o * n + i];
                out[0] += swq_chain_refused(full)[s * n + i];
                out[1] += swq_chain_refused(reduced)[o * n + i];
            }
            assert_relative(in[0], in[1], 1e-14, "%s: accepted", text);
            assert_relative(out[0], out[1], 1e-14, "%s: refused", text);
        }
    }
    cr_assert_eq(met, orbits, "%s: %lld of %lld orbits", text, (long long)met, (long long)orbits);
    swq_csr_clear(ctx, &p);
    swq_csr_clear(ctx, &q);
    free(row);
    free(seen);
    free(orbit);
    swq_chain_free(ctx, full);
    swq_chain_free(ctx, reduced);
}

/* Seven kinds of traffic, from all ports alike to none. */
enum { TRAFFICS = 7 };

static const char *set_traffic(swq_switch *sw, int kind)
{
    int n = sw->ports;
    double matrix[SWQ_CHAIN_PORTS * SWQ_CHAIN_PORTS];

    swq_traffic_uniform(sw);
    switch (kind) {
    case 0:
        return "uniform";
    case 1: /* a hot output; other outputs have probability 0, so that some throws have one face */
        cr_assert_eq(swq_traffic_hotspot(ctx, sw, 0.3, n - 1), SWQ_OK);
        return "hot spot";
    case 2:
        for (int i = 0; i < n; i++)
            sw->load[i] = i == 0 ? 0.45 : 0.8;
        return "one input apart";
    case 3:
        for (int i = 0; i < n; i++)
            sw->load[i] = 0.9 - 0.25 * i;
        return "loads apart";
    case 4: /* inputs have different rows, outputs are interchangeable */
        for (int i = 0; i < n; i++)
            sw->load[i] = i % 2 ? 1 : 0.5;
        return "full and half load";
    case 5: /* two inputs alike, nothing else */
        for (int q = 0; q < n * n; q++)
            matrix[q] = (1 + q % n + (q < 2 * n ? 0 : 2 * (q % 2))) / 64.0;
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j + 1 < n; j++)
                sum += matrix[i * n + j];
            matrix[i * n + n - 1] = 1 - sum;
        }
        cr_assert_eq(swq_traffic_matrix(ctx, sw, matrix), SWQ_OK);
        return "two inputs alike";
    default: /* nothing alike, and an output that is never chosen */
        for (int i = 0; i < n; i++) {
            double sum = 0;
            sw->load[i] = 0.6 + 0.1 * i;
            for (int j = 0; j + 1 < n; j++)
                sum += matrix[i * n + j] = (i + j) % n == 0 ? 0 : (2 + i + 3 * j) / 32.0;
            matrix[i * n + n - 1] = 1 - sum;
        }
        cr_assert_eq(swq_traffic_matrix(ctx, sw, matrix), SWQ_OK);
        return "nothing alike";
    }
}

/* Each case of flow and credit, and each traffic. */
static void compare_all(swq_switch sw, int traffics, const char *name)
{
    char text[200];

    for (int variant = 0; variant < 4; variant++) {
        for (int kind = 0; kind < traffics; kind++) {
            swq_switch now = sw;
            now.flow = variant % 2 ? SWQ_BLOCK : SWQ_DISCARD;
            now.credit = variant / 2 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
            const char *traffic = set_traffic(&now, kind);
            snprintf(text, sizeof text, "%s %dx%d, %d slots, %s, flow %d, credit %d, %s", name,
                     now.ports, now.ports, now.buffer.capacity, now.arbiter->name, (int)now.flow,
                     (int)now.credit, traffic);
            expect_same_chain(&now, false, text);
            expect_same_chain(&now, true, text);
            expect_lumped(&now, text);
        }
    }
}

static const char *const per_input[] = {"fifo", "samq", "safc", "damq", "dafc"};

Test(rows, two_ports_of_every_buffer)
{
    for (int b = 0; b < 5; b++) {
        for (int slots = 1; slots <= 4; slots++) {
            bool partitioned = b == 1 || b == 2;
            if (slots == 3 || (partitioned && slots % 2))
                continue;
            swq_switch sw = test_switch(ctx, per_input[b], 2, slots, 0.8, "random");
            compare_all(sw, slots == 4 ? 2 : TRAFFICS, per_input[b]);
        }
    }
}

/* Slots reserved for a queue, at most so many for one, a dynamic threshold; two read ports. */
Test(rows, two_ports_with_rules_of_admission)
{
    static const struct {
        int least, most;
        double alpha;
    } rules[] = {{1, 3, 0}, {0, 2, 0}, {0, 4, 1}, {1, 4, 0.5}, {1, 2, 2}};

    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        for (int b = 3; b < 5; b++) {
            swq_switch sw = test_switch(ctx, per_input[b], 2, 4, 0.8, "longest");
            sw.buffer.queue_min = rules[r].least;
            sw.buffer.queue_max = rules[r].most;
            sw.buffer.alpha = rules[r].alpha;
            compare_all(sw, 2, per_input[b]);
        }
    }
    swq_switch sw = test_switch(ctx, "fifo", 2, 4, 0.8, "random");
    sw.buffer.queue_max = 2;
    compare_all(sw, 2, "capped fifo");
}

Test(rows, three_ports_of_every_buffer)
{
    for (int b = 0; b < 5; b++) {
        bool partitioned = b == 1 || b == 2;
        swq_switch sw =
            test_switch(ctx, per_input[b], 3, partitioned ? 3 : 1, 0.8, "random-outputs");
        for (int kind = 0; kind < TRAFFICS; kind++) {
            char text[100];
            sw.flow = kind % 2 ? SWQ_BLOCK : SWQ_DISCARD;
            sw.credit = b == 3 && kind % 3 == 1 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
            if (partitioned)
                sw.flow = SWQ_DISCARD;
            snprintf(text, sizeof text, "%s, three ports, flow %d credit %d %s", per_input[b],
                     (int)sw.flow, (int)sw.credit, set_traffic(&sw, kind));
            expect_same_chain(&sw, true, text);
            if (!partitioned || kind < 2) {
                expect_same_chain(&sw, false, text);
                expect_lumped(&sw, text);
            }
        }
    }
}

Test(rows, every_arbiter_without_memory)
{
    char text[100];

    for (int k = 0; swq_arbiters[k]; k++) {
        if (swq_arbiters[k]->memory)
            continue;
        for (int kind = 0; kind < TRAFFICS; kind++) {
            swq_switch sw =
                test_switch(ctx, kind % 2 ? "fifo" : "damq", 3, 2, 0.8, swq_arbiters[k]->name);
            sw.iterations = 1 + kind % 3;
            snprintf(text, sizeof text, "%s, %d rounds, %s", sw.arbiter->name, sw.iterations,
                     set_traffic(&sw, kind));
            expect_same_chain(&sw, true, text);
            if (kind < 2) {
                expect_same_chain(&sw, false, text);
                expect_lumped(&sw, text);
            }
        }
        /* read ports for each queue */
        swq_switch each = test_switch(ctx, "dafc", 3, 1, 0.8, swq_arbiters[k]->name);
        expect_same_chain(&each, false, each.arbiter->name);
        expect_lumped(&each, each.arbiter->name);
        each = test_switch(ctx, "damq", 2, 2, 0.8, swq_arbiters[k]->name);
        each.iterations = 2;
        compare_all(each, 2, "damq");
    }
}

Test(rows, four_ports_of_one_slot)
{
    static const char *const buffers[] = {"fifo", "damq", "dafc"};

    for (int b = 0; b < 3; b++) {
        for (int kind = 0; kind < 4; kind++) {
            swq_switch sw =
                test_switch(ctx, buffers[b], 4, 1, 0.8, kind % 2 ? "random" : "longest");
            char text[60];
            snprintf(text, sizeof text, "four ports, %s, %s", buffers[b], set_traffic(&sw, kind));
            expect_same_chain(&sw, true, text);
            if (kind == 0 || kind == 3)
                expect_same_chain(&sw, false, text);
            if (kind == 1)
                expect_lumped(&sw, text);
        }
    }
}

/* Six ports: permutations of outputs are searched instead of listed (models/canon.c). The
 * definition is compared where it has few outcomes: hardly any input creates packets, and so not
 * reduced. */
Test(rows, six_ports_with_few_sources)
{
    static const char *const buffers[] = {"fifo", "damq"};

    for (int b = 0; b < 2; b++) {
        swq_switch sw = test_switch(ctx, buffers[b], 6, 1, 0, "random");
        sw.load[1] = sw.load[4] = 0.7;
        sw.load[5] = 0.4;
        expect_lumped(&sw, buffers[b]);
    }
}

/* Seven ports, one output different: 720 permutations of the others are searched. It does not
 * matter which output it is. */
Test(rows, whichever_output_is_hot)
{
    swq_switch few = test_switch(ctx, "damq", 7, 1, 0, "random");

    few.load[1] = few.load[4] = 0.7;
    cr_assert_eq(swq_traffic_hotspot(ctx, &few, 0.3, 2), SWQ_OK);
    expect_lumped(&few, "seven ports, two sources");
    for (int b = 0; b < 2; b++) {
        swq_answers a[3];
        for (int k = 0; k < 3; k++) {
            swq_switch sw = test_switch(ctx, b ? "fifo" : "damq", 7, 1, 0.8, "random");
            cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.3, 3 * k), SWQ_OK);
            a[k] = test_solve(ctx, &sw, "auto");
            cr_assert_eq(a[k].states, a[0].states, "%d: %lld states, not %lld", 3 * k,
                         (long long)a[k].states, (long long)a[0].states);
            assert_relative(a[k].discard.value, a[0].discard.value, 1e-12, "%d: %.17g not %.17g",
                            3 * k, a[k].discard.value, a[0].discard.value);
        }
        for (int k = 0; k < 3; k++)
            swq_answers_clear(ctx, &a[k]);
    }
}

/* What is not decomposed: arbiters with memory, whose ports may be rotated, pools, and specs whose
 * inputs and outputs can only be renamed together. */
Test(rows, other_symmetries_lump_as_well)
{
    static const double cyclic[] = {0.5, 0.3, 0.2, 0.2, 0.5, 0.3, 0.3, 0.2, 0.5};
    static const double crossed[] = {0.75, 0.25, 0.25, 0.75};

    for (int variant = 0; variant < 4; variant++) {
        swq_switch cases[7] = {
            test_switch(ctx, "damq", 2, 2, 0.8, "rotating"),
            test_switch(ctx, "damq", 2, 1, 0.8, "islip"),
            test_switch(ctx, "fifo", 3, 1, 0.8, "rotating"),
            test_switch(ctx, "cbda", 2, 2, 0.8, "random"),
            test_switch(ctx, "cbda", 3, 1, 0.8, "random"),
            test_switch(ctx, "damq", 2, 2, 0.8, "random"),
            test_switch(ctx, "fifo", 3, 1, 0.8, "random"),
        };
        cr_assert_eq(swq_traffic_matrix(ctx, &cases[5], crossed), SWQ_OK);
        cr_assert_eq(swq_traffic_matrix(ctx, &cases[6], cyclic), SWQ_OK);
        for (int c = 0; c < 7; c++) {
            char text[60];
            cases[c].flow = variant % 2 ? SWQ_BLOCK : SWQ_DISCARD;
            cases[c].credit = variant / 2 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
            snprintf(text, sizeof text, "case %d, variant %d", c, variant);
            expect_lumped(&cases[c], text);
        }
    }
}

static swq_answers answers_of(const swq_switch *sw, bool reduce)
{
    swq_exact_options options = swq_exact_options_defaults();
    swq_answers a;

    options.reduce = reduce;
    cr_assert_eq(swq_exact_solve(ctx, sw, &options, &a), SWQ_OK, "%s", swq_context_message(ctx));
    return a;
}

/* Every figure is the same with and without reduction. An input's loss is the mean over its class,
 * which in the long run is the loss of each of them. */
static void expect_same_answers(const swq_switch *sw, const char *text)
{
    swq_answers a = answers_of(sw, false), b = answers_of(sw, true);

    cr_assert_leq(b.states, a.states, "%s", text);
    assert_relative(a.discard.value, b.discard.value, 1e-12, "%s: discard %.17g %.17g", text,
                    a.discard.value, b.discard.value);
    assert_relative(a.throughput.value, b.throughput.value, 1e-12, "%s: throughput", text);
    assert_relative(a.refusal, b.refusal, 1e-12, "%s: refusal", text);
    assert_relative(a.mean_packets, b.mean_packets, 1e-12, "%s: packets", text);
    assert_relative(a.mean_held, b.mean_held, 1e-12, "%s: held", text);
    for (int i = 0; i < sw->ports; i++) {
        assert_relative(a.discard_input[i], b.discard_input[i], 1e-12, "%s: input %d", text, i);
        assert_relative(a.refusal_input[i], b.refusal_input[i], 1e-12, "%s: input %d", text, i);
    }
    for (int f = 0; f < a.buffers; f++) {
        assert_relative(a.full[f], b.full[f], 1e-12, "%s: full %d", text, f);
        for (int k = 0; k <= a.capacity; k++)
            assert_relative(
                a.occupancy[f * (a.capacity + 1) + k], b.occupancy[f * (a.capacity + 1) + k], 1e-12,
                "%s: buffer %d holds %d: %.17g %.17g", text, f, k,
                a.occupancy[f * (a.capacity + 1) + k], b.occupancy[f * (a.capacity + 1) + k]);
    }
    if (sw->flow == SWQ_BLOCK)
        cr_assert((isnan(a.saturation.value) && isnan(b.saturation.value)) ||
                      relative_difference(a.saturation.value, b.saturation.value) <= 1e-12,
                  "%s: saturation %.17g %.17g", text, a.saturation.value, b.saturation.value);
    swq_answers_clear(ctx, &a);
    swq_answers_clear(ctx, &b);
}

Test(rows, reduced_answers_are_the_same)
{
    static const struct {
        const char *buffer, *arbiter;
        int ports, slots;
    } cases[] = {
        {"fifo", "random", 2, 4},   {"damq", "random", 2, 3},     {"samq", "longest", 2, 4},
        {"safc", "pim", 2, 4},      {"dafc", "random", 2, 3},     {"cbda", "random", 2, 2},
        {"damq", "rotating", 2, 2}, {"damq", "islip", 2, 1},      {"damq", "fixed", 2, 2},
        {"fifo", "random", 3, 2},   {"damq", "max-weight", 3, 1}, {"cbda", "random", 3, 1},
        {"fifo", "rotating", 3, 1}, {"fifo", "islip", 2, 2},
    };
    char text[120];

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (int variant = 0; variant < 4; variant++) {
            for (int kind = 0; kind < TRAFFICS; kind += cases[c].ports == 2 ? 1 : 2) {
                swq_switch sw = test_switch(ctx, cases[c].buffer, cases[c].ports, cases[c].slots,
                                            0.8, cases[c].arbiter);
                sw.flow = variant % 2 ? SWQ_BLOCK : SWQ_DISCARD;
                sw.credit = variant / 2 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
                snprintf(text, sizeof text, "%s %s %d ports, variant %d, %s", cases[c].buffer,
                         cases[c].arbiter, cases[c].ports, variant, set_traffic(&sw, kind));
                expect_same_answers(&sw, text);
            }
        }
    }
}

/* Rewards of transitions, summed over the paths through the factors, are the expectation of a
 * state. */
static void expect_refusals(const swq_chain *chain, const char *text)
{
    swq_product p = swq_chain_product(chain);
    int n = swq_chain_switch(chain)->ports;
    double *behind = calloc((size_t)swq_chain_intermediates(chain), sizeof *behind);

    for (int k = p.factors - 1; k >= 0; k--) {
        const swq_csr *m = &p.factor[k], *refused = swq_chain_refusals(chain, k);
        cr_assert(refused->rows == m->rows && refused->cols == m->cols, "%s: factor %d", text, k);
        if (k >= swq_chain_receptions(chain)) {
            cr_assert_eq(swq_csr_nnz(refused), 0, "%s: refused in a transmission", text);
            continue;
        }
        double *sum = calloc((size_t)m->rows, sizeof *sum);
        swq_csr plain = {0};
        if (m->packed) {
            cr_assert_eq(swq_csr_unpack(ctx, m, &plain), SWQ_OK);
            m = &plain;
        }
        for (int64_t i = 0; i < m->rows; i++) {
            int64_t e = m->start[i];
            for (int64_t r = refused->start[i]; r < refused->start[i + 1]; r++) {
                while (e < m->start[i + 1] && m->col[e] < refused->col[r])
                    e++;
                cr_assert(e < m->start[i + 1] && m->col[e] == refused->col[r],
                          "%s: a refusal without a transition", text);
                cr_assert(refused->value[r] > 0 && refused->value[r] <= n * m->value[e], "%s",
                          text);
                sum[i] += refused->value[r];
            }
            for (e = m->start[i]; e < m->start[i + 1]; e++)
                sum[i] += m->value[e] * behind[m->col[e]];
        }
        swq_csr_clear(ctx, &plain);
        free(behind);
        behind = sum;
    }
    for (int64_t s = 0; s < swq_chain_states(chain); s++) {
        double expected = 0;
        for (int i = 0; i < n; i++)
            expected += swq_chain_refused(chain)[s * n + i];
        assert_relative(behind[s], expected, 1e-13, "%s: state %lld %.17g not %.17g", text,
                        (long long)s, behind[s], expected);
    }
    free(behind);
}

Test(rows, refusals_sum_to_what_a_state_expects)
{
    char text[160];

    for (int k = 0; swq_buffer_kinds[k]; k++) {
        for (int variant = 0; variant < 16; variant++) {
            int n = 2 + variant / 8;
            bool slots = strcmp(swq_buffer_kinds[k]->name, "damq") == 0 && n == 2;
            swq_switch sw =
                test_switch(ctx, swq_buffer_kinds[k]->name, n, slots ? 3 : n, 0.8, "random");
            sw.flow = variant % 2 && n == 2 ? SWQ_BLOCK : SWQ_DISCARD;
            sw.credit = variant / 2 % 2 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
            if (n == 3 && variant / 2 % 2) /* large, and otherwise the same */
                continue;
            snprintf(text, sizeof text, "%s %d ports, variant %d, %s", swq_buffer_kinds[k]->name, n,
                     variant, set_traffic(&sw, variant % 3));
            swq_chain *chain = make(&sw, variant / 4 % 2, false, text);
            expect_refusals(chain, text);
            swq_chain_free(ctx, chain);
        }
    }
    swq_switch wide = test_switch(ctx, "fifo", 6, 1, 0.8, "random");
    swq_chain *chain = make(&wide, true, false, "six ports");
    expect_refusals(chain, "six ports");
    swq_chain_free(ctx, chain);
}

/* Some words are not those of any state. */
Test(rows, a_state_that_is_not_reached_is_not_found)
{
    swq_switch sw = test_switch(ctx, "damq", 2, 2, 0.8, "random");

    for (int whole = 0; whole < 2; whole++) {
        for (int reduce = 0; reduce < 2; reduce++) {
            swq_chain *chain = make(&sw, reduce, whole, "damq");
            int64_t states = swq_chain_states(chain);
            static const uint16_t words[][4] = {
                {1, 1, 1, 1}, /* a full buffer would have sent */
                {0, 3, 0, 0}, /* there are two slots */
                {0, 2, 0, 2}, /* output 1 would have sent nothing */
                {9, 9, 9, 9},
            };
            for (int k = 0; k < 4; k++)
                cr_assert_eq(swq_chain_find(ctx, chain, words[k]), -1, "%d", k);
            cr_assert_eq(swq_chain_states(chain), states);
            swq_chain_free(ctx, chain);
        }
    }
}

/* Beyond 16 ports there is only the generator of whole switches, which says what it would need. */
Test(rows, very_wide_switches_are_not_taken_apart)
{
    swq_switch sw = test_switch(ctx, "fifo", 17, 1, 0, "random");

    for (int i = 0; i < 2; i++)
        sw.load[i] = 0.5;
    swq_chain *chain = make(&sw, false, false, "17 ports");
    cr_assert_not(chain->by_rows);
    /* one packet left of two for the same output, in either input */
    cr_assert_eq(swq_chain_states(chain), 1 + 2 * 17);
    swq_chain_free(ctx, chain);
    sw = test_switch(ctx, "fifo", 16, 1, 0, "random");
    for (int i = 0; i < 2; i++)
        sw.load[i] = 0.5;
    chain = make(&sw, false, false, "16 ports");
    cr_assert(chain->by_rows);
    cr_assert_eq(swq_chain_states(chain), 1 + 2 * 16);
    swq_chain_free(ctx, chain);
    chain = make(&sw, true, false, "16 ports reduced");
    cr_assert_eq(swq_chain_states(chain), 2);
    swq_chain_free(ctx, chain);
}

/* A switch, generated by `threads` threads. */
static swq_chain *make_on_threads(const swq_switch *sw, int threads, swq_context **own)
{
    swq_chain *chain = NULL;

    *own = swq_context_new();
    swq_context_use_threads(*own, threads);
    cr_assert_eq(swq_chain_generate(*own, sw, true, &chain), SWQ_OK);
    return chain;
}

Test(rows, threads_change_no_bit_of_a_chain)
{
    static const struct {
        const char *buffer, *arbiter;
        int ports, slots;
    } cases[] = {{"damq", "random", 4, 3}, {"fifo", "maximum", 4, 6}, {"damq", "longest", 3, 5}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_context *one, *three;
        swq_switch sw = test_switch(ctx, cases[k].buffer, cases[k].ports, cases[k].slots, 0.7,
                                    cases[k].arbiter);
        swq_chain *a = make_on_threads(&sw, 1, &one), *b = make_on_threads(&sw, 3, &three);
        cr_assert(a->by_rows);
        cr_assert_eq(a->levels, b->levels);
        cr_assert(a->node[1].count > 1024, "%s: too small to be shared out", cases[k].buffer);
        for (int l = 0; l < a->levels; l++) {
            swq_csr left = {0}, right = {0};
            swq_csr *p = &a->factor[l], *q = &b->factor[l];
            cr_assert_eq(a->node[l].count, b->node[l].count);
            cr_assert_eq(memcmp(a->node[l].state, b->node[l].state,
                                sizeof(swq_word) * (size_t)(a->node[l].count * a->node[l].words)),
                         0, "%s: nodes of level %d", cases[k].buffer, l);
            if (p->packed) {
                cr_assert_eq(swq_csr_unpack(one, p, &left), SWQ_OK);
                cr_assert_eq(swq_csr_unpack(three, q, &right), SWQ_OK);
            }
            const swq_csr *m = p->packed ? &left : p, *n = p->packed ? &right : q;
            const size_t entries = (size_t)swq_csr_nnz(m);
            cr_assert_eq(swq_csr_nnz(n), (int64_t)entries);
            cr_assert_eq(memcmp(m->col, n->col, sizeof *m->col * entries), 0);
            cr_assert_eq(memcmp(m->value, n->value, sizeof *m->value * entries), 0);
            swq_csr_clear(one, &left);
            swq_csr_clear(three, &right);
        }
        swq_chain_free(one, a);
        swq_chain_free(three, b);
        cr_assert_eq(swq_context_live_blocks(one), 0);
        cr_assert_eq(swq_context_live_blocks(three), 0);
        swq_context_free(one);
        swq_context_free(three);
    }
}
