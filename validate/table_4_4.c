/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Table 4.4 of Frazier (1995): latency over throughput with a hot spot.
 * Room: validate. Includes sim.
 */
#include "validate/table_sim.h"

static const swq_paper_column columns[] = {
    {"0.05", SWQ_HELD_THROUGHPUT, 0.05, SWQ_QUANTITY_NONE},
    {"0.10", SWQ_HELD_THROUGHPUT, 0.10, SWQ_QUANTITY_NONE},
    {"0.15", SWQ_HELD_THROUGHPUT, 0.15, SWQ_QUANTITY_NONE},
    {"0.20", SWQ_HELD_THROUGHPUT, 0.20, SWQ_QUANTITY_NONE},
    {"sat.", SWQ_HELD_FULL_LOAD, 1, SWQ_QUANTITY_LATENCY},
    {"thpt", SWQ_HELD_FULL_LOAD, 1, SWQ_QUANTITY_THROUGHPUT},
};

static const swq_paper_row rows[] = {
    {"fifo", 4, SWQ_QUANTITY_LATENCY, 0.24, {"3.07", "3.17", "3.32", "3.81", "23.58", "0.24"}},
    {"samq", 4, SWQ_QUANTITY_LATENCY, 0.24, {"3.12", "3.27", "3.48", "3.88", "10.92", "0.24"}},
    {"safc", 4, SWQ_QUANTITY_LATENCY, 0.24, {"3.11", "3.25", "3.43", "3.78", "10.53", "0.24"}},
    {"damq", 4, SWQ_QUANTITY_LATENCY, 0.24, {"3.07", "3.16", "3.30", "3.67", "25.20", "0.24"}},
    {"cbda", 4, SWQ_QUANTITY_LATENCY, 0.24, {"3.10", "3.15", "3.25", "3.55", "16.96", "0.24"}},
};

/* Numbers in the reasons are those of docs/reproduction.md. */
static const swq_paper_exception exceptions[] = {
    {"fifo", 4, SWQ_QUANTITY_LATENCY, "0.20", "0.20", SWQ_VERDICT_KNOWN,
     "open; the line to the hot node is 83% busy there, and the printed latency is reached at a "
     "throughput of 0.208"},
    {"damq", 4, SWQ_QUANTITY_LATENCY, "0.20", "0.20", SWQ_VERDICT_KNOWN,
     "open; the line to the hot node is 83% busy there, and the printed latency is reached at a "
     "throughput of 0.212"},
    {"cbda", 4, SWQ_QUANTITY_LATENCY, "0.20", "0.20", SWQ_VERDICT_KNOWN,
     "open; the line to the hot node is 83% busy there, and the printed latency is reached at a "
     "throughput of 0.211"},
    {"cbda", 4, SWQ_QUANTITY_LATENCY, "sat.", "sat.", SWQ_VERDICT_KNOWN,
     "the printed values look as if no queue could fill more than half of a pool: "
     "with that limit, 16.7"},
    {.buffer = NULL},
};

const swq_paper_table swq_table_4_4 = {
    .name = "4.4",
    .title =
        "mean latency over throughput in a 64x64 omega network of 4x4 blocking switches, 5% hot",
    .model = BLOCKING,
    .flow = SWQ_BLOCK,
    .credit = SWQ_CREDIT_NEXT,
    .hot_fraction = 0.05,
    .column = columns,
    .columns = sizeof columns / sizeof *columns,
    .row = rows,
    .rows = sizeof rows / sizeof *rows,
    .exception = exceptions,
    .jointly = swq_paper_blocking,
};
