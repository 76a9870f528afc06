/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ref_network.h"
#include "networks.h"

#include <assert.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    NP = REF_NETWORK_PORTS,
    NQ = 2 * NP, /* queues of a buffer: normal ones from 0 on, those for high priority from NP on */
    NS = REF_NETWORK_STAGES,
    NN = REF_NETWORK_NODES,
    LATENCIES = 4096, /* longer ones count as 4095 */
    STALE = 100000,   /* longer than any queue */
    NONE = -1
};

typedef struct {
    int dest, born, high;
} ref_network_packet;

/* A list of packets, the head at [0]. */
typedef struct {
    ref_network_packet *at;
    int n, room;
    int head_since; /* the first cycle in which the present head could be sent */
    int left;       /* packets that the latest transmission phase took */
} ref_queue;

typedef struct {
    ref_queue in[NP][NQ]; /* input i's buffer; a pool is in[0] alone */
    int pointer;          /* of the rotating arbiters */
} one_switch;

/* A packet between two places: its next one is the input line of a stage. */
typedef struct {
    ref_network_packet p;
    int stage, line;
} transfer;

typedef struct {
    const ref_network *w;
    gsl_rng *rng;
    bool pool, one_queue, partitioned, read_all, random, advancing, support;
    bool own_queues; /* high priority has queues of its own */
    bool own_buffer; /* and these have slots of their own */
    int high_queues; /* their number */
    int nodes, switches, cycle;
    one_switch net[NS][REF_NETWORK_SWITCHES];
    ref_queue source[NN];
    transfer way[NS * NN]; /* sent in this transmission phase, not yet received */
    int ways;

    /* counts of the measured cycles */
    long created[2], delivered[2], discarded[2], latency_sum[2], latency[2][LATENCIES];
    long held[NS], sent[NS], arrived[NS], lost[NS], busy[NS], stuck[NS];
    long offers, refused, waiting;
    int traced; /* packets of the trace that have been created */
} ref_network_sim;

/* ---- lists ---- */

static void append(ref_queue *q, ref_network_packet p, int cycle)
{
    if (q->n == 0)
        q->head_since = cycle;
    if (q->n == q->room) {
        q->room = 2 * q->room + 8;
        ref_network_packet *at = realloc(q->at, (size_t)q->room * sizeof *at);
        if (!at)
            abort();
        q->at = at;
    }
    q->at[q->n++] = p;
}

static ref_network_packet take_head(ref_queue *q, int cycle)
{
    ref_network_packet p = q->at[0];
    q->head_since = cycle + 1;
    q->n--;
    memmove(q->at, q->at + 1, (size_t)q->n * sizeof *q->at);
    return p;
}

/* ---- the network ---- */

static bool measuring(const ref_network_sim *s)
{
    return s->cycle >= s->w->warmup;
}

static int shuffled(const ref_network_sim *s, int line)
{
    return ref_shuffled(line, s->w->ports, s->nodes);
}

/* The output port that a packet takes in a stage: the most significant digit first. */
static int port_of(const ref_network_sim *s, ref_network_packet p, int stage)
{
    return ref_digit(p.dest, s->w->ports, s->w->stages - 1 - stage);
}

/* All queues of the buffer where line `line` enters `stage`. */
static ref_queue *buffer_at(ref_network_sim *s, int stage, int line)
{
    one_switch *sw = &s->net[stage][line / s->w->ports];
    return s->pool ? sw->in[0] : sw->in[line % s->w->ports];
}

static int queue_of(const ref_network_sim *s, ref_network_packet p, int stage)
{
    if (p.high && s->own_queues)
        return NP + (s->high_queues == 1 ? 0 : port_of(s, p, stage));
    return s->one_queue ? 0 : port_of(s, p, stage);
}

/* Queues with the same number here share their slots. */
static int slots_of(const ref_network_sim *s, int q)
{
    if (s->own_buffer && q >= NP)
        return NQ;
    return s->partitioned ? q : 0;
}

/* Has the buffer, in its present state, a slot for p? With credit next, slots that were freed by
 * the latest transmission phase still count as taken: in a transmission phase that is the content
 * before it, and at the sources' turn the content before the phase of the previous cycle. */
static bool has_room(ref_network_sim *s, int stage, int line, ref_network_packet p,
                     int already_promised)
{
    const ref_network *w = s->w;
    const ref_queue *buffer = buffer_at(s, stage, line);
    int mine = queue_of(s, p, stage), slots, taken = already_promised;
    bool high = mine >= NP;

    if (s->own_buffer && high)
        slots = w->high_slots;
    else if (s->partitioned)
        slots = high ? w->high_slots / s->high_queues : w->slots / w->ports;
    else
        slots = s->pool ? w->slots * w->ports : w->slots;

    for (int q = 0; q < NQ; q++)
        if (slots_of(s, q) == slots_of(s, mine))
            taken += buffer[q].n + (w->credit_next ? buffer[q].left : 0);
    return taken < slots;
}

/* The order in which a pool's arrivals compete: random, but those of high priority first if it has
 * any effect. An input's buffer has one arrival per cycle. */
static void arrange(ref_network_sim *s, transfer *t, int n)
{
    transfer sorted[NS * NN];
    int k = 0;
    if (n < 2 || !s->pool)
        return;
    gsl_ran_shuffle(s->rng, t, (size_t)n, sizeof *t);
    if (!s->support)
        return;
    for (int high = 1; high >= 0; high--)
        for (int i = 0; i < n; i++)
            if (t[i].p.high == high)
                sorted[k++] = t[i];
    memcpy(t, sorted, (size_t)n * sizeof *t);
}

static void discard(ref_network_sim *s, ref_network_packet p, int stage)
{
    if (measuring(s)) {
        s->discarded[p.high]++;
        s->lost[stage]++;
    }
}

/* ---- the sources' turn ---- */

static ref_network_packet draw(ref_network_sim *s)
{
    const ref_network *w = s->w;
    ref_network_packet p = {.born = s->cycle};
    if (w->hot_fraction > 0 && gsl_rng_uniform(s->rng) < w->hot_fraction)
        p.dest = w->hot;
    else
        p.dest = (int)gsl_rng_uniform_int(s->rng, (unsigned long)s->nodes);
    p.high = w->high_fraction > 0 && gsl_rng_uniform(s->rng) < w->high_fraction;
    return p;
}

static void create(ref_network_sim *s, int source, ref_network_packet p)
{
    append(&s->source[source], p, s->cycle);
    if (measuring(s))
        s->created[p.high]++;
}

static void sources(ref_network_sim *s)
{
    transfer offer[NN * NS];
    int of[NN], offers = 0; /* of[line]: the source whose packet enters on that line */

    const ref_network *w = s->w;
    for (; w->trace && s->traced < w->trace_packets; s->traced++) {
        const ref_trace_packet *t = &w->trace[s->traced];
        if (t->cycle != s->cycle)
            break;
        create(s, t->source,
               (ref_network_packet){.dest = t->dest, .born = t->cycle, .high = t->high});
    }
    for (int n = 0; n < s->nodes; n++) {
        if (!w->trace && (w->open || s->source[n].n == 0) && gsl_rng_uniform(s->rng) < w->load)
            create(s, n, draw(s));
        of[shuffled(s, n)] = n;
        if (s->source[n].n > 0)
            offer[offers++] = (transfer){s->source[n].at[0], 0, shuffled(s, n)};
    }
    arrange(s, offer, offers);
    for (int k = 0; k < offers; k++) {
        ref_network_packet p = offer[k].p;
        int line = offer[k].line;
        bool room = has_room(s, 0, line, p, 0);
        if (room)
            append(&buffer_at(s, 0, line)[queue_of(s, p, 0)], p, s->cycle);
        else if (!w->block)
            discard(s, p, 0);
        if (room || !w->block)
            take_head(&s->source[of[line]], s->cycle);
        if (measuring(s)) {
            s->offers++;
            s->refused += !room;
            s->arrived[0] += room || !w->block;
        }
    }
    for (int n = 0; n < s->nodes && measuring(s); n++)
        s->waiting += s->source[n].n;
}

/* ---- transmission ---- */

static int next_line(const ref_network_sim *s, int sw, int port)
{
    return shuffled(s, sw * s->w->ports + port);
}

/* Sends the head of q to output `port` of switch sw. */
static void send(ref_network_sim *s, int stage, int sw, int port, ref_queue *q)
{
    ref_network_packet p = take_head(q, s->cycle);
    q->left++;
    assert(port_of(s, p, stage) == port);
    if (measuring(s))
        s->sent[stage]++;
    if (stage + 1 < s->w->stages) {
        s->way[s->ways++] = (transfer){p, stage + 1, next_line(s, sw, port)};
        return;
    }
    assert(sw * s->w->ports + port == p.dest);
    if (measuring(s)) {
        int latency = s->cycle - p.born + 1;
        s->delivered[p.high]++;
        s->latency_sum[p.high] += latency;
        s->latency[p.high][latency < LATENCIES ? latency : LATENCIES - 1]++;
    }
}

/* Nothing, or the queue from which an input would send to an output, and its length. */
typedef struct {
    ref_queue *from;
    int length;
} request;

typedef struct {
    int ports;
    bool read_all;
    request asked[NP][NP]; /* [input][output] */
    request granted[NP];   /* [output] */
    bool input_used[NP];   /* it sends already */
} crossbar;

static bool can_grant(const crossbar *c, int i, int j)
{
    return c->asked[i][j].length > 0 && !c->granted[j].from;
}

static void grant(crossbar *c, int i, int j)
{
    c->granted[j] = c->asked[i][j];
    c->input_used[i] = true;
}

/* One of the numbers below n that are marked, all equally likely; NONE if none is. */
static int any_of(ref_network_sim *s, const bool *marked, int n)
{
    int list[NP], k = 0;
    for (int i = 0; i < n; i++)
        if (marked[i])
            list[k++] = i;
    return k > 0 ? list[gsl_rng_uniform_int(s->rng, (unsigned long)k)] : NONE;
}

static void arbitrate_randomly(ref_network_sim *s, crossbar *c)
{
    int order[NP];
    bool can[NP];
    for (int i = 0; i < c->ports; i++)
        order[i] = i;
    gsl_ran_shuffle(s->rng, order, (size_t)c->ports, sizeof *order);
    for (int k = 0; k < c->ports; k++) {
        int i = order[k];
        for (int j = 0; j < c->ports; j++)
            can[j] = can_grant(c, i, j) && (c->read_all || !c->input_used[i]);
        int j = any_of(s, can, c->ports);
        if (j != NONE)
            grant(c, i, j);
    }
    for (int j = 0; j < c->ports && c->read_all; j++) {
        for (int i = 0; i < c->ports; i++)
            can[i] = can_grant(c, i, j);
        int i = any_of(s, can, c->ports);
        if (i != NONE)
            grant(c, i, j);
    }
}

static void arbitrate_rotating(int pointer, crossbar *c)
{
    for (int k = 0; k < c->ports; k++) {
        int i = (pointer + k) % c->ports, best = NONE;
        for (int m = 0; m < c->ports; m++) {
            int j = (pointer + m) % c->ports;
            if (!can_grant(c, i, j))
                continue;
            if (c->read_all)
                grant(c, i, j);
            else if (best == NONE || c->asked[i][j].length > c->asked[i][best].length)
                best = j;
        }
        if (best != NONE && !c->input_used[i])
            grant(c, i, best);
    }
}

static void transmit_crossbar(ref_network_sim *s, int stage, int number)
{
    one_switch *sw = &s->net[stage][number];
    int ports = s->w->ports, content[NP] = {0};
    crossbar c = {.ports = ports, .read_all = s->read_all};

    for (int i = 0; i < ports; i++)
        for (int q = 0; q < NQ; q++)
            content[i] += sw->in[i][q].n;

    /* heads of high priority first, if it has any effect; then the others */
    for (int urgent = 1; urgent >= 0; urgent--) {
        memset(c.asked, 0, sizeof c.asked);
        for (int i = 0; i < ports; i++) {
            for (int q = 0; q < NQ; q++) {
                ref_queue *from = &sw->in[i][q];
                if (from->n == 0 || (s->support && from->at[0].high) != urgent)
                    continue;
                int j = port_of(s, from->at[0], stage);
                if (s->w->block && stage + 1 < s->w->stages &&
                    !has_room(s, stage + 1, next_line(s, number, j), from->at[0], 0))
                    continue;
                assert(!c.asked[i][j].from);
                c.asked[i][j] = (request){from, from->n};
                if (s->w->stale > 0 && s->cycle - from->head_since >= s->w->stale)
                    c.asked[i][j].length = STALE + (s->cycle - from->head_since);
            }
        }
        if (s->random)
            arbitrate_randomly(s, &c);
        else
            arbitrate_rotating(sw->pointer, &c);
    }
    for (int j = 0; j < ports; j++)
        if (c.granted[j].from)
            send(s, stage, number, j, c.granted[j].from);

    for (int i = 0; i < ports && measuring(s); i++) {
        s->busy[stage] += content[i] > 0;
        s->stuck[stage] += content[i] > 0 && !c.input_used[i];
    }
    bool any = false;
    for (int j = 0; j < ports; j++)
        any = any || c.granted[j].from;
    if (s->advancing ? any : content[sw->pointer] == 0 || c.input_used[sw->pointer])
        sw->pointer = (sw->pointer + 1) % ports;
}

/* Every output of every pool sends a head; blocked ones only while the next pool has room, in
 * random order. */
static void transmit_pools(ref_network_sim *s, int stage)
{
    int ports = s->w->ports, wishes = 0, promised[NN] = {0};
    transfer wish[NS * NN]; /* here stage and line give the origin */

    for (int line = 0; line < s->nodes; line++) {
        ref_queue *q = s->net[stage][line / ports].in[0] + line % ports;
        if (s->own_queues && q[NP].n > 0)
            q += NP;
        if (q->n > 0)
            wish[wishes++] = (transfer){q->at[0], stage, line};
    }
    arrange(s, wish, wishes);
    for (int k = 0; k < wishes; k++) {
        int sw = wish[k].line / ports, port = wish[k].line % ports;
        int to = next_line(s, sw, port);
        bool go = true;
        if (s->w->block && stage + 1 < s->w->stages)
            go = has_room(s, stage + 1, to, wish[k].p, promised[to / ports]);
        if (go) {
            promised[to / ports]++;
            send(s, stage, sw, port, &s->net[stage][sw].in[0][queue_of(s, wish[k].p, stage)]);
        }
        if (measuring(s)) {
            s->busy[stage]++;
            s->stuck[stage] += !go;
        }
    }
}

static void transmission(ref_network_sim *s)
{
    for (int t = 0; t < s->w->stages; t++)
        for (int n = 0; n < s->switches; n++)
            for (int i = 0; i < NP; i++)
                for (int q = 0; q < NQ; q++)
                    s->net[t][n].in[i][q].left = 0;

    /* from the last stage on, so that the next stage has already sent when room is looked at;
     * nothing is received before all have sent */
    s->ways = 0;
    for (int t = s->w->stages - 1; t >= 0; t--) {
        if (s->pool)
            transmit_pools(s, t);
        for (int n = 0; n < s->switches && !s->pool; n++)
            transmit_crossbar(s, t, n);
    }
    arrange(s, s->way, s->ways);
    for (int k = 0; k < s->ways; k++) {
        const transfer *t = &s->way[k];
        bool room = has_room(s, t->stage, t->line, t->p, 0);
        assert(room || !s->w->block);
        if (measuring(s))
            s->arrived[t->stage]++;
        if (room)
            append(&buffer_at(s, t->stage, t->line)[queue_of(s, t->p, t->stage)], t->p,
                   s->cycle + 1);
        else
            discard(s, t->p, t->stage);
    }
}

/* ---- results ---- */

static double ratio(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

/* The largest v such that at least one percent are >= v. */
static double percentile99(const long *a, const long *b, long total)
{
    long above = 0;
    for (int v = LATENCIES - 1; v > 0; v--) {
        above += a[v] + (b ? b[v] : 0);
        if (above > 0 && (double)above >= 0.01 * (double)total)
            return v;
    }
    return NAN;
}

static ref_flow flow(const ref_network_sim *s, long created, long delivered, long discarded,
                     long latency_sum)
{
    return (ref_flow){
        .created = created,
        .delivered = delivered,
        .discarded = discarded,
        .throughput = (double)delivered / s->w->cycles / s->nodes,
        .latency = ratio((double)latency_sum, (double)delivered),
        .discard_fraction = ratio((double)discarded, (double)created),
    };
}

static void report(const ref_network_sim *s, ref_measurement *m)
{
    double cycles = s->w->cycles;
    memset(m, 0, sizeof *m);
    m->all = flow(s, s->created[0] + s->created[1], s->delivered[0] + s->delivered[1],
                  s->discarded[0] + s->discarded[1], s->latency_sum[0] + s->latency_sum[1]);
    m->all.percentile99 = percentile99(s->latency[0], s->latency[1], m->all.delivered);
    for (int c = 0; c < 2; c++) {
        m->by_class[c] =
            flow(s, s->created[c], s->delivered[c], s->discarded[c], s->latency_sum[c]);
        m->by_class[c].percentile99 = percentile99(s->latency[c], NULL, s->delivered[c]);
    }
    for (int t = 0; t < s->w->stages; t++)
        m->stage[t] = (ref_stage){
            .occupancy = (double)s->held[t] / cycles / s->switches,
            .sent = (double)s->sent[t] / cycles / s->nodes,
            .blocked = ratio((double)s->stuck[t], (double)s->busy[t]),
            .discarded = ratio((double)s->lost[t], (double)s->arrived[t]),
        };
    m->source_queue = (double)s->waiting / cycles / s->nodes;
    m->refusal = ratio((double)s->refused, (double)s->offers);
}

/* Reads the names; -1 for bad parameters. */
static int prepare(ref_network_sim *s)
{
    const ref_network *w = s->w;
    if (w->ports < 2 || w->ports > NP || w->stages < 1 || w->stages > NS)
        return -1;
    s->nodes = 1;
    for (int t = 0; t < w->stages; t++)
        s->nodes *= w->ports;
    s->switches = s->nodes / w->ports;
    s->one_queue = strcmp(w->buffer, "fifo") == 0;
    s->read_all = strcmp(w->buffer, "safc") == 0;
    s->partitioned = s->read_all || strcmp(w->buffer, "samq") == 0;
    s->pool = strcmp(w->buffer, "cbda") == 0;
    s->random = strcmp(w->arbiter, "random") == 0;
    s->advancing = strcmp(w->arbiter, "advancing") == 0;
    s->support = strcmp(w->support, "none") != 0;
    s->own_buffer = strcmp(w->support, "buffer") == 0;
    s->own_queues = s->support && strcmp(w->support, "arbiter") != 0;
    bool one = strcmp(w->support, "queue") == 0 && !s->pool;
    s->high_queues = one || (s->own_buffer && !w->high_queues) ? 1 : w->ports;
    return 0;
}

int ref_simulate(const ref_network *network, ref_measurement *measurement)
{
    ref_network_sim *s = calloc(1, sizeof *s);
    int rc = -1;
    if (!s)
        return -1;
    s->w = network;
    s->rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (!s->rng || prepare(s) != 0)
        goto done;
    gsl_rng_set(s->rng, network->seed);

    for (s->cycle = 0; s->cycle < network->warmup + network->cycles; s->cycle++) {
        sources(s);
        transmission(s);
        for (int t = 0; t < network->stages && measuring(s); t++)
            for (int n = 0; n < s->switches; n++)
                for (int i = 0; i < NP; i++)
                    for (int q = 0; q < NQ; q++)
                        s->held[t] += s->net[t][n].in[i][q].n;
    }
    report(s, measurement);
    rc = 0;

done:
    for (int t = 0; t < network->stages; t++)
        for (int n = 0; n < s->switches; n++)
            for (int i = 0; i < network->ports; i++)
                for (int q = 0; q < NQ; q++)
                    free(s->net[t][n].in[i][q].at);
    for (int n = 0; n < NN; n++)
        free(s->source[n].at);
    gsl_rng_free(s->rng);
    free(s);
    return rc;
}
