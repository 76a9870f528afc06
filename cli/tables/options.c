/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options that the tables share.
 */
#include "base/context.h"
#include "base/names.h"
#include "cli/options/parse.h"
#include "cli/spec/switch.h"
#include "cli/tables/table.h"

cli_table_options cli_table_given;

swq_status cli_table_rules(swq_context *ctx, const swq_arbiter **arbiter,
                           const swq_pool_rule **pool_rule)
{
    swq_status status = SWQ_OK;

    if (cli_table_given.arbiter)
        status = swq_arbiter_find(ctx, cli_table_given.arbiter, arbiter);
    if (status || !cli_table_given.pool_rule)
        return status;
    *pool_rule = swq_name_lookup(ctx, "--pool-rule", cli_table_given.pool_rule,
                                 (const void *const *)swq_pool_rules);
    return *pool_rule ? SWQ_OK : SWQ_EINVAL;
}

swq_status cli_table_runs(swq_context *ctx, double least_cycles, double most_seed, uint64_t *cycles,
                          uint64_t *seed, int *threads)
{
    const cli_table_options *given = &cli_table_given;
    swq_status status = SWQ_OK;

    if (given->quick && given->cycles)
        return swq_fail(ctx, SWQ_EINVAL, "--quick and --cycles cannot both be given");
    if (given->cycles)
        status = cli_big(ctx, "cycles", given->cycles, least_cycles, 1e9, cycles);
    if (!status && given->seed)
        status = cli_big(ctx, "seed", given->seed, 0, most_seed, seed);
    if (!status)
        status = cli_threads(ctx, given->threads, threads);
    return status ? status : cli_memory_read(ctx);
}
