/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of rows: the row that is left after a row sends, and the row of output queues after
 * departures.
 */
#include "models/row_parts.h"

#include "base/context.h"
#include "models/classes.h"
#include "models/cycle.h"

#include <string.h>

/* The row that is left after heads of both classes are sent. */
static swq_status tabulate_class_send(swq_context *ctx, swq_rows *rows, int32_t row, uint32_t mask,
                                      int32_t *left)
{
    const int class = swq_row_class(rows, row), i = rows->representative[class];
    const swq_layout *l = &rows->lone_layout[class];
    swq_word state[SWQ_ROW_STATE_WORDS], content[SWQ_ROW_WORDS];
    int grant[SWQ_CHAIN_PORTS], of[SWQ_CHAIN_PORTS];

    for (int j = 0; j < l->ports; j++) {
        of[j] = mask >> (SWQ_ROW_PORTS + j) & 1;
        grant[j] = of[j] || mask >> j & 1 ? i : SWQ_NO_INPUT;
    }
    memset(state, 0, sizeof *state * (size_t)l->words);
    swq_rows_into_state(rows, swq_row_content(rows, row), i, state);
    swq_send_classes(l, grant, of, state);
    swq_rows_of_state(rows, state, i, content);
    const int kind =
        swq_head_missing(l, content, content + l->queues) ? SWQ_ROW_DRAWING : SWQ_ROW_SETTLED;
    swq_status status = swq_rows_intern(ctx, rows, class, kind, content, left);
    return status ? status : swq_rows_close(ctx, rows);
}

/* The row that is left after sending, by the rule of the switch. A new head that must be drawn is
 * removed again, whatever the dice gave. */
static swq_status tabulate_send(swq_context *ctx, swq_rows *rows, int32_t row, uint32_t mask,
                                swq_row_sending how, int32_t *left)
{
    int class = swq_row_class(rows, row), i = rows->representative[class], kind = SWQ_ROW_SETTLED;
    const swq_layout *l = &rows->lone_layout[class];
    swq_word state[SWQ_ROW_STATE_WORDS], content[SWQ_ROW_WORDS];
    int grant[SWQ_CHAIN_PORTS];
    swq_dice dice;

    for (int j = 0; j < l->ports; j++)
        grant[j] = mask >> j & 1 ? i : SWQ_NO_INPUT;
    swq_dice_begin_enumeration(&dice);
    memset(state, 0, sizeof *state * (size_t)l->words);
    swq_rows_into_state(rows, swq_row_content(rows, row), i, state);
    if (how == SWQ_SENDS)
        swq_send_granted(&rows->lone[class], l, grant, state, &dice);
    else if (how == SWQ_SENDS_MORE)
        swq_take_granted(&rows->lone[class], l, grant, state, &dice);
    for (int j = 0; j < l->ports && how == SWQ_SERVES; j++)
        state[l->cross + i * l->ports + j] =
            (swq_word)(state[l->cross + i * l->ports + j] - (mask >> j & 1));
    swq_rows_of_state(rows, state, i, content);
    swq_rows_carry_mark(rows, row, mask, content);
    /* a packet of the same burst goes where the last one went */
    const bool alike = l->same >= 0 && (swq_row_content(rows, row)[2] & 1);
    if (how == SWQ_SERVES && rows->fill > 0) {
        kind = SWQ_ROW_FILLING;
    } else if (how != SWQ_SERVES && l->deferred && content[1] != 0 && mask != 0 && !alike) {
        content[1] = 0;
        kind = SWQ_ROW_DRAWING;
    }
    swq_status status = swq_rows_intern(ctx, rows, class, kind, content, left);
    return status ? status : swq_rows_close(ctx, rows);
}

swq_status swq_rows_send(swq_context *ctx, swq_rows *rows, int32_t row, uint32_t mask,
                         swq_row_sending how, int32_t *left)
{
    const swq_word key[4] = {(swq_word)row, (swq_word)mask, (swq_word)(mask >> 16), (swq_word)how};
    int64_t known = rows->sent_key.count;
    int64_t at =
        ctx ? swq_intern_number(ctx, &rows->sent_key, key) : swq_intern_find(&rows->sent_key, key);

    if (at < 0)
        return ctx ? swq_memory_status(ctx) : SWQ_ELIMIT;
    if (at < known) {
        *left = rows->sent[at];
        return SWQ_OK;
    }
    if (at >= rows->sent_room) {
        int64_t room = 2 * at + 64;
        if (!swq_resize_array(ctx, &rows->sent, room, sizeof *rows->sent))
            return swq_memory_status(ctx);
        rows->sent_room = room;
    }
    swq_status status = rows->layout.classes > 1 ? tabulate_class_send(ctx, rows, row, mask, left)
                                                 : tabulate_send(ctx, rows, row, mask, how, left);
    rows->sent[at] = status ? -1 : *left;
    return status;
}

swq_status swq_rows_outputs(swq_context *ctx, swq_rows *rows, int32_t row, uint32_t gained,
                            bool depart, int32_t *after)
{
    swq_word content[SWQ_ROW_WORDS] = {0};
    const swq_word *before = swq_row_content(rows, row);

    for (int j = 0; j < rows->layout.ports; j++) {
        int length = before[j] + (int)(gained >> j & 1);
        content[j] = (swq_word)(length - (depart && length > 0));
    }
    return swq_rows_number(ctx, rows, rows->outputs, content, after);
}
