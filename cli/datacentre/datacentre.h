/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim --architecture shared-memory: options into a typed question, and its answer as a
 * record.
 */
#ifndef SWQ_CLI_DATACENTRE_H
#define SWQ_CLI_DATACENTRE_H

#include "base/units.h"
#include "cli/options/parameter.h"
#include "cli/runner/runner.h"
#include "switchq/datacentre.h"

/* What options ask for. */
typedef struct cli_datacentre {
    swq_dc dc;
    swq_dc_options options;
    swq_dc_arrival *trace;
    swq_dc_fate *fate;                   /* for --fates-out */
    swq_dc_graph *graph;                 /* of --topology graph:FILE, or NULL */
    swq_dc_film film;                    /* for --watch */
    const char *watch_path;              /* NULL: not wanted */
    const char *fates_path, *flows_path; /* NULL: not wanted; flows_path without its format */
    cli_format format;
} cli_datacentre;

extern struct poptOption cli_datacentre_options[];

/* Does --architecture ask for shared memories? */
bool cli_datacentre_asked(void);

/* Reads all options; clear it even after an error. Errors: SWQ_EINVAL naming the option, its value
 * and what is allowed; those of files. */
swq_status cli_datacentre_read(swq_context *ctx, cli_datacentre *d);
/* Reads the options that describe a switch and its network; the rest has its defaults. Clear
 * it even after an error. */
swq_status cli_datacentre_read_switch(swq_context *ctx, cli_datacentre *d);
void cli_datacentre_clear(swq_context *ctx, cli_datacentre *d);

/* The group `model` of an answer: what cli_datacentre_read_switch read. */
void cli_datacentre_put_switch(cli_record *root, const cli_datacentre *d);

/* ---- links.c ---- */

/* The end of a line: a host, or a port of a switch, as "core-a:2" or "leaf 0:2". */
enum { CLI_DC_END_NAME = 100 };
void cli_datacentre_end_name(const swq_dc *dc, bool host, uint32_t number, uint32_t port,
                             char name[CLI_DC_END_NAME]);

/* The list `links` of a result, if it was asked for. */
void cli_datacentre_put_links(cli_record *result, const swq_dc *dc, const swq_dc_result *r);

/* ---- memories.c ---- */

/* The list `by_memory` of a result, where switches have several. */
void cli_datacentre_put_memories(cli_record *result, const swq_dc_result *r);

/* ---- windows.c ---- */

/* The list `series` of a result, if it was asked for. */
void cli_datacentre_put_windows(cli_record *result, const swq_dc *dc, const swq_dc_result *r);

/* ---- sender.c ---- */

enum { CLI_DC_SENDER_TEXT = 400, CLI_DC_SENDERS_TEXT = SWQ_DC_CLASSES * CLI_DC_SENDER_TEXT };

/* Has a class a sender of which this holds? */
bool cli_dc_any_sender(const swq_dc *dc, bool (*holds)(const swq_dc_sender *sender));
bool cli_dc_is_acknowledged(const swq_dc_sender *sender);
bool cli_dc_is_windowed(const swq_dc_sender *sender);
bool cli_dc_is_delay(const swq_dc_sender *sender);
/* The names of the senders of all classes, with + between them, or of the one of all. Returns
 * text. */
const char *cli_dc_sender_names(const swq_dc *dc, char text[CLI_DC_SENDERS_TEXT]);
/* A sender and all its parameters, as --sender takes them; `value` is that of the first one. A
 * value as --sender takes it. Return text. */
const char *cli_dc_sender_words(const swq_dc_sender *sender, const double *value,
                                char text[CLI_DC_SENDER_TEXT]);
const char *cli_dc_sender_value(const swq_dc_sender_parameter *parameter, double value,
                                char text[SWQ_UNITS_TEXT]);

/* An answer. */
void cli_datacentre_answer(cli_record *root, const cli_datacentre *d, const swq_dc_result *r);

#endif
