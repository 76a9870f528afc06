/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packed buffers: up to four slots that four queues share. A queue is a word of 16 bits with an
 * entry of four bits for each packet, the head's lowest. An entry's lowest bit is set, and above it
 * are two bits, the packet's slot. So a queue's length follows from its word, and the free slots
 * from the four words of a buffer: no counters need to be stored when packets come and go. Which
 * slot the next packet gets is found for all buffers of a stage at once, once a cycle, since a
 * buffer gets one packet a cycle at most.
 */
#ifndef SWQ_SIM_STAGES_PACKED_H
#define SWQ_SIM_STAGES_PACKED_H

#include <stdint.h>
#include <string.h>

enum { SWQ_PACKED_QUEUES = 4, SWQ_PACKED_SLOTS = 4 };

/* The lowest bits of a queue's entries, and of the entries of a buffer's four queues. */
enum { SWQ_PACKED_ENTRIES = 0x1111 };
#define SWQ_PACKED_ALL (SWQ_PACKED_ENTRIES * UINT64_C(0x0001000100010001))

/* The four queues of a buffer, 16 bits each, queue 0 the lowest. */
static inline uint64_t swq_packed_buffer(const uint16_t *queue)
{
    return (uint64_t)queue[3] << 48 | (uint64_t)queue[2] << 32 | (uint64_t)queue[1] << 16 |
           queue[0];
}

/* The numbers of packets in the four queues of a buffer, 16 bits each, in the same order. The
 * lowest bits of each sum add up the bits of its own queue; bits that come from the next queue stay
 * above them. */
static inline uint64_t swq_packed_counts(uint64_t buffer)
{
    uint64_t entries = buffer & SWQ_PACKED_ALL;

    entries += entries >> 8;
    entries += entries >> 4;
    return entries & UINT64_C(0x0007000700070007);
}

/* The lengths of the four queues of a packed buffer, as an array. */
static inline void swq_packed_lengths(const uint16_t *queue, uint16_t *length)
{
    uint64_t all; /* in either order of bytes */

    memcpy(&all, queue, sizeof all);
    all = swq_packed_counts(all);
    memcpy(length, &all, sizeof all);
}

/* The number of packets in a switch, whose four inputs have these queues: entries of different
 * inputs are added up first, then the parts of the sums two by two. */
static inline uint32_t swq_packed_total(const uint16_t *queue)
{
    uint64_t entries = 0;

    for (int i = 0; i < SWQ_PACKED_QUEUES; i++)
        entries += swq_packed_buffer(queue + SWQ_PACKED_QUEUES * i) & SWQ_PACKED_ALL;
    entries = (entries + (entries >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(entries * UINT64_C(0x0101010101010101) >> 56);
}

/* The slot of packet k of a queue of more than k packets. */
static inline uint32_t swq_packed_slot(uint32_t queue, uint32_t k)
{
    return queue >> (4 * k + 1) & 3;
}

/* The word of the queue with one more packet, whose entry is `entry`. */
static inline uint16_t swq_packed_append(uint32_t queue, uint32_t entry)
{
    return (uint16_t)(queue | entry << __builtin_ctz(~queue & SWQ_PACKED_ENTRIES));
}

/* The entry of the next packet that comes to a buffer with these four queues; 0: it is full. */
static inline uint16_t swq_packed_next(const uint16_t *queue, int slots)
{
    const uint64_t all = swq_packed_buffer(queue), held = all & SWQ_PACKED_ALL;
    const uint64_t odd = all >> 1 & held, high = all >> 2 & held;
    const uint32_t used = (uint32_t)((held & ~odd & ~high) != 0) << 1 |
                          (uint32_t)((odd & ~high) != 0) << 3 |
                          (uint32_t)((high & ~odd) != 0) << 5 | (uint32_t)((odd & high) != 0) << 7;
    const uint32_t free = ~used & 0xaa & ((2u << 2 * slots) - 1);
    return free ? (uint16_t)__builtin_ctz(free) : 0;
}

#endif
