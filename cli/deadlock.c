/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A deadlock in words: the buffers that wait for one another, each by its node, the direction that
 * it receives from, and where the packet at the head of its queue goes.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/async.h"

#include <string.h>

/* At the beginning and at the end of the list, if it is long. */
enum { SHOWN_FIRST = 6, SHOWN_LAST = 2 };

/* A port in words: "dimension 2 up", "host". Both an output and the input that it leads to have the
 * same number and the same direction. */
static void port_words(const swq_fabric *f, uint32_t port, char *text, size_t size)
{
    const swq_shape *s = &f->shape;
    const int p = (int)(port % (uint32_t)f->ports), level = f->in_level[port];

    if (s->kind == &swq_fabric_multistage)
        snprintf(text, size, "input %d of stage %d", p, level + 1);
    else if (level == s->dims)
        snprintf(text, size, "host");
    else if (s->one_way || s->kind == &swq_fabric_hypercube)
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

    if (f->shape.kind == &swq_fabric_torus && out == (int)(port % ports) && out != f->ports - 1)
        lap = class == out ? ", not wrapped" : ", wrapped";
    if (f->shape.kind == &swq_fabric_multistage) {
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

    if (f->shape.kind == &swq_fabric_multistage || !f->coordinate) {
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

static void print_buffer(const swq_fabric *f, const swq_waiting *w)
{
    char place[160], from[40], to[60];

    place_words(f, w->port, place, sizeof place);
    port_words(f, w->port, from, sizeof from);
    class_words(f, w->port, w->class, to, sizeof to);
    printf("    %s, input %s: a packet for %s", place, from, to);
    place_words(f, w->next_port, place, sizeof place);
    port_words(f, w->next_port, from, sizeof from);
    printf(" waits for %s, input %s\n", place, from);
}

swq_status cli_print_deadlock(swq_context *ctx, const cli_async *n, const swq_async_result *r)
{
    swq_fabric fabric;
    const int count = listed(r);
    swq_status status = swq_fabric_make(ctx, &n->network.shape, &fabric);

    if (status)
        return status;
    printf(
        "\n  DEADLOCK: packets that can never move, because %d buffer%s wait%s for one another:\n",
        r->waiting_count, r->waiting_count > 1 ? "s" : "", r->waiting_count > 1 ? "" : "s");
    for (int k = 0; k < count; k++) {
        bool dots = count > SHOWN_FIRST + SHOWN_LAST + 1;
        if (!dots || k < SHOWN_FIRST || k >= count - SHOWN_LAST)
            print_buffer(&fabric, &r->waiting[k]);
        else if (k == SHOWN_FIRST)
            printf("    ... %d more\n", count - SHOWN_FIRST - SHOWN_LAST);
    }
    if (count < r->waiting_count)
        printf("    ... and %d after these\n", r->waiting_count - count);
    swq_fabric_clear(ctx, &fabric);
    return SWQ_OK;
}

cJSON *cli_json_deadlock(swq_context *ctx, const cli_async *n, const swq_async_result *r)
{
    swq_fabric f;
    char words[160];

    if (r->sim.stopped_by != SWQ_STOP_DEADLOCK)
        return cJSON_CreateNull();
    if (swq_fabric_make(ctx, &n->network.shape, &f))
        return NULL;
    cJSON *list = cJSON_CreateArray();
    for (int k = 0; k < listed(r); k++) {
        const swq_waiting *w = &r->waiting[k];
        const uint32_t here = w->port / (uint32_t)f.ports, next = w->next_port / (uint32_t)f.ports;
        cJSON *buffer = cJSON_CreateObject();
        cJSON_AddItemToArray(list, buffer);
        cJSON_AddNumberToObject(buffer, "switch", here);
        cJSON_AddNumberToObject(buffer, "input", w->port % (uint32_t)f.ports);
        cJSON_AddNumberToObject(buffer, "class", w->class);
        place_words(&f, w->port, words, sizeof words);
        cJSON_AddStringToObject(buffer, "place", words);
        port_words(&f, w->port, words, sizeof words);
        cJSON_AddStringToObject(buffer, "from", words);
        class_words(&f, w->port, w->class, words, sizeof words);
        cJSON_AddStringToObject(buffer, "to", words);
        cJSON_AddNumberToObject(buffer, "next_switch", next);
        cJSON_AddNumberToObject(buffer, "next_input", w->next_port % (uint32_t)f.ports);
        cJSON_AddNumberToObject(buffer, "next_class", w->next_class);
    }
    swq_fabric_clear(ctx, &f);
    return list;
}
