/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A field's label, unit and value, as people read them.
 */
#include "cli/record/inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *cli_record_label(const cli_record *f, char *text, size_t size)
{
    const cli_quantity *row = cli_quantity_of(f->key);

    if (f->label || (row && row->label)) {
        snprintf(text, size, "%s", f->label ? f->label : row->label);
        return text;
    }
    snprintf(text, size, "%s", f->key);
    for (char *c = text; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    return text;
}

/* The unit after a blank; "" for a pure number. */
const char *cli_record_unit(const cli_record *f, char *text, size_t size)
{
    const cli_quantity *row = cli_quantity_of(f->key);
    const char *unit = f->unit ? f->unit : row ? row->unit : NULL;

    snprintf(text, size, "%s%s", unit && *unit ? " " : "", unit ? unit : "");
    if (f->kind == CLI_COUNT && f->count == 1 && unit) { /* 1 cycle */
        size_t length = strlen(text);
        if (length > 2 && text[length - 1] == 's' && !strchr(unit, ' '))
            text[length - 1] = '\0';
    }
    return text;
}

void cli_record_rounded(char *text, size_t size, double mean, double half_width)
{
    const bool known = half_width > 0 && mean != 0;
    const int place = known ? (int)floor(log10(half_width)) - 1 : 0; /* of the second digit */
    const int digits = known ? (int)floor(log10(fabs(mean))) - place + 1 : 6;

    if (known && fabs(mean) >= 1e-4 && place >= -15 && place < 0)
        snprintf(text, size, "%.*f", -place, mean);
    else
        snprintf(text, size, "%.*g", digits < 1 ? 1 : digits > 15 ? 15 : digits, mean);
}

const char *cli_record_cell(const cli_record *f, char *text, size_t size)
{
    char mean[40];

    if (f->kind == CLI_NUMBER && f->text) {
        snprintf(text, size, "%s", f->text);
    } else if (f->in_percent && isfinite(f->value)) {
        snprintf(text, size, "%+.2f%%", 100 * f->value);
    } else if (f->known == CLI_INTERVAL && isfinite(f->high)) {
        snprintf(text, size, f->value > 0 ? "%.1e, below %.1e" : "%g, below %.1e", f->value,
                 f->high);
    } else if (isnan(f->value)) {
        snprintf(text, size, "-");
    } else if (f->known == CLI_INTERVAL && isfinite(f->low)) {
        cli_record_rounded(mean, sizeof mean, f->value, f->low);
        snprintf(text, size, "%s +- %.2g", mean, f->low);
    } else {
        snprintf(text, size, "%.6g", f->value);
    }
    return text;
}

bool cli_record_shown(const cli_record *f)
{
    if (f->quiet)
        return false;
    if (f->kind == CLI_NUMBER)
        return f->text || !isnan(f->value) || isfinite(f->high);
    if (f->kind == CLI_WORD)
        return f->text != NULL;
    return true;
}

bool cli_record_value(const cli_record *f, char text[CLI_RECORD_VALUE])
{
    switch (f->kind) {
    case CLI_NUMBER: /* NAN: there is no such option */
        snprintf(text, CLI_RECORD_VALUE, "%.10g", f->value);
        return !isnan(f->value);
    case CLI_COUNT:
        snprintf(text, CLI_RECORD_VALUE, "%llu", (unsigned long long)f->count);
        return true;
    case CLI_TRUTH:
        snprintf(text, CLI_RECORD_VALUE, "%s", f->count ? "on" : "off");
        return true;
    case CLI_WORD:
        snprintf(text, CLI_RECORD_VALUE, "%s", f->text ? f->text : "none");
        return true;
    default:
        return false;
    }
}
