/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim/switches/wormhole: the latency of a packet alone, by the pipeline's stages; flits conserved
 * and packets of a pair in order; rings without datelines deadlock and are named, with them they do
 * not, and the graph of dependencies says so beforehand.
 */
#include "sim/switches/wormhole/worms.h"
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

TestSuite(worms, .init = setup, .fini = teardown, .timeout = 120);

/* ---- a network with packets of one length ---- */

typedef struct {
    swq_fabric fabric;
    swq_worms w;
    uint32_t *sent, *number; /* [worms] when it was sent, and its number within its pair */
    uint32_t *sends, *comes; /* [nodes * nodes] of each pair */
    uint32_t came, disorder, latency, header, crossed;
    uint64_t random;
} world;

static void begun(void *arg, uint32_t worm)
{
    (void)arg;
    (void)worm;
}

static void passed(void *arg, uint32_t worm, uint32_t port, uint32_t out, uint32_t flits)
{
    world *o = arg;
    o->crossed += o->fabric.link[out] != SWQ_NO_WHERE && port / o->w.ports == out / o->w.ports;
    cr_assert_eq(flits, o->w.worm[worm].flits);
}

static void last(void *arg, uint32_t worm)
{
    world *o = arg;
    o->header = o->w.cycle - o->sent[worm];
}

static void arrived(void *arg, uint32_t worm)
{
    world *o = arg;
    const swq_packet_state *p = &o->w.worm[worm].state;

    o->came++;
    o->latency = o->w.cycle - o->sent[worm];
    o->disorder += o->number[worm] != o->comes[p->from * o->fabric.nodes + p->to]++;
}

static void make(world *o, const char *topology, int extent, const swq_routing *routing,
                 swq_worm_plan plan)
{
    swq_shape shape = {.dims = 2, .extent = {extent, extent}, .routing = routing};
    static const swq_streams streams;
    const swq_worm_told told = {o, begun, passed, last, arrived, begun, NULL, &streams};

    memset(o, 0, sizeof *o);
    o->random = UINT64_C(88172645463325252);
    cr_assert_eq(swq_fabric_find(ctx, topology, &shape), SWQ_OK);
    cr_assert_eq(swq_fabric_make(ctx, &shape, &o->fabric), SWQ_OK);
    plan.fabric = &o->fabric;
    plan.node_lanes = plan.node_lanes ? plan.node_lanes : 1;
    swq_worms_lay_out(&o->w, &plan);
    swq_arrays list = {0};
    swq_worms_list(&o->w, &list);
    cr_assert_eq(swq_arrays_take(ctx, &list), SWQ_OK);
    swq_worms_empty(&o->w, &told);
    const size_t nodes = o->fabric.nodes;
    o->sent = calloc(o->w.worms, sizeof *o->sent);
    o->number = calloc(o->w.worms, sizeof *o->number);
    o->sends = calloc(nodes * nodes, sizeof *o->sends);
    o->comes = calloc(nodes * nodes, sizeof *o->comes);
}

static void end(world *o)
{
    swq_arrays list = {0};

    swq_worms_list(&o->w, &list);
    swq_arrays_free(ctx, &list);
    swq_fabric_clear(ctx, &o->fabric);
    free(o->sent);
    free(o->number);
    free(o->sends);
    free(o->comes);
}

static void send(world *o, uint32_t from, uint32_t to, uint32_t flits)
{
    const uint32_t worm = swq_worms_send(&o->w, from, to, flits);

    o->sent[worm] = o->w.cycle;
    o->number[worm] = o->sends[from * o->fabric.nodes + to]++;
}

static uint32_t draw(world *o, uint32_t below)
{
    o->random ^= o->random << 13;
    o->random ^= o->random >> 7;
    o->random ^= o->random << 17;
    return (uint32_t)((o->random >> 33) % below);
}

/* Every node sends packets of up to `flits` as fast as it can. */
static void flood(world *o, uint32_t cycles, uint32_t flits)
{
    const uint32_t nodes = o->fabric.nodes;

    for (uint32_t t = 0; t < cycles; t++) {
        for (uint32_t i = 0; i < nodes; i++) {
            if (swq_worms_idle(&o->w, i))
                send(o, i, (i + 1 + draw(o, nodes - 1)) % nodes, 1 + draw(o, flits));
        }
        swq_worms_cycle(&o->w);
    }
}

/* No node sends any more. */
static void run_dry(world *o, uint32_t cycles)
{
    for (uint32_t t = 0; t < cycles && o->w.inside > 0; t++)
        swq_worms_cycle(&o->w);
}

static const swq_worm_times lean = {0, 1, 1, 1, 1, 1, 1};

/* ---- a lone packet ---- */

/* Each switch takes its stages, each link its cycles, and the flits follow one another as long as
 * credits return in time. */
Test(worms, a_packet_alone_takes_what_the_stages_take)
{
    const swq_worm_times times[] = {
        lean, {2, 1, 1, 0, 3, 2, 1}, {0, 0, 1, 1, 1, 1, 0}, {1, 3, 1, 2, 2, 1, 2}};

    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        const swq_worm_times t = times[k];
        const uint32_t stages = (uint32_t)(t.routing + t.lane + t.crossbar + t.crossing);
        for (uint32_t flits = 1; flits <= 9; flits += 4) {
            world o;
            make(&o, "mesh", 4, NULL, (swq_worm_plan){.lanes = 2, .lane_flits = 16, .times = t});
            send(&o, 0, 15, flits); /* 7 switches, 6 links between them */
            run_dry(&o, 1000);
            cr_expect_eq(o.came, 1);
            cr_expect_eq(o.crossed, 7);
            cr_expect_eq(o.header, 7 * stages + 6 * (uint32_t)t.link + (uint32_t)t.node_link);
            cr_expect_eq(o.latency, o.header + (uint32_t)t.node_link + flits - 1);
            end(&o);
        }
    }
}

/* A buffer of one flit is filled again when the credit has come back: crossbar, crossing, link, and
 * back. */
Test(worms, a_short_buffer_waits_for_its_credit)
{
    world o;

    make(&o, "mesh", 4, NULL, (swq_worm_plan){.lanes = 1, .lane_flits = 1, .times = lean});
    send(&o, 0, 3, 10);
    run_dry(&o, 1000);
    const uint32_t round = 5; /* link 1, crossing 1, crossbar 1, back 1, credit 1 */
    cr_expect_eq(o.latency - o.header, 1 + 9 * round);
    end(&o);
}

/* ---- conservation and order ---- */

Test(worms, flits_are_conserved_and_pairs_stay_in_order)
{
    const struct {
        const char *topology;
        int lanes, flits;
        swq_lanes_for choice;
    } cases[] = {{"mesh", 1, 1, SWQ_LANES_ANY},        {"mesh", 4, 3, SWQ_LANES_DESTINATION},
                 {"torus", 2, 4, SWQ_LANES_DATELINE},  {"torus", 4, 2, SWQ_LANES_CROSSING},
                 {"torus", 32, 1, SWQ_LANES_DATELINE}, {"torus", 3, 255, SWQ_LANES_CROSSING}};

    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        const size_t k = i / 2;
        world o;
        bool sound;
        make(&o, cases[k].topology, 5, NULL,
             (swq_worm_plan){.lanes = cases[k].lanes,
                             .node_lanes = i % 2 ? cases[k].lanes : 1,
                             .lane_flits = cases[k].flits,
                             .choice = cases[k].choice,
                             .times = lean});
        for (int part = 0; part < 20; part++) {
            flood(&o, 50, 9);
            (void)swq_worms_audit(&o.w, &sound);
            cr_expect(sound, "case %zu", k);
        }
        run_dry(&o, 100000);
        uint32_t sent = 0;
        for (uint32_t p = 0; p < 625; p++)
            sent += o.sends[p];
        cr_expect_eq(o.came, sent, "case %zu: %u of %u", k, o.came, sent);
        cr_expect_eq(swq_worms_audit(&o.w, &sound), 0);
        cr_expect(sound);
        /* packets of a pair take one route, but those in different lanes may overtake one
         * another */
        if (cases[k].lanes == 1 || cases[k].choice == SWQ_LANES_DESTINATION)
            cr_expect_eq(o.disorder, 0, "case %zu", k);
        end(&o);
    }
}

/* ---- turns ---- */

/* Node 1 sends two packets straight on to node 9, and one that turns off to node 6 in switch 5,
 * where nodes 5 and 4 take half of both links. So a flit of the third packet crosses between any
 * two of the others. These come from both lanes in turn nevertheless: an input's lanes have a
 * circle for each output. */
Test(worms, lanes_take_turns_for_each_output)
{
    world o;
    uint32_t when[2] = {0, 0};

    make(&o, "mesh", 4, NULL,
         (swq_worm_plan){.lanes = 4, .node_lanes = 3, .lane_flits = 8, .times = lean});
    send(&o, 5, 13, 1000);
    send(&o, 4, 7, 1000);
    for (int k = 0; k < 3; k++) {
        send(&o, 1, k < 2 ? 9 : 6, k < 2 ? 200 : 1000);
        swq_worms_cycle(&o.w);
    }
    for (uint32_t k = 0; k < 2 && o.w.cycle < 3000; k = o.came) {
        swq_worms_cycle(&o.w);
        if (o.came > k)
            when[k] = o.w.cycle;
    }
    cr_expect_eq(o.came, 2);
    cr_expect_leq(when[1] - when[0], 20, "%u and %u", when[0], when[1]);
    end(&o);
}

/* ---- deadlock ---- */

static bool is_stuck(world *o, int *length)
{
    swq_worm_wait wait[64];
    return swq_worms_stuck(&o->w, wait, 64, length);
}

Test(worms, a_ring_without_datelines_deadlocks_and_is_named)
{
    const swq_lanes_for choices[] = {SWQ_LANES_ANY, SWQ_LANES_DATELINE, SWQ_LANES_CROSSING};

    for (int k = 0; k < 3; k++) {
        world o;
        bool cycle;
        int length = 0;
        make(&o, "torus", 8, NULL,
             (swq_worm_plan){.lanes = 2, .lane_flits = 8, .choice = choices[k], .times = lean});
        cr_assert_eq(swq_worms_dependencies(ctx, &o.w.plan, &cycle), SWQ_OK);
        cr_expect_eq(cycle, choices[k] == SWQ_LANES_ANY);
        flood(&o, 10000, 4);
        cr_expect_eq(is_stuck(&o, &length), cycle, "choice %d", k);
        const uint32_t came = o.came;
        flood(&o, 1000, 4);
        if (cycle) {
            cr_expect_geq(length, 2);
            cr_expect_eq(o.came, came, "%u more came", o.came - came);
        } else {
            cr_expect_gt(o.came, came);
        }
        end(&o);
    }
}

/* Packets in an escape lane whose number is not that of their route. */
static uint32_t astray(const world *o)
{
    const swq_worms *w = &o->w;
    uint32_t count = 0;

    for (uint32_t port = 0; port < w->inputs; port++) {
        for (uint32_t l = 0; l < (uint32_t)o->fabric.escapes; l++) {
            const swq_worm_lane *lane = &w->lane[(port << w->shift) + l];
            const swq_packet_state *p = &w->worm[lane->worm].state;
            if (lane->packets > 0 && o->fabric.in_level[port] < 2)
                count +=
                    (uint32_t)o->fabric.shape.kind->escape(&o->fabric, port, p->from, p->to) != l;
        }
    }
    return count;
}

/* With escape lanes, and lanes that are assigned only when empty, any shortest route is safe;
 * without them it is not. */
Test(worms, escape_lanes_keep_adaptive_routing_alive)
{
    for (int guarded = 0; guarded < 2; guarded++) {
        world o;
        bool cycle;
        int length;
        make(&o, "torus", 8, guarded ? &swq_routing_adaptive : &swq_routing_unguarded,
             (swq_worm_plan){
                 .lanes = guarded ? 3 : 1, .lane_flits = 2, .atomic = true, .times = lean});
        cr_assert_eq(swq_worms_dependencies(ctx, &o.w.plan, &cycle), SWQ_OK);
        cr_expect_eq(cycle, !guarded);
        flood(&o, 10000, 30);
        cr_expect_eq(astray(&o), 0);
        cr_expect_eq(is_stuck(&o, &length), !guarded);
        run_dry(&o, 100000);
        cr_expect_eq(o.w.inside > 0, !guarded);
        end(&o);
    }
}

/* Of the packets in front that have been given a lane of a link between switches since the last
 * cycle: those in an escape lane, which must be that of the deterministic route, and those that
 * were in one before. */
static void count_escapes(const world *o, int *in_escapes, int *left_escapes)
{
    const swq_worms *w = &o->w;
    const uint32_t escapes = (uint32_t)o->fabric.escapes;

    for (uint32_t k = 0; k < w->inputs << w->shift; k++) {
        const swq_worm_lane *lane = &w->lane[k];
        const swq_worm_input *in = &w->input[k >> w->shift];
        if (lane->packets == 0 || in->waiting >> lane->number & 1 ||
            lane->since != w->cycle - 1 + (uint32_t)w->plan.times.lane)
            continue;
        const swq_packet_state *p = &w->worm[lane->worm].state;
        const uint32_t to = w->place[in->base + lane->out].to;
        if (to & SWQ_TO_NODE)
            continue;
        if (lane->out_lane < escapes) {
            ++*in_escapes;
            cr_expect_eq(lane->out - in->first,
                         o->fabric.shape.kind->first(&o->fabric, k >> w->shift, p->from, p->to));
            cr_expect_eq(lane->out_lane,
                         (uint8_t)o->fabric.shape.kind->escape(&o->fabric, to, p->from, p->to));
        } else if (lane->number < escapes && in->upstream < w->inputs) {
            ++*left_escapes;
        }
    }
}

/* Whatever the choice: escape lanes are as safe; packets that may take them like other lanes take
 * more of them, and those that must stay in them never leave. */
Test(worms, escape_lanes_are_used_as_is_said)
{
    for (int k = 0; k < 32; k++) {
        const char *topology = k & 16 ? "torus" : "mesh";
        const bool alike = k & 1, kept = k & 2;
        int taken = 0, left = 0, length;
        bool cycle, sound;
        world o;
        make(&o, topology, 4, &swq_routing_adaptive,
             (swq_worm_plan){.lanes = k & 16 ? 4 : 3,
                             .lane_flits = 3,
                             .pick = (swq_worm_pick)(k >> 2 & 3),
                             .escapes_alike = alike,
                             .escapes_kept = kept,
                             .atomic = true,
                             .times = lean});
        cr_assert_eq(swq_worms_dependencies(ctx, &o.w.plan, &cycle), SWQ_OK);
        cr_expect_not(cycle);
        for (int t = 0; t < 2000; t++) {
            flood(&o, 1, 9);
            count_escapes(&o, &taken, &left);
        }
        cr_expect_eq(astray(&o), 0);
        cr_expect_not(is_stuck(&o, &length), "case %d", k);
        cr_expect_gt(taken, 100, "case %d: %d", k, taken);
        cr_expect_eq(left == 0, kept, "case %d: %d left", k, left);
        run_dry(&o, 100000);
        cr_expect_eq(o.w.inside, 0);
        cr_expect_eq(swq_worms_audit(&o.w, &sound), 0);
        cr_expect(sound);
        end(&o);
    }
}

/* Packets one after another along a row: in each lane of an input, packets take the lanes of the
 * next link in turn, including the escape lane if it is like the others. */
Test(worms, lanes_are_taken_in_turn)
{
    world o;
    int taken[2] = {0};

    for (int alike = 0; alike < 2; alike++) {
        make(&o, "mesh", 4, &swq_routing_adaptive,
             (swq_worm_plan){.lanes = 4,
                             .lane_flits = 4,
                             .pick = SWQ_PICK_TURN,
                             .escapes_alike = alike,
                             .atomic = true,
                             .times = lean});
        int left = 0;
        for (int n = 0; n < 64; n++) {
            send(&o, 0, 3, 2); /* over three links between switches, each in the next lane */
            for (int t = 0; t < 40; t++) {
                swq_worms_cycle(&o.w);
                count_escapes(&o, &taken[alike], &left);
            }
            cr_expect_eq(o.w.inside, 0);
        }
        end(&o);
    }
    cr_expect_eq(taken[0], 0);
    cr_expect_eq(taken[1], 3 * 64 / 4, "%d", taken[1]);
}

/* Whether a ring can deadlock, by its length: routes of at most half of it, and lanes for all. */
Test(worms, dependencies_have_cycles_where_rings_do)
{
    for (int extent = 3; extent <= 7; extent++) {
        for (int one_way = 0; one_way < 2; one_way++) {
            swq_shape shape = {.dims = 1, .extent = {extent}, .one_way = one_way};
            swq_fabric f;
            bool any, dateline;
            cr_assert_eq(swq_fabric_find(ctx, "torus", &shape), SWQ_OK);
            cr_assert_eq(swq_fabric_make(ctx, &shape, &f), SWQ_OK);
            swq_worm_plan plan = {.fabric = &f, .lanes = 2, .lane_flits = 2, .times = lean};
            cr_assert_eq(swq_worms_dependencies(ctx, &plan, &any), SWQ_OK);
            plan.choice = SWQ_LANES_DATELINE;
            cr_assert_eq(swq_worms_dependencies(ctx, &plan, &dateline), SWQ_OK);
            /* a route of one hop requires no second link; halfway round a ring of four, only every
             * other node goes that way */
            cr_expect_eq(any, one_way || extent > 4, "%d, one way %d", extent, one_way);
            cr_expect_not(dateline, "%d, one way %d", extent, one_way);
            swq_fabric_clear(ctx, &f);
        }
    }
}

static int apart(int a, int b, int extent, bool ring)
{
    const int d = a < b ? b - a : a - b;
    return ring && extent - d < d ? extent - d : d;
}

/* The switches that a packet passes from one node of a square to another via a third. */
static uint32_t passes(uint32_t from, uint32_t by, uint32_t to, int extent, bool ring)
{
    const int node[3] = {(int)from, (int)by, (int)to};
    int count = 1;

    for (int k = 0; k < 2; k++)
        count += apart(node[k] / extent, node[k + 1] / extent, extent, ring) +
                 apart(node[k] % extent, node[k + 1] % extent, extent, ring);
    return (uint32_t)count;
}

/* A lone packet takes the time of both routes, with no switch counted twice, wherever the third
 * node is. */
Test(worms, a_packet_alone_goes_by_another_node)
{
    for (int ring = 0; ring < 2; ring++) {
        for (uint32_t k = 0; k < 16 * 15; k++) {
            const uint32_t from = k % 16, by = k / 16, to = (from + 1 + k % 15) % 16;
            world o;
            make(&o, ring ? "torus" : "mesh", 4, NULL,
                 (swq_worm_plan){.lanes = 4,
                                 .lane_flits = 16,
                                 .choice = ring ? SWQ_LANES_DATELINE : SWQ_LANES_ANY,
                                 .by_another = true,
                                 .times = lean});
            const uint32_t worm = swq_worms_send_by(&o.w, from, by, to, 3);
            o.sent[worm] = 0;
            run_dry(&o, 1000);
            const uint32_t count = passes(from, by, to, 4, ring);
            cr_expect_eq(o.came, 1, "%u by %u to %u", from, by, to);
            cr_expect_eq(o.crossed, count, "%u by %u to %u: %u", from, by, to, o.crossed);
            cr_expect_eq(o.header, 4 * count, "%u by %u to %u", from, by, to);
            end(&o);
        }
    }
}

/* Half of the lanes for each direction: then neither meshes nor tori can deadlock, and they do
 * not. */
Test(worms, two_ways_have_lanes_of_their_own)
{
    static const char *const topology[] = {"mesh", "torus", "torus"};
    static const swq_lanes_for choice[] = {SWQ_LANES_ANY, SWQ_LANES_DATELINE, SWQ_LANES_CROSSING};

    for (int k = 0; k < 3; k++) {
        world o;
        bool cycle, sound;
        uint32_t count = 0;
        swq_worm_wait wait[4];
        int waiting;
        make(&o, topology[k], 5, NULL,
             (swq_worm_plan){.lanes = k ? 5 : 2,
                             .lane_flits = 2,
                             .choice = choice[k],
                             .by_another = true,
                             .times = lean});
        cr_assert_eq(swq_worms_dependencies(ctx, &o.w.plan, &cycle), SWQ_OK);
        cr_expect_not(cycle, "%s", topology[k]);
        for (int t = 0; t < 20000; t++) {
            for (uint32_t i = 0; i < 25 && t < 16000; i++) {
                if (!swq_worms_idle(&o.w, i))
                    continue;
                (void)swq_worms_send_by(&o.w, i, draw(&o, 25), (i + 1 + draw(&o, 24)) % 25, 9);
                count++;
            }
            swq_worms_cycle(&o.w);
            if (t % 1000 == 0)
                cr_expect_not(swq_worms_stuck(&o.w, wait, 4, &waiting));
        }
        (void)swq_worms_audit(&o.w, &sound);
        cr_expect(sound);
        cr_expect_eq(o.came, count, "%s: %u of %u", topology[k], o.came, count);
        end(&o);
    }
}
