/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See step_cases.h.
 */
#include "tests/support/step_cases.h"
#include "tests/support/support.h"

typedef struct step_row {
    const char *architecture, *buffer;
    int slots;
    const char *arbiter;
    int ports, behind, speedup; /* behind: slots of an output queue or a crosspoint */
} step_row;

static const step_row rows[] = {
    {"output-queued", NULL, 0, "random", 2, 1, 0},
    {"output-queued", NULL, 0, "random", 2, 2, 0},
    {"output-queued", NULL, 0, "random", 2, 3, 0},
    {"output-queued", NULL, 0, "random", 3, 2, 0},
    {"crosspoint", NULL, 0, "random", 2, 1, 0},
    {"crosspoint", NULL, 0, "longest", 2, 2, 0},
    {"crosspoint", NULL, 0, "islip", 2, 2, 0},
    {"crosspoint", NULL, 0, "fixed", 2, 2, 0},
    {"crosspoint", NULL, 0, "random", 2, 2, 0},
    {"crosspoint", NULL, 0, "islip", 2, 1, 0},
    {"crosspoint", NULL, 0, "fixed", 3, 1, 0},
    {"input-crosspoint", "damq", 2, "random", 2, 1, 0},
    {"input-crosspoint", "damq", 2, "longest", 2, 1, 0},
    {"input-crosspoint", "damq", 2, "fixed", 2, 1, 0},
    {"input-crosspoint", "damq", 1, "islip", 2, 1, 0},
    {"input-crosspoint", "damq", 1, "longest", 2, 2, 0},
    {"input-crosspoint", "fifo", 2, "longest", 2, 1, 0},
    {"input-crosspoint", "fifo", 1, "islip", 2, 1, 0},
    {"input-crosspoint", "samq", 2, "random", 2, 1, 0},
    {"input-crosspoint", "safc", 2, "random", 2, 1, 0},
    {"input-crosspoint", "dafc", 2, "longest", 2, 1, 0},
    {"cioq", "damq", 2, "random", 2, 2, 2},
    {"cioq", "damq", 2, "random-outputs", 2, 1, 2},
    {"cioq", "damq", 2, "maximum", 2, 2, 2},
    {"cioq", "damq", 2, "longest", 2, 2, 2},
    {"cioq", "damq", 2, "maximum-longest", 2, 1, 2},
    {"cioq", "damq", 2, "max-weight", 2, 2, 2},
    {"cioq", "damq", 2, "fixed", 2, 2, 2},
    {"cioq", "damq", 2, "pim", 2, 2, 2},
    {"cioq", "damq", 2, "rotating", 2, 1, 2},
    {"cioq", "damq", 1, "rotating", 2, 2, 2},
    {"cioq", "damq", 2, "advancing", 2, 1, 2},
    {"cioq", "damq", 1, "islip", 2, 2, 2},
    {"cioq", "damq", 2, "longest", 2, 2, 1},
    {"cioq", "damq", 2, "pim", 2, 1, 1},
    {"cioq", "fifo", 2, "random", 2, 2, 2},
    {"cioq", "fifo", 2, "maximum", 2, 1, 2},
    {"cioq", "samq", 2, "longest", 2, 2, 2},
    {"cioq", "safc", 2, "random", 2, 2, 2},
    {"cioq", "safc", 2, "fixed", 2, 1, 2},
    {"cioq", "dafc", 2, "longest", 2, 2, 2},
    {"cioq", "dafc", 2, "maximum", 2, 1, 1},
    {"cioq", "damq", 1, "random", 3, 1, 2},
    {"cioq", "fifo", 1, "longest", 3, 1, 3},
};

enum { ROWS = sizeof rows / sizeof *rows, MODES = 4, EACH = 2 * MODES };

static bool may_depart_first(const step_row *row)
{
    return row->buffer != NULL;
}

/* Three ports with packets at sources, or behind the crossbar, have more states than the reference
 * has room for. */
static bool is_small(const step_row *row, int which)
{
    const bool cioq = strcmp(row->architecture, "cioq") == 0;

    return row->ports < 3 || (which % MODES < 1 + !cioq && (!cioq || which < MODES));
}

/* Case `which` of a row exists. */
static bool has(const step_row *row, int which)
{
    return is_small(row, which) && (which < MODES || may_depart_first(row));
}

int step_cases(void)
{
    int cases = 0;

    for (int r = 0; r < ROWS; r++)
        for (int which = 0; which < EACH; which++)
            cases += has(&rows[r], which);
    return cases;
}

static void set_traffic(swq_context *ctx, swq_switch *sw)
{
    double matrix[SWQ_CHAIN_PORTS * SWQ_CHAIN_PORTS] = {0};
    const int n = sw->ports;

    for (int i = 0; i < n; i++) {
        sw->load[i] = 0.875 - 0.25 * i;
        for (int j = 0; j < n; j++)
            matrix[i * n + j] = 0.75 / n + (j == (2 * i + 1) % n ? 0.25 : 0);
    }
    cr_assert_eq(swq_traffic_matrix(ctx, sw, matrix), SWQ_OK, "%s", swq_context_message(ctx));
}

static swq_switch make(swq_context *ctx, const step_row *row, int which)
{
    swq_switch sw = test_switch(ctx, row->buffer ? row->buffer : "damq", row->ports,
                                row->slots ? row->slots : 1, 0, row->arbiter);

    cr_assert_eq(swq_architecture_find(ctx, row->architecture, SWQ_ENGINE_SYNC, &sw.architecture),
                 SWQ_OK);
    sw.speedup = row->speedup;
    sw.output_slots = sw.architecture->stage.output_queues ? row->behind : 0;
    sw.crosspoint_slots = sw.architecture->stage.crosspoints ? row->behind : 0;
    sw.flow = which % MODES / 2 ? SWQ_BLOCK : SWQ_DISCARD;
    sw.credit = which % 2 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
    sw.departures_first = which >= MODES;
    swq_switch_own_memory(&sw);
    set_traffic(ctx, &sw);
    return sw;
}

swq_switch step_case(swq_context *ctx, int k, char *what, size_t size)
{
    const step_row *row = rows;
    int which = 0;

    for (;; which++) {
        if (which == EACH) {
            which = 0;
            row++;
        }
        if (has(row, which) && k-- == 0)
            break;
    }
    const swq_switch sw = make(ctx, row, which);
    snprintf(what, size, "%s %s-%d, %s, %d ports, %d behind, speedup %d, %s-%s, departures %s",
             row->architecture, row->buffer ? row->buffer : "", row->slots, row->arbiter,
             row->ports, row->behind, row->speedup, sw.flow == SWQ_BLOCK ? "block" : "discard",
             sw.credit == SWQ_CREDIT_NEXT ? "next" : "same",
             sw.departures_first ? "first" : "last");
    cr_assert_eq(swq_switch_check(ctx, &sw), SWQ_OK, "%s: %s", what, swq_context_message(ctx));
    return sw;
}

ref_steps to_steps(const swq_switch *sw)
{
    static const struct {
        const char *name;
        ref_steps_kind kind;
    } kinds[] = {{"output-queued", STEPS_OUTPUT_QUEUED},
                 {"crosspoint", STEPS_CROSSPOINT},
                 {"input-crosspoint", STEPS_INPUT_CROSSPOINT},
                 {"cioq", STEPS_CIOQ}};
    ref_steps s = {.kind = STEPS_INPUT_QUEUED,
                   .ports = sw->ports,
                   .queue_per_output = sw->buffer.queues == SWQ_QUEUE_PER_OUTPUT,
                   .read_all = sw->buffer.read == SWQ_READ_EACH_QUEUE,
                   .capacity = sw->buffer.capacity,
                   .queue_min = sw->buffer.queue_min,
                   .queue_max = sw->buffer.queue_max,
                   .alpha = sw->buffer.alpha,
                   .output_slots = sw->output_slots,
                   .crosspoint_slots = sw->crosspoint_slots,
                   .speedup = sw->speedup,
                   .departures_first = sw->departures_first,
                   .block = sw->flow == SWQ_BLOCK,
                   .credit_next = sw->credit == SWQ_CREDIT_NEXT,
                   .arbiter = sw->arbiter->name,
                   .iterations = sw->iterations > 0 ? sw->iterations : 1};

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (strcmp(swq_switch_architecture(sw)->name, kinds[k].name) == 0)
            s.kind = kinds[k].kind;
    }
    for (int i = 0; i < sw->ports; i++) {
        s.load[i] = sw->load[i];
        for (int j = 0; j < sw->ports; j++)
            s.dest[i][j] = sw->dest[i][j];
    }
    return s;
}
