/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reader of ref_graph.h. Rules: docs/graphs.md, "The format" and "Routes".
 */
#include "ref_graph.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = -1, MOST_LINKS = 600, WORDS = 100, FAR_AWAY = 1 << 20, ONE = 1000000 };

typedef struct {
    int host; /* the line of a host: the number of the host is a[0] */
    int both; /* in both directions */
    int a[2], port[2], delay;
    long speed;
} line;

typedef struct {
    char *word[WORDS];
    int words;
    char hosts[REF_GRAPH_HOSTS][64];
    line link[MOST_LINKS];
    int links;
    ref_graph *g;
} reader;

static int number_of(char (*names)[64], int *count, const char *name)
{
    for (int k = 0; k < *count; k++)
        if (strcmp(names[k], name) == 0)
            return k;
    snprintf(names[*count], sizeof names[0], "%s", name);
    return (*count)++;
}

static void cut(reader *r, char *text)
{
    r->words = 0;
    for (char *w = strtok(text, " \t\n"); w && r->words < WORDS; w = strtok(NULL, " \t\n"))
        r->word[r->words++] = w;
}

/* SWITCH[:PORT] */
static void read_end(reader *r, char *word, line *l, int end)
{
    char *colon = strrchr(word, ':');

    l->port[end] = colon ? atoi(colon + 1) : NONE;
    if (colon)
        *colon = 0;
    l->a[end] = number_of(r->g->name, &r->g->switches, word);
}

static void read_times(reader *r, line *l)
{
    l->delay = 1;
    l->speed = ONE;
    for (int k = 3; k < r->words; k++) {
        if (strncmp(r->word[k], "delay=", 6) == 0)
            l->delay = atoi(r->word[k] + 6);
        if (strncmp(r->word[k], "speed=", 6) == 0)
            l->speed = (long)(atof(r->word[k] + 6) * ONE + 0.5);
    }
    if (l->speed > r->g->fastest)
        r->g->fastest = l->speed;
}

static void read_line(reader *r)
{
    line *l = &r->link[r->links];

    if (r->words == 0 || r->word[0][0] == '#')
        return;
    if (strcmp(r->word[0], "switch") == 0) {
        (void)number_of(r->g->name, &r->g->switches, r->word[1]);
        return;
    }
    l->host = strcmp(r->word[0], "host") == 0;
    l->both = strcmp(r->word[0], "arc") != 0;
    if (l->host)
        l->a[0] = number_of(r->hosts, &r->g->hosts, r->word[1]);
    else
        read_end(r, r->word[1], l, 0);
    read_end(r, r->word[2], l, 1);
    read_times(r, l);
    r->links++;
}

static int is_route(const reader *r)
{
    return r->words > 0 && strncmp(r->word[0], "route", 5) == 0;
}

/* If all names are numbers, switches and hosts are in the order of these. */
static int all_numbers(char (*names)[64], int count)
{
    for (int k = 0; k < count; k++)
        for (const char *c = names[k]; *c; c++)
            if (!isdigit((unsigned char)*c))
                return 0;
    return 1;
}

/* place[k]: how many names are smaller numbers than that of k. */
static void order(char (*names)[64], int count, int by_number, int *place)
{
    for (int k = 0; k < count; k++) {
        place[k] = by_number ? 0 : k;
        for (int j = 0; by_number && j < count; j++)
            place[k] += atoi(names[j]) < atoi(names[k]);
    }
}

static void rename_all(char (*names)[64], int count, const int *place)
{
    char(*old)[64] = malloc((size_t)count * sizeof *old);

    memcpy(old, names, (size_t)count * sizeof *old);
    for (int k = 0; k < count; k++)
        memcpy(names[place[k]], old[k], sizeof *old);
    free(old);
}

static void renumber(reader *r)
{
    int hosts[REF_GRAPH_HOSTS], switches[REF_GRAPH_SWITCHES];
    ref_graph *g = r->g;
    const int by_number = all_numbers(g->name, g->switches) && all_numbers(r->hosts, g->hosts);

    order(r->hosts, g->hosts, by_number, hosts);
    order(g->name, g->switches, by_number, switches);
    for (int k = 0; k < r->links; k++) {
        line *l = &r->link[k];

        l->a[0] = l->host ? hosts[l->a[0]] : switches[l->a[0]];
        l->a[1] = switches[l->a[1]];
    }
    rename_all(r->hosts, g->hosts, hosts);
    rename_all(g->name, g->switches, switches);
}

enum { AS_OUTPUT = 1, AS_INPUT = 2 };

/* How a line uses the port at its end: an arc leaves by the one and comes in by the other. */
static char use_of(const line *l, int end)
{
    return l->both ? AS_OUTPUT | AS_INPUT : end == 0 ? AS_OUTPUT : AS_INPUT;
}

/* The lowest ports that are free when those of the file are taken, in the order of the lines. */
static void number_ports(reader *r)
{
    static char used[REF_GRAPH_SWITCHES][REF_GRAPH_PORTS];

    memset(used, 0, sizeof used);
    for (int named = 1; named >= 0; named--)
        for (int k = 0; k < r->links; k++)
            for (int end = r->link[k].host; end < 2; end++) {
                line *l = &r->link[k];
                char *of = used[l->a[end]];

                if ((l->port[end] != NONE) != named)
                    continue;
                if (!named)
                    l->port[end] = 0;
                while (!named && of[l->port[end]] & use_of(l, end))
                    l->port[end]++;
                of[l->port[end]] |= use_of(l, end);
            }
}

static void wire(reader *r)
{
    ref_graph *g = r->g;

    for (int k = 0; k < r->links; k++) {
        const line *l = &r->link[k];

        if (l->host) {
            ref_graph_host *h = &g->host[l->a[0]];

            h->at = l->a[1];
            h->port = l->port[1];
            h->delay = l->delay;
            h->speed = l->speed;
            memcpy(h->name, r->hosts[l->a[0]], sizeof h->name);
            g->link[h->at][h->port] = (ref_graph_link){1, l->delay, l->speed, 0, 0, l->a[0]};
            continue;
        }
        g->link[l->a[0]][l->port[0]] =
            (ref_graph_link){1, l->delay, l->speed, l->a[1], l->port[1], NONE};
        if (l->both)
            g->link[l->a[1]][l->port[1]] =
                (ref_graph_link){1, l->delay, l->speed, l->a[0], l->port[0], NONE};
    }
}

/* Links from every switch to that one: distances, until none gets shorter. */
static void measure(const ref_graph *g, int to, int *far)
{
    for (int w = 0; w < g->switches; w++)
        far[w] = w == to ? 0 : FAR_AWAY;
    for (int changes = 1; changes;) {
        changes = 0;
        for (int w = 0; w < g->switches; w++)
            for (int p = 0; p < REF_GRAPH_PORTS; p++) {
                const ref_graph_link *l = &g->link[w][p];

                if (l->used && l->host == NONE && far[l->to] + 1 < far[w]) {
                    far[w] = far[l->to] + 1;
                    changes = 1;
                }
            }
    }
}

/* Of the n outputs with a shortest way to switch d, the one of place d modulo n; and their set. */
static int shortest(const ref_graph *g, int at, int to, const int *far, int *all)
{
    int output[REF_GRAPH_PORTS], n = 0;

    *all = 0;
    for (int p = 0; p < REF_GRAPH_PORTS; p++) {
        const ref_graph_link *l = &g->link[at][p];

        if (l->used && l->host == NONE && far[at] < FAR_AWAY && far[l->to] == far[at] - 1) {
            output[n++] = p;
            *all |= 1 << p;
        }
    }
    return n > 0 ? output[to % n] : NONE;
}

void ref_graph_route(ref_graph *g)
{
    int far[REF_GRAPH_SWITCHES];

    for (int h = 0; h < g->hosts; h++) {
        const int to = g->host[h].at;

        measure(g, to, far);
        for (int w = 0; w < g->switches; w++)
            g->route[w][h] = w == to ? NONE : shortest(g, w, to, far, &g->nearer[w][h]);
    }
}

/* route SWITCH HOST PORT, and routes SWITCH PORT|- ... */
static void read_route(reader *r)
{
    ref_graph *g = r->g;
    const int at = number_of(g->name, &g->switches, r->word[1]);

    if (strcmp(r->word[0], "route") == 0) {
        const int host = number_of(r->hosts, &g->hosts, r->word[2]);

        g->route[at][host] = atoi(r->word[3]);
        return;
    }
    for (int h = 0; h + 2 < r->words; h++)
        if (strcmp(r->word[h + 2], "-") != 0)
            g->route[at][h] = atoi(r->word[h + 2]);
}

const char *ref_graph_walk(ref_graph *g)
{
    for (int from = 0; from < g->hosts; from++)
        for (int to = 0; to < g->hosts; to++) {
            int at = g->host[from].at, links = 0;

            while (at != g->host[to].at) {
                if (g->route[at][to] == NONE)
                    return "no way";
                at = g->link[at][g->route[at][to]].to;
                if (++links > g->switches)
                    return "circle";
            }
            g->longest = links > g->longest ? links : g->longest;
        }
    return NULL;
}

const char *ref_graph_read(const char *path, ref_graph *g)
{
    char text[2000];
    reader *r = calloc(1, sizeof *r);
    FILE *file = fopen(path, "r");
    int routes = 0;

    memset(g, 0, sizeof *g);
    r->g = g;
    while (file && fgets(text, sizeof text, file)) {
        cut(r, text);
        if (is_route(r) && !routes++) {
            renumber(r);
            number_ports(r);
            wire(r);
            ref_graph_route(g);
        }
        if (is_route(r))
            read_route(r);
        else
            read_line(r);
    }
    if (!routes) {
        renumber(r);
        number_ports(r);
        wire(r);
        ref_graph_route(g);
    }
    if (file)
        fclose(file);
    free(r);
    return file ? ref_graph_walk(g) : "no file";
}
