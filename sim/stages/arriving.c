/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The order of a cycle's packets, all drawn at once.
 */
#include "sim/stages/arriving.h"

int swq_pool_order(swq_net *net, const uint16_t *length, const swq_packet *packet,
                   const swq_trail *trail, int *order)
{
    const swq_arriving packets = swq_arriving_of(net, packet, trail);
    swq_arrivals arrivals;
    int count = 0;

    swq_arriving_begin(net, length, packet, &arrivals);
    for (int i; (i = swq_arrivals_next(&arrivals, swq_arriving_ranks(&packets), &packets,
                                       &net->dice)) >= 0;)
        order[count++] = i;
    return count;
}
