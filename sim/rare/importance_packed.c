/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Importance from packed queues. An importance is asked for after each cycle, of a network that may
 * have hundreds of buffers; so four queues are counted at once, in the lanes of a word of 64 bits,
 * and sums over lanes are the highest lane of a product.
 */
#include "sim/rare/importance_packed.h"

#include "sim/rare/importance.h"

static size_t switches_of(const swq_net *net)
{
    return (size_t)net->system.levels * net->switches;
}

/* ---- sums ---- */

static uint32_t sum_of_lanes(uint64_t lanes)
{
    return (uint32_t)(lanes * UINT64_C(0x0001000100010001) >> 48);
}

/* The sum of products of two words of lanes, which is less than 256. Swapping the bytes of one word
 * reverses the order of its lanes, and shifts each lane by a byte. */
static uint32_t product_of_lanes(uint64_t a, uint64_t b)
{
    return (uint32_t)(a * __builtin_bswap64(b) >> 56);
}

/* ---- importance ---- */

uint32_t swq_packed_fill(const swq_net *net)
{
    const size_t buffers = (size_t)net->system.levels * net->buffers;
    uint64_t most = 0;

    for (size_t at = 0; at < buffers; at++) {
        const uint64_t entries =
            swq_packed_buffer(net->short_order + at * SWQ_PACKED_QUEUES) & SWQ_PACKED_ALL;
        /* the sum of the entries is the highest of them in the product */
        const uint64_t sum = entries * UINT64_C(0x1111111111111111) >> 60;
        most = sum > most ? sum : most;
    }
    return (uint32_t)most;
}

uint32_t swq_packed_packets(const swq_net *net)
{
    const uint16_t *queue = net->short_order;
    uint32_t most = 0;

    for (size_t k = switches_of(net); k-- > 0; queue += SWQ_PACKED_QUEUES * SWQ_PACKED_QUEUES) {
        const uint32_t sum = swq_packed_total(queue);
        most = sum > most ? sum : most;
    }
    return most;
}

/* The importance of the most important of a switch's buffers. */
static uint32_t rivals_of_switch(const uint16_t *queue, uint32_t slots)
{
    /* floor(n / sum) is n * inverse[sum] >> 16 for the numbers that occur here; it is 0 for an
     * empty buffer */
    static const uint32_t inverse[SWQ_PACKED_SLOTS + 1] = {0, 65536, 32768, 21846, 16384};
    uint64_t mine[SWQ_PACKED_QUEUES], column = 0;
    uint32_t most = 0;

    for (size_t i = 0; i < SWQ_PACKED_QUEUES; i++) {
        mine[i] = swq_packed_counts(swq_packed_buffer(queue + i * SWQ_PACKED_QUEUES));
        column += mine[i];
    }
    for (size_t i = 0; i < SWQ_PACKED_QUEUES; i++) {
        const uint32_t fill = sum_of_lanes(mine[i]);
        const uint32_t rivals = product_of_lanes(mine[i], column - mine[i]);
        const uint32_t parts = SWQ_IMPORTANCE_RIVAL * rivals * inverse[fill] >> 16;
        const uint32_t limit = (slots - fill + 1) * SWQ_IMPORTANCE_RIVAL;
        const uint32_t v = fill * SWQ_IMPORTANCE_PARTS + (parts < limit ? parts : limit);
        most = v > most ? v : most;
    }
    return most;
}

uint32_t swq_packed_rivals(const swq_net *net)
{
    const uint16_t *queue = net->short_order;
    uint32_t most = 0;

    for (size_t k = switches_of(net); k-- > 0; queue += SWQ_PACKED_QUEUES * SWQ_PACKED_QUEUES) {
        /* no packet counts for more than a packet of fill */
        if (swq_packed_total(queue) * SWQ_IMPORTANCE_PARTS <= most)
            continue;
        const uint32_t v = rivals_of_switch(queue, (uint32_t)net->slots);
        most = v > most ? v : most;
    }
    return most;
}
