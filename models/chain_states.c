/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Questions about a state of a chain: its buffers, the packets that it holds, accepts and refuses,
 * and its words.
 */
#include "models/chain_parts.h"

#include "models/canon.h"
#include "models/classes.h"

#include <stdio.h>
#include <string.h>

enum {
    MOST_WORDS = SWQ_CHAIN_PORTS * (5 * SWQ_CHAIN_PORTS + 6) /* of any state, including pointers */
};

void swq_chain_reception(const swq_chain *c, int64_t state, double *accepted, double *refused)
{
    const size_t bytes = sizeof *accepted * (size_t)c->sw.ports;

    if (c->accepted) {
        memcpy(accepted, c->accepted + state * c->sw.ports, bytes);
        memcpy(refused, c->refused + state * c->sw.ports, bytes);
        return;
    }
    memset(accepted, 0, bytes);
    memset(refused, 0, bytes);
    swq_rows_reception(c, swq_intern_state(&c->node[0], state), accepted, refused);
}

/* If all memory belongs to single outputs, the memory of an output counts as the buffer, whatever
 * the layout of the chain. */
static bool by_output(const swq_chain *c)
{
    return swq_switch_architecture(&c->sw)->stage.apart;
}

int swq_chain_buffers(const swq_chain *c)
{
    return by_output(c) ? c->sw.ports : c->layout.buffers;
}

void swq_chain_state(const swq_chain *c, int64_t state, uint16_t *words)
{
    const swq_word *node = swq_intern_state(&c->node[0], state);
    uint8_t place[SWQ_ROW_PORTS];

    if (!c->by_rows) {
        memcpy(words, node, sizeof *words * (size_t)c->layout.words);
        return;
    }
    swq_rows_places(&c->rows, node, place);
    for (int i = 0; i < c->sw.ports; i++)
        swq_rows_into_state(&c->rows, swq_row_content(&c->rows, node[place[i]]), i, words);
    if (c->layout.out >= 0)
        memcpy(words + c->layout.out, swq_row_content(&c->rows, node[place[c->sw.ports]]),
               sizeof *words * (size_t)c->sw.ports);
}

int64_t swq_chain_find(swq_context *ctx, swq_chain *c, const uint16_t *words)
{
    swq_word work[3 * MOST_WORDS], content[2 + SWQ_ROW_WORDS];

    if (!c->by_rows) {
        memcpy(work, words, sizeof *work * (size_t)c->layout.words);
        swq_symmetry_canonical(&c->symmetry, &c->layout, work, work + c->layout.words);
        return swq_intern_find(&c->node[0], work);
    }
    for (int i = 0; i < c->sw.ports; i++) {
        int class = 0;
        while (c->rows.representative[class] != c->symmetry.input_class[i])
            class ++;
        content[0] = (swq_word) class;
        content[1] = 0; /* settled */
        swq_rows_of_state(&c->rows, words, i, content + 2);
        int64_t row = swq_intern_find(&c->rows.set, content);
        if (row < 0)
            return -1;
        work[i] = (swq_word)row;
    }
    if (c->layout.out >= 0) {
        memset(content, 0, sizeof content);
        content[0] = (swq_word)c->rows.outputs;
        memcpy(content + 2, words + c->layout.out, sizeof *words * (size_t)c->sw.ports);
        int64_t row = swq_intern_find(&c->rows.set, content);
        if (row < 0)
            return -1;
        work[c->sw.ports] = (swq_word)row;
    }
    if (swq_canonical(ctx, &c->rows, work) != SWQ_OK)
        return -1;
    return swq_intern_find(&c->node[0], work);
}

static int occupancy_of(const swq_chain *c, const swq_word *words, int b)
{
    int packets = 0;

    if (!by_output(c))
        return swq_occupancy(&c->layout, words, b);
    for (int k = 0; k < c->layout.buffers; k++)
        packets += words[k * c->layout.queues + b];
    return packets;
}

int swq_chain_occupancy(const swq_chain *c, int64_t state, int b)
{
    swq_word words[MOST_WORDS];

    swq_chain_state(c, state, words);
    return occupancy_of(c, words, b);
}

/* With bursts, a held packet is not distinguished from the next one of a burst. */
static bool holds(const swq_chain *c)
{
    return c->layout.held >= 0 && !c->layout.bursts;
}

int swq_chain_held(const swq_chain *c, int64_t state)
{
    swq_word words[MOST_WORDS];
    int held = 0;

    if (!holds(c))
        return 0;
    swq_chain_state(c, state, words);
    for (int i = 0; i < c->sw.ports; i++)
        held += words[c->layout.held + i] != 0;
    return held;
}

int swq_chain_occupancies(const swq_chain *c, int64_t state, int *occupancy)
{
    swq_word words[MOST_WORDS];
    int held = 0;

    swq_chain_state(c, state, words);
    for (int b = 0; b < swq_chain_buffers(c); b++)
        occupancy[b] = occupancy_of(c, words, b);
    for (int i = 0; holds(c) && i < c->sw.ports; i++)
        held += words[c->layout.held + i] != 0;
    return held;
}

int swq_chain_behind(const swq_chain *c, int64_t state)
{
    swq_word words[MOST_WORDS];

    if (c->layout.cross < 0 && c->layout.out < 0)
        return 0;
    swq_chain_state(c, state, words);
    return swq_behind(&c->layout, words);
}

/* Expected packets of a FIFO queue for output j: the packets that are certain to have the head's
 * destination, and a share of all others, whose destinations are not drawn yet. */
static double waiting_behind(const swq_layout *l, const swq_word *words, int b, double chance,
                             int j)
{
    int alike = swq_alike_packets(l, words[b], l->same >= 0 ? words[l->same + b] : 0);

    return (words[l->head + b] == j + 1 ? alike : 0) + (words[b] - alike) * chance;
}

/* The head words of a buffer, if the state has them. */
static const swq_word *heads_of(const swq_layout *l, const swq_word *words, int b)
{
    return l->heads ? words + l->head + b * l->heads : NULL;
}

/* Expected packets for output j in a switch with two classes: queues shared by several destinations
 * are treated as a FIFO. */
static double waiting_of_classes(const swq_chain *c, const swq_word *words, int j)
{
    const swq_layout *l = &c->layout;
    double packets = 0;

    for (int b = 0; b < l->buffers; b++) {
        const swq_word *length = words + b * l->queues;
        for (int q = 0; q < l->queues; q++) {
            const bool fans = l->split.fans[q >= swq_normal_queues(l)];
            swq_kind_of_packet head = {0};
            if (swq_class_request(l, length, heads_of(l, words, b), q, &head) > 0)
                packets += fans ? (head.to == j) * length[q]
                                : (head.to == j) + (length[q] - 1) * c->sw.dest[b][j];
        }
    }
    return packets;
}

/* The expected number of packets in a state's buffers for output j. */
static double waiting_for(const swq_chain *c, const swq_word *words, int j)
{
    const swq_layout *l = &c->layout;
    double packets = 0;

    if (l->classes > 1)
        return waiting_of_classes(c, words, j);
    for (int b = 0; b < l->buffers; b++) {
        if (!l->deferred)
            packets += words[b * l->queues + j];
        else if (words[b] > 0)
            packets += waiting_behind(l, words, b, c->sw.dest[b][j], j);
    }
    if (l->cross >= 0 || l->out >= 0)
        packets += swq_behind_for(l, words, j);
    return packets;
}

static void share_outputs(const swq_chain *c, double *by_output)
{
    double sum[SWQ_CHAIN_PORTS] = {0};
    int members[SWQ_CHAIN_PORTS] = {0};
    const uint8_t *class = c->symmetry.output_class;

    for (int j = 0; j < c->sw.ports; j++) {
        sum[class[j]] += by_output[j];
        members[class[j]]++;
    }
    for (int j = 0; j < c->sw.ports; j++)
        by_output[j] = sum[class[j]] / members[class[j]];
}

/* An expectation of a reception by output, from wherever it is stored; by_input[ports]. */
static double expected_for(const swq_chain *c, int64_t state, int j, const double *by_input,
                           const double *by_output, const double *of_rows)
{
    int n = c->sw.ports;
    double packets = 0;

    if (by_output)
        return by_output[state * n + j];
    if (c->layout.deferred && !c->layout.bursts) { /* destinations do not affect what is accepted */
        for (int i = 0; i < n; i++)
            packets += by_input[i] * c->sw.dest[i][j];
        return packets;
    }
    const swq_word *node = swq_intern_state(&c->node[0], state);
    for (int k = 0; k < c->rows.tuple; k++) {
        if (swq_row_class(&c->rows, node[k]) != c->rows.outputs)
            packets += of_rows[(int64_t)c->rows.arriving[node[k]] * n + j];
    }
    return packets;
}

void swq_chain_outputs(const swq_chain *c, int64_t state, double *accepted, double *refused,
                       double *waiting)
{
    double in[SWQ_CHAIN_PORTS], out[SWQ_CHAIN_PORTS];
    swq_word words[MOST_WORDS];

    swq_chain_reception(c, state, in, out);
    swq_chain_state(c, state, words);
    for (int j = 0; j < c->sw.ports; j++) {
        accepted[j] = expected_for(c, state, j, in, c->accepted_to, c->rows.accepted_to);
        refused[j] = expected_for(c, state, j, out, c->refused_to, c->rows.refused_to);
        waiting[j] = waiting_for(c, words, j);
    }
    share_outputs(c, accepted);
    share_outputs(c, refused);
    share_outputs(c, waiting);
}

/* The packets in a state's buffers and sources, by class. */
static void hold_by_class(const swq_chain *c, int64_t state, double *packets, double *held)
{
    const swq_layout *l = &c->layout;
    swq_word words[MOST_WORDS];

    swq_chain_state(c, state, words);
    for (int b = 0; b < l->buffers; b++) {
        const swq_word *length = words + b * l->queues;
        for (int q = 0; q < l->queues; q++) {
            swq_kind_of_packet head = {0};
            if (swq_class_request(l, length, heads_of(l, words, b), q, &head) == 0)
                continue;
            const bool shared = l->mixed && q < swq_normal_queues(l);
            packets[head.class] += shared ? 1 : length[q];
            for (int h = 0; h < SWQ_CLASSES && shared; h++)
                packets[h] += (length[q] - 1) * l->of_class[h];
        }
    }
    for (int i = 0; l->held >= 0 && i < l->ports; i++) {
        double to[SWQ_CHAIN_PORTS] = {0};
        if (words[l->held + i])
            swq_share_packet(l, c->sw.dest[i], words[l->held + i], 1, to, held);
    }
}

void swq_chain_classes(const swq_chain *c, int64_t state, swq_chain_class *class)
{
    const double share[SWQ_CLASSES] = {1 - c->sw.priority.fraction, c->sw.priority.fraction};
    double packets[SWQ_CLASSES] = {0}, held[SWQ_CLASSES] = {0}, accepted = 0, refused = 0;
    double in[SWQ_CHAIN_PORTS], out[SWQ_CHAIN_PORTS];

    if (c->layout.classes > 1) {
        const swq_class_rewards *of = &c->of_class[state];
        hold_by_class(c, state, packets, held);
        for (int h = 0; h < SWQ_CLASSES; h++) {
            /* packets of a pool wait according to their places, whatever else their queues hold */
            const bool by_place = c->sw.buffer.scope == SWQ_POOL && c->layout.split.base[1] == 0;
            class[h] = (swq_chain_class){.accepted = of->accepted[h],
                                         .refused = of->refused[h],
                                         .packets = by_place ? of->places[h] - of->accepted[h]
                                                             : packets[h],
                                         .held = held[h]};
        }
        return;
    }
    int occupancy[SWQ_CHAIN_PORTS] = {0}, all = 0;
    const int sources = swq_chain_occupancies(c, state, occupancy);
    for (int b = 0; b < swq_chain_buffers(c); b++)
        all += occupancy[b];
    swq_chain_reception(c, state, in, out);
    for (int i = 0; i < c->sw.ports; i++) {
        accepted += in[i];
        refused += out[i];
    }
    for (int h = 0; h < SWQ_CLASSES; h++)
        class[h] = (swq_chain_class){accepted * share[h], refused * share[h], all * share[h],
                                     sources * share[h]};
}

int swq_chain_capacity(const swq_chain *c)
{
    if (by_output(c))
        return c->sw.buffer.capacity / (c->sw.buffer.scope == SWQ_POOL ? c->sw.ports : 1);
    return c->layout.split.slots;
}

int swq_chain_input_class(const swq_chain *c, int i)
{
    return c->symmetry.input_class[i];
}

int swq_chain_buffer_class(const swq_chain *c, int b)
{
    return by_output(c) ? c->symmetry.output_class[b] : c->symmetry.input_class[b];
}

int swq_chain_words(const swq_chain *c)
{
    return c->layout.words;
}

char *swq_chain_word_name(const swq_chain *c, int word, char *text, size_t size)
{
    const swq_layout *l = &c->layout;

    if (l->out >= 0 && word >= l->out)
        snprintf(text, size, "out%d", word - l->out);
    else if (l->cross >= 0 && word >= l->cross)
        snprintf(text, size, "cross%d_%d", (word - l->cross) / l->ports,
                 (word - l->cross) % l->ports);
    else if (l->memory >= 0 && word >= l->memory)
        snprintf(text, size, "memory%d", word - l->memory);
    else if (l->held >= 0 && word >= l->held)
        snprintf(text, size, "%s%d", l->bursts ? "next" : "held", word - l->held);
    else if (l->kept >= 0 && word >= l->kept)
        snprintf(text, size, "kept%d_%d", (word - l->kept) / l->queues,
                 (word - l->kept) % l->queues);
    else if (l->freed >= 0 && word >= l->freed)
        snprintf(text, size, "freed%d_%d", (word - l->freed) / l->queues,
                 (word - l->freed) % l->queues);
    else if (l->same >= 0 && word >= l->same)
        snprintf(text, size, "same%d", word - l->same);
    else if (l->head >= 0 && word >= l->head && l->heads > 1)
        snprintf(text, size, "head%d_%d", (word - l->head) / l->heads, (word - l->head) % l->heads);
    else if (l->head >= 0 && word >= l->head)
        snprintf(text, size, "head%d", word - l->head);
    else
        snprintf(text, size, "len%d_%d", word / l->queues, word % l->queues);
    return text;
}

int swq_chain_word(const swq_chain *c, int64_t state, int word)
{
    swq_word words[MOST_WORDS];

    swq_chain_state(c, state, words);
    return words[word];
}

char *swq_chain_state_text(const swq_chain *c, int64_t state, char *text, size_t size)
{
    swq_word words[MOST_WORDS];

    swq_chain_state(c, state, words);
    return swq_state_print(&c->layout, words, text, size);
}
