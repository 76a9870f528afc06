/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Switches of more than 32 ports that share one memory: losses against a plain simulation of queue
 * lengths that shares no code with the engine, for rules of admission; which ports are open; and
 * who refuses so many ports.
 */
#include "models/buffers/large.h"
#include "switchq/approx.h"
#include "switchq/netchain.h"
#include "switchq/rare.h"
#include "tests/sim/samples.h"

#include <math.h>

TestSuite(large_pools, .timeout = 120);

enum { SHARING, THRESHOLD, DROP_LONGEST, RULES };
static const char *const rule_name[RULES] = {"sharing", "threshold", "lqd"};

/* ---- the reference ---- */

static uint64_t seed;

static double uniform(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(seed >> 11) * 0x1p-53;
}

typedef struct {
    int ports, capacity, rule, held, length[SWQ_MAX_PORTS];
    double lost;
} counted_pool;

static void arrive(counted_pool *m, int q)
{
    int longest = 0;

    if (m->rule == THRESHOLD ? m->length[q] < m->capacity - m->held : m->held < m->capacity) {
        m->length[q]++;
        m->held++;
        return;
    }
    m->lost++;
    for (int k = 1; k < m->ports; k++)
        longest = m->length[k] > m->length[longest] ? k : longest;
    if (m->rule == DROP_LONGEST && m->length[longest] > m->length[q] + 1) {
        m->length[longest]--;
        m->length[q]++;
    }
}

/* The loss over `cycles`, and its standard error from the losses of 32 parts. */
static void reference(int ports, int capacity, int rule, double load, int cycles, double *loss,
                      double *error)
{
    enum { PARTS = 32 };
    counted_pool m = {.ports = ports, .capacity = capacity, .rule = rule};
    double sum = 0, squares = 0;

    for (int part = -1; part < PARTS; part++) { /* the first part warms up */
        m.lost = 0;
        for (int t = 0; t < cycles / PARTS; t++) {
            for (int i = 0; i < ports; i++) {
                if (uniform() < load)
                    arrive(&m, (int)(uniform() * ports));
            }
            for (int q = 0; q < ports; q++) {
                m.held -= m.length[q] > 0;
                m.length[q] -= m.length[q] > 0;
            }
        }
        const double part_loss = m.lost / (load * ports * (cycles / PARTS));
        sum += part < 0 ? 0 : part_loss;
        squares += part < 0 ? 0 : part_loss * part_loss;
    }
    *loss = sum / PARTS;
    *error = sqrt((squares / PARTS - *loss * *loss) / (PARTS - 1));
}

/* ---- networks ---- */

static swq_network pool_of(swq_context *ctx, int ports, int slots, const char *rule, double load)
{
    const swq_buffer_kind *kind;
    const swq_admission_rule *const *row = swq_admission_rules;
    swq_switch sw = {.ports = ports, .arbiter = swq_arbiters[0]};

    while (strcmp((*row)->name, rule) != 0)
        row++;
    sw.load[0] = load;
    cr_assert_eq(swq_buffer_kind_find(ctx, "cbda", &kind), SWQ_OK);
    cr_assert_eq(swq_buffer_preset(ctx, kind, ports, slots, &sw.buffer), SWQ_OK);
    sw.buffer.alpha = strcmp(rule, "threshold") == 0 ? 1 : 0;
    cr_assert_eq(swq_buffer_set_admission(ctx, *row, sw.buffer.alpha > 0 ? SWQ_ADMISSION_ALPHA : 0,
                                          ports, &sw.buffer),
                 SWQ_OK, "%s", swq_context_message(ctx));
    return network_of(&sw);
}

Test(large_pools, lose_what_a_plain_simulation_loses)
{
    static const struct {
        int ports, slots;
    } size[] = {{33, 3}, {64, 2}, {128, 2}};
    const swq_sim_options options = run_of(7, 8, 500, 1500);

    seed = 11;
    for (int k = 0; k < 3 * RULES; k++) {
        const int ports = size[k % 3].ports, slots = size[k % 3].slots, rule = k / 3;
        swq_context *ctx = swq_context_new();
        const swq_network n = pool_of(ctx, ports, slots, rule_name[rule], 0.95);
        const swq_sim_result r = simulate(ctx, &n, &options);
        double loss, error;
        reference(ports, ports * slots, rule, 0.95, 16000, &loss, &error);
        const double mine = r.stage[0].discarded.half_width / 2.3;
        cr_assert(loss > 0.01, "%d ports, %s: too few are lost", ports, rule_name[rule]);
        cr_assert(fabs(r.stage[0].discarded.mean - loss) < 4.5 * hypot(error, mine),
                  "%d ports, %s: %g +- %g, not %g +- %g", ports, rule_name[rule],
                  r.stage[0].discarded.mean, mine, loss, error);
        swq_context_free(ctx);
    }
}

/* The harmonic rule by sums of harmonic numbers, for as many queues as there are. */
Test(large_pools, harmonic_shares_of_many_queues)
{
    enum { QUEUES = SWQ_MAX_PORTS };
    uint16_t length[QUEUES];
    int taken = 0;

    seed = 12;
    for (int run = 0; run < 200; run++) {
        const swq_buffer b = {.capacity = 600 + (int)(300 * uniform())};
        double all = 0, part = 0, sum = 0;
        bool take = true;
        for (int q = 0; q < QUEUES; q++)
            length[q] = (uint16_t)(uniform() < .1 ? 30 * uniform() : 4 * uniform());
        const int join = (int)(uniform() * QUEUES);
        for (int m = 1; m <= QUEUES; m++)
            all += 1. / m;
        length[join]++;
        for (int longest = 40, m = 0; longest >= 0; longest--) {
            for (int q = 0; q < QUEUES; q++) {
                if (length[q] == longest) {
                    part += 1. / ++m;
                    sum += longest;
                    take &= sum <= b.capacity * part / all * (1 + 1e-12);
                }
            }
        }
        length[join]--;
        taken += take;
        cr_expect_eq(swq_admission_harmonic.fate(&b, QUEUES, length, NULL, join, NULL) == SWQ_TAKE,
                     take, "run %d", run);
    }
    cr_expect(taken > 20 && taken < 180, "%d of 200 are taken", taken);
}

/* Rare losses, with the rules' own limits as importance, against the chain: `switchq solve --buffer
 * cbda --ports 4 --slots 4 --load 0.5 --admission ...`. */
Test(large_pools, rare_losses_are_the_chains_for_every_rule)
{
    static const struct {
        const char *rule;
        double exact;
    } known[] = {{"lqd", 3.55492027967e-10},
                 {"followlqd", 6.2318259713e-10},
                 {"threshold", 4.41161449819e-06},
                 {"square-root", 2.29647198892e-06}};

    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        swq_context *ctx = swq_context_new();
        swq_network n = pool_of(ctx, 4, 4, known[k].rule, 0.5);
        swq_rare_options options = swq_rare_defaults();
        swq_rare_result r;
        options.precision = 0.25;
        cr_assert_eq(swq_rare_run(ctx, &n, &options, &r), SWQ_OK, "%s", swq_context_message(ctx));
        cr_assert(fabs(r.discard_fraction.mean - known[k].exact) <
                      4.5 / 2.04 * r.discard_fraction.half_width,
                  "%s: %g +- %g, not %g", known[k].rule, r.discard_fraction.mean,
                  r.discard_fraction.half_width, known[k].exact);
        swq_context_free(ctx);
    }
}

/* Every port is open in as many draws as any other. */
Test(large_pools, open_ports_are_drawn_fairly)
{
    enum { DRAWS = 4000, PORTS = SWQ_MAX_PORTS, OPEN = 32 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int times[PORTS] = {0};
    swq_dice dice;

    swq_dice_begin_sampling(&dice, rng);
    for (int k = 0; k < DRAWS; k++) {
        swq_port_set open[SWQ_PORT_SET_WIDE];
        int count = 0;
        swq_pool_draw_ports(OPEN, PORTS, &dice, open);
        for (int i = 0; i < PORTS; i++) {
            times[i] += swq_port_set_has(open, (uint32_t)i, SWQ_PORT_SET_WIDE);
            count += swq_port_set_has(open, (uint32_t)i, SWQ_PORT_SET_WIDE);
        }
        cr_assert_eq(count, OPEN);
    }
    for (int i = 0; i < PORTS; i++) /* 5 standard deviations of a binomial */
        cr_assert(abs(times[i] - DRAWS / 8) < 5 * sqrt(DRAWS * 0.125 * 0.875), "%d", i);
    gsl_rng_free(rng);
}

/* Only simulations have so many ports. */
Test(large_pools, others_refuse_them_by_name)
{
    swq_context *ctx = swq_context_new();
    swq_network n = pool_of(ctx, 128, 8, "room", 0.9);
    const swq_buffer_kind *kind;
    const swq_approx_method *links;
    swq_approx_result approximation;
    uint32_t nodes;

    cr_assert_eq(swq_network_check(ctx, &n, &nodes), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(nodes, 128);
    cr_assert_eq(swq_netchain_check(ctx, &n), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "32 ports"), "%s", swq_context_message(ctx));
    cr_assert_eq(swq_approx_find(ctx, "links", &links), SWQ_OK);
    cr_assert_eq(swq_approx_run(ctx, &n, links, &approximation), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "32 ports"), "%s", swq_context_message(ctx));
    cr_assert_eq(swq_switch_check(ctx, &n.sw), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "ports must be 1 to 32"));
    n.sw.ports = 257;
    cr_assert_eq(swq_network_check(ctx, &n, &nodes), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "ports must be 1 to 256"));
    cr_assert_eq(swq_buffer_kind_find(ctx, "damq", &kind), SWQ_OK);
    cr_assert_eq(swq_buffer_preset(ctx, kind, 257, 4, &n.sw.buffer), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "ports must be 1 to 256"));
    cr_assert_eq(swq_buffer_kind_find(ctx, "cbda", &kind), SWQ_OK);
    cr_assert_eq(swq_buffer_preset(ctx, kind, 128, 509, &n.sw.buffer), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "slots must be 1 to 507"), "%s",
              swq_context_message(ctx));
    swq_context_free(ctx);
}
