/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random streams without state: a random word is a function of the seed, the replication, the owner
 * of the stream (packet n of a source; a switch in a cycle) and the place in that stream, by
 * Threefry2x64 with 13 rounds, the fewest that pass BigCrush (Salmon, Moraes, Dror, Shaw, SC 2011;
 * Random123). So no order of execution and no number of threads can change a number, and two buffer
 * organisations see the same packets.
 * Includes Random123 and, for the dice, GSL's generator interface.
 */
#ifndef SWQ_SIM_STREAM_H
#define SWQ_SIM_STREAM_H

#include "switchq/dice.h"

/* Threefry is plain integer arithmetic. Without this, Random123 includes all of the compiler's
 * intrinsics, 40,000 lines in each of 80 files, which was a fifth of the time of a build. */
#define R123_USE_SSE 0
#include <Random123/threefry.h>
#include <math.h>
#include <stdint.h>

typedef struct swq_words {
    uint32_t v[4]; /* independent */
} swq_words;

typedef struct swq_streams {
    threefry2x64_key_t key;
} swq_streams;

/* The purpose of a stream: streams of different purposes are independent. */
enum {
    SWQ_STREAM_PACKET,
    SWQ_STREAM_MORE,
    SWQ_STREAM_SWITCH,
    SWQ_STREAM_SETUP,
    SWQ_STREAM_KEY,
    SWQ_STREAM_BRANCH,
    SWQ_STREAM_CHOICE,
    SWQ_STREAM_DIGITS,
    SWQ_STREAM_START,
    SWQ_STREAM_SETS,
    SWQ_STREAM_TURN,
    SWQ_STREAM_FLOWS,
    SWQ_STREAM_QUERIES,
    SWQ_STREAM_PARTNERS
};

/* The four words of swq_stream_words as two words of 64 bits: v[0] and v[1], v[2] and v[3]. */
static inline void swq_stream_pair(const swq_streams *s, uint32_t purpose, uint32_t who,
                                   uint64_t place, uint64_t *first, uint64_t *second)
{
    threefry2x64_ctr_t at = {{(uint64_t)purpose << 32 | who, place}};
    threefry2x64_ctr_t w = threefry2x64_R(13, at, s->key);
    *first = w.v[0];
    *second = w.v[1];
}

static inline swq_words swq_stream_words(const swq_streams *s, uint32_t purpose, uint32_t who,
                                         uint64_t place)
{
    uint64_t first, second;
    swq_stream_pair(s, purpose, who, place, &first, &second);
    return (swq_words){
        {(uint32_t)(first >> 32), (uint32_t)first, (uint32_t)(second >> 32), (uint32_t)second}};
}

/* The streams of one replication. */
static inline swq_streams swq_streams_of(uint64_t seed, uint32_t replication)
{
    swq_streams root = {{{seed, 0}}};
    swq_words w = swq_stream_words(&root, SWQ_STREAM_KEY, replication, 0);
    return (swq_streams){{{(uint64_t)w.v[0] << 32 | w.v[1], (uint64_t)w.v[2] << 32 | w.v[3]}}};
}

/* Independent streams for branch `number` of a replication. */
static inline swq_streams swq_streams_branch(const swq_streams *s, uint64_t number)
{
    swq_streams branch;
    swq_stream_pair(s, SWQ_STREAM_BRANCH, 0, number, &branch.key.v[0], &branch.key.v[1]);
    return branch;
}

/* Uniform in (0, 1]: never 0, so that its logarithm is finite. */
static inline double swq_word_uniform(uint64_t word)
{
    return ((double)(word >> 11) + 1) * 0x1p-53;
}

/* Numbers in [0, 1) of 53 binary digits. The first 32 digits are a word that has been drawn. Except
 * once in 2^32 times these digits say on which side of a bound the number lies; only in that case
 * the other digits are drawn. So even a fraction as small as 1e-12 has its effect. */
static inline double swq_first_digits(uint32_t word)
{
    return (double)word * 0x1p-32;
}

/* Of a number in [0, 1) only the first 32 binary digits are known, as `number`, and `number` is
 * below the bound. Can the digits still to be drawn lift the number to the bound or above? */
static inline bool swq_digits_leave_open(double number, double bound)
{
    return bound < number + 0x1p-32;
}

/* Adds to `number`, which has 32 binary digits, the 21 digits that follow. They come from the
 * stream of such digits, for sender `who` and draw `place`, whose word `which` (0 to 3) they are.
 */
static inline double swq_all_digits(const swq_streams *s, uint32_t who, uint64_t place, int which,
                                    double number)
{
    const swq_words others = swq_stream_words(s, SWQ_STREAM_DIGITS, who, place);
    return number + (double)(others.v[which] >> 11) * 0x1p-53;
}

/* The factor for drawing a geometric number of mean `mean`, P(number >= k) = q^k, as floor(log(u) *
 * factor) with u uniform in (0, 1]. It is 1 / log q with q = mean / (1 + mean), written so that no
 * digits are lost where q rounds to 1. 0: the number is always 0; -INFINITY: the number is
 * infinite. */
static inline double swq_geometric_scale(double mean)
{
    return -1 / log1p(1 / mean);
}

/* A fair choice among n < 2^32 values; probabilities are exact to within n / 2^32. */
static inline uint32_t swq_word_below(uint32_t word, uint32_t n)
{
    return (uint32_t)((uint64_t)word * n >> 32);
}

/* Dice thrown from the stream of one switch in one cycle. */
typedef struct swq_switch_stream {
    swq_streams streams;
    uint32_t who, block;
    uint64_t cycle;
    int left;
    swq_words words;
} swq_switch_stream;

/* GSL generator type whose state is a swq_switch_stream owned by the caller: gsl_rng rng =
 * {swq_switch_rng, &stream}; */
extern const gsl_rng_type *const swq_switch_rng;

static inline void swq_switch_stream_begin(swq_switch_stream *s, uint32_t who, uint64_t cycle)
{
    s->who = who;
    s->cycle = cycle;
    s->block = 0;
    s->left = 0;
}

#endif
