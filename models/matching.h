/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The possible decisions of an arbiter without memory, with their probabilities, stored by pattern
 * of requests. An arbiter that treats all ports alike decides independently about parts of the
 * switch that share no request, so patterns are those of one part with its ports renumbered: few,
 * and small.
 */
#ifndef SWQ_MODELS_MATCHING_H
#define SWQ_MODELS_MATCHING_H

#include "models/intern.h"
#include "models/row.h"

typedef struct swq_matching {
    int8_t grant[SWQ_ROW_PORTS]; /* by output of the part: its input, or SWQ_NO_INPUT */
    long double chance;
} swq_matching;

/* A part of the switch: inputs and outputs, and the requests between them. */
typedef struct swq_switch_part {
    int inputs, outputs;
    uint8_t input[SWQ_ROW_PORTS], output[SWQ_ROW_PORTS];
    int length[SWQ_ROW_PORTS][SWQ_ROW_PORTS]; /* as in swq_requests; 0 or 1 for a blind arbiter */
} swq_switch_part;

typedef struct swq_matchings {
    const swq_switch *sw;
    swq_intern pattern;
    int32_t *first, *count; /* [patterns] */
    int64_t room;
    swq_matching *list;
    int64_t listed, list_room;
    swq_intern partial; /* partial decisions of an enumeration in steps */
    long double *weight;
    int64_t weight_room;
} swq_matchings;

void swq_matchings_init(const swq_switch *sw, swq_matchings *m);
void swq_matchings_clear(swq_context *ctx, swq_matchings *m);

/* Divide the requests of all inputs (length[input][output]) into parts; returns their number.
 * Inputs without a request belong to no part. Everything is one part if the arbiter depends on port
 * numbers. */
int swq_matchings_parts(const swq_matchings *m, int length[][SWQ_ROW_PORTS], swq_switch_part *part);

/* The decisions about a part: list[*first .. *first + *count). Errors: SWQ_ENOMEM, SWQ_ELIMIT.
 * Cost: an enumeration the first time, then a look-up. */
swq_status swq_matchings_of(swq_context *ctx, swq_matchings *m, const swq_switch_part *part,
                            int32_t *first, int32_t *count);

#endif
