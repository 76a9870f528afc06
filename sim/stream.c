/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The GSL interface of a switch's stream.
 */
#include "sim/stream.h"

static unsigned long next_word(void *state)
{
    swq_switch_stream *s = state;

    if (s->left == 0) {
        /* room for 2^12 blocks a cycle, of which a switch needs a handful, and 2^52 cycles */
        s->words = swq_stream_words(&s->streams, SWQ_STREAM_SWITCH, s->who,
                                    s->cycle << 12 | (s->block & 0xfff));
        s->block++;
        s->left = 4;
    }
    return s->words.v[--s->left];
}

static double next_uniform(void *state)
{
    return (double)next_word(state) / 4294967296.0;
}

static void keep(void *state, unsigned long seed)
{
    (void)state; /* swq_switch_stream_begin sets the position in a stream; there is no seed */
    (void)seed;
}

static const gsl_rng_type type = {
    "threefry2x64-13", 0xffffffffUL, 0, sizeof(swq_switch_stream), keep, next_word, next_uniform,
};

const gsl_rng_type *const swq_switch_rng = &type;
