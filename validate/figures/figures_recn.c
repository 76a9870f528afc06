/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * RECN over time: figures 11 and 12 of the survey of congestion (Kokkalis and others, section 5),
 * and figures 7 and 8 of the survey of congestion trees (Fecheyr-Lippens, section 5.1).
 * Room: validate. Includes sim.
 *
 * The documents do not say what is sent where. Here 48 nodes send all they can to all others, and
 * the other 16, one at each leaf switch, send nothing, but for 100 microseconds all they can to one
 * node.
 */
#include "validate/figures/over_time.h"

#include <math.h>

enum {
    SLOT = 64 /* bytes */,
    SLOTS = 512,
    INTERFACE = 64,
    HOT = 5,
    ONSET = 100000,
    OVER = 200000,
    END = 300000,
    LONG_END = 500000 /* enough to see whether throughput is back */
};

#define HOLD_ALL .kind = SWQ_SOURCE_HOLD, .interval = {SWQ_CONSTANT, 0, 0}
#define LENGTH   .length = {SWQ_CONSTANT, SLOT, 0}
#define TRAFFIC                                                                                    \
    .groups = 3,                                                                                   \
    .group = {{.mask = 3,                                                                          \
               .value = 0,                                                                         \
               .from = ONSET,                                                                      \
               .until = OVER,                                                                      \
               HOLD_ALL,                                                                           \
               .type = {{.probability = 1, .aim = SWQ_AIM_NODE, .value = HOT, LENGTH}},            \
               .types = 1},                                                                        \
              {.mask = 3,                                                                          \
               .value = 0,                                                                         \
               .silent = true,                                                                     \
               HOLD_ALL,                                                                           \
               .type = {{.probability = 1, .pattern = &swq_pattern_uniform, LENGTH}},              \
               .types = 1},                                                                        \
              {HOLD_ALL, .type = {{.probability = 1, .pattern = &swq_pattern_uniform, LENGTH}},    \
               .types = 1}}

#define SCENE(end_)                                                                                \
    {                                                                                              \
        .arity = 4, .levels = 3, .end = (end_), .window = 5000, .onset = ONSET, .over = OVER,      \
        .in_bytes = true, TRAFFIC                                                                  \
    }

static const over_time_scene scene = SCENE(END), long_scene = SCENE(LONG_END),
                             onset_scene = SCENE(OVER);

#define LINE_OF(name_, scene_, management_, saqs_, interface_, speed_, refused_)                   \
    {                                                                                              \
        .name = (name_), .scene = &(scene_), .management = &(management_), .saqs = (saqs_),        \
        .interface = (interface_), .speed_bytes = (speed_), .speed_cycles = 2, .slots = SLOTS,     \
        .refused = (refused_)                                                                      \
    }

enum { SLOW = 2, FAST = 3 }; /* bytes that a crossbar carries in two cycles */

/* ---- document 002 ---- */

/* Lines of 002.7 and 002.8. */
enum { BASIC, FILLING, ENHANCED, FLOWS, VOQSW };

#define LONG_LINE(name_, management_, speed_, refused_)                                            \
    LINE_OF(name_, long_scene, management_, -1, INTERFACE, speed_, refused_)
#define SCHEMES(speed)                                                                             \
    {                                                                                              \
        LONG_LINE("RECN", swq_management_recn, speed, SWQ_REFUSED_HOLD),                           \
            LONG_LINE("RECN, fill", swq_management_recn, speed, SWQ_REFUSED_FILL),                 \
            LONG_LINE("enhanced RECN", swq_management_recn_enhanced, speed, SWQ_REFUSED_FILL),     \
            LONG_LINE("FBICM", swq_management_fbicm, speed, SWQ_REFUSED_FILL),                     \
            LONG_LINE("VOQsw", swq_management_voqsw, speed, SWQ_REFUSED_FILL)                      \
    }

static const over_time_line with_speedup[] = SCHEMES(FAST), without[] = SCHEMES(SLOW);

static const char known_traffic[] = "the document does not describe the traffic of its Fig. 7";
static const char known_traces[] =
    "the document's traffic is traces of a storage network, which are not at hand; how far basic "
    "RECN falls, and whether it recovers, depends on the traffic";

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
static void claim_drop(const over_time *t, const char *text, double before, double during,
                       const char *known)
{
    const double print = during / before, found = part_of_before(t, BASIC, OVER_TIME_DURING);
    figure_tally drop = {0};

    figure_same(&drop, (swq_estimate){found, 0}, (swq_estimate){print, 0}, 0.1, 0.1,
                figure_where("RECN", ONSET));
    figure_claim(t->f, &drop, text,
                 "throughput in the last three quarters of the congestion, relative to the time "
                 "before, equals the printed ratio, to 0.1",
                 known, "%.2f of %.1f bytes/ns (print %.2f); filling the output %.2f", found,
                 over_time_mean(t, BASIC, OVER_TIME_BEFORE).mean, print,
                 part_of_before(t, FILLING, OVER_TIME_DURING));
}

static void claim_recovers(const over_time *t)
{
    figure_tally back = {0};

    as_before(t, &back, BASIC, OVER_TIME_END);
    figure_claim(
        t->f, &back, "5.1, Fig. 7: when the congestion tree disappears, basic RECN recovers",
        "in the last quarter of the time after the congestion (from 425 microseconds on), "
        "throughput is within 3% of what it was before",
        NULL,
        "%.1f bytes/ns before, %.1f from 275 on, %.1f from 425 on; filling the output %.1f "
        "and %.1f; VOQsw %.1f and %.1f",
        over_time_mean(t, BASIC, OVER_TIME_BEFORE).mean,
        over_time_mean(t, BASIC, OVER_TIME_AFTER).mean,
        over_time_mean(t, BASIC, OVER_TIME_END).mean,
        over_time_mean(t, FILLING, OVER_TIME_AFTER).mean,
        over_time_mean(t, FILLING, OVER_TIME_END).mean,
        over_time_mean(t, VOQSW, OVER_TIME_AFTER).mean,
        over_time_mean(t, VOQSW, OVER_TIME_END).mean);
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
                 known_traffic,
                 "in it VOQsw %.1f, RECN %.1f, enhanced RECN %.1f, FBICM %.1f bytes/ns; after it "
                 "%.1f, %.1f, %.1f, %.1f",
                 over_time_mean(t, VOQSW, OVER_TIME_DURING).mean,
                 over_time_mean(t, BASIC, OVER_TIME_DURING).mean,
                 over_time_mean(t, ENHANCED, OVER_TIME_DURING).mean,
                 over_time_mean(t, FLOWS, OVER_TIME_DURING).mean,
                 over_time_mean(t, VOQSW, OVER_TIME_AFTER).mean,
                 over_time_mean(t, BASIC, OVER_TIME_AFTER).mean,
                 over_time_mean(t, ENHANCED, OVER_TIME_AFTER).mean,
                 over_time_mean(t, FLOWS, OVER_TIME_AFTER).mean);
}

static void claim_7(const over_time *t)
{
    claim_drop(t, "5.1, Fig. 7: speedup 1.5: basic RECN drops from 44 to 37 bytes/ns", 44, 37,
               NULL);
    claim_recovers(t);
    claim_kept(t, "5.1, Fig. 7: speedup 1.5: enhanced RECN has no performance degradation",
               ENHANCED);
    claim_kept(t, "5.2: FBICM has the maximum performance", FLOWS);
    claim_worst(t);
}

static void claim_8(const over_time *t)
{
    figure_tally never = {0};

    claim_drop(t, "5.1, Fig. 8: no speedup: basic RECN drops from 44 to 10 bytes/ns", 44, 10,
               known_traces);
    figure_less(&never, over_time_mean(t, BASIC, OVER_TIME_END),
                over_time_mean(t, BASIC, OVER_TIME_BEFORE), figure_where("RECN", OVER));
    figure_claim(t->f, &never, "5.1, Fig. 8: basic RECN never fully recovers",
                 "in the last quarter of the time after the congestion (from 425 microseconds on) "
                 "it carries less than before",
                 known_traces, "%.1f bytes/ns before, %.1f from 275 on, %.1f from 425 on",
                 over_time_mean(t, BASIC, OVER_TIME_BEFORE).mean,
                 over_time_mean(t, BASIC, OVER_TIME_AFTER).mean,
                 over_time_mean(t, BASIC, OVER_TIME_END).mean);
    claim_kept(t, "5.1, Fig. 8: no speedup: enhanced RECN keeps the maximum", ENHANCED);
    claim_kept(t, "5.2: FBICM has the maximum performance", FLOWS);
}

/* ---- document 001 ---- */

enum { ONE_Q, FOUR_Q, VOQ_SW, VOQ_NET, RECN, RECN_2, FOUR_LEAST, PLAIN_NODES };

#define LINE(name_, management_, refused_)                                                         \
    LINE_OF(name_, scene, management_, -1, INTERFACE, FAST, refused_)

static const over_time_line all[] = {
    LINE("1Q", swq_management_1q, SWQ_REFUSED_FILL),
    LINE("4Q", swq_management_4q, SWQ_REFUSED_FILL),
    LINE("VOQsw", swq_management_voqsw, SWQ_REFUSED_FILL),
    LINE("VOQnet", swq_management_voqnet, SWQ_REFUSED_FILL),
    LINE("RECN", swq_management_recn, SWQ_REFUSED_HOLD),
    LINE("enhanced RECN", swq_management_recn_enhanced, SWQ_REFUSED_FILL),
    LINE("4Q, least full", swq_management_4q_least, SWQ_REFUSED_FILL),
    LINE_OF("VOQnet, nodes send in order", scene, swq_management_voqnet, -1, 0, FAST,
            SWQ_REFUSED_FILL),
};

/* The document is about RECN as published in 2005, which is the basic one. */
static const char known_basic[] =
    "basic RECN, which the document is about, refuses more specific notices, and loses some "
    "throughput by it, as in document 002; enhanced RECN loses nothing. The document does not "
    "describe its traffic";

static double during(const over_time *t, int line)
{
    return over_time_mean(t, line, OVER_TIME_DURING).mean;
}

static void claim_better(const over_time *t, const char *text, int line, const char *known)
{
    figure_tally better = {0};

    for (int k = ONE_Q; k <= VOQ_SW; k++)
        figure_less(&better, over_time_mean(t, k, OVER_TIME_DURING),
                    over_time_mean(t, line, OVER_TIME_DURING),
                    figure_where(t->line[k].name, ONSET));
    figure_claim(t->f, &better, text,
                 "each of these carries less in the last three quarters of the congestion", known,
                 "1Q %.1f, 4Q %.1f (least full %.1f), VOQsw %.1f, %s %.1f bytes/ns",
                 during(t, ONE_Q), during(t, FOUR_Q), during(t, FOUR_LEAST), during(t, VOQ_SW),
                 t->line[line].name, during(t, line));
}

static void claim_as_voqnet(const over_time *t, const char *text, int line, const char *known)
{
    figure_tally same = {0};

    figure_same(&same, over_time_mean(t, line, OVER_TIME_DURING),
                over_time_mean(t, VOQ_NET, OVER_TIME_DURING), 0.03, 0,
                figure_where(t->line[line].name, ONSET));
    figure_claim(t->f, &same, text,
                 "in the last three quarters of the congestion it carries as much as VOQnet, to 3%",
                 known, "VOQnet %.1f, %s %.1f bytes/ns; VOQnet with nodes that send in order %.1f",
                 during(t, VOQ_NET), t->line[line].name, during(t, line), during(t, PLAIN_NODES));
}

static void claim_11(const over_time *t)
{
    claim_better(t, "5, Fig. 11: RECN is better than VOQsw, 4Q and 1Q", RECN, known_basic);
    claim_as_voqnet(t, "5, Fig. 11: RECN is as good as VOQnet", RECN, known_basic);
    claim_better(t, "5, Fig. 11, for enhanced RECN: it is better than VOQsw, 4Q and 1Q", RECN_2,
                 NULL);
    claim_as_voqnet(t, "5, Fig. 11, for enhanced RECN: it is as good as VOQnet", RECN_2, NULL);
}

/* Lines of 001.12, until the congestion ends; and with more SAQs than are used, so that their
 * number can be seen. */
enum { ONSET_NET, ONSET_RECN, ONSET_RECN_2, MANY_RECN, MANY_RECN_2, MANY = 24 };

#define ONSET_LINE(name_, management_, saqs_, refused_)                                            \
    LINE_OF(name_, onset_scene, management_, saqs_, INTERFACE, FAST, refused_)

static const over_time_line onset[] = {
    ONSET_LINE("VOQnet", swq_management_voqnet, -1, SWQ_REFUSED_FILL),
    ONSET_LINE("RECN", swq_management_recn, -1, SWQ_REFUSED_HOLD),
    ONSET_LINE("enhanced RECN", swq_management_recn_enhanced, -1, SWQ_REFUSED_FILL),
    ONSET_LINE("RECN, 24 SAQs", swq_management_recn, MANY, SWQ_REFUSED_HOLD),
    ONSET_LINE("enhanced RECN, 24 SAQs", swq_management_recn_enhanced, MANY, SWQ_REFUSED_FILL),
};

static void claim_dip(const over_time *t, const char *text, int line, const char *known)
{
    const swq_estimate least = over_time_least(t, line);
    figure_tally dip = {0};

    figure_at_least(&dip, least, 0.9, figure_where(t->line[line].name, ONSET));
    figure_claim(
        t->f, &dip, text,
        "the lowest window of 5 microseconds, until it has recovered, has at least 90% of the "
        "throughput before",
        known, "%.3f +- %.3f of it", least.mean, least.half_width);
}

static void claim_short(const over_time *t, const char *text, int line, const char *known)
{
    int recovered;
    const swq_estimate cycles = over_time_recovery(t, line, &recovered);
    figure_tally length = {0};

    figure_at_most(&length, cycles, 50000, figure_where(t->line[line].name, ONSET));
    figure_claim(t->f, &length, text,
                 "10 windows of 5 microseconds within 2% of the mean before begin within 50 "
                 "microseconds, in the mean of the runs",
                 known, "after %.1f microseconds, in %d of %d runs%s", cycles.mean / 1000,
                 recovered, t->runs, recovered < t->runs ? "; the others count to their end" : "");
}

static void claim_saqs(const over_time *t)
{
    uint32_t most[2][2] = {{0}}; /* of RECN, of enhanced RECN; at an input, at an output */
    figure_tally saqs = {0};

    for (int k = 0; k < 2; k++) {
        for (int run = 0; run < t->runs; run++) {
            const swq_saq_use *use = &t->result[(MANY_RECN + k) * t->runs + run].saqs;
            most[k][0] = use->most > most[k][0] ? use->most : most[k][0];
            most[k][1] = use->most_at_output > most[k][1] ? use->most_at_output : most[k][1];
        }
        for (int place = 0; place < 2; place++)
            figure_at_most(&saqs, (swq_estimate){most[k][place], 0}, 8,
                           figure_where(t->line[MANY_RECN + k].name, ONSET));
    }
    figure_claim(t->f, &saqs, "5: no more than 8 SAQs in use at a port in most tests",
                 "the most in use at an input, and at an output, at a time, in all runs with 24 of "
                 "them",
                 NULL, "RECN %u at an input, %u at an output; enhanced RECN %u and %u", most[0][0],
                 most[0][1], most[1][0], most[1][1]);
}

static void claim_12(const over_time *t)
{
    claim_dip(t, "5, Fig. 12: RECN drops to 90% of the ideal throughput", ONSET_RECN, known_basic);
    claim_short(t, "5, Fig. 12: ... for less than 50 microseconds", ONSET_RECN, known_basic);
    claim_dip(t, "5, Fig. 12, for enhanced RECN: it drops to 90%", ONSET_RECN_2, NULL);
    claim_short(t, "5, Fig. 12, for enhanced RECN: for less than 50 microseconds", ONSET_RECN_2,
                NULL);
    claim_saqs(t);
}

#define PLAN(name, lines_, claim_)                                                                 \
    static swq_status make_##name(figure_work *f)                                                  \
    {                                                                                              \
        return over_time_make(f, lines_, (int)(sizeof(lines_) / sizeof *(lines_)), claim_);        \
    }                                                                                              \
    static const swq_figure_plan plan_##name = {.make = make_##name}

PLAN(001_11, all, claim_11);
PLAN(001_12, onset, claim_12);
PLAN(002_7, with_speedup, claim_7);
PLAN(002_8, without, claim_8);

#define SETTING                                                                                    \
    "64-node tree of 8-port switches, 512 slots of 64 bytes before and behind the crossbar, 8 "    \
    "SAQs, detection 16, Xoff 10, Xon 5; 48 nodes send at full rate to all, from 100 to 200 "      \
    "microseconds 16 send at full rate to one node; RECN is the basic one, and packets for a SAQ " \
    "whose notice was refused stay in their inputs"

#define FIGURE(name_, title_, document, section_, setting_, end_, plan_)                           \
    {                                                                                              \
        .name = (name_), .title = (title_), .source = (document), .section = (section_),           \
        .setting = (setting_), .over = SWQ_OVER_CYCLES, .panels = 1,                               \
        .panel = {{"", "64 nodes", "bytes/ns", 64}}, .x_most = (end_), .plan = &(plan_)            \
    }

static const char first[] = "Kokkalis and others, survey of head-of-line blocking",
                  second[] = "A. Fecheyr Lippens, Congestion Control in Multistage "
                             "Interconnection Networks, 2010";

const swq_figure_kind swq_figures_recn[] = {
    FIGURE("001.11", "RECN and queues of all kinds over time", first, "5", SETTING, END,
           plan_001_11),
    FIGURE("001.12", "RECN where congestion begins", first, "5", SETTING, OVER, plan_001_12),
    FIGURE("002.7", "RECN and enhanced RECN, speedup 1.5", second, "5.1",
           SETTING " (fill: fill the output's memory)", LONG_END, plan_002_7),
    FIGURE("002.8", "RECN and enhanced RECN, no speedup", second, "5.1",
           SETTING " (fill: fill the output's memory); this traffic stands for the document's, "
                   "which is traces of a storage network",
           LONG_END, plan_002_8),
};
