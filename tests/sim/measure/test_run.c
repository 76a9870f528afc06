/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running and measuring, with clockwork for an engine: in every cycle each of its nodes delivers a
 * packet that it created two cycles before, so that all counts and means are known beforehand.
 */
#include "base/context.h"
#include "sim/measure/run.h"
#include "tests/support/support.h"

#include <math.h>
#include <stdatomic.h>

enum { NODES = 6, LATENCY = 2, BYTES = 7, HOPS = 3, NEVER = 1 << 30 };

/* What the system is to do, and what happened. */
typedef struct {
    int amount;
    uint64_t drained_at, stuck_at; /* cycles in which everything stops */
    bool found_by_look;            /* the deadlock is found by `look`; otherwise by `advance` */
    int fail_at;                   /* the replication that cannot be allocated */
    swq_status verdict;            /* returned by `read` */
    const uint8_t *group;
    uint64_t refused, lost; /* in each cycle, with one packet offered: more is nonsense */
    bool uneven;            /* in some cycles, packets are a thousand times as long */
    uint64_t late;          /* the cycle in which replication 1 begins to create packets */
    int made, released, read;
    atomic_int most_at_once, looks; /* of replications on several threads */
    uint64_t read_cycles;
} clockwork_plan;

typedef struct {
    swq_system system;
    clockwork_plan *plan;
    uint64_t cycle, begin; /* begin: when it creates its first packets */
} clockwork;

static void count_cycle(clockwork *c)
{
    swq_system *s = &c->system;

    for (uint32_t node = 0; node < NODES && c->cycle >= c->begin; node++) {
        uint64_t *cell = s->tally + swq_tally_cell(s->levels, s->group ? s->group[node] : 0);
        cell[SWQ_CELL_CREATED]++;
        cell[SWQ_CELL_OFFERED]++;
        s->created++;
        if (c->cycle >= c->begin + LATENCY) {
            cell[SWQ_CELL_DELIVERED]++;
            cell[SWQ_CELL_LATENCY] += LATENCY;
            cell[SWQ_CELL_BYTES] +=
                c->plan->uneven && c->cycle * c->cycle % 1009 < 10 ? 1000 * BYTES : BYTES;
            cell[SWQ_CELL_HOPS] += HOPS;
            s->delivered++;
            s->sojourn += LATENCY;
        }
    }
    for (int k = 0; k < s->levels; k++) {
        s->tally[swq_tally_stage(k) + SWQ_STAGE_SENT] += 3;
        s->tally[swq_tally_stage(k) + SWQ_STAGE_OCCUPANCY] += 12;
    }
    s->tally[SWQ_NET_OFFERS]++;
    s->tally[SWQ_NET_REFUSED] += c->plan->refused;
    s->tally[swq_tally_cell(s->levels, 0) + SWQ_CELL_DISCARDED] += c->plan->lost;
    s->hops += NODES;
    c->cycle++;
    s->tally[SWQ_NET_POPULATION] += s->created - s->delivered;
    s->area += s->created - s->delivered;
}

static uint64_t advance(swq_system *system, uint64_t cycles)
{
    clockwork *c = (clockwork *)system;
    uint64_t done = 0;

    if ((int)cycles > atomic_load(&c->plan->most_at_once))
        atomic_store(&c->plan->most_at_once, (int)cycles);
    while (done < cycles && !system->drained && !system->stuck) {
        count_cycle(c);
        done++;
        system->drained = c->cycle >= c->plan->drained_at;
        system->stuck = !c->plan->found_by_look && c->cycle >= c->plan->stuck_at;
    }
    return done;
}

static void look(swq_system *system)
{
    clockwork *c = (clockwork *)system;

    atomic_fetch_add(&c->plan->looks, 1);
    system->stuck = system->stuck || c->cycle >= c->plan->stuck_at;
}

static void audit(const swq_system *system, uint64_t *packets, uint64_t *age)
{
    *packets = system->created - system->delivered;
    *age = system->area - system->sojourn;
}

static void release(swq_context *ctx, swq_system *system)
{
    ((clockwork *)system)->plan->released++;
    swq_system_free_counts(ctx, system);
    swq_free(ctx, system);
}

static swq_status make(swq_context *ctx, void *arg, const swq_sim_options *options,
                       uint32_t replication, swq_system **system)
{
    clockwork_plan *p = arg;

    if ((int)replication == p->fail_at)
        return swq_fail(ctx, SWQ_EINVAL, "as planned");
    clockwork *c = swq_calloc(ctx, 1, sizeof *c);
    if (!c)
        return swq_memory_status(ctx);
    c->plan = p;
    c->begin = replication == 1 ? p->late : 0;
    c->system = (swq_system){
        .engine = "clockwork",
        .options = options,
        .advance = advance,
        .audit = audit,
        .look = look,
        .release = release,
        .nodes = NODES,
        .levels = 2,
        .classes = 1,
        .group = p->group,
        .groups = p->group ? 2 : 1,
        .cells = p->group ? 2 : 1,
        .level_switches = {3, 4},
        .level_outputs = {6, 24},
        .amount = p->amount,
    };
    swq_status status = swq_system_count(ctx, &c->system);
    if (status) {
        swq_free(ctx, c);
        return status;
    }
    p->made++;
    *system = &c->system;
    return SWQ_OK;
}

static swq_status look_back(swq_context *ctx, void *arg, const swq_replication *replication,
                            int replications, const swq_sim_result *result)
{
    clockwork_plan *p = arg;

    p->read++;
    for (int k = 0; k < replications; k++)
        p->read_cycles += ((clockwork *)replication[k].system)->cycle;
    cr_assert_str_eq(result->engine, "clockwork");
    cr_assert_eq(p->released, 0);
    return p->verdict ? swq_fail(ctx, p->verdict, "fault found") : SWQ_OK;
}

static clockwork_plan plain_plan(void)
{
    return (clockwork_plan){
        .amount = SWQ_CELL_BYTES, .drained_at = NEVER, .stuck_at = NEVER, .fail_at = -1};
}

static swq_sim_options options_of(uint64_t warmup, uint64_t cycles, int replications)
{
    swq_sim_options o = swq_sim_defaults();

    o.warmup = warmup;
    o.cycles = cycles;
    o.replications = replications;
    return o;
}

static swq_status run(swq_context *ctx, clockwork_plan *p, const swq_sim_options *options,
                      swq_sim_result *result)
{
    swq_engine engine = {.arg = p, .bytes = 1000, .make = make, .read = look_back};

    return swq_run(ctx, &engine, options, result);
}

static void assert_invariants(const clockwork_plan *p, const swq_sim_result *r)
{
    cr_assert(r->conserved && r->little_exact);
    cr_assert_eq(p->made, p->released);
    cr_assert_eq(p->read, 1);
}

/* A result that contradicts itself is no result. */
Test(sim_run, no_probability_is_above_one)
{
    swq_context *ctx = swq_context_new();
    const swq_sim_options o = options_of(10, 320, 2);
    swq_sim_result r;
    clockwork_plan p = plain_plan();

    p.refused = 1;
    p.lost = NODES; /* everything that is offered */
    cr_assert_eq(run(ctx, &p, &o, &r), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(r.refusal.mean, 1);
    cr_assert_eq(r.all.discard_fraction.mean, 1);
    p = plain_plan();
    p.refused = 2;
    cr_assert_eq(run(ctx, &p, &o, &r), SWQ_EINTERNAL);
    cr_assert(strstr(swq_context_message(ctx), "fraction of offers refused came out as 2"), "%s",
              swq_context_message(ctx));
    p = plain_plan();
    p.lost = 2 * NODES;
    cr_assert_eq(run(ctx, &p, &o, &r), SWQ_EINTERNAL);
    cr_assert(strstr(swq_context_message(ctx), "packets discarded came out as 2"), "%s",
              swq_context_message(ctx));
    cr_assert_eq(p.made, p.released);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(sim_run, every_mean_is_of_its_own_kind)
{
    swq_context *ctx = swq_context_new();
    clockwork_plan p = plain_plan();
    swq_sim_options o = options_of(100, 3205, 3);
    swq_sim_result r;

    o.threads = 2;
    cr_assert_eq(run(ctx, &p, &o, &r), SWQ_OK);
    assert_invariants(&p, &r);
    cr_assert_eq(r.stopped_by, SWQ_STOP_CYCLES);
    cr_assert_eq(r.cycles, 3205);
    cr_assert_eq(r.bytes, 3000);
    cr_assert_eq(p.read_cycles, 3 * 3305);
    cr_assert_eq(r.packet_hops, 3 * 3205 * NODES);
    cr_assert_eq(r.all.delivered, 3 * 3205 * NODES);
    cr_assert_eq(r.all.bytes, 3. * 3205 * NODES * BYTES);
    cr_assert_float_eq(r.all.throughput.mean, BYTES, 1e-12);
    cr_assert_float_eq(r.all.hops.mean, HOPS, 1e-12);
    cr_assert_float_eq(r.all.latency.mean, LATENCY, 1e-12);
    cr_assert_float_eq(r.stage[0].sent.mean, 3 / 6., 1e-12);
    cr_assert_float_eq(r.stage[1].sent.mean, 3 / 24., 1e-12);
    cr_assert_float_eq(r.stage[0].occupancy.mean, 12 / 3., 1e-12);
    cr_assert_float_eq(r.stage[1].occupancy.mean, 12 / 4., 1e-12);
    cr_assert_eq(atomic_load(&p.most_at_once), 64);
    cr_assert_eq((size_t)atomic_load(&p.looks), r.batches);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(sim_run, packets_where_bytes_are_not_counted)
{
    swq_context *ctx = swq_context_new();
    clockwork_plan p = plain_plan();
    swq_sim_options o = options_of(100, 1000, 1);
    swq_sim_result r;

    p.amount = SWQ_CELL_DELIVERED;
    cr_assert_eq(run(ctx, &p, &o, &r), SWQ_OK);
    cr_assert_float_eq(r.all.throughput.mean, 1, 1e-12);
    cr_assert(isnan(r.all.bytes) && isnan(r.all.hops.mean) && isnan(r.all.hops.half_width));
    swq_context_free(ctx);
}

/* The first replication delivers all its packets in its first batch, while the other goes on, whose
 * batches are merged three times, and for its results until they are longer than its memory. */
Test(sim_run, a_replication_that_ends_at_once_counts)
{
    swq_context *ctx = swq_context_new();
    clockwork_plan p = plain_plan();
    swq_sim_options o = options_of(0, 1 << 20, 2);
    swq_sim_result r;

    p.late = 64 * 64 * 4;
    o.packets = 10;
    cr_assert_eq(run(ctx, &p, &o, &r), SWQ_OK);
    assert_invariants(&p, &r);
    cr_assert_eq(r.stopped_by, SWQ_STOP_PACKETS);
    cr_assert_eq(r.replications, 2);
    cr_assert_eq(r.batches, 1 + 8);
    cr_assert_eq(r.cycles, p.late + 64);
    cr_assert_eq(r.all.delivered, 2 * (64 - LATENCY) * NODES);
    cr_assert_float_eq(r.all.throughput.mean, 2. * (64 - LATENCY) * BYTES / (64. + 64 + p.late),
                       1e-12);
    swq_context_free(ctx);
}

/* At 2048 cycles, which are never enough, at 4096, at 8192 and so on. */
Test(sim_run, precision_is_looked_at_when_the_run_has_doubled)
{
    swq_context *ctx = swq_context_new();

    for (int uneven = 0; uneven < 2; uneven++) {
        clockwork_plan p = plain_plan();
        swq_sim_options o = options_of(100, 1 << 20, 1);
        swq_sim_result r;
        p.uneven = uneven;
        o.precision = 0.02;
        cr_assert_eq(run(ctx, &p, &o, &r), SWQ_OK);
        cr_assert_eq(r.stopped_by, SWQ_STOP_PRECISION);
        cr_assert_eq(r.cycles & (r.cycles - 1), 0, "%llu cycles", (unsigned long long)r.cycles);
        cr_assert(uneven ? r.cycles > 4096 : r.cycles == 4096, "%llu cycles",
                  (unsigned long long)r.cycles);
    }
    swq_context_free(ctx);
}

/* Packets come evenly, but bytes do not. */
Test(sim_run, precision_is_of_what_throughput_is_of)
{
    swq_context *ctx = swq_context_new();
    static const int amount[] = {SWQ_CELL_DELIVERED, SWQ_CELL_BYTES};
    static const swq_stop stop[] = {SWQ_STOP_PRECISION, SWQ_STOP_CYCLES};

    for (int k = 0; k < 2; k++) {
        clockwork_plan p = plain_plan();
        swq_sim_options o = options_of(100, 5000, 1);
        swq_sim_result r;
        p.uneven = true;
        p.amount = amount[k];
        o.precision = 0.01;
        cr_assert_eq(run(ctx, &p, &o, &r), SWQ_OK);
        cr_assert_eq(r.stopped_by, stop[k]);
    }
    swq_context_free(ctx);
}

/* The groups come from the system; options know nothing of them. */
Test(sim_run, groups_are_the_systems)
{
    swq_context *ctx = swq_context_new();
    static const uint8_t group[NODES] = {0, 1, 1, 1, 0, 1};
    clockwork_plan p = plain_plan();
    swq_sim_options o = options_of(10, 1000, 1);
    swq_sim_result r;

    p.group = group;
    cr_assert_eq(run(ctx, &p, &o, &r), SWQ_OK);
    cr_assert_eq(r.groups, 2);
    cr_assert_eq(r.by_group[0].delivered, 2 * 1000);
    cr_assert_eq(r.by_group[1].delivered, 4 * 1000);
    for (int g = 0; g < 2; g++)
        cr_assert_float_eq(r.by_group[g].throughput.mean, BYTES, 1e-12);
    swq_context_free(ctx);
}

/* In about the 40th batch of one replication: what has been measured counts. */
Test(sim_run, a_deadlock_ends_the_run)
{
    swq_context *ctx = swq_context_new();

    for (int by_look = 0; by_look < 2; by_look++) {
        clockwork_plan p = plain_plan();
        swq_sim_options o = options_of(100, 100000, 2);
        swq_sim_result r;
        p.stuck_at = 1110;
        p.found_by_look = by_look;
        cr_assert_eq(run(ctx, &p, &o, &r), SWQ_OK);
        assert_invariants(&p, &r);
        cr_assert_eq(r.stopped_by, SWQ_STOP_DEADLOCK);
        /* found at once by the system itself, or by a search at the end of a batch of 64 cycles */
        cr_assert_eq(r.cycles, by_look ? 1024 : 1010);
        cr_assert_eq(r.all.delivered, 2 * r.cycles * NODES);
        cr_assert_float_eq(r.all.throughput.mean, BYTES, 1e-12);
    }
    swq_context_free(ctx);
}

Test(sim_run, a_deadlock_in_the_warm_up)
{
    swq_context *ctx = swq_context_new();

    for (int by_look = 0; by_look < 2; by_look++) {
        clockwork_plan p = plain_plan();
        swq_sim_options o = options_of(100000, 1000, 2);
        swq_sim_result r;
        p.stuck_at = 5000;
        p.found_by_look = by_look;
        cr_assert_eq(run(ctx, &p, &o, &r), SWQ_OK);
        assert_invariants(&p, &r);
        cr_assert_eq(r.stopped_by, SWQ_STOP_DEADLOCK);
        cr_assert_eq(r.warmup, by_look ? 8192 : 5000);
        cr_assert_eq(r.cycles, 0);
        cr_assert_eq(r.batches, 0);
        cr_assert(isnan(r.all.throughput.mean) && isnan(r.all.latency.mean));
    }
    swq_context_free(ctx);
}

Test(sim_run, a_trace_ends)
{
    swq_context *ctx = swq_context_new();
    /* in the warm-up, with its last cycle, within a batch, at the end of one */
    static const uint64_t end[] = {50, 100, 150, 164};
    static const uint64_t cycles[] = {0, 0, 50, 64};

    for (int k = 0; k < 4; k++) {
        clockwork_plan p = plain_plan();
        swq_sim_options o = options_of(100, 2048, 1);
        swq_sim_result r;
        p.drained_at = end[k];
        cr_assert_eq(run(ctx, &p, &o, &r), SWQ_OK);
        assert_invariants(&p, &r);
        cr_assert_eq(r.stopped_by, SWQ_STOP_TRACE_END);
        cr_assert_eq(r.cycles, cycles[k]);
        cr_assert_eq(r.all.delivered, cycles[k] * NODES);
    }
    swq_context_free(ctx);
}

Test(sim_run, what_fails_leaves_the_result_alone)
{
    swq_context *ctx = swq_context_new();
    swq_sim_options o = options_of(10, 1000, 3);
    swq_sim_result r = {.nodes = 4711};
    clockwork_plan p = plain_plan();

    p.fail_at = 2;
    cr_assert_eq(run(ctx, &p, &o, &r), SWQ_EINVAL);
    cr_assert_eq(p.made, 2);
    cr_assert_eq(p.released, 2);
    p = plain_plan();
    p.verdict = SWQ_ELIMIT;
    cr_assert_eq(run(ctx, &p, &o, &r), SWQ_ELIMIT);
    cr_assert_str_eq(swq_context_message(ctx), "fault found");
    cr_assert_eq(p.released, 3);
    swq_context_limit_memory(ctx, 2999);
    p = plain_plan();
    cr_assert_eq(run(ctx, &p, &o, &r), SWQ_ELIMIT);
    cr_assert_eq(p.made, 0);
    cr_assert_eq(r.nodes, 4711);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(sim_run, every_allocation_may_fail)
{
    swq_sim_options o = options_of(10, 1000, 2);
    swq_sim_result r;
    int failed = 0;

    o.per_node = true;
    for (size_t after = 0;; after++) {
        swq_context *ctx = swq_context_new();
        clockwork_plan p = plain_plan();
        swq_context_fail_allocations(ctx, after, false);
        swq_status status = run(ctx, &p, &o, &r);
        cr_assert_eq(swq_context_live_blocks(ctx), 0, "allocation %zu", after);
        cr_assert_eq(p.made, p.released);
        swq_context_free(ctx);
        if (!status)
            break;
        cr_assert_eq(status, SWQ_ENOMEM);
        failed++;
    }
    cr_assert_geq(failed, 2 + 2 * (1 + 3 + 4) + 2, "%d", failed);
}
