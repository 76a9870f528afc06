/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results over time: switchq sim --architecture shared-memory --series.
 */
#include "cli/datacentre/datacentre.h"

#include <math.h>

static swq_estimate scaled(swq_estimate e, double by)
{
    return (swq_estimate){e.mean * by, e.half_width * by};
}

static cli_record *put_window(cli_record *list, const swq_dc *dc, const swq_dc_result *r,
                              const swq_dc_window *w)
{
    cli_record *item = cli_put_item(list, NULL);

    cli_put_number(item, "begin_ns", (double)w->begin / 1e3);
    cli_quietly(cli_put_number(item, "length_ns", (double)w->length / 1e3));
    cli_put_estimate(item, "line_use_fraction", w->use);
    cli_quietly(cli_put_estimate(item, "throughput_gbps", scaled(w->use, r->line_rates / 1e9)));
    cli_put_estimate(item, "memory_used_fraction", w->used);
    cli_put_fraction(item, "discard_fraction", w->loss, w->loss_below, NULL);
    if (dc->network.sending[0].sender)
        cli_put_estimate(item, "goodput_fraction", w->goodput);
    return item;
}

enum { MOST_LINES = 40 };

void cli_datacentre_put_windows(cli_record *result, const swq_dc *dc, const swq_dc_result *r)
{
    if (r->windows == 0)
        return;
    cli_record *list = cli_put_list(result, "series", "window");
    const uint32_t every = (r->windows + MOST_LINES - 1) / MOST_LINES;

    cli_with_intervals(cli_parts_called(list, "window"));
    for (uint32_t k = 0; k < r->windows; k++) {
        cli_record *window = put_window(list, dc, r, &r->window[k]);
        if (k % every != 0)
            cli_quietly(window);
    }
    if (every > 1)
        cli_say(result, "  one window in %u is shown, of %u; --json and --csv have all", every,
                r->windows);
}
