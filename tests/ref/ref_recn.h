/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Independent reference for RECN and enhanced RECN (documents 001 section 5 and 002): slow, meant
 * to be obviously correct. Every packet has the list of its turns, every path is a list of turns, a
 * marker lies in a queue as packets do, and every cycle looks at every queue of every store.
 * FBICM is in it, too: there a line has a set of destinations, and in place of a path what it is
 * known by: at an input the output, and 0 for its plain queue or 1 + the number of its SAQ that
 * told of it; elsewhere 1 + the number of the next input's SAQ. Written from docs/congestion.md and
 * the documents without sight of the engine, with which it shares no code.
 */
#ifndef REF_RECN_H
#define REF_RECN_H

#include "ref_trees.h"

/* Simulates from empty. Clear the outcome afterwards. */
void ref_recn_run(const ref_trees *n, ref_trees_outcome *o);

#endif
