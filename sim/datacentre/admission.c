/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules of admission in bytes: the rows of swq_admission_rules that data-centre networks know, with
 * what each asks. docs/datacentre.md has their inequalities; tests hold each against the function
 * that the chains ask, with packets of one cell.
 */
#include "sim/datacentre/net.h"

#include <math.h>

const char *const swq_dc_test_words[] = {"before", "after", NULL};

static const dc_queue *queue_of(const dc_net *net, uint32_t memory, uint32_t queue)
{
    return &net->queue[net->memory[memory].first_queue + queue];
}

static uint64_t held_by(const dc_net *net, uint32_t memory, uint32_t queue)
{
    return queue_of(net, memory, queue)->held;
}

/* The length that thresholds are compared with. */
static double tested(const dc_net *net, uint32_t memory, uint32_t join, const dc_packet *p)
{
    const uint64_t held = held_by(net, memory, join);

    return (double)(net->spec->memory.test == SWQ_DC_AFTER ? held + p->size : held);
}

static swq_fate take_if(bool takes)
{
    return takes ? SWQ_TAKE : SWQ_REFUSE;
}

static double alpha_of(const dc_net *net, const dc_packet *p)
{
    return net->spec->memory.alpha[p->class];
}

/* ---- sharing, with maxima and reserved bytes ---- */

/* Does a packet fit: into its queue's reserve, and what is beyond into the shared part? */
static bool fits(const dc_net *net, uint32_t memory, uint32_t join, const dc_packet *p)
{
    const dc_memory *m = &net->memory[memory];
    const uint64_t reserve = net->spec->memory.queue_min;

    if (p->size > m->free)
        return false;
    if (reserve == 0)
        return true;
    const uint64_t held = held_by(net, memory, join);
    const uint64_t beyond = held > reserve ? held - reserve : 0;
    const uint64_t after = held + p->size > reserve ? held + p->size - reserve : 0;
    return after == beyond || m->beyond + (after - beyond) + m->queues * reserve <= m->capacity;
}

static swq_fate share(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *p)
{
    return take_if(fits(net, memory, join, p));
}

static swq_fate share_up_to(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *p)
{
    return take_if(held_by(net, memory, join) + p->size <= net->spec->memory.queue_max &&
                   fits(net, memory, join, p));
}

/* q + size <= B / (N Q) */
static swq_fate partition(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *p)
{
    const dc_memory *m = &net->memory[memory];

    return take_if((held_by(net, memory, join) + p->size) * m->queues <= m->capacity);
}

/* q + size <= B / sqrt(N Q), in squares. */
static swq_fate square_root(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *p)
{
    const dc_memory *m = &net->memory[memory];
    const double after = (double)(held_by(net, memory, join) + p->size);

    return take_if(p->size <= m->free &&
                   after * after * m->queues <= (double)m->capacity * (double)m->capacity);
}

/* ---- thresholds ---- */

static swq_fate below_threshold(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *p)
{
    const dc_memory *m = &net->memory[memory];

    return take_if(p->size <= m->free &&
                   tested(net, memory, join, p) < alpha_of(net, p) * (double)m->free);
}

/* ---- longest-queue drop ---- */

/* The longest queue, the packet that comes counted with its own unless it is uncounted, among those
 * that have a packet to lose; SWQ_REFUSE: there is none. */
static swq_fate longest(dc_net *net, uint32_t memory, uint32_t join, uint32_t size)
{
    const dc_memory *m = &net->memory[memory];
    const swq_dc_memory_spec *spec = &net->spec->memory;
    uint64_t most = 0;
    uint32_t equal = 0, chosen = 0;
    bool own = false;

    for (uint32_t k = 0; k < m->queues; k++) {
        const dc_queue *q = queue_of(net, memory, k);
        const bool mine = k == join && !spec->uncounted;
        const uint64_t now = q->held + (mine ? size : 0);
        if ((q->packets == 0 && !mine) || now < most)
            continue;
        if (now > most) {
            most = now;
            equal = 0;
            own = false;
        }
        own |= k == join;
        chosen = equal++ == 0 || spec->ties == SWQ_TIES_HIGH ? k : chosen;
    }
    if (equal == 0)
        return SWQ_REFUSE;
    if (own && spec->ties == SWQ_TIES_OWN)
        return (swq_fate)join;
    if (equal == 1 || spec->ties == SWQ_TIES_LOW || spec->ties == SWQ_TIES_HIGH)
        return (swq_fate)chosen;
    const bool others = own && spec->ties == SWQ_TIES_OTHER;
    uint32_t which = (uint32_t)((dc_uniform(net) - 0x1p-54) * (equal - others));
    for (uint32_t k = 0; k < m->queues; k++) {
        const dc_queue *q = queue_of(net, memory, k);
        const bool mine = k == join && !spec->uncounted;
        if ((q->packets == 0 && !mine) || q->held + (mine ? size : 0) != most ||
            (others && k == join))
            continue;
        if (which-- == 0)
            return (swq_fate)k;
    }
    return (swq_fate)chosen;
}

static swq_fate push_out(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *p)
{
    if (p->size <= net->memory[memory].free)
        return SWQ_TAKE;
    const swq_fate from = longest(net, memory, join, p->size);
    const swq_dc_memory_spec *spec = &net->spec->memory;
    if (from != (swq_fate)join)
        return from;
    /* the packet that comes is the last of its queue */
    const bool stored = queue_of(net, memory, join)->packets > 0;
    return stored && (spec->drop_head || spec->uncounted) ? from : SWQ_REFUSE;
}

/* ---- harmonic ---- */

static swq_fate harmonic(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *p)
{
    const dc_memory *m = &net->memory[memory];
    uint64_t *sorted = net->sorted, sum = 0;

    if (p->size > m->free)
        return SWQ_REFUSE;
    for (uint32_t q = 0; q < m->queues; q++) {
        const uint64_t now = held_by(net, memory, q) + (q == join ? p->size : 0);
        uint32_t k = q;
        for (; k > 0 && sorted[k - 1] < now; k--)
            sorted[k] = sorted[k - 1];
        sorted[k] = now;
    }
    for (uint32_t k = 1; k <= m->queues; k++) {
        sum += sorted[k - 1];
        /* a relative 1e-12 covers the rounding of sums of fractions where both sides are equal */
        if ((double)sum * net->harmonic[m->queues] >
            (double)m->capacity * net->harmonic[k] * (1 + 1e-12))
            return SWQ_REFUSE;
    }
    return SWQ_TAKE;
}

/* ---- active buffer management ---- */

static void note_congestion(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *p)
{
    const double share = (double)held_by(net, memory, join) / (double)net->spec->memory.congested;

    (void)p;
    net->congested[net->memory[memory].first_queue + join] = share < 1 ? share : 1;
}

static void note_drain(dc_net *net, uint32_t memory, uint32_t queue, const dc_packet *p)
{
    (void)memory;
    net->drained[queue] += p->bytes; /* of the line, not of cells */
}

static void look_at_drains(dc_net *net, uint32_t memory)
{
    const dc_memory *m = &net->memory[memory];
    double *count = &net->count[memory * (uint32_t)net->classes];

    for (int k = 0; k < net->classes; k++)
        count[k] = 0;
    for (uint32_t k = 0; k < m->queues; k++) {
        const uint32_t queue = m->first_queue + k;
        const dc_line *line = &net->line[queue / (uint32_t)net->classes];
        const double most = (double)line->rate / 8e12 * (double)net->spec->memory.interval;
        const double drain = (double)net->drained[queue] / most;
        count[queue % (uint32_t)net->classes] += net->congested[queue];
        net->drain[queue] = drain * net->classes < 1 || drain > 1 ? 1 : drain;
        net->drained[queue] = 0;
    }
    for (int k = 0; k < net->classes; k++)
        count[k] = count[k] > 1 ? count[k] : 1;
}

static swq_fate active(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *p)
{
    const dc_memory *m = &net->memory[memory];
    const double alpha =
        p->flags & SWQ_DC_FIRST_ROUND_TRIP ? net->spec->memory.first_alpha : alpha_of(net, p);
    const double limit = alpha * (double)m->free * net->drain[m->first_queue + join] /
                         net->count[memory * (uint32_t)net->classes + p->class];

    return take_if(p->size <= m->free && tested(net, memory, join, p) < limit);
}

/* ---- flow-aware buffer ---- */

static swq_fate favour_new_flows(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *p)
{
    const dc_memory *m = &net->memory[memory];
    const double alpha =
        dc_flow_is_new(net, memory, join, p) ? net->spec->memory.first_alpha : alpha_of(net, p);

    return take_if(p->size <= m->free && tested(net, memory, join, p) < alpha * (double)m->free);
}

/* ---- intelligent buffer ---- */

static swq_fate share_fairly(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *p)
{
    const swq_fate fate = below_threshold(net, memory, join, p);

    return fate == SWQ_TAKE ? take_if(!dc_fair_rates_drop(net, memory, join)) : fate;
}

/* ---- Reverie, of lossy classes ---- */

static swq_fate below_average(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *p)
{
    const dc_memory *m = &net->memory[memory];
    const uint32_t queue = m->first_queue + join;
    const double alpha =
        p->flags & SWQ_DC_FIRST_ROUND_TRIP ? net->spec->memory.first_alpha : alpha_of(net, p);
    const double limit = alpha * (double)m->free / dc_congested(net, memory, DC_OUTPUTS, queue);
    const uint32_t with = net->spec->memory.test == SWQ_DC_AFTER ? p->size : 0;

    return take_if(p->size <= m->free && dc_average(net, DC_OUTPUTS, queue) + with < limit);
}

static void note_average(dc_net *net, uint32_t memory, uint32_t queue, const dc_packet *p)
{
    (void)memory;
    (void)p;
    dc_average_falls(net, DC_OUTPUTS, queue, net->queue[queue].held);
}

/* ---- FollowLQD and Credence ---- */

static void follow_arrival(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *p)
{
    dc_memory *m = &net->memory[memory];
    uint64_t *kept = &net->kept[m->first_queue];

    kept[join] += p->size;
    m->virtual_sum += p->size;
    while (m->virtual_sum > m->capacity) {
        uint32_t most = 0;
        for (uint32_t k = 1; k < m->queues; k++)
            most = kept[k] > kept[most] ? k : most;
        const uint64_t less = kept[most] < p->size ? kept[most] : p->size;
        kept[most] -= less;
        m->virtual_sum -= less;
    }
}

static void follow_departure(dc_net *net, uint32_t memory, uint32_t queue, const dc_packet *p)
{
    uint64_t *kept = &net->kept[queue];
    const uint64_t less = *kept < p->size || net->queue[queue].held == 0 ? *kept : p->size;

    *kept -= less;
    net->memory[memory].virtual_sum -= less;
}

static bool follows(const dc_net *net, uint32_t memory, uint32_t join, const dc_packet *p)
{
    return p->size <= net->memory[memory].free &&
           held_by(net, memory, join) + p->size <=
               net->kept[net->memory[memory].first_queue + join];
}

static swq_fate follow(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *p)
{
    return take_if(follows(net, memory, join, p));
}

/* Does no queue hold more than its share of the memory? */
static bool all_have_their_share(const dc_net *net, uint32_t memory)
{
    const dc_memory *m = &net->memory[memory];

    for (uint32_t k = 0; k < m->queues; k++) {
        if (held_by(net, memory, k) * m->queues > m->capacity)
            return false;
    }
    return true;
}

static swq_fate follow_and_ask(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *p)
{
    const uint8_t *oracle = net->spec->memory.oracle;

    if (all_have_their_share(net, memory))
        return take_if(p->size <= net->memory[memory].free);
    return take_if(follows(net, memory, join, p) && !(oracle && oracle[p->number]));
}

/* ---- the table ---- */

static const dc_rule
    sharing = {.row = &swq_admission_sharing, .fate = share},
    partitioning = {.row = &swq_admission_partitioning, .fate = partition, .kept = {.lengths = 1}},
    maximum = {.row = &swq_admission_maximum,
               .fate = share_up_to,
               .takes = SWQ_ADMISSION_QUEUE_MAX,
               .kept = {.lengths = 1}},
    minimum = {.row = &swq_admission_minimum,
               .fate = share,
               .takes = SWQ_ADMISSION_QUEUE_MIN,
               .kept = {.lengths = 1, .sums = 1}},
    minimum_maximum = {.row = &swq_admission_minimum_maximum,
                       .fate = share_up_to,
                       .takes = SWQ_ADMISSION_QUEUE_MIN | SWQ_ADMISSION_QUEUE_MAX,
                       .kept = {.lengths = 1, .sums = 1}},
    root = {.row = &swq_admission_square_root, .fate = square_root, .kept = {.lengths = 1}},
    threshold = {.row = &swq_admission_threshold,
                 .fate = below_threshold,
                 .takes = SWQ_ADMISSION_ALPHA | SWQ_DC_TAKES_TEST,
                 .kept = {.lengths = 1}},
    lqd = {.row = &swq_admission_longest_queue_drop,
           .fate = push_out,
           .takes = SWQ_ADMISSION_TIES | SWQ_ADMISSION_DROP | SWQ_DC_TAKES_COUNTED,
           .kept = {.lengths = 1}},
    by_harmonics = {.row = &swq_admission_harmonic, .fate = harmonic, .kept = {.lengths = 1}},
    abm = {.row = &swq_admission_abm,
           .fate = active,
           .comes = note_congestion,
           .sent = note_drain,
           .interval = look_at_drains,
           .takes = SWQ_ADMISSION_ALPHA | SWQ_ADMISSION_CONGESTED | SWQ_DC_TAKES_TEST |
                    SWQ_DC_TAKES_INTERVAL | SWQ_DC_TAKES_FIRST,
           .kept = {.lengths = 2, .class_sums = 1, .intervals = 2}},
    fab = {.row = &swq_admission_fab,
           .fate = favour_new_flows,
           .comes = dc_note_flow,
           .takes =
               SWQ_ADMISSION_ALPHA | SWQ_DC_TAKES_TEST | SWQ_DC_TAKES_FIRST | SWQ_DC_TAKES_FLOWS,
           .kept = {.lengths = 1, .flows = true}},
    ib = {.row = &swq_admission_ib,
          .fate = share_fairly,
          .comes = dc_fair_rates_note,
          .takes = SWQ_ADMISSION_ALPHA | SWQ_DC_TAKES_TEST | SWQ_DC_TAKES_AFD,
          .kept = {.lengths = 3, .windows = 2}},
    reverie = {.row = &swq_admission_reverie,
               .fate = below_average,
               .sent = note_average,
               .takes = SWQ_ADMISSION_ALPHA | SWQ_ADMISSION_CONGESTED | SWQ_DC_TAKES_TEST |
                        SWQ_DC_TAKES_FIRST | SWQ_DC_TAKES_GAMMA,
               .kept = {.lengths = 3, .class_sums = 1, .inputs = 2}},
    edt = {.row = &swq_admission_edt,
           .fate = dc_edt_fate,
           .sent = dc_edt_sent,
           .takes = SWQ_ADMISSION_ALPHA,
           .kept = {.lengths = 4, .bits = 3}},
    tdt = {.row = &swq_admission_tdt,
           .fate = dc_tdt_fate,
           .sent = dc_tdt_sent,
           .takes = SWQ_ADMISSION_ALPHA,
           .kept = {.lengths = 5, .bits = 4}},
    occamy = {.row = &swq_admission_occamy,
              .fate = below_threshold,
              .expels = true,
              .takes = SWQ_ADMISSION_ALPHA | SWQ_ADMISSION_EXPEL | SWQ_DC_TAKES_TEST,
              .kept = {.lengths = 1}},
    follow_lqd = {.row = &swq_admission_follow_lqd,
                  .fate = follow,
                  .comes = follow_arrival,
                  .sent = follow_departure,
                  .kept = {.lengths = 2, .sums = 1}},
    credence = {.row = &swq_admission_credence,
                .fate = follow_and_ask,
                .comes = follow_arrival,
                .sent = follow_departure,
                .takes = SWQ_ADMISSION_ORACLE,
                .kept = {.lengths = 2, .sums = 1}};

const dc_rule *const dc_rules[] = {
    &sharing,      &partitioning, &maximum, &minimum,    &minimum_maximum, &root, &threshold, &lqd,
    &by_harmonics, &abm,          &occamy,  &follow_lqd, &credence,        &fab,  &edt,       &tdt,
    &ib,           &reverie,      NULL};

const dc_rule *dc_rule_of(const swq_admission_rule *row)
{
    for (int k = 0; dc_rules[k]; k++) {
        if (dc_rules[k]->row == row)
            return dc_rules[k];
    }
    return NULL;
}

bool swq_dc_admits(const swq_admission_rule *rule)
{
    return dc_rule_of(rule) != NULL;
}

unsigned swq_dc_takes(const swq_admission_rule *rule)
{
    const dc_rule *row = dc_rule_of(rule);

    return row ? row->takes : 0;
}

swq_dc_kept swq_dc_keeps(const swq_admission_rule *rule)
{
    const dc_rule *row = dc_rule_of(rule);

    return row ? row->kept : (swq_dc_kept){.lengths = 0};
}

const char *swq_dc_admission_names(void)
{
    return "sharing, partitioning, maximum, minimum, minimum-maximum, square-root, threshold, lqd, "
           "harmonic, abm, occamy, followlqd, credence, fab, edt, tdt, ib and reverie";
}
