/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Document 003's figures as rows of lines.
 * Room: validate. Includes sim.
 */
#include "validate/figures/bmin.h"

#include <string.h>

/* The name in the legend, the panel, and the parameters. */
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

/* Fig. 11: with packets of 64 flits, and uncut. */
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

const double bmin_loads[BMIN_LOADS] = {0.2, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1};

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

const bmin_result *bmin_result_of(const bmin *b, const bmin_line *line)
{
    for (int k = 0; k < b->row->lines; k++) {
        const bmin_line *own = &b->row->line[k];
        const bool like = !own->pattern == !line->pattern &&
                          (!own->pattern || strcmp(own->pattern, line->pattern) == 0);
        if (like && own->memory == line->memory && own->levels == line->levels &&
            own->buffer == line->buffer && own->message == line->message &&
            own->packet == line->packet)
            return &b->result[k];
    }
    return NULL;
}
