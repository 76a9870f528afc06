/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A deadlock in words: the buffers that wait for one another, each by its node, the direction that
 * it receives from, and where the packet at the head of its queue goes.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/spec/async.h"

#include <string.h>

/* At the beginning and at the end of the list, if it is long. */
enum { SHOWN_FIRST = 6, SHOWN_LAST = 2 };

/* A port in words: "dimension 2 up", "host". Both an output and the input that it leads to have the
 * same number and the same direction. */
static void port_words(const swq_fabric *f, uint32_t port, char *text, size_t size)
{
    const swq_shape *s = &f->shape;
    const int p = (int)(port % (uint32_t)f->ports), level = f->in_level[port];

    if (s->kind->words == SWQ_SHAPE_STAGES)
        snprintf(text, size, "input %d of stage %d", p, level + 1);
    else if (level == s->dims)
        snprintf(text, size, "host");
    else if (s->one_way || s->kind->words == SWQ_SHAPE_DIMS)
        snprintf(text, size, "dimension %d", level + 1);
    else
        snprintf(text, size, "dimension %d %s", level + 1, p % 2 ? "down" : "up");
}

/* Where a class of an input port goes. */
static void class_words(const swq_fabric *f, uint32_t port, int class, char *text, size_t size)
{
    const uint32_t ports = (uint32_t)f->ports;
    const int out = f->output[(size_t)port * (size_t)f->classes + (size_t) class];
    const uint32_t output = port - port % ports + (uint32_t)out;
    const char *lap = "";

    if (f->shape.kind->rings && out == (int)(port % ports) && out != f->ports - 1)
        lap = class == out ? ", not wrapped" : ", wrapped";
    if (f->shape.kind->words == SWQ_SHAPE_STAGES) {
        snprintf(text, size, "output %d", out);
    } else if (f->out_level[output] == f->shape.dims) {
        snprintf(text, size, "%s", f->link[output] & SWQ_TO_NODE ? "host" : "next switch");
    } else {
        port_words(f, output, text, size);
        snprintf(text + strlen(text), size - strlen(text), "%s", lap);
    }
}

/* "node 12 (1,1)", and which of its switches if there are several. */
static void place_words(const swq_fabric *f, uint32_t port, char *text, size_t size)
{
    uint32_t which = port / (uint32_t)f->ports, chain = f->switches / f->nodes;
    uint32_t node = chain ? which / chain : 0;

    if (f->shape.kind->words == SWQ_SHAPE_STAGES || !f->coordinate) {
        snprintf(text, size, "switch %u", which);
        return;
    }
    snprintf(text, size, "node %u (", node);
    for (int k = 0; k < f->shape.dims; k++)
        snprintf(text + strlen(text), size - strlen(text), "%s%u", k ? "," : "",
                 f->coordinate[(size_t)node * (size_t)f->shape.dims + (size_t)k]);
    snprintf(text + strlen(text), size - strlen(text), ")");
    if (chain > 1)
        snprintf(text + strlen(text), size - strlen(text), " switch %u", which % chain);
}

static int listed(const swq_async_result *r)
{
    return r->waiting_count < SWQ_MAX_WAITING ? r->waiting_count : SWQ_MAX_WAITING;
}

static void say_buffer(cli_record *to, const swq_fabric *f, const swq_waiting *w)
{
    char place[160], from[40], into[60], next[160], next_from[40];

    place_words(f, w->port, place, sizeof place);
    port_words(f, w->port, from, sizeof from);
    class_words(f, w->port, w->packet_class, into, sizeof into);
    place_words(f, w->next_port, next, sizeof next);
    port_words(f, w->next_port, next_from, sizeof next_from);
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
    place_words(f, w->port, words, sizeof words);
    cli_put_word(buffer, "place", words);
    port_words(f, w->port, words, sizeof words);
    cli_put_word(buffer, "from", words);
    class_words(f, w->port, w->packet_class, words, sizeof words);
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

swq_status cli_put_deadlock(swq_context *ctx, cli_record *result, cli_record *text,
                            const cli_async *n, const swq_async_result *r)
{
    swq_fabric f;

    if (r->waiting_count == 0) { /* a search that met it may have been interrupted */
        cli_put_word(result, "deadlock", NULL);
        return SWQ_OK;
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
