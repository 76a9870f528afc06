/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The answer of switchq headroom as a record: what passes, the least headroom, the packets.
 */
#include "cli/headroom/headroom.h"
#include "cli/options/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static double bytes_of(uint64_t parts)
{
    return (double)parts / SWQ_HEADROOM_PARTS;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    return b ? common_divisor(b, a % b) : a;
}

/* ---- what passes ---- */

static void put_passing(cli_record *root, const cli_headroom_point *p)
{
    const swq_headroom *h = &p->answer;
    cli_record *to = cli_put_group(root, "passing", "Bytes that pass after the decision:");
    const uint64_t common = common_divisor(h->window, SWQ_HEADROOM_PARTS);
    char exactly[80];

    cli_put_number(to, "busy_bytes", bytes_of(h->busy));
    cli_put_number(to, "pause_frame_bytes", bytes_of(h->pause));
    cli_put_number(to, "flight_bytes", bytes_of(h->cable_there + h->cable_back));
    cli_put_number(to, "layers_bytes", bytes_of(h->layers));
    cli_put_number(to, "response_bytes", bytes_of(h->response));
    cli_in_full(cli_put_number(to, "window_bytes", bytes_of(h->window)));
    snprintf(exactly, sizeof exactly, "%" PRIu64 "/%" PRIu64, h->window / common,
             SWQ_HEADROOM_PARTS / common);
    cli_quietly(cli_put_word(to, "window_exactly", exactly));
}

/* ---- the answer ---- */

static void put_sonic(cli_record *result, const cli_headroom_point *p)
{
    const double slack = (double)p->sonic.xoff - (double)p->answer.least;

    cli_in_full(cli_put_number(result, "sonic_headroom_bytes", (double)p->sonic.xoff));
    cli_in_full(cli_put_number(result, "sonic_unrounded_bytes",
                               (double)p->sonic.whole +
                                   (double)p->sonic.numerator / (double)p->sonic.denominator));
    cli_remark(cli_in_full(cli_put_number(result, "sonic_slack_bytes", slack)), "%s",
               slack < 0 ? ": it can lose packets" : ": it is enough");
}

static void put_asked(cli_record *result, const cli_headroom_point *p)
{
    const uint64_t lost = swq_headroom_first_lost(&p->spec, &p->answer, (uint64_t)p->asked);

    cli_quietly(cli_put_truth(result, "headroom_enough", lost == 0));
    cli_quietly(cli_put_number(result, "first_packet_lost", lost ? (double)lost : NAN));
    if (lost)
        cli_say(result,
                "  %d bytes are too few: packet %" PRIu64 " of these %" PRIu64
                " is the first one lost",
                p->asked, lost, p->answer.packets);
    else
        cli_say(result, "  %d bytes are enough, proven", p->asked);
}

static void put_result(cli_record *root, const cli_headroom_point *p)
{
    const swq_headroom *h = &p->answer;
    cli_record *result = cli_the_result(cli_put_group(root, "result", "The headroom:"));

    cli_remark(cli_in_full(cli_put_number(result, "least_headroom_bytes", (double)h->least)),
               ", proven");
    cli_quietly(cli_put_count(result, "least_headroom_cells", h->least / p->spec.link.cell));
    cli_quietly(cli_put_truth(result, "order_matters", h->tie));
    if (h->tie)
        cli_say(result, "  (its last packet begins just when the peer obeys; if the peer may not "
                        "begin it then, less is enough)");
    put_sonic(result, p);
    if (p->asked)
        put_asked(result, p);
    cli_say(
        result,
        "\n  With a byte less, the last of these packets is lost, the first of which decides the "
        "pause%s:",
        p->spec.trigger_below ? " and is not in the headroom" : "");
}

/* ---- the packets ---- */

static void put_packets(cli_record *root, const cli_headroom_point *p)
{
    const swq_headroom *h = &p->answer;
    cli_record *list = cli_put_list(root, "worst_packets", "Worst packets, back to back");

    for (int k = 0; k < h->runs; k++) {
        const uint32_t cell = p->spec.link.cell;
        cli_record *item = cli_put_item(list, NULL);
        cli_put_count(item, "packets_alike", h->run[k].packets);
        cli_put_count(item, "packet_bytes", h->run[k].bytes);
        cli_put_count(item, "packet_cells", (h->run[k].bytes + cell - 1) / cell);
    }
}

cli_record *cli_headroom_record(const cli_headroom_point *p,
                                void (*model)(cli_record *to, const cli_headroom_point *point))
{
    cli_record *root = cli_record_new("switchq/headroom/1");

    model(cli_quietly(cli_put_group(root, "model", NULL)), p);
    cli_say_question(root, root);
    put_passing(root, p);
    put_result(root, p);
    put_packets(root, p);
    return root;
}
