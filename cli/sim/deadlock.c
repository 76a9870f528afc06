/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A deadlock in words: the buffers that wait for one another, each with its node, the direction
 * from which it receives, and the destination of the packet at the head of its queue; and a
 * livelock: which store refuses which packet for ever.
 */
#include "base/context.h"
#include "cli/spec/async.h"
#include "sim/fabrics/places.h"

#include <string.h>

/* Of a long list, the beginning and the end are shown. */
enum { SHOWN_FIRST = 6, SHOWN_LAST = 2 };

static int listed(const swq_async_result *r)
{
    return r->waiting_count < SWQ_MAX_WAITING ? r->waiting_count : SWQ_MAX_WAITING;
}

static void say_buffer(cli_record *to, const swq_fabric *f, const swq_waiting *w)
{
    char place[160], from[40], into[60], next[160], next_from[40];

    swq_place_words(f, w->port, place, sizeof place);
    swq_port_words(f, w->port, from, sizeof from);
    swq_class_words(f, w->port, w->packet_class, w->next_port, into, sizeof into);
    swq_place_words(f, w->next_port, next, sizeof next);
    swq_port_words(f, w->next_port, next_from, sizeof next_from);
    cli_say(to, "    %s, input %s: a packet for %s waits for %s, input %s", place, from, into, next,
            next_from);
}

static void put_buffer(cli_record *list, const swq_fabric *f, const swq_waiting *w)
{
    const uint32_t here = w->port / (uint32_t)f->ports, next = w->next_port / (uint32_t)f->ports;
    cli_record *buffer = cli_put_item(list, NULL);
    char words[160];

    cli_put_count(buffer, "switch", here);
    cli_put_count(buffer, "input", w->port % (uint32_t)f->ports);
    cli_put_count(buffer, "class", (uint64_t)w->packet_class);
    swq_place_words(f, w->port, words, sizeof words);
    cli_put_word(buffer, "place", words);
    swq_port_words(f, w->port, words, sizeof words);
    cli_put_word(buffer, "from", words);
    swq_class_words(f, w->port, w->packet_class, w->next_port, words, sizeof words);
    cli_put_word(buffer, "to", words);
    cli_put_count(buffer, "next_switch", next);
    cli_put_count(buffer, "next_input", w->next_port % (uint32_t)f->ports);
    cli_put_count(buffer, "next_class", (uint64_t)w->next_class);
}

static void say_cycle(cli_record *to, const swq_fabric *f, const swq_async_result *r)
{
    const int count = listed(r);

    cli_say(to,
            "\n  DEADLOCK: packets that can never move, because %d buffer%s wait%s for one "
            "another:",
            r->waiting_count, r->waiting_count > 1 ? "s" : "", r->waiting_count > 1 ? "" : "s");
    for (int k = 0; k < count; k++) {
        bool dots = count > SHOWN_FIRST + SHOWN_LAST + 1;
        if (!dots || k < SHOWN_FIRST || k >= count - SHOWN_LAST)
            say_buffer(to, f, &r->waiting[k]);
        else if (k == SHOWN_FIRST)
            cli_say(to, "    ... %d more", count - SHOWN_FIRST - SHOWN_LAST);
    }
    if (count < r->waiting_count)
        cli_say(to, "    ... and %d after these", r->waiting_count - count);
}

static swq_status say_livelock(swq_context *ctx, cli_record *to, const cli_async *n,
                               const swq_livelock *most)
{
    char place[160], from[40];
    swq_fabric f;
    swq_status status = swq_fabric_make(ctx, &n->network.shape, &f);

    if (status)
        return status;
    swq_place_words(&f, most->next_port, place, sizeof place);
    swq_port_words(&f, most->next_port, from, sizeof from);
    cli_say(
        to,
        "\n  LIVELOCK: a packet from node %u to node %u has been refused %u times in succession "
        "by %s, input %s",
        most->from, most->to, most->times, place, from);
    swq_fabric_clear(ctx, &f);
    return SWQ_OK;
}

swq_status cli_put_deadlock(swq_context *ctx, cli_record *result, cli_record *text,
                            const cli_async *n, const swq_async_result *r)
{
    swq_fabric f;

    if (r->waiting_count == 0) { /* the search that met the deadlock may have been interrupted */
        cli_put_word(result, "deadlock", NULL);
        return r->sim.stopped_by == SWQ_STOP_LIVELOCK ? say_livelock(ctx, text, n, &r->most_refused)
                                                      : SWQ_OK;
    }
    swq_status status = swq_fabric_make(ctx, &n->network.shape, &f);
    if (status)
        return status;
    cli_record *list = cli_put_list(result, "deadlock", NULL);
    for (int k = 0; k < listed(r); k++)
        put_buffer(list, &f, &r->waiting[k]);
    if (r->sim.stopped_by == SWQ_STOP_DEADLOCK)
        say_cycle(text, &f, r);
    swq_fabric_clear(ctx, &f);
    return SWQ_OK;
}
