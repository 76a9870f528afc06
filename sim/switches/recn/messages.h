/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Set-aside queues (SAQs): when a SAQ is allocated, which ports it sends notices to, what these
 * ports do with a notice, and when a SAQ is freed. docs/congestion.md has the rules.
 *
 * The line of a SAQ says which packets it sets aside. In RECN a line is a path. In FBICM it is a
 * key: at an input, the output, followed by the queue of that output which sent the notice (0: the
 * plain queue; SAQ k as k + 1); elsewhere the SAQ of the next input, as k + 1. `where` has the
 * destinations of a line, and a notice carries one destination in place of the mask. A part of the
 * text of turn.h, with its WORDS.
 */
#include "sim/switches/recn/recn.h"
#include "sim/switches/saqs/ports.h"

#include <assert.h>
#include <string.h>

enum { NOTICE, NOTICE_STOP, ADD, ADD_STOP, STOP, GO, TOKEN, REFUSED };

enum { KEY_SHIFT = 8 };

static bool by_flow(const swq_recn *n)
{
    return n->where != NULL;
}

static bool is_input(const swq_recn *n, uint32_t s)
{
    return s < n->inputs;
}

static uint32_t output_of(const swq_recn *n, uint32_t s)
{
    return (s - n->inputs) % n->ports;
}

/* ---- contributors ---- */

/* Of a SAQ or a plain queue, the contributors that have been told of it, that have been stopped,
 * and that have refused its notice: a record of n->contributors. */
typedef struct recn_contributors {
    swq_port_set told[WORDS], halted[WORDS], refused[WORDS];
} recn_contributors;

/* Those of SAQ k, or, with -1, of the plain queues. */
static inline recn_contributors *contributors_of(const swq_recn *n, uint32_t s, int k)
{
    return (recn_contributors *)n->contributors + (size_t)s * ((size_t)n->plan.saqs + 1) +
           (size_t)(k + 1);
}

/* FBICM: the set of the contributors that have had a notice of a destination. */
static uint8_t *named_of(const swq_recn *n, uint32_t s, uint32_t destination)
{
    return n->named + ((size_t)s * n->nodes + destination) * n->named_bytes;
}

static bool is_named(const uint8_t *named, uint32_t c)
{
    return named[c / 8] >> c % 8 & 1;
}

static void name(uint8_t *named, uint32_t c)
{
    named[c / 8] |= (uint8_t)(1u << c % 8);
}

static void name_nobody(const swq_recn *n, uint32_t s, uint32_t destination)
{
    memset(named_of(n, s, destination), 0, n->named_bytes);
}

/* ---- lines ---- */

static swq_path key(uint64_t turns)
{
    return (swq_path){turns, 1};
}

/* The path under which contributors know queue q of a store. */
static swq_path line_told(const swq_recn *n, uint32_t s, int q)
{
    const int k = q - swq_recn_plain(n, s);
    const uint32_t o = is_input(n, s) ? 0 : output_of(n, s);

    if (by_flow(n))
        return key(is_input(n, s) ? (uint64_t)k + 1 : o | (uint64_t)(k + 1) << KEY_SHIFT);
    if (is_input(n, s))
        return swq_recn_lines_of(n, s)[k];
    return k < 0 ? swq_path_of_turn(o, n->bits)
                 : swq_path_behind(&swq_recn_lines_of(n, s)[k], o, n->bits);
}

/* The output that an input's line leads to. */
static uint32_t output_ahead(const swq_recn *n, const swq_path *line)
{
    return by_flow(n) ? (uint32_t)(line->turns & ((1u << KEY_SHIFT) - 1))
                      : swq_route_turn(line->turns, n->bits);
}

static swq_path line_of_output(const swq_recn *n, uint32_t o)
{
    return by_flow(n) ? key(o) : swq_path_of_turn(o, n->bits);
}

/* ---- who looks on ---- */

/* Reports an event of SAQ k of a store, or, with SWQ_NO_LINE, of a notice about that line. */
static void show(const swq_recn *n, swq_saq_event_kind kind, uint32_t s, int k,
                 const swq_path *line)
{
    if (!n->told.event)
        return;
    const bool at_output = swq_recn_place_of(n, s) == SWQ_RECN_OUTPUT, in = is_input(n, s);
    const swq_saq_event e = {
        .cycle = n->cycle,
        .kind = kind,
        .port = in ? s : s - n->inputs, /* interfaces are numbered behind the ports of switches */
        .at_output = at_output,
        .number = k + 1,
        .turns = !by_flow(n) ? line->turns
                 : in        ? output_ahead(n, line)
                             : 0,
        .length = by_flow(n) ? in : swq_path_turns(line, n->bits),
        .bits = n->bits,
    };
    n->told.event(n->told.event_arg, &e);
}

static void show_saq(const swq_recn *n, swq_saq_event_kind kind, uint32_t s, int k)
{
    show(n, kind, s, k, &swq_recn_lines_of(n, s)[k]);
}

/* ---- sending ---- */

/* Sends a message about queue q of a store to its contributor c. */
static void tell(swq_recn *n, uint32_t s, int q, uint32_t c, uint16_t kind, uint32_t destination)
{
    const bool in = is_input(n, s), stops = kind == NOTICE_STOP || kind == ADD_STOP || kind == STOP;
    swq_news_item item = {.path = line_told(n, s, q),
                          .port = in ? n->store[s].neighbour : s - n->inputs - output_of(n, s) + c,
                          .kind = kind};

    if (by_flow(n))
        item.path.mask = destination;
    swq_news_send(&n->news, n->cycle, in ? n->plan.hop_delay : 1, item);
    if (n->told.event && q >= swq_recn_plain(n, s) && (stops || kind == GO))
        show_saq(n, kind == GO ? SWQ_SAQ_XON : SWQ_SAQ_XOFF, s, q - swq_recn_plain(n, s));
    n->counts.xoffs += stops;
    n->counts.xons += kind == GO;
    n->more.notices += kind <= ADD_STOP;
}

/* Answers, with a message of a kind, the store whose notice made store s keep this line (a SAQ's
 * path). */
static void answer(swq_recn *n, uint32_t s, const swq_path *line, uint16_t kind)
{
    const uint32_t port = s % n->ports;
    swq_news_item item = {.path = *line, .kind = kind};

    if (!is_input(n, s)) {
        item.port = n->store[s].neighbour;
        swq_news_send(&n->news, n->cycle, n->plan.hop_delay, item);
    } else {
        item.port = n->inputs + s - port + output_ahead(n, line);
        item.word = (uint16_t)port;
        item.path.turns >>= by_flow(n) ? KEY_SHIFT : n->bits;
        item.path.mask >>= by_flow(n) ? 0 : n->bits;
        swq_news_send(&n->news, n->cycle, 1, item);
    }
    n->counts.tokens++;
}

/* ---- allocating ---- */

static int free_saq(const swq_recn *n, uint32_t s)
{
    const uint32_t free = ~n->store[s].saqs & ((UINT32_C(1) << n->plan.saqs) - 1);

    return free ? __builtin_ctz(free) : SWQ_NO_LINE;
}

static void allocate(swq_recn *n, uint32_t s, int k, const swq_path *line, bool owes, bool stopped)
{
    swq_recn_queue *queue = &swq_recn_queues_of(n, s)[swq_recn_plain(n, s) + k];

    n->store[s].saqs |= UINT32_C(1) << k;
    swq_recn_lines_of(n, s)[k] = *line;
    swq_recn_saqs_of(n, s)[k] = (swq_recn_saq){.owes = owes, .stopped = stopped};
    *contributors_of(n, s, k) = (recn_contributors){0};
    *queue = (swq_recn_queue){0};
    swq_saq_taken(&n->counts, s, n->cycle);
    swq_wheel_set(&n->settling, n->cycle, s);
}

/* FBICM: removes the marker of SAQ k from a queue, if there is one. */
static void unmark(swq_recn *n, swq_recn_queue *queue, swq_recn_saq *saq, int k)
{
    uint32_t before = UINT32_MAX, record = queue->head;

    for (int left = queue->packets + queue->markers; left > 0; left--) {
        const swq_recn_packet *p = &n->packet[record];
        if (p->bytes == 0 && p->to == (uint32_t)k) {
            const uint32_t next = p->next;
            if (before == UINT32_MAX)
                queue->head = next;
            else
                n->packet[before].next = next;
            if (queue->tail == record)
                queue->tail = before;
            queue->markers--;
            saq->blocked--;
            swq_recn_give_back(n, record);
            return;
        }
        before = record;
        record = p->next;
    }
}

/* Makes SAQ k wait for the packets that are in queue `parent` now. */
static void mark(swq_recn *n, uint32_t s, int parent, int k)
{
    const int plain = swq_recn_plain(n, s);
    swq_recn_queue *queue = &swq_recn_queues_of(n, s)[parent];
    swq_recn_saq *saqs = swq_recn_saqs_of(n, s);

    if (queue->packets + queue->markers == 0 && !(parent >= plain && saqs[parent - plain].blocked))
        return;
    if (saqs[k].blocked)
        unmark(n, queue, &saqs[k], k);
    const bool there = queue->packets + queue->markers > 0;
    const uint32_t record = swq_recn_record(n);
    n->packet[record] = (swq_recn_packet){.next = UINT32_MAX, .to = (uint32_t)k};
    if (there)
        n->packet[queue->tail].next = record;
    else
        queue->head = record;
    queue->tail = record;
    queue->markers++;
    saqs[k].blocked++;
    swq_recn_weigh(n, s, plain + k);
}

/* RECN: the SAQ with the longest path that is the beginning of `line`; else the plain queue. */
static int parent_of(const swq_recn *n, uint32_t s, const swq_path *line)
{
    const swq_path *lines = swq_recn_lines_of(n, s);
    const int plain = swq_recn_plain(n, s);
    int found = SWQ_NO_LINE;

    for (uint32_t set = n->store[s].saqs; set; set &= set - 1) {
        const int k = __builtin_ctz(set);
        if (lines[k].mask < line->mask && swq_path_begins(&lines[k], line) &&
            (found == SWQ_NO_LINE || lines[k].mask > lines[found].mask))
            found = k;
    }
    if (found != SWQ_NO_LINE)
        return plain + found;
    return plain > 1 ? (int)output_ahead(n, line) : 0;
}

/* FBICM: from now on packets for a destination join SAQ k. */
static void takes(swq_recn *n, uint32_t s, int k, uint32_t destination, const swq_path *line)
{
    const int plain = swq_recn_plain(n, s);
    uint8_t *where = &n->where[(size_t)s * n->nodes + destination];
    const int was = *where;

    *where = (uint8_t)(k + 1);
    if (s < 2 * n->inputs)
        name_nobody(n, s, destination);
    mark(n, s, was ? plain + was - 1 : plain > 1 ? (int)output_ahead(n, line) : 0, k);
}

/* ---- consequences of an arrival ---- */

/* Tells a contributor of a SAQ that has grown long, unless it knows already. */
static void propagate(swq_recn *n, uint32_t s, int k, uint32_t c, bool stops, uint32_t to)
{
    recn_contributors *by = contributors_of(n, s, k);
    const int q = swq_recn_plain(n, s) + k;
    uint8_t *named = by_flow(n) ? named_of(n, s, to) : NULL;

    if (has_port(by->refused, c))
        return;
    if (!has_port(by->told, c))
        tell(n, s, q, c, stops ? NOTICE_STOP : NOTICE, to);
    else if (named && !is_named(named, c))
        tell(n, s, q, c, stops ? ADD_STOP : ADD, to);
    else if (stops && !has_port(by->halted, c))
        tell(n, s, q, c, STOP, to);
    put_port(by->told, c);
    if (stops)
        put_port(by->halted, c);
    if (named)
        name(named, c);
}

static bool can_cross(const swq_recn *n, uint32_t s, uint32_t o)
{
    const swq_recn_store *out = &n->store[n->inputs + s - s % n->ports + o];

    return out->way_free <= n->cycle && out->taken < n->plan.slots[SWQ_RECN_OUTPUT];
}

static void detect_at_output(swq_recn *n, uint32_t s, const swq_recn_packet *p)
{
    const swq_recn_store *e = &n->store[s];
    recn_contributors *by = contributors_of(n, s, -1);
    uint8_t *named = by_flow(n) ? named_of(n, s, p->to) : NULL;

    if (has_port(by->refused, p->came))
        return;
    if (has_port(by->told, p->came)) {
        if (named && !is_named(named, p->came)) {
            tell(n, s, 0, p->came, ADD, p->to);
            name(named, p->came);
        }
        return;
    }
    tell(n, s, 0, p->came, NOTICE, p->to);
    put_port(by->told, p->came);
    if (named)
        name(named, p->came);
    n->counts.detections++;
    n->counts.false_detections +=
        e->port_free <= n->cycle && (e->neighbour & SWQ_TO_NODE || e->credit > 0);
}

/* FBICM: gives SAQ k the destinations, in the queue swapped with it, that are in no line yet. */
static void take_all(swq_recn *n, uint32_t s, int k, const swq_recn_queue *queue)
{
    uint32_t record = queue->head;

    for (int left = queue->packets + queue->markers; left > 0; left--) {
        const swq_recn_packet *p = &n->packet[record];
        uint8_t *where = &n->where[(size_t)s * n->nodes + p->to];
        if (p->bytes && !*where) {
            *where = (uint8_t)(k + 1);
            name_nobody(n, s, p->to);
        }
        record = p->next;
    }
}

/* Swaps a detection queue with a new SAQ. */
static void detect_at_input(swq_recn *n, uint32_t s, int q, const swq_recn_packet *p)
{
    const swq_path line = line_of_output(n, (uint32_t)q);
    const int plain = swq_recn_plain(n, s);
    swq_recn_queue *queues = swq_recn_queues_of(n, s);

    if (by_flow(n)) {
        const int there = swq_cam_find(swq_recn_lines_of(n, s), n->store[s].saqs, &line);
        if (there != SWQ_NO_LINE) {
            if (!n->where[(size_t)s * n->nodes + p->to])
                takes(n, s, there, p->to, &line);
            return;
        }
    }
    const int k = free_saq(n, s);
    if (k == SWQ_NO_LINE) {
        n->counts.unserved_detections++;
        show(n, SWQ_SAQ_NONE_FREE, s, k, &line);
        return;
    }
    n->counts.detections++;
    n->counts.false_detections += can_cross(n, s, (uint32_t)q);
    allocate(n, s, k, &line, false, false);
    show_saq(n, SWQ_SAQ_DETECTED, s, k);
    queues[plain + k] = queues[q];
    queues[q] = (swq_recn_queue){0};
    swq_recn_weigh(n, s, q);
    swq_recn_weigh(n, s, plain + k);
    if (by_flow(n))
        take_all(n, s, k, &queues[plain + k]);
    propagate(n, s, k, 0, queues[plain + k].packets >= n->plan.xoff, p->to);
}

/* The messages after packet p has joined queue q of store s. */
static void after_arrival(swq_recn *n, uint32_t s, int q, const swq_recn_packet *p)
{
    const swq_recn_queue *queue = &swq_recn_queues_of(n, s)[q];
    const int plain = swq_recn_plain(n, s);

    if (q >= plain) {
        if (queue->packets >= n->plan.xoff)
            propagate(n, s, q - plain, is_input(n, s) ? 0 : p->came, true, p->to);
    } else if (queue->packets >= n->plan.detect) {
        if (!is_input(n, s))
            detect_at_output(n, s, p);
        else if (n->plan.kind != SWQ_RECN_BASIC)
            detect_at_input(n, s, q, p);
    }
}

/* ---- consequences of a departure ---- */

/* ... and after a packet has left the queue. */
static void after_departure(swq_recn *n, uint32_t s, int q)
{
    const swq_recn_queue *queue = &swq_recn_queues_of(n, s)[q];
    const int k = q - swq_recn_plain(n, s);

    if (k >= 0 && queue->packets == 0)
        swq_wheel_set(&n->settling, n->cycle, s);
    if (k >= 0 && n->plan.refused == SWQ_REFUSED_HOLD &&
        any_port(contributors_of(n, s, k)->refused) && swq_recn_place_of(n, s) == SWQ_RECN_OUTPUT)
        swq_wheel_set(&n->switches, n->cycle + 1, (s - n->inputs) / n->ports);
    if (queue->packets >= n->plan.xon)
        return;
    if (k < 0) {
        if (!is_input(n, s) && s < 2 * n->inputs)
            swq_port_set_clear(contributors_of(n, s, -1)->refused, WORDS);
        return;
    }
    recn_contributors *by = contributors_of(n, s, k);
    EACH_PORT (c, by->halted[at])
        tell(n, s, q, c, GO, 0);
    swq_port_set_clear(by->halted, WORDS);
    swq_port_set_clear(by->refused, WORDS);
}

/* ---- due messages ---- */

static bool more_specific(const swq_recn *n, uint32_t s, const swq_path *line)
{
    const swq_path *lines = swq_recn_lines_of(n, s);

    for (uint32_t set = n->store[s].saqs; set; set &= set - 1) {
        const swq_path *other = &lines[__builtin_ctz(set)];
        if (other->mask < line->mask && swq_path_begins(other, line))
            return true;
    }
    return false;
}

static void stop(swq_recn *n, uint32_t s, int k)
{
    swq_recn_saqs_of(n, s)[k].stopped = true;
    show_saq(n, SWQ_SAQ_STOPPED, s, k);
    swq_recn_weigh(n, s, swq_recn_plain(n, s) + k);
}

static void noticed(swq_recn *n, uint32_t s, const swq_path *line, bool stops, uint32_t to)
{
    const int there = swq_cam_find(swq_recn_lines_of(n, s), n->store[s].saqs, line);

    if (there != SWQ_NO_LINE) {
        swq_recn_saqs_of(n, s)[there].owes = true;
        if (stops)
            stop(n, s, there);
        if (by_flow(n) && !n->where[(size_t)s * n->nodes + to])
            takes(n, s, there, to, line);
        return;
    }
    const bool specific = n->plan.kind == SWQ_RECN_BASIC && more_specific(n, s, line);
    const int k = specific ? SWQ_NO_LINE : free_saq(n, s);
    if (k == SWQ_NO_LINE) {
        n->more.specific += specific;
        n->more.unserved += !specific;
        show(n, specific ? SWQ_SAQ_REFUSED : SWQ_SAQ_NONE_FREE, s, k, line);
        answer(n, s, line, REFUSED);
        return;
    }
    const int parent = by_flow(n) ? 0 : parent_of(n, s, line);
    allocate(n, s, k, line, true, stops);
    show_saq(n, SWQ_SAQ_TOLD, s, k);
    if (by_flow(n))
        takes(n, s, k, to, line);
    else
        mark(n, s, parent, k);
}

/* A message about a line that exists, or whose token is on its way back. */
static void about_line(swq_recn *n, uint32_t s, const swq_path *line, uint16_t kind, uint32_t to)
{
    const int k = swq_cam_find(swq_recn_lines_of(n, s), n->store[s].saqs, line);

    if (k == SWQ_NO_LINE) {
        n->counts.lost_notices++;
        return;
    }
    if (kind == STOP || kind == ADD_STOP)
        stop(n, s, k);
    if ((kind == ADD || kind == ADD_STOP) && !n->where[(size_t)s * n->nodes + to])
        takes(n, s, k, to, line);
    if (kind != GO)
        return;
    swq_recn_saqs_of(n, s)[k].stopped = false;
    show_saq(n, SWQ_SAQ_RELEASED, s, k);
    swq_recn_weigh(n, s, swq_recn_plain(n, s) + k);
    swq_recn_look(n, n->cycle, s);
    swq_wheel_set(&n->settling, n->cycle, s);
}

/* FBICM: forgets that a contributor has been told of the destinations of SAQ k, or, with -1, of the
 * plain queue. */
static void unname(swq_recn *n, uint32_t s, int k, uint32_t c)
{
    uint8_t *named = named_of(n, s, 0) + c / 8;
    const uint8_t *where = n->where + (size_t)s * n->nodes;
    const unsigned bit = 1u << c % 8;

    for (uint32_t d = 0; d < n->nodes; d++, named += n->named_bytes)
        *named &= (uint8_t)(where[d] == k + 1 ? ~bit : ~0u);
}

static void token(swq_recn *n, uint32_t s, const swq_path *line, uint32_t c, bool refused)
{
    const bool plain = by_flow(n) ? line->turns == 0 : line->mask == 0;
    int k = -1;

    if (!plain)
        k = by_flow(n) ? (int)line->turns - 1
                       : swq_cam_find(swq_recn_lines_of(n, s), n->store[s].saqs, line);
    if (by_flow(n))
        unname(n, s, k, c);
    assert(plain || k >= 0); /* a SAQ keeps its line while some contributor has been told of it */
    recn_contributors *by = contributors_of(n, s, k);
    take_port(by->told, c);
    take_port(by->halted, c);
    if (refused && n->plan.refused != SWQ_REFUSED_REPEAT)
        put_port(by->refused, c);
    if (!plain)
        swq_wheel_set(&n->settling, n->cycle, s);
}

/* The messages that are due. */
static void deliver_news(swq_recn *n)
{
    swq_news_item item;

    while (swq_news_take(&n->news, n->cycle, &item)) {
        swq_path line = item.path;
        const uint32_t to = by_flow(n) ? (uint32_t)line.mask : 0;
        if (by_flow(n))
            line.mask = 1;
        switch (item.kind) {
        case NOTICE:
        case NOTICE_STOP:
            noticed(n, item.port, &line, item.kind == NOTICE_STOP, to);
            break;
        case TOKEN:
        case REFUSED:
            token(n, item.port, &line, item.word, item.kind == REFUSED);
            break;
        default:
            about_line(n, item.port, &line, item.kind, to);
        }
    }
}

/* ---- freeing ---- */

static void forget_destinations(swq_recn *n, uint32_t s, int k)
{
    for (uint32_t d = 0; d < n->nodes; d++) {
        uint8_t *where = &n->where[(size_t)s * n->nodes + d];
        if (*where != k + 1)
            continue;
        *where = 0;
        if (s < 2 * n->inputs)
            name_nobody(n, s, d);
    }
}

/* Frees the SAQs of a store that are not needed any more. */
static void settle(swq_recn *n, uint32_t s)
{
    const int plain = swq_recn_plain(n, s);

    for (uint32_t set = n->store[s].saqs; set; set &= set - 1) {
        const int k = __builtin_ctz(set);
        const swq_recn_saq *saq = &swq_recn_saqs_of(n, s)[k];
        const swq_recn_queue *queue = &swq_recn_queues_of(n, s)[plain + k];
        if (queue->packets || queue->markers || saq->stopped || saq->blocked ||
            any_port(contributors_of(n, s, k)->told))
            continue;
        n->store[s].saqs &= ~(UINT32_C(1) << k);
        swq_saq_given(&n->counts, s, n->cycle);
        show_saq(n, SWQ_SAQ_FREED, s, k);
        if (by_flow(n))
            forget_destinations(n, s, k);
        if (saq->owes)
            answer(n, s, &swq_recn_lines_of(n, s)[k], TOKEN);
    }
}
