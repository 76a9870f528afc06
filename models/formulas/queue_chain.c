/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See queue_chain.h. Solved by Grassmann, Taksar and Heyman's elimination, which subtracts nothing,
 * within the band that is left when states are ordered by their packets.
 */
#include "models/formulas/queue_chain.h"

#include "base/context.h"

#include <string.h>

int swq_queue_chain_lengths(const swq_queue_chain *chain, int64_t state, int *length)
{
    const swq_word *word = swq_intern_state(&chain->states, state);
    int sum = 0;

    for (int i = 0; i < chain->queues; i++)
        sum += length[i] = word[i];
    return sum;
}

/* Pack a state: the lengths, in descending order within a kind. */
static void pack(const swq_queue_chain *chain, const int *length, swq_word *word)
{
    const int *kind = chain->kind;

    for (int i = 0, first = 0; i < chain->queues; i++) {
        int at = i;
        if (kind && kind[i] != kind[first])
            first = i;
        for (; at > first && word[at - 1] < length[i]; at--)
            word[at] = word[at - 1];
        word[at] = (swq_word)length[i];
    }
}

void swq_queue_chain_move(swq_queue_chain *chain, const int *length, double rate)
{
    swq_word word[SWQ_CHAIN_QUEUES];

    if (chain->status || !(rate > 0))
        return;
    pack(chain, length, word);
    int64_t to = swq_intern_number(chain->ctx, &chain->states, word);
    if (to < 0) {
        chain->status = swq_memory_status(chain->ctx);
        return;
    }
    if (to >= SWQ_CHAIN_STATES) {
        chain->status =
            swq_fail(chain->ctx, SWQ_ELIMIT, "the chain has more than %d states", SWQ_CHAIN_STATES);
        return;
    }
    if (to == chain->from)
        return;
    if (chain->moves == chain->room) {
        size_t room = chain->room ? 2 * chain->room : 256;
        void *grown = swq_resize(chain->ctx, chain->move, room, sizeof *chain->move);
        if (!grown) {
            chain->status = swq_memory_status(chain->ctx);
            return;
        }
        chain->move = grown;
        chain->room = room;
    }
    chain->move[chain->moves++] = (struct swq_queue_move){chain->from, (int32_t)to, rate};
}

/* order[state] is its place if states are ordered by their numbers of packets; a counting sort, so
 * stable. */
static void order_states(const swq_queue_chain *chain, int32_t *order)
{
    int length[SWQ_CHAIN_QUEUES];
    int32_t place = 0;

    for (int sum = 0; place < chain->states.count; sum++)
        for (int64_t s = 0; s < chain->states.count; s++)
            if (swq_queue_chain_lengths(chain, s, length) == sum)
                order[s] = place++;
}

static void eliminate(double *a, int n, double *pi)
{
    for (int k = n - 1; k > 0; k--) {
        const double *row = a + (size_t)k * (size_t)n;
        double sum = 0;
        int first = k;
        for (int j = 0; j < k; j++) {
            sum += row[j];
            if (row[j] > 0 && first == k)
                first = j;
        }
        for (int i = 0; i < k; i++) {
            double *into = a + (size_t)i * (size_t)n;
            if (into[k] == 0)
                continue;
            into[k] /= sum;
            for (int j = first; j < k; j++)
                into[j] += into[k] * row[j];
        }
    }
    double total = pi[0] = 1;
    for (int k = 1; k < n; k++) {
        pi[k] = 0;
        for (int i = 0; i < k; i++)
            pi[k] += pi[i] * a[(size_t)i * (size_t)n + (size_t)k];
        total += pi[k];
    }
    for (int k = 0; k < n; k++)
        pi[k] /= total;
}

swq_status swq_queue_chain_solve(swq_context *ctx, swq_queue_chain *chain, int queues,
                                 const int *kind, const int *start, swq_queue_moves_fn *moves,
                                 const void *model, double **probability)
{
    int length[SWQ_CHAIN_QUEUES];
    swq_word first[SWQ_CHAIN_QUEUES];

    *chain = (swq_queue_chain){.ctx = ctx, .queues = queues, .kind = kind};
    pack(chain, start, first);
    swq_intern_init(&chain->states, queues);
    if (swq_intern_number(ctx, &chain->states, first) < 0)
        return swq_memory_status(ctx);
    for (; chain->from < chain->states.count && !chain->status; chain->from++) {
        swq_queue_chain_lengths(chain, chain->from, length);
        moves(chain, model, length);
    }
    if (chain->status)
        return chain->status;
    const size_t n = (size_t)chain->states.count;
    double *a = swq_calloc(ctx, n * n, sizeof *a), *pi = swq_calloc(ctx, n, sizeof *pi),
           *by_state = swq_calloc(ctx, n, sizeof *by_state);
    int32_t *order = swq_calloc(ctx, n, sizeof *order);
    if (!a || !pi || !by_state || !order) {
        chain->status = swq_memory_status(ctx);
    } else {
        order_states(chain, order);
        for (size_t m = 0; m < chain->moves; m++)
            a[(size_t)order[chain->move[m].from] * n + (size_t)order[chain->move[m].to]] +=
                chain->move[m].rate;
        eliminate(a, (int)n, pi);
        for (size_t s = 0; s < n; s++)
            by_state[s] = pi[order[s]];
        *probability = by_state;
        by_state = NULL;
    }
    swq_free(ctx, a);
    swq_free(ctx, pi);
    swq_free(ctx, order);
    swq_free(ctx, by_state);
    return chain->status;
}

void swq_queue_chain_clear(swq_queue_chain *chain)
{
    swq_intern_clear(chain->ctx, &chain->states);
    swq_free(chain->ctx, chain->move);
    chain->move = NULL;
}
