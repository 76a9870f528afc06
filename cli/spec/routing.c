/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of routing.
 */
#include "cli/print/append.h"
#include "cli/spec/async.h"

#include <stdio.h>
#include <string.h>

#define TREE   "sim --topology tree --arity 2 --levels 3"
#define DRAWN  "sim --topology slim-fly --order 3 --architecture wormhole"
#define QUEUES "local", "lane", "hybrid", "global", "path"
#define UGAL   "sim --topology slim-fly --order 3 --architecture wormhole --routing ugal"

static const char *routing_name(const void *spec)
{
    const swq_routing *row = ((const cli_async *)spec)->network.shape.routing;
    return row ? row->name : swq_routings[0]->name;
}

const cli_owner cli_by_routing = {"routing", "--routing ", (const void *const *)swq_routings,
                                  offsetof(cli_async, network.shape.routing), routing_name};

/* May one of several shortest ways be drawn? */
static bool may_draw(const swq_shape *shape)
{
    return shape->kind->shortest_ways && !swq_shape_adaptive(shape) && !swq_shape_chooses(shape);
}

static bool has_ways(const void *spec)
{
    return may_draw(&((const cli_async *)spec)->network.shape);
}

CLI_PROPERTY(detours, swq_routing, detours != NULL)

static bool decides(const void *row)
{
    const swq_routing *routing = row;

    return routing->detours || routing->choose;
}

cli_parameter cli_routing_parameters[] = {
    {CLI_OPTION("routing", "NAME", SWQ_ENGINE_ASYNC), .plain = "deterministic",
     CLI_AT(CLI_NAMED, cli_async, network.shape.routing), CLI_ROWS_OF(swq_routings),
     .list = "routing", .about = "which path packets take, 'switchq list routing'",
     .key = "routing", CLI_DEFAULTS({TREE, "deterministic", "packets of a flow stay in order"})},
    {CLI_OPTION("ways", "one|drawn", SWQ_ENGINE_ASYNC),
     CLI_AT(CLI_EITHER, cli_async, network.shape.drawn_ways), CLI_WORDS_OF("one", "drawn"),
     .plain = "one", .shown = has_ways, .costless = true,
     .about = "hyperx, slim-fly, polarfly, megafly, graph: of several shortest ways each pair of "
              "switches has one, or one is drawn for each packet",
     .key = "ways", CLI_DEFAULTS({DRAWN, "one", "packets of a pair stay in order"})},
    {CLI_OPTION("ugal-threshold", "BYTES", SWQ_ENGINE_ASYNC), .plain = "0",
     CLI_AT(CLI_INT, cli_async, network.shape.ugal_threshold), CLI_FROM(0, SWQ_MAX_UGAL_THRESHOLD),
     .takers = {{&cli_by_routing, decides}}, .costless = true,
     .about = "a packet goes by way of another place when the product of links and bytes ahead is "
              "greater for the straight way by more than this",
     .key = "ugal_threshold", .unit = "bytes",
     CLI_DEFAULTS({UGAL, "0", "the smaller product decides, as in the paper"})},
    {CLI_OPTION("ugal-queue", "WORD", SWQ_ENGINE_ASYNC), .plain = "local",
     CLI_AT(CLI_CHOICE, cli_async, network.shape.ugal_queue), CLI_WORDS_OF(QUEUES),
     .takers = {{&cli_by_routing, decides}}, .costless = true,
     .about = "the queue of a way, by bytes that take room behind links: of its first link, in all "
              "lanes (local), in those for the packet (lane), in those if both ways begin with "
              "this link, else in all (hybrid); of its first global link (global); of all its "
              "links, without the number of links (path)",
     .key = "ugal_queue", CLI_DEFAULTS({UGAL, "local", "what a switch knows, UGAL-L"})},
    {CLI_OPTION("ugal-credits", "WORD", SWQ_ENGINE_ASYNC), .plain = "prompt",
     CLI_AT(CLI_EITHER, cli_async, network.shape.late_credits),
     CLI_WORDS_OF("prompt", "round-trip"), .takers = {{&cli_by_routing, detours}}, .costless = true,
     .about =
         "dragonfly, megafly: credits for links within a group go at once, or are held back by "
         "how much later credits come to the output of their flit than to other outputs",
     .key = "ugal_credits", CLI_DEFAULTS({UGAL, "prompt", "UGAL-L without a correction"})},
    {CLI_OPTION("straight-factor", "N", SWQ_ENGINE_ASYNC), .plain = "0",
     CLI_AT(CLI_INT, cli_async, network.shape.straight_factor), CLI_FROM(0, SWQ_MAX_UGAL_FACTOR),
     .takers = {{&cli_by_routing, decides}}, .costless = true,
     .about = "what the queue of the straight way is multiplied by; 0: its links",
     .key = "straight_factor", CLI_DEFAULTS({UGAL, "0", "as in the paper"})},
    {CLI_OPTION("detour-factor", "N", SWQ_ENGINE_ASYNC), .plain = "0",
     CLI_AT(CLI_INT, cli_async, network.shape.detour_factor), CLI_FROM(0, SWQ_MAX_UGAL_FACTOR),
     .takers = {{&cli_by_routing, decides}}, .costless = true,
     .about = "what the queue of the other way is multiplied by; 0: its links",
     .key = "detour_factor", CLI_DEFAULTS({UGAL, "0", "as in the paper"})},
    CLI_PARAMETERS_END,
};

cli_parameter cli_choice_parameters[] = {
    {CLI_OPTION("choice", "NAME", SWQ_ENGINE_ASYNC),
     CLI_AT(CLI_NAMED, cli_async, network.arbiter.choice), CLI_ROWS_OF(swq_selections),
     .list = "choices",
     .about = "--routing adaptive: how to choose among several outputs, 'switchq list choices'",
     .preset = "default random, wormhole: room", .key = "choice",
     CLI_DEFAULTS({TREE " --routing adaptive", "random",
                   "the switch only knows which links are free and open"})},
    CLI_PARAMETERS_END,
};

/* The row of --choice, or the default. */
static const swq_selection *choice_of(const swq_async *n)
{
    const swq_selection *const *row = swq_selections;

    if (n->arbiter.choice || !n->architecture.row->async.lanes)
        return n->arbiter.choice ? n->arbiter.choice : *row;
    while (!(*row)->by_room)
        row++;
    return *row;
}

/* What q is, by swq_way_queue. */
static const struct {
    const char *word, *is;
} queues[] = {
    {"local", "the bytes in all lanes that take room behind the first link of each, as its credits "
              "tell"},
    {"lane", "the bytes that take room behind the first link of each, in the lanes for the packet, "
             "as their credits tell"},
    {"hybrid", "the bytes that take room behind the first link of each, in the lanes for the "
               "packet if that is the same link, else in all lanes, as their credits tell"},
    {"global", "the bytes in all lanes that take room behind the first global link of each, "
               "wherever in the group, or 0 on a way without one"},
    {"path", "the sums, over all links between switches of each, of the bytes in all lanes that "
             "take room behind them"},
};

void cli_put_routing(cli_record *model, const swq_async *n)
{
    const swq_routing *row = n->shape.routing ? n->shape.routing : swq_routings[0];

    cli_put_word(model, "routing", row->name);
    if (may_draw(&n->shape))
        cli_put_word(model, "ways", n->shape.drawn_ways ? "drawn" : "one");
    if (decides(row)) {
        cli_put_count(model, "ugal_threshold", (uint64_t)n->shape.ugal_threshold);
        cli_put_word(model, "ugal_queue", queues[n->shape.ugal_queue].word);
        if (row->detours)
            cli_put_word(model, "ugal_credits", n->shape.late_credits ? "round-trip" : "prompt");
        cli_put_count(model, "straight_factor", (uint64_t)n->shape.straight_factor);
        cli_put_count(model, "detour_factor", (uint64_t)n->shape.detour_factor);
    }
    if (!row->adaptive)
        return;
    const bool chosen = n->arbiter.row->unrolled || n->architecture.row->async.stores;
    cli_put_word(model, "choice", chosen ? choice_of(n)->name : NULL);
}

/* What multiplies the queue of a way, in words: a factor that is given, or H or H', its links. */
static void put_factor(char *text, size_t size, int given, const char *links)
{
    if (given)
        snprintf(text, size, "%d", given);
    else
        snprintf(text, size, "%s", links);
}

/* What a packet compares: "H q > H' q' + 3". */
static void put_rule(char *text, size_t size, const swq_shape *s)
{
    char straight[16], other[16], threshold[32] = "";

    put_factor(straight, sizeof straight, s->straight_factor, "H");
    put_factor(other, sizeof other, s->detour_factor, "H'");
    if (s->ugal_threshold)
        snprintf(threshold, sizeof threshold, " + %d", s->ugal_threshold);
    if (s->ugal_queue == SWQ_QUEUE_PATH)
        snprintf(text, size, "q > q'%s", threshold);
    else
        snprintf(text, size, "%s q > %s q'%s", straight, other, threshold);
}

/* A choice in each switch. */
static void say_choice(cli_record *root, const swq_async *n)
{
    char rule[80];

    put_rule(rule, sizeof rule, &n->shape);
    cli_say(root,
            "routing %s: in each switch a packet takes, as its header comes to the front of a "
            "lane, a link that leads nearer in any dimension, or, once in each dimension, one to "
            "another router of the row, if %s; H and H' are the links between switches ahead, q "
            "and q' the bytes that take room behind the link, %s, as its credits tell; of all "
            "links the one with the smallest product, of equal ones one at random",
            n->shape.routing->name, rule,
            n->shape.ugal_queue == SWQ_QUEUE_LANE ? "in the lanes for the packet" : "in all lanes");
}

/* By way of what packets go, and, if this is decided packet by packet, where and by what. */
static void say_way(cli_record *root, const swq_async *n)
{
    const swq_routing *row = n->shape.routing;
    const swq_fabric_kind *kind = n->shape.kind;
    const char *place = kind->place_words ? kind->place_words(&n->shape)
                        : kind->place_is  ? kind->place_is
                                          : "node";
    const bool links = n->shape.ugal_queue != SWQ_QUEUE_PATH &&
                       !(n->shape.straight_factor && n->shape.detour_factor);
    char rule[80];

    put_rule(rule, sizeof rule, &n->shape);
    if (row->detours)
        cli_say(root,
                "routing %s: straight, or by way of a %s drawn for each packet if %s; decided in "
                "its first switch%s, %sq and q' %s",
                row->name, place, rule,
                row->progressive ? " and, while it goes straight, again in each further one of its "
                                   "sender's group, with another one drawn"
                                 : "",
                links ? "H and H' being the links between switches of both ways, " : "",
                queues[n->shape.ugal_queue].is);
    if (n->shape.late_credits)
        cli_say(root, "credits for links within a group are held back for d - d' cycles: d is by "
                      "how much the latest credit of the output of their flit was later than that "
                      "of a header that waits nowhere, d' the least of all outputs to switches");
    if (!row->detours)
        cli_say(root, "routing %s: by way of a %s drawn for each packet", row->name, place);
}

/* Which lanes a packet may take, where its way decides that. */
static void say_parts(cli_record *root, const swq_async *n)
{
    const swq_link_lanes *l = &n->architecture.lanes;
    const bool phases = l->choice == &swq_lane_choice_phase;
    const int parts = phases ? n->shape.kind->phases(&n->shape) : 2;
    char lanes[400] = "";

    if (l->choice->lanes == SWQ_LANES_HOP) {
        cli_say(root,
                "lanes by the links between switches that a packet has taken: lane 0 of the first, "
                "lane %d of link %d and all further ones",
                l->count - 1, l->count);
        return;
    }
    if (!phases && n->shape.routing && n->shape.routing->by_another)
        cli_say(root, "lanes: the lower half to the place between or straight, the upper half on");
    if (!phases || parts < 2)
        return;
    for (int k = 0; k < parts; k++) {
        const int first = k * l->count / parts, last = (k + 1) * l->count / parts - 1;
        cli_append(lanes, sizeof lanes, last > first ? "%s%d to %d" : "%s%d", k ? ", " : "", first,
                   last);
    }
    cli_say(root, "lanes in %d parts (%s), %s", parts, lanes,
            swq_shape_phase_a_link(&n->shape)
                ? "by the number of links between switches that a packet has taken"
            : n->shape.kind->phase_words ? n->shape.kind->phase_words(&n->shape)
                                         : n->shape.kind->phase_is);
}

void cli_say_routing(cli_record *root, const cli_async *n)
{
    const swq_async *net = &n->network;
    const int escapes = n->fabric.escapes;

    if (net->shape.drawn_ways && !(net->shape.graph && net->shape.graph->table))
        cli_say(root,
                "ways drawn for each packet: in each switch one of the outputs with a shortest way "
                "to the packet's node, or to the place by way of which it goes, all alike%s",
                net->shape.kind->file ? "; routes of the file are not used" : "");
    if (net->shape.graph && net->shape.graph->table)
        cli_say(root, "routes of %s%s", cli_async_text("routes"),
                net->shape.drawn_ways
                    ? ": in each switch one of those to the packet's node is drawn, all alike"
                : swq_shape_adaptive(&net->shape)
                    ? ": in each switch one of those to the packet's node is chosen"
                    : "");
    else if (net->shape.kind->file && swq_shape_adaptive(&net->shape))
        cli_say(root,
                net->shape.routing->escapes
                    ? "routes of the file are those of the escape lane, and of choice first"
                    : "routes of the file are not used but by choice first, which begins there");
    if (net->shape.routing && net->shape.routing->by_another)
        say_way(root, net);
    if (swq_shape_chooses(&net->shape))
        say_choice(root, net);
    if (net->architecture.row->async.lanes)
        say_parts(root, net);
    if (!swq_shape_adaptive(&net->shape))
        return;
    if (net->architecture.row->async.lanes) {
        cli_say(root, "routing %s; of several outputs: %s%s%s%s", net->shape.routing->name,
                choice_of(net)->name,
                escapes == 0   ? ""
                : escapes == 1 ? "; an escape lane for the deterministic way"
                               : "; 2 escape lanes for the deterministic way",
                net->architecture.lanes.escapes_alike ? ", taken as any other lane" : "",
                net->architecture.lanes.escapes_kept ? ", which packets do not leave" : "");
        return;
    }
    if (net->architecture.row->async.stores) {
        cli_say(root, "routing %s; of several outputs a packet is bound for one as it comes: %s",
                net->shape.routing->name, choice_of(net)->name);
        return;
    }
    cli_say(root, "routing %s; %s%s%s", net->shape.routing->name,
            net->arbiter.row->unrolled ? "of several outputs that are free and open: " : "",
            net->arbiter.row->unrolled ? choice_of(net)->name
                                       : "the arbiter matches queues to outputs",
            escapes == 0   ? ""
            : escapes == 1 ? "; an escape queue at each input"
                           : "; 2 escape queues at each input");
}
