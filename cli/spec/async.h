/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The spec of an asynchronous network on the command line: cli/spec/async.c reads the network,
 * cli/spec/async_traffic.c its senders.
 * Room: cli.
 */
#ifndef SWQ_CLI_ASYNC_H
#define SWQ_CLI_ASYNC_H

#include "cli/record/record.h"
#include "cli/spec/network.h"
#include "sim/trace_files.h"
#include "switchq/async.h"
#include "switchq/benchmark.h"

/* What no other engine has. */
extern struct poptOption cli_async_options[];

/* Included in them. */
extern struct poptOption cli_architecture_options[], cli_flow_options[], cli_management_options[],
    cli_routing_options[], cli_benchmark_options[], cli_sender_options[], cli_stores_options[],
    cli_lanes_options[], cli_cells_options[], cli_saqs_options[];

/* The words of --release, by enum value. */
extern const char *const cli_release_words[];
extern const char *const cli_refused_words[];

/* The words of --credit-unit, by enum value. */
extern const char *const cli_credit_unit_words[];

typedef struct cli_async {
    swq_async network;  /* its groups and its trace are those below */
    swq_fabric fabric;  /* counted, not laid out */
    const char *buffer; /* its row's name; NULL with a management, or stores of an architecture's */
    int bytes;          /* of an input port, in flits as the network's */
    int flit;           /* bytes that a link carries in a cycle: the network's byte */
    int grown_inputs, grown_outputs; /* bytes that a management's queues are too many for; or 0 */
    bool default_threshold;          /* of a fabric that would deadlock without one */
    swq_sender_group group[SWQ_MAX_SENDER_GROUPS];
    double load[SWQ_MAX_SENDER_GROUPS]; /* of each group; NAN: its interval was given */
    bool grouped;                       /* by --group, or by a benchmark that has several */
    const swq_benchmark *benchmark;     /* or NULL; with one: */
    char group_name[SWQ_MAX_SENDER_GROUPS][8];
    double share;      /* the load of all senders but G_NUT's */
    uint32_t hot_link; /* as in swq_benchmark_groups */
    const char *trace_path;
    swq_trace_messages trace;
    const char *circuits_path;
    swq_circuit *circuit;
} cli_async;

/* Read and check all. CLI_LOAD_OPEN: for --find-saturation, which needs one group and no load.
 * Free with cli_async_clear. */
swq_status cli_async_read(swq_context *ctx, cli_async *n, cli_load load);
void cli_async_clear(cli_async *n);

/* The groups of the options and of --group, whose network is known; and the trace, if --traffic
 * names one. */
swq_status cli_async_traffic(swq_context *ctx, cli_async *n, char *const *groups, cli_load load);

/* The groups of --benchmark, if it is given; else nothing. Errors: SWQ_EINVAL naming the option. */
swq_status cli_benchmark_read(swq_context *ctx, cli_async *n, cli_load load);

/* In words, as far as they fit: "geometric:30"; "0.03*node:0@32+0.97*uniform@32", as it may be
 * given too; "load 0.5, traffic uniform@32, hold sources". */
void cli_interval_words(const cli_async *n, int group, char *text, size_t size);
void cli_traffic_words(const cli_async *n, int group, char *text, size_t size);
void cli_group_words(const cli_async *n, int group, char *text, size_t size);
/* The senders of a group: "nodes & 0xfc = 0xfc". */
void cli_group_members(const cli_async *n, int group, char *text, size_t size);

/* The network as the group `model`, and in lines of words. */
void cli_put_async(cli_record *root, const cli_async *n);

/* The same group in an item of a list, of a network that was not read from options. load: of all
 * groups but a benchmark's G_NUT. In CSV the item's row has its fields. */
void cli_put_async_of(cli_record *item, const swq_async *network, const char *buffer, int bytes,
                      double load, const char *benchmark);

/* ---- deadlocks ---- */

/* The cycle of buffers: a list in `result`, or null; and lines, of which long cycles have few, in
 * `text`. */
swq_status cli_put_deadlock(swq_context *ctx, cli_record *result, cli_record *text,
                            const cli_async *n, const swq_async_result *r);

/* --architecture, options that it lacks being refused; and what it has, the input stores having
 * been read. Errors: SWQ_EINVAL naming the option. */
swq_status cli_architecture_find(swq_context *ctx, swq_async *network);
swq_status cli_architecture_read(swq_context *ctx, const cli_async *n, swq_async *network);

/* --flit, before any length is read; and a length that was given in bytes, in flits. Errors:
 * SWQ_EINVAL naming the option. */
swq_status cli_flit_read(swq_context *ctx, cli_async *n);
swq_status cli_in_flits(swq_context *ctx, const cli_async *n, const char *option, int *bytes);

/* The stores that an architecture has of its own: options of them that it lacks are refused; what
 * they are, the memory having been read; and both said again. */
swq_status cli_stores_refuse(swq_context *ctx, const swq_architecture *row);
swq_status cli_stores_read(swq_context *ctx, cli_async *n);
void cli_put_stores(cli_record *model, const cli_async *n);
void cli_say_stores(cli_record *root, const cli_async *n);

/* Wormhole switching's lanes: options of them that an architecture lacks are refused; what they
 * are; and both said again. */
swq_status cli_lanes_refuse(swq_context *ctx, const swq_architecture *row);
swq_status cli_lanes_read(swq_context *ctx, cli_async *n);
void cli_put_lanes(cli_record *model, const swq_async *network);
void cli_say_lanes(cli_record *root, const swq_async *network);

/* ATLAS-I's credits, likewise; cli_cells_read comes after the memory has been read. */
swq_status cli_cells_refuse(swq_context *ctx, const swq_architecture *row);
swq_status cli_cells_read(swq_context *ctx, cli_async *n);
void cli_put_cells(cli_record *model, const swq_async *network);
void cli_say_cells(cli_record *root, const cli_async *n);

/* What the flow control, which has been read, is asked for beside: options that it lacks are
 * refused; and its thresholds, when the senders have been read. Errors: SWQ_EINVAL naming the
 * option. */
swq_status cli_flow_read(swq_context *ctx, swq_async *network);
swq_status cli_flow_finish(swq_context *ctx, cli_async *n);
/* --routing, part of a shape, and --choice; and both said again: `model`, and a line. */
swq_status cli_routing_read(swq_context *ctx, swq_shape *shape);
swq_status cli_choice_read(swq_context *ctx, swq_async *network);
void cli_put_routing(cli_record *model, const swq_async *network);
void cli_say_routing(cli_record *root, const cli_async *n);

/* What holds senders back: read it, and say it. */
swq_status cli_sender_read(swq_context *ctx, swq_async *network);
void cli_sender_put(cli_record *model, const cli_async *n);
void cli_sender_say(cli_record *root, const cli_async *n);

/* --management, options that it lacks being refused; and what it has, the memory having been read
 * but not been given. Errors: SWQ_EINVAL naming the option. */
swq_status cli_management_find(swq_context *ctx, swq_async *network);
swq_status cli_management_read(swq_context *ctx, cli_async *n);
bool cli_managed(const swq_async *network); /* by another one than none */
/* "dbbm, 8 queues per input port; ", and fields of the group `model`. */
void cli_management_words(const cli_async *n, char *text, size_t size);
void cli_put_management(cli_record *model, const cli_async *n);

/* A management with set-aside queues: is it one? Options of others are refused; its defaults; what
 * it has, the memory having been read; and that again. */
bool cli_set_aside(const swq_async *network);
swq_status cli_saqs_refuse(swq_context *ctx, const swq_async *network);
void cli_saqs_defaults(swq_async *network);
swq_status cli_saqs_read(swq_context *ctx, cli_async *n, const char *xoff, const char *xon);
void cli_saqs_words(const cli_async *n, char *text, size_t size);
void cli_management_grow_outputs(cli_async *n); /* the architecture has been read */
void cli_say_grown(cli_record *root, const cli_async *n);
void cli_put_saqs(cli_record *model, const swq_async *network);
/* Interfaces of nodes: can they be asked for, and are there any? Reading, and saying again. */
bool cli_may_have_interfaces(const swq_async *network);
bool cli_has_interfaces(const swq_async *network);
swq_status cli_interface_read(swq_context *ctx, swq_async *network);
void cli_say_interfaces(cli_record *root, const cli_async *n);
void cli_put_interfaces(cli_record *model, const swq_async *network);
/* What became of set-aside queues in a run. */
void cli_put_saq_use(cli_record *result, const swq_async *network, const swq_async_result *r);

#endif
