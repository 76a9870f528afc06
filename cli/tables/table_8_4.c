/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq table 8.4: the members of the groups of the congestion benchmarks, beside the numbers of
 * the table, which has Benchmark I, and of the text, which describes the others without functions.
 */
#include "base/context.h"
#include "cli/cli.h"
#include "cli/tables/table.h"
#include "switchq/benchmark.h"

#include <string.h>

/* Senders of each group as printed: Table 8.4, 8.5.5 to 8.5.8. */
static const struct {
    const char *benchmark;
    uint32_t senders[SWQ_MAX_SENDER_GROUPS];
} printed[] = {{"I", {4, 12, 48, 192}},  {"II", {128, 128}}, {"III", {4, 12, 240}},
               {"IV", {4, 12, 48, 192}}, {"V", {128, 128}},  {"VI", {256}}};

static const char rule[] =
    "a group agrees when as many of the 256 senders are in it; that they are those whose ways meet "
    "G_NUT's where the text has it is enumerated before anything is printed";

static swq_status make_groups(swq_context *ctx, const char *name, swq_benchmark_groups *groups)
{
    const swq_benchmark *row;
    swq_async network = swq_async_defaults();

    network.shape = (swq_shape){.kind = &swq_fabric_multistage, .ports = 4, .stages = 4};
    swq_status status = swq_fabric_find(ctx, "omega", &network.shape);
    if (!status)
        status = swq_benchmark_find(ctx, name, &row);
    return status ? status : swq_benchmark_make(ctx, row, &network, 1, groups);
}

static bool put_group(cli_record *rows, const char *benchmark, const swq_benchmark_groups *g, int k,
                      uint32_t senders)
{
    const uint32_t mask = g->group[k].mask, value = g->group[k].value;
    const bool agrees = g->members[k] == senders;
    cli_record *row = cli_put_item(rows, "");
    char function[60] = "TRUE", paper[16];

    if (mask)
        snprintf(function, sizeof function, "senderID & 0x%02X = 0x%02X", mask, value);
    snprintf(paper, sizeof paper, "%u", senders);
    cli_titled(row, "%-4s %-6s %-28s", benchmark, g->name[k], function);
    cli_put_word(row, "benchmark", benchmark);
    cli_put_word(row, "name", g->name[k]);
    cli_put_count(row, "mask", mask);
    cli_put_count(row, "value", value);
    cli_put_word(row, "paper", paper);
    cli_put_number(row, "computed", g->members[k]);
    cli_put_truth(row, "agrees", agrees);
    cli_show(row, "senders", "%s%u%c", "  ", g->members[k], agrees ? ' ' : '*');
    return agrees;
}

int cli_table_8_4(swq_context *ctx)
{
    cli_record *root =
        cli_table_record("8.4", "G. L. Frazier, dissertation, UCLA 1995, Table 8.4", rule);
    int agree = 0, differ = 0;
    swq_status status = SWQ_OK;

    cli_put_word(root, "topology", "omega");
    cli_put_count(root, "stages", 4);
    cli_put_count(root, "ports", 4);
    cli_put_count(root, "nodes", 256);
    cli_say(root,
            "Table 8.4 (Frazier 1995), which has Benchmark I, and the groups that 8.5.5 to "
            "8.5.8 describe for II\nto VI: senders of 256 nodes; the first group that a sender "
            "is in counts\n");
    cli_record *rows = cli_as_grid(cli_put_points(root, "rows"), "benchmark, group, function", 1);
    for (size_t b = 0; b < sizeof printed / sizeof *printed && !status; b++) {
        swq_benchmark_groups groups;
        status = make_groups(ctx, printed[b].benchmark, &groups);
        for (int k = 0; !status && k < groups.groups; k++) {
            const bool same =
                put_group(rows, printed[b].benchmark, &groups, k, printed[b].senders[k]);
            agree += same;
            differ += !same;
        }
    }
    cli_put_count(root, "agree", (uint64_t)agree);
    cli_put_count(root, "differ", (uint64_t)differ);
    cli_say(root, "\n%d of %d groups agree%s.", agree, agree + differ,
            differ ? "; * marks those that differ" : "");
    cli_tell(root, 2, "Rule: %s.", rule);
    cli_tell(root, 2,
             "Note: the functions of I are printed; those of II to VI are ours, and their groups "
             "are compared with the numbers of senders in the text.");
    cli_tell(root, 2,
             "Note: the text of 8.5.4 and 8.5.7 names 240, 244, 248 and 252, which meet in stage 3 "
             "already; the table's 252 to 255 meet in stage 4, as the text says.");
    if (status) {
        cli_record_free(root);
        return cli_fail(ctx, status);
    }
    status = cli_record_print(ctx, root, cli_table_given.format);
    return status ? cli_fail(ctx, status) : differ ? CLI_FAILED : CLI_OK;
}
