/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a plot of a range shows, and how: one panel of the user's choice, the ranges of its axes,
 * and logarithmic axes.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/points/points.h"
#include "cli/record/inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *panel_text, *x_range_text, *y_range_text, *log_text;

struct poptOption cli_points_plot_options[] = {
    CLI_TEXT_ROW(
        "panel", "KEY[/KEY]", &panel_text,
        "--plot draws this quantity of the answers (as named in --json) over the range or, after a "
        "slash, over another quantity: latency_cycles, latency_cycles/throughput"),
    CLI_TEXT_ROW("x-range", "A:B", &x_range_text,
                 "--plot: the range of the x axis of the first panel"),
    CLI_TEXT_ROW("y-range", "A:B", &y_range_text,
                 "--plot: the range of its y axis; without, points past saturation, which are "
                 "drawn hollow, do not set the axis of the latency"),
    CLI_TEXT_ROW("log-axes", "x|y|xy", &log_text,
                 "--plot: these axes of the first panel are logarithmic"),
    POPT_TABLEEND,
};

/* "A:B", A < B. */
static swq_status read_range(swq_context *ctx, const char *option, const char *text,
                             bool logarithmic, double *least, double *most)
{
    char *end = NULL;
    const double a = text ? strtod(text, &end) : 0,
                 b = text && *end == ':' ? strtod(end + 1, &end) : a;

    if (!text)
        return SWQ_OK;
    if (*end || !(a < b) || a < -1e300 || b > 1e300)
        return swq_fail(ctx, SWQ_EINVAL, "--%s must be A:B with A < B, not '%.60s'", option, text);
    if (logarithmic && a <= 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--%s must begin above 0, not at %.6g: the axis is logarithmic", option, a);
    *least = a;
    *most = b;
    return SWQ_OK;
}

static swq_status read_panel(swq_context *ctx, cli_points_view *view)
{
    const char *slash = panel_text ? strchr(panel_text, '/') : NULL;

    if (!panel_text)
        return SWQ_OK;
    const size_t length = slash ? (size_t)(slash - panel_text) : strlen(panel_text);
    if (length == 0 || length >= sizeof view->y || (slash && !slash[1]) ||
        (slash && strlen(slash) > sizeof view->x))
        return swq_fail(ctx, SWQ_EINVAL, "--panel must be KEY or KEY/KEY, not '%.60s'", panel_text);
    memcpy(view->y, panel_text, length);
    view->y[length] = '\0';
    snprintf(view->x, sizeof view->x, "%s", slash ? slash + 1 : "");
    /* before anything is computed */
    const char *unknown = !cli_quantity_of(view->y)               ? view->y
                          : *view->x && !cli_quantity_of(view->x) ? view->x
                                                                  : NULL;
    if (unknown)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--panel: '%s' is no quantity; 'switchq list quantities' has all", unknown);
    return SWQ_OK;
}

swq_status cli_points_view_read(swq_context *ctx, bool drawn, cli_points_view *view)
{
    const struct {
        const char *option, *text;
    } given[] = {{"panel", panel_text},
                 {"x-range", x_range_text},
                 {"y-range", y_range_text},
                 {"log-axes", log_text}};
    swq_status status = SWQ_OK;

    *view = (cli_points_view){.asked = false};
    for (int k = 0; k < 4; k++) {
        if (given[k].text && !drawn)
            return swq_fail(ctx, SWQ_EINVAL, "--%s needs a range and --plot", given[k].option);
        view->asked = view->asked || given[k].text;
    }
    if (log_text && strcmp(log_text, "x") != 0 && strcmp(log_text, "y") != 0 &&
        strcmp(log_text, "xy") != 0)
        return swq_fail(ctx, SWQ_EINVAL, "--log-axes must be x, y or xy, not '%.60s'", log_text);
    view->log_x = log_text && strchr(log_text, 'x');
    view->log_y = log_text && strchr(log_text, 'y');
    status = read_panel(ctx, view);
    if (!status)
        status =
            read_range(ctx, "x-range", x_range_text, view->log_x, &view->x_least, &view->x_most);
    if (!status)
        status =
            read_range(ctx, "y-range", y_range_text, view->log_y, &view->y_least, &view->y_most);
    return status;
}
