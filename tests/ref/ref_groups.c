/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The networks of ref_groups.h. Rules: docs/asynchronous.md, "Dragonflies" and "Megafly".
 */
#include "ref_groups.h"

#include <string.h>

enum { NONE = -1 };

static void join(ref_graph *net, int a, int port, int b, int other_port)
{
    net->link[a][port] = (ref_graph_link){1, 1, 1, b, other_port, NONE};
    net->link[b][other_port] = (ref_graph_link){1, 1, 1, a, port, NONE};
}

/* Nodes 0 .. p - 1 of the first router, and so on, at its first ports. */
static void add_hosts(ref_graph *net, int routers, int p)
{
    net->hosts = routers * p;
    for (int n = 0; n < net->hosts; n++) {
        net->host[n] = (ref_graph_host){.at = n / p, .port = n % p, .delay = 1, .speed = 1};
        net->link[n / p][n % p] = (ref_graph_link){1, 1, 1, 0, 0, n};
    }
}

/* The group to which link k of a round of group i leads. */
static int other_group(int i, int k, int g, int arrangement)
{
    const int aside = k / 2 + 1;

    switch (arrangement) {
    case REF_PALMTREE:
        return (i - k - 1 + g) % g;
    case REF_RELATIVE:
        return (i + k + 1) % g;
    case REF_CIRCULANT:
        return k % 2 ? (i - aside + g) % g : (i + aside) % g;
    default:
        return k < i ? k : k + 1;
    }
}

/* The link of a round of group i that leads to group j. */
static int link_to(int i, int j, int g, int arrangement)
{
    int k = 0;

    while (other_group(i, k, g, arrangement) != j)
        k++;
    return k;
}

/* ---- dragonflies ---- */

/* The port of router r for router `to` of its group. */
static int local_port(int p, int r, int to)
{
    return p + (to < r ? to : to - 1);
}

/* A router's way to a node of another group: by a global link of its own to that group, else by one
 * of any router; the one of the node's number, modulo how many there are. */
static int way_between(const ref_graph *net, int p, int a, int h, int at, int node)
{
    const int group = net->group[net->host[node].at], first = at / a * a;
    int own[REF_GRAPH_PORTS], owns = 0, of_any[REF_GRAPH_SWITCHES * REF_GRAPH_PORTS], any = 0;

    for (int r = first; r < first + a; r++)
        for (int port = p + a - 1; port < p + a - 1 + h; port++) {
            const ref_graph_link *link = &net->link[r][port];

            if (!link->used || net->group[link->to] != group)
                continue;
            of_any[any++] = r;
            if (r == at)
                own[owns++] = port;
        }
    return owns ? own[node % owns] : local_port(p, at - first, of_any[node % any] - first);
}

const char *ref_groups_dragonfly(ref_graph *net, int p, int a, int h, int g, int arrangement)
{
    const int rounds = a * h / (g - 1);

    memset(net, 0, sizeof *net);
    net->switches = a * g;
    add_hosts(net, a * g, p);
    for (int w = 0; w < a * g; w++) {
        net->group[w] = w / a;
        for (int r = 0; r < a; r++)
            if (r != w % a)
                join(net, w, local_port(p, w % a, r), w / a * a + r, local_port(p, r, w % a));
    }
    for (int i = 0; i < g; i++)
        for (int k = 0; k < rounds * (g - 1); k++) {
            const int j = other_group(i, k % (g - 1), g, arrangement);
            const int back = k / (g - 1) * (g - 1) + link_to(j, i, g, arrangement);

            join(net, i * a + k / h, p + a - 1 + k % h, j * a + back / h, p + a - 1 + back % h);
        }
    for (int w = 0; w < a * g; w++)
        for (int n = 0; n < net->hosts; n++) {
            const int to = net->host[n].at;

            net->route[w][n] = w == to           ? NONE
                               : w / a == to / a ? local_port(p, w % a, to % a)
                                                 : way_between(net, p, a, h, w, n);
        }
    return ref_graph_walk(net);
}

/* ---- Megaflies ---- */

const char *ref_groups_megafly(ref_graph *net, int p, int l, int s, int h, int g)
{
    const int leaves = l * g, rounds = s * h / (g - 1);

    memset(net, 0, sizeof *net);
    net->switches = leaves + s * g;
    add_hosts(net, leaves, p);
    for (int i = 0; i < g; i++) {
        for (int leaf = 0; leaf < l; leaf++)
            net->group[i * l + leaf] = i;
        for (int spine = 0; spine < s; spine++)
            net->group[leaves + i * s + spine] = i;
        for (int leaf = 0; leaf < l; leaf++)
            for (int spine = 0; spine < s; spine++)
                join(net, i * l + leaf, p + spine, leaves + i * s + spine, leaf);
        for (int k = 0; k < rounds * (g - 1); k++) {
            const int j = other_group(i, k % (g - 1), g, REF_CONSECUTIVE);
            const int back = k / (g - 1) * (g - 1) + link_to(j, i, g, REF_CONSECUTIVE);

            join(net, leaves + i * s + k / h, l + k % h, leaves + j * s + back / h, l + back % h);
        }
    }
    ref_graph_route(net);
    return ref_graph_walk(net);
}
