/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Optimal arbiters: enumerate every set of transmissions, keep the best, choose among equals.
 * With a read port per queue the outputs do not compete and each is best served by itself.
 * Room: models.
 */
#include "models/arbiters/arbiters.h"

typedef struct {
    const swq_requests *requests;
    swq_goal goal;
    long best;  /* score of the best set so far */
    int equals; /* number of sets with that score */
    int wanted; /* second walk: take the set with this number, counting from 0 */
    int now[SWQ_MAX_PORTS];
    int *grant; /* second walk: receives the wanted set */
} set_search;

static long score_of(const set_search *s)
{
    long packets = 0, length = 0;

    for (int j = 0; j < s->requests->ports; j++) {
        if (s->now[j] == SWQ_NO_INPUT)
            continue;
        packets++;
        length += s->requests->length[s->now[j]][j];
    }
    switch (s->goal) {
    case SWQ_MOST_PACKETS:
        return packets;
    case SWQ_LONGEST_QUEUES:
        return length;
    default:
        return packets * 1000000 + length; /* the sum of the lengths is far below a million */
    }
}

static void judge(set_search *s)
{
    long score = score_of(s);

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

/* Decide outputs output, output+1, ...; `sent` is the mask of inputs that already send. */
static void walk(set_search *s, int output, unsigned sent)
{
    if (output == s->requests->ports) {
        judge(s);
        return;
    }
    for (int i = 0; i < s->requests->ports; i++) {
        if (s->requests->length[i][output] && !(sent >> i & 1)) {
            s->now[output] = i;
            walk(s, output + 1, sent | 1u << i);
        }
    }
    s->now[output] = SWQ_NO_INPUT;
    walk(s, output + 1, sent);
}

void swq_grant_best_set(const swq_requests *requests, swq_goal goal, swq_dice *dice, int *grant)
{
    set_search s = {.requests = requests, .goal = goal, .best = -1};

    swq_grant_none(requests, grant);
    if (requests->read_each_queue) {
        swq_grant_free_outputs(
            requests, goal == SWQ_MOST_PACKETS ? SWQ_PREFER_ANY : SWQ_PREFER_LONGEST, dice, grant);
        return;
    }
    walk(&s, 0, 0);
    s.wanted = swq_dice_fair(dice, s.equals);
    s.grant = grant;
    walk(&s, 0, 0);
}
