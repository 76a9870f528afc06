/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Load, destinations and bursts of the packets that come to one switch; and the probabilities among
 * them as they were written, for answers as fractions.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/spec/buffer.h"
#include "switchq/rational.h"

#include <stdlib.h>
#include <string.h>

/* The least fraction that a double still holds with full precision. */
#define LEAST_FRACTION 1e-300

cli_parameter cli_traffic_parameters[] = {
    {CLI_OPTION("load", "R[,R]", 0), .axis = CLI_AXIS_LOADS,
     .about = "packets created per cycle and input: one number, or one per input", .key = "load"},
    {CLI_OPTION("traffic", "PATTERN", 0), .says = "% traffic", .as_given = true, .list = "traffic",
     .about = "uniform, hotspot:F[:J] (the fraction F goes to output J in addition), "
              "matrix:P,P/P,P (a row per input), file:PATH (such a matrix from a file)",
     .key = "traffic", CLI_DEFAULTS({SOLVE, "uniform", "the traffic of most tables and formulas"})},
    {CLI_OPTION("burst", "B", 0), .says = "bursts of %", .axis = CLI_AXIS_NUMBERS,
     .about = "mean number of packets in a burst, which arrive in consecutive cycles for one "
              "destination",
     .key = "burst", .unit = "packets", CLI_DEFAULTS({SOLVE, "1", "independent packets"})},
    CLI_PARAMETERS_END,
};

static cli_words *keeper;

void cli_keep_words(cli_words *words)
{
    keeper = words;
}

void cli_words_clear(cli_words *words)
{
    for (int k = 0; k < words->count; k++)
        free(words->word[k]);
    free(words->word);
    *words = (cli_words){0};
}

/* Adds a word to a list, which frees the word later. False: no memory, and the caller still owns
 * the word. */
static bool keep_word(cli_words *words, char *word)
{
    if (words->count == words->room) {
        int room = 2 * words->room + 16;
        char **grown = realloc(words->word, (size_t)room * sizeof *grown);
        if (!grown)
            return false;
        words->word = grown;
        words->room = room;
    }
    words->word[words->count++] = word;
    return true;
}

swq_status cli_fraction(swq_context *ctx, const char *option, const char *word, double *value)
{
    if (!swq_rational_value(word, value) || *value > 1)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--%s must be a number from 0 to 1, or a fraction such as 9/10, not "
                        "'%.60s'",
                        option, word);
    if (*value > 0 && *value < LEAST_FRACTION)
        return swq_fail(ctx, SWQ_EINVAL, "--%s must be 0 or at least %g, not '%.60s'", option,
                        LEAST_FRACTION, word);
    return SWQ_OK;
}

/* The first `length` characters of the text as a number from 0 to 1. */
static swq_status read_part(swq_context *ctx, const char *option, const char *text, size_t length,
                            double *value)
{
    char *word = strndup(text, length);
    if (!word)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory to read --%s", option);
    swq_status status = SWQ_OK;
    if (!keeper)
        status = cli_number(ctx, option, word, 0, 1, value);
    else
        status = cli_fraction(ctx, option, word, value);
    if (keeper && !status) {
        if (keep_word(keeper, word))
            return SWQ_OK;
        status = swq_fail(ctx, SWQ_ENOMEM, "no memory to read --%s", option);
    }
    free(word);
    return status;
}

/* Splits the text at any of `separators` into *count numbers from 0 to 1, at most `most`. */
static swq_status read_list(swq_context *ctx, const char *option, const char *text,
                            const char *separators, double *value, int most, int *count)
{
    *count = 0;
    for (const char *at = text;;) {
        size_t length = strcspn(at, separators);
        if (*count == most)
            return swq_fail(ctx, SWQ_EINVAL, "--%s has more than %d numbers: '%.60s'", option, most,
                            text);
        swq_status status = read_part(ctx, option, at, length, &value[(*count)++]);
        if (status)
            return status;
        at += length;
        if (!*at)
            return SWQ_OK;
        at++;
    }
}

static swq_status read_load(swq_context *ctx, cli_spec *spec)
{
    int count = 1, ports = spec->sw.ports;
    swq_status status = spec->load_open ? SWQ_OK : cli_required(ctx, "load", cli_spec_text("load"));
    if (spec->load_open)
        spec->sw.load[0] = 1;
    else if (!status)
        status = read_list(ctx, "load", cli_spec_text("load"), ",", spec->sw.load, ports, &count);
    if (status)
        return status;
    if (keeper)
        keeper->loads = count;
    if (count != 1 && count != ports)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--load must be one number or one for each of the %d inputs, not '%.60s'",
                        ports, cli_spec_text("load"));
    for (int i = count; i < ports; i++)
        spec->sw.load[i] = spec->sw.load[0];
    spec->same_load = true;
    for (int i = 1; i < ports; i++)
        spec->same_load = spec->same_load && spec->sw.load[i] == spec->sw.load[0];
    return SWQ_OK;
}

static swq_status read_hotspot(swq_context *ctx, cli_spec *spec, const char *text)
{
    const char *output = strchr(text, ':');
    size_t length = output ? (size_t)(output - text) : strlen(text);

    swq_status status = read_part(ctx, "traffic hotspot", text, length, &spec->hot_fraction);
    if (!status && output)
        status = cli_integer(ctx, "traffic hotspot output", output + 1, 0, spec->sw.ports - 1,
                             &spec->hot_output);
    spec->traffic = "hotspot";
    return status ? status
                  : swq_traffic_hotspot(ctx, &spec->sw, spec->hot_fraction, spec->hot_output);
}

static swq_status read_matrix(swq_context *ctx, cli_spec *spec, const char *text,
                              const char *separators)
{
    double matrix[SWQ_CHAIN_PORTS * SWQ_CHAIN_PORTS];
    int count, n = spec->sw.ports;
    swq_status status = read_list(ctx, "traffic", text, separators, matrix, n * n, &count);
    if (status)
        return status;
    if (count != n * n)
        return swq_fail(ctx, SWQ_EINVAL, "--traffic matrix must have %d x %d numbers, not %d", n, n,
                        count);
    spec->traffic = "matrix";
    return swq_traffic_matrix(ctx, &spec->sw, matrix);
}

/* A matrix in a file: numbers separated by blanks, commas or line ends; # starts a comment. */
static swq_status read_matrix_file(swq_context *ctx, cli_spec *spec, const char *path)
{
    char *text;
    size_t out = 0;
    swq_status status = cli_read_file(ctx, path, 1, &text);
    if (status)
        return status;
    for (const char *in = text; *in;) {
        if (*in == '#') {
            in += strcspn(in, "\n");
        } else if (strchr(" \t\r\n,", *in)) {
            in += strspn(in, " \t\r\n,");
            if (out > 0 && text[out - 1] != ',')
                text[out++] = ',';
        } else {
            text[out++] = *in++;
        }
    }
    out -= out > 0 && text[out - 1] == ',';
    text[out] = '\0';
    status = read_matrix(ctx, spec, text, keeper ? "," : ",/");
    free(text);
    return status;
}

static swq_status read_traffic(swq_context *ctx, cli_spec *spec)
{
    static const char *const words[] = {"uniform", "hotspot", "matrix", "file", NULL};
    char name[32];
    int which = 0;
    const char *text = cli_spec_text("traffic") ? cli_spec_text("traffic") : "uniform",
               *colon = strchr(text, ':');

    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    swq_status status = cli_word(ctx, "traffic", name, words, &which);
    if (status)
        return status;
    if (which > 0 && !(colon && colon[1]))
        return swq_fail(ctx, SWQ_EINVAL, "--traffic %s needs a value: '%s:...'", name, name);
    if (which == 0 && colon)
        return swq_fail(ctx, SWQ_EINVAL, "--traffic uniform takes no value, not '%.60s'", text);
    switch (which) {
    case 1:
        return read_hotspot(ctx, spec, colon + 1);
    case 2:
        /* rows separated by ';' leave '/' for fractions, which --exact takes */
        return read_matrix(ctx, spec, colon + 1, keeper && strchr(colon, ';') ? ",;" : ",/");
    case 3:
        return read_matrix_file(ctx, spec, colon + 1);
    default:
        spec->traffic = "uniform";
        swq_traffic_uniform(&spec->sw);
        return SWQ_OK;
    }
}

static swq_status read_burst(swq_context *ctx, cli_spec *spec)
{
    double *burst = &spec->sw.burst;

    *burst = 1;
    spec->burst_word = cli_spec_text("burst");
    if (!cli_spec_text("burst"))
        return SWQ_OK;
    if (!keeper)
        return cli_number(ctx, "burst", cli_spec_text("burst"), 1, SWQ_MOST_BURST, burst);
    if (swq_rational_value(cli_spec_text("burst"), burst) && *burst >= 1 &&
        *burst <= SWQ_MOST_BURST)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL,
                    "--burst must be a number from 1 to %g, or a fraction such as 5/2, not '%.60s'",
                    SWQ_MOST_BURST, cli_spec_text("burst"));
}

swq_status cli_switch_traffic_read(swq_context *ctx, cli_spec *spec)
{
    swq_status status = read_load(ctx, spec);

    if (!status)
        status = read_traffic(ctx, spec);
    return status ? status : read_burst(ctx, spec);
}
