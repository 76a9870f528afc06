/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traffic of BookSim: patterns, lengths and rates.
 */
#include "cli/booksim/question.h"
#include "cli/options/options.h"

#include <stdlib.h>
#include <string.h>

#define OWN_PACKETS                                                                                \
    "BookSim's means have the packets from a node to itself, which are not sent here"

/* Patterns that have another name here, or the same. */
typedef struct booksim_pattern {
    const char *name, *here;
    bool digits; /* of the nodes' coordinates */
    bool places; /* depends on the places of nodes' numbers */
    bool drawn;  /* from perm_seed */
    bool alone;  /* some nodes send to themselves alone */
} booksim_pattern;

static const booksim_pattern patterns[] = {
    {"uniform", "uniform", false, false, false, false},
    {"bitcomp", "bit-complement", false, false, false, false},
    {"transpose", "transpose", false, true, false, true},
    {"bitrev", "bit-reversal", false, true, false, true},
    {"shuffle", "shuffle", false, true, false, true},
    {"tornado", "tornado", true, true, false, false},
    {"neighbor", "neighbour", true, true, false, false},
    {"randperm", "random-permutation", false, false, true, true},
};

static const booksim_pattern *find_pattern(const char *name)
{
    for (size_t k = 0; k < sizeof patterns / sizeof *patterns; k++) {
        if (strcmp(patterns[k].name, name) == 0)
            return &patterns[k];
    }
    return NULL;
}

/* hotspot({{J}}) and hotspot(J), all packets to node J; -1: another text. */
static long only_node(const char *text)
{
    const size_t length = strlen("hotspot(");
    char *end;

    if (strncmp(text, "hotspot(", length) != 0)
        return -1;
    const char *at = text + length + strspn(text + length, "{");
    const long node = strtol(at, &end, 10);
    return end > at && end[strspn(end, "})")] == '\0' ? node : -1;
}

/* Adds the pattern; true if it is uniform. */
static bool add_pattern(booksim_question *q, const booksim_shape *shape)
{
    const char *name = booksim_text(q, "traffic");
    const booksim_pattern *pattern = find_pattern(name);
    const long node = only_node(name);

    if (shape->other_places && (node >= 0 || (pattern && pattern->places))) {
        booksim_refuse(q, "traffic",
                       "nodes have other places here: translated are uniform, bitcomp, randperm");
    } else if (node >= 0) {
        booksim_add(q, "traffic", "node:%ld", node);
        if (shape->own)
            booksim_remark(q, "traffic", OWN_PACKETS);
    } else if (!pattern) {
        booksim_refuse(q, "traffic",
                       "it is not translated; translated are uniform, bitcomp, transpose, bitrev, "
                       "shuffle, tornado, neighbor, randperm and hotspot(J) of one node");
    } else if (pattern->digits && (!shape->dimensions || !booksim_is(q, "xr", "1"))) {
        booksim_refuse(q, "traffic",
                       "it is translated for meshes and tori with xr = 1, and for a fly of one "
                       "stage");
    } else {
        booksim_add(q, "traffic", "%s", pattern->here);
        if (pattern->drawn)
            booksim_remark(q, "traffic", "the permutation that is drawn here is another one");
        if (shape->own && pattern->alone)
            booksim_remark(q, "traffic", OWN_PACKETS);
    }
    return pattern && strcmp(pattern->name, "uniform") == 0;
}

/* Adds the load. own: is that of packets from a node to itself to be left out? */
static void add_load(booksim_question *q, double flits, double nodes, bool own)
{
    double load = booksim_number(q, "injection_rate") * flits;

    if (load < 0 || load > 1)
        booksim_refuse(q, "injection_rate",
                       "these are %.6g flits a cycle of each node, and a link carries 0 to 1",
                       load);
    if (own && nodes > 1) {
        load *= (nodes - 1) / nodes;
        booksim_remark(q, "injection_rate",
                       "of uniform traffic BookSim's nodes send 1 in %.0f packets to themselves; "
                       "here they send the others, %.6g flits a cycle",
                       nodes, load);
    }
    booksim_add(q, "load", "%.10g", load);
}

void booksim_traffic(booksim_question *q, const booksim_shape *shape)
{
    const int length = booksim_whole(q, "packet_size", 1, 1 << 20);
    const bool flits = booksim_whole(q, "injection_rate_uses_flits", 0, 1) == 1;
    const bool uniform = add_pattern(q, shape);

    booksim_add(q, "length", "%d", length);
    if (!cli_given(q->table, "length"))
        booksim_add(q, "max-packet", "%d", length);
    if (!cli_given(q->table, "interval"))
        add_load(q, flits ? 1 : length, shape->nodes,
                 shape->own && uniform && !cli_given(q->table, "traffic"));
}
