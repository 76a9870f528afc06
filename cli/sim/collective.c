/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The times of a collective operation: when each phase has ended, and the whole, beside the fewest
 * cycles that the nodes' links need.
 */
#include "cli/sim/collective.h"
#include "sim/traffic/collectives.h"
#include "sim/traffic/groups.h"

#include <math.h>

/* The cycle in which all phases have ended; NAN: some have not. */
static double completion(const uint32_t *end, uint32_t phases)
{
    double last = 0;

    for (uint32_t k = 0; k < phases; k++) {
        if (end[k] == UINT32_MAX)
            return NAN;
        last = end[k] > last ? end[k] : last;
    }
    return last;
}

void cli_put_completion(cli_record *result, const cli_async *n, const uint32_t *end)
{
    const uint64_t flits = n->collective_bytes / (uint64_t)n->flit;

    cli_put_number(result, "completion_cycles", completion(end, n->network.traffic.phases));
    if (!swq_has_slow_senders(&n->network)) /* the bound is of links that carry a flit a cycle */
        cli_put_count(result, "completion_bound_cycles",
                      n->collective->bound(n->fabric.nodes, flits, 0));
}

void cli_put_phase_ends(cli_record *result, const cli_async *n, const uint32_t *end)
{
    cli_record *list = cli_abridged(cli_put_list(result, "phase_ends", "phase"));

    for (uint32_t k = 0; k < n->network.traffic.phases; k++)
        cli_put_number(cli_put_item(list, NULL), "end_cycle", end[k] == UINT32_MAX ? NAN : end[k]);
}
