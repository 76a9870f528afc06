/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains whose arbiter remembers something, 2x2, against a brute-force chain in this file: it lists
 * every packet of a buffer, has its own arbiters for two ports, and finds long-run averages by
 * power iteration. Of the symmetry of the ports, pointers leave the turning of all of them.
 */
#include "tests/support/support.h"

#include <stdint.h>

TestSuite(memory, .timeout = 480);

/* ---- the brute-force chain ---- */

enum { SLOTS = 4, HASH = 1 << 18, MOST_STATES = HASH / 2, MOST_NEXT = 9 };

/* After transmission, before reception. A buffer is the sequence of its packets' destinations, plus
 * one. */
typedef struct {
    uint8_t packet[2][SLOTS];
    uint8_t freed[2][2]; /* slots not yet credited, by queue */
    uint8_t held[2];     /* destination plus one */
    uint8_t pointer[4];
} brute_state;

typedef struct {
    const char *arbiter;
    int rounds, capacity, most; /* of a buffer, of each of its queues */
    bool one_queue, read_each, block, next;
    double load[2], dest[2][2];
} brute_spec;

typedef struct {
    int states, transitions;
    double discard, throughput, packets, held;
} brute_answer;

static int count(const brute_state *s, int i, int j)
{
    int packets = 0;

    for (int k = 0; k < SLOTS; k++)
        packets += s->packet[i][k] == j + 1;
    return packets;
}

static int packets_of(const brute_state *s, int i)
{
    return count(s, i, 0) + count(s, i, 1);
}

static bool has_room(const brute_spec *p, const brute_state *s, int i, int j)
{
    int all = packets_of(s, i) + s->freed[i][0] + s->freed[i][1];
    int queue = p->one_queue ? all : count(s, i, j) + s->freed[i][j];

    return all < p->capacity && queue < p->most;
}

/* Packets that input i may send to output j. */
static int asks(const brute_spec *p, const brute_state *s, int i, int j)
{
    if (p->one_queue)
        return s->packet[i][0] == j + 1 ? packets_of(s, i) : 0;
    return count(s, i, j);
}

static void rotate(const brute_spec *p, brute_state *s, int *from)
{
    int first = s->pointer[0];

    for (int turn = 0; turn < 2; turn++) {
        int i = turn ? 1 - first : first;
        int near = from[first] < 0 ? asks(p, s, i, first) : 0;
        int far = from[1 - first] < 0 ? asks(p, s, i, 1 - first) : 0;
        if (near > 0 && (near >= far || p->read_each))
            from[first] = i;
        if (far > 0 && (far > near || p->read_each))
            from[1 - first] = i;
    }
    bool passes = from[0] == first || from[1] == first || packets_of(s, first) == 0;
    if (strcmp(p->arbiter, "advancing") == 0)
        passes = from[0] >= 0 || from[1] >= 0;
    if (passes)
        s->pointer[0] = (uint8_t)(1 - first);
}

/* pointer[0], [1]: to whom the outputs offer first; [2], [3]: which outputs the inputs accept
 * first. */
static void slip(const brute_spec *p, brute_state *s, int *from)
{
    for (int round = 0; round < p->rounds; round++) {
        int offer[2] = {-1, -1};
        for (int j = 0; j < 2; j++) {
            int one = s->pointer[j], other = 1 - one;
            bool free_one = p->read_each || (from[0] != one && from[1] != one);
            bool free_other = p->read_each || (from[0] != other && from[1] != other);
            if (from[j] >= 0)
                continue;
            if (asks(p, s, one, j) && free_one)
                offer[j] = one;
            else if (asks(p, s, other, j) && free_other)
                offer[j] = other;
        }
        for (int i = 0; i < 2; i++) {
            int one = s->pointer[2 + i], other = 1 - one;
            bool taken = offer[one] == i;
            if (taken) {
                from[one] = i;
                if (round == 0) {
                    s->pointer[one] = (uint8_t)(1 - i);
                    s->pointer[2 + i] = (uint8_t)(1 - one);
                }
            }
            if (offer[other] == i && (!taken || p->read_each)) {
                from[other] = i;
                if (round == 0) {
                    s->pointer[other] = (uint8_t)(1 - i);
                    s->pointer[2 + i] = (uint8_t)(1 - other);
                }
            }
        }
    }
}

/* The first packet of input i for output j leaves. */
static void leave(const brute_spec *p, brute_state *s, int i, int j)
{
    int k = 0;

    while (s->packet[i][k] != j + 1)
        k++;
    for (; k + 1 < SLOTS; k++)
        s->packet[i][k] = s->packet[i][k + 1];
    s->packet[i][SLOTS - 1] = 0;
    if (p->next)
        s->freed[i][p->one_queue ? 0 : j]++;
}

/* One cycle with the given offers (destination plus one; 0 none); an input that holds a packet must
 * offer that one. */
static brute_state run_cycle(const brute_spec *p, brute_state s, const int *offer, int *refused,
                             int *sent)
{
    int from[2] = {-1, -1};

    *refused = *sent = 0;
    for (int i = 0; i < 2; i++) {
        s.held[i] = 0;
        if (!offer[i])
            continue;
        if (has_room(p, &s, i, offer[i] - 1)) {
            s.packet[i][packets_of(&s, i)] = (uint8_t)offer[i];
        } else {
            ++*refused;
            s.held[i] = (uint8_t)(p->block ? offer[i] : 0);
        }
    }
    memset(s.freed, 0, sizeof s.freed);
    if (strcmp(p->arbiter, "islip") == 0)
        slip(p, &s, from);
    else
        rotate(p, &s, from);
    for (int j = 0; j < 2; j++) {
        if (from[j] >= 0) {
            leave(p, &s, from[j], j);
            ++*sent;
        }
    }
    return s;
}

typedef struct {
    brute_state key[HASH];
    int32_t number[HASH]; /* plus one */
    brute_state list[MOST_STATES];
    int states;
    int64_t start[MOST_STATES + 1];
    int32_t col[MOST_STATES * MOST_NEXT];
    double value[MOST_STATES * MOST_NEXT], refused[MOST_STATES], sent[MOST_STATES];
} brute_table;

static int number_of(brute_table *t, const brute_state *s)
{
    const uint8_t *byte = (const uint8_t *)s;
    uint64_t at = 14695981039346656037u;

    for (size_t k = 0; k < sizeof *s; k++)
        at = (at ^ byte[k]) * 1099511628211u;
    at ^= at >> 29;
    for (at %= HASH; t->number[at]; at = (at + 1) % HASH) {
        if (memcmp(&t->key[at], s, sizeof *s) == 0)
            return t->number[at] - 1;
    }
    cr_assert_lt(t->states, MOST_STATES, "too many states");
    t->key[at] = t->list[t->states] = *s;
    t->number[at] = ++t->states;
    return t->states - 1;
}

static double chance_of(const brute_spec *p, const brute_state *s, int i, int offer)
{
    if (s->held[i])
        return offer == s->held[i];
    return offer ? p->load[i] * p->dest[i][offer - 1] : 1 - p->load[i];
}

static void list_states(const brute_spec *p, brute_table *t)
{
    brute_state empty = {0};
    int64_t entries = 0;

    memset(t->number, 0, sizeof t->number);
    t->states = 0;
    number_of(t, &empty);
    for (int at = 0; at < t->states; at++) {
        t->start[at] = entries;
        t->refused[at] = t->sent[at] = 0;
        for (int both = 0; both < 9; both++) {
            int offer[2] = {both / 3, both % 3}, refused, sent;
            double chance =
                chance_of(p, &t->list[at], 0, offer[0]) * chance_of(p, &t->list[at], 1, offer[1]);
            if (chance == 0)
                continue;
            brute_state then = run_cycle(p, t->list[at], offer, &refused, &sent);
            t->col[entries] = number_of(t, &then);
            t->value[entries++] = chance;
            t->refused[at] += chance * refused;
            t->sent[at] += chance * sent;
        }
    }
    t->start[t->states] = entries;
}

/* The chain that stays in its state every second time on average has the same averages, and no
 * period. */
static void iterate(const brute_table *t, double *now, double *then)
{
    double change = 1;

    memset(now, 0, (size_t)t->states * sizeof *now);
    now[0] = 1;
    for (int step = 0; step < 20000 && change > 1e-16; step++) {
        change = 0;
        for (int s = 0; s < t->states; s++)
            then[s] = now[s] / 2;
        for (int s = 0; s < t->states; s++) {
            for (int64_t e = t->start[s]; e < t->start[s + 1]; e++)
                then[t->col[e]] += now[s] / 2 * t->value[e];
        }
        for (int s = 0; s < t->states; s++) {
            change = fmax(change, fabs(then[s] - now[s]));
            now[s] = then[s];
        }
    }
    cr_assert_leq(change, 1e-16, "no end: %g", change);
}

static brute_answer brute(const brute_spec *p)
{
    brute_table *t = malloc(sizeof *t);
    brute_answer a = {0};

    cr_assert(t);
    list_states(p, t);
    double *now = malloc((size_t)t->states * sizeof *now);
    double *then = malloc((size_t)t->states * sizeof *then);
    iterate(t, now, then);
    for (int s = 0; s < t->states; s++) {
        a.discard += now[s] * t->refused[s] / (p->load[0] + p->load[1]);
        a.throughput += now[s] * t->sent[s] / 2;
        a.packets += now[s] * (packets_of(&t->list[s], 0) + packets_of(&t->list[s], 1));
        a.held += now[s] * ((t->list[s].held[0] > 0) + (t->list[s].held[1] > 0));
    }
    a.states = t->states;
    a.transitions = (int)t->start[t->states];
    free(now);
    free(then);
    free(t);
    return a;
}

/* ---- comparison ---- */

static void compare(swq_switch *sw, int rounds, const char *what)
{
    swq_context *ctx = swq_context_new();
    brute_spec p = {.arbiter = sw->arbiter->name,
                    .rounds = rounds,
                    .capacity = sw->buffer.capacity,
                    .most = sw->buffer.queue_max,
                    .one_queue = sw->buffer.queues == SWQ_ONE_QUEUE,
                    .read_each = sw->buffer.read == SWQ_READ_EACH_QUEUE,
                    .block = sw->flow == SWQ_BLOCK,
                    .next = sw->credit == SWQ_CREDIT_NEXT};
    for (int i = 0; i < 2; i++) {
        p.load[i] = sw->load[i];
        p.dest[i][0] = sw->dest[i][0];
        p.dest[i][1] = sw->dest[i][1];
    }
    brute_answer b = brute(&p);
    sw->iterations = rounds;
    swq_answers a = test_solve(ctx, sw, "auto");
    assert_relative(a.discard.value, p.block ? 0 : b.discard, 1e-11, "%s: discard %.15g not %.15g",
                    what, a.discard.value, b.discard);
    assert_relative(a.throughput.value, b.throughput, 1e-11, "%s: throughput %.15g not %.15g", what,
                    a.throughput.value, b.throughput);
    assert_relative(a.mean_packets, b.packets, 1e-11, "%s: packets %.15g not %.15g", what,
                    a.mean_packets, b.packets);
    assert_relative(a.mean_held, b.held, 1e-11, "%s: held %.15g not %.15g", what, a.mean_held,
                    b.held);
    cr_assert_leq(a.states, b.states, "%s: more states than packets can lie", what);
    swq_answers_clear(ctx, &a);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

static void compare_all(const char *arbiter, int rounds, bool lopsided)
{
    static const struct {
        const char *buffer;
        int slots;
    } cases[] = {{"fifo", 1}, {"fifo", 2}, {"damq", 1}, {"damq", 2}, {"damq", 3},
                 {"samq", 2}, {"safc", 2}, {"dafc", 2}, {"fifo", 3}};
    swq_context *ctx = swq_context_new();
    char what[120];

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        swq_switch sw = test_switch(ctx, cases[c].buffer, 2, cases[c].slots, 0.8, arbiter);
        if (lopsided) {
            sw.load[1] = 0.45;
            memcpy(sw.dest[0], (double[]){0.375, 0.625}, 2 * sizeof(double));
            memcpy(sw.dest[1], (double[]){0.75, 0.25}, 2 * sizeof(double));
        }
        for (int variant = 0; variant < 4; variant++) {
            sw.flow = variant % 2 ? SWQ_BLOCK : SWQ_DISCARD;
            sw.credit = variant / 2 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
            snprintf(what, sizeof what, "%s %d, %s, %d rounds, flow %d, credit %d%s",
                     cases[c].buffer, cases[c].slots, arbiter, rounds, (int)sw.flow, (int)sw.credit,
                     lopsided ? ", lopsided" : "");
            compare(&sw, rounds, what);
        }
    }
    swq_context_free(ctx);
}

Test(memory, rotating)
{
    compare_all("rotating", 1, false);
    compare_all("rotating", 1, true);
}

Test(memory, advancing)
{
    compare_all("advancing", 1, false);
    compare_all("advancing", 1, true);
}

Test(memory, islip)
{
    compare_all("islip", 1, false);
    compare_all("islip", 1, true);
}

Test(memory, islip_of_two_rounds)
{
    compare_all("islip", 2, true);
}

/* With more offered less may be sent: the pointers of islip synchronize. (answers::conservation
 * expects the contrary of all other arbiters.) */
Test(memory, islip_sends_less_of_more)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 4, 1, "islip");
    double throughput[2], saturation = 0;

    sw.flow = SWQ_BLOCK;
    sw.credit = SWQ_CREDIT_NEXT;
    cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.3, 1), SWQ_OK);
    for (int full = 0; full < 2; full++) {
        sw.load[0] = full ? 1 : 0.8;
        sw.load[1] = full ? 1 : 0.6;
        compare(&sw, 1, full ? "full load" : "partial load");
        swq_answers a = test_solve(ctx, &sw, "auto");
        throughput[full] = a.throughput.value;
        saturation = a.saturation.value;
        swq_answers_clear(ctx, &a);
    }
    assert_relative(saturation, throughput[1], 1e-12, "%g %g", saturation, throughput[1]);
    cr_assert_lt(throughput[1], throughput[0]);
    swq_context_free(ctx);
}

/* A DAMQ switch of one slot with the rotating arbiter, by hand: at full load a cycle ends with one
 * packet left, if both were for the same output (1/2), or none. The one left is the second in turn,
 * input 1 - pointer; since the first has sent, the pointer moves to it, and it is sent in the next
 * cycle. Then the other input's new packet is for the same output with probability 1/2 and is left,
 * or not. So one packet is left with probability 1/2, whose input refuses the next one: a quarter
 * is lost. */
Test(memory, one_slot_by_hand)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 1, 1, "rotating");
    swq_answers a = test_solve(ctx, &sw, "auto");

    assert_relative(a.mean_packets, 0.5, 1e-13, "%.17g", a.mean_packets);
    assert_relative(a.discard.value, 0.25, 1e-13, "%.17g", a.discard.value);
    assert_relative(a.throughput.value, 0.75, 1e-13, "%.17g", a.throughput.value);
    cr_assert_eq(a.period, 1, "turned, the other is the same");
    swq_answers_clear(ctx, &a);
    swq_exact_options options = swq_exact_options_defaults();
    options.reduce = false;
    cr_assert_eq(swq_exact_solve(ctx, &sw, &options, &a), SWQ_OK);
    assert_relative(a.discard.value, 0.25, 1e-13, "%.17g", a.discard.value);
    cr_assert_eq(a.period, 2, "the pointer moves in every cycle: it is always the other's turn");
    swq_answers_clear(ctx, &a);
    swq_context_free(ctx);
}

static const char *const remembering[] = {"rotating", "islip", "advancing"};

/* Pointers distinguish ports, but not where the circle begins: inputs and outputs may be rotated
 * together (rotating), or independently (islip). */
Test(memory, what_is_turned_is_one)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 3; k++) {
        for (int n = 2; n <= (k == 1 ? 2 : 3); n++) {
            swq_switch sw = test_switch(ctx, "damq", n, 2, 0.7, remembering[k]);
            swq_chain *chain[2];
            swq_chain_size size[2];
            int64_t order = k == 1 ? n * n : n;
            for (int reduce = 0; reduce < 2; reduce++) {
                cr_assert_eq(swq_chain_generate(ctx, &sw, reduce, &chain[reduce]), SWQ_OK);
                cr_assert_eq(swq_chain_foresee(ctx, &sw, reduce, &size[reduce]), SWQ_OK);
                for (int i = 0; i < n; i++)
                    cr_assert_eq(swq_chain_input_class(chain[reduce], i), reduce ? 0 : i);
                cr_assert_leq((double)swq_chain_states(chain[reduce]), size[reduce].states);
            }
            int64_t all = swq_chain_states(chain[0]), orbits = swq_chain_states(chain[1]);
            cr_assert(orbits * order >= all && orbits < all, "%s %d: %lld of %lld", remembering[k],
                      n, (long long)orbits, (long long)all);
            /* every content of the buffers with every pointer: damq with c slots and n queues has
             * (c + n choose n), here with c = 2 */
            double contents = pow((n + 2) * (n + 1) / 2.0, n);
            cr_assert_eq(size[0].states, contents * pow(n, k == 1 ? 2 * n : 1), "%g",
                         size[0].states);
            cr_assert(size[1].states * (double)order >= size[0].states &&
                          size[1].states < size[0].states,
                      "%g of %g", size[1].states, size[0].states);
            swq_chain_free(ctx, chain[0]);
            swq_chain_free(ctx, chain[1]);
        }
    }
    swq_context_free(ctx);
}

/* With unequal loads or destinations nothing can be rotated: the chain is the same, with reduction
 * or without. */
Test(memory, nothing_is_turned_that_differs)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 2; k++) {
        swq_switch sw = test_switch(ctx, "damq", 2, 2, 0.7, remembering[k]);
        swq_chain *chain[2];
        sw.load[1] = 0.4;
        cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.3, 1), SWQ_OK);
        for (int reduce = 0; reduce < 2; reduce++)
            cr_assert_eq(swq_chain_generate(ctx, &sw, reduce, &chain[reduce]), SWQ_OK);
        cr_assert_eq(swq_chain_states(chain[0]), swq_chain_states(chain[1]));
        cr_assert_eq(swq_chain_entries(chain[0]), swq_chain_entries(chain[1]));
        for (int i = 0; i < 2; i++)
            cr_assert_eq(swq_chain_input_class(chain[1], i), i);
        swq_chain_free(ctx, chain[0]);
        swq_chain_free(ctx, chain[1]);
    }
    swq_context_free(ctx);
}

/* A pool has no arbiter, hence nothing to remember, and has its symmetry. */
Test(memory, a_pool_remembers_nothing)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "cbda", 3, 2, 0.8, "random");
    swq_answers with_random = test_solve(ctx, &sw, "auto");

    for (int k = 0; k < 2; k++) {
        sw = test_switch(ctx, "cbda", 3, 2, 0.8, remembering[k]);
        swq_answers a = test_solve(ctx, &sw, "auto");
        cr_assert_eq(a.states, with_random.states);
        cr_assert_eq(a.discard.value, with_random.discard.value);
        swq_answers_clear(ctx, &a);
    }
    swq_answers_clear(ctx, &with_random);
    swq_context_free(ctx);
}

/* The pointers are words of the state, less than the number of ports, with a name, and appear in
 * its text. */
Test(memory, states_tell_what_is_remembered)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 2; k++) {
        swq_switch sw = test_switch(ctx, "damq", 2, 2, 0.7, remembering[k]);
        int memory = k ? 4 : 1, seen[4][2] = {{0}};
        char name[32], text[160], tail[40];
        swq_chain *chain;
        sw.flow = SWQ_BLOCK;
        cr_assert_eq(swq_chain_generate(ctx, &sw, true, &chain), SWQ_OK);
        int words = swq_chain_words(chain);
        cr_assert_eq(words, 4 + 2 + memory);
        for (int w = 0; w < memory; w++) {
            snprintf(tail, sizeof tail, "memory%d", w);
            cr_assert_str_eq(swq_chain_word_name(chain, 6 + w, name, sizeof name), tail);
        }
        for (int64_t s = 0; s < swq_chain_states(chain); s++) {
            size_t used = (size_t)snprintf(tail, sizeof tail, "; memory");
            for (int w = 0; w < memory; w++) {
                int value = swq_chain_word(chain, s, 6 + w);
                cr_assert(value == 0 || value == 1);
                seen[w][value]++;
                used += (size_t)snprintf(tail + used, sizeof tail - used, " %d", value);
            }
            swq_chain_state_text(chain, s, text, sizeof text);
            cr_assert(strstr(text, tail), "%s lacks %s", text, tail);
        }
        for (int w = 0; w < memory; w++)
            cr_assert(seen[w][0] && seen[w][1], "%s: word %d never moves", remembering[k], w);
        swq_chain_free(ctx, chain);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* More rounds help with pointers that are remembered, and without: two rounds of pim leave nothing
 * over, like a random arbiter, but are not the same as that. */
Test(memory, rounds_help)
{
    swq_context *ctx = swq_context_new();
    static const char *const names[] = {"islip", "pim"};

    for (int k = 0; k < 2; k++) {
        double loss[3];
        for (int rounds = 1; rounds <= 3; rounds++) {
            swq_switch sw = test_switch(ctx, "damq", 2, 4, 0.8, names[k]);
            sw.iterations = rounds;
            loss[rounds - 1] = test_discard(&sw);
        }
        cr_assert(loss[1] < 0.9 * loss[0], "%s: %g %g", names[k], loss[0], loss[1]);
        assert_relative(loss[2], loss[1], 1e-13, "%s: two ports have nothing left over", names[k]);
        swq_switch sw = test_switch(ctx, "damq", 2, 4, 0.8, names[k]);
        assert_relative(test_discard(&sw), loss[0], 1e-13, "iterations 0 counts as 1");
    }
    /* two ports, two rounds: the probabilities of the random arbiter for {1 1 / 1 0}, 1/4 and 3/4,
     * are those of pim as well */
    swq_switch pim = test_switch(ctx, "damq", 2, 4, 0.8, "pim"),
               random = test_switch(ctx, "damq", 2, 4, 0.8, "random");
    pim.iterations = 2;
    assert_relative(test_discard(&pim), test_discard(&random), 1e-12, "for two ports they are one");
    swq_context_free(ctx);
}
