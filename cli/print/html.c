/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text, numbers and trees into HTML, and the head of a page.
 */
#include "cli/print/html.h"
#include "base/context.h"
#include "base/palette.h"
#include "cli/print/json_path.h"
#include "cli/print/output.h"
#include "cli/print/text.h"
#include "switchq/version.h"

#include <stdlib.h>
#include <string.h>

/* Files of report/, linked in as they are. */
#define PIECE(name) extern const char _binary_report_##name##_start[], _binary_report_##name##_end[]
PIECE(report_css);
PIECE(icon_svg);

/* The colours of curves as variables --s0, --s1 and so on of a rule. */
static void write_colours(FILE *to, const char *selector, bool dark)
{
    fprintf(to, "%s {", selector);
    for (int k = 0; k < SWQ_PALETTE_COLOURS; k++)
        fprintf(to, " --s%d: %s;", k,
                dark ? swq_palette_colours[k].dark : swq_palette_colours[k].light);
    fputs(" }", to);
}

static void write_palette_style(FILE *to)
{
    fputs("<style id=\"palette\">\n", to);
    write_colours(to, ":root", false);
    write_colours(to, "\n:root[data-theme=\"dark\"]", true);
    write_colours(to, "\n@media (prefers-color-scheme: dark) { :root:not([data-theme])", true);
    write_colours(
        to, " }\n@media print { :root, :root[data-theme=\"dark\"], :root:not([data-theme])", false);
    fputs(" }\n</style>\n", to);
}

void cli_html_palette(FILE *to)
{
    fprintf(to, "const palette = {colours: %d, marks: %d, dashes: [", SWQ_PALETTE_COLOURS,
            SWQ_PALETTE_MARKS);
    for (int k = 0; k < SWQ_PALETTE_DASHES; k++)
        fprintf(to, "%s'%s'", k ? ", " : "", swq_palette_dashes[k]);
    fputs("], lists: [", to);
    for (const swq_palette_list *list = swq_palette_lists; list->what; list++) {
        for (int k = 0; list->kind[k]; k++)
            fprintf(to, "%s'%s'", k ? ", " : "\n  [", list->kind[k]);
        fputs("],", to);
    }
    fputs("\n]};\n", to);
}

void cli_html_head(FILE *to, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"generator\" content=\"switchq " SWQ_VERSION "\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
          to);
    cli_html(to, title);
    fputs("</title>\n<link rel=\"icon\" href=\"data:image/svg+xml,", to);
    for (const char *at = _binary_report_icon_svg_start; at != _binary_report_icon_svg_end; at++) {
        if (strchr("#<>\"%\n", *at))
            fprintf(to, "%%%02X", (unsigned)*at);
        else
            putc(*at, to);
    }
    fputs("\">\n<style>\n", to);
    for (const char *at = _binary_report_report_css_start; at != _binary_report_report_css_end;
         at++)
        putc(*at, to);
    fputs("</style>\n", to);
    write_palette_style(to);
    fputs("</head>\n", to);
}

void cli_html(FILE *to, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", to);
            break;
        case '<':
            fputs("&lt;", to);
            break;
        case '>':
            fputs("&gt;", to);
            break;
        case '"':
            fputs("&quot;", to);
            break;
        default:
            putc(*text, to);
        }
    }
}

void cli_html_format(FILE *to, const char *format, ...)
{
    char text[2400];
    va_list list;

    va_start(list, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is the line above
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    cli_html(to, text);
}

swq_status cli_html_json(swq_context *ctx, FILE *to, const char *class, const cJSON *tree)
{
    char *text = cli_json_text(tree, false);

    if (!text)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the page");
    fprintf(to, "<script type=\"application/json\" class=\"%s\">", class);
    /* in JSON a "<" occurs only in strings; unescaped it could end the element */
    for (const char *at = text; *at; at++) {
        if (*at == '<')
            fputs("\\u003c", to);
        else
            putc(*at, to);
    }
    fputs("</script>\n", to);
    free(text);
    return SWQ_OK;
}

cJSON *cli_rounded(double value)
{
    char text[40];

    snprintf(text, sizeof text, "%.6g", value);
    return isfinite(value) ? cJSON_CreateRaw(text) : cJSON_CreateNull();
}

const char *cli_string_of(const cJSON *tree, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(tree, key));

    return text ? text : "";
}

double cli_number_of(const cJSON *tree, const char *key)
{
    return cli_json_as_number(cJSON_GetObjectItemCaseSensitive(tree, key));
}

bool cli_true_of(const cJSON *tree, const char *key)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(tree, key));
}
