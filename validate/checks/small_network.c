/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A network that is small enough for a chain: two stages of two 2x2 switches with one slot an input
 * and a coin among contenders, whose sources always offer. A buffer of the first stage holds a head
 * for output 0 or 1, or (credit next) nothing in the cycle after it has sent; digits of a
 * destination are drawn when a stage looks at them, which changes nothing (docs/model.md). Buffer
 * 2a + b of the second stage is behind output a of first switch b.
 */
#include "base/context.h"
#include "validate/checks/families.h"
#include "validate/checks/scores.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>

enum { GONE = 2, CELLS = 8, SECOND = 4, STATES = 6561, RUNS = 16, COINS = 1 << 10 };

static const char *const wirings[] = {"omega", "butterfly", "baseline"};
enum { WIRINGS = sizeof wirings / sizeof *wirings };

static int count(swq_effort effort)
{
    (void)effort;
    return 2 * WIRINGS;
}

static void describe(swq_effort effort, int k, swq_check *check)
{
    const char *credit = k / WIRINGS ? "next" : "same";

    snprintf(check->name, sizeof check->name, "small-network/topology=%s,credit=%s",
             wirings[k % WIRINGS], credit);
    snprintf(check->claim, sizeof check->claim,
             "four 2x2 fifo-1 switches, %s, full load, credit %s: the chain's throughput",
             wirings[k % WIRINGS], credit);
    check->level = SWQ_LEVEL_STAT;
    check->weight = effort == SWQ_EFFORT_FULL ? 4 : 0.2;
}

/* ---- the chain ---- */

static void digits_of(int state, int *digit)
{
    for (int k = 0; k < CELLS; k++, state /= 3)
        digit[k] = state % 3;
}

static int state_of(const int *digit)
{
    int state = 0;

    for (int k = CELLS - 1; k >= 0; k--)
        state = 3 * state + digit[k];
    return state;
}

/* The second stage sends: if two heads want the same output, a coin decides. */
static int send_to_sinks(int *cell, int coins)
{
    int sent = 0;

    for (int a = 0; a < 2; a++) {
        int *pair = cell + SECOND + 2 * a;
        if (pair[0] != GONE && pair[0] == pair[1]) {
            pair[coins >> a & 1] = GONE;
            sent++;
        } else {
            sent += (pair[0] != GONE) + (pair[1] != GONE);
            pair[0] = pair[1] = GONE;
        }
    }
    return sent;
}

/* The first stage sends to buffers that are open, judged before this cycle (next) or now (same).
 * Freed slots of the first stage are filled at once (same), or marked (next) while slots marked
 * before are filled. coins: 2 for contenders, 4 for digits in the second stage, 4 for new heads. */
static void send_on(const int *before, const int *now, bool next, int coins, int *cell)
{
    for (int k = 0; k < CELLS; k++)
        cell[k] = now[k];
    for (int b = 0; b < 2; b++) {
        int won[2] = {-1, -1};
        for (int i = 0; i < 2; i++) {
            int a = before[2 * b + i];
            if (a == GONE || (next ? before : now)[SECOND + 2 * a + b] != GONE)
                continue;
            if (won[a] < 0 || (coins >> b & 1))
                won[a] = 2 * b + i;
        }
        for (int a = 0; a < 2; a++) {
            if (won[a] < 0)
                continue;
            cell[SECOND + 2 * a + b] = coins >> (2 + 2 * a + b) & 1;
            cell[won[a]] = next ? GONE : coins >> (6 + won[a]) & 1;
        }
    }
    for (int k = 0; k < SECOND; k++) {
        if (before[k] == GONE)
            cell[k] = coins >> (6 + k) & 1;
    }
}

/* The row of a state, by target; returns the expected number of packets sent by all four
 * outputs. */
static double expand(int state, bool next, double *row)
{
    int before[CELLS], now[CELLS], after[CELLS];
    double sent = 0;

    for (int s = 0; s < STATES; s++)
        row[s] = 0;
    digits_of(state, before);
    for (int coin = 0; coin < 4; coin++) {
        digits_of(state, now);
        sent += send_to_sinks(now, coin) / 4.0;
        for (int coins = 0; coins < COINS; coins++) {
            send_on(before, now, next, coins, after);
            row[state_of(after)] += 0.25 / COINS;
        }
    }
    return sent;
}

/* The states reached from an empty second stage with any four heads: rank[state] is a state's
 * number, or -1. Returns how many there are. */
static int reach(bool next, int *rank, int *list, double *row)
{
    int found = 0, states = 0;

    for (int s = 0; s < STATES; s++)
        rank[s] = -1;
    for (int s = 0; s < 16; s++) {
        const int cell[CELLS] = {s & 1, s >> 1 & 1, s >> 2 & 1, s >> 3 & 1, GONE, GONE, GONE, GONE};
        rank[list[found++] = state_of(cell)] = 0;
    }
    for (int k = 0; k < found; k++) {
        expand(list[k], next, row);
        for (int s = 0; s < STATES; s++) {
            if (row[s] > 0 && rank[s] < 0)
                rank[list[found++] = s] = 0;
        }
    }
    for (int s = 0; s < STATES; s++) {
        if (rank[s] >= 0)
            rank[s] = states++;
    }
    return states;
}

static swq_status fill(swq_context *ctx, bool next, const int *rank, double *row, swq_csr *p,
                       double *sent)
{
    int64_t at = 0, room = 0;

    for (int s = 0; s < STATES; s++) {
        if (rank[s] < 0)
            continue;
        sent[rank[s]] = expand(s, next, row);
        if (at + STATES > room) {
            room = 2 * room + STATES;
            int32_t *col = swq_resize(ctx, p->col, (size_t)room, sizeof *p->col);
            p->col = col ? col : p->col;
            double *value = swq_resize(ctx, p->value, (size_t)room, sizeof *p->value);
            p->value = value ? value : p->value;
            if (!col || !value)
                return swq_memory_status(ctx);
        }
        for (int t = 0; t < STATES; t++) {
            if (row[t] > 0) {
                p->col[at] = rank[t];
                p->value[at++] = row[t];
            }
        }
        p->start[rank[s] + 1] = at;
    }
    return SWQ_OK;
}

/* Packets that leave per output and cycle. */
static swq_status solve(swq_context *ctx, bool next, double *throughput)
{
    swq_solver_options how = swq_solver_options_defaults();
    swq_csr p = {0};
    swq_solution solution = {0};
    double *row = swq_calloc(ctx, STATES, 2 * sizeof *row), *sent = row + STATES;
    int *rank = swq_calloc(ctx, STATES, 2 * sizeof *rank);
    swq_status status = row && rank ? SWQ_OK : swq_memory_status(ctx);

    if (!status) {
        p.rows = p.cols = reach(next, rank, rank + STATES, row);
        p.start = swq_calloc(ctx, (size_t)p.rows + 1, sizeof *p.start);
        status = p.start ? fill(ctx, next, rank, row, &p, sent) : swq_memory_status(ctx);
    }
    const double *const reward[] = {sent};
    if (!status)
        status = swq_solve(ctx, &p, 4, swq_solvers[0], &how, reward, 1, &solution);
    if (!status)
        *throughput = solution.mean[0].value / 4;
    swq_solution_clear(ctx, &solution);
    swq_csr_clear(ctx, &p);
    swq_free(ctx, row);
    swq_free(ctx, rank);
    return status;
}

/* ---- the simulator ---- */

static swq_status simulate(swq_context *ctx, int k, uint64_t cycles, uint64_t seed, double *mean,
                           double *deviation)
{
    swq_sim_options options = swq_sim_defaults();
    const swq_case c = {.buffer = "fifo",
                        .arbiter = "random",
                        .ports = 2,
                        .slots = 1,
                        .load = 1,
                        .mode = k / WIRINGS ? SWQ_BLOCK_NEXT : SWQ_BLOCK_SAME,
                        .iterations = 1};
    double node_load[SWQ_CHAIN_PORTS], sum = 0, square = 0;
    swq_network network;
    swq_switch sw;
    swq_sim_result r;
    swq_status status = swq_case_switch(ctx, &c, &sw);

    if (!status)
        status = swq_case_network(ctx, &c, &sw, node_load, &network);
    if (!status)
        status = swq_fabric_find(ctx, wirings[k % WIRINGS], &network.shape);
    network.shape.stages = 2;
    options.cycles = cycles;
    options.warmup = SWQ_SCORE_WARM_UP;
    for (int n = 0; n < RUNS && !status; n++) {
        options.seed = swq_check_seed(seed, "small-network", RUNS * k + n);
        status = swq_sim_run(ctx, &network, &options, &r);
        sum += r.all.throughput.mean;
        square += r.all.throughput.mean * r.all.throughput.mean;
    }
    *mean = sum / RUNS;
    *deviation = sqrt(fmax(0, square - sum * sum / RUNS) / (RUNS - 1) / RUNS);
    return status;
}

static swq_status run(swq_context *ctx, swq_effort effort, int k, uint64_t seed, swq_finding *f)
{
    const uint64_t cycles = effort == SWQ_EFFORT_FULL ? 200000 : 4000;
    double exact, deviation;
    swq_status status = solve(ctx, k / WIRINGS, &exact);

    for (int w = 0; w < WIRINGS && !status; w++) {
        f[w].left = exact;
        status = simulate(ctx, k + w, cycles, seed, &f[w].right, &deviation);
        const double t = (f[w].right - exact) / deviation;
        f[w].off = fabs(t);
        f[w].p = fmin(1, 2 * gsl_cdf_tdist_Q(fabs(t), RUNS - 1));
        snprintf(f[w].text, sizeof f[w].text, "off: Student's t of %d runs of %llu cycles", RUNS,
                 (unsigned long long)cycles);
    }
    return status;
}

const swq_family swq_family_small_network = {
    .name = "small-network",
    .title = "A network of four switches against its own chain",
    .legs = "chain of all eight buffers, written for this network alone; synchronous "
            "simulator",
    .criterion = "throughput: Student's t over 16 independent runs; p-values are judged with all "
                 "others",
    .count = count,
    .describe = describe,
    .parts = WIRINGS,
    .run = run,
};
