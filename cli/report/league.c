/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq report: the league of switchq compare, a table for each size of memory.
 */
#include "base/context.h"
#include "cli/print/words.h"
#include "cli/report/report.h"

#include <string.h>

static const cJSON *member(const cJSON *tree, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(tree, name);
}

static void write_outcome(FILE *to, const cJSON *outcome)
{
    const char *blank = cli_string_of(outcome, "blank_because");
    const bool wins = cli_true_of(outcome, "winner");

    if (*blank) {
        fputs("<td title=\"", to);
        cli_html(to, blank);
        fputs("\">&ndash;</td>", to);
        return;
    }
    fprintf(to, "<td title=\"rank %.0f, %.4g behind the best\">%s%.4g%s%s</td>",
            cli_number_of(outcome, "rank"), cli_number_of(member(outcome, "behind"), "mean"),
            cli_number_of(outcome, "rank") == 1 ? "<b>" : "",
            cli_number_of(member(outcome, "achieved"), "mean"),
            cli_number_of(outcome, "rank") == 1 ? "</b>" : "", wins ? " &#9733;" : "");
}

/* A row of the table: all outcomes of a contestant at a size of memory, in the order of the
 * answer. */
static void write_row(FILE *to, const cJSON *answer, const cJSON *contestant)
{
    const char *name = cli_string_of(contestant, "contestant");
    const double memory = cli_number_of(contestant, "memory_given");
    const cJSON *outcome, *gain = member(contestant, "relative_gain");

    fputs("<tr><th scope=\"row\">", to);
    cli_html(to, name);
    fputs("</th>", to);
    cJSON_ArrayForEach(outcome, member(answer, "outcomes"))
    {
        if (cli_number_of(outcome, "memory_given") == memory &&
            strcmp(cli_string_of(outcome, "contestant"), name) == 0)
            write_outcome(to, outcome);
    }
    if (gain)
        fprintf(to, "<td>%.3f</td>", cli_number_of(gain, "mean"));
    else
        fputs("<td></td>", to);
    if (member(contestant, "area_cells"))
        fprintf(to, "<td>%.0f%s</td></tr>\n", cli_number_of(contestant, "area_cells"),
                cli_true_of(contestant, "on_front") ? " &#9670;" : "");
    else
        fputs("<td></td></tr>\n", to);
}

static void write_size(FILE *to, const cJSON *answer, double memory)
{
    const cJSON *scenario, *contestant;

    fprintf(to,
            "<h4>%.0f bytes an input</h4>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
            "aria-label=\"League, %.0f bytes\"><table><thead><tr><th "
            "scope=\"col\">contestant</th>",
            memory, memory);
    cJSON_ArrayForEach(scenario, member(answer, "scenarios"))
    {
        if (cli_number_of(scenario, "memory_given") != memory)
            continue;
        fputs("<th scope=\"col\">", to);
        cli_html(to, cli_string_of(scenario, "scenario"));
        fputs("</th>", to);
    }
    fputs("<th scope=\"col\">gain</th><th scope=\"col\">area</th></tr></thead><tbody>\n", to);
    cJSON_ArrayForEach(contestant, member(answer, "contestants"))
    {
        if (cli_number_of(contestant, "memory_given") == memory)
            write_row(to, answer, contestant);
    }
    fputs("</tbody></table></div>\n", to);
}

static swq_status write(swq_context *ctx, FILE *to, const cli_block *block)
{
    const cJSON *answer = cli_block_answer(block), *scenario;
    double last = -1;

    (void)ctx;
    cJSON_ArrayForEach(scenario, member(answer, "scenarios"))
    {
        const double memory = cli_number_of(scenario, "memory_given");
        if (memory != last)
            write_size(to, answer, memory);
        last = memory;
    }
    return SWQ_OK;
}

const cli_section_writer cli_section_league = {
    .title = "League",
    .lead = "Every buffer, flow control, architecture and management at equal memory. Bold "
            "marks a contestant that nobody beats by more than chance, and a star one that "
            "beats all others by more than chance, corrected for the number of pairs "
            "(Holm). The gain is relative to the first contestant, as the geometric mean "
            "over scenarios. A diamond marks a contestant that nobody matches for less "
            "area, in cells of memory. A dash marks one that cannot be built; rest the "
            "pointer on it to see the reason.",
    .write = write,
};
