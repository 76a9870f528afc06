/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Simulated switches of every architecture in stage cycles against the reference that lists every
 * packet (tests/ref/ref_steps.h), by normal scores.
 */
#include "switchq/fabric.h"
#include "switchq/frames.h"
#include "switchq/record.h"
#include "tests/sim/samples.h"
#include "tests/support/step_cases.h"

TestSuite(sim_steps, .timeout = 240);

enum { CYCLES = 6000, WARM_UP = 500, THROUGHPUT = 0, LATENCY, OCCUPANCY, REFUSAL, QUANTITIES };

typedef struct step_network {
    swq_network network;
    double matrix[SWQ_CHAIN_PORTS * SWQ_CHAIN_PORTS];
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

/* Cycles from creation to reception of an accepted packet, by Little's law. */
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

/* Parts of the list, so that each test is short. */
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

/* ---- networks of such switches ---- */

static swq_network in_stages(swq_context *ctx, const char *architecture, const char *buffer,
                             int slots, int behind, int speedup)
{
    swq_switch sw = test_switch(ctx, buffer, 2, slots, 0.8, "longest");

    cr_assert_eq(swq_architecture_find(ctx, architecture, SWQ_ENGINE_SYNC, &sw.architecture),
                 SWQ_OK);
    sw.speedup = speedup;
    sw.output_slots = sw.architecture->stage.output_queues ? behind : 0;
    sw.crosspoint_slots = sw.architecture->stage.crosspoints ? behind : 0;
    swq_switch_own_memory(&sw);
    return network_in_stages(ctx, "omega", 3, &sw);
}

static void expect_same(swq_context *ctx, const swq_network *a, const swq_network *b,
                        const char *what)
{
    swq_sim_options options = run_of(5, 1, 100, 3000);
    options.plain = true;
    const swq_sim_result x = simulate(ctx, a, &options), y = simulate(ctx, b, &options);

    cr_assert_gt(x.all.delivered, 1000);
    cr_assert_eq(x.all.created, y.all.created, "%s", what);
    cr_assert_eq(x.all.delivered, y.all.delivered, "%s", what);
    cr_assert_eq(x.all.discarded, y.all.discarded, "%s", what);
    cr_assert_eq(x.all.latency.mean, y.all.latency.mean, "%s", what);
    cr_assert_eq(x.stage[1].occupancy.mean, y.stage[1].occupancy.mean, "%s", what);
}

/* Networks that lose packets between switches: a packet goes on as soon as it has crossed, so with
 * one phase they equal networks of input-queued switches, packet by packet. Output queues equal a
 * pool in equal parts. */
Test(sim_steps, networks_that_are_known)
{
    swq_context *ctx = swq_context_new();
    const swq_network queued = in_stages(ctx, "input-queued", "damq", 3, 0, 0);
    const swq_network combined = in_stages(ctx, "cioq", "damq", 3, 2, 1);
    const swq_network outputs = in_stages(ctx, "output-queued", "damq", 3, 3, 0);
    swq_network pool = in_stages(ctx, "input-queued", "cbda", 3, 0, 0);

    expect_same(ctx, &queued, &combined, "one phase");
    pool.sw.buffer.queue_min = pool.sw.buffer.queue_max = 3;
    expect_same(ctx, &outputs, &pool, "output queues");
    swq_context_free(ctx);
}

/* Blocking networks keep every packet: the run's own counters agree, and with more room behind the
 * crossbar throughput is higher. */
Test(sim_steps, networks_that_block)
{
    static const char *const names[] = {"output-queued", "crosspoint", "input-crosspoint", "cioq"};
    swq_context *ctx = swq_context_new();
    const swq_sim_options options = run_of(6, 1, 500, 4000);

    for (int k = 0; k < 4; k++) {
        double throughput[2];
        for (int more = 0; more < 2; more++) {
            swq_network n = in_stages(ctx, names[k], "damq", 2, 1 + 3 * more, k == 3 ? 2 : 0);
            n.sw.flow = SWQ_BLOCK;
            n.sw.credit = SWQ_CREDIT_NEXT;
            n.traffic.load = 1;
            const swq_sim_result r = simulate(ctx, &n, &options);
            throughput[more] = r.all.throughput.mean;
        }
        cr_assert_gt(throughput[1], throughput[0] + 0.02, "%s: %g %g", names[k], throughput[0],
                     throughput[1]);
    }
    swq_context_free(ctx);
}

/* ---- who goes first ---- */

typedef struct order_seen {
    int64_t last[3][2]; /* [input][output]: birth of the last packet, of each pair */
    int count;
} order_seen;

static void see_order(void *arg, const swq_start *s)
{
    order_seen *o = arg;

    if (s->switch_ == SWQ_NO_WHERE)
        return;
    cr_assert_gt((int64_t)s->birth, o->last[s->from][s->to % 2], "cycle %u", s->cycle);
    o->last[s->from][s->to % 2] = s->birth;
    o->count++;
}

/* Packets of an input to an output leave in the order in which they came. */
Test(sim_steps, order_behind_the_crossbar)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 2; k++) {
        swq_switch sw = test_switch(ctx, "damq", 2, 4, 0.9, "random");
        order_seen seen = {{{-1, -1}, {-1, -1}, {-1, -1}}, 0};
        swq_sim_options options = run_of(7, 1, 0, 2000);
        cr_assert_eq(swq_architecture_find(ctx, k ? "cioq" : "input-crosspoint", SWQ_ENGINE_SYNC,
                                           &sw.architecture),
                     SWQ_OK);
        sw.speedup = k ? 2 : 0;
        sw.output_slots = k ? 4 : 0;
        sw.crosspoint_slots = k ? 0 : 4;
        const swq_network n = network_of(&sw);
        options.started = see_order;
        options.started_arg = &seen;
        simulate(ctx, &n, &options);
        cr_assert_gt(seen.count, 2000);
    }
    swq_context_free(ctx);
}

/* ---- what these switches have no rules for ---- */

Test(sim_steps, refuses_by_name)
{
    swq_context *ctx = swq_context_new();
    swq_network n = in_stages(ctx, "cioq", "damq", 3, 2, 2);
    const swq_sim_options options = run_of(8, 1, 10, 10);
    swq_sim_result r;

    n.stale = 2;
    cr_assert_eq(swq_sim_run(ctx, &n, &options, &r), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "stale"));
    n.stale = 0;
    n.sw.priority.support = SWQ_SUPPORT_ARBITER;
    cr_assert_eq(swq_sim_run(ctx, &n, &options, &r), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "priority"));
    n.sw.priority.support = SWQ_SUPPORT_NONE;
    swq_recording recording;
    cr_assert_eq(swq_sim_record(ctx, &n, 1, 4, 4, 0, &recording), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "cioq"));
    swq_context_free(ctx);
}

/* ---- what stores hold ---- */

/* The stores of a film hold what is in the switch. */
Test(sim_steps, stores_hold_all_packets)
{
    static const char *const names[] = {"output-queued", "crosspoint", "input-crosspoint", "cioq"};
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 4; k++) {
        const swq_network n = in_stages(ctx, names[k], "damq", 3, 3, k == 3 ? 2 : 0);
        swq_frames frames = swq_frames_of(64, 1);
        swq_sim_options options = run_of(9, 1, 0, 60);
        uint64_t held = 0, marked = 0;
        options.frames = &frames;
        const swq_sim_result r = simulate(ctx, &n, &options);
        for (size_t at = 0; at < frames.stores; at++) {
            const size_t last = (frames.frames - 1) * frames.stores + at;
            cr_assert_leq(frames.held[last], at < frames.inputs ? frames.room : frames.output_room,
                          "%s", names[k]);
            cr_assert_leq(frames.held_marked[last], frames.held[last], "%s", names[k]);
            held += frames.held[last];
            marked += frames.held_marked[last];
        }
        cr_assert_eq(frames.frames * frames.every, 60);
        cr_assert_eq(held, r.total_created - r.all.delivered - r.all.discarded, "%s", names[k]);
        cr_assert_lt(marked, held, "%s", names[k]);
        swq_frames_clear(ctx, &frames);
    }
    swq_context_free(ctx);
}
