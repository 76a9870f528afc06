/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The worst sequence as a trace of packets, which a simulation plays again.
 */
#include "cli/worst/worst.h"

#include "base/outfile.h"
#include "cli/options/parse.h"

typedef struct {
    long long cycle; /* the next one */
    int input;       /* of the next packet */
    int longest;     /* most arrivals of a phase so far */
    FILE *to;        /* NULL: only counts */
} writing;

static void write_step(writing *w, const swq_worst_step *step)
{
    if (step->queue < 0) {
        w->cycle++;
        w->input = 0;
        return;
    }
    if (w->to)
        fprintf(w->to, "%lld %d %d\n", w->cycle, w->input, step->queue);
    w->input++;
    w->longest = w->input > w->longest ? w->input : w->longest;
}

static void write_steps(writing *w, const cli_worst_point *p)
{
    for (int64_t k = 0; k < p->worst.lead; k++)
        write_step(w, &p->worst.step[k]);
    for (int r = 0; r < p->repeat; r++) {
        for (int64_t k = 0; k < p->worst.period; k++)
            write_step(w, &p->worst.step[p->worst.lead + k]);
    }
}

/* What both schedules send in the phases that are written, and in those behind them, in which
 * nothing arrives. */
static void count_sent(const cli_worst_point *p, long long *rule, long long *optimum)
{
    const int64_t steps = p->worst.lead + p->worst.period;

    *rule = *optimum = 0;
    for (int64_t k = 0; k < steps; k++) {
        const int times = k < p->worst.lead ? 1 : p->repeat;
        *rule += (long long)times * p->worst.step[k].rule_sent;
        *optimum += (long long)times * p->worst.step[k].optimum_sent;
    }
    for (int q = 0; q < p->spec.queues && steps > 0; q++) {
        *rule += p->worst.step[steps - 1].rule[q];
        *optimum += p->worst.step[steps - 1].optimum[q];
    }
}

swq_status cli_worst_write_sequence(swq_context *ctx, const cli_worst_point *p, const char *path)
{
    swq_outfile file;
    writing count = {0, 0, 0, NULL};
    long long rule, optimum;
    char text[200];
    swq_status status = cli_outfile_open(ctx, path, &file);

    if (status)
        return status;
    write_steps(&count, p);
    count_sent(p, &rule, &optimum);
    cli_worst_rule_text(&p->buffer, text, sizeof text);
    fprintf(file.stream, "# switchq worst: %d queues, %d slots, %s\n", p->spec.queues,
            p->buffer.capacity, text);
    fprintf(file.stream,
            "# %lld phases, at most %d arrivals in one; until its memory is empty, the rule sends "
            "%lld packets,\n# the optimum %lld\n# cycle, input, output\n",
            count.cycle, count.longest, rule, optimum);
    writing all = {0, 0, 0, file.stream};
    write_steps(&all, p);
    return swq_outfile_commit(ctx, &file);
}
