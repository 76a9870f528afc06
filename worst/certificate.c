/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The certificate: the question, the worst sequence, which shows that the ratio is reached, and the
 * potential, which shows that no larger one is. docs/worst.md describes the format, and
 * tests/ref/worst_check.py checks such a file without any code of this program.
 */
#include "worst/search.h"

#include "base/context.h"
#include "base/outfile.h"

static void write_question(const swq_worst_search *s, const swq_worst *w, FILE *to)
{
    const swq_worst_spec *spec = s->spec;
    const swq_buffer *b = spec->buffer;

    fprintf(to, "switchq worst certificate 1\n");
    fprintf(to, "admission %s\n", swq_buffer_admission(b)->name);
    fprintf(to, "queues %d\nslots %d\n", spec->queues, b->capacity);
    fprintf(to, "queue-min %d\nqueue-max %d\n", b->queue_min, b->queue_max);
    if (swq_buffer_admission(b)->takes & SWQ_ADMISSION_TIES)
        fprintf(to, "ties %s\n",
                b->ties == SWQ_TIES_RANDOM ? "adversary" : swq_ties_words[b->ties]);
    fprintf(to, "alpha %.17g\n", b->alpha);
    fprintf(to, "objective %s\n", spec->objective == SWQ_WORST_EXCESS ? "excess" : "throughput");
    fprintf(to, "speedup %d\narrivals-per-phase %d\n", spec->speedup, spec->arrivals);
    if (swq_worst_valued(spec))
        fprintf(to, "value %d/%d\ndrop %s\n", spec->value[1], spec->value[0],
                b->drop_head ? "head" : "tail");
    fprintf(to, "renamed %d\n", s->rule.renamed);
    if (w->unbounded)
        fprintf(to, "ratio unbounded\n");
    else
        fprintf(to, "ratio %lld/%lld\n", (long long)w->numerator, (long long)w->denominator);
}

static void write_sequence(const swq_worst *w, bool valued, FILE *to)
{
    fprintf(to, "lead %lld\nperiod %lld\n", (long long)w->lead, (long long)w->period);
    for (int64_t k = 0; k < w->lead + w->period; k++) {
        const swq_worst_step *step = &w->step[k];
        if (step->queue < 0) {
            fprintf(to, "send\n");
            continue;
        }
        fprintf(to, "arrival %d ", step->queue);
        if (valued)
            fprintf(to, step->high ? "V " : "1 ");
        if (step->fate >= 0)
            fprintf(to, "push-out %d", step->fate);
        else
            fprintf(to, step->fate == SWQ_TAKE ? "take" : "refuse");
        fprintf(to, step->taken ? " take\n" : " refuse\n");
    }
}

/* A queue as its length, or as a word with a letter for each packet, 1 or V, the first one first; -
 * is an empty queue. */
static void write_queue(bool valued, swq_word queue, FILE *to)
{
    const int length = swq_queue_length(valued, queue);

    if (!valued)
        fprintf(to, "%d ", queue);
    for (int k = 0; valued && k < length; k++)
        fputc(swq_queue_class(true, queue, k) ? 'V' : '1', to);
    if (valued)
        fputs(length ? " " : "- ", to);
}

/* A line for each node: the rule's queues and what it keeps for each, the optimum's, the arrivals
 * of the phase so far if they are limited, the potential. */
static swq_status write_potential(const swq_worst_search *s, FILE *to)
{
    const int queues = s->rule.queues;
    const bool valued = swq_worst_valued(s->spec);
    const int64_t blocks = (int64_t)s->layers * s->rule.states;

    fprintf(to, "nodes %lld\n", (long long)s->reached);
    for (int64_t block = 0; block < blocks; block++) {
        swq_worst_block b;
        swq_worst_block_of(s, block, &b);
        const swq_word *rule = swq_intern_state(&s->rule.set, block % s->rule.states);
        if (swq_context_cancelled(s->ctx))
            return swq_fail(s->ctx, SWQ_ECANCELLED, "cancelled while the certificate was written");
        for (uint32_t i = 0; i < b.members; i++) {
            if (!(s->step[b.first + i] & SWQ_WORST_REACHED))
                continue;
            for (int k = 0; k < s->rule.words; k++)
                write_queue(valued && k < queues, rule[k], to);
            for (int q = 0; q < queues; q++)
                write_queue(valued, s->pairs.held[b.member[i] * (uint32_t)queues + (uint32_t)q],
                            to);
            if (s->layers > 1)
                fprintf(to, "%d ", (int)(block / s->rule.states));
            fprintf(to, "%lld\n", (long long)s->value[b.first + i]);
        }
    }
    return SWQ_OK;
}

swq_status swq_worst_certify(const swq_worst_search *s, const swq_worst *w)
{
    swq_outfile file;
    swq_status status = swq_outfile_open(s->ctx, s->spec->certificate, &file);

    if (status)
        return status;
    write_question(s, w, file.stream);
    write_sequence(w, swq_worst_valued(s->spec), file.stream);
    status = s->unbounded ? SWQ_OK : write_potential(s, file.stream);
    if (!status)
        return swq_outfile_commit(s->ctx, &file);
    swq_outfile_abort(s->ctx, &file);
    return status;
}
