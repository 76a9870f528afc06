/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * RECN over time: figures 11 and 12 of the survey of congestion (Kokkalis and others, section 5),
 * and figures 7 and 8 of the survey of congestion trees (Fecheyr-Lippens, section 5.1).
 * Room: validate. Includes sim.
 *
 * The documents do not say which nodes send where. Here 48 nodes send to all others, at half load
 * in the first document's figures and as much as they can in the second's. The other 16 nodes, one
 * at each leaf switch, send nothing, except for 100 microseconds, in which they send as much as
 * they can to one node. Links rest as everywhere else in this engine. Nor do the documents say what
 * follows a refused notice: every figure has all values of --refused, and the claims are judged on
 * the value that fits all figures together (docs/congestion.md).
 */
#include "validate/figures/makers.h"
#include "validate/figures/over_time.h"

#include <math.h>

enum {
    SLOT = 64 /* bytes */,
    SLOTS = 512,
    INTERFACE = 64,
    REST = 2, /* cycles that a link pauses between packets */
    HOT = 5,
    LARGE_HOT = 21,
    FEW = 8,
    ONSET = 100000,
    OVER = 200000,
    END = 300000,
    LONG_END = 500000 /* enough to see whether throughput is back */
};

#define LENGTH .length = {SWQ_CONSTANT, SLOT, 0}
#define TO_ALL .type = {{.probability = 1, .pattern = &swq_pattern_uniform, LENGTH}}, .types = 1
#define TO_ONE(node_)                                                                              \
    .type = {{.probability = 1, .aim = SWQ_AIM_NODE, .value = (node_), LENGTH}}, .types = 1

/* ... to the nodes 8 .. 11 and 8 .. 15 of 64. (Nodes with one lowest digit share their ways up, and
 * their trees are one.) */
#define TO_FEW(mask_)                                                                              \
    .type = {{.probability = 1, .aim = SWQ_AIM_SUBSET, .mask = (mask_), .value = FEW, LENGTH}},    \
    .types = 1

/* The intervals of nodes that send as much as they can, and of nodes that send at half load. */
#define ALL_THEY_CAN .kind = SWQ_SOURCE_HOLD, .interval = {SWQ_CONSTANT, 0, 0}
#define HALF         .kind = SWQ_SOURCE_HOLD, .interval = {SWQ_GEOMETRIC, SLOT - REST, 0}

#define SCENE(levels_, end_, hot_, load_)                                                          \
    {                                                                                              \
        .arity = 4, .levels = (levels_), .end = (end_), .window = 5000, .onset = ONSET,            \
        .over = OVER, .link_rest = REST, .in_bytes = true, .groups = 3, .group = {                 \
            {.mask = 3, .from = ONSET, .until = OVER, ALL_THEY_CAN, hot_},                         \
            {.mask = 3, .silent = true, ALL_THEY_CAN, TO_ALL},                                     \
            {load_, TO_ALL}                                                                        \
        }                                                                                          \
    }

static const over_time_scene half_scene = SCENE(3, END, TO_ONE(HOT), HALF),
                             onset_scene = SCENE(3, OVER, TO_ONE(HOT), HALF),
                             full_scene = SCENE(3, LONG_END, TO_ONE(HOT), ALL_THEY_CAN),
                             large_scene = SCENE(4, END, TO_ONE(LARGE_HOT), ALL_THEY_CAN),
                             four_scene = SCENE(3, OVER, TO_FEW(60), HALF),
                             eight_scene = SCENE(3, OVER, TO_FEW(56), HALF),
                             large_onset_scene = SCENE(4, OVER, TO_ONE(LARGE_HOT), HALF);

enum { SLOW = 2, FAST = 3 }; /* bytes that a crossbar carries in two cycles */

#define LINE_OF(name_, scene_, management_, saqs_, interface_, speed_, refused_, panel_)           \
    {                                                                                              \
        .name = (name_), .scene = &(scene_), .management = &(management_), .saqs = (saqs_),        \
        .interface = (interface_), .speed_bytes = (speed_), .speed_cycles = 2, .slots = SLOTS,     \
        .refused = (refused_), .panel = (panel_)                                                   \
    }

/* Basic RECN with each value of --refused: RECN alone refuses notices although a SAQ is free. */
#define BASIC_LINES(LINE_, scene_, speed_)                                                         \
    LINE_("RECN", scene_, swq_management_recn, speed_, SWQ_REFUSED_HOLD),                          \
        LINE_("RECN, fill", scene_, swq_management_recn, speed_, SWQ_REFUSED_FILL),                \
        LINE_("RECN, repeat", scene_, swq_management_recn, speed_, SWQ_REFUSED_REPEAT)

#define LINE(name_, scene_, management_, speed_, refused_)                                         \
    LINE_OF(name_, scene_, management_, -1, INTERFACE, speed_, refused_, 0)
#define OTHER(name_, scene_, management_, speed_)                                                  \
    LINE(name_, scene_, management_, speed_, SWQ_REFUSED_FILL)
#define LARGE(name_, management_)                                                                  \
    LINE_OF(name_, large_scene, management_, -1, INTERFACE, FAST, SWQ_REFUSED_FILL, 1)

/* ---- document 002 ---- */

/* Lines of 002.7 and 002.8; 002.7 has the last three alone. */
enum {
    BASIC,
    FILLING,
    REPEATING,
    ENHANCED,
    FLOWS,
    VOQSW,
    VOQNET,
    LARGE_FLOWS,
    LARGE_VOQSW,
    LARGE_NET
};

#define SCHEMES(speed_)                                                                            \
    BASIC_LINES(LINE, full_scene, speed_),                                                         \
        OTHER("enhanced RECN", full_scene, swq_management_recn_enhanced, speed_),                  \
        OTHER("FBICM", full_scene, swq_management_fbicm, speed_),                                  \
        OTHER("VOQsw", full_scene, swq_management_voqsw, speed_)

static const over_time_line with_speedup[] = {SCHEMES(FAST),
                                              OTHER("VOQnet", full_scene, swq_management_voqnet,
                                                    FAST),
                                              LARGE("FBICM", swq_management_fbicm),
                                              LARGE("VOQsw", swq_management_voqsw),
                                              LARGE("VOQnet", swq_management_voqnet)},
                            without[] = {SCHEMES(SLOW)};

static double part_of_before(const over_time *t, int line, over_time_part part)
{
    return over_time_mean(t, line, part).mean / over_time_mean(t, line, OVER_TIME_BEFORE).mean;
}

/* Throughput in that part is within 3% of the throughput before. */
static void as_before(const over_time *t, figure_tally *tally, int line, over_time_part part)
{
    figure_same(tally, over_time_mean(t, line, part), over_time_mean(t, line, OVER_TIME_BEFORE),
                0.03, 0, figure_where(t->line[line].name, part == OVER_TIME_AFTER ? OVER : ONSET));
}

static void claim_kept(const over_time *t, const char *text, int line)
{
    figure_tally kept = {0};

    as_before(t, &kept, line, OVER_TIME_DURING);
    as_before(t, &kept, line, OVER_TIME_AFTER);
    figure_claim(t->f, &kept, text,
                 "in the last three quarters of the congestion, and of the time after it, "
                 "throughput is within 3% of what it was before",
                 NULL, "%.1f bytes/ns before, %.1f in it, %.1f after",
                 over_time_mean(t, line, OVER_TIME_BEFORE).mean,
                 over_time_mean(t, line, OVER_TIME_DURING).mean,
                 over_time_mean(t, line, OVER_TIME_AFTER).mean);
}

/* The text's numbers as a fraction of the throughput before, since the text does not give the
 * load. */
static void claim_drop(const over_time *t, const char *text, double before, double during)
{
    const double print = during / before, found = part_of_before(t, BASIC, OVER_TIME_DURING);
    figure_tally drop = {0};

    figure_same(&drop, (swq_estimate){found, 0}, (swq_estimate){print, 0}, 0.1, 0.1,
                figure_where("RECN", ONSET));
    figure_claim(t->f, &drop, text,
                 "throughput in the last three quarters of the congestion, relative to the time "
                 "before, equals the printed ratio, to 0.1",
                 NULL, "%.2f of %.1f bytes/ns (print %.2f); fill %.2f, repeat %.2f", found,
                 over_time_mean(t, BASIC, OVER_TIME_BEFORE).mean, print,
                 part_of_before(t, FILLING, OVER_TIME_DURING),
                 part_of_before(t, REPEATING, OVER_TIME_DURING));
}

static void claim_recovers(const over_time *t)
{
    figure_tally back = {0};

    as_before(t, &back, BASIC, OVER_TIME_END);
    figure_claim(
        t->f, &back, "5.1, Fig. 7: when the congestion tree disappears, basic RECN recovers",
        "in the last quarter of the time after the congestion (from 425 microseconds on), "
        "throughput is within 3% of what it was before",
        NULL, "%.1f bytes/ns before, %.1f from 275 on, %.1f from 425 on; fill %.1f, repeat %.1f",
        over_time_mean(t, BASIC, OVER_TIME_BEFORE).mean,
        over_time_mean(t, BASIC, OVER_TIME_AFTER).mean,
        over_time_mean(t, BASIC, OVER_TIME_END).mean,
        over_time_mean(t, FILLING, OVER_TIME_END).mean,
        over_time_mean(t, REPEATING, OVER_TIME_END).mean);
}

static void claim_worst(const over_time *t)
{
    static const int versions[] = {BASIC, ENHANCED};
    figure_tally worst = {0};

    for (int k = 0; k < 2; k++) {
        for (over_time_part part = OVER_TIME_DURING; part <= OVER_TIME_AFTER; part++)
            figure_less(
                &worst, over_time_mean(t, VOQSW, part), over_time_mean(t, versions[k], part),
                figure_where(t->line[versions[k]].name, part == OVER_TIME_DURING ? ONSET : OVER));
    }
    figure_claim(t->f, &worst,
                 "5.1, Fig. 7: speedup 1.5: the performance of VOQsw is quite poor, and both "
                 "versions of RECN are a lot better",
                 "VOQsw carries less than RECN and than enhanced RECN, in the last three quarters "
                 "of the congestion and of the time after it",
                 NULL,
                 "in it VOQsw %.1f, RECN %.1f, enhanced RECN %.1f bytes/ns; after it %.1f, %.1f, "
                 "%.1f",
                 over_time_mean(t, VOQSW, OVER_TIME_DURING).mean,
                 over_time_mean(t, BASIC, OVER_TIME_DURING).mean,
                 over_time_mean(t, ENHANCED, OVER_TIME_DURING).mean,
                 over_time_mean(t, VOQSW, OVER_TIME_AFTER).mean,
                 over_time_mean(t, BASIC, OVER_TIME_AFTER).mean,
                 over_time_mean(t, ENHANCED, OVER_TIME_AFTER).mean);
}

/* Section 5.2, on 64 and on 256 nodes: FBICM, the most that can be had, and VOQsw. */
static const int of_size[2][3] = {{FLOWS, VOQNET, VOQSW}, {LARGE_FLOWS, LARGE_NET, LARGE_VOQSW}};

static void claim_fbicm(const over_time *t)
{
    figure_tally most = {0}, poor = {0};

    for (int k = 0; k < 2; k++) {
        const figure_place nodes = figure_where("nodes", k ? 256 : 64);
        for (over_time_part part = OVER_TIME_DURING; part <= OVER_TIME_AFTER; part++) {
            const swq_estimate flows = over_time_mean(t, of_size[k][0], part),
                               net = over_time_mean(t, of_size[k][1], part),
                               sw = over_time_mean(t, of_size[k][2], part);
            figure_same(&most, flows, net, 0.03, 0, nodes);
            figure_less(&poor, sw, flows, nodes);
        }
    }
    figure_claim(
        t->f, &most, "5.2: FBICM has the maximum performance, as VOQnet, in any network",
        "as much as VOQnet, to 3%, in the last three quarters of the congestion and of the "
        "time after it, with 64 and with 256 nodes",
        NULL, "64 nodes: %.1f, VOQnet %.1f; 256 nodes: %.1f, VOQnet %.1f in it",
        over_time_mean(t, FLOWS, OVER_TIME_DURING).mean,
        over_time_mean(t, VOQNET, OVER_TIME_DURING).mean,
        over_time_mean(t, LARGE_FLOWS, OVER_TIME_DURING).mean,
        over_time_mean(t, LARGE_NET, OVER_TIME_DURING).mean);
    figure_claim(t->f, &poor, "5.2: VOQsw is poor with a hot spot, in any network",
                 "less than FBICM in the last three quarters of the congestion and of the time "
                 "after it, with 64 and with 256 nodes",
                 NULL, "64 nodes: %.1f in it, %.1f after it; 256 nodes: %.1f and %.1f",
                 over_time_mean(t, VOQSW, OVER_TIME_DURING).mean,
                 over_time_mean(t, VOQSW, OVER_TIME_AFTER).mean,
                 over_time_mean(t, LARGE_VOQSW, OVER_TIME_DURING).mean,
                 over_time_mean(t, LARGE_VOQSW, OVER_TIME_AFTER).mean);
}

static void claim_7(const over_time *t)
{
    claim_drop(t, "5.1, Fig. 7: speedup 1.5: basic RECN drops from 44 to 37 bytes/ns", 44, 37);
    claim_recovers(t);
    claim_kept(t, "5.1, Fig. 7: speedup 1.5: enhanced RECN has no performance degradation",
               ENHANCED);
    claim_worst(t);
    claim_fbicm(t);
}

static void claim_8(const over_time *t)
{
    figure_tally never = {0};

    claim_drop(t, "5.1, Fig. 8: no speedup: basic RECN drops from 44 to 10 bytes/ns", 44, 10);
    figure_less(&never, over_time_mean(t, BASIC, OVER_TIME_END),
                over_time_mean(t, BASIC, OVER_TIME_BEFORE), figure_where("RECN", OVER));
    figure_claim(t->f, &never, "5.1, Fig. 8: basic RECN never fully recovers",
                 "in the last quarter of the time after the congestion (from 425 microseconds on) "
                 "it carries less than before",
                 NULL, "%.1f bytes/ns before, %.1f from 275 on, %.1f from 425 on",
                 over_time_mean(t, BASIC, OVER_TIME_BEFORE).mean,
                 over_time_mean(t, BASIC, OVER_TIME_AFTER).mean,
                 over_time_mean(t, BASIC, OVER_TIME_END).mean);
    claim_kept(t, "5.1, Fig. 8: no speedup: enhanced RECN keeps the maximum", ENHANCED);
}

/* ---- document 001 ---- */

enum {
    ONE_Q,
    FOUR_Q,
    VOQ_SW,
    VOQ_NET,
    RECN,
    RECN_FILL,
    RECN_REPEAT,
    RECN_2,
    FOUR_LEAST,
    PLAIN_NODES,
    LECN,
    PLAIN_SW,
    PLAIN_1Q,
    BY_DESTINATION,
    IN_PARTS
};

enum { DBBM_QUEUES = 8 };

#define IN_ORDER(name_, management_)                                                               \
    LINE_OF(name_, half_scene, management_, -1, 0, FAST, SWQ_REFUSED_FILL, 0)

static const over_time_line all[] = {
    OTHER("1Q", half_scene, swq_management_1q, FAST),
    OTHER("4Q", half_scene, swq_management_4q, FAST),
    OTHER("VOQsw", half_scene, swq_management_voqsw, FAST),
    OTHER("VOQnet", half_scene, swq_management_voqnet, FAST),
    BASIC_LINES(LINE, half_scene, FAST),
    OTHER("enhanced RECN", half_scene, swq_management_recn_enhanced, FAST),
    OTHER("4Q, least full", half_scene, swq_management_4q_least, FAST),
    /* nodes that send in order, as with LECN, whose nodes have no interfaces */
    IN_ORDER("VOQnet, nodes send in order", swq_management_voqnet),
    IN_ORDER("LECN", swq_management_lecn),
    IN_ORDER("VOQsw, in order", swq_management_voqsw),
    IN_ORDER("1Q, in order", swq_management_1q),
    OTHER("DBBM", half_scene, swq_management_dbbm, FAST),
    {.name = "DBBM, in parts",
     .scene = &half_scene,
     .management = &swq_management_dbbm,
     .interface = INTERFACE,
     .speed_bytes = FAST,
     .speed_cycles = 2,
     .slots = SLOTS,
     .xoff = SLOTS / DBBM_QUEUES},
};

static double during(const over_time *t, int line)
{
    return over_time_mean(t, line, OVER_TIME_DURING).mean;
}

static void claim_better(const over_time *t, const char *text, int line)
{
    figure_tally better = {0};

    for (int k = ONE_Q; k <= VOQ_SW; k++)
        figure_less(&better, over_time_mean(t, k, OVER_TIME_DURING),
                    over_time_mean(t, line, OVER_TIME_DURING),
                    figure_where(t->line[k].name, ONSET));
    figure_claim(t->f, &better, text,
                 "each of these carries less in the last three quarters of the congestion", NULL,
                 "1Q %.1f, 4Q %.1f (least full %.1f), VOQsw %.1f, %s %.1f bytes/ns",
                 during(t, ONE_Q), during(t, FOUR_Q), during(t, FOUR_LEAST), during(t, VOQ_SW),
                 t->line[line].name, during(t, line));
}

static void claim_as_voqnet(const over_time *t, const char *text, int line)
{
    figure_tally same = {0};

    figure_same(&same, over_time_mean(t, line, OVER_TIME_DURING),
                over_time_mean(t, VOQ_NET, OVER_TIME_DURING), 0.03, 0,
                figure_where(t->line[line].name, ONSET));
    figure_claim(t->f, &same, text,
                 "in the last three quarters of the congestion it carries as much as VOQnet, to 3%",
                 NULL,
                 "VOQnet %.1f, %s %.1f bytes/ns (fill %.1f, repeat %.1f); VOQnet with nodes that "
                 "send in order %.1f",
                 during(t, VOQ_NET), t->line[line].name, during(t, line), during(t, RECN_FILL),
                 during(t, RECN_REPEAT), during(t, PLAIN_NODES));
}

/* LECN is VOQsw at the inputs, and notices one stage back. */
static void claim_lecn(const over_time *t)
{
    figure_tally alleviates = {0};

    figure_less(&alleviates, over_time_mean(t, PLAIN_1Q, OVER_TIME_DURING),
                over_time_mean(t, LECN, OVER_TIME_DURING), figure_where("1Q", ONSET));
    figure_less(&alleviates, over_time_mean(t, PLAIN_SW, OVER_TIME_DURING),
                over_time_mean(t, LECN, OVER_TIME_DURING), figure_where("VOQsw", ONSET));
    figure_claim(t->f, &alleviates, "2: LECN alleviates HOL blocking in one stage",
                 "it carries more than 1Q, and than VOQsw, whose input queues it has, in the last "
                 "three quarters of the congestion; all with nodes that send in order",
                 "the queue that a notice makes is held, and that costs more than it gains: never "
                 "held, LECN is near VOQsw (docs/congestion.md)",
                 "LECN %.1f, 1Q %.1f, VOQsw %.1f bytes/ns", during(t, LECN), during(t, PLAIN_1Q),
                 during(t, PLAIN_SW));
}

/* 4Q is DBBM with four queues, and VOQnet has one for each node, with its part of the memory. */
static void claim_dbbm(const over_time *t, const char *text, int line, const char *known)
{
    const swq_estimate eight = over_time_mean(t, line, OVER_TIME_DURING);
    figure_tally between = {0};

    figure_less(&between, over_time_mean(t, FOUR_Q, OVER_TIME_DURING), eight,
                figure_where("4Q", ONSET));
    figure_less(&between, eight, over_time_mean(t, VOQ_NET, OVER_TIME_DURING),
                figure_where("VOQnet", ONSET));
    figure_claim(t->f, &between, text,
                 "it carries more than 4Q, and less than VOQnet, in the last three quarters of the "
                 "congestion",
                 known, "4Q %.1f, %s %.1f, VOQnet %.1f bytes/ns", during(t, FOUR_Q),
                 t->line[line].name, eight.mean, during(t, VOQ_NET));
}

static void claim_11(const over_time *t)
{
    claim_better(t, "5, Fig. 11: RECN is better than VOQsw, 4Q and 1Q", RECN);
    claim_as_voqnet(t, "5, Fig. 11: RECN is as good as VOQnet", RECN);
    claim_better(t, "5, Fig. 11, for enhanced RECN: it is better than VOQsw, 4Q and 1Q", RECN_2);
    claim_as_voqnet(t, "5, Fig. 11, for enhanced RECN: it is as good as VOQnet", RECN_2);
    claim_lecn(t);
    claim_dbbm(t, "DBBM, in no document: eight queues that share the memory", BY_DESTINATION,
               "the hot node's queue takes the memory of all; 64 queues that share it freely are "
               "no better, and with its part for each they carry what VOQnet does "
               "(docs/congestion.md)");
    claim_dbbm(t, "DBBM, in no document: eight queues, each stopped at its part", IN_PARTS, NULL);
}

/* Lines of 001.12, until the congestion ends; and with more SAQs than are used, so that their
 * number can be seen. */
enum {
    ONSET_NET,
    ONSET_RECN,
    ONSET_FILL,
    ONSET_REPEAT,
    ONSET_RECN_2,
    MANY_RECN,
    MANY_RECN_2,
    FOUR_TREES,
    EIGHT_TREES,
    LARGE_TREE,
    MANY = 24
};

#define MANY_LINE(name_, scene_, management_, refused_, panel_)                                    \
    LINE_OF(name_, scene_, management_, MANY, INTERFACE, FAST, refused_, panel_)
#define TREES(name_, scene_, panel_)                                                               \
    MANY_LINE(name_, scene_, swq_management_recn_enhanced, SWQ_REFUSED_FILL, panel_)

static const over_time_line onset[] = {
    OTHER("VOQnet", onset_scene, swq_management_voqnet, FAST),
    BASIC_LINES(LINE, onset_scene, FAST),
    OTHER("enhanced RECN", onset_scene, swq_management_recn_enhanced, FAST),
    MANY_LINE("RECN, 24 SAQs", onset_scene, swq_management_recn, SWQ_REFUSED_HOLD, 0),
    TREES("enhanced RECN, 24 SAQs", onset_scene, 0),
    TREES("... 4 trees", four_scene, 0),
    TREES("... 8 trees", eight_scene, 0),
    TREES("enhanced RECN, 24 SAQs", large_onset_scene, 1),
};

static const char known_dip[] =
    "no value of --refused fits this and figures 002.7 and 002.8: repeat drops as little as "
    "printed here, and to half where 84% are printed there";

static swq_estimate dip(const over_time *t, int line)
{
    const swq_estimate ideal = over_time_mean(t, ONSET_NET, OVER_TIME_DURING);

    return figure_ratio(over_time_lowest(t, line), (swq_estimate){ideal.mean, 0});
}

static void claim_dip(const over_time *t, const char *text, int line, const char *known)
{
    const swq_estimate least = dip(t, line);
    figure_tally tally = {0};

    figure_at_least(&tally, least, 0.9, figure_where(t->line[line].name, ONSET));
    figure_claim(t->f, &tally, text,
                 "the lowest window of 5 microseconds in the congestion, in the mean of the runs, "
                 "has at least 90% of what VOQnet carries in it",
                 known, "%.3f +- %.3f of it; fill %.3f, repeat %.3f", least.mean, least.half_width,
                 dip(t, ONSET_FILL).mean, dip(t, ONSET_REPEAT).mean);
}

static double microseconds_below(const over_time *t, int line)
{
    return (double)over_time_below(t, line,
                                   0.95 * over_time_mean(t, ONSET_NET, OVER_TIME_DURING).mean) /
           1000;
}

static void claim_short(const over_time *t, const char *text, int line)
{
    const double low = microseconds_below(t, line);
    figure_tally length = {0};

    figure_less(&length, (swq_estimate){low, 0}, (swq_estimate){50, 0},
                figure_where(t->line[line].name, ONSET));
    figure_claim(t->f, &length, text,
                 "the windows of 5 microseconds that have less than 95% of what VOQnet carries, in "
                 "the mean of the runs, last less than 50",
                 NULL, "%.0f microseconds; fill %.0f, repeat %.0f", low,
                 microseconds_below(t, ONSET_FILL), microseconds_below(t, ONSET_REPEAT));
}

/* The most SAQs in use at a time in one memory, in any run of a line. */
static swq_estimate most_saqs(const over_time *t, int line, bool at_output)
{
    uint32_t most = 0;

    for (int run = 0; run < t->runs; run++) {
        const swq_saq_use *use = &t->result[line * t->runs + run].saqs;
        const uint32_t here = at_output ? use->most_at_output : use->most;
        most = here > most ? here : most;
    }
    return (swq_estimate){most, 0};
}

static void claim_saqs(const over_time *t)
{
    figure_tally saqs = {0};

    for (int k = 0; k < 2; k++) {
        for (int place = 0; place < 2; place++)
            figure_at_most(&saqs, most_saqs(t, MANY_RECN + k, place), 8,
                           figure_where(t->line[MANY_RECN + k].name, ONSET));
    }
    figure_claim(t->f, &saqs, "5: no more than 8 SAQs in use at a port in most tests",
                 "the most in use at an input, and at an output, at a time, in all runs with 24 of "
                 "them, is at most 8",
                 NULL, "RECN %.0f at an input, %.0f at an output; enhanced RECN %.0f and %.0f",
                 most_saqs(t, MANY_RECN, false).mean, most_saqs(t, MANY_RECN, true).mean,
                 most_saqs(t, MANY_RECN_2, false).mean, most_saqs(t, MANY_RECN_2, true).mean);
}

static void claim_trees(const over_time *t)
{
    const swq_estimate one = most_saqs(t, MANY_RECN_2, false),
                       four = most_saqs(t, FOUR_TREES, false),
                       eight = most_saqs(t, EIGHT_TREES, false),
                       large = most_saqs(t, LARGE_TREE, false);
    figure_tally trees = {0};

    figure_less(&trees, one, four, figure_where("trees", 4));
    figure_less(&trees, four, eight, figure_where("trees", 8));
    figure_less(&trees, large, four, figure_where("nodes", 256));
    figure_claim(t->f, &trees,
                 "5: the SAQs in use follow the number of overlapping trees rather than the size "
                 "of the network",
                 "the most in use at an input, enhanced RECN with 24 of them: fewer with one hot "
                 "node than with 4, with 4 than with 8, and with one in 256 nodes than with 4 in "
                 "64",
                 NULL, "%.0f, %.0f, %.0f with 1, 4, 8 hot nodes; %.0f with 1 in 256 nodes",
                 one.mean, four.mean, eight.mean, large.mean);
}

static void claim_12(const over_time *t)
{
    claim_dip(t, "5, Fig. 12: RECN drops to 90% of the ideal throughput", ONSET_RECN, known_dip);
    claim_short(t, "5, Fig. 12: ... for less than 50 microseconds", ONSET_RECN);
    claim_dip(t, "5, Fig. 12, for enhanced RECN: it drops to 90%", ONSET_RECN_2, NULL);
    claim_short(t, "5, Fig. 12, for enhanced RECN: for less than 50 microseconds", ONSET_RECN_2);
    claim_saqs(t);
    claim_trees(t);
}

#define MAKE(name, lines_, claim_)                                                                 \
    swq_status name(figure_work *f)                                                                \
    {                                                                                              \
        return over_time_make(f, lines_, (int)(sizeof(lines_) / sizeof *(lines_)), claim_);        \
    }

MAKE(figure_make_001_11, all, claim_11)
MAKE(figure_make_001_12, onset, claim_12)
MAKE(figure_make_002_7, with_speedup, claim_7)
MAKE(figure_make_002_8, without, claim_8)
