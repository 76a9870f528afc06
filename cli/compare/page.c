/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A comparison as a page that needs nothing else: a table of scenarios and contestants, what they
 * cost, and the plot.
 * Room: cli.
 */
#include "base/context.h"
#include "base/outfile.h"
#include "cli/compare/compare.h"
#include "cli/options/parse.h"
#include "cli/print/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_cell(FILE *to, const cli_comparison *c, int s, int k)
{
    const size_t at = (size_t)s * (size_t)c->contest.contestants + (size_t)k;
    const swq_compared *mine = &c->contest.standing[at];

    if (!mine->there) {
        fputs("<td title=\"", to);
        cli_html(to, c->reason + CLI_REASON * at);
        fputs("\">&ndash;</td>", to);
        return;
    }
    fprintf(to, "<td title=\"%.6g &plusmn; %.2g behind the best, rank %d\">%s%.5g%s", mine->behind,
            mine->behind_half, mine->rank, mine->wins ? "<strong>" : "", mine->mean,
            mine->wins ? " &#9733;</strong>" : "");
    fprintf(to, " <small>&plusmn;%.2g, rank %d</small></td>", mine->half, mine->rank);
}

static void write_outcomes(FILE *to, const cli_comparison *c)
{
    const swq_comparison *t = &c->contest;

    fputs("<h2>Outcomes</h2>\n<p>", to);
    cli_html_format(to,
                    "%s; a star: better than all others by more than chance, corrected for all "
                    "%d pairs (Holm); ranks: 1 and one more for each that is better by more "
                    "than chance. %d repeats with the same seeds for all.",
                    c->measure->summary, t->pairs, t->repeats);
    fputs("</p>\n<table><thead><tr><th>scenario</th>", to);
    for (int k = 0; k < t->contestants; k++) {
        fputs("<th>", to);
        cli_html(to, c->contestant[k].name);
        fputs("</th>", to);
    }
    fputs("<th>unpaired / paired interval</th></tr></thead><tbody>\n", to);
    for (int s = 0; s < t->scenarios; s++) {
        fputs("<tr><th>", to);
        cli_html(to, c->scenario[s].name);
        fputs("</th>", to);
        for (int k = 0; k < t->contestants; k++)
            write_cell(to, c, s, k);
        if (isnan(t->ratio[s]))
            fputs("<td>&ndash;</td></tr>\n", to);
        else
            fprintf(to, "<td>%.3g</td></tr>\n", t->ratio[s]);
    }
    fputs("</tbody></table>\n", to);
}

static void write_costs(FILE *to, const cli_comparison *c)
{
    fputs("<h2>What it buys and what it costs</h2>\n<p>Gain: geometric mean over scenarios, 1 as "
          "much as the first contestant. On the front: nobody gains as much for less area.</p>\n"
          "<table><thead><tr><th>contestant</th><th>gain</th><th>bytes an input</th><th>bits of "
          "memory</th><th>crosspoints</th><th>wires a link</th><th>area (cells)</th><th>on the "
          "front</th></tr></thead><tbody>\n",
          to);
    for (int k = 0; k < c->contest.contestants; k++) {
        const swq_cost *cost = &c->cost[k];
        fputs("<tr><th>", to);
        cli_html(to, c->contestant[k].name);
        if (isnan(c->contest.gain[k]))
            fputs("</th><td>&ndash;</td>", to);
        else
            fprintf(to, "</th><td>%.4g</td>", c->contest.gain[k]);
        fprintf(
            to,
            "<td>%.6g</td><td>%.9g</td><td>%.9g</td><td>%.6g</td><td>%.7g</td><td>%s</td></tr>\n",
            cost->packet_bytes, cost->memory_bits, cost->total[SWQ_COST_CROSSPOINTS],
            cost->total[SWQ_COST_WIRES], cost->area, c->on_front[k] ? "yes" : "");
    }
    fputs("</tbody></table>\n", to);
}

/* The plot is drawn to a file beside the page, taken in from its first element on, and removed. */
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
        fputs("<figure>\n", to);
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

    for (int k = 0; k < c->contest.contestants; k++)
        any = any || isfinite(c->contest.gain[k]);
    return any;
}

swq_status cli_compare_page(const cli_comparison *c, const char *path)
{
    swq_outfile file;
    swq_status status = cli_outfile_open(c->ctx, path, &file);

    if (status)
        return status;
    cli_html_head(file.stream, "switchq compare");
    fputs("<body>\n<main>\n<h1>switchq compare ", file.stream);
    cli_html(file.stream, c->path);
    fputs("</h1>\n", file.stream);
    write_outcomes(file.stream, c);
    write_costs(file.stream, c);
    if (can_be_drawn(c))
        status = write_plot(file.stream, c, path);
    fputs("</main>\n</body>\n</html>\n", file.stream);
    if (status) {
        swq_outfile_abort(c->ctx, &file);
        return status;
    }
    return swq_outfile_commit(c->ctx, &file);
}
