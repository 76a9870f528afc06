/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The worst case of a rule as a record: the ratio, the graph, and the worst sequence.
 */
#include "cli/print/append.h"
#include "cli/worst/worst.h"

#include "cli/print/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_STEPS = 48 }; /* of the lead and of the period, in text */

/* How ties between equally long queues are broken, as a word; "adversary": the adversary chooses.
 */
static const char *ties_of(const swq_buffer *b)
{
    return b->ties == SWQ_TIES_RANDOM ? "adversary" : swq_ties_words[b->ties];
}

static const char *const rule_words[] = {"given", "best", "best-no-push-out"};

void cli_worst_rule_text(const swq_buffer *b, char *text, size_t size)
{
    snprintf(text, size, "admission %s", swq_buffer_admission(b)->name);

    if (swq_buffer_admission(b)->takes & SWQ_ADMISSION_TIES)
        cli_append(text, size, ", ties %s", ties_of(b));
    if (b->alpha > 0)
        cli_append(text, size, ", threshold %g", b->alpha);
    if (b->queue_min > 0)
        cli_append(text, size, ", %d reserved for each queue", b->queue_min);
    if (b->drop_head)
        cli_append(text, size, ", the first packet is dropped");
    if (b->queue_max < b->capacity)
        cli_append(text, size, ", at most %d in a queue", b->queue_max);
}

/* What a packet of the higher class is worth: "3", or "3/2". */
static const char *value_text(const cli_worst_point *p, char text[40])
{
    snprintf(text, 40, p->spec.value[0] == 1 ? "%d" : "%d/%d", p->spec.value[1], p->spec.value[0]);
    return text;
}

static void put_model(cli_record *root, const cli_worst_point *p)
{
    const swq_buffer *b = &p->buffer;
    cli_record *model = cli_quietly(cli_put_group(root, "model", NULL));
    const bool best = p->spec.rule != SWQ_WORST_GIVEN;
    char rule[200] = "against the best rule", number[40];

    cli_put_word(model, "rule_asked", rule_words[p->spec.rule]);
    cli_put_word(model, "admission", best ? NULL : swq_buffer_admission(b)->name);
    cli_put_count(model, "memory_queues", (uint64_t)p->spec.queues);
    cli_put_count(model, "memory_slots", (uint64_t)b->capacity);
    cli_put_count(model, "queue_min", (uint64_t)b->queue_min);
    cli_put_count(model, "queue_max", (uint64_t)b->queue_max);
    cli_put_number(model, "alpha", b->alpha);
    if (!best && swq_buffer_admission(b)->takes & SWQ_ADMISSION_TIES)
        cli_put_word(model, "ties", ties_of(b));
    cli_put_word(model, "objective",
                 p->spec.objective == SWQ_WORST_EXCESS ? "excess" : "throughput");
    cli_put_number(model, "arrivals_per_phase", p->spec.arrivals ? p->spec.arrivals : NAN);
    cli_put_count(model, "rule_speedup", (uint64_t)p->spec.speedup);
    if (p->spec.value[0])
        cli_put_number(model, "class_value", (double)p->spec.value[1] / p->spec.value[0]);
    if (p->spec.value[0] && swq_buffer_admission(b)->takes & SWQ_ADMISSION_DROP)
        cli_put_word(model, "drop", b->drop_head ? "head" : "tail");
    if (!best)
        cli_worst_rule_text(b, rule, sizeof rule);
    else if (p->spec.rule == SWQ_WORST_BEST_NO_PUSH_OUT)
        snprintf(rule, sizeof rule, "against the best rule without push-out");
    cli_say(root, "%d queue%s of a memory of %d slot%s, %s", p->spec.queues,
            cli_plural((uint64_t)p->spec.queues), b->capacity, cli_plural((uint64_t)b->capacity),
            rule);
    if (p->spec.objective == SWQ_WORST_EXCESS)
        cli_say(root,
                "objective excess: packets a phase that the optimum sends and the rule does not");
    if (p->spec.arrivals)
        cli_say(root, "at most %d arrival%s in a phase", p->spec.arrivals,
                cli_plural((uint64_t)p->spec.arrivals));
    if (p->spec.value[0])
        cli_say(root, "packets are worth 1 or %s, which the objective counts",
                value_text(p, number));
    if (p->spec.speedup > 1)
        cli_say(root, "the rule sends %d packets of a queue in a phase, the optimum 1",
                p->spec.speedup);
    cli_say(root, "%s", "");
}

static void put_result(cli_record *root, const cli_worst_point *p)
{
    const swq_worst *w = &p->worst;
    const bool excess = p->spec.objective == SWQ_WORST_EXCESS;
    const double value = w->unbounded ? NAN : (double)w->numerator / (double)w->denominator;
    const swq_mean ratio = {NAN, value, w->upper};
    cli_record *result = cli_the_result(cli_put_group(root, "result", NULL));
    const char *key = excess ? "excess_packets" : "competitive_ratio";
    cli_record *shown = w->proven
                            ? cli_put_number(result, key, value)
                            : cli_put_proven(result, key, excess ? "excess" : "ratio", &ratio);
    char number[60];

    if (w->unbounded)
        cli_in_place(shown, "unbounded: the rule stops sending, and the optimum goes on");
    else if (!w->proven && isfinite(w->upper))
        cli_in_place(shown, "at least %.12g, at most %.12g", value, w->upper);
    else if (!w->proven)
        cli_in_place(shown, "at least %.12g; no upper bound is known", value);
    else
        cli_in_full(shown);
    snprintf(number, sizeof number, w->denominator == 1 ? "%lld" : "%lld/%lld",
             (long long)w->numerator, (long long)w->denominator);
    if (!w->unbounded)
        cli_remark(cli_put_word(result, "exactly", number), "%s",
                   w->proven ? ", proven" : " or more");
    cli_quietly(cli_put_truth(result, "unbounded", w->unbounded));
    cli_quietly(cli_put_truth(result, "proven", w->proven));
    if (!w->unbounded) {
        snprintf(number, sizeof number, "%lld", (long long)w->numerator);
        cli_quietly(cli_put_word(result, "numerator", number));
        snprintf(number, sizeof number, "%lld", (long long)w->denominator);
        cli_quietly(cli_put_word(result, "denominator", number));
    }
}

static void put_graph(cli_record *root, const cli_worst_point *p)
{
    const swq_worst *w = &p->worst;
    cli_record *graph = cli_quietly(cli_put_group(root, "graph", NULL));

    cli_put_count(graph, "pairs", (uint64_t)w->nodes);
    cli_put_count(graph, "edges", (uint64_t)w->edges);
    cli_put_truth(graph, "renamed", w->renamed);
    cli_put_count(graph, "rounds", (uint64_t)w->improvements);
    cli_put_number(graph, "seconds", w->seconds);
    cli_put_count(graph, "peak_bytes", p->peak);
    cli_say(root, "  %lld %s%s, %lld edges, %lld rounds, %.3f s", (long long)w->nodes,
            p->spec.rule == SWQ_WORST_GIVEN ? "pairs of contents" : "nodes of the game",
            w->renamed ? " up to a renaming of queues" : "", (long long)w->edges,
            (long long)w->improvements, w->seconds);
}

/* ---- the sequence ---- */

/* "3 0": lengths of queues; with classes "1V1 -": what their packets are worth, the first one
 * first. */
static void held_text(const cli_worst_point *p, const int *held, const uint32_t *classes,
                      char *text, size_t size)
{
    *text = '\0';
    for (int q = 0; q < p->spec.queues; q++) {
        char queue[SWQ_WORST_VALUED_SLOTS + 12] = "-";
        for (int k = 0; p->spec.value[0] && k < held[q]; k++)
            queue[k] = classes[q] >> k & 1 ? 'V' : '1', queue[k + 1] = '\0';
        if (!p->spec.value[0])
            snprintf(queue, sizeof queue, "%d", held[q]);
        cli_append(text, size, "%s%s", q ? " " : "", queue);
    }
}

static void put_held(cli_record *step, const char *key, const int *held, int queues)
{
    double number[SWQ_WORST_QUEUES];

    for (int q = 0; q < queues; q++)
        number[q] = held[q];
    cli_put_numbers(step, key, number, queues);
}

/* "2"; with classes "1 + V". */
static void sent_text(int packets, int high, bool valued, char *text, size_t size)
{
    const int low = packets - high;
    char dear[20] = "V";

    if (high > 1)
        snprintf(dear, sizeof dear, "%d V", high);
    if (!valued || high == 0)
        snprintf(text, size, "%d", packets);
    else if (low == 0)
        snprintf(text, size, "%s", dear);
    else
        snprintf(text, size, "%d + %s", low, dear);
}

/* "a packet for queue 1: the rule pushes out of queue 0, the optimum refuses" */
static void step_text(const swq_worst_step *s, bool valued, char *text, size_t size)
{
    char rule[60], sent[2][60];

    if (s->queue < 0) {
        sent_text(s->rule_sent, s->rule_high, valued, sent[0], sizeof sent[0]);
        sent_text(s->optimum_sent, s->optimum_high, valued, sent[1], sizeof sent[1]);
        snprintf(text, size, "end of phase: the rule sends %s, the optimum %s", sent[0], sent[1]);
        return;
    }
    if (s->fate >= 0)
        snprintf(rule, sizeof rule, "pushes out of queue %d", s->fate);
    else
        snprintf(rule, sizeof rule, "%s", s->fate == SWQ_TAKE ? "takes it" : "refuses it");
    snprintf(text, size, "for queue %d%s: the rule %s, the optimum %s", s->queue,
             !valued   ? ""
             : s->high ? ", worth V"
                       : ", worth 1",
             rule, s->taken ? "takes it" : "refuses it");
}

/* What packets are worth together. */
static double worth(const cli_worst_point *p, int packets, int high)
{
    const double more = (double)(p->spec.value[1] - p->spec.value[0]) / p->spec.value[0];

    return packets + high * more;
}

static void put_worth(cli_record *step, const cli_worst_point *p, const swq_worst_step *s)
{
    char text[200];

    cli_put_number(step, "arrival_value", s->queue < 0 ? NAN : worth(p, 1, s->high));
    cli_put_number(step, "rule_sent_value", worth(p, s->rule_sent, s->rule_high));
    cli_put_number(step, "optimum_sent_value", worth(p, s->optimum_sent, s->optimum_high));
    held_text(p, s->rule, s->rule_classes, text, sizeof text);
    cli_put_word(step, "rule_packets", text);
    held_text(p, s->optimum, s->optimum_classes, text, sizeof text);
    cli_put_word(step, "optimum_packets", text);
}

static void put_step(cli_record *list, const cli_worst_point *p, const swq_worst_step *s)
{
    const int queues = p->spec.queues;
    cli_record *step = cli_put_item(list, NULL);

    if (s->queue >= 0)
        cli_put_count(step, "arrival", (uint64_t)s->queue);
    else
        cli_put_number(step, "arrival", NAN);
    cli_put_word(step, "fate",
                 s->queue < 0          ? NULL
                 : s->fate >= 0        ? "push-out"
                 : s->fate == SWQ_TAKE ? "take"
                                       : "refuse");
    cli_put_number(step, "pushed_out", s->queue >= 0 && s->fate >= 0 ? s->fate : NAN);
    cli_put_truth(step, "optimum_takes", s->taken);
    cli_put_count(step, "rule_sent", (uint64_t)s->rule_sent);
    cli_put_count(step, "optimum_sent", (uint64_t)s->optimum_sent);
    put_held(step, "rule_holds", s->rule, queues);
    put_held(step, "optimum_holds", s->optimum, queues);
    if (p->spec.value[0])
        put_worth(step, p, s);
}

static void say_steps(cli_record *root, const cli_worst_point *p, int64_t from, int64_t count,
                      const char *title)
{
    const swq_worst *w = &p->worst;

    if (count == 0)
        return;
    cli_say(root, "\n%s (%lld step%s), and what the rule | the optimum hold then:", title,
            (long long)count, cli_plural((uint64_t)count));
    for (int64_t k = from; k < from + count && k < from + SHOWN_STEPS; k++) {
        const swq_worst_step *s = &w->step[k];
        char text[250], rule[60], optimum[60];
        step_text(s, p->spec.value[0] > 0, text, sizeof text);
        held_text(p, s->rule, s->rule_classes, rule, sizeof rule);
        held_text(p, s->optimum, s->optimum_classes, optimum, sizeof optimum);
        cli_say(root, "  %-*s %s | %s", p->spec.value[0] ? 79 : 68, text, rule, optimum);
    }
    if (count > SHOWN_STEPS)
        cli_say(root, "  and %lld more; --json has all", (long long)(count - SHOWN_STEPS));
}

static void put_sequence(cli_record *root, const cli_worst_point *p)
{
    const swq_worst *w = &p->worst;
    cli_record *sequence = cli_put_group(root, "sequence", NULL);

    cli_quietly(cli_put_count(sequence, "lead_steps", (uint64_t)w->lead));
    cli_quietly(cli_put_count(sequence, "period_steps", (uint64_t)w->period));
    cli_record *list = cli_quietly(cli_not_in_csv(cli_put_list(sequence, "sequence_steps", NULL)));
    for (int64_t k = 0; k < w->lead + w->period; k++)
        put_step(list, p, &w->step[k]);
    say_steps(sequence, p, 0, w->lead, "It begins");
    say_steps(sequence, p, w->lead, w->period, "Then, again and again");
}

cli_record *cli_worst_record(const cli_worst_point *p)
{
    cli_record *root = cli_record_new("switchq/worst/1");

    put_model(root, p);
    put_result(root, p);
    put_graph(root, p);
    put_sequence(root, p);
    return root;
}
