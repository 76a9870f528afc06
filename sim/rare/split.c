/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * RESTART (Villen-Altamirano 1994), one path at a time: when a path comes to a threshold from
 * below, its state is kept; factor - 1 copies go on from there one after the other, each until it
 * falls below the threshold, and at last the path itself. Copies are split at higher thresholds in
 * the same way, so that one kept state a level is enough. A path that jumps over several thresholds
 * is split at each.
 *
 * A cycle's discards count for the copies that there are in the zone in which the cycle begins.
 */
#include "sim/rare/split.h"

#include "base/context.h"
#include "sim/measure/probe.h"

#include <assert.h>
#include <string.h>

enum { LOOK = 256 /* steps between checks whether to stop */ };

/* ---- beginning and end ---- */

swq_status swq_split_new(swq_context *ctx, swq_net *net, const struct swq_importance_of *rule,
                         const void *table, bool watch, swq_split *s)
{
    *s = (swq_split){.net = net, .rule = rule, .most = rule->most(net), .streams = net->streams};
    s->aid.table = table;
    swq_net_state_of(net, &s->state);
    s->weight[0] = 1;
    s->level_of = swq_calloc(ctx, s->most + 1, sizeof *s->level_of);
    bool ok = s->level_of != NULL;
    if (ok && rule->scratch_bytes) {
        s->aid.scratch = swq_calloc(ctx, rule->scratch_bytes(net), 1);
        ok = s->aid.scratch != NULL;
    }
    if (ok && watch) {
        s->visits = swq_calloc(ctx, s->most + 1, sizeof *s->visits);
        s->peaks = swq_calloc(ctx, s->most + 1, sizeof *s->peaks);
        ok = s->visits && s->peaks;
    }
    if (ok)
        return SWQ_OK;
    swq_split_free(ctx, s);
    return swq_memory_status(ctx);
}

void swq_split_free(swq_context *ctx, swq_split *s)
{
    for (int i = 0; i <= SWQ_RARE_LEVELS; i++)
        swq_free(ctx, s->frame[i].state);
    swq_free(ctx, s->level_of);
    swq_free(ctx, s->aid.scratch);
    swq_free(ctx, s->visits);
    swq_free(ctx, s->peaks);
    swq_net_free(ctx, s->net);
    *s = (swq_split){0};
}

double swq_split_bytes(const swq_net *net, const struct swq_importance_of *rule, int levels)
{
    const size_t own = rule->most(net) + (rule->scratch_bytes ? rule->scratch_bytes(net) : 0);
    swq_state state;
    swq_net counted = *net;

    swq_net_state_of(&counted, &state);
    return (double)sizeof(swq_split) + (double)own + (double)levels * (double)state.bytes;
}

static void forget(swq_split *s)
{
    memset(s->family, 0, sizeof s->family);
    memset(s->total, 0, sizeof s->total);
    s->family_cycles = s->cycles = 0;
    s->families = (swq_split_families){0};
    s->family_top = 0;
    s->family_peak = 0;
    s->family_loss = 0;
    if (s->visits) {
        memset(s->visits, 0, sizeof *s->visits * (s->most + 1));
        memset(s->peaks, 0, sizeof *s->peaks * (s->most + 1));
    }
}

swq_status swq_split_set(swq_context *ctx, swq_split *s, const swq_rare_level *level, int levels)
{
    assert(s->born == 0 && levels <= SWQ_RARE_LEVELS);
    for (int i = 1; i <= levels; i++) {
        if (!s->frame[i].state)
            s->frame[i].state = swq_calloc(ctx, s->state.bytes, 1);
        if (!s->frame[i].state)
            return swq_memory_status(ctx);
        s->level[i] = level[i - 1];
        s->weight[i] = s->weight[i - 1] / level[i - 1].factor;
    }
    s->levels = levels;
    int reached = 0;
    for (uint32_t v = 0; v <= s->most; v++) {
        while (reached < levels && level[reached].threshold <= v)
            reached++;
        s->level_of[v] = (uint8_t)reached;
    }
    s->now = 0;
    forget(s);
    return SWQ_OK;
}

/* ---- families ---- */

static void add_counts(swq_split *s)
{
    const int stages = s->net->system.levels;

    for (int i = 0; i <= s->family_top; i++) {
        s->total[i].steps += s->family[i].steps;
        for (int k = 0; k < stages; k++)
            s->total[i].discards[k] += s->family[i].discards[k];
    }
    s->cycles += s->family_cycles;
}

static void clear_family(swq_split *s)
{
    for (int i = 0; i <= s->family_top; i++)
        s->family[i] = (swq_split_count){0};
    s->family_cycles = 0;
    s->family_top = 0;
    s->family_peak = 0;
    s->family_loss = 0;
}

static void count_family(const swq_split *s, swq_split_families *f)
{
    f->crossings += s->family_top > 0;
    f->contributing += s->family_loss > 0;
    f->sum += s->family_loss;
    f->sum_of_squares += s->family_loss * s->family_loss;
}

static void end_family(swq_split *s)
{
    count_family(s, &s->families);
    if (s->peaks)
        s->peaks[s->family_peak]++;
    add_counts(s);
    clear_family(s);
}

/* ---- paths ---- */

static uint32_t importance(const swq_split *s)
{
    uint32_t v = s->rule->value(s->net, &s->aid);

    return v < s->most ? v : s->most;
}

/* Runs one cycle of the current path; returns the importance of the new state. */
static uint32_t step(swq_split *s)
{
    swq_net *net = s->net;
    swq_split_count *count = &s->family[s->now];
    const uint64_t before = net->system.discarded;

    if (s->visits)
        s->visits[s->value]++;
    net->system.advance(&net->system, 1);
    count->steps++;
    s->family_cycles += s->born == 0;
    if (net->system.discarded != before) {
        for (int k = 0; k < net->system.levels; k++)
            count->discards[k] += swq_probe_take_dropped(&net->system, k);
        s->family_loss += (double)(net->system.discarded - before) * s->weight[s->now];
    }
    const uint32_t v = s->value = importance(s);
    s->family_peak = v > s->family_peak ? v : s->family_peak;
    return v;
}

static void begin_copy(swq_split *s, int level)
{
    s->frame[level].copies--;
    s->now = s->born = level;
    swq_net_branch(s->net, swq_streams_branch(&s->streams, s->branches++));
}

/* The path in hand has reached level `reached`, and is split up to s->now: split it at the levels
 * in between. */
static void rise(swq_split *s, int reached)
{
    if (reached > s->family_top)
        s->family_top = reached;
    while (s->now < reached) {
        const int i = ++s->now;
        s->frame[i].copies = s->level[i].factor - 1;
        s->frame[i].born = s->born;
        s->frame[i].here = (uint32_t)reached;
        s->frame[i].value = s->value;
        if (s->frame[i].copies == 0)
            continue;
        swq_state_save(&s->state, s->frame[i].state);
        begin_copy(s, i);
    }
}

/* The copy in hand, born at s->born, has ended: begin the next copy, or continue the path
 * itself. */
static void end_copy(swq_split *s)
{
    swq_split_frame *f = &s->frame[s->born];

    swq_state_restore(&s->state, f->state);
    s->now = s->born;
    s->value = f->value;
    if (f->copies > 0)
        begin_copy(s, s->born);
    else
        s->born = f->born;
    rise(s, (int)f->here);
}

/* Discards all copies and their counts; the main path continues from where it was split. */
static void unwind(swq_split *s)
{
    while (s->born > 0) {
        const swq_split_frame *f = &s->frame[s->born];
        swq_state_restore(&s->state, f->state);
        s->born = f->born;
    }
    clear_family(s);
    s->now = 0;
}

void swq_split_warm_up(swq_split *s, const swq_context *ctx, uint64_t cycles)
{
    const int look = LOOK;

    for (uint64_t done = 0; done < cycles && !s->interrupted; done += (uint64_t)look) {
        s->interrupted = swq_context_cancelled(ctx);
        uint64_t most = cycles - done < (uint64_t)look ? cycles - done : (uint64_t)look;
        s->net->system.advance(&s->net->system, most);
    }
    swq_system_reset(&s->net->system);
}

/* Finds the level at which the main path begins, without splitting it there. The copies that would
 * have been born before the main path began are missing; in exchange, copies that outlive the end
 * of the main path count in full, and in the mean as many outlive the end as are missing at the
 * beginning. Splitting at once would count the copies at the ends twice, a bias of the length of an
 * excursion relative to that of the path. */
static void find_level(swq_split *s)
{
    s->value = importance(s);
    s->now = s->level_of[s->value];
    if (s->now > s->family_top)
        s->family_top = s->now;
}

bool swq_split_run(swq_split *s, const swq_context *ctx, uint64_t cycles, uint64_t most_steps)
{
    uint64_t steps = 0;

    if (s->born == 0)
        find_level(s);
    while (s->born > 0 || s->cycles + s->family_cycles < cycles) {
        if (++steps % LOOK == 0)
            s->interrupted = s->interrupted || swq_context_cancelled(ctx);
        if (s->interrupted || steps > most_steps) {
            unwind(s);
            return false;
        }
        const int reached = s->level_of[step(s)];
        if (reached < s->born) {
            end_copy(s);
            continue;
        }
        if (reached < s->now)
            s->now = reached;
        rise(s, reached);
        if (s->now == 0 && s->born == 0)
            end_family(s);
    }
    return true;
}

/* ---- counts ---- */

uint64_t swq_split_cycles(const swq_split *s)
{
    return s->cycles + s->family_cycles;
}

uint64_t swq_split_steps(const swq_split *s)
{
    uint64_t steps = 0;

    for (int i = 0; i <= s->levels; i++)
        steps += s->total[i].steps + s->family[i].steps;
    return steps;
}

double swq_split_lost(const swq_split *s, int stage)
{
    double lost = 0;

    for (int i = 0; i <= s->levels; i++)
        lost += s->weight[i] * (double)(s->total[i].discards[stage] + s->family[i].discards[stage]);
    return lost;
}

double swq_split_time(const swq_split *s, int level)
{
    double time = 0;

    for (int i = level; i <= s->levels; i++)
        time += s->weight[i] * (double)(s->total[i].steps + s->family[i].steps);
    return time;
}

swq_split_families swq_split_all_families(const swq_split *s)
{
    swq_split_families f = s->families;

    count_family(s, &f);
    return f;
}
