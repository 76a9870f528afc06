/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Input queues of an n x n switch at saturation whose inputs look into a window, for small n.
 *
 * A cycle has a round for each place in the window: inputs that have not sent yet offer the packet
 * at that place, and outputs that are still idle take any one of those offered to them. A packet is
 * drawn when its input first offers it, so a state is what the inputs have seen and kept. States
 * that differ only by a renaming of inputs and outputs are represented by the first of them in
 * lexicographic order.
 * Source of the rule: Hluchyj and Karol, JSAC 6(9), 1988, who simulate it.
 */
#include "base/context.h"
#include "models/formulas/window.h"
#include "models/intern.h"

#include <math.h>
#include <string.h>

enum { MOST_PORTS = 5, MOST_WINDOW = 5, MOST_ORDERS = 120, MOST_STATES = 50000 };

/* The largest window whose chain takes less than a second; (3, 5) has 40150 states, (4, 3) 3712,
 * (5, 2) 388. */
static int most_window(int ports)
{
    return ports == 3 ? 5 : ports == 4 ? 3 : ports == 5 ? 2 : 1;
}

/* The queues during a cycle. */
typedef struct {
    int seen[MOST_PORTS];                        /* packets */
    signed char to[MOST_PORTS][MOST_WINDOW + 1]; /* their outputs */
    int wanted[MOST_PORTS];                      /* packets seen for an output */
    bool sent[MOST_PORTS], taken[MOST_PORTS];
    int round, matched;
} queues;

typedef struct {
    swq_context *ctx;
    int ports, window, orders;
    int codes; /* number of codes of what an input has seen: base ports + 1, a digit per packet */
    swq_word *renamed; /* [orders][codes] the code after outputs are renamed */
    swq_intern states;
    /* moves of state s: first[s] .. first[s + 1] */
    size_t *first, moves, room;
    int32_t *to;
    double *chance;
    double *served;             /* [states] packets served in a cycle */
    double *into;               /* probabilities of the current state's moves, by next state */
    int32_t *entered, count;    /* the next states with a probability above 0 */
    double *value, *next_value; /* [states] */
    swq_status status;
} window_states;

/* List all orders of the outputs whose first `place` elements are given. */
static void list_orders(window_states *c, const unsigned char *order, int place)
{
    unsigned char swapped[MOST_PORTS];
    const int base = c->ports + 1;

    for (int k = place; k < c->ports; k++) {
        memcpy(swapped, order, MOST_PORTS);
        swapped[place] = order[k];
        swapped[k] = order[place];
        list_orders(c, swapped, place + 1);
    }
    if (place < c->ports)
        return;
    swq_word *renamed = c->renamed + (size_t)c->orders++ * (size_t)c->codes;
    for (int code = 1; code < c->codes; code++)
        renamed[code] = (swq_word)(base * renamed[code / base] +
                                   (code % base ? order[code % base - 1] + 1 : 0));
}

/* Sort into descending order. */
static void sort(swq_word *word, int count)
{
    for (int i = 1; i < count; i++) {
        swq_word moved = word[i];
        int at = i;
        for (; at > 0 && word[at - 1] < moved; at--)
            word[at] = word[at - 1];
        word[at] = moved;
    }
}

/* The canonical form: one word per input, largest first, for the order of outputs that makes it
 * least. */
static void pack(const window_states *c, const queues *q, swq_word *least)
{
    int code[MOST_PORTS];

    for (int i = 0; i < c->ports; i++) {
        code[i] = 0;
        for (int k = q->seen[i] - 1; k >= 0; k--)
            code[i] = code[i] * (c->ports + 1) + q->to[i][k] + 1;
    }
    for (int o = 0; o < c->orders; o++) {
        const swq_word *renamed = c->renamed + (size_t)o * (size_t)c->codes;
        swq_word word[MOST_PORTS], largest = 0;
        for (int i = 0; i < c->ports; i++) {
            word[i] = renamed[code[i]];
            largest = word[i] > largest ? word[i] : largest;
        }
        if (o > 0 && largest > least[0])
            continue;
        sort(word, c->ports);
        if (o == 0 || largest < least[0] ||
            memcmp(word, least, sizeof *word * (size_t)c->ports) < 0)
            memcpy(least, word, sizeof *word * (size_t)c->ports);
    }
}

static void unpack(const window_states *c, const swq_word *word, queues *q)
{
    *q = (queues){.round = 1};
    for (int i = 0; i < c->ports; i++) {
        for (int code = word[i]; code > 0; code /= c->ports + 1) {
            int to = code % (c->ports + 1) - 1;
            q->to[i][q->seen[i]++] = (signed char)to;
            q->wanted[to]++;
        }
    }
}

static void end_cycle(window_states *c, const queues *q, int state, double chance)
{
    swq_word word[MOST_PORTS];

    pack(c, q, word);
    int64_t to = swq_intern_number(c->ctx, &c->states, word);
    if (to < 0 || to >= MOST_STATES) {
        c->status = to < 0 ? swq_memory_status(c->ctx)
                           : swq_fail(c->ctx, SWQ_ELIMIT, "more than %d states", MOST_STATES);
        return;
    }
    if (c->into[to] == 0)
        c->entered[c->count++] = (int32_t)to;
    c->into[to] += chance;
    c->served[state] += chance * q->matched;
}

static void draw(window_states *c, queues *q, int input, int state, double chance);

/* Outputs from `output` on take one of the packets offered in this round. */
static void take(window_states *c, queues *q, int output, int state, double chance)
{
    const int place = q->round - 1;
    int asking = 0;

    while (output < c->ports && !asking) {
        for (int i = 0; !q->taken[output] && i < c->ports; i++)
            asking += !q->sent[i] && q->to[i][place] == output;
        output += !asking;
    }
    if (!asking) {
        if (q->round == c->window || q->matched == c->ports) {
            end_cycle(c, q, state, chance);
        } else {
            q->round++;
            draw(c, q, 0, state, chance);
            q->round--;
        }
        return;
    }
    q->taken[output] = true;
    q->wanted[output]--;
    q->matched++;
    for (int i = 0; i < c->ports && !c->status; i++) {
        if (q->sent[i] || q->to[i][place] != output)
            continue;
        q->sent[i] = true;
        q->seen[i]--;
        memmove(&q->to[i][place], &q->to[i][place + 1], (size_t)(q->seen[i] - place));
        take(c, q, output + 1, state, chance / asking);
        memmove(&q->to[i][place + 1], &q->to[i][place], (size_t)(q->seen[i] - place));
        q->to[i][place] = (signed char)output;
        q->seen[i]++;
        q->sent[i] = false;
    }
    q->taken[output] = false;
    q->wanted[output]++;
    q->matched--;
}

/* Draw the packets that inputs from `input` on offer and that were not seen yet. Idle outputs for
 * which no packet has been seen are alike, and the first of them stands for all. */
static void draw(window_states *c, queues *q, int input, int state, double chance)
{
    int alike = 0, first = 0;

    while (input < c->ports && (q->sent[input] || q->seen[input] >= q->round))
        input++;
    if (input == c->ports) {
        take(c, q, 0, state, chance);
        return;
    }
    for (int to = c->ports - 1; to >= 0; to--) {
        if (!q->taken[to] && !q->wanted[to]) {
            alike++;
            first = to;
        }
    }
    for (int to = 0; to < c->ports && !c->status; to++) {
        bool fresh = !q->taken[to] && !q->wanted[to];
        if (fresh && to != first)
            continue;
        q->to[input][q->seen[input]++] = (signed char)to;
        q->wanted[to]++;
        draw(c, q, input + 1, state, chance * (fresh ? alike : 1) / c->ports);
        q->wanted[to]--;
        q->seen[input]--;
    }
}

/* Make room for the moves from another state. */
static bool make_room(window_states *c)
{
    size_t room = 2 * c->room + (size_t)c->count;

    if (c->moves + (size_t)c->count <= c->room)
        return true;
    int32_t *to = swq_resize(c->ctx, c->to, room, sizeof *to);
    if (to)
        c->to = to;
    double *chance = to ? swq_resize(c->ctx, c->chance, room, sizeof *chance) : NULL;
    if (chance)
        c->chance = chance;
    c->room = chance ? room : c->room;
    return chance;
}

static void keep_moves(window_states *c, int state)
{
    if (!make_room(c)) {
        c->status = swq_memory_status(c->ctx);
        return;
    }
    for (int k = 0; k < c->count; k++) {
        c->to[c->moves] = c->entered[k];
        c->chance[c->moves++] = c->into[c->entered[k]];
        c->into[c->entered[k]] = 0;
    }
    c->count = 0;
    c->first[state + 1] = c->moves;
}

static void explore(window_states *c)
{
    const swq_word nothing[MOST_PORTS] = {0};
    queues q;

    if (swq_intern_number(c->ctx, &c->states, nothing) < 0)
        c->status = swq_memory_status(c->ctx);
    for (int s = 0; s < c->states.count && !c->status; s++) {
        unpack(c, swq_intern_state(&c->states, s), &q);
        draw(c, &q, 0, s, 1);
        if (!c->status)
            keep_moves(c, s);
        if (swq_context_cancelled(c->ctx))
            c->status = swq_fail(c->ctx, SWQ_ECANCELLED, "cancelled");
    }
}

/* As in saturation.c: the long-run mean lies between the least and the greatest value expected for
 * a late cycle. */
static double mean_served(window_states *c)
{
    const size_t states = (size_t)c->states.count;
    double spread = INFINITY, mean = 0;

    memcpy(c->value, c->served, sizeof *c->value * states);
    while (spread > 1e-17 && !c->status) {
        double least = INFINITY, greatest = 0, *old = c->value;
        for (size_t s = 0; s < states; s++) {
            least = fmin(least, c->value[s]);
            greatest = fmax(greatest, c->value[s]);
        }
        for (size_t s = 0; s < states; s++)
            c->value[s] -= least;
        mean += least;
        spread = greatest - least;
        for (size_t s = 0; s < states; s++) {
            double sum = 0;
            for (size_t m = c->first[s]; m < c->first[s + 1]; m++)
                sum += c->chance[m] * c->value[c->to[m]];
            c->next_value[s] = sum;
        }
        c->value = c->next_value;
        c->next_value = old;
        if (swq_context_cancelled(c->ctx))
            c->status = swq_fail(c->ctx, SWQ_ECANCELLED, "cancelled");
    }
    return mean;
}

static void set_up(window_states *c)
{
    unsigned char order[MOST_PORTS] = {0, 1, 2, 3, 4};

    c->codes = (int)pow(c->ports + 1, c->window);
    swq_intern_init(&c->states, c->ports);
    c->renamed = swq_calloc(c->ctx, (size_t)c->codes * MOST_ORDERS, sizeof *c->renamed);
    c->first = swq_calloc(c->ctx, MOST_STATES + 1, sizeof *c->first);
    c->served = swq_calloc(c->ctx, MOST_STATES, sizeof *c->served);
    c->into = swq_calloc(c->ctx, MOST_STATES, sizeof *c->into);
    c->entered = swq_calloc(c->ctx, MOST_STATES, sizeof *c->entered);
    c->value = swq_calloc(c->ctx, MOST_STATES, sizeof *c->value);
    c->next_value = swq_calloc(c->ctx, MOST_STATES, sizeof *c->next_value);
    if (!c->renamed || !c->first || !c->served || !c->into || !c->entered || !c->value ||
        !c->next_value)
        c->status = swq_memory_status(c->ctx);
    else
        list_orders(c, order, 0);
}

static void clear(window_states *c)
{
    swq_intern_clear(c->ctx, &c->states);
    swq_free(c->ctx, c->renamed);
    swq_free(c->ctx, c->first);
    swq_free(c->ctx, c->served);
    swq_free(c->ctx, c->into);
    swq_free(c->ctx, c->entered);
    swq_free(c->ctx, c->value);
    swq_free(c->ctx, c->next_value);
    swq_free(c->ctx, c->to);
    swq_free(c->ctx, c->chance);
}

swq_status swq_window_chain(swq_context *ctx, int ports, int window, double *throughput)
{
    window_states c = {.ctx = ctx, .ports = ports, .window = window};
    double mean = 0;

    if (ports < 3 || ports > MOST_PORTS || window < 1 || window > most_window(ports))
        return swq_fail(ctx, SWQ_ELIMIT,
                        "windows of up to 5 packets are solved for 3 ports, 3 for 4, and 2 for 5, "
                        "not %d for %d",
                        window, ports);
    set_up(&c);
    if (!c.status)
        explore(&c);
    if (!c.status)
        mean = mean_served(&c);
    if (!c.status)
        *throughput = mean / ports;
    clear(&c);
    return c.status;
}
