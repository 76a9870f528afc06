/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers and claims of RECN-IQ (RIQ), two surveys (S01, S02) and HIPIQS (HIP): what each is
 * compared with, or why it is not compared: mostly because it is a parameter.
 * Room: validate.
 */
#include "validate/checks/printed_find.h"

#include <stddef.h>

#define EXACT(id_, find_)                                                                          \
    {                                                                                              \
        .id = (id_), .level = SWQ_LEVEL_EXACT, .find = (find_)                                     \
    }
/* ... with its rule. */
#define EXACTLY(id_, find_, rule_)                                                                 \
    {                                                                                              \
        .id = (id_), .level = SWQ_LEVEL_EXACT, .find = (find_), .rule = (rule_)                    \
    }
#define PRINTED(id_, find_)                                                                        \
    {                                                                                              \
        .id = (id_), .level = SWQ_LEVEL_TABLE, .find = (find_)                                     \
    }
#define SKIP(id_, reason_)                                                                         \
    {                                                                                              \
        .id = (id_), .level = SWQ_LEVEL_SKIP, .reason = (reason_)                                  \
    }

#define PARAMETER "a parameter of the model, not a result"

const printed_row printed_of_others[] = {
    PRINTED("RIQ-001", printed_hol_58),
    SKIP("RIQ-002", "arithmetic: a queue for each pair of ports, or for each port"),
    SKIP("RIQ-003", PARAMETER),
    EXACTLY("RIQ-004", printed_recn_formula,
            "`formula recn-memory` gives these slots for 2, 4, 8, 16, 32 and 64 ports"),
    EXACTLY("RIQ-005", printed_recn_800, "`formula recn-memory` gives 800 for 16 ports"),
    EXACTLY("RIQ-006", printed_recn_160, "`formula recn-memory` gives 160 for 16 ports"),
    EXACTLY("RIQ-007", printed_recn_factor, "their quotient is 5"),
    SKIP("RIQ-008", PARAMETER),
    SKIP("RIQ-009", "arithmetic: 64 x 36 bits are 2.25 Kbit, printed as 2"),
    EXACTLY("RIQ-010", printed_tree_of_64,
            "--topology tree --arity 4,4,4 has 64 nodes, 48 switches of 8 ports and 3 stages"),
    EXACTLY("RIQ-011", printed_tree_of_256,
            "--topology tree --arity 4,4,4,4 has 256 nodes, 256 switches of 8 ports and 4 stages"),
    SKIP("RIQ-012", PARAMETER),
    SKIP("RIQ-020", PARAMETER),
    SKIP("S01-001", PARAMETER),
    EXACTLY("S01-002", printed_chip_latency,
            "a byte of `switchq chip` leaves four cycles after it came"),
    {.id = "S01-003",
     .level = SWQ_LEVEL_ORDER,
     .find = printed_damq_best,
     .rule = "in the exact chain, at each printed load, DAMQ loses less than every other buffer of "
             "as many slots, but SAFC with six at 0.99; one more exception is known",
     .excused = 1,
     .reason = "a second exception: SAFC-4 at 0.99 loses 8.1087%, DAMQ-4 8.1361%",
     .weight = 0.1},
    SKIP("S01-004", PARAMETER),
    {.id = "S01-005",
     .level = SWQ_LEVEL_ORDER,
     .find = printed_advantage_shrinks,
     .rule = "DAMQ's saturation throughput, over the best other buffer's, is less with eight slots "
             "than with four, and the mean latencies of FIFO, SAMQ, SAFC and DAMQ at load 0.25 are "
             "at most half a cycle apart",
     .weight = 1.5},
    EXACTLY("S01-006", printed_atlas_ports,
            "a switch of 16 ports, and one of 4 whose links are four times as fast, carry 16 bytes "
            "a cycle when every node sends all it can to another one"),
    EXACTLY("S01-007", printed_atlas_multicast,
            "in a switch of 16 ports with 3 priorities, multicast cells that wait hold up those of "
            "their priority and no others: 3 multicast queues. 48 of the 54 queues are those of 3 "
            "priorities for 16 outputs, and 3 are not named; 16 cells "
            "for each of 16 links (--pool-cells) are 256"),
    SKIP("S01-008", "a parameter of the chip, which is the default (--lanes)"),
    EXACTLY("S01-009", printed_atlas_one_cell,
            "with a pool of one cell a flow alone keeps its link busy in every cycle"),
    {.id = "S01-010",
     .level = SWQ_LEVEL_EXACT,
     .find = printed_atlas_condition,
     .rule = "a pool of one cell carries nothing, as more than one credit is needed; that it does "
             "is known",
     .excused = 1,
     .reason = "a misprint: a cell goes when there is one credit of each kind (Fig. 8); if one had "
               "to stay in the pool, one cell of buffer would carry nothing"},
    PRINTED("S02-001", printed_hol_58_6),
    SKIP("S02-002", PARAMETER),
    SKIP("S02-005", "arithmetic: 1 - 10/44 = 77.3%"),
    {.id = "S02-007",
     .level = SWQ_LEVEL_ORDER,
     .find = printed_larger_effect,
     .rule = "with 2,048 nodes enhanced RECN keeps more of the throughput than basic RECN, by a "
             "larger part of it than in any of three runs with 64 nodes (speedup 1.5, the traffic "
             "of figure 002.7, last three quarters of the congestion and of the time before)",
     .weight = 60},
    {.id = "S02-010",
     .level = SWQ_LEVEL_ORDER,
     .find = printed_overlap,
     .rule =
         "with enhanced RECN at least three inputs have SAQs of two trees at once, no SAQ belongs "
         "to another tree, and when the flows of one tree have ended its SAQs are free and at "
         "least three of the other's are not",
     .weight = 0.1},
    {.id = "S02-011",
     .level = SWQ_LEVEL_ORDER,
     .find = printed_merging,
     .rule = "with enhanced RECN and speedup 1.5 the two first switches have trees of their own "
             "before the root's tree reaches them, and at the end all SAQs belong to the root's; "
             "with basic RECN the two local trees are still there",
     .weight = 0.2},
    EXACT("HIP-001", printed_bmin_sizes),
    EXACT("HIP-002", printed_bmin_buffer),
    EXACT("HIP-003", printed_bmin_cycles),
    EXACT("HIP-004", printed_hipiqs_least),
    EXACT("HIP-005", printed_crosspoint_fifo),
    {.id = "HIP-006", .level = SWQ_LEVEL_ORDER, .find = printed_partly_filled, .weight = 0.3},
    EXACT("HIP-007", printed_crosspoints),
    PRINTED("HIP-008", printed_hol_around_60),
    {.id = "HIP-010", .level = SWQ_LEVEL_SIM_TABLE, .find = printed_damq_5, .weight = 0.3},
    EXACT("HIP-029", printed_pipelines),
    {.id = "HIP-030", .level = SWQ_LEVEL_ORDER, .find = printed_turns_in_time, .weight = 1},
    {.id = "HIP-031", .level = SWQ_LEVEL_SIM_TABLE, .find = printed_small_packets, .weight = 0.3},
    {.id = "HIP-032", .level = SWQ_LEVEL_ORDER, .find = printed_better_than_damq, .weight = 1},
    {.id = "HIP-033",
     .level = SWQ_LEVEL_ORDER,
     .find = printed_better_than_crosspoints,
     .weight = 1},
    {.id = NULL},
};
