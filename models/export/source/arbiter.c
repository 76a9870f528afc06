/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PRISM source of arbitration: the module that says what phase a cycle is in and who sends to which
 * output. A sequential arbiter takes a step of the chain for each port it visits; one that weighs
 * sets takes a single step. Rules: docs/model.md, "Arbitration and transmission".
 */
#include "models/arbiters/arbiters.h"
#include "models/export/source/source.h"

static const source_arbiter rows[] = {
    {&swq_arbiter_random, SOURCE_INPUTS, SOURCE_ANY, false, false, false},
    {&swq_arbiter_random_outputs, SOURCE_OUTPUTS, SOURCE_ANY, false, false, false},
    {&swq_arbiter_longest, SOURCE_INPUTS, SOURCE_LONGEST, false, false, false},
    {&swq_arbiter_fixed, SOURCE_INPUTS, SOURCE_FIRST, true, false, false},
    {&swq_arbiter_maximum, SOURCE_SETS, SOURCE_ANY, false, true, false},
    {&swq_arbiter_maximum_longest, SOURCE_SETS, SOURCE_LONGEST, false, true, true},
    {&swq_arbiter_max_weight, SOURCE_SETS, SOURCE_LONGEST, false, false, true},
};

const source_arbiter *source_arbiter_of(const swq_arbiter *arbiter)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (rows[k].arbiter == arbiter)
            return &rows[k];
    }
    return NULL;
}

/* Called with a set of transmissions: output j takes a packet of input i if to[j] == i. */
typedef void set_fn(FILE *out, const swq_switch *sw, const source_arbiter *how, int number,
                    const int *to);

/* Call `each` for every set of transmissions, the empty one first; returns their number. */
static int all_sets(FILE *out, const swq_switch *sw, const source_arbiter *how, set_fn *each)
{
    int to[SOURCE_MOST_PORTS_OF_SETS], count = 0, n = sw->ports;

    for (int j = 0; j < n; j++)
        to[j] = -1;
    for (;;) {
        unsigned used = 0;
        bool matching = true;
        for (int j = 0; j < n; j++) {
            matching = matching && !(to[j] >= 0 && used >> to[j] & 1);
            used |= to[j] >= 0 ? 1u << to[j] : 0;
        }
        if (matching)
            each(out, sw, how, count++, to);
        int j = 0;
        while (j < n && ++to[j] == n)
            to[j++] = -1;
        if (j == n)
            return count;
    }
}

static void write_score(FILE *out, const swq_switch *sw, const source_arbiter *how, int number,
                        const int *to)
{
    int members = 0, heaviest = sw->ports * sw->buffer.capacity + 1;

    for (int j = 0; j < sw->ports; j++)
        members += to[j] >= 0;
    fprintf(out, "formula set%d = ", number);
    for (int j = 0, k = 0; j < sw->ports; j++) {
        if (to[j] >= 0)
            fprintf(out, "%sask%d_%d > 0", k++ ? " & " : "", to[j], j);
    }
    fputs(members ? " ? " : "0", out);
    if (how->packets && members)
        fprintf(out, "%d", how->lengths ? members * heaviest : members);
    for (int j = 0, k = how->packets; j < sw->ports && how->lengths; j++) {
        if (to[j] >= 0)
            fprintf(out, "%sask%d_%d", source_plus(k++), to[j], j);
    }
    fputs(members ? " : -1;\n" : ";\n", out);
}

static void write_set(FILE *out, const swq_switch *sw, const source_arbiter *how, int number,
                      const int *to)
{
    (void)how;
    fprintf(out, "        %s (set%d = best ? 1 : 0) / ties : ", number ? "+" : " ", number);
    for (int j = 0; j < sw->ports; j++)
        fprintf(out, "(grant%d' = %d) & ", j, to[j] + 1);
    fputs("(phase' = SEND)", out);
}

static void write_set_end(FILE *out, const swq_switch *sw, const source_arbiter *how, int number,
                          const int *to)
{
    if (number)
        fputs("\n", out);
    write_set(out, sw, how, number, to);
}

static void write_nothing(FILE *out, const swq_switch *sw, const source_arbiter *how, int number,
                          const int *to)
{
    (void)out, (void)sw, (void)how, (void)number, (void)to;
}

static void write_set_formulas(FILE *out, const swq_switch *sw, const source_arbiter *how)
{
    int count = all_sets(out, sw, how, write_nothing);

    fputs("// what each set of transmissions is worth; -1: it cannot be, for want of a packet\n",
          out);
    all_sets(out, sw, how, write_score);
    fputs("formula best = max(", out);
    for (int k = 0; k < count; k++)
        fprintf(out, "%sset%d", k ? ", " : "", k);
    fputs(");\nformula ties = ", out);
    for (int k = 0; k < count; k++)
        fprintf(out, "%s(set%d = best ? 1 : 0)", source_plus(k), k);
    fputs(";\n", out);
}

/* "can<i>_<j>" narrowed to "best<i>_<j>" by preference among the `n` members of line `line`; a line
 * is an input (its queues compete) or, `across`, an output (the inputs compete). */
static void write_preference(FILE *out, const char *can, const char *best, int line, int n,
                             bool across, source_preference prefer)
{
#define I(k) (across ? (k) : line)
#define J(k) (across ? line : (k))
    for (int k = 0; k < n; k++) {
        fprintf(out, "formula %s%d_%d = %s%d_%d", best, I(k), J(k), can, I(k), J(k));
        for (int o = 0; o < n; o++) {
            if (prefer == SOURCE_FIRST && o < k)
                fprintf(out, " & !(%s%d_%d)", can, I(o), J(o));
            if (prefer == SOURCE_LONGEST && o != k)
                fprintf(out, " & !(%s%d_%d & ask%d_%d > ask%d_%d)", can, I(o), J(o), I(o), J(o),
                        I(k), J(k));
        }
        fputs(";\n", out);
    }
    /* equals are equally likely */
    fprintf(out, "formula %ss%d = ", best, line);
    for (int k = 0; k < n; k++)
        fprintf(out, "%s(%s%d_%d ? 1 : 0)", source_plus(k), best, I(k), J(k));
    fputs(";\n", out);
#undef I
#undef J
}

static void write_turns(FILE *out, const swq_switch *sw, const source_arbiter *how)
{
    fputs("formula left = ", out);
    for (int k = 0; k < sw->ports; k++)
        fprintf(out, "%s(visited%d ? 0 : 1)", source_plus(k), k);
    fputs(";\n// chance to be visited next\n", out);
    for (int k = 0; k < sw->ports; k++) {
        fprintf(out, "formula turn%d = ", k);
        if (how->in_order) {
            for (int o = 0; o < k; o++)
                fprintf(out, "visited%d & ", o);
            fprintf(out, "!visited%d ? 1 : 0;\n", k);
        } else {
            fprintf(out, "(visited%d ? 0 : 1) / max(left, 1);\n", k);
        }
    }
}

static void write_visit_formulas(FILE *out, const swq_switch *sw, const source_arbiter *how)
{
    bool across = how->way == SOURCE_OUTPUTS;

    write_turns(out, sw, how);
    fputs("// packets that could still go, and those among them that are preferred\n", out);
    for (int line = 0; line < sw->ports; line++) {
        for (int k = 0; k < sw->ports; k++) {
            int i = across ? k : line, j = across ? line : k;
            fprintf(out, "formula can%d_%d = ask%d_%d > 0 & ", i, j, i, j);
            if (across)
                fprintf(out, "!sends%d;\n", i);
            else
                fprintf(out, "grant%d = 0;\n", j);
        }
        write_preference(out, "can", "pick", line, sw->ports, across, how->prefer);
    }
}

static void write_visits(FILE *out, const swq_switch *sw, const source_arbiter *how,
                         const char *after)
{
    bool across = how->way == SOURCE_OUTPUTS;

    fputs("    [] phase = VISIT ->\n", out);
    for (int line = 0; line < sw->ports; line++) {
        for (int k = 0; k <= sw->ports; k++) {
            int i = across ? k : line, j = across ? line : k;
            bool none = k == sw->ports; /* no output is possible: a visit without a grant */
            fprintf(out, "        %s turn%d * ", line + k ? "+" : " ", line);
            if (none)
                fprintf(out, "(picks%d = 0 ? 1 : 0) : ", line);
            else
                fprintf(out, "(pick%d_%d ? 1 : 0) / max(picks%d, 1) : (grant%d' = %d) & ", i, j,
                        line, j, i + 1);
            fprintf(out, "(visited%d' = true) & (phase' = left = 1 ? %s : VISIT)%s", line, after,
                    line + 1 == sw->ports && none ? ";\n" : "\n");
        }
    }
}

/* A read port per queue: outputs that are still free take from any input, even if it already sends.
 */
static void write_fill_formulas(FILE *out, const swq_switch *sw, const source_arbiter *how)
{
    fputs("// each queue has a read port: what an output still free may take\n", out);
    for (int j = 0; j < sw->ports; j++) {
        for (int i = 0; i < sw->ports; i++)
            fprintf(out, "formula more%d_%d = ask%d_%d > 0 & grant%d = 0;\n", i, j, i, j, j);
        write_preference(out, "more", "take", j, sw->ports, true, how->prefer);
    }
}

static void write_fill(FILE *out, const swq_switch *sw)
{
    for (int j = 0; j < sw->ports; j++) {
        fprintf(out, "    [] phase = FILL & at = %d ->\n", j);
        for (int i = 0; i <= sw->ports; i++) {
            if (i < sw->ports)
                fprintf(out,
                        "        %s (take%d_%d ? 1 : 0) / max(takes%d, 1) : (grant%d' = %d) & ",
                        i ? "+" : " ", i, j, j, j, i + 1);
            else
                fprintf(out, "        + (takes%d = 0 ? 1 : 0) : ", j);
            if (j + 1 < sw->ports)
                fprintf(out, "(at' = %d)", j + 1);
            else
                fputs("(at' = 0) & (phase' = SEND)", out);
            fputs(i < sw->ports ? "\n" : ";\n", out);
        }
    }
}

void source_write_arbiter(FILE *out, const swq_switch *sw)
{
    const source_arbiter *how = source_arbiter_of(sw->arbiter);
    bool each = sw->buffer.read == SWQ_READ_EACH_QUEUE;
    bool sets = how->way == SOURCE_SETS && !each, visits = how->way != SOURCE_SETS;

    fprintf(out, "\n// ---- the arbiter: %s\n", how->arbiter->summary);
    for (int i = 0; i < sw->ports; i++) {
        fprintf(out, "formula sends%d = ", i);
        for (int j = 0; j < sw->ports; j++)
            fprintf(out, "%sgrant%d = %d", j ? " | " : "", j, i + 1);
        fputs(";\n", out);
    }
    if (sets)
        write_set_formulas(out, sw, how);
    if (visits)
        write_visit_formulas(out, sw, how);
    if (each)
        write_fill_formulas(out, sw, how);

    fputs("const int ARRIVE = 0;\nconst int VISIT = 1;\nconst int FILL = 2;\nconst int SEND = 3;\n"
          "module arbiter\n    phase : [0..3] init 0;\n",
          out);
    for (int j = 0; j < sw->ports; j++)
        fprintf(out, "    grant%d : [0..%d] init 0; // 1 + the input that sends to output %d\n", j,
                sw->ports, j);
    for (int k = 0; k < sw->ports && visits; k++)
        fprintf(out, "    visited%d : bool init false;\n", k);
    if (each)
        fprintf(out, "    at : [0..%d] init 0; // output to be filled next\n", sw->ports);
    fprintf(out, "    [arrive] phase = ARRIVE -> (phase' = %s);\n",
            visits || sets ? "VISIT" : "FILL");
    if (sets) {
        fputs("    [] phase = VISIT ->\n", out);
        all_sets(out, sw, how, write_set_end);
        fputs(";\n", out);
    }
    if (visits)
        write_visits(out, sw, how, each ? "FILL" : "SEND");
    if (each)
        write_fill(out, sw);
    fputs("    [send] phase = SEND -> (phase' = ARRIVE)", out);
    for (int j = 0; j < sw->ports; j++)
        fprintf(out, " & (grant%d' = 0)", j);
    for (int k = 0; k < sw->ports && visits; k++)
        fprintf(out, " & (visited%d' = false)", k);
    fputs(";\nendmodule\n", out);
}
