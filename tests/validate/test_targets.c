/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Printed numbers as checks: each line of targets.csv has one disposition, says the same as the
 * printed tables in validate/, and fails where it should. That they agree with what is computed is
 * for `switchq validate` to say.
 */
#include "tests/support/support.h"
#include "validate/checks/families.h"
#include "validate/checks/printed.h"
#include "validate/checks/printed_find.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(targets, .timeout = 240);

enum { TARGETS = 896 };

static const swq_family *const family = &swq_family_targets;

static int place_of(const char *id)
{
    for (int t = 0; t < swq_target_count; t++) {
        if (strcmp(swq_targets[t].id, id) == 0)
            return t;
    }
    return -1;
}

/* Is it a check of a whole table or figure, and not of a line? */
static bool is_joint(const swq_check *check)
{
    return strncmp(check->name, "targets/jointly,", 16) == 0;
}

/* The full run has every line once; the quick one repeats no line. */
Test(targets, every_line_has_one_disposition)
{
    cr_assert_eq(swq_target_count, TARGETS);
    for (int effort = SWQ_EFFORT_QUICK; effort <= SWQ_EFFORT_FULL; effort++) {
        int seen[TARGETS] = {0}, joint = 0;
        const int all = family->count((swq_effort)effort);
        for (int k = 0; k < all; k++) {
            swq_check check;
            family->describe((swq_effort)effort, k, &check);
            cr_assert_eq(strncmp(check.name, "targets/", 8), 0, "%s", check.name);
            if (is_joint(&check)) {
                joint++;
                continue;
            }
            int t = place_of(check.name + 8);
            cr_assert_geq(t, 0, "%s is no line of targets.csv", check.name);
            seen[t]++;
            cr_assert_gt(strlen(check.claim), 8, "%s", check.name);
            cr_assert(check.weight >= 0 && check.weight <= 200, "%s: %g", check.name, check.weight);
        }
        for (int t = 0; t < TARGETS; t++)
            cr_assert(seen[t] == 1 || (effort == SWQ_EFFORT_QUICK && seen[t] == 0), "%s: %d times",
                      swq_targets[t].id, seen[t]);
        cr_assert(effort == SWQ_EFFORT_QUICK ? all > 700 && all < TARGETS : all == TARGETS + joint);
        cr_assert_gt(joint, 4);
    }
}

/* Every case belongs to one run, and the runs follow one another without gaps. */
Test(targets, runs_cover_all_cases)
{
    for (int effort = SWQ_EFFORT_QUICK; effort <= SWQ_EFFORT_FULL; effort++) {
        int k = 0, all = family->count((swq_effort)effort);
        while (k < all) {
            int together = family->together((swq_effort)effort, k);
            cr_assert_gt(together, 0);
            k += together;
        }
        cr_assert_eq(k, all);
    }
}

/* A row is checked in one way, or says why not. */
Test(targets, rows_say_how_or_why_not)
{
    for (const printed_row *row = printed_rows; row->id; row++) {
        const bool skipped = row->level == SWQ_LEVEL_SKIP;
        cr_assert_eq((row->find != NULL) + (row->that != NULL) + (row->claims != NULL), !skipped,
                     "%s", row->id);
        cr_assert_eq(row->figure != NULL, row->claims != NULL, "%s", row->id);
        cr_assert(!skipped || (row->reason && strlen(row->reason) > 10), "%s", row->id);
        /* orders are no number whose rule the family states */
        if ((row->find || row->that) && row->level == SWQ_LEVEL_ORDER &&
            strncmp(row->id, "S0", 2) == 0)
            cr_assert(row->rule && strlen(row->rule) > 10, "%s", row->id);
    }
}

/* Cells of the simulated tables and lines of the csv correspond one to one, with the same words. */
Test(targets, tables_are_as_in_the_csv)
{
    static const char *const prefix[] = {"F42-", "F43-", "F44-", "F51-"};

    for (int t = 0; swq_paper_tables[t]; t++) {
        const swq_paper_table *table = swq_paper_tables[t];
        int *seen = calloc((size_t)swq_paper_cells(table), sizeof *seen), lines = 0;
        for (int k = 0; k < swq_target_count; k++) {
            const swq_target *target = &swq_targets[k];
            if (strncmp(target->id, prefix[t], 4) != 0)
                continue;
            int c = printed_cell_of(table, target);
            cr_assert_geq(c, 0, "%s", target->id);
            cr_assert_eq(seen[c]++, 0, "%s", target->id);
            cr_assert_str_eq(table->row[c / table->columns].printed[c % table->columns],
                             target->value, "%s", target->id);
            lines++;
        }
        cr_assert_eq(lines, swq_paper_cells(table), "Table %s", table->name);
        free(seen);
    }
}

/* The csv's lines of Table 4.1 are compared by a run: all agree, and the words are the same. */
Test(targets, table_4_1)
{
    swq_context *ctx = test_papers();
    swq_finding finding[SWQ_TABLE_4_1_CELLS];
    swq_target line = swq_targets[0];

    cr_assert_eq(family->together(SWQ_EFFORT_QUICK, 0), SWQ_TABLE_4_1_CELLS);
    cr_assert_eq(family->run(ctx, SWQ_EFFORT_QUICK, 0, 1, finding), SWQ_OK);
    for (int k = 0; k < SWQ_TABLE_4_1_CELLS; k++)
        cr_assert_eq(finding[k].outcome, SWQ_OUTCOME_PASS, "%s: %s", swq_targets[k].id,
                     finding[k].text);
    line.value = "1.8"; /* differs from the value in validate/ */
    cr_assert_eq(printed_table_run(ctx, SWQ_EFFORT_QUICK, &line, 1, 1, finding), SWQ_OK);
    cr_assert_eq(finding[0].outcome, SWQ_OUTCOME_FAIL);
    line.configuration = "buffer=FIFO slots/port=7 load=0.25 uniform";
    cr_assert_eq(printed_table_run(ctx, SWQ_EFFORT_QUICK, &line, 1, 1, finding), SWQ_EINVAL);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* One printed row of each simulated kind, and the outcome for a line that differs. */
Test(targets, simulated_rows)
{
    static const char *const first[] = {"F42-001", "F43-015", "F44-001"};
    swq_context *ctx = test_papers();

    for (int f = 0; f < 3; f++) {
        const int t = place_of(first[f]), rows = printed_rows_together(&swq_targets[t]);
        swq_finding finding[16] = {{0}};
        cr_assert_eq(printed_table_run(ctx, SWQ_EFFORT_QUICK, &swq_targets[t], rows, 1, finding),
                     SWQ_OK);
        for (int r = 0; r < rows; r++)
            cr_assert(finding[r].outcome == SWQ_OUTCOME_PASS ||
                          finding[r].outcome == SWQ_OUTCOME_KNOWN,
                      "%s: %s", swq_targets[t + r].id, finding[r].text);
        swq_target line = swq_targets[t];
        line.value = "17";
        cr_assert_eq(printed_table_run(ctx, SWQ_EFFORT_QUICK, &line, 1, 1, finding), SWQ_OK);
        cr_assert_eq(finding[0].outcome, SWQ_OUTCOME_FAIL);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(targets, places)
{
    static const struct {
        const char *text;
        bool right;
        const char *buffer;
        int slots;
        double at;
    } cases[] = {
        {"buffer=FIFO slots/port=12 load=0.25 uniform", true, "fifo", 12, 0.25},
        {"64x64; buffer=SAFC slots/port=4; applied load=0.3; uniform", true, "safc", 4, 0.3},
        {"4x4, buffer=CBDA, 4 slots/port (CBDA 16 total), uniform, throughput=0.5", true, "cbda", 4,
         0.5},
        {"buffer=DAMQ, 4 slots/port, 5% hot", true, "damq", 4, NAN},
        {"buffer=DAMQ, 4 bytes/port", false, "", 0, NAN},
        {"buffer=DAMQ", false, "", 0, NAN},
        {"buffer=DAMQDAMQDAMQ slots/port=4", false, "", 0, NAN},
        {"buffer= slots/port=4", false, "", 0, NAN},
        {"slots/port=4 load=1", false, "", 0, NAN},
        {"", false, "", 0, NAN},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        printed_place place;
        cr_assert_eq(printed_place_of(cases[c].text, &place), cases[c].right, "%s", cases[c].text);
        if (!cases[c].right)
            continue;
        cr_assert_str_eq(place.buffer, cases[c].buffer);
        cr_assert_eq(place.slots, cases[c].slots);
        cr_assert(isnan(cases[c].at) ? isnan(place.at) : place.at == cases[c].at);
    }
}

/* A figure's claims are found by how they begin; one that is missing is a failure. */
Test(targets, claims_of_a_figure)
{
    const printed_row rows[] = {
        {.id = "a",
         .level = SWQ_LEVEL_ORDER,
         .figure = "6.2",
         .claims = "6.2.2: SAFC does not synchronise"},
        {.id = "b", .level = SWQ_LEVEL_ORDER, .figure = "6.2", .claims = "6.2.2: no such words"},
        {.id = "c",
         .level = SWQ_LEVEL_ORDER,
         .figure = "6.2",
         .claims = "6.2.2: FIFO and SAMQ synchronise more quickly"},
    };
    swq_context *ctx = test_papers();
    swq_finding finding[4] = {{0}};

    cr_assert_eq(printed_figure_run(ctx, SWQ_EFFORT_QUICK, rows, 3, 1, finding), SWQ_OK);
    cr_assert_eq(finding[0].outcome, SWQ_OUTCOME_PASS, "%s", finding[0].text);
    cr_assert_gt(finding[0].right, 0);
    cr_assert_eq(finding[1].outcome, SWQ_OUTCOME_FAIL);
    cr_assert_not_null(strstr(finding[1].text, "no such claim"));
    /* contradicts the text, as docs/reproduction.md says */
    cr_assert_neq(finding[2].outcome, SWQ_OUTCOME_PASS);
    cr_assert_eq(finding[3].outcome, SWQ_OUTCOME_SKIPPED, "6.2 has no numbers");
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

static void expect(const char *id, swq_outcome outcome)
{
    swq_context *ctx = test_papers();
    const int all = family->count(SWQ_EFFORT_QUICK);

    for (int k = 0; k < all; k++) {
        swq_check check;
        swq_finding finding = {0};
        family->describe(SWQ_EFFORT_QUICK, k, &check);
        if (strcmp(check.name + 8, id) != 0)
            continue;
        cr_assert_eq(family->together(SWQ_EFFORT_QUICK, k), 1, "%s", id);
        cr_assert_eq(family->run(ctx, SWQ_EFFORT_QUICK, k, 1, &finding), SWQ_OK, "%s", id);
        cr_assert_eq(finding.outcome, outcome, "%s: %s", id, finding.text);
        cr_assert(outcome == SWQ_OUTCOME_PASS || *finding.text, "%s gives no reason", id);
        swq_context_free(ctx);
        return;
    }
    cr_assert_fail("%s is not among the quick checks", id);
}

/* The claims of section 4.2 that the exact values refute are known; correct ones pass. */
Test(targets, claims_of_chapter_4)
{
    expect("FT-016", SWQ_OUTCOME_KNOWN);
    expect("FT-017", SWQ_OUTCOME_KNOWN);
    expect("FT-018", SWQ_OUTCOME_PASS);
    expect("FT-012", SWQ_OUTCOME_PASS);
    expect("FT-021", SWQ_OUTCOME_PASS);
    expect("RIQ-005", SWQ_OUTCOME_PASS);
    expect("FT-013", SWQ_OUTCOME_SKIPPED);
    expect("HIP-004", SWQ_OUTCOME_PASS);
    expect("HIP-006", SWQ_OUTCOME_PASS);
}

/* Numbers that are all a little high fail together, unless what was tried is listed; a whole table
 * is judged so. */
Test(targets, numbers_together)
{
    swq_joint_number number[40];
    swq_finding f = {0};

    for (int k = 0; k < 40; k++)
        number[k] = (swq_joint_number){"latencies", 4 + 0.04, 0.01, 4, 0.05};
    swq_joint joint = swq_joint_judge(number, 40, NULL);
    printed_joint(&f, &joint);
    cr_assert_eq(f.outcome, SWQ_OUTCOME_FAIL);
    cr_assert(f.left == 0 && f.right == 1);
    cr_assert(strstr(f.text, "print above in 40 of 40"), "%s", f.text);
    joint = swq_joint_judge(number, 40, "pauses");
    printed_joint(&f, &joint);
    cr_assert_eq(f.outcome, SWQ_OUTCOME_KNOWN);
    cr_assert(strstr(f.text, "tried: pauses"), "%s", f.text);
    for (int k = 0; k < 40; k++)
        number[k].printed = k % 2 ? 4.04 : 3.96;
    joint = swq_joint_judge(number, 40, NULL);
    printed_joint(&f, &joint);
    cr_assert_eq(f.outcome, SWQ_OUTCOME_PASS);
    expect("jointly,table=4.4", SWQ_OUTCOME_KNOWN);
}

/* Any allocation fails: the status says so, and nothing leaks. */
Test(targets, failing_allocations)
{
    swq_status status = SWQ_ENOMEM;

    for (size_t k = 0; status; k++) {
        swq_context *ctx = test_papers();
        swq_finding finding = {0};
        swq_context_fail_allocations(ctx, k, false);
        status = printed_pipelines(ctx, SWQ_EFFORT_QUICK, 1, &finding);
        cr_assert(status == SWQ_OK || status == SWQ_ENOMEM, "%d at %zu", status, k);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
        cr_assert_lt(k, 500);
    }
}

/* Comparisons with answers: a single one leaves its sides, several how many hold. */
Test(targets, answers)
{
    static const struct {
        const char *that;
        double left, right, off;
        swq_outcome outcome;
    } rows[] = {
        {"{formula hol-saturation --ports 2 : points.0.results.throughput} = 0.75 within 1e-9",
         0.75, 0.75, 0, SWQ_OUTCOME_PASS},
        {"{formula hol-saturation --ports 2 : points.0.results.throughput} = 0.7 within 0.01", 0.75,
         0.7, 0.05, SWQ_OUTCOME_FAIL},
        {"{formula hol-saturation --ports 2 : points.0.results.throughput} < 0.7", 0.75, 0.7, 0.05,
         SWQ_OUTCOME_FAIL},
        {"for n in 2 4 8: {formula hol-saturation --ports $n : points.0.results.throughput} < 0.7|"
         "$seed = 7 within 0|<3 4> = 3 within 0",
         4, 5, 1, SWQ_OUTCOME_FAIL},
    };
    swq_context *ctx = test_papers();

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const printed_row row = {.id = "a", .that = rows[k].that};
        swq_finding f = {0};
        cr_assert_eq(printed_asked_run(ctx, SWQ_EFFORT_QUICK, &row, 7, &f), SWQ_OK, "%s",
                     swq_context_message(ctx));
        cr_expect(f.left == rows[k].left && f.right == rows[k].right &&
                      f.outcome == rows[k].outcome,
                  "%s: %g %g", rows[k].that, f.left, f.right);
        cr_expect_float_eq(f.off, rows[k].off, 1e-9, "%s: %g", rows[k].that, f.off);
    }
    const printed_row slow = {.id = "a", .that = "1 = 1 within 0", .weight = 60};
    swq_finding f = {0};
    cr_assert_eq(printed_asked_run(ctx, SWQ_EFFORT_QUICK, &slow, 7, &f), SWQ_OK);
    cr_expect(f.outcome == SWQ_OUTCOME_SKIPPED && strstr(f.text, "60 seconds"), "%s", f.text);
    cr_assert_eq(printed_asked_run(ctx, SWQ_EFFORT_FULL, &slow, 7, &f), SWQ_OK);
    cr_expect_eq(f.outcome, SWQ_OUTCOME_PASS);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* The outcomes of comparisons. */
Test(targets, comparisons)
{
    swq_finding f = {0};

    swq_finding_near(&f, 1.5, 1.4, 0.11);
    cr_assert_eq(f.outcome, SWQ_OUTCOME_PASS);
    swq_finding_near(&f, 1.5, 1.4, 0.09);
    cr_assert_eq(f.outcome, SWQ_OUTCOME_FAIL);
    swq_finding_near(&f, NAN, 1.4, 1);
    cr_assert_eq(f.outcome, SWQ_OUTCOME_FAIL);
    printed_less(&f, 1, 1);
    cr_assert_eq(f.outcome, SWQ_OUTCOME_FAIL);
    printed_less(&f, 0.9, 1);
    cr_assert_eq(f.outcome, SWQ_OUTCOME_PASS);
    printed_none(&f, 1, 9);
    cr_assert_eq(f.outcome, SWQ_OUTCOME_FAIL);
    printed_none(&f, 0, 9);
    cr_assert_eq(f.outcome, SWQ_OUTCOME_PASS);
}

/* Trees that overlap, and local trees that merge: both hold, with any seed, and nothing is left. */
Test(targets, how_trees_change)
{
    swq_context *ctx = test_papers();

    for (uint64_t seed = 7; seed < 10; seed++) {
        swq_finding overlap = {0}, merging = {0};
        cr_assert_eq(printed_overlap(ctx, SWQ_EFFORT_QUICK, seed, &overlap), SWQ_OK);
        cr_expect_eq(overlap.outcome, SWQ_OUTCOME_PASS, "%s", overlap.text);
        cr_assert_eq(printed_merging(ctx, SWQ_EFFORT_QUICK, seed, &merging), SWQ_OK);
        cr_expect_eq(merging.outcome, SWQ_OUTCOME_PASS, "%s", merging.text);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}
