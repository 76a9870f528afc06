/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The small chain that an importance is made of, against what can be worked out by hand; the
 * importance, against a plain look at every buffer and packet; and means that it leaves alone.
 */
#include "sim/rare/chain.h"
#include "sim/rare/split.h"
#include "sim/stages/buffers.h"
#include "tests/sim/samples.h"

#include <string.h>

TestSuite(rare_chain, .timeout = 480);

enum { MOST = 8192 };

typedef struct {
    double before[MOST], after[MOST];
} chances;

static void solve(chances *c, const swq_contest_model *m)
{
    cr_assert(swq_contest_states(&m->most) <= MOST);
    swq_contest_solve(m, c->before, c->after);
}

/* Nothing new arrives. A full buffer refuses the packet on its way unless it wins against its
 * rival, in each cycle. */
Test(rare_chain, a_full_buffer_that_nothing_new_comes_to)
{
    const swq_contest_model m = {.most = {3, 4, 5}, .ports = 2, .load = 0};
    chances *c = calloc(1, sizeof *c);

    solve(c, &m);
    for (int coming = 0; coming <= 5; coming++) {
        const swq_contest h = {.mine = 3, .rivals = 2, .same = coming};
        cr_assert_float_eq(c->before[swq_contest_place(&m.most, &h)], 1 - ldexp(1, -coming), 1e-12);
        cr_assert_float_eq(c->after[swq_contest_place(&m.most, &h)], coming > 0, 1e-12);
    }
    /* one more or fewer than fit */
    const swq_contest two = {.mine = 1, .others = 1, .rivals = 1, .apart = 1}, lone = {.mine = 3};
    cr_assert_eq(c->before[swq_contest_place(&m.most, &two)], 0);
    cr_assert_eq(c->before[swq_contest_place(&m.most, &lone)], 0);
    free(c);
}

/* One slot: before transmission it is free if it has no rival; after it, it takes an arrival. */
Test(rare_chain, one_slot)
{
    const swq_contest_model m = {.most = {1, 0, 0}, .ports = 3, .load = 0.3};
    chances *c = calloc(1, sizeof *c);
    const swq_contest mine = {.mine = 1}, other = {.others = 1}, none = {0};

    solve(c, &m);
    cr_assert_eq(swq_contest_states(&m.most), 3);
    cr_assert_float_eq(c->before[swq_contest_place(&m.most, &mine)], 0, 1e-15);
    cr_assert_float_eq(c->before[swq_contest_place(&m.most, &other)], 0, 1e-15);
    cr_assert_float_eq(c->after[swq_contest_place(&m.most, &mine)], 0.3, 1e-15);
    cr_assert_float_eq(c->after[swq_contest_place(&m.most, &none)], 0, 1e-15);
    free(c);
}

/* Every state has an index of its own, all values are probabilities, and more rivals or packets of
 * a full buffer never make a loss less likely. */
Test(rare_chain, probabilities_that_rise_with_what_is_in_the_way)
{
    const swq_contest_model m = {.most = {4, 12, 3}, .ports = 4, .load = 0.2, .each = true};
    chances *c = calloc(1, sizeof *c);
    size_t states = 0;

    solve(c, &m);
    bool *seen = calloc(MOST, sizeof *seen);
    for (int mine = 0; mine <= 4; mine++)
        for (int others = 0; mine + others <= 4; others++)
            for (int rivals = 0; rivals <= 12; rivals++)
                for (int same = 0; same <= 3; same++)
                    for (int apart = 0; same + apart <= 3; apart++) {
                        swq_contest h = {mine, others, rivals, same, apart};
                        const size_t k = swq_contest_place(&m.most, &h);
                        cr_assert(!seen[k] && c->before[k] >= 0 && c->before[k] <= 1);
                        seen[k] = true;
                        states++;
                        h.rivals--;
                        if (mine > 0 && rivals > 0)
                            cr_assert(c->before[k] >=
                                          c->before[swq_contest_place(&m.most, &h)] * 0.99,
                                      "%d %d %d %d %d", mine, others, rivals, same, apart);
                    }
    cr_assert_eq(states, swq_contest_states(&m.most));
    free(seen);
    free(c);
}

/* ---- the importance ---- */

static const swq_importance *row(swq_context *ctx, const char *name)
{
    const swq_importance *found = NULL;

    cr_assert_eq(swq_importance_find(ctx, name, &found), SWQ_OK);
    return found;
}

/* Packets in a line's buffer at `stage` for output q, or for all outputs; those on their way to
 * it. */
static int here(const swq_net *net, int stage, uint32_t line, int q)
{
    uint16_t copy[SWQ_PACKED_QUEUES];

    return swq_lengths(net, (size_t)stage * net->system.nodes + line, 1, copy)[q];
}

static int on_the_way(const swq_net *net, int stage, uint32_t line, int q)
{
    int sum = 0;

    for (uint32_t from = 0; stage > 0 && from < net->system.nodes; from++) {
        if (net->wire[(size_t)stage * net->system.nodes + from] != line)
            continue;
        const int out = (int)from % net->ports;
        for (int i = 0; i < net->ports; i++) {
            const size_t at = (size_t)(stage - 1) * net->system.nodes +
                              from / (uint32_t)net->ports * (uint32_t)net->ports + (uint32_t)i;
            uint16_t copy[SWQ_PACKED_QUEUES];
            const int length = swq_lengths(net, at, 1, copy)[out];
            for (int k = 0; k < length; k++) {
                const size_t slot = (size_t)swq_slot_of(net, at, out, k);
                const uint32_t to = net->packet[swq_place_of(net, at, slot)].to;
                sum += swq_output_port(net, stage, to) == q;
            }
        }
    }
    return sum;
}

typedef struct {
    const swq_net *net;
    swq_contest_model m;
    const chances *c;
    double low, high, most;
} reference;

static uint32_t height(const reference *r, int stage, const swq_contest *h)
{
    const size_t k = swq_contest_place(&r->m.most, h);
    const double p = stage ? r->c->before[k] : r->c->after[k];

    return p > r->low ? (uint32_t)floor(r->most * log(p / r->low) / log(r->high / r->low) + 0.5)
                      : 0;
}

/* Each output of a buffer, and together those outputs for which it has rivals. */
static uint32_t of_buffer(const reference *r, int stage, uint32_t line)
{
    const int ports = r->net->ports;
    const uint32_t first = line / (uint32_t)ports * (uint32_t)ports;
    swq_contest together = {0};
    uint32_t most = 0;
    int contested = 0, packets = 0;

    for (int q = 0; q < ports; q++) {
        swq_contest h = {0};
        for (int k = 0; k < ports; k++) {
            h.others += k == q ? 0 : here(r->net, stage, line, k);
            h.apart += k == q ? 0 : on_the_way(r->net, stage, line, k);
            if (first + (uint32_t)k != line)
                h.rivals += here(r->net, stage, first + (uint32_t)k, q) +
                            on_the_way(r->net, stage, first + (uint32_t)k, q);
        }
        h.mine = here(r->net, stage, line, q);
        h.same = on_the_way(r->net, stage, line, q);
        const int own = h.mine + h.same;
        if (own > 0 && height(r, stage, &h) > most)
            most = height(r, stage, &h);
        if (own > 0 && h.rivals > 0) {
            contested++;
            packets += own;
            together.rivals += own * h.rivals;
            together.mine += h.mine;
            together.same += h.same;
        } else {
            together.others += h.mine;
            together.apart += h.same;
        }
    }
    if (contested > 1) {
        together.rivals /= packets;
        if (height(r, stage, &together) > most)
            most = height(r, stage, &together);
    }
    return most;
}

static uint32_t of_network(const reference *r)
{
    uint32_t most = 0;

    for (int stage = 0; stage < r->net->system.levels; stage++)
        for (uint32_t line = 0; line < r->net->system.nodes; line++) {
            const uint32_t v = of_buffer(r, stage, line);
            most = v > most ? v : most;
        }
    return most;
}

/* 0 when the network is empty, and always the highest of all buffers. */
static void compare(swq_context *ctx, int stages, int ports, int slots, double load)
{
    swq_switch sw = test_switch(ctx, "damq", ports, slots, load, "random");
    swq_network n = network_in_stages(ctx, stages > 1 ? "omega" : "switch", stages, &sw);
    swq_sim_options o = swq_sim_defaults();
    const struct swq_importance_of *rule = row(ctx, "chain")->rule;
    chances *c = calloc(1, sizeof *c);
    uint32_t highest = 0;
    swq_split split;
    swq_net *net;
    void *table;

    cr_assert_eq(swq_net_new(ctx, &n, &o, 0, &net), SWQ_OK);
    cr_assert(rule->fits(net));
    cr_assert_eq(swq_importance_table(ctx, rule, net, &table), SWQ_OK);
    cr_assert_eq(swq_split_new(ctx, net, rule, table, false, &split), SWQ_OK);
    reference r = {.net = net, .c = c, .most = rule->most(net)};
    r.m = (swq_contest_model){
        .most = {slots, (ports - 1) * slots, stages > 1 ? 6 : 0}, .ports = ports, .load = load};
    solve(c, &r.m);
    r.low = c->after[0];
    for (size_t k = 0; k < swq_contest_states(&r.m.most); k++)
        r.high = fmax(r.high, fmax(c->before[k], c->after[k]));
    cr_assert_eq(rule->value(net, &split.aid), 0);
    for (int k = 0; k < 1500; k++) {
        net->system.advance(&net->system, 1);
        const uint32_t v = rule->value(net, &split.aid), must = of_network(&r);
        cr_assert(v <= rule->most(net));
        cr_assert_eq(v, must, "cycle %d: %u, not %u", k, v, must);
        highest = v > highest ? v : highest;
    }
    cr_assert(highest > rule->most(net) / 2, "%u of %u", highest, rule->most(net));
    swq_split_free(ctx, &split);
    swq_free(ctx, table);
    free(c);
}

Test(rare_chain, the_importance_is_that_of_the_likeliest_buffer)
{
    swq_context *ctx = swq_context_new();

    compare(ctx, 1, 2, 3, 0.6);
    compare(ctx, 1, 4, 4, 0.6);
    compare(ctx, 3, 2, 3, 0.6);
    compare(ctx, 2, 4, 2, 0.5);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(rare_chain, it_is_for_shared_buffers_of_inputs)
{
    static const struct {
        const char *buffer;
        bool fits;
    } all[] = {{"damq", true}, {"dafc", true}, {"fifo", false}, {"samq", false}, {"cbda", false}};
    swq_context *ctx = swq_context_new();

    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        swq_switch sw = test_switch(ctx, all[k].buffer, 2, 4, 0.5, "random");
        swq_network n = network_of(&sw);
        swq_sim_options o = swq_sim_defaults();
        swq_net *net;
        cr_assert_eq(swq_net_new(ctx, &n, &o, 0, &net), SWQ_OK);
        cr_assert_eq(row(ctx, "chain")->rule->fits(net), all[k].fits, "%s", all[k].buffer);
        swq_net_free(ctx, net);
    }
    swq_context_free(ctx);
}

/* ---- the mean ---- */

static swq_rare_options few_steps(swq_context *ctx, uint64_t seed)
{
    swq_rare_options o = swq_rare_defaults();

    o.seed = seed;
    o.pilot_steps = 5000;
    o.warmup = 200;
    o.precision = 0.25;
    o.importance = row(ctx, "chain");
    return o;
}

Test(rare_chain, means_are_those_of_the_exact_chain)
{
    static const struct {
        const char *buffer, *arbiter;
        int ports, slots;
        double load;
    } points[] = {{"damq", "random", 2, 4, 0.25},
                  {"damq", "rotating", 2, 3, 0.3},
                  {"dafc", "random", 2, 3, 0.25},
                  {"damq", "random", 3, 2, 0.2}};
    swq_context *ctx = swq_context_new();

    for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
        swq_switch sw = test_switch(ctx, points[k].buffer, points[k].ports, points[k].slots,
                                    points[k].load, points[k].arbiter);
        swq_network n = network_of(&sw);
        swq_rare_options o = few_steps(ctx, 20 + k);
        swq_rare_result r;
        cr_assert_eq(swq_rare_run(ctx, &n, &o, &r), SWQ_OK, "%s", swq_context_message(ctx));
        const double exact = test_discard(&sw);
        const double z = score_of(&r.discard_fraction, exact, (size_t)r.replications, 0.95);
        cr_assert(r.enough && r.importance == o.importance);
        cr_assert(fabs(z) < 4.5, "%s %d: %g, not %g", points[k].buffer, points[k].slots,
                  r.discard_fraction.mean, exact);
    }
    swq_context_free(ctx);
}

Test(rare_chain, memory_is_foreseen_and_its_lack_survived)
{
    static const swq_rare_level level[] = {{6, 2}};
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 2, 3, 0.6, "random");
    swq_network n = network_in_stages(ctx, "omega", 2, &sw);
    swq_rare_options o = few_steps(ctx, 1);
    swq_rare_result r;

    o.level = level;
    o.levels = 1;
    o.precision = 0;
    o.cycles = 50;
    o.replications = 2;
    for (size_t after = 0;; after++) {
        swq_context_fail_allocations(ctx, after, false);
        swq_status status = swq_rare_run(ctx, &n, &o, &r);
        swq_context_fail_allocations(ctx, SIZE_MAX, false);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        if (status == SWQ_OK)
            break;
        cr_assert_eq(status, SWQ_ENOMEM);
    }
    swq_context_free(ctx);
}
