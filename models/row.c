/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbering rows and tabulating what becomes of them.
 * Room: models. Includes base.
 */
#include "models/row.h"

#include "base/context.h"
#include "models/classes.h"
#include "models/cycle.h"

#include <string.h>

enum { SETTLED, ARRIVING, DRAWING, FILLING };

enum { STATE_WORDS = SWQ_ROW_PORTS * (SWQ_ROW_WORDS + 1) };

/* List the permutations of outputs within their classes, the identity first. */
static swq_status list_permutations(swq_context *ctx, swq_rows *rows)
{
    int n = rows->layout.ports;
    double order = swq_symmetry_outputs(rows->symmetry, n);

    rows->images = order <= SWQ_ROW_IMAGES ? (int)order : 0;
    rows->permutation = swq_calloc(ctx, (size_t)rows->images + 1, (size_t)n);
    if (!rows->permutation)
        return swq_memory_status(ctx);
    for (int g = 0; g < rows->images; g++)
        swq_symmetry_output_permutation(rows->symmetry, n, g, rows->permutation + g * n);
    return SWQ_OK;
}

/* The switch in which only input i has traffic. */
static void make_lone(const swq_switch *sw, int i, swq_switch *lone, swq_layout *layout)
{
    *lone = *sw;
    for (int other = 0; other < sw->ports; other++)
        lone->load[other] = other == i ? sw->load[i] : 0;
    swq_layout_init(layout, lone);
}

swq_status swq_rows_init(swq_context *ctx, const swq_switch *sw, const swq_symmetry *symmetry,
                         swq_rows *rows)
{
    memset(rows, 0, offsetof(swq_rows, lone));
    rows->sw = *sw;
    rows->symmetry = symmetry;
    swq_layout_init(&rows->layout, sw);
    const swq_layout *l = &rows->layout;
    for (int i = 0; i < l->ports; i++) {
        int c = 0;
        while (c < rows->classes && rows->representative[c] != symmetry->input_class[i])
            c++;
        if (c == rows->classes) {
            make_lone(sw, i, &rows->lone[c], &rows->lone_layout[c]);
            rows->representative[rows->classes++] = i;
        }
        rows->members[c]++;
    }
    rows->words = l->queues * (l->freed >= 0 ? 2 : 1) + l->heads + (l->same >= 0) + (l->held >= 0);
    rows->held = rows->words - 1;
    rows->cross = rows->outputs = rows->fill = -1;
    rows->tuple = l->ports;
    if (l->cross >= 0) {
        rows->cross = rows->words;
        rows->words += l->ports;
    }
    for (int k = 0; k < l->steps; k++)
        rows->fill = l->step[k] == SWQ_STEP_FILL ? k : rows->fill;
    if (l->out >= 0) {
        rows->outputs = rows->classes;
        rows->tuple++;
    }
    rows->input_words = rows->words;
    if (l->out >= 0)
        rows->words = rows->words > l->ports ? rows->words : l->ports;
    rows->plain_words = rows->words;
    swq_intern_init(&rows->set, 2 + rows->words);
    swq_intern_init(&rows->sent_key, 4);
    swq_status status = list_permutations(ctx, rows);
    if (status)
        swq_rows_clear(ctx, rows);
    return status;
}

void swq_rows_mark(swq_rows *rows)
{
    rows->marked = true;
    rows->words += SWQ_MARK_WORDS;
    swq_intern_init(&rows->set, 2 + rows->words);
}

void swq_rows_clear(swq_context *ctx, swq_rows *rows)
{
    swq_intern_clear(ctx, &rows->set);
    swq_intern_clear(ctx, &rows->sent_key);
    swq_free(ctx, rows->permutation);
    swq_free(ctx, rows->image);
    swq_free(ctx, rows->least);
    swq_free(ctx, rows->least_at);
    swq_free(ctx, rows->arriving);
    swq_free(ctx, rows->first);
    swq_free(ctx, rows->outcomes);
    swq_free(ctx, rows->refused);
    swq_free(ctx, rows->accepted);
    swq_free(ctx, rows->refused_to);
    swq_free(ctx, rows->accepted_to);
    swq_free(ctx, rows->refused_of);
    swq_free(ctx, rows->accepted_of);
    swq_free(ctx, rows->pending);
    swq_free(ctx, rows->outcome);
    swq_free(ctx, rows->sent);
    memset(rows, 0, offsetof(swq_rows, lone));
}

void swq_rows_places(const swq_rows *rows, const swq_word *row, uint8_t *place)
{
    int n = rows->layout.ports;
    bool taken[SWQ_ROW_PORTS] = {false};

    for (int k = 0; k < rows->tuple; k++) {
        if (swq_row_class(rows, row[k]) == rows->outputs) {
            place[n] = (uint8_t)k;
            continue;
        }
        int i = rows->representative[swq_row_class(rows, row[k])];
        while (taken[i] ||
               rows->symmetry->input_class[i] != rows->representative[swq_row_class(rows, row[k])])
            i++;
        taken[i] = true;
        place[i] = (uint8_t)k;
    }
}

/* A row's words in order: lengths, head, same, freed, held. */
void swq_rows_of_state(const swq_rows *rows, const swq_word *state, int i, swq_word *content)
{
    const swq_layout *l = &rows->layout;
    size_t queues = sizeof *state * (size_t)l->queues;

    memcpy(content, state + i * l->queues, queues);
    content += l->queues;
    for (int h = 0; h < l->heads; h++)
        *content++ = state[l->head + i * l->heads + h];
    if (l->same >= 0)
        *content++ = state[l->same + i];
    if (l->freed >= 0) {
        memcpy(content, state + l->freed + i * l->queues, queues);
        content += l->queues;
    }
    if (l->held >= 0)
        *content++ = state[l->held + i];
    if (l->cross >= 0) {
        memcpy(content, state + l->cross + i * l->ports, sizeof *state * (size_t)l->ports);
        content += l->ports;
    }
    for (int k = rows->input_words; k < rows->plain_words; k++)
        *content++ = 0;
}

void swq_rows_into_state(const swq_rows *rows, const swq_word *content, int i, swq_word *state)
{
    const swq_layout *l = &rows->layout;
    size_t queues = sizeof *state * (size_t)l->queues;

    memcpy(state + i * l->queues, content, queues);
    content += l->queues;
    for (int h = 0; h < l->heads; h++)
        state[l->head + i * l->heads + h] = *content++;
    if (l->same >= 0)
        state[l->same + i] = *content++;
    if (l->freed >= 0) {
        memcpy(state + l->freed + i * l->queues, content, queues);
        content += l->queues;
    }
    if (l->held >= 0)
        state[l->held + i] = *content++;
    if (l->cross >= 0)
        memcpy(state + l->cross + i * l->ports, content, sizeof *state * (size_t)l->ports);
}

/* (Rows of two classes have no mark.) */
static void rename_classes(const swq_layout *l, const swq_word *content, const uint8_t *to,
                           swq_word *image)
{
    int at = l->queues;

    swq_rename_queues(l, to, content, image);
    swq_rename_heads(l, to, content + at, image + at);
    at += l->heads;
    if (l->freed >= 0) {
        swq_rename_queues(l, to, content + at, image + at);
        at += l->queues;
    }
    if (l->held >= 0)
        image[at] = swq_rename_packet(l, to, content[at]);
}

int swq_row_class_request(const swq_rows *rows, int32_t row, int class, int j)
{
    const swq_layout *l = &rows->layout;
    const swq_word *content = swq_row_content(rows, row);

    for (int q = 0; q < l->queues; q++) {
        swq_kind_of_packet head = {0};
        const int length = swq_class_request(l, content, content + l->queues, q, &head);
        if (length > 0 && head.class == class && head.to == j)
            return length;
    }
    return 0;
}

void swq_row_rename(const swq_rows *rows, int class, const swq_word *content, const uint8_t *to,
                    swq_word *image)
{
    const swq_layout *l = &rows->layout;
    int at = 0;

    if (class == rows->outputs) {
        memset(image, 0, sizeof *image * (size_t)rows->words);
        for (int j = 0; j < l->ports; j++)
            image[to[j]] = content[j];
        return;
    }
    if (l->classes > 1) {
        rename_classes(l, content, to, image);
        return;
    }

    for (int part = 0; part < (l->freed >= 0 ? 2 : 1); part++) {
        for (int q = 0; q < l->queues; q++)
            image[at + (l->queues == 1 ? 0 : to[q])] = content[at + q];
        at += l->queues;
        if (part == 0 && l->head >= 0) {
            image[at] = content[at] ? (swq_word)(1 + to[content[at] - 1]) : 0;
            at++;
        }
        if (part == 0 && l->same >= 0) {
            image[at] = content[at];
            at++;
        }
    }
    if (l->held >= 0) {
        image[at] =
            swq_names_output(l, content[at]) ? (swq_word)(1 + to[content[at] - 1]) : content[at];
        at++;
    }
    for (int j = 0; rows->cross >= 0 && j < l->ports; j++)
        image[at + to[j]] = content[at + j];
    for (at += rows->cross >= 0 ? l->ports : 0; at < rows->plain_words; at++)
        image[at] = 0;
    if (rows->marked) {
        bool moves = content[at] > 0 && content[at] <= l->ports && !l->deferred;
        image[at] = moves ? (swq_word)(1 + to[content[at] - 1]) : content[at];
        image[at + 1] = content[at + 1];
    }
}

/* Does acceptance depend on a packet's destination? */
static bool knows_destinations(const swq_rows *rows)
{
    return !rows->layout.deferred || rows->layout.bursts;
}

static swq_status make_room(swq_context *ctx, swq_rows *rows, int64_t count)
{
    if (count > SWQ_MOST_ROWS)
        return swq_fail(ctx, SWQ_ELIMIT, "an input has more than %d different contents",
                        SWQ_MOST_ROWS);
    if (count <= rows->room)
        return SWQ_OK;
    int64_t room = 2 * count + 64;
    size_t images = (size_t)(rows->images > 0 ? rows->images : 1);
    if (!swq_resize_array(ctx, &rows->image, room, images * sizeof *rows->image) ||
        !swq_resize_array(ctx, &rows->least, room, sizeof *rows->least) ||
        !swq_resize_array(ctx, &rows->least_at, room, sizeof *rows->least_at) ||
        !swq_resize_array(ctx, &rows->arriving, room, sizeof *rows->arriving) ||
        !swq_resize_array(ctx, &rows->first, room, sizeof *rows->first) ||
        !swq_resize_array(ctx, &rows->outcomes, room, sizeof *rows->outcomes) ||
        !swq_resize_array(ctx, &rows->refused, room, sizeof *rows->refused) ||
        !swq_resize_array(ctx, &rows->accepted, room, sizeof *rows->accepted) ||
        !swq_resize_array(ctx, &rows->pending, room, sizeof *rows->pending))
        return swq_memory_status(ctx);
    size_t by_output = sizeof(double) * (size_t)rows->layout.ports;
    if (knows_destinations(rows) && (!swq_resize_array(ctx, &rows->refused_to, room, by_output) ||
                                     !swq_resize_array(ctx, &rows->accepted_to, room, by_output)))
        return swq_memory_status(ctx);
    const size_t by_class = sizeof(double) * SWQ_CLASSES;
    if (rows->layout.classes > 1 && (!swq_resize_array(ctx, &rows->refused_of, room, by_class) ||
                                     !swq_resize_array(ctx, &rows->accepted_of, room, by_class)))
        return swq_memory_status(ctx);
    rows->room = room;
    return SWQ_OK;
}

static swq_status intern_row(swq_context *ctx, swq_rows *rows, int class, int kind,
                             const swq_word *content, int32_t *number)
{
    swq_word key[2 + SWQ_ROW_WORDS] = {(swq_word) class, (swq_word)kind};

    memcpy(key + 2, content, sizeof *content * (size_t)rows->words);
    int64_t found =
        ctx ? swq_intern_number(ctx, &rows->set, key) : swq_intern_find(&rows->set, key);
    if (found < 0)
        return ctx ? swq_memory_status(ctx) : SWQ_ELIMIT;
    *number = (int32_t)found;
    return ctx ? make_room(ctx, rows, rows->set.count) : SWQ_OK;
}

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

/* Write the mark of `row` to a content, after the row has sent to the outputs in `sent`. */
static void carry_mark(const swq_rows *rows, int32_t row, uint32_t sent, swq_word *content)
{
    if (!rows->marked)
        return;
    const swq_word *from = swq_row_mark(rows, row);
    swq_word *to = content + rows->words - SWQ_MARK_WORDS;
    bool moves = from[0] > 0 && from[0] <= rows->layout.ports &&
                 (rows->layout.deferred ? sent != 0 : (sent >> (from[0] - 1) & 1) != 0);
    to[0] = moves && from[1] == 0 ? 0 : from[0];
    to[1] = moves && from[1] > 0 ? (swq_word)(from[1] - 1) : from[1];
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

/* Convert packets of input i by what is known of them, [1 + 2 ports], to packets by destination and
 * by class. */
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
    swq_word state[STATE_WORDS], content[SWQ_ROW_WORDS];
    long double accepted[2 * SWQ_MAX_PORTS + 1] = {0}, refused[2 * SWQ_MAX_PORTS + 1] = {0};
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
        carry_mark(rows, row, 0, content);
        swq_status status = intern_row(ctx, rows, class, SETTLED, content, &into);
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
    for (int j = 0; j < l->ports && l->classes == 1 && knows_destinations(rows); j++) {
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
    swq_word state[STATE_WORDS], content[SWQ_ROW_WORDS];
    swq_dice dice;

    rows->first[row] = (int32_t)rows->outcome_count;
    swq_dice_begin_enumeration(&dice);
    do {
        int32_t into = 0;
        memset(state, 0, sizeof *state * (size_t)l->words);
        swq_rows_into_state(rows, swq_row_content(rows, row), i, state);
        swq_draw_heads(&rows->lone[class], l, i, state, &dice);
        swq_rows_of_state(rows, state, i, content);
        swq_status status = intern_row(ctx, rows, class, SETTLED, content, &into);
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
        swq_status status = intern_row(ctx, rows, class, SETTLED, content, &into);
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
    swq_word state[STATE_WORDS], content[SWQ_ROW_WORDS];
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
        swq_status status = intern_row(ctx, rows, class, SETTLED, content, &into);
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
        status = intern_row(ctx, rows, class, kind, image, &number);
        rows->image[(int64_t)row * rows->images + g] = (uint16_t)number;
    }
    if (status)
        return status;
    note_least(rows, row);
    if (class == rows->outputs) {
        rows->arriving[row] = row;
        return SWQ_OK;
    }
    if (kind == SETTLED) {
        status = intern_row(ctx, rows, class, ARRIVING, swq_row_content(rows, row), &number);
        rows->arriving[row] = number;
        return status;
    }
    rows->pending[row] = order_of(rows, row);
    return kind == ARRIVING           ? tabulate_arriving(ctx, rows, row)
           : kind == FILLING          ? tabulate_filling(ctx, rows, row)
           : rows->layout.classes > 1 ? tabulate_heads(ctx, rows, row)
                                      : tabulate_drawing(ctx, rows, row);
}

/* Tabulate all rows that are known by now, and those that this adds. */
static swq_status close_table(swq_context *ctx, swq_rows *rows)
{
    swq_status status = SWQ_OK;

    for (; rows->expanded < rows->set.count && !status; rows->expanded++)
        status = fill_in(ctx, rows, (int32_t)rows->expanded);
    return status;
}

swq_status swq_rows_number(swq_context *ctx, swq_rows *rows, int class, const swq_word *content,
                           int32_t *number)
{
    swq_status status = intern_row(ctx, rows, class, SETTLED, content, number);
    return status ? status : close_table(ctx, rows);
}

swq_status swq_rows_renamed(swq_context *ctx, swq_rows *rows, const swq_word *key, int32_t *number)
{
    swq_status status = intern_row(ctx, rows, key[0], key[1], key + 2, number);
    return status ? status : close_table(ctx, rows);
}

/* The row that is left after heads of both classes are sent. */
static swq_status tabulate_class_send(swq_context *ctx, swq_rows *rows, int32_t row, uint32_t mask,
                                      int32_t *left)
{
    const int class = swq_row_class(rows, row), i = rows->representative[class];
    const swq_layout *l = &rows->lone_layout[class];
    swq_word state[STATE_WORDS], content[SWQ_ROW_WORDS];
    int grant[SWQ_MAX_PORTS], of[SWQ_MAX_PORTS];

    for (int j = 0; j < l->ports; j++) {
        of[j] = mask >> (SWQ_ROW_PORTS + j) & 1;
        grant[j] = of[j] || mask >> j & 1 ? i : SWQ_NO_INPUT;
    }
    memset(state, 0, sizeof *state * (size_t)l->words);
    swq_rows_into_state(rows, swq_row_content(rows, row), i, state);
    swq_send_classes(l, grant, of, state);
    swq_rows_of_state(rows, state, i, content);
    const int kind = swq_head_missing(l, content, content + l->queues) ? DRAWING : SETTLED;
    swq_status status = intern_row(ctx, rows, class, kind, content, left);
    return status ? status : close_table(ctx, rows);
}

/* The row that is left after sending, by the rule. A head that must be drawn is removed again,
 * whatever the dice gave. */
static swq_status tabulate_send(swq_context *ctx, swq_rows *rows, int32_t row, uint32_t mask,
                                swq_row_sending how, int32_t *left)
{
    int class = swq_row_class(rows, row), i = rows->representative[class], kind = SETTLED;
    const swq_layout *l = &rows->lone_layout[class];
    swq_word state[STATE_WORDS], content[SWQ_ROW_WORDS];
    int grant[SWQ_MAX_PORTS];
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
    carry_mark(rows, row, mask, content);
    /* a packet of the same burst goes where the last one went */
    const bool alike = l->same >= 0 && (swq_row_content(rows, row)[2] & 1);
    if (how == SWQ_SERVES && rows->fill > 0) {
        kind = FILLING;
    } else if (how != SWQ_SERVES && l->deferred && content[1] != 0 && mask != 0 && !alike) {
        content[1] = 0;
        kind = DRAWING;
    }
    swq_status status = intern_row(ctx, rows, class, kind, content, left);
    return status ? status : close_table(ctx, rows);
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
