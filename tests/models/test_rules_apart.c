/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules of admission are told apart: in each engine that has them, every two rules of the table
 * give different answers for one of some small switches, where they must; and an engine that does
 * not have a rule refuses it by name. A new rule is in these tests by being in the table.
 */
#include "models/buffers/buffers.h"
#include "switchq/export.h"
#include "switchq/worst.h"
#include "tests/base/folder.h"
#include "tests/support/support.h"
#include "validate/prism/prism.h"

static swq_context *ctx;

static void setup(void)
{
    folder_make();
    ctx = swq_context_new();
}

static void teardown(void)
{
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    folder_remove();
}

TestSuite(rules_apart, .init = setup, .fini = teardown, .timeout = 240);

enum { RULES = 40, SIZES = 4 };

/* An engine: what it says of a switch; false: it refuses, with a message. */
typedef struct {
    const char *name;
    bool (*answer)(const swq_switch *sw, double *value);
    struct {
        int ports, slots; /* per port */
    } size[SIZES];
    double contents; /* the most that words which rules keep may have together */
} engine;

static bool chain_answers(const swq_switch *sw, double *value)
{
    const swq_exact_options options = swq_exact_options_defaults();
    swq_answers a;

    if (swq_exact_solve(ctx, sw, &options, &a))
        return false;
    *value = a.discard.value;
    swq_answers_clear(ctx, &a);
    return true;
}

static bool simulator_answers(const swq_switch *sw, double *value)
{
    swq_network n = {.shape.stages = 1, .traffic = swq_traffic_defaults(), .sw = *sw};
    swq_sim_options options = swq_sim_defaults();
    swq_sim_result result;

    cr_assert_eq(swq_fabric_find(ctx, "omega", &n.shape), SWQ_OK);
    n.traffic.load = sw->load[0];
    options.cycles = 4000;
    if (swq_sim_run(ctx, &n, &options, &result))
        return false;
    *value = (double)result.total_discarded;
    cr_expect(result.conserved);
    return true;
}

/* ... which must be what the chain says. */
static bool source_answers(const swq_switch *sw, double *value)
{
    const swq_export_format *format = NULL;
    swq_prism_answer answer[3];
    size_t size;
    int states, answers;

    cr_assert_eq(swq_export_find(ctx, "prism-source", &format), SWQ_OK);
    if (swq_export_write_source(ctx, sw, format, folder_path("m")))
        return false;
    char *pm = folder_read("m.pm", &size), *props = folder_read("m.props", &size);
    cr_assert_eq(swq_prism_check(ctx, pm, props, 3, answer, &answers, &states), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert_eq(answers, 3);
    *value = answer[0].value;
    free(pm);
    free(props);
    double chain;
    cr_assert(chain_answers(sw, &chain));
    cr_expect(fabs(*value - chain) < 1e-10 * chain, "%s, %d ports: %.15g, not %.15g",
              swq_buffer_admission(&sw->buffer)->name, sw->ports, *value, chain);
    return true;
}

/* The ratio, and the number of pairs of contents, as ratios of different rules may be the same. */
static bool worst_answers(const swq_switch *sw, double *value)
{
    swq_worst_spec spec = swq_worst_spec_defaults();
    swq_worst worst;

    spec.buffer = &sw->buffer;
    spec.queues = sw->ports;
    if (swq_worst_run(ctx, &spec, &worst))
        return false;
    *value = worst.unbounded ? INFINITY : (double)worst.numerator / (double)worst.denominator;
    *value = *value * 1e9 + (double)worst.nodes;
    swq_worst_clear(ctx, &worst);
    return true;
}

/* A pool with a rule; what the rule demands is 1 reserved slot, and a maximum of half the memory.
 */
static swq_switch pool(const swq_admission_rule *rule, int ports, int slots)
{
    swq_switch sw = test_switch(ctx, "cbda", ports, slots, 0.9, "random");

    if (rule->demands & SWQ_ADMISSION_QUEUE_MIN)
        sw.buffer.queue_min = 1;
    if (rule->demands & SWQ_ADMISSION_QUEUE_MAX)
        sw.buffer.queue_max = sw.buffer.capacity / 2;
    cr_assert_eq(swq_buffer_set_admission(ctx, rule, rule->demands, ports, &sw.buffer), SWQ_OK,
                 "%s", swq_context_message(ctx));
    return sw;
}

static double kept_values(const swq_switch *sw)
{
    const swq_admission_rule *rule = swq_buffer_admission(&sw->buffer);

    return rule->kept_values ? pow(rule->kept_values(&sw->buffer, sw->ports), sw->ports) : 1;
}

static void expect_apart(const engine *e)
{
    static double value[RULES][SIZES]; /* NAN: none */
    bool has[RULES];
    int rules = 0;

    for (; swq_admission_rules[rules]; rules++) {
        const swq_admission_rule *rule = swq_admission_rules[rules];
        has[rules] = false;
        for (int s = 0; s < SIZES; s++) {
            const swq_switch sw = pool(rule, e->size[s].ports, e->size[s].slots);
            value[rules][s] = NAN;
            if (kept_values(&sw) > e->contents)
                continue;
            if (e->answer(&sw, &value[rules][s]))
                has[rules] = true;
            else
                cr_expect(strstr(swq_context_message(ctx), rule->name), "%s, %s: %s", e->name,
                          rule->name, swq_context_message(ctx));
        }
    }
    for (int k = 1; k < rules; k++) { /* `room`, the first one, is sharing by other numbers */
        for (int o = 1; o < k; o++) {
            bool apart = !has[k] || !has[o];
            for (int s = 0; s < SIZES; s++)
                apart = apart || fabs(value[k][s] - value[o][s]) > 1e-9 * value[o][s];
            cr_expect(apart, "%s: %s and %s are the same", e->name, swq_admission_rules[k]->name,
                      swq_admission_rules[o]->name);
        }
    }
}

Test(rules_apart, in_chains)
{
    expect_apart(&(engine){"a chain", chain_answers, {{2, 1}, {2, 2}, {2, 3}, {3, 4}}, 2e5});
}

Test(rules_apart, in_the_synchronous_engine)
{
    expect_apart(
        &(engine){"the simulator", simulator_answers, {{2, 4}, {3, 3}, {4, 2}, {3, 4}}, INFINITY});
}

Test(rules_apart, in_prism_source)
{
    expect_apart(&(engine){"prism-source", source_answers, {{2, 2}, {2, 5}, {3, 1}, {3, 2}}, 2e5});
}

Test(rules_apart, in_worst_cases)
{
    expect_apart(&(engine){"worst", worst_answers, {{2, 1}, {2, 3}, {3, 2}, {3, 3}}, 5e3});
}
