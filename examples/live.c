/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A network of switches inside a simulator of something else: 64 nodes, each of which asks another
 * node, waits for the answer, and asks again. The nodes are the caller's; the 64-node omega network
 * of 4 x 4 switches carries their packets, and gives each back with the caller's token.
 */
#include <switchq/switchq.h>

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

enum { NODES = 64, SLOTS = 4, CYCLES = 100000 };
enum { QUESTION = 1, ANSWER = 2 /* tokens */ };

static swq_status open_network(swq_context *ctx, swq_live **live)
{
    swq_live_options options = swq_live_defaults();
    swq_network net = {
        .shape = {.kind = &swq_fabric_multistage, .wiring = swq_topologies[0], .stages = 3}};
    const swq_buffer_kind *damq;

    options.follow = true;
    net.traffic = swq_traffic_defaults();
    net.traffic.load = 0; /* the nodes' packets alone */
    net.sw = (swq_switch){.ports = 4, .flow = SWQ_BLOCK};
    swq_status status = swq_arbiter_find(ctx, "rotating", &net.sw.arbiter);
    if (!status)
        status = swq_buffer_kind_find(ctx, "damq", &damq);
    if (!status)
        status = swq_buffer_preset(ctx, damq, net.sw.ports, SLOTS, &net.sw.buffer);
    return status ? status : swq_live_open(ctx, &net, &options, live);
}

/* What a node has to send: its question, and the answers that it owes to others. */
typedef struct {
    bool asks;
    uint32_t owed[NODES];
    int first, owes;
} client;

static swq_status offer(swq_live *live, client *nodes, uint32_t i, uint32_t *random)
{
    swq_live_packet packet = {.from = i};
    client *n = &nodes[i];
    bool taken = false;

    if (n->owes > 0) {
        packet.to = n->owed[n->first];
        packet.token = ANSWER;
    } else if (n->asks) {
        *random = *random * 1664525u + 1013904223u;
        packet.to = *random >> 26;
        packet.token = QUESTION;
    } else {
        return SWQ_OK;
    }
    const swq_status status = swq_live_offer(live, &packet, 1, &taken);
    if (taken && n->owes > 0) {
        n->first = (n->first + 1) % NODES;
        n->owes--;
    } else if (taken) {
        n->asks = false;
    }
    return status;
}

/* Takes the packets that have arrived; returns how many were answers. */
static int receive(swq_live *live, client *nodes)
{
    swq_live_end end[NODES];
    const size_t count = swq_live_ended(live, end, NODES);
    int answers = 0;

    for (size_t k = 0; k < count; k++) {
        client *n = &nodes[end[k].to];
        if (end[k].token == ANSWER) {
            n->asks = true;
            answers++;
        } else {
            n->owed[(n->first + n->owes++) % NODES] = end[k].from;
        }
    }
    return answers;
}

int main(void)
{
    static client nodes[NODES];
    swq_context *ctx = swq_context_new();
    swq_live *live = NULL;
    swq_live_counts counts = {0};
    uint32_t random = 1;
    long answers = 0;
    swq_status status = open_network(ctx, &live);
    const clock_t begin = clock();

    for (int i = 0; i < NODES; i++)
        nodes[i].asks = true;
    for (int cycle = 0; cycle < CYCLES && !status; cycle++) {
        for (uint32_t i = 0; i < NODES && !status; i++)
            status = offer(live, nodes, i, &random);
        if (!status)
            status = swq_live_advance(live, 1, NULL);
        if (!status)
            answers += receive(live, nodes);
    }
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (status) {
        fprintf(stderr, "%s\n", swq_context_message(ctx));
    } else {
        swq_live_read(live, &counts);
        printf("%ld questions answered, %.2f cycles after a question; %.1f million packet-hops a "
               "second\n",
               answers, (double)NODES * CYCLES / (double)answers,
               (double)counts.packet_hops / seconds / 1e6);
    }
    swq_live_close(live);
    swq_context_free(ctx);
    /* nothing is lost: each node waits for one answer, or has just got it */
    return status || counts.lost || answers < 100000;
}
