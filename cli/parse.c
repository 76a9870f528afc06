/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text to numbers and words, strictly, with messages that name the option.
 * Room: cli.
 */
#include "base/context.h"
#include "base/names.h"
#include "cli/cli.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A decimal number with nothing around it: strtod alone would take blanks, "inf", "nan" and hex. */
static bool plain_number(const char *text, double *value)
{
    char *end;

    if (!*text || strspn(text, "0123456789.eE+-") != strlen(text))
        return false;
    errno = 0;
    *value = strtod(text, &end);
    return *end == '\0' && isfinite(*value) && errno != ERANGE; /* 1e-400 is not 0 */
}

swq_status cli_integer(swq_context *ctx, const char *option, const char *text, int least, int most,
                       int *value)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    bool whole = *text && !isspace((unsigned char)*text) && *end == '\0';

    if (!whole || errno == ERANGE || number < least || number > most)
        return swq_fail(ctx, SWQ_EINVAL, "--%s must be a whole number from %d to %d, not '%.60s'",
                        option, least, most, text);
    *value = (int)number;
    return SWQ_OK;
}

swq_status cli_number(swq_context *ctx, const char *option, const char *text, double least,
                      double most, double *value)
{
    double number;

    if (!plain_number(text, &number) || number < least || number > most)
        return swq_fail(ctx, SWQ_EINVAL, "--%s must be a number from %g to %g, not '%.60s'", option,
                        least, most, text);
    *value = number;
    return SWQ_OK;
}

swq_status cli_number_or_whole(swq_context *ctx, const char *option, const char *text, double least,
                               double most, bool whole, double *value)
{
    *value = 0;
    swq_status status = cli_number(ctx, option, text, least, most, value);

    if (whole && (status || *value != floor(*value)))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--%s must be a whole number from %.10g to %.10g, not '%.60s'", option,
                          least, most, text);
    return status;
}

/* The decimal that was meant: 0.1 + 2 * 0.1 is 0.3. */
static double decimal(double value)
{
    char text[40];

    snprintf(text, sizeof text, "%.12g", value);
    return strtod(text, NULL);
}

bool cli_is_range(const char *text)
{
    return text && strchr(text, ':') && strncmp(text, "file:", 5) != 0;
}

swq_status cli_range(swq_context *ctx, const char *option, const char *text, double least,
                     double most, bool whole, double **value, int *points)
{
    char word[3][64], junk;
    double from = 0, to = 0, step = 0;

    *value = NULL;
    if (sscanf(text, "%63[^:]:%63[^:]:%63[^:]%c", word[0], word[1], word[2], &junk) != 3)
        return swq_fail(ctx, SWQ_EINVAL, "--%s must be a number or FROM:TO:STEP, not '%.60s'",
                        option, text);
    swq_status status = cli_number_or_whole(ctx, option, word[0], least, most, whole, &from);
    if (!status)
        status = cli_number_or_whole(ctx, option, word[1], least, most, whole, &to);
    if (!status && cli_number(ctx, option, word[2], 0, 1e300, &step))
        step = 0;
    if (status)
        return status;
    double steps = floor((to - from) / step + 1e-9);
    if (!(step > 0) || !(steps >= 0))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--%s must rise from FROM to TO by a STEP above 0, not '%.60s'", option,
                        text);
    if (whole && step != floor(step))
        return swq_fail(ctx, SWQ_EINVAL, "--%s needs a whole STEP, not '%.60s'", option, text);
    if (steps >= CLI_MOST_POINTS)
        return swq_fail(ctx, SWQ_EINVAL, "--%s has more than %d points: '%.60s'", option,
                        CLI_MOST_POINTS, text);
    *points = (int)steps + 1;
    *value = calloc((size_t)*points, sizeof **value);
    if (!*value)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for --%s", option);
    for (int k = 0; k < *points; k++)
        (*value)[k] = fmin(decimal(from + k * step), to);
    return SWQ_OK;
}

swq_status cli_bytes(swq_context *ctx, const char *option, const char *text, size_t *value)
{
    static const char units[] = "KMGT";
    char digits[40] = "";
    size_t length = strlen(text);
    double scale = 1, number = 0;
    bool fine = length > 0 && length < sizeof digits;

    if (fine) {
        memcpy(digits, text, length);
        const char *unit = strchr(units, toupper((unsigned char)digits[length - 1]));
        if (unit) {
            scale = pow(1024, (double)(unit - units + 1));
            digits[length - 1] = '\0';
        }
        fine = plain_number(digits, &number) && number * scale >= 1 && number * scale < 1e18;
    }
    if (!fine)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--%s must be a positive size such as 500M or 2G, not '%.60s'", option,
                        text);
    *value = (size_t)(number * scale);
    return SWQ_OK;
}

swq_status cli_word(swq_context *ctx, const char *option, const char *text,
                    const char *const *words, int *value)
{
    const char *const *rows[8] = {0};
    char what[40];

    for (int w = 0; words[w]; w++)
        rows[w] = &words[w];
    snprintf(what, sizeof what, "--%s", option);
    const void *row = swq_name_lookup(ctx, what, text, (const void *const *)rows);
    if (!row)
        return SWQ_EINVAL;
    *value = (int)((const char *const *)row - words);
    return SWQ_OK;
}

swq_status cli_read_file(swq_context *ctx, const char *path, int megabytes, char **text)
{
    const size_t most = (size_t)megabytes << 20;
    size_t size = 1 << 16, got = 0;
    FILE *file = fopen(path, "r");
    char *buffer = file ? malloc(size) : NULL;
    swq_status status = SWQ_OK;

    if (!file)
        return swq_fail(ctx, SWQ_EIO, "cannot read '%.200s': %s", path, strerror(errno));
    while (buffer && got < most &&
           (got += fread(buffer + got, 1, size - 1 - got, file)) == size - 1) {
        char *larger = realloc(buffer, size *= 2);
        if (!larger)
            free(buffer);
        buffer = larger;
    }
    if (!buffer)
        status = swq_fail(ctx, SWQ_ENOMEM, "no memory to read '%.200s'", path);
    else if (ferror(file))
        status = swq_fail(ctx, SWQ_EIO, "cannot read '%.200s': %s", path, strerror(errno));
    else if (got >= most)
        status = swq_fail(ctx, SWQ_EIO, "cannot read '%.200s': it is larger than %d MB", path,
                          megabytes);
    fclose(file);
    if (status || !buffer) {
        free(buffer);
        return status;
    }
    buffer[got] = '\0';
    *text = buffer;
    return SWQ_OK;
}

swq_status cli_big(swq_context *ctx, const char *option, const char *text, double least,
                   double most, uint64_t *value)
{
    char *end;
    unsigned long long number = strtoull(text, &end, 10);
    bool digits = *text && strspn(text, "0123456789") == strlen(text) && strlen(text) < 20;

    if (!digits || (double)number < least || (double)number > most)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--%s must be a whole number from %.0f to %.0f, not '%.60s'", option, least,
                        most, text);
    *value = number;
    return SWQ_OK;
}
