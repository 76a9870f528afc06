/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A comparison as a page that needs no other file: a table of scenarios and contestants, their
 * costs, and the plot.
 */
#include "base/context.h"
#include "base/outfile.h"
#include "cli/compare/compare.h"
#include "cli/options/parse.h"
#include "cli/print/html.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_cell(FILE *to, const cli_comparison *c, int f, int k)
{
    const swq_compared *mine = &c->contest.standing[cli_compare_cell(c, f, k)];

    if (!mine->there) {
        fputs("<td title=\"", to);
        cli_html(to, cli_compare_reason(c, f, k));
        fputs("\">&ndash;</td>", to);
        return;
    }
    if (mine->rank == 0) {
        fprintf(to, "<td>%.5g <small>approximate</small></td>", mine->mean);
        return;
    }
    fprintf(to, "<td title=\"%.6g &plusmn; %.2g behind the best, rank %d\">%s%.5g%s", mine->behind,
            mine->behind_half, mine->rank, mine->wins ? "<strong>" : "", mine->mean,
            mine->wins ? " &#9733;</strong>" : "");
    fprintf(to, " <small>&plusmn;%.2g, rank %d</small></td>", mine->half, mine->rank);
}

static void write_sized_heading(FILE *to, const cli_comparison *c, int size)
{
    char text[40];

    if (!c->sized)
        return;
    fputs("<h3>", to);
    cli_html_format(to, "All%s", cli_compare_size(c, size * c->scenarios, text));
    fputs("</h3>\n", to);
}

static void write_blanks(FILE *to, const cli_comparison *c, int size)
{
    char text[1200];

    if (!cli_compare_tell_blanks(c, size, text, sizeof text))
        return;
    fputs("<p>", to);
    cli_html_format(to, "%c%s.", toupper(text[0]), text + 1);
    fputs("</p>\n", to);
}

/* Contestants are the rows: there may be forty. */
static void write_outcomes(FILE *to, const cli_comparison *c, int size)
{
    const swq_comparison *t = &c->contest;

    write_sized_heading(to, c, size);
    write_blanks(to, c, size);
    fputs("<div class=\"scroll\"><table class=\"plain\"><thead><tr><th>contestant</th>", to);
    for (int s = 0; s < c->scenarios; s++) {
        fputs("<th>", to);
        cli_html(to, c->scenario[s].name);
        fputs("<br><small>", to);
        cli_html(to, c->scenario[s].measure->name);
        fputs("</small></th>", to);
    }
    fputs("</tr></thead><tbody>\n", to);
    for (int k = 0; k < t->contestants; k++) {
        fputs("<tr><th>", to);
        cli_html(to, c->contestant[k].name);
        fputs("</th>", to);
        for (int s = 0; s < c->scenarios; s++)
            write_cell(to, c, size * c->scenarios + s, k);
        fputs("</tr>\n", to);
    }
    fputs("<tr><th>unpaired / paired interval</th>", to);
    for (int s = 0; s < c->scenarios; s++) {
        const double ratio = t->ratio[size * c->scenarios + s];
        if (isnan(ratio))
            fputs("<td>&ndash;</td>", to);
        else
            fprintf(to, "<td>%.3g</td>", ratio);
    }
    fputs("</tr>\n</tbody></table></div>\n", to);
}

static void write_all_outcomes(FILE *to, const cli_comparison *c)
{
    fputs("<h2>Outcomes</h2>\n<p>", to);
    cli_html_format(
        to,
        "A star marks a contestant that is better than all others by more than chance, "
        "corrected for all %d pairs (Holm). The rank is 1, plus one for each contestant "
        "that is better by more than chance. Each cell has %d or more repeats, with "
        "the same seeds for all. A dash marks a cell that cannot be run; rest the "
        "pointer on it to see the reason.",
        c->contest.pairs, c->repeats);
    fputs("</p>\n", to);
    for (int size = 0; size < c->sizes; size++)
        write_outcomes(to, c, size);
}

static void write_beside(FILE *to, const cli_comparison *c, int size, int k)
{
    const cli_worst_case *worst = &c->worst[size][k];
    const cli_exact_loss *loss = &c->loss[size][k];

    fputs("<td title=\"", to);
    cli_html(to, *worst->ratio ? worst->question : worst->why);
    fprintf(to, "\">%s</td><td title=\"", *worst->ratio ? worst->ratio : "&ndash;");
    cli_html(to, *loss->why ? loss->why : loss->question);
    if (*loss->question && !*loss->why)
        fprintf(to, "\">%.4g</td>", loss->fraction);
    else
        fputs("\">&ndash;</td>", to);
}

static void write_costs(FILE *to, const cli_comparison *c, int size)
{
    write_sized_heading(to, c, size);
    fputs("<div class=\"scroll\"><table "
          "class=\"plain\"><thead><tr><th>contestant</th><th>gain</th><th>worst "
          "case</th><th>exact loss</th><th>bytes an "
          "input</th><th>bits of "
          "memory</th><th>crosspoints</th><th>wires a link</th><th>area (cells)</th><th>on the "
          "front</th></tr></thead><tbody>\n",
          to);
    for (int k = 0; k < c->contest.contestants; k++) {
        const swq_cost *cost = &c->cost[size][k];
        if (cost->ports == 0)
            continue;
        fputs("<tr><th>", to);
        cli_html(to, c->contestant[k].name);
        if (isnan(c->gain[size][k]))
            fputs("</th><td>&ndash;</td>", to);
        else
            fprintf(to, "</th><td>%.4g</td>", c->gain[size][k]);
        write_beside(to, c, size, k);
        fprintf(
            to,
            "<td>%.6g</td><td>%.9g</td><td>%.9g</td><td>%.6g</td><td>%.7g</td><td>%s</td></tr>\n",
            cost->packet_bytes, cost->memory_bits, cost->total[SWQ_COST_CROSSPOINTS],
            cost->total[SWQ_COST_WIRES], cost->area, c->on_front[size][k] ? "yes" : "");
    }
    fputs("</tbody></table></div>\n", to);
}

static void write_all_costs(FILE *to, const cli_comparison *c)
{
    fputs("<h2>Gains and costs</h2>\n<p>The gain is the geometric mean over scenarios, where the "
          "first contestant has 1. A contestant is on the front if nobody gains as much for less "
          "area. Worst case (proven) and exact loss are those of its rule of admission in a small "
          "switch; rest the pointer on them to see the question, or why they are not known.</p>\n",
          to);
    for (int size = 0; size < c->sizes; size++)
        write_costs(to, c, size);
}

/* Draws the plot into a file beside the page, copies it from its first element on, and removes it.
 */
static swq_status write_plot(FILE *to, const cli_comparison *c, const char *path)
{
    const size_t room = strlen(path) + 20;
    char *beside = calloc(room, 1), *text = NULL;

    if (!beside)
        return swq_fail(c->ctx, SWQ_ENOMEM, "no memory for the page");
    snprintf(beside, room, "%s.plot.svg", path);
    swq_status status = cli_compare_draw(c, beside);
    if (!status)
        status = cli_read_file(c->ctx, beside, 8, &text);
    if (!status) {
        const char *start = strstr(text, "<svg");
        fputs("<figure class=\"drawn scroll\">\n", to);
        fputs(start ? start : "", to);
        fputs("</figure>\n", to);
    }
    unlink(beside);
    free(text);
    free(beside);
    return status;
}

static bool can_be_drawn(const cli_comparison *c)
{
    bool any = false;

    for (int k = 0; k < c->sizes * c->contest.contestants; k++)
        any = any || isfinite(c->gain[k % c->sizes][k / c->sizes]);
    return any;
}

swq_status cli_compare_page(const cli_comparison *c, const char *path)
{
    swq_outfile file;
    swq_status status = cli_outfile_open(c->ctx, path, &file);

    if (status)
        return status;
    cli_html_head(file.stream, "switchq compare");
    fputs("<body class=\"film\">\n<main>\n<h1>switchq compare ", file.stream);
    cli_html(file.stream, c->path);
    fputs("</h1>\n", file.stream);
    write_all_outcomes(file.stream, c);
    write_all_costs(file.stream, c);
    if (can_be_drawn(c))
        status = write_plot(file.stream, c, path);
    fputs("</main>\n</body>\n</html>\n", file.stream);
    if (status) {
        swq_outfile_abort(c->ctx, &file);
        return status;
    }
    return swq_outfile_commit(c->ctx, &file);
}
