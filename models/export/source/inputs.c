/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PRISM source of a switch with a buffer per input: a module each, with its source. A FIFO keeps
 * the destination of every packet, unlike the chain, which draws them at the head.
 */
#include "models/export/source/source.h"

static bool is_fifo(const swq_switch *sw)
{
    return sw->buffer.queues == SWQ_ONE_QUEUE;
}

/* Queue lengths as admission sees them: packets, and slots that are not yet credited. */
static void write_formulas(FILE *out, const swq_switch *sw, int i)
{
    int queues = swq_buffer_queues(&sw->buffer, sw->ports);
    bool next = sw->credit == SWQ_CREDIT_NEXT;
    char buffer[16];

    snprintf(buffer, sizeof buffer, "%d", i);
    if (is_fifo(sw)) {
        fprintf(out, "formula len%d = ", i);
        for (int k = 0; k < sw->buffer.capacity; k++)
            fprintf(out, "%s(slot%d_%d > 0 ? 1 : 0)", source_plus(k), i, k);
        fputs(";\n", out);
        for (int j = 0; j < sw->ports; j++)
            fprintf(out, "formula ask%d_%d = slot%d_0 = %d ? len%d : 0;\n", i, j, i, j + 1, i);
        fprintf(out, "formula see%d_0 = len%d%s", i, i, next ? "" : ";\n");
        if (next)
            fprintf(out, " + freed%d_0;\n", i);
    } else {
        for (int j = 0; j < sw->ports; j++) {
            fprintf(out, "formula ask%d_%d = q%d_%d;\n", i, j, i, j);
            fprintf(out, "formula see%d_%d = q%d_%d", i, j, i, j);
            if (next)
                fprintf(out, " + freed%d_%d", i, j);
            fputs(";\n", out);
        }
    }
    source_write_admission(out, sw, buffer, queues);
}

static void write_variables(FILE *out, const swq_switch *sw, int i)
{
    int queues = swq_buffer_queues(&sw->buffer, sw->ports);

    if (is_fifo(sw)) {
        fprintf(out, "    // destination + 1 of each packet, the head first; 0: no packet\n");
        for (int k = 0; k < sw->buffer.capacity; k++)
            fprintf(out, "    slot%d_%d : [0..%d] init 0;\n", i, k, sw->ports);
    } else {
        for (int j = 0; j < queues; j++)
            fprintf(out, "    q%d_%d : [0..%d] init 0;\n", i, j, sw->buffer.queue_max);
    }
    if (sw->credit == SWQ_CREDIT_NEXT) {
        fputs("    // slots freed by the last transmission, not yet credited\n", out);
        for (int q = 0; q < queues; q++)
            fprintf(out, "    freed%d_%d : [0..1] init 0;\n", i, q);
    }
    if (sw->flow == SWQ_BLOCK)
        fprintf(out, "    held%d : [0..%d] init 0; // destination + 1 of what the source holds\n",
                i, sw->ports);
}

/* A packet for output j is offered: it joins its queue, or is refused. */
static void write_offer(FILE *out, const swq_switch *sw, int i, int j)
{
    int queue = is_fifo(sw) ? 0 : j;

    if (is_fifo(sw)) {
        for (int k = 0; k < sw->buffer.capacity; k++)
            fprintf(out, "%s(slot%d_%d' = admit%d_0 & len%d = %d ? %d : slot%d_%d)", k ? " & " : "",
                    i, k, i, i, k, j + 1, i, k);
    } else {
        fprintf(out, "(q%d_%d' = admit%d_%d ? q%d_%d + 1 : q%d_%d)", i, j, i, j, i, j, i, j);
    }
    if (sw->flow == SWQ_BLOCK)
        fprintf(out, " & (held%d' = admit%d_%d ? 0 : %d)", i, i, queue, j + 1);
}

static void write_arrival(FILE *out, const swq_switch *sw, int i)
{
    bool block = sw->flow == SWQ_BLOCK;

    if (block)
        fprintf(out, "    [arrive] held%d = 0 ->\n", i);
    else
        fputs("    [arrive] true ->\n", out);
    fprintf(out, "          1 - load%d : true\n", i);
    for (int j = 0; j < sw->ports; j++) {
        fprintf(out, "        + load%d * to%d_%d : ", i, i, j);
        write_offer(out, sw, i, j);
        fputs(j + 1 < sw->ports ? "\n" : ";\n", out);
    }
}

static void write_departure(FILE *out, const swq_switch *sw, int i)
{
    bool next = sw->credit == SWQ_CREDIT_NEXT;
    int last = sw->buffer.capacity - 1;

    fputs("    [send] true -> ", out);
    if (is_fifo(sw)) {
        for (int k = 0; k <= last; k++) {
            fprintf(out, "%s(slot%d_%d' = sends%d ? ", k ? " & " : "", i, k, i);
            if (k < last)
                fprintf(out, "slot%d_%d", i, k + 1);
            else
                fputs("0", out);
            fprintf(out, " : slot%d_%d)", i, k);
        }
        if (next)
            fprintf(out, " & (freed%d_0' = sends%d ? 1 : 0)", i, i);
    } else {
        for (int j = 0; j < sw->ports; j++) {
            fprintf(out, "%s(q%d_%d' = grant%d = %d ? q%d_%d - 1 : q%d_%d)", j ? " & " : "", i, j,
                    j, i + 1, i, j, i, j);
            if (next)
                fprintf(out, " & (freed%d_%d' = grant%d = %d ? 1 : 0)", i, j, j, i + 1);
        }
    }
    fputs(";\n", out);
}

void source_write_inputs(FILE *out, const swq_switch *sw)
{
    for (int i = 0; i < sw->ports; i++) {
        fprintf(out, "\n// ---- input %d and its buffer\n", i);
        write_formulas(out, sw, i);
        fprintf(out, "module input%d\n", i);
        write_variables(out, sw, i);
        write_arrival(out, sw, i);
        for (int j = 0; j < sw->ports && sw->flow == SWQ_BLOCK; j++) {
            fprintf(out, "    [arrive] held%d = %d -> ", i, j + 1);
            write_offer(out, sw, i, j);
            fputs(";\n", out);
        }
        write_departure(out, sw, i);
        fputs("endmodule\n", out);
    }
}

/* The expected refusals of input i in the next reception. */
static void write_refused(FILE *out, const swq_switch *sw, int i)
{
    bool block = sw->flow == SWQ_BLOCK;

    fputs("    phase = ARRIVE : ", out);
    if (block)
        fprintf(out, "held%d = 0 ? ", i);
    fprintf(out, "load%d * (", i);
    for (int j = 0; j < sw->ports; j++)
        fprintf(out, "%sto%d_%d * (admit%d_%d ? 0 : 1)", source_plus(j), i, j, i,
                is_fifo(sw) ? 0 : j);
    fputs(")", out);
    if (block) {
        fputs(" : (", out);
        for (int j = 0; j < sw->ports; j++)
            fprintf(out, "%sheld%d = %d & admit%d_%d", j ? " | " : "", i, j + 1, i,
                    is_fifo(sw) ? 0 : j);
        fputs(") ? 0 : 1", out);
    }
    fputs(";\n", out);
}

void source_write_input_rewards(FILE *out, const swq_switch *sw)
{
    fputs("\nrewards \"refused\"\n", out);
    for (int i = 0; i < sw->ports; i++)
        write_refused(out, sw, i);
    fputs("endrewards\nrewards \"offered\"\n", out);
    for (int i = 0; i < sw->ports; i++) {
        if (sw->flow == SWQ_BLOCK)
            fprintf(out, "    phase = ARRIVE : held%d = 0 ? load%d : 1;\n", i, i);
        else
            fprintf(out, "    phase = ARRIVE : load%d;\n", i);
    }
    fputs("endrewards\nrewards \"sent\"\n", out);
    for (int j = 0; j < sw->ports; j++)
        fprintf(out, "    phase = SEND & grant%d > 0 : 1;\n", j);
    fputs("endrewards\nrewards \"packets\"\n", out);
    for (int i = 0; i < sw->ports; i++) {
        fputs("    phase = ARRIVE : ", out);
        if (is_fifo(sw))
            fprintf(out, "len%d", i);
        for (int j = 0; j < sw->ports && !is_fifo(sw); j++)
            fprintf(out, "%sq%d_%d", source_plus(j), i, j);
        fputs(";\n", out);
    }
    fputs("endrewards\nrewards \"cycles\"\n    phase = ARRIVE : 1;\nendrewards\n", out);
}
