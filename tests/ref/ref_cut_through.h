/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Packets through leaves and one spine, with and without cut through, written from the rule in
 * docs/datacentre.md alone. No events: as ways lead up and then down, all packets of a line
 * are known once those of the lines before it are, and are sent one after another.
 */
#ifndef REF_CUT_THROUGH_H
#define REF_CUT_THROUGH_H

typedef struct {
    int leaves, hosts;              /* hosts of each leaf; leaves * hosts <= REF_CUT_HOSTS */
    unsigned long long rate, spine; /* bit/s of lines of hosts, and of lines of the spine */
    unsigned long long delay;       /* ps of each line */
    unsigned long long header;      /* bytes; 0: store and forward */
} ref_cut_network;
enum { REF_CUT_HOSTS = 64, REF_CUT_LINES = 4 };

typedef struct {
    unsigned long long start; /* ps; given in this order */
    unsigned long long bytes;
    int from, to; /* hosts, numbered leaf by leaf */
    /* what becomes of it */
    int lines;                                  /* of its way: 2, or 4 through the spine */
    unsigned long long begin[REF_CUT_LINES];    /* ps: it begins to be sent on each line */
    unsigned long long complete[REF_CUT_LINES]; /* ps: its last bit is at the end of each line */
    int cut; /* lines that it begins on before its last bit is there */
} ref_cut_packet;

/* Memories are unlimited; of packets that come for a line at the same time those come first whose
 * last bit is there. Two that cannot be told apart are an error. Returns 0, or 1 for that. */
int ref_cut_through(const ref_cut_network *network, ref_cut_packet *packet, int count);

#endif
