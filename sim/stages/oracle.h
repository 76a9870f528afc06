/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An oracle for rules of admission that ask whether longest-queue drop would lose a packet. Packets
 * of sources are functions of their numbers, so the oracle lets longest-queue drop run ahead of the
 * network, on the packets that are still to come. A packet leaves a memory of B slots within B
 * cycles, so that many cycles ahead its fate is known. For one switch, whose sources send on time.
 */
#ifndef SWQ_SIM_STAGES_ORACLE_H
#define SWQ_SIM_STAGES_ORACLE_H

#include "base/arrays.h"
#include "sim/stages/net.h"

/* List the oracle's arrays; all are empty without a rule that asks. */
void swq_oracle_changing(swq_net *net, swq_arrays *list);

/* Run ahead as far as the fates of this cycle's packets need, where net->ahead is not empty. Draws
 * from net->dice. */
void swq_oracle_run(swq_net *net);

/* Will longest-queue drop lose the packet that comes to input `input` in this cycle? */
bool swq_oracle_says_lost(const swq_net *net, int input);

#endif
