/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Longest-queue drop and Credence on a list of packets, followed packet by packet: a second
 * implementation, from docs/admission.md. Packets of a cycle come in the order of the list; of
 * several longest queues, the packet that comes counted, that with the lowest number loses its last
 * packet; at the end of a cycle each queue that is not empty sends a packet.
 */
#ifndef REF_CREDENCE_H
#define REF_CREDENCE_H

typedef struct {
    int cycle, queue;
} ref_packet;

/* Sets lost[count]: 1 for a packet that longest-queue drop loses, at once or later. */
void ref_drops(const ref_packet *packet, int count, int queues, int slots, unsigned char *lost);

/* How many packets Credence loses if its oracle says that packet k will be lost if said[k]. */
int ref_credence(const ref_packet *packet, int count, int queues, int slots,
                 const unsigned char *said);

#endif
