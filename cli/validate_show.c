/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq validate: its rules before a run, what came of it behind it, and both as JSON.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/table.h"
#include "cli/validate.h"

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

/* The checks of a family lie together: the first one behind those of check `from`. */
static int end_of_family(const swq_validation *v, int from)
{
    int c = from;

    while (c < v->checks && v->family[c] == v->family[from])
        c++;
    return c;
}

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

/* ---- before ---- */

void cli_validate_list(const cli_validation *c)
{
    const swq_validation *v = &c->v;

    for (int k = 0; k < v->checks; k++)
        printf("%-9s %s\n          %s\n", swq_level_text(v->check[k].level), v->check[k].name,
               v->check[k].claim);
    printf("%d check%s (--%s); %d more match in --%s only\n", v->checks, plural(v->checks),
           effort_word(c), v->elsewhere, other_word(c));
}

void cli_validate_rules(const cli_validation *c)
{
    const swq_validation *v = &c->v;
    char text[1000];

    snprintf(text, sizeof text,
             "%d check%s (--%s), seed %llu. p-values are judged together by Holm's method: where "
             "everything is right, one run in %.0f fails by chance.",
             v->checks, plural(v->checks), effort_word(c), (unsigned long long)c->options.seed,
             1 / swq_validate_alpha);
    cli_print_wrapped(text, 0);
    for (int k = 0; k < v->checks; k = end_of_family(v, k)) {
        const swq_family *f = v->family[k];
        snprintf(text, sizeof text, "%s: %s (%d)", f->name, f->title, end_of_family(v, k) - k);
        putchar('\n');
        cli_print_wrapped(text, 2);
        snprintf(text, sizeof text, "  legs: %s", f->legs);
        cli_print_wrapped(text, 4);
        snprintf(text, sizeof text, "  rule: %s", f->criterion);
        cli_print_wrapped(text, 4);
    }
    putchar('\n');
    fflush(stdout);
}

/* ---- behind ---- */

/* " 3 pass, 1 fail": all outcomes that there are, the worst last. */
static void counts_text(const int count[SWQ_OUTCOMES], char *text, size_t size)
{
    static const swq_outcome order[] = {SWQ_OUTCOME_PASS, SWQ_OUTCOME_KNOWN, SWQ_OUTCOME_SKIPPED,
                                        SWQ_OUTCOME_NOT_RUN, SWQ_OUTCOME_FAIL};
    size_t used = 0;

    *text = '\0';
    for (size_t k = 0; k < sizeof order / sizeof *order && used < size; k++) {
        if (count[order[k]])
            used += (size_t)snprintf(text + used, size - used, "%s%d %s", used ? ", " : "",
                                     count[order[k]], swq_outcome_text(order[k]));
    }
}

static void print_finding(const swq_check *check, const swq_finding *f)
{
    printf("  %-7s %s\n", swq_outcome_text(f->outcome), check->name);
    printf("          %s", check->claim);
    if (!isnan(f->left) || !isnan(f->right))
        printf(": %.10g, %.10g", f->left, f->right);
    if (!isnan(f->off))
        printf("; off %.3g", f->off);
    if (!isnan(f->allowed))
        printf(", allowed %.3g", f->allowed);
    if (isfinite(f->p))
        printf(", p %.2g", f->p);
    putchar('\n');
    if (f->text[0])
        printf("          %s\n", f->text);
}

static bool shown(const cli_validation *c, swq_outcome outcome)
{
    return outcome == SWQ_OUTCOME_FAIL || outcome == SWQ_OUTCOME_KNOWN ||
           outcome == SWQ_OUTCOME_SKIPPED || (c->verbose && outcome != SWQ_OUTCOME_NOT_RUN);
}

/* A line for the family, the one that came nearest to failing, and the checks worth seeing. */
static void print_family(const cli_validation *c, int from, int end)
{
    const swq_validation *v = &c->v;
    int count[SWQ_OUTCOMES] = {0}, nearest = -1;
    double seconds = 0, ratio = 0;
    char text[120];

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
    printf("%-20s %s; %.1f CPU s", v->family[from]->name, text, seconds);
    if (nearest >= 0)
        printf("; of the passed ones the nearest to its limit is off by %.2g of %.2g",
               v->finding[nearest].off, v->finding[nearest].allowed);
    putchar('\n');
    for (int k = from; k < end; k++) {
        if (shown(c, v->finding[k].outcome))
            print_finding(&v->check[k], &v->finding[k]);
    }
}

static void print_summary(const cli_validation *c)
{
    const swq_validation *v = &c->v;
    char text[400];
    int all[SWQ_OUTCOMES] = {0};

    putchar('\n');
    for (int level = 0; level < SWQ_LEVELS; level++) {
        counts_text(v->count[level], text, sizeof text);
        if (*text)
            printf("%-10s %s\n", swq_level_text((swq_level)level), text);
        for (int o = 0; o < SWQ_OUTCOMES; o++)
            all[o] += v->count[level][o];
    }
    if (v->judged)
        printf("%d p-values judged together: %.2g and below fails\n", v->judged, v->p_least);
    if (all[SWQ_OUTCOME_SKIPPED])
        printf("%d skipped, for the reasons given above\n", all[SWQ_OUTCOME_SKIPPED]);
    if (v->unmatched)
        printf("%d left out by --only\n", v->unmatched);
    if (v->elsewhere)
        printf("%d more in --%s only\n", v->elsewhere, other_word(c));
    if (c->interrupted)
        puts("CUT SHORT: interrupted before all was checked.");
    printf("%s\n", all[SWQ_OUTCOME_FAIL] ? "FAILED" : c->interrupted ? "not finished" : "passed");
}

void cli_validate_results(const cli_validation *c)
{
    for (int k = 0; k < c->v.checks;) {
        int end = end_of_family(&c->v, k);
        print_family(c, k, end);
        k = end;
    }
    print_summary(c);
}

/* ---- JSON ---- */

static cJSON *json_of_check(const swq_check *check, const swq_finding *f, bool listed)
{
    cJSON *row = cJSON_CreateObject();

    cJSON_AddStringToObject(row, "name", check->name);
    cJSON_AddStringToObject(row, "claim", check->claim);
    cJSON_AddStringToObject(row, "level", swq_level_text(check->level));
    if (listed)
        return row;
    cJSON_AddStringToObject(row, "outcome", swq_outcome_text(f->outcome));
    cli_json_number(row, "left", f->left);
    cli_json_number(row, "right", f->right);
    cli_json_number(row, "off", f->off);
    cli_json_number(row, "allowed", f->allowed);
    cli_json_number(row, "p", f->p);
    cJSON_AddStringToObject(row, "text", f->text);
    cli_json_number(row, "seconds", f->seconds);
    return row;
}

/* {"checks":..,"levels":{"EXACT":{"pass":..},..},..} */
static cJSON *json_of_summary(const cli_validation *c, bool listed)
{
    const swq_validation *v = &c->v;
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddNumberToObject(tree, "checks", v->checks);
    cJSON_AddNumberToObject(tree, "left_out_by_only", v->unmatched);
    cJSON_AddNumberToObject(tree, "only_in_other_effort", v->elsewhere);
    if (listed)
        return tree;
    cJSON_AddBoolToObject(tree, "passed", v->passed && !c->interrupted);
    cJSON_AddBoolToObject(tree, "interrupted", c->interrupted);
    cJSON_AddNumberToObject(tree, "p_values", v->judged);
    cli_json_number(tree, "p_least", v->p_least);
    cJSON *levels = cJSON_AddObjectToObject(tree, "levels");
    for (int level = 0; level < SWQ_LEVELS; level++) {
        cJSON *row = cJSON_AddObjectToObject(levels, swq_level_text((swq_level)level));
        for (int o = 0; o < SWQ_OUTCOMES; o++)
            cJSON_AddNumberToObject(row, swq_outcome_text((swq_outcome)o), v->count[level][o]);
    }
    return tree;
}

cJSON *cli_validate_json(const cli_validation *c, bool listed)
{
    const swq_validation *v = &c->v;
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/validate/1");
    cJSON_AddStringToObject(tree, "effort", effort_word(c));
    cJSON_AddNumberToObject(tree, "seed", (double)c->options.seed);
    cli_json_number(tree, "alpha", swq_validate_alpha);
    cJSON *families = cJSON_AddArrayToObject(tree, "families");
    for (int k = 0; k < v->checks;) {
        const swq_family *f = v->family[k];
        cJSON *family = cJSON_CreateObject();
        cJSON_AddItemToArray(families, family);
        cJSON_AddStringToObject(family, "name", f->name);
        cJSON_AddStringToObject(family, "title", f->title);
        cJSON_AddStringToObject(family, "legs", f->legs);
        cJSON_AddStringToObject(family, "criterion", f->criterion);
        cJSON *checks = cJSON_AddArrayToObject(family, "checks");
        for (int end = end_of_family(v, k); k < end; k++)
            cJSON_AddItemToArray(checks, json_of_check(&v->check[k], &v->finding[k], listed));
    }
    cJSON_AddItemToObject(tree, "summary", json_of_summary(c, listed));
    return tree;
}
