/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * swq_sim_run on small omega networks against tests/ref/ref_network.c, which shares no code with it
 * and was written without sight of it. Both run the same number of independent replications from an
 * empty network, with the same warm-up and the same measured cycles, so that even what has not
 * settled is the same. For each quantity the two sets of replications are compared by Welch's t,
 * turned into the standard normal z of the same probability.
 *
 * What must hold: |z| <= 4.5 for every quantity of every case (with some 3,700 of them one false
 * alarm in 40 choices of the seeds, so a case that fails is run again, once, with other seeds and
 * four times the cycles, and that decides); for each kind of quantity the mean of z^2 over a test's
 * cases, expected 1, lies between 0.4 and 1.75 (small errors everywhere would lift it; four
 * standard deviations of the mean of the 54 independent ones that a test has at least); the 99th
 * percentiles agree within 1 beyond their errors. Seeds are fixed, so a run repeats itself.
 *
 * With a trace for traffic, the rotating arbiter and a buffer per input nothing is left to chance,
 * and everything must agree exactly.
 */
#include "tests/ref/ref_network.h"
#include "tests/support/support.h"

#include <gsl/gsl_cdf.h>

enum { REPLICATIONS = 12 };

/* ---- the quantities of one replication ---- */

enum {
    THROUGHPUT,
    LATENCY,
    DISCARD,
    SOURCE_QUEUE,
    REFUSAL,
    CLASS_THROUGHPUT,                                       /* [classes] */
    CLASS_LATENCY = CLASS_THROUGHPUT + REF_NETWORK_CLASSES, /* [classes] */
    CLASS_DISCARD = CLASS_LATENCY + REF_NETWORK_CLASSES,    /* [classes] */
    OCCUPANCY = CLASS_DISCARD + REF_NETWORK_CLASSES,        /* [stages] */
    SENT = OCCUPANCY + REF_NETWORK_STAGES,                  /* [stages] */
    BLOCKED = SENT + REF_NETWORK_STAGES,                    /* [stages] */
    STAGE_DISCARD = BLOCKED + REF_NETWORK_STAGES,           /* [stages] */
    PERCENTILE = STAGE_DISCARD + REF_NETWORK_STAGES,        /* all */
    CLASS_PERCENTILE = PERCENTILE + 1,                      /* [classes] */
    QUANTITIES = CLASS_PERCENTILE + REF_NETWORK_CLASSES
};

static const struct {
    int first;
    const char *name;
} kinds[] = {
    {THROUGHPUT, "throughput"},
    {LATENCY, "latency"},
    {DISCARD, "discard fraction"},
    {SOURCE_QUEUE, "source queue"},
    {REFUSAL, "refusal"},
    {CLASS_THROUGHPUT, "throughput of class"},
    {CLASS_LATENCY, "latency of class"},
    {CLASS_DISCARD, "discard fraction of class"},
    {OCCUPANCY, "occupancy of stage"},
    {SENT, "sent by stage"},
    {BLOCKED, "blocked in stage"},
    {STAGE_DISCARD, "discarded by stage"},
    {PERCENTILE, "99th percentile"},
    {CLASS_PERCENTILE, "99th percentile of class"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static int kind_of(int quantity)
{
    int kind = 0;

    while (kind + 1 < KINDS && kinds[kind + 1].first <= quantity)
        kind++;
    return kind;
}

/* Quantities that a case does not have are NAN. */
static void from_reference(const ref_network *r, const ref_measurement *m, double *q)
{
    for (int i = 0; i < QUANTITIES; i++)
        q[i] = NAN;
    q[THROUGHPUT] = m->all.throughput;
    q[LATENCY] = m->all.latency;
    q[DISCARD] = m->all.discard_fraction;
    q[SOURCE_QUEUE] = m->source_queue;
    if (r->block)
        q[REFUSAL] = m->refusal;
    for (int c = 0; c < REF_NETWORK_CLASSES && r->high_fraction > 0; c++) {
        q[CLASS_THROUGHPUT + c] = m->by_class[c].throughput;
        q[CLASS_LATENCY + c] = m->by_class[c].latency;
        q[CLASS_DISCARD + c] = m->by_class[c].discard_fraction;
        q[CLASS_PERCENTILE + c] = m->by_class[c].percentile99;
    }
    for (int t = 0; t < r->stages; t++) {
        q[OCCUPANCY + t] = m->stage[t].occupancy;
        q[SENT + t] = m->stage[t].sent;
        q[BLOCKED + t] = m->stage[t].blocked;
        q[STAGE_DISCARD + t] = m->stage[t].discarded;
    }
    q[PERCENTILE] = m->all.percentile99;
}

static void from_project(const ref_network *r, const swq_sim_result *m, double *q)
{
    for (int i = 0; i < QUANTITIES; i++)
        q[i] = NAN;
    q[THROUGHPUT] = m->all.throughput.mean;
    q[LATENCY] = m->all.latency.mean;
    q[DISCARD] = m->all.discard_fraction.mean;
    q[SOURCE_QUEUE] = m->source_queue.mean;
    if (r->block)
        q[REFUSAL] = m->refusal.mean;
    for (int c = 0; c < REF_NETWORK_CLASSES && r->high_fraction > 0; c++) {
        q[CLASS_THROUGHPUT + c] = m->by_class[c].throughput.mean;
        q[CLASS_LATENCY + c] = m->by_class[c].latency.mean;
        q[CLASS_DISCARD + c] = m->by_class[c].discard_fraction.mean;
        q[CLASS_PERCENTILE + c] = m->by_class[c].percentile[2];
    }
    for (int t = 0; t < r->stages; t++) {
        q[OCCUPANCY + t] = m->stage[t].occupancy.mean;
        q[SENT + t] = m->stage[t].sent.mean;
        q[BLOCKED + t] = m->stage[t].blocked.mean;
        q[STAGE_DISCARD + t] = m->stage[t].discarded.mean;
    }
    q[PERCENTILE] = m->all.percentile[2];
}

/* ---- the two simulators ---- */

static swq_network translate(swq_context *ctx, const ref_network *r)
{
    static const char *const support[] = {"none", "arbiter", "queue", "queues", "buffer"};
    swq_network n = {
        .shape.stages = r->stages,
        .sw = test_switch(ctx, r->buffer, r->ports, r->slots, 0, r->arbiter),
        .traffic = swq_traffic_defaults(),
    };

    cr_assert_eq(swq_fabric_find(ctx, "omega", &n.shape), SWQ_OK);
    n.sw.flow = r->block ? SWQ_BLOCK : SWQ_DISCARD;
    n.sw.credit = r->credit_next ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
    for (int i = 0; i < 5; i++)
        if (strcmp(support[i], r->support) == 0)
            n.sw.priority.support = (swq_support)i;
    n.traffic.kind = r->open ? SWQ_SOURCE_OPEN : SWQ_SOURCE_HOLD;
    n.traffic.load = r->load;
    if (r->hot_fraction > 0) {
        n.traffic.hot_spots = 1;
        n.traffic.hot[0] = (swq_hot_spot){(uint32_t)r->hot, r->hot_fraction};
    }
    n.sw.priority.fraction = r->high_fraction;
    n.sw.priority.slots = r->high_slots;
    n.sw.priority.queues = r->high_queues ? SWQ_QUEUE_PER_OUTPUT : SWQ_ONE_QUEUE;
    /* where it is refused, the reference shows that it changes nothing */
    n.stale = swq_stale_objection(&n) ? 0 : r->stale;
    return n;
}

typedef struct {
    double expected[REPLICATIONS][QUANTITIES], found[REPLICATIONS][QUANTITIES];
} samples;

static void simulate(const ref_network *r, unsigned long seed, samples *s, const char *what)
{
    swq_context *ctx = swq_context_new();
    swq_network network = translate(ctx, r);
    swq_sim_options options = swq_sim_defaults();
    ref_network copy = *r;

    options.cycles = (uint64_t)r->cycles;
    options.warmup = (uint64_t)r->warmup;
    for (int i = 0; i < REPLICATIONS; i++) {
        ref_measurement expected;
        swq_sim_result found;

        copy.seed = seed + (unsigned long)i;
        options.seed = seed + (uint64_t)i;
        cr_assert_eq(ref_simulate(&copy, &expected), 0, "%s", what);
        cr_assert_eq(swq_sim_run(ctx, &network, &options, &found), SWQ_OK, "%s: %s", what,
                     swq_context_message(ctx));
        cr_assert(found.conserved && found.little_exact, "%s", what);
        from_reference(r, &expected, s->expected[i]);
        from_project(r, &found, s->found[i]);
    }
    swq_context_free(ctx);
}

/* ---- comparison ---- */

typedef struct {
    double mean, error; /* standard error of the mean */
    bool rare;          /* some replication did not observe it: the distribution is not normal */
} summary;

static summary summarise(const double sample[][QUANTITIES], int quantity)
{
    summary s = {.rare = false};

    for (int i = 0; i < REPLICATIONS; i++) {
        s.mean += sample[i][quantity] / REPLICATIONS;
        s.rare = s.rare || sample[i][quantity] <= 0;
    }
    for (int i = 0; i < REPLICATIONS; i++)
        s.error += (sample[i][quantity] - s.mean) * (sample[i][quantity] - s.mean);
    s.error = sqrt(s.error / (REPLICATIONS - 1) / REPLICATIONS);
    return s;
}

/* Welch's t, as the z with the same probability. */
static double normal_score(summary a, summary b)
{
    double va = a.error * a.error, vb = b.error * b.error;
    double t = (a.mean - b.mean) / sqrt(va + vb);
    double degrees = (va + vb) * (va + vb) / ((va * va + vb * vb) / (REPLICATIONS - 1));
    double p = gsl_cdf_tdist_Q(fabs(t), degrees);

    return copysign(p > 1e-300 ? gsl_cdf_ugaussian_Qinv(p) : 37, t);
}

typedef struct {
    double square_sum[KINDS];
    int scores[KINDS], all_scores, cases;
    double greatest;
} reference_tally;

/* False if some |z| is too large and `last` is not set; then nothing has been counted. */
static bool attempt(reference_tally *total, const ref_network *r, unsigned long seed, bool last)
{
    reference_tally before = *total;
    samples *s = malloc(sizeof *s);
    char what[256];

    snprintf(what, sizeof what,
             "%dx%d, %d stages, %s %d, %s, %s, credit %s, load %g, hot %g%s, high %g %s %d %d",
             r->ports, r->ports, r->stages, r->buffer, r->slots, r->arbiter,
             r->block ? "block" : "discard", r->credit_next ? "next" : "same", r->load,
             r->hot_fraction, r->open ? ", open" : "", r->high_fraction, r->support, r->high_slots,
             r->high_queues);
    cr_assert_not_null(s);
    simulate(r, seed, s, what);
    total->cases++;
    for (int q = 0; q < QUANTITIES; q++) {
        int kind = kind_of(q);
        int index = q - kinds[kind].first;
        summary a = summarise(s->found, q), b = summarise(s->expected, q);

        if (isnan(b.mean)) /* missing, or not in every replication */
            continue;
        if (q >= PERCENTILE || a.rare || b.rare || a.error + b.error <= 0) {
            double slack = q >= PERCENTILE ? 1 : 0.005 + 0.02 * fabs(b.mean);

            cr_expect(fabs(a.mean - b.mean) <= slack + 4.5 * hypot(a.error, b.error),
                      "%s: %s %d: %g instead of %g", what, kinds[kind].name, index, a.mean, b.mean);
        } else {
            double z = normal_score(a, b);

            if (fabs(z) > 4.5 && !last) {
                *total = before;
                free(s);
                return false;
            }
            cr_expect(fabs(z) <= 4.5, "%s: %s %d: %.5f instead of %.5f, z = %.1f", what,
                      kinds[kind].name, index, a.mean, b.mean, z);
            total->square_sum[kind] += z * z;
            total->scores[kind]++;
            total->all_scores++;
            total->greatest = fmax(total->greatest, fabs(z));
        }
    }
    free(s);
    return true;
}

static void compare(reference_tally *total, const ref_network *r, unsigned long seed)
{
    ref_network again = *r;

    again.cycles *= 4;
    if (!attempt(total, r, seed, false))
        attempt(total, &again, seed + 1000000, true);
}

static void conclude(const reference_tally *total)
{
    cr_log_info("%d cases, %d scores, greatest %.2f", total->cases, total->all_scores,
                total->greatest);
    for (int k = 0; k < KINDS; k++) {
        double mean = total->square_sum[k] / total->scores[k];

        if (total->scores[k] == 0)
            continue;
        cr_log_info("%s: %d scores, mean square %.3f", kinds[k].name, total->scores[k], mean);
        if (total->scores[k] >= 100)
            cr_expect(mean > 0.4 && mean < 1.75, "%s: mean z^2 of %d scores is %.2f", kinds[k].name,
                      total->scores[k], mean);
    }
}

TestSuite(network_reference, .timeout = 480);

/* ---- the cases ---- */

static const char *const buffers[] = {"fifo", "samq", "safc", "damq", "cbda"};
static const char *const arbiters[] = {"random", "rotating", "advancing"};
static const double loads[] = {1, 0.6, 0.8, 0.4, 0.9, 0.2, 0.7};
static const int slots_of[] = {2, 4, 1, 3, 8, 5, 6};

/* The cycles are chosen so that each case costs the reference about the same. */
static ref_network network_of(int ports, int stages)
{
    int cycles = ports == 2 ? (stages == 3 ? 600 : 1200) : stages == 3 ? 60 : 300;

    return (ref_network){.ports = ports,
                         .stages = stages,
                         .support = "none",
                         .arbiter = "random",
                         .warmup = ports == 4 && stages == 3 ? 60 : 150,
                         .cycles = cycles};
}

static bool partitioned(const char *buffer)
{
    return buffer[0] == 's';
}

/* Every network, buffer, arbiter, flow control and credit; slots, loads and hot spots vary with the
 * case's number. */
static void grid(int ports, int stages)
{
    reference_tally total = {.cases = 0};
    int number = 0;

    for (int b = 0; b < 5; b++) {
        for (int a = 0; a < 3; a++) {
            for (int flow = 0; flow < 3; flow++) {
                for (int k = 0; k < 2 && (b < 4 || a == 0); k++, number++) {
                    ref_network r = network_of(ports, stages);

                    r.buffer = buffers[b];
                    r.arbiter = arbiters[a];
                    r.block = flow > 0;
                    r.credit_next = flow == 1;
                    r.load = loads[number % 7];
                    r.slots = slots_of[number / 2 % 7];
                    if (partitioned(r.buffer))
                        r.slots = r.ports * (1 + number / 2 % (8 / r.ports));
                    if (number % 5 == 4) {
                        r.hot = number % r.ports;
                        r.hot_fraction = 0.2;
                    }
                    compare(&total, &r, (unsigned long)(ports * 1000 + stages * 100 + number) * 64);
                }
            }
        }
    }
    conclude(&total);
}

Test(network_reference, omega_2x2_2_stages)
{
    grid(2, 2);
}

Test(network_reference, omega_2x2_3_stages)
{
    grid(2, 3);
}

Test(network_reference, omega_4x4_2_stages)
{
    grid(4, 2);
}

Test(network_reference, omega_4x4_3_stages)
{
    grid(4, 3);
}

/* ---- high priority ---- */

typedef struct {
    const char *buffer, *support;
    int slots, high_slots, high_queues;
} supported;

static const supported supports[] = {
    {"fifo", "none", 4, 0, 0},    {"damq", "none", 4, 0, 0},    {"cbda", "none", 2, 0, 0},
    {"fifo", "arbiter", 4, 0, 0}, {"samq", "arbiter", 8, 0, 0}, {"safc", "arbiter", 4, 0, 0},
    {"safc", "arbiter", 8, 0, 0}, {"damq", "arbiter", 3, 0, 0}, {"cbda", "arbiter", 1, 0, 0},
    {"cbda", "arbiter", 2, 0, 0}, {"samq", "queue", 4, 1, 0},   {"safc", "queue", 4, 2, 0},
    {"damq", "queue", 2, 0, 0},   {"damq", "queue", 4, 0, 0},   {"cbda", "queue", 1, 0, 0},
    {"cbda", "queue", 2, 0, 0},   {"damq", "queues", 2, 0, 0},  {"damq", "queues", 4, 0, 0},
    {"samq", "queues", 4, 4, 0},  {"safc", "queues", 4, 8, 0},  {"cbda", "queues", 2, 0, 0},
    {"fifo", "buffer", 2, 1, 0},  {"fifo", "buffer", 2, 2, 1},  {"damq", "buffer", 3, 1, 0},
    {"damq", "buffer", 3, 2, 0},  {"damq", "buffer", 3, 2, 1},  {"samq", "buffer", 4, 2, 1},
    {"safc", "buffer", 4, 2, 0},  {"safc", "buffer", 4, 2, 1},  {"fifo", "queue", 3, 0, 0},
    {"fifo", "queues", 4, 0, 0},
};

/* Every treatment of high priority, both arbiters, three flow controls. */
Test(network_reference, high_priority)
{
    reference_tally total = {.cases = 0};
    int number = 0;

    for (size_t k = 0; k < sizeof supports / sizeof *supports; k++) {
        for (int flow = 0; flow < 3; flow++, number++) {
            ref_network r = network_of(number % 3 ? 2 : 4, number % 7 < 5 ? 2 : 3);

            r.buffer = supports[k].buffer;
            r.support = supports[k].support;
            r.slots = supports[k].slots;
            r.high_slots = supports[k].high_slots;
            r.high_queues = supports[k].high_queues;
            r.arbiter = arbiters[number % 3];
            r.block = flow > 0;
            r.credit_next = flow == 1;
            r.load = loads[number % 5];
            r.high_fraction = number / 2 % 3 ? 0.2 : 0.5;
            compare(&total, &r, (unsigned long)(100 + number) * 64);
        }
    }
    conclude(&total);
}

/* ---- nothing left to chance ---- */

enum { TRACE_CYCLES = 120 };

static uint32_t draw(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

/* A trace with about `percent` packets per hundred cycles and source. */
static int make_trace(uint32_t *state, const ref_network *r, uint32_t nodes, uint32_t percent,
                      uint32_t high_percent, ref_trace_packet *trace, swq_trace_packet *same)
{
    int n = 0;

    for (int t = 0; t < r->cycles + 1; t++) { /* one more, so that it does not end earlier */
        for (uint32_t source = 0; source < nodes; source++) {
            if (t < r->cycles && draw(state, 100) >= percent)
                continue;
            uint32_t dest = draw(state, 100) < 20 ? 1 : draw(state, nodes);
            uint32_t high = draw(state, 100) < high_percent;

            trace[n] = (ref_trace_packet){t, (int)source, (int)dest, (int)high};
            same[n++] = (swq_trace_packet){(uint64_t)t, source, dest, high};
        }
    }
    return n;
}

static void compare_traced(const ref_network *r, const swq_trace_packet *trace, bool plain,
                           const char *what)
{
    swq_context *ctx = swq_context_new();
    swq_network network = translate(ctx, r);
    swq_sim_options options = swq_sim_defaults();
    ref_measurement expected;
    swq_sim_result found;
    double a[QUANTITIES], b[QUANTITIES];

    network.traffic.kind = SWQ_SOURCE_TRACE;
    network.traffic.trace = trace;
    network.traffic.trace_packets = (uint64_t)r->trace_packets;
    options.cycles = (uint64_t)r->cycles;
    options.warmup = 0;
    options.plain = plain;
    cr_assert_eq(ref_simulate(r, &expected), 0, "%s", what);
    cr_assert_eq(swq_sim_run(ctx, &network, &options, &found), SWQ_OK, "%s: %s", what,
                 swq_context_message(ctx));
    from_reference(r, &expected, b);
    from_project(r, &found, a);
    cr_expect_eq(found.all.created, (uint64_t)expected.all.created, "%s: created", what);
    cr_expect_eq(found.all.delivered, (uint64_t)expected.all.delivered, "%s: delivered", what);
    cr_expect_eq(found.all.discarded, (uint64_t)expected.all.discarded, "%s: discarded", what);
    for (int q = 0; q < QUANTITIES; q++) {
        if (!(isnan(a[q]) && isnan(b[q])))
            cr_expect(fabs(a[q] - b[q]) <= 1e-9 * (1 + fabs(b[q])),
                      "%s: %s %d: %.9g instead of %.9g", what, kinds[kind_of(q)].name,
                      q - kinds[kind_of(q)].first, a[q], b[q]);
    }
    swq_context_free(ctx);
}

static void compare_traces(int cases, bool stale)
{
    static const supported own[] = {
        {"fifo", "none", 0, 0, 0},    {"samq", "none", 0, 0, 0},    {"safc", "none", 0, 0, 0},
        {"damq", "none", 0, 0, 0},    {"fifo", "arbiter", 0, 0, 0}, {"samq", "arbiter", 0, 0, 0},
        {"safc", "arbiter", 0, 0, 0}, {"damq", "arbiter", 0, 0, 0}, {"samq", "queue", 0, 2, 0},
        {"safc", "queue", 0, 1, 0},   {"damq", "queue", 0, 0, 0},   {"samq", "queues", 0, 4, 0},
        {"safc", "queues", 0, 8, 0},  {"damq", "queues", 0, 0, 0},  {"fifo", "buffer", 0, 1, 0},
        {"samq", "buffer", 0, 2, 1},  {"safc", "buffer", 0, 2, 0},  {"damq", "buffer", 0, 3, 0},
        {"damq", "buffer", 0, 2, 1},
    };
    enum { MOST = (TRACE_CYCLES + 1) * REF_NETWORK_NODES };
    ref_trace_packet *trace = malloc(MOST * sizeof *trace);
    swq_trace_packet *same = malloc(MOST * sizeof *same);
    uint32_t state = 1;

    cr_assert(trace && same);
    for (int k = 0; k < cases; k++) {
        const supported *s = &own[k % 19];
        int size = (int)draw(&state, 9); /* the largest network only sometimes */
        ref_network r = {.ports = size % 2 ? 4 : 2,
                         .stages = size == 7  ? 3
                                   : size % 2 ? 1 + size / 2 % 2
                                              : 1 + size / 2 % 3,
                         .buffer = s->buffer,
                         .support = s->support,
                         .high_slots = s->high_slots,
                         .high_queues = s->high_queues,
                         .arbiter = "rotating",
                         .open = 1,
                         .high_fraction = 0.3,
                         .cycles = TRACE_CYCLES,
                         .trace = trace};
        uint32_t nodes = 1, load = 20 + draw(&state, 81), high = draw(&state, 60);
        char what[256];

        for (int t = 0; t < r.stages; t++)
            nodes *= (uint32_t)r.ports;
        r.slots = 1 + (int)draw(&state, 8);
        if (partitioned(r.buffer))
            r.slots = r.ports * (1 + (int)draw(&state, 3));
        r.block = draw(&state, 3) > 0;
        r.credit_next = draw(&state, 2) > 0;
        r.stale = stale ? 1 + (int)draw(&state, 4) : 0;
        r.trace_packets = make_trace(&state, &r, nodes, load, high, trace, same);
        snprintf(what, sizeof what,
                 "case %d, %dx%d, %d stages, %s %d, %s, credit %s, %s %d %d, stale %d, load %u", k,
                 r.ports, r.ports, r.stages, r.buffer, r.slots, r.block ? "block" : "discard",
                 r.credit_next ? "next" : "same", r.support, r.high_slots, r.high_queues, r.stale,
                 load);
        compare_traced(&r, same, k % 2 == 1, what);
    }
    free(trace);
    free(same);
}

Test(network_reference, traces)
{
    compare_traces(1140, false);
}

/* Switches of 66 ports, more than bits in a word: of one stage or two, in both forms of the engine
 * where there are two. */
Test(network_reference, wide_switches)
{
    static const supported own[] = {
        {"fifo", "none", 0, 0, 0},    {"damq", "none", 0, 0, 0},    {"samq", "none", 0, 0, 0},
        {"safc", "none", 0, 0, 0},    {"fifo", "arbiter", 0, 0, 0}, {"damq", "arbiter", 0, 0, 0},
        {"samq", "arbiter", 0, 0, 0}, {"damq", "queue", 0, 0, 0},   {"damq", "queues", 0, 0, 0},
        {"damq", "buffer", 0, 3, 1},  {"fifo", "buffer", 0, 2, 0},  {"samq", "queues", 0, 66, 0},
    };
    enum { MOST = (TRACE_CYCLES + 1) * REF_NETWORK_NODES, CASES = 48 };
    ref_trace_packet *trace = malloc(MOST * sizeof *trace);
    swq_trace_packet *same = malloc(MOST * sizeof *same);
    uint32_t state = 7;

    cr_assert(trace && same);
    for (int k = 0; k < CASES; k++) {
        const supported *s = &own[k % 12];
        const bool two = k / 12 == 2; /* stages, which block: room is asked for in the second */
        ref_network r = {.ports = 66,
                         .stages = 1 + two,
                         .buffer = s->buffer,
                         .support = s->support,
                         .slots = partitioned(s->buffer) ? 66 : 2 + k % 5,
                         .high_slots = s->high_slots,
                         .high_queues = s->high_queues,
                         .arbiter = k / 12 == 3 ? "advancing" : "rotating",
                         .block = two || k % 5 == 0,
                         .credit_next = k % 2,
                         .open = 1,
                         .high_fraction = 0.3,
                         .stale = k % 7 == 6 ? 3 : 0,
                         .cycles = two ? 8 : 30,
                         .trace = trace};
        char what[100];

        r.trace_packets = make_trace(&state, &r, two ? 4356 : 66, 70, 30, trace, same);
        snprintf(what, sizeof what, "case %d: %d stages, %s %s, %s", k, r.stages, r.buffer,
                 r.support, r.block ? "block" : "discard");
        compare_traced(&r, same, k % 2 == 1, what);
    }
    free(trace);
    free(same);
}

/* The stale count: a head that may be sent for the first time in cycle t, be it from a source or
 * another switch, is stale from cycle t + stale on. */
Test(network_reference, stale_counts)
{
    compare_traces(380, true);
}
