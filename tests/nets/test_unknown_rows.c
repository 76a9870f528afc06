/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows that nobody knows: for every table, a row that works like a known one and declares a need
 * that no part of the program lists. Everything that computes with rows refuses it by name.
 */
#include "models/gate.h"
#include "sim/tables/gate.h"
#include "switchq/approx.h"
#include "switchq/cost.h"
#include "switchq/exact.h"
#include "switchq/export.h"
#include "switchq/netchain.h"
#include "switchq/optimal.h"
#include "switchq/packets.h"
#include "switchq/rare.h"
#include "switchq/rational.h"
#include "tests/support/support.h"

#define UNKNOWN SWQ_NEEDS(SWQ_NEED_UNKNOWN)

static swq_context *ctx;
static swq_sender_group group;

static void setup(void)
{
    ctx = swq_context_new();
}

static void teardown(void)
{
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(unknown_rows, .init = setup, .fini = teardown, .timeout = 240);

/* The call was refused, and its message names the row. */
static void expect_refusal(const char *who, swq_status status)
{
    cr_expect_eq(status, SWQ_EINVAL, "%s: status %d", who, status);
    cr_expect(strstr(swq_context_message(ctx), "nobodys"), "%s: %s", who, swq_context_message(ctx));
}

/* ---- one switch ---- */

static void refused_by_all_switches(const swq_switch *sw, const char *what)
{
    const swq_exact_options exact = swq_exact_options_defaults();
    const swq_packets_options packets = swq_packets_options_defaults();
    const swq_rational_traffic traffic = {.load = {"1/2", "1/2"}};
    swq_rational_answers fractions;
    swq_answers answers;
    swq_delay delay;
    swq_losses losses;
    swq_chain *chain;

    expect_refusal(what, swq_chain_generate(ctx, sw, true, &chain));
    expect_refusal(what, swq_chain_generate_whole(ctx, sw, false, &chain));
    expect_refusal(what, swq_exact_solve(ctx, sw, &exact, &answers));
    expect_refusal(what, swq_exact_delay(ctx, sw, &exact, &packets, &delay));
    expect_refusal(what, swq_exact_losses(ctx, sw, &exact, &packets, &losses));
    expect_refusal(what, swq_rational_solve(ctx, sw, &traffic, true, &fractions));
    for (int k = 0; swq_policies[k]; k++)
        expect_refusal(swq_policies[k]->name, swq_optimal_check(ctx, sw, swq_policies[k]));
    for (int k = 0; swq_export_formats[k]; k++) {
        if (swq_export_formats[k]->source)
            expect_refusal(swq_export_formats[k]->name,
                           swq_export_write_source(ctx, sw, swq_export_formats[k], "-"));
    }
}

/* ---- networks of such switches ---- */

static swq_network omega(const swq_switch *sw)
{
    swq_network n = {.shape.stages = 2, .traffic = swq_traffic_defaults(), .sw = *sw};

    cr_assert_eq(swq_fabric_find(ctx, "omega", &n.shape), SWQ_OK);
    n.traffic.load = 0.5;
    return n;
}

static void refused_by_all_networks(const swq_network *n, const char *what)
{
    const swq_sim_options options = swq_sim_defaults();
    const swq_rare_options rare = swq_rare_defaults();
    const swq_cost_terms terms = swq_cost_terms_defaults();
    swq_approx_result approximation;
    swq_rare_result rare_result;
    swq_sim_result result;
    swq_cost cost;
    uint32_t nodes;

    expect_refusal(what, swq_sim_run(ctx, n, &options, &result));
    expect_refusal(what, swq_rare_run(ctx, n, &rare, &rare_result));
    expect_refusal(what, swq_netchain_check(ctx, n));
    expect_refusal(what, swq_cost_stages(ctx, n, 4, &terms, &cost));
    for (int k = 0; swq_approx_methods[k]; k++) {
        const swq_status status = swq_approx_run(ctx, n, swq_approx_methods[k], &approximation);
        cr_expect_eq(status, SWQ_EINVAL, "%s, %s: status %d", what, swq_approx_methods[k]->name,
                     status);
    }
    expect_refusal(what, swq_network_check(ctx, n, &nodes));
}

Test(unknown_rows, of_one_switch)
{
    swq_switch damq = test_switch(ctx, "damq", 2, 2, 0.5, "random");
    swq_switch pool = test_switch(ctx, "cbda", 2, 2, 0.5, "random");
    swq_arbiter arbiter = *damq.arbiter;
    swq_pool_rule rule = swq_pool_room;
    swq_admission_rule admission = swq_admission_room;
    swq_architecture architecture = *swq_architectures[0];
    arbiter.name = rule.name = admission.name = architecture.name = "nobodys";
    arbiter.needs = rule.needs = admission.needs = architecture.needs = UNKNOWN;

    struct {
        const char *what;
        swq_switch sw;
    } cases[] = {{"arbiter", damq},
                 {"pool rule", pool},
                 {"admission", damq},
                 {"pool's admission", pool},
                 {"architecture", damq}};
    cases[0].sw.arbiter = &arbiter;
    cases[1].sw.buffer.pool_rule = &rule;
    cases[2].sw.buffer.admission = cases[3].sw.buffer.admission = &admission;
    cases[4].sw.architecture = &architecture;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const swq_network n = omega(&cases[k].sw);
        refused_by_all_switches(&cases[k].sw, cases[k].what);
        refused_by_all_networks(&n, cases[k].what);
    }
}

Test(unknown_rows, of_a_network)
{
    const swq_switch damq = test_switch(ctx, "damq", 2, 2, 0.5, "random");
    swq_network n = omega(&damq), m = n, o = n;
    swq_fabric_kind fabric = swq_fabric_multistage;
    swq_topology topology = *n.shape.wiring;
    swq_pattern pattern = swq_pattern_uniform;
    topology.name = pattern.name = fabric.name = "nobodys";
    topology.needs = pattern.needs = fabric.needs = UNKNOWN;

    n.shape.wiring = &topology;
    refused_by_all_networks(&n, "topology");
    m.traffic.pattern = &pattern;
    refused_by_all_networks(&m, "pattern");
    o.shape.kind = &fabric;
    refused_by_all_networks(&o, "fabric");
}

/* ---- asynchronous networks ---- */

static swq_async torus(void)
{
    swq_async n = swq_async_defaults();

    n.shape = (swq_shape){
        .kind = &swq_fabric_torus, .dims = 2, .extent = {4, 4}, .routing = swq_routings[0]};
    give_buffer(&n, "damq", 256);
    n.management.row = swq_managements[0];
    n.architecture.lanes.choice = swq_lane_choices[0];
    group = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0.1, (swq_spread){SWQ_CONSTANT, 32, 0});
    n.traffic.group = &group;
    n.traffic.groups = 1;
    return n;
}

static void refused_by_all_async(const swq_async *n, const char *what)
{
    const swq_sim_options options = swq_sim_defaults();
    const swq_cost_terms terms = swq_cost_terms_defaults();
    swq_approx_torus_result approximation;
    swq_async_result result;
    swq_cost cost;
    uint32_t nodes;

    expect_refusal(what, swq_async_check(ctx, n, &nodes));
    expect_refusal(what, swq_async_run(ctx, n, &options, NULL, &result));
    expect_refusal(what, swq_cost_async(ctx, n, 1, &terms, &cost));
    for (int k = 0; swq_approx_methods[k]; k++) {
        const swq_status status =
            swq_approx_run_async(ctx, n, swq_approx_methods[k], &approximation);
        cr_expect_eq(status, SWQ_EINVAL, "%s, %s: status %d", what, swq_approx_methods[k]->name,
                     status);
    }
}

#define UNKNOWN_ROW(type, member, known)                                                           \
    do {                                                                                           \
        swq_async n = torus();                                                                     \
        type row = *(known);                                                                       \
        row.name = "nobodys";                                                                      \
        row.needs = UNKNOWN;                                                                       \
        n.member = &row;                                                                           \
        refused_by_all_async(&n, #member);                                                         \
    } while (0)

Test(unknown_rows, of_an_asynchronous_network)
{
    UNKNOWN_ROW(swq_fabric_kind, shape.kind, &swq_fabric_torus);
    UNKNOWN_ROW(swq_routing, shape.routing, swq_routings[0]);
    UNKNOWN_ROW(swq_architecture, architecture.row, &swq_input_queued);
    UNKNOWN_ROW(swq_management, management.row, swq_managements[0]);
    UNKNOWN_ROW(swq_hop_flow, flow.row, &swq_flow_blocking);
    UNKNOWN_ROW(swq_arbiter, arbiter.row, n.arbiter.row);
    UNKNOWN_ROW(swq_lane_choice, architecture.lanes.choice, swq_lane_choices[0]);
    UNKNOWN_ROW(swq_admission_rule, memory.buffer.admission, &swq_admission_room);
}

/* The rows that the network above does without. */
Test(unknown_rows, of_senders_choices_and_patterns)
{
    swq_async n = torus();
    swq_sender_scheme scheme = *swq_sender_schemes[0];
    swq_selection selection = *swq_selections[0];
    swq_pattern pattern = swq_pattern_uniform;
    uint32_t nodes;
    scheme.name = selection.name = pattern.name = "nobodys";
    scheme.needs = selection.needs = pattern.needs = UNKNOWN;

    n.sender.row = &scheme;
    n.sender.value[0] = 1;
    expect_refusal("sender", swq_async_check(ctx, &n, &nodes));
    n = torus();
    group.type[0].pattern = &pattern;
    refused_by_all_async(&n, "pattern");
    n = torus();
    cr_assert_eq(swq_routing_find(ctx, "adaptive", &n.shape.routing), SWQ_OK);
    n.arbiter.choice = &selection;
    expect_refusal("choice", swq_async_check(ctx, &n, &nodes));
}

/* Longest-queue drop, which chains and the synchronous engine know, is refused where nobody has
 * said what it means. */
Test(unknown_rows, push_out_is_refused_where_it_is_not_known)
{
    const swq_exact_options exact = swq_exact_options_defaults();
    const swq_packets_options packets = swq_packets_options_defaults();
    const swq_rational_traffic traffic = {.load = {"1/2", "1/2"}};
    swq_switch sw = test_switch(ctx, "cbda", 2, 2, 0.5, "random");
    swq_admission_rule rule = swq_admission_longest_queue_drop;
    swq_rational_answers fractions;
    swq_answers answers;
    swq_delay delay;
    swq_losses losses;

    rule.name = "nobodys";
    sw.buffer.admission = &rule;
    cr_assert_eq(swq_exact_solve(ctx, &sw, &exact, &answers), SWQ_OK, "a chain has it");
    swq_answers_clear(ctx, &answers);
    expect_refusal("delay", swq_exact_delay(ctx, &sw, &exact, &packets, &delay));
    expect_refusal("losses", swq_exact_losses(ctx, &sw, &exact, &packets, &losses));
    expect_refusal("fractions", swq_rational_solve(ctx, &sw, &traffic, true, &fractions));
    swq_switch inputs = test_switch(ctx, "damq", 2, 2, 0.5, "random");
    inputs.buffer.admission = &rule;
    for (int k = 0; swq_policies[k]; k++) {
        const swq_policy *p = swq_policies[k];
        if (p->refusal || p->push_out || p->longest)
            expect_refusal(p->name, swq_optimal_check(ctx, &inputs, p));
        else
            cr_expect_eq(swq_optimal_check(ctx, &inputs, p), SWQ_OK, "%s has it", p->name);
    }
    for (int k = 0; swq_export_formats[k]; k++) {
        if (swq_export_formats[k]->source)
            expect_refusal(swq_export_formats[k]->name,
                           swq_export_write_source(ctx, &sw, swq_export_formats[k], "-"));
    }
    const swq_network n = omega(&sw);
    expect_refusal("a network's chain", swq_netchain_check(ctx, &n));
    sw.priority = (swq_priority){.fraction = 0.5};
    expect_refusal("two classes", swq_exact_solve(ctx, &sw, &exact, &answers));
}

/* What a row of a known table needs is met by somebody, or the row could not be used at all. */
Test(unknown_rows, known_rows_have_known_needs)
{
    static const swq_gated *const tables[] = {
        &swq_gated_arbiters,      &swq_gated_pool_rules, &swq_gated_admission_rules,
        &swq_gated_architectures, &swq_gated_topologies, &swq_gated_patterns,
        &swq_gated_fabrics,       &swq_gated_routings,   &swq_gated_hop_flows,
        &swq_gated_senders,       &swq_gated_selections, &swq_gated_lane_choices,
        &swq_gated_managements};
    const swq_takes everything = {.who = "everybody", .needs = UNKNOWN - 1};

    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        for (int k = 0; tables[t]->rows[k]; k++)
            cr_expect_eq(swq_gate(ctx, &everything, tables[t], tables[t]->rows[k]), SWQ_OK,
                         "%s: %s", tables[t]->word, swq_context_message(ctx));
    }
}
