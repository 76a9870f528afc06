/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A chain in the formats that other tools read.
 */
#ifndef SWITCHQ_EXPORT_H
#define SWITCHQ_EXPORT_H

#include "switchq/chain.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* What a format's writers get: the spec, its chain and its matrix P. A source format gets only the
 * spec. */
typedef struct swq_export_data {
    const swq_switch *sw;
    const swq_chain *chain;
    const swq_csr *p;
} swq_export_data;

/* One file of a format. */
typedef struct swq_export_part {
    const char *suffix; /* with its dot; NULL ends the list */
    void (*write)(FILE *stream, const swq_export_data *data);
} swq_export_part;

/* One row of the table of formats. */
typedef struct swq_export_format {
    const char *name;
    const char *summary;
    int64_t most_states; /* 0: any number */
    bool source;         /* writes the rules of the switch, not its chain: no state is generated */
    /* Can the format express this spec? Errors: SWQ_EINVAL, with a message that names what the
     * format can express. If the function is NULL, the format can express any spec. */
    swq_status (*check)(swq_context *ctx, const swq_switch *sw);
    const swq_export_part *part;
} swq_export_format;

/* All formats, ended by NULL. */
extern const swq_export_format *const swq_export_formats[];

/* The row of that name. Errors: SWQ_EINVAL for an unknown name (suggesting the nearest). */
swq_status swq_export_find(swq_context *ctx, const char *name, const swq_export_format **format);

/* Write the chain to path plus the suffix of each part (if the format has one part: to `path`
 * itself if `path` ends with the suffix, and to standard output if `path` is "-"). Either all files
 * appear, or none. Errors: SWQ_ELIMIT for more states than the format takes; SWQ_EINVAL for "-"
 * with several parts; SWQ_EIO; SWQ_ENOMEM. */
swq_status swq_export_write(swq_context *ctx, const swq_chain *chain,
                            const swq_export_format *format, const char *path);

/* Write the file of a source format, which needs a checked spec and no chain; path as in
 * swq_export_write. Errors: as above; SWQ_EINVAL for a format of chains, or a spec that the format
 * cannot express. */
swq_status swq_export_write_source(swq_context *ctx, const swq_switch *sw,
                                   const swq_export_format *format, const char *path);

/* Write, as CSV, for every state of the full chain the number of the state of the reduced chain
 * that stands for it, and its words: "state,orbit,len0_0,...". Both must be chains of the same
 * switch; states are numbered as in swq_export_write. Errors: SWQ_EINVAL if they are not; SWQ_EIO,
 * SWQ_ENOMEM. O(states of the full chain). */
swq_status swq_export_map(swq_context *ctx, swq_chain *reduced, const swq_chain *full,
                          const char *path);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
