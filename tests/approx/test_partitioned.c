/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks of statically partitioned buffers, approximated: against limits that are exact, the
 * exact chain of one switch, and figures of the simulator. Not pinned: how near the figures come
 * beyond what the documentation promises.
 */
#include "approx/links/links.h"
#include "approx/links/partitioned/multisets.h"
#include "switchq/switchq.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

TestSuite(approx_partitioned, .timeout = 240);

static links_spec spec_of(const char *name, int ports, int stages, int slots, bool discard,
                          double load)
{
    swq_context *ctx = swq_context_new();
    const swq_buffer_kind *kind;
    links_spec s = {
        .ports = ports, .stages = stages, .slots = slots, .discard = discard, .load = load};

    cr_assert_eq(swq_buffer_kind_find(ctx, name, &kind), SWQ_OK);
    cr_assert_eq(swq_buffer_preset(ctx, kind, ports, slots, &s.buffer), SWQ_OK);
    swq_context_free(ctx);
    return s;
}

static swq_approx_result result_of(const char *name, int ports, int stages, int slots, bool discard,
                                   double load)
{
    swq_context *ctx = swq_context_new();
    links_spec s = spec_of(name, ports, stages, slots, discard, load);
    swq_approx_result r = {0};

    cr_assert_eq(links_partitioned(ctx, &s, &r), SWQ_OK, "%s %d x %d, %d slots, load %g: %s", name,
                 ports, ports, slots, load, swq_context_message(ctx));
    cr_assert(r.converged);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    return r;
}

static void near(double value, double truth, double error, const char *what)
{
    cr_assert(fabs(value - truth) <= error * fabs(truth), "%s: %.8g instead of %.8g", what, value,
              truth);
}

static const char *const kinds[] = {"samq", "safc"};

/* Packets that never meet take one cycle per stage; to first order in the load nothing else
 * happens. */
Test(approx_partitioned, a_light_load_meets_nothing)
{
    for (int i = 0; i < 2; i++)
        for (int flow = 0; flow < 2; flow++)
            for (int ports = 2; ports <= 8; ports *= 2) {
                double load = 1e-5;
                swq_approx_result r = result_of(kinds[i], ports, 4, 2 * ports, flow, load);
                near(r.throughput, load, 1e-4, "throughput");
                near(r.latency, 4, 1e-4, "latency");
                cr_assert(fabs(r.discard_fraction) < 1e-6);
            }
}

/* What enters a stage and is not lost leaves it, and Little's law holds for the whole network. */
Test(approx_partitioned, flows_and_populations_agree)
{
    for (int i = 0; i < 2; i++)
        for (int ports = 2; ports <= 4; ports++) {
            swq_approx_result d = result_of(kinds[i], ports, 3, 2 * ports, true, 0.9);
            double rate = 0.9, inside = 0;
            for (int s = 0; s < 3; s++) {
                near(d.stage[s].sent, rate * (1 - d.stage[s].discarded), 1e-6, "kept");
                rate = d.stage[s].sent;
            }
            near(d.throughput, rate, 1e-12, "delivered");
            near(d.discard_fraction, 1 - rate / 0.9, 1e-12, "lost");
            swq_approx_result b = result_of(kinds[i], ports, 3, 2 * ports, false, 0.9);
            for (int s = 0; s < 3; s++) {
                near(b.stage[s].sent, b.throughput, 1e-6, "conserved");
                cr_assert(b.stage[s].blocked > 0 && b.stage[s].blocked < 1);
                inside += b.stage[s].occupancy / ports;
            }
            near(b.latency, 1 + (inside + b.source_queue) / b.throughput, 1e-6, "Little");
            /* a source holds a packet, or creates one with probability `load` */
            near(b.throughput, 0.9 * (1 - b.source_queue), 1e-5, "source");
        }
}

/* One stage of SAFC that discards is the switch itself, visited in random order. */
Test(approx_partitioned, one_stage_is_the_switch)
{
    static const struct {
        const char *kind;
        int ports, slots;
        double error;
    } cell[] = {{"safc", 2, 2, 1e-7},
                {"safc", 3, 3, 1e-7},
                {"samq", 2, 2, 0.002},
                {"samq", 3, 3, 0.002},
                {"samq", 2, 4, 0.02}};

    for (size_t c = 0; c < sizeof cell / sizeof *cell; c++) {
        swq_context *ctx = swq_context_new();
        links_spec s = spec_of(cell[c].kind, cell[c].ports, 1, cell[c].slots, true, 1);
        swq_switch sw = {.ports = cell[c].ports,
                         .buffer = s.buffer,
                         .flow = SWQ_DISCARD,
                         .credit = SWQ_CREDIT_SAME};
        for (int i = 0; i < sw.ports; i++)
            sw.load[i] = 0.7;
        swq_traffic_uniform(&sw);
        cr_assert_eq(swq_arbiter_find(ctx, "random", &sw.arbiter), SWQ_OK);
        swq_exact_options options = swq_exact_options_defaults();
        swq_answers a;
        cr_assert_eq(swq_exact_solve(ctx, &sw, &options, &a), SWQ_OK, "%s",
                     swq_context_message(ctx));
        swq_approx_result r = result_of(cell[c].kind, cell[c].ports, 1, cell[c].slots, true, 0.7);
        near(r.throughput, a.throughput.value, cell[c].error, "throughput of one stage");
        near(r.stage[0].occupancy, a.mean_packets, 5 * cell[c].error, "packets of one stage");
        swq_answers_clear(ctx, &a);
        swq_context_free(ctx);
    }
}

/* switchq sim --ports 4 --stages 3 --buffer B --slots S --load L --flow discard --cycles 60000 */
Test(approx_partitioned, discarding_is_within_one_percent)
{
    static const struct {
        const char *kind;
        int slots;
        double load, throughput;
    } sim[] = {{"samq", 4, 0.3, 0.287126}, {"samq", 4, 0.6, 0.491291}, {"samq", 4, 1, 0.609036},
               {"samq", 8, 0.3, 0.299976}, {"samq", 8, 0.6, 0.584719}, {"samq", 8, 1, 0.798574},
               {"samq", 12, 1, 0.877591},  {"safc", 4, 0.3, 0.289702}, {"safc", 4, 0.6, 0.516363},
               {"safc", 4, 1, 0.676402},   {"safc", 8, 0.3, 0.300017}, {"safc", 8, 0.6, 0.589169},
               {"safc", 8, 1, 0.833254},   {"safc", 12, 1, 0.89002}};

    for (size_t i = 0; i < sizeof sim / sizeof *sim; i++) {
        swq_approx_result r = result_of(sim[i].kind, 4, 3, sim[i].slots, true, sim[i].load);
        near(r.throughput, sim[i].throughput, 0.01, sim[i].kind);
        cr_assert(r.cpu_seconds < 1);
    }
}

/* The same with --flow block; SAMQ of 12 slots is worse at full load, as the documentation says. */
Test(approx_partitioned, blocking_is_within_five_percent)
{
    static const struct {
        const char *kind;
        int slots;
        double load, throughput, latency, error;
    } sim[] = {
        {"samq", 4, 0.4, 0.364650, 4.56234, 0.05},  {"samq", 8, 0.5, 0.496373, 4.84395, 0.05},
        {"samq", 12, 0.6, 0.598827, 5.99603, 0.05}, {"samq", 4, 1, 0.502539, 6.81512, 0.05},
        {"samq", 8, 1, 0.716856, 9.95524, 0.05},    {"samq", 12, 1, 0.806238, 14.2402, 0.08},
        {"safc", 4, 0.4, 0.369403, 4.20951, 0.05},  {"safc", 8, 0.6, 0.590875, 4.76333, 0.05},
        {"safc", 12, 0.6, 0.599062, 4.78827, 0.05}, {"safc", 4, 1, 0.545933, 5.98905, 0.05},
        {"safc", 8, 1, 0.757074, 7.76015, 0.05},    {"safc", 12, 1, 0.820555, 10.12444, 0.05}};

    for (size_t i = 0; i < sizeof sim / sizeof *sim; i++) {
        swq_approx_result r = result_of(sim[i].kind, 4, 3, sim[i].slots, false, sim[i].load);
        near(r.throughput, sim[i].throughput, sim[i].error, "throughput");
        near(r.latency, sim[i].latency, sim[i].error, "latency");
    }
}

/* The two chains of a stage overlap in who waits for what, and must agree on the throughput, though
 * no constant ties them. Two and three slots are on either side of the change to another model. */
Test(approx_partitioned, models_meet)
{
    for (int i = 0; i < 2; i++)
        for (int ports = 2; ports <= 4; ports++)
            for (double load = 0.2; load < 1.1; load += 0.4) {
                double two = result_of(kinds[i], ports, 2, 2 * ports, false, load).throughput;
                double three = result_of(kinds[i], ports, 2, 3 * ports, false, load).throughput;
                cr_assert(two < three && three <= load * (1 + 1e-9));
                cr_assert(three - two < 0.15);
                near(result_of(kinds[i], ports, 1, 2 * ports, false, load / 100).latency, 1, 0.02,
                     "a light load");
            }
}

/* More room never reduces throughput, and a million nodes take no longer than their number of
 * stages. */
Test(approx_partitioned, grows_with_room_and_shrinks_with_stages)
{
    for (int i = 0; i < 2; i++)
        for (int flow = 0; flow < 2; flow++) {
            double before = 0;
            for (int room = 1; room <= 3; room++) {
                double now = result_of(kinds[i], 4, 2, 4 * room, flow, 1).throughput;
                cr_assert(now > before);
                before = now;
            }
            cr_assert(result_of(kinds[i], 4, 10, 4, flow, 1).throughput <
                      result_of(kinds[i], 4, 3, 4, flow, 1).throughput);
            cr_assert(result_of(kinds[i], 8, 2, 8, flow, 1).throughput > 0.5);
        }
}

Test(approx_partitioned, says_what_is_too_large)
{
    for (int flow = 0; flow < 2; flow++) {
        swq_context *ctx = swq_context_new();
        links_spec s = spec_of("samq", 32, 3, 32 * 8, flow, 0.5);
        swq_approx_result r = {0};
        cr_assert_eq(links_partitioned(ctx, &s, &r), SWQ_ELIMIT);
        cr_assert(strstr(swq_context_message(ctx), "32 queues of 8 slots"));
        swq_context_free(ctx);
    }
}

Test(approx_partitioned, memory_runs_out_cleanly)
{
    for (int variant = 0; variant < 16; variant++) { /* queues of two slots, and of four */
        swq_status status = SWQ_ENOMEM;
        size_t k = 0;
        for (; status; k++) {
            swq_context *ctx = swq_context_new();
            links_spec s =
                spec_of(kinds[variant % 2], 2, 2, variant < 8 ? 4 : 8, variant / 4 % 2, 0.6);
            swq_approx_result r = {0};
            swq_context_fail_allocations(ctx, k, variant / 2 % 2);
            status = links_partitioned(ctx, &s, &r);
            cr_assert(status == SWQ_OK || status == SWQ_ENOMEM);
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "allocation %zu", k);
            swq_context_free(ctx);
        }
        cr_assert(k > 10, "%zu", k);
    }
}

Test(approx_partitioned, multisets_are_numbered_in_order)
{
    for (int classes = 1; classes <= 5; classes++)
        for (int size = 0; size <= 5; size++) {
            int count[5];
            size_t n = 0;
            multiset_first(count, classes, size);
            do
                cr_assert_eq(multiset_rank(count, classes), n++);
            while (multiset_next(count, classes));
            cr_assert_eq(n, multiset_count(size, classes));
        }
}
