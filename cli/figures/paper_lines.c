/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure's axes and lines, each a network at each x.
 */
#include "cli/figures/paper_files.h"

#include "base/context.h"
#include "cli/spec/question.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_XS = 64 };

/* What the x axis is, and the option that it sets; NULL: none. */
static const struct {
    const char *word, *option;
} axes[] = {
    [SWQ_OVER_THROUGHPUT] = {"throughput", "load"},
    [SWQ_OVER_PERCENT] = {"percent", "high"},
    [SWQ_OVER_BISECTION] = {"bisection", "load"},
    [SWQ_OVER_BYTES] = {"bytes", "bytes"},
    [SWQ_OVER_CYCLES] = {"cycles", NULL},
    [SWQ_OVER_LOAD] = {"load", "load"},
    [SWQ_OVER_CELLS] = {"cells", NULL},
    [SWQ_OVER_LANES] = {"lanes", NULL},
    [SWQ_OVER_PORTS] = {"ports", "ports"},
};
enum { AXES = sizeof axes / sizeof *axes };

/* ---- axes and panels ---- */

swq_status cli_paper_axis(cli_paper_reader *r)
{
    static const char *const keys[] = {"over", "at", "most", "ratio", NULL};
    const swq_node *x = swq_node_at(r->tree.figure, "x"), *at;
    const char *over = "throughput";
    int k = 0;
    swq_status status = cli_paper_need(&r->tree, x, SWQ_NODE_MAP, "x");

    if (!status)
        status = cli_paper_known_keys(&r->tree, x, keys);
    if (!status)
        status = cli_paper_text_of(&r->tree, x, "over", &over);
    while (!status && k < AXES && strcmp(axes[k].word, over) != 0)
        k++;
    if (!status && k == AXES)
        status =
            cli_paper_complain(&r->tree, x,
                               "over must be throughput, percent, bisection, bytes, cycles, load, "
                               "cells, lanes or ports, not",
                               over);
    if (status)
        return status;
    r->kind.over = (swq_figure_axis)k;
    r->plan.full = r->kind.over == SWQ_OVER_THROUGHPUT || r->kind.over == SWQ_OVER_BISECTION;
    at = swq_node_at(x, "at");
    const int xs = at && at->kind == SWQ_NODE_LIST ? at->count : 0;
    if (xs > MOST_XS)
        return cli_paper_complain(&r->tree, at, "at most 64 values of x", NULL);
    r->plan.xs = xs;
    r->plan.x = cli_paper_take(&r->tree, xs, sizeof *r->plan.x);
    if (!r->plan.x)
        return swq_memory_status(r->tree.ctx);
    for (int i = 0; i < xs && !status; i++) {
        status = cli_paper_number_at(&r->tree, at->item[i], &r->plan.x[i]);
        if (!status && i > 0 && r->plan.x[i] <= r->plan.x[i - 1])
            status = cli_paper_complain(&r->tree, at->item[i],
                                        "the values of x must rise; not above the last is",
                                        at->item[i]->text);
    }
    return status ? status : cli_paper_number_of(&r->tree, x, "most", &r->kind.x_most);
}

swq_status cli_paper_panels(cli_paper_reader *r)
{
    static const char *const keys[] = {"letter", "title", "y", "most", NULL};
    const swq_node *panels = swq_node_at(r->tree.figure, "panels");
    swq_status status = cli_paper_need(&r->tree, panels, SWQ_NODE_LIST, "panels");

    if (!status && (panels->count < 1 || panels->count > SWQ_FIGURE_PANELS))
        status = cli_paper_complain(&r->tree, panels, "there must be 1 to 12 panels", NULL);
    for (int k = 0; !status && k < panels->count; k++) {
        const swq_node *panel = panels->item[k];
        r->kind.panel[k].letter = r->kind.panel[k].title = r->kind.panel[k].y_label = "";
        status = cli_paper_need(&r->tree, panel, SWQ_NODE_MAP, "panels");
        if (!status)
            status = cli_paper_known_keys(&r->tree, panel, keys);
        if (!status)
            status = cli_paper_text_of(&r->tree, panel, "letter", &r->kind.panel[k].letter);
        if (!status)
            status = cli_paper_text_of(&r->tree, panel, "title", &r->kind.panel[k].title);
        if (!status)
            status = cli_paper_text_of(&r->tree, panel, "y", &r->kind.panel[k].y_label);
        if (!status)
            status = cli_paper_number_of(&r->tree, panel, "most", &r->kind.panel[k].y_most);
    }
    for (int k = 0; !status && k < panels->count; k++) {
        r->kind.panel[k].over = r->kind.over;
        r->kind.panel[k].x_most = r->kind.x_most;
    }
    r->kind.panels = status ? 0 : panels->count;
    return status;
}

/* Of a table: a text for each x. */
swq_status cli_paper_cells(cli_paper_reader *r)
{
    const swq_node *cells = swq_node_at(r->tree.figure, "cells");
    swq_status status = cli_paper_need(&r->tree, cells, SWQ_NODE_LIST, "cells");

    if (!status && cells->count != r->plan.xs)
        status = cli_paper_complain(&r->tree, cells, "there must be a cell for each x", NULL);
    // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
    r->plan.cell = status ? NULL : cli_paper_take(&r->tree, r->plan.xs, sizeof *r->plan.cell);
    if (!status && !r->plan.cell)
        status = swq_memory_status(r->tree.ctx);
    for (int k = 0; k < r->plan.xs && !status; k++)
        status = cli_paper_text_at(&r->tree, cells->item[k], &r->plan.cell[k]);
    return status;
}

static swq_status read_value(const cli_paper_reader *r, const swq_node *map,
                             figure_value_row *value)
{
    static const char *const keys[] = {"key", "is", "from", "to", "best", "title", NULL};
    double first = r->plan.xs ? r->plan.x[0] : 0, last = r->plan.xs ? r->plan.x[r->plan.xs - 1] : 0;
    const char *best = NULL;
    swq_status status = cli_paper_need(&r->tree, map, SWQ_NODE_MAP, "values");

    *value = (figure_value_row){0};
    if (!status)
        status = cli_paper_known_keys(&r->tree, map, keys);
    if (!status)
        status = cli_paper_text_of(&r->tree, map, "key", &value->key);
    if (!status)
        status = cli_paper_text_of(&r->tree, map, "is", &value->sum);
    if (!status)
        status = cli_paper_text_of(&r->tree, map, "title", &value->title);
    if (!status)
        status = cli_paper_text_of(&r->tree, map, "best", &best);
    if (!status)
        status = cli_paper_number_of(&r->tree, map, "from", &first);
    if (!status)
        status = cli_paper_number_of(&r->tree, map, "to", &last);
    if (status)
        return status;
    value->better = !best ? 0 : strcmp(best, "most") == 0 ? 1 : strcmp(best, "least") == 0 ? -1 : 2;
    if (!value->key || !value->sum || value->better == 2)
        return cli_paper_complain(
            &r->tree, map, "a value needs its `key` and what it `is`; `best` is most or least",
            NULL);
    while (value->first < r->plan.xs && r->plan.x[value->first] < first)
        value->first++;
    for (value->last = r->plan.xs - 1; value->last >= 0 && r->plan.x[value->last] > last;)
        value->last--;
    return SWQ_OK;
}

/* Of a table: what its cells show. */
swq_status cli_paper_values(cli_paper_reader *r)
{
    const swq_node *list = swq_node_at(r->tree.figure, "values");
    const char *rows = "lines";
    swq_status status = cli_paper_need(&r->tree, list, SWQ_NODE_LIST, "values");

    if (!status)
        status = cli_paper_text_of(&r->tree, r->tree.figure, "rows", &rows);
    if (!status && strcmp(rows, "lines") != 0 && strcmp(rows, "cells") != 0)
        status = cli_paper_complain(&r->tree, r->tree.figure, "rows are lines or cells, not", rows);
    r->plan.cells_down = *rows == 'c';
    r->plan.value = status ? NULL : cli_paper_take(&r->tree, list->count, sizeof *r->plan.value);
    if (!status && !r->plan.value)
        status = swq_memory_status(r->tree.ctx);
    for (; !status && r->plan.values < list->count; r->plan.values++)
        status = read_value(r, list->item[r->plan.values], &r->plan.value[r->plan.values]);
    return status;
}

/* ---- lines ---- */

static bool is_option(const char *key)
{
    static const char *const others[] = {"name", "only",  "slower", "multiples", "all", "like",
                                         "end",  "onset", "over",   "stores",    NULL};
    int k = 0;

    while (others[k] && strcmp(others[k], key) != 0)
        k++;
    return !others[k];
}

/* Adds the options of a map; a list has a value for each x, "-" where there is no such network, but
 * of groups it has them all. false in *there: there is no network. */
static swq_status add_options(const cli_paper_reader *r, const swq_node *map, int column,
                              cli_setting *to, int *count, bool *there)
{
    for (int k = 0; map && k < map->count; k++) {
        const swq_node *value = map->item[k];
        const char *option = map->key[k]->text;
        const bool list = value->kind == SWQ_NODE_LIST, groups = strcmp(option, "group") == 0;
        if (!is_option(option))
            continue;
        if (value->kind == SWQ_NODE_MAP)
            return cli_paper_complain(&r->tree, value,
                                      "an option has a value, or a list with one for each x", NULL);
        if (list && !groups && value->count != r->plan.xs)
            return cli_paper_complain(&r->tree, value,
                                      "a list must have a value for each x:", option);
        for (int v = 0; v < (list && groups ? value->count : 1); v++) {
            const swq_node *one = !list                 ? value
                                  : groups              ? value->item[v]
                                  : column < r->plan.xs ? value->item[column]
                                                        : NULL;
            if (*count == CLI_MOST_SETTINGS)
                return cli_paper_complain(&r->tree, value, "too many options", NULL);
            if (!one || (list && strcmp(one->text, "-") == 0))
                *there = false;
            else
                to[(*count)++] = (cli_setting){option, one->text};
        }
    }
    return SWQ_OK;
}

/* The value of the x axis's option in a column. */
static swq_status add_x(const cli_paper_reader *r, int column, cli_setting *to, int *count,
                        char *text, size_t size)
{
    const char *option = axes[r->kind.over].option;
    const swq_node *ratio = swq_node_at(swq_node_at(r->tree.figure, "x"), "ratio");
    double value = column < r->plan.xs ? r->plan.x[column] : 1, part[2] = {1, 1};
    swq_status status = SWQ_OK;

    for (int k = 0; k < 2 && ratio && ratio->kind == SWQ_NODE_LIST && ratio->count == 2; k++)
        status = status ? status : cli_paper_number_at(&r->tree, ratio->item[k], &part[k]);
    if (r->kind.over == SWQ_OVER_PERCENT)
        value /= 100;
    if (ratio && column < r->plan.xs)
        value = fmin(1, value * part[0] / part[1]);
    snprintf(text, size, "%.17g", value);
    if (option)
        to[(*count)++] = (cli_setting){option, text};
    return status;
}

static const char full_load[] = "1"; /* unless an option says otherwise */

/* Do groups have loads of their own? */
static bool own_loads(const cli_setting *option, int count)
{
    bool groups = false;

    for (int k = 0; k < count; k++)
        groups = groups || strcmp(option[k].option, "group") == 0;
    return groups;
}

/* Reads the network of a line at x number `column`; column r->plan.xs: the line's network at full
 * load. */
static swq_status read_network(cli_paper_reader *r, const swq_node *line, int number, int column)
{
    const int place = number * (r->plan.xs + 1) + column;
    swq_figure_setting *setting = &r->plan.setting[place];
    cli_setting option[CLI_MOST_SETTINGS + 2];
    double multiple = 0;
    int count = 0;
    char x[40];
    bool there = true;
    swq_status status = add_options(r, r->tree.paper ? swq_node_at(r->tree.paper, "set") : NULL,
                                    column, option, &count, &there);

    option[count++] = (cli_setting){"load", full_load};
    if (!status)
        status = add_options(r, swq_node_at(r->tree.figure, "set"), column, option, &count, &there);
    const char *like = NULL;
    if (!status)
        status = cli_paper_text_of(&r->tree, line, "like", &like);
    const swq_node *shared = r->tree.paper ? swq_node_at(r->tree.paper, "lines") : NULL;
    if (!status && like)
        status = add_options(r, shared ? swq_node_at(shared, like) : NULL, column, option, &count,
                             &there);
    if (!status)
        status = add_options(r, line, column, option, &count, &there);
    if (!status && r->equal_all)
        status = add_options(r, swq_node_at(line, "all"), column, option, &count, &there);
    if (!status)
        status = add_x(r, column, option, &count, x, sizeof x);
    if (!status)
        status = cli_paper_number_of(&r->tree, line, "multiples", &multiple);
    if (status || !there ||
        (multiple > 0 && column < r->plan.xs && fmod(r->plan.x[column], multiple) != 0))
        return status;
    for (int k = 0; k < count && own_loads(option, count); k++) {
        if (option[k].value == full_load) {
            memmove(&option[k], &option[k + 1], (size_t)(--count - k) * sizeof *option);
            break;
        }
    }
    status = cli_setting_read(r->tree.ctx, option, count, setting);
    if (status == SWQ_EINVAL && r->equal_all)
        return SWQ_OK; /* what crosspoints leave of the memory may be too small for a message */
    r->plan.there[place] = !status;
    if (status == SWQ_EINVAL) {
        char why[400];
        snprintf(why, sizeof why, "%s", swq_context_message(r->tree.ctx));
        return swq_fail(r->tree.ctx, SWQ_EINVAL, "%.150s, line %d: %s", r->tree.path, line->line,
                        why);
    }
    return status;
}

/* At full load there is a network only if the x axis is a load. */
static swq_status read_networks(cli_paper_reader *r, const swq_node *line, int number)
{
    const char *option = axes[r->kind.over].option;
    const bool loads = (option && strcmp(option, "load") == 0) || r->kind.over == SWQ_OVER_CYCLES;
    const int xs = r->plan.xs, first = number * (xs + 1);
    swq_status status = loads ? read_network(r, line, number, xs) : SWQ_OK;
    const swq_figure_setting *full = &r->plan.setting[first + xs];

    for (int k = 0; k < xs && !status; k++) {
        if (!loads || full->asynchronous) {
            status = read_network(r, line, number, k);
        } else if (r->plan
                       .there[first + xs]) { /* at the load that gives a throughput, or at a load */
            r->plan.setting[first + k] = *full;
            r->plan.there[first + k] = true;
            if (r->kind.over == SWQ_OVER_LOAD)
                r->plan.setting[first + k].load = r->plan.setting[first + k].network.traffic.load =
                    r->plan.x[k];
        }
    }
    return status;
}

/* Of a figure over time: a line's own, or those of `run`. */
static swq_status read_times(const cli_paper_reader *r, const swq_node *line, figure_times *times)
{
    static const char *const keys[] = {"end", "onset", "over"};
    const swq_node *run = cli_paper_key_of(&r->tree, "run");
    double value[3] = {0};
    swq_status status = SWQ_OK;

    for (int k = 0; k < 3 && !status; k++) {
        status = cli_paper_number_of(&r->tree, run, keys[k], &value[k]);
        if (!status)
            status = cli_paper_number_of(&r->tree, line, keys[k], &value[k]);
    }
    *times = (figure_times){(uint64_t)value[0], (uint64_t)value[1], (uint64_t)value[2]};
    return status;
}

/* A map of stores, each [STEP, FIRST, LAST]. */
static swq_status read_stores(cli_paper_reader *r, const swq_node *line, figure_line *to)
{
    const swq_node *stores = swq_node_at(line, "stores");
    swq_status status = stores ? cli_paper_need(&r->tree, stores, SWQ_NODE_MAP, "stores") : SWQ_OK;

    for (int k = 0; !status && stores && k < stores->count; k++) {
        const swq_node *store = stores->item[k];
        double number[3] = {0};
        if (k == FIGURE_STORES || store->kind != SWQ_NODE_LIST || store->count != 3)
            return cli_paper_complain(&r->tree, store,
                                      "at most 6 stores, each [step, first flow, last flow]", NULL);
        for (int n = 0; n < 3 && !status; n++)
            status = cli_paper_number_at(&r->tree, store->item[n], &number[n]);
        to->store[to->stores++] =
            (figure_store){stores->key[k]->text, (int)number[0], (int)number[1], (int)number[2]};
    }
    return status;
}

/* Does each store lie on the way of flows of the line? */
static swq_status check_stores(cli_paper_reader *r, const swq_node *line, int number)
{
    const figure_line *to = &r->plan.line[number];
    const swq_figure_setting *s = &r->plan.setting[number * (r->plan.xs + 1) + r->plan.xs];

    for (int k = 0; k < to->stores; k++) {
        const figure_store *store = &to->store[k];
        const swq_shape *shape = &s->async.shape;
        const int switches = shape->stages > 0 ? shape->stages : 1;
        bool good = s->asynchronous && shape->kind == &swq_fabric_multistage && store->step >= 0 &&
                    store->step < 2 * switches && store->first >= 0 &&
                    store->first <= store->last && store->last < s->async.traffic.groups;
        for (int g = store->first; good && g <= store->last; g++)
            good = s->group[g].types == 1 && s->group[g].type[0].aim == SWQ_AIM_NODE;
        if (!good)
            return cli_paper_complain(&r->tree, line, "no flows through stages have the store",
                                      store->id);
    }
    return SWQ_OK;
}

static swq_status read_line(cli_paper_reader *r, const swq_node *id, const swq_node *line,
                            int number)
{
    figure_line *to = &r->plan.line[number];
    const swq_node *only = swq_node_at(line, "only");
    double x = NAN;
    swq_status status = SWQ_OK;

    *to = (figure_line){.id = id->text, .slower = 1, .only = -1};
    status = cli_paper_text_of(&r->tree, line, "name", &to->name);
    if (!status)
        status = cli_paper_number_of(&r->tree, line, "slower", &to->slower);
    if (!status)
        status = read_times(r, line, &to->times);
    if (!status && only && strcmp(only->text, "full") == 0)
        to->only = r->plan.xs;
    else if (!status)
        status = cli_paper_number_at(&r->tree, only, &x);
    for (int k = 0; k < r->plan.xs; k++) {
        if (r->plan.x[k] == x)
            to->only = k;
    }
    if (!status)
        status = read_stores(r, line, to);
    if (!status)
        status = read_networks(r, line, number);
    return status ? status : check_stores(r, line, number);
}

/* A map of lines; a list has names of lines of the paper. */
swq_status cli_paper_lines(cli_paper_reader *r)
{
    const swq_node *lines = swq_node_at(r->tree.figure, "lines"),
                   *shared = r->tree.paper ? swq_node_at(r->tree.paper, "lines") : NULL;
    swq_status status = SWQ_OK;

    if (!lines || lines->kind == SWQ_NODE_TEXT)
        return cli_paper_complain(&r->tree, lines ? lines : r->tree.figure,
                                  "lines must be a map or a list", NULL);
    const int count = r->plan.lines = lines->count, places = count * (r->plan.xs + 1);
    r->plan.line = cli_paper_take(&r->tree, count, sizeof *r->plan.line);
    r->plan.setting = cli_paper_take(&r->tree, places, sizeof *r->plan.setting);
    r->plan.there = cli_paper_take(&r->tree, places, sizeof *r->plan.there);
    if (!r->plan.line || !r->plan.setting || !r->plan.there)
        return swq_memory_status(r->tree.ctx);
    for (int k = 0; k < count && !status; k++) {
        const bool own = lines->kind == SWQ_NODE_MAP;
        const swq_node *id = own ? lines->key[k] : lines->item[k];
        const swq_node *line = own                                   ? lines->item[k]
                               : shared && id->kind == SWQ_NODE_TEXT ? swq_node_at(shared, id->text)
                                                                     : NULL;
        if (!line || line->kind != SWQ_NODE_MAP)
            status =
                cli_paper_complain(&r->tree, id, "a line is a map of options; there is none at",
                                   id->kind == SWQ_NODE_TEXT ? id->text : "a list");
        else
            status = read_line(r, id, line, k);
    }
    return status;
}
