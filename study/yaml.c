/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libyaml's documents as trees of ours, strictly: a key twice, a list as a key, a control character
 * or an alias to what it stands in are errors with their line.
 * Room: study. The one file that sees libyaml.
 */
#include "base/context.h"
#include "study/tree.h"

#include <stdio.h>
#include <string.h>
#include <yaml.h>

enum { DEEPEST = 32, MOST_DOCUMENTS = 1000 };

typedef struct {
    swq_context *ctx;
    const char *path;
    swq_arena *arena;
    yaml_document_t *document;
    swq_node **made; /* by libyaml's number of the node, from 1 */
    bool *under_way;
} reader;

static swq_status complain(const reader *r, size_t line, const char *what)
{
    return swq_fail(r->ctx, SWQ_EINVAL, "%.150s, line %zu: %s", r->path, line + 1, what);
}

static swq_status convert(reader *r, int number, int depth, swq_node **node);

static swq_status convert_text(reader *r, const yaml_node_t *from, swq_node *to)
{
    const char *text = (const char *)from->data.scalar.value;
    const size_t length = from->data.scalar.length;

    for (size_t k = 0; k < length; k++) {
        if ((unsigned char)text[k] < ' ' || text[k] == 0x7f)
            return complain(r, from->start_mark.line,
                            "a value is one line, without control characters");
    }
    to->kind = SWQ_NODE_TEXT;
    to->plain = from->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    to->text = swq_arena_text(r->ctx, r->arena, text, length);
    return to->text ? SWQ_OK : swq_memory_status(r->ctx);
}

static swq_status convert_list(reader *r, const yaml_node_t *from, int depth, swq_node *to)
{
    const yaml_node_item_t *start = from->data.sequence.items.start;
    swq_status status = SWQ_OK;

    to->kind = SWQ_NODE_LIST;
    to->count = (int)(from->data.sequence.items.top - start);
    to->item = swq_arena_take(r->ctx, r->arena, (size_t)to->count, sizeof(swq_node *));
    if (!to->item)
        return swq_memory_status(r->ctx);
    for (int k = 0; k < to->count && !status; k++)
        status = convert(r, start[k], depth + 1, &to->item[k]);
    return status;
}

static swq_status check_key(const reader *r, const swq_node *map, int k)
{
    const swq_node *key = map->key[k];

    if (key->kind != SWQ_NODE_TEXT)
        return complain(r, (size_t)key->line - 1, "a key is one word");
    for (int earlier = 0; earlier < k; earlier++) {
        if (strcmp(map->key[earlier]->text, key->text) == 0)
            return swq_fail(r->ctx, SWQ_EINVAL,
                            "%.150s, line %d: '%.60s' stands twice here, first in line %d", r->path,
                            key->line, key->text, map->key[earlier]->line);
    }
    return SWQ_OK;
}

static swq_status convert_map(reader *r, const yaml_node_t *from, int depth, swq_node *to)
{
    const yaml_node_pair_t *start = from->data.mapping.pairs.start;
    swq_status status = SWQ_OK;

    to->kind = SWQ_NODE_MAP;
    to->count = (int)(from->data.mapping.pairs.top - start);
    to->key = swq_arena_take(r->ctx, r->arena, (size_t)to->count, sizeof(swq_node *));
    to->item = swq_arena_take(r->ctx, r->arena, (size_t)to->count, sizeof(swq_node *));
    if (!to->key || !to->item)
        return swq_memory_status(r->ctx);
    for (int k = 0; k < to->count && !status; k++) {
        status = convert(r, start[k].key, depth + 1, &to->key[k]);
        if (!status)
            status = check_key(r, to, k);
        if (!status)
            status = convert(r, start[k].value, depth + 1, &to->item[k]);
    }
    return status;
}

/* Each node once, however many aliases lead to it: their number grows exponentially in a bad file.
 */
static swq_status convert(reader *r, int number, int depth, swq_node **node)
{
    const yaml_node_t *from = yaml_document_get_node(r->document, number);
    swq_status status = SWQ_OK;

    if (!from || depth > DEEPEST)
        return complain(r, from ? from->start_mark.line : 0, "lists and maps stand too deep");
    if (r->under_way[number])
        return complain(r, from->start_mark.line, "an alias leads back to where it stands");
    if (r->made[number]) {
        *node = r->made[number];
        return SWQ_OK;
    }
    swq_node *to = swq_arena_take(r->ctx, r->arena, 1, sizeof *to);
    if (!to)
        return swq_memory_status(r->ctx);
    to->line = (int)from->start_mark.line + 1;
    r->under_way[number] = true;
    if (from->type == YAML_SCALAR_NODE)
        status = convert_text(r, from, to);
    else if (from->type == YAML_SEQUENCE_NODE)
        status = convert_list(r, from, depth, to);
    else
        status = convert_map(r, from, depth, to);
    r->under_way[number] = false;
    r->made[number] = *node = to;
    return status;
}

static swq_status convert_document(reader *r, swq_node **root)
{
    const size_t nodes = (size_t)(r->document->nodes.top - r->document->nodes.start) + 1;

    r->made = swq_calloc(r->ctx, nodes, sizeof(swq_node *));
    r->under_way = swq_calloc(r->ctx, nodes, sizeof *r->under_way);
    swq_status status =
        r->made && r->under_way ? convert(r, 1, 0, root) : swq_memory_status(r->ctx);
    swq_free(r->ctx, r->made);
    swq_free(r->ctx, r->under_way);
    return status;
}

static swq_status explain(const reader *r, const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return swq_fail(r->ctx, SWQ_ENOMEM, "no memory to read '%.150s'", r->path);
    if (parser->error == YAML_READER_ERROR)
        return swq_fail(r->ctx, SWQ_EINVAL, "%.150s, byte %zu: %s", r->path, parser->problem_offset,
                        parser->problem ? parser->problem : "not UTF-8");
    return swq_fail(r->ctx, SWQ_EINVAL, "%.150s, line %zu: %s%s%s", r->path,
                    parser->problem_mark.line + 1, parser->problem ? parser->problem : "no YAML",
                    parser->context ? " " : "", parser->context ? parser->context : "");
}

swq_status swq_yaml_read(swq_context *ctx, const char *path, const char *text, size_t size,
                         swq_arena *arena, swq_node ***document, int *documents)
{
    reader r = {.ctx = ctx, .path = path, .arena = arena};
    yaml_parser_t parser;
    swq_status status = SWQ_OK;
    bool more = true;
    int count = 0;

    *document = swq_arena_take(ctx, arena, MOST_DOCUMENTS, sizeof(swq_node *));
    if (!*document)
        return swq_memory_status(ctx);
    if (!yaml_parser_initialize(&parser))
        return swq_fail(ctx, SWQ_ENOMEM, "no memory to read '%.150s'", path);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    while (more && !status) {
        yaml_document_t loaded;
        if (!yaml_parser_load(&parser, &loaded)) {
            status = explain(&r, &parser);
            break;
        }
        more = yaml_document_get_root_node(&loaded) != NULL;
        r.document = &loaded;
        if (more && count == MOST_DOCUMENTS)
            status = complain(&r, parser.mark.line, "more than 1000 documents");
        else if (more)
            status = convert_document(&r, &(*document)[count++]);
        yaml_document_delete(&loaded);
    }
    yaml_parser_delete(&parser);
    *documents = count;
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
