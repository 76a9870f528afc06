/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Independent reference for RECN-IQ (document 000): slow, meant to be obviously correct. Every
 * packet has the list of its turns, every line of a CAM is a list of turns, and every cycle looks
 * at every queue of every port. Written from docs/congestion.md and the document without sight of
 * sim/trees, with which it shares no code.
 */
#ifndef REF_RECN_IQ_H
#define REF_RECN_IQ_H

#include "ref_trees.h"

/* Simulates from empty. Clear the outcome afterwards. */
void ref_recn_iq_run(const ref_trees *n, ref_trees_outcome *o);

#endif
