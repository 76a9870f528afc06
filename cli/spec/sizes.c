/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sizes that the row of one topology has for itself: an option each, such as --routers.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/spec/async.h"

#include <string.h>

static const swq_fabric_size *size_named(const swq_fabric_kind *kind, const char *name)
{
    const swq_fabric_size *size = kind->sizes;

    while (size && size->name && strcmp(size->name, name) != 0)
        size++;
    return size && size->name ? size : NULL;
}

/* Has the row of a topology the size? */
#define HAS(size)                                                                                  \
    static bool has_##size(const void *row)                                                        \
    {                                                                                              \
        return size_named(row, #size) != NULL;                                                     \
    }

HAS(hosts)
HAS(routers)
HAS(leaves)
HAS(spines)
HAS(globals)
HAS(groups)
HAS(arrangement)
HAS(width)
HAS(order)
HAS(via)

#define TAKEN(has) .takers = {{&cli_by_topology, has}}
#define SIZE(name) CLI_OPTION(name, "N", SWQ_ENGINE_ASYNC), .axis = CLI_AXIS_NUMBERS, .plain = ""
#define WORD(name, words)                                                                          \
    CLI_OPTION(name, words, SWQ_ENGINE_ASYNC), .axis = CLI_AXIS_WORDS, .plain = ""
/* of data centres, too */
#define SHARED(name)                                                                               \
    CLI_OPTION(name, "N", SWQ_ENGINE_ASYNC | SWQ_ENGINE_TIMED), .axis = CLI_AXIS_NUMBERS

#define DRAGONFLY     "sim --topology dragonfly --hosts 2"
#define MEGAFLY       "sim --topology megafly --hosts 2"
#define SLIM_FLY      "sim --topology slim-fly --order 5"
#define HYPERX        "sim --topology hyperx --dims 4 --hosts 1"
#define SHARED_MEMORY "sim --architecture shared-memory --sender open --sizes 9K --topology "

cli_parameter cli_size_parameters[] = {
    {SHARED("hosts"), TAKEN(has_hosts), .says = "% host~ at a switch",
     .about =
         "hosts of a router, or of a leaf; shared-memory: of each switch that has some ('switchq "
         "list host-topologies')",
     .preset = "slim-fly, polarfly: default half its links; shared-memory: default 16, fat-tree: "
               "half of --ports",
     .key = "hosts",
     CLI_DEFAULTS({SLIM_FLY, "(half its links)", "the balance of its authors"},
                  {SHARED_MEMORY "leaf-spine", "16", "half of those in the runs of ABM"},
                  {SHARED_MEMORY "fat-tree", "(half)", "as many as links upwards"})},
    {SIZE("routers"), TAKEN(has_routers), .says = "% router~ a group",
     .about = "routers of a group", .preset = "default: twice --hosts", .key = "routers",
     CLI_DEFAULTS({DRAGONFLY, "(2 hosts)", "local links carry twice what a global link brings"})},
    {SHARED("leaves"), TAKEN(has_leaves), .says = "% lea~",
     .about = "leaves of a group; shared-memory: switches with hosts ('switchq list "
              "host-topologies')",
     .preset = "default: as --hosts; shared-memory: default 2", .key = "leaves",
     CLI_DEFAULTS({MEGAFLY, "(hosts)", "as many links up as hosts"},
                  {SHARED_MEMORY "leaf-spine", "2", "as in the runs of ABM"})},
    {SHARED("spines"), TAKEN(has_spines), .says = "% spine~",
     .about = "spines of a group; shared-memory: switches that join all leaves",
     .preset = "default: as --hosts; shared-memory: default 2", .key = "spines",
     CLI_DEFAULTS({MEGAFLY, "(hosts)", "as many links up as hosts"},
                  {SHARED_MEMORY "leaf-spine", "2", "as in the runs of ABM"})},
    {SIZE("globals"), TAKEN(has_globals), .says = "% global link~",
     .about = "global links of a router, or of a spine", .preset = "default: as --hosts",
     .key = "globals",
     CLI_DEFAULTS({DRAGONFLY, "(hosts)", "they carry what the hosts send"},
                  {MEGAFLY, "(hosts)", "they carry what the leaves send"})},
    {SIZE("groups"), TAKEN(has_groups), .says = "% group~", .about = "groups of routers",
     .preset = "default: all that one link to each other group allows", .key = "router_groups",
     CLI_DEFAULTS(
         {DRAGONFLY, "(routers x globals + 1)", "the full size: a link between two groups"},
         {MEGAFLY, "(spines x globals + 1)", "the full size: a link between two groups"})},
    {WORD("arrangement", "consecutive|palmtree|relative|circulant|absolute"),
     TAKEN(has_arrangement),
     .about = "which group each global link leads to ('switchq help', docs/asynchronous.md)",
     .key = "arrangement",
     CLI_DEFAULTS({DRAGONFLY, "consecutive", "the plainest: groups in their order"})},
    {SIZE("width"), TAKEN(has_width), .says = "% link~ between two routers",
     .about = "links between two routers of a row", .key = "row_width",
     CLI_DEFAULTS({HYPERX, "1", "one link, as in its papers"})},
    {SIZE("order"), TAKEN(has_order),
     .about = "a power of a prime, q: 2 q^2 routers of a slim-fly, "
              "q^2 + q + 1 of a polarfly",
     .key = "order"},
    {WORD("via", "group|router|other|any|between"), TAKEN(has_via),
     .about = "by way of what packets may go that do not go straight: dragonfly, any router of "
              "another group, or one that is drawn, too; hyperx, routers other than those of the "
              "packet's ends, any, or those between",
     .preset = "dragonfly: default group; hyperx: default other", .key = "via",
     CLI_DEFAULTS({DRAGONFLY " --architecture wormhole --routing valiant", "group",
                   "the shortest of such ways"},
                  {HYPERX " --architecture wormhole --routing ugal", "other",
                   "no packet goes by way of its own end"})},
    CLI_PARAMETERS_END,
};

/* The option of a size among the rows above. */
static const cli_parameter *option_of(const swq_fabric_size *size)
{
    const cli_parameter *row = cli_size_parameters;

    while (strcmp(row->option.longName, size->name) != 0)
        row++;
    return row;
}

swq_status cli_sizes_read(swq_context *ctx, swq_shape *shape)
{
    const swq_fabric_size *sizes = shape->kind->sizes;
    swq_status status = SWQ_OK;

    for (int k = 0; sizes && sizes[k].name && !status; k++) {
        const swq_fabric_size *size = &sizes[k];
        const char *text = cli_parameter_text(option_of(size));
        if (text && size->words)
            status = cli_word(ctx, size->name, text, size->words, &shape->size[k]);
        else if (text)
            status = cli_integer(ctx, size->name, text, size->least, size->most, &shape->size[k]);
        else if (size->needed)
            status = swq_fail(ctx, SWQ_EINVAL, "--%s is required for topology %s: %s", size->name,
                              shape->kind->name, size->summary);
    }
    return status;
}

void cli_put_sizes(cli_record *model, const swq_shape *counted)
{
    const swq_fabric_size *sizes = counted->kind->sizes;

    for (int k = 0; sizes && sizes[k].name; k++) {
        const char *key = option_of(&sizes[k])->key;
        if (sizes[k].words)
            cli_put_word(model, key, sizes[k].words[counted->size[k]]);
        else
            cli_put_count(model, key, (uint64_t)counted->size[k]);
    }
}
