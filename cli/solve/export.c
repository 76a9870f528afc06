/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq export: the chain of a switch for other tools.
 */
#include "switchq/export.h"
#include "base/context.h"
#include "base/outfile.h"
#include "cli/options/config.h"
#include "cli/options/files.h"
#include "cli/options/parse.h"
#include "cli/options/shared.h"
#include "cli/print/words.h"
#include "cli/sim/export_graph.h"
#include "cli/spec/solver.h"
#include "cli/spec/switch.h"

#include <limits.h>
#include <string.h>

static char *format_name, *path, *reduce_name, *map_path;

static struct poptOption own_options[] = {
    CLI_TEXT_ROW(
        "format", "NAME", &format_name,
        "prism, drn, mtx or dot: the chain; prism-source: the rules, from which PRISM builds its "
        "own chain; graph, routes: an asynchronous network, for --topology graph:FILE, and its "
        "routes, for --routes (their options: 'switchq export --format graph --help')"),
    CLI_OUTPUT_OPTION(&path,
                      "where to write; the format's suffix is added (default: standard output, "
                      "except for formats of several files)",
                      "PATH"),
    CLI_TEXT_ROW(
        "reduce", "none|auto", &reduce_name,
        "all states (none, default), or one of each set that differs only by a renaming of ports"),
    CLI_TEXT_ROW("map", "PATH", &map_path,
                 "with --reduce auto: write the state of the reduced chain that stands for each "
                 "full state, as CSV"),
    POPT_TABLEEND,
};

static struct poptOption options[] = {
    CLI_TABLE(own_options, "Output:"),
    CLI_TABLE(cli_memory_options, NULL),
    CLI_TABLE(cli_spec_options, "The switch:"),
    POPT_TABLEEND,
};

/* "", "sub/", "." or "..": with a suffix it would make a hidden or odd name. */
static bool names_a_folder(const char *name)
{
    const char *slash = strrchr(name, '/');
    const char *last = slash ? slash + 1 : name;

    return *last == '\0' || strcmp(last, ".") == 0 || strcmp(last, "..") == 0;
}

/* Can the files of the chain be written, and is none of them in the place of a map or of a saved
 * command line? */
static swq_status check_names(swq_context *ctx, const swq_export_format *format)
{
    const char *const other[][2] = {{"map", map_path},
                                    {"save-config", cli_text(cli_config_options, "save-config")}};
    swq_status status = SWQ_OK;

    for (int k = 0; path && format->part[k].suffix; k++) {
        const char *suffix = format->part[k].suffix;
        const size_t length = strlen(path), extra = strlen(suffix);
        const bool has = length > extra && strcmp(path + length - extra, suffix) == 0;
        char file[PATH_MAX];
        snprintf(file, sizeof file, "%s%s", path,
                 strcmp(path, "-") == 0 || (k == 0 && !format->part[1].suffix && has) ? ""
                                                                                      : suffix);
        if (!status)
            status = cli_files_folder(ctx, "output", file);
        for (int o = 0; o < 2 && !status; o++) {
            if (other[o][1])
                status = cli_files_differ(ctx, "output", file, other[o][0], other[o][1]);
        }
    }
    if (!status && map_path && other[1][1])
        status = cli_files_differ(ctx, "map", map_path, other[1][0], other[1][1]);
    return status;
}

/* Writes the chain and a map of the states that the reduction merged. Both chains are generated
 * before a file is begun, since their size is most likely to fail. */
static swq_status run_chain(swq_context *ctx, const swq_switch *sw, const swq_export_format *format,
                            bool reduce)
{
    swq_chain *chain = NULL, *full = NULL;
    swq_outfile probe = {0};
    swq_status status = swq_chain_generate(ctx, sw, reduce, &chain);

    if (!status && map_path)
        status = swq_chain_generate(ctx, sw, false, &full);
    if (!status && map_path) { /* can the map be written at all? */
        status = cli_outfile_open(ctx, map_path, &probe);
        swq_outfile_abort(ctx, &probe);
    }
    if (!status)
        status = swq_export_write(ctx, chain, format, path ? path : "-");
    if (!status && map_path)
        status = swq_export_map(ctx, chain, full, map_path);
    if (!status && path && strcmp(path, "-") != 0)
        fprintf(stderr, "%lld state%s written\n", (long long)swq_chain_states(chain),
                cli_plural((uint64_t)swq_chain_states(chain)));
    swq_chain_free(ctx, chain);
    swq_chain_free(ctx, full);
    return status;
}

/* Writes the rules as PRISM source, without generating a chain. */
static int run_source(swq_context *ctx, const swq_switch *sw, const swq_export_format *format)
{
    swq_status status = swq_export_write_source(ctx, sw, format, path ? path : "-");

    return status ? cli_fail(ctx, status) : CLI_OK;
}

static int run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    const swq_export_format *format = NULL;
    cli_spec spec;
    int reduce = 0;
    if (cli_export_asks_graph(argc, argv))
        return cli_export_graph(ctx, self, argc, argv);
    int end = cli_read_options(ctx, self, options, argc, argv, NULL, 0);
    if (end >= 0)
        return end;
    if (!format_name) {
        swq_fail(ctx, SWQ_EINVAL,
                 "--format is required: prism, drn, mtx, dot, prism-source or graph");
        return cli_fail(ctx, SWQ_EINVAL);
    }
    swq_status status = swq_export_find(ctx, format_name, &format);
    if (!status)
        status = cli_spec_read(ctx, &spec, false);
    if (!status && spec.classes && spec.sw.priority.support == SWQ_SUPPORT_NONE)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--high needs --priority: if switches do nothing for packets of high "
                          "priority, their chain does not distinguish them");
    if (!status && path && names_a_folder(path))
        status = swq_fail(ctx, SWQ_EINVAL, "--output must name a file, not '%.60s'", path);
    if (!status)
        cli_make_folder_for(path);
    if (!status)
        status = cli_memory_read(ctx);
    if (!status && reduce_name)
        status = cli_word(ctx, "reduce", reduce_name, cli_reduce_words, &reduce);
    if (!status && format->source && reduce == 1)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--reduce auto is for the formats of a chain; %s only has the rules",
                          format->name);
    if (!status && map_path && reduce != 1)
        status = swq_fail(ctx, SWQ_EINVAL, "--map describes a reduction: it needs --reduce auto");
    if (!status && map_path && names_a_folder(map_path))
        status = swq_fail(ctx, SWQ_EINVAL, "--map must name a file, not '%.60s'", map_path);
    if (!status)
        status = check_names(ctx, format);
    if (!status && format->source)
        return run_source(ctx, &spec.sw, format);
    if (!status)
        status = run_chain(ctx, &spec.sw, format, reduce == 1);
    return status ? cli_fail(ctx, status) : CLI_OK;
}

const cli_command cli_export = {
    .name = "export",
    .plugins = true,
    .usage = "--format NAME --buffer KIND --slots B --load R [-o PATH] [OPTION...]",
    .common = "format output buffer slots load ports flow reduce map",
    .summary = "write the chain for PRISM, Storm, matrix tools or Graphviz",
    .examples =
        "  switchq export --format prism -o damq4 --buffer damq --slots 4 --load 0.9\n"
        "  switchq export --format prism-source -o rules --buffer damq --slots 4 --load 0.9\n"
        "  switchq export --format dot --buffer fifo --slots 1 --load 0.5 | dot -Tsvg\n",
    .run = run,
};
