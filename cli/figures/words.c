/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names and places that all ways to show a figure share.
 */
#include "cli/figures/figure.h"

const cli_figure_axis cli_figure_axes[] = {
    [SWQ_OVER_THROUGHPUT] = {"throughput", "  throughput", "network throughput", "%.2f"},
    [SWQ_OVER_PERCENT] = {"percent high priority", "  high (%)",
                          "high priority (percent of the packets)", "%g"},
    [SWQ_OVER_BISECTION] = {"bisection", "  offered", "used fraction of the bisection's bandwidth",
                            "%.2f"},
    [SWQ_OVER_BYTES] = {"bytes", "  bytes", "memory of an input port (bytes)", "%g"},
    [SWQ_OVER_CYCLES] = {"cycles", "  cycle", "time (cycles)", "%g"},
    [SWQ_OVER_LOAD] = {"load", "  applied", "applied load (fraction of the links' rate)", "%.2f"},
    [SWQ_OVER_CELLS] = {"cells", "  cells", "buffer of an incoming link (cells)", "%g"},
    [SWQ_OVER_PORTS] = {"ports", "  ports", "ports of a switch", "%g"},
    [SWQ_OVER_SLOTS] = {"slots", "  slots", "slots of the shared memory", "%g"},
    [SWQ_OVER_MEMORY] = {"memory", "  memory", "memory (KB for each port and Gb/s)", "%g"},
    [SWQ_OVER_BURST] = {"burst", "  burst", "mean packets of a burst", "%g"},
    [SWQ_OVER_LANES] = {"lanes", "  lanes", "lanes of a link", "%g"},
};

void cli_figure_path(const char *folder, const char *name, const char *more, const char *suffix,
                     char *path, size_t room)
{
    snprintf(path, room, "%s%sfigure-%s%s.%s", folder ? folder : "", folder ? "/" : "", name, more,
             suffix);
}

const char *cli_figure_verdict(const swq_figure *f, const swq_claim *claim)
{
    return f->cut_short ? "not run" : swq_claim_verdict_text(claim->verdict);
}

const double *cli_figure_map(const swq_figure_map *m)
{
    return m->difference + (size_t)m->frames * (size_t)m->rows * (size_t)m->columns;
}

void cli_figure_map_row(const swq_figure_map *m, int row, char *text)
{
    for (int k = 0; k < m->columns; k++)
        text[k] = swq_figure_map_letter(cli_figure_map(m)[row * m->columns + k]);
    text[m->columns] = '\0';
}
