/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contents of a study's file before they are understood: texts, lists and maps, with their
 * lines.
 * study/yaml.c alone sees libyaml.
 */
#ifndef SWQ_STUDY_TREE_H
#define SWQ_STUDY_TREE_H

#include "study/arena.h"

typedef enum swq_node_kind { SWQ_NODE_TEXT, SWQ_NODE_LIST, SWQ_NODE_MAP } swq_node_kind;

typedef struct swq_node {
    swq_node_kind kind;
    int line;   /* from 1 */
    bool plain; /* a text without quotes around it */
    const char *text;
    int count;              /* of a list's items, or of a map's keys */
    struct swq_node **item; /* the items, or the values */
    struct swq_node **key;  /* a map's keys, all different texts */
} swq_node;

/* Reads the documents of a YAML text (JSON is a subset); `path` is for messages. An alias becomes
 * the node that it refers to, so the tree may share branches, but it has no cycle. Limits: lists
 * and maps nested 32 deep, 1000 keys in a map, 1000 anchors in a document, 2^21 nodes in all.
 * Errors: SWQ_EINVAL naming file and line; SWQ_ENOMEM; SWQ_ECANCELLED. O(size log keys). */
swq_status swq_yaml_read(swq_context *ctx, const char *path, const char *text, size_t size,
                         swq_arena *arena, swq_node ***document, int *documents);

/* The value of a key; NULL: there is none. */
const swq_node *swq_node_at(const swq_node *map, const char *key);

#endif
