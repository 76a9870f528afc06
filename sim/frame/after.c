/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages of a trace that wait for others to arrive. A sender has two sources of messages: its
 * lines of the trace that wait for nothing, in order, and a heap of the lines whose wait is over.
 * The sender creates the earlier of the two messages.
 */
#include "sim/frame/after.h"
#include "base/context.h"
#include "sim/frame/net.h"

#include <stdio.h>
#include <string.h>

/* ---- beforehand ---- */

static uint32_t awaited(const void *dependencies, uint64_t k)
{
    return (uint32_t)((const swq_async_dependency *)dependencies)[k].on;
}

/* Refuses a circle of messages, and names some messages of the circle; `from` is one of the
 * circle's messages. */
static swq_status refuse_circle(swq_context *ctx, const uint32_t *before, uint32_t from)
{
    enum { NAMED = 6 };
    char text[16 * NAMED] = "";
    size_t length = 0;
    uint32_t at = from;
    int count = 0;

    do {
        if (count < NAMED)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%u",
                                       count > 0 ? ", " : "", at + 1);
        count++;
        at = before[at];
    } while (at != from);
    if (count == 1)
        return swq_fail(ctx, SWQ_EINVAL,
                        "message %s of the trace waits for itself: it can never be created", text);
    return swq_fail(ctx, SWQ_EINVAL,
                    "%d messages of the trace wait for one another in a circle, and can never be "
                    "created: %s%s (each waits for the next)",
                    count, text, count > NAMED ? ", ..." : "");
}

/* Resolves the messages that wait for nothing, then the messages that wait for resolved messages
 * alone, and so on; if any messages are left, they contain a circle. */
static swq_status look_for_circle(swq_context *ctx, const swq_async *n, uint64_t *start,
                                  uint64_t *order, uint32_t *unmet, uint32_t *next)
{
    const uint32_t messages = (uint32_t)n->traffic.trace_messages;
    uint32_t done = 0, count = 0;

    swq_trace_sort(n->traffic.dependencies, messages, awaited, n->traffic.dependency, start, order);
    for (uint64_t k = 0; k < n->traffic.dependencies; k++)
        unmet[n->traffic.dependency[k].message]++;
    for (uint32_t m = 0; m < messages; m++)
        if (unmet[m] == 0)
            next[count++] = m;
    while (done < count) {
        const uint32_t m = next[done++];
        for (uint64_t k = start[m]; k < start[m + 1]; k++) {
            const uint32_t other = (uint32_t)n->traffic.dependency[order[k]].message;
            if (--unmet[other] == 0)
                next[count++] = other;
        }
    }
    if (count == messages)
        return SWQ_OK;
    uint32_t *before = next; /* for each message left, a message that it waits for */
    for (uint64_t k = 0; k < n->traffic.dependencies; k++) {
        const swq_async_dependency *d = &n->traffic.dependency[k];
        if (unmet[d->message] > 0 && unmet[d->on] > 0)
            before[d->message] = (uint32_t)d->on;
    }
    uint32_t at = 0;
    while (unmet[at] == 0)
        at++;
    for (uint32_t k = 0; k < messages; k++) /* after as many steps as there are messages, `at` is on
                                               a circle */
        at = before[at];
    return refuse_circle(ctx, before, at);
}

swq_status swq_after_check(swq_context *ctx, const swq_async *n)
{
    if (n->traffic.dependencies == 0 && n->traffic.phases == 0)
        return SWQ_OK;
    if (!n->traffic.trace || n->traffic.trace_messages > UINT32_MAX - 1)
        return swq_fail(ctx, SWQ_EINVAL,
                        "dependencies are for traces of at most %u messages, not %llu",
                        UINT32_MAX - 1,
                        n->traffic.trace ? (unsigned long long)n->traffic.trace_messages : 0ULL);
    if (n->interface.present || (n->management.row && n->management.row->stores))
        return swq_fail(ctx, SWQ_EINVAL,
                        "dependencies of messages do not go with interfaces of nodes (management "
                        "%s), where messages are not followed",
                        n->management.row->name);
    for (uint64_t k = 0; k < n->traffic.dependencies; k++) {
        const swq_async_dependency *d = &n->traffic.dependency[k];
        if (d->message >= n->traffic.trace_messages || d->on >= n->traffic.trace_messages)
            return swq_fail(ctx, SWQ_EINVAL,
                            "dependency %llu: message %llu waits for message %llu, and there are "
                            "%llu messages",
                            (unsigned long long)k + 1, (unsigned long long)d->message + 1,
                            (unsigned long long)d->on + 1,
                            (unsigned long long)n->traffic.trace_messages);
        if (d->delay < 1 || d->delay > SWQ_MAX_DEPENDENCY_DELAY)
            return swq_fail(ctx, SWQ_EINVAL, "delay of dependency %llu must be 1 to %d, not %u",
                            (unsigned long long)k + 1, SWQ_MAX_DEPENDENCY_DELAY, d->delay);
    }
    for (uint64_t k = 0; n->traffic.phases && k < n->traffic.trace_messages; k++)
        if (n->traffic.phase[k] >= n->traffic.phases)
            return swq_fail(ctx, SWQ_EINVAL, "phase of trace message %llu must be 0 to %u, not %u",
                            (unsigned long long)k, n->traffic.phases - 1, n->traffic.phase[k]);
    const size_t messages = (size_t)n->traffic.trace_messages;
    uint64_t *start = swq_calloc(ctx, messages + 1, sizeof *start);
    uint64_t *order = swq_calloc(ctx, (size_t)n->traffic.dependencies + 1, sizeof *order);
    uint32_t *unmet = swq_calloc(ctx, messages, sizeof *unmet);
    uint32_t *next = swq_calloc(ctx, messages, sizeof *next);
    const swq_status status = start && order && unmet && next
                                  ? look_for_circle(ctx, n, start, order, unmet, next)
                                  : swq_memory_status(ctx);
    swq_free(ctx, start);
    swq_free(ctx, order);
    swq_free(ctx, unmet);
    swq_free(ctx, next);
    return status;
}

/* ---- a replication ---- */

void swq_after_list(swq_async_net *net, swq_arrays *list)
{
    swq_after *a = &net->after;
    const bool any = net->spec->traffic.dependencies > 0 || net->spec->traffic.phases > 0;
    const double messages = any ? (double)net->spec->traffic.trace_messages : 0;
    const double nodes = any ? net->fabric->nodes : 0;

    SWQ_ARRAY(list, a->start, any ? messages + 1 : 0);
    SWQ_ARRAY(list, a->waiting, any ? (double)net->spec->traffic.dependencies : 0);
    SWQ_ARRAY(list, a->unmet, messages);
    SWQ_ARRAY(list, a->birth, messages);
    SWQ_ARRAY(list, a->waits, messages);
    SWQ_ARRAY(list, a->created, messages);
    SWQ_ARRAY(list, a->heap, messages);
    SWQ_ARRAY(list, a->heaped, nodes);
    SWQ_ARRAY(list, a->at, nodes);
    SWQ_ARRAY(list, a->missing, net->spec->traffic.phases);
    SWQ_ARRAY(list, a->phase_end, net->spec->traffic.phases);
}

/* Moves on to the next line that waits for nothing. */
static void skip_waiting(swq_async_net *net, uint32_t sender)
{
    swq_after *a = &net->after;

    while (a->at[sender] < net->trace_start[sender + 1] &&
           a->waits[net->trace_order[a->at[sender]]])
        a->at[sender]++;
}

void swq_after_begin(swq_async_net *net)
{
    const swq_async *n = net->spec;
    swq_after *a = &net->after;

    if (!a->start)
        return;
    swq_trace_sort(n->traffic.dependencies, (uint32_t)n->traffic.trace_messages, awaited,
                   n->traffic.dependency, a->start, a->waiting);
    for (uint64_t m = 0; m < n->traffic.trace_messages; m++)
        a->birth[m] = (uint32_t)n->traffic.trace[m].cycle;
    for (uint64_t k = 0; k < n->traffic.dependencies; k++) {
        a->unmet[n->traffic.dependency[k].message]++;
        a->waits[n->traffic.dependency[k].message] = 1;
    }
    for (uint64_t m = 0; n->traffic.phase && m < n->traffic.trace_messages; m++)
        a->missing[n->traffic.phase[m]]++;
    for (uint32_t i = 0; i < net->fabric->nodes; i++) {
        a->at[i] = net->trace_start[i];
        skip_waiting(net, i);
    }
}

static bool earlier(const swq_after *a, uint32_t m, uint32_t other)
{
    return a->birth[m] != a->birth[other] ? a->birth[m] < a->birth[other] : m < other;
}

static void push(swq_after *a, uint32_t *heap, uint32_t count, uint32_t message)
{
    uint32_t k = count;

    for (; k > 0 && earlier(a, message, heap[(k - 1) / 2]); k = (k - 1) / 2)
        heap[k] = heap[(k - 1) / 2];
    heap[k] = message;
}

/* Removes the first element of a heap, of which `count` remain. */
static void pop(swq_after *a, uint32_t *heap, uint32_t count)
{
    const uint32_t last = heap[count];
    uint32_t k = 0;

    for (uint32_t child; (child = 2 * k + 1) < count; k = child) {
        if (child + 1 < count && earlier(a, heap[child + 1], heap[child]))
            child++;
        if (!earlier(a, heap[child], last))
            break;
        heap[k] = heap[child];
    }
    heap[k] = last;
}

/* Finds the next message of a sender. Returns whether the message is from the heap. */
static bool head(const swq_async_net *net, uint32_t sender, uint32_t *message, bool *heaped)
{
    const swq_after *a = &net->after;
    const bool line = a->at[sender] < net->trace_start[sender + 1];
    const uint32_t first = line ? (uint32_t)net->trace_order[a->at[sender]] : 0;
    const uint32_t top = a->heap[net->trace_start[sender]];

    *heaped = a->heaped[sender] > 0 && (!line || earlier(a, top, first));
    *message = *heaped ? top : first;
    return *heaped || line;
}

bool swq_after_next(const swq_async_net *net, uint32_t sender, uint64_t number, uint32_t *message)
{
    bool heaped;

    if (net->trace_start[sender] == net->trace_start[sender + 1])
        return false;
    if (number < net->sender[sender].later) {
        *message = net->after.created[net->trace_start[sender] + number];
        return true;
    }
    return head(net, sender, message, &heaped);
}

void swq_after_created(swq_async_net *net, uint32_t sender)
{
    swq_after *a = &net->after;
    const uint64_t base = net->trace_start[sender];
    uint32_t message;
    bool heaped;

    if (!head(net, sender, &message, &heaped))
        return;
    a->created[base + net->sender[sender].later] = message;
    if (heaped) {
        pop(a, a->heap + base, --a->heaped[sender]);
    } else {
        a->at[sender]++;
        skip_waiting(net, sender);
    }
}

/* Counts an arrival for the message's phase. */
static void note_phase(swq_async_net *net, uint32_t message, uint32_t cycle)
{
    const uint32_t *phase = net->spec->traffic.phase;
    swq_after *a = &net->after;

    if (!phase)
        return;
    a->missing[phase[message]]--;
    if (cycle > a->phase_end[phase[message]])
        a->phase_end[phase[message]] = cycle;
}

void swq_after_phases(const swq_async_net *net, uint32_t *end)
{
    for (uint32_t k = 0; k < net->spec->traffic.phases; k++)
        end[k] = net->after.missing[k] > 0 ? SWQ_NEVER : net->after.phase_end[k];
}

void swq_after_arrived(swq_async_net *net, uint32_t message, uint32_t cycle)
{
    swq_after *a = &net->after;

    note_phase(net, message, cycle);
    for (uint64_t k = a->start[message]; k < a->start[message + 1]; k++) {
        const swq_async_dependency *d = &net->spec->traffic.dependency[a->waiting[k]];
        const uint32_t m = (uint32_t)d->message, from = swq_later(cycle, d->delay);
        const uint32_t sender = net->spec->traffic.trace[m].source;

        a->birth[m] = from > a->birth[m] ? from : a->birth[m];
        if (--a->unmet[m] > 0)
            continue;
        push(a, a->heap + net->trace_start[sender], a->heaped[sender]++, m);
        a->hears(net, sender);
    }
}
