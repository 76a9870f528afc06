/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq validate: its rules before a run, and the outcome after it.
 */
#include "base/context.h"
#include "cli/print/append.h"
#include "cli/print/words.h"
#include "cli/validate/validate.h"

#include <math.h>
#include <string.h>

static const char *effort_word(const cli_validation *c)
{
    return c->options.effort == SWQ_EFFORT_FULL ? "full" : "quick";
}

static const char *other_word(const cli_validation *c)
{
    return c->options.effort == SWQ_EFFORT_FULL ? "quick" : "full";
}

/* The checks of a family are consecutive: the index after the last one of the family of check
 * `from`. */
static int end_of_family(const swq_validation *v, int from)
{
    int c = from;

    while (c < v->checks && v->family[c] == v->family[from])
        c++;
    return c;
}

/* ---- before ---- */

static void say_list(cli_record *root, const cli_validation *c)
{
    const swq_validation *v = &c->v;

    for (int k = 0; k < v->checks; k++)
        cli_say(root, "%-9s %s\n          %s", swq_level_text(v->check[k].level), v->check[k].name,
                v->check[k].claim);
    cli_say(root, "%d check%s (--%s); %d more match in --%s only", v->checks,
            cli_plural((uint64_t)v->checks), effort_word(c), v->elsewhere, other_word(c));
}

cli_record *cli_validate_rules(const cli_validation *c)
{
    const swq_validation *v = &c->v;
    cli_record *root = cli_record_new("");

    cli_tell(root, 0,
             "%d check%s (--%s), seed %llu. p-values are judged together by Holm's method: where "
             "everything is right, one run in %.0f fails by chance.",
             v->checks, cli_plural((uint64_t)v->checks), effort_word(c),
             (unsigned long long)c->options.seed, 1 / swq_validate_alpha);
    for (int k = 0; k < v->checks; k = end_of_family(v, k)) {
        const swq_family *f = v->family[k];
        cli_say(root, "%s", "");
        cli_tell(root, 2, "%s: %s (%d)", f->name, f->title, end_of_family(v, k) - k);
        cli_tell(root, 4, "  legs: %s", f->legs);
        cli_tell(root, 4, "  rule: %s", f->criterion);
    }
    cli_say(root, "%s", "");
    return root;
}

/* ---- behind ---- */

/* " 3 pass, 1 fail": all outcomes that occur, the worst last. */
static void counts_text(const int count[SWQ_OUTCOMES], char *text, size_t size)
{
    static const swq_outcome order[] = {SWQ_OUTCOME_PASS, SWQ_OUTCOME_KNOWN, SWQ_OUTCOME_SKIPPED,
                                        SWQ_OUTCOME_NOT_RUN, SWQ_OUTCOME_FAIL};

    *text = '\0';
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        if (count[order[k]])
            cli_append(text, size, "%s%d %s", *text ? ", " : "", count[order[k]],
                       swq_outcome_text(order[k]));
    }
}

/* Adds another number of a finding, if there is one. */
static size_t add_number(char text[200], size_t used, const char *format, double value)
    __attribute__((format(printf, 3, 0)));

static size_t add_number(char text[200], size_t used, const char *format, double value)
{
    return isnan(value) || isinf(value)
               ? used
               : used + (size_t)snprintf(text + used, 200 - used, format, value);
}

static void say_finding(cli_record *root, const swq_check *check, const swq_finding *f)
{
    char text[200] = "";
    size_t used = 0;

    if (!isnan(f->left) || !isnan(f->right))
        used = (size_t)snprintf(text, sizeof text, ": %.10g, %.10g", f->left, f->right);
    used = add_number(text, used, "; off %.3g", f->off);
    used = add_number(text, used, ", allowed %.3g", f->allowed);
    add_number(text, used, ", p %.2g", f->p);
    cli_say(root, "  %-7s %s\n          %s%s%s%s", swq_outcome_text(f->outcome), check->name,
            check->claim, text, f->text[0] ? "\n          " : "", f->text);
    for (int k = 0; k < SWQ_FINDING_RULES && f->rule[k]; k++)
        cli_tell(root, 10, "          %s %s", k ? "and unless" : "fails unless", f->rule[k]);
}

static bool shown(const cli_validation *c, swq_outcome outcome)
{
    return outcome == SWQ_OUTCOME_FAIL || outcome == SWQ_OUTCOME_KNOWN ||
           outcome == SWQ_OUTCOME_SKIPPED || (c->verbose && outcome != SWQ_OUTCOME_NOT_RUN);
}

/* A line for the family, the check that came closest to failing, and the checks worth seeing. */
static void say_family(cli_record *root, const cli_validation *c, int from, int end)
{
    const swq_validation *v = &c->v;
    int count[SWQ_OUTCOMES] = {0}, nearest = -1;
    double seconds = 0, ratio = 0;
    char text[120], limit[120] = "";

    for (int k = from; k < end; k++) {
        const swq_finding *f = &v->finding[k];
        count[f->outcome]++;
        seconds += f->seconds;
        if (f->outcome == SWQ_OUTCOME_PASS && f->allowed > 0 && f->off / f->allowed >= ratio) {
            ratio = f->off / f->allowed;
            nearest = k;
        }
    }
    counts_text(count, text, sizeof text);
    if (nearest >= 0)
        snprintf(limit, sizeof limit,
                 "; of the passed ones the nearest to its limit is off by %.2g of %.2g",
                 v->finding[nearest].off, v->finding[nearest].allowed);
    cli_say(root, "%-20s %s; %.1f CPU s%s", v->family[from]->name, text, seconds, limit);
    for (int k = from; k < end; k++) {
        if (shown(c, v->finding[k].outcome))
            say_finding(root, &v->check[k], &v->finding[k]);
    }
}

static void say_summary(cli_record *root, const cli_validation *c)
{
    const swq_validation *v = &c->v;
    char text[400];
    int all[SWQ_OUTCOMES] = {0};

    cli_say(root, "%s", "");
    for (int level = 0; level < SWQ_LEVELS; level++) {
        counts_text(v->count[level], text, sizeof text);
        if (*text)
            cli_say(root, "%-10s %s", swq_level_text((swq_level)level), text);
        for (int o = 0; o < SWQ_OUTCOMES; o++)
            all[o] += v->count[level][o];
    }
    if (v->judged)
        cli_say(root, "%d p-values judged together: %.2g and below fails", v->judged, v->p_least);
    if (all[SWQ_OUTCOME_SKIPPED])
        cli_say(root, "%d skipped, for the reasons given above", all[SWQ_OUTCOME_SKIPPED]);
    if (v->unmatched)
        cli_say(root, "%d left out by --only", v->unmatched);
    if (v->elsewhere)
        cli_say(root, "%d more in --%s only", v->elsewhere, other_word(c));
    if (c->interrupted)
        cli_say(root, "CUT SHORT: interrupted before all was checked.");
    cli_say(root, "%s",
            all[SWQ_OUTCOME_FAIL] ? "FAILED"
            : c->interrupted      ? "not finished"
                                  : "passed");
}

/* ---- the record ---- */

/* All rules that a finding must satisfy, as one text. */
static void put_rule(cli_record *row, const swq_finding *f)
{
    char text[2000] = "";

    for (int k = 0; k < SWQ_FINDING_RULES && f->rule[k]; k++)
        cli_append(text, sizeof text, "%s%s", k ? "; " : "", f->rule[k]);
    cli_put_word(row, "rule", text);
}

static void put_check(cli_record *checks, const swq_check *check, const swq_finding *f, bool listed)
{
    cli_record *row = cli_put_item(checks, NULL);

    cli_put_word(row, "name", check->name);
    cli_put_word(row, "claim", check->claim);
    cli_put_word(row, "check_kind", swq_level_text(check->level));
    if (listed)
        return;
    cli_put_word(row, "outcome", swq_outcome_text(f->outcome));
    cli_put_number(row, "left", f->left);
    cli_put_number(row, "right", f->right);
    cli_put_number(row, "deviation", f->off);
    cli_put_number(row, "allowed", f->allowed);
    cli_put_number(row, "p", f->p);
    cli_put_word(row, "text", f->text);
    put_rule(row, f);
    cli_put_number(row, "seconds", f->seconds);
}

static void put_families(cli_record *root, const cli_validation *c, bool listed)
{
    const swq_validation *v = &c->v;
    cli_record *families = cli_put_list(root, "families", NULL);

    for (int k = 0, end; k < v->checks; k = end) {
        const swq_family *f = v->family[k];
        cli_record *family = cli_not_in_csv(cli_put_item(families, f->name));
        cli_not_in_csv(cli_put_word(family, "name", f->name));
        cli_put_word(family, "title", f->title);
        cli_put_word(family, "legs", f->legs);
        cli_put_word(family, "criterion", f->criterion);
        cli_record *checks = cli_bare(cli_put_list(family, "checks", NULL));
        end = end_of_family(v, k);
        if (!listed)
            say_family(root, c, k, end);
        for (int i = k; i < end; i++)
            put_check(checks, &v->check[i], &v->finding[i], listed);
    }
}

/* {"checks":..,"levels":{"EXACT":{"pass":..},..},..} */
static void put_summary(cli_record *root, const cli_validation *c, bool listed)
{
    const swq_validation *v = &c->v;
    cli_record *summary = cli_not_in_csv(cli_quietly(cli_put_group(root, "summary", NULL)));

    cli_put_count(summary, "check_count", (uint64_t)v->checks);
    cli_put_count(summary, "left_out_by_only", (uint64_t)v->unmatched);
    cli_put_count(summary, "only_in_other_effort", (uint64_t)v->elsewhere);
    if (listed)
        return;
    cli_put_truth(summary, "passed", v->passed && !c->interrupted);
    cli_put_truth(summary, "interrupted", c->interrupted);
    cli_put_count(summary, "p_values", (uint64_t)v->judged);
    cli_put_number(summary, "p_least", v->p_least);
    cli_record *levels = cli_put_named(summary, "levels", NULL);
    for (int level = 0; level < SWQ_LEVELS; level++) {
        cli_record *row = cli_put_item(levels, swq_level_text((swq_level)level));
        for (int o = 0; o < SWQ_OUTCOMES; o++)
            cli_put_count(row, swq_outcome_text((swq_outcome)o), (uint64_t)v->count[level][o]);
    }
}

cli_record *cli_validate_record(const cli_validation *c, bool listed)
{
    cli_record *root = cli_not_in_csv(cli_in_words(cli_record_new("switchq/validate/1")));

    cli_put_word(root, "effort", effort_word(c));
    cli_put_count(root, "seed", c->options.seed);
    cli_put_number(root, "significance", swq_validate_alpha);
    put_families(root, c, listed);
    put_summary(root, c, listed);
    if (listed)
        say_list(root, c);
    else
        say_summary(root, c);
    return root;
}
