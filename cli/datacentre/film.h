/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --watch: a run of a data-centre network as a page.
 */
#ifndef SWQ_CLI_DATACENTRE_FILM_H
#define SWQ_CLI_DATACENTRE_FILM_H

#include "cli/datacentre/datacentre.h"

#include <stdio.h>

/* Is a film wanted? Sets what the run records. many: of a range. Errors: SWQ_EINVAL for what cannot
 * be shown. */
swq_status cli_dc_film_read(swq_context *ctx, cli_datacentre *d, bool many);

/* Writes the page of a run. Errors: SWQ_EINVAL if nothing was recorded; SWQ_ENOMEM. */
swq_status cli_dc_film_write(swq_context *ctx, const cli_datacentre *d, const swq_dc_result *r,
                             FILE *to);

#endif
