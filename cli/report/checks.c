/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq report: what `switchq validate` found, family by family.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/report/report.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *outcome, *class, *mark;
} outcomes[] = {
    {"pass", "agrees", "\xe2\x9c\x93"},  {"known", "known", "k"},
    {"skipped", "open", "\xe2\x80\x93"}, {"not run", "open", "?"},
    {"fail", "differs", "\xe2\x9c\x97"},
};
enum { OUTCOMES = sizeof outcomes / sizeof *outcomes };

static const char *const levels[] = {"EXACT",  "STAT",  "TABLE", "SIM-TABLE",
                                     "APPROX", "ORDER", "SKIP",  NULL};

/* What is not known counts as failed, so that a new word is not taken for a success. */
static int outcome_of(const cJSON *check)
{
    int k = 0;

    while (k < OUTCOMES - 1 && strcmp(cli_string_of(check, "outcome"), outcomes[k].outcome) != 0)
        k++;
    return k;
}

static void write_number(FILE *to, double value)
{
    fputs("<td>", to);
    if (isfinite(value))
        fprintf(to, "%.6g", value);
    fputs("</td>", to);
}

static void write_check(FILE *to, const cJSON *check)
{
    const int k = outcome_of(check);
    const double p = cli_number_of(check, "p");

    fprintf(to, "<tr class=\"%s\" data-level=\"", outcomes[k].class);
    cli_html(to, cli_string_of(check, "level"));
    fputs("\" data-outcome=\"", to);
    cli_html(to, cli_string_of(check, "outcome"));
    fprintf(to, "\"><td class=\"verdict\">%s <span>", outcomes[k].mark);
    cli_html(to, cli_string_of(check, "outcome"));
    fputs("</span></td><td>", to);
    cli_html(to, cli_string_of(check, "level"));
    fputs("</td><th scope=\"row\">", to);
    cli_html(to, cli_string_of(check, "claim"));
    fputs("<small>", to);
    cli_html(to, cli_string_of(check, "name"));
    if (*cli_string_of(check, "text"))
        cli_html_format(to, " \xe2\x80\x94 %s", cli_string_of(check, "text"));
    fputs("</small></th>", to);
    write_number(to, cli_number_of(check, "left"));
    write_number(to, cli_number_of(check, "right"));
    fputs("<td>", to);
    if (isfinite(p))
        fprintf(to, "p %.2g", p);
    else if (isfinite(cli_number_of(check, "off")))
        fprintf(to, "%.2g of %.2g", cli_number_of(check, "off"), cli_number_of(check, "allowed"));
    fputs("</td></tr>\n", to);
}

static void write_counts(FILE *to, const int *count)
{
    for (int k = 0; k < OUTCOMES; k++) {
        if (count[k])
            fprintf(to, " <span class=\"%s\">%d&nbsp;%s</span>", outcomes[k].class, count[k],
                    outcomes[k].outcome);
    }
}

static void write_family(FILE *to, const cJSON *family)
{
    const cJSON *checks = cJSON_GetObjectItemCaseSensitive(family, "checks"), *check;

    int count[OUTCOMES] = {0};

    cJSON_ArrayForEach(check, checks)
    {
        count[outcome_of(check)]++;
    }
    /* what failed is to be seen at once */
    fprintf(to, "<details class=\"family\"%s><summary><b>", count[OUTCOMES - 1] ? " open" : "");
    cli_html(to, cli_string_of(family, "title"));
    fputs("</b>", to);
    write_counts(to, count);
    fputs("</summary>\n<p class=\"aside\">", to);
    cli_html_format(to, "Legs: %s. Criterion: %s.", cli_string_of(family, "legs"),
                    cli_string_of(family, "criterion"));
    fputs("</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Checks\">"
          "<table class=\"plain checks\"><thead><tr><th scope=\"col\">Outcome</th>"
          "<th scope=\"col\" class=\"text\">Level</th>"
          "<th scope=\"col\" class=\"text\">Claim</th><th scope=\"col\">Left</th>"
          "<th scope=\"col\">Right</th><th scope=\"col\">Off</th></tr></thead>\n<tbody>\n",
          to);
    cJSON_ArrayForEach(check, checks)
    {
        write_check(to, check);
    }
    fputs("</tbody></table></div></details>\n", to);
}

/* Shown by the page's script alone, without which they could not do anything. */
static void write_filters(FILE *to)
{
    fputs("<form class=\"filters\" hidden><label>Level <select name=\"level\">"
          "<option value=\"\">all</option>",
          to);
    for (int k = 0; levels[k]; k++)
        fprintf(to, "<option>%s</option>", levels[k]);
    fputs(
        "</select></label> <label>Outcome <select name=\"outcome\"><option value=\"\">all</option>",
        to);
    for (int k = 0; k < OUTCOMES; k++)
        fprintf(to, "<option>%s</option>", outcomes[k].outcome);
    fputs("</select></label> <label>Text <input name=\"text\" type=\"search\" "
          "placeholder=\"damq, 0.9, ...\"></label> <output></output></form>\n",
          to);
}

static swq_status write(swq_context *ctx, FILE *to, const cli_block *block)
{
    const cJSON *families = cJSON_GetObjectItemCaseSensitive(cli_block_answer(block), "families");
    const cJSON *family;

    (void)ctx;
    write_filters(to);
    cJSON_ArrayForEach(family, families)
    {
        write_family(to, family);
    }
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
    .lead =
        "Exact chains, formulas and approximations, and the simulators, held against one another "
        "and against the print.",
    .write = write,
    .score = score,
    .word = {"checks", "pass", "known", "skipped", "fail"},
};
