/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --json and --csv.
 */
#include "cli/record/format.h"
#include "base/context.h"

static int as_json, as_csv;

struct poptOption cli_format_options[] = {
    CLI_FLAG_ROW("json", &as_json, "print JSON (fractions, not percent)"),
    CLI_FLAG_ROW("csv", &as_csv, "print CSV: a header, and a row for each answer"),
    POPT_TABLEEND,
};

swq_status cli_format_read(swq_context *ctx, cli_format *format)
{
    *format = as_json ? CLI_JSON : as_csv ? CLI_CSV : CLI_TEXT;
    if (as_json && as_csv)
        return swq_fail(ctx, SWQ_EINVAL, "--json and --csv cannot both be given");
    return SWQ_OK;
}
