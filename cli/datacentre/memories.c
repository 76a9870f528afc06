/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results of each memory, where switches have several.
 */
#include "cli/datacentre/datacentre.h"

void cli_datacentre_put_memories(cli_record *result, const swq_dc_result *r)
{
    if (r->memories == 0)
        return;
    cli_record *list = cli_abridged(cli_put_list(result, "by_memory", "memory"));
    for (uint32_t k = 0; k < r->memories; k++) {
        const swq_dc_memory *m = &r->memory[k];
        cli_record *item = cli_put_item(list, NULL);
        cli_put_count(item, "switch", m->at);
        cli_put_count(item, "first_output", m->first_port);
        cli_put_count(item, "outputs", m->ports);
        cli_quietly(cli_put_count(item, "capacity_bytes", m->bytes));
        cli_put_estimate(item, "memory_used_fraction", m->used);
        cli_quietly(cli_put_count(item, "most_bytes", m->most));
        cli_quietly(cli_put_count(item, "offered_packets", m->offered));
        cli_quietly(cli_put_count(item, "delivered", m->sent));
        cli_quietly(cli_put_count(item, "discarded", m->lost));
        cli_quietly(cli_put_count(item, "bytes_lost", m->lost_bytes));
        cli_put_fraction(item, "discard_fraction", m->loss, m->loss_below,
                         &(cli_trials){m->offered, "packets", "discards are independent"});
    }
}
