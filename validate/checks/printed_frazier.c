/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers and claims in the text of G. L. Frazier's dissertation (UCLA, 1995), and of all figures
 * that are drawn again: with which result each is compared, or why it is not compared. Causes are
 * quoted from docs/reproduction.md.
 * Room: validate.
 */
#include "validate/checks/printed_find.h"

#include <stddef.h>

#define ORDER(id_, figure_, claims_)                                                               \
    {                                                                                              \
        .id = (id_), .level = SWQ_LEVEL_ORDER, .figure = (figure_), .claims = (claims_)            \
    }
#define NUMBER(id_, figure_, claims_)                                                              \
    {                                                                                              \
        .id = (id_), .level = SWQ_LEVEL_SIM_TABLE, .figure = (figure_), .claims = (claims_)        \
    }
/* A row of claims about an ordering, of which one comparison is known to fail. */
#define ORDER_BUT(id_, figure_, claims_, known_)                                                   \
    {                                                                                              \
        .id = (id_), .level = SWQ_LEVEL_ORDER, .figure = (figure_), .claims = (claims_),           \
        .reason = (known_), .excused = 1                                                           \
    }
#define NUMBER_BUT(id_, figure_, claims_, known_)                                                  \
    {                                                                                              \
        .id = (id_), .level = SWQ_LEVEL_SIM_TABLE, .figure = (figure_), .claims = (claims_),       \
        .reason = (known_), .excused = 1                                                           \
    }
/* A row of claims of which a known number of comparisons fail, as the figure states. */
#define NUMBER_OFF(id_, figure_, off_, claims_)                                                    \
    {                                                                                              \
        .id = (id_), .level = SWQ_LEVEL_SIM_TABLE, .figure = (figure_), .claims = (claims_),       \
        .excused = (off_)                                                                          \
    }
#define ORDER_OFF(id_, figure_, off_, claims_)                                                     \
    {                                                                                              \
        .id = (id_), .level = SWQ_LEVEL_ORDER, .figure = (figure_), .claims = (claims_),           \
        .excused = (off_)                                                                          \
    }
#define READ(id_, figure_, read_)                                                                  \
    {                                                                                              \
        .id = (id_), .level = SWQ_LEVEL_SIM_TABLE, .figure = (figure_), .read = (read_)            \
    }

const printed_row printed_of_figures[] = {
    ORDER("FT-025", "4.1", "4.5: with four slots, DAMQ's maximum throughput"),
    ORDER("FT-026", "4.1", "4.5: below throughput 0.40 the average latencies"),
    ORDER("FT-028", "4.2", "4.5: DAMQ with three slots carries more|4.5: ... and has the lower"),
    ORDER("FT-031", "5.1", "5: from four to eight slots the ratio|5: ... nor is that of the 99th"),
    NUMBER("FT-045", "5.1", "5.3: at a throughput of 0.37"),
    ORDER("FT-032", "5.3",
          "5.2: with a dedicated queue, high priority's 99th|5.2: ... and below the average of "
          "the same"),
    ORDER("FT-033", "5.3", "5.2: DAMQ with a dedicated queue is better"),
    ORDER("FT-034", "5.4", "5.2: with the queue it is stable near the minimum"),
    ORDER("FT-035", "5.5", "5.2: DAMQ with two slots|5.2: DAMQ with three slots"),
    NUMBER("FT-036", "5.6", "5.2: with four and six slots it stays at 4"),
    ORDER("FT-037", "5.6", "5.2: with two slots it rises|5.2: with two slots it is always above"),
    ORDER("FT-038", "5.7", "5.3: with 5% high priority, five and eight"),
    NUMBER("FT-039", "5.8", "5.3: without support, DAMQ's average"),
    NUMBER("FT-040", "5.8", "5.3: ... and its 99th percentile is 11.1"),
    NUMBER("FT-041", "5.8", "5.3: up to 18%"),
    ORDER("FT-042", "5.8", "5.3: from 0 to 10%"),
    NUMBER("FT-043", "5.8", "5.3: beyond 75%"),
    ORDER("FT-044", "5.8", "5.3: above 50%, eight queues|5.3: below 50% there is no benefit"),
    ORDER("FT-154", "5.8", "5.3: if most packets have|5.3: ... and better than four"),
    ORDER("FT-046", "5.9",
          "5.4: a dedicated buffer of one slot|5.4: below 30%, the shared buffer performs"),
    NUMBER("FT-050", "6.1", "6.2.1: the least latency of the 64x64"),
    NUMBER("FT-051", "6.1", "6.2.1: the least latency of the 256x256"),
    NUMBER_BUT("FT-052", "6.1",
               "6.2.1: FIFO, 64x64, saturates|6.2.1: DAMQ, 64x64, saturates|6.2.1: FIFO and DAMQ "
               "saturate at the same",
               "DAMQ has .732 +- .007, 3.1% above the printed value, and .726 to .731 with all "
               "readings that were tried"),
    ORDER("FT-053", "6.1", "6.2.1: SAMQ and SAFC saturate at a higher"),
    ORDER("FT-054", "6.1", "6.2.1: in asynchronous networks latency at saturation"),
    ORDER("FT-055", "6.1", "6.2.1: in synchronous networks only three to five"),
    READ("FT-090", "6.1", printed_fifo_256),
    NUMBER("FT-091", "6.1", "6.2.3: DAMQ, 256x256, saturates"),
    READ("FT-092", "6.1", printed_latency_256),
    NUMBER("FT-056", "6.2", "6.2.2: without link rest, DAMQ is synchronised"),
    NUMBER("FT-057", "6.2", "6.2.2: ... 94 arbitrations|6.2.2: ... of which 90"),
    NUMBER("FT-058", "6.3",
           "6.2.3: DAMQ, 32 bytes, saturates|6.2.3: DAMQ, 6 to 32 bytes, saturates"),
    NUMBER("FT-059", "6.3",
           "6.2.3: SAFC, 32 bytes, saturates|6.2.3: SAFC, 6 to 32 bytes, saturates"),
    NUMBER("FT-060", "6.4",
           "6.2.4: no throughput exceeds|6.2.4: the 4x4 switch's throughput approaches its "
           "asymptote"),
    ORDER("FT-061", "6.4", "6.4: SAFC does not exceed DAMQ until"),
    NUMBER("FT-064", "6.8", "6.3.2: DAMQ with 256 bytes achieves a maximum"),
    NUMBER("FT-067", "6.8", "6.3.2: tori are reactive"),
    ORDER("FT-068", "6.8", "6.3.2: with 160 bytes DAMQ carries more|6.3.3: DAMQ with 256 bytes"),
    READ("FT-153", "6.8", printed_twice_wormhole),
    NUMBER("FT-065", "6.9", "6.3.2: DAMQ with 256 bytes achieves 0.73"),
    ORDER_BUT("FT-070", "6.12", "6.3.2: well in the reactive range",
              "a third of the rings, not most of them, go wholly in one direction; with the "
              "arbiters random and longest two thirds do"),
    NUMBER("FT-096", "8.7", "8.5.4: FIFO: G_NUT alone"),
    NUMBER("FT-097", "8.7", "8.5.4: FIFO: ... so that"),
    NUMBER("FT-098", "8.7", "8.5.4: FIFO: with all groups"),
    NUMBER_OFF("FT-099", "8.7", 1, "8.5.4: FIFO: G_0's throughput"),
    NUMBER("FT-100", "8.7", "8.5.4: FIFO: G_2 has 0.45"),
    NUMBER("FT-101", "8.8", "8.5.4: DAMQ: G_2 is limited"),
    NUMBER("FT-102", "8.8", "8.5.4: DAMQ: G_0 only reaches"),
    NUMBER("FT-103", "8.8", "8.5.4: where G_2's latency is 39"),
    NUMBER("FT-104", "8.8", "8.5.4: where G_2's latency is 39"),
    NUMBER_OFF("FT-105", "8.8", 1, "8.5.4: ... and 450"),
    NUMBER("FT-106", "8.8", "8.5.4: DAMQ: the hot link"),
    NUMBER("FT-107", "8.9", "8.5.4: MU-6, MU-10, SAMQ and SAFC|8.5.4: ... more than"),
    ORDER("FT-150", "8.9", "8.6.2: none of them"),
    ORDER("FT-108", "8.10", "8.5.4: the settings|8.5.4: hysteresis"),
    NUMBER("FT-109", "8.11", "8.5.4: destination-based: G_0"),
    NUMBER("FT-110", "8.11",
           "8.5.4: destination-based: G_NUT|8.5.4: ... as compared|8.5.4: ... and 0.08"),
    NUMBER("FT-111", "8.11", "8.5.4: destination-based: the hot link"),
    ORDER("FT-113", "8.13", "8.5.5: throughputs of FIFO and DAMQ|8.5.5: G_0's latency is lower"),
    NUMBER("FT-114", "8.13", "8.5.5: blocking achieves 0.20"),
    ORDER("FT-115", "8.14", "8.5.5: maximum usage and static|8.5.5: there is little"),
    NUMBER("FT-116", "8.16", "8.5.5: path-based saturates"),
    NUMBER("FT-117", "8.16", "8.5.5: destination-based: G_0 saturates at twice"),
    NUMBER("FT-118", "8.16",
           "8.5.5: destination-based: G_0 has 0.60|8.5.5: destination-based: ... and G_NUT"),
    NUMBER("FT-119", "8.16", "8.5.5: destination-based: ... so that"),
    ORDER_OFF("FT-120", "8.16", 1, "8.5.5: G_0 waits less"),
    NUMBER("FT-122", "8.18", "8.5.6: DAMQ: G_0's throughput|8.5.6: ... and drops"),
    ORDER_OFF("FT-123", "8.19", 3,
              "8.5.6: MU-10 has the highest|8.5.6: ... and the highest of G_0|8.5.6: ... and a G_0 "
              "latency|8.5.6: static buffers and MU-6"),
    ORDER("FT-124", "8.21", "8.5.6: destination-based has slightly|8.5.6: path-based protects"),
    NUMBER("FT-126", "8.23", "8.5.7: DAMQ: G_0's throughput"),
    NUMBER("FT-127", "8.23", "8.5.7: DAMQ: G_1's|8.5.7: DAMQ: G_2"),
    NUMBER("FT-131", "8.23", "8.5.7: DAMQ: the network"),
    NUMBER_OFF("FT-128", "8.24", 4,
               "8.5.7: MU-6, MU-10, SAMQ and SAFC|8.5.7: G_0's latency is cut"),
    ORDER("FT-132", "8.24", "8.5.7: ... and more with MU-10"),
    NUMBER("FT-129", "8.26", "8.5.7: path-based: G_0|8.5.7: destination-based: G_0"),
    NUMBER("FT-130", "8.26", "8.5.7: destination-based: G_NUT"),
    NUMBER_OFF("FT-134", "8.27", 1, "8.5.8: DAMQ: the network|8.5.8: FIFO: the network"),
    NUMBER("FT-135", "8.28", "8.5.8: SAFC: the network|8.5.8: MU-10: the network"),
    NUMBER("FT-136", "8.30", "8.5.8: destination-based: G_0"),
    NUMBER("FT-137", "8.30", "8.5.8: G_0's latency at|8.5.8: ... and about 260"),
    NUMBER("FT-138", "8.30", "8.5.8: destination-based: G_NUT"),
    NUMBER("FT-139", "8.30", "8.5.8: destination-based: the network|8.5.8: the network carries"),
    NUMBER("FT-140", "8.31", "8.5.9: SAMQ saturates|8.5.9: SAFC saturates"),
    NUMBER("FT-141", "8.31", "8.5.9: MU-10 saturates|8.5.9: ... as blocking"),
    NUMBER("FT-142", "8.31", "8.5.9: MU-6 saturates|8.5.9: two-counter"),
    NUMBER("FT-143", "8.32", "8.5.9: destination-based saturates|8.5.9: path-based saturates"),
    NUMBER_OFF(
        "FT-144", "8.38", 1,
        "8.5.10: SAFC, blocking: 1,445|8.5.10: SAFC, destination-based (static): 3,154|8.5.10: "
        "SAFC, destination-based (a pool: dafc): 3,154"),
    ORDER_OFF("FT-145", "8.38", 2,
              "8.5.10: SAFC, destination-based (static): as high|8.5.10: SAFC, destination-based "
              "(pool): as high|8.5.10: ... with a lower latency"),
    ORDER("FT-155", "8.38", "8.6.3: a NACK for a full queue|8.6.3: ... somewhat"),
    ORDER("FT-147", "8.39", "8.5.10: SAMQ gains"),
    ORDER("FT-148", "8.40", "8.5.10: DAMQ gains|8.5.10: ... and SAFC (static) but slightly"),
    ORDER("FT-152", "8.43", "8.6.3: both enhancements|8.6.3: abortive transmissions"),
    /* document 000 */
    NUMBER("RIQ-013", "000.6", "4.1, Fig. 6.a: without SAQs"),
    ORDER("RIQ-014", "000.6", "4.1, Fig. 6.a: with only 2 SAQs"),
    ORDER("RIQ-015", "000.6", "4.1, Fig. 6.a: at least 4 SAQs"),
    NUMBER_OFF("RIQ-016", "000.6", 1, "4.1, Fig. 6.c: without SAQs|4.1, Fig. 6.c: with 2 SAQs"),
    ORDER("RIQ-017", "000.6", "4.1, Fig. 6.c: with 4 SAQs"),
    ORDER_OFF("RIQ-018", "000.6", 1, "4.1, Fig. 6.c: 8 SAQs are needed"),
    ORDER_OFF("RIQ-019", "000.6", 1, "4.1: with 256 nodes slightly less"),
    NUMBER("RIQ-021", "000.7", "4.2, Fig. 7.a: with only 2 SAQs"),
    ORDER("RIQ-022", "000.7", "4.2, Fig. 7.a: 4 SAQs are enough|4.2, Fig. 7.b: 8 SAQs guarantee"),
    ORDER("RIQ-023", "000.7",
          "4.2, Fig. 7: without SAQs efficiency drops|4.2, Fig. 7: with 256 nodes"),
    /* document 001 */
    NUMBER("S01-011", "001.9",
           "4: around 8 to 16|4: wormhole is behind|4: ... with the round trip"),
    ORDER("S01-012", "001.10", "4: ATLAS with more lanes"),
    NUMBER_OFF("S01-013", "001.12", 1, "5, Fig. 12: RECN drops to 90%"),
    NUMBER("S01-014", "001.12", "5, Fig. 12: ... for less than"),
    ORDER("S01-015", "001.12", "5: no more than 8 SAQs"),
    ORDER("S01-017", "001.12", "5: the SAQs in use follow"),
    ORDER("S01-016", "001.11", "5, Fig. 11: RECN is better|5, Fig. 11: RECN is as good"),
    ORDER_OFF("S01-018", "001.11", 1,
              "DBBM, in no document: eight queues that|DBBM, in no document: eight queues, each"),
    /* document 002 */
    NUMBER("S02-003", "002.7",
           "5.1, Fig. 7: speedup 1.5: basic|5.1, Fig. 7: speedup 1.5: enhanced|5.1, Fig. 7: when"),
    ORDER("S02-008", "002.7", "5.2: FBICM|5.2: VOQsw|5.1, Fig. 7: speedup 1.5: the performance"),
    NUMBER("S02-004", "002.8", "5.1, Fig. 8: no speedup: basic"),
    ORDER("S02-006", "002.8", "5.1, Fig. 8: basic RECN never|5.1, Fig. 8: no speedup: enhanced"),
    ORDER("S02-009", "002.3", "3.1, Fig. 3.a|3.1, Fig. 3.b|3.1, Fig. 3.c|3.1: ... regardless"),
    /* document 003; the known differences are given with each claim */
    NUMBER("HIP-009", "003.7", "5.2.1: FIFO saturates"),
    NUMBER("HIP-011", "003.7", "5.2.1: HIPIQS saturates over"),
    ORDER("HIP-012", "003.7", "5.2.1: HIPIQS does almost"),
    ORDER("HIP-013", "003.7", "5.2.1: HIPIQS does considerably"),
    ORDER("HIP-014", "003.8", "5.2.2: beyond 640 flits"),
    ORDER("HIP-015", "003.9", "5.2.3: a fifth|5.2.3: two fifths|5.2.3: equal received"),
    ORDER("HIP-016", "003.10", "5.3: from 16 to 64"),
    NUMBER("HIP-017", "003.10", "5.6: 64 nodes achieve"),
    ORDER("HIP-018", "003.11", "5.4: packets raise"),
    NUMBER("HIP-019", "003.12", "5.5: 16 nodes, bit reversal"),
    NUMBER("HIP-020", "003.12", "5.5: 64 nodes, bit reversal, 64"),
    NUMBER("HIP-021", "003.12", "5.5: 64 nodes, bit reversal, 128"),
    NUMBER("HIP-022", "003.12", "5.5: 64 nodes, bit reversal, central"),
    NUMBER("HIP-023", "003.12", "5.5: 16 nodes, transpose"),
    NUMBER("HIP-024", "003.12", "5.5: 64 nodes, transpose, 64"),
    NUMBER("HIP-025", "003.12", "5.5: 64 nodes, transpose, 128"),
    NUMBER("HIP-026", "003.12", "5.5: 64 nodes, transpose, central"),
    ORDER("HIP-027", "003.12", "5.5: 64 nodes, 128 flits: beyond"),
    NUMBER("HIP-028", "003.12",
           "5.6: 64 nodes saturate|5.5: 16 nodes, bit reversal|5.5: 16 nodes, transpose"),
    {.id = NULL},
};

/* ---- evaluated one by one ---- */

#define EXACT(id_, find_)                                                                          \
    {                                                                                              \
        .id = (id_), .level = SWQ_LEVEL_EXACT, .find = (find_)                                     \
    }
#define PRINTED(id_, find_)                                                                        \
    {                                                                                              \
        .id = (id_), .level = SWQ_LEVEL_TABLE, .find = (find_)                                     \
    }
#define CLAIMED(id_, find_)                                                                        \
    {                                                                                              \
        .id = (id_), .level = SWQ_LEVEL_ORDER, .find = (find_), .weight = 0.1                      \
    }
#define CLAIMED_BUT(id_, find_, excused_, known_)                                                  \
    {                                                                                              \
        .id = (id_), .level = SWQ_LEVEL_ORDER, .find = (find_), .reason = (known_),                \
        .excused = (excused_), .weight = 0.1                                                       \
    }
#define MEASURED(id_, find_)                                                                       \
    {                                                                                              \
        .id = (id_), .level = SWQ_LEVEL_SIM_TABLE, .find = (find_), .weight = 0.5                  \
    }
#define SKIP(id_, reason_)                                                                         \
    {                                                                                              \
        .id = (id_), .level = SWQ_LEVEL_SKIP, .reason = (reason_)                                  \
    }

#define PARAMETER "a parameter of the model, not a result"
#define CHIP      "a property of the chip's circuits, which are not modelled"

const printed_row printed_of_frazier[] = {
    SKIP("FT-001", "misquotation: Karol, Hluchyj and Morgan give 1 for output queues, not 0.95"),
    PRINTED("FT-002", printed_hol_below_60),
    SKIP("FT-003",
         "no criterion: the text does not say which optimum is meant, nor how near it is"),
    EXACT("FT-004", printed_square_root),
    CLAIMED_BUT(
        "FT-005", printed_unbalanced, 12,
        "true of lambda1, not of the sum of the rates: with sums of 1.45 to 2.2 memory that "
        "is not shared loses more, or both others do"),
    CLAIMED_BUT("FT-006", printed_balanced, 5,
                "true at light load only: at full load complete sharing loses more than the "
                "square-root rule, and 8.4.2 says the opposite of 2.2"),
    CLAIMED_BUT("FT-007", printed_no_sharing, 3,
                "true up to full load; when all queues are offered 1.5 of what they can send, a "
                "third of the memory each loses less (30 slots: 33.7 against 35.3%)"),
    EXACT("FT-008", printed_hot_spot_bound),
    SKIP("FT-009", "the cost of combining switches, which is not simulated"),
    SKIP("FT-010", PARAMETER),
    EXACT("FT-011", printed_hol_2),
    PRINTED("FT-012", printed_hol_4),
    SKIP("FT-013", "misprint: two digits transposed; 3.1 has 0.65524, which is right (325/496)"),
    EXACT("FT-014", printed_hol_2),
    EXACT("FT-015", printed_discard_formula),
    CLAIMED_BUT("FT-016", printed_damq_best, 1,
                "a second exception: SAFC-4 at 0.99 loses 8.1087%, DAMQ-4 8.1361%; both are "
                "printed 8.1"),
    CLAIMED_BUT("FT-017", printed_damq_3_fifo_6, 2,
                "false at light load, which the printed 0+ hides: 2.7e-6 against 2.2e-10 at "
                "0.25, 5.0e-4 against 1.6e-5 at 0.50; true from 0.75 on"),
    CLAIMED("FT-018", printed_fifo_2_light),
    CLAIMED_BUT("FT-019", printed_fifo_heavy, 1,
                "two slots at 0.85 are too few for SAMQ: it loses 14.550%, FIFO 14.535%"),
    PRINTED("FT-020", printed_fifo_3_to_6),
    EXACT("FT-021", printed_fifo_limit),
    PRINTED("FT-022", printed_least_latency),
    SKIP("FT-023", PARAMETER ": --credit next, which tables 4.3, 4.4 and 5.1 are run with"),
    EXACT("FT-024", printed_identity),
    {.id = "FT-027", .level = SWQ_LEVEL_ORDER, .find = printed_without_end, .weight = 1},
    MEASURED("FT-029", printed_hot_spots),
    MEASURED("FT-030", printed_cbda_spread),
    SKIP("FT-047", PARAMETER),
    SKIP("FT-048", PARAMETER),
    SKIP("FT-049", PARAMETER),
    EXACT("FT-062", printed_torus_hops),
    SKIP("FT-063", "a definition"),
    {.id = "FT-066",
     .level = SWQ_LEVEL_SIM_TABLE,
     .find = printed_dally,
     .reason =
         "the dissertation cites the numbers alone: lengths of messages and times of switches "
         "are taken from elsewhere, and a 64x64 torus, whose messages have 7 flits, carries "
         "more than Dally's model says",
     .excused = 1,
     .weight = 8},
    SKIP("FT-069",
         "inconsistent: 10 of 11 is 110 of 121, but by 6.1.2 no node sends to itself, which "
         "makes 110 of 120, 11 of 12"),
    SKIP("FT-071", PARAMETER),
    EXACT("FT-072", printed_chip_latency),
    EXACT("FT-073", printed_chip_move),
    SKIP("FT-074", CHIP),
    SKIP("FT-075", CHIP),
    MEASURED("FT-076", printed_damq_3_fifo_4),
    MEASURED("FT-077", printed_damq_3_fifo_8),
    MEASURED("FT-078", printed_damq_4_fifo_8),
    SKIP("FT-079", CHIP),
    SKIP("FT-080", PARAMETER),
    SKIP("FT-081", PARAMETER),
    SKIP("FT-082", PARAMETER),
    SKIP("FT-083", PARAMETER),
    SKIP("FT-084", PARAMETER),
    SKIP("FT-085", PARAMETER),
    SKIP("FT-086", PARAMETER),
    {.id = "FT-087", .level = SWQ_LEVEL_EXACT, .find = printed_usage_of_counters, .weight = 0.3},
    SKIP("FT-088", PARAMETER),
    SKIP("FT-089", PARAMETER),
    SKIP("FT-093", "a method: how the text's intervals were found"),
    SKIP("FT-094", "inconsistent: these senders meet a stage earlier than Fig. 8.6 and Table 8.4 "
                   "have it, which mean 252 to 255"),
    EXACT("FT-095", printed_groups),
    SKIP("FT-112", "arithmetic slip: the printed inequality gives 0.94 / (0.485 + 3.84) = 0.2173, "
                   "not 0.23"),
    EXACT("FT-121", printed_groups_inside),
    SKIP("FT-125", PARAMETER),
    SKIP("FT-133", PARAMETER),
    {.id = "FT-146", .level = SWQ_LEVEL_ORDER, .find = printed_combined_best, .weight = 6},
    EXACT("FT-149", printed_wires),
    SKIP("FT-151", PARAMETER),
    {.id = "FT-156", .level = SWQ_LEVEL_ORDER, .find = printed_large_last_stage, .weight = 3},
    {.id = "FT-157", .level = SWQ_LEVEL_ORDER, .find = printed_chained_tori, .weight = 1},
    {.id = NULL},
};
