/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models/chain.c: the factors are stochastic and multiply to P, chains have the sizes that
 * counting by hand gives, limits and failures are reported with nothing left behind, and a
 * simulation that runs the same rules finds the same discard probability. Not pinned: the numbers
 * of states other than the empty one's.
 */
#include "models/chain_parts.h"
#include "models/cycle.h"
#include "models/reception.h"
#include "tests/support/support.h"

#include <stdint.h>

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

TestSuite(chain, .init = setup, .fini = teardown, .timeout = 240);

static swq_chain *generate_reduced(const swq_switch *sw, bool reduce)
{
    swq_chain *chain = NULL;

    cr_assert_eq(swq_chain_generate(ctx, sw, reduce, &chain), SWQ_OK, "%s",
                 swq_context_message(ctx));
    return chain;
}

static swq_chain *generate(const swq_switch *sw)
{
    return generate_reduced(sw, false);
}

static int64_t states_of(const swq_switch *sw)
{
    swq_chain *chain = generate(sw);
    int64_t states = swq_chain_states(chain);

    swq_chain_free(ctx, chain);
    return states;
}

/* Every row sums to one, every entry is positive, columns ascend within bounds, and every column is
 * reached. */
static void expect_stochastic(const swq_csr *m, const char *text)
{
    bool *reached = calloc((size_t)m->cols, sizeof *reached);

    for (int64_t i = 0; i < m->rows; i++) {
        double sum = 0;
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++) {
            cr_assert(m->value[e] > 0, "%s: row %lld has the entry %g", text, (long long)i,
                      m->value[e]);
            cr_assert(m->col[e] >= 0 && m->col[e] < m->cols, "%s", text);
            cr_assert(e == m->start[i] || m->col[e] > m->col[e - 1], "%s", text);
            reached[m->col[e]] = true;
            sum += m->value[e];
        }
        cr_assert(fabs(sum - 1) < 1e-14, "%s: row %lld sums to %.17g", text, (long long)i, sum);
    }
    for (int64_t j = 1; j < m->cols; j++)
        cr_assert(reached[j], "%s: nothing leads to %lld", text, (long long)j);
    free(reached);
}

/* What each input offers is accepted or refused: its load, or 1 if its source holds a packet;
 * averaged over the inputs that the symmetry exchanges. */
static void expect_rewards(const swq_chain *chain, const char *text)
{
    const swq_switch *sw = swq_chain_switch(chain);
    int words = swq_chain_words(chain);

    for (int64_t s = 0; s < swq_chain_states(chain); s++) {
        double offered[SWQ_CHAIN_PORTS] = {0};
        int members[SWQ_CHAIN_PORTS] = {0};
        for (int i = 0; i < sw->ports; i++) {
            bool held =
                sw->flow == SWQ_BLOCK && swq_chain_word(chain, s, words - sw->ports + i) != 0;
            offered[swq_chain_input_class(chain, i)] += held ? 1 : sw->load[i];
            members[swq_chain_input_class(chain, i)]++;
        }
        for (int i = 0; i < sw->ports; i++) {
            double in = swq_chain_accepted(chain)[s * sw->ports + i];
            double out = swq_chain_refused(chain)[s * sw->ports + i];
            int c = swq_chain_input_class(chain, i);
            cr_assert(in >= 0 && out >= 0 && fabs(in + out - offered[c] / members[c]) < 1e-14,
                      "%s: state %lld input %d accepted %g refused %g", text, (long long)s, i, in,
                      out);
        }
    }
}

/* The factors fit together, lead from the states through intermediate ones back to the states, and
 * are stochastic. */
static void expect_sound_if(const swq_switch *sw, bool reduce, const char *text)
{
    swq_chain *chain = generate_reduced(sw, reduce);
    swq_product p = swq_chain_product(chain);
    int64_t states = swq_chain_states(chain), entries = 0;

    cr_assert(swq_chain_receptions(chain) > 0 && swq_chain_receptions(chain) < p.factors, "%s",
              text);
    cr_assert_leq(p.factors, SWQ_MOST_FACTORS, "%s", text);
    for (int k = 0; k < p.factors; k++) {
        const swq_csr *m = &p.factor[k], *next = &p.factor[(k + 1) % p.factors];
        cr_assert_eq(m->cols, next->rows, "%s: factor %d", text, k);
        expect_stochastic(m, text);
        entries += swq_csr_nnz(m);
    }
    cr_assert_eq(p.factor[0].rows, states, "%s", text);
    cr_assert_eq(p.factor[swq_chain_receptions(chain)].rows, swq_chain_intermediates(chain), "%s",
                 text);
    cr_assert_eq(swq_chain_entries(chain), entries, "%s", text);
    expect_rewards(chain, text);
    for (int w = 0; w < swq_chain_words(chain); w++)
        cr_assert_eq(swq_chain_word(chain, 0, w), 0, "%s: state 0 is not empty", text);
    cr_assert_gt(p.roundings, 0);
    swq_chain_free(ctx, chain);
}

static void expect_sound(const swq_switch *sw, const char *text)
{
    expect_sound_if(sw, false, text);
    expect_sound_if(sw, true, text);
}

Test(chain, factors_of_every_preset)
{
    static const double loads[] = {0.3, 1};
    char text[100];

    for (int k = 0; swq_buffer_kinds[k]; k++) {
        for (int variant = 0; variant < 8; variant++) {
            swq_switch sw =
                test_switch(ctx, swq_buffer_kinds[k]->name, 2, 2, loads[variant % 2], "random");
            sw.flow = variant / 2 % 2 ? SWQ_BLOCK : SWQ_DISCARD;
            sw.credit = variant / 4 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
            snprintf(text, sizeof text, "%s load %g flow %d credit %d", swq_buffer_kinds[k]->name,
                     sw.load[0], (int)sw.flow, (int)sw.credit);
            expect_sound(&sw, text);
            sw.load[0] = 0.85;
            /* some destinations have probability 0 */
            cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 1, 1), SWQ_OK);
            expect_sound(&sw, text);
        }
    }
}

Test(chain, factors_of_every_arbiter)
{
    for (int k = 0; swq_arbiters[k]; k++) {
        swq_switch sw = test_switch(ctx, "damq", 3, 2, 0.7, swq_arbiters[k]->name);
        expect_sound(&sw, sw.arbiter->name);
        sw = test_switch(ctx, "dafc", 3, 1, 0.7, swq_arbiters[k]->name);
        expect_sound(&sw, sw.arbiter->name);
    }
}

/* By hand. A buffer of c slots that sent has at most c - 1 packets left, in m = c (c + 1) / 2 ways.
 * One that is still full did not send: all its packets are for one output, which the other input
 * sent to, and that one has at most c - 1 left. So m^2 states with no buffer full and, choosing the
 * full one and its output, 4 m with one: 21, 140, 525, 1440 for 2, 4, 6, 8 slots. */
Test(chain, sizes_of_2x2_damq)
{
    for (int c = 1; c <= 10; c++) {
        swq_switch sw = test_switch(ctx, "damq", 2, c, 0.9, "random");
        int64_t m = c * (c + 1) / 2, states = states_of(&sw);
        cr_assert_eq(states, m * m + 4 * m, "%d slots: %lld states", c, (long long)states);
    }
}

/* A switch of one port sends a packet as soon as it has one: it is empty in every state. */
Test(chain, one_port)
{
    for (int k = 0; swq_buffer_kinds[k]; k++) {
        swq_switch sw = test_switch(ctx, swq_buffer_kinds[k]->name, 1, 3, 0.5, "random");
        swq_chain *chain = generate(&sw);
        cr_assert_eq(swq_chain_states(chain), 1, "%s", swq_buffer_kinds[k]->name);
        cr_assert_eq(swq_chain_intermediates(chain), 2, "%s", swq_buffer_kinds[k]->name);
        cr_assert_eq(swq_chain_accepted(chain)[0], 0.5);
        cr_assert_eq(swq_chain_refused(chain)[0], 0);
        swq_chain_free(ctx, chain);
    }
}

Test(chain, no_load_no_states)
{
    for (int b = 0; swq_buffer_kinds[b]; b++) {
        for (int variant = 0; variant < 4; variant++) {
            swq_switch sw = test_switch(ctx, swq_buffer_kinds[b]->name, 2, 4, 0, "random");
            sw.flow = variant % 2 ? SWQ_BLOCK : SWQ_DISCARD;
            sw.credit = variant / 2 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
            swq_chain *chain = generate(&sw);
            cr_assert_eq(swq_chain_states(chain), 1);
            cr_assert_eq(swq_chain_intermediates(chain), 1);
            swq_product p = swq_chain_product(chain);
            cr_assert_eq(swq_chain_entries(chain), p.factors);
            for (int k = 0; k < p.factors; k++)
                cr_assert_eq(p.factor[k].value[0], 1);
            swq_chain_free(ctx, chain);
        }
    }
}

/* A 2-port DAMQ switch with one slot, by hand. After transmission at most one input still holds its
 * packet, and only if both had one for the same output: the states are empty, and (input, output) x
 * 4. From the empty state at load 1, the packets collide with 1/2. */
Test(chain, one_slot_by_hand)
{
    swq_switch sw = test_switch(ctx, "damq", 2, 1, 1, "random");
    swq_chain *chain = generate(&sw);
    swq_csr p;

    cr_assert_eq(swq_chain_states(chain), 5);
    cr_assert_eq(swq_chain_intermediates(chain), 4);
    cr_assert_eq(swq_chain_matrix(ctx, chain, &p, NULL), SWQ_OK);
    cr_assert_eq(p.start[1] - p.start[0], 5);
    for (int64_t e = p.start[0]; e < p.start[1]; e++)
        cr_assert_eq(p.value[e], p.col[e] == 0 ? 0.5 : 0.125);
    /* one input is full and refuses, the other one receives its packet */
    for (int64_t s = 1; s < 5; s++) {
        double refused = swq_chain_refused(chain)[2 * s] + swq_chain_refused(chain)[2 * s + 1];
        cr_assert_eq(refused, 1);
        cr_assert_eq(swq_chain_occupancy(chain, s, 0) + swq_chain_occupancy(chain, s, 1), 1);
    }
    swq_csr_clear(ctx, &p);
    swq_chain_free(ctx, chain);
}

Test(chain, matrix_is_the_product_of_the_factors)
{
    static const char *const buffers[] = {"fifo", "damq", "cbda"};

    for (int b = 0; b < 3; b++) {
        swq_switch sw = test_switch(ctx, buffers[b], 2, 3, 0.6, "random");
        sw.flow = b == 1 ? SWQ_BLOCK : SWQ_DISCARD;
        swq_chain *chain = generate(&sw);
        swq_product product = swq_chain_product(chain);
        int64_t n = swq_chain_states(chain), roundings = 0, widest = 0;
        for (int k = 0; k < product.factors; k++)
            widest = product.factor[k].cols > widest ? product.factor[k].cols : widest;
        double *row = calloc((size_t)widest, sizeof *row),
               *next = calloc((size_t)widest, sizeof *next);
        swq_csr p;
        cr_assert_eq(swq_chain_matrix(ctx, chain, &p, &roundings), SWQ_OK);
        cr_assert(p.rows == n && p.cols == n);
        cr_assert_geq((double)roundings, product.roundings);
        expect_stochastic(&p, buffers[b]);
        for (int64_t i = 0; i < n; i++) {
            int64_t entries = 0;
            memset(row, 0, (size_t)widest * sizeof *row);
            row[i] = 1;
            for (int k = 0; k < product.factors; k++) {
                swq_csr_vector_times(row, &product.factor[k], next);
                memcpy(row, next, (size_t)product.factor[k].cols * sizeof *row);
            }
            for (int64_t e = p.start[i]; e < p.start[i + 1]; e++)
                assert_relative(p.value[e], row[p.col[e]], 1e-14, "%s: (%lld, %d)", buffers[b],
                                (long long)i, p.col[e]);
            for (int64_t j = 0; j < n; j++)
                entries += row[j] > 0;
            cr_assert_eq(p.start[i + 1] - p.start[i], entries, "%s: row %lld", buffers[b],
                         (long long)i);
        }
        free(row);
        free(next);
        swq_csr_clear(ctx, &p);
        swq_chain_free(ctx, chain);
    }
}

/* A state's names of words, values, occupancy, held packets and text are consistent. */
Test(chain, states_describe_themselves)
{
    swq_switch sw = test_switch(ctx, "fifo", 2, 2, 0.9, "random");
    static const char *const names[] = {"len0_0",   "len1_0",   "head0", "head1",
                                        "freed0_0", "freed1_0", "held0", "held1"};
    char name[32], text[128], expected[160];

    sw.flow = SWQ_BLOCK;
    sw.credit = SWQ_CREDIT_NEXT;
    swq_chain *chain = generate(&sw);
    cr_assert_eq(swq_chain_words(chain), 8);
    cr_assert_eq(swq_chain_buffers(chain), 2);
    for (int w = 0; w < 8; w++)
        cr_assert_str_eq(swq_chain_word_name(chain, w, name, sizeof name), names[w]);
    for (int64_t s = 0; s < swq_chain_states(chain); s++) {
        int v[8];
        for (int w = 0; w < 8; w++)
            v[w] = swq_chain_word(chain, s, w);
        cr_assert_eq(swq_chain_occupancy(chain, s, 0), v[0]);
        cr_assert_eq(swq_chain_occupancy(chain, s, 1), v[1]);
        cr_assert_eq(swq_chain_held(chain, s), (v[6] != 0) + (v[7] != 0));
        snprintf(expected, sizeof expected, "(%d | %d; head %d %d; freed %d | %d; held %d %d)",
                 v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
        cr_assert_str_eq(swq_chain_state_text(chain, s, text, sizeof text), expected);
    }
    swq_chain_free(ctx, chain);

    sw = test_switch(ctx, "damq", 2, 2, 0.9, "random");
    chain = generate(&sw);
    cr_assert_str_eq(swq_chain_word_name(chain, 1, name, sizeof name), "len0_1");
    cr_assert_str_eq(swq_chain_word_name(chain, 2, name, sizeof name), "len1_0");
    cr_assert_eq(swq_chain_held(chain, 1), 0);
    swq_chain_free(ctx, chain);
}

/* A chain's packets have no ages. */
Test(chain, has_no_oldest_packet)
{
    swq_switch sw = test_switch(ctx, "cbda", 2, 2, 0.9, "random");
    swq_chain *chain = NULL;

    sw.buffer.pool_rule = &swq_pool_oldest;
    cr_assert_eq(swq_switch_check(ctx, &sw), SWQ_OK, "a simulation takes it");
    cr_assert_eq(swq_chain_generate(ctx, &sw, true, &chain), SWQ_EINVAL);
    cr_assert_null(chain);
    cr_assert_not_null(
        strstr(swq_context_message(ctx), "pool-rule oldest needs the ages of packets"), "%s",
        swq_context_message(ctx));
}

/* An arbiter that no chain can have: its row says so, and nothing looks further. */
Test(chain, has_no_arbiter_that_looks_at_ages)
{
    const swq_arbiter oldest = {.name = "oldest-first", .needs = SWQ_NEEDS(SWQ_NEED_AGES)};
    swq_switch sw = test_switch(ctx, "damq", 2, 2, 0.9, "random");
    const swq_exact_options options = swq_exact_options_defaults();
    const char *const half = "1/2";
    const swq_rational_traffic traffic = {.load = {half, half}};
    const swq_export_format *format;
    swq_rational_answers fractions;
    swq_chain *chain = NULL;
    swq_chain_size size;
    swq_answers answers;
    int slots;

    sw.arbiter = &oldest;
    cr_assert_eq(swq_switch_check(ctx, &sw), SWQ_OK, "a simulation takes it");
    cr_assert_eq(swq_export_find(ctx, "prism-source", &format), SWQ_OK);
    const swq_status refused[] = {
        swq_chain_check(ctx, &sw),
        swq_chain_foresee(ctx, &sw, true, &size),
        swq_chain_generate(ctx, &sw, true, &chain),
        swq_chain_generate_whole(ctx, &sw, false, &chain),
        swq_exact_solve(ctx, &sw, &options, &answers),
        swq_exact_slots_for_target(ctx, &sw, swq_buffer_kinds[0], 0.1, 4, &options, &slots,
                                   &answers),
        swq_rational_solve(ctx, &sw, &traffic, true, &fractions),
        swq_export_write_source(ctx, &sw, format, "-"),
    };
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        cr_assert_eq(refused[k], SWQ_EINVAL, "call %zu: %d", k, refused[k]);
    cr_assert_not_null(strstr(swq_context_message(ctx),
                              "arbiter oldest-first needs the ages of packets, which a chain does "
                              "not have; use random, random-outputs, "),
                       "%s", swq_context_message(ctx));
    cr_assert_null(chain);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    cr_assert_eq(swq_buffer_preset(ctx, swq_buffer_kinds[5], 2, 2, &sw.buffer), SWQ_OK);
    cr_assert_eq(swq_chain_check(ctx, &sw), SWQ_OK, "a pool asks no arbiter");
}

/* The chain keeps a copy of its spec. */
Test(chain, remembers_its_switch)
{
    swq_switch sw = test_switch(ctx, "damq", 2, 2, 0.9, "random");
    swq_chain *chain = generate(&sw);

    sw.load[0] = 0.1;
    cr_assert_eq(swq_chain_switch(chain)->load[0], 0.9);
    cr_assert_eq(swq_chain_switch(chain)->buffer.capacity, 2);
    swq_chain_free(ctx, chain);
    swq_chain_free(ctx, NULL);
}

static void expect_same_matrix(const swq_csr *a, const swq_csr *b)
{
    size_t nnz = (size_t)swq_csr_nnz(a);

    cr_assert(a->rows == b->rows && a->cols == b->cols);
    cr_assert_eq(memcmp(a->start, b->start, ((size_t)a->rows + 1) * sizeof *a->start), 0);
    cr_assert_eq(memcmp(a->col, b->col, nnz * sizeof *a->col), 0);
    cr_assert_eq(memcmp(a->value, b->value, nnz * sizeof *a->value), 0);
}

Test(chain, twice_the_same_bytes)
{
    swq_switch sw = test_switch(ctx, "fifo", 2, 4, 0.7, "longest");
    swq_chain *a = generate(&sw), *b = generate(&sw);

    swq_product p = swq_chain_product(a), q = swq_chain_product(b);
    cr_assert_eq(p.factors, q.factors);
    for (int k = 0; k < p.factors; k++) {
        expect_same_matrix(&p.factor[k], &q.factor[k]);
        expect_same_matrix(swq_chain_refusals(a, k), swq_chain_refusals(b, k));
    }
    swq_chain_free(ctx, a);
    swq_chain_free(ctx, b);
}

/* Lean chains keep less, with the same results to the bit; those by rows and those of whole
 * switches. */
Test(chain, a_lean_chain_tells_the_same)
{
    static const struct {
        const char *buffer, *flow;
        int ports;
    } cases[] = {{"damq", "discard", 3}, {"fifo", "block", 2}, {"cbda", "discard", 3}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_switch sw = test_switch(ctx, cases[k].buffer, cases[k].ports, 3, 0.8, "maximum");
        sw.flow = strcmp(cases[k].flow, "block") == 0 ? SWQ_BLOCK : SWQ_DISCARD;
        swq_chain *full = generate_reduced(&sw, true), *lean = NULL;
        cr_assert_eq(swq_chain_generate_lean(ctx, &sw, true, &lean), SWQ_OK);
        const int64_t intermediates = swq_chain_intermediates(lean);
        swq_chain_forget_nodes(ctx, lean);
        cr_assert_eq(swq_chain_intermediates(lean), intermediates);
        swq_product p = swq_chain_product(full), q = swq_chain_product(lean);
        for (int f = 0; f < p.factors; f++)
            expect_same_matrix(&p.factor[f], &q.factor[f]);
        for (int64_t s = 0; s < swq_chain_states(full); s++) {
            double told[2][5][SWQ_CHAIN_PORTS];
            const swq_chain *chain[] = {full, lean};
            const size_t bytes = sizeof(double) * (size_t)sw.ports;
            for (int c = 0; c < 2; c++) {
                swq_chain_reception(chain[c], s, told[c][0], told[c][1]);
                swq_chain_outputs(chain[c], s, told[c][2], told[c][3], told[c][4]);
            }
            for (int v = 0; v < 5; v++)
                cr_assert_eq(memcmp(told[0][v], told[1][v], bytes), 0);
            cr_assert_eq(memcmp(told[1][0], swq_chain_accepted(full) + s * sw.ports, bytes), 0);
            cr_assert_eq(memcmp(told[1][1], swq_chain_refused(full) + s * sw.ports, bytes), 0);
        }
        swq_chain_free(ctx, full);
        swq_chain_free(ctx, lean);
    }
}

Test(chain, a_memory_limit_is_refused_beforehand)
{
    swq_switch sw = test_switch(ctx, "damq", 4, 8, 0.9, "random");
    swq_chain *chain = NULL;

    swq_context_limit_memory(ctx, 1 << 30);
    cr_assert_eq(swq_chain_generate(ctx, &sw, false, &chain), SWQ_ELIMIT);
    cr_assert_null(chain);
    cr_assert_not_null(strstr(swq_context_message(ctx), "memory limit is 1 GB"), "%s",
                       swq_context_message(ctx));
    cr_assert_lt(swq_context_peak_bytes(ctx), 4096, "it began to generate");
}

/* With less memory than foreseen it is not tried; here the estimate plus some room for tables that
 * do not grow with the chain is enough. */
Test(chain, a_memory_limit_at_the_estimate)
{
    swq_switch sw = test_switch(ctx, "damq", 2, 24, 0.9, "random");
    swq_chain_size size;
    swq_chain *chain = NULL;

    cr_assert_eq(swq_chain_foresee(ctx, &sw, false, &size), SWQ_OK);
    cr_assert_gt(size.bytes, 1e7, "%g", size.bytes);
    swq_context_limit_memory(ctx, (size_t)size.bytes - 1);
    cr_assert_eq(swq_chain_generate(ctx, &sw, false, &chain), SWQ_ELIMIT);
    cr_assert_lt((double)swq_context_peak_bytes(ctx), 1e5, "it began to generate");
    swq_context_limit_memory(ctx, (size_t)size.bytes + 1000000);
    cr_assert_eq(swq_chain_generate(ctx, &sw, false, &chain), SWQ_OK, "%s",
                 swq_context_message(ctx));
    swq_chain_free(ctx, chain);
}

/* Something else has used up the memory: the limit is reached on the way. */
Test(chain, a_memory_limit_met_on_the_way)
{
    swq_switch sw = test_switch(ctx, "damq", 2, 6, 0.9, "random");
    swq_chain_size size;
    swq_chain *chain = NULL;

    cr_assert_eq(swq_chain_foresee(ctx, &sw, false, &size), SWQ_OK);
    swq_context_limit_memory(ctx, (size_t)size.bytes + 1);
    void *other = swq_calloc(ctx, (size_t)size.bytes - 20000, 1);
    cr_assert_not_null(other);
    cr_assert_eq(swq_chain_generate(ctx, &sw, false, &chain), SWQ_ELIMIT);
    cr_assert_null(chain);
    cr_assert_eq(swq_context_live_blocks(ctx), 1);
    swq_free(ctx, other);
}

Test(chain, every_allocation_failing)
{
    swq_switch sw = test_switch(ctx, "fifo", 2, 3, 0.9, "random");

    sw.flow = SWQ_BLOCK;
    for (int variant = 0; variant < 4; variant++) {
        bool for_good = variant % 2, reduce = variant / 2;
        swq_chain *chain = NULL;
        size_t after = 0;
        for (;; after++) {
            swq_context_fail_allocations(ctx, after, for_good);
            swq_status status = swq_chain_generate(ctx, &sw, reduce, &chain);
            swq_context_fail_allocations(ctx, SIZE_MAX, false);
            if (!status)
                break;
            cr_assert_eq(status, SWQ_ENOMEM, "after %zu: %s", after, swq_context_message(ctx));
            cr_assert_null(chain);
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "leaked after %zu", after);
        }
        cr_assert_gt(after, 15);
        swq_chain_free(ctx, chain);
    }
}

/* Every generator, with tables large enough to grow: each of the first allocations fails, then
 * every 7th. */
Test(chain, many_allocations_failing_in_every_generator)
{
    static const struct {
        const char *buffer, *arbiter;
        int ports, slots;
    } cases[] = {
        {"damq", "longest", 3, 2}, {"fifo", "random", 6, 1}, {"damq", "random", 6, 1},
        {"samq", "pim", 2, 4},     {"cbda", "random", 3, 2}, {"damq", "rotating", 3, 1},
        {"fifo", "islip", 2, 2},   {"dafc", "fixed", 3, 1},  {"damq", "random", 2, 24},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        swq_switch sw = test_switch(ctx, cases[c].buffer, cases[c].ports, cases[c].slots, 0.8,
                                    cases[c].arbiter);
        for (size_t after = 0;; after += after < 40 ? 1 : 7) {
            swq_chain *chain = NULL;
            cr_assert_lt(after, 2000, "%s", cases[c].buffer);
            swq_context_fail_allocations(ctx, after, c % 2);
            swq_status status = swq_chain_generate(ctx, &sw, true, &chain);
            swq_context_fail_allocations(ctx, SIZE_MAX, false);
            if (!status) {
                cr_assert_gt(after, 15);
                swq_chain_free(ctx, chain);
                break;
            }
            cr_assert_eq(status, SWQ_ENOMEM, "%s after %zu: %s", cases[c].buffer, after,
                         swq_context_message(ctx));
            cr_assert_null(chain);
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "%s: leaked after %zu", cases[c].buffer,
                         after);
        }
    }
}

/* Finding a state may require a new row if permutations are searched: without memory for it the
 * state is not found, and nothing else happens. */
Test(chain, finding_without_memory)
{
    swq_switch sw = test_switch(ctx, "damq", 6, 1, 0.8, "random");
    swq_chain *chain = generate_reduced(&sw, true);
    uint16_t words[36] = {0};
    size_t blocks = swq_context_live_blocks(ctx);

    swq_context_fail_allocations(ctx, 0, true);
    cr_assert_eq(swq_chain_find(ctx, chain, words), 0, "the empty switch");
    swq_context_fail_allocations(ctx, SIZE_MAX, false);
    for (int i = 0; i < 6; i++) { /* one packet, anywhere: one orbit */
        for (int j = 0; j < 6; j++) {
            memset(words, 0, sizeof words);
            words[6 * i + j] = 1;
            cr_assert_eq(swq_chain_find(ctx, chain, words), 1, "%d %d", i, j);
        }
    }
    cr_assert_eq(swq_context_live_blocks(ctx), blocks);
    swq_chain_free(ctx, chain);
}

static void cancel_soon(void *arg, const char *stage, double done, double total)
{
    (void)stage;
    (void)done;
    (void)total;
    if (--*(int *)arg == 0)
        swq_context_cancel(ctx);
}

/* On the way, in either generator. */
Test(chain, cancelled_on_the_way)
{
    for (int whole = 0; whole < 2; whole++) {
        swq_switch sw = test_switch(ctx, "damq", 2, 16, 0.9, "random");
        swq_chain *chain = NULL;
        int calls = 5;
        swq_context *own = ctx;
        ctx = swq_context_new(); /* a context that was cancelled stays so */
        swq_context_watch(ctx, cancel_soon, &calls);
        cr_assert_eq(whole ? swq_chain_generate_whole(ctx, &sw, false, &chain)
                           : swq_chain_generate(ctx, &sw, false, &chain),
                     SWQ_ECANCELLED);
        cr_assert_null(chain);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        cr_assert_not_null(strstr(swq_context_message(ctx), "cancelled after"), "%s",
                           swq_context_message(ctx));
        swq_context_free(ctx);
        ctx = own;
    }
}

Test(chain, cancelled)
{
    swq_switch sw = test_switch(ctx, "damq", 2, 4, 0.9, "random");
    swq_chain *chain = NULL;

    swq_context_cancel(ctx);
    cr_assert_eq(swq_chain_generate(ctx, &sw, false, &chain), SWQ_ECANCELLED);
    cr_assert_null(chain);
}

typedef struct {
    int calls;
    double done;
} watched;

static void watch(void *arg, const char *stage, double done, double total)
{
    watched *w = arg;

    cr_assert_str_not_empty(stage);
    cr_assert(done >= w->done && (total == 0 || done <= total), "%s: %g of %g", stage, done, total);
    w->calls++;
    w->done = done;
}

Test(chain, progress_is_told)
{
    swq_switch sw = test_switch(ctx, "damq", 2, 6, 0.9, "random");
    watched w = {0};

    swq_context_watch(ctx, watch, &w);
    swq_chain *chain = generate(&sw);
    cr_assert(w.calls > 0 && w.done > 0 && w.done <= (double)swq_chain_states(chain));
    swq_chain_free(ctx, chain);
}

/* 1e-300 is too near the end of the range for further products; if the receptions of all inputs are
 * one factor, as in the definition, so is 1e-200 squared. A tenth of as many digits is fine. */
Test(chain, probabilities_out_of_range)
{
    swq_switch sw = test_switch(ctx, "damq", 2, 2, 1, "random");

    for (int whole = 0; whole < 2; whole++) {
        swq_chain *chain = NULL;
        for (int i = 0; i < 2; i++) {
            sw.dest[i][0] = whole ? 1e-200 : 1e-300;
            sw.dest[i][1] = 1;
        }
        cr_assert_eq(whole ? swq_chain_generate_whole(ctx, &sw, false, &chain)
                           : swq_chain_generate(ctx, &sw, false, &chain),
                     SWQ_ERANGE);
        cr_assert_null(chain);
        cr_assert_not_null(strstr(swq_context_message(ctx), "too small"), "%s",
                           swq_context_message(ctx));
        sw.dest[0][0] = sw.dest[1][0] = 1e-20;
        cr_assert_eq(whole ? swq_chain_generate_whole(ctx, &sw, false, &chain)
                           : swq_chain_generate(ctx, &sw, false, &chain),
                     SWQ_OK, "%s", swq_context_message(ctx));
        swq_chain_free(ctx, chain);
    }
}

/* The rules sampled instead of enumerated: the discard probability over 200,000 cycles, by means of
 * 100 batches, is within five standard errors of the exact one. */
static void simulate(const char *buffer, int slots, double load, unsigned long seed)
{
    enum { BATCHES = 100, CYCLES = 2000 };
    swq_switch sw = test_switch(ctx, buffer, 2, slots, load, "random");
    double exact = test_discard(&sw), sum = 0, squares = 0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    swq_word state[32] = {0};
    swq_layout layout;
    swq_dice dice;

    gsl_rng_set(rng, seed);
    swq_layout_init(&layout, &sw);
    swq_dice_begin_sampling(&dice, rng);
    for (int batch = 0; batch < BATCHES; batch++) {
        int refused = 0;
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            swq_reception what;
            swq_receive(&sw, &layout, state, &dice, &what);
            swq_transmit(&sw, &layout, state, &dice);
            refused += what.refused[0] + what.refused[1];
        }
        double mean = refused / (2 * load * CYCLES); /* relative to the packets expected */
        sum += mean;
        squares += mean * mean;
    }
    double mean = sum / BATCHES;
    double error = sqrt((squares / BATCHES - mean * mean) / (BATCHES - 1));
    cr_assert(error > 0 && error < 0.02 * exact + 1e-3, "%s: standard error %g", buffer, error);
    cr_assert_lt(fabs(mean - exact), 5 * error, "%s: %g +- %g, exactly %g", buffer, mean, error,
                 exact);
    gsl_rng_free(rng);
}

Test(chain, a_simulation_agrees)
{
    simulate("fifo", 4, 0.8, 1);
    simulate("damq", 2, 0.9, 2);
    simulate("safc", 4, 0.9, 3);
    simulate("cbda", 2, 0.95, 4);
}
