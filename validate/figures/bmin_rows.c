/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Document 003's figures as rows of lines, and what is said of each.
 * Room: validate. Includes sim.
 */
#include "validate/figures/bmin.h"

#include <string.h>

/* The legend's word, the panel, and what it is. */
#define LINE(name_, panel_, memory_, levels_, buffer_, message_, packet_, pattern_)                \
    {                                                                                              \
        name_, panel_, memory_, levels_, buffer_, message_, packet_, pattern_                      \
    }
#define UNIFORM(name_, panel_, memory_, levels_, buffer_, message_)                                \
    LINE(name_, panel_, memory_, levels_, buffer_, message_, 0, NULL)

/* Fig. 7: one buffer size, three lengths. */
#define LENGTHS(panel_, buffer_)                                                                   \
    UNIFORM("HIPIQS, 64", panel_, BMIN_HIPIQS, 2, buffer_, 64),                                    \
        UNIFORM("HIPIQS, 128", panel_, BMIN_HIPIQS, 2, buffer_, 128),                              \
        UNIFORM("HIPIQS, 256", panel_, BMIN_HIPIQS, 2, buffer_, 256),                              \
        UNIFORM("central queue, 64", panel_, BMIN_CENTRAL, 2, buffer_, 64),                        \
        UNIFORM("central queue, 128", panel_, BMIN_CENTRAL, 2, buffer_, 128),                      \
        UNIFORM("central queue, 256", panel_, BMIN_CENTRAL, 2, buffer_, 256),                      \
        UNIFORM("FIFO, 64", panel_, BMIN_FIFO, 2, buffer_, 64),                                    \
        UNIFORM("FIFO, 128", panel_, BMIN_FIFO, 2, buffer_, 128),                                  \
        UNIFORM("FIFO, 256", panel_, BMIN_FIFO, 2, buffer_, 256)

/* Fig. 8: one length, three buffer sizes. */
#define SIZES(panel_, message_)                                                                    \
    UNIFORM("320 flits", panel_, BMIN_HIPIQS, 2, 320, message_),                                   \
        UNIFORM("640 flits", panel_, BMIN_HIPIQS, 2, 640, message_),                               \
        UNIFORM("1280 flits", panel_, BMIN_HIPIQS, 2, 1280, message_)

/* Fig. 11: with packets of 64 flits and without. */
#define CUT(panel_, buffer_, message_, whole_, cut_)                                               \
    LINE(whole_, panel_, BMIN_HIPIQS, 2, buffer_, message_, 0, NULL),                              \
        LINE(cut_, panel_, BMIN_HIPIQS, 2, buffer_, message_, 64, NULL)

/* Fig. 12: two networks, two lengths, two switches. */
#define PERMUTED(panel_, pattern_)                                                                 \
    LINE("HIPIQS, 16 nodes, 64", panel_, BMIN_HIPIQS, 2, 640, 64, 0, pattern_),                    \
        LINE("HIPIQS, 16 nodes, 128", panel_, BMIN_HIPIQS, 2, 640, 128, 0, pattern_),              \
        LINE("HIPIQS, 64 nodes, 64", panel_, BMIN_HIPIQS, 3, 640, 64, 0, pattern_),                \
        LINE("HIPIQS, 64 nodes, 128", panel_, BMIN_HIPIQS, 3, 640, 128, 0, pattern_),              \
        LINE("central queue, 16 nodes, 64", panel_, BMIN_CENTRAL, 2, 640, 64, 0, pattern_),        \
        LINE("central queue, 16 nodes, 128", panel_, BMIN_CENTRAL, 2, 640, 128, 0, pattern_),      \
        LINE("central queue, 64 nodes, 64", panel_, BMIN_CENTRAL, 3, 640, 64, 0, pattern_),        \
        LINE("central queue, 64 nodes, 128", panel_, BMIN_CENTRAL, 3, 640, 128, 0, pattern_)

static const bmin_row rows[] = {
    {"003.7", 27, 27, {LENGTHS(0, 320), LENGTHS(2, 640), LENGTHS(4, 1280)}},
    {"003.8", 6, 9, {SIZES(0, 64), SIZES(2, 128), SIZES(0, 256)}},
    {"003.9",
     6,
     6,
     {UNIFORM("64 flits, buffer 320", 0, BMIN_HIPIQS, 2, 320, 64),
      UNIFORM("128 flits, buffer 640", 0, BMIN_HIPIQS, 2, 640, 128),
      UNIFORM("256 flits, buffer 1280", 0, BMIN_HIPIQS, 2, 1280, 256),
      UNIFORM("128 flits, buffer 320", 2, BMIN_HIPIQS, 2, 320, 128),
      UNIFORM("256 flits, buffer 640", 2, BMIN_HIPIQS, 2, 640, 256),
      UNIFORM("512 flits, buffer 1280", 2, BMIN_HIPIQS, 2, 1280, 512)}},
    {"003.10",
     8,
     8,
     {UNIFORM("HIPIQS, 16 nodes", 0, BMIN_HIPIQS, 2, 640, 64),
      UNIFORM("HIPIQS, 64 nodes", 0, BMIN_HIPIQS, 3, 640, 64),
      UNIFORM("central queue, 16 nodes", 0, BMIN_CENTRAL, 2, 640, 64),
      UNIFORM("central queue, 64 nodes", 0, BMIN_CENTRAL, 3, 640, 64),
      UNIFORM("HIPIQS, 16 nodes", 2, BMIN_HIPIQS, 2, 640, 128),
      UNIFORM("HIPIQS, 64 nodes", 2, BMIN_HIPIQS, 3, 640, 128),
      UNIFORM("central queue, 16 nodes", 2, BMIN_CENTRAL, 2, 640, 128),
      UNIFORM("central queue, 64 nodes", 2, BMIN_CENTRAL, 3, 640, 128)}},
    {"003.11",
     12,
     12,
     {CUT(0, 640, 128, "128 flits", "128 flits, packets of 64"),
      CUT(0, 640, 256, "256 flits", "256 flits, packets of 64"),
      CUT(0, 640, 512, "512 flits", "512 flits, packets of 64"),
      CUT(2, 1280, 128, "128 flits", "128 flits, packets of 64"),
      CUT(2, 1280, 256, "256 flits", "256 flits, packets of 64"),
      CUT(2, 1280, 512, "512 flits", "512 flits, packets of 64")}},
    {"003.12", 16, 16, {PERMUTED(0, "bit-reversal"), PERMUTED(2, "transpose")}},
};

const bmin_row *bmin_row_of(const char *figure)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (strcmp(rows[k].figure, figure) == 0)
            return &rows[k];
    }
    return NULL;
}

/* ---- the table of figures ---- */

static const swq_figure_plan plan = {.make = bmin_figure, .equal = true};

#define SOURCE "Sivaram, Stunkel and Panda 1997, HIPIQS (document 003)"
#define SETTING                                                                                    \
    "trees of 8-port switches, 4 links down and 4 up, adaptive on the way up; flits of 2 bytes, "  \
    "one a cycle and link; hop delay 3; open sources with unlimited queues; received load per "    \
    "node that sends; latency: of a message, from its creation until its last flit has arrived "   \
    "(tail)"

#define RECEIVED(letter_, title_)                                                                  \
    {                                                                                              \
        (letter_), title_, "received load (fraction of the links')", 1                             \
    }
#define LATENCY(letter_, title_)                                                                   \
    {                                                                                              \
        (letter_), title_, "mean latency of a message, tail (cycles)", 2000                        \
    }
#define KIND(name_, section_, title_, panels_, ...)                                                \
    {                                                                                              \
        .name = (name_), .title = (title_), .source = SOURCE, .section = (section_),               \
        .setting = SETTING, .over = SWQ_OVER_LOAD, .panels = (panels_), .panel = {__VA_ARGS__},    \
        .x_most = 1, .plan = &plan                                                                 \
    }

const swq_figure_kind swq_figures_003[BMIN_FIGURES] = {
    KIND("003.7", "5.2.1", "Length of messages, 16 nodes", 6, RECEIVED("a", "320 flits"),
         LATENCY("b", "320 flits"), RECEIVED("c", "640 flits"), LATENCY("d", "640 flits"),
         RECEIVED("e", "1280 flits"), LATENCY("f", "1280 flits")),
    KIND("003.8", "5.2.2", "Size of buffers, HIPIQS, 16 nodes", 4, RECEIVED("a", "64 flits"),
         LATENCY("b", "64 flits"), RECEIVED("c", "128 flits"), LATENCY("d", "128 flits")),
    KIND("003.9", "5.2.3", "Messages of one share of the buffer, HIPIQS, 16 nodes", 4,
         RECEIVED("a", "a fifth"), LATENCY("b", "a fifth"), RECEIVED("c", "two fifths"),
         LATENCY("d", "two fifths")),
    KIND("003.10", "5.3", "Size of the network, buffers of 640 flits", 4, RECEIVED("a", "64 flits"),
         LATENCY("b", "64 flits"), RECEIVED("c", "128 flits"), LATENCY("d", "128 flits")),
    KIND("003.11", "5.4", "Messages in packets of 64 flits, HIPIQS, 16 nodes", 4,
         RECEIVED("a", "640 flits"), LATENCY("b", "640 flits"), RECEIVED("c", "1280 flits"),
         LATENCY("d", "1280 flits")),
    KIND("003.12", "5.5", "Bit reversal and transpose, buffers of 640 flits", 4,
         RECEIVED("a", "bit reversal"), LATENCY("b", "bit reversal"), RECEIVED("c", "transpose"),
         LATENCY("d", "transpose")),
};
