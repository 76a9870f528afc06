/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kind of question that `switchq sim --architecture shared-memory` is.
 */
#include "base/outfile.h"
#include "cli/datacentre/film.h"
#include "cli/options/options.h"
#include "cli/options/parse.h"
#include "cli/print/words.h"
#include "cli/sim/sim.h"

typedef struct {
    cli_datacentre d;
    swq_dc_result result;
} dc_question;

static void clear_question(swq_context *ctx, void *at)
{
    dc_question *q = at;

    swq_dc_film_clear(ctx, &q->d.film);
    cli_datacentre_clear(ctx, &q->d);
    swq_dc_result_clear(ctx, &q->result);
}

static swq_status read_question(swq_context *ctx, void *at, bool many)
{
    dc_question *q = at;
    swq_status status = cli_datacentre_read(ctx, &q->d);

    if (!status)
        status = cli_dc_film_read(ctx, &q->d, many);
    q->result = (swq_dc_result){0};
    if (status)
        clear_question(ctx, q);
    else if (many)
        q->d.options.threads = 1;
    return status;
}

static swq_status answer_question(swq_context *ctx, void *at)
{
    dc_question *q = at;
    const char *path = q->d.fates_path;
    swq_outfile flows = {0}, page = {0};
    swq_status status = q->d.flows_path ? cli_outfile_open(ctx, q->d.flows_path, &flows) : SWQ_OK;

    if (!status && q->d.watch_path)
        status = cli_outfile_open(ctx, q->d.watch_path, &page);
    if (status) {
        swq_outfile_abort(ctx, &flows);
        return status;
    }
    q->d.options.flows = flows.stream;
    status = swq_dc_run(ctx, &q->d.dc, &q->d.options, &q->result);
    if (!status && q->d.watch_path)
        status = cli_dc_film_write(ctx, &q->d, &q->result, page.stream);
    if (!status && q->d.watch_path)
        status = swq_outfile_commit(ctx, &page);
    else
        swq_outfile_abort(ctx, &page);
    if (!status && q->d.flows_path)
        status = swq_outfile_commit(ctx, &flows);
    else
        swq_outfile_abort(ctx, &flows);

    if (!status && q->d.fate && path)
        status = swq_dc_fates_write(ctx, path, q->d.fate, q->d.dc.packets);
    return status;
}

static cli_record *record_question(swq_context *ctx, const void *at)
{
    const dc_question *q = at;
    cli_record *root = cli_record_new("switchq/sim/1");

    (void)ctx;
    cli_datacentre_answer(root, &q->d, &q->result);
    return root;
}

static bool is_slowed_by_marks(const swq_dc_sender *sender)
{
    return sender->marked;
}

static int end_question(swq_context *ctx, const void *at, const char *where)
{
    const dc_question *q = at;
    char warmup[SWQ_UNITS_TEXT], senders[CLI_DC_SENDERS_TEXT];

    (void)ctx;
    if (q->result.interrupted)
        cli_note("%s%s: %d of %d replications were measured, %d of them in part%s", where,
                 q->result.time_up ? "the time was up" : "interrupted", q->result.replications,
                 q->d.options.replications, q->result.partial,
                 q->d.dc.network.sending[0].sender
                     ? "; flows that were not complete are not in their times"
                     : "");
    if (q->result.listed_before > 0)
        cli_note("%s%llu flow%s of the list began in the warm-up of %s, and %s not in the times of "
                 "flows; with '--warmup 0ns' all would be",
                 where, (unsigned long long)q->result.listed_before,
                 cli_plural(q->result.listed_before),
                 swq_units_text(SWQ_UNITS_TIME, q->d.options.warmup, warmup),
                 q->result.listed_before == 1 ? "is" : "are");
    if (q->result.listed_late && !q->result.interrupted)
        cli_note(
            "%sflows of the list that begin after the measured time, which ends at %s, are not "
            "in the times of flows; with a longer --duration they would be",
            where,
            swq_units_text(SWQ_UNITS_TIME, q->d.options.warmup + q->d.options.duration, warmup));
    if (q->d.dc.network.sending[0].sender && !q->d.dc.marking.on &&
        cli_dc_any_sender(&q->d.dc, is_slowed_by_marks))
        cli_note("%s--sender %s slows down for marks, and there are none without --ecn", where,
                 cli_dc_sender_names(&q->d.dc, senders));
    if (q->d.dc.network.sending[0].sender && q->d.dc.classes > 1 && !q->d.dc.flows.list &&
        q->d.dc.class_share[0] == 1 && q->d.dc.flows.query_class == 0)
        cli_note("%sno packet is of a class beyond 0, as neither --class-shares, --incast nor "
                 "--flow-list gives flows a class",
                 where);
    if (!q->result.conserved)
        cli_note("%spackets were not conserved: a fault of this program", where);
    return q->result.conserved ? CLI_OK : CLI_FAILED;
}

const cli_question_kind cli_sim_datacentre = {
    .size = sizeof(dc_question),
    .read = read_question,
    .answer = answer_question,
    .record = record_question,
    .end = end_question,
    .clear = clear_question,
    .stage = "simulations",
};
