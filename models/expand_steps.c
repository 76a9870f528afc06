/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The generator for whole switches whose inputs take turns: pools, arbiters with a memory, and
 * symmetries that are no product. A reception is one factor for each input, with the outcomes of
 * this input, in place of a single factor with the outcomes of all inputs together. Inputs with
 * buffers of their own may take turns in any order. The packets for a pool come in random order,
 * which is drawn input by input: first one of all, then one of those left. A pool with the rule
 * PORTS then admits the first inputs, as many as it had free slots at the start. As soon as there
 * is room for all that may come, or for none, the order makes no difference and is not drawn.
 * Between the turns a state has two words more (models/state.h), and is brought to canonical form
 * like any other.
 */
#include "base/context.h"
#include "models/buffers/buffers.h"
#include "models/chain_parts.h"
#include "models/cycle.h"
#include "models/reception.h"

#include <string.h>

enum { FEWEST_PORTS = 3 };

/* The expectations of a node's turn, by class of inputs and by class of outputs. */
enum { ACCEPTED, REFUSED, KINDS };

typedef struct {
    swq_context *ctx;
    swq_chain *chain;
    swq_layout between; /* of the states between the turns */
    swq_growing growing[SWQ_CHAIN_LEVELS];
    int64_t loaded[SWQ_CHAIN_LEVELS]; /* most loaded throws in one outcome, by factor */
    int64_t deepest;                  /* most throws in one outcome */
    /* rewards of a node: for each kind, the rewards of the classes of inputs, then those of the
     * classes of outputs */
    int places;
    int input_place[SWQ_CHAIN_PORTS], output_place[SWQ_CHAIN_PORTS];
    long double *reward[SWQ_CHAIN_LEVELS]; /* [nodes * places] of the node's own turn; later turns
                                              are added at the end */
    int64_t reward_room[SWQ_CHAIN_LEVELS];
    swq_word *work; /* room for three states */
    swq_dice dice;
} stepwise;

/* One outcome of a turn; the state that it leads to is in `work`. */
typedef swq_status turn_fn(stepwise *x, int level, int64_t node, int input, long double chance,
                           const swq_reception *what, void *arg);

bool swq_by_steps(const swq_switch *sw)
{
    const swq_architecture *a = swq_switch_architecture(sw);
    const bool fifo_pool = sw->buffer.scope == SWQ_POOL && sw->buffer.queues == SWQ_ONE_QUEUE;

    return sw->ports >= FEWEST_PORTS && sw->priority.support == SWQ_SUPPORT_NONE && !fifo_pool &&
           sw->ports + (a->stage.speedup ? sw->speedup : 1) + 1 <= SWQ_CHAIN_LEVELS;
}

static const swq_layout *layout_of(const stepwise *x, int level)
{
    return level > 0 && level < x->chain->receptions ? &x->between : &x->chain->layout;
}

/* ---- a turn ---- */

static bool opens_ports(const stepwise *x)
{
    const swq_buffer *b = &x->chain->sw.buffer;
    return b->scope == SWQ_POOL && swq_buffer_pool_rule(b)->opens_ports;
}

/* The number of free slots, which is how many ports the rule PORTS opens. */
static int ports_to_open(const stepwise *x, const swq_word *state)
{
    swq_word visible[SWQ_CHAIN_PORTS];
    int room = x->chain->sw.buffer.capacity;

    swq_visible_lengths(&x->chain->layout, state, 0, true, visible);
    for (int q = 0; q < x->chain->layout.queues; q++)
        room -= visible[q];
    return room;
}

/* The inputs whose turn is still to come, and how many of them a pool admits: read from the words
 * that states have between turns, or set at the first turn. */
static void read_turns(const stepwise *x, int level, const swq_word *state, uint32_t *left,
                       int *opens)
{
    const swq_layout *l = &x->between;
    int inputs = 0;

    *left = 0;
    for (int i = 0; i < l->ports; i++) {
        /* the rule PORTS opens ports whether their sources have packets or not */
        const bool offers =
            l->create[i][1] > 0 || (l->held >= 0 && state[l->held + i]) || opens_ports(x);
        if (level > 0 ? state[l->turn + i] : offers) {
            *left |= 1u << i;
            inputs++;
        }
    }
    *opens = inputs;
    if (opens_ports(x)) {
        const int ports = level > 0 ? state[l->opens] : ports_to_open(x, state);
        *opens = ports < inputs ? ports : inputs;
    }
}

/* Is the order of the remaining inputs irrelevant? */
static bool any_order(const stepwise *x, const swq_word *state, int inputs, int opens)
{
    const swq_chain *c = x->chain;
    swq_word visible[SWQ_CHAIN_PORTS];

    if (c->sw.buffer.scope != SWQ_POOL || inputs <= 1 || opens == 0)
        return true;
    swq_visible_lengths(&c->layout, state, 0, true, visible);
    return opens == inputs && swq_class_room_for_all(&c->layout.split, visible, inputs);
}

/* Inputs of a class of a product group are alike if their sources are in the same state; weight[i]
 * is the number of inputs that are like input i, or 0 if an earlier input is like input i. */
static void count_alike(const stepwise *x, const swq_word *state, uint32_t left, int *weight)
{
    const swq_chain *c = x->chain;
    const int n = c->sw.ports, held = c->layout.held;
    const uint8_t *class = c->symmetry.input_class;

    for (int i = 0; i < n; i++) {
        int k = 0;
        weight[i] = 0;
        if (!(left >> i & 1))
            continue;
        while (k < i && !((left >> k & 1) && c->symmetry.product && class[k] == class[i] &&
                          (held < 0 || state[held + k] == state[held + i])))
            k++;
        weight[k]++;
    }
}

/* Input i takes its turn in the state `from`; `chance` is the probability that it is next. */
static swq_status take_turn(stepwise *x, int level, int64_t node, int i, long double chance,
                            uint32_t left, int opens, turn_fn *visit, void *arg)
{
    const swq_chain *c = x->chain;
    const swq_layout *l = &x->between, *into = layout_of(x, level + 1);
    const size_t words = (size_t)layout_of(x, level)->words;

    swq_dice_begin_enumeration(&x->dice);
    do {
        swq_reception what;
        memcpy(x->work, swq_intern_state(&c->node[level], node), sizeof *x->work * words);
        what.expelled = 0;
        if (left && level == 0)
            swq_expel(&c->sw, l, x->work, &x->dice, &what);
        if (left)
            swq_receive_from(&c->sw, l, i, opens > 0, x->work, &x->dice, &what);
        if (into == l) {
            for (int k = 0; k < l->ports; k++)
                x->work[l->turn + k] = left >> k & 1 && k != i;
            x->work[l->opens] = (swq_word)(opens_ports(x) && opens > 0 ? opens - 1 : 0);
        } else if (l->freed >= 0) {
            memset(x->work + l->freed, 0, sizeof *x->work * (size_t)(l->buffers * l->queues));
        }
        x->loaded[level] = x->dice.loaded > x->loaded[level] ? x->dice.loaded : x->loaded[level];
        x->deepest = x->dice.deepest > x->deepest ? x->dice.deepest : x->deepest;
        swq_status status =
            visit(x, level, node, i, x->dice.probability * chance, left ? &what : NULL, arg);
        if (status)
            return status;
    } while (swq_dice_next(&x->dice));
    return SWQ_OK;
}

/* All outcomes of a node's turn. */
static swq_status go_through(stepwise *x, int level, int64_t node, turn_fn *visit, void *arg)
{
    const swq_word *state = swq_intern_state(&x->chain->node[level], node);
    int weight[SWQ_CHAIN_PORTS], opens, first = 0;
    uint32_t left;

    read_turns(x, level, state, &left, &opens);
    const int inputs = __builtin_popcount(left);
    if (any_order(x, state, inputs, opens)) {
        while (left && !(left >> first & 1))
            first++;
        return take_turn(x, level, node, first, 1, left, opens, visit, arg);
    }
    count_alike(x, state, left, weight);
    for (int i = 0; i < x->chain->sw.ports; i++) {
        if (weight[i] == 0)
            continue;
        swq_status status =
            take_turn(x, level, node, i, (long double)weight[i] / inputs, left, opens, visit, arg);
        if (status)
            return status;
    }
    return SWQ_OK;
}

/* The number of the orbit of the state in `work`. */
static int64_t number_of(stepwise *x, int level)
{
    const swq_layout *l = layout_of(x, level);

    swq_symmetry_canonical(&x->chain->symmetry, l, x->work, x->work + l->words);
    return swq_intern_number(x->ctx, &x->chain->node[level % x->chain->levels], x->work);
}

/* ---- expectations ---- */

static swq_status reward_room(stepwise *x, int level, int64_t nodes)
{
    if (nodes <= x->reward_room[level])
        return SWQ_OK;
    const int64_t room = nodes + nodes / 2 + 64, old = x->reward_room[level];
    const size_t each = sizeof(long double) * (size_t)x->places;
    long double *reward = swq_resize(x->ctx, x->reward[level], (size_t)room, each);
    if (!reward)
        return swq_memory_status(x->ctx);
    memset(reward + old * x->places, 0, each * (size_t)(room - old));
    x->reward[level] = reward;
    x->reward_room[level] = room;
    return SWQ_OK;
}

/* Expectations are summed over inputs that the symmetry exchanges, and likewise over outputs, since
 * a node stands for its whole orbit. */
static void note_reward(stepwise *x, int level, int64_t node, int i, long double chance,
                        const swq_reception *what)
{
    const swq_chain *c = x->chain;
    const swq_layout *l = &c->layout;
    const int kind = what->refused[i] ? REFUSED : ACCEPTED;
    long double *all = x->reward[level] + node * x->places, *reward = all + kind;

    if (what->expelled > 0) { /* the inputs are alike */
        all[KINDS * x->input_place[i] + ACCEPTED] -= chance * what->expelled;
        all[KINDS * x->input_place[i] + REFUSED] += chance * what->expelled;
    }
    for (int j = 0; j < l->ports && what->expelled > 0; j++) {
        all[KINDS * x->output_place[j] + ACCEPTED] -= chance * what->expels[j];
        all[KINDS * x->output_place[j] + REFUSED] += chance * what->expels[j];
    }
    if (!what->packet[i])
        return;
    all[KINDS * x->input_place[i] + (swq_reception_lost(what, i) ? REFUSED : ACCEPTED)] += chance;
    if (!l->deferred)
        reward[KINDS * x->output_place[what->packet[i] - 1]] += chance;
    if (what->pushes[i]) { /* a packet for another output is lost after all */
        long double *other = all + KINDS * x->output_place[what->pushes[i] - 1];
        other[ACCEPTED] -= chance;
        other[REFUSED] += chance;
    }
    if (l->same < 0)
        return;
    const swq_word *state = swq_intern_state(&c->node[level], node);
    const swq_word words[] = {state[i], state[l->head + i], state[l->same + i], state[l->held + i]};
    for (int j = 0; j < l->ports; j++)
        reward[KINDS * x->output_place[j]] += chance * swq_next_chance(l, c->sw.dest[i], words, j);
}

/* Add the rewards of later turns to those of earlier ones, from the last turn back. */
static void add_later_rewards(const stepwise *x)
{
    for (int k = x->chain->receptions - 2; k >= 0; k--) {
        const swq_csr *m = &x->growing[k].m;
        for (int64_t s = 0; s < x->growing[k].rows; s++) {
            long double *here = x->reward[k] + s * x->places;
            for (int64_t e = m->start[s]; e < m->start[s + 1]; e++) {
                const long double *there = x->reward[k + 1] + m->col[e] * (int64_t)x->places;
                for (int p = 0; p < x->places; p++)
                    here[p] += m->value[e] * there[p];
            }
        }
    }
}

static void share(const long double *reward, const int *place, int n, double *each)
{
    int members[2 * SWQ_CHAIN_PORTS] = {0};

    for (int i = 0; i < n; i++)
        members[place[i]]++;
    for (int i = 0; i < n; i++)
        each[i] = (double)(reward[KINDS * place[i]] / members[place[i]]);
}

static swq_status hand_over_rewards(stepwise *x)
{
    swq_chain *c = x->chain;
    const int n = c->sw.ports;
    swq_status status = swq_chain_reward_room(x->ctx, c, c->node[0].count);

    if (status)
        return status;
    add_later_rewards(x);
    for (int64_t s = 0; s < c->node[0].count; s++) {
        const long double *reward = x->reward[0] + s * x->places;
        share(reward + ACCEPTED, x->input_place, n, c->accepted + s * n);
        share(reward + REFUSED, x->input_place, n, c->refused + s * n);
        if (c->accepted_to) {
            share(reward + ACCEPTED, x->output_place, n, c->accepted_to + s * n);
            share(reward + REFUSED, x->output_place, n, c->refused_to + s * n);
        }
    }
    return SWQ_OK;
}

/* ---- the factors ---- */

static swq_status add_turn(stepwise *x, int level, int64_t node, int i, long double chance,
                           const swq_reception *what, void *arg)
{
    const int lost = what ? swq_reception_lost(what, i) + what->expelled : 0;

    (void)arg;
    if (what)
        note_reward(x, level, node, i, chance, what);
    const int64_t number = number_of(x, level + 1);
    if (number < 0)
        return swq_memory_status(x->ctx);
    return swq_growing_add(x->ctx, &x->growing[level], number, chance, lost * chance,
                           lost * (lost - 1) * chance);
}

static swq_status expand_turn(stepwise *x, int level, int64_t node)
{
    swq_status status = reward_room(x, level, node + 1);

    if (!status)
        status = go_through(x, level, node, add_turn, NULL);
    return status ? status : swq_growing_finish(x->ctx, &x->growing[level]);
}

/* A step after the reception, over all outcomes of the dice. */
static swq_status expand_step(stepwise *x, int level, int64_t node)
{
    const swq_chain *c = x->chain;
    swq_moves moves;

    swq_dice_begin_enumeration(&x->dice);
    do {
        memcpy(x->work, swq_intern_state(&c->node[level], node),
               sizeof *x->work * (size_t)c->layout.words);
        swq_take_step(&c->sw, &c->layout, level - c->receptions, x->work, &x->dice, &moves);
        x->loaded[level] = x->dice.loaded > x->loaded[level] ? x->dice.loaded : x->loaded[level];
        x->deepest = x->dice.deepest > x->deepest ? x->dice.deepest : x->deepest;
        const int64_t number = number_of(x, level + 1);
        if (number < 0)
            return swq_memory_status(x->ctx);
        swq_status status =
            swq_growing_add(x->ctx, &x->growing[level], number, x->dice.probability, 0, 0);
        if (status)
            return status;
    } while (swq_dice_next(&x->dice));
    return swq_growing_finish(x->ctx, &x->growing[level]);
}

/* Level by level around the cycle, until no level has nodes that are not yet expanded. */
static swq_status explore(stepwise *x)
{
    const swq_chain *c = x->chain;
    swq_status status = SWQ_OK;
    bool more = true;

    if (number_of(x, 0) < 0) /* the empty switch is all zero */
        return swq_memory_status(x->ctx);
    while (more && !status) {
        more = false;
        for (int level = 0; level < c->levels && !status; level++) {
            while (x->growing[level].rows < c->node[level].count && !status) {
                const int64_t node = x->growing[level].rows;
                if (node % 256 == 0) {
                    swq_progress(x->ctx, "generating states", (double)c->node[0].count, 0);
                    if (swq_context_cancelled(x->ctx))
                        return swq_fail(x->ctx, SWQ_ECANCELLED, "cancelled after %lld states",
                                        (long long)c->node[0].count);
                }
                status = level < c->receptions ? expand_turn(x, level, node)
                                               : expand_step(x, level, node);
                more = true;
            }
        }
    }
    return status;
}

/* Number the classes of ports from `first` on; returns the next number. */
static int number_classes(const uint8_t *class, int n, int first, int *number)
{
    for (int i = 0; i < n; i++)
        number[i] = class[i] == i ? first++ : number[class[i]];
    return first;
}

static swq_status begin(swq_context *ctx, swq_chain *c, stepwise *x)
{
    *x = (stepwise){.ctx = ctx, .chain = c, .between = c->layout};
    x->between.turn = x->between.words;
    x->between.opens = x->between.turn + c->sw.ports;
    x->between.words = x->between.opens + 1;
    int classes = number_classes(c->symmetry.input_class, c->sw.ports, 0, x->input_place);
    classes = number_classes(c->symmetry.output_class, c->sw.ports, classes, x->output_place);
    x->places = KINDS * classes;
    x->work = swq_calloc(ctx, (size_t)x->between.words, 3 * sizeof *x->work);
    return x->work ? SWQ_OK : swq_memory_status(ctx);
}

static void end(stepwise *x)
{
    for (int k = 0; k < SWQ_CHAIN_LEVELS; k++) {
        swq_growing_clear(x->ctx, &x->growing[k]);
        swq_free(x->ctx, x->reward[k]);
    }
    swq_free(x->ctx, x->work);
}

swq_status swq_expand_steps(swq_context *ctx, swq_chain *c)
{
    stepwise x;
    swq_status status = begin(ctx, c, &x);

    c->by_steps = true;
    c->receptions = c->sw.ports;
    c->levels = c->receptions + c->layout.steps;
    for (int k = 0; k < c->levels; k++)
        swq_intern_init(&c->node[k], layout_of(&x, k)->words);
    if (!status)
        status = explore(&x);
    if (!status)
        status = hand_over_rewards(&x);
    for (int k = 0; k < c->levels && !status; k++) {
        /* one throw more for the choice of the next input, and one for its weight */
        c->roundings += swq_growing_roundings(&x.growing[k], x.deepest + 2) +
                        c->layout.loaded_roundings * (double)x.loaded[k];
        status = swq_growing_end(ctx, &x.growing[k], c->node[(k + 1) % c->levels].count,
                                 &c->factor[k], &c->refusals[k], &c->pairs[k]);
    }
    end(&x);
    return status;
}

/* ---- slopes ---- */

/* The logarithmic derivative of an outcome's probability is the sum over its turns: 1 for a packet
 * created, -p / (1 - p) for a free source that created none, each times the logarithmic derivative
 * of p with respect to the load. A node's expectations, and how they grow and fall, are computed
 * from the last turn back. */
typedef struct {
    long double expected[KINDS], up[KINDS], down[KINDS];
} turn_growth;

typedef struct {
    turn_growth *here, *later; /* [nodes]: derivatives of this level; `later`: of the next level,
                                  NULL after the last turn */
} turn_growths;

static swq_status add_growth(stepwise *x, int level, int64_t node, int i, long double chance,
                             const swq_reception *what, void *arg)
{
    const turn_growths *g = arg;
    const double *create = x->chain->layout.create[i];
    const double steeper = x->chain->layout.steeper[i];
    const bool packet = what && what->packet[i];
    const long double created = packet && !what->held[i] ? steeper : 0;
    const long double idle = what && !packet ? (long double)create[1] / create[0] * steeper : 0;
    const int64_t number = number_of(x, level + 1);

    if (number < 0)
        return swq_memory_status(x->ctx);
    turn_growth *here = &g->here[node];
    for (int kind = 0; kind < KINDS; kind++) {
        const turn_growth none = {{0}, {0}, {0}}, *later = g->later ? &g->later[number] : &none;
        const int fate = packet && (kind == REFUSED) == swq_reception_lost(what, i);
        const int expelled = what ? what->expelled : 0;
        const int now = fate + (kind == REFUSED ? expelled : -expelled);
        const long double all = later->expected[kind] + now;
        here->expected[kind] += chance * all;
        here->up[kind] += chance * (created * all + later->up[kind]);
        here->down[kind] += chance * (idle * all + later->down[kind]);
    }
    return swq_growing_add(x->ctx, &x->growing[level], number, chance, created * chance,
                           idle * chance);
}

static swq_status differentiate(stepwise *x, int level, turn_growths *g, swq_slopes *slopes)
{
    const swq_chain *c = x->chain;
    swq_growing *growing = &x->growing[level];
    swq_csr again = {0};
    swq_status status = SWQ_OK;

    g->here = swq_calloc(x->ctx, (size_t)c->node[level].count, sizeof *g->here);
    if (!g->here)
        return swq_memory_status(x->ctx);
    while (!status && growing->rows < c->node[level].count) {
        status = go_through(x, level, growing->rows, add_growth, g);
        if (!status)
            status = swq_growing_finish(x->ctx, growing);
    }
    if (!status)
        status = swq_growing_end(x->ctx, growing, c->factor[level].cols, &again,
                                 &slopes->created[level], &slopes->idle[level]);
    swq_csr_clear(x->ctx, &again);
    swq_free(x->ctx, g->later);
    g->later = g->here;
    g->here = NULL;
    return status;
}

swq_status swq_slopes_by_steps(swq_context *ctx, swq_chain *c, swq_slopes *slopes)
{
    stepwise x;
    turn_growths g = {NULL, NULL};
    swq_status status = begin(ctx, c, &x);

    for (int level = c->receptions - 1; level >= 0 && !status; level--)
        status = differentiate(&x, level, &g, slopes);
    for (int64_t s = 0; s < c->node[0].count && !status && g.later; s++) {
        slopes->accepted[s] = (double)(g.later[s].up[ACCEPTED] - g.later[s].down[ACCEPTED]);
        slopes->refused[s] = (double)(g.later[s].up[REFUSED] - g.later[s].down[REFUSED]);
    }
    swq_free(ctx, g.later);
    end(&x);
    return status;
}
