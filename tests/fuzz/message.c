/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames between the processes of a sweep, behind their length. The first byte says whether a
 * request or a reply.
 */
#include "study/message.h"
#include "tests/fuzz/fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int64_t id;
    const char *words;
    swq_reply reply;

    if (size < 1)
        return 0;
    const size_t length = SWQ_FRAME_PREFIX + --size;
    /* a separate block, so that reads beyond its end are detected */
    char *frame = malloc(length);
    swq_context *ctx = swq_context_new();
    assert(ctx && frame);
    for (int k = 0; k < SWQ_FRAME_PREFIX; k++)
        frame[k] = (char)(size >> 8 * k);
    memcpy(frame + SWQ_FRAME_PREFIX, data + 1, size);
    assert(swq_frame_length(frame, length) == length);
    if (data[0] % 2 == 0) {
        if (swq_frame_read_request(ctx, frame, length, &id, &words) == SWQ_OK)
            assert(strlen(words) < length);
    } else {
        swq_frame_read_reply(ctx, frame, length, &reply);
    }
    swq_context_free(ctx);
    free(frame);
    return 0;
}
