/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loss of a small shared memory under rules of admission that keep something for each queue:
 * the rules once more, event by event, in a chain over all that there is, whose arrivals are all
 * ordered lists of packets, without symmetry, solved by repeated steps. Written from
 * docs/admission.md. REF_COINS is Credence whose oracle throws a coin.
 */
#ifndef REF_ABSORPTION_H
#define REF_ABSORPTION_H

typedef enum { REF_EDT, REF_TDT, REF_FOLLOWS, REF_COINS } ref_absorption_rule;

/* Packets lost per packet, for `queues` inputs and outputs (2 or 3), `slots` slots in all, loads,
 * and the chance that a packet is for each queue. -1: too many states. */
double ref_absorption(ref_absorption_rule rule, double alpha, int queues, int slots, double load,
                      const double *dest);

#endif
