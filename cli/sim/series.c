/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results over time: the windows of a run as a list of its answer.
 * Room: cli.
 */
#include "cli/sim/sim.h"

#include <math.h>

enum { MOST_LINES = 20 /* of the table in text */ };

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
    cli_quietly(cli_put_estimate(window, "source_queue", w->source_queue));
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

void cli_put_series(cli_record *result, const swq_sim_result *r, const cli_series_as *as)
{
    const swq_series *s = r->series;

    if (!s)
        return;
    cli_record *list = cli_put_list(result, "series", "window");
    cli_with_intervals(cli_parts_called(list, "window"));
    const size_t every = (s->windows + MOST_LINES - 1) / MOST_LINES;
    for (size_t k = 0; k < s->windows; k++) {
        cli_record *window = put_window(list, r, &s->window[k], as);
        if (k % every != 0)
            cli_quietly(window);
    }
    if (every > 1)
        cli_say(result, "  one window in %zu is shown, of %zu; --json, --csv and --plot have all",
                every, s->windows);
    if (s->windows && s->window[0].replications < 2)
        cli_say(result, "  windows of one run have no intervals: --replications gives them some");
}
