/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cost of a switch as a record: the sums, the parts, and what is not counted.
 */
#include "cli/cost/cost.h"

#include <string.h>

static const char *const keys[SWQ_COST_KINDS] = {
    "data_bits",   "pointer_bits", "header_bits",    "cam_bits",
    "crosspoints", "link_wires",   "arbiter_inputs", "node_bits",
};

static void put_parts(cli_record *root, const swq_cost *cost)
{
    cli_record *list = cli_put_list(root, "cost_parts", "part");

    for (int k = 0; k < cost->parts; k++) {
        const swq_cost_part *p = &cost->part[k];
        cli_record *item = cli_put_item(list, p->part);
        cli_quietly(cli_put_word(item, "cost_part", p->part));
        cli_put_word(item, "cost_kind", swq_cost_kind_names[p->kind]);
        cli_in_full(cli_put_number(item, "amount", p->amount));
        if (p->ports > 0)
            cli_quietly(cli_put_count(item, "memory_ports", (uint64_t)p->ports));
        cli_put_word(item, "rule", p->rule);
        cli_put_word(item, "source", p->source);
    }
}

static void put_uncounted(cli_record *root, const swq_cost *cost)
{
    cli_record *list = cli_not_in_csv(cli_put_list(root, "not_counted", NULL));

    for (int k = 0; k < cost->uncounted_count; k++) {
        cli_record *item = cli_put_item(list, cost->uncounted[k].what);
        cli_quietly(cli_put_word(item, "what", cost->uncounted[k].what));
        cli_quietly(cli_put_word(item, "why", cost->uncounted[k].why));
        cli_tell(root, 2, "not counted, because no document gives it: %s (%s)",
                 cost->uncounted[k].what, cost->uncounted[k].why);
    }
}

void cli_put_cost(cli_record *root, const swq_cost *cost)
{
    cli_record *sums = cli_the_result(cli_put_group(root, "cost", NULL));

    cli_put_count(sums, "switch_ports", (uint64_t)cost->ports);
    cli_in_full(cli_put_number(sums, "input_bytes", cost->packet_bytes));
    for (int k = 0; k < SWQ_COST_KINDS; k++)
        cli_in_full(cli_put_number(sums, keys[k], cost->total[k]));
    cli_in_full(cli_put_number(sums, "memory_bits", cost->memory_bits));
    cli_in_full(cli_put_number(sums, "area_cells", cost->area));
    put_parts(root, cost);
    put_uncounted(root, cost);
}
