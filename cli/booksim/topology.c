/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Topologies and routing functions of BookSim.
 */
#include "cli/booksim/question.h"
#include "cli/options/options.h"
#include "cli/options/parse.h"
#include "switchq/async.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_RADIX = 1024, MOST_DIMENSIONS = 8 };

/* A topology of BookSim that is not translated, and why. */
static const struct {
    const char *name, *missing;
} refused[] = {
    {"cmesh", "a mesh with several nodes at each router, and express links, is not built in; "
              "--topology graph:FILE reads one from a file"},
    {"dragonflynew",
     "a packet takes one lane, drawn at random, of its node's link, and that of its "
     "phase of the link to a node, which is missing; without it, it is --topology "
     "dragonfly --hosts K --level-delay 10,100,1, which is a little faster"},
    {"qtree", "there is no such tree; --topology graph:FILE reads one from a file"},
    {"tree4", "there is no such tree; --topology graph:FILE reads one from a file"},
};

static void add_mesh(booksim_question *q);
static void add_adaptive_mesh(booksim_question *q);
static void add_torus(booksim_question *q);
static void add_fly(booksim_question *q);
static void add_tree(booksim_question *q);
static void add_graph(booksim_question *q);
static void add_hyperx(booksim_question *q);
static void add_hyperx_valiant(booksim_question *q);
static void add_hyperx_ugal(booksim_question *q);

/* Routing functions that are translated. */
static const struct {
    const char *topology, *routing;
    void (*add)(booksim_question *q);
} translated[] = {
    {"mesh", "dor", add_mesh},
    {"mesh", "dim_order", add_mesh},
    {"mesh", "min_adapt", add_adaptive_mesh},
    {"torus", "dim_order", add_torus},
    {"fly", "dest_tag", add_fly},
    {"fattree", "nca", add_tree},
    {"anynet", "min", add_graph},
    {"flatfly", "ran_min", add_hyperx},
    {"flatfly", "valiant", add_hyperx_valiant},
    {"flatfly", "ugal", add_hyperx_ugal},
};

/* ---- topologies ---- */

/* "8x8", or "4,4,4": k for each of n dimensions. */
static void add_repeated(booksim_question *q, const char *option, char between)
{
    const int k = booksim_whole(q, "k", 2, MOST_RADIX);
    const int n = booksim_whole(q, "n", 1, MOST_DIMENSIONS);
    char text[64] = "";
    size_t used = 0;

    for (int d = 0; d < n && used < sizeof text; d++) {
        if (d)
            text[used++] = between;
        used += (size_t)snprintf(text + used, sizeof text - used, "%d", k);
    }
    booksim_add(q, option, "%s", text);
}

static void add_mesh(booksim_question *q)
{
    booksim_add(q, "topology", "mesh");
    add_repeated(q, "dims", 'x');
}

static void add_adaptive_mesh(booksim_question *q)
{
    add_mesh(q);
    booksim_remark(q, "routing_function",
                   "this is what it is meant to be; by a fault BookSim 28f4329 has dimension order "
                   "with an escape lane (docs/peers-differences.md)");
    if (!cli_given(q->table, "routing")) {
        booksim_add(q, "choice", "turn");
        booksim_add(q, "escape-use", "alike");
        booksim_add(q, "escape-exit", "never");
    }
    booksim_add(q, "routing", "adaptive");
}

/* Links of 2 cycles in each dimension, and of 1 cycle to and from nodes. */
static void add_torus_delays(booksim_question *q)
{
    const int n = booksim_whole(q, "n", 1, MOST_DIMENSIONS);
    char text[2 * MOST_DIMENSIONS + 1] = "";

    for (int d = 0; d < n; d++)
        memcpy(text + 2 * d, "2,", 3);
    if (!cli_given(q->table, "link-delay"))
        booksim_add(q, "level-delay", "%s1", text);
}

static void add_torus(booksim_question *q)
{
    const int lanes = booksim_whole(q, "num_vcs", 1, SWQ_MAX_LANES);

    if (lanes % 2)
        booksim_refuse(q, "num_vcs",
                       "the halves of the lanes of a ring share no lane: their number "
                       "must be even");
    booksim_add(q, "topology", "torus");
    add_repeated(q, "dims", 'x');
    if (!cli_given(q->table, "routing"))
        booksim_add(q, "lane-choice", "crossing");
    if (booksim_is(q, "use_noc_latency", "1"))
        add_torus_delays(q);
}

static void add_fly(booksim_question *q)
{
    booksim_add(q, "engine", "async");
    booksim_add(q, "topology", "butterfly");
    booksim_add(q, "ports", "%d", booksim_whole(q, "k", 2, MOST_RADIX));
    booksim_add(q, "stages", "%d", booksim_whole(q, "n", 1, MOST_DIMENSIONS));
}

static void add_tree(booksim_question *q)
{
    booksim_add(q, "topology", "tree");
    add_repeated(q, "arity", ',');
    if (!cli_given(q->table, "routing"))
        booksim_add(q, "choice", "random");
    booksim_add(q, "routing", "adaptive");
}

/* The path of network_file: from the current folder, as in BookSim; or else beside the
 * configuration. */
static const char *network_path(const booksim_question *q, char *text, size_t size)
{
    const char *name = booksim_text(q, "network_file"), *slash = strrchr(q->path, '/');

    snprintf(text, size, "%s", name);
    if (access(text, F_OK) != 0 && *name != '/' && slash)
        snprintf(text, size, "%.*s/%s", (int)(slash - q->path), q->path, name);
    return text;
}

/* "router 1 2" or "node 3": a kind, a name, and a delay, which is 1 if it is missing. Returns what
 * follows; NULL: the line has ended. */
static const char *read_end(const char *at, bool *router, double *delay)
{
    static const char blank[] = " \t\r";
    char *end;

    at += strspn(at, blank);
    if (*at == '\n' || *at == '#' || *at == '\0')
        return NULL;
    *router = *at == 'r';
    for (int word = 0; word < 2; word++) {
        at += strcspn(at, " \t\r\n");
        at += strspn(at, blank);
    }
    *delay = strtod(at, &end);
    if (end == at)
        *delay = 1;
    return end;
}

/* Do links between routers of a file for anynet have several delays? The file itself is checked
 * where it is read as a graph. */
static bool has_delays(const char *text)
{
    double first = 0;

    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line != '\0') {
        bool from_router, router;
        double delay;
        const char *at = read_end(line, &from_router, &delay);
        while (at && from_router && (at = read_end(at, &router, &delay))) {
            if (router && first > 0 && delay != first)
                return true;
            first = router ? delay : first;
        }
    }
    return false;
}

static void add_graph(booksim_question *q)
{
    char path[500], *text = NULL;

    if (!*booksim_text(q, "network_file")) {
        booksim_refuse(q, "network_file", "a topology anynet is in a file");
        return;
    }
    q->status = cli_read_file(q->ctx, network_path(q, path, sizeof path), 64, &text);
    if (!q->status && has_delays(text))
        booksim_refuse(q, "network_file",
                       "its links have several delays, and BookSim takes the way of the least "
                       "delay, where --topology graph:%s takes that of the fewest links; lines "
                       "'routes' of a graph's own format say other ways (docs/graphs.md)",
                       path);
    free(text);
    booksim_add(q, "topology", "graph:%s", path);
    booksim_add(q, "lane-choice", "any");
    booksim_remark(
        q, "routing_function",
        "of several shortest ways, BookSim takes one for all that is sent from a router to a "
        "router; here it may be another one (docs/graphs.md)");
}

/* The flattened butterfly, with the routers by way of which packets may go; NULL: none. */
static void add_flat_butterfly(booksim_question *q, const char *via)
{
    if (booksim_is(q, "use_noc_latency", "1"))
        booksim_refuse(
            q, "use_noc_latency",
            "links of a row have one length here; use_noc_latency = 0 gives all a cycle");
    booksim_add(q, "topology", "hyperx");
    add_repeated(q, "dims", 'x');
    booksim_add(q, "hosts", "%d", booksim_whole(q, "c", 1, MOST_RADIX));
    if (via)
        booksim_add(q, "via", "%s", via);
}

/* In dimension order. */
static void add_hyperx(booksim_question *q)
{
    add_flat_butterfly(q, NULL);
}

/* By way of a router, in half of the lanes, and on from there in the other half. */
static void add_two_parts(booksim_question *q, const char *via, const char *routing)
{
    if (booksim_whole(q, "num_vcs", 1, SWQ_MAX_LANES) % 2)
        booksim_refuse(q, "num_vcs",
                       "the two parts of a way share no lane: their number must be even");
    add_flat_butterfly(q, via);
    booksim_add(q, "routing", "%s", routing);
}

static void add_hyperx_valiant(booksim_question *q)
{
    add_two_parts(q, "any", "valiant");
}

static void add_hyperx_ugal(booksim_question *q)
{
    add_two_parts(q, "between", "ugal");
    booksim_add(q, "ugal-threshold", "2");
}

/* ---- what there is of it ---- */

/* The nodes of a file for anynet: words "node NUMBER", numbered from 0. 0: it cannot be read. */
static double count_nodes(booksim_question *q)
{
    char path[500], *text = NULL;
    long most = -1;

    q->status = cli_read_file(q->ctx, network_path(q, path, sizeof path), 64, &text);
    if (q->status)
        return 0;
    for (const char *at = text; (at = strstr(at, "node")); at++) {
        char *end;
        const long number = strtol(at + 4, &end, 10);
        if (end > at + 4 && number > most)
            most = number;
    }
    free(text);
    return (double)most + 1;
}

/* Adds topology and routing, or refuses them. Returns false if they are refused. */
static bool add_topology(booksim_question *q, const char *topology, const char *routing)
{
    const int before = q->refused;
    bool known = false;

    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        if (strcmp(refused[k].name, topology) == 0) {
            booksim_refuse(q, "topology", "%s", refused[k].missing);
            return false;
        }
    }
    for (size_t k = 0; k < sizeof translated / sizeof *translated; k++) {
        if (strcmp(translated[k].topology, topology) != 0)
            continue;
        known = true;
        if (strcmp(translated[k].routing, routing) == 0 || cli_given(q->table, "routing")) {
            translated[k].add(q);
            return q->refused == before;
        }
    }
    if (known)
        booksim_refuse(q, "routing_function", "it is not translated for topology = %s", topology);
    else
        booksim_refuse(q, "topology", "BookSim has no such topology");
    return false;
}

/* The nodes of a topology that is translated. */
static double nodes_of(booksim_question *q, const char *topology)
{
    const int k = booksim_whole(q, "k", 1, MOST_RADIX);

    if (strcmp(topology, "anynet") == 0)
        return count_nodes(q);
    const double routers = pow(k, booksim_whole(q, "n", 1, MOST_DIMENSIONS));
    return strcmp(topology, "flatfly") == 0 ? routers * booksim_whole(q, "c", 1, MOST_RADIX)
                                            : routers;
}

booksim_shape booksim_topology(booksim_question *q)
{
    const char *topology = booksim_text(q, "topology");
    const bool fly = strcmp(topology, "fly") == 0, mesh = strcmp(topology, "mesh") == 0;
    const bool torus = strcmp(topology, "torus") == 0, tree = strcmp(topology, "fattree") == 0;
    booksim_shape shape = {.own = !fly, .dimensions = mesh || torus};

    if (cli_given(q->table, "topology")) {
        shape.dimensions = true;
        return shape;
    }
    if (!add_topology(q, topology, booksim_text(q, "routing_function")) || q->status)
        return shape;
    if (fly || tree)
        shape.dimensions = booksim_is(q, "n", "1");
    shape.other_places = strcmp(topology, "flatfly") == 0;
    shape.nodes = nodes_of(q, topology);
    return shape;
}
