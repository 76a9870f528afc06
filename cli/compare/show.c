/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A comparison as a record, and as a plot of gains over costs.
 */
#include "cli/compare/compare.h"
#include "cli/print/append.h"
#include "cli/print/drawing.h"

#include <math.h>

enum { LISTED_ROWS = 60, MANY = 12 };

static const swq_compared *standing_of(const cli_comparison *c, int f, int k)
{
    return &c->contest.standing[cli_compare_cell(c, f, k)];
}

static const char *why_blank(const cli_comparison *c, int f, int k)
{
    const char *reason = cli_compare_reason(c, f, k);

    return *reason ? reason : "not run yet";
}

static const char *name_of(const cli_comparison *c, int f)
{
    return c->scenario[f % c->scenarios].name;
}

static bool any_approximate(const cli_comparison *c)
{
    bool any = false;

    for (int k = 0; k < c->contest.contestants; k++)
        any = any || c->by[k] == SWQ_BY_APPROXIMATION;
    return any;
}

static bool all_simulated(const cli_comparison *c)
{
    bool all = true;

    for (int k = 0; k < c->contest.contestants; k++)
        all = all && c->by[k] == SWQ_BY_SIMULATION;
    return all;
}

static void put_memory(const cli_comparison *c, int size, cli_record *item)
{
    if (c->sized)
        cli_in_full(cli_put_count(item, c->by_area ? "area_given" : "memory_given",
                                  (uint64_t)c->size[size]));
}

/* Has the contestant another area in another scenario of this size? */
static bool area_varies(const cli_comparison *c, int f, int k)
{
    const int from = f / c->scenarios * c->scenarios;
    bool varies = false;

    for (int s = from + 1; s < from + c->scenarios; s++)
        varies |= c->area[cli_compare_cell(c, s, k)] != c->area[cli_compare_cell(c, from, k)];
    return varies && isfinite(c->area[cli_compare_cell(c, f, k)]);
}

static void put_outcomes(const cli_comparison *c, cli_record *root)
{
    const swq_comparison *t = &c->contest;
    const bool listed = t->scenarios * t->contestants <= LISTED_ROWS;
    cli_record *list =
        cli_with_intervals(cli_put_list(root, "outcomes", listed ? "scenario" : NULL));

    for (int f = 0; f < t->scenarios; f++) {
        for (int k = 0; k < t->contestants; k++) {
            const swq_compared *mine = standing_of(c, f, k);
            cli_record *item = cli_put_item(list, name_of(c, f));
            cli_quietly(cli_put_word(item, "scenario", name_of(c, f)));
            cli_put_word(item, "contestant", c->contestant[k].name);
            put_memory(c, f / c->scenarios, item);
            if (!mine->there) {
                cli_put_word(item, "blank_because", why_blank(c, f, k));
                continue;
            }
            cli_put_estimate(item, "achieved",
                             (swq_estimate){mine->mean, mine->rank ? mine->half : NAN});
            if (mine->rank == 0)
                continue;
            cli_put_estimate(item, "behind", (swq_estimate){mine->behind, mine->behind_half});
            cli_put_count(item, "rank", (uint64_t)mine->rank);
            if (c->by[k] == SWQ_BY_SIMULATION)
                cli_quietly(cli_put_count(item, "unsettled_runs",
                                          (uint64_t)c->unsettled[cli_compare_cell(c, f, k)]));
            cli_put_truth(item, "winner", mine->wins);
            if (c->beside[CLI_BESIDE_COST] && area_varies(c, f, k))
                cli_quietly(cli_put_number(item, "area_cells", c->area[cli_compare_cell(c, f, k)]));
        }
    }
}

/* If a list of all cells would be too long: a row for each contestant, one grid for each size. */
static void show_grid(const cli_comparison *c, int size, cli_record *root)
{
    const swq_comparison *t = &c->contest;
    static char corners[CLI_SIZES][60]; /* which must outlive the record */
    char text[40], *corner = corners[size];

    snprintf(corner, sizeof corners[size], "contestant%s",
             cli_compare_size(c, size * c->scenarios, text));
    cli_record *grid = cli_as_grid(cli_not_in_json(cli_not_in_csv(cli_put_points(root, "grid"))),
                                   corner, c->scenarios);
    for (int k = 0; k < t->contestants; k++) {
        for (int s = 0; s < c->scenarios; s++) {
            const int f = size * c->scenarios + s;
            const swq_compared *mine = standing_of(c, f, k);
            cli_record *item = cli_put_item(grid, c->scenario[s].name);
            cli_titled(item, "%s", c->contestant[k].name);
            if (mine->there)
                cli_show(item, "", " %.4g%c", mine->mean,
                         mine->wins        ? '*'
                         : mine->rank == 1 ? '+'
                         : mine->rank == 0 ? '~'
                                           : ' ');
            else
                cli_show(item, "", " - ");
        }
    }
}

static void put_scenarios(const cli_comparison *c, cli_record *root)
{
    const swq_comparison *t = &c->contest;
    cli_record *list = cli_not_in_csv(cli_put_list(root, "scenarios", "scenario"));

    for (int f = 0; f < t->scenarios; f++) {
        cli_record *item = cli_put_item(list, name_of(c, f));
        cli_quietly(cli_put_word(item, "scenario", name_of(c, f)));
        put_memory(c, f / c->scenarios, item);
        cli_put_word(item, "measure", c->scenario[f % c->scenarios].measure->name);
        cli_put_word(item, "won_by",
                     t->winner[f] < 0 ? "nobody" : c->contestant[t->winner[f]].name);
        cli_put_number(item, "unpaired_over_paired", t->ratio[f]);
        cli_put_number(item, "paired_precision", t->precision[f]);
        int most = 0;
        for (int k = 0; k < t->contestants; k++) {
            const int count = c->count[cli_compare_cell(c, f, k)];
            most = c->by[k] == SWQ_BY_SIMULATION && count > most ? count : most;
        }
        cli_put_count(item, "most_repeats", (uint64_t)most);
    }
}

static double mean_rank(const cli_comparison *c, int size, int k)
{
    double sum = 0;
    int there = 0;

    for (int f = size * c->scenarios; f < (size + 1) * c->scenarios; f++) {
        sum += standing_of(c, f, k)->rank;
        there += standing_of(c, f, k)->rank > 0;
    }
    return there ? sum / there : NAN;
}

static void put_gain(const cli_comparison *c, int size, int k, cli_record *item)
{
    const bool about = c->by[k] == SWQ_BY_APPROXIMATION;
    const double half = about ? NAN : k != c->base[size] ? c->gain_half[size][k] : 0;

    if (isfinite(c->gain[size][k]))
        cli_put_estimate(item, "relative_gain", (swq_estimate){c->gain[size][k], half});
}

/* What is known of the rule of admission, with the questions where they were the file's choice. */
static void put_beside(const cli_comparison *c, int size, int k, cli_record *item)
{
    const cli_worst_case *worst = &c->worst[size][k];
    const cli_exact_loss *loss = &c->loss[size][k];

    if (*worst->ratio)
        cli_put_word(item, "worst_case", worst->ratio);
    if (*worst->question)
        cli_quietly(cli_put_word(item, "worst_question", worst->question));
    if (*loss->question && !*loss->why)
        cli_put_number(item, "discard_probability", loss->fraction);
    if (*loss->question)
        cli_quietly(cli_put_word(item, "loss_question", loss->question));
}

static void put_contestants(const cli_comparison *c, cli_record *root)
{
    const swq_comparison *t = &c->contest;
    cli_record *list = cli_with_intervals(cli_put_list(root, "contestants", "contestant"));

    for (int size = 0; size < c->sizes; size++) {
        for (int k = 0; k < t->contestants; k++) {
            const swq_cost *cost = &c->cost[size][k];
            cli_record *item = cli_put_item(list, c->contestant[k].name);
            cli_quietly(cli_put_word(item, "contestant", c->contestant[k].name));
            put_memory(c, size, item);
            cli_record *by = cli_put_word(item, "asked_by", c->contestant[k].by->name);
            if (all_simulated(c))
                cli_quietly(by);
            put_gain(c, size, k, item);
            cli_put_number(item, "mean_rank", mean_rank(c, size, k));
            put_beside(c, size, k, item);
            if (cost->ports == 0)
                continue;
            cli_in_full(cli_put_number(item, "input_bytes", cost->packet_bytes));
            cli_in_full(cli_put_number(item, "memory_bits", cost->memory_bits));
            cli_in_full(cli_put_number(item, "crosspoints", cost->total[SWQ_COST_CROSSPOINTS]));
            cli_in_full(cli_put_number(item, "link_wires", cost->total[SWQ_COST_WIRES]));
            cli_put_number(item, "area_cells", cost->area);
            cli_put_truth(item, "on_front", c->on_front[size][k]);
        }
    }
}

bool cli_compare_says_beside(const cli_comparison *c, int command, char text[CLI_QUESTION])
{
    static const char *const what[CLI_BESIDE] = {"worst case: of the rule of admission in slots",
                                                 "discard probability: the same, exactly",
                                                 "memory and area: of the first scenario's switch"};
    const swq_node *options = c->beside[command];
    snprintf(text, CLI_QUESTION, "%s (switchq %s ...", what[command], cli_beside_commands[command]);

    for (int o = 0; options && o < options->count; o++)
        cli_append(text, CLI_QUESTION, " --%s %s", options->key[o]->text, options->item[o]->text);
    cli_append(text, CLI_QUESTION, ")");
    return options != NULL;
}

static void tell_beside(const cli_comparison *c, cli_record *root)
{
    char text[CLI_QUESTION];

    for (int command = 0; command < CLI_BESIDE; command++) {
        if (cli_compare_says_beside(c, command, text))
            cli_tell(root, 2, "%s", text);
    }
}

/* Why worst cases and losses of shared memories are not known. */
static void put_unknown_worst(const cli_comparison *c, cli_record *root)
{
    for (int size = 0; size < c->sizes; size++) {
        for (int k = 0; k < c->contest.contestants; k++) {
            if (*c->worst[size][k].why)
                cli_tell(root, 2, "worst case of %s: not known: %s", c->contestant[k].name,
                         c->worst[size][k].why);
            if (*c->loss[size][k].why)
                cli_tell(root, 2, "exact loss of %s: not known: %s", c->contestant[k].name,
                         c->loss[size][k].why);
        }
    }
}

/* ---- what to build ---- */

/* Lists the contestants on the front, the cheapest first. Returns their number. */
static int order_front(const cli_comparison *c, int size, int order[SWQ_CONTESTANTS])
{
    int count = 0;

    for (int k = 0; k < c->contest.contestants; k++) {
        int at = count;
        if (!c->on_front[size][k])
            continue;
        for (; at > 0 && c->cost[size][order[at - 1]].area > c->cost[size][k].area; at--)
            order[at] = order[at - 1];
        order[at] = k;
        count++;
    }
    return count;
}

/* The contestant with the greatest gain, the first of equals; an approximation's gain is not known.
 */
static int most_gaining(const cli_comparison *c, int size)
{
    const double *gain = c->gain[size];
    int most = -1;

    for (int k = 0; k < c->contest.contestants; k++) {
        if (isfinite(gain[k]) && c->by[k] != SWQ_BY_APPROXIMATION &&
            (most < 0 || gain[k] > gain[most]))
            most = k;
    }
    return most;
}

static void put_advice(const cli_comparison *c, cli_record *root)
{
    cli_record *list = cli_not_in_csv(cli_put_list(root, "advice", NULL));
    const char *front[SWQ_CONTESTANTS];
    int order[SWQ_CONTESTANTS];
    char size_text[40], text[1500];

    for (int size = 0; size < c->sizes; size++) {
        const int count = order_front(c, size, order);
        if (count == 0)
            continue;
        *text = '\0';
        const int most = most_gaining(c, size);
        for (int k = 0; k < count; k++) {
            front[k] = c->contestant[order[k]].name;
            cli_append(text, sizeof text, "%s%.60s (%.3g for %.0f)", k ? ", " : "", front[k],
                       c->gain[size][order[k]], c->cost[size][order[k]].area);
        }
        cli_record *item = cli_put_item(list, c->contestant[most].name);
        put_memory(c, size, item);
        cli_put_word(item, "most_gained_by", c->contestant[most].name);
        cli_put_words(item, "front", front, count);
        const char *where = cli_compare_size(c, size * c->scenarios, size_text);
        if (count == 1)
            cli_tell(
                root, 2,
                "what to build%s: no contestant gains more, by more than chance, than all that "
                "are cheaper, so %s, the cheapest",
                where, front[0]);
        else
            cli_tell(root, 2,
                     "what to build%s: %s gains most, %.3g times as much as %s%s. Worth their area "
                     "(gain for cells), each better by more than chance than all that are cheaper: "
                     "%s",
                     where, c->contestant[most].name, c->gain[size][most],
                     c->contestant[c->base[size]].name,
                     c->on_front[size][most] ? "" : ", which may be chance", text);
    }
}

/* Runs that should have been longer, by scenario. */
static void put_unsettled(const cli_comparison *c, cli_record *root)
{
    char text[700];
    size_t used = 0;

    for (int f = 0; f < c->contest.scenarios && used < sizeof text; f++) {
        int runs = 0, unsettled = 0;
        for (int k = 0; k < c->contest.contestants; k++) {
            const size_t cell = cli_compare_cell(c, f, k);
            const bool there = c->by[k] == SWQ_BY_SIMULATION && standing_of(c, f, k)->there;
            runs += there ? c->count[cell] : 0;
            unsettled += there ? c->unsettled[cell] : 0;
        }
        if (unsettled)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%d of %d in %s",
                                     used ? "; " : "", unsettled, runs, name_of(c, f));
    }
    if (used)
        cli_tell(root, 2,
                 "runs that have not settled, or are past saturation while a latency is measured: "
                 "%s%s; their means depend on the length of the runs, and so may the marks",
                 text, used < sizeof text ? "" : " ...");
}

/* Notes on contestants that are left out, and on gains that are not relative to the first
 * contestant. */
static void put_blanks(const cli_comparison *c, cli_record *root)
{
    char text[1200], at[40];

    for (int size = 0; size < c->sizes; size++) {
        const char *where = cli_compare_size(c, size * c->scenarios, at);
        if (cli_compare_tell_blanks(c, size, text, sizeof text))
            cli_tell(root, 2, "%s", text);
        if (c->base[size] < 0)
            cli_tell(root, 2, "no gains%s: no contestant ran in all scenarios that count for them",
                     where);
        else if (c->base[size] > 0)
            cli_tell(root, 2, "gains%s are relative to %s, since %s did not run in all scenarios",
                     where, c->contestant[c->base[size]].name, c->contestant[0].name);
    }
}

static void put_second(const cli_comparison *c, cli_record *about)
{
    if (!c->second_seed)
        return;
    cli_put_count(about, "second_seed", c->second_seed);
    cli_put_count(about, "marks_of_second", (uint64_t)c->marks);
    cli_put_count(about, "marks_in_both", (uint64_t)c->marks_in_both);
    cli_put_count(about, "marks_reversed", (uint64_t)c->marks_reversed);
}

static void put_measure(const cli_comparison *c, cli_record *about)
{
    const cli_measure *first = c->scenario[0].measure;
    bool same = true;

    for (int s = 1; s < c->scenarios; s++)
        same = same && c->scenario[s].measure == first;
    cli_put_word(about, "judged_by", same ? first->summary : "the measure of each scenario");
}

static void put_reading(const cli_comparison *c, cli_record *root)
{
    char but[300] = "";

    for (int s = 0; s < c->scenarios; s++) {
        if (c->scenario[s].no_gain)
            cli_append(but, sizeof but, "%s%.60s", *but ? " and " : " but ", c->scenario[s].name);
    }
    cli_tell(root, 2,
             "rank 1 (+): nobody is better by more than chance; winner (*): better than all others "
             "by more than chance; gain: relative to the first contestant, over all scenarios%s",
             but);
}

cli_record *cli_compare_record(const cli_comparison *c)
{
    const swq_comparison *t = &c->contest;
    cli_record *root = cli_not_in_csv(cli_record_new("switchq/compare/1"));
    cli_record *about = cli_not_in_csv(cli_put_group(root, "comparison", NULL));

    cli_put_word(about, "comparison_file", c->path);
    put_measure(c, about);
    cli_put_word(about, "equal_in", c->equal->summary);
    cli_put_count(about, "repeats", (uint64_t)c->repeats);
    cli_put_count(about, "first_seed", c->seed);
    cli_put_number(about, "confidence", t->confidence);
    cli_put_count(about, "judged_pairs", (uint64_t)t->pairs);
    cli_put_number(about, "p_limit", t->limit);
    put_second(c, about);
    put_outcomes(c, root);
    for (int size = 0; size < c->sizes && t->scenarios * t->contestants > LISTED_ROWS; size++)
        show_grid(c, size, root);
    put_scenarios(c, root);
    put_contestants(c, root);
    tell_beside(c, root);
    put_unknown_worst(c, root);
    put_reading(c, root);
    if (any_approximate(c))
        cli_tell(root, 2, "approximations (~) have an unknown error, so they are not judged");
    cli_tell(root, 2,
             "pairs are judged by the differences of replications with the same seeds, all %d "
             "together (Holm): the chance that any mark is wrong is at most %.3g",
             t->pairs, 1 - t->confidence);
    put_unsettled(c, root);
    put_blanks(c, root);
    put_advice(c, root);
    return root;
}

/* The range of areas, with a margin on the right for names. */
static void find_range(const cli_comparison *c, int size, swq_plot *like)
{
    double least = INFINITY, most = 0;

    for (int k = 0; k < c->contest.contestants; k++) {
        if (c->cost[size][k].ports == 0 || !isfinite(c->gain[size][k]))
            continue;
        least = fmin(least, c->cost[size][k].area);
        most = fmax(most, c->cost[size][k].area);
    }
    if (most > 0) {
        like->x_least = 0.9 * least;
        like->x_most = 1.3 * most;
    }
}

/* Contestants on the front stand out, with their names; if there are many, the others are numbers.
 */
static void draw_size(const cli_comparison *c, int size, cli_drawing *to)
{
    swq_plot like = {.x_label = "area of a switch (cells of memory)",
                     .y_label = "gain over the first contestant"};
    const bool many = c->contest.contestants > MANY;
    int order[SWQ_CONTESTANTS];
    char text[40], words[CLI_QUESTION_WORDS] = "";

    find_range(c, size, &like);
    if (c->shared[size].any)
        cli_question_text(&c->shared[size].words, words, sizeof words);
    cli_draw_panel(to, &like, "%.100s%s: gain over cost%s%s", c->path,
                   cli_compare_size(c, size * c->scenarios, text), *words ? "\n" : "", words);
    const int count = order_front(c, size, order);
    cli_draw_curve(to, "front")->stairs = true;
    for (int k = 0; k < count; k++)
        cli_draw_point(to, c->cost[size][order[k]].area, c->gain[size][order[k]], 0);
    for (int k = 0; k < c->contest.contestants; k++) {
        if (c->cost[size][k].ports == 0)
            continue;
        const bool faint = many && !c->on_front[size][k];
        swq_curve *curve = faint ? cli_draw_curve(to, "%d %.40s", k + 1, c->contestant[k].name)
                                 : cli_draw_curve(to, "%.40s", c->contestant[k].name);
        curve->faint = faint;
        if (faint)
            snprintf(curve->beside, sizeof curve->beside, "%d", k + 1);
        else
            snprintf(curve->beside, sizeof curve->beside, "%.23s", c->contestant[k].name);
        const double half = c->by[k] == SWQ_BY_SIMULATION ? c->gain_half[size][k] : 0;
        cli_draw_point(to, c->cost[size][k].area, c->gain[size][k], isfinite(half) ? half : 0);
    }
}

swq_status cli_compare_draw(const cli_comparison *c, const char *path)
{
    cli_drawing to = {0};

    for (int size = 0; size < c->sizes; size++)
        draw_size(c, size, &to);
    return cli_draw(c->ctx, &to, path);
}
