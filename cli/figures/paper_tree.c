/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A file of a paper as a tree: texts and numbers of it, and mistakes with their lines.
 */
#include "cli/figures/paper_files.h"

#include "base/context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

swq_status cli_paper_complain(const cli_paper_tree *t, const swq_node *node, const char *what,
                              const char *text)
{
    return swq_fail(t->ctx, SWQ_EINVAL, "%.150s, line %d: %s%s%.60s%s", t->path,
                    node ? node->line : 1, what, text ? " '" : "", text ? text : "",
                    text ? "'" : "");
}

/* A key of the figure or, if it has none, of its paper. */
const swq_node *cli_paper_key_of(const cli_paper_tree *t, const char *key)
{
    const swq_node *own = swq_node_at(t->figure, key);

    return own || !t->paper ? own : swq_node_at(t->paper, key);
}

/* A text, in which "$NAME" alone stands for a text among the paper's `words`. */
swq_status cli_paper_text_at(const cli_paper_tree *t, const swq_node *node, const char **text)
{
    if (!node)
        return SWQ_OK;
    if (node->kind != SWQ_NODE_TEXT)
        return cli_paper_complain(t, node, "this must be a text", NULL);
    *text = node->text;
    if (*node->text != '$')
        return SWQ_OK;
    const swq_node *words = cli_paper_key_of(t, "words");
    const swq_node *word = words ? swq_node_at(words, node->text + 1) : NULL;
    if (!word || word->kind != SWQ_NODE_TEXT)
        return cli_paper_complain(t, node, "`words` does not have", node->text + 1);
    *text = word->text;
    return SWQ_OK;
}

swq_status cli_paper_text_of(const cli_paper_tree *t, const swq_node *map, const char *key,
                             const char **text)
{
    return map && map->kind == SWQ_NODE_MAP ? cli_paper_text_at(t, swq_node_at(map, key), text)
                                            : SWQ_OK;
}

swq_status cli_paper_number_at(const cli_paper_tree *t, const swq_node *node, double *number)
{
    char *end;

    if (!node)
        return SWQ_OK;
    const double value = node->kind == SWQ_NODE_TEXT ? strtod(node->text, &end) : NAN;
    if (node->kind != SWQ_NODE_TEXT || end == node->text || *end || !isfinite(value))
        return cli_paper_complain(t, node, "this must be a number, not",
                                  node->kind == SWQ_NODE_TEXT ? node->text : "a list");
    *number = value;
    return SWQ_OK;
}

swq_status cli_paper_number_of(const cli_paper_tree *t, const swq_node *map, const char *key,
                               double *number)
{
    return map ? cli_paper_number_at(t, swq_node_at(map, key), number) : SWQ_OK;
}

swq_status cli_paper_need(const cli_paper_tree *t, const swq_node *node, swq_node_kind kind,
                          const char *what)
{
    if (node && node->kind == kind)
        return SWQ_OK;
    return cli_paper_complain(t, node ? node : t->figure,
                              kind == SWQ_NODE_MAP ? "a map must be at" : "a list must be at",
                              what);
}

/* Refuses keys that mean nothing. */
swq_status cli_paper_known_keys(const cli_paper_tree *t, const swq_node *map,
                                const char *const *keys)
{
    for (int k = 0; k < map->count; k++) {
        const char *const *known = keys;
        while (*known && strcmp(*known, map->key[k]->text) != 0)
            known++;
        if (!*known)
            return cli_paper_complain(t, map->key[k], "there is no key", map->key[k]->text);
    }
    return SWQ_OK;
}

void *cli_paper_take(cli_paper_tree *t, int count, size_t size)
{
    return swq_arena_take(t->ctx, &t->arena, (size_t)(count > 0 ? count : 1), size);
}
