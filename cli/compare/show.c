/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A comparison as a record, and as a plot of gains over costs.
 * Room: cli.
 */
#include "cli/compare/compare.h"
#include "cli/print/drawing.h"

#include <math.h>

static const swq_compared *standing_of(const cli_comparison *c, int s, int k)
{
    return &c->contest.standing[(size_t)s * (size_t)c->contest.contestants + (size_t)k];
}

static const char *reason_of(const cli_comparison *c, int s, int k)
{
    return c->reason + CLI_REASON * ((size_t)s * (size_t)c->contest.contestants + (size_t)k);
}

static void put_outcomes(const cli_comparison *c, cli_record *root)
{
    const swq_comparison *t = &c->contest;
    cli_record *list = cli_with_intervals(cli_put_list(root, "outcomes", "scenario"));

    for (int s = 0; s < t->scenarios; s++) {
        for (int k = 0; k < t->contestants; k++) {
            const swq_compared *mine = standing_of(c, s, k);
            cli_record *item = cli_put_item(list, c->scenario[s].name);
            cli_quietly(cli_put_word(item, "scenario", c->scenario[s].name));
            cli_put_word(item, "contestant", c->contestant[k].name);
            if (!mine->there) {
                cli_put_word(item, "blank_because",
                             *reason_of(c, s, k) ? reason_of(c, s, k) : "not run yet");
                continue;
            }
            cli_put_estimate(item, "achieved", (swq_estimate){mine->mean, mine->half});
            cli_put_estimate(item, "behind", (swq_estimate){mine->behind, mine->behind_half});
            cli_put_count(item, "rank", (uint64_t)mine->rank);
            cli_put_truth(item, "winner", mine->wins);
        }
    }
}

static void put_scenarios(const cli_comparison *c, cli_record *root)
{
    const swq_comparison *t = &c->contest;
    cli_record *list = cli_not_in_csv(cli_put_list(root, "scenarios", "scenario"));

    for (int s = 0; s < t->scenarios; s++) {
        cli_record *item = cli_put_item(list, c->scenario[s].name);
        cli_quietly(cli_put_word(item, "scenario", c->scenario[s].name));
        cli_put_word(item, "won_by",
                     t->winner[s] < 0 ? "nobody" : c->contestant[t->winner[s]].name);
        cli_put_number(item, "unpaired_over_paired", t->ratio[s]);
        cli_put_number(item, "paired_precision", t->precision[s]);
    }
}

static double mean_rank(const cli_comparison *c, int k)
{
    double sum = 0;
    int there = 0;

    for (int s = 0; s < c->contest.scenarios; s++) {
        sum += standing_of(c, s, k)->there ? standing_of(c, s, k)->rank : 0;
        there += standing_of(c, s, k)->there;
    }
    return there ? sum / there : NAN;
}

static void put_contestants(const cli_comparison *c, cli_record *root)
{
    const swq_comparison *t = &c->contest;
    cli_record *list = cli_not_in_csv(cli_put_list(root, "contestants", "contestant"));

    for (int k = 0; k < t->contestants; k++) {
        const swq_cost *cost = &c->cost[k];
        cli_record *item = cli_put_item(list, c->contestant[k].name);
        cli_quietly(cli_put_word(item, "contestant", c->contestant[k].name));
        cli_put_number(item, "relative_gain", t->gain[k]);
        cli_put_number(item, "mean_rank", mean_rank(c, k));
        cli_in_full(cli_put_number(item, "input_bytes", cost->packet_bytes));
        cli_in_full(cli_put_number(item, "memory_bits", cost->memory_bits));
        cli_in_full(cli_put_number(item, "crosspoints", cost->total[SWQ_COST_CROSSPOINTS]));
        cli_in_full(cli_put_number(item, "link_wires", cost->total[SWQ_COST_WIRES]));
        cli_put_number(item, "area_cells", cost->area);
        cli_put_truth(item, "on_front", c->on_front[k]);
    }
}

cli_record *cli_compare_record(const cli_comparison *c)
{
    const swq_comparison *t = &c->contest;
    cli_record *root = cli_record_new("switchq/compare/1");
    cli_record *about = cli_not_in_csv(cli_put_group(root, "comparison", NULL));

    cli_put_word(about, "comparison_file", c->path);
    cli_put_word(about, "judged_by", c->measure->summary);
    cli_put_word(about, "equal_in", c->equal->summary);
    cli_put_count(about, "repeats", (uint64_t)t->repeats);
    cli_put_count(about, "first_seed", c->seed);
    cli_put_number(about, "confidence", t->confidence);
    cli_put_count(about, "judged_pairs", (uint64_t)t->pairs);
    cli_put_number(about, "p_limit", t->limit);
    put_outcomes(c, root);
    put_scenarios(c, root);
    put_contestants(c, root);
    cli_tell(root, 2,
             "rank 1: nobody is better by more than chance; winner: better than all others by more "
             "than that; gain: of the first contestant's, over all scenarios");
    cli_tell(root, 2,
             "pairs are judged by the differences of replications with the same seeds, all %d "
             "together (Holm): the chance that any mark is wrong is at most %.3g",
             t->pairs, 1 - t->confidence);
    return root;
}

swq_status cli_compare_draw(const cli_comparison *c, const char *path)
{
    const swq_plot like = {.x_label = "area of a switch (cells of memory)",
                           .y_label = "gain over the first contestant"};
    cli_drawing to = {0};
    int order[SWQ_CONTESTANTS], count = 0;

    cli_draw_panel(&to, &like, "%.100s: gain (%s) over cost", c->path, c->measure->name);
    for (int k = 0; k < c->contest.contestants; k++) {
        swq_curve *curve = cli_draw_curve(&to, "%.40s", c->contestant[k].name);
        curve->colour = curve->mark = k;
        cli_draw_point(&to, c->cost[k].area, c->contest.gain[k], 0);
        int at = count;
        if (!c->on_front[k])
            continue;
        for (; at > 0 && c->cost[order[at - 1]].area > c->cost[k].area; at--)
            order[at] = order[at - 1];
        order[at] = k;
        count++;
    }
    swq_curve *front = cli_draw_curve(&to, "front");
    front->dashed = front->steps = true;
    for (int k = 0; k < count; k++)
        cli_draw_point(&to, c->cost[order[k]].area, c->contest.gain[order[k]], 0);
    return cli_draw(c->ctx, &to, path);
}
