/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Worms in tori: numbers, limits, what equal bisection says of dimensions, worms simulated flit by
 * flit, and the simulator's virtual cut-through with little room.
 */
#include "tests/models/formulas/rows.h"
#include "tests/sim/inspector.h"

#include <gsl/gsl_rng.h>

static swq_dally solve(int extent, int dims, double load, double length, double width)
{
    swq_dally d;

    swq_dally_solve(extent, dims, load, length, width, &d);
    return d;
}

Test(dally, numbers)
{
    /* alone: hops of messages that are not to the node itself, and the body */
    assert_relative(row_value("dally", "8 2 0 64", "alone"), 7 * 64 / 63.0 + 16, 1e-14, "8x8");
    cr_assert_eq(row_value("dally", "8 2 0 64", "wait"), 0);
    cr_assert_eq(row_value("dally", "8 2 0 64", "width"), 4);
    cr_assert_eq(row_value("dally", "8 2 0 64", "hops"), 7);
    assert_relative(row_value("dally", "8 2 0.4 64", "utilisation"), 0.35, 1e-14, "");
    cr_assert(isinf(row_value("dally", "8 2 0.4 64", "latency")));
    /* a ring of 3, links of 1: a = e / 2 = u / 3, one worm that enters and one that passes */
    double u = 0.2, t = (1 - sqrt(1 - 4 * u / 3)) / (2 * u / 3);
    assert_relative(solve(3, 1, u, 10, 1).wait, (2 * t / 3 + 1 / 3.0 - 1) * 10 * 3 / 2, 1e-13, "3");
    /* a binary cube of one dimension has no waits except at the sender: M/D/1 */
    cr_assert_eq(solve(2, 1, 0.5, 10, 1).wait, 0);
    assert_relative(solve(2, 1, 0.5, 10, 1).source_wait, 5, 1e-14, "M/D/1");
    row_fails("dally", "1 2 0.1 64", SWQ_EINVAL, "extent");
}

/* Of first order in the load: each dimension adds half of (k - 1 - s_i) e (L/W)^2, and those that
 * skip it nothing. */
Test(dally, light_load)
{
    for (int k = 2; k <= 16; k *= 2) {
        const double load = 1e-6, body = 64 / (k / 2.0), e = load / 64 * (k - 1) / k;
        double s1 = 1, s2 = 1.0 / (k * k) + (1 - 1.0 / k) * (1 - 1.0 / k);
        double wait = (1 - 1.0 / k) * (2 * (k - 1) - s1 - s2) * e * body * body / 2;
        assert_relative(solve(k, 2, load, 64, 0).wait * (1 - 1.0 / (k * k)), wait, 1e-4, "%d", k);
    }
}

Test(dally, scales)
{
    /* only L/W matters, and the load on the links */
    swq_dally one = solve(8, 3, 0.2, 64, 4), half = solve(8, 3, 0.1, 32, 2);
    assert_relative(one.wait, half.wait, 1e-13, "");
    assert_relative(one.saturation, 2 * half.saturation, 1e-13, "");
    for (int k = 2; k <= 64; k *= 2) {
        swq_dally d = solve(k, 2, 0, 1, 0), full;
        full = solve(k, 2, d.saturation * (1 - 1e-9), 1, 0);
        cr_assert(isfinite(full.latency) && isfinite(full.source_wait), "%d", k);
        full = solve(k, 2, d.saturation * (1 + 1e-9), 1, 0);
        cr_assert(isinf(full.latency) || isinf(full.source_wait), "%d", k);
        cr_assert(d.saturation < d.capacity);
    }
}

/* The point of equal bisection: with few dimensions a message of 150 bits arrives soonest. */
Test(dally, few_dimensions_are_quick)
{
    const int extents[][5] = {{256, 16, 0, 4}, {1024, 32, 0, 0, 4}};

    for (int c = 0; c < 2; c++)
        for (int n = 1; n <= 5; n++)
            if (n != 2 && extents[c][n - 1])
                cr_assert(solve(extents[c][1], 2, 0, 150, 0).alone <
                          solve(extents[c][n - 1], n, 0, 150, 0).alone);
}

/* ---- worms, flit by flit ---- */

enum { NODES = 64, DIMS = 3, LANES = 2, ROOM = 2, HOPS = 32, CHANNELS = NODES * DIMS };

/* in[j]: flits that have entered lane[j]; in[hops]: flits that have arrived. */
typedef struct worm {
    double start;
    int hops, held, freed, lane[HOPS], in[HOPS + 1];
    struct worm *next;
} worm;

typedef struct {
    int extent, dims, length, turn[CHANNELS], places[CHANNELS * LANES];
    worm *owner[CHANNELS * LANES], *all, *sending[NODES];
    int waiting[NODES]; /* messages at the senders */
    gsl_rng *rng;
    double sum, count;
} worms;

/* Dimension by dimension; the second lane of a link is for worms that have crossed the
 * wraparound. */
static void start(worms *w, int node, double now)
{
    int to = (int)gsl_rng_uniform_int(w->rng, NODES), stride = 1;
    worm *m = calloc(1, sizeof *m);

    m->start = now;
    for (int d = 0; d < w->dims; d++, stride *= w->extent) {
        for (int wrapped = 0; node / stride % w->extent != to / stride % w->extent;) {
            bool last = node / stride % w->extent == w->extent - 1;
            m->lane[m->hops++] = (node * w->dims + d) * LANES + wrapped;
            node += last ? -(w->extent - 1) * stride : stride;
            wrapped |= last;
        }
    }
    if (m->hops == 0) {
        free(m);
        return;
    }
    m->next = w->all;
    w->all = w->sending[m->lane[0] / (LANES * w->dims)] = m;
}

/* Heads take free lanes; an arbitrary one of several. */
static void take_lanes(worms *w)
{
    static worm *winner[CHANNELS * LANES];
    int asking[CHANNELS * LANES] = {0};

    for (worm *m = w->all; m; m = m->next) {
        bool here = m->held < m->hops && (m->held == 0 || m->in[m->held - 1] > 0);
        int lane = here ? m->lane[m->held] : 0;
        if (here && !w->owner[lane] &&
            gsl_rng_uniform_int(w->rng, (unsigned long)++asking[lane]) == 0)
            winner[lane] = m;
    }
    for (int lane = 0; lane < CHANNELS * LANES; lane++) {
        if (!asking[lane])
            continue;
        w->owner[lane] = winner[lane];
        w->places[lane] = winner[lane]->held++;
    }
}

/* Moves a flit over each link, lanes taking turns, and one of each worm that has arrived. */
static void move_flits(worms *w)
{
    static struct {
        worm *m;
        int place;
    } move[CHANNELS + NODES * 4];
    int moves = 0;

    for (int c = 0; c < NODES * w->dims; c++) {
        for (int k = 0; k < LANES; k++) {
            int lane = c * LANES + (w->turn[c] + k) % LANES, j = w->places[lane];
            worm *m = w->owner[lane];
            int before = !m ? 0 : j == 0 ? w->length : m->in[j - 1];
            if (!m || m->in[j] == before || m->in[j] - m->in[j + 1] == ROOM)
                continue;
            move[moves].m = m;
            move[moves++].place = j;
            w->turn[c] = lane % LANES + 1;
            break;
        }
    }
    for (worm *m = w->all; m; m = m->next) {
        if (m->in[m->hops] < m->in[m->hops - 1])
            m->in[m->hops]++;
    }
    for (int k = 0; k < moves; k++)
        move[k].m->in[move[k].place]++;
}

static void leave(worms *w, double now, bool count)
{
    for (int i = 0; i < NODES; i++)
        if (w->sending[i] && w->sending[i]->in[0] == w->length)
            w->sending[i] = NULL;
    for (worm **at = &w->all; *at;) {
        worm *m = *at;
        for (; m->freed < m->hops && m->in[m->freed + 1] == w->length; m->freed++)
            w->owner[m->lane[m->freed]] = NULL;
        if (m->in[m->hops] < w->length) {
            at = &m->next;
            continue;
        }
        w->sum += count ? now - m->start : 0;
        w->count += count;
        *at = m->next;
        free(m);
    }
}

/* Mean latency from the first link on; the last flit of a lone worm arrives at the end of cycle
 * hops + length - 1 after its start. */
static double latency(int extent, int dims, int length, double utilisation, int cycles)
{
    static worms w;
    const double rate = utilisation / ((extent - 1) / 2.0) / length;

    w = (worms){.extent = extent, .dims = dims, .length = length};
    w.rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int t = 0; t < cycles; t++) {
        for (int i = 0; i < NODES; i++) {
            w.waiting[i] += gsl_rng_uniform(w.rng) < rate;
            if (w.sending[i] || w.waiting[i] == 0)
                continue;
            w.waiting[i]--;
            start(&w, i, t);
        }
        take_lanes(&w);
        move_flits(&w);
        leave(&w, t, t > cycles / 5);
    }
    for (worm *m = w.all, *next; m; m = next) {
        next = m->next;
        free(m);
    }
    gsl_rng_free(w.rng);
    return w.sum / w.count + 1;
}

Test(dally, worms_simulated, .timeout = 240)
{
    const struct {
        int extent, dims, length;
        double utilisation, low, high;
    } cases[] = {{8, 2, 16, 0.02, 0.98, 1.01},
                 {8, 2, 16, 0.1, 0.95, 1},
                 {8, 2, 16, 0.15, 0.94, 0.99},
                 {4, 3, 32, 0.1, 0.95, 1},
                 {4, 3, 32, 0.2, 0.87, 0.95}};

    for (int c = 0; c < 5; c++) {
        double found =
            latency(cases[c].extent, cases[c].dims, cases[c].length, cases[c].utilisation, 12000);
        double load = cases[c].utilisation / ((cases[c].extent - 1) / 2.0);
        double formula = solve(cases[c].extent, cases[c].dims, load, cases[c].length, 1).latency;
        cr_assert(formula > cases[c].low * found && formula < cases[c].high * found,
                  "case %d: %g, not %g", c, formula, found);
    }
}

/* Each queue has room for exactly one message, which thus holds fewer links than a worm. The
 * simulator counts one more switch and the wait at the sender, and not the last byte. */
Test(dally, cut_through_simulated, .timeout = 240)
{
    const double utilisation[] = {0.1, 0.15, 0.2}, low[] = {0.98, 1.01, 1.05},
                 high[] = {1.05, 1.08, 1.15};

    for (int k = 0; k < 3; k++) {
        swq_shape shape = shape_of_grid("torus", 2, 8);
        shape.one_way = true;
        swq_async n = async_network(shape, "safc", 4 * 16);
        const double hops = 7 * 64 / 63.0, load = utilisation[k] / (hops / 2);
        n.link.hop_delay = 1;
        n.link.rest = 0;
        n.packet.block = n.packet.max = 16;
        swq_sender_group g = swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, load, constantly(16));
        n.traffic.group = &g;
        n.traffic.groups = 1;
        swq_sim_options options = run_of(9, 1, 2000, 60000);
        double l = run_async(&n, &options, NULL).sim.all.latency.mean - 1 + 16;
        swq_dally d = solve(8, 2, utilisation[k] / 3.5, 16, 1);
        double formula = d.latency + d.source_wait;
        cr_assert(formula > low[k] * l && formula < high[k] * l, "%g: %g, not %g", utilisation[k],
                  formula, l);
    }
}
