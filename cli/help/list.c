/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq list: the rows of the tables.
 */
#include "cli/help/list.h"
#include "base/context.h"
#include "base/names.h"
#include "base/plugins.h"
#include "cli/datacentre/datacentre.h"
#include "cli/figures/paper.h"
#include "cli/options/field.h"
#include "cli/options/options.h"
#include "cli/print/append.h"
#include "cli/record/format.h"
#include "cli/record/inside.h"
#include "cli/spec/presets.h"
#include "cli/tables/table.h"
#include "sim/datacentre/sizes.h"
#include "switchq/approx.h"
#include "switchq/benchmark.h"
#include "switchq/detail.h"
#include "switchq/export.h"
#include "switchq/formula.h"
#include "switchq/optimal.h"
#include "switchq/papers.h"
#include "switchq/rare.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static struct poptOption options[] = {
    CLI_TABLE(cli_format_options, NULL),
    POPT_TABLEEND,
};

static const char *const use_words[] = {NULL, "solve", "sim", "sim --engine async",
                                        "solve, approx and sim --engine sync"};

typedef cli_item line;

static const swq_context *listed; /* whose plug-ins' rows are listed, too; NULL: nobody's */

/* The rows of a table with names, which plug-ins may add to. */
#define LISTED(line_of, table, about, more, use)                                                   \
    static line line_of(int k)                                                                     \
    {                                                                                              \
        const __typeof__(**(table)) *row = swq_rows(listed, (const void *const *)(table))[k];      \
        return row ? (line){row->name, row->about, (more), (use)} : (line){0};                     \
    }

LISTED(buffer_line, swq_buffer_kinds, summary, row->source, CLI_FOR_ALL)
LISTED(admission_line, swq_admission_rules, summary, row->source, CLI_FOR_ALL)
LISTED(pool_rule_line, swq_pool_rules, summary, row->source, CLI_FOR_ALL)
LISTED(arbiter_line, swq_arbiters, summary, row->source, CLI_FOR_ALL)
LISTED(solver_line, swq_solvers, summary, row->promise, CLI_FOR_ALL)
LISTED(policy_line, swq_policies, summary, NULL, CLI_FOR_SWITCH)
LISTED(format_line, swq_export_formats, summary, NULL, CLI_FOR_ALL)
LISTED(figure_line, cli_paper_figures, title, NULL, CLI_FOR_ALL)
LISTED(formula_line, swq_formulas, summary, row->source, CLI_FOR_ALL)
LISTED(method_line, swq_approx_methods, summary, row->source, CLI_FOR_ALL)
LISTED(importance_line, swq_importances, summary, NULL, CLI_FOR_NETWORK)
LISTED(management_line, swq_managements, summary, row->source, CLI_FOR_ASYNC)
LISTED(routing_line, swq_routings, summary, row->source, CLI_FOR_ASYNC)
LISTED(choice_line, swq_selections, summary, row->source, CLI_FOR_ASYNC)
LISTED(lane_line, swq_lane_choices, summary, row->source, CLI_FOR_ASYNC)
LISTED(measure_line, swq_measures, summary, row->unit, CLI_FOR_NETWORK)
LISTED(benchmark_line, swq_benchmarks, summary, row->source, CLI_FOR_ASYNC)

/* Multistage wirings, then the other fabrics. */
static line topology_line(int k)
{
    for (int t = 0; swq_topologies[t]; t++) {
        const swq_topology *row = swq_topologies[t];
        if (k-- == 0)
            return (line){row->name, row->summary, row->source, CLI_FOR_NETWORK};
    }
    for (int f = 0; swq_fabric_kinds[f]; f++) {
        const swq_fabric_kind *row = swq_fabric_kinds[f];
        if (row->point_to_point && k-- == 0)
            return (line){row->name, row->summary, row->source,
                          row->engines == SWQ_ENGINE_ASYNC ? CLI_FOR_ASYNC : CLI_FOR_NETWORK};
    }
    return (line){0};
}

/* The line of traffic pattern k: first patterns that solve and sim both have, uniform and matrix
 * among them; then the patterns of the table; then the patterns of sim alone. */
static line traffic_line(int k)
{
    static const line both[] = {
        {"uniform", "every output or node equally likely", NULL, CLI_FOR_ALL},
        {"hotspot:F[:J]",
         "a fraction F goes to output or node J (default 0), the rest uniformly to all outputs or "
         "nodes",
         "Pfister and Norton (1985)", CLI_FOR_ALL},
        {"file:PATH",
         "destination probabilities, a row for each input or source, separated by blanks, commas "
         "or line ends; in networks also as lines of sender,receiver,share",
         NULL, CLI_FOR_ALL},
        {"matrix:P,P/P,P", "the same on the command line", NULL, CLI_FOR_SWITCH},
    };
    static const line network[] = {
        {"trace:PATH",
         "a file with lines of cycle, source, destination and a fourth number: 1 if the priority "
         "is high; asynchronous: bytes",
         NULL, CLI_FOR_NETWORK},
        {"all-to-all:BYTES",
         "each node sends BYTES, a part to each other node, in phases: in phase r to the node r "
         "further, once what it receives in the phase before has arrived",
         NULL, CLI_FOR_ASYNC},
        {"ring-all-reduce:BYTES",
         "BYTES in as many chunks as nodes, which go round twice: a node sends on the chunk that "
         "it has received in the phase before",
         "Patarasuk and Yuan (2009)", CLI_FOR_ASYNC},
        {"tree-all-reduce:BYTES",
         "BYTES up a binomial tree and down again: a node sends to its parent when its children "
         "have sent, and to its children when its parent has",
         "Thakur, Rabenseifner and Gropp (2005)", CLI_FOR_ASYNC},
        {"node:J", "all packets to node J", NULL, CLI_FOR_ASYNC},
        {"subset:MASK:VALUE", "uniform over the nodes whose number & MASK is VALUE",
         "Frazier (1995), 6.1.2", CLI_FOR_ASYNC},
        {"all:MASK:VALUE",
         "multicast, to all nodes whose number & MASK is VALUE: --architecture atlas", NULL,
         CLI_FOR_ASYNC},
        {"multicast:K[:S]",
         "multicast, to all nodes of one of S sets (default: as many as nodes) of K nodes drawn "
         "for the run: --architecture atlas",
         NULL, CLI_FOR_ASYNC},
        {"adv+I",
         "to a random node of the group I further: of a dragonfly's or megafly's group, or of the "
         "router I further in its row in the last dimension of a hyperx; the worst case of minimal "
         "routing",
         "Kim, Dally, Scott and Abts (2008)", CLI_FOR_ASYNC},
        {"worst-case",
         "slim-fly: to a random node of a router two links further, so that each link that is used "
         "carries what two routers send, the most that shortest ways can make of it",
         "Besta and Hoefler (2014)", CLI_FOR_ASYNC},
        {"P*DEST+P*DEST", "a mixture: DEST, with @LENGTH or without, with probability P",
         "Frazier (1995), 6.1.2", CLI_FOR_ASYNC},
        {"--hot-spots",
         "F:J[,F:J]: additional fractions of the packets for some nodes, with any pattern", NULL,
         CLI_FOR_NETWORK},
        {0},
    };
    enum { FEW = sizeof both / sizeof *both };

    if (k < FEW)
        return both[k];
    k -= FEW;
    const void *const *patterns = swq_rows(listed, (const void *const *)swq_patterns);
    for (int p = 0; patterns[p]; p++) {
        const swq_pattern *row = patterns[p];
        if (!row->image && !row->shuffled) /* uniform and matrix are described elsewhere */
            continue;
        if (k-- == 0)
            return (line){row->name, row->summary, row->source, CLI_FOR_NETWORK};
        if (row->alias && k-- == 0)
            return (line){row->alias, row->summary, row->source, CLI_FOR_NETWORK};
    }
    return network[k];
}

static line flow_line(int k)
{
    static const line lines[] = {
        {"discard", "a refused packet is lost", "Frazier (1995), 4.2", CLI_FOR_ALL},
        {"block", "the source, or the switch before, holds a refused packet and offers it again",
         "Frazier (1995), 4.3", CLI_FOR_ALL},
        {"--credit same", "a slot freed in a cycle can be refilled in that cycle", NULL,
         CLI_FOR_ALL},
        {"--credit next", "a slot freed in a cycle can be refilled only in the next cycle",
         "Frazier (1995), 4.3", CLI_FOR_ALL},
        {"--resend", "with discard: a discarded packet returns to its source and is sent again",
         "Frazier (1995), 4.3", CLI_FOR_NETWORK},
        {"--stale T", "a queue whose head has waited T cycles goes before longer ones",
         "Frazier (1995), 4.3", CLI_FOR_NETWORK},
        {"--sources hold", "a source creates no packet while it holds one", "Frazier (1995), 4.5",
         CLI_FOR_NETWORK},
        {"--sources open", "a source creates packets at any time; they queue at the source", NULL,
         CLI_FOR_NETWORK},
        {"--priority none", "classes of packets are measured separately, but treated alike", NULL,
         CLI_FOR_NETWORK},
        {"--priority arbiter", "heads of high priority are served first", "Frazier (1995), 5.1",
         CLI_FOR_NETWORK},
        {"--priority queue", "and each buffer has one more queue for them, a pool one per output",
         "Frazier (1995), 5.2", CLI_FOR_NETWORK},
        {"--priority queues", "and each buffer has one more queue per output for them",
         "Frazier (1995), 5.3", CLI_FOR_NETWORK},
        {"--priority buffer", "and they have a buffer of their own beside the normal one",
         "Frazier (1995), 5.4", CLI_FOR_NETWORK},
    };
    enum { FEW = sizeof lines / sizeof *lines };

    if (k < FEW)
        return lines[k];
    const swq_hop_flow *row = swq_hop_flows[k - FEW];
    return row ? (line){row->name, row->summary, row->source, CLI_FOR_ASYNC} : (line){0};
}

static line table_line(int k)
{
    if (k == 0)
        return (line){"4.1", "discards of one 2x2 switch, from Markov chains",
                      "Frazier (1995), 4.2", CLI_FOR_ALL};
    int papers = 0;
    while (swq_paper_tables[papers])
        papers++;
    if (k <= papers)
        return (line){swq_paper_tables[k - 1]->name, swq_paper_tables[k - 1]->title, NULL,
                      CLI_FOR_ALL};
    const cli_table_own *row = &cli_tables_own[k - 1 - papers];
    return row->name ? (line){row->name, row->summary, row->source, CLI_FOR_ALL} : (line){0};
}

static line quantity_line(int k)
{
    const cli_quantity *row = cli_quantity_at(k);
    return row ? (line){row->key, row->about, row->unit, CLI_FOR_ALL} : (line){0};
}

/* The line of an architecture that the asynchronous engine alone has says its place in a taxonomy,
 * the cost of its crossbars, and its kind of arbitration. */
static line architecture_line(int k)
{
    static char text[4][400];
    const swq_architecture *row = swq_architectures[k];

    if (!row)
        return (line){0};
    if (row->engines & SWQ_ENGINE_SYNC) {
        snprintf(text[k % 4], sizeof text[0], "in stage cycles%s; %s",
                 row->engines & SWQ_ENGINE_ASYNC ? " and asynchronous" : "", row->source);
        return (line){row->name, row->summary, text[k % 4], CLI_FOR_ALL};
    }
    if (row->engines & SWQ_ENGINE_TIMED) {
        snprintf(text[k % 4], sizeof text[0], "packet by packet, sim alone; %s", row->source);
        return (line){row->name, row->summary, text[k % 4], CLI_FOR_ALL};
    }
    snprintf(text[k % 4], sizeof text[0], "%s; crosspoints: %s; %s; %s", row->async.place,
             row->async.crosspoints_cost, row->async.arbitration, row->source);
    return (line){row->name, row->summary, text[k % 4], CLI_FOR_ASYNC};
}

/* The line of preset k: its settings, and what it cannot set. */
static line preset_line(int k)
{
    static char text[4][3000];
    const cli_preset *row = cli_presets[k];

    if (!row)
        return (line){0};
    snprintf(text[k % 4], sizeof text[0], "%s:", row->summary);
    for (const cli_preset_setting *s = row->setting; s->value; s++)
        cli_append(text[k % 4], sizeof text[0], "%s %s%s%s%s [%s]", s == row->setting ? "" : ";",
                   s->option ? "--" : "not set: ", s->option ? s->option : "", s->option ? " " : "",
                   s->value, s->from);
    return (line){row->name, text[k % 4], row->source, CLI_FOR_NETWORK};
}

/* The line of distribution k of the sizes of flows. */
static line size_line(int k)
{
    static char text[4][200];
    const swq_flow_size_row *row = swq_flow_size_rows[k];

    if (!row)
        return (line){0};
    const swq_flow_sizes sizes = {row->points, row->point, NULL};
    snprintf(text[k % 4], sizeof text[0],
             "%s; mean %.10g bytes, median %.0f, %.0f%% of the flows up to 100 KB with %.2g%% of "
             "the bytes",
             row->summary, swq_flow_sizes_mean(&sizes), swq_flow_sizes_quantile(&sizes, 0.5),
             100 * swq_flow_sizes_share(&sizes, 100e3),
             100 * swq_flow_sizes_carried(&sizes, 100e3));
    return (line){row->name, text[k % 4], row->source, CLI_FOR_ALL};
}

/* Adds "; W: 1 to 65535 packets of a pair ..." and the like. */
static void add_parameter(const swq_sender_parameter *p, char *text, size_t size)
{
    char range[80] = "", preset[40] = "";

    if (!p->word)
        snprintf(range, sizeof range, "%s%.10g %s %.10g %s%s", p->above ? "above " : "", p->least,
                 p->above ? "and at most" : "to", p->most, p->unit ? p->unit : "",
                 p->unit ? " " : ", ");
    if (p->optional && p->word)
        snprintf(preset, sizeof preset, " (%s)", p->word[(int)p->preset]);
    else if (p->optional)
        snprintf(preset, sizeof preset, " (%g)", p->preset);
    cli_append(text, size, "; %s: %s%s%s", p->name, range, p->help, preset);
}

/* The line of sender scheme k: its word as given to --sender, its parameters, and the state that it
 * keeps. */
static line sender_line(int k)
{
    static char syntax[4][80], text[4][700];
    const swq_sender_scheme *row = swq_sender_schemes[k];

    if (!row)
        return (line){0};
    snprintf(text[k % 4], sizeof text[0], "%s", row->summary);
    for (int p = 0; p < swq_sender_parameters(row); p++)
        add_parameter(&row->parameter[p], text[k % 4], sizeof text[0]);
    cli_append(text[k % 4], sizeof text[0], "; keeps %s", row->state);
    return (line){swq_sender_syntax(row, syntax[k % 4], sizeof syntax[0]), text[k % 4], row->source,
                  CLI_FOR_ASYNC};
}

/* The line of sender k of hosts: its parameters with their presets. */
static line host_sender_line(int k)
{
    static char text[4][1200];
    const swq_dc_sender *row = swq_dc_senders()[k];

    if (!row)
        return (line){0};
    snprintf(text[k % 4], sizeof text[0], "%s", row->summary);
    for (int p = 0; p < swq_dc_sender_parameters(row); p++) {
        const swq_dc_sender_parameter *is = &row->parameter[p];
        char preset[SWQ_UNITS_TEXT + 3] = "", value[SWQ_UNITS_TEXT];
        if (!isnan(is->preset))
            snprintf(preset, sizeof preset, " (%s)", cli_dc_sender_value(is, is->preset, value));
        cli_append(text[k % 4], sizeof text[0], "; %s: %s%s", is->name, is->help, preset);
    }
    return (line){row->name, text[k % 4], row->source, CLI_FOR_ALL};
}

/* The line of topology k of networks with hosts: the options that it takes. */
static line host_topology_line(int k)
{
    static char name[4][40], text[4][600];
    const swq_dc_topology *row = swq_dc_topologies()[k];

    if (!row)
        return (line){0};
    snprintf(name[k % 4], sizeof name[0], "%s%s", row->name, row->file ? ":FILE" : "");
    snprintf(text[k % 4], sizeof text[0], "%s", row->summary);
    for (int n = 0; n < SWQ_DC_NUMBERS; n++) {
        if (row->number[n])
            cli_append(text[k % 4], sizeof text[0], "; --%s: %s", swq_dc_number_words[n],
                       row->number[n]);
    }
    return (line){name[k % 4], text[k % 4], NULL, CLI_FOR_ALL};
}

static line word_line(int k)
{
    const cli_field_word *row = &cli_field_words[k];
    static char meaning[4][160];

    if (!row->word)
        return (line){0};
    return (line){row->word, row->about, cli_field_meaning(row, meaning[k % 4], sizeof meaning[0]),
                  CLI_FOR_ALL};
}

typedef struct {
    const char *name;
    line (*at)(int k);
    const void *const *table; /* the table that plug-ins may add rows to; NULL: they cannot */
} topic;

#define TABLE(table) (const void *const *)(table)

static const topic topics[] = {
    {"buffers", buffer_line, TABLE(swq_buffer_kinds)},
    {"admission", admission_line, TABLE(swq_admission_rules)},
    {"pool-rules", pool_rule_line, TABLE(swq_pool_rules)},
    {"arbiters", arbiter_line, TABLE(swq_arbiters)},
    {"solvers", solver_line, NULL},
    {"policies", policy_line, NULL},
    {"topologies", topology_line, NULL},
    {"traffic", traffic_line, TABLE(swq_patterns)},
    {"flow", flow_line, NULL},
    {"formats", format_line, NULL},
    {"tables", table_line, NULL},
    {"figures", figure_line, NULL},
    {"formulas", formula_line, NULL},
    {"approximations", method_line, NULL},
    {"importances", importance_line, NULL},
    {"architectures", architecture_line, NULL},
    {"managements", management_line, NULL},
    {"routing", routing_line, NULL},
    {"choices", choice_line, NULL},
    {"lane-choices", lane_line, NULL},
    {"benchmarks", benchmark_line, NULL},
    {"senders", sender_line, NULL},
    {"host-senders", host_sender_line, NULL},
    {"host-topologies", host_topology_line, NULL},
    {"sizes", size_line, NULL},
    {"presets", preset_line, NULL},
    {"measures", measure_line, NULL},
    {"quantities", quantity_line, NULL},
    {"words", word_line, NULL},
};

enum { TOPICS = sizeof topics / sizeof *topics };

bool cli_list_item(const char *list, int k, cli_item *item)
{
    for (int t = 0; t < TOPICS; t++) {
        if (strcmp(topics[t].name, list) == 0) {
            *item = topics[t].at(k);
            return item->name != NULL;
        }
    }
    return false;
}

/* Other names of this row in the field. */
static void say_words(cli_record *root, const char *list, const line *l, int width)
{
    const size_t length = strcspn(l->name, ":");
    char words[200] = "";

    for (const cli_field_word *row = cli_field_words; row->word; row++) {
        if (strcmp(row->list, list) == 0 && strncmp(row->row, l->name, length) == 0 &&
            !row->row[length] && strcmp(row->word, row->row) != 0)
            cli_append(words, sizeof words, "%s%s", *words ? ", " : "", row->word);
    }
    if (*words)
        cli_say(root, "  %-*s   also: %s", width, "", words);
}

/* The file of the plug-in that has the row called `name`; NULL: the row is built in. */
static const char *plugin_of(const topic *t, const char *name)
{
    const void *const *rows = t->table ? swq_rows(listed, t->table) : NULL;
    const swq_plugin_file *file = NULL;

    for (int k = 0; rows && rows[k]; k++) {
        if (strcmp(*(const char *const *)rows[k], name) == 0)
            file = swq_row_plugin(listed, rows[k]);
    }
    return file ? file->path : NULL;
}

static void put_topic(cli_record *root, const topic *t)
{
    cli_record *rows = cli_put_list(root, t->name, NULL);
    int width = 16;
    cli_use all = t->at(0).only; /* said once for all */

    for (int k = 0; t->at(k).name; k++) {
        int length = (int)strlen(t->at(k).name);
        width = length > width ? length : width;
        all = t->at(k).only == all ? all : CLI_FOR_ALL;
    }
    cli_say(root, all ? "%s (only %s):" : "%s:", t->name, use_words[all]);
    for (int k = 0; t->at(k).name; k++) {
        const line l = t->at(k);
        const char *plugin = plugin_of(t, l.name);
        const bool apart = l.only && l.only != all;
        cli_record *row = cli_put_item(rows, l.name);
        cli_put_word(row, "name", l.name);
        cli_put_word(row, "summary", l.summary);
        if (l.more)
            cli_put_word(row, "more", l.more);
        if (l.only)
            cli_put_word(row, "only", use_words[l.only]);
        if (plugin)
            cli_put_word(row, "plugin", plugin);
        cli_say(root, "  %-*s %s%s%s", width, l.name, l.summary, apart ? "; only " : "",
                apart ? use_words[l.only] : "");
        if (l.more)
            cli_say(root, "  %-*s   [%s]", width, "", l.more);
        if (plugin)
            cli_say(root, "  %-*s   (plug-in %s)", width, "", plugin);
        say_words(root, t->name, &l, width);
    }
}

/* The topic `name`, or the only topic whose name begins with `name`; a final 's' is ignored, as in
 * "flows". NULL: there is none. */
static const topic *topic_of(const char *name)
{
    const size_t length = name ? strlen(name) : 0;
    const topic *found = NULL;
    int begin = 0;

    for (int t = 0; t < TOPICS && name; t++) {
        const size_t whole = strlen(topics[t].name);
        const bool more = length == whole + 1 && name[whole] == 's';
        if (strncmp(topics[t].name, name, more ? whole : length) != 0)
            continue;
        if (length >= whole)
            return &topics[t];
        found = &topics[t];
        begin++;
    }
    return begin == 1 && length > 2 ? found : NULL;
}

/* Is `name` the row's name, up to a colon? */
static bool is_called(const line *l, const char *name)
{
    const size_t length = strcspn(l->name, ":");

    return strlen(name) == length && strncasecmp(l->name, name, length) == 0;
}

static void put_found(cli_record *root, const char *word, const char *row, const char *summary,
                      const char *list, const char *meaning)
{
    cli_record *item = cli_put_item(cli_record_child(root, "words"), row);

    cli_put_word(item, "name", row);
    cli_put_word(item, "summary", summary);
    cli_put_word(item, "more", list);
    cli_say(root, "%s: %s: %s", word, meaning, summary);
}

/* The rows that a word of the field leads to, and the rows of this name. Returns their number. */
static int put_word(cli_record *root, const char *word)
{
    const cli_field_word *row = cli_field_find(word);
    char meaning[160];
    int found = 0;

    if (row && row->place == CLI_FIELD_NOWHERE && *row->list) /* of messages alone */
        row = NULL;
    cli_put_list(root, "words", NULL);
    for (; row && row->word && strcasecmp(row->word, word) == 0; row++, found++)
        put_found(root, row->word, row->row, row->about, row->list,
                  cli_field_meaning(row, meaning, sizeof meaning));
    for (int t = 0; t < TOPICS && !found; t++) {
        for (int k = 0; topics[t].at(k).name; k++) {
            const line l = topics[t].at(k);
            if (!is_called(&l, word))
                continue;
            snprintf(meaning, sizeof meaning, "%s of 'switchq list %s'", l.name, topics[t].name);
            put_found(root, word, l.name, l.summary, topics[t].name, meaning);
            found++;
        }
    }
    return found;
}

bool cli_list_print_word(const char *word)
{
    cli_record *root = cli_record_new("");
    const bool found = put_word(root, word) > 0;

    cli_record_text(root);
    cli_record_free(root);
    return found;
}

void cli_list_print(const char *list)
{
    cli_record *root = cli_record_new("");

    for (int t = 0; t < TOPICS; t++) {
        if (strcmp(topics[t].name, list) == 0)
            put_topic(root, &topics[t]);
    }
    cli_record_text(root);
    cli_record_free(root);
}

static int run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    const void *rows[TOPICS + 1] = {0};
    const char *name = NULL;
    const topic *only = NULL;
    cli_format format = CLI_TEXT;
    int end = cli_read_options(ctx, self, options, argc, argv, &name, 1);
    if (end >= 0)
        return end;
    for (int t = 0; t < TOPICS; t++)
        rows[t] = &topics[t];
    if (cli_format_read(ctx, &format))
        return cli_fail(ctx, SWQ_EINVAL);
    only = topic_of(name);
    listed = ctx;
    cli_record *root = cli_not_in_csv(cli_record_new("switchq/list/1"));
    const bool word = name && !only && put_word(root, name) > 0;
    if (name && !word && !only) {
        listed = NULL;
        cli_record_free(root);
        swq_name_lookup(ctx, "topic", name, rows);
        return cli_fail(ctx, SWQ_EINVAL);
    }
    for (int t = 0; t < TOPICS && !word; t++) {
        if (!only || only == &topics[t])
            put_topic(root, &topics[t]);
    }
    listed = NULL;
    swq_status status = cli_record_print(ctx, root, format);
    return status ? cli_fail(ctx, status) : CLI_OK;
}

const cli_command cli_list = {
    .name = "list",
    .no_file = true,
    .plugins = true,
    .usage = "[buffers|admission|pool-rules|arbiters|solvers|policies|topologies|traffic|flow|"
             "formats|tables|figures|formulas|approximations|importances|architectures|managements|"
             "routing|choices|lane-choices|benchmarks|senders|host-senders|host-topologies|sizes|"
             "presets|measures|quantities|words]",
    .summary = "list the known buffers, arbiters, solvers, topologies and so on",
    .run = run,
};
