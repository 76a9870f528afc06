/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results over time: the windows of a run as a list of its answer.
 */
#include "cli/sim/sim.h"

#include "cli/spec/priority.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MOST_LINES = 20 /* in the table of text */ };

static void put_flow(cli_record *to, const swq_flow_result *f, const cli_series_as *as)
{
    cli_in_unit(cli_put_estimate(to, "throughput", f->throughput), as->unit);
    cli_put_estimate(to, "latency_cycles", f->latency);
    cli_put_estimate(to, "in_flight", f->in_flight);
    cli_put_losses(to, f, as->discards, NULL);
}

static cli_record *put_window(cli_record *list, const swq_sim_result *r, const swq_window *w,
                              const cli_series_as *as)
{
    cli_record *window = cli_put_item(list, NULL);
    char name[24];

    cli_put_count(window, "first_cycle", w->first);
    cli_quietly(cli_put_count(window, "cycles", w->cycles));
    cli_quietly(cli_put_count(window, "replications", (uint64_t)w->replications));
    put_flow(window, &w->all, as);
    cli_quietly(
        cli_put_fraction(window, "source_queue", w->source_queue, w->source_queue_below, NULL));
    if (!isnan(w->saqs.mean))
        cli_quietly(cli_put_estimate(window, "saqs_in_use", w->saqs));
    cli_record *classes = as->classes ? cli_put_named(window, "classes", NULL) : NULL;
    for (int k = 0; k < SWQ_CLASSES && as->classes; k++)
        put_flow(cli_put_item(classes, cli_class_names[k]), &w->by_class[k], as);
    cli_record *groups = as->groups ? cli_put_list(window, "groups", NULL) : NULL;
    for (int g = 0; g < r->groups && as->groups; g++) {
        snprintf(name, sizeof name, "%d", g);
        put_flow(cli_put_item(groups, name), &w->by_group[g], as);
    }
    as->stages(window, w->stage, as->arg);
    return window;
}

/* ---- what throughput recovers from ---- */

static void put_recovery(cli_record *list, const char *of, const swq_recovery *r,
                         const cli_series_as *as)
{
    cli_record *item = cli_put_item(list, of);

    cli_in_unit(cli_put_number(item, "throughput_before", r->before), as->unit);
    cli_put_number(item, "scatter_before", r->scatter);
    cli_in_unit(cli_put_number(item, "least_throughput", r->least), as->unit);
    cli_put_count(item, "least_cycle", r->least_cycle);
    cli_put_number(item, "recovery_cycles", r->cycles);
}

/* The recovery of all packets, and of each group that sent before and after the onset. */
static void put_recoveries(cli_record *result, const swq_sim_result *r, const cli_series_as *as)
{
    const double within = SWQ_RECOVERY_WITHIN;
    bool scattered = false;
    char missing[24 * (SWQ_MAX_GROUPS + 2)] = "";

    cli_record *list = cli_put_list(result, "recovery", "of");
    for (int g = -1; g < (as->groups ? r->groups : 0); g++) {
        const swq_recovery back = swq_series_recovery(r->series, g, as->onset);
        char name[24];
        snprintf(name, sizeof name, g < 0 ? "all" : "group %d", g);
        if (g < 0 || back.before > 0)
            put_recovery(list, name, &back, as);
        if (back.before > 0 && isnan(back.cycles))
            snprintf(missing + strlen(missing), sizeof missing - strlen(missing), "%s %s",
                     missing[0] ? "," : "", name);
        scattered = scattered || back.scatter > within;
    }
    cli_say(
        result,
        "  recovered: from the first of %d windows in a row on that are within %g%% of the mean "
        "before cycle %" PRIu64,
        SWQ_RECOVERY_WINDOWS, 100 * within, as->onset);
    if (missing[0])
        cli_say(result, "  not recovered by the end of the run:%s", missing);
    if (scattered)
        cli_say(result, "  windows before it scatter by more than that: longer ones, or more "
                        "--replications, can be judged");
}

void cli_put_series(cli_record *result, const swq_sim_result *r, const cli_series_as *as)
{
    const swq_series *s = r->series;

    if (!s)
        return;
    cli_record *list = cli_put_list(result, "series", "window");
    cli_with_intervals(cli_parts_called(list, "window"));
    if (as->onset != CLI_NO_ONSET)
        put_recoveries(result, r, as);
    const size_t every = (s->windows + MOST_LINES - 1) / MOST_LINES;
    for (size_t k = 0; k < s->windows; k++) {
        cli_record *window = put_window(list, r, &s->window[k], as);
        if (k % every != 0)
            cli_quietly(window);
    }
    if (every > 1)
        cli_say(result, "  one window in %zu is shown, of %zu; --json, --csv and --plot have all",
                every, s->windows);
    if (s->windows && s->window[0].first < r->warmup)
        cli_say(
            result,
            "  windows begin at cycle 0; the results above are of the cycles after the warm-up");
    if (s->windows && s->window[0].replications < 2)
        cli_say(result, "  windows of one run have no intervals: --replications gives them some");
}
