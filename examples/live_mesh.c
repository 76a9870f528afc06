/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A network on a chip inside a simulator of something else: 64 cores ask memories at the corners of
 * an 8 x 8 mesh for lines of their caches, over a wormhole network with four lanes. A question is
 * one flit, an answer five. The cores are the caller's; the network gives each message back with
 * the caller's token and its latency.
 */
#include <switchq/switchq.h>

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

enum { SIDE = 8, NODES = SIDE * SIDE, MEMORIES = 4, CYCLES = 100000 };
enum { QUESTION = 1, ANSWER = 2 /* tokens */, QUESTION_FLITS = 1, ANSWER_FLITS = 5 };
enum { THINKS = 40 /* cycles of a core between an answer and its next question */ };

static const uint32_t memory_at[MEMORIES] = {0, SIDE - 1, NODES - SIDE, NODES - 1};

static swq_status open_mesh(swq_context *ctx, swq_live **live)
{
    swq_live_options options = swq_live_defaults();
    swq_async mesh = swq_async_defaults();

    mesh.shape = (swq_shape){.kind = &swq_fabric_mesh, .dims = 2, .extent = {SIDE, SIDE}};
    swq_status status =
        swq_architecture_find(ctx, "wormhole", SWQ_ENGINE_ASYNC, &mesh.architecture.row);
    if (status)
        return status;
    mesh.packet.max = ANSWER_FLITS;
    mesh.link.rest = 0;
    /* load 0: the cores' messages alone */
    const swq_sender_group cores =
        swq_sender_group_uniform(&mesh, SWQ_SOURCE_HOLD, 0, (swq_spread){SWQ_CONSTANT, 1, 0});
    mesh.traffic.group = &cores;
    mesh.traffic.groups = 1;
    options.follow = true;
    return swq_live_open_async(ctx, &mesh, &options, live);
}

/* What a node has to send: the question of its core, and the answers that its memory owes. */
typedef struct {
    long asks_in; /* the cycle in which the core asks again; -1: it waits for an answer */
    uint32_t owed[NODES];
    int first, owes;
} node;

static swq_status offer(swq_live *live, node *n, uint32_t i, long cycle, uint32_t *random)
{
    swq_live_packet message = {.from = i};
    bool taken = false;

    if (n->owes > 0) {
        message.to = n->owed[n->first];
        message.token = ANSWER;
        message.bytes = ANSWER_FLITS;
    } else if (n->asks_in >= 0 && n->asks_in <= cycle) {
        do {
            *random = *random * 1664525u + 1013904223u;
            message.to = memory_at[*random >> 30];
        } while (message.to == i);
        message.token = QUESTION;
        message.bytes = QUESTION_FLITS;
    } else {
        return SWQ_OK;
    }
    const swq_status status = swq_live_offer(live, &message, 1, &taken);
    if (taken && n->owes > 0) {
        n->first = (n->first + 1) % NODES;
        n->owes--;
    } else if (taken) {
        n->asks_in = -1;
    }
    return status;
}

/* Takes the messages that have arrived; adds the latencies of answers, and returns their number. */
static long receive(swq_live *live, node *nodes, long cycle, double *latency)
{
    swq_live_end end;
    long answers = 0;

    while (swq_live_ended(live, &end, 1)) {
        node *n = &nodes[end.to];
        if (end.token == ANSWER) {
            n->asks_in = cycle + THINKS;
            *latency += (double)end.latency_cycles;
            answers++;
        } else {
            n->owed[(n->first + n->owes++) % NODES] = end.from;
        }
    }
    return answers;
}

int main(void)
{
    static node nodes[NODES];
    swq_context *ctx = swq_context_new();
    swq_live *live = NULL;
    swq_live_counts counts = {0};
    uint32_t random = 1;
    double latency = 0;
    long answers = 0;
    swq_status status = open_mesh(ctx, &live);
    const clock_t begin = clock();

    for (long cycle = 0; cycle < CYCLES && !status; cycle++) {
        for (uint32_t i = 0; i < NODES && !status; i++)
            status = offer(live, &nodes[i], i, cycle, &random);
        if (!status)
            status = swq_live_advance(live, 1, NULL);
        if (!status)
            answers += receive(live, nodes, cycle, &latency);
    }
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (status) {
        fprintf(stderr, "%s\n", swq_context_message(ctx));
    } else {
        swq_live_read(live, &counts);
        printf("%ld answers, which took %.1f cycles through the mesh; %.1f million packet-hops a "
               "second\n",
               answers, latency / (double)answers, (double)counts.packet_hops / seconds / 1e6);
    }
    swq_live_close(live);
    swq_context_free(ctx);
    /* nothing is lost, and a core asks about every 100 cycles */
    return status || counts.lost || counts.deadlock || answers < NODES * CYCLES / 200;
}
