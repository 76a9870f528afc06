/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packed buffers change no importance, and no packet that is drawn again: step by step, networks
 * that have them are like those of the plain engine.
 */
#include "sim/rare/importance.h"
#include "tests/sim/samples.h"

TestSuite(rare_importances, .timeout = 60);

enum { CYCLES = 120, BRANCH_EVERY = 16 };

typedef struct {
    const char *buffer;
    int slots, stages;
    double load;
} packed_case;

typedef struct {
    swq_net *packed, *plain;
    const struct swq_importance_of *rule;
    swq_importance_aid packed_aid, plain_aid;
} net_pair;

static swq_net *net_of(swq_context *ctx, const packed_case *c, bool plain)
{
    static swq_network n[2]; /* a network's spec outlives it */
    static swq_sim_options options[2];
    swq_switch sw = {.ports = SWQ_PACKED_QUEUES, .flow = SWQ_DISCARD, .credit = SWQ_CREDIT_SAME};
    const swq_buffer_kind *kind;
    swq_net *net;

    cr_assert_eq(swq_arbiter_find(ctx, "rotating", &sw.arbiter), SWQ_OK);
    cr_assert_eq(swq_buffer_kind_find(ctx, c->buffer, &kind), SWQ_OK);
    cr_assert_eq(swq_buffer_preset(ctx, kind, sw.ports, c->slots, &sw.buffer), SWQ_OK);
    n[plain] = network_in_stages(ctx, "omega", c->stages, &sw);
    n[plain].traffic.load = c->load;
    options[plain] = swq_sim_defaults();
    options[plain].plain = plain;
    cr_assert_eq(swq_net_new(ctx, &n[plain], &options[plain], 0, &net), SWQ_OK);
    cr_assert_neq(net->packs, plain);
    return net;
}

static void furnish(swq_context *ctx, const net_pair *p, const swq_net *net,
                    swq_importance_aid *aid)
{
    void *table;

    cr_assert_eq(swq_importance_table(ctx, p->rule, net, &table), SWQ_OK);
    aid->table = table;
    if (p->rule->scratch_bytes)
        aid->scratch = swq_calloc(ctx, p->rule->scratch_bytes(net), 1);
}

static void clear(swq_context *ctx, swq_net *net, swq_importance_aid *aid)
{
    swq_free(ctx, (void *)(uintptr_t)aid->table);
    swq_free(ctx, aid->scratch);
    swq_net_free(ctx, net);
}

/* Both go on, and branch off now and then. Returns the largest importance. */
static uint32_t run_pair(net_pair *p, const char *name, const packed_case *c)
{
    uint32_t most = 0;

    for (uint32_t cycle = 0; cycle < CYCLES; cycle++) {
        if (cycle % BRANCH_EVERY == 0) {
            const swq_streams streams = swq_streams_branch(&p->plain->streams, cycle);
            swq_net_branch(p->packed, streams);
            swq_net_branch(p->plain, streams);
        }
        p->packed->system.advance(&p->packed->system, 1);
        p->plain->system.advance(&p->plain->system, 1);
        const uint32_t v = p->rule->value(p->packed, &p->packed_aid);
        cr_assert_eq(v, p->rule->value(p->plain, &p->plain_aid),
                     "%s of %s, %d slots, %d stages, load %g, cycle %u: %u", name, c->buffer,
                     c->slots, c->stages, c->load, cycle, v);
        most = v > most ? v : most;
    }
    cr_assert_eq(p->packed->system.delivered, p->plain->system.delivered);
    return most;
}

Test(rare_importances, of_packed_buffers_are_those_of_lengths)
{
    static const double load[] = {0.2, 0.5, 1};
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 2 * 3 * 3 * SWQ_PACKED_SLOTS; k++) {
        const packed_case c = {.buffer = k & 1 ? "dafc" : "damq",
                               .slots = 1 + k / 18,
                               .stages = 1 + k / 2 % 3,
                               .load = load[k / 6 % 3]};
        for (int row = 0; swq_importances[row]; row++) {
            net_pair p = {.packed = net_of(ctx, &c, false),
                          .plain = net_of(ctx, &c, true),
                          .rule = swq_importances[row]->rule};
            if (p.rule->fits(p.packed)) {
                furnish(ctx, &p, p.packed, &p.packed_aid);
                furnish(ctx, &p, p.plain, &p.plain_aid);
                cr_assert(run_pair(&p, swq_importances[row]->name, &c) > 0);
            }
            clear(ctx, p.packed, &p.packed_aid);
            clear(ctx, p.plain, &p.plain_aid);
        }
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}
