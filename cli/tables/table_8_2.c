/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq table 8.2: the parameters of two-counter flow control, and how long a queue can be long
 * before it is closed and short before it is opened, by stepping its counter.
 */
#include "base/context.h"
#include "cli/cli.h"
#include "cli/tables/table.h"
#include "switchq/async.h"

static const char rule[] =
    "a row agrees when its parameters are the print's and, where the print says in how many cycles "
    "flow is halted and resumed, its counter takes as many at most";

/* As printed; halts, resumes: 0 if the print has none. */
static const struct {
    const char *name;
    int sigma, x_inc, x_dec, y, y_max, halts, resumes;
} printed[] = {
    {"H", 1, 8, 4, 1, 1, 0, 0},    {"T", 20, 6, 6, 1, 1, 0, 0},  {"tH", 20, 8, 4, 1, 1, 0, 0},
    {"A", 20, 8, 8, 2, 4, 40, 40}, {"aH", 20, 8, 4, 2, 4, 0, 0},
};

/* Updates that take a counter from `count` past Y, upwards or downwards; the first update comes up
 * to sigma cycles after the length has changed. */
static int cycles_until(const swq_two_counter *c, bool closes)
{
    int count = closes ? 0 : c->y_max, updates = 0;

    while (closes ? count < c->y : count >= c->y) {
        count += closes ? 1 : -1;
        updates++;
    }
    return updates * c->sigma;
}

static void put_paper(cli_record *row, size_t k)
{
    char text[40] = "";

    if (printed[k].halts)
        snprintf(text, sizeof text, "halted in %d, resumed in %d", printed[k].halts,
                 printed[k].resumes);
    cli_put_word(row, "paper", text[0] ? text : NULL);
}

static bool put_row(swq_context *ctx, cli_record *rows, size_t k)
{
    cli_record *row = cli_put_item(rows, "");
    swq_two_counter c = {0};

    if (swq_two_counter_find(ctx, printed[k].name, &c))
        return false;
    const int halts = cycles_until(&c, true), resumes = cycles_until(&c, false);
    const bool same = c.sigma == printed[k].sigma && c.x_inc == printed[k].x_inc &&
                      c.x_dec == printed[k].x_dec && c.y == printed[k].y &&
                      c.y_max == printed[k].y_max;
    const bool agrees =
        same && (!printed[k].halts || (halts == printed[k].halts && resumes == printed[k].resumes));

    cli_titled(row, "%-4s %5d %5d %5d %5d %5d", c.name, c.sigma, c.x_inc, c.x_dec, c.y, c.y_max);
    cli_put_word(row, "name", c.name);
    cli_put_count(row, "counter_interval", (uint64_t)c.sigma);
    cli_put_count(row, "counter_raise_above", (uint64_t)c.x_inc);
    cli_put_count(row, "counter_lower_below", (uint64_t)c.x_dec);
    cli_put_count(row, "counter_threshold", (uint64_t)c.y);
    cli_put_count(row, "counter_most", (uint64_t)c.y_max);
    cli_put_count(row, "halted_after", (uint64_t)halts);
    cli_put_count(row, "resumed_after", (uint64_t)resumes);
    put_paper(row, k);
    cli_put_truth(row, "agrees", agrees);
    cli_show(row, "halted, resumed", "  %6d %8d%c", halts, resumes, agrees ? ' ' : '*');
    return agrees;
}

int cli_table_8_2(swq_context *ctx)
{
    cli_record *root =
        cli_table_record("8.2", "G. L. Frazier, dissertation, UCLA 1995, Table 8.2", rule);
    int agree = 0, differ = 0;

    cli_say(root, "Table 8.2 (Frazier 1995): parameters of two-counter flow control, and the most "
                  "cycles after which a queue\nthat is long is closed, and one that is short open "
                  "again\n");
    cli_record *rows =
        cli_as_grid(cli_put_points(root, "rows"), "row, sigma, X_inc, X_dec, Y, Y_max", 1);
    for (size_t k = 0; k < sizeof printed / sizeof *printed; k++) {
        const bool same = put_row(ctx, rows, k);
        agree += same;
        differ += !same;
    }
    cli_put_count(root, "agree", (uint64_t)agree);
    cli_put_count(root, "differ", (uint64_t)differ);
    cli_say(root, "\n%d of %d rows agree; * marks the one that differs.", agree, agree + differ);
    cli_tell(root, 2, "Rule: %s.", rule);
    cli_tell(root, 2,
             "Note: row A's text has flow resumed after at most 40 cycles of a short queue; from "
             "Y_max = 4 to below Y = 2 it takes three updates, which are 60.");
    const swq_status status = cli_record_print(ctx, root, cli_table_given.format);
    /* the print's own error, which is known, is one difference */
    return status ? cli_fail(ctx, status) : differ > 1 ? CLI_FAILED : CLI_OK;
}
