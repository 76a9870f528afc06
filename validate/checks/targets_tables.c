/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of printed tables: from what a row of the csv says of itself to a cell of `switchq table`,
 * run with the same rules, lengths and tolerances as there.
 */
#include "validate/checks/printed.h"

#include "base/context.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `switchq table`'s lengths, quick and full */
enum { QUICK = 2500, FULL = 20000, QUICK_PERCENTILES = 20000, FULL_PERCENTILES = 100000 };

/* The rows that one run decides: a printed row, or three printed rows for Table 5.1; 4.1 and the
 * table inside Fig. 5.2 are computed as a whole. */
static const struct {
    const char *prefix, *table;
    int together;
    double quick, full; /* CPU seconds of a run */
} kinds[] = {
    {"F41-", "4.1", SWQ_TABLE_4_1_CELLS, 0.2, 0.2},
    {"F42-", "4.2", 9, 0.2, 1.5},
    {"F43-", "4.3", 7, 0.15, 0.8},
    {"F44-", "4.4", 6, 0.1, 0.4},
    {"F51-", "5.1", 15, 1, 5},
    {"F52-", "5.2", 50, 10, 60},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static int kind_of(const swq_target *target)
{
    for (int k = 0; k < KINDS; k++) {
        if (strncmp(target->id, kinds[k].prefix, strlen(kinds[k].prefix)) == 0)
            return k;
    }
    return -1;
}

int printed_rows_together(const swq_target *target)
{
    int kind = kind_of(target);

    return kind < 0 ? 0 : kinds[kind].together;
}

/* ---- reading a configuration ---- */

bool printed_place_of(const char *configuration, printed_place *place)
{
    const char *buffer = strstr(configuration, "buffer=");
    const char *slots = strstr(configuration, "slots/port=");
    const char *at = strstr(configuration, "load=");
    size_t letters = 0;

    *place = (printed_place){.at = NAN};
    if (!buffer)
        return false;
    for (buffer += strlen("buffer="); isalpha((unsigned char)buffer[letters]); letters++) {
        if (letters + 1 == sizeof place->buffer)
            return false;
        place->buffer[letters] = (char)tolower((unsigned char)buffer[letters]);
    }
    if (slots) {
        place->slots = (int)strtol(slots + strlen("slots/port="), NULL, 10);
    } else { /* "buffer=FIFO, 4 slots/port" */
        char *end;
        place->slots = buffer[letters] == ',' ? (int)strtol(buffer + letters + 1, &end, 10) : 0;
        if (place->slots > 0 && strncmp(end, " slots/port", strlen(" slots/port")) != 0)
            place->slots = 0;
    }
    if (!at)
        at = strstr(configuration, "throughput=");
    if (at)
        place->at = strtod(strchr(at, '=') + 1, NULL);
    return letters > 0 && place->slots > 0;
}

static swq_quantity quantity_of(const char *text)
{
    static const struct {
        const char *begins;
        swq_quantity quantity;
    } known[] = {
        {"packets discarded", SWQ_QUANTITY_DISCARDED},
        {"maximum throughput", SWQ_QUANTITY_THROUGHPUT},
        {"saturation throughput", SWQ_QUANTITY_THROUGHPUT},
        {"average latency", SWQ_QUANTITY_LATENCY},
        {"99th percentile", SWQ_QUANTITY_P99},
        {"maximum latency", SWQ_QUANTITY_MAXIMUM},
    };

    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (strncmp(text, known[k].begins, strlen(known[k].begins)) == 0)
            return known[k].quantity;
    }
    return SWQ_QUANTITY_NONE;
}

static bool same_place(const swq_paper_column *column, double at)
{
    if (column->held == SWQ_HELD_FULL_LOAD)
        return isnan(at);
    return fabs(column->at - at) < 1e-9;
}

int printed_cell_of(const swq_paper_table *table, const swq_target *target)
{
    swq_quantity quantity = quantity_of(target->quantity);
    printed_place place;

    if (!printed_place_of(target->configuration, &place))
        return -1;
    for (int c = 0; c < swq_paper_cells(table); c++) {
        const swq_paper_row *row = &table->row[c / table->columns];
        const swq_paper_column *column = &table->column[c % table->columns];
        swq_quantity own = column->quantity != SWQ_QUANTITY_NONE ? column->quantity : row->quantity;
        if (own == quantity && row->slots == place.slots &&
            strcmp(row->buffer, place.buffer) == 0 && same_place(column, place.at))
            return c;
    }
    return -1;
}

/* ---- claims of rows ---- */

static bool is_maximum(const swq_target *target)
{
    return quantity_of(target->quantity) == SWQ_QUANTITY_MAXIMUM;
}

static bool is_misprint(const swq_target *target)
{
    return strncmp(target->notes, "IMPOSSIBLE", strlen("IMPOSSIBLE")) == 0;
}

void printed_table_describe(swq_effort effort, const swq_target *target, swq_check *check)
{
    int kind = kind_of(target);
    printed_place place;
    char at[32] = "at full load";

    printed_place_of(target->configuration, &place);
    if (!isnan(place.at))
        snprintf(at, sizeof at, "at %g", place.at);
    check->level = kind == 0                                   ? SWQ_LEVEL_TABLE
                   : is_maximum(target) || is_misprint(target) ? SWQ_LEVEL_SKIP
                                                               : SWQ_LEVEL_SIM_TABLE;
    check->weight =
        (effort == SWQ_EFFORT_QUICK ? kinds[kind].quick : kinds[kind].full) / kinds[kind].together;
    snprintf(check->claim, sizeof check->claim, "%s %s: %s-%d %s, %.72s: %s %.24s",
             kind == 5 ? "Figure" : "Table", kinds[kind].table, place.buffer, place.slots, at,
             target->quantity, target->value, target->unit);
}

/* ---- Table 4.1 ---- */

static void judge_exact(const swq_target *target, const swq_table_4_1_cell *cell,
                        swq_finding *finding)
{
    double printed = strtod(cell->printed, NULL);

    finding->left = 100 * cell->computed.value;
    finding->right = printed;
    finding->off = fabs(finding->left - finding->right);
    finding->allowed = 0.1;
    finding->outcome = cell->agreement == SWQ_DIFFERS ? SWQ_OUTCOME_FAIL : SWQ_OUTCOME_PASS;
    snprintf(finding->text, sizeof finding->text, "printed %s: %s", cell->printed,
             swq_agreement_text(cell->agreement));
    if (strcmp(cell->printed, target->value) != 0) {
        finding->outcome = SWQ_OUTCOME_FAIL;
        snprintf(finding->text, sizeof finding->text, "the table has %s, targets.csv %s",
                 cell->printed, target->value);
    }
}

static swq_status run_exact(swq_context *ctx, const swq_target *target, int rows,
                            swq_finding *finding)
{
    swq_table_4_1_options options = swq_table_4_1_defaults();
    swq_table_4_1_cell *cell = swq_calloc(ctx, SWQ_TABLE_4_1_CELLS, sizeof *cell);
    int agree;

    if (!cell)
        return swq_memory_status(ctx);
    swq_status status = swq_table_4_1(ctx, &options, cell, &agree);
    for (int r = 0; r < rows && !status; r++) {
        printed_place place;
        const swq_table_4_1_cell *found = NULL;
        printed_place_of(target[r].configuration, &place);
        for (int c = 0; c < SWQ_TABLE_4_1_CELLS && !found; c++) {
            if (strcmp(cell[c].buffer, place.buffer) == 0 && cell[c].slots == place.slots &&
                fabs(cell[c].load - place.at) < 1e-9)
                found = &cell[c];
        }
        if (found)
            judge_exact(&target[r], found, &finding[r]);
        else
            status = swq_fail(ctx, SWQ_EINVAL, "%s: no such cell in Table 4.1", target[r].id);
    }
    swq_free(ctx, cell);
    return status;
}

/* ---- simulated tables ---- */

static void judge(const swq_target *target, const swq_paper_cell *cell, swq_finding *finding)
{
    static const swq_outcome outcome[SWQ_VERDICTS] = {
        [SWQ_VERDICT_AGREES] = SWQ_OUTCOME_PASS,
        [SWQ_VERDICT_DIFFERS] = SWQ_OUTCOME_FAIL,
        [SWQ_VERDICT_KNOWN] = SWQ_OUTCOME_KNOWN,
        [SWQ_VERDICT_MISPRINT] = SWQ_OUTCOME_SKIPPED,
        [SWQ_VERDICT_NOT_COMPARABLE] = SWQ_OUTCOME_SKIPPED,
        [SWQ_VERDICT_NOT_RUN] = SWQ_OUTCOME_SKIPPED,
    };
    double unit = cell->quantity == SWQ_QUANTITY_DISCARDED ? 100 : 1;
    bool word = strcmp(cell->printed, "Sat.") == 0; /* there is no number to compare */

    finding->left = unit * cell->computed.mean;
    finding->right = word ? NAN : strtod(cell->printed, NULL);
    finding->off = fabs(finding->left - finding->right);
    finding->allowed = unit * cell->allowed;
    finding->outcome = outcome[cell->verdict];
    snprintf(finding->text, sizeof finding->text, "%s", cell->reason ? cell->reason : "");
    if (word && !cell->reason)
        snprintf(finding->text, sizeof finding->text, "printed Sat.: %s",
                 cell->saturated ? "full load delivers less" : "full load delivers hardly more");
    if (strcmp(cell->printed, target->value) != 0) {
        finding->outcome = SWQ_OUTCOME_FAIL;
        snprintf(finding->text, sizeof finding->text, "the table has %s, targets.csv %s",
                 cell->printed, target->value);
    }
}

/* The part of a table with the rows of this buffer and size. */
static swq_paper_table part_of(const swq_paper_table *table, int cell)
{
    swq_paper_table part = *table;
    const swq_paper_row *wanted = &table->row[cell / table->columns];
    int first = table->rows, last = 0;

    for (int r = 0; r < table->rows; r++) {
        if (strcmp(table->row[r].buffer, wanted->buffer) == 0 &&
            table->row[r].slots == wanted->slots) {
            first = r < first ? r : first;
            last = r;
        }
    }
    part.row = &table->row[first];
    part.rows = last - first + 1;
    part.resent = false;
    return part;
}

static swq_paper_options options_of(swq_effort effort, const swq_paper_table *table, uint64_t seed)
{
    const bool quick = effort == SWQ_EFFORT_QUICK;
    swq_paper_options options = swq_paper_defaults();

    options.seed = seed;
    options.cycles =
        table->per_node ? (quick ? QUICK_PERCENTILES : FULL_PERCENTILES) : (quick ? QUICK : FULL);
    return options;
}

double printed_whole_table_weight(swq_effort effort, const swq_paper_table *table)
{
    for (int k = 0; k < KINDS; k++) {
        if (strcmp(kinds[k].table, table->name) == 0)
            return (effort == SWQ_EFFORT_QUICK ? kinds[k].quick : kinds[k].full) *
                   swq_paper_cells(table) / kinds[k].together;
    }
    return 0;
}

swq_status printed_whole_table_run(swq_context *ctx, swq_effort effort,
                                   const swq_paper_table *table, uint64_t seed,
                                   swq_finding *finding)
{
    const swq_paper_options options = options_of(effort, table, seed);
    swq_paper_table whole = *table;
    int count[SWQ_VERDICTS];
    swq_paper_cell *cell = swq_calloc(ctx, (size_t)swq_paper_cells(table), sizeof *cell);

    if (!cell)
        return swq_memory_status(ctx);
    whole.resent = false;
    swq_status status = swq_paper_run(ctx, &whole, &options, cell, count);
    if (!status) {
        const swq_joint joint = swq_paper_joint(&whole, &options, cell);
        printed_joint(finding, &joint);
    }
    swq_free(ctx, cell);
    return status;
}

static swq_status run_simulated(swq_context *ctx, swq_effort effort, const swq_paper_table *table,
                                const swq_target *target, int rows, uint64_t seed,
                                swq_finding *finding)
{
    const swq_paper_options options = options_of(effort, table, seed);
    swq_paper_table part = part_of(table, printed_cell_of(table, &target[0]));
    int count[SWQ_VERDICTS];
    swq_paper_cell *cell = swq_calloc(ctx, (size_t)swq_paper_cells(&part), sizeof *cell);

    if (!cell)
        return swq_memory_status(ctx);
    swq_status status = swq_paper_run(ctx, &part, &options, cell, count);
    for (int r = 0; r < rows && !status; r++) {
        int c = printed_cell_of(&part, &target[r]);
        if (c < 0)
            status = swq_fail(ctx, SWQ_EINVAL, "%s: no such cell in Table %s", target[r].id,
                              table->name);
        else
            judge(&target[r], &cell[c], &finding[r]);
    }
    swq_free(ctx, cell);
    return status;
}

/* ---- the table inside Fig. 5.2(b) ---- */

/* The known cause of a number that differs, or NULL. Where the arbiter gives no support, numbers
 * are taken from Table 5.1, and so are known causes. */
static const swq_paper_exception *known_of(const printed_place *place, bool arbiter)
{
    static const swq_paper_exception damq = {
        "damq",
        4,
        SWQ_QUANTITY_P99,
        "0.40",
        "0.50",
        SWQ_VERDICT_KNOWN,
        "the dissertation's arbiter uses a stale count; with a stale count of 1, "
        "serving the longest-waiting head first, 5.7 and 7.3 are found"};
    const swq_paper_table *table = swq_paper_table_find("5.1");
    char heading[8];

    snprintf(heading, sizeof heading, "%.2f", place->at);
    for (const swq_paper_exception *e = arbiter ? &damq : table->exception; e->buffer; e++) {
        if (strcmp(e->buffer, place->buffer) == 0 && e->quantity == SWQ_QUANTITY_P99 &&
            strcmp(e->first, heading) <= 0 && strcmp(heading, e->last) <= 0)
            return e;
        if (arbiter)
            break;
    }
    return NULL;
}

static void judge_point(const swq_target *target, const swq_figure *figure, swq_finding *finding)
{
    bool with = strstr(target->quantity, "priority arbitration");
    printed_place place;

    printed_place_of(target->configuration, &place);
    for (int k = 0; k < figure->printeds; k++) {
        const swq_printed_point *point = &figure->printed[k];
        const char *name = figure->curve[point->curve].name;
        char letters[8] = "";
        for (size_t c = 0; c + 1 < sizeof letters && isalpha((unsigned char)name[c]); c++)
            letters[c] = (char)tolower((unsigned char)name[c]);
        if (strcmp(letters, place.buffer) != 0 || fabs(point->x - place.at) > 1e-9 ||
            with != (strstr(name, "arbiter") != NULL))
            continue;
        finding->left = point->found.mean;
        finding->right = point->y;
        finding->off = fabs(point->found.mean - point->y);
        finding->outcome = point->verdict == SWQ_PRINTED_AGREES    ? SWQ_OUTCOME_PASS
                           : point->verdict == SWQ_PRINTED_DIFFERS ? SWQ_OUTCOME_FAIL
                                                                   : SWQ_OUTCOME_SKIPPED;
        const swq_paper_exception *known = known_of(&place, with);
        if (finding->outcome == SWQ_OUTCOME_FAIL && known) {
            finding->outcome = SWQ_OUTCOME_KNOWN;
            snprintf(finding->text, sizeof finding->text, "%s", known->reason);
        }
        if (fabs(point->y - strtod(target->value, NULL)) > 1e-9) {
            finding->outcome = SWQ_OUTCOME_FAIL;
            snprintf(finding->text, sizeof finding->text, "the figure has %.2f, targets.csv %s",
                     point->y, target->value);
        }
        return;
    }
    finding->outcome = SWQ_OUTCOME_FAIL;
    snprintf(finding->text, sizeof finding->text, "no such number in Figure 5.2");
}

static swq_status run_figure(swq_context *ctx, swq_effort effort, const swq_target *target,
                             int rows, uint64_t seed, swq_finding *finding)
{
    swq_figure_options options = printed_figure_options(effort, seed);
    swq_figure_kind *kind;
    swq_figure figure = {0};
    swq_status status = swq_figure_open(ctx, "5.2", false, &kind);

    if (!status)
        status = swq_figure_run(ctx, kind, &options, &figure);
    for (int r = 0; r < rows && !status; r++)
        judge_point(&target[r], &figure, &finding[r]);
    swq_figure_clear(ctx, &figure);
    swq_figure_close(ctx, kind);
    return status;
}

swq_status printed_table_run(swq_context *ctx, swq_effort effort, const swq_target *target,
                             int rows, uint64_t seed, swq_finding *finding)
{
    const char *name = kinds[kind_of(target)].table;
    const swq_paper_table *table = swq_paper_table_find(name);

    if (table)
        return run_simulated(ctx, effort, table, target, rows, seed, finding);
    if (strcmp(name, "4.1") == 0)
        return run_exact(ctx, target, rows, finding);
    return run_figure(ctx, effort, target, rows, seed, finding);
}
