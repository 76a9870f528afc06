/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the cells and rows of all tables share: names, curves, and the command line that computes a
 * single cell, which states the dissertation's rules where they differ from the defaults of the
 * command.
 */
#include "base/text.h"
#include "cli/print/append.h"
#include "cli/print/words.h"
#include "cli/solve/solve.h"
#include "cli/tables/table.h"
#include "validate/table_sim.h"

#include <string.h>

enum { WIDTH = 100 /* of a terminal */ };

bool cli_table_pool(const char *buffer)
{
    for (int k = 0; swq_buffer_kinds[k]; k++) {
        if (strcmp(swq_buffer_kinds[k]->name, buffer) == 0)
            return swq_buffer_kinds[k]->scope == SWQ_POOL;
    }
    return false;
}

cli_record *cli_table_record(const char *name, const char *source, const char *rule)
{
    cli_record *root = cli_in_words(cli_record_new("switchq/table/1"));

    cli_put_word(root, "table", name);
    cli_not_in_csv(cli_put_word(root, "source", source));
    cli_not_in_csv(cli_put_word(root, "rule", rule));
    return root;
}

void cli_table_mark(cli_record *root, const swq_arbiter *arbiter, const swq_pool_rule *rule)
{
    cli_put_word(root, "arbiter", arbiter->name);
    cli_put_word(root, "pool_rule", rule->name);
}

void cli_say_counts(cli_record *root, int agree, int cells, const cli_table_count *rest, int rests)
{
    char text[400] = "";

    for (int k = 0; k < rests; k++) {
        if (rest[k].count || k == 0)
            cli_append(text, sizeof text, "; %d %s", rest[k].count, rest[k].words);
    }
    cli_say(root, "%s", "");
    cli_tell(root, 2, "%d of %d cells agree%s.", agree, cells, text);
}

cli_record *cli_table_cell(cli_record *rows, const char *column, const char *buffer, int slots)
{
    cli_record *cell = cli_put_item(rows, column);
    char name[16];

    cli_capitals(buffer, name, sizeof name);
    cli_put_word(cell, "buffer", buffer);
    cli_put_count(cell, "slots", (uint64_t)slots);
    return cli_titled(cell, "%-4s %2d", name, slots);
}

swq_curve *cli_table_curve(cli_drawing *to, const char *buffer, int slots, const char *more)
{
    char name[16];

    cli_capitals(buffer, name, sizeof name);
    return cli_draw_curve(to, "%s %d%s", name, slots, more);
}

/* ---- a cell by itself ---- */

/* A pool has a rule of admission and no arbiter; with other buffers it is the other way round. */
static void add_rule(const char *buffer, const swq_arbiter *arbiter, const swq_pool_rule *rule,
                     char *text, size_t size)
{
    if (cli_table_pool(buffer))
        cli_append(text, size, " --pool-rule %s", rule->name);
    else
        cli_append(text, size, " --arbiter %s", arbiter->name);
}

void cli_solve_command(const cli_solved_cell *cell, char text[CLI_COMMAND])
{
    char load[40], ports[24] = "";

    if (cell->ports != cli_switch_defaults(true).ports)
        snprintf(ports, sizeof ports, " --ports %d", cell->ports);
    snprintf(text, CLI_COMMAND, "switchq solve%s --buffer %s --slots %d --load %s", ports,
             cell->buffer, cell->slots, swq_number_text(cell->load, load));
    add_rule(cell->buffer, cell->arbiter, cell->pool_rule, text, CLI_COMMAND);
}

void cli_put_solved(cli_record *row, const cli_solved_cell *cell)
{
    cli_spec spec = {.buffer = cell->buffer,
                     .slots = cell->slots,
                     .same_load = true,
                     .traffic = "uniform",
                     .sw = {.ports = cell->ports, .arbiter = cell->arbiter}};
    const swq_buffer_kind *kind;

    if (swq_buffer_kind_find(NULL, cell->buffer, &kind) ||
        swq_buffer_preset(NULL, kind, cell->ports, cell->slots, &spec.sw.buffer))
        return; /* a cell that could not be solved in the table, either */
    spec.sw.buffer.pool_rule = cell->pool_rule;
    spec.sw.load[0] = cell->load;
    cli_bare(cli_put_model(row, &spec));
}

void cli_sim_command(const swq_paper_table *table, const swq_paper_options *o,
                     const swq_paper_cell *cell, char text[CLI_COMMAND])
{
    const char *buffer = cell->row->buffer;
    swq_network network;
    char load[40];

    snprintf(text, CLI_COMMAND,
             "switchq sim --buffer %s --slots %d --load %s --flow %s --credit %s", buffer,
             cell->row->slots, swq_number_text(cell->load, load), cli_flow_words[table->flow],
             cli_credit_words[table->credit]);
    add_rule(buffer, o->arbiter, o->pool_rule, text, CLI_COMMAND);
    if (!swq_paper_network(NULL, table, o, cell->row, &network) && network.stale)
        cli_append(text, CLI_COMMAND, " --stale %d", network.stale);
    if (table->hot_fraction > 0)
        cli_append(text, CLI_COMMAND, " --traffic hotspot:%g", table->hot_fraction);
    cli_append(text, CLI_COMMAND, " --cycles %llu --seed %llu", (unsigned long long)o->cycles,
               (unsigned long long)o->seed);
    if (table->per_node)
        cli_append(text, CLI_COMMAND, " --per-node");
}

void cli_say_command(cli_record *root, const char *what, const char *command)
{
    char text[2 * CLI_COMMAND] = "";
    size_t used = 0, line = 2;

    for (const char *word = command; *word; word += strspn(word, " ")) {
        const size_t length = strcspn(word, " ");
        const bool full = used && line + 1 + length > WIDTH - 2;
        line = full ? 4 + length : line + length + (used > 0);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.*s",
                                 full   ? " \\\n    "
                                 : used ? " "
                                        : "",
                                 (int)length, word);
        word += length;
    }
    cli_say(root, "%s by itself, as a command:\n  %s", what, text);
}
