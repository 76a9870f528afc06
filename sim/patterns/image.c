/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Permutations as arrays, and drawing one.
 */
#include "sim/patterns/image.h"

#include "base/context.h"
#include "base/plugins.h"
#include "sim/stream.h"

/* Fills `image` with a random permutation of the nodes (Fisher and Yates). */
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

/* Is the image of a plug-in's pattern a permutation, as its row says? */
static swq_status check_permutation(swq_context *ctx, const swq_pattern *pattern,
                                    const uint32_t *image, uint32_t nodes)
{
    bool *taken = swq_calloc(ctx, nodes, sizeof *taken);
    swq_status status = taken ? SWQ_OK : swq_memory_status(ctx);

    for (uint32_t i = 0; i < nodes && !status; i++) {
        if (image[i] >= nodes)
            status = swq_fail(ctx, SWQ_EINVAL,
                              "pattern %s of a plug-in sends node %u to node %u, and there are %u "
                              "nodes",
                              pattern->name, i, image[i], nodes);
        else if (taken[image[i]])
            status = swq_fail(ctx, SWQ_EINVAL,
                              "pattern %s of a plug-in is no permutation of %u nodes: two of them "
                              "send to node %u",
                              pattern->name, nodes, image[i]);
        else
            taken[image[i]] = true;
    }
    swq_free(ctx, taken);
    return status;
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
        if (swq_row_plugin(ctx, pattern)) {
            swq_status status = check_permutation(ctx, pattern, image, nodes);
            if (status) {
                swq_free(ctx, image);
                return status;
            }
        }
    } else if (image) {
        swq_streams first = swq_streams_of(seed, 0);
        shuffle(&first, image, nodes);
    }
    *made = image;
    return SWQ_OK;
}
