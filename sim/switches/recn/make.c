/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes an empty network of switches with set-aside queues, and checks its counters against its
 * contents.
 */
#include "sim/switches/recn/recn.h"
#include "sim/switches/saqs/routes.h"

#include <string.h>

static uint32_t used(const uint8_t *level, uint32_t ports)
{
    uint32_t count = 0;

    for (uint32_t k = 0; k < ports; k++)
        count += level[k] != UINT8_MAX;
    return count;
}

/* The most records that a network needs: one for a packet in each slot, and one for each marker. A
 * SAQ waits for one queue at a time; in FBICM it may wait for any queue of its store. */
static double most_records(const swq_recn *n)
{
    const swq_fabric *f = n->plan.fabric;
    const double markers =
        n->plan.kind == SWQ_RECN_FLOWS ? (double)n->nodes + n->plan.saqs : n->plan.saqs;

    return (double)used(f->in_level, n->inputs) * n->plan.slots[SWQ_RECN_INPUT] +
           (double)used(f->out_level, n->inputs) * n->plan.slots[SWQ_RECN_OUTPUT] +
           (double)n->nodes * n->plan.slots[SWQ_RECN_INTERFACE] + markers * n->stores;
}

/* For each queue and contributor one notice or its answer is under way at a time; in each cycle one
 * packet comes to a store and one leaves it, which causes a message to one contributor, or to all.
 * In FBICM there may be one more notice for each arrival. */
static double most_news(const swq_recn *n)
{
    const double saqs = n->plan.saqs, hop = n->plan.hop_delay, ports = n->ports;
    const double over_links = saqs + 3 * hop, inside = (saqs + 1) * ports + ports + 2;

    return n->inputs * (over_links + inside);
}

static void lay_out_wheels(swq_recn *n)
{
    const swq_recn_plan *p = &n->plan;
    const uint32_t apart = 2 * p->longest + p->link_rest + p->hop_delay + 2;
    const uint32_t coming = p->hop_delay > p->crossbar_delay ? p->hop_delay : p->crossbar_delay;

    swq_wheel_lay_out(n->stores, coming, &n->arriving);
    swq_wheel_lay_out(n->stores, apart, &n->freed);
    swq_wheel_lay_out(n->stores, p->credit_delay, &n->credited);
    swq_wheel_lay_out(p->fabric->switches, apart, &n->switches);
    swq_wheel_lay_out(n->stores - n->inputs, apart, &n->links);
    swq_wheel_lay_out(n->stores, 1, &n->settling);
}

void swq_recn_lay_out(swq_recn *n, const swq_recn_plan *plan)
{
    const swq_fabric *f = plan->fabric;

    *n = (swq_recn){.plan = *plan};
    n->ports = (uint32_t)f->ports;
    n->inputs = f->switches * n->ports;
    n->nodes = f->nodes;
    n->stores = 2 * n->inputs + f->nodes;
    n->bits = swq_turn_bits(f);
    n->plain[SWQ_RECN_INPUT] = plan->kind == SWQ_RECN_BASIC ? 1 : f->ports;
    n->plain[SWQ_RECN_OUTPUT] = n->plain[SWQ_RECN_INTERFACE] = 1;
    n->first_store[SWQ_RECN_OUTPUT] = n->inputs;
    n->first_store[SWQ_RECN_INTERFACE] = 2 * n->inputs;
    for (int k = 0; k < SWQ_RECN_PLACES; k++)
        n->queues[k] = n->plain[k] + plan->saqs;
    n->first_queue[SWQ_RECN_OUTPUT] = (size_t)n->inputs * (size_t)n->queues[SWQ_RECN_INPUT];
    n->first_queue[SWQ_RECN_INTERFACE] =
        n->first_queue[SWQ_RECN_OUTPUT] + (size_t)n->inputs * (size_t)n->queues[SWQ_RECN_OUTPUT];
    n->form = f->ports <= 64 && n->queues[SWQ_RECN_INPUT] <= 64 ? &swq_recn_narrow : &swq_recn_wide;
    n->named_bytes = (n->ports + 7) / 8;
    n->records = (uint32_t)most_records(n);
    lay_out_wheels(n);
    n->counts.ports = n->stores;
    swq_news_lay_out(&n->news, (uint32_t)most_news(n), plan->hop_delay);
}

void swq_recn_list(swq_recn *n, swq_arrays *list)
{
    const double stores = n->stores, nodes = n->nodes;
    const bool flows = n->plan.kind == SWQ_RECN_FLOWS;

    SWQ_ARRAY(list, n->packet, n->records);
    SWQ_ARRAY(list, n->store, stores);
    SWQ_ARRAY(list, n->queue,
              (double)n->first_queue[SWQ_RECN_INTERFACE] + nodes * n->queues[SWQ_RECN_INTERFACE]);
    SWQ_ARRAY(list, n->saq, stores * n->plan.saqs);
    SWQ_ARRAY(list, n->line, stores * n->plan.saqs);
    SWQ_ARRAY(list, n->contributors,
              stores * (n->plan.saqs + 1) * SWQ_RECN_CONTRIBUTORS * n->form->words);
    SWQ_ARRAY(list, n->ready,
              n->form == &swq_recn_wide ? (double)n->inputs * SWQ_RECN_QUEUE_WORDS : 0);
    SWQ_ARRAY(list, n->latest, nodes * nodes);
    SWQ_ARRAY(list, n->where, flows ? stores * nodes : 0);
    SWQ_ARRAY(list, n->named, flows ? 2.0 * n->inputs * nodes * n->named_bytes : 0);
    swq_saq_counts_list(&n->counts, list);
    swq_news_list(&n->news, list);
    swq_wheel_list(&n->arriving, list);
    swq_wheel_list(&n->freed, list);
    swq_wheel_list(&n->credited, list);
    swq_wheel_list(&n->switches, list);
    swq_wheel_list(&n->links, list);
    swq_wheel_list(&n->settling, list);
}

/* ---- empty ---- */

void swq_recn_empty(swq_recn *n, const swq_recn_told *told)
{
    const swq_fabric *f = n->plan.fabric;

    n->told = *told;
    n->free = UINT32_MAX;
    for (uint32_t s = 0; s < n->stores; s++)
        n->store[s] = (swq_recn_store){.first = UINT32_MAX};
    for (uint32_t k = 0; k < n->inputs + f->nodes; k++) {
        const uint32_t to = k < n->inputs ? f->link[k] : f->entry[k - n->inputs];
        const uint32_t s = n->inputs + k;
        n->store[s].neighbour = to;
        n->store[s].credit = (uint16_t)n->plan.slots[SWQ_RECN_INPUT];
        if (!(to & SWQ_TO_NODE)) /* neither a node nor SWQ_NO_WHERE */
            n->store[to].neighbour = s;
    }
    swq_news_begin(&n->news);
}

/* ---- counting ---- */

static void audit_one(const swq_recn *n, const swq_recn_packet *p, uint64_t *packets, uint64_t *age,
                      uint64_t *bytes)
{
    ++*packets;
    *age += n->cycle - p->birth;
    *bytes += p->bytes;
}

/* Audits the packets in the queues of a store and on their way to it; returns their number. */
static uint32_t each_packet(const swq_recn *n, uint32_t s, uint64_t *packets, uint64_t *age,
                            uint64_t *bytes)
{
    const swq_recn_queue *queues = swq_recn_queues_of(n, s);
    const uint64_t before = *packets;

    for (int q = 0; q < n->queues[swq_recn_place_of(n, s)]; q++) {
        uint32_t record = queues[q].head;
        for (int left = queues[q].packets + queues[q].markers; left > 0; left--) {
            if (n->packet[record].bytes)
                audit_one(n, &n->packet[record], packets, age, bytes);
            record = n->packet[record].next;
        }
    }
    for (uint32_t k = n->store[s].first; k != UINT32_MAX; k = n->packet[k].next)
        audit_one(n, &n->packet[k], packets, age, bytes);
    return (uint32_t)(*packets - before);
}

void swq_recn_audit(const swq_recn *n, uint64_t *packets, uint64_t *age, uint64_t *bytes)
{
    for (uint32_t s = 0; s < n->stores; s++)
        each_packet(n, s, packets, age, bytes);
}

/* Do a store's slots match its packets? The store may hold one slot more, that of a packet which
 * has begun to leave. */
static bool slots_sound(const swq_recn *n, uint32_t s)
{
    const swq_recn_store *e = &n->store[s];
    const int slots = n->plan.slots[swq_recn_place_of(n, s)];
    uint64_t packets = 0, age = 0, bytes = 0;
    const uint32_t there = each_packet(n, s, &packets, &age, &bytes);

    if (e->taken > slots || e->taken < there || e->taken > there + 1)
        return false;
    if (s < n->inputs || e->neighbour & SWQ_TO_NODE)
        return true;
    const uint32_t all = (uint32_t)n->plan.slots[SWQ_RECN_INPUT];
    /* credits on their way */
    const uint32_t back = n->plan.credit_delay ? 1 + n->plan.credit_delay : 0;
    const uint32_t known = n->store[e->neighbour].taken + e->credit;
    return known <= all && known + back >= all;
}

static bool may_send(const swq_recn *n, uint32_t s, int q)
{
    if (n->ready && s < n->inputs)
        return n->ready[(size_t)s * SWQ_RECN_QUEUE_WORDS + (size_t)q / 64] >> q % 64 & 1;
    return n->store[s].may >> q & 1;
}

/* Do the markers in a store's queues match the markers for which its SAQs are blocked, and does the
 * set `may` contain exactly the queues that can send? */
static bool saqs_sound(const swq_recn *n, uint32_t s)
{
    const int plain = swq_recn_plain(n, s), queues = n->queues[swq_recn_place_of(n, s)];
    const swq_recn_queue *queue = swq_recn_queues_of(n, s);
    const swq_recn_saq *saq = swq_recn_saqs_of(n, s);
    uint32_t markers = 0, blocked = 0;

    for (int q = 0; q < queues; q++) {
        const int k = q - plain;
        const bool held = k >= 0 && (saq[k].stopped || saq[k].blocked);
        const bool there = k < 0 || n->store[s].saqs >> k & 1;
        markers += queue[q].markers;
        if (!there && (queue[q].packets || queue[q].markers))
            return false;
        if (there && may_send(n, s, q) != (queue[q].packets > 0 && !held))
            return false;
        blocked += there && k >= 0 ? saq[k].blocked : 0;
    }
    return markers == blocked;
}

bool swq_recn_sound(const swq_recn *n)
{
    if (n->more.overtaken)
        return false;
    for (uint32_t s = 0; s < n->stores; s++) {
        if (!slots_sound(n, s) || !saqs_sound(n, s))
            return false;
    }
    return true;
}

bool swq_recn_clean(const swq_recn *n)
{
    if (n->counts.in_use || n->news.flying || n->inside)
        return false;
    for (uint32_t s = 0; s < n->stores; s++) {
        const swq_recn_store *e = &n->store[s];
        if (e->taken || e->saqs || e->may)
            return false;
        if (s >= n->inputs && e->credit != n->plan.slots[SWQ_RECN_INPUT])
            return false;
    }
    const size_t each = (size_t)SWQ_RECN_CONTRIBUTORS * (size_t)n->form->words;
    for (uint32_t k = n->inputs; k < 2 * n->inputs; k++) { /* the plain queues of outputs */
        if (swq_port_set_any(n->contributors + k * ((size_t)n->plan.saqs + 1) * each,
                             n->form->words))
            return false;
    }
    return true;
}
