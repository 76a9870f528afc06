/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memories: FIFOs, blocks in linked lists, and buffers, whose four choices say which of the two
 * they are.
 * Source: Frazier (1995), 3.3 and 7.1. For 12 blocks and four queues, the DAMQ Buffer Chip has 12
 * pointer registers of 4 bits, for the blocks and NULL, head and tail registers of five lists, five
 * null registers, two temporary registers, 12 header registers and four bypass registers: 229 bits.
 */
#include "cost/parts.h"

void cost_add_fifos(cost_sum *s, const cost_fifos *fifos)
{
    cost_add_data(s, fifos->part, fifos->count * fifos->bytes, fifos->ports, fifos->rule,
                  fifos->source);
    cost_add(s, SWQ_COST_POINTERS, fifos->part, fifos->count * 2 * cost_bits_for(fifos->bytes),
             "a FIFO: where it is written and read, in bytes", COST_BUFFERS);
}

void cost_add_lists(cost_sum *s, const cost_lists *l)
{
    const double pointer = l->counted ? cost_bits_for(l->blocks) : cost_pointer_bits(l->blocks);
    const double length = l->counted ? cost_bits_for(l->blocks + 1) : 0;
    const double free_list = (l->stack ? pointer : 2 * pointer + 1) + length;
    const double queue = 2 * pointer + 1 + length + l->more;
    const double temporary = l->stack ? 0 : 2 * pointer;

    cost_add_data(s, l->part, l->count * l->blocks * l->block_bytes, l->ports, l->rule, l->source);
    cost_add(s, SWQ_COST_POINTERS, l->part, l->count * l->blocks * pointer,
             l->counted ? "a pointer for each block"
                        : "a pointer for each block, to another or to none",
             l->source);
    cost_add(s, SWQ_COST_POINTERS, l->part, l->count * (l->queues * queue + free_list + temporary),
             l->counted ? "head, tail, empty and length of each queue, head and length of the free "
                          "list"
             : l->stack ? "head and tail of each queue, and of the free list its head"
                        : "head, tail and null of each list, the free list among them, and two "
                          "temporary registers",
             l->source);
    if (!l->headers)
        return;
    cost_add(s, SWQ_COST_HEADERS, l->part,
             l->count * (l->blocks + l->queues) * s->terms->header_bits,
             "a header register for each block, and a bypass register for each queue", l->source);
}

/* Do queues have counters of their own, since admission depends on their lengths? */
static bool counts_queues(const swq_buffer *b)
{
    return b->queues != SWQ_ONE_QUEUE &&
           (b->queue_min > 0 || b->queue_max < b->capacity || b->alpha > 0 ||
            swq_buffer_admission(b)->needs & SWQ_NEEDS(SWQ_NEED_ALL_LENGTHS));
}

bool cost_of_fifos(const swq_buffer *b)
{
    return b->queues == SWQ_ONE_QUEUE || (swq_buffer_partitioned(b) && b->scope != SWQ_POOL);
}

void cost_add_buffers(cost_sum *s, const char *part, const swq_buffer *b, int queues,
                      double block_bytes)
{
    const bool pool = b->scope == SWQ_POOL, each = b->read == SWQ_READ_EACH_QUEUE;
    const double count = pool ? 1 : s->ports, blocks = b->capacity;
    const double parts = swq_buffer_partitioned(b) ? queues : 1;
    const int ports = pool ? 2 * (int)s->ports : each ? 1 + queues : 2;

    if (cost_of_fifos(b) && (queues == 1 || parts > 1)) {
        cost_add_fifos(s, &(cost_fifos){.part = part,
                                        .count = count * parts,
                                        .bytes = blocks * block_bytes / parts,
                                        .ports = 2,
                                        .rule = parts > 1 ? "a FIFO for each input and output"
                                                          : "a FIFO for each input",
                                        .source = COST_BUFFERS});
        return;
    }
    cost_add_lists(s, &(cost_lists){.part = part,
                                    .count = count,
                                    .blocks = blocks,
                                    .block_bytes = block_bytes,
                                    .queues = queues,
                                    .ports = ports,
                                    .headers = true,
                                    .rule = pool   ? "blocks, written and read by all ports at once"
                                            : each ? "blocks, read by all queues at once"
                                                   : "blocks, with one port to write and one to "
                                                     "read",
                                    .source = pool ? COST_BUFFERS : COST_CHIP});
    if (counts_queues(b))
        cost_add(s, SWQ_COST_POINTERS, part, count * queues * cost_bits_for(blocks + 1),
                 "a counter of blocks for each queue", COST_FLOWS);
}
