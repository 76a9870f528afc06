/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The spec of an asynchronous network on the command line: cli/spec/async.c reads the network,
 * cli/spec/async_traffic.c its senders.
 */
#ifndef SWQ_CLI_ASYNC_H
#define SWQ_CLI_ASYNC_H

#include "cli/options/parameter.h"
#include "cli/spec/network.h"
#include "sim/traffic/trace_files.h"
#include "switchq/async.h"
#include "switchq/benchmark.h"

/* Options that only this engine has. */
extern struct poptOption cli_async_options[];

/* The text that was given for an option of an asynchronous network; NULL: none was given. */
const char *cli_async_text(const char *option);

/* The parameters of its parts. */
extern cli_parameter cli_shape_parameters[], cli_size_parameters[], cli_architecture_parameters[],
    cli_flit_parameters[], cli_stores_parameters[], cli_lanes_parameters[], cli_cells_parameters[],
    cli_flow_parameters[], cli_late_flow_parameters[], cli_sender_parameters[],
    cli_management_parameters[], cli_saqs_parameters[], cli_interface_parameters[],
    cli_routing_parameters[], cli_choice_parameters[], cli_benchmark_parameters[],
    cli_memory_parameters[], cli_packets_parameters[], cli_links_parameters[],
    cli_senders_parameters[];

/* The options that choose a topology, an architecture, a flow control and a management, for a
 * cli_async. */
extern const cli_owner cli_by_topology, cli_by_architecture, cli_by_flow, cli_by_management,
    cli_by_routing;

/* Command lines of docs/defaults.md. */
#define CLI_ATLAS_LINE   "sim --engine async --architecture atlas"
#define CLI_RECN_IQ_LINE "sim --engine async --management recn-iq"
#define CLI_RECN_LINE    "sim --engine async --management recn"

/* The words of --release, by enum value. */
extern const char *const cli_release_words[];

enum { CLI_MOST_MATRICES = 16 };

typedef struct cli_async {
    swq_async network; /* the groups and the trace are those below */
    swq_fabric fabric; /* counted, not laid out */
    /* its row's name; NULL: a management or an architecture has its own memory */
    const char *buffer;
    int bytes;        /* of an input port, in flits as in the network */
    int flit;         /* bytes that a link carries in a cycle, one "byte" of the network */
    int output_bytes; /* of the buffer before a link, in flits */
    /* bytes that the queues of a management need, if more than given; else 0 */
    int grown_inputs, grown_outputs;
    bool default_threshold; /* the threshold is the default of a fabric that would deadlock without
                               a threshold */
    swq_sender_group group[SWQ_MAX_SENDER_GROUPS];
    double load[SWQ_MAX_SENDER_GROUPS]; /* of each group; NAN: an interval was given */
    bool grouped;                       /* by --group, or by a benchmark with several groups */
    const swq_benchmark *benchmark;     /* NULL: none; else: */
    char group_name[SWQ_MAX_SENDER_GROUPS][8];
    double share;      /* the load of all senders except G_NUT's */
    uint32_t hot_link; /* as in swq_benchmark_groups */
    /* files of destinations, the messages' matrices, and of loads of each node */
    cli_matrix *matrix[CLI_MOST_MATRICES];
    double *node_load[SWQ_MAX_SENDER_GROUPS];
    char *load_file[SWQ_MAX_SENDER_GROUPS];
    bool some_load;         /* some group has a load of each node */
    bool deadlock_allowed;  /* lanes may wait in a circle */
    const char *trace_path; /* or the words of a collective operation */
    swq_trace_messages trace;
    const struct swq_collective *collective; /* the operation whose messages these are, or NULL; */
    uint64_t collective_bytes;               /* of this many bytes, */
    uint32_t *phase;                         /* [trace.messages] in these phases */
    const char *circuits_path;
    swq_circuit *circuit;
    struct swq_graph *graph; /* of --topology graph:FILE */
} cli_async;

/* Reads and checks everything. CLI_LOAD_OPEN: for --find-saturation, which needs one group and no
 * load. Free with cli_async_clear. */
swq_status cli_async_read(swq_context *ctx, cli_async *n, cli_load load);

/* Refuses a network in which a circle of lanes is found, with the circle's name. */
swq_status cli_lanes_refuse_circle(swq_context *ctx, const swq_async *network);
void cli_async_clear(swq_context *ctx, cli_async *n);

/* Reads the shape, with its routing and its graph, into a network that has the defaults; and sets
 * the delay of its links, after the architecture has been read. Errors: SWQ_EINVAL naming the
 * option. */
swq_status cli_shape_read(swq_context *ctx, cli_async *n);
swq_status cli_graph_follow(swq_context *ctx, cli_async *n);

/* Reads the shape alone: --topology, its sizes and --routing. Free with cli_async_clear, also after
 * an error. */
swq_status cli_async_read_shape(swq_context *ctx, cli_async *n);

/* Reads the groups of the options and of --group, for a network that has been read; and the trace,
 * if --traffic names one. */
swq_status cli_async_traffic(swq_context *ctx, cli_async *n, cli_load load);

/* Does --traffic say what all nodes send: a trace from a file, of either kind, or a collective
 * operation? */
bool cli_is_trace(const char *traffic);

/* Reads the groups of --benchmark, if it is given. Errors: SWQ_EINVAL naming the option. */
swq_status cli_benchmark_read(swq_context *ctx, cli_async *n, cli_load load);

/* In words, as far as they fit: "geometric:30"; "0.03*node:0@32+0.97*uniform@32", which --traffic
 * accepts, too; "load 0.5, traffic uniform@32, hold sources". */
void cli_interval_words(const cli_async *n, int group, char *text, size_t size);
void cli_traffic_words(const cli_async *n, int group, char *text, size_t size);
void cli_group_words(const cli_async *n, int group, char *text, size_t size);
/* Says if a group has a load of more than a link carries. */
void cli_say_overload(cli_record *root, const cli_async *n, int group);

/* The senders of a group: "nodes & 0xfc = 0xfc". */
void cli_group_members(const cli_async *n, int group, char *text, size_t size);

/* Topology, sizes, nodes and switches, as fields of `model`. */
void cli_put_shape(cli_record *model, const cli_async *n);

/* The network as the group `model`, and in lines of text. */
void cli_put_async(cli_record *root, const cli_async *n);

/* The same group in an item of a list, for a network that was not read from options. load: of all
 * groups except a benchmark's G_NUT. In CSV the item's row has its fields. */
void cli_put_async_of(cli_record *item, const swq_async *network, const char *buffer, int bytes,
                      double load, const char *benchmark);

/* ---- deadlocks ---- */

/* The cycle of buffers: a list in `result`, or null; and lines in `text`, abridged for long
 * cycles. */
swq_status cli_put_deadlock(swq_context *ctx, cli_record *result, cli_record *text,
                            const cli_async *n, const swq_async_result *r);

/* cli_architecture_find finds the row of --architecture, and refuses options that the row lacks;
 * cli_architecture_read reads its output stores, after the input stores, and cli_put_output_stores
 * writes them. Errors: SWQ_EINVAL naming the option. */
swq_status cli_architecture_find(swq_context *ctx, cli_async *n);
swq_status cli_architecture_read(swq_context *ctx, cli_async *n);
void cli_put_output_stores(cli_record *model, const cli_async *n);

/* Converts a length given in bytes to flits. Errors: SWQ_EINVAL naming the option. */
swq_status cli_in_flits(swq_context *ctx, const cli_async *n, const char *option, int *bytes);

/* Stores of an architecture, lanes of wormhole switching, credits of ATLAS-I: read them after the
 * memory. */
swq_status cli_stores_read(swq_context *ctx, cli_async *n);
swq_status cli_lanes_read(swq_context *ctx, cli_async *n);
swq_status cli_cells_read(swq_context *ctx, cli_async *n);
/* Refuses options that would have no effect on the traffic, which has been read. */
swq_status cli_cells_finish(swq_context *ctx, const cli_async *n);

/* The options of the flow control that has been read: cli_flow_read refuses options that it lacks;
 * cli_flow_finish reads its thresholds and rates, after the senders. Errors: SWQ_EINVAL naming the
 * option. */
swq_status cli_flow_read(swq_context *ctx, cli_async *n);
swq_status cli_flow_finish(swq_context *ctx, cli_async *n);
void cli_put_hop_flow(cli_record *model, const cli_async *n);

/* Reads the sizes of the row of a shape, such as --routers; and puts those of a counted shape. */
swq_status cli_sizes_read(swq_context *ctx, swq_shape *shape);
void cli_put_sizes(cli_record *model, const swq_shape *counted);

/* Routing as fields of `model` and as a line. */
void cli_put_routing(cli_record *model, const swq_async *network);
void cli_say_routing(cli_record *root, const cli_async *n);

/* The scheme that holds senders back, as fields and as a line. */
void cli_sender_put(cli_record *model, const cli_async *n);
void cli_sender_say(cli_record *root, const cli_async *n);

/* cli_management_find finds the row of --management, and refuses options that the row lacks;
 * cli_management_read reads its parameters, after --bytes, and enlarges the memory if the
 * management's queues need more. Errors: SWQ_EINVAL naming the option. */
swq_status cli_management_find(swq_context *ctx, cli_async *n);
swq_status cli_management_read(swq_context *ctx, cli_async *n);
bool cli_managed(const swq_async *network); /* by any management except "none" */
void cli_put_management(cli_record *model, const cli_async *n);

/* Managements with set-aside queues (SAQs). cli_set_aside: is the network's management one of
 * these? The functions below set the defaults of the management's parameters, read the parameters
 * once the memory has been read, and put them into answers. */
bool cli_set_aside(const swq_async *network);
void cli_saqs_defaults(swq_async *network);
swq_status cli_saqs_read(swq_context *ctx, cli_async *n);
void cli_management_grow_outputs(cli_async *n); /* after the architecture has been read */
void cli_say_grown(cli_record *root, const cli_async *n);
void cli_put_saqs(cli_record *model, const cli_async *n);
/* Has the network stores of an architecture or a management in place of buffers? */
bool cli_own_stores(const swq_async *network);
/* Do nodes have interfaces, which hold packets before the network? cli_put_interfaces puts their
 * parameters into answers. */
bool cli_has_interfaces(const swq_async *network);
/* Can a packet be lost? Only at an interface that is full when an open source or a trace creates
 * one: nothing is lost on its way. */
bool cli_can_lose(const swq_async *network);
void cli_put_interfaces(cli_record *model, const cli_async *n);
/* The results of set-aside queues in a run. */
void cli_put_saq_use(cli_record *result, const cli_async *n, const swq_async_result *r);

#endif
