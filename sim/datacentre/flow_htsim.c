/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Connection matrices of htsim. Connections that start at a time come first, sorted by it; those
 * that wait for others come behind those that they wait for: they are sorted by the number of
 * flows before them (`depth`).
 */
#include "sim/datacentre/flow_htsim.h"

#include "base/arrays.h"
#include "base/context.h"
#include "sim/datacentre/flow_fields.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 40 };
#define MOST_CONNECTIONS INT64_C(100000000)
#define MOST_TRIGGER     INT64_C(0x7fffffff)
#define NOBODY           UINT64_MAX

/* A connection as it stands in the file. */
typedef struct htsim_connection {
    swq_listed_flow flow;
    uint32_t trigger, done; /* waits for this trigger; fires that one; 0: none */
    bool starts;            /* has a start */
    uint64_t before;        /* place of the connection that it waits for; NOBODY */
    uint64_t depth;         /* connections before it */
    uint64_t place;         /* in the file, from 0 */
} htsim_connection;

/* Who fires a trigger. */
typedef struct htsim_trigger {
    uint32_t id;
    uint64_t place; /* of a connection; NOBODY: the trigger's own line */
} htsim_trigger;

typedef struct htsim_file {
    swq_flow_list *list;
    swq_lines *lines;
    int64_t nodes, connections, triggers; /* by the header */
    htsim_connection *connection;         /* [count] */
    uint64_t count, room;
    htsim_trigger *oneshot, *fired; /* [oneshots] declared; [fires], sorted by trigger */
    uint64_t oneshots, oneshots_room, fires, fires_room;
} htsim_file;

/* ---- lines ---- */

/* Room for one more. */
static swq_status one_more(htsim_file *f, void *array, uint64_t count, uint64_t *room, size_t size)
{
    if (count < *room)
        return SWQ_OK;
    const uint64_t wanted = *room ? 2 * *room : 64;
    if (!swq_resize_array(f->lines->ctx, array, (int64_t)wanted, size))
        return swq_memory_status(f->lines->ctx);
    *room = wanted;
    return SWQ_OK;
}

/* Nodes N, Connections N, Triggers N or Failures N, as long as there are such lines. */
static swq_status read_header(htsim_file *f, bool *more)
{
    swq_lines *l = f->lines;
    swq_status status = SWQ_OK;
    char word[WORD];

    *more = true;
    while (!status && *more) {
        int64_t failures = 0;
        char *const begin = l->at;
        swq_flow_word(l, word, sizeof word);
        if (strcmp(word, "Nodes") == 0) {
            status = swq_lines_integer(l, "the number of nodes", 2, MOST_TRIGGER, &f->nodes);
        } else if (strcmp(word, "Connections") == 0) {
            status = swq_lines_integer(l, "the number of connections", 0, MOST_CONNECTIONS,
                                       &f->connections);
        } else if (strcmp(word, "Triggers") == 0) {
            status =
                swq_lines_integer(l, "the number of triggers", 0, MOST_CONNECTIONS, &f->triggers);
        } else if (strcmp(word, "Failures") == 0) {
            status = swq_lines_integer(l, "the number of failures, which are not read,", 0, 0,
                                       &failures);
        } else {
            l->at = begin;
            break;
        }
        if (!status)
            status = swq_lines_end(l);
        if (!status)
            status = swq_lines_next_but(l, '#', more);
    }
    if (status)
        return status;
    if (f->nodes < 2 || f->connections < 0)
        return swq_lines_fail(l, "a connection matrix must begin with lines 'Nodes N' and "
                                 "'Connections N'");
    if (f->list->nodes && f->nodes > f->list->nodes)
        return swq_lines_fail(l, "the connections are among %lld nodes, and the network has %lu",
                              (long long)f->nodes, (unsigned long)f->list->nodes);
    return SWQ_OK;
}

/* "3->7" becomes "3 7", so that the fields are numbers. */
static bool split_arrow(swq_lines *l)
{
    swq_lines_field_left(l);
    char *arrow = strstr(l->at, "->");

    if (!arrow || (size_t)(arrow - l->at) > strcspn(l->at, " \t"))
        return false;
    arrow[0] = arrow[1] = ' ';
    return true;
}

static swq_status read_trigger_number(swq_lines *l, const char *what, uint32_t *trigger)
{
    int64_t number = 0;
    swq_status status = swq_lines_integer(l, what, 1, MOST_TRIGGER, &number);

    *trigger = (uint32_t)number;
    return status;
}

/* One attribute of a connection and its value. */
static swq_status read_attribute(htsim_file *f, htsim_connection *c)
{
    swq_lines *l = f->lines;
    int64_t id;
    char word[WORD];

    swq_flow_word(l, word, sizeof word);
    if (strcmp(word, "id") == 0)
        return swq_lines_integer(l, "the id", 1, MOST_TRIGGER, &id);
    if (strcmp(word, "size") == 0)
        return swq_flow_bytes(l, f->list->most_bytes, &c->flow.bytes);
    if (strcmp(word, "start") == 0) {
        c->starts = true;
        return swq_flow_start(l, "ps", &c->flow.start);
    }
    if (strcmp(word, "trigger") == 0)
        return read_trigger_number(l, "the trigger", &c->trigger);
    if (strcmp(word, "recv_done_trigger") == 0)
        return read_trigger_number(l, "the trigger", &c->done);
    return swq_lines_fail(l,
                          "'%s' of a connection is not read; id, start, size, trigger and "
                          "recv_done_trigger are",
                          word);
}

static swq_status read_connection(htsim_file *f)
{
    swq_lines *l = f->lines;
    htsim_connection c = {.before = NOBODY, .place = f->count};
    swq_status status = swq_flow_node(l, "the source", (uint32_t)f->nodes, &c.flow.source);

    if (!status)
        status = swq_flow_node(l, "the destination", (uint32_t)f->nodes, &c.flow.destination);
    if (!status)
        status = swq_flow_ends_differ(l, &c.flow);
    while (!status && swq_lines_field_left(l))
        status = read_attribute(f, &c);
    if (status)
        return status;
    if (c.flow.bytes == 0)
        return swq_lines_fail(l, "the connection has no size");
    if (c.starts == (c.trigger > 0))
        return swq_lines_fail(l, "a connection must have either a start or a trigger");
    if (c.done) {
        status = one_more(f, &f->fired, f->fires, &f->fires_room, sizeof *f->fired);
        if (status)
            return status;
        f->fired[f->fires++] = (htsim_trigger){c.done, f->count};
    }
    status = one_more(f, &f->connection, f->count, &f->room, sizeof *f->connection);
    if (!status)
        f->connection[f->count++] = c;
    return status;
}

/* trigger id T oneshot */
static swq_status read_trigger(htsim_file *f)
{
    swq_lines *l = f->lines;
    htsim_trigger t = {0, NOBODY};
    char word[WORD];

    swq_flow_word(l, word, sizeof word);
    swq_flow_word(l, word, sizeof word);
    if (strcmp(word, "id") != 0)
        return swq_lines_fail(l, "a trigger must be 'trigger id N oneshot'");
    swq_status status = read_trigger_number(l, "the trigger", &t.id);
    if (status)
        return status;
    swq_flow_word(l, word, sizeof word);
    if (strcmp(word, "oneshot") != 0)
        return swq_lines_fail(l, "a trigger must be oneshot, not '%s'", word);
    status = swq_lines_end(l);
    if (!status)
        status = one_more(f, &f->oneshot, f->oneshots, &f->oneshots_room, sizeof *f->oneshot);
    if (!status)
        f->oneshot[f->oneshots++] = t;
    return status;
}

static swq_status read_lines(htsim_file *f, bool more)
{
    swq_status status = SWQ_OK;

    while (!status && more) {
        if (split_arrow(f->lines))
            status = read_connection(f);
        else if (strncmp(f->lines->at, "trigger", 7) == 0)
            status = read_trigger(f);
        else
            status = swq_lines_fail(f->lines,
                                    "a line must be 'SOURCE->DESTINATION ...' or 'trigger ...', "
                                    "not '%.40s'",
                                    f->lines->at);
        if (!status)
            status = swq_lines_next_but(f->lines, '#', &more);
    }
    if (status)
        return status;
    if (f->count != (uint64_t)f->connections)
        return swq_lines_fail(f->lines, "the header says %lld connections, and there are %llu",
                              (long long)f->connections, (unsigned long long)f->count);
    if (f->oneshots != (uint64_t)f->triggers)
        return swq_lines_fail(f->lines, "the header says %lld triggers, and there are %llu",
                              (long long)f->triggers, (unsigned long long)f->oneshots);
    return SWQ_OK;
}

/* ---- who waits for whom ---- */

static int by_trigger(const void *a, const void *b)
{
    const htsim_trigger *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static const htsim_trigger *find_trigger(const htsim_trigger *in, uint64_t count, uint32_t id)
{
    const htsim_trigger key = {id, NOBODY};
    return count ? bsearch(&key, in, count, sizeof *in, by_trigger) : NULL;
}

static swq_status connect(htsim_file *f)
{
    if (f->fires)
        qsort(f->fired, f->fires, sizeof *f->fired, by_trigger);
    if (f->oneshots)
        qsort(f->oneshot, f->oneshots, sizeof *f->oneshot, by_trigger);
    for (uint64_t k = 1; k < f->fires; k++) {
        if (f->fired[k].id == f->fired[k - 1].id)
            return swq_lines_fail(f->lines, "more than one connection fires trigger %lu",
                                  (unsigned long)f->fired[k].id);
    }
    for (uint64_t k = 0; k < f->count; k++) {
        htsim_connection *c = &f->connection[k];
        const htsim_trigger *by = find_trigger(f->fired, f->fires, c->trigger);
        if (c->trigger == 0)
            continue;
        if (!by || !find_trigger(f->oneshot, f->oneshots, c->trigger))
            return swq_lines_fail(f->lines, "trigger %lu is waited for, but %s",
                                  (unsigned long)c->trigger,
                                  by ? "not declared" : "no connection fires it");
        c->before = by->place;
    }
    return SWQ_OK;
}

/* Counts the connections before each one. Each connection is passed at most twice. */
static swq_status find_depths(htsim_file *f)
{
    htsim_connection *c = f->connection;

    for (uint64_t k = 0; k < f->count; k++) {
        uint64_t steps = 0, last = k;
        while (c[last].before != NOBODY && c[last].depth == 0) {
            last = c[last].before;
            if (++steps > f->count)
                return swq_lines_fail(f->lines, "connections wait for each other in a circle");
        }
        const uint64_t depth = c[last].depth + steps;
        last = k;
        for (uint64_t left = 0; left < steps; left++, last = c[last].before)
            c[last].depth = depth - left;
    }
    return SWQ_OK;
}

static int in_order(const void *a, const void *b)
{
    const htsim_connection *x = a, *y = b;

    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    if (x->flow.start != y->flow.start)
        return x->flow.start < y->flow.start ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static swq_status sort(htsim_file *f)
{
    swq_context *ctx = f->lines->ctx;
    uint64_t *number = swq_calloc(ctx, f->count + 1, sizeof *number); /* by place, from 1 */

    f->list->sorted = swq_calloc(ctx, f->count + 1, sizeof *f->list->sorted);
    if (!number || !f->list->sorted) {
        swq_free(ctx, number);
        return swq_memory_status(ctx);
    }
    if (f->count)
        qsort(f->connection, f->count, sizeof *f->connection, in_order);
    for (uint64_t k = 0; k < f->count; k++)
        number[f->connection[k].place] = k + 1;
    for (uint64_t k = 0; k < f->count; k++) {
        const htsim_connection *c = &f->connection[k];
        f->list->sorted[k] = c->flow;
        f->list->sorted[k].after = c->before == NOBODY ? 0 : number[c->before];
    }
    f->list->expected = f->count;
    swq_free(ctx, number);
    return SWQ_OK;
}

swq_status swq_flow_htsim_read(swq_flow_list *list)
{
    htsim_file f = {.list = list, .lines = &list->lines, .connections = -1};
    swq_context *ctx = list->lines.ctx;
    bool more;
    swq_status status = read_header(&f, &more);

    if (!status)
        status = read_lines(&f, more);
    if (!status)
        status = connect(&f);
    if (!status)
        status = find_depths(&f);
    if (!status)
        status = sort(&f);
    swq_free(ctx, f.connection);
    swq_free(ctx, f.oneshot);
    swq_free(ctx, f.fired);
    return status;
}
