/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim/topologies: what every network of the table owes (wires are permutations; the digits lead
 * every packet to its destination, by its only path; load is balanced), each network's wiring as
 * drawn by hand, and what the sources say about who meets whom.
 */
#include "sim/topologies/topologies.h"
#include "switchq/topology.h"
#include "tests/sim/samples.h"
#include "tests/support/support.h"

static swq_context *ctx;

static void setup(void)
{
    ctx = swq_context_new();
}

static void teardown(void)
{
    swq_context_free(ctx);
}

TestSuite(topologies, .init = setup, .fini = teardown, .timeout = 480);

enum { MOST_NODES = 4096 };

/* A network with its wires looked up once. */
typedef struct {
    const swq_topology *topology;
    int radix, stages;
    uint32_t nodes;
    uint32_t *wire[SWQ_MAX_STAGES + 1]; /* [stages + 1], each [nodes] */
} network;

typedef void network_test_fn(const network *net);

/* The digit of that place, by repeated division. */
static uint32_t digit_of(uint32_t number, int radix, int place)
{
    while (place-- > 0)
        number /= (uint32_t)radix;
    return number % (uint32_t)radix;
}

/* The output port of `stage` for that destination. */
static uint32_t port_of(const swq_topology *t, int radix, int stages, int stage, uint32_t dest)
{
    return digit_of(dest, radix, t->digit(stages, stage));
}

static uint32_t leave_by(uint32_t line, int radix, uint32_t port)
{
    return line - line % (uint32_t)radix + port;
}

static void for_one(const swq_topology *t, int radix, int stages, uint32_t nodes,
                    network_test_fn *test)
{
    network net = {.topology = t, .radix = radix, .stages = stages, .nodes = nodes};

    for (int b = 0; b <= stages; b++) {
        net.wire[b] = malloc(nodes * sizeof *net.wire[b]);
        for (uint32_t l = 0; l < nodes; l++)
            net.wire[b][l] = t->wire(radix, stages, b, l);
    }
    test(&net);
    for (int b = 0; b <= stages; b++)
        free(net.wire[b]);
}

/* Every row and every radix of interest, with as many stages as `most` nodes allow. */
static void for_every_network(uint32_t most, network_test_fn *test)
{
    static const int radices[] = {2, 3, 4, 5, 6, 8, 16, 32};

    for (int row = 0; swq_topologies[row]; row++) {
        const swq_topology *t = swq_topologies[row];
        for (size_t r = 0; r < sizeof radices / sizeof *radices; r++) {
            uint32_t expected = 1;
            for (int stages = 1; expected * (uint32_t)radices[r] <= most; stages++) {
                uint32_t nodes = 0;
                expected *= (uint32_t)radices[r];
                if (t->stages && stages != t->stages)
                    continue;
                cr_assert_eq(swq_topology_nodes(ctx, t, radices[r], stages, &nodes), SWQ_OK, "%s",
                             swq_context_message(ctx));
                cr_assert_eq(nodes, expected, "%s, %d^%d", t->name, radices[r], stages);
                for_one(t, radices[r], stages, nodes, test);
            }
        }
    }
}

/* ---- properties of every network ---- */

static void expect_permutations(const network *net)
{
    for (int b = 0; b <= net->stages; b++) {
        bool *taken = calloc(net->nodes, sizeof *taken);
        for (uint32_t l = 0; l < net->nodes; l++) {
            uint32_t end = net->wire[b][l];
            cr_assert(end < net->nodes && !taken[end], "%s, %d^%d, boundary %d: line %u to %u",
                      net->topology->name, net->radix, net->stages, b, l, end);
            taken[end] = true;
        }
        free(taken);
    }
}

Test(topologies, wires_are_permutations)
{
    for_every_network(MOST_NODES, expect_permutations);
}

/* All sources at once to one destination, for every destination. An assertion for each packet would
 * take most of the time. */
static void expect_delivery(const network *net)
{
    uint32_t *line = malloc(net->nodes * sizeof *line);

    for (uint32_t dest = 0; dest < net->nodes; dest++) {
        memcpy(line, net->wire[0], net->nodes * sizeof *line);
        for (int stage = 0; stage < net->stages; stage++) {
            uint32_t port = port_of(net->topology, net->radix, net->stages, stage, dest);
            for (uint32_t s = 0; s < net->nodes; s++)
                line[s] = net->wire[stage + 1][leave_by(line[s], net->radix, port)];
        }
        for (uint32_t s = 0; s < net->nodes; s++) {
            if (line[s] != dest)
                cr_assert_fail("%s, %d^%d: from %u to %u, but arrived at %u", net->topology->name,
                               net->radix, net->stages, s, dest, line[s]);
        }
    }
    free(line);
}

Test(topologies, every_pair_is_connected)
{
    for_every_network(2187, expect_delivery); /* 3^7; up to 4096 nodes it would take 8 seconds */
}

/* N * N pairs over the N outputs of each stage make N for each. */
static void expect_balance(const network *net)
{
    uint32_t *pairs = malloc(net->nodes * sizeof *pairs);

    for (int last = 0; last < net->stages; last++) {
        memset(pairs, 0, net->nodes * sizeof *pairs);
        for (uint32_t pair = 0; pair < net->nodes * net->nodes; pair++) {
            uint32_t line = net->wire[0][pair / net->nodes], dest = pair % net->nodes;
            for (int stage = 0;; stage++) {
                line = leave_by(line, net->radix,
                                port_of(net->topology, net->radix, net->stages, stage, dest));
                if (stage == last)
                    break;
                line = net->wire[stage + 1][line];
            }
            pairs[line]++;
        }
        for (uint32_t l = 0; l < net->nodes; l++)
            cr_assert_eq(pairs[l], net->nodes, "%s, %d^%d: %u pairs through output %u of stage %d",
                         net->topology->name, net->radix, net->stages, pairs[l], l, last);
    }
    free(pairs);
}

Test(topologies, all_pairs_load_every_output_alike)
{
    for_every_network(256, expect_balance);
}

/* Counts the routes to each sink through any ports, without asking for digits. */
static void expect_unique_paths(const network *net)
{
    uint32_t *ways = malloc(net->nodes * sizeof *ways), *next = malloc(net->nodes * sizeof *next);

    for (uint32_t s = 0; s < net->nodes; s++) {
        memset(ways, 0, net->nodes * sizeof *ways);
        ways[net->wire[0][s]] = 1;
        for (int stage = 0; stage < net->stages; stage++) {
            memset(next, 0, net->nodes * sizeof *next);
            for (uint32_t l = 0; l < net->nodes; l++) {
                for (uint32_t port = 0; ways[l] && port < (uint32_t)net->radix; port++)
                    next[net->wire[stage + 1][leave_by(l, net->radix, port)]] += ways[l];
            }
            memcpy(ways, next, net->nodes * sizeof *ways);
        }
        for (uint32_t d = 0; d < net->nodes; d++)
            cr_assert_eq(ways[d], 1, "%s, %d^%d: %u ways from %u to %u", net->topology->name,
                         net->radix, net->stages, ways[d], s, d);
    }
    free(next);
    free(ways);
}

Test(topologies, every_path_is_the_only_one)
{
    for_every_network(1024, expect_unique_paths);
}

Test(topologies, every_digit_is_looked_at_once)
{
    for (int row = 0; swq_topologies[row]; row++) {
        const swq_topology *t = swq_topologies[row];
        for (int stages = 1; stages <= (t->stages ? t->stages : SWQ_MAX_STAGES); stages++) {
            unsigned long seen = 0;
            for (int s = 0; s < stages; s++) {
                int digit = t->digit(stages, s);
                cr_assert(digit >= 0 && digit < stages && !(seen >> digit & 1),
                          "%s: digit %d in stage %d of %d", t->name, digit, s, stages);
                seen |= 1ul << digit;
            }
        }
    }
}

/* Pairs drawn at random, and two at the upper end of the numbers. */
Test(topologies, large_networks_deliver_too)
{
    static const struct {
        int radix, stages;
    } sizes[] = {{2, 12}, {4, 6},  {5, 5},  {8, 4},   {16, 3},   {2, 24},     {3, 15},
                 {4, 12}, {10, 7}, {32, 4}, {256, 3}, {4096, 2}, {1 << 24, 1}};
    uint64_t seed = 7;

    for (int row = 0; swq_topologies[row]; row++) {
        const swq_topology *t = swq_topologies[row];
        for (size_t z = 0; z < sizeof sizes / sizeof *sizes; z++) {
            int radix = sizes[z].radix, stages = sizes[z].stages;
            uint32_t nodes;
            if (t->stages && stages != t->stages)
                continue;
            cr_assert_eq(swq_topology_nodes(ctx, t, radix, stages, &nodes), SWQ_OK);
            for (int k = 0; k < 10000; k++) {
                uint32_t source, dest, line;
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                source = k == 0 ? nodes - 1 : (uint32_t)(seed >> 33) % nodes;
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                dest = k < 2 ? nodes - 1 : (uint32_t)(seed >> 33) % nodes;
                line = t->wire(radix, stages, 0, source);
                for (int s = 0; s < stages; s++)
                    line = t->wire(radix, stages, s + 1,
                                   leave_by(line, radix, port_of(t, radix, stages, s, dest)));
                cr_assert_eq(line, dest, "%s, %d^%d: from %u to %u, but arrived at %u", t->name,
                             radix, stages, source, dest, line);
            }
        }
    }
}

/* ---- the wiring itself ---- */

/* Eight nodes, binary switches, as drawn in the papers. */
Test(topologies, wires_of_eight_nodes)
{
    static const struct {
        const swq_topology *topology;
        uint32_t wire[4][8];
        int digit[3];
    } drawn[] = {
        {&swq_topology_omega,
         {{0, 2, 4, 6, 1, 3, 5, 7},
          {0, 2, 4, 6, 1, 3, 5, 7},
          {0, 2, 4, 6, 1, 3, 5, 7},
          {0, 1, 2, 3, 4, 5, 6, 7}},
         {2, 1, 0}},
        {&swq_topology_butterfly,
         {{0, 1, 2, 3, 4, 5, 6, 7},
          {0, 4, 2, 6, 1, 5, 3, 7},
          {0, 2, 1, 3, 4, 6, 5, 7},
          {0, 1, 2, 3, 4, 5, 6, 7}},
         {2, 1, 0}},
        {&swq_topology_baseline,
         {{0, 1, 2, 3, 4, 5, 6, 7},
          {0, 4, 1, 5, 2, 6, 3, 7},
          {0, 2, 1, 3, 4, 6, 5, 7},
          {0, 1, 2, 3, 4, 5, 6, 7}},
         {2, 1, 0}},
        {&swq_topology_flip,
         {{0, 1, 2, 3, 4, 5, 6, 7},
          {0, 4, 1, 5, 2, 6, 3, 7},
          {0, 4, 1, 5, 2, 6, 3, 7},
          {0, 4, 1, 5, 2, 6, 3, 7}},
         {0, 1, 2}},
        {&swq_topology_cube,
         {{0, 1, 2, 3, 4, 5, 6, 7},
          {0, 2, 1, 3, 4, 6, 5, 7},
          {0, 4, 2, 6, 1, 5, 3, 7},
          {0, 4, 1, 5, 2, 6, 3, 7}},
         {0, 1, 2}},
    };

    for (size_t k = 0; k < sizeof drawn / sizeof *drawn; k++) {
        const swq_topology *t = drawn[k].topology;
        for (int b = 0; b <= 3; b++) {
            for (uint32_t l = 0; l < 8; l++)
                cr_assert_eq(t->wire(2, 3, b, l), drawn[k].wire[b][l], "%s, boundary %d, line %u",
                             t->name, b, l);
        }
        for (int s = 0; s < 3; s++)
            cr_assert_eq(t->digit(3, s), drawn[k].digit[s], "%s, stage %d", t->name, s);
    }
}

/* From node 5 = 101 to node 3 = 011 through three stages of 2x2 switches: shuffled to line 3 =
 * switch 1, port 0 is line 2; shuffled to line 4 = switch 2, port 1 is line 5; shuffled to line 3 =
 * switch 1, port 1 is line 3. */
Test(topologies, a_path_through_the_omega_network)
{
    static const uint32_t inputs[] = {3, 4, 3}, outputs[] = {2, 5, 3};
    const swq_topology *t = &swq_topology_omega;
    uint32_t line = 5;

    for (int s = 0; s < 3; s++) {
        line = t->wire(2, 3, s, line);
        cr_assert_eq(line, inputs[s]);
        line = leave_by(line, 2, port_of(t, 2, 3, s, 3));
        cr_assert_eq(line, outputs[s]);
    }
    cr_assert_eq(t->wire(2, 3, 3, line), 3);
}

/* The same with ternary switches and 27 nodes; numbers as their base-3 digits. */
Test(topologies, wires_of_twenty_seven_nodes)
{
#define BASE_3(a, b, c) ((a)*9 + (b)*3 + (c))
    for (uint32_t a = 0; a < 3; a++) {
        for (uint32_t b = 0; b < 3; b++) {
            for (uint32_t c = 0; c < 3; c++) {
                uint32_t abc = BASE_3(a, b, c);
                cr_assert_eq(swq_topology_omega.wire(3, 3, 0, abc), BASE_3(b, c, a));
                cr_assert_eq(swq_topology_omega.wire(3, 3, 2, abc), BASE_3(b, c, a));
                cr_assert_eq(swq_topology_omega.wire(3, 3, 3, abc), abc);
                cr_assert_eq(swq_topology_butterfly.wire(3, 3, 0, abc), abc);
                cr_assert_eq(swq_topology_butterfly.wire(3, 3, 1, abc), BASE_3(c, b, a));
                cr_assert_eq(swq_topology_butterfly.wire(3, 3, 2, abc), BASE_3(a, c, b));
                cr_assert_eq(swq_topology_baseline.wire(3, 3, 1, abc), BASE_3(c, a, b));
                cr_assert_eq(swq_topology_baseline.wire(3, 3, 2, abc), BASE_3(a, c, b));
                cr_assert_eq(swq_topology_flip.wire(3, 3, 0, abc), abc);
                cr_assert_eq(swq_topology_flip.wire(3, 3, 1, abc), BASE_3(c, a, b));
                cr_assert_eq(swq_topology_flip.wire(3, 3, 3, abc), BASE_3(c, a, b));
                cr_assert_eq(swq_topology_cube.wire(3, 3, 1, abc), BASE_3(a, c, b));
                cr_assert_eq(swq_topology_cube.wire(3, 3, 2, abc), BASE_3(c, b, a));
                cr_assert_eq(swq_topology_cube.wire(3, 3, 3, abc), BASE_3(c, a, b));
            }
        }
    }
#undef BASE_3
}

static void expect_flip_is_omega_backwards(const network *net)
{
    if (net->topology != &swq_topology_flip)
        return;
    for (int b = 0; b <= net->stages; b++) {
        for (uint32_t l = 0; l < net->nodes; l++)
            cr_assert_eq(
                swq_topology_omega.wire(net->radix, net->stages, net->stages - b, net->wire[b][l]),
                l, "%d^%d, boundary %d, line %u", net->radix, net->stages, b, l);
    }
}

Test(topologies, the_flip_network_is_the_omega_network_backwards)
{
    for_every_network(1024, expect_flip_is_omega_backwards);
}

/* With all switches set straight every node v reaches itself, and the k lines that meet in a switch
 * of a stage come from the nodes that differ from v in that stage's digit alone: the stages are the
 * dimensions of a cube. (In the butterfly and the baseline network such packets would collide.) */
static void expect_dimensions(const network *net)
{
    const swq_topology *t = net->topology;
    uint32_t *line, *at, k = (uint32_t)net->radix, unit;

    if (t == &swq_topology_butterfly || t == &swq_topology_baseline)
        return;
    line = malloc(net->nodes * sizeof *line);
    at = malloc(net->nodes * sizeof *at);
    memcpy(line, net->wire[0], net->nodes * sizeof *line);
    for (int stage = 0; stage < net->stages; stage++) {
        unit = 1;
        for (int place = t->digit(net->stages, stage); place > 0; place--)
            unit *= k;
        for (uint32_t v = 0; v < net->nodes; v++)
            at[line[v]] = v;
        for (uint32_t l = 0; l < net->nodes; l++) {
            cr_assert_eq(at[l] / unit % k, l % k, "%s: port of node %u", t->name, at[l]);
            cr_assert_eq(at[l] - l % k * unit, at[l - l % k], "%s, stage %d: node %u", t->name,
                         stage, at[l]);
        }
        for (uint32_t v = 0; v < net->nodes; v++)
            line[v] = net->wire[stage + 1][line[v]];
    }
    for (uint32_t v = 0; v < net->nodes; v++)
        cr_assert_eq(line[v], v, "%s", t->name);
    free(at);
    free(line);
}

Test(topologies, stages_work_along_dimensions)
{
    for_every_network(1024, expect_dimensions);
}

/* Where a packet of that sender is in each stage. */
static void find_switches(uint32_t sender, uint32_t dest, uint32_t at[4])
{
    const swq_topology *t = &swq_topology_omega;
    uint32_t line = t->wire(4, 4, 0, sender);

    for (int stage = 0; stage < 4; stage++) {
        at[stage] = line / 4;
        line = t->wire(4, 4, stage + 1, leave_by(line, 4, port_of(t, 4, 4, stage, dest)));
    }
}

/* Frazier (1995), 8.5.4, table 8.4: 256 senders on an omega network of four stages of 4x4 switches.
 * The four with id & 0xFC == 0xFC send to node 0 and meet in the last stage. Of those that send
 * anywhere, the twelve with id & 0x3C == 0x3C meet them in the first stage, the 48 with
 * id & 0x0C == 0x0C in the second, and the others in the third. */
Test(topologies, senders_meet_in_the_omega_network_where_frazier_says)
{
    unsigned hot[4][64] = {{0}}; /* the senders 252 .. 255 that pass there, as a mask */
    int met[4] = {0};
    uint32_t at[4];

    for (uint32_t s = 252; s < 256; s++) {
        find_switches(s, 0, at);
        for (int stage = 0; stage < 4; stage++)
            hot[stage][at[stage]] |= 1u << (s - 252);
    }
    for (uint32_t s = 0; s < 256; s++) {
        unsigned others = s < 252 ? 15 : 15 & ~(1u << (s - 252));
        int first = 4, expected = s >= 252             ? 3
                                  : (s & 0x3C) == 0x3C ? 0
                                  : (s & 0x0C) == 0x0C ? 1
                                                       : 2;
        for (uint32_t dest = 0; dest < (s < 252 ? 256 : 1); dest++) {
            find_switches(s, dest, at);
            for (int stage = 0; stage < first; stage++) {
                if (hot[stage][at[stage]] & others)
                    first = stage;
            }
        }
        cr_assert_eq(first, expected, "sender %u: stage %d", s, first);
        met[first]++;
    }
    cr_assert(met[0] == 12 && met[1] == 48 && met[2] == 192 && met[3] == 4);
}

/* The same source, figure 8.12: senders 0-127 and 128-255 mix in the first stage already. */
Test(topologies, both_halves_meet_in_the_first_stage_of_the_omega_network)
{
    int low[64] = {0};

    for (uint32_t s = 0; s < 128; s++)
        low[swq_topology_omega.wire(4, 4, 0, s) / 4]++;
    for (int w = 0; w < 64; w++)
        cr_assert_eq(low[w], 2, "switch %d has %d of the lower half", w, low[w]);
}

/* ---- the table ---- */

Test(topologies, rows)
{
    static const char *const names[] = {"omega", "butterfly", "baseline", "flip", "cube", "switch"};
    size_t row = 0;

    for (; swq_topologies[row]; row++) {
        const swq_topology *found = NULL;
        cr_assert(row < sizeof names / sizeof *names);
        cr_assert_str_eq(swq_topologies[row]->name, names[row]);
        cr_assert(*swq_topologies[row]->summary && *swq_topologies[row]->source);
        cr_assert_eq(swq_topology_find(ctx, names[row], &found), SWQ_OK);
        cr_assert_eq(found, swq_topologies[row]);
    }
    cr_assert_eq(row, sizeof names / sizeof *names);
}

Test(topologies, an_unknown_name)
{
    const swq_topology *found = &swq_topology_cube;

    cr_assert_eq(swq_topology_find(ctx, "omga", &found), SWQ_EINVAL);
    cr_assert_eq(found, &swq_topology_cube);
    cr_assert_not_null(strstr(swq_context_message(ctx), "topology 'omga' is unknown"));
    cr_assert_not_null(strstr(swq_context_message(ctx), "did you mean 'omega'?"));
}

Test(topologies, sizes)
{
    static const struct {
        int radix, stages;
        uint32_t nodes;
    } fine[] = {{2, 1, 2},         {4, 3, 64},        {3, 4, 81},
                {2, 24, 16777216}, {4, 12, 16777216}, {16777216, 1, 16777216}};
    uint32_t nodes;

    for (size_t k = 0; k < sizeof fine / sizeof *fine; k++) {
        cr_assert_eq(
            swq_topology_nodes(ctx, &swq_topology_omega, fine[k].radix, fine[k].stages, &nodes),
            SWQ_OK, "%s", swq_context_message(ctx));
        cr_assert_eq(nodes, fine[k].nodes);
    }
    cr_assert_eq(swq_topology_nodes(ctx, &swq_topology_switch, 7, 1, &nodes), SWQ_OK);
    cr_assert_eq(nodes, 7);
}

Test(topologies, wrong_sizes)
{
    static const struct {
        const swq_topology *topology;
        int radix, stages;
        const char *part;
    } bad[] = {
        {&swq_topology_omega, 1, 3, "radix must be at least 2, not 1"},
        {&swq_topology_omega, 0, 3, "radix must be at least 2, not 0"},
        {&swq_topology_omega, -4, 2, "radix must be at least 2, not -4"},
        {&swq_topology_omega, 4, 0, "stages must be 1 to 24, not 0"},
        {&swq_topology_omega, 4, -1, "stages must be 1 to 24, not -1"},
        {&swq_topology_omega, 2, 25, "stages must be 1 to 24, not 25"},
        {&swq_topology_switch, 4, 2, "stages must be 1 for topology switch, not 2"},
        {&swq_topology_switch, 4, 0, "stages must be 1 to 24, not 0"},
        {&swq_topology_omega, 3, 16, "nodes must be at most 16777216"},
        {&swq_topology_omega, 4, 13, "which radix 4 exceeds with 13 stages"},
        {&swq_topology_omega, 65536, 2, "nodes must be at most 16777216"},
        {&swq_topology_omega, 65536, 4, "nodes must be at most 16777216"},
        {&swq_topology_omega, 2147483647, 24, "nodes must be at most 16777216"},
        {&swq_topology_switch, 16777217, 1, "nodes must be at most 16777216"},
    };

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        uint32_t nodes = 77;
        cr_assert_eq(swq_topology_nodes(ctx, bad[k].topology, bad[k].radix, bad[k].stages, &nodes),
                     SWQ_EINVAL, "%s", bad[k].part);
        cr_assert_eq(nodes, 77, "touched");
        cr_assert_not_null(strstr(swq_context_message(ctx), bad[k].part), "'%s' lacks '%s'",
                           swq_context_message(ctx), bad[k].part);
    }
}

/* Stage cycles have multistage networks alone: other shapes are refused by name. */
Test(topologies, networks_refuse_other_shapes)
{
    const swq_switch sw = test_switch(ctx, "damq", 2, 2, 0.5, "rotating");
    const swq_network fine = network_in_stages(ctx, "omega", 2, &sw);
    const swq_shape s = fine.shape;
    const struct {
        swq_shape shape;
        const char *says;
    } bad[] = {
        {{.kind = NULL}, "topology must be given"},
        {{.kind = &swq_fabric_torus, .dims = 2, .extent = {4, 4}}, "topology torus is for asynch"},
        {{.kind = s.kind, .stages = 2}, "wiring must be given"},
        {{.kind = s.kind, .wiring = s.wiring, .stages = 2, .ports = 4}, "ports of the shape"},
        {{.kind = s.kind, .wiring = s.wiring, .stages = 2, .levels = 2}, "levels is for "},
        {{.kind = s.kind, .wiring = s.wiring, .stages = 2, .routing = &swq_routing_adaptive},
         "routing adaptive is for asynch"},
        {{.kind = s.kind, .wiring = s.wiring}, "stages must be 1 to "},
    };
    swq_network n = fine;
    uint32_t nodes = 0;

    n.shape.ports = 2;
    n.shape.routing = &swq_routing_deterministic;
    cr_assert_eq(swq_network_check(ctx, &n, &nodes), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(nodes, 4);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        n.shape = bad[k].shape;
        cr_expect_eq(swq_network_check(ctx, &n, &nodes), SWQ_EINVAL, "%s", bad[k].says);
        cr_expect(strstr(swq_context_message(ctx), bad[k].says), "'%s' lacks '%s'",
                  swq_context_message(ctx), bad[k].says);
    }
}
