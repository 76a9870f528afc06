/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A network of stages as the command line describes it.
 */
#ifndef SWQ_CLI_SPEC_NETWORK_H
#define SWQ_CLI_SPEC_NETWORK_H

#include "switchq/sim.h"

#include "cli/spec/matrix.h"
#include "cli/spec/priority.h"

/* --topology, --stages, --load, --traffic, sources and priorities, with cli_switch_options. */
extern struct poptOption cli_network_options[];

/* The text of one of them; NULL: it is not given. */
const char *cli_network_text(const char *option);

/* Reads one load, from 0 to 1. Errors: SWQ_EINVAL; of several loads the message says how they are
 * given. */
swq_status cli_load_read(swq_context *ctx, const char *option, const char *text, double *load);

/* Only --topology and --stages, for a command that has cli_spec_options. */
extern struct poptOption cli_shape_options[];

/* The network that the options describe, checked. Free the arrays with cli_network_clear. */
typedef struct cli_network {
    cli_spec spec;
    swq_network network;
    uint32_t nodes;
    const char *load, *traffic; /* as they were given; traffic: or its default */
    bool normalise;             /* the rows of the matrix */
    cli_matrix matrix;
    double *node_load;
    swq_trace_packet *trace;
} cli_network;

/* --load must be given, or may be missing; or there is no traffic, and messages are packets of the
 * greatest length. The load is 1 where none is given. */
typedef enum cli_load { CLI_LOAD_GIVEN, CLI_LOAD_OPEN, CLI_LOAD_NONE } cli_load;
swq_status cli_network_read(swq_context *ctx, cli_network *network, cli_load load);

/* The same, except that a lone switch also has the default arbiter of networks. slots_open: --slots
 * is to be found by the command, and must be missing; spec.slots is the fewest. */
swq_status cli_network_read_alike(swq_context *ctx, cli_network *network, cli_load load,
                                  bool slots_open);

/* Reads cli_shape_options, with --load and --traffic from cli_spec_options; `load`, unless NULL,
 * replaces the former. */
swq_status cli_network_read_to_solve(swq_context *ctx, cli_network *network, const char *load);

/* Sets the stages of a shape whose wiring is known: `text`, of --stages; or, if that is NULL, the
 * only possible number, or 3. Errors: SWQ_EINVAL. */
swq_status cli_stages_of(swq_context *ctx, const char *text, swq_shape *shape);

/* The network as the group `model` of a record, and the words of the question. */
struct cli_record;
void cli_put_network(struct cli_record *root, const cli_network *network);

/* The group `model` of an item of a list, for a network that was not read from options: sources
 * that hold, uniform traffic or a hot spot. In CSV the item's row has its fields. */
void cli_put_network_of(struct cli_record *item, const swq_network *network, const char *buffer,
                        int slots);

/* What `model` says of a switch: its memory, with the row of its buffer (NULL: none); the rounds of
 * an arbiter that has any; and its flow control and arbiter. */
void cli_put_memory(struct cli_record *model, const char *buffer, int slots, const swq_switch *sw);
void cli_put_rounds(struct cli_record *model, const swq_arbiter *arbiter, int rounds);
void cli_put_rules(struct cli_record *model, const swq_switch *sw);

/* The four choices of a buffer, into a group. */
void cli_put_buffer(struct cli_record *model, const swq_buffer *buffer);

/* Puts "defaults" into a group: options of the model that were not given, and whose default depends
 * on the engine, the topology or another option. */
void cli_put_defaults(struct cli_record *model);

/* F[:J],F[:J],...: adds to hot[0 .. *spots), which has room for SWQ_MAX_HOT_SPOTS; node 0 if none
 * is named. */
swq_status cli_hot_spots(swq_context *ctx, const char *option, const char *text, uint32_t nodes,
                         swq_hot_spot *hot, int *spots);

void cli_network_clear(cli_network *network);

/* The words of --sources, by enum value. */
extern const char *const cli_source_words[];

#endif
