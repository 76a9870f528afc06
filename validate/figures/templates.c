/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Templates of claims: text with {SUM FORMAT}.
 */
#include "validate/figures/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number by a printf format: %, perhaps +, a precision, and one of d, e, f, g. */
static void show(char *text, size_t size, const char *format, double value)
{
    const bool plus = format[1] == '+';
    const char *dot = strchr(format, '.');
    const int precision = dot ? (int)strtol(dot + 1, NULL, 10) : 6;

    switch (format[strlen(format) - 1]) {
    case 'f':
        snprintf(text, size, plus ? "%+.*f" : "%.*f", precision, value);
        break;
    case 'g':
        snprintf(text, size, plus ? "%+.*g" : "%.*g", precision, value);
        break;
    default:
        snprintf(text, size, "%.0f", value);
    }
}

/* "most SUM", "least SUM" or "endless SUM": over the claim's pairs, or those of one comparison. */
static double over_pairs(figure_judge *j, const char *word, int comparison)
{
    const char *text = j->at;
    const bool most = *word == 'm', least = *word == 'l';
    double all = least ? INFINITY : 0;

    for (int k = 0; k < j->pairs; k++) {
        if (comparison >= 0 && j->pair[k].comparison != comparison)
            continue;
        j->at = text;
        j->a = j->pair[k].a;
        j->b = j->pair[k].b;
        const double value = figure_judge_sum(j).mean;
        if (!most && !least)
            all += isinf(value);
        else if (isfinite(value))
            all = most ? fmax(all, value) : fmin(all, value);
    }
    return all;
}

/* A field of a template: ["+-" | "most" | "least" | "endless" | "distance"] SUM FORMAT ["|"
 * ALTERNATIVE]. */
static void field(figure_judge *j, char *inside, int comparison, char *text, size_t size)
{
    char *instead = strchr(inside, '|'), *format;
    double value;

    if (instead)
        *instead++ = '\0';
    format = strrchr(inside, '%');
    if (!format) {
        figure_judge_wrong(j, "a format is missing in a template");
        return;
    }
    char kept[16];
    snprintf(kept, sizeof kept, "%s", format);
    *format = '\0';
    j->at = inside;
    if (figure_judge_takes(j, "+-"))
        value = figure_judge_sum(j).half_width;
    else if (figure_judge_takes(j, "most"))
        value = over_pairs(j, "most", comparison);
    else if (figure_judge_takes(j, "least"))
        value = over_pairs(j, "least", comparison);
    else if (figure_judge_takes(j, "endless"))
        value = over_pairs(j, "endless", comparison);
    else
        value = figure_judge_sum(j).mean;
    if (instead && isnan(value))
        snprintf(text, size, "%s", instead);
    else
        show(text, size, kept, value);
}

void figure_judge_fill(figure_judge *j, const char *from, int comparison, char *text, size_t size)
{
    char inside[JUDGE_TEXT];
    size_t used = strlen(text);
    const double x = j->x;

    j->x = NAN;
    while (*from && used + 1 < size) {
        const char *end = *from == '{' ? strchr(from, '}') : NULL;
        if (!end) {
            text[used++] = *from++;
            text[used] = '\0';
            continue;
        }
        snprintf(inside, sizeof inside, "%.*s", (int)(end - from - 1), from + 1);
        field(j, inside, comparison, text + used, size - used);
        used += strlen(text + used);
        from = end + 1;
    }
    j->x = x;
}
