/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * DRN, the explicit format of Storm. Single spaces throughout: its parser takes positions
 * literally.
 */
#include "models/export/formats.h"

static void write_drn(FILE *stream, const swq_export_data *d)
{
    fprintf(stream,
            "@type: DTMC\n@value_type: double\n@parameters\n\n@reward_models\nrefused\n"
            "@nr_states\n%lld\n@nr_choices\n%lld\n@model\n",
            (long long)d->p->rows, (long long)d->p->rows);
    for (int64_t s = 0; s < d->p->rows; s++) {
        fprintf(stream, "state %lld [%.17g]%s%s\n\taction 0 [0]\n", (long long)s,
                swq_export_refused(d, s), s == 0 ? " init" : "",
                swq_export_full(d, s) ? " full" : "");
        for (int64_t e = d->p->start[s]; e < d->p->start[s + 1]; e++)
            fprintf(stream, "\t\t%d : %.17g\n", d->p->col[e], d->p->value[e]);
    }
}

static const swq_export_part parts[] = {{".drn", write_drn}, {NULL, NULL}};

const swq_export_format swq_export_drn = {
    .name = "drn",
    .summary = "DRN, the explicit format of Storm",
    .part = parts,
};
