/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Studies: the file, and the words of its first points.
 */
#include "cli/print/output.h"
#include "cli/sweep/sweep.h"
#include "tests/fuzz/fuzz.h"

#include <assert.h>
#include <string.h>

enum { POINTS = 50, MOST_WORDS = 256, MEGABYTES = 64 };

typedef struct {
    swq_context *ctx;
    int seen;
} visited;

/* Its options are JSON, and its words are words again. */
static swq_status look_at(void *arg, const swq_point *point)
{
    visited *v = arg;
    const char *word[MOST_WORDS];
    char words[4096];
    int count;

    cJSON *options = cJSON_Parse(point->options);
    assert(options);
    cJSON_Delete(options);
    if (strlen(point->words) < sizeof words) {
        strcpy(words, point->words);
        swq_status status = swq_point_split(v->ctx, words, word, MOST_WORDS, &count);
        assert(status == SWQ_OK && count >= 1 && strcmp(word[0], point->command) == 0);
    }
    return ++v->seen < POINTS ? SWQ_OK : SWQ_ECANCELLED;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    swq_context *ctx = swq_context_new();
    swq_study_language language;
    swq_study *study = NULL;

    assert(ctx);
    swq_context_limit_memory(ctx, (size_t)MEGABYTES << 20);
    cli_sweep_language(ctx, &language);
    if (swq_study_parse(ctx, "study", (const char *)data, size, &language, &study) == SWQ_OK)
        swq_study_points(ctx, study, look_at, &(visited){.ctx = ctx});
    swq_study_free(ctx, study);
    assert(swq_context_live_blocks(ctx) == 0);
    swq_context_free(ctx);
    return 0;
}
