/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure's curves, printed numbers and claims, and how long its runs are.
 */
#include "cli/figures/paper_files.h"

#include "base/context.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text that outlives the figure: findings of `switchq validate` keep criteria. */
static const char *for_good(const char *text)
{
    static struct kept {
        struct kept *before;
        char text[];
    } * last;
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

    pthread_mutex_lock(&turn);
    struct kept *k = last;
    while (k && strcmp(k->text, text) != 0)
        k = k->before;
    if (!k && (k = malloc(sizeof *k + strlen(text) + 1))) {
        memcpy(k->text, text, strlen(text) + 1);
        k->before = last;
        last = k;
    }
    pthread_mutex_unlock(&turn);
    return k ? k->text : "";
}

/* ---- curves and printed numbers ---- */

/* Finds the store that a curve shows. Its quantity is one word, or "packets STORE" for the packets
 * in one of the line's stores. Refuses a quantity or a store that does not exist. */
static swq_status read_store(const cli_paper_reader *r, const swq_node *list, const char *quantity,
                             figure_curve_row *curve)
{
    const figure_line *line = &r->plan.line[curve->line];
    const char *store = strchr(quantity, ' ');

    if (curve->quantity == FIGURE_QUANTITIES || (store && curve->quantity != PACKETS))
        return cli_paper_complain(&r->tree, list, "there is no quantity", quantity);
    while (curve->quantity == PACKETS && curve->store < line->stores &&
           strcmp(line->store[curve->store].id, store ? store + 1 : "") != 0)
        curve->store++;
    return curve->quantity != PACKETS || curve->store < line->stores
               ? SWQ_OK
               : cli_paper_complain(&r->tree, list, "there is no store", quantity);
}

/* Reads a curve from a list of words, [PANEL, NAME, LINE, QUANTITY, COLOUR, MARK, dashed], of which
 * the last three may be missing. */
static swq_status read_curve(const cli_paper_reader *r, const swq_node *list, int number,
                             figure_curve_row *curve)
{
    const char *part[7] = {NULL};
    double colour = number, mark = NAN;
    swq_status status = cli_paper_need(&r->tree, list, SWQ_NODE_LIST, "curves");

    if (!status && (list->count < 4 || list->count > 7))
        return cli_paper_complain(
            &r->tree, list, "a curve is [panel, name, line, quantity, colour, mark, dashed]", NULL);
    for (int k = 0; !status && k < list->count; k++)
        status = cli_paper_text_at(&r->tree, list->item[k], &part[k]);
    if (!status && part[4])
        status = cli_paper_number_at(&r->tree, list->item[4], &colour);
    if (!status && part[5])
        status = cli_paper_number_at(&r->tree, list->item[5], &mark);
    if (status)
        return status;
    *curve = (figure_curve_row){.name = part[1],
                                .panel = -1,
                                .line = -1,
                                .quantity = figure_quantity_of(part[3], strcspn(part[3], " ")),
                                .colour = (int)colour,
                                .mark = (int)(isnan(mark) ? colour : mark),
                                .dashed = part[6] != NULL};
    for (int p = 0; p < r->kind.panels; p++) {
        if (strcmp(r->kind.panel[p].letter, part[0]) == 0)
            curve->panel = p;
    }
    for (int l = 0; l < r->plan.lines; l++) {
        if (strcmp(r->plan.line[l].id, part[2]) == 0)
            curve->line = l;
    }
    if (curve->panel < 0)
        return cli_paper_complain(&r->tree, list, "there is no panel", part[0]);
    if (curve->line < 0)
        return cli_paper_complain(&r->tree, list, "there is no line", part[2]);
    return read_store(r, list, part[3], curve);
}

swq_status cli_paper_curves(cli_paper_reader *r)
{
    const swq_node *curves = swq_node_at(r->tree.figure, "curves");
    swq_status status = cli_paper_need(&r->tree, curves, SWQ_NODE_LIST, "curves");

    r->plan.curve = status ? NULL : cli_paper_take(&r->tree, curves->count, sizeof *r->plan.curve);
    if (!status && !r->plan.curve)
        status = swq_memory_status(r->tree.ctx);
    for (int k = 0; !status && k < curves->count; k++)
        status = read_curve(r, curves->item[k], k, &r->plan.curve[r->plan.curves++]);
    return status;
}

/* The number of a table's line, and of its value with that key ("-": the first); -1: not there. */
static int line_and_value(const swq_figure_plan *plan, const char *line, const char *key,
                          figure_printed_row *p)
{
    bool x = false;

    for (int k = 0; k < plan->xs; k++)
        x = x || plan->x[k] == p->x;
    for (p->value = 0; p->value < plan->values && strcmp(key, "-") != 0; p->value++) {
        if (strcmp(plan->value[p->value].key, key) == 0)
            break;
    }
    for (int k = 0; k < plan->lines && x && p->value < plan->values; k++) {
        if (strcmp(plan->line[k].id, line) == 0)
            return k;
    }
    return -1;
}

/* The printed numbers: lines of panel, curve, x and y, where an x of "0.51 full" is at full load;
 * of a table, lines of the key of a value, line, x and y. */
swq_status cli_paper_printed(cli_paper_reader *r, const char *text)
{
    int lines = 0;

    for (const char *at = text; at && *at; at++)
        lines += *at == '\n';
    r->plan.printed = cli_paper_take(&r->tree, lines, sizeof *r->plan.printed);
    if (!r->plan.printed)
        return swq_memory_status(r->tree.ctx);
    for (int number = 1; text && *text; number++) {
        char panel[16] = "", curve[60], x[40], y[40];
        const char *end = text + strcspn(text, "\n");
        const int got = sscanf(text, "%15[^,],%59[^,],%39[^,],%39[^,\n]", panel, curve, x, y);
        if (number > 1 && *text != '#' && end > text) {
            figure_printed_row *p = &r->plan.printed[r->plan.printeds];
            const char *digits = strchr(y, '.');
            char *after;
            *p = (figure_printed_row){.curve = -1, .x = strtod(x, &after)};
            p->at_full_load = strcmp(after, " full") == 0;
            for (int c = 0; c < r->plan.curves && got == 4; c++) {
                const figure_curve_row *row = &r->plan.curve[c];
                if (strcmp(row->name, curve) == 0 &&
                    strcmp(r->kind.panel[row->panel].letter, strcmp(panel, "-") ? panel : "") == 0)
                    p->curve = p->curve < 0 ? c : p->curve;
            }
            if (r->plan.values && got == 4 && !*after)
                p->curve = line_and_value(&r->plan, curve, panel, p);
            p->y = strtod(y, &after);
            p->unit = pow(10, digits ? -(double)strspn(digits + 1, "0123456789") : 0);
            if (got != 4 || p->curve < 0 || *after)
                return swq_fail(r->tree.ctx, SWQ_EINVAL,
                                r->plan.values
                                    ? "%.150s: line %d of the printed numbers must be KEY,LINE,X,Y "
                                      "of a value and a line, the first value being '-'"
                                    : "%.150s: line %d of the printed numbers must be "
                                      "PANEL,CURVE,X,Y of a curve, a panel without a letter being "
                                      "'-'",
                                r->tree.path, number);
            r->plan.printeds++;
        }
        text = *end ? end + 1 : end;
    }
    return SWQ_OK;
}

/* ---- runs and claims ---- */

swq_status cli_paper_run(cli_paper_reader *r)
{
    static const char *const keys[] = {"measured",     "warmup",    "settle",   "most-warmup",
                                       "replications", "at-end",    "search",   "hold",
                                       "group",        "equal",     "complete", "window",
                                       "whole",        "end",       "onset",    "over",
                                       "each",         "most-runs", NULL};
    const swq_node *run = cli_paper_key_of(&r->tree, "run");
    figure_lengths *to = &r->plan.run;
    double settle = 0, most = 0, replications = 1, at_end = 0, group = -1, equal = 0;
    double window = 0, whole = 0, each = 4000, most_runs = 20;
    swq_status status = SWQ_OK;

    *to = (figure_lengths){.measured = 1};
    if (run && run->kind == SWQ_NODE_MAP)
        status = cli_paper_known_keys(&r->tree, run, keys);
    const struct {
        const char *key;
        double *number;
    } numbers[] = {{"measured", &to->measured},
                   {"warmup", &to->warmup},
                   {"settle", &settle},
                   {"most-warmup", &most},
                   {"replications", &replications},
                   {"at-end", &at_end},
                   {"search", &to->search},
                   {"hold", &to->hold},
                   {"group", &group},
                   {"equal", &equal},
                   {"complete", &to->complete},
                   {"window", &window},
                   {"whole", &whole},
                   {"each", &each},
                   {"most-runs", &most_runs}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers && !status; k++)
        status = cli_paper_number_of(&r->tree, run, numbers[k].key, numbers[k].number);
    to->settle = (uint64_t)settle;
    to->most_warmup = (uint64_t)most;
    to->replications = (int)replications;
    to->at_end = (int)at_end;
    to->group = (int)group;
    to->window = (uint64_t)window;
    to->whole = whole > 0;
    to->each = each >= 1 ? (uint64_t)each : 1;
    to->most_runs = (int)most_runs;
    r->plan.equal = equal > 0;
    return status;
}

static swq_status read_claim(cli_paper_reader *r, const swq_node *map, figure_claim_row *claim)
{
    static const char *const keys[] = {"claim", "by",       "known", "known-all",
                                       "that",  "measured", "shown", NULL};
    swq_status status = cli_paper_need(&r->tree, map, SWQ_NODE_MAP, "claims");
    const char **comparison, *known_all = NULL;

    if (!status)
        status = cli_paper_known_keys(&r->tree, map, keys);
    if (status)
        return status;
    claim->text = claim->criterion = "";
    status = cli_paper_text_of(&r->tree, map, "claim", &claim->text);
    if (!status)
        status = cli_paper_text_of(&r->tree, map, "by", &claim->criterion);
    if (!status)
        status = cli_paper_text_of(&r->tree, map, "known", &claim->known);
    if (!status)
        status = cli_paper_text_at(&r->tree, cli_paper_key_of(&r->tree, "known-all"), &known_all);
    if (!claim->known && r->equal_all)
        claim->known = known_all;
    if (!status)
        status = cli_paper_text_of(&r->tree, map, "measured", &claim->measured);
    if (!status)
        status = cli_paper_text_of(&r->tree, map, "shown", &claim->shown);
    const swq_node *that = swq_node_at(map, "that");
    const bool list = that && that->kind == SWQ_NODE_LIST;
    claim->comparisons = list ? that->count : that ? 1 : 0;
    if (!status && (!*claim->text || !*claim->criterion || !that))
        status =
            cli_paper_complain(&r->tree, map,
                               "a claim has `claim`, its text; `by`, the criterion; and `that`, "
                               "comparisons",
                               NULL);
    // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
    comparison = status ? NULL : cli_paper_take(&r->tree, claim->comparisons, sizeof *comparison);
    if (!status && !comparison)
        status = swq_memory_status(r->tree.ctx);
    for (int k = 0; k < claim->comparisons && !status; k++)
        status = cli_paper_text_at(&r->tree, list ? that->item[k] : that, &comparison[k]);
    claim->comparison = comparison;
    claim->criterion = for_good(claim->criterion);
    return status;
}

swq_status cli_paper_claims(cli_paper_reader *r)
{
    const swq_node *claims = swq_node_at(r->tree.figure, "claims");
    swq_status status = claims ? cli_paper_need(&r->tree, claims, SWQ_NODE_LIST, "claims") : SWQ_OK;

    r->plan.claim =
        status || !claims ? NULL : cli_paper_take(&r->tree, claims->count, sizeof *r->plan.claim);
    if (!status && claims && !r->plan.claim)
        status = swq_memory_status(r->tree.ctx);
    if (!status && claims && claims->count > FIGURE_CLAIMS - 1)
        status = cli_paper_complain(&r->tree, claims, "at most 23 claims", NULL);
    for (int k = 0; !status && claims && k < claims->count; k++)
        status = read_claim(r, claims->item[k], &r->plan.claim[r->plan.claims++]);
    return status;
}
