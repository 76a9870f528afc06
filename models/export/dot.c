/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Graphviz DOT, for chains small enough to look at.
 */
#include "models/export/formats.h"

static void write_dot(FILE *stream, const swq_export_data *d)
{
    char text[512];

    fputs("digraph chain {\n    node [shape=box, fontname=\"monospace\"];\n", stream);
    for (int64_t s = 0; s < d->p->rows; s++)
        fprintf(stream, "    s%lld [label=\"%s\"%s];\n", (long long)s,
                swq_chain_state_text(d->chain, s, text, sizeof text),
                swq_export_full(d, s) ? ", style=filled, fillcolor=\"#f4c7c3\"" : "");
    for (int64_t s = 0; s < d->p->rows; s++) {
        for (int64_t e = d->p->start[s]; e < d->p->start[s + 1]; e++)
            fprintf(stream, "    s%lld -> s%d [label=\"%.4g\"];\n", (long long)s, d->p->col[e],
                    d->p->value[e]);
    }
    fputs("}\n", stream);
}

static const swq_export_part parts[] = {{".dot", write_dot}, {NULL, NULL}};

const swq_export_format swq_export_dot = {
    .name = "dot",
    .summary = "Graphviz DOT, for at most 200 states",
    .most_states = 200,
    .part = parts,
};
