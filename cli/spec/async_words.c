/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups of senders in words, as on the command line, and the members of a group.
 */
#include "cli/print/append.h"
#include "cli/spec/async.h"
#include "sim/traffic/spread.h"

#include <math.h>
#include <string.h>

static void add_spread(char *text, size_t size, const swq_spread *s)
{
    char words[80];

    swq_spread_words(s, words, sizeof words);
    cli_append(text, size, "%s", words);
}

void cli_interval_words(const cli_async *n, int group, char *text, size_t size)
{
    swq_spread_words(&n->group[group].interval, text, size);
}

/* "file:PATH" or "noxim:FILE" */
static void add_matrix(const cli_async *n, const swq_destinations *matrix, char *text, size_t size)
{
    int k = 0;

    while (k < CLI_MOST_MATRICES && n->matrix[k] && &n->matrix[k]->rows != matrix)
        k++;
    if (k < CLI_MOST_MATRICES && n->matrix[k])
        cli_append(text, size, "%s:%s", n->matrix[k]->noxim ? "noxim" : "file", n->matrix[k]->path);
}

void cli_traffic_words(const cli_async *n, int group, char *text, size_t size)
{
    const swq_sender_group *g = &n->group[group];

    *text = '\0';
    for (int t = 0; t < g->types; t++) {
        const swq_message_type *type = &g->type[t];
        if (g->types > 1)
            cli_append(text, size, "%s%.10g*", t ? "+" : "", type->probability);
        if (type->aim == SWQ_AIM_NODE)
            cli_append(text, size, "node:%u", type->value);
        else if (type->aim == SWQ_AIM_SUBSET || type->aim == SWQ_AIM_ALL)
            cli_append(text, size, "%s:0x%x:0x%x", type->aim == SWQ_AIM_ALL ? "all" : "subset",
                       type->mask, type->value);
        else if (type->aim == SWQ_AIM_GROUP)
            cli_append(text, size, "adv+%u", type->value);
        else if (type->aim == SWQ_AIM_WORST)
            cli_append(text, size, "worst-case");
        else if (type->aim == SWQ_AIM_SETS)
            cli_append(text, size, "multicast:%d:%d", type->members, type->sets);
        else if (type->matrix)
            add_matrix(n, type->matrix, text, size);
        else
            cli_append(text, size, "%s", type->pattern->name);
        cli_append(text, size, "@");
        swq_spread length = type->length;
        length.first *= n->flit;
        if (length.kind == SWQ_UNIFORM)
            length.second *= n->flit;
        add_spread(text, size, &length);
    }
}

/* Bytes per cycle of messages without gaps: the link pauses after every packet. */
static double link_carries(const cli_async *n, const swq_sender_group *g)
{
    double bytes = 0, cycles = 0;

    for (int t = 0; t < g->types; t++) {
        const swq_message_type *type = &g->type[t];
        bytes += type->probability * swq_spread_mean(&type->length);
        cycles += type->probability *
                  swq_spread_link_time(&type->length, n->network.packet.max, n->network.link.rest);
    }
    return bytes / cycles;
}

static void add_times(char *text, size_t size, const swq_sender_group *g)
{
    if (g->from)
        cli_append(text, size, ", from cycle %u", g->from);
    if (g->until)
        cli_append(text, size, ", until cycle %u", g->until);
}

static bool is_overloaded(const cli_async *n, int group)
{
    return n->load[group] > link_carries(n, &n->group[group]) + 1e-9;
}

/* Senders of a group whose own loads are more than a link carries. */
static uint32_t overloaded_senders(const cli_async *n, int group)
{
    const double most = link_carries(n, &n->group[group]) + 1e-9;
    uint32_t senders = 0;

    for (uint32_t i = 0; i < n->fabric.nodes; i++)
        senders += n->node_load[group][i] > most && swq_sender_group_has(&n->network, group, i);
    return senders;
}

void cli_say_overload(cli_record *root, const cli_async *n, int group)
{
    const uint32_t senders = n->node_load[group] ? overloaded_senders(n, group) : 0;

    if (senders)
        cli_say(root, "%u node%s of '%s' more than a link carries: %s", senders,
                senders == 1 ? " has a load" : "s have loads", strchr(n->load_file[group], ':') + 1,
                n->group[group].kind == SWQ_SOURCE_OPEN ? "messages pile up at the senders"
                                                        : "senders send as fast as they can");
    if (is_overloaded(n, group))
        cli_say(root, "load %.10g is more than a link carries: %s", n->load[group],
                n->group[group].kind == SWQ_SOURCE_OPEN ? "messages pile up at the senders"
                                                        : "senders send as fast as they can");
}

void cli_group_words(const cli_async *n, int group, char *text, size_t size)
{
    const swq_sender_group *g = &n->group[group];
    char traffic[400];

    *text = '\0';
    if (g->silent) {
        cli_append(text, size, "silent");
        add_times(text, size, g);
        return;
    }
    if (n->node_load[group]) {
        cli_append(text, size, "load %s", n->load_file[group]);
    } else if (isnan(n->load[group])) {
        cli_append(text, size, "intervals ");
        add_spread(text, size, &g->interval);
        cli_append(text, size, "%s", g->from_start ? " from a start on" : "");
    } else {
        cli_append(text, size, "load %.10g", n->load[group]);
        if (is_overloaded(n, group))
            cli_append(text, size, " (more than a link carries: %s)",
                       g->kind == SWQ_SOURCE_OPEN ? "messages pile up at the senders"
                                                  : "as fast as they can");
    }
    cli_traffic_words(n, group, traffic, sizeof traffic);
    cli_append(text, size, ", traffic %s, %s sources", traffic, cli_source_words[g->kind]);
    if (n->network.architecture.row->async.flow_groups && n->network.traffic.groups > 1)
        cli_append(text, size, ", priority %d", g->priority);
    if (g->burst > 1)
        cli_append(text, size, ", bursts of %.10g messages", g->burst);
    add_times(text, size, g);
}

/* ---- who is in a group ---- */

void cli_group_members(const cli_async *n, int group, char *text, size_t size)
{
    const swq_sender_group *g = &n->group[group];

    if (g->mask)
        snprintf(text, size, "nodes & 0x%x = 0x%x", g->mask, g->value);
    else
        snprintf(text, size, "%s",
                 group == 0                     ? "all nodes"
                 : swq_async_timed(&n->network) ? "all nodes in no other group then"
                                                : "all other nodes");
}
