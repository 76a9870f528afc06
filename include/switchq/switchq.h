/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All headers of the library, except chip.h, cost.h, detail.h, frames.h and validate.h; ask.h is
 * for a library of its own.
 *
 *   context.h   one handle: memory, messages, cancellation
 *   csr.h       sparse matrices
 *   dice.h      random choices, enumerated or drawn
 *   buffer.h    buffer organisations       arbiter.h  crossbar arbiters
 *   switch.h    the spec of one switch     chain.h    its Markov chain
 *   solver.h    stationary vectors         exact.h    spec in, answers out
 *   export.h    chains for other tools     papers.h   printed tables
 *   packets.h   delays, losses in a row    optimal.h  policies that lose least
 *   figures.h   printed figures            import.h   chains from other tools
 *   joint.h     printed numbers together
 *   formula.h   closed forms               rational.h answers as fractions
 *   approx.h, approx_torus.h      whole networks, approximately
 *   netchain.h                    small networks, exactly
 *   topology.h, traffic.h, sim.h  networks in stage cycles
 *   rare.h, record.h              discards too rare for plain simulation; buffers over time
 *   live.h                        networks in steps, with packets of the caller
 *   fabric.h, async.h             networks in clock cycles: multistage, tori, meshes, cubes, trees
 *   benchmark.h                   congestion benchmarks for these
 *   ceiling.h, bound.h            what their links can carry
 *   pfc.h, headroom.h             memory behind a paused link
 */
#ifndef SWITCHQ_H
#define SWITCHQ_H

#include "switchq/approx.h"
#include "switchq/approx_torus.h"
#include "switchq/arbiter.h"
#include "switchq/async.h"
#include "switchq/benchmark.h"
#include "switchq/bound.h"
#include "switchq/buffer.h"
#include "switchq/ceiling.h"
#include "switchq/chain.h"
#include "switchq/context.h"
#include "switchq/csr.h"
#include "switchq/dice.h"
#include "switchq/exact.h"
#include "switchq/export.h"
#include "switchq/fabric.h"
#include "switchq/figures.h"
#include "switchq/formula.h"
#include "switchq/headroom.h"
#include "switchq/import.h"
#include "switchq/joint.h"
#include "switchq/live.h"
#include "switchq/netchain.h"
#include "switchq/optimal.h"
#include "switchq/packets.h"
#include "switchq/papers.h"
#include "switchq/pfc.h"
#include "switchq/rare.h"
#include "switchq/rational.h"
#include "switchq/record.h"
#include "switchq/sim.h"
#include "switchq/solver.h"
#include "switchq/switch.h"
#include "switchq/version.h"

#endif
