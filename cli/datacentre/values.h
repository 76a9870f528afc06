/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options of shared memories as values, and the parts in which they are read. Errors of all:
 * SWQ_EINVAL naming the option, its value and what is allowed.
 */
#ifndef SWQ_CLI_DATACENTRE_VALUES_H
#define SWQ_CLI_DATACENTRE_VALUES_H

#include "cli/datacentre/datacentre.h"

/* ---- options.c ---- */

extern cli_parameter cli_dc_rule_parameters[];
/* The field of an option that is a row. */
void cli_dc_put(cli_record *model, const cli_datacentre *d, const char *option);

/* ---- values.c ---- */

/* The text of an option, or NULL. Of the others, those of options that are not given are left as
 * they are. */
const char *cli_dc_given(const char *option);
swq_status cli_dc_read_list(swq_context *ctx, const char *option, const char *text, double least,
                            double greatest, int most, double *value, int *count);
swq_status cli_dc_read_each(swq_context *ctx, const char *option, const char *things, double least,
                            double greatest, int count, double *value);
swq_status cli_dc_refuse_fractions(swq_context *ctx, const char *option, const double *value,
                                   int count);
swq_status cli_dc_read_units(swq_context *ctx, const char *option, swq_unit_kind kind,
                             uint64_t least, uint64_t most, uint64_t *value);
swq_status cli_dc_read_word(swq_context *ctx, const char *option, const char *const *words,
                            int *value);

/* ---- sender.c ---- */

/* Parameters of the sender, as NAME=VALUE,NAME=VALUE. */
swq_status cli_dc_read_sender_values(swq_context *ctx, const char *text, swq_dc_sending *sending);

/* ---- switch_options.c, traffic_options.c ---- */

swq_status cli_dc_read_memory(swq_context *ctx, cli_datacentre *d);
swq_status cli_dc_read_rule(swq_context *ctx, swq_dc *dc);
swq_status cli_dc_read_admission(swq_context *ctx, swq_dc *dc);
swq_status cli_dc_read_quanta(swq_context *ctx, swq_dc *dc);
swq_status cli_dc_read_cut_through(swq_context *ctx, swq_dc *dc);
swq_status cli_dc_read_marks(swq_context *ctx, swq_dc *dc);
swq_status cli_dc_read_sender(swq_context *ctx, swq_dc *dc);
swq_status cli_dc_refuse_without(swq_context *ctx, const swq_dc *dc);
swq_status cli_dc_read_topology(swq_context *ctx, swq_dc *dc);
swq_status cli_dc_read_graph(swq_context *ctx, cli_datacentre *d);
swq_status cli_dc_read_spread(swq_context *ctx, swq_dc_network *n);
swq_status cli_dc_read_pfc(swq_context *ctx, swq_dc *dc);
swq_status cli_dc_read_oracle(swq_context *ctx, swq_dc *dc);
swq_status cli_dc_read_arrivals(swq_context *ctx, cli_datacentre *d);

#endif
