/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The map from a full chain to its reduced one, as CSV.
 */
#include "switchq/export.h"

#include "base/context.h"
#include "base/outfile.h"

enum { MOST_WORDS = SWQ_CHAIN_PORTS * (2 * SWQ_CHAIN_PORTS + 4) };

static void write_head(FILE *stream, const swq_chain *full)
{
    char name[32];

    fputs("state,orbit", stream);
    for (int w = 0; w < swq_chain_words(full); w++)
        fprintf(stream, ",%s", swq_chain_word_name(full, w, name, sizeof name));
    fputc('\n', stream);
}

swq_status swq_export_map(swq_context *ctx, swq_chain *reduced, const swq_chain *full,
                          const char *path)
{
    swq_outfile file = {0};
    uint16_t words[MOST_WORDS];
    swq_status status = swq_outfile_open(ctx, path, &file);

    if (!status)
        write_head(file.stream, full);
    for (int64_t s = 0; s < swq_chain_states(full) && !status; s++) {
        swq_chain_state(full, s, words);
        int64_t orbit = swq_chain_find(ctx, reduced, words);
        if (orbit < 0)
            status = swq_fail(ctx, SWQ_EINVAL, "the two chains are not of the same switch");
        fprintf(file.stream, "%lld,%lld", (long long)s, (long long)orbit);
        for (int w = 0; w < swq_chain_words(full); w++)
            fprintf(file.stream, ",%d", words[w]);
        fputc('\n', file.stream);
    }
    if (!status)
        status = swq_outfile_commit(ctx, &file);
    swq_outfile_abort(ctx, &file);
    return status;
}
