/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cost of a network as a record: its sums, and the cables of each kind of link.
 */
#include "cli/cost/cost.h"

void cli_put_network_cost(cli_record *root, const swq_fabric *fabric,
                          const swq_cost_network_sums *sums)
{
    cli_record *network = cli_put_group(root, "network", "  the network");
    const double dollars = sums->switch_dollars + sums->cable_dollars;
    char name[40];

    cli_put_count(network, "nodes", sums->nodes);
    cli_put_count(network, "switches", sums->switches);
    cli_put_count(network, "used_ports", sums->used_ports);
    cli_put_count(network, "racks", sums->racks);
    cli_put_number(network, "switch_dollars", sums->switch_dollars);
    cli_put_number(network, "cable_dollars", sums->cable_dollars);
    cli_put_number(network, "network_dollars", dollars);
    cli_put_number(network, "node_dollars", dollars / sums->nodes);
    cli_record *list = cli_put_list(network, "cables_of", "cables of");
    for (int k = 0; k < sums->levels; k++) {
        const swq_cost_cables *c = &sums->level[k];
        if (c->cables == 0) /* a tree's links down are those up, the other way */
            continue;
        fabric->shape.kind->level_name(fabric, k, name, sizeof name);
        cli_record *item = cli_put_item(list, name);
        cli_quietly(cli_put_word(item, "name", name));
        cli_put_count(item, "cables", c->cables);
        cli_put_count(item, "optical_cables", c->optic);
        cli_put_number(item, "mean_metres", c->metres / (double)c->cables);
        cli_put_number(item, "longest_metres", c->longest);
        cli_put_number(item, "cable_dollars", c->dollars);
    }
}
