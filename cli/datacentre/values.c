/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of options of shared memories: numbers, lists, quantities and words.
 */
#include "cli/datacentre/values.h"
#include "base/context.h"
#include "cli/options/parse.h"

#include <math.h>
#include <string.h>

const char *cli_dc_given(const char *option)
{
    return cli_text(cli_sim.options, option);
}

/* A comma-separated list of 1 to `most` numbers from `least` to `greatest`. */
swq_status cli_dc_read_list(swq_context *ctx, const char *option, const char *text, double least,
                            double greatest, int most, double *value, int *count)
{
    char word[64];

    *count = 0;
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        if (*count == most || length >= sizeof word)
            return swq_fail(ctx, SWQ_EINVAL, "--%s takes up to %d numbers, not '%.60s'", option,
                            most, text);
        memcpy(word, at, length);
        word[length] = '\0';
        const swq_status status =
            cli_number(ctx, option, word, least, greatest, &value[(*count)++]);
        if (status)
            return status;
        at += length;
        if (!*at)
            return SWQ_OK;
    }
}

/* One number for all, or one for each of `count`. */
swq_status cli_dc_read_each(swq_context *ctx, const char *option, const char *things, double least,
                            double greatest, int count, double *value)
{
    int found = 0;
    swq_status status =
        cli_dc_read_list(ctx, option, cli_dc_given(option), least, greatest, count, value, &found);

    if (status)
        return status;
    if (found != 1 && found != count)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--%s takes one number, or one for each of the %d %s, not %d", option,
                        count, things, found);
    for (int k = found; k < count; k++)
        value[k] = value[0];
    return SWQ_OK;
}

swq_status cli_dc_refuse_fractions(swq_context *ctx, const char *option, const double *value,
                                   int count)
{
    for (int k = 0; k < count; k++) {
        if (value[k] != floor(value[k]))
            return swq_fail(ctx, SWQ_EINVAL, "--%s takes whole numbers, not %g", option, value[k]);
    }
    return SWQ_OK;
}

swq_status cli_dc_read_units(swq_context *ctx, const char *option, swq_unit_kind kind,
                             uint64_t least, uint64_t most, uint64_t *value)
{
    char what[40];

    if (!cli_dc_given(option))
        return SWQ_OK;
    snprintf(what, sizeof what, "--%s", option);
    return swq_units_read(ctx, what, kind, cli_dc_given(option), least, most, value);
}

swq_status cli_dc_read_word(swq_context *ctx, const char *option, const char *const *words,
                            int *value)
{
    return cli_dc_given(option) ? cli_word(ctx, option, cli_dc_given(option), words, value)
                                : SWQ_OK;
}
