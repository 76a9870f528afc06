/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/ref/ref_credence.h"

#include <string.h>

enum { QUEUES = 8, SLOTS = 64 };

/* The numbers of the packets that each queue holds, the head first. */
typedef struct {
    int length[QUEUES], number[QUEUES][SLOTS + 1];
} queue_contents;

static int total(const queue_contents *m, int queues)
{
    int sum = 0;

    for (int q = 0; q < queues; q++)
        sum += m->length[q];
    return sum;
}

static int longest(const queue_contents *m, int queues)
{
    int best = 0;

    for (int q = 1; q < queues; q++)
        best = m->length[q] > m->length[best] ? q : best;
    return best;
}

static void all_send(queue_contents *m, int queues)
{
    for (int q = 0; q < queues; q++) {
        if (m->length[q] == 0)
            continue;
        memmove(m->number[q], m->number[q] + 1, sizeof m->number[q] - sizeof m->number[q][0]);
        m->length[q]--;
    }
}

/* The packet joins its queue; if that is one too many, the longest queue loses its last one, whose
 * number is returned; else -1. */
static int join(queue_contents *m, int queues, int slots, int queue, int number)
{
    m->number[queue][m->length[queue]++] = number;
    if (total(m, queues) <= slots)
        return -1;
    const int q = longest(m, queues);
    return m->number[q][--m->length[q]];
}

void ref_drops(const ref_packet *packet, int count, int queues, int slots, unsigned char *lost)
{
    queue_contents m = {{0}, {{0}}};

    memset(lost, 0, (size_t)count);
    for (int k = 0, cycle = 0; k < count; k++) {
        for (; cycle < packet[k].cycle; cycle++)
            all_send(&m, queues);
        const int out = join(&m, queues, slots, packet[k].queue, k);
        if (out >= 0)
            lost[out] = 1;
    }
}

int ref_credence(const ref_packet *packet, int count, int queues, int slots,
                 const unsigned char *said)
{
    queue_contents real = {{0}, {{0}}}, threshold = {{0}, {{0}}};
    int lost = 0;

    for (int k = 0, cycle = 0; k < count; k++) {
        const int q = packet[k].queue;
        int takes;
        for (; cycle < packet[k].cycle; cycle++) {
            all_send(&real, queues);
            all_send(&threshold, queues);
        }
        join(&threshold, queues, slots, q, k);
        if (total(&real, queues) == slots)
            takes = 0;
        else if ((double)real.length[longest(&real, queues)] <= (double)slots / queues)
            takes = 1;
        else
            takes = real.length[q] + 1 <= threshold.length[q] && !said[k];
        if (takes)
            real.number[q][real.length[q]++] = k;
        lost += !takes;
    }
    return lost;
}
