/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A comparison as a table of its runs, for other programs: one line for each, complete in itself.
 */
#include "base/context.h"
#include "base/outfile.h"
#include "cli/compare/compare.h"
#include "cli/options/parse.h"

#include <math.h>
#include <string.h>

static void write_text(FILE *to, const char *text)
{
    putc('"', to);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', to);
        putc(*text, to);
    }
    putc('"', to);
}

static void write_number(FILE *to, double value)
{
    if (isfinite(value))
        fprintf(to, "%.17g", value);
}

/* The columns that all runs of a contestant in a scenario share, behind those of the run. */
static void write_rest(FILE *to, const cli_comparison *c, int f, int k)
{
    const int size = f / c->scenarios;
    const cli_worst_case *worst = &c->worst[size][k];
    const cli_exact_loss *loss = &c->loss[size][k];

    putc(',', to);
    write_number(to, c->area[cli_compare_cell(c, f, k)]);
    fprintf(to, ",%s,", worst->ratio);
    if (*loss->question && !*loss->why)
        write_number(to, loss->fraction);
    putc(',', to);
    write_text(to, worst->question);
    putc(',', to);
    write_text(to, loss->question);
}

static void write_run(FILE *to, const cli_comparison *c, int f, int k, int repeat)
{
    const size_t cell = cli_compare_cell(c, f, k);
    const cli_option_set *scenario = &c->scenario[f % c->scenarios];
    const bool seeded = c->by[k] == SWQ_BY_SIMULATION;

    const char *version = c->version[c->first[cell] + (size_t)repeat];

    fprintf(to, "%s,", version ? version : "");
    write_text(to, scenario->name);
    putc(',', to);
    write_text(to, c->contestant[k].name);
    putc(',', to);
    if (c->sized)
        fprintf(to, "%ld", c->size[f / c->scenarios]);
    fprintf(to, ",%s,%s,", c->contestant[k].by->name, scenario->measure->name);
    if (seeded)
        fprintf(to, "%llu", (unsigned long long)c->seed + (unsigned)repeat);
    putc(',', to);
    write_number(to, c->value[cell * (size_t)c->contest.repeats + (size_t)repeat]);
    write_rest(to, c, f, k);
    fputs(",\"switchq ", to);
    fputs(c->words[c->first[cell] + (size_t)repeat], to);
    fputs("\"\n", to);
}

swq_status cli_compare_data(const cli_comparison *c, const char *path)
{
    swq_outfile file;
    const swq_status status = cli_outfile_open(c->ctx, path, &file);

    if (status)
        return status;
    fprintf(file.stream,
            "version,scenario,contestant,%s,asked_by,measure,seed,value,area_cells,worst_case,"
            "discard_probability,worst_question,loss_question,question\n",
            c->by_area ? "area_given" : "memory_given");
    for (int f = 0; f < cli_compare_fields(c); f++) {
        for (int k = 0; k < c->contest.contestants; k++) {
            for (int r = 0; r < c->count[cli_compare_cell(c, f, k)]; r++)
                write_run(file.stream, c, f, k, r);
        }
    }
    return swq_outfile_commit(c->ctx, &file);
}
