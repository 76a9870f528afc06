/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of packets that have ended and have not been read.
 */
#include "sim/live/live.h"

#include "base/context.h"

#include <stddef.h>
#include <string.h>

swq_status swq_live_reserve(swq_live *live, size_t more)
{
    if (live->end_first > 0 && live->end_first + live->ends + more > live->end_room) {
        memmove(live->end, live->end + live->end_first, live->ends * sizeof *live->end);
        live->end_first = 0;
    }
    const size_t needed = live->ends + more;
    if (live->end_first + needed <= live->end_room)
        return SWQ_OK;
    const size_t room = needed > 2 * live->end_room ? needed : 2 * live->end_room;
    if (!swq_resize_array(live->ctx, &live->end, (int64_t)room, sizeof *live->end))
        return swq_memory_status(live->ctx);
    live->end_room = room;
    return SWQ_OK;
}

void swq_live_keep_end(swq_live *live, const swq_live_end *end)
{
    swq_live_end *to = &live->end[live->end_first + live->ends++];

    enum { MEMBERS = offsetof(swq_live_end, offered) + sizeof to->offered };

    *to = *end;
    to->offered = live->token_room > 0 &&
                  swq_tokens_take(&live->tokens, end->from, (uint32_t)end->birth, &to->token);
    /* saved states are the same byte by byte */
    memset((char *)to + MEMBERS, 0, sizeof *to - MEMBERS);
}

size_t swq_live_ended(swq_live *live, swq_live_end *end, size_t most)
{
    const size_t count = live->ends < most ? live->ends : most;

    if (!end)
        return live->ends;
    if (count > 0)
        memcpy(end, live->end + live->end_first, count * sizeof *end);
    live->ends -= count;
    live->end_first = live->ends > 0 ? live->end_first + count : 0;
    return count;
}
