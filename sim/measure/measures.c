/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of measures. A new measure is a row here, and its test.
 */
#include "sim/measure/measures.h"

#include "base/names.h"

static uint32_t amount(const swq_reported *report)
{
    return report->amount < UINT32_MAX ? (uint32_t)report->amount : UINT32_MAX;
}

static const swq_measure loss_age = {
    .name = "loss-age",
    .unit = "cycles",
    .summary = "cycles from the creation of a packet until it is lost: mean and percentiles",
    .kind = SWQ_MEASURE_SPREAD,
    .report = SWQ_REPORT_LOSE,
    .value = amount,
};

static const swq_measure pauses = {
    .name = "pause",
    .unit = "cycles",
    .summary = "cycles for which the last transmission of a packet pauses, where packets are sent "
               "flit by flit or in pieces: mean and percentiles",
    .kind = SWQ_MEASURE_SPREAD,
    .report = SWQ_REPORT_PAUSE,
    .value = amount,
};

static uint32_t stay(const swq_reported *report)
{
    return report->cycle - report->came;
}

static const swq_measure hop_wait = {
    .name = "hop-wait",
    .unit = "cycles",
    .summary = "cycles from when a packet begins its way into a store of a switch until it begins "
               "to leave the store: mean and percentiles; an asynchronous switch with stores at "
               "inputs and outputs has two such waits, and the delay of the way is part of them",
    .kind = SWQ_MEASURE_SPREAD,
    .report = SWQ_REPORT_START,
    .value = stay,
};

static const swq_measure message_latency = {
    .name = "message-latency",
    .unit = "cycles",
    .summary = "cycles from the creation of a message until its last byte has arrived, of one for "
               "several nodes at the last of them: mean and percentiles; asynchronous networks",
    .kind = SWQ_MEASURE_SPREAD,
    .report = SWQ_REPORT_MESSAGE,
    .value = amount,
};

const swq_measure *const swq_measures[] = {&hop_wait, &loss_age, &pauses, &message_latency, NULL};

bool swq_measures_messages(const swq_detail *d)
{
    bool messages = false;

    for (int k = 0; d && k < d->measures; k++)
        messages = messages || d->measured[k].measure->report == SWQ_REPORT_MESSAGE;
    return messages;
}

swq_status swq_measure_find(swq_context *ctx, const char *name, const swq_measure **row)
{
    const void *found = swq_name_lookup(ctx, "measure", name, (const void *const *)swq_measures);

    if (!found)
        return SWQ_EINVAL;
    *row = found;
    return SWQ_OK;
}
