/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Combining the decisions about the parts of a switch.
 */
#include "models/decide.h"

#include "models/priority.h"

#include <string.h>

typedef struct {
    swq_matchings *matchings;
    swq_decision_fn *each;
    void *arg;
    int parts;
    swq_switch_part part[SWQ_ROW_PORTS];
    int32_t first[SWQ_ROW_PORTS], count[SWQ_ROW_PORTS];
    uint8_t place[SWQ_ROW_PORTS]; /* place of an input's row in the node */
    uint32_t sent[SWQ_ROW_PORTS]; /* by place */
} decision;

/* Choices of the outputs. */
typedef struct {
    const swq_rows *rows;
    const swq_word *node;
    swq_decision_fn *each;
    void *arg;
    uint8_t place[SWQ_ROW_PORTS];
    uint32_t sent[SWQ_ROW_PORTS]; /* by place */
} column_decision;

/* All combinations of the decisions of parts p, p + 1, ... */
static swq_status decide(decision *d, int p, long double chance)
{
    if (p == d->parts)
        return d->each(d->arg, d->sent, chance);
    const swq_switch_part *part = &d->part[p];
    for (int32_t k = d->first[p]; k < d->first[p] + d->count[p]; k++) {
        swq_matching one = d->matchings->list[k]; /* a copy, since the list may move */
        for (int a = 0; a < part->inputs; a++)
            d->sent[d->place[part->input[a]]] = 0;
        for (int b = 0; b < part->outputs; b++) {
            if (one.grant[b] != SWQ_NO_INPUT)
                d->sent[d->place[part->input[one.grant[b]]]] |= 1u << part->output[b];
        }
        swq_status status = decide(d, p + 1, chance * one.chance);
        if (status)
            return status;
    }
    return SWQ_OK;
}

/* ---- two classes: high priority first ---- */

typedef struct {
    swq_context *ctx;
    swq_matchings *matchings;
    const swq_rows *rows;
    const swq_word *node;
    swq_decision_fn *each;
    void *arg;
    long double chance;           /* probability of the grants to high priority */
    uint32_t high[SWQ_ROW_PORTS]; /* the grants to high priority, by place */
} class_decision;

/* Decide about the given requests; `each` is called with masks of the outputs sent to. */
static swq_status decide_requests(swq_context *ctx, const swq_rows *rows, swq_matchings *matchings,
                                  const swq_word *node, int length[][SWQ_ROW_PORTS],
                                  swq_decision_fn *each, void *arg)
{
    const int n = rows->layout.ports;
    decision d; /* large, so only the parts that are used are set */

    d.matchings = matchings;
    d.each = each;
    d.arg = arg;
    memset(d.sent, 0, sizeof d.sent); /* inputs that are in no part send nothing */
    swq_rows_places(rows, node, d.place);
    for (int i = 0; i < n && swq_arbiter_blind(matchings->sw->arbiter); i++) {
        for (int j = 0; j < n; j++)
            length[i][j] = length[i][j] > 0;
    }
    d.parts = swq_matchings_parts(matchings, length, d.part);
    for (int p = 0; p < d.parts; p++) {
        swq_status status = swq_matchings_of(ctx, matchings, &d.part[p], &d.first[p], &d.count[p]);
        if (status)
            return status;
    }
    return decide(&d, 0, 1);
}

static void requests_of_class(const swq_rows *rows, const swq_word *node, int class,
                              int length[][SWQ_ROW_PORTS])
{
    uint8_t place[SWQ_ROW_PORTS];

    swq_rows_places(rows, node, place);
    for (int i = 0; i < rows->layout.ports; i++) {
        for (int j = 0; j < rows->layout.ports; j++)
            length[i][j] = swq_row_class_request(rows, node[place[i]], class, j);
    }
}

static swq_status with_high(void *arg, const uint32_t *sent, long double chance)
{
    const class_decision *d = arg;
    uint32_t both[SWQ_ROW_PORTS];

    for (int k = 0; k < d->rows->layout.ports; k++)
        both[k] = sent[k] | d->high[k] << SWQ_ROW_PORTS;
    return d->each(d->arg, both, d->chance * chance);
}

/* Grant to normal heads the inputs and outputs that heads of high priority have left free. */
static swq_status decide_low(void *arg, const uint32_t *sent, long double chance)
{
    class_decision *d = arg;
    const int n = d->rows->layout.ports;
    int length[SWQ_ROW_PORTS][SWQ_ROW_PORTS], granted[SWQ_CHAIN_PORTS];
    int left[SWQ_ROW_PORTS][SWQ_MAX_PORTS];
    uint8_t place[SWQ_ROW_PORTS];
    swq_requests low = {.ports = n,
                        .read_each_queue = d->rows->sw.buffer.read == SWQ_READ_EACH_QUEUE,
                        .length = left};

    d->chance = chance;
    memcpy(d->high, sent, sizeof *sent * (size_t)n);
    swq_rows_places(d->rows, d->node, place);
    requests_of_class(d->rows, d->node, 0, length);
    for (int j = 0; j < n; j++) {
        granted[j] = SWQ_NO_INPUT;
        for (int i = 0; i < n; i++) {
            left[i][j] = length[i][j];
            if (sent[place[i]] >> j & 1)
                granted[j] = i;
        }
    }
    swq_requests_left(granted, &low);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            length[i][j] = left[i][j];
    }
    return decide_requests(d->ctx, d->rows, d->matchings, d->node, length, with_high, d);
}

swq_status swq_decide_classes(swq_context *ctx, const swq_rows *rows, swq_matchings *matchings,
                              const swq_word *node, swq_decision_fn *each, void *arg)
{
    class_decision d = {
        .ctx = ctx, .matchings = matchings, .rows = rows, .node = node, .each = each, .arg = arg};
    int length[SWQ_ROW_PORTS][SWQ_ROW_PORTS];

    requests_of_class(rows, node, 1, length);
    return decide_requests(ctx, rows, matchings, node, length, decide_low, &d);
}

swq_status swq_decide(swq_context *ctx, const swq_rows *rows, swq_matchings *matchings,
                      const swq_word *node, swq_decision_fn *each, void *arg)
{
    decision d; /* large, so only the parts that are used are set */
    int length[SWQ_ROW_PORTS][SWQ_ROW_PORTS], n = rows->layout.ports;

    d.matchings = matchings;
    d.each = each;
    d.arg = arg;
    memset(d.sent, 0, sizeof d.sent); /* inputs that are in no part send nothing */
    swq_rows_places(rows, node, d.place);
    const swq_word *out = rows->outputs >= 0 ? swq_row_content(rows, node[d.place[n]]) : NULL;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            length[i][j] = out && out[j] >= rows->sw.output_slots
                               ? 0
                               : swq_row_request(rows, node[d.place[i]], j);
        for (int j = 0; j < n && swq_arbiter_blind(matchings->sw->arbiter); j++)
            length[i][j] = length[i][j] > 0;
    }
    d.parts = swq_matchings_parts(matchings, length, d.part);
    for (int p = 0; p < d.parts; p++) {
        swq_status status = swq_matchings_of(ctx, matchings, &d.part[p], &d.first[p], &d.count[p]);
        if (status)
            return status;
    }
    return decide(&d, 0, 1);
}

static int in_column(const column_decision *d, int i, int j)
{
    const swq_word *content = swq_row_content(d->rows, d->node[d->place[i]]);

    return d->rows->cross >= 0 ? content[d->rows->cross + j] : content[j];
}

/* Tries all choices of an input for each of the outputs j, j + 1, ..., with the arbiter's
 * probabilities, and calls d->each for each complete choice. `chance`: the probability of the
 * choices made so far. */
static swq_status choose(column_decision *d, int j, long double chance)
{
    const swq_serves serves = d->rows->sw.arbiter->serves;
    const int n = d->rows->layout.ports;
    int candidate[SWQ_ROW_PORTS], count = 0, longest = 1;

    if (j == n)
        return d->each(d->arg, d->sent, chance);
    for (int i = 0; i < n; i++) {
        const int packets = in_column(d, i, j);
        if (serves == SWQ_SERVES_LONGEST && packets > longest) {
            longest = packets;
            count = 0;
        }
        if (packets >= longest && packets > 0 && (serves != SWQ_SERVES_FIRST || count == 0))
            candidate[count++] = i;
    }
    if (count == 0)
        return choose(d, j + 1, chance);
    for (int k = 0; k < count; k++) {
        uint32_t *sent = &d->sent[d->place[candidate[k]]];
        *sent |= 1u << j;
        swq_status status = choose(d, j + 1, chance / count);
        *sent &= ~(1u << j);
        if (status)
            return status;
    }
    return SWQ_OK;
}

swq_status swq_decide_columns(const swq_rows *rows, const swq_word *node, swq_decision_fn *each,
                              void *arg)
{
    column_decision d = {.rows = rows, .node = node, .each = each, .arg = arg};

    swq_rows_places(rows, node, d.place);
    return choose(&d, 0, 1);
}
