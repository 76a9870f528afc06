/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes trees (tree.h) of libyaml's events, strictly: a repeated key, a list as a key, a control
 * character or an alias to a node that contains the alias is an error with its line. Events come
 * one at a time, so that a file that is too deep or too large is refused at the line where it
 * exceeds the limit: libyaml's own trees take time that grows with the square of depth and of
 * anchors.
 * The one file that sees libyaml.
 */
#include "base/context.h"
#include "study/tree.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum {
    DEEPEST = 32,
    MOST_DOCUMENTS = 1000,
    MOST_KEYS = 1000,    /* of one map */
    MOST_ANCHORS = 1000, /* of one document */
    MOST_NODES = 1 << 21 /* of all documents */
};

typedef struct {
    char *name;
    swq_node *node;
    bool under_way;
} anchor;

typedef struct {
    swq_context *ctx;
    const char *path;
    swq_arena *arena;
    yaml_parser_t parser;
    swq_node **stack; /* [room] children of the unfinished lists and maps */
    size_t top, room;
    anchor anchor[MOST_ANCHORS]; /* of the current document */
    int anchors, nodes;
} yaml_reader;

static swq_status complain(const yaml_reader *r, size_t line, const char *what)
{
    return swq_fail(r->ctx, SWQ_EINVAL, "%.150s, line %zu: %s", r->path, line + 1, what);
}

static swq_status explain(const yaml_reader *r)
{
    const yaml_parser_t *parser = &r->parser;

    if (parser->error == YAML_MEMORY_ERROR)
        return swq_fail(r->ctx, SWQ_ENOMEM, "no memory to read '%.150s'", r->path);
    if (parser->error == YAML_READER_ERROR)
        return swq_fail(r->ctx, SWQ_EINVAL, "%.150s, byte %zu: %s", r->path, parser->problem_offset,
                        parser->problem ? parser->problem : "not UTF-8");
    return swq_fail(r->ctx, SWQ_EINVAL, "%.150s, line %zu: %s%s%s", r->path,
                    parser->problem_mark.line + 1, parser->problem ? parser->problem : "no YAML",
                    parser->context ? " " : "", parser->context ? parser->context : "");
}

/* The next event, which the caller deletes after success. */
static swq_status next_event(yaml_reader *r, yaml_event_t *event)
{
    if (swq_context_cancelled(r->ctx))
        return swq_fail(r->ctx, SWQ_ECANCELLED, "interrupted while reading '%.150s'", r->path);
    return yaml_parser_parse(&r->parser, event) ? SWQ_OK : explain(r);
}

/* ---- anchors and their nodes ---- */

static anchor *find_anchor(yaml_reader *r, const yaml_char_t *name)
{
    for (int k = 0; k < r->anchors; k++) {
        if (strcmp(r->anchor[k].name, (const char *)name) == 0)
            return &r->anchor[k];
    }
    return NULL;
}

/* *place is -1 for a node without an anchor. */
static swq_status add_anchor(yaml_reader *r, const yaml_char_t *name, size_t line, swq_node *node,
                             int *place)
{
    *place = -1;
    if (!name)
        return SWQ_OK;
    if (find_anchor(r, name))
        return complain(r, line, "found duplicate anchor");
    if (r->anchors == MOST_ANCHORS)
        return complain(r, line, "more than 1000 anchors");
    char *copy = swq_arena_text(r->ctx, r->arena, (const char *)name, strlen((const char *)name));
    if (!copy)
        return swq_memory_status(r->ctx);
    *place = r->anchors++;
    r->anchor[*place] = (anchor){.name = copy, .node = node, .under_way = true};
    return SWQ_OK;
}

static swq_status read_alias(yaml_reader *r, const yaml_event_t *event, swq_node **node)
{
    const anchor *found = find_anchor(r, event->data.alias.anchor);

    if (!found)
        return complain(r, event->start_mark.line, "found undefined alias");
    if (found->under_way)
        return complain(r, event->start_mark.line, "an alias leads back to where it stands");
    *node = found->node;
    return SWQ_OK;
}

/* ---- nodes ---- */

static swq_status read_text(yaml_reader *r, const yaml_event_t *event, swq_node *to)
{
    const char *text = (const char *)event->data.scalar.value;
    const size_t length = event->data.scalar.length;

    for (size_t k = 0; k < length; k++) {
        if ((unsigned char)text[k] < ' ' || text[k] == 0x7f)
            return complain(r, event->start_mark.line,
                            "a value is one line, without control characters");
    }
    to->kind = SWQ_NODE_TEXT;
    to->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    to->text = swq_arena_text(r->ctx, r->arena, text, length);
    return to->text ? SWQ_OK : swq_memory_status(r->ctx);
}

static swq_status push(yaml_reader *r, swq_node *node)
{
    if (r->top == r->room) {
        const size_t room = r->room ? 2 * r->room : 64;
        swq_node **grown = swq_resize(r->ctx, r->stack, room, sizeof(swq_node *));
        if (!grown)
            return swq_memory_status(r->ctx);
        r->stack = grown;
        r->room = room;
    }
    r->stack[r->top++] = node;
    return SWQ_OK;
}

static swq_status read_node(yaml_reader *r, const yaml_event_t *event, int depth, swq_node **node);

/* Pushes the children, up to the event that ends the list or map. */
static swq_status read_children(yaml_reader *r, yaml_event_type_t end, size_t most,
                                const char *too_many, int depth)
{
    const size_t bottom = r->top;

    for (;;) {
        yaml_event_t event;
        swq_node *child = NULL;
        swq_status status = next_event(r, &event);
        if (status)
            return status;
        const bool over = event.type == end;
        if (!over && r->top - bottom == most)
            status = complain(r, event.start_mark.line, too_many);
        if (!over && !status)
            status = read_node(r, &event, depth + 1, &child);
        yaml_event_delete(&event);
        if (!over && !status)
            status = push(r, child);
        if (over || status)
            return status;
    }
}

static swq_status read_list(yaml_reader *r, int depth, swq_node *to)
{
    const size_t bottom = r->top;
    swq_status status = read_children(r, YAML_SEQUENCE_END_EVENT, SIZE_MAX, "", depth);

    if (status)
        return status;
    to->kind = SWQ_NODE_LIST;
    to->count = (int)(r->top - bottom);
    to->item = swq_arena_take(r->ctx, r->arena, (size_t)to->count, sizeof(swq_node *));
    if (!to->item)
        return swq_memory_status(r->ctx);
    for (int k = 0; k < to->count; k++)
        to->item[k] = r->stack[bottom + (size_t)k];
    r->top = bottom;
    return SWQ_OK;
}

typedef struct {
    const swq_node *key;
    int place;
} placed_key;

static int by_text_and_place(const void *a, const void *b)
{
    const placed_key *one = a, *other = b;
    const int order = strcmp(one->key->text, other->key->text);

    return order ? order : (one->place > other->place) - (one->place < other->place);
}

static swq_status check_keys(const yaml_reader *r, const swq_node *map)
{
    placed_key sorted[MOST_KEYS];
    const placed_key *again = NULL;

    for (int k = 0; k < map->count; k++) {
        if (map->key[k]->kind != SWQ_NODE_TEXT)
            return complain(r, (size_t)map->key[k]->line - 1, "a key is one word");
        sorted[k] = (placed_key){map->key[k], k};
    }
    /* cppcheck-suppress uninitvar; of no keys, none is looked at */
    qsort(sorted, (size_t)map->count, sizeof *sorted, by_text_and_place);
    for (int k = 1; k < map->count; k++) {
        if (strcmp(sorted[k - 1].key->text, sorted[k].key->text) == 0 &&
            (!again || sorted[k].place < again->place))
            again = &sorted[k];
    }
    if (!again)
        return SWQ_OK;
    return swq_fail(r->ctx, SWQ_EINVAL,
                    "%.150s, line %d: '%.60s' stands twice here, first in line %d", r->path,
                    again->key->line, again->key->text, again[-1].key->line);
}

static swq_status read_map(yaml_reader *r, int depth, swq_node *to)
{
    const size_t bottom = r->top;
    swq_status status = read_children(r, YAML_MAPPING_END_EVENT, 2 * MOST_KEYS,
                                      "a map has more than 1000 keys", depth);

    if (status)
        return status;
    to->kind = SWQ_NODE_MAP;
    to->count = (int)((r->top - bottom) / 2);
    to->key = swq_arena_take(r->ctx, r->arena, (size_t)to->count, sizeof(swq_node *));
    to->item = swq_arena_take(r->ctx, r->arena, (size_t)to->count, sizeof(swq_node *));
    if (!to->key || !to->item)
        return swq_memory_status(r->ctx);
    for (int k = 0; k < to->count; k++) {
        to->key[k] = r->stack[bottom + 2 * (size_t)k];
        to->item[k] = r->stack[bottom + 2 * (size_t)k + 1];
    }
    r->top = bottom;
    return check_keys(r, to);
}

/* Reads a node. Each node is read only once, however many aliases lead to it: in a malicious file
 * the number of aliased paths grows exponentially. */
static swq_status read_node(yaml_reader *r, const yaml_event_t *event, int depth, swq_node **node)
{
    const size_t line = event->start_mark.line;
    const yaml_char_t *name = event->type == YAML_SCALAR_EVENT ? event->data.scalar.anchor
                              : event->type == YAML_SEQUENCE_START_EVENT
                                  ? event->data.sequence_start.anchor
                                  : event->data.mapping_start.anchor;
    int place;

    if (event->type == YAML_ALIAS_EVENT)
        return read_alias(r, event, node);
    if (depth > DEEPEST)
        return complain(r, line, "lists and maps stand too deep");
    if (++r->nodes > MOST_NODES)
        return complain(r, line, "more than 2 million values");
    swq_node *to = swq_arena_take(r->ctx, r->arena, 1, sizeof *to);
    if (!to)
        return swq_memory_status(r->ctx);
    to->line = (int)line + 1;
    *node = to;
    swq_status status = add_anchor(r, name, line, to, &place);
    if (!status && event->type == YAML_SCALAR_EVENT)
        status = read_text(r, event, to);
    else if (!status && event->type == YAML_SEQUENCE_START_EVENT)
        status = read_list(r, depth, to);
    else if (!status)
        status = read_map(r, depth, to);
    if (!status && place >= 0)
        r->anchor[place].under_way = false;
    return status;
}

/* ---- documents ---- */

static swq_status read_documents(yaml_reader *r, swq_node **document, int *count)
{
    swq_status status = SWQ_OK;

    for (bool more = true; more && !status;) {
        yaml_event_t event = {.type = YAML_NO_EVENT};
        status = next_event(r, &event);
        if (status)
            break;
        const bool begins = event.type == YAML_DOCUMENT_START_EVENT,
                   root = !begins && event.type != YAML_STREAM_START_EVENT &&
                          event.type != YAML_DOCUMENT_END_EVENT;
        more = event.type != YAML_STREAM_END_EVENT;
        if (begins)
            r->anchors = 0;
        if (begins && *count == MOST_DOCUMENTS)
            status = complain(r, event.start_mark.line, "more than 1000 documents");
        else if (root && more)
            status = read_node(r, &event, 0, &document[(*count)++]);
        yaml_event_delete(&event);
    }
    return status;
}

swq_status swq_yaml_read(swq_context *ctx, const char *path, const char *text, size_t size,
                         swq_arena *arena, swq_node ***document, int *documents)
{
    yaml_reader *r = swq_calloc(ctx, 1, sizeof *r);
    swq_status status = SWQ_OK;

    *documents = 0;
    *document = r ? swq_arena_take(ctx, arena, MOST_DOCUMENTS, sizeof(swq_node *)) : NULL;
    if (!*document) {
        swq_free(ctx, r);
        return swq_memory_status(ctx);
    }
    r->ctx = ctx;
    r->path = path;
    r->arena = arena;
    if (yaml_parser_initialize(&r->parser)) {
        yaml_parser_set_input_string(&r->parser, (const unsigned char *)text, size);
        status = read_documents(r, *document, documents);
    } else {
        status = swq_fail(ctx, SWQ_ENOMEM, "no memory to read '%.150s'", path);
    }
    yaml_parser_delete(&r->parser);
    swq_free(ctx, r->stack);
    swq_free(ctx, r);
    return status;
}

const swq_node *swq_node_at(const swq_node *map, const char *key)
{
    for (int k = 0; k < map->count; k++) {
        if (strcmp(map->key[k]->text, key) == 0)
            return map->item[k];
    }
    return NULL;
}
