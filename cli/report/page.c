/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq report: the page, with its style and scripts in it.
 */
#include "base/context.h"
#include "cli/report/report.h"
#include "switchq/version.h"

#include <math.h>
#include <string.h>

/* Files of report/, linked in as they are. */
#define PIECE(name) extern const char _binary_report_##name##_start[], _binary_report_##name##_end[]
PIECE(report_js);
PIECE(chart_js);
PIECE(explorer_js);

const char *const cli_section_words[] = {"explorer", "tables", "figures", "league", "checks", NULL};

static const cli_section_writer *const sections[CLI_SECTIONS] = {
    [CLI_SECTION_EXPLORER] = &cli_section_explorer, [CLI_SECTION_TABLES] = &cli_section_tables,
    [CLI_SECTION_FIGURES] = &cli_section_figures,   [CLI_SECTION_LEAGUE] = &cli_section_league,
    [CLI_SECTION_CHECKS] = &cli_section_checks,
};

const cli_section_writer *cli_section_of(const cli_block *block)
{
    return sections[block->section];
}

cli_score cli_block_score(const cli_block *block)
{
    const cli_section_writer *section = sections[block->section];

    return section->score && block->record ? section->score(cli_block_answer(block))
                                           : (cli_score){0};
}

static void put(FILE *to, const char *start, const char *end)
{
    fwrite(start, 1, (size_t)(end - start), to);
}

/* ---- where a block's numbers come from ---- */

static void write_seed(FILE *to, const cJSON *answer)
{
    double seed = cli_number_of(answer, "seed");

    if (isnan(seed))
        seed = cli_number_of(cJSON_GetObjectItemCaseSensitive(answer, "run"), "seed");
    if (isnan(seed))
        fputs("<li>solved, no seed</li>", to);
    else
        fprintf(to, "<li>seed %.0f</li>", seed);
}

static void write_origin(FILE *to, const cli_block *block)
{
    const cJSON *record = block->record;
    const cJSON *machine = cJSON_GetObjectItemCaseSensitive(record, "machine");
    char line[200];

    cli_block_line(block, line, sizeof line);
    fputs("<footer class=\"origin\"><code class=\"command\">", to);
    cli_html(to, line);
    fputs("</code><ul>", to);
    if (block->section != CLI_SECTION_CHECKS)
        write_seed(to, cli_block_answer(block));
    fputs("<li>switchq ", to);
    cli_html(to, cli_string_of(record, "version"));
    fputs("</li><li>", to);
    cli_html(to, cli_string_of(record, "date"));
    fprintf(to, "</li><li>%.1f s (%.1f s of CPU)</li><li>", cli_number_of(record, "seconds"),
            cli_number_of(record, "cpu_seconds"));
    cli_html_format(to, "%s, %.0f cores", cli_string_of(machine, "cpu"),
                    cli_number_of(machine, "cores"));
    fputs("</li></ul></footer>\n", to);
}

/* ---- summary ---- */

static cli_score sum_of(const cli_report_run *run, cli_section section)
{
    cli_score sum = {0};

    for (int b = 0; b < run->blocks; b++) {
        const cli_score s = cli_block_score(&run->block[b]);
        if (run->block[b].section != section)
            continue;
        sum.agree += s.agree;
        sum.known += s.known;
        sum.open += s.open;
        sum.differ += s.differ;
        sum.all += s.all;
    }
    return sum;
}

static void write_part(FILE *to, int count, const char *class, const char *word, bool *any)
{
    if (count == 0)
        return;
    fprintf(to, "%s<span class=\"%s\">%d&nbsp;%s</span>", *any ? ", " : "", class, count, word);
    *any = true;
}

/* Writes how many cells or claims agree, differ for a known reason, are open or differ: a bar, and
 * the numbers in words. */
static void write_score(FILE *to, const cli_score *s, const cli_section_writer *section)
{
    bool any = false;

    fprintf(to,
            "<span class=\"bar\" aria-hidden=\"true\"><i class=\"agrees\" style=\"flex:%d\"></i>"
            "<i class=\"known\" style=\"flex:%d\"></i><i class=\"open\" style=\"flex:%d\"></i>"
            "<i class=\"differs\" style=\"flex:%d\"></i></span><span class=\"counts\">",
            s->agree, s->known, s->open, s->differ);
    write_part(to, s->agree, "agrees", section->word.agree, &any);
    write_part(to, s->known, "known", section->word.known, &any);
    write_part(to, s->open, "open", section->word.open, &any);
    write_part(to, s->differ, "differs", section->word.differ, &any);
    fputs("</span>", to);
}

static void write_tile(FILE *to, const cli_report_run *run, cli_section section)
{
    const cli_section_writer *writer = sections[section];
    const cli_score s = sum_of(run, section);

    if (!s.all)
        return;
    fprintf(to,
            "<a class=\"tile\" href=\"#%s\"><span class=\"name\">%s</span><span class=\"big\">%d"
            "<small> of %d</small></span><span class=\"unit\">%s %s</span>",
            cli_section_words[section], writer->title, s.agree, s.all, writer->word.unit,
            writer->word.agree);
    write_score(to, &s, writer);
    fputs("</a>\n", to);
}

static void write_summary(FILE *to, const cli_report_run *run)
{
    char date[80] = "";

    for (int b = 0; b < run->blocks; b++) {
        const char *d = cli_string_of(run->block[b].record, "date");
        if (strcmp(d, date) > 0)
            snprintf(date, sizeof date, "%.40s", d);
    }
    fputs("<header class=\"top\">\n"
          "<h1>switchq report</h1>\n"
          "<p class=\"lead\">What a buffer organisation and a flow control buy a packet "
          "switch: computed exactly, approximated and simulated, and compared with the "
          "printed values.</p>\n"
          "<p class=\"aside\">switchq " SWQ_VERSION " \xc2\xb7 ",
          to);
    cli_html_format(to, "%.10s \xc2\xb7 %s \xc2\xb7 %s runs", date,
                    cli_string_of(run->machine, "cpu"), run->full ? "full" : "quick");
    fputs("</p>\n</header>\n<div class=\"tiles\">\n", to);
    for (int s = 0; s < CLI_SECTIONS; s++)
        write_tile(to, run, (cli_section)s);
    fputs("</div>\n", to);
}

/* ---- blocks and sections ---- */

static bool is_shown(const cli_block *block)
{
    return block->record || (block->asked && *block->why);
}

static void write_nav(FILE *to, const cli_report_run *run)
{
    fputs("<nav aria-label=\"Contents\"><a class=\"home\" href=\"#top\">switchq</a>\n<ul>\n", to);
    for (int s = 0; s < CLI_SECTIONS; s++) {
        int blocks = 0;
        for (int b = 0; b < run->blocks; b++)
            blocks += run->block[b].section == (cli_section)s && is_shown(&run->block[b]);
        if (!blocks)
            continue;
        fprintf(to, "<li><a href=\"#%s\">%s</a>", cli_section_words[s], sections[s]->title);
        for (int b = 0, any = 0; blocks > 1 && b < run->blocks; b++) {
            const cli_block *block = &run->block[b];
            if (block->section != (cli_section)s || !is_shown(block))
                continue;
            fprintf(to, "%s<a href=\"#%s\">%s</a>", any++ ? " " : "<span class=\"sub\">", block->id,
                    strchr(block->id, '-') + 1);
        }
        fputs(blocks > 1 ? "</span></li>\n" : "</li>\n", to);
    }
    fputs("<li><a href=\"#how\">How obtained</a></li>\n</ul>\n"
          "<button type=\"button\" class=\"theme\" hidden>Theme: auto</button></nav>\n",
          to);
}

static swq_status write_block(swq_context *ctx, FILE *to, const cli_block *block)
{
    const bool alone =
        block->section == CLI_SECTION_EXPLORER || block->section == CLI_SECTION_CHECKS;
    swq_status status = SWQ_OK;

    if (alone) { /* the section's title says it already */
        fputs("<article>\n", to);
    } else {
        fprintf(to, "<article id=\"%s\">\n<h3>", block->id);
        cli_html(to, block->title);
        fputs("</h3>\n", to);
    }
    if (block->record) {
        const cli_score s = cli_block_score(block);
        if (s.all) {
            fputs("<p class=\"score\">", to);
            write_score(to, &s, cli_section_of(block));
            fprintf(to, "<span class=\"of\">of %d %s</span></p>\n", s.all,
                    cli_section_of(block)->word.unit);
        }
        status = sections[block->section]->write(ctx, to, block);
        write_origin(to, block);
    } else {
        fputs("<p class=\"missing\">Not here: ", to);
        cli_html(to, block->why);
        fputs("</p>\n", to);
    }
    fputs("</article>\n", to);
    return status;
}

static void write_left_out(FILE *to, const cli_report_run *run, cli_section section)
{
    bool any = false;

    for (int b = 0; b < run->blocks; b++) {
        const cli_block *block = &run->block[b];
        if (block->section != section || is_shown(block))
            continue;
        fprintf(to, "%s%s", any ? ", " : "<p class=\"aside\">Not in this report: ", block->id);
        any = true;
    }
    if (any)
        fputs(". <code>switchq report --only NAME -o DIR</code> adds one, "
              "<code>--full</code> adds all.</p>\n",
              to);
}

static swq_status write_section(swq_context *ctx, FILE *to, const cli_report_run *run,
                                cli_section section)
{
    swq_status status = SWQ_OK;
    int shown = 0;

    for (int b = 0; b < run->blocks; b++)
        shown += run->block[b].section == section && is_shown(&run->block[b]);
    if (!shown)
        return SWQ_OK;
    fprintf(to, "<section id=\"%s\">\n<h2>%s</h2>\n", cli_section_words[section],
            sections[section]->title);
    if (sections[section]->lead)
        fprintf(to, "<p class=\"lead\">%s</p>\n", sections[section]->lead);
    for (int b = 0; b < run->blocks && !status; b++) {
        if (run->block[b].section == section && is_shown(&run->block[b]))
            status = write_block(ctx, to, &run->block[b]);
    }
    write_left_out(to, run, section);
    fputs("</section>\n", to);
    return status;
}

/* ---- how all of it was obtained ---- */

static void write_fact(FILE *to, const char *name, const char *value)
{
    if (!*value)
        return;
    fprintf(to, "<dt>%s</dt><dd>", name);
    cli_html(to, value);
    fputs("</dd>\n", to);
}

static void write_how(FILE *to, const cli_report_run *run)
{
    static const char *const facts[][2] = {{"Processor", "cpu"},
                                           {"Memory", "memory"},
                                           {"System", "system"},
                                           {"Kernel", "kernel"},
                                           {"Compiler", "compiler"}};
    char line[200];
    double seconds = 0;

    fputs("<section id=\"how\">\n<h2>How the numbers were obtained</h2>\n<dl>\n", to);
    write_fact(to, "Program", "switchq " SWQ_VERSION);
    write_fact(to, "Digest of the program", run->program);
    for (size_t k = 0; k < sizeof facts / sizeof *facts; k++)
        write_fact(to, facts[k][0], cli_string_of(run->machine, facts[k][1]));
    fprintf(to, "<dt>Cores</dt><dd>%.0f</dd>\n</dl>\n", cli_number_of(run->machine, "cores"));
    fputs("<p>The command beside each block computed it, and computes the same numbers "
          "again; <code>--json</code> prints them for other programs.</p>\n"
          "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
          "aria-label=\"Commands\"><table class=\"plain\"><thead><tr><th "
          "scope=\"col\">Block</th><th scope=\"col\" class=\"text\">Command</th><th "
          "scope=\"col\" class=\"text\">Finished</th><th scope=\"col\">Seconds</th><th "
          "scope=\"col\">Exit status</th></tr></thead>\n"
          "<tbody>\n",
          to);
    for (int b = 0; b < run->blocks; b++) {
        const cli_block *block = &run->block[b];
        if (!block->record)
            continue;
        cli_block_line(block, line, sizeof line);
        seconds += cli_number_of(block->record, "seconds");
        fprintf(to, "<tr><th scope=\"row\"><a href=\"#%s\">%s</a></th><td class=\"text\"><code>",
                block->id, block->id);
        cli_html(to, line);
        fputs("</code></td><td class=\"text\">", to);
        cli_html(to, cli_string_of(block->record, "date"));
        fprintf(to, "</td><td>%.1f</td><td>%.0f</td></tr>\n",
                cli_number_of(block->record, "seconds"), cli_number_of(block->record, "status"));
    }
    fprintf(to,
            "<tr><th scope=\"row\">together</th><td></td><td></td><td>%.1f</td><td></td></tr>\n",
            seconds);
    fputs("</tbody></table></div>\n</section>\n", to);
}

swq_status cli_report_page(swq_context *ctx, const cli_report_run *run, FILE *to)
{
    swq_status status = SWQ_OK;

    cli_html_head(to, "switchq report");
    fputs("<body id=\"top\">\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n", to);
    write_nav(to, run);
    fputs("<main id=\"main\">\n", to);
    write_summary(to, run);
    for (int s = 0; s < CLI_SECTIONS && !status; s++)
        status = write_section(ctx, to, run, (cli_section)s);
    write_how(to, run);
    fputs("</main>\n<script>\n", to);
    cli_html_palette(to);
    put(to, _binary_report_report_js_start, _binary_report_report_js_end);
    put(to, _binary_report_chart_js_start, _binary_report_chart_js_end);
    put(to, _binary_report_explorer_js_start, _binary_report_explorer_js_end);
    fputs("</script>\n</body>\n</html>\n", to);
    return status;
}
