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
    EXACT("RIQ-004", printed_recn_formula),
    EXACT("RIQ-005", printed_recn_800),
    EXACT("RIQ-006", printed_recn_160),
    EXACT("RIQ-007", printed_recn_factor),
    SKIP("RIQ-008", PARAMETER),
    SKIP("RIQ-009", "arithmetic: 64 x 36 bits are 2.25 Kbit, printed as 2"),
    SKIP("RIQ-010", PARAMETER),
    SKIP("RIQ-011", PARAMETER),
    SKIP("RIQ-012", PARAMETER),
    SKIP("RIQ-020", PARAMETER),
    SKIP("S01-001", PARAMETER),
    EXACT("S01-002", printed_chip_latency),
    {.id = "S01-003",
     .level = SWQ_LEVEL_ORDER,
     .find = printed_damq_best,
     .excused = 1,
     .reason = "a second exception: SAFC-4 at 0.99 loses 8.1087%, DAMQ-4 8.1361%",
     .weight = 0.1},
    SKIP("S01-004", PARAMETER),
    {.id = "S01-005", .level = SWQ_LEVEL_ORDER, .find = printed_advantage_shrinks, .weight = 1.5},
    EXACT("S01-006", printed_atlas_ports),
    SKIP("S01-007",
         "parameters: 16 cells for each of 16 links (--pool-cells) are 256; 48 of the 54 "
         "queues are those of 3 priorities for 16 outputs, and the others, for control "
         "and multicast, are not modelled"),
    SKIP("S01-008", "a parameter of the chip, which is the default (--lanes)"),
    EXACT("S01-009", printed_atlas_one_cell),
    {.id = "S01-010",
     .level = SWQ_LEVEL_EXACT,
     .find = printed_atlas_condition,
     .excused = 1,
     .reason = "a misprint: a cell goes when there is one credit of each kind (Fig. 8); if one had "
               "to stay in the pool, one cell of buffer would carry nothing"},
    PRINTED("S02-001", printed_hol_58_6),
    SKIP("S02-002", PARAMETER),
    SKIP("S02-005", "arithmetic: 1 - 10/44 = 77.3%"),
    SKIP("S02-007",
         "cited, for 2,048 nodes; one run of such a network, too long to repeat here, "
         "bears it out: RECN keeps 53% in the burst, with 256 nodes 58% (docs/congestion.md)"),
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
