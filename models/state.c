/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layout and printing of switch states.
 */
#include "models/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A uniform destination is one division, exact for a power of two, and a single one is certain. A
 * hot spot's probability takes three operations; an entry of a matrix is divided by the sum of its
 * row. */
double swq_dest_roundings(const swq_switch *sw, int i)
{
    const double *dest = sw->dest[i];
    const int ports = sw->ports;
    bool uniform = true;
    int exponent, possible = 0;

    for (int j = 0; j < ports; j++) {
        uniform = uniform && dest[j] == 1.0 / ports;
        possible += dest[j] > 0;
    }
    if (possible == 1)
        return 0;
    if (uniform)
        return frexp(dest[0], &exponent) == 0.5 ? 0 : 1;
    return ports > 3 ? ports : 3;
}

/* Loads are exact binary numbers, unless load_roundings says otherwise, so that only 1 - load may
 * be rounded. */
static double weight_roundings(const swq_switch *sw)
{
    double roundings = 0;

    for (int i = 0; i < sw->ports; i++) {
        const long double idle = 1 - (long double)sw->load[i];
        roundings = fmax(roundings, swq_dest_roundings(sw, i));
        if ((double)idle != idle)
            roundings = fmax(roundings, 1);
    }
    return roundings + sw->load_roundings;
}

int swq_switch_memory(const swq_switch *sw)
{
    const swq_architecture *a = swq_switch_architecture(sw);
    bool chooses = a->stage.input_buffers && sw->buffer.queues == SWQ_QUEUE_PER_OUTPUT &&
                   sw->buffer.read == SWQ_READ_ONE;

    if (sw->buffer.scope == SWQ_POOL)
        return 0;
    if (!a->stage.columns)
        return swq_arbiter_memory(sw->arbiter, sw->ports);
    return sw->arbiter->serves == SWQ_SERVES_IN_TURNS ? sw->ports * (chooses ? 2 : 1) : 0;
}

static void list_steps(const swq_switch *sw, swq_layout *l)
{
    const swq_architecture *a = swq_switch_architecture(sw);

    l->steps = 0;
    if (a->stage.two_steps && sw->departures_first)
        l->step[l->steps++] = a->stage.depart;
    for (int k = 0; k < (a->stage.speedup ? sw->speedup : 1); k++)
        l->step[l->steps++] = a->stage.move;
    l->freeing = l->steps - 1;
    if (a->stage.two_steps && !sw->departures_first)
        l->step[l->steps++] = a->stage.depart;
}

/* The probabilities that bursts begin and end, each computed in long double and rounded once. */
static void set_bursts(swq_layout *l, const swq_switch *sw)
{
    const long double b = sw->burst;

    l->burst_ends[0] = (double)((b - 1) / b);
    l->burst_ends[1] = (double)(1 / b);
    for (int i = 0; i < sw->ports; i++) {
        long double load = sw->load[i], gaps = b * (1 - load);
        l->create[i][0] = (double)(gaps / (load + gaps));
        l->create[i][1] = (double)(load / (load + gaps));
        l->steeper[i] = (double)(b / (load + gaps));
    }
    l->loaded_roundings = l->loaded_roundings > 2 ? l->loaded_roundings : 2;
}

/* The queues of both classes. Classes behind a head need no word, unless admission depends on them,
 * as in a pool. */
static void split_classes(swq_layout *l, const swq_switch *sw)
{
    const double high = sw->priority.fraction;

    l->mixed = sw->priority.support == SWQ_SUPPORT_ARBITER && sw->buffer.scope == SWQ_PER_INPUT;
    l->heads = l->mixed || !l->split.fans[0] ? swq_buffer_queues(&sw->buffer, sw->ports) : 0;
    l->heads += l->split.base[1] > 0 && !l->split.fans[1];
    l->of_class[0] = 1 - high;
    l->of_class[1] = high;
    l->deferred = false;
    if (1 - (long double)high != l->of_class[0] && l->loaded_roundings < 1)
        l->loaded_roundings = 1;
}

void swq_layout_init(swq_layout *l, const swq_switch *sw)
{
    const swq_architecture *a = swq_switch_architecture(sw);

    l->ports = sw->ports;
    l->buffers = sw->buffer.scope == SWQ_POOL ? 1 : sw->ports;
    swq_class_queues_init(&sw->buffer, sw->ports, &sw->priority, &l->split);
    l->queues = l->split.queues;
    l->deferred = sw->buffer.queues == SWQ_ONE_QUEUE;
    l->heads = l->deferred;
    l->classes = sw->priority.support == SWQ_SUPPORT_NONE ? 1 : SWQ_CLASSES;
    l->mixed = false;
    l->loaded_roundings = weight_roundings(sw);
    if (l->classes > 1)
        split_classes(l, sw);
    l->words = l->buffers * l->queues;
    l->bursts = sw->burst > 1;
    l->kept = l->head = l->freed = l->held = l->memory = l->same = l->cross = l->out = -1;
    if (l->heads > 0) {
        l->head = l->words;
        l->words += l->buffers * l->heads;
    }
    if (l->deferred && l->bursts) {
        l->same = l->words;
        l->words += l->buffers;
    }
    if (sw->credit == SWQ_CREDIT_NEXT) {
        l->freed = l->words;
        l->words += l->buffers * l->queues;
    }
    l->kept_words = swq_buffer_admission(&sw->buffer)->keeps * l->buffers * l->queues;
    if (l->kept_words > 0) {
        l->kept = l->words;
        l->words += l->kept_words;
    }
    if (sw->flow == SWQ_BLOCK || l->bursts) {
        l->held = l->words;
        l->words += l->ports;
    }
    l->turn = l->opens = -1;
    l->memory_words = swq_switch_memory(sw);
    if (l->memory_words > 0) {
        l->memory = l->words;
        l->words += l->memory_words;
    }
    if (a->stage.input_buffers && a->stage.crosspoints) {
        l->cross = l->words;
        l->words += l->ports * l->ports;
    }
    if (a->stage.input_buffers && a->stage.output_queues) {
        l->out = l->words;
        l->words += l->ports;
    }
    list_steps(sw, l);
    for (int i = 0; i < sw->ports; i++) {
        l->create[i][0] = 1 - sw->load[i];
        l->create[i][1] = sw->load[i];
        l->steeper[i] = 1;
    }
    if (l->bursts)
        set_bursts(l, sw);
}

void swq_visible_lengths(const swq_layout *l, const swq_word *state, int b, bool uncredited,
                         swq_word *length)
{
    for (int q = 0; q < l->queues; q++) {
        int at = b * l->queues + q;
        length[q] = state[at];
        if (uncredited && l->freed >= 0)
            length[q] = (swq_word)(length[q] + state[l->freed + at]);
    }
}

void swq_forget_idle_credits(const swq_layout *l, swq_word *state)
{
    swq_word seen[2 * SWQ_CHAIN_PORTS], now[2 * SWQ_CHAIN_PORTS];

    for (int b = 0; b < l->buffers && l->freed >= 0; b++) {
        swq_visible_lengths(l, state, b, true, seen);
        swq_visible_lengths(l, state, b, false, now);
        /* into a pool, packets may come from all inputs at once */
        bool alike = l->split.part[0].rule.scope == SWQ_PER_INPUT ||
                     swq_class_room_for_all(&l->split, seen, l->ports);
        for (int q = 0; q < l->queues && alike; q++)
            alike = swq_class_room(&l->split, seen, q) == swq_class_room(&l->split, now, q);
        if (alike)
            memset(state + l->freed + b * l->queues, 0, sizeof *state * (size_t)l->queues);
    }
}

int swq_occupancy(const swq_layout *l, const swq_word *state, int b)
{
    int packets = 0;

    for (int q = 0; q < l->queues; q++)
        packets += state[b * l->queues + q];
    return packets;
}

int swq_behind_for(const swq_layout *l, const swq_word *state, int j)
{
    int packets = l->out >= 0 ? state[l->out + j] : 0;

    for (int i = 0; l->cross >= 0 && i < l->ports; i++)
        packets += state[l->cross + i * l->ports + j];
    return packets;
}

int swq_behind(const swq_layout *l, const swq_word *state)
{
    int packets = 0;

    for (int j = 0; (l->out >= 0 || l->cross >= 0) && j < l->ports; j++)
        packets += swq_behind_for(l, state, j);
    return packets;
}

int swq_alike_packets(const swq_layout *l, swq_word length, swq_word same)
{
    int alike = length > 0;

    while (l->same >= 0 && alike < length && (same >> (alike - 1) & 1))
        alike++;
    return alike;
}

double swq_next_chance(const swq_layout *l, const double *dest, const swq_word words[4], int j)
{
    const swq_word length = words[0], head = words[1], same = words[2], held = words[3];

    if (swq_names_output(l, held))
        return held == j + 1;
    if (held == SWQ_NEXT_SAME(l) && swq_alike_packets(l, length, same) == length)
        return head == j + 1;
    return dest[j];
}

static void append(char *text, size_t size, const char *mark, int number)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%d", mark, number);
}

static void append_part(const swq_word *word, int buffers, int each, const char *name, char *text,
                        size_t size)
{
    for (int i = 0; i < buffers * each; i++)
        append(text, size, i == 0 ? name : i % each ? " " : " | ", word[i]);
}

char *swq_state_print(const swq_layout *l, const swq_word *state, char *text, size_t size)
{
    text[0] = '\0';
    append_part(state, l->buffers, l->queues, "(", text, size);
    if (l->head >= 0)
        append_part(state + l->head, 1, l->buffers * l->heads, "; head ", text, size);
    if (l->same >= 0)
        append_part(state + l->same, 1, l->buffers, "; same ", text, size);
    if (l->freed >= 0)
        append_part(state + l->freed, l->buffers, l->queues, "; freed ", text, size);
    if (l->kept >= 0)
        append_part(state + l->kept, l->kept_words / l->queues, l->queues, "; kept ", text, size);
    if (l->held >= 0)
        append_part(state + l->held, 1, l->ports, l->bursts ? "; next " : "; held ", text, size);
    if (l->memory >= 0)
        append_part(state + l->memory, 1, l->memory_words, "; memory ", text, size);
    if (l->cross >= 0)
        append_part(state + l->cross, l->ports, l->ports, "; crosspoints ", text, size);
    if (l->out >= 0)
        append_part(state + l->out, 1, l->ports, "; outputs ", text, size);
    size_t used = strlen(text);
    snprintf(text + used, size - used, ")");
    return text;
}
