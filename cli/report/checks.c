/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq report: the checks of `switchq validate`, family by family.
 */
#include "base/context.h"
#include "cli/print/template.h"
#include "cli/report/pages.inc"
#include "cli/report/report.h"

#include <string.h>

static const struct {
    const char *outcome, *class, *mark;
} outcomes[] = {
    {"pass", "agrees", "\xe2\x9c\x93"},  {"known", "known", "k"},
    {"skipped", "open", "\xe2\x80\x93"}, {"not run", "open", "?"},
    {"fail", "differs", "\xe2\x9c\x97"},
};
enum { OUTCOMES = sizeof outcomes / sizeof *outcomes };

/* The index of a check's outcome among `outcomes`. An unknown word counts as failed, so that a new
 * word is not taken for success. */
static int outcome_of(const cJSON *check)
{
    int k = 0;

    while (k < OUTCOMES - 1 && strcmp(cli_string_of(check, "outcome"), outcomes[k].outcome) != 0)
        k++;
    return k;
}

/* Adds the page's own data to a family of checks: a class and a mark for each check, so that
 * failures are visible at once, and the number of each outcome. */
static void add_counts(cJSON *family)
{
    cJSON *counts = cJSON_AddArrayToObject(family, "counts"), *check;
    int count[OUTCOMES] = {0};

    cJSON_ArrayForEach(check, cJSON_GetObjectItemCaseSensitive(family, "checks"))
    {
        const int k = outcome_of(check);
        count[k]++;
        cJSON_AddStringToObject(check, "class", outcomes[k].class);
        cJSON_AddStringToObject(check, "mark", outcomes[k].mark);
    }
    for (int k = 0; k < OUTCOMES; k++) {
        cJSON *one = count[k] ? cJSON_CreateObject() : NULL;
        cJSON_AddStringToObject(one, "class", outcomes[k].class);
        cJSON_AddStringToObject(one, "outcome", outcomes[k].outcome);
        cJSON_AddNumberToObject(one, "count", count[k]);
        cJSON_AddItemToArray(counts, one);
    }
    cJSON_AddBoolToObject(family, "failed", count[OUTCOMES - 1] > 0);
}

static swq_status write(swq_context *ctx, FILE *to, const cli_block *block)
{
    cJSON *shown = cJSON_Duplicate(cli_block_answer(block), true), *family;

    if (!shown)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the page's checks");
    cJSON_ArrayForEach(family, cJSON_GetObjectItemCaseSensitive(shown, "families"))
    {
        add_counts(family);
    }
    cli_template(to, text_checks, shown, "html");
    cJSON_Delete(shown);
    return SWQ_OK;
}

static cli_score score(const cJSON *answer)
{
    cli_score s = {0};
    const cJSON *family, *check;

    cJSON_ArrayForEach(family, cJSON_GetObjectItemCaseSensitive(answer, "families"))
    {
        cJSON_ArrayForEach(check, cJSON_GetObjectItemCaseSensitive(family, "checks"))
        {
            cli_score_add(&s, outcomes[outcome_of(check)].class);
        }
    }
    return s;
}

const cli_section_writer cli_section_checks = {
    .title = "Checks",
    .lead = "Exact chains, formulas, approximations and simulators, compared with one "
            "another and with the printed values.",
    .write = write,
    .score = score,
    .word = {"checks", "pass", "known", "skipped", "fail"},
};
