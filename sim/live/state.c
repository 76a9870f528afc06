/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The state of a network that is stepped, as bytes: a head that says of which network it is, the
 * pieces of the network and of its counters, and the ends that have not been read.
 */
#include "sim/live/live.h"

#include "base/context.h"
#include "switchq/version.h"

#include <string.h>

#define MAGIC UINT64_C(0x6576696c71777332) /* in the byte order of the machine */

typedef struct {
    uint64_t magic, identity, bytes, ends;
    uint64_t check; /* of all that follows */
} state_head;

/* ---- which network it is: engines add what they are ---- */

/* Adds bytes to a hash (Fowler, Noll and Vo: FNV-1a). */
void swq_live_mix(uint64_t *hash, const void *bytes, size_t count)
{
    const unsigned char *b = bytes;

    for (size_t k = 0; k < count; k++)
        *hash = (*hash ^ b[k]) * UINT64_C(0x100000001b3);
}

void swq_live_mix_text(uint64_t *hash, const char *text)
{
    swq_live_mix(hash, text, strlen(text) + 1);
}

void swq_live_mix_number(uint64_t *hash, double number)
{
    swq_live_mix(hash, &number, sizeof number);
}

void swq_live_mix_buffer(uint64_t *hash, const swq_buffer *b)
{
    const double number[] = {
        b->scope,           b->queues,          b->read,      b->capacity,   b->queue_min,
        b->queue_max,       b->alpha,           b->ties,      b->drop_head,  b->expel,
        b->expel_chance[0], b->expel_chance[1], b->congested, b->oracle.flip};

    swq_live_mix(hash, number, sizeof number);
    swq_live_mix_text(hash, swq_buffer_pool_rule(b)->name);
    swq_live_mix_text(hash, swq_buffer_admission(b)->name);
    if (b->oracle.answer)
        swq_live_mix(hash, b->oracle.answer, b->oracle.answers);
}

/* ---- the pieces ---- */

static void add_counters(swq_state *state, swq_system *s)
{
    uint64_t *const count[] = {&s->created,       &s->delivered,       &s->discarded,
                               &s->hops,          &s->sojourn,         &s->area,
                               &s->bytes_created, &s->bytes_delivered, &s->bytes_lost};

    for (size_t k = 0; k < sizeof count / sizeof *count; k++)
        swq_state_add(state, count[k], sizeof *count[k]);
    swq_state_add(state, &s->overflow, sizeof s->overflow);
    swq_state_add(state, &s->drained, sizeof s->drained);
    swq_state_add(state, s->tally, swq_system_counters(s) * sizeof *s->tally);
}

static uint64_t identity_of(const swq_live *live)
{
    uint64_t hash = live->engine->identity(live);

    swq_live_mix_text(&hash, SWQ_VERSION);
    swq_live_mix_number(&hash, live->options.follow);
    swq_live_mix_number(&hash, live->options.plain);
    for (int k = 0; k < live->state.pieces; k++)
        swq_live_mix_number(&hash, (double)live->state.piece[k].bytes);
    return hash;
}

void swq_live_lay_out_state(swq_live *live)
{
    swq_arrays list;

    live->engine->state(live, &live->state);
    add_counters(&live->state, live->system);
    swq_state_add(&live->state, &live->offered, sizeof live->offered);
    swq_live_list(live, &list);
    swq_state_add_arrays(&live->state, &list);
    live->identity = identity_of(live);
}

/* ---- saving and restoring ---- */

static size_t bytes_of(const swq_live *live, uint64_t ends)
{
    return sizeof(state_head) + live->state.bytes + ends * sizeof *live->end;
}

size_t swq_live_state_bytes(const swq_live *live)
{
    return bytes_of(live, live->ends);
}

/* A sum in which every bit of what follows the head counts, eight bytes at a time. */
static uint64_t check_of(const unsigned char *from, size_t bytes)
{
    uint64_t sum = bytes, word = 0;

    for (size_t k = 0; k < bytes; k += sizeof word) {
        memcpy(&word, from + k, bytes - k < sizeof word ? bytes - k : sizeof word);
        sum = (sum ^ word ^ sum >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return sum;
}

void swq_live_save(const swq_live *live, void *state)
{
    state_head head = {MAGIC, live->identity, live->state.bytes, live->ends, 0};
    unsigned char *to = (unsigned char *)state + sizeof head;

    swq_state_save(&live->state, to);
    if (live->ends > 0)
        memcpy(to + live->state.bytes, live->end + live->end_first, live->ends * sizeof *live->end);
    head.check = check_of(to, bytes_of(live, live->ends) - sizeof head);
    memcpy(state, &head, sizeof head);
}

static swq_status check_head(const swq_live *live, const state_head *head, size_t bytes)
{
    if (head->magic != MAGIC)
        return swq_fail(live->ctx, SWQ_EINVAL, "these bytes are no state of a network");
    if (head->identity != live->identity)
        return swq_fail(live->ctx, SWQ_EINVAL,
                        "the state is that of another network, or of another version (this is "
                        "%s)",
                        SWQ_VERSION);
    if (head->bytes != live->state.bytes || head->ends > bytes ||
        bytes != bytes_of(live, head->ends))
        return swq_fail(live->ctx, SWQ_EINVAL, "the state is incomplete: it has %zu bytes", bytes);
    return SWQ_OK;
}

swq_status swq_live_restore(swq_live *live, const void *state, size_t bytes)
{
    const unsigned char *from = state;
    state_head head = {0};

    if (bytes >= sizeof head)
        memcpy(&head, state, sizeof head);
    swq_status status = check_head(live, &head, bytes);
    if (!status && head.check != check_of(from + sizeof head, bytes - sizeof head))
        status = swq_fail(live->ctx, SWQ_EINVAL, "the state has been damaged");
    if (!status && head.ends > live->ends)
        status = swq_live_reserve(live, head.ends - live->ends);
    if (status)
        return status;
    from += sizeof head;
    swq_state_restore(&live->state, from);
    live->end_first = 0;
    live->ends = head.ends;
    if (head.ends > 0)
        memcpy(live->end, from + live->state.bytes, head.ends * sizeof *live->end);
    live->engine->restored(live);
    return SWQ_OK;
}
