/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PRISM source of a central pool, one module: inputs offer one by one, offers are looked at in
 * random order, and every queue that holds something sends.
 * Room: models.
 */
#include "models/export/source/source.h"

static bool by_ports(const swq_switch *sw)
{
    return swq_buffer_pool_rule(&sw->buffer)->opens_ports;
}

static bool pushes(const swq_switch *sw)
{
    return swq_buffer_admission(&sw->buffer) == &swq_admission_longest_queue_drop;
}

/* Longest-queue drop: lose<j>_<k> is the chance that queue k loses a packet when a packet comes for
 * queue j and finds no room, the packet that comes counted; what is missing to 1, that the packet
 * itself is lost. */
static void write_longest(FILE *out, const swq_switch *sw)
{
    const swq_buffer *b = &sw->buffer;
    const int n = sw->ports;

    for (int j = 0; j < n; j++) {
        fprintf(out, "formula most%d = max(see_%d + 1", j, j);
        for (int k = 0; k < n; k++)
            fprintf(out, ", see_%d", k);
        fprintf(out, ");\nformula own%d = see_%d + 1 = most%d;\nformula others%d = ", j, j, j, j);
        for (int k = 0, term = 0; k < n; k++) {
            if (k != j)
                fprintf(out, "%s(see_%d = most%d ? 1 : 0)", source_plus(term++), k, j);
        }
        fputs(n > 1 ? ";\n" : "0;\n", out);
        for (int k = 0; k < n; k++) {
            if (k == j)
                continue;
            fprintf(out, "formula lose%d_%d = see_%d < %d & see_%d = most%d & see_%d > %d", j, k, j,
                    b->queue_max, k, j, k, b->queue_min);
            if (b->ties == SWQ_TIES_OWN)
                fprintf(out, " & !own%d", j);
            for (int o = 0; o < n; o++) {
                const bool before = b->ties == SWQ_TIES_LOW ? o < k : o > k;
                if ((b->ties == SWQ_TIES_LOW || b->ties == SWQ_TIES_HIGH) && o != k && before)
                    fprintf(out, " & see_%d%s < most%d", o, o == j ? " + 1" : "", j);
            }
            if (b->ties == SWQ_TIES_LOW || b->ties == SWQ_TIES_HIGH)
                fputs(" ? 1 : 0;\n", out);
            else if (b->ties == SWQ_TIES_RANDOM)
                fprintf(out, " ? 1 / (others%d + (own%d ? 1 : 0)) : 0;\n", j, j);
            else
                fprintf(out, " ? 1 / max(1, others%d) : 0;\n", j);
        }
    }
}

/* One more way for the offer of input i: it is for queue j, which has no room, and queue k loses a
 * packet. */
static void write_push(FILE *out, const swq_switch *sw, int i, int j, int k)
{
    fprintf(out,
            "        + turn%d * (offer%d = %d & !admit_%d ? lose%d_%d : 0) : (visited%d' = true) & "
            "(phase' = left = 1 ? SEND : VISIT) & (q%d' = min(q%d + 1, %d)) & (q%d' = max(q%d - 1, "
            "0)) & (offer%d' = 0)",
            i, i, j + 1, j, j, k, i, j, j, sw->buffer.queue_max, k, k, i);
}

static void write_formulas(FILE *out, const swq_switch *sw)
{
    for (int j = 0; j < sw->ports; j++)
        fprintf(out,
                sw->credit == SWQ_CREDIT_NEXT ? "formula see_%d = q%d + freed%d;\n"
                                              : "formula see_%d = q%d;\n",
                j, j, j);
    source_write_admission(out, sw, "", sw->ports);
    fputs("formula left = ", out);
    for (int i = 0; i < sw->ports; i++)
        fprintf(out, "%s(visited%d ? 0 : 1)", source_plus(i), i);
    fputs(";\n// chance that an input's offer is looked at next\n", out);
    for (int i = 0; i < sw->ports; i++)
        fprintf(out, "formula turn%d = (visited%d ? 0 : 1) / max(left, 1);\n", i, i);
    if (pushes(sw))
        write_longest(out, sw);
    for (int i = 0; i < sw->ports; i++) {
        fprintf(out, "formula taken%d = %s(", i, by_ports(sw) ? "open > 0 & " : "");
        for (int j = 0; j < sw->ports; j++)
            fprintf(out, "%soffer%d = %d & admit_%d", j ? " | " : "", i, j + 1, j);
        fputs(");\n", out);
    }
}

static void write_arrivals(FILE *out, const swq_switch *sw)
{
    for (int i = 0; i < sw->ports; i++) {
        char then[64];
        if (i + 1 < sw->ports)
            snprintf(then, sizeof then, "(at' = %d)", i + 1);
        else
            snprintf(then, sizeof then, "(at' = 0) & (phase' = VISIT)%s",
                     by_ports(sw) ? " & (open' = min(room, PORTS))" : "");
        fprintf(out, "    [] phase = ARRIVE & at = %d & offer%d = 0 ->\n", i, i);
        fprintf(out, "          1 - load%d : %s\n", i, then);
        for (int j = 0; j < sw->ports; j++)
            fprintf(out, "        + load%d * to%d_%d : (offer%d' = %d) & %s%s", i, i, j, i, j + 1,
                    then, j + 1 < sw->ports ? "\n" : ";\n");
        if (sw->flow == SWQ_BLOCK)
            fprintf(out, "    [] phase = ARRIVE & at = %d & offer%d > 0 -> %s; // held\n", i, i,
                    then);
    }
}

static void write_admissions(FILE *out, const swq_switch *sw)
{
    fputs("    [] phase = VISIT ->\n", out);
    for (int i = 0; i < sw->ports; i++) {
        fprintf(out, "        %s turn%d", i ? "+" : " ", i);
        for (int j = 0; j < sw->ports && pushes(sw); j++) {
            fprintf(out, " * (offer%d = %d & !admit_%d ? 1", i, j + 1, j);
            for (int k = 0; k < sw->ports; k++) {
                if (k != j)
                    fprintf(out, " - lose%d_%d", j, k);
            }
            fputs(" : 1)", out);
        }
        fprintf(out, " : (visited%d' = true) & (phase' = left = 1 ? SEND : VISIT)", i);
        for (int j = 0; j < sw->ports; j++)
            fprintf(out, " & (q%d' = taken%d & offer%d = %d ? q%d + 1 : q%d)", j, i, i, j + 1, j,
                    j);
        if (sw->flow == SWQ_BLOCK)
            fprintf(out, " & (offer%d' = taken%d ? 0 : offer%d)", i, i, i);
        else
            fprintf(out, " & (offer%d' = 0)", i);
        if (by_ports(sw))
            fputs(" & (open' = max(open - 1, 0))", out);
        for (int j = 0; j < sw->ports && pushes(sw); j++) {
            for (int k = 0; k < sw->ports; k++) {
                if (k == j)
                    continue;
                fputs("\n", out);
                write_push(out, sw, i, j, k);
            }
        }
        fputs(i + 1 < sw->ports ? "\n" : ";\n", out);
    }
}

void source_write_pool(FILE *out, const swq_switch *sw)
{
    bool next = sw->credit == SWQ_CREDIT_NEXT;

    fprintf(out, "\n// ---- the pool\nconst int PORTS = %d;\n", sw->ports);
    write_formulas(out, sw);
    if (by_ports(sw)) {
        fprintf(out, "formula room = %d", sw->buffer.capacity);
        for (int j = 0; j < sw->ports; j++)
            fprintf(out, " - see_%d", j);
        fputs(";\n", out);
    }
    fputs("const int ARRIVE = 0;\nconst int VISIT = 1;\nconst int SEND = 2;\n"
          "module pool\n    phase : [0..2] init 0;\n",
          out);
    fprintf(out, "    at : [0..%d] init 0; // input to create a packet next\n", sw->ports);
    for (int i = 0; i < sw->ports; i++)
        fprintf(out, "    visited%d : bool init false;\n", i);
    for (int i = 0; i < sw->ports; i++)
        fprintf(out, "    offer%d : [0..%d] init 0; // destination + 1\n", i, sw->ports);
    if (by_ports(sw))
        fputs("    open : [0..PORTS] init 0; // random ports that are open still\n", out);
    for (int j = 0; j < sw->ports; j++)
        fprintf(out, "    q%d : [0..%d] init 0;\n", j, sw->buffer.queue_max);
    for (int j = 0; j < sw->ports && next; j++)
        fprintf(out, "    freed%d : [0..1] init 0;\n", j);
    write_arrivals(out, sw);
    write_admissions(out, sw);
    fputs("    [] phase = SEND -> (phase' = ARRIVE)", out);
    for (int i = 0; i < sw->ports; i++)
        fprintf(out, " & (visited%d' = false)", i);
    if (by_ports(sw))
        fputs(" & (open' = 0)", out);
    for (int j = 0; j < sw->ports; j++) {
        fprintf(out, " & (q%d' = max(q%d - 1, 0))", j, j);
        if (next)
            fprintf(out, " & (freed%d' = q%d > 0 ? 1 : 0)", j, j);
    }
    fputs(";\nendmodule\n", out);
}

void source_write_pool_rewards(FILE *out, const swq_switch *sw)
{
    fputs("\nrewards \"refused\"\n", out);
    for (int i = 0; i < sw->ports; i++)
        fprintf(out, "    phase = VISIT & offer%d > 0 & !taken%d : turn%d;\n", i, i, i);
    fputs("endrewards\nrewards \"offered\"\n", out);
    for (int i = 0; i < sw->ports; i++)
        fprintf(out, "    phase = VISIT & offer%d > 0 : turn%d;\n", i, i);
    fputs("endrewards\nrewards \"sent\"\n", out);
    for (int j = 0; j < sw->ports; j++)
        fprintf(out, "    phase = SEND & q%d > 0 : 1;\n", j);
    fputs("endrewards\nrewards \"packets\"\n", out);
    for (int j = 0; j < sw->ports; j++)
        fprintf(out, "    phase = ARRIVE & at = 0 : q%d;\n", j);
    fputs("endrewards\nrewards \"cycles\"\n    phase = ARRIVE & at = 0 : 1;\nendrewards\n", out);
}
