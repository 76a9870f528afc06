/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Document 003's figures: panels and axes, and what is said of each. Room: validate. Includes sim.
 */
#include "validate/figures/bmin.h"

static const swq_figure_plan plan = {.make = bmin_figure, .equal = true};

#define SOURCE "Sivaram, Stunkel and Panda 1997, HIPIQS (document 003)"
#define SETTING                                                                                    \
    "trees of 8-port switches, 4 links down and 4 up, adaptive on the way up; flits of 2 bytes, "  \
    "one a cycle and link; hop delay 3; open sources with unlimited queues; received load per "    \
    "node that sends; latency: of a message, from its creation until its last flit has arrived "   \
    "(tail)"

#define RECEIVED(letter_, title_)                                                                  \
    {                                                                                              \
        (letter_), title_, "received load (fraction of the links' rate)", 1                        \
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
