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
    END = 300000
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

static const over_time_scene scene = {.arity = 4,
                                      .levels = 3,
                                      .end = END,
                                      .window = 5000,
                                      .onset = ONSET,
                                      .over = OVER,
                                      .in_bytes = true,
                                      TRAFFIC};

#define LINE(name_, management_, speed_, hold_)                                                    \
    LINE_AT(name_, management_, INTERFACE, speed_, hold_)
#define LINE_AT(name_, management_, interface_, speed_, hold_)                                     \
    {                                                                                              \
        .name = (name_), .scene = &scene, .management = &(management_), .saqs = -1,                \
        .interface = (interface_), .speed_bytes = (speed_), .speed_cycles = 2, .slots = SLOTS,     \
        .hold = (hold_)                                                                            \
    }

enum { SLOW = 2, FAST = 3 }; /* bytes that a crossbar carries in two cycles */

/* Lines of 002.7 and 002.8. */
enum { BASIC, HOLDS, ENHANCED, FLOWS, VOQSW };

#define SCHEMES(speed)                                                                             \
    {                                                                                              \
        LINE("RECN", swq_management_recn, speed, false),                                           \
            LINE("RECN, hold", swq_management_recn, speed, true),                                  \
            LINE("enhanced RECN", swq_management_recn_enhanced, speed, false),                     \
            LINE("FBICM", swq_management_fbicm, speed, false),                                     \
            LINE("VOQsw", swq_management_voqsw, speed, false)                                      \
    }

static const over_time_line with_speedup[] = SCHEMES(FAST), without[] = SCHEMES(SLOW);

static const char known_fill[] =
    "the survey does not say what happens to packets that would join a SAQ whose "
    "more specific notice was refused: they fill the output (RECN), or stay in "
    "their inputs (RECN, hold)";

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
                       over_time_part part)
{
    const double print = during / before;
    figure_tally drop = {0};

    figure_same(&drop, (swq_estimate){part_of_before(t, BASIC, part), 0}, (swq_estimate){print, 0},
                0.1, 0.1, figure_where("RECN", ONSET));
    figure_claim(t->f, &drop, text,
                 "throughput relative to the time before equals the printed ratio, to 0.1, in "
                 "the last three quarters of the congestion (5.1, Fig. 8: of the time after it)",
                 known_fill, "%.2f of %.1f bytes/ns (print %.2f); held in the inputs %.2f",
                 part_of_before(t, BASIC, part), over_time_mean(t, BASIC, OVER_TIME_BEFORE).mean,
                 print, part_of_before(t, HOLDS, part));
}

static void claim_worst(const over_time *t, const char *text)
{
    figure_tally worst = {0};

    for (int k = HOLDS; k <= ENHANCED; k++)
        figure_less(&worst, over_time_mean(t, VOQSW, OVER_TIME_DURING),
                    over_time_mean(t, k, OVER_TIME_DURING), figure_where(t->line[k].name, ONSET));
    figure_claim(t->f, &worst, text,
                 "during the congestion VOQsw carries less than RECN (whose refused packets "
                 "stay in their inputs) and than enhanced RECN",
                 NULL, "VOQsw %.1f, RECN %.1f, held %.1f, enhanced RECN %.1f, FBICM %.1f bytes/ns",
                 over_time_mean(t, VOQSW, OVER_TIME_DURING).mean,
                 over_time_mean(t, BASIC, OVER_TIME_DURING).mean,
                 over_time_mean(t, HOLDS, OVER_TIME_DURING).mean,
                 over_time_mean(t, ENHANCED, OVER_TIME_DURING).mean,
                 over_time_mean(t, FLOWS, OVER_TIME_DURING).mean);
}

static void claim_7(const over_time *t)
{
    claim_drop(t, "5.1, Fig. 7: speedup 1.5: basic RECN drops from 44 to 37 bytes/ns", 44, 37,
               OVER_TIME_DURING);
    claim_kept(t, "5.1, Fig. 7: speedup 1.5: enhanced RECN has no performance degradation",
               ENHANCED);
    claim_kept(t, "5.2: FBICM has the maximum performance", FLOWS);
    claim_worst(t, "5.1, Fig. 7: speedup 1.5: the performance of VOQsw is quite poor");
}

static void claim_8(const over_time *t)
{
    figure_tally never = {0};

    claim_drop(t, "5.1, Fig. 8: no speedup: basic RECN drops from 44 to 10 bytes/ns", 44, 10,
               OVER_TIME_AFTER);
    figure_less(&never, over_time_mean(t, BASIC, OVER_TIME_AFTER),
                over_time_mean(t, BASIC, OVER_TIME_BEFORE), figure_where("RECN", OVER));
    figure_claim(t->f, &never, "5.1, Fig. 8: basic RECN never fully recovers",
                 "after the congestion it carries less than before", NULL,
                 "%.1f bytes/ns before, %.1f after",
                 over_time_mean(t, BASIC, OVER_TIME_BEFORE).mean,
                 over_time_mean(t, BASIC, OVER_TIME_AFTER).mean);
    claim_kept(t, "5.1, Fig. 8: no speedup: enhanced RECN keeps the maximum", ENHANCED);
    claim_kept(t, "5.2: FBICM has the maximum performance", FLOWS);
}

/* ---- document 001 ---- */

enum { ONE_Q, FOUR_Q, VOQ_SW, VOQ_NET, RECN, RECN_2, FOUR_LEAST, PLAIN_NODES };

static const over_time_line all[] = {
    LINE("1Q", swq_management_1q, FAST, false),
    LINE("4Q", swq_management_4q, FAST, false),
    LINE("VOQsw", swq_management_voqsw, FAST, false),
    LINE("VOQnet", swq_management_voqnet, FAST, false),
    LINE("RECN", swq_management_recn, FAST, true),
    LINE("enhanced RECN", swq_management_recn_enhanced, FAST, false),
    LINE("4Q, least full", swq_management_4q_least, FAST, false),
    LINE_AT("VOQnet, nodes send in order", swq_management_voqnet, 0, FAST, false),
};

static const char known_basic[] =
    "basic RECN loses some of it, whatever happens to packets whose more specific "
    "notice was refused, as in document 002; enhanced RECN loses nothing. Document "
    "001 does not describe its traffic";

static void claim_11(const over_time *t)
{
    figure_tally better = {0}, same = {0}, enhanced = {0};

    for (int k = ONE_Q; k <= VOQ_SW; k++)
        figure_less(&better, over_time_mean(t, k, OVER_TIME_DURING),
                    over_time_mean(t, RECN_2, OVER_TIME_DURING),
                    figure_where(t->line[k].name, ONSET));
    figure_claim(
        t->f, &better, "5, Fig. 11: RECN is better than VOQsw, 4Q and 1Q",
        "during the congestion each carries less than enhanced RECN", NULL,
        "1Q %.1f, 4Q %.1f (least full %.1f), VOQsw %.1f, RECN %.1f, enhanced %.1f bytes/ns",
        over_time_mean(t, ONE_Q, OVER_TIME_DURING).mean,
        over_time_mean(t, FOUR_Q, OVER_TIME_DURING).mean,
        over_time_mean(t, FOUR_LEAST, OVER_TIME_DURING).mean,
        over_time_mean(t, VOQ_SW, OVER_TIME_DURING).mean,
        over_time_mean(t, RECN, OVER_TIME_DURING).mean,
        over_time_mean(t, RECN_2, OVER_TIME_DURING).mean);
    const swq_estimate bound = over_time_mean(t, VOQ_NET, OVER_TIME_DURING),
                       basic = over_time_mean(t, RECN, OVER_TIME_DURING),
                       second = over_time_mean(t, RECN_2, OVER_TIME_DURING),
                       plain = over_time_mean(t, PLAIN_NODES, OVER_TIME_DURING);
    figure_same(&same, basic, bound, 0.03, 0, figure_where("RECN", ONSET));
    figure_claim(t->f, &same, "5, Fig. 11: RECN is as good as VOQnet",
                 "during the congestion RECN carries as much as VOQnet, to 3%", known_basic,
                 "VOQnet %.1f, RECN %.1f bytes/ns", bound.mean, basic.mean);
    figure_same(&enhanced, second, bound, 0.03, 0, figure_where("enhanced RECN", ONSET));
    figure_claim(t->f, &enhanced, "5, Fig. 11: enhanced RECN is as good as VOQnet",
                 "during the congestion enhanced RECN carries as much as VOQnet, to 3%", NULL,
                 "VOQnet %.1f, enhanced RECN %.1f bytes/ns; VOQnet with nodes that send in order "
                 "%.1f",
                 bound.mean, second.mean, plain.mean);
}

/* For 001.12: only the onset. */
static const over_time_line onset[] = {
    LINE("VOQnet", swq_management_voqnet, FAST, false),
    LINE("enhanced RECN", swq_management_recn_enhanced, FAST, false)};

static void claim_12(const over_time *t)
{
    int recovered;
    const swq_estimate least = over_time_least(t, 1), cycles = over_time_recovery(t, 1, &recovered);
    figure_tally dip = {0}, length = {0}, saqs = {0};
    uint32_t most = 0;

    figure_at_least(&dip, least, 0.9, figure_where("enhanced RECN", ONSET));
    figure_claim(t->f, &dip, "5, Fig. 12: RECN drops to 90% of the ideal throughput",
                 "the lowest window of 5 microseconds has at least 90% of the throughput before",
                 NULL, "%.3f +- %.3f of it", least.mean, least.half_width);
    figure_at_most(&length, cycles, 50000, figure_where("enhanced RECN", ONSET));
    figure_claim(t->f, &length, "5, Fig. 12: ... for less than 50 microseconds",
                 "10 windows of 5 microseconds within 2% of the mean before begin within 50 "
                 "microseconds, in the mean of the runs",
                 NULL, "after %.1f microseconds, in %d of %d runs", cycles.mean / 1000, recovered,
                 t->runs);
    for (int run = 0; run < t->runs; run++) {
        const swq_saq_use *use = &t->result[t->runs + run].saqs;
        most = use->most > most ? use->most : most;
    }
    figure_at_most(&saqs, (swq_estimate){most, 0}, 8, figure_where("enhanced RECN", ONSET));
    figure_claim(t->f, &saqs, "5: no more than 8 SAQs in use at a port in most tests",
                 "the most in use at an input at a time, in all runs; there are 8, and requests "
                 "for one more are counted",
                 NULL, "%u", most);
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
    "microseconds 16 send at full rate to one node"

#define FIGURE(name_, title_, document, section_, plan_)                                           \
    {                                                                                              \
        .name = (name_), .title = (title_), .source = (document), .section = (section_),           \
        .setting = SETTING, .over = SWQ_OVER_CYCLES, .panels = 1,                                  \
        .panel = {{"", "64 nodes", "bytes/ns", 64}}, .x_most = END, .plan = &(plan_)               \
    }

static const char first[] = "Kokkalis and others, survey of head-of-line blocking",
                  second[] = "A. Fecheyr Lippens, Congestion Control in Multistage "
                             "Interconnection Networks, 2010";

const swq_figure_kind swq_figures_recn[] = {
    FIGURE("001.11", "RECN and queues of all kinds over time", first, "5", plan_001_11),
    FIGURE("001.12", "RECN where congestion begins", first, "5", plan_001_12),
    FIGURE("002.7", "RECN and enhanced RECN, speedup 1.5", second, "5.1", plan_002_7),
    FIGURE("002.8", "RECN and enhanced RECN, no speedup", second, "5.1", plan_002_8),
};
