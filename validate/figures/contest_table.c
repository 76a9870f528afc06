/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All flow controls on all congestion benchmarks at equal memory: what the congestion costs the
 * innocent, and how far the congested link is used.
 * Room: validate. Includes base, sim.
 */
#include "validate/figures/contest_table.h"
#include "base/context.h"

#include <math.h>

const char *const contest_benchmarks[SCORE_BENCHMARKS] = {"I", "II", "III", "IV", "V"};

#define TOLD(name_, bytes_, flow_)                                                                 \
    {                                                                                              \
        .name = (name_), .buffer = "damq", .bytes = (bytes_), .flow = (flow_)                      \
    }
#define COUNTERS(name_)                                                                            \
    {                                                                                              \
        .name = (name_), .buffer = "damq", .bytes = 256, .flow = "two-counter",                    \
        .counters = (name_)                                                                        \
    }

/* Contestants that are in no figure of chapter 8. */
static const contestant more[] = {
    TOLD("credits", 128, "credits"),
    TOLD("stop-go", 128, "stop-go"),
    {.name = "FIFO", .buffer = "fifo", .bytes = 256, .flow = "block"},
    {.name = "DAFC", .buffer = "dafc", .bytes = 256, .flow = "block"},
    TOLD("credits", 256, "credits"),
    TOLD("stop-go", 256, "stop-go"),
    COUNTERS("H"),
    COUNTERS("T"),
    COUNTERS("tH"),
    COUNTERS("A"),
    COUNTERS("aH"),
    {.name = "Path-Based", .buffer = "damq", .bytes = 256, .flow = "path", .path_hops = 2},
};

static const contestant_id figured[] = {
    FIFO_B,    DAMQ_B,  SAMQ_B,    SAFC_B,   MU_6,     MU_10,      TWO_H,      TWO_T,
    TWO_TH,    TWO_A,   TWO_AH,    DST,      PATH,     DAMQ_B_256, SAMQ_B_256, SAFC_B_256,
    MU_22_256, DST_256, DST_MU_22, DST_SAMQ, DST_SAFC, DST_DAFC,   DST_X,
};

/* Adds a row whose flow control exists. */
static void add_row(contest_scores *s, const contestant *row)
{
    if (contestant_there(row) && s->scores < SCORE_MOST)
        s->score[s->scores++].row = row;
}

static void list_rows(contest_scores *s)
{
    for (int bytes = 128; bytes <= 256; bytes += 128) {
        for (size_t k = 0; k < sizeof figured / sizeof *figured; k++) {
            if (contestants[figured[k]].bytes == bytes)
                add_row(s, &contestants[figured[k]]);
        }
        for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
            if (more[k].bytes == bytes)
                add_row(s, &more[k]);
        }
    }
}

swq_estimate contest_innocent(const swq_benchmark_groups *groups, const contest_cell *cell)
{
    double nodes = 0, sum = 0, half_width = 0;

    for (int g = groups->nut; g < groups->groups && g < CONTEST_GROUPS; g++) {
        nodes += groups->members[g];
        sum += groups->members[g] * cell->throughput[g].mean;
        half_width += groups->members[g] * cell->throughput[g].half_width;
    }
    return (swq_estimate){sum / nodes, half_width / nodes};
}

/* ---- runs ---- */

enum { RUNS = SCORE_BENCHMARKS + 1 /* of a row; the last run is uniform */ };

static const char *benchmark_of(int run)
{
    return run < SCORE_BENCHMARKS ? contest_benchmarks[run] : "VI";
}

static void read_row(contest_score *score, const contest_point *point)
{
    const swq_estimate none = {NAN, NAN};
    contest_cell cell[RUNS];

    for (int k = 0; k < RUNS; k++) {
        score->stopped[k] = point[k].run.result.sim.stopped_by;
        contest_point_read(&point[k], &cell[k]);
    }
    const bool fine = score->stopped[SCORE_BENCHMARKS] == SWQ_STOP_CYCLES;
    score->uniform = fine ? cell[SCORE_BENCHMARKS].total : none;
    for (int b = 0; b < SCORE_BENCHMARKS; b++) {
        const bool ran = score->stopped[b] == SWQ_STOP_CYCLES;
        const swq_estimate share =
            figure_ratio(contest_innocent(&point[b].groups, &cell[b]), score->uniform);
        score->loss[b] = ran && fine ? (swq_estimate){1 - share.mean, share.half_width} : none;
        score->hot[b] = ran ? cell[b].hot : none;
    }
}

static swq_status run_all(swq_context *ctx, contest_point *point, int points, int threads,
                          contest_scores *s)
{
    swq_status status = contest_points_run(ctx, point, points, threads);

    for (int k = 0; k < points && !status; k++) {
        if (point[k].run.status || point[k].run.result.sim.stopped_by == SWQ_STOP_INTERRUPTED)
            return swq_fail(ctx, SWQ_ECANCELLED, "interrupted");
        s->runs++;
        s->cpu_seconds += point[k].run.result.sim.cpu_seconds;
    }
    for (int r = 0; r < s->scores && !status; r++)
        read_row(&s->score[r], &point[(ptrdiff_t)r * RUNS]);
    return status;
}

swq_status contest_scores_run(swq_context *ctx, const swq_sim_options *options, int threads,
                              contest_scores *scores)
{
    *scores = (contest_scores){0};
    list_rows(scores);
    const int points = scores->scores * RUNS;
    contest_point *point = swq_calloc(ctx, (size_t)points, sizeof *point);
    swq_status status = point ? SWQ_OK : swq_memory_status(ctx);

    for (int k = 0; k < points && !status; k++)
        status = contest_point_make(ctx, scores->score[k / RUNS].row, benchmark_of(k % RUNS), 1,
                                    options, &point[k]);
    if (!status)
        status = run_all(ctx, point, points, threads, scores);
    for (int k = 0; k < points && point; k++)
        swq_detail_clear(ctx, &point[k].detail);
    swq_free(ctx, point);
    if (!status)
        contest_scores_judge(scores);
    return status;
}

/* ---- who wins ---- */

/* The number of `score` in benchmark b, which wins if it is below all other contestants' by more
 * than the intervals. b < 0: the uniform throughput, negated, since the highest one wins. */
static swq_estimate number_of(const contest_score *score, int b)
{
    return b < 0 ? (swq_estimate){-score->uniform.mean, score->uniform.half_width} : score->loss[b];
}

static bool wins(const contest_scores *s, const contest_score *score, int b)
{
    const swq_estimate own = number_of(score, b);

    for (int r = 0; r < s->scores; r++) {
        const contest_score *other = &s->score[r];
        const swq_estimate e = number_of(other, b);
        if (other == score || other->row->bytes != score->row->bytes || isnan(e.mean))
            continue;
        if (!(own.mean + own.half_width < e.mean - e.half_width))
            return false;
    }
    return !isnan(own.mean);
}

void contest_scores_judge(contest_scores *s)
{
    for (int r = 0; r < s->scores; r++) {
        s->score[r].best_uniform = wins(s, &s->score[r], -1);
        for (int b = 0; b < SCORE_BENCHMARKS; b++)
            s->score[r].best[b] = wins(s, &s->score[r], b);
    }
}
