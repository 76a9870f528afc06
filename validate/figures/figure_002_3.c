/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figure 3 of the survey of congestion trees (Fecheyr-Lippens, section 3.1): where packets queue in
 * a switch, by its speedup and the flows that meet.
 * Room: validate. Includes sim.
 */
#include "validate/figures/congestion.h"
#include "validate/figures/makers.h"

#include <math.h>

enum { IN, OUT };

#define FEW     2.0 /* packets, on average: so few that they are only passing through */
#define QUARTER (CONGESTION_STORE / 4.0)
#define MOST    (0.75 * CONGESTION_STORE)

#define ALONE(speedup_, panel_, flows_, ...)                                                       \
    {                                                                                              \
        .ports = 4, .stages = 1, .speedup = (speedup_), .panel = (panel_), .flows = (flows_),      \
        .places = 2, .flow = {__VA_ARGS__}, .place = {                                             \
            {"ingress", IN, 0, (flows_)-1, 1, 0},                                                  \
            {"egress", OUT, 0, (flows_)-1, 1, 0}                                                   \
        }                                                                                          \
    }

enum { SLOW, TWO, FOUR, APART, CUT_THROUGH, FOUR_NODES };

static const congestion_case cases[] = {
    [SLOW] = ALONE(1, 0, 2, {.source = 0}, {.source = 1}),
    [TWO] = ALONE(2, 1, 2, {.source = 0}, {.source = 1}),
    [FOUR] = ALONE(2, 2, 4, {.source = 0}, {.source = 1}, {.source = 2}, {.source = 3}),
    [APART] = ALONE(2, -1, 4, {0, 0, 0, 0}, {1, 1, 0, 0}, {2, 2, 0, 0}, {3, 3, 0, 0}),
    [CUT_THROUGH] = {.ports = 4,
                     .stages = 1,
                     .speedup = 2,
                     .cut_through = true,
                     .panel = -1,
                     .flows = 2,
                     .places = 2,
                     .flow = {{.source = 0}, {.source = 1}},
                     .place = {{"ingress", IN, 0, 1, 1, 0}, {"egress", OUT, 0, 1, 1, 0}}},
    /* four flows that leave a switch by one output, for four nodes of the next switch */
    [FOUR_NODES] = {.ports = 4,
                    .stages = 2,
                    .speedup = 2,
                    .panel = -1,
                    .flows = 4,
                    .places = 2,
                    .flow = {{0, 0, 0, 0}, {4, 1, 0, 0}, {8, 2, 0, 0}, {12, 3, 0, 0}},
                    .place = {{"ingress", IN, 0, 3, 1, 0}, {"egress", OUT, 0, 3, 1, 0}}},
};

/* The most packets that a place ever holds. */
static swq_estimate most(const congestion *c, int row, int place, int run)
{
    double packets = 0;

    for (int w = 0; w < CONGESTION_WINDOWS; w++)
        packets = fmax(packets, congestion_packets(c, row, place, w, run));
    return (swq_estimate){packets, 0};
}

static void claim(const congestion *c)
{
    figure_tally at_ingress = {0}, at_egress = {0}, again = {0}, regardless = {0};
    double out_most = 0, in_then = 0, in_again = 0, of_nodes = 0, others = 0, cut = 0;

    for (int run = 0; run < c->runs; run++) {
        const figure_place where = figure_where("run", run + 1);
        const swq_estimate out = most(c, SLOW, OUT, run),
                           then = congestion_then(c, TWO, OUT, MOST, IN, run),
                           in = congestion_then(c, FOUR, OUT, MOST, IN, run),
                           nodes = congestion_then(c, FOUR_NODES, OUT, MOST, IN, run);
        figure_at_least(&at_ingress, most(c, SLOW, IN, run), MOST, where);
        figure_at_most(&at_ingress, out, FEW, where);
        figure_at_most(&at_egress, then, FEW, where);
        figure_at_least(&again, in, QUARTER, where);
        figure_at_least(&regardless, nodes, QUARTER, where);
        out_most += out.mean / c->runs;
        in_then += then.mean / c->runs;
        in_again += in.mean / c->runs;
        of_nodes += nodes.mean / c->runs;
        others += most(c, APART, IN, run).mean / c->runs;
        cut += congestion_then(c, CUT_THROUGH, OUT, MOST, IN, run).mean / c->runs;
    }
    figure_claim(
        c->f, &at_ingress, "3.1, Fig. 3.a: two flows, no speedup: congestion at the ingress side",
        "the input stores become three quarters full, and the output store never holds more "
        "than two packets, in every run",
        NULL, "the output store holds at most %.2f packets", out_most);
    figure_claim(
        c->f, &at_egress,
        "3.1, Fig. 3.b: two flows, a speedup of two: congestion at the egress side",
        "when the output store is three quarters full, an input store holds at most two "
        "packets, in every run",
        NULL,
        "%.2f packets in an input store then; %.1f with cut-through, where a packet that still "
        "arrives holds the crossbar at the link's speed",
        in_then, cut);
    figure_claim(
        c->f, &again, "3.1, Fig. 3.c: more flows than the speedup: once again at the ingress side",
        "when the output store is three quarters full, an input store is at least a quarter "
        "full, in every run",
        NULL, "four flows: %.1f packets of %d in an input store then", in_again, CONGESTION_STORE);
    figure_claim(c->f, &regardless, "3.1: ... regardless of the destination of the flows",
                 "four flows through one output for four nodes: as above, in every run", NULL,
                 "%.1f packets of %d in an input store then; flows for four outputs, at most %.2f",
                 of_nodes, CONGESTION_STORE, others);
}

swq_status figure_make_002_3(figure_work *f)
{
    return congestion_make(f, cases, (int)(sizeof cases / sizeof *cases), claim);
}
