/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Approximated networks of FIFO buffers: against the exact chain where a stage is saturated and the
 * method exact, against the simulator elsewhere, and laws that hold between stages. Not pinned: how
 * many steps it takes.
 */
#include "approx/links/fifo/heads.h"
#include "approx/links/links.h"
#include "tests/support/support.h"

TestSuite(approx_fifo, .timeout = 240);

static links_spec spec_of(int ports, int stages, int slots, bool discard, double load)
{
    return (links_spec){
        .ports = ports, .stages = stages, .slots = slots, .discard = discard, .load = load};
}

static swq_approx_result approximate(int ports, int stages, int slots, bool discard, double load)
{
    swq_context *ctx = swq_context_new();
    links_spec spec = spec_of(ports, stages, slots, discard, load);
    swq_approx_result result = {.load = load};
    swq_status status = links_fifo(ctx, &spec, &result);

    cr_assert_eq(status, SWQ_OK, "%dx%d, %d stages, %d slots, load %g: %s", ports, ports, stages,
                 slots, load, swq_context_message(ctx));
    cr_assert(result.converged && result.steps > 0 && result.change < 1e-9);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    return result;
}

/* One stage whose buffers are never empty is exactly the chain of its heads; so is a single slot
 * at full load, where a buffer that has sent is full again one cycle later. */
Test(approx_fifo, saturated_stage_is_exact)
{
    static const struct {
        int ports, slots;
        bool discard;
    } row[] = {{2, 1, true},  {3, 1, true},  {4, 1, true},  {4, 2, true}, {2, 3, true},
               {2, 1, false}, {3, 1, false}, {4, 1, false}, {3, 2, false}};

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        swq_context *ctx = swq_context_new();
        swq_switch sw = test_switch(ctx, "fifo", row[i].ports, row[i].slots, 1, "random");
        sw.flow = row[i].discard ? SWQ_DISCARD : SWQ_BLOCK;
        sw.credit = row[i].discard ? SWQ_CREDIT_SAME : SWQ_CREDIT_NEXT;
        swq_answers exact = test_solve(ctx, &sw, "auto");
        swq_approx_result r = approximate(row[i].ports, 1, row[i].slots, row[i].discard, 1);
        double delay = exact.mean_delay + (row[i].discard ? 0 : exact.mean_source_wait);
        assert_relative(r.throughput, exact.throughput.value, 1e-7, "%d ports: %.9f, exact %.9f",
                        row[i].ports, r.throughput, exact.throughput.value);
        assert_relative(r.latency, delay, 1e-7, "%d ports: %.9f, exact %.9f", row[i].ports,
                        r.latency, delay);
        swq_answers_clear(ctx, &exact);
        swq_context_free(ctx);
    }
}

/* One stage at all loads: the model neglects that buffer lengths depend on one another. */
Test(approx_fifo, one_stage_is_near_the_chain)
{
    for (int ports = 2; ports <= 4; ports++) {
        for (int i = 1; i <= 5; i++) {
            swq_context *ctx = swq_context_new();
            swq_switch sw = test_switch(ctx, "fifo", ports, 2, 0.2 * i, "random");
            swq_answers exact = test_solve(ctx, &sw, "auto");
            swq_approx_result r = approximate(ports, 1, 2, true, 0.2 * i);
            assert_relative(r.throughput, exact.throughput.value, 0.01, "%d ports, load %g: %g, %g",
                            ports, 0.2 * i, r.throughput, exact.throughput.value);
            assert_relative(r.latency, exact.mean_delay, 0.02, "%d ports, load %g: %g, exact %g",
                            ports, 0.2 * i, r.latency, exact.mean_delay);
            swq_answers_clear(ctx, &exact);
            swq_context_free(ctx);
        }
    }
}

/* Two packets meet at a stage of k ports with load^2 (1 - 1/k) / 2 per cycle and output: to first
 * order each of the later stages waits as long as the first, load (1 - 1/k) / 2. */
Test(approx_fifo, light_load)
{
    const double load = 1e-3;

    for (int ports = 2; ports <= 8; ports *= 2) {
        for (int discard = 0; discard < 2; discard++) {
            swq_approx_result r = approximate(ports, 4, 4, discard, load);
            double wait = r.latency - 4, expected = 4 * load * (1 - 1.0 / ports) / 2;
            assert_relative(r.throughput, load, 1e-6, "%g", r.throughput);
            assert_relative(wait, expected, 0.01, "%d ports: waits %g, expected %g", ports, wait,
                            expected);
        }
    }
}

/* What leaves a stage arrives at the next one or is discarded; and Little's law. */
Test(approx_fifo, flow_is_conserved)
{
    for (int slots = 1; slots <= 5; slots += 2) {
        swq_approx_result r = approximate(4, 4, slots, true, 0.8);
        double arrives = 0.8, left = 1;
        for (int i = 0; i < 4; i++) {
            double kept = arrives * (1 - r.stage[i].discarded);
            assert_relative(kept, r.stage[i].sent, 1e-6, "stage %d: %g stay, %g are sent", i + 1,
                            kept, r.stage[i].sent);
            left *= 1 - r.stage[i].discarded;
            arrives = r.stage[i].sent;
        }
        assert_relative(1 - left, r.discard_fraction, 1e-6, "%g", r.discard_fraction);
        cr_assert_eq(r.refusal, 0);

        r = approximate(4, 4, slots, false, 0.8);
        double packets = r.source_queue;
        for (int i = 0; i < 4; i++) {
            assert_relative(r.stage[i].sent, r.throughput, 1e-6, "stage %d: %g", i + 1,
                            r.stage[i].sent);
            packets += r.stage[i].occupancy / 4;
            cr_assert_eq(r.stage[i].discarded, 0);
        }
        assert_relative(r.latency, 1 + packets / r.throughput, 1e-6, "%g", r.latency);
        cr_assert_eq(r.discard_fraction, 0);
        cr_assert(r.refusal > 0 && r.refusal < 1);
    }
}

/* `switchq sim --buffer fifo --ports K --stages S --slots B --flow F --load R --seed 1 --cycles
 * 60000`. Tolerances are those documented for the method, not what it achieves here. */
typedef struct fifo_simulated {
    int ports, stages, slots;
    double load, throughput, latency;
} fifo_simulated;

Test(approx_fifo, discarding_networks)
{
    static const fifo_simulated row[] = {
        {4, 3, 1, 0.5, 0.365999, 3.61606}, {4, 3, 1, 1.0, 0.453822, 4.05510},
        {4, 3, 2, 1.0, 0.521500, 6.90727}, {4, 3, 3, 1.0, 0.553696, 9.72360},
        {4, 3, 4, 0.9, 0.572396, 12.1124}, {4, 3, 4, 1.0, 0.572564, 12.5235},
        {4, 3, 6, 1.0, 0.595145, 18.0954}, {4, 3, 8, 1.0, 0.607371, 23.6479},
        {4, 3, 12, 1.0, 0.622022, 34.7829}};

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const fifo_simulated *s = &row[i];
        swq_approx_result r = approximate(s->ports, s->stages, s->slots, true, s->load);
        assert_relative(r.throughput, s->throughput, 0.01, "%d slots, load %g: %g, simulated %g",
                        s->slots, s->load, r.throughput, s->throughput);
        assert_relative(r.latency, s->latency, 0.03, "%d slots, load %g: %g, simulated %g",
                        s->slots, s->load, r.latency, s->latency);
    }
}

Test(approx_fifo, blocking_networks)
{
    static const fifo_simulated row[] = {{4, 3, 1, 1.0, 0.243293, 9.03508},
                                         {4, 3, 2, 1.0, 0.440378, 8.17432},
                                         {4, 3, 3, 1.0, 0.483434, 10.7821},
                                         {4, 3, 4, 1.0, 0.510709, 13.3325},
                                         {4, 3, 6, 1.0, 0.544555, 18.3672},
                                         {4, 3, 8, 1.0, 0.565411, 23.2843},
                                         {4, 3, 12, 1.0, 0.588817, 33.1967},
                                         /* seed 7, 40000 cycles */
                                         {3, 3, 2, 1.0, 0.468844, 7.70719},
                                         {2, 5, 3, 1.0, 0.533896, 14.1280},
                                         {8, 3, 4, 1.0, 0.467384, 14.1081},
                                         {8, 3, 4, 0.35, 0.349700, 4.44237}};

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const fifo_simulated *s = &row[i];
        swq_approx_result r = approximate(s->ports, s->stages, s->slots, false, s->load);
        assert_relative(r.throughput, s->throughput, 0.05, "%d ports, %d slots: %g, simulated %g",
                        s->ports, s->slots, r.throughput, s->throughput);
        assert_relative(r.latency, s->latency, 0.05, "%d ports, %d slots: %g, simulated %g",
                        s->ports, s->slots, r.latency, s->latency);
    }
}

/* By stage, compared with the simulator: 4 slots, load 0.45, blocking; --seed 1 --cycles 20000. */
Test(approx_fifo, stages_against_the_simulator)
{
    swq_approx_result r = approximate(4, 3, 4, false, 0.45);

    assert_relative(r.stage[0].occupancy, 1.467, 0.08, "%g", r.stage[0].occupancy);
    assert_relative(r.stage[1].occupancy, 3.417, 0.04, "%g", r.stage[1].occupancy);
    assert_relative(r.stage[0].blocked, 0.2423, 0.05, "%g", r.stage[0].blocked);
    assert_relative(r.stage[1].blocked, 0.2283, 0.05, "%g", r.stage[1].blocked);
    cr_assert_float_eq(r.source_queue, 0.00753, 0.002, "%g", r.source_queue);
    cr_assert_float_eq(r.refusal, 0.0166, 0.004, "%g", r.refusal);
}

/* A million nodes; monotone in load and stages; and no load at all. */
Test(approx_fifo, orders)
{
    double before = 1;

    for (int stages = 1; stages <= 10; stages += 3) {
        swq_approx_result r = approximate(4, stages, 4, false, 1);
        cr_assert(r.throughput < before, "%d stages: %g", stages, r.throughput);
        before = r.throughput;
    }
    before = 0;
    for (int slots = 1; slots <= 6; slots++) {
        swq_approx_result r = approximate(2, 6, slots, true, 1);
        cr_assert(r.throughput > before, "%d slots: %g", slots, r.throughput);
        before = r.throughput;
    }
    for (int discard = 0; discard < 2; discard++) {
        swq_approx_result r = approximate(3, 3, 2, discard, 0);
        cr_assert_eq(r.throughput, 0);
        cr_assert_eq(r.discard_fraction, 0);
        cr_assert_eq(r.refusal, 0);
        cr_assert(isnan(r.latency));
    }
}

/* The heads of saturated inputs: Karol, Hluchyj and Morgan's table for 2 .. 8 inputs (IEEE Trans.
 * Commun. 35(12), 1987), with outputs always open and with outputs that are said to be open. */
Test(approx_fifo, saturated_heads)
{
    static const double limit[] = {0, 0, 0.7500, 0.6825, 0.6553, 0.6399, 0.6302, 0.6234, 0.6184};

    for (int ports = 2; ports <= 8; ports++) {
        swq_context *ctx = swq_context_new();
        for (int levels = 1; levels <= (ports < 5 ? 3 : 1); levels++) {
            fifo_heads h;
            fifo_moves moves = {.arrives = 1};
            fifo_others fresh;
            for (int u = 0; u <= ports; u++)
                moves.open[u] = moves.follows[u] = 1;
            for (int c = 0; c < levels; c++)
                moves.room[0][c][levels - 1] = moves.room[1][c][levels - 1] = 1;
            cr_assert_eq(fifo_heads_init(ctx, ports, levels, &h), SWQ_OK);
            double *p = calloc((size_t)h.states, sizeof *p), *next = calloc((size_t)h.states, 8);
            double *work = calloc((size_t)h.states * (size_t)(ports + 1), sizeof *work), busy = 0;
            p[h.empty] = 1;
            for (int t = 0; t < 300; t++) {
                fifo_heads_step(&h, &moves, p, next, work);
                memcpy(p, next, sizeof *p * (size_t)h.states);
            }
            for (int i = 0; i < h.states; i++) {
                for (int c = levels; c < h.classes; c++)
                    busy += p[i] * h.count[i * h.classes + c] / ports;
            }
            cr_assert_float_eq(busy, limit[ports], 6e-5, "%d ports, %d levels: %g", ports, levels,
                               busy);
            fifo_heads_others(&h, &moves, p, fresh);
            for (int u = 0; u <= ports; u++) {
                double sum = 0;
                for (int j = 0; j <= ports - u; j++)
                    sum += fresh[levels - 1][u][j];
                cr_assert_float_eq(sum, 1, 1e-12);
            }
            free(p), free(next), free(work);
            fifo_heads_clear(ctx, &h);
        }
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
    }
}

/* The heads of a 2 x 2 switch whose outputs open and close, with inputs distinguished: a state is
 * what each input wants (2: nothing) and which outputs are open. */
typedef struct labelled {
    double p[3][3][2][2];
} labelled;

static void labelled_step(const fifo_moves *moves, const labelled *from, labelled *to)
{
    *to = (labelled){0};
    for (int s = 0; s < 36; s++) {
        int want[2] = {s % 3, s / 3 % 3}, open[2] = {s / 9 % 2, s / 18}, u[2];
        for (int o = 0; o < 2; o++)
            u[o] = (want[0] == o) + (want[1] == o);
        /* destinations, and who goes first if both want the same output */
        for (int t = 0; t < 36 * 2; t++) {
            int then[2] = {t % 3, t / 3 % 3}, opened[2] = {t / 9 % 2, t / 18 % 2}, first = t / 36;
            double chance = 0.5;
            for (int i = 0; i < 2; i++) {
                int o = want[i];
                bool sends = o < 2 && open[o] && (u[o] == 1 || first == i);
                double next = o == 2 ? moves->arrives : moves->follows[o < 2 ? u[o] : 0];
                if (o < 2 && !sends)
                    chance *= then[i] == o;
                else
                    chance *= then[i] == 2 ? 1 - next : next / 2;
                chance *= moves->room[u[i] > 0][open[i]][opened[i]];
            }
            to->p[then[0]][then[1]][opened[0]][opened[1]] +=
                chance * from->p[want[0]][want[1]][open[0]][open[1]];
        }
    }
}

Test(approx_fifo, heads_behind_closed_outputs)
{
    fifo_moves moves = {.arrives = 0.35,
                        .follows = {0, 0.6, 0.8},
                        .room = {{{0.7, 0.3}, {0, 1}}, {{0.45, 0.55}, {0.9, 0.1}}}};
    swq_context *ctx = swq_context_new();
    labelled now = {.p[2][2][1][1] = 1}, then;
    fifo_heads h;
    double p[64] = {0}, next[64], work[64 * 3];

    cr_assert_eq(fifo_heads_init(ctx, 2, 2, &h), SWQ_OK);
    cr_assert_lt(h.states, 64);
    p[h.empty] = 1;
    for (int cycle = 0; cycle < 40; cycle++) {
        double mine[3][2] = {{0}}, its[3][2] = {{0}};
        fifo_heads_step(&h, &moves, p, next, work);
        memcpy(p, next, sizeof p);
        labelled_step(&moves, &now, &then);
        now = then;
        for (int i = 0; i < h.states; i++) {
            for (int c = 0; c < h.classes; c++)
                mine[c / 2][c % 2] += p[i] * h.count[i * h.classes + c] / 2;
        }
        for (int s = 0; s < 36; s++) {
            int a = s % 3, b = s / 3 % 3, open = s / 9 % 2, other = s / 18;
            its[(a == 0) + (b == 0)][open] += now.p[a][b][open][other];
        }
        for (int u = 0; u < 3; u++) {
            for (int open = 0; open < 2; open++)
                cr_assert_float_eq(mine[u][open], its[u][open], 1e-12, "cycle %d, %d heads: %g, %g",
                                   cycle, u, mine[u][open], its[u][open]);
        }
    }
    fifo_heads_clear(ctx, &h);
    swq_context_free(ctx);
}

/* With single slots, heads must remember which outputs are closed: without that, 4% more gets
 * through. */
Test(approx_fifo, single_slots)
{
    swq_approx_result r = approximate(4, 3, 1, false, 1);

    assert_relative(r.throughput, 0.243293, 0.01, "%g", r.throughput);
}

/* What is in a buffer of many slots would settle by plain steps in tens of thousands of them. */
Test(approx_fifo, long_buffers_settle)
{
    for (int discard = 0; discard < 2; discard++) {
        const swq_approx_result some = approximate(4, 3, 64, discard, 0.5);
        const swq_approx_result many = approximate(4, 3, 1000, discard, 0.5);
        assert_relative(many.latency, some.latency, 1e-5, "discard %d", discard);
        cr_assert(many.steps < 100, "discard %d: %d steps", discard, many.steps);
    }
}

Test(approx_fifo, limits)
{
    swq_context *ctx = swq_context_new();
    links_spec spec = spec_of(17, 2, 2, true, 0.5);
    swq_approx_result result = {0};

    cr_assert_eq(links_fifo(ctx, &spec, &result), SWQ_ELIMIT);
    cr_assert(strstr(swq_context_message(ctx), "17 ports"), "%s", swq_context_message(ctx));
    spec = spec_of(4, 3, 12, false, 0.5);
    swq_context_limit_memory(ctx, 100000);
    cr_assert_eq(links_fifo(ctx, &spec, &result), SWQ_ELIMIT);
    swq_context_limit_memory(ctx, 0);
    swq_context_cancel(ctx);
    cr_assert_eq(links_fifo(ctx, &spec, &result), SWQ_ECANCELLED);
    cr_assert_eq(result.throughput, 0);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(approx_fifo, every_allocation_fails)
{
    for (int for_good = 0; for_good < 2; for_good++) {
        swq_status status = SWQ_ENOMEM;
        size_t n = 0;
        for (; status; n++) {
            swq_context *ctx = swq_context_new();
            links_spec spec = spec_of(2, 2, 1, false, 0.5); /* with both chains of heads */
            swq_approx_result result = {0};
            cr_assert(n < 100);
            swq_context_fail_allocations(ctx, n, for_good);
            status = links_fifo(ctx, &spec, &result);
            cr_assert(status == SWQ_OK || status == SWQ_ENOMEM, "allocation %zu: %s", n,
                      swq_status_text(status));
            cr_assert_eq(result.throughput > 0, status == SWQ_OK);
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "allocation %zu", n);
            swq_context_free(ctx);
        }
        cr_assert(n > 10, "only %zu allocations", n);
    }
}
