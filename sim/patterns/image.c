/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Permutations as arrays, and drawing one.
 * Room: sim. Includes base.
 */
#include "sim/patterns/image.h"

#include "base/context.h"
#include "sim/stream.h"

/* Fisher and Yates. */
static void shuffle(const swq_streams *streams, uint32_t *image, uint32_t nodes)
{
    for (uint32_t i = 0; i < nodes; i++)
        image[i] = i;
    for (uint32_t i = nodes - 1; i > 0 && i < nodes; i--) {
        swq_words w = swq_stream_words(streams, SWQ_STREAM_SETUP, i, 0);
        uint32_t k = swq_word_below(w.v[0], i + 1), was = image[i];
        image[i] = image[k];
        image[k] = was;
    }
}

swq_status swq_pattern_make_image(swq_context *ctx, const swq_pattern *pattern,
                                  const swq_places *places, uint64_t seed, uint32_t **made)
{
    const uint32_t nodes = places->nodes;
    uint32_t *image = NULL;

    if (pattern->image || pattern->shuffled) {
        image = swq_calloc(ctx, nodes, sizeof *image);
        if (!image)
            return swq_memory_status(ctx);
    }
    if (pattern->image) {
        for (uint32_t i = 0; i < nodes; i++)
            image[i] = pattern->image(places, i);
    } else if (image) {
        swq_streams first = swq_streams_of(seed, 0);
        shuffle(&first, image, nodes);
    }
    *made = image;
    return SWQ_OK;
}
