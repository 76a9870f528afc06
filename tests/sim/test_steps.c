/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Simulated switches of every architecture in stage cycles against the reference that lists every
 * packet (tests/ref/ref_steps.h), by normal scores.
 */
#include "tests/sim/samples.h"
#include "tests/support/step_cases.h"

TestSuite(sim_steps, .timeout = 240);

enum { CYCLES = 6000, WARM_UP = 500, THROUGHPUT = 0, LATENCY, OCCUPANCY, REFUSAL, QUANTITIES };

typedef struct step_network {
    swq_network network;
    double matrix[SWQ_MAX_PORTS * SWQ_MAX_PORTS];
} step_network;

static void make_network(swq_context *ctx, const swq_switch *sw, step_network *n)
{
    n->network = network_of(sw);
    for (int i = 0; i < sw->ports; i++)
        for (int j = 0; j < sw->ports; j++)
            n->matrix[i * sw->ports + j] = sw->dest[i][j];
    cr_assert_eq(swq_pattern_find(ctx, "matrix", &n->network.traffic.pattern), SWQ_OK);
    n->network.traffic.matrix = n->matrix;
    n->network.traffic.node_load = sw->load;
}

/* Cycles from creation to reception of a packet that is taken, by Little's law. */
static double wait_at_source(const swq_switch *sw, const ref_steps_answer *a)
{
    return sw->flow == SWQ_BLOCK ? a->mean_held / (sw->ports * a->throughput) : 0;
}

static void compare(scores *all, const swq_switch *sw, const ref_steps_answer *a,
                    const swq_sim_result *r, const char *what)
{
    const double exact[QUANTITIES] = {[THROUGHPUT] = a->throughput,
                                      [LATENCY] = a->mean_delay + wait_at_source(sw, a),
                                      [OCCUPANCY] = a->mean_packets,
                                      [REFUSAL] = a->refusal};
    const swq_estimate *seen[QUANTITIES] = {[THROUGHPUT] = &r->all.throughput,
                                            [LATENCY] = &r->all.latency,
                                            [OCCUPANCY] = &r->stage[0].occupancy,
                                            [REFUSAL] = &r->refusal};

    for (int q = 0; q < QUANTITIES; q++) {
        char text[256];
        if (q == REFUSAL && a->refusals * CYCLES < 300)
            continue;
        snprintf(text, sizeof text, "%s: %.6g +- %.2g, exact %.6g", what, seen[q]->mean,
                 seen[q]->half_width, exact[q]);
        scores_add(&all[q], score_of(seen[q], exact[q], r->batches, 0.95), text);
    }
}

/* Parts of the list, so that each test takes a moment. */
static void compare_part(int part, int parts)
{
    static const char *const names[] = {"throughput", "latency", "occupancy", "refusals"};
    swq_context *ctx = swq_context_new();
    scores *all = calloc(QUANTITIES, sizeof *all);

    for (int q = 0; q < QUANTITIES; q++)
        all[q].quantity = names[q];
    for (int k = part; k < step_cases(); k += parts) {
        char what[160];
        const swq_switch sw = step_case(ctx, k, what, sizeof what);
        const ref_steps s = to_steps(&sw);
        const swq_sim_options options = run_of(1000 + (uint64_t)k, 2, WARM_UP, CYCLES);
        ref_steps_answer a;
        step_network n;
        cr_assert_eq(ref_steps_solve(&s, 0, &a), 0, "%s", what);
        make_network(ctx, &sw, &n);
        const swq_sim_result r = simulate(ctx, &n.network, &options);
        compare(all, &sw, &a, &r, what);
    }
    for (int q = 0; q < QUANTITIES; q++)
        scores_check(&all[q], 30);
    free(all);
    swq_context_free(ctx);
}

Test(sim_steps, reference_0)
{
    compare_part(0, 3);
}

Test(sim_steps, reference_1)
{
    compare_part(1, 3);
}

Test(sim_steps, reference_2)
{
    compare_part(2, 3);
}
