/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a study's file says, before it is understood: texts, lists and maps, with their lines.
 * Room: study. study/yaml.c alone sees libyaml.
 */
#ifndef SWQ_STUDY_TREE_H
#define SWQ_STUDY_TREE_H

#include "study/arena.h"

typedef enum swq_node_kind { SWQ_NODE_TEXT, SWQ_NODE_LIST, SWQ_NODE_MAP } swq_node_kind;

typedef struct swq_node {
    swq_node_kind kind;
    int line;   /* from 1 */
    bool plain; /* a text without quotes */
    const char *text;
    int count;              /* of a list's items, or of a map's keys */
    struct swq_node **item; /* the items, or the values */
    struct swq_node **key;  /* a map's keys, texts all different */
} swq_node;

/* The documents of a YAML text (of which JSON is a part); `path` is for messages. An alias is the
 * node that it stands for, so the tree may have branches in common, but no cycle. At most 32 lists
 * and maps stand in one another, 1000 keys in a map, 1000 anchors in a document, 2^21 nodes in all.
 * Errors: SWQ_EINVAL naming file and line; SWQ_ENOMEM; SWQ_ECANCELLED. O(size log keys). */
swq_status swq_yaml_read(swq_context *ctx, const char *path, const char *text, size_t size,
                         swq_arena *arena, swq_node ***document, int *documents);

/* The value behind a key; NULL: there is none. */
const swq_node *swq_node_at(const swq_node *map, const char *key);

#endif
