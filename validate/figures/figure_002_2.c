/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figure 2 of the survey of congestion trees (Fecheyr-Lippens, section 3): how trees grow, where
 * congestion is seen along one, and how the root moves as flows come and go.
 * Room: validate. Includes base, sim.
 */
#include "base/context.h"
#include "validate/figures/congestion.h"
#include "validate/figures/makers.h"

#include <math.h>

/* Steps of a route: the stores of its switches in turn. */
enum { IN_1, OUT_1, IN_2, OUT_2, IN_3, OUT_3 };

#define FEW  2.0 /* packets, on average: so few that they are only passing through */
#define HALF (0.5 * CONGESTION_STORE)
#define MOST (0.75 * CONGESTION_STORE)

enum { TRADITIONAL, SPREAD_OUT, MOVING, CASES };

enum { JOIN = 4000, LEAVE = 6500 }; /* cycles */

/* Steps in SPREAD_OUT; sw_1 and sw_2 are alike, and so are sw_3 and sw_4. */
enum { LEAF_IN, LEAF_OUT, MIDDLE_IN, MIDDLE_OUT, ROOT_IN, ROOT_OUT };

/* Traditional: five flows from different switches meet only at the root. */
static const congestion_case traditional = {
    .ports = 8,
    .stages = 2,
    .speedup = 2,
    .panel = 0,
    .flows = 5,
    .places = 4,
    .place = {{"root egress", OUT_2, 0, 4, 1, 0},
              {"root ingress", IN_2, 0, 4, 1, 0},
              {"egress before it", OUT_1, 0, 4, 1, 0},
              {"ingress before it", IN_1, 0, 4, 1, 0}},
};

/* Eight flows: three meet at sw_1, three at sw_2; one more joins each in sw_3 and sw_4, and these
 * meet at the root. */
static const congestion_case spread_out = {
    .ports = 4,
    .stages = 3,
    .speedup = 2,
    .panel = 1,
    .flows = 8,
    .places = 6,
    .place = {{"sw1, sw2 ingress", IN_1, 0, 5, 1, 0},
              {"sw1, sw2 egress", OUT_1, 0, 5, 1, 0},
              {"sw3, sw4 ingress", IN_2, 0, 7, 1, 0},
              {"sw3, sw4 egress", OUT_2, 0, 7, 1, 0},
              {"root ingress", IN_3, 0, 7, 1, 0},
              {"root egress", OUT_3, 0, 7, 1, 0}},
};

/* Two flows share the first link, and one of the two has another destination; two more flows join
 * the other flow at its destination, and leave again. */
static const congestion_case moving = {
    .ports = 4,
    .stages = 3,
    .speedup = 2,
    .panel = 2,
    .flows = 4,
    .places = 3,
    .place = {{"its first switch", OUT_1, 0, 0, 1, 0},
              {"its second", OUT_2, 0, 0, 1, 0},
              {"its last", OUT_3, 0, 0, 1, 0}},
};

/* ---- choosing the flows ---- */

/* How two routes to destination 0 compare: separate up to that step, and the same from there on. */
static bool meet_at(const swq_fabric *f, uint32_t a, uint32_t b, int step)
{
    uint32_t one[CONGESTION_WAY], other[CONGESTION_WAY];

    congestion_way(f, a, 0, one);
    congestion_way(f, b, 0, other);
    return one[step] == other[step] && (step == 0 || one[step - 1] != other[step - 1]);
}

/* Adds the lowest sender that is in no flow yet and meets all senders of flows first .. last at
 * that step of their routes. */
static void add_meeting(const swq_fabric *f, congestion_case *row, int *flows, int first, int last,
                        int step)
{
    for (uint32_t s = 0; s < f->nodes; s++) {
        bool fits = true;
        for (int k = 0; k < *flows; k++)
            fits = fits && row->flow[k].source != s;
        for (int k = first; k <= last; k++)
            fits = fits && meet_at(f, s, row->flow[k].source, step);
        if (fits) {
            row->flow[(*flows)++] = (congestion_flow){.source = s};
            return;
        }
    }
}

static void choose_traditional(const swq_fabric *f, congestion_case *row)
{
    int flows = 0;

    while (flows < row->flows)
        add_meeting(f, row, &flows, 0, flows - 1, OUT_2);
}

static void choose_spread_out(const swq_fabric *f, congestion_case *row)
{
    int flows = 0;

    add_meeting(f, row, &flows, 0, -1, 0);
    add_meeting(f, row, &flows, 0, 0, OUT_1); /* at sw_1 */
    add_meeting(f, row, &flows, 0, 1, OUT_1);
    add_meeting(f, row, &flows, 0, 2, OUT_3); /* from elsewhere */
    add_meeting(f, row, &flows, 3, 3, OUT_1); /* at sw_2 */
    add_meeting(f, row, &flows, 3, 4, OUT_1);
    add_meeting(f, row, &flows, 0, 2, OUT_2); /* at sw_3 */
    add_meeting(f, row, &flows, 3, 5, OUT_2); /* and sw_4 */
}

/* The lowest destination whose route leaves the route to node 0 after the first link. */
static uint32_t elsewhere(const swq_fabric *f, uint32_t from)
{
    uint32_t to_0[CONGESTION_WAY], way[CONGESTION_WAY], to = 0;

    congestion_way(f, from, 0, to_0);
    do
        congestion_way(f, from, ++to, way);
    while (way[OUT_1] != to_0[OUT_1] || way[OUT_2] == to_0[OUT_2]);
    return to;
}

static void choose_moving(const swq_fabric *f, congestion_case *row)
{
    int flows = 0;

    add_meeting(f, row, &flows, 0, -1, 0);
    add_meeting(f, row, &flows, 0, 0, OUT_1);
    add_meeting(f, row, &flows, 0, 1, OUT_3);
    add_meeting(f, row, &flows, 0, 2, OUT_3);
    row->flow[1].destination = elsewhere(f, row->flow[1].source);
    for (int k = 2; k < flows; k++) {
        row->flow[k].from = JOIN;
        row->flow[k].until = LEAVE;
    }
}

/* ---- claims ---- */

static swq_estimate less_window(swq_estimate e)
{
    return (swq_estimate){e.mean, 0};
}

static void claim_grows(const congestion *c)
{
    figure_tally t = {0};
    double since[4] = {0};

    for (int run = 0; run < c->runs; run++) {
        for (int p = 0; p < 4; p++) {
            const swq_estimate at = congestion_since(c, TRADITIONAL, p, MOST, run);
            since[p] += at.mean / c->runs;
            if (p > 0)
                figure_less(&t, less_window(congestion_since(c, TRADITIONAL, p - 1, MOST, run)),
                            less_window(at), figure_where(traditional.place[p].name, run + 1));
        }
    }
    figure_claim(
        c->f, &t,
        "3, Fig. 2.a: flows that join only at the root: congestion grows from the root to "
        "the leaves",
        "the root's output store is three quarters full first, then its input stores, then "
        "the output stores before them, then the input stores of these, in every run",
        NULL, "in cycles %.0f, %.0f, %.0f and %.0f, on average", since[0], since[1], since[2],
        since[3]);
}

static void claim_where(const congestion *c)
{
    figure_tally first = {0}, later = {0};
    double leaf = 0, middle = 0, root = 0;

    for (int run = 0; run < c->runs; run++) {
        const swq_estimate at_leaf = congestion_then(c, SPREAD_OUT, LEAF_OUT, HALF, LEAF_IN, run),
                           at_middle =
                               congestion_then(c, SPREAD_OUT, MIDDLE_OUT, MOST, MIDDLE_IN, run),
                           at_root = congestion_then(c, SPREAD_OUT, ROOT_OUT, MOST, ROOT_IN, run);
        figure_at_least(&first, at_leaf, 2 * FEW, figure_where("run", run + 1));
        figure_at_most(&later, at_middle, FEW, figure_where("sw3, run", run + 1));
        figure_at_most(&later, at_root, FEW, figure_where("root, run", run + 1));
        leaf += at_leaf.mean / c->runs;
        middle += at_middle.mean / c->runs;
        root += at_root.mean / c->runs;
    }
    figure_claim(c->f, &first,
                 "3.1, Fig. 2.b: eight flows: where three meet, congestion first occurs at the "
                 "ingress side",
                 "when the output store of sw1 and sw2 is half full, their input stores hold at "
                 "least four packets each on average, in every run",
                 NULL, "%.1f packets in an input store then", leaf);
    figure_claim(c->f, &later,
                 "3.1, Fig. 2.b: ... and at the egress side of sw3, sw4 and the root, where two "
                 "streams meet",
                 "when the output store is three quarters full, its input stores hold at most two "
                 "packets each on average, in every run",
                 NULL,
                 "%.2f packets in an input store of sw3 and sw4 then, %.2f in one of the root",
                 middle, root);
}

/* The last switch of the route, 1 to 3, whose output store is at least half full; 0: none. */
static double root_at(const congestion *c, int cycle, int run)
{
    const int window = cycle / CONGESTION_WINDOW - 1;
    int root = 0;

    for (int p = 0; p < moving.places; p++) {
        if (congestion_packets(c, MOVING, p, window, run) >= HALF)
            root = p + 1;
    }
    return root;
}

static void claim_moves(const congestion *c)
{
    figure_tally down = {0}, up = {0};
    double root[3] = {0};

    for (int run = 0; run < c->runs; run++) {
        const double before = root_at(c, JOIN, run), during = root_at(c, LEAVE, run),
                     after = root_at(c, CONGESTION_END, run);
        const figure_place where = figure_where("run", run + 1);
        figure_less(&down, (swq_estimate){before, 0}, (swq_estimate){during, 0}, where);
        figure_less(&up, (swq_estimate){after, 0}, (swq_estimate){during, 0}, where);
        figure_at_least(&up, (swq_estimate){after, 0}, 1, where);
        root[0] += before / c->runs;
        root[1] += during / c->runs;
        root[2] += after / c->runs;
    }
    static const char criterion[] =
        "root: the last switch of a flow's way whose output store is at least half full";
    figure_claim(c->f, &down, "3.2: the root moves downstream as flows are added", criterion, NULL,
                 "switch %.1f of the way before two flows join at the destination, %.1f after",
                 root[0], root[1]);
    figure_claim(c->f, &up, "3.2: the root moves upstream as branches collapse", criterion, NULL,
                 "switch %.1f of the way before the two leave, %.1f at the end", root[1], root[2]);
}

static void claim(const congestion *c)
{
    claim_grows(c);
    claim_where(c);
    claim_moves(c);
}

swq_status figure_make_002_2(figure_work *f)
{
    static void (*const choose[CASES])(const swq_fabric *f, congestion_case *row) = {
        choose_traditional, choose_spread_out, choose_moving};
    congestion_case row[CASES] = {traditional, spread_out, moving};

    for (int k = 0; k < CASES; k++) {
        swq_fabric fabric;
        swq_status status = congestion_fabric(f->ctx, &row[k], &fabric);
        if (status)
            return status;
        choose[k](&fabric, &row[k]);
        swq_fabric_clear(f->ctx, &fabric);
    }
    return congestion_make(f, row, CASES, claim);
}
