/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Renamings of a network: pairs of tree automorphisms, as permutations of a node's words.
 */
#include "nets/renamings.h"

#include "base/context.h"

#include <math.h>
#include <string.h>

enum { MOST = 1 << 15 /* renamings; networks with more never fit */ };

/* The image of a switch and of its ports under a renaming. */
typedef struct {
    int to; /* the switch that the switch becomes */
    uint8_t input[SWQ_CHAIN_PORTS], output[SWQ_CHAIN_PORTS];
} moved_switch;

/* One side's nodes as the leaves of a tree. */
typedef struct {
    int ports, stages;
    uint32_t nodes;
    uint32_t leaf[SWQ_NETCHAIN_NODES]; /* leaf[place]: the node at a place, in an order in which
                                          all blocks are contiguous */
    uint32_t place[SWQ_NETCHAIN_NODES];
    int inner;       /* inner nodes, the root first, level by level */
    int first, free; /* inner nodes that may permute their children: first .. first + free - 1 */
} block_tree;

typedef struct {
    swq_context *ctx;
    const swq_netplan *plan;
    swq_netrenamings *out;
    int room;
    moved_switch *moved;                                           /* [switches] */
    uint32_t source[SWQ_NETCHAIN_NODES], sink[SWQ_NETCHAIN_NODES]; /* the new names of nodes */
} finding;

static uint32_t first_of(uint64_t set)
{
    return (uint32_t)__builtin_ctzll(set);
}

/* ---- trees ---- */

/* The block of a stage that contains a node, identified by its first node. */
static uint32_t block_of(const swq_netplan *p, bool sinks, int stage, uint32_t node)
{
    for (int k = 0; k < p->per_stage; k++) {
        const swq_netswitch *s = &p->at[stage * p->per_stage + k];
        const uint64_t set = sinks ? s->sinks : s->sources;
        if (set >> node & 1)
            return first_of(set);
    }
    return node;
}

/* Does `a` come before `b` in an order that keeps blocks together, larger ones first? */
static bool comes_before(const swq_netplan *p, bool sinks, uint32_t a, uint32_t b)
{
    for (int k = 0; k < p->stages; k++) {
        const int stage = sinks ? k : p->stages - 1 - k; /* the largest blocks first */
        const uint32_t mine = block_of(p, sinks, stage, a), its = block_of(p, sinks, stage, b);
        if (mine != its)
            return mine < its;
    }
    return a < b;
}

static void make_tree(const swq_netplan *p, bool sinks, block_tree *t)
{
    *t = (block_tree){.ports = p->ports, .stages = p->stages, .nodes = p->nodes};
    for (uint32_t n = 0; n < p->nodes; n++) {
        uint32_t at = n;
        for (; at > 0 && comes_before(p, sinks, n, t->leaf[at - 1]); at--)
            t->leaf[at] = t->leaf[at - 1];
        t->leaf[at] = n;
    }
    for (uint32_t n = 0; n < p->nodes; n++)
        t->place[t->leaf[n]] = n;
    t->inner = (int)(p->nodes - 1) / (p->ports - 1);
    t->free = t->inner;
    if (!sinks || !p->cone)
        return;
    /* only the sinks of the one switch of the last stage matter */
    const swq_netswitch *last = &p->at[(p->stages - 1) * p->per_stage];
    t->free = 1;
    t->first =
        t->inner - (int)p->nodes / p->ports + (int)t->place[first_of(last->sinks)] / p->ports;
}

static double factorial(int n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

static double automorphisms(const block_tree *t)
{
    return pow(factorial(t->ports), t->free);
}

/* Permutation number k of the ports. */
static void permutation(int k, int ports, uint8_t *p)
{
    for (int i = 0; i < ports; i++)
        p[i] = (uint8_t)i;
    for (int i = 0; i < ports - 1; i++) {
        const int other = i + k % (ports - i);
        k /= ports - i;
        const uint8_t moving = p[other];
        memmove(p + i + 1, p + i, (size_t)(other - i));
        p[i] = moving;
    }
}

/* becomes[node]: the image of a node under automorphism `number`. */
static void automorphism(const block_tree *t, int number, uint32_t *becomes)
{
    uint8_t turn[SWQ_NETCHAIN_NODES][SWQ_CHAIN_PORTS];
    const int each = (int)factorial(t->ports);

    for (int k = 0; k < t->inner; k++) {
        const bool free = k >= t->first && k < t->first + t->free;
        permutation(free ? number % each : 0, t->ports, turn[k]);
        number /= free ? each : 1;
    }
    for (uint32_t place = 0; place < t->nodes; place++) {
        uint32_t image = 0, unit = t->nodes / (uint32_t)t->ports;
        int first = 0, count = 1, node = 0; /* inner nodes of a level */
        for (int level = 0; level < t->stages; level++) {
            const int child = (int)(place / unit) % t->ports;
            image += turn[first + node][child] * unit;
            node = node * t->ports + child;
            first += count;
            count *= t->ports;
            unit /= (uint32_t)t->ports;
        }
        becomes[t->leaf[place]] = t->leaf[image];
    }
}

/* ---- the effect of a pair of automorphisms ---- */

static void move_switch(const finding *f, int k)
{
    const swq_netplan *p = f->plan;
    const swq_netswitch *s = &p->at[k];
    moved_switch *m = &f->moved[k];

    for (m->to = s->stage * p->per_stage;; m->to++) {
        const swq_netswitch *t = &p->at[m->to];
        if (t->sources >> f->source[first_of(s->sources)] & 1 &&
            t->sinks >> f->sink[first_of(s->sinks)] & 1)
            break;
    }
    const swq_netswitch *t = &p->at[m->to];
    for (int i = 0; i < p->ports; i++) {
        for (int other = 0; other < p->ports; other++) {
            if (t->origin[other] >> f->source[first_of(s->origin[i])] & 1)
                m->input[i] = (uint8_t)other;
            if (t->reach[other] >> f->sink[first_of(s->reach[i])] & 1)
                m->output[i] = (uint8_t)other;
        }
    }
}

static bool is_shift(const uint8_t *p, int ports, int by)
{
    for (int i = 0; i < ports; i++) {
        if (p[i] != (i + by) % ports)
            return false;
    }
    return true;
}

/* Does the arbiter's rule allow the renaming `m` of a switch's ports? */
static bool arbiter_allows(const swq_netplan *p, const moved_switch *m)
{
    const swq_arbiter *arbiter = p->network->sw.arbiter;
    const bool one_queue = p->network->sw.buffer.queues == SWQ_ONE_QUEUE;

    if (p->pools || arbiter->alike == SWQ_ALIKE_ALL)
        return true;
    if (arbiter->alike == SWQ_ALIKE_NONE)
        return is_shift(m->input, p->ports, 0) && is_shift(m->output, p->ports, 0);
    if (!is_shift(m->input, p->ports, m->input[0]))
        return false;
    /* the order of outputs matters if an input has several queues to choose from */
    if (arbiter->unrolled && one_queue)
        return true;
    return is_shift(m->output, p->ports,
                    arbiter->alike == SWQ_ALIKE_SHIFTED_APART ? m->output[0] : m->input[0]);
}

static bool preserves(finding *f)
{
    const swq_netplan *p = f->plan;

    for (uint32_t n = 0; n < p->nodes; n++) {
        if (p->node_load[f->source[n]] != p->node_load[n] ||
            p->node_probability[f->sink[n]] != p->node_probability[n])
            return false;
    }
    for (int k = 0; k < p->switches; k++) {
        if (!p->at[k].present)
            continue;
        move_switch(f, k);
        if (!arbiter_allows(p, &f->moved[k]))
            return false;
    }
    return true;
}

/* ---- as a permutation of words ---- */

static void rename_by(const finding *f, uint8_t *value, const uint8_t *port)
{
    value[0] = 0;
    for (int v = 1; v < f->out->values; v++)
        value[v] = (uint8_t)(1 + port[v - 1]);
}

/* Word `word` of a node becomes word `to`. by: the new names of the word's values, which are ports
 * + 1; NULL: values stay. */
static void put_word(finding *f, int word, int to, const uint8_t *by)
{
    swq_netrenamings *out = f->out;
    const size_t at = (size_t)out->count * (size_t)out->words + (size_t)to;

    out->from[at] = (int16_t)word;
    if (by) {
        out->renamed[to] = true;
        rename_by(f, out->value + at * (size_t)out->values, by);
    }
}

/* An arbiter's memory: where words move and how their values change is found by renaming trial
 * values. */
static void put_memory(finding *f, const swq_netswitch *s, const swq_netswitch *t,
                       const moved_switch *m)
{
    swq_netrenamings *out = f->out;
    const int words = s->layout.memory_words, ports = f->plan->ports;
    const swq_arbiter *arbiter = f->plan->network->sw.arbiter;
    uint16_t memory[2 * SWQ_CHAIN_PORTS] = {0}, plain[2 * SWQ_CHAIN_PORTS],
                        image[2 * SWQ_CHAIN_PORTS];

    if (words == 0)
        return;
    if (arbiter->alike == SWQ_ALIKE_NONE || !arbiter->rename) {
        for (int w = 0; w < words; w++)
            put_word(f, s->at + s->layout.memory + w, t->at + t->layout.memory + w, NULL);
        return;
    }
    arbiter->rename(ports, m->input, m->output, memory, plain);
    for (int w = 0; w < words; w++) {
        int to = 0;
        memory[w] = 1;
        arbiter->rename(ports, m->input, m->output, memory, image);
        while (to < words && image[to] == plain[to])
            to++;
        const int word = t->at + t->layout.memory + to;
        const size_t at = (size_t)out->count * (size_t)out->words + (size_t)word;
        put_word(f, s->at + s->layout.memory + w, word, NULL);
        out->renamed[word] = true;
        for (int v = 0; v < ports; v++) {
            memory[w] = (uint16_t)v;
            arbiter->rename(ports, m->input, m->output, memory, image);
            out->value[at * (size_t)out->values + (size_t)v] = (uint8_t)image[to];
        }
        memory[w] = 0;
    }
}

static void put_switch(finding *f, int k)
{
    const swq_netplan *p = f->plan;
    const moved_switch *m = &f->moved[k];
    const swq_netswitch *s = &p->at[k], *t = &p->at[m->to];
    const swq_layout *l = &s->layout;

    for (int b = 0; b < l->buffers; b++) {
        const int into = l->buffers > 1 ? m->input[b] : 0;
        for (int q = 0; q < l->queues; q++) {
            const int at = b * l->queues + q;
            const int to = into * l->queues + (l->queues > 1 ? m->output[q] : 0);
            put_word(f, s->at + at, t->at + to, NULL);
            if (l->freed >= 0)
                put_word(f, s->at + l->freed + at, t->at + l->freed + to, NULL);
            if (s->ahead >= 0)
                put_word(f, s->ahead + at, t->ahead + to, f->moved[s->behind[q]].output);
        }
        if (l->head >= 0)
            put_word(f, s->at + l->head + b, t->at + l->head + into, m->output);
    }
    for (int i = 0; i < p->ports && l->held >= 0; i++)
        put_word(f, s->at + l->held + i, t->at + l->held + m->input[i],
                 l->deferred ? NULL : m->output);
    put_memory(f, s, t, m);
    put_word(f, s->done, t->done, NULL);
}

static swq_status room_for(finding *f, int count)
{
    swq_netrenamings *out = f->out;
    const size_t words = (size_t)out->words;

    if (count <= f->room)
        return SWQ_OK;
    const size_t room = 2 * (size_t)f->room + 8;
    int16_t *from = swq_resize(f->ctx, out->from, room, words * sizeof *from);
    if (!from)
        return swq_memory_status(f->ctx);
    out->from = from;
    uint8_t *value = swq_resize(f->ctx, out->value, room, words * (size_t)out->values);
    if (!value)
        return swq_memory_status(f->ctx);
    out->value = value;
    f->room = (int)room;
    return SWQ_OK;
}

static swq_status add_renaming(finding *f)
{
    swq_status status = room_for(f, f->out->count + 1);

    for (int k = 0; k < f->plan->switches && !status; k++) {
        if (f->plan->at[k].present)
            put_switch(f, k);
    }
    f->out->count += !status;
    return status;
}

swq_status swq_netrenamings_find(swq_context *ctx, const swq_netplan *plan, bool reduce,
                                 swq_netrenamings *renamings)
{
    swq_netrenamings out = {.words = plan->words, .values = plan->ports + 1};
    finding f = {.ctx = ctx, .plan = plan, .out = &out};
    block_tree sources, sinks;
    swq_status status = SWQ_OK;
    int of_sources = 1, of_sinks = 1;

    make_tree(plan, false, &sources);
    make_tree(plan, true, &sinks);
    if (reduce && automorphisms(&sources) * automorphisms(&sinks) <= MOST) {
        of_sources = (int)automorphisms(&sources);
        of_sinks = (int)automorphisms(&sinks);
    }
    out.renamed = swq_calloc(ctx, (size_t)plan->words, sizeof *out.renamed);
    f.moved = swq_calloc(ctx, (size_t)plan->switches, sizeof *f.moved);
    if (!out.renamed || !f.moved)
        status = swq_memory_status(ctx);
    for (int a = 0; a < of_sources && !status; a++) {
        automorphism(&sources, a, f.source);
        for (int b = 0; b < of_sinks && !status; b++) {
            automorphism(&sinks, b, f.sink);
            if (preserves(&f))
                status = add_renaming(&f);
        }
    }
    swq_free(ctx, f.moved);
    if (status)
        swq_netrenamings_clear(ctx, &out);
    else
        *renamings = out;
    return status;
}

void swq_netrenamings_clear(swq_context *ctx, swq_netrenamings *r)
{
    swq_free(ctx, r->from);
    swq_free(ctx, r->value);
    swq_free(ctx, r->renamed);
    *r = (swq_netrenamings){0};
}

void swq_netrenamings_canonical(const swq_netrenamings *r, swq_word *words, swq_word *work)
{
    const size_t all = (size_t)r->words;
    swq_word *best = work; /* the least so far */

    memcpy(best, words, sizeof *words * all);
    for (int k = 1; k < r->count; k++) {
        const int16_t *from = r->from + (size_t)k * all;
        const uint8_t *value = r->value + (size_t)k * all * (size_t)r->values;
        bool less = false;
        for (size_t w = 0; w < all; w++) {
            swq_word v = words[from[w]];
            if (r->renamed[w])
                v = value[w * (size_t)r->values + v];
            if (!less && v > best[w])
                break;
            less = less || v < best[w];
            best[w] = v; /* so far the image is equal, unless it is already less */
        }
    }
    memcpy(words, best, sizeof *words * all);
}
