/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Family "targets": every printed number and claim of validate/targets.csv, one check each. First
 * the rows of tables, in the order of the file; then the claims about figures; then the rest, among
 * them the numbers that are not checked, with the reason. The numbers of a table or a figure are
 * also judged together, by a check of their own after the other checks.
 */
#include "base/context.h"
#include "validate/checks/families.h"
#include "validate/checks/printed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A case: a row of the csv and, unless it belongs to a table, of a list; or the numbers of a whole
 * table, or of the figure of `row`. */
typedef struct printed_case {
    const swq_target *target; /* NULL: a whole */
    const printed_row *row;
    const swq_paper_table *table; /* a whole table */
} printed_case;

static int table_rows(void)
{
    int rows = 0;

    while (rows < swq_target_count && printed_rows_together(&swq_targets[rows]))
        rows++;
    return rows;
}

static const swq_target *target_of(const char *id)
{
    for (int t = 0; t < swq_target_count; t++) {
        if (strcmp(swq_targets[t].id, id) == 0)
            return &swq_targets[t];
    }
    return NULL;
}

/* The table inside Fig. 5.2 is as expensive as the figure. */
static bool table_wanted(swq_effort effort, const swq_target *target)
{
    double weight;

    return strncmp(target->id, "F52-", 4) != 0 || printed_figure_wanted("5.2", effort, &weight);
}

static bool row_wanted(swq_effort effort, const printed_row *row)
{
    double weight;

    return !row->figure || printed_figure_wanted(row->figure, effort, &weight);
}

static bool is_last_of_figure(const printed_row *row)
{
    return row->figure && (!row[1].figure || strcmp(row[1].figure, row->figure) != 0);
}

/* Case k or, if there is no such case, the number of cases. */
static int find_case(swq_effort effort, int k, printed_case *found)
{
    const int tables = table_rows();
    int at = 0;

    for (int t = 0; t < tables; t++) {
        if (table_wanted(effort, &swq_targets[t]) && at++ == k) {
            *found = (printed_case){&swq_targets[t], NULL, NULL};
            return k;
        }
    }
    for (int t = 0; swq_paper_tables[t]; t++) {
        if (at++ == k) {
            *found = (printed_case){NULL, NULL, swq_paper_tables[t]};
            return k;
        }
    }
    for (const printed_row *row = printed_rows; row->id; row++) {
        if (!row_wanted(effort, row))
            continue;
        if (at++ == k) {
            *found = (printed_case){target_of(row->id), row, NULL};
            return k;
        }
        if (is_last_of_figure(row) && at++ == k) {
            *found = (printed_case){NULL, row, NULL};
            return k;
        }
    }
    return at;
}

static int count(swq_effort effort)
{
    printed_case none;

    return find_case(effort, -1, &none);
}

/* The number of a figure's checks, including the check that judges all its numbers together. */
static int checks_of_figure(const char *figure)
{
    int rows = 1;

    for (const printed_row *row = printed_rows; row->id; row++)
        rows += row->figure && strcmp(row->figure, figure) == 0;
    return rows;
}

static void describe_whole(swq_effort effort, const printed_case *c, swq_check *check)
{
    const char *name = c->table ? c->table->name : c->row->figure;

    check->level = SWQ_LEVEL_SIM_TABLE;
    snprintf(check->name, sizeof check->name, "targets/jointly,%s=%s",
             c->table ? "table" : "figure", name);
    snprintf(check->claim, sizeof check->claim,
             "%s %s: its numbers judged together, the parts that agree and all",
             c->table ? "Table" : "Figure", name);
    if (c->table) {
        check->weight = printed_whole_table_weight(effort, c->table);
        return;
    }
    printed_figure_wanted(name, effort, &check->weight);
    check->weight /= checks_of_figure(name);
}

static void describe(swq_effort effort, int k, swq_check *check)
{
    printed_case c = {0};

    find_case(effort, k, &c);
    *check = (swq_check){.level = SWQ_LEVEL_SKIP};
    if (!c.target && (c.table || c.row))
        describe_whole(effort, &c, check);
    if (!c.target)
        return;
    snprintf(check->name, sizeof check->name, "targets/%s", c.target->id);
    if (!c.row) {
        printed_table_describe(effort, c.target, check);
        return;
    }
    check->level = c.row->level;
    check->weight = c.row->weight;
    if (c.row->figure) {
        printed_figure_wanted(c.row->figure, effort, &check->weight);
        check->weight /= checks_of_figure(c.row->figure);
    }
    snprintf(check->claim, sizeof check->claim, "%.24s: %s%s%s", c.target->section,
             c.target->quantity, strcmp(c.target->value, "ordering") == 0 ? "" : ": ",
             strcmp(c.target->value, "ordering") == 0 ? "" : c.target->value);
}

static int together(swq_effort effort, int k)
{
    printed_case first = {0}, next = {0};
    const int all = count(effort);
    int n = 1;

    find_case(effort, k, &first);
    if (first.table)
        return 1;
    if (!first.row)
        return printed_rows_together(first.target);
    if (!first.row->figure)
        return 1;
    while (k + n < all && find_case(effort, k + n, &next) == k + n && next.row->figure &&
           strcmp(next.row->figure, first.row->figure) == 0)
        n++;
    return n;
}

static swq_status run(swq_context *ctx, swq_effort effort, int k, uint64_t seed,
                      swq_finding *finding)
{
    printed_case c = {0};
    const int rows = together(effort, k);

    find_case(effort, k, &c);
    for (int r = 0; r < rows; r++)
        finding[r] = (swq_finding){.left = NAN, .right = NAN, .off = NAN, .allowed = NAN, .p = NAN};
    if (c.table)
        return printed_whole_table_run(ctx, effort, c.table, seed, finding);
    if (!c.row)
        return printed_table_run(ctx, effort, c.target, rows, seed, finding);
    if (c.row->level == SWQ_LEVEL_SKIP) {
        finding->outcome = SWQ_OUTCOME_SKIPPED;
        snprintf(finding->text, sizeof finding->text, "%s", c.row->reason);
        return SWQ_OK;
    }
    if (c.row->figure) {
        for (int r = 0; r < rows; r++)
            finding[r].left = finding[r].right = finding[r].off = finding[r].allowed = 0;
        return printed_figure_run(ctx, effort, c.row, rows - 1, seed, finding);
    }
    swq_status status = c.row->that ? printed_asked_run(ctx, effort, c.row, seed, finding)
                                    : c.row->find(ctx, effort, seed, finding);
    finding->rule[0] = c.row->rule;
    if (!status && finding->outcome == SWQ_OUTCOME_FAIL && c.row->reason &&
        finding->off <= c.row->excused) {
        finding->outcome = SWQ_OUTCOME_KNOWN;
        snprintf(finding->text, sizeof finding->text, "%s", c.row->reason);
    }
    return status;
}

const swq_family swq_family_targets = {
    .name = "targets",
    .title = "Printed numbers and claims of five documents",
    .legs = "print; exact chains, formulas, simulators",
    .criterion = "tables: the rules of `switchq table`, printed with each; figures: the "
                 "criteria of `switchq figure`, with no failing comparison; single numbers: "
                 "within half a unit of the last printed digit of an exact value, within 3% of "
                 "a measured one; numbers that are not checked say why; numbers of a table or "
                 "figure together: as `joint` there",
    .count = count,
    .describe = describe,
    .together = together,
    .run = run,
};
