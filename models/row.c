/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbering rows, and their place in a state. row_settling.c and row_sending.c tabulate the rows
 * that follow a row.
 */
#include "models/row_parts.h"

#include "base/context.h"
#include "models/classes.h"

#include <string.h>

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

bool swq_rows_know_destinations(const swq_rows *rows)
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
    if (swq_rows_know_destinations(rows) &&
        (!swq_resize_array(ctx, &rows->refused_to, room, by_output) ||
         !swq_resize_array(ctx, &rows->accepted_to, room, by_output)))
        return swq_memory_status(ctx);
    const size_t by_class = sizeof(double) * SWQ_CLASSES;
    if (rows->layout.classes > 1 && (!swq_resize_array(ctx, &rows->refused_of, room, by_class) ||
                                     !swq_resize_array(ctx, &rows->accepted_of, room, by_class)))
        return swq_memory_status(ctx);
    rows->room = room;
    return SWQ_OK;
}

swq_status swq_rows_intern(swq_context *ctx, swq_rows *rows, int class, int kind,
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

void swq_rows_carry_mark(const swq_rows *rows, int32_t row, uint32_t sent, swq_word *content)
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
