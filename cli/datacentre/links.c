/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results of each line and class: switchq sim --architecture shared-memory --per-link.
 */
#include "cli/datacentre/datacentre.h"

#include <stdio.h>

enum { NAME = CLI_DC_END_NAME };
void cli_datacentre_end_name(const swq_dc *dc, bool host, uint32_t number, uint32_t port,
                             char name[NAME])
{
    char word[SWQ_DC_SWITCH_NAME];

    if (host && dc->network.graph)
        snprintf(name, NAME, "%s", swq_dc_graph_name(dc->network.graph, true, number));
    else if (host)
        snprintf(name, NAME, "host %u", number);
    else
        snprintf(name, NAME, "%s:%u", swq_dc_switch_name(dc, number, word), port);
}

static void put_link(cli_record *links, const swq_dc *dc, const swq_dc_link *l)
{
    char name[2 * NAME + 20], from[NAME], to[NAME] = "outside";

    cli_datacentre_end_name(dc, l->from_host, l->from, l->from_port, from);
    if (!l->to_outside)
        cli_datacentre_end_name(dc, l->to_host, l->to, l->to_port, to);
    snprintf(name, sizeof name, dc->classes > 1 ? "%s -> %s class %d" : "%s -> %s", from, to,
             l->traffic_class);
    cli_record *item = cli_put_item(links, name);
    cli_quietly(cli_put_word(item, "from", from));
    cli_quietly(cli_put_word(item, "to", to));
    cli_quietly(cli_put_count(item, "traffic_class", (uint64_t)l->traffic_class));
    cli_quietly(cli_put_count(item, "rate_bps", l->rate));
    cli_put_estimate(item, "utilisation", l->use);
    cli_quietly(cli_put_count(item, "packets_sent", l->packets));
    cli_quietly(cli_put_count(item, "bytes_sent", l->bytes));
    cli_put_count(item, "discarded", l->lost);
    cli_quietly(cli_put_count(item, "bytes_lost", l->lost_bytes));
    if (dc->marking.on)
        cli_put_count(item, "marked", l->marked);
    if (dc->pfc.classes) {
        cli_put_count(item, "pauses", l->pauses);
        cli_put_estimate(item, "paused_fraction", l->paused);
    }
    if (dc->pfc.detection > 0) {
        cli_put_count(item, "pause_storms", l->storms);
        cli_put_count(item, "storm_dropped_packets", l->in_storm);
    }
}

void cli_datacentre_put_links(cli_record *result, const swq_dc *dc, const swq_dc_result *r)
{
    if (r->links == 0)
        return;
    cli_record *links = cli_abridged(cli_put_list(result, "links", "line"));
    for (uint32_t k = 0; k < r->links; k++)
        put_link(links, dc, &r->link[k]);
}
