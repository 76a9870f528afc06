/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The formats, and what they share.
 */
#ifndef SWQ_MODELS_EXPORT_H
#define SWQ_MODELS_EXPORT_H

#include "switchq/export.h"

extern const swq_export_format swq_export_prism, swq_export_drn, swq_export_mtx, swq_export_dot,
    swq_export_prism_source;

/* The text of part k of a format that writes a spec, freed with swq_free. Errors: those of
 * swq_export_write_source, but for files. */
swq_status swq_export_source_text(swq_context *ctx, const swq_switch *sw,
                                  const swq_export_format *format, int part, char **text);

/* The reward that is exported: the expected number of packets refused in a cycle from a state, at
 * all inputs together. */
double swq_export_refused(const swq_export_data *data, int64_t state);

/* Has some buffer no free slot in the state? */
bool swq_export_full(const swq_export_data *data, int64_t state);

#endif
