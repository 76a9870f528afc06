/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tokens in lists, one for each source, whose entries come from one array.
 */
#include "sim/live/tokens.h"

#include <assert.h>

void swq_tokens_list(swq_tokens *t, uint32_t nodes, size_t room, swq_arrays *list)
{
    SWQ_ARRAY(list, t->head, room ? nodes : 0);
    SWQ_ARRAY(list, t->spare, room ? 1 : 0);
    SWQ_ARRAY(list, t->next, room);
    SWQ_ARRAY(list, t->birth, room);
    SWQ_ARRAY(list, t->token, room);
}

void swq_tokens_begin(swq_tokens *t, size_t room)
{
    for (size_t k = 0; k < room; k++)
        t->next[k] = k + 1 < room ? (uint32_t)k + 2 : 0;
    if (room)
        t->spare[0] = 1;
}

void swq_tokens_put(swq_tokens *t, uint32_t from, uint32_t birth, uint64_t token)
{
    const uint32_t at = t->spare[0];

    assert(at);
    t->spare[0] = t->next[at - 1];
    t->next[at - 1] = t->head[from];
    t->birth[at - 1] = birth;
    t->token[at - 1] = token;
    t->head[from] = at;
}

bool swq_tokens_take(swq_tokens *t, uint32_t from, uint32_t birth, uint64_t *token)
{
    uint32_t *to = &t->head[from];

    while (*to && t->birth[*to - 1] != birth)
        to = &t->next[*to - 1];
    const uint32_t at = *to;
    if (!at)
        return false;
    *token = t->token[at - 1];
    *to = t->next[at - 1];
    t->next[at - 1] = t->spare[0];
    t->spare[0] = at;
    return true;
}
