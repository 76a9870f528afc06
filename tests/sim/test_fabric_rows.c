/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every row of the table of fabrics owes, on the examples of each row: links lead there and
 * back, ports and classes are in range, every pair arrives within the number of switches that the
 * row states, with every routing that the row has, and packets of a run go along the links to their
 * nodes. A new row is picked up without a change here.
 */
#include "tests/sim/inspector.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

static swq_context *ctx;

static void setup(void)
{
    ctx = swq_context_new();
}

static void teardown(void)
{
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(fabric_rows, .init = setup, .fini = teardown, .timeout = 240);

/* ---- loops over rows, examples and routings ---- */

typedef void example_fn(const swq_fabric *f, const char *what);

static void lay_out_and_test(const swq_shape *shape, example_fn *test)
{
    char what[300], words[200];
    swq_fabric f;

    cr_assert_eq(swq_fabric_make(ctx, shape, &f), SWQ_OK, "%s", swq_context_message(ctx));
    shape->kind->describe(&f, words, sizeof words);
    snprintf(what, sizeof what, "%s, %s", words,
             shape->routing ? shape->routing->name : swq_routings[0]->name);
    test(&f, what);
    swq_fabric_clear(ctx, &f);
}

/* Every example of every row, a multistage one with each wiring; of these networks, those that may
 * have `routing`. Returns their number. */
static int for_every_example(const swq_routing *routing, example_fn *test)
{
    int count = 0;

    for (int k = 0; swq_fabric_kinds[k]; k++) {
        const swq_shape *example = swq_fabric_kinds[k]->examples;
        cr_assert(example && example->kind == swq_fabric_kinds[k], "%s has no examples",
                  swq_fabric_kinds[k]->name);
        for (; example->kind; example++) {
            const swq_topology *const none[] = {NULL, NULL};
            const bool staged = example->kind == &swq_fabric_multistage;
            const swq_topology *const *wiring = staged ? swq_topologies : none;
            do {
                swq_shape shape = *example;
                swq_fabric counted;
                shape.wiring = *wiring;
                shape.routing = routing;
                if (staged && shape.wiring->stages && shape.wiring->stages != shape.stages)
                    continue;
                if (swq_fabric_count(ctx, &shape, &counted))
                    continue; /* this row does not have that routing */
                lay_out_and_test(&shape, test);
                count++;
            } while (*wiring && *++wiring);
        }
    }
    return count;
}

/* ---- links ---- */

static uint32_t switch_of(const swq_fabric *f, uint32_t port)
{
    return port / (uint32_t)f->ports;
}

static bool leads_to_switch(const swq_fabric *f, uint32_t from, uint32_t to)
{
    for (uint32_t o = 0; o < (uint32_t)f->ports; o++) {
        const uint32_t end = f->link[from * (uint32_t)f->ports + o];
        if (!(end & SWQ_TO_NODE) && switch_of(f, end) == to)
            return true;
    }
    return false;
}

/* Each used input is fed by one link or node, each node is led to by one link, a point-to-point
 * fabric's from the switch to which the node sends, and a link between two switches has one in the
 * other direction, unless links go one way. */
static void expect_links(const swq_fabric *f, const char *what)
{
    const uint32_t ports = f->switches * (uint32_t)f->ports;
    const bool both_ways = f->shape.kind->point_to_point && !f->shape.one_way && !f->shape.chained;
    int *fed = calloc(ports, sizeof *fed), *received = calloc(f->nodes, sizeof *received);
    uint32_t most = 0, *at = calloc(f->switches, sizeof *at);

    for (uint32_t n = 0; n < f->nodes; n++) {
        cr_assert_lt(f->entry[n], ports, "%s", what);
        fed[f->entry[n]]++;
    }
    for (uint32_t p = 0; p < ports; p++) {
        const uint32_t end = f->link[p];
        cr_assert_eq(f->out_level[p] < f->levels, end != SWQ_NO_WHERE, "%s: output %u", what, p);
        if (end == SWQ_NO_WHERE)
            continue;
        if (end & SWQ_TO_NODE) {
            const uint32_t node = end & ~SWQ_TO_NODE;
            cr_assert_lt(node, f->nodes, "%s: output %u", what, p);
            received[node]++;
            at[switch_of(f, p)]++;
            if (f->shape.kind->point_to_point && !f->shape.chained)
                cr_assert_eq(switch_of(f, f->entry[node]), switch_of(f, p), "%s: node %u", what,
                             node);
            continue;
        }
        cr_assert_lt(end, ports, "%s: output %u", what, p);
        fed[end]++;
        if (both_ways)
            cr_assert(leads_to_switch(f, switch_of(f, end), switch_of(f, p)),
                      "%s: no way back for output %u", what, p);
    }
    for (uint32_t p = 0; p < ports; p++)
        cr_assert_eq(fed[p], f->in_level[p] < f->levels, "%s: input %u has %d links", what, p,
                     fed[p]);
    for (uint32_t n = 0; n < f->nodes; n++)
        cr_assert_eq(received[n], 1, "%s: node %u", what, n);
    for (uint32_t s = 0; s < f->switches; s++)
        most = at[s] > most ? at[s] : most;
    cr_expect_eq(most, f->nodes_at_switch, "%s: %u nodes at a switch, said to be %u", what, most,
                 f->nodes_at_switch);
    free(at);
    free(fed);
    free(received);
}

Test(fabric_rows, links_lead_there_and_back)
{
    cr_expect_gt(for_every_example(NULL, expect_links), 20);
}

/* ---- ways ---- */

/* The outputs that a packet may take from an input port: one, or with a choice any of a set. */
static uint32_t outputs_at(const swq_fabric *f, uint32_t port, uint32_t from, uint32_t to,
                           const char *what)
{
    const int class = f->shape.kind->route(f, port, from, to);
    uint32_t set;

    cr_assert(class >= 0 && class < f->classes, "%s: class %d at port %u from %u to %u", what,
              class, port, from, to);
    const size_t place = (size_t)port * (size_t)f->classes + (size_t) class;
    if (f->outputs) {
        set = f->outputs[place];
    } else {
        cr_assert_lt(f->output[place], f->ports, "%s: port %u from %u to %u", what, port, from, to);
        set = UINT32_C(1) << f->output[place];
    }
    cr_assert(set && set < UINT64_C(1) << f->ports, "%s: outputs %#x at port %u", what, set, port);
    return set;
}

static uint32_t drawn(uint32_t set, uint32_t *state)
{
    uint32_t left = (*state = *state * 1664525u + 1013904223u) >> 16;

    for (left %= (uint32_t)__builtin_popcount(set); left > 0; left--)
        set &= set - 1;
    return (uint32_t)__builtin_ctz(set);
}

/* The switches that a packet enters from node to node; several outputs are drawn from. */
static int walk(const swq_fabric *f, uint32_t from, uint32_t to, uint32_t *state, const char *what)
{
    const int most = f->shape.kind->longest(f);
    uint32_t port = f->entry[from];
    int entered = 0;

    while (!(port & SWQ_TO_NODE)) {
        const uint32_t set = outputs_at(f, port, from, to, what);
        cr_assert_leq(++entered, most, "%s: more than %d switches from %u to %u", what, most, from,
                      to);
        port = f->link[switch_of(f, port) * (uint32_t)f->ports + drawn(set, state)];
        cr_assert_neq(port, SWQ_NO_WHERE, "%s: from %u to %u over no link", what, from, to);
    }
    cr_assert_eq(port, SWQ_TO_NODE | to, "%s: from %u to %u arrived at %#x", what, from, to, port);
    return entered;
}

static void expect_arrivals(const swq_fabric *f, const char *what)
{
    uint32_t state = 1;
    int most = 0;

    for (uint32_t from = 0; from < f->nodes; from++) {
        for (uint32_t to = 0; to < f->nodes; to++) {
            if (from == to && f->shape.kind->point_to_point)
                continue;
            const int entered = walk(f, from, to, &state, what);
            most = entered > most ? entered : most;
        }
    }
    cr_expect_eq(most, f->shape.kind->longest(f), "%s: at most %d switches, said to be %d", what,
                 most, f->shape.kind->longest(f));
}

Test(fabric_rows, every_pair_arrives)
{
    int networks = 0;

    for (int r = 0; swq_routings[r]; r++)
        networks += for_every_example(swq_routings[r], expect_arrivals);
    cr_expect_gt(networks, 40);
}

/* ---- names ---- */

static void expect_names(const swq_fabric *f, const char *what)
{
    char text[64];

    for (uint32_t p = 0; p < f->switches * (uint32_t)f->ports; p++) {
        if (f->in_level[p] >= f->levels)
            continue;
        text[0] = '\0';
        f->shape.kind->level_name(f, f->in_level[p], text, sizeof text);
        cr_assert(text[0] && strlen(text) < sizeof text - 1, "%s: level %d", what, f->in_level[p]);
        if (!f->shape.kind->direction_name)
            continue;
        text[0] = '\0';
        f->shape.kind->direction_name(f, p, text, sizeof text);
        cr_assert(text[0] && strlen(text) < sizeof text - 1, "%s: port %u", what, p);
    }
}

/* "up" and "down" only where there are links up and down. */
Test(fabric_rows, words_fit_the_fabric)
{
    for_every_example(NULL, expect_names);
    for (int k = 0; swq_fabric_kinds[k]; k++) {
        const swq_shape *example = swq_fabric_kinds[k]->examples;
        swq_shape shape = *example;
        swq_fabric f;
        char text[200];
        shape.wiring = shape.kind == &swq_fabric_multistage ? swq_topologies[0] : NULL;
        cr_assert_eq(swq_fabric_count(ctx, &shape, &f), SWQ_OK, "%s", swq_context_message(ctx));
        shape.kind->describe(&f, text, sizeof text);
        cr_expect_eq(strstr(text, " down") != NULL, shape.kind->tree, "%s", text);
        cr_expect_eq(strncmp(text, swq_shape_name(&shape), strlen(swq_shape_name(&shape))), 0, "%s",
                     text);
    }
}

/* ---- parameters ---- */

/* Each row refuses by name a parameter that it does not have. */
Test(fabric_rows, other_parameters_are_refused)
{
    for (int k = 0; swq_fabric_kinds[k]; k++) {
        const swq_fabric_kind *row = swq_fabric_kinds[k];
        swq_shape shape = *row->examples;
        shape.wiring = row == &swq_fabric_multistage ? swq_topologies[0] : NULL;
        swq_shape other[] = {shape, shape, shape, shape, shape, shape, shape};
        other[0].stages = other[1].dims = other[2].levels = other[3].up_ports = 2;
        other[4].one_way = other[5].chained = true;
        other[6].ports = 4;
        static const struct {
            const char *name;
            unsigned parameters;
        } what[] = {{"stages", SWQ_HAS_STAGES},
                    {"dims", SWQ_HAS_DIMS},
                    {"levels", SWQ_HAS_LEVELS},
                    {"up_ports", SWQ_HAS_UP_PORTS},
                    {"one_way", SWQ_HAS_ONE_WAY},
                    {"chained", SWQ_HAS_CHAINED},
                    {"ports", SWQ_HAS_PORTS | SWQ_HAS_RADIX}};
        for (size_t j = 0; j < sizeof what / sizeof *what; j++) {
            swq_fabric f;
            char text[60];
            if (row->parameters & what[j].parameters)
                continue;
            snprintf(text, sizeof text, "%s is for ", what[j].name);
            cr_expect_eq(swq_fabric_count(ctx, &other[j], &f), SWQ_EINVAL, "%s takes %s", row->name,
                         what[j].name);
            cr_expect_eq(strncmp(swq_context_message(ctx), text, strlen(text)), 0, "%s",
                         swq_context_message(ctx));
            cr_expect(strstr(swq_context_message(ctx), swq_shape_name(&shape)));
        }
    }
}

/* ---- a run ---- */

enum { APART = 400, PACKETS = 60 }; /* cycles between two packets, in which one arrives */

/* One packet after another: each goes over the links of the fabric, from where it came in, to its
 * node. */
static void expect_deliveries(const swq_fabric *f, const char *what)
{
    swq_async n = async_network(f->shape, "damq", 256);
    swq_async_message message[PACKETS];
    uint32_t state = 3;
    swq_async_result r;
    size_t k = 0;

    for (int m = 0; m < PACKETS; m++) {
        uint32_t from = (state = state * 1664525u + 1013904223u) >> 8;
        uint32_t to = (state = state * 1664525u + 1013904223u) >> 8;
        from %= f->nodes;
        to %= f->nodes;
        to = to == from ? (to + 1) % f->nodes : to;
        message[m] = (swq_async_message){
            .cycle = (uint32_t)(m * APART), .source = from, .destination = to, .bytes = 8};
    }
    if (swq_shape_has_ways(&f->shape)) { /* only with lanes, of each link of a way */
        n.architecture.row = &swq_wormhole_lanes;
        n.architecture.lanes.choice = &swq_lane_choice_phase;
        n.link.rest = 0;
    }
    n.traffic.trace = message;
    n.traffic.trace_messages = PACKETS;
    start_log log = run_logged(&n, PACKETS * APART, &r);
    cr_expect_eq((int)r.sim.total_delivered, PACKETS, "%s: %d delivered", what,
                 (int)r.sim.total_delivered);
    for (int m = 0; m < PACKETS; m++) {
        uint32_t port = f->entry[message[m].source];
        cr_assert(k < log.count && log.at[k].switch_ == SWQ_NO_WHERE, "%s", what);
        for (k++; !(port & SWQ_TO_NODE); k++) {
            const swq_start *s = &log.at[k];
            cr_assert(k < log.count && s->to == message[m].destination, "%s", what);
            cr_assert_eq(s->switch_ * (uint32_t)f->ports + s->input, port, "%s", what);
            port = f->link[s->switch_ * (uint32_t)f->ports + s->output];
        }
        cr_assert_eq(port, SWQ_TO_NODE | message[m].destination, "%s", what);
    }
    free(log.at);
}

Test(fabric_rows, packets_of_a_run_arrive)
{
    cr_expect_gt(for_every_example(NULL, expect_deliveries), 20);
    for_every_example(&swq_routing_adaptive, expect_deliveries);
}
