/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figure 7 of the RECN-IQ paper (Mora, Garcia, Flich and Duato, section 4.2): a hot spot that ends,
 * with 0, 2, 4 and 8 set-aside queues a port.
 * Room: validate. Includes sim.
 */
#include "validate/figures/makers.h"
#include "validate/figures/over_time.h"

#include <math.h>

enum { HOT = 6, BURST = 100000, SLOT = 64 /* bytes */, WINDOW = 5000 };

/* The lines of a network, by their number of SAQs. */
enum { NONE, TWO, FOUR, EIGHT, SAQS };

/* The probability of messages for the hot node alone, when the others go to all nodes but their
 * sender: a tenth then goes to the hot node in all, and the rest to all other nodes alike. */
#define TENTH(nodes) ((0.1 * ((nodes)-1) - 1) / ((nodes)-2))

#define TO_HOT(p)                                                                                  \
    {                                                                                              \
        .probability = (p), .aim = SWQ_AIM_NODE, .value = HOT, .length = { SWQ_CONSTANT, SLOT, 0 } \
    }
#define TO_ALL(p)                                                                                  \
    {                                                                                              \
        .probability = (p), .pattern = &swq_pattern_uniform, .length = { SWQ_CONSTANT, SLOT, 0 }   \
    }

/* Senders that create as much as a link carries, and lose packets for which their interface has no
 * room. */
#define SENDERS .kind = SWQ_SOURCE_OPEN, .interval = {SWQ_CONSTANT, SLOT, 0}

#define SCENE(levels_, nodes_, end_)                                                               \
    {                                                                                              \
        .arity = 4, .levels = (levels_), .end = (end_), .window = WINDOW, .over = BURST,           \
        .groups = 2, .group = {                                                                    \
            {.until = BURST,                                                                       \
             SENDERS,                                                                              \
             .type = {TO_HOT(TENTH(nodes_)), TO_ALL(1 - TENTH(nodes_))},                           \
             .types = 2},                                                                          \
            {.from = BURST, SENDERS, .type = {TO_ALL(1)}, .types = 1}                              \
        }                                                                                          \
    }

static const over_time_scene small = SCENE(3, 64, 250000), large = SCENE(4, 256, 300000);

/* An interface is full with 64 packets in its cold queue, and has as much room as its SAQs need: no
 * sender creates more packets. If an interface holds no more than these 64 packets, the senders are
 * soon full of packets for the hot node, and the document's numbers are not reproduced, as the
 * third panel shows. */
enum { COLD = 64, ROOM = 4096 };

#define LINE(name_, scene_, saqs_, interface_, panel_)                                             \
    {                                                                                              \
        .name = (name_), .scene = &(scene_), .management = &swq_management_recn_iq,                \
        .saqs = (saqs_), .interface = (interface_), .cold = COLD, .slots = 64, .panel = (panel_)   \
    }
#define LINES(scene_, interface_, panel_)                                                          \
    LINE("no SAQs", scene_, 0, interface_, panel_), LINE("2 SAQs", scene_, 2, interface_, panel_), \
        LINE("4 SAQs", scene_, 4, interface_, panel_),                                             \
        LINE("8 SAQs", scene_, 8, interface_, panel_)

enum { SMALL, LARGE, TIGHT };

static const over_time_line lines[] = {LINES(small, ROOM, SMALL), LINES(large, ROOM, LARGE),
                                       LINES(small, COLD, TIGHT)};

/* The throughput that the link to the hot node allows: the packets for the hot node that the link
 * can carry, fewer than are sent, plus all other packets. The hot node sends itself nothing. */
static double bound(const over_time_scene *scene)
{
    const double nodes = pow(scene->arity, scene->levels);

    return 0.9 * (nodes - 1) / nodes + (1 - TENTH(nodes)) / nodes + 1 / nodes;
}

static swq_estimate during(const over_time *t, int panel, int saqs)
{
    return over_time_mean(t, panel * SAQS + saqs, OVER_TIME_DURING);
}

static swq_estimate in_the_end(const over_time *t, int panel)
{
    return over_time_mean(t, panel * SAQS + NONE, OVER_TIME_END);
}

static void claim(const over_time *t)
{
    figure_tally low = {0}, persists = {0}, two = {0}, four = {0}, eight = {0};
    const double most[2] = {bound(&small), bound(&large)};
    const swq_estimate ends[2] = {in_the_end(t, SMALL), in_the_end(t, LARGE)}, usual = {0.65, 0},
                       half = {0.325, 0}; /* Fig. 6, without SAQs */

    for (int k = 0; k < 2; k++) {
        const figure_place where = figure_where("nodes", k ? 256 : 64);
        figure_at_most(&low, figure_ratio(during(t, k, NONE), (swq_estimate){most[k], 0}), 0.5,
                       where);
    }
    figure_claim(t->f, &low,
                 "4.2, Fig. 7: without SAQs efficiency drops to unacceptable levels during the "
                 "hot spot",
                 "less than half of what the hot link allows, in the last three quarters of the "
                 "hot spot",
                 NULL, "%.3f of %.3f (64 nodes), %.3f of %.3f (256)", during(t, SMALL, NONE).mean,
                 most[0], during(t, LARGE, NONE).mean, most[1]);
    figure_same(&persists, ends[0], usual, 0.1, 0, figure_where("nodes", 64));
    figure_less(&persists, ends[1], half, figure_where("nodes", 256));
    figure_claim(t->f, &persists,
                 "4.2, Fig. 7: with 256 nodes congestion persists long after the hot spot",
                 "efficiency without SAQs with 64 nodes is back within 10% of 0.65, what Fig. 6 "
                 "has, from 212,500 cycles on, and with 256 nodes still below half of that from "
                 "250,000 on",
                 NULL, "%.3f with 64 nodes, %.3f with 256", ends[0].mean, ends[1].mean);
    figure_same(&two, during(t, SMALL, TWO), (swq_estimate){0.8, 0}, 0.05, 0,
                figure_where("nodes", 64));
    figure_claim(t->f, &two, "4.2, Fig. 7.a: with only 2 SAQs, 80% of efficiency (64 nodes)",
                 "within 5% of 0.8, in the last three quarters of the hot spot", NULL,
                 "%.3f; with interfaces of %d packets in all %.3f", during(t, SMALL, TWO).mean,
                 COLD, during(t, TIGHT, TWO).mean);
    figure_same(&four, during(t, SMALL, FOUR), (swq_estimate){most[0], 0}, 0.03, 0,
                figure_where("nodes", 64));
    figure_claim(t->f, &four,
                 "4.2, Fig. 7.a: 4 SAQs are enough for eliminating the effects of congestion (64 "
                 "nodes)",
                 "within 3% of what the link to the hot node allows", NULL,
                 "%.3f of %.3f; with interfaces of %d packets in all %.3f",
                 during(t, SMALL, FOUR).mean, most[0], COLD, during(t, TIGHT, FOUR).mean);
    figure_same(&eight, during(t, LARGE, EIGHT), (swq_estimate){most[1], 0}, 0.03, 0,
                figure_where("nodes", 256));
    figure_claim(t->f, &eight, "4.2, Fig. 7.b: 8 SAQs guarantee the most (256 nodes)",
                 "within 3% of what the link to the hot node allows", NULL,
                 "%.3f of %.3f; with 4 SAQs %.3f", during(t, LARGE, EIGHT).mean, most[1],
                 during(t, LARGE, FOUR).mean);
}

swq_status figure_make_000_7(figure_work *f)
{
    return over_time_make(f, lines, (int)(sizeof lines / sizeof *lines), claim);
}
