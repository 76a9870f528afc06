/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of rows: their images, and how waiting ones settle.
 */
#include "models/row_parts.h"

#include "base/context.h"
#include "models/classes.h"
#include "models/cycle.h"
#include "models/reception.h"

#include <string.h>

/* Add a way for `row` to settle; several ways may lead to the same row, and are merged. */
static swq_status add_outcome(swq_context *ctx, swq_rows *rows, int32_t row, swq_row_outcome add)
{
    for (int64_t k = rows->first[row]; k < rows->outcome_count; k++) {
        swq_row_outcome *o = &rows->outcome[k];
        if (o->row == add.row) {
            o->chance += add.chance;
            o->refused += add.refused;
            o->created += add.created;
            o->idle += add.idle;
            return SWQ_OK;
        }
    }
    if (rows->outcome_count == rows->outcome_room) {
        int64_t room = 2 * rows->outcome_room + 64;
        if (!swq_resize_array(ctx, &rows->outcome, room, sizeof *rows->outcome))
            return swq_memory_status(ctx);
        rows->outcome_room = room;
    }
    rows->outcome[rows->outcome_count++] = add;
    rows->outcomes[row]++;
    return SWQ_OK;
}

static void note_throws(swq_rows *rows, const swq_dice *dice)
{
    rows->loaded = dice->loaded > rows->loaded ? dice->loaded : rows->loaded;
    rows->throws = dice->deepest > rows->throws ? dice->deepest : rows->throws;
}

/* Bursts before a FIFO queue: where the row's next packet goes. */
static double next_chance(const swq_rows *rows, int32_t row, int j)
{
    const swq_word *content = swq_row_content(rows, row);
    const swq_word words[] = {content[0], content[1], content[2], content[rows->held]};

    return swq_next_chance(&rows->layout,
                           rows->sw.dest[rows->representative[swq_row_class(rows, row)]], words, j);
}

/* Convert packets of input i by their known properties, [1 + 2 ports], to packets by destination
 * and by class. */
static void share_kinds(const swq_rows *rows, int i, const long double *packets, double *to,
                        double *of)
{
    const swq_layout *l = &rows->layout;

    for (int j = 0; j < l->ports; j++)
        to[j] = 0;
    of[0] = of[1] = 0;
    for (int k = 0; k < SWQ_CLASSES * l->ports; k++)
        swq_share_packet(l, rows->sw.dest[i], (swq_word)(k + 1), (double)packets[k + 1], to, of);
}

/* Reception at one input, over all outcomes of the dice, together with the filling of crosspoints
 * if that comes next: inputs are independent in both. */
static swq_status tabulate_arriving(swq_context *ctx, swq_rows *rows, int32_t row)
{
    int class = swq_row_class(rows, row), i = rows->representative[class];
    const swq_layout *l = &rows->lone_layout[class];
    swq_word state[SWQ_ROW_STATE_WORDS], content[SWQ_ROW_WORDS];
    long double accepted[2 * SWQ_CHAIN_PORTS + 1] = {0}, refused[2 * SWQ_CHAIN_PORTS + 1] = {0};
    swq_reception what;
    swq_moves moves;
    swq_dice dice;

    rows->first[row] = (int32_t)rows->outcome_count;
    swq_dice_begin_enumeration(&dice);
    do {
        int32_t into = 0;
        memset(state, 0, sizeof *state * (size_t)l->words);
        swq_rows_into_state(rows, swq_row_content(rows, row), i, state);
        swq_receive(&rows->lone[class], l, state, &dice, &what);
        if (rows->fill == 0)
            swq_take_step(&rows->lone[class], l, 0, state, &dice, &moves);
        swq_rows_of_state(rows, state, i, content);
        swq_rows_carry_mark(rows, row, 0, content);
        swq_status status = swq_rows_intern(ctx, rows, class, SWQ_ROW_SETTLED, content, &into);
        swq_row_outcome add = {.row = into, .chance = dice.probability};
        add.refused = what.refused[i] ? dice.probability : 0;
        add.created = what.packet[i] && !what.held[i] ? dice.probability : 0;
        add.idle = what.packet[i] ? 0 : dice.probability;
        if (!status)
            status = add_outcome(ctx, rows, row, add);
        if (status)
            return status;
        /* [0]: all packets; [1 + j]: those for destination j */
        long double *of = what.accepted[i] ? accepted : refused;
        of[0] += what.packet[i] ? dice.probability : 0;
        of[what.packet[i]] += what.packet[i] ? dice.probability : 0;
        note_throws(rows, &dice);
    } while (swq_dice_next(&dice));
    rows->accepted[row] = (double)accepted[0];
    rows->refused[row] = (double)refused[0];
    for (int j = 0; j < l->ports && l->classes == 1 && swq_rows_know_destinations(rows); j++) {
        long double share = l->deferred ? next_chance(rows, row, j) : 0;
        rows->accepted_to[row * l->ports + j] =
            (double)(l->deferred ? accepted[0] * share : accepted[j + 1]);
        rows->refused_to[row * l->ports + j] =
            (double)(l->deferred ? refused[0] * share : refused[j + 1]);
    }
    if (l->classes > 1) {
        share_kinds(rows, i, accepted, rows->accepted_to + row * l->ports,
                    rows->accepted_of + row * SWQ_CLASSES);
        share_kinds(rows, i, refused, rows->refused_to + row * l->ports,
                    rows->refused_of + row * SWQ_CLASSES);
    }
    return SWQ_OK;
}

/* Draw the missing parts of new heads, with two classes. */
static swq_status tabulate_heads(swq_context *ctx, swq_rows *rows, int32_t row)
{
    const int class = swq_row_class(rows, row), i = rows->representative[class];
    const swq_layout *l = &rows->lone_layout[class];
    swq_word state[SWQ_ROW_STATE_WORDS], content[SWQ_ROW_WORDS];
    swq_dice dice;

    rows->first[row] = (int32_t)rows->outcome_count;
    swq_dice_begin_enumeration(&dice);
    do {
        int32_t into = 0;
        memset(state, 0, sizeof *state * (size_t)l->words);
        swq_rows_into_state(rows, swq_row_content(rows, row), i, state);
        swq_draw_heads(&rows->lone[class], l, i, state, &dice);
        swq_rows_of_state(rows, state, i, content);
        swq_status status = swq_rows_intern(ctx, rows, class, SWQ_ROW_SETTLED, content, &into);
        if (!status)
            status = add_outcome(ctx, rows, row,
                                 (swq_row_outcome){.row = into, .chance = dice.probability});
        if (status)
            return status;
        note_throws(rows, &dice);
    } while (swq_dice_next(&dice));
    return SWQ_OK;
}

/* Draw the deferred destination of a new head. */
static swq_status tabulate_drawing(swq_context *ctx, swq_rows *rows, int32_t row)
{
    int class = swq_row_class(rows, row);
    const double *dest = rows->sw.dest[rows->representative[class]];
    swq_word content[SWQ_ROW_WORDS];

    rows->first[row] = (int32_t)rows->outcome_count;
    for (int j = 0; j < rows->layout.ports; j++) {
        int32_t into = 0;
        if (dest[j] <= 0)
            continue;
        memcpy(content, swq_row_content(rows, row), sizeof *content * (size_t)rows->words);
        content[1] = (swq_word)(j + 1);
        swq_status status = swq_rows_intern(ctx, rows, class, SWQ_ROW_SETTLED, content, &into);
        if (!status)
            status = add_outcome(ctx, rows, row, (swq_row_outcome){into, dest[j], 0, 0, 0});
        if (status)
            return status;
    }
    rows->loaded = rows->loaded > 1 ? rows->loaded : 1;
    return SWQ_OK;
}

/* Move packets to crosspoints at the end of a cycle. */
static swq_status tabulate_filling(swq_context *ctx, swq_rows *rows, int32_t row)
{
    int class = swq_row_class(rows, row), i = rows->representative[class];
    const swq_layout *l = &rows->lone_layout[class];
    swq_word state[SWQ_ROW_STATE_WORDS], content[SWQ_ROW_WORDS];
    swq_moves moves;
    swq_dice dice;

    rows->first[row] = (int32_t)rows->outcome_count;
    swq_dice_begin_enumeration(&dice);
    do {
        int32_t into = 0;
        memset(state, 0, sizeof *state * (size_t)l->words);
        swq_rows_into_state(rows, swq_row_content(rows, row), i, state);
        swq_take_step(&rows->lone[class], l, rows->fill, state, &dice, &moves);
        swq_rows_of_state(rows, state, i, content);
        swq_status status = swq_rows_intern(ctx, rows, class, SWQ_ROW_SETTLED, content, &into);
        if (!status)
            status =
                add_outcome(ctx, rows, row, (swq_row_outcome){into, dice.probability, 0, 0, 0});
        if (status)
            return status;
        note_throws(rows, &dice);
    } while (swq_dice_next(&dice));
    return SWQ_OK;
}

/* Waiting rows are settled from the fullest to the emptiest: full ones have fewest outcomes, and
 * the sooner they are settled the fewer partly settled switches there are. */
static int8_t order_of(const swq_rows *rows, int32_t row)
{
    int packets = 0;
    for (int q = 0; q < rows->layout.queues; q++)
        packets += swq_row_content(rows, row)[q];
    return (int8_t)(packets < 126 ? 1 + packets : 127);
}

static void note_least(swq_rows *rows, int32_t row)
{
    const uint16_t *image = rows->image + (int64_t)row * rows->images;
    uint16_t least = UINT16_MAX;
    uint32_t at = 0;

    for (int g = 0; g < rows->images; g++) {
        if (image[g] < least)
            at = 0;
        least = image[g] < least ? image[g] : least;
        if (g < 32 && image[g] == least)
            at |= 1u << g;
    }
    rows->least[row] = least;
    rows->least_at[row] = at;
}

/* Tabulate one row: its images, which may be new rows, and its outcomes. */
static swq_status fill_in(swq_context *ctx, swq_rows *rows, int32_t row)
{
    int class = swq_row_class(rows, row), kind = swq_intern_state(&rows->set, row)[1];
    swq_word image[SWQ_ROW_WORDS];
    int32_t number = 0;
    swq_status status = SWQ_OK;

    for (int g = 0; g < rows->images && !status; g++) {
        swq_row_rename(rows, class, swq_row_content(rows, row),
                       rows->permutation + g * rows->layout.ports, image);
        status = swq_rows_intern(ctx, rows, class, kind, image, &number);
        rows->image[(int64_t)row * rows->images + g] = (uint16_t)number;
    }
    if (status)
        return status;
    note_least(rows, row);
    if (class == rows->outputs) {
        rows->arriving[row] = row;
        return SWQ_OK;
    }
    if (kind == SWQ_ROW_SETTLED) {
        status = swq_rows_intern(ctx, rows, class, SWQ_ROW_ARRIVING, swq_row_content(rows, row),
                                 &number);
        rows->arriving[row] = number;
        return status;
    }
    rows->pending[row] = order_of(rows, row);
    return kind == SWQ_ROW_ARRIVING   ? tabulate_arriving(ctx, rows, row)
           : kind == SWQ_ROW_FILLING  ? tabulate_filling(ctx, rows, row)
           : rows->layout.classes > 1 ? tabulate_heads(ctx, rows, row)
                                      : tabulate_drawing(ctx, rows, row);
}

swq_status swq_rows_close(swq_context *ctx, swq_rows *rows)
{
    swq_status status = SWQ_OK;

    for (; rows->expanded < rows->set.count && !status; rows->expanded++)
        status = fill_in(ctx, rows, (int32_t)rows->expanded);
    return status;
}

swq_status swq_rows_number(swq_context *ctx, swq_rows *rows, int class, const swq_word *content,
                           int32_t *number)
{
    swq_status status = swq_rows_intern(ctx, rows, class, SWQ_ROW_SETTLED, content, number);
    return status ? status : swq_rows_close(ctx, rows);
}

swq_status swq_rows_renamed(swq_context *ctx, swq_rows *rows, const swq_word *key, int32_t *number)
{
    swq_status status = swq_rows_intern(ctx, rows, key[0], key[1], key + 2, number);
    return status ? status : swq_rows_close(ctx, rows);
}
