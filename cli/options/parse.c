/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text to numbers and words, strictly, with messages that name the option.
 */
#include "cli/options/parse.h"
#include "base/context.h"
#include "base/names.h"
#include "base/plot.h"
#include "switchq/sim.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A decimal number and nothing else: strtod alone would accept blanks, "inf", "nan" and hex. */
static bool plain_number(const char *text, double *value)
{
    char *end;

    if (!*text || strspn(text, "0123456789.eE+-") != strlen(text))
        return false;
    errno = 0;
    *value = strtod(text, &end);
    return *end == '\0' && isfinite(*value) && errno != ERANGE; /* 1e-400 is not 0 */
}

/* A whole number: digits, optionally with k, M or G for thousands, millions or thousand millions
 * (100k, 2M, 1G), or 1e5. */
static bool whole_number(const char *text, uint64_t *value)
{
    static const char units[] = "kMG";
    const size_t digits = strspn(text, "0123456789");
    const char *unit = text[digits] ? strchr(units, text[digits]) : NULL;
    uint64_t scale = 1;
    double number;

    if (digits == 0 || digits > 19)
        return false;
    *value = strtoull(text, NULL, 10);
    for (const char *u = units; unit && u <= unit; u++)
        scale *= 1000;
    if (text[digits] == '\0' || (unit && text[digits + 1] == '\0'))
        return !__builtin_mul_overflow(*value, scale, value);
    if (!strchr(text, 'e') || !plain_number(text, &number) || number < 0 || number > 9e15 ||
        number != floor(number))
        return false;
    *value = (uint64_t)number;
    return true;
}

swq_status cli_integer(swq_context *ctx, const char *option, const char *text, int least, int most,
                       int *value)
{
    const bool negative = *text == '-';
    uint64_t number;

    if (!whole_number(text + negative, &number) || number > INT_MAX ||
        (negative ? -(int)number : (int)number) < least ||
        (negative ? -(int)number : (int)number) > most)
        return swq_fail(ctx, SWQ_EINVAL, "--%s must be a whole number from %d to %d, not '%.60s'",
                        option, least, most, text);
    *value = negative ? -(int)number : (int)number;
    return SWQ_OK;
}

swq_status cli_number(swq_context *ctx, const char *option, const char *text, double least,
                      double most, double *value)
{
    double number;

    if (!plain_number(text, &number) || number < least || number > most)
        return swq_fail(ctx, SWQ_EINVAL, "--%s must be a number from %g to %g, not '%.60s'", option,
                        least, most, text);
    *value = number == 0 ? 0 : number; /* without the sign of -0 */
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

int cli_usual_threads(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);

    return cores < 1 ? 1 : cores > SWQ_MAX_THREADS ? SWQ_MAX_THREADS : (int)cores;
}

swq_status cli_threads(swq_context *ctx, const char *text, int *threads)
{
    *threads = cli_usual_threads();
    return text ? cli_integer(ctx, "threads", text, 1, SWQ_MAX_THREADS, threads) : SWQ_OK;
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

swq_status cli_go_on_reading(swq_context *ctx, const char *path)
{
    if (!swq_context_cancelled(ctx))
        return SWQ_OK;
    return swq_fail(ctx, SWQ_ECANCELLED, "interrupted while reading '%.200s'", path);
}

swq_status cli_cannot_read(swq_context *ctx, const char *path)
{
    const int why = errno;
    const swq_status status = cli_go_on_reading(ctx, path);

    return status ? status
                  : swq_fail(ctx, SWQ_EIO, "cannot read '%.200s': %s", path, strerror(why));
}

swq_status cli_read_file(swq_context *ctx, const char *path, int megabytes, char **text)
{
    const size_t most = (size_t)megabytes << 20;
    size_t size = 1 << 16, got = 0;
    FILE *file = fopen(path, "r");
    char *buffer = file ? malloc(size) : NULL;
    swq_status status = SWQ_OK;

    if (!file)
        return cli_cannot_read(ctx, path);
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
        status = cli_cannot_read(ctx, path);
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
    uint64_t number;

    if (!whole_number(text, &number) || (double)number < least ||
        number > (uint64_t)most) /* exact, since most may be 2^53 */
        return swq_fail(ctx, SWQ_EINVAL,
                        "--%s must be a whole number from %.0f to %.0f, not '%.60s'", option, least,
                        most, text);
    *value = number;
    return SWQ_OK;
}

/* Makes the folders of a path; whether that worked is seen when the path is used. */
static void make_folders_above(const char *path)
{
    char above[PATH_MAX];

    for (size_t k = 1; *path && k < sizeof above && path[k]; k++) {
        if (path[k] != '/')
            continue;
        memcpy(above, path, k);
        above[k] = '\0';
        mkdir(above, 0777);
    }
}

void cli_make_folder_for(const char *file)
{
    if (file)
        make_folders_above(file);
}

swq_status cli_plot_check(swq_context *ctx, const char *path)
{
    swq_status status = swq_plot_check(ctx, path);
    if (!status)
        status = swq_plot_find_program(ctx, path);
    char folder[PATH_MAX];
    const char *slash = status ? NULL : strrchr(path, '/');

    if (!slash)
        return status;
    make_folders_above(path);
    snprintf(folder, sizeof folder, "%.*s/", (int)(slash - path), path);
    if (access(folder, W_OK | X_OK) != 0)
        return swq_fail(ctx, SWQ_EIO, "cannot write '%.200s': %s", path, strerror(errno));
    return SWQ_OK;
}

swq_status cli_outfile_open(swq_context *ctx, const char *path, swq_outfile *file)
{
    make_folders_above(path);
    return swq_outfile_open(ctx, path, file);
}

swq_status cli_make_folder(swq_context *ctx, const char *path)
{
    struct stat about;

    make_folders_above(path);
    if (mkdir(path, 0777) == 0)
        return SWQ_OK;
    if (errno != EEXIST)
        return swq_fail(ctx, SWQ_EIO, "--output: cannot make the folder '%.200s': %s", path,
                        strerror(errno));
    if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode))
        return swq_fail(ctx, SWQ_EIO, "--output must be a folder, which '%.200s' is not", path);
    return SWQ_OK;
}
