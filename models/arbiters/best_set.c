/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Optimal arbiters: enumerate every set of transmissions, keep the best, choose among equals.
 * With a read port per queue the outputs do not compete and each is best served by itself.
 */
#include "models/arbiters/arbiters.h"

typedef struct {
    const swq_requests *requests;
    long packet, slot; /* score of a packet that is sent, and of each packet in its queue */
    uint32_t asking[SWQ_BEST_SET_PORTS];  /* by output, its requesting inputs, a bit each */
    long to_come[SWQ_BEST_SET_PORTS + 1]; /* most score from this output on */
    long best;                            /* score of the best set so far */
    int equals;                           /* number of sets with that score */
    int wanted; /* second walk: the number of the set to take, counting from 0; then negative */
    int now[SWQ_BEST_SET_PORTS];
    int *grant; /* second walk: receives the wanted set */
} set_search;

static long score_of(const set_search *s, int input, int output)
{
    return s->packet + s->slot * s->requests->length[input][output];
}

static void prepare(set_search *s)
{
    const int ports = s->requests->ports;

    s->to_come[ports] = 0;
    for (int j = ports - 1; j >= 0; j--) {
        long most = 0;
        s->asking[j] = 0;
        for (int i = 0; i < ports; i++) {
            if (s->requests->length[i][j] == 0)
                continue;
            const long score = score_of(s, i, j);
            s->asking[j] |= 1u << i;
            most = score > most ? score : most;
        }
        s->to_come[j] = s->to_come[j + 1] + most;
    }
}

static void judge(set_search *s, long score)
{
    if (s->grant) {
        if (score == s->best && s->wanted-- == 0) {
            for (int j = 0; j < s->requests->ports; j++)
                s->grant[j] = s->now[j];
        }
        return;
    }
    if (score > s->best) {
        s->best = score;
        s->equals = 0;
    }
    s->equals += score == s->best;
}

/* Decide outputs output, output+1, ...; `sent` is the mask of inputs that already send, `score` the
 * score of the transmissions decided so far. Sets that cannot be among the best are left out. */
static void walk(set_search *s, int output, uint32_t sent, long score)
{
    if (score + s->to_come[output] < s->best || s->wanted < 0)
        return;
    if (output == s->requests->ports) {
        judge(s, score);
        return;
    }
    /* prepare() has set all outputs */
    // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult)
    for (uint32_t left = s->asking[output] & ~sent; left; left &= left - 1) {
        const int i = __builtin_ctz(left);
        s->now[output] = i;
        walk(s, output + 1, sent | 1u << i, score + score_of(s, i, output));
    }
    s->now[output] = SWQ_NO_INPUT;
    walk(s, output + 1, sent, score);
}

void swq_grant_best_set(const swq_requests *requests, swq_goal goal, swq_dice *dice, int *grant)
{
    set_search s;

    swq_grant_none(requests, grant);
    if (requests->read_each_queue) {
        swq_grant_free_outputs(
            requests, goal == SWQ_MOST_PACKETS ? SWQ_PREFER_ANY : SWQ_PREFER_LONGEST, dice, grant);
        return;
    }
    s.requests = requests;
    /* lengths are far below a million in sum */
    s.packet = goal == SWQ_LONGEST_QUEUES ? 0 : goal == SWQ_MOST_PACKETS ? 1 : 1000000;
    s.slot = goal != SWQ_MOST_PACKETS;
    s.best = -1;
    s.equals = s.wanted = 0;
    s.grant = NULL;
    prepare(&s);
    walk(&s, 0, 0, 0);
    s.wanted = swq_dice_fair(dice, s.equals);
    s.grant = grant;
    walk(&s, 0, 0, 0);
}
