/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of asynchronous networks: logical arbitrations and rings by hand, loads of tori against
 * the enumerated ways, and what each figure promises in tiny runs: axes, panels, maps, the same
 * numbers on any number of threads, nothing leaked. Not pinned: the verdicts, but for the exact
 * latencies.
 */
#include "switchq/figures.h"
#include "tests/support/support.h"
#include "validate/figures/arbitrations.h"
#include "validate/figures/figures.h"
#include "validate/figures/map.h"

#include <math.h>
#include <string.h>

TestSuite(figures_async, .timeout = 480);

/* ---- logical arbitrations ---- */

static void add_all(figure_course *c, const uint32_t *cycle, int count)
{
    for (int k = 0; k < count; k++)
        figure_course_add(c, cycle[k]);
}

/* The text's own example: t, t + 2, t + 4, t + 6 are one arbitration with four packets; t + 1 is
 * another one. */
Test(figures_async, arbitrations_chain_up_by_the_link_rest)
{
    static figure_course c = {.rest = 2};
    const uint32_t cycle[] = {10, 11, 12, 14, 16, 16, 19, 22};

    add_all(&c, cycle, 8);
    cr_assert_eq(c.count, 4);
    cr_assert(c.list[0].first == 10 && c.list[0].last == 16 && c.list[0].packets == 5);
    cr_assert(c.list[1].first == 11 && c.list[1].last == 11 && c.list[1].packets == 1);
    cr_assert(c.list[2].first == 19 && c.list[2].packets == 1, "16 and 19 are three apart");
    cr_assert_eq(c.list[3].first, 22);
}

Test(figures_async, without_link_rest_only_the_same_cycle_counts)
{
    static figure_course c;
    const uint32_t cycle[] = {0, 0, 1, 2, 2, 2, 2, 5, ARBITRATIONS_END, ARBITRATIONS_END + 1};

    add_all(&c, cycle, 10);
    cr_assert_eq(c.count, 5);
    cr_assert(c.list[0].packets == 2 && c.list[1].packets == 1 && c.list[2].packets == 4);
    cr_assert_eq(c.list[4].last, ARBITRATIONS_END, "what comes later is left out");
    cr_assert_eq(c.list[4].packets, 1);
}

Test(figures_async, synchronised_from_the_first_of_eleven_in_step)
{
    static figure_course c, loose = {.rest = 2}, never;

    figure_course_add(&c, 3);
    figure_course_add(&c, 20);
    for (uint32_t k = 0; k < 10; k++)
        figure_course_add(&c, 40 + 32 * k); /* ten: not yet */
    cr_assert_eq(figure_course_synchronised(&c, 32), ARBITRATIONS_END);
    figure_course_add(&c, 40 + 32 * 10);
    cr_assert_eq(figure_course_synchronised(&c, 32), 40);
    cr_assert_eq(figure_course_synchronised(&never, 32), ARBITRATIONS_END);
    for (uint32_t k = 0; k < 30; k++) /* 41 apart is too much, 32 and 40 are not */
        figure_course_add(&loose, k < 15 ? 41 * k : 41 * 15 + 36 * (k - 15) + (k % 2 ? 4 : 0));
    cr_assert_eq(figure_course_synchronised(&loose, 32), 41 * 15 + 4);
    loose.rest = 0;
    cr_assert_eq(figure_course_synchronised(&loose, 32), ARBITRATIONS_END);
}

/* ---- rings ---- */

Test(figures_async, letters_of_a_map)
{
    cr_assert_eq(swq_figure_map_letter(0), '=');
    cr_assert_eq(swq_figure_map_letter(0.99), '=');
    cr_assert_eq(swq_figure_map_letter(-0.99), '=');
    cr_assert_eq(swq_figure_map_letter(1), 'p');
    cr_assert_eq(swq_figure_map_letter(7.99), 'p');
    cr_assert_eq(swq_figure_map_letter(8), 'P');
    cr_assert_eq(swq_figure_map_letter(-1), 'n');
    cr_assert_eq(swq_figure_map_letter(-8), 'N');
}

Test(figures_async, how_far_rings_agree)
{
    double d[FIGURE_RINGS * FIGURE_RING] = {0};

    for (int k = 0; k < FIGURE_RING; k++) {
        d[k] = -2;                                 /* ring 0: all down */
        d[FIGURE_RING + k] = k < 8 ? 9 : -9;       /* ring 1: eight up */
        d[2 * FIGURE_RING + k] = k < 10 ? 1 : 0.5; /* ring 2: all up, one not marked */
    }
    figure_unevenness u = figure_look_at_rings(d);
    cr_assert_float_eq(u.unanimous, 1.0 / 11, 1e-12);
    cr_assert_float_eq(u.majority, (11 + 8 + 11) / 121.0, 1e-12);
    cr_assert_float_eq(u.marked, (11 + 11 + 10) / 121.0, 1e-12);
    cr_assert_float_eq(u.upward, 2.0 / 11, 1e-12);
    cr_assert_float_eq(u.up, (8 + 11) / 121.0, 1e-12);
    cr_assert_float_eq(u.apart, (22 + 99 + 10.5) / 121.0, 1e-12);
}

/* Of n = 11 coins, the majority is (n + n C(n-1, (n-1)/2) / 2^(n-1)) / 2 on average. */
Test(figures_async, rings_by_chance)
{
    cr_assert_float_eq(figure_ring_chance(0.5), (1 + 252 / 1024.0) / 2, 1e-12);
    cr_assert_float_eq(figure_ring_chance(1), 1, 1e-12);
    cr_assert_float_eq(figure_ring_chance(0), 1, 1e-12);
    cr_assert_float_eq(figure_ring_chance(0.8), figure_ring_chance(0.2), 1e-12);
    /* the majority exceeds the share that goes up by the rings in which most go down */
    cr_assert(figure_ring_chance(0.8) > 0.8 && figure_ring_chance(0.8) < 0.81);
}

/* ---- networks ---- */

/* Offering a fraction f of the bisection puts f bytes per cycle on every link between switches. */
Test(figures_async, loads_of_tori)
{
    static const int extents[] = {5, 11, 21};
    swq_context *ctx = test_papers();

    for (int k = 0; k < 3; k++) {
        swq_shape shape = {
            .kind = &swq_fabric_torus, .dims = 2, .extent = {extents[k], extents[k]}};
        swq_fabric fabric;
        swq_fabric_loads loads;
        cr_assert_eq(swq_fabric_make(ctx, &shape, &fabric), SWQ_OK);
        cr_assert_eq(swq_fabric_enumerate(ctx, &fabric, NULL, &loads), SWQ_OK);
        cr_assert_float_eq(figure_torus_load(extents[k], 0.6) * loads.level_load[0], 0.6, 1e-9);
        swq_fabric_clear(ctx, &fabric);
    }
    cr_assert_eq(figure_torus_load(11, 5), 1, "no sender sends more than a byte a cycle");
    swq_context_free(ctx);
}

Test(figures_async, a_packet_alone_takes_hops_times_hop_delay)
{
    swq_context *ctx = test_papers();

    for (int stages = 1; stages <= 4; stages++) {
        swq_figure_setting s;
        swq_estimate latency;
        cr_assert_eq(figure_network(ctx, &s,
                                    "--engine async --stages %d --buffer samq --block 1 --bytes "
                                    "128 --load 1",
                                    stages),
                     SWQ_OK, "%s", swq_context_message(ctx));
        cr_assert_eq(figure_alone(ctx, &s, &latency), SWQ_OK, "%s", swq_context_message(ctx));
        cr_assert(latency.mean == 5 * stages && latency.half_width == 0, "%d: %g", stages,
                  latency.mean);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* ---- claims ---- */

/* Figure 6.4 without simulations: DAMQ .80 .82 .. at 128, 512, 1024, 1536, 2048 bytes, and SAFC
 * above it by `lead`. */
static void made_bytes(const swq_figure_plan *plan, figure_cell *cell, const double *lead)
{
    static const double x[] = {128, 512, 1024, 1536, 2048};

    for (int n = 0; n < plan->lines; n++) {
        for (int k = 0; k < plan->xs; k++) {
            figure_cell *c = &cell[n * figure_columns(plan) + k];
            int at = 0;
            while (at < 5 && x[at] != plan->x[k])
                at++;
            const double damq = 0.80 + 0.02 * at;
            c->there = at < 5;
            c->value[THROUGHPUT] = (swq_estimate){n % 3 == 2   ? damq + (at < 5 ? lead[at] : 0)
                                                  : n % 3 == 1 ? damq - 0.1
                                                               : damq,
                                                  0.001};
        }
    }
}

Test(figures_async, where_one_buffer_overtakes_another)
{
    static const double late[] = {-0.03, -0.01, 0.01, 0.01, 0.01};
    static const double never[] = {-0.03, -0.01, 0.01, 0.01, -0.01};
    static swq_claim claim[FIGURE_CLAIMS];
    swq_context *ctx = test_papers();
    swq_figure_kind *kind;
    swq_figure out = {.claim = claim};

    cr_assert_eq(swq_figure_open(ctx, "6.4", false, &kind), SWQ_OK);
    const swq_figure_plan *plan = kind->plan;
    figure_cell *cell = calloc((size_t)(plan->lines * figure_columns(plan)), sizeof *cell);
    figure_work f = {.ctx = ctx, .kind = kind, .plan = plan, .cell = cell, .out = &out};
    made_bytes(plan, cell, late);
    cr_assert_eq(figure_most(&f, 0, THROUGHPUT).mean, 0.88);
    figure_judge_claims(&f);
    cr_assert_eq(f.status, SWQ_OK, "%s", swq_context_message(ctx));
    const swq_claim *last = &claim[out.claims - 1];
    cr_assert_eq(last->verdict, SWQ_CLAIM_HOLDS, "%s", last->measured);
    cr_assert(strstr(last->measured, "above at 768 bytes"), "halfway: %s", last->measured);
    made_bytes(plan, cell, never);
    figure_judge_claims(&f);
    last = &claim[out.claims - 1];
    cr_assert(strstr(last->measured, "no size"), "it falls behind again: %s", last->measured);
    free(cell);
    swq_figure_close(ctx, kind);
    swq_context_free(ctx);
}

Test(figures_async, what_was_not_run_is_a_dash)
{
    static swq_claim claim[FIGURE_CLAIMS];
    const swq_estimate none = {NAN, NAN};
    swq_figure out = {.claim = claim};
    figure_work f = {.out = &out};
    figure_tally t = {.holds = 1};

    figure_claim(&f, &t, "a", "b", NULL, "nanny %g +- %g (%g; %.1f%%), %g", none.mean,
                 none.half_width, -none.mean, none.mean, 2.5);
    cr_assert_str_eq(claim[0].measured, "nanny - (-; -%), 2.5");
}

/* ---- running ---- */

static swq_figure run(swq_context *ctx, const char *name, uint64_t cycles, int threads)
{
    swq_figure_options o = {.cycles = cycles, .seed = 1, .threads = threads};
    swq_figure f;

    cr_assert_eq(test_figure(ctx, name, &o, &f), SWQ_OK, "%s", swq_context_message(ctx));
    for (int k = 0; k < f.claims; k++)
        cr_assert(*f.claim[k].text && *f.claim[k].measured && f.claim[k].criterion, "%s: claim %d",
                  name, k);
    return f;
}

static void done(swq_context *ctx, swq_figure *f)
{
    test_figure_clear(ctx, f);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(figures_async, synchronous_beside_asynchronous)
{
    swq_context *ctx = test_papers();
    swq_figure f = run(ctx, "6.1", 150, 1);

    cr_assert(!f.cut_short && f.curves == 12);
    for (int c = 0; c < f.curves; c++) {
        const swq_figure_curve *curve = &f.curve[c];
        const double least = curve->panel == 0 ? 3 : curve->panel == 1 ? 15 : 20;
        cr_assert_eq(curve->panel, c / 4);
        cr_assert_gt(curve->points, 4);
        for (int k = 0; k < curve->points; k++) {
            const swq_figure_point *p = &curve->point[k];
            bool last = k == curve->points - 1;
            cr_assert(p->y >= least && p->x == p->throughput.mean, "%d: %g", c, p->y);
            cr_assert(k == 0 || p->load > p[-1].load);
            cr_assert_eq(p->origin == SWQ_AT_FULL_LOAD, last);
            if (curve->panel > 0 && !last)
                cr_assert(p->origin == SWQ_AT_LOAD && p->asked == p->load);
        }
    }
    /* the least latencies are exact, however long the runs */
    for (int k = 0; k < 2; k++) {
        cr_assert_eq(f.claim[k].verdict, SWQ_CLAIM_HOLDS, "%s: %s", f.claim[k].text,
                     f.claim[k].measured);
        cr_assert_eq(strncmp(f.claim[k].measured, k ? "20 cycles" : "15 cycles", 9), 0);
    }
    done(ctx, &f);
}

/* The saturation of one number at its real length: DAMQ, 256x256; the print has 0.71. */
Test(figures_async, a_quoted_number)
{
    swq_context *ctx = test_papers();
    swq_sim_options o = swq_sim_defaults();
    swq_figure_setting s;
    swq_async_result result;

    o.cycles = 12000;
    o.warmup = 4000;
    cr_assert_eq(figure_network(ctx, &s,
                                "--engine async --stages 4 --buffer damq --bytes 128 --arbiter "
                                "advancing --release hop --load 1"),
                 SWQ_OK);
    cr_assert_eq(swq_async_run(ctx, &s.async, &o, NULL, &result), SWQ_OK);
    cr_assert_float_eq(result.sim.all.throughput.mean, 0.71, 0.03 * 0.71);
    cr_assert_eq(result.sim.nodes, 256);
    swq_context_free(ctx);
}

Test(figures_async, over_bytes)
{
    swq_context *ctx = test_papers();
    swq_figure f = run(ctx, "6.4", 20, 1);

    for (int c = 0; c < f.curves; c++) {
        const swq_figure_curve *curve = &f.curve[c];
        bool whole = strncmp(curve->name, "DAMQ", 4) == 0;
        cr_assert_eq(curve->point[0].x, whole ? 64 : 128, "%s at %g", curve->name,
                     curve->point[0].x);
        cr_assert_eq(curve->point[curve->points - 1].x, 2048);
        for (int k = 0; k < curve->points; k++) {
            const swq_figure_point *p = &curve->point[k];
            cr_assert(p->x == p->asked && p->origin == SWQ_AT_FULL_LOAD && p->load == 1);
            cr_assert(p->y == p->throughput.mean && p->y > 0.3 && p->y < 1);
            cr_assert(whole || fmod(p->x, 128) == 0);
        }
    }
    cr_assert_str_eq(f.curve[0].quantity, "throughput");
    done(ctx, &f);
}

Test(figures_async, over_the_bisection)
{
    swq_context *ctx = test_papers();
    swq_figure f = run(ctx, "6.8", 40, 2);

    for (int c = 0; c < f.curves; c++) {
        const swq_figure_curve *curve = &f.curve[c];
        cr_assert_eq(curve->points, 27, "%s", curve->name);
        for (int k = 0; k < curve->points; k++) {
            const swq_figure_point *p = &curve->point[k];
            /* 5.5 hops over four links; in so short a run the network is still filling */
            double share = p->x / (p->throughput.mean * 5.5 / 4);
            cr_assert(share > 0.7 && share < 1.6, "%s: %g", curve->name, share);
            cr_assert_eq(p->cycles, 640, "four times 160");
            if (!isnan(p->asked))
                cr_assert_float_eq(p->load, fmin(1, p->asked * 8 / 11), 1e-12);
        }
    }
    done(ctx, &f);
}

Test(figures_async, arbitrations_over_time)
{
    swq_context *ctx = test_papers();
    swq_figure f = run(ctx, "6.2", 500, 2);

    cr_assert(f.curves == 10 && f.runs == 9 * 5 && f.printeds == 0);
    for (int c = 0; c < f.curves; c++) {
        const swq_figure_curve *curve = &f.curve[c];
        cr_assert_eq(curve->panel, c < 2 ? 0 : c < 6 ? 1 : 2);
        for (int k = 0; k < curve->points; k++) {
            const swq_figure_point *p = &curve->point[k];
            cr_assert(p->origin == SWQ_AT_TIME && p->x >= 0 && p->x <= ARBITRATIONS_END);
            cr_assert(p->y >= 1 && (curve->panel == 2 || c == 1 || p->y <= 4), "%s: %g",
                      curve->name, p->y);
        }
    }
    /* without a rest, packets of 32 bytes on four outputs: at most one each in 32 cycles */
    double packets = 0;
    for (int k = 0; k < f.curve[0].points; k++)
        packets += f.curve[0].point[k].y;
    cr_assert(packets > 0.5 * 4 * ARBITRATIONS_END / 32 &&
                  packets <= 4 * (ARBITRATIONS_END / 32.0 + 1),
              "%g", packets);
    done(ctx, &f);
}

Test(figures_async, maps)
{
    swq_context *ctx = test_papers();
    swq_figure f = run(ctx, "6.12", 500, 2), again = run(ctx, "6.12", 500, 1);
    const swq_figure_map *m = &f.map;
    const int squares = m->rows * m->columns;

    cr_assert(m->rows == 11 && m->columns == 11 && m->frames == 50 && m->frame_cycles == 20);
    cr_assert(m->threshold == 26 && fabs(m->load - 8 / 11.0) < 1e-9);
    for (int k = 0; k < squares; k++) {
        double sum = 0;
        for (int t = 0; t < m->frames; t++)
            sum += m->difference[t * squares + k];
        /* the whole run is the mean of its frames, which have equal lengths */
        cr_assert_float_eq(m->difference[m->frames * squares + k], sum / m->frames, 1e-9);
    }
    cr_assert_eq(memcmp(m->difference, again.map.difference,
                        (size_t)(m->frames + 1) * (size_t)squares * sizeof(double)),
                 0, "threads change nothing");
    for (int c = 0; c < f.curves; c++) {
        for (int k = 0; k < f.curve[c].points; k++)
            cr_assert_eq(f.curve[c].point[k].y, again.curve[c].point[k].y);
    }
    test_figure_clear(ctx, &again);
    done(ctx, &f);
}

/* The map compared with a run of the test's own, with classes computed from the fabric: up is the
 * way to the next node in the dimension that is traversed first. */
Test(figures_async, a_map_shows_up_less_down_ring_by_ring)
{
    swq_context *ctx = test_papers();
    swq_figure f = run(ctx, "6.12", 100, 1);
    static double blocks[121 * 5];
    swq_async_watch watch = {.queue_blocks = blocks, .frame_cycles = 1000};
    swq_sim_options o = swq_sim_defaults();
    swq_async_result result;
    swq_fabric fabric;

    o.cycles = 200;
    o.warmup = 0;
    cr_assert_eq(swq_async_run(ctx, &f.map.setting->async, &o, &watch, &result), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert_eq(swq_fabric_make(ctx, &f.map.setting->async.shape, &fabric), SWQ_OK);
    for (uint32_t i = 0; i < 121; i++) {
        uint32_t place = fabric.coordinate[2 * i], ring = fabric.coordinate[2 * i + 1];
        uint32_t next = (place + 1) % 11 * 11 + ring, before = (place + 10) % 11 * 11 + ring;
        int up = fabric.shape.kind->route(&fabric, fabric.entry[i], i, next);
        int down = fabric.shape.kind->route(&fabric, fabric.entry[i], i, before);
        cr_assert_float_eq(f.map.difference[f.map.frames * 121 + (int)(ring * 11 + place)],
                           blocks[i * 5 + (uint32_t)up] - blocks[i * 5 + (uint32_t)down], 1e-12);
    }
    swq_fabric_clear(ctx, &fabric);
    done(ctx, &f);
}

Test(figures_async, thresholds)
{
    swq_context *ctx = test_papers();
    swq_figure_options o = {.cycles = 100, .seed = 1, .threads = 1, .threshold = 10};
    swq_figure f;

    cr_assert_eq(test_figure(ctx, "6.10", &o, &f), SWQ_OK);
    cr_assert_eq(f.map.threshold, 10);
    test_figure_clear(ctx, &f);
    o.threshold = 12;
    cr_assert_eq(test_figure(ctx, "6.10", &o, &f), SWQ_EINVAL);
    cr_assert_str_eq(swq_context_message(ctx), "threshold must be 26 or 10, not 12");
    o.threshold = 26;
    cr_assert_eq(test_figure(ctx, "6.9", &o, &f), SWQ_EINVAL);
    cr_assert_str_eq(swq_context_message(ctx),
                     "figure 6.9 has no choice of threshold; figures with "
                     "one: 6.10, 6.11, 6.12");
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* Allocations that fail at any time, and a user who interrupts. */
Test(figures_async, no_memory)
{
    static const char *const names[] = {"6.2", "6.10", "6.4"};

    for (int n = 0; n < 3; n++) {
        for (size_t after = 0; after < 12; after++) {
            swq_context *ctx = test_papers();
            swq_figure_options o = {.cycles = 20, .seed = 1, .threads = 1};
            swq_figure f;
            swq_context_fail_allocations(ctx, after, true);
            swq_status status = test_figure(ctx, names[n], &o, &f);
            if (status == SWQ_OK)
                test_figure_clear(ctx, &f);
            else
                cr_assert_eq(status, SWQ_ENOMEM, "%s", swq_context_message(ctx));
            cr_assert(status || after > 3, "%s: allocation %zu", names[n], after);
            cr_assert_eq(swq_context_live_blocks(ctx), 0);
            swq_context_free(ctx);
        }
    }
}

/* Cancels when three runs are finished: progress counts runs by their weights. */
typedef struct {
    swq_context *ctx;
    double last;
    int finished;
} cancelling;

static void cancel_after(void *arg, const char *stage, double count, double total)
{
    cancelling *c = arg;

    (void)stage;
    (void)total;
    c->finished += count > c->last;
    c->last = count;
    if (c->finished >= 3)
        swq_context_cancel(c->ctx);
}

Test(figures_async, cancelled)
{
    static const char *const names[] = {"6.1", "6.2", "6.11"};

    for (int n = 0; n < 3; n++) {
        swq_context *ctx = test_papers();
        swq_figure_options o = {.cycles = 100, .seed = 1, .threads = 1};
        swq_figure f = {0};
        cancelling c = {.ctx = ctx};
        swq_context_watch(ctx, cancel_after, &c);
        swq_status status = test_figure(ctx, names[n], &o, &f);
        if (n == 0)
            cr_assert(status == SWQ_OK && f.cut_short && f.runs == 3, "%d runs", f.runs);
        else
            cr_assert_eq(status, SWQ_ECANCELLED);
        cr_assert(n > 0 || f.claims > 5);
        for (int k = 0; k < f.claims; k++)
            cr_assert(f.claim[k].verdict == SWQ_CLAIM_OPEN && !f.claim[k].known &&
                          strcmp(f.claim[k].measured, "not run: interrupted") == 0,
                      "%s: %s", f.claim[k].text, f.claim[k].measured);
        test_figure_clear(ctx, &f);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
    }
}
