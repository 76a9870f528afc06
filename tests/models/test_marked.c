/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Marked chains made two ways: by rows and reduced, and by running the rules on whole switches that
 * are not reduced. What enters, what is lost and what leaves in the first cycles must agree, for
 * every buffer, arbiter, flow and credit. The weights are moved by loops of this file.
 */
#include "models/marked.h"
#include "tests/support/support.h"

#include <stdio.h>

TestSuite(marked, .timeout = 480);

enum { CYCLES = 12, PORTS = 4 };

/* By cycle: marked packets that leave, by input and output class; for inputs, those that are
 * lost. */
typedef struct {
    double entered, left[CYCLES][PORTS * PORTS], lost[CYCLES][PORTS];
} trace;

static double *apply(const swq_csr *m, const double *x)
{
    double *y = calloc((size_t)m->cols + 1, sizeof *y);

    swq_csr_vector_times(x, m, y);
    return y;
}

static void follow(swq_context *ctx, swq_chain *chain, swq_mark mark, const swq_chain *classes,
                   trace *t)
{
    swq_product product = swq_chain_product(chain);
    swq_solver_options solving = swq_solver_options_defaults();
    swq_solution solution;
    swq_marked m;
    int n = swq_chain_switch(chain)->ports;

    memset(t, 0, sizeof *t);
    cr_assert(swq_can_mark(chain, mark));
    cr_assert_eq(
        swq_solve_product(ctx, &product, NULL, swq_solvers[0], &solving, NULL, 0, &solution),
        SWQ_OK);
    cr_assert_eq(swq_mark_chain(ctx, chain, mark, &m), SWQ_OK, "%s", swq_context_message(ctx));
    double *x = apply(&m.enter, solution.pi);
    for (int64_t k = 0; k < m.nodes[1]; k++)
        t->entered += x[k];
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        for (int at = 1; at <= m.levels; at++) {
            int level = at % m.levels;
            if (level == m.leaving) {
                double *left = apply(&m.leave, x);
                for (int label = 0; label < n * n; label++) {
                    /* by the classes of the reduced chain */
                    int i = classes->symmetry.input_class[label / n];
                    int j = classes->symmetry.output_class[label % n];
                    t->left[cycle][i * n + j] += left[label];
                }
                free(left);
            }
            if (level == 0 && mark == SWQ_MARK_INPUT) {
                for (int64_t k = 0; k < m.nodes[0]; k++) {
                    for (int64_t e = m.lose.start[k]; e < m.lose.start[k + 1]; e++)
                        t->lost[cycle][classes->symmetry.input_class[m.input[k]]] +=
                            x[k] * m.lose.value[e];
                }
            }
            double *y = apply(&m.factor[level], x);
            free(x);
            x = y;
        }
    }
    free(x);
    swq_marked_clear(ctx, &m);
    swq_solution_clear(ctx, &solution);
}

static void compare(swq_context *ctx, const swq_switch *sw, const char *what)
{
    swq_chain *rows, *whole;
    static trace a, b;
    int n = sw->ports;

    cr_assert_eq(swq_chain_generate(ctx, sw, true, &rows), SWQ_OK);
    cr_assert_eq(swq_chain_generate_whole(ctx, sw, false, &whole), SWQ_OK);
    for (int mark = SWQ_MARK_PACKET; mark <= SWQ_MARK_INPUT; mark++) {
        if (mark == SWQ_MARK_INPUT && sw->flow == SWQ_BLOCK)
            continue;
        follow(ctx, rows, (swq_mark)mark, rows, &a);
        follow(ctx, whole, (swq_mark)mark, rows, &b);
        assert_relative(a.entered, b.entered, 1e-12, "%s: entered", what);
        for (int c = 0; c < CYCLES; c++) {
            for (int k = 0; k < n * n; k++)
                assert_relative(a.left[c][k], b.left[c][k], 1e-11, "%s: left %d %d: %g %g", what, c,
                                k, a.left[c][k], b.left[c][k]);
            for (int i = 0; i < n; i++)
                assert_relative(a.lost[c][i], b.lost[c][i], 1e-11, "%s: lost %d %d: %g %g", what, c,
                                i, a.lost[c][i], b.lost[c][i]);
        }
    }
    swq_chain_free(ctx, rows);
    swq_chain_free(ctx, whole);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
}

static void set_traffic(swq_context *ctx, swq_switch *sw, int traffic)
{
    if (traffic == 1)
        cr_assert_eq(swq_traffic_hotspot(ctx, sw, 0.3, 1), SWQ_OK);
    if (traffic == 2) {
        for (int i = 0; i < sw->ports; i++)
            sw->load[i] = 0.9 - 0.4 * (i > 0);
    }
}

static void compare_all(const char *buffer, int ports, int slots, int first, int step)
{
    swq_context *ctx = swq_context_new();
    char what[120];
    int turn = first;

    for (int k = 0; swq_arbiters[k]; k++) {
        if (swq_arbiters[k]->memory)
            continue;
        for (int flow = 0; flow < 4; flow++) {
            if (turn++ % step)
                continue;
            swq_switch sw = test_switch(ctx, buffer, ports, slots, 0.7, swq_arbiters[k]->name);
            set_traffic(ctx, &sw, turn / step % 3);
            sw.flow = flow / 2 ? SWQ_BLOCK : SWQ_DISCARD;
            sw.credit = flow % 2 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
            snprintf(what, sizeof what, "%s %dx%d %s flow %d", buffer, ports, ports,
                     sw.arbiter->name, flow);
            compare(ctx, &sw, what);
        }
    }
    swq_context_free(ctx);
}

Test(marked, rows_as_whole)
{
    static const char *const buffers[] = {"fifo", "samq", "safc", "damq", "dafc", "cbda"};

    for (int b = 0; b < 6; b++) {
        compare_all(buffers[b], 2, 2, b, 1);
        if (b != 1 && b != 2)
            compare_all(buffers[b], 2, 3, b, 2);
    }
}

Test(marked, three_ports)
{
    compare_all("fifo", 3, 2, 0, 5);
    compare_all("damq", 3, 1, 1, 5);
    compare_all("dafc", 3, 1, 2, 5);
    compare_all("damq", 3, 2, 3, 13);
    compare_all("cbda", 3, 1, 4, 11);
}
