/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The explorer's numbers as text, and a page of its own.
 */
#include "cli/explorer/explorer.h"
#include "cli/print/html.h"

#include <stdlib.h>

#define PIECE(name) extern const char _binary_report_##name##_start[], _binary_report_##name##_end[]
PIECE(report_js);
PIECE(explorer_js);

/* 64 characters that need no escaping in JSON or HTML. */
static const char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/* The number of the pair (held, marked), in the order of explorer.h. */
static uint64_t pair_of(uint64_t held, uint64_t marked)
{
    return held * (held + 1) / 2 + marked;
}

cJSON *cli_explorer_cells(const cli_cells_of *of, int *digits)
{
    const size_t cells = of->frames * of->shown;
    const uint64_t largest = of->marked ? pair_of(of->most, of->most) : of->most;

    *digits = 1;
    while (largest >> 6 * *digits)
        ++*digits;
    char *text = malloc(cells * (size_t)*digits + 1), *at = text;
    if (!text)
        return NULL;
    for (size_t f = 0; f < of->frames; f++) {
        for (size_t k = 0; k < of->shown; k++) {
            const size_t place = f * of->stores + of->store[k];
            const uint64_t value =
                of->marked ? pair_of(of->held[place], of->marked[place]) : of->held[place];
            for (int d = *digits - 1; d >= 0; d--)
                *at++ = signs[value >> 6 * d & 63];
        }
    }
    *at = '\0';
    cJSON *item = cJSON_CreateString(text);
    free(text);
    return item;
}

void cli_explorer_band(cJSON *bands, double from, double until, const char *words, bool shown)
{
    cJSON *band = cJSON_CreateObject();

    cJSON_AddNumberToObject(band, "from", from);
    cJSON_AddNumberToObject(band, "until", until);
    cJSON_AddStringToObject(band, "words", words);
    cJSON_AddBoolToObject(band, "shown", shown);
    cJSON_AddItemToArray(bands, band);
}

void cli_explorer_units(cJSON *tree, bool bytes)
{
    cJSON_AddStringToObject(tree, "unit", bytes ? "blocks" : "slots");
    cJSON_AddStringToObject(tree, "verb", bytes ? "are taken" : "hold packets");
    cJSON_AddStringToObject(tree, "unit_throughput",
                            bytes ? "bytes per node and cycle" : "packets per node and cycle");
}

static void put(FILE *to, const char *start, const char *end)
{
    fwrite(start, 1, (size_t)(end - start), to);
}

swq_status cli_explorer_page(swq_context *ctx, FILE *to, const char *title, const char *lead,
                             const char *command, const cJSON *data)
{
    cli_html_head(to, title);
    fputs("<body class=\"film\">\n<main id=\"main\">\n<button type=\"button\" class=\"theme\" "
          "hidden>Theme: auto</button>\n<h1>",
          to);
    cli_html(to, title);
    fputs("</h1>\n<p class=\"lead\">", to);
    cli_html(to, lead);
    fputs("</p>\n<noscript><p>This page draws what was recorded with a script, which your browser "
          "does not run.</p></noscript>\n<div class=\"explorer\">\n",
          to);
    swq_status status = cli_html_json(ctx, to, "explorer-data", data);
    fputs("</div>\n<footer class=\"origin\"><code class=\"command\">", to);
    cli_html(to, command);
    fputs("</code></footer>\n</main>\n<script>\n", to);
    cli_html_palette(to);
    put(to, _binary_report_report_js_start, _binary_report_report_js_end);
    put(to, _binary_report_explorer_js_start, _binary_report_explorer_js_end);
    fputs("</script>\n</body>\n</html>\n", to);
    return status;
}
