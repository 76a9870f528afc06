/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Switches to solve and to simulate.
 */
#include "validate/checks/grids.h"

/* The strides have no factor in common with the lengths of the lists. */
const swq_case_block swq_one_switch[] = {
    SWQ_BLOCK(SWQ_FIVE_BUFFERS, SWQ_ALL_ARBITERS, SWQ_NUMBERS(2), SWQ_NUMBERS(1, 2, 3),
              SWQ_LOADS(0.6, 0.95), SWQ_ALL_MODES, 13, .full = 1),
    SWQ_BLOCK(SWQ_FIVE_BUFFERS, SWQ_ALL_BUT_ISLIP, SWQ_NUMBERS(3), SWQ_NUMBERS(1),
              SWQ_LOADS(0.6, 0.9), SWQ_DISCARD_SAME | SWQ_DISCARD_NEXT, 7, .full = 1),
    SWQ_BLOCK(SWQ_WORDS("fifo", "damq", "dafc"),
              SWQ_WORDS("random", "random-outputs", "maximum", "longest", "pim"), SWQ_NUMBERS(3),
              SWQ_NUMBERS(1, 2), SWQ_LOADS(0.8), SWQ_DISCARD_SAME | SWQ_BLOCK_SAME, 7, .full = 1),
    SWQ_BLOCK(SWQ_WORDS("fifo", "damq", "dafc"), SWQ_WORDS("random", "maximum", "longest", "pim"),
              SWQ_NUMBERS(4), SWQ_NUMBERS(1), SWQ_LOADS(0.7, 0.9), SWQ_DISCARD_SAME, 7, .full = 1),
    SWQ_BLOCK(SWQ_WORDS("fifo", "samq", "damq"), SWQ_WORDS("random"), SWQ_NUMBERS(4),
              SWQ_NUMBERS(1), SWQ_LOADS(0.8), SWQ_DISCARD_NEXT, 0, .full = 1),
    SWQ_BLOCK(SWQ_WORDS("cbda"), SWQ_WORDS("random"), SWQ_NUMBERS(2, 3), SWQ_NUMBERS(1, 2),
              SWQ_LOADS(0.7, 0.9, 1), SWQ_ALL_MODES, 5, .full = 1),
    SWQ_BLOCK(SWQ_WORDS("cbda"), SWQ_WORDS("random"), SWQ_NUMBERS(2, 3), SWQ_NUMBERS(1, 2),
              SWQ_LOADS(0.9), SWQ_ALL_MODES, 3, .full = 1, .rule = &swq_pool_ports),
    /* unequal ports */
    SWQ_BLOCK(SWQ_FIVE_BUFFERS,
              SWQ_WORDS("random", "longest", "maximum-longest", "fixed", "rotating", "islip"),
              SWQ_NUMBERS(2), SWQ_NUMBERS(1, 2), SWQ_LOADS(0.8), SWQ_DISCARD_SAME | SWQ_BLOCK_NEXT,
              11, .full = 1, .traffic = SWQ_CASE_HOT),
    SWQ_BLOCK(SWQ_FIVE_BUFFERS, SWQ_WORDS("random", "fixed", "rotating"), SWQ_NUMBERS(2, 3),
              SWQ_NUMBERS(1), SWQ_LOADS(0.95), SWQ_DISCARD_SAME | SWQ_DISCARD_NEXT, 7, .full = 1,
              .traffic = SWQ_CASE_UNEQUAL),
    /* reserved slots, limits, thresholds */
    SWQ_BLOCK(SWQ_WORDS("damq", "dafc"), SWQ_WORDS("random", "longest"), SWQ_NUMBERS(2),
              SWQ_NUMBERS(3), SWQ_LOADS(0.7, 0.9), SWQ_DISCARD_SAME | SWQ_BLOCK_NEXT, 5, .full = 1,
              .least = 1, .most = 2),
    SWQ_BLOCK(SWQ_WORDS("damq", "dafc"), SWQ_WORDS("random", "longest"), SWQ_NUMBERS(2),
              SWQ_NUMBERS(3), SWQ_LOADS(0.7, 0.9), SWQ_DISCARD_SAME | SWQ_BLOCK_NEXT, 5, .full = 1,
              .alpha = 1),
    /* the same for a pool, which has no arbiter */
    SWQ_BLOCK(SWQ_WORDS("cbda"), SWQ_WORDS("random"), SWQ_NUMBERS(2, 3), SWQ_NUMBERS(1),
              SWQ_LOADS(0.95), SWQ_DISCARD_SAME | SWQ_DISCARD_NEXT, 3, .full = 1,
              .traffic = SWQ_CASE_UNEQUAL),
    SWQ_BLOCK(SWQ_WORDS("cbda"), SWQ_WORDS("random"), SWQ_NUMBERS(2), SWQ_NUMBERS(3),
              SWQ_LOADS(0.7, 0.9), SWQ_DISCARD_SAME | SWQ_BLOCK_NEXT, 3, .full = 1, .least = 1,
              .most = 2),
    SWQ_BLOCK(SWQ_WORDS("cbda"), SWQ_WORDS("random"), SWQ_NUMBERS(2), SWQ_NUMBERS(3),
              SWQ_LOADS(0.7, 0.9), SWQ_DISCARD_SAME | SWQ_BLOCK_NEXT, 3, .full = 1, .alpha = 1),
    /* bursts */
    SWQ_BLOCK(SWQ_FIVE_BUFFERS, SWQ_WORDS("random", "longest", "rotating"), SWQ_NUMBERS(2),
              SWQ_NUMBERS(1, 2), SWQ_LOADS(0.8), SWQ_ALL_MODES, 17, .full = 1,
              .traffic = SWQ_CASE_BURSTS),
    SWQ_BLOCK(SWQ_WORDS("fifo", "damq"), SWQ_WORDS("random", "maximum"), SWQ_NUMBERS(2, 3),
              SWQ_NUMBERS(1), SWQ_LOADS(0.5, 0.9), SWQ_DISCARD_SAME | SWQ_BLOCK_NEXT, 11, .full = 1,
              .traffic = SWQ_CASE_BURSTS_HOT),
    SWQ_BLOCK(SWQ_WORDS("fifo"), SWQ_WORDS("random"), SWQ_NUMBERS(2), SWQ_NUMBERS(3, 4),
              SWQ_LOADS(0.7, 0.95), SWQ_DISCARD_SAME | SWQ_BLOCK_NEXT, 5, .full = 1,
              .traffic = SWQ_CASE_BURSTS_LOPSIDED),
    SWQ_BLOCK(SWQ_WORDS("cbda"), SWQ_WORDS("random"), SWQ_NUMBERS(2, 3), SWQ_NUMBERS(1, 2),
              SWQ_LOADS(0.7, 0.95), SWQ_ALL_MODES, 11, .full = 1, .traffic = SWQ_CASE_BURSTS),
    {0},
};

#define SERVE SWQ_WORDS("random", "longest", "islip", "fixed")
/* without buffers at the inputs, discarding has only one credit mode */
enum { OWN_MODES = SWQ_DISCARD_SAME | SWQ_BLOCK_SAME | SWQ_BLOCK_NEXT };

const swq_case_block swq_other_architectures[] = {
    SWQ_BLOCK(SWQ_WORDS("damq"), SWQ_WORDS("random"), SWQ_NUMBERS(2, 3), SWQ_NUMBERS(1, 2, 3, 4),
              SWQ_LOADS(0.6, 0.95), OWN_MODES, 7, .full = 1, .architecture = "output-queued"),
    SWQ_BLOCK(SWQ_WORDS("damq"), SWQ_WORDS("random"), SWQ_NUMBERS(2, 3), SWQ_NUMBERS(1, 2, 3),
              SWQ_LOADS(0.9), OWN_MODES, 5, .full = 1, .architecture = "output-queued",
              .traffic = SWQ_CASE_LOPSIDED),
    SWQ_BLOCK(SWQ_WORDS("damq"), SERVE, SWQ_NUMBERS(2), SWQ_NUMBERS(1, 2), SWQ_LOADS(0.6, 0.95),
              OWN_MODES, 7, .full = 1, .architecture = "crosspoint"),
    SWQ_BLOCK(SWQ_WORDS("damq"), SERVE, SWQ_NUMBERS(2), SWQ_NUMBERS(1, 2, 3), SWQ_LOADS(0.9),
              SWQ_DISCARD_SAME | SWQ_BLOCK_NEXT, 5, .full = 1, .architecture = "crosspoint",
              .traffic = SWQ_CASE_LOPSIDED),
    SWQ_BLOCK(SWQ_FIVE_BUFFERS, SERVE, SWQ_NUMBERS(2), SWQ_NUMBERS(1, 2), SWQ_LOADS(0.6, 0.95),
              SWQ_ALL_MODES, 29, .full = 7, .architecture = "input-crosspoint", .behind = 1),
    SWQ_BLOCK(SWQ_FIVE_BUFFERS, SERVE, SWQ_NUMBERS(2), SWQ_NUMBERS(1), SWQ_LOADS(0.95),
              SWQ_ALL_MODES, 13, .full = 3, .architecture = "input-crosspoint", .behind = 2,
              .first = true, .traffic = SWQ_CASE_LOPSIDED),
    SWQ_BLOCK(SWQ_FIVE_BUFFERS, SWQ_ALL_ARBITERS, SWQ_NUMBERS(2), SWQ_NUMBERS(1, 2),
              SWQ_LOADS(0.6, 0.95), SWQ_ALL_MODES, 71, .full = 7, .architecture = "cioq",
              .behind = 2, .speedup = 2),
    SWQ_BLOCK(SWQ_FIVE_BUFFERS, SWQ_ALL_ARBITERS, SWQ_NUMBERS(2), SWQ_NUMBERS(1), SWQ_LOADS(0.95),
              SWQ_ALL_MODES, 47, .full = 7, .architecture = "cioq", .behind = 1, .speedup = 2,
              .first = true, .traffic = SWQ_CASE_LOPSIDED),
    SWQ_BLOCK(SWQ_WORDS("fifo", "damq"), SWQ_WORDS("random", "maximum", "longest", "pim"),
              SWQ_NUMBERS(3), SWQ_NUMBERS(1), SWQ_LOADS(0.9), SWQ_DISCARD_SAME, 3, .full = 1,
              .architecture = "cioq", .behind = 2, .speedup = 2),
    /* bursts */
    SWQ_BLOCK(SWQ_WORDS("damq"), SWQ_WORDS("random"), SWQ_NUMBERS(2, 3), SWQ_NUMBERS(2, 4),
              SWQ_LOADS(0.8), OWN_MODES, 5, .full = 1, .architecture = "output-queued",
              .traffic = SWQ_CASE_BURSTS),
    SWQ_BLOCK(SWQ_WORDS("damq"), SWQ_WORDS("random", "longest"), SWQ_NUMBERS(2), SWQ_NUMBERS(1, 2),
              SWQ_LOADS(0.8), OWN_MODES, 5, .full = 1, .architecture = "crosspoint",
              .traffic = SWQ_CASE_BURSTS_LOPSIDED),
    SWQ_BLOCK(SWQ_WORDS("fifo", "damq"), SWQ_WORDS("random", "longest"), SWQ_NUMBERS(2),
              SWQ_NUMBERS(1, 2), SWQ_LOADS(0.8), SWQ_ALL_MODES, 11, .full = 1,
              .architecture = "input-crosspoint", .behind = 1, .traffic = SWQ_CASE_BURSTS_LOPSIDED),
    SWQ_BLOCK(SWQ_WORDS("fifo", "damq"), SWQ_WORDS("random", "longest"), SWQ_NUMBERS(2),
              SWQ_NUMBERS(1, 2), SWQ_LOADS(0.8), SWQ_ALL_MODES, 11, .full = 1,
              .architecture = "cioq", .behind = 2, .speedup = 2, .traffic = SWQ_CASE_BURSTS),
    {0},
};
