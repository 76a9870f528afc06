/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PRISM source of a central pool, one module: inputs offer one by one, offers are looked at in
 * random order, and every queue that holds something sends.
 */
#include "models/export/source/source.h"

#include <math.h>

static bool by_ports(const swq_switch *sw)
{
    return swq_buffer_pool_rule(&sw->buffer)->opens_ports;
}

static bool pushes(const swq_switch *sw)
{
    return swq_buffer_admission(&sw->buffer) == &swq_admission_longest_queue_drop;
}

static bool follows(const swq_switch *sw)
{
    return swq_buffer_admission(&sw->buffer) == &swq_admission_follow_lqd;
}

static bool expels(const swq_switch *sw)
{
    return swq_buffer_admission(&sw->buffer)->expel;
}

/* Longest-queue drop: lose<j>_<k> is the chance that queue k loses a packet when a packet comes for
 * queue j and finds no room, the packet that comes counted; what is missing to 1, that the packet
 * itself is lost. <held><k>: the length of queue k. */
static void write_longest(FILE *out, const swq_switch *sw, const char *held)
{
    const swq_buffer *b = &sw->buffer;
    const int n = sw->ports;

    for (int j = 0; j < n; j++) {
        fprintf(out, "formula most%d = max(%s%d + 1", j, held, j);
        for (int k = 0; k < n; k++)
            fprintf(out, ", %s%d", held, k);
        fprintf(out, ");\nformula own%d = %s%d + 1 = most%d;\nformula others%d = ", j, held, j, j,
                j);
        for (int k = 0, term = 0; k < n; k++) {
            if (k != j)
                fprintf(out, "%s(%s%d = most%d ? 1 : 0)", source_plus(term++), held, k, j);
        }
        fputs(n > 1 ? ";\n" : "0;\n", out);
        for (int k = 0; k < n; k++) {
            if (k == j)
                continue;
            fprintf(out, "formula lose%d_%d = %s%d < %d & %s%d = most%d & %s%d > %d", j, k, held, j,
                    b->queue_max, held, k, j, held, k, b->queue_min);
            if (b->ties == SWQ_TIES_OWN)
                fprintf(out, " & !own%d", j);
            for (int o = 0; o < n; o++) {
                const bool before = b->ties == SWQ_TIES_LOW ? o < k : o > k;
                if ((b->ties == SWQ_TIES_LOW || b->ties == SWQ_TIES_HIGH) && o != k && before)
                    fprintf(out, " & %s%d%s < most%d", held, o, o == j ? " + 1" : "", j);
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

/* FollowLQD: v<k> is the length of queue k under longest-queue drop. A packet for queue j is taken
 * if take<j>, if the queue gains a packet under longest-queue drop, or if keep<j>, if the packet
 * itself is lost there. miss<j> is the chance that it is refused. */
static void write_virtual(FILE *out, const swq_switch *sw)
{
    const int n = sw->ports, slots = sw->buffer.capacity;

    fputs("formula crowded = ", out);
    for (int k = 0; k < n; k++)
        fprintf(out, "%sv%d", source_plus(k), k);
    fprintf(out, " = %d;\n", slots);
    write_longest(out, sw, "v");
    for (int j = 0; j < n; j++) {
        fprintf(out,
                "formula take%d = used < %d & q%d < v%d + 1;\n"
                "formula keep%d = used < %d & q%d < v%d;\nformula gain%d = ",
                j, slots, j, j, j, slots, j, j, j);
        for (int k = 0, term = 0; k < n; k++) {
            if (k != j)
                fprintf(out, "%slose%d_%d", source_plus(term++), j, k);
        }
        fprintf(out, "%s;\n", n > 1 ? "" : "0");
        fprintf(out,
                "formula miss%d = crowded ? gain%d * (take%d ? 0 : 1) + (1 - gain%d) * (keep%d ? 0 "
                ": 1) : (take%d ? 0 : 1);\n",
                j, j, j, j, j, j);
    }
}

/* All ways for the offer of input i under FollowLQD: nothing is offered; or it is for queue j, and
 * under longest-queue drop there is room, or queue k loses a packet, or the packet itself is lost.
 */
static void write_followed(FILE *out, const swq_switch *sw, int i)
{
    const char *next = "(phase' = left = 1 ? SEND : VISIT)";
    const int slots = sw->buffer.capacity;

    fprintf(out, "        %s turn%d * (offer%d = 0 ? 1 : 0) : (visited%d' = true) & %s\n",
            i ? "+" : " ", i, i, i, next);
    for (int j = 0; j < sw->ports; j++) {
        for (int k = -1; k < sw->ports; k++) {
            fprintf(out, "        + turn%d * (offer%d = %d ? (crowded ? ", i, i, j + 1);
            if (k < 0)
                fputs("0 : 1)", out);
            else if (k == j)
                fprintf(out, "1 - gain%d : 0)", j);
            else
                fprintf(out, "lose%d_%d : 0)", j, k);
            fprintf(out,
                    " : 0) : (visited%d' = true) & %s & (offer%d' = 0) & (q%d' = %s%d ? "
                    "min(q%d + 1, %d) : q%d)",
                    i, next, i, j, k == j ? "keep" : "take", j, j, slots, j);
            if (k != j)
                fprintf(out, " & (v%d' = min(v%d + 1, %d))", j, j, slots);
            if (k >= 0 && k != j)
                fprintf(out, " & (v%d' = max(v%d - 1, 0))", k, k);
            fputs(i + 1 == sw->ports && j + 1 == sw->ports && k + 1 == sw->ports ? ";\n" : "\n",
                  out);
        }
    }
}

/* Expulsion, before packets come: above<k> says that queue k is above its threshold, and more is
 * the chance that one more packet may be expelled. */
static void write_expulsion_formulas(FILE *out, const swq_switch *sw)
{
    const swq_buffer *b = &sw->buffer;
    const int sure = (int)b->expel;
    char text[32], rest[32];

    for (int k = 0; k < sw->ports; k++)
        fprintf(out, "formula above%d = q%d > %s * (%d - used) ? 1 : 0;\n", k, k,
                source_number(b->alpha, text), b->capacity);
    fputs("formula above = ", out);
    for (int k = 0; k < sw->ports; k++)
        fprintf(out, "%sabove%d", source_plus(k), k);
    fprintf(out,
            ";\nformula more = above = 0 ? 0 : (expelled < %d ? 1 : (expelled = %d ? %s : 0));\n",
            sure, sure, source_number(b->expel - sure, rest));
}

static void write_expulsion(FILE *out, const swq_switch *sw)
{
    fputs("    [] phase = EXPEL ->\n        1 - more : (phase' = ARRIVE) & (expelled' = 0)", out);
    for (int k = 0; k < sw->ports; k++)
        fprintf(out,
                "\n        + more * above%d / max(above, 1) : (q%d' = max(q%d - 1, 0)) & "
                "(expelled' = min(expelled + 1, %d))",
                k, k, k, (int)ceil(sw->buffer.expel));
    fputs(";\n", out);
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
        write_longest(out, sw, "see_");
    if (follows(sw))
        write_virtual(out, sw);
    if (expels(sw))
        write_expulsion_formulas(out, sw);
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
        if (follows(sw)) {
            write_followed(out, sw, i);
            continue;
        }
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
    fputs("const int ARRIVE = 0;\nconst int VISIT = 1;\nconst int SEND = 2;\n", out);
    if (expels(sw))
        fprintf(out,
                "const int EXPEL = 3;\nmodule pool\n    phase : [0..3] init 3;\n    expelled : "
                "[0..%d] init 0;\n",
                (int)fmax(1, ceil(sw->buffer.expel)));
    else
        fputs("module pool\n    phase : [0..2] init 0;\n", out);
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
    for (int j = 0; j < sw->ports && follows(sw); j++)
        fprintf(out, "    v%d : [0..%d] init 0;\n", j, sw->buffer.capacity);
    if (expels(sw))
        write_expulsion(out, sw);
    write_arrivals(out, sw);
    write_admissions(out, sw);
    fprintf(out, "    [] phase = SEND -> (phase' = %s)", expels(sw) ? "EXPEL" : "ARRIVE");
    for (int i = 0; i < sw->ports; i++)
        fprintf(out, " & (visited%d' = false)", i);
    if (by_ports(sw))
        fputs(" & (open' = 0)", out);
    for (int j = 0; j < sw->ports; j++) {
        fprintf(out, " & (q%d' = max(q%d - 1, 0))", j, j);
        if (next)
            fprintf(out, " & (freed%d' = q%d > 0 ? 1 : 0)", j, j);
        if (follows(sw))
            fprintf(out, " & (v%d' = max(v%d - 1, 0))", j, j);
    }
    fputs(";\nendmodule\n", out);
}

void source_write_pool_rewards(FILE *out, const swq_switch *sw)
{
    const char *begins = expels(sw) ? "phase = EXPEL & expelled = 0" : "phase = ARRIVE & at = 0";

    fputs("\nrewards \"refused\"\n", out);
    for (int i = 0; i < sw->ports; i++) {
        for (int j = 0; j < sw->ports && follows(sw); j++)
            fprintf(out, "    phase = VISIT & offer%d = %d : turn%d * miss%d;\n", i, j + 1, i, j);
        if (!follows(sw))
            fprintf(out, "    phase = VISIT & offer%d > 0 & !taken%d : turn%d;\n", i, i, i);
    }
    if (expels(sw))
        fputs("    phase = EXPEL : more;\n", out);
    fputs("endrewards\nrewards \"offered\"\n", out);
    for (int i = 0; i < sw->ports; i++)
        fprintf(out, "    phase = VISIT & offer%d > 0 : turn%d;\n", i, i);
    fputs("endrewards\nrewards \"sent\"\n", out);
    for (int j = 0; j < sw->ports; j++)
        fprintf(out, "    phase = SEND & q%d > 0 : 1;\n", j);
    fputs("endrewards\nrewards \"packets\"\n", out);
    for (int j = 0; j < sw->ports; j++)
        fprintf(out, "    %s : q%d;\n", begins, j);
    fprintf(out, "endrewards\nrewards \"cycles\"\n    %s : 1;\nendrewards\n", begins);
}
