/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Table 4.2 of Frazier (1995): packets discarded by a network of discarding switches.
 * Room: validate. Includes sim.
 */
#include "validate/table_sim.h"

static const swq_paper_column columns[] = {
    {"0.10", SWQ_HELD_LOAD, 0.10, SWQ_QUANTITY_NONE},
    {"0.20", SWQ_HELD_LOAD, 0.20, SWQ_QUANTITY_NONE},
    {"0.30", SWQ_HELD_LOAD, 0.30, SWQ_QUANTITY_NONE},
    {"0.40", SWQ_HELD_LOAD, 0.40, SWQ_QUANTITY_NONE},
    {"0.50", SWQ_HELD_LOAD, 0.50, SWQ_QUANTITY_NONE},
    {"0.60", SWQ_HELD_LOAD, 0.60, SWQ_QUANTITY_NONE},
    {"0.70", SWQ_HELD_LOAD, 0.70, SWQ_QUANTITY_NONE},
    {"0.80", SWQ_HELD_LOAD, 0.80, SWQ_QUANTITY_NONE},
    {"max", SWQ_HELD_FULL_LOAD, 1, SWQ_QUANTITY_THROUGHPUT},
};

static const swq_paper_row rows[] = {
    {"fifo",
     1,
     SWQ_QUANTITY_DISCARDED,
     0.45,
     {"1.5", "5.8", "12.1", "19.6", "27.0", "33.9", "40.3", "45.8", "0.45"}},
    {"fifo",
     2,
     SWQ_QUANTITY_DISCARDED,
     0.52,
     {"0+", "0.2", "1.5", "4.9", "11.2", "19.6", "28.0", "35.7", "0.52"}},
    {"fifo",
     3,
     SWQ_QUANTITY_DISCARDED,
     0.55,
     {"0", "0+", "0.2", "1.3", "5.2", "13.4", "22.3", "31.1", "0.55"}},
    {"fifo",
     4,
     SWQ_QUANTITY_DISCARDED,
     0.57,
     {"0", "0+", "0+", "0.4", "2.5", "10.3", "18.6", "27.2", "0.57"}},
    {"fifo",
     8,
     SWQ_QUANTITY_DISCARDED,
     0.61,
     {"0", "0", "0", "0+", "0.2", "5.3", "13.6", "24.0", "0.61"}},
    {"samq",
     4,
     SWQ_QUANTITY_DISCARDED,
     0.61,
     {"0.4", "1.9", "4.6", "8.4", "13.2", "18.6", "23.9", "29.1", "0.61"}},
    {"samq",
     8,
     SWQ_QUANTITY_DISCARDED,
     0.78,
     {"0+", "0+", "0.1", "0.4", "1.2", "3.1", "6.2", "10.5", "0.78"}},
    {"safc",
     4,
     SWQ_QUANTITY_DISCARDED,
     0.67,
     {"0.4", "1.5", "3.6", "6.4", "9.9", "14.2", "18.6", "23.2", "0.67"}},
    {"safc",
     8,
     SWQ_QUANTITY_DISCARDED,
     0.84,
     {"0", "0+", "0.1", "0.3", "0.8", "2.0", "3.9", "6.9", "0.84"}},
    {"damq",
     2,
     SWQ_QUANTITY_DISCARDED,
     0.63,
     {"0+", "0.1", "0.4", "1.8", "5.0", "10.7", "17.3", "24.5", "0.63"}},
    {"damq",
     3,
     SWQ_QUANTITY_DISCARDED,
     0.72,
     {"0", "0+", "0+", "0.1", "0.7", "3.0", "7.2", "13.3", "0.72"}},
    {"damq",
     4,
     SWQ_QUANTITY_DISCARDED,
     0.78,
     {"0", "0", "0+", "0+", "0.1", "0.7", "3.9", "9.6", "0.78"}},
    {"damq", 8, SWQ_QUANTITY_DISCARDED, 0.88, {"0", "0", "0", "0", "0", "0+", "0+", "0.7", "0.88"}},
    {"cbda",
     1,
     SWQ_QUANTITY_DISCARDED,
     0.53,
     {"0+", "0.2", "1.1", "4.4", "10.5", "18.7", "26.8", "34.5", "0.53"}},
    {"cbda",
     2,
     SWQ_QUANTITY_DISCARDED,
     0.73,
     {"0", "0", "0", "0+", "0.1", "1.3", "4.7", "10.9", "0.73"}},
    {"cbda",
     3,
     SWQ_QUANTITY_DISCARDED,
     0.82,
     {"0", "0", "0", "0", "0+", "0.1", "0.8", "3.5", "0.82"}},
    {"cbda",
     4,
     SWQ_QUANTITY_DISCARDED,
     0.86,
     {"0", "0", "0", "0", "0", "0+", "0.1", "1.1", "0.86"}},
    {"cbda", 8, SWQ_QUANTITY_DISCARDED, 0.93, {"0", "0", "0", "0", "0", "0", "0", "0+", "0.93"}},
};

/* Numbers in the reasons are those of docs/reproduction.md. */
static const char knee[] =
    "open; just below saturation more is printed than any reading gives that fits the other cells, "
    "the more so the more a buffer holds";
static const char stale[] =
    "the dissertation's arbiter uses a stale count; with a stale count of 1, serving the "
    "longest-waiting head first, 1.2, 3.0 and 6.1 are found";

static const char stale_4[] = "with a stale count of 1, 4.4 and 8.3 are found";

static const swq_paper_exception exceptions[] = {
    {"fifo", 8, SWQ_QUANTITY_DISCARDED, "0.60", "0.60", SWQ_VERDICT_KNOWN, knee},
    {"samq", 4, SWQ_QUANTITY_DISCARDED, "0.30", "0.40", SWQ_VERDICT_KNOWN, stale_4},
    {"samq", 8, SWQ_QUANTITY_DISCARDED, "0.50", "0.70", SWQ_VERDICT_KNOWN, stale},
    {"safc", 8, SWQ_QUANTITY_DISCARDED, "0.60", "0.60", SWQ_VERDICT_KNOWN, knee},
    {"damq", 3, SWQ_QUANTITY_DISCARDED, "0.50", "0.60", SWQ_VERDICT_KNOWN, knee},
    {"damq", 4, SWQ_QUANTITY_DISCARDED, "0.60", "0.80", SWQ_VERDICT_KNOWN, knee},
    {"damq", 8, SWQ_QUANTITY_DISCARDED, "0.80", "0.80", SWQ_VERDICT_KNOWN, knee},
    {"cbda", 2, SWQ_QUANTITY_DISCARDED, "0.60", "0.70", SWQ_VERDICT_KNOWN, knee},
    {"cbda", 3, SWQ_QUANTITY_DISCARDED, "0.70", "0.80", SWQ_VERDICT_KNOWN, knee},
    {"cbda", 4, SWQ_QUANTITY_DISCARDED, "0.80", "0.80", SWQ_VERDICT_KNOWN, knee},
    {.buffer = NULL},
};

const swq_paper_table swq_table_4_2 = {
    .name = "4.2",
    .title = "packets discarded in a 64x64 omega network of 4x4 discarding switches, in percent",
    .model = "a discarded packet is lost; a slot freed in a cycle can be taken in the same cycle",
    .flow = SWQ_DISCARD,
    .credit = SWQ_CREDIT_SAME,
    .resent = true,
    .column = columns,
    .columns = sizeof columns / sizeof *columns,
    .row = rows,
    .rows = sizeof rows / sizeof *rows,
    .exception = exceptions,
    .jointly =
        "packets created in whole cycles, or at 2, 4 or 64 instants of a cycle with a queue at the "
        "source; lost, or sent again to the same or a new destination, at once or after 1 to 160 "
        "cycles; stale counts of 1, 2 and 4 under two rules; five other arbiters; credit in the "
        "next cycle at each stage. None fits: docs/reproduction.md has the likelihoods",
};
