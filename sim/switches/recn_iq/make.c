/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * RECN-IQ: an empty network, and invariants that must always hold.
 */
#include "sim/switches/recn_iq/recn_iq.h"
#include "sim/switches/saqs/routes.h"

/* Above it, a table of all ways would take too much: 8 bytes for each pair. */
enum { MOST_NODES_WITH_WAYS = 512 };

/* ---- making ---- */

static uint32_t most_of(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* While a notice is under way, an input has at most one move and one departure per cycle, counting
 * both the first and the last cycle. */
static uint32_t most_news(const swq_iq *w)
{
    return w->plan.saqs ? w->inputs * 3 * ((uint32_t)w->plan.hop + 1) : 0;
}

void swq_iq_lay_out(swq_iq *w, const swq_iq_plan *plan)
{
    const swq_fabric *f = plan->fabric;

    *w = (swq_iq){.plan = *plan, .switches = f->switches, .nodes = f->nodes};
    w->inputs = f->switches * (uint32_t)f->ports;
    w->ports = w->inputs + f->nodes;
    w->units = f->switches + f->nodes;
    w->queues = plan->saqs + 1;
    w->bits = swq_turn_bits(f);
    w->words = (w->units + 63) / 64;
    w->form = f->ports <= 64 ? &swq_iq_narrow : &swq_iq_wide;
    w->bytes = 1;
    while (8 * w->bytes < (uint32_t)f->ports)
        w->bytes *= 2;
    const uint32_t after = most_of((uint32_t)plan->rest, (uint32_t)plan->credit);
    const uint32_t ahead = most_of((uint32_t)plan->hop, (uint32_t)plan->bytes + after);
    w->slots = 2;
    while (w->slots <= ahead)
        w->slots *= 2;
    w->packets = w->inputs * (uint32_t)plan->slots + w->nodes * (uint32_t)plan->interface;
    w->counts.ports = w->ports;
    swq_news_lay_out(&w->news, most_news(w), (uint32_t)plan->hop);
}

void swq_iq_list(swq_iq *w, swq_arrays *list)
{
    const double ports = w->ports;

    SWQ_ARRAY(list, w->due, (double)w->slots * w->words);
    SWQ_ARRAY(list, w->due_ports, (double)w->slots * w->units * SWQ_IQ_DUE * w->bytes);
    SWQ_ARRAY(list, w->in, ports);
    SWQ_ARRAY(list, w->out, ports);
    SWQ_ARRAY(list, w->unit, (double)w->units * w->form->unit_words);
    SWQ_ARRAY(list, w->queue, ports * w->queues);
    SWQ_ARRAY(list, w->line, ports * w->queues);
    SWQ_ARRAY(list, w->out_line, ports * (w->plan.saqs + (w->plan.saqs == 0)));
    SWQ_ARRAY(list, w->slot, w->packets);
    SWQ_ARRAY(list, w->route, w->nodes <= MOST_NODES_WITH_WAYS ? (double)w->nodes * w->nodes : 0);
    SWQ_ARRAY(list, w->free_packet, w->packets);
    swq_news_list(&w->news, list);
    swq_saq_counts_list(&w->counts, list);
}

static void empty_port(swq_iq *w, uint32_t port, uint32_t unit, uint32_t link)
{
    const bool switched = port < w->inputs;
    const uint32_t at = port - swq_iq_first(w, unit);

    w->in[port] = (swq_iq_input){
        .upstream = SWQ_NO_WHERE, .unit = unit, .port = (uint8_t)at, .leaving = SWQ_NO_SLOT_NEXT};
    swq_slots_empty(swq_iq_slots_of(w, port), switched ? w->plan.slots : w->plan.interface,
                    &w->in[port].free);
    w->out[port] = (swq_iq_output){
        .to = link, .unit = unit, .port = (uint8_t)at, .credits = (uint16_t)w->plan.slots};
}

void swq_iq_empty(swq_iq *w, const swq_iq_told *told)
{
    const swq_fabric *f = w->plan.fabric;

    w->told = *told;
    for (uint32_t k = 0; k < w->inputs; k++)
        empty_port(w, k, k / (uint32_t)f->ports, f->link[k]);
    for (uint32_t n = 0; n < w->nodes; n++)
        empty_port(w, w->inputs + n, w->switches + n, f->entry[n]);
    w->form->empty(w);
    for (uint32_t k = 0; k < w->ports; k++) {
        if (!(w->out[k].to & SWQ_TO_NODE))
            w->in[w->out[k].to].upstream = k;
    }
    for (uint32_t k = 0; k < w->packets; k++)
        w->free_packet[k] = w->packets - 1 - k;
    w->free_packets = w->packets;
    for (uint32_t from = 0; w->route && from < w->nodes; from++) {
        for (uint32_t to = 0; to < w->nodes; to++) {
            if (from != to || !f->shape.kind->point_to_point)
                w->route[(size_t)from * w->nodes + to] = swq_route_of(f, from, to);
        }
    }
    swq_news_begin(&w->news);
}

/* ---- contents ---- */

uint32_t swq_iq_held(const swq_iq *w, uint32_t port)
{
    return w->in[port].free.taken;
}

static void walk_list(const swq_slot *slot, const swq_slot_queue *list, void *arg,
                      void (*visit)(void *arg, uint32_t packet))
{
    uint16_t k = list->head;

    for (uint16_t n = 0; n < list->packets; n++, k = slot[k].next)
        visit(arg, slot[k].packet);
}

void swq_iq_walk(const swq_iq *w, void *arg, void (*visit)(void *arg, uint32_t packet))
{
    for (uint32_t port = 0; port < w->ports; port++) {
        const swq_slot *slot = swq_iq_slots_of(w, port);
        walk_list(slot, &w->in[port].come, arg, visit);
        for (int q = 0; q < w->queues; q++)
            walk_list(slot, &swq_iq_queues_of(w, port)[q].list, arg, visit);
    }
}

/* Checks an input's memory. Its taken slots belong to packets that wait, are on their way to the
 * input, or are leaving it; the credits of its feeder are the slots not taken, except for at most
 * one credit that is on its way or has just been freed. */
static bool sound_memory(const swq_iq *w, uint32_t port)
{
    const swq_iq_input *in = &w->in[port];
    const swq_iq_queue *queue = swq_iq_queues_of(w, port);
    uint32_t packets = in->come.packets + (in->leaving != SWQ_NO_SLOT_NEXT);

    for (int q = 0; q < w->queues; q++) {
        packets += queue[q].list.packets;
        if ((queue[q].list.packets > 0) != (in->filled >> q & 1))
            return false;
    }
    if (packets != in->free.taken)
        return false;
    if (in->upstream == SWQ_NO_WHERE)
        return true;
    const uint32_t back = w->out[in->upstream].credits, most = (uint32_t)w->plan.slots;
    return back + packets <= most && most - back - packets <= (uint32_t)w->plan.credit;
}

/* Is a notice about that path on its way to an output? */
static bool under_way(const swq_iq *w, uint32_t out, const swq_path *path)
{
    for (uint32_t s = 0; s < w->news.slots && w->news.flying; s++) {
        for (uint32_t k = w->news.first[s]; k != UINT32_MAX; k = w->news.item[k].next) {
            const swq_news_item *item = &w->news.item[k];
            if (item->port == out && swq_path_same(&item->path, path))
                return true;
        }
    }
    return false;
}

/* Each line belongs to a SAQ downstream that has sent an Xoff, or a notice about it is under
 * way. */
static bool sound_lines(const swq_iq *w, uint32_t port)
{
    const swq_iq_output *out = &w->out[port];
    const swq_path *line = swq_iq_output_lines_of(w, port);

    for (uint32_t set = out->lines; set; set &= set - 1) {
        const swq_path *path = &line[__builtin_ctz(set)];
        const swq_iq_input *in = &w->in[out->to];
        const int k = swq_cam_find(swq_iq_lines_of(w, out->to) + 1, in->valid >> 1, path);
        const bool sent = k != SWQ_NO_LINE && in->sent >> (k + 1) & 1;
        if (!sent && !under_way(w, port, path))
            return false;
    }
    return true;
}

/* Each stopped SAQ has a line that will release it, and no SAQ is empty without a reason. */
static bool sound_saqs(const swq_iq *w, uint32_t port)
{
    const swq_iq_input *in = &w->in[port];
    const swq_path *line = swq_iq_lines_of(w, port);

    if ((in->stopped | in->sent | (in->filled & ~1u)) & ~in->valid)
        return false;
    for (uint32_t set = in->stopped; set; set &= set - 1) {
        swq_path path = line[__builtin_ctz(set)];
        uint32_t out = swq_iq_first(w, in->unit);
        if (port < w->inputs) {
            out += (uint32_t)path.turns & ((UINT32_C(1) << w->bits) - 1);
            path = (swq_path){path.turns >> w->bits, path.mask >> w->bits};
        }
        if (swq_cam_find(swq_iq_output_lines_of(w, out), w->out[out].lines, &path) == SWQ_NO_LINE)
            return false;
    }
    return true;
}

bool swq_iq_sound(const swq_iq *w)
{
    bool sound = true;

    for (uint32_t port = 0; port < w->ports && sound; port++)
        sound = sound_memory(w, port) && sound_lines(w, port) && sound_saqs(w, port);
    if (w->free_packets == w->packets && w->news.flying == 0)
        sound = sound && w->counts.in_use == 0;
    return sound;
}
