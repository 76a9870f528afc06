/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When messages are created, how long they are and where they go. Message n of sender i is a
 * function of (i, n).
 */
#include "sim/frame/drawing.h"

#include "base/context.h"
#include "sim/frame/beginning.h"
#include "sim/patterns/image.h"
#include "sim/traffic/groups.h"
#include "switchq/graph.h"

#include <math.h>

/* A fair choice among all nodes, or all except the sender. */
static uint32_t any_node(const swq_async_net *net, uint32_t sender, uint32_t word)
{
    uint32_t nodes = net->fabric->nodes;

    if (!net->fabric->shape.kind->point_to_point)
        return swq_word_below(word, nodes);
    uint32_t node = swq_word_below(word, nodes - 1);
    return node + (node >= sender);
}

static uint32_t any_member(const swq_async_net *net, const swq_drawing_type *type, uint32_t sender,
                           uint32_t word)
{
    /* counts the members, which are sorted, before the sender */
    uint32_t low = 0, high = type->members;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (type->member[middle] < sender)
            low = middle + 1;
        else
            high = middle;
    }
    bool skip = net->fabric->shape.kind->point_to_point && low < type->members &&
                type->member[low] == sender && type->members > 1;
    uint32_t k = swq_word_below(word, type->members - skip);
    return type->member[k + (skip && k >= low)];
}

/* The first entry of a matrix, from `low` on, up to which the row's sum is above u. */
static uint64_t find_entry(const double *sum, uint64_t low, uint64_t end, double u)
{
    uint64_t high = end - 1;

    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (u < sum[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* A destination of a row of a matrix; SWQ_NO_WHERE: the row has none. */
static uint32_t any_listed(const swq_async_net *net, const swq_destinations *m, const double *sum,
                           uint32_t sender, uint64_t number, uint32_t word)
{
    const uint64_t first = m->first[sender], end = m->first[sender + 1];
    const double u = swq_first_digits(word);

    if (first == end)
        return SWQ_NO_WHERE;
    const uint64_t k = find_entry(sum, first, end, u);
    if (!swq_digits_leave_open(u, sum[k]))
        return m->to[k];
    return m->to[find_entry(sum, k, end, swq_all_digits(&net->streams, sender, number, 1, u))];
}

/* The destination of message `number`, which begins a burst, if bursts there are. */
static uint32_t aim(const swq_async_net *net, const swq_message_type *spec,
                    const swq_drawing_type *type, uint32_t sender, uint64_t number, uint32_t word)
{
    switch (spec->aim) {
    case SWQ_AIM_NODE:
        return spec->value;
    case SWQ_AIM_SUBSET:
        return any_member(net, type, sender, word);
    case SWQ_AIM_ALL:
    case SWQ_AIM_SETS:
        return net->fabric->nodes + type->first_set + swq_word_below(word, swq_sets_of_type(spec));
    case SWQ_AIM_GROUP:
    case SWQ_AIM_WORST:
        return swq_group_aimed_at(net->fabric, spec, sender) +
               swq_word_below(word, net->fabric->group_nodes);
    case SWQ_AIM_PATTERN:
        break;
    }
    if (spec->matrix)
        return any_listed(net, spec->matrix, type->row_sum, sender, number, word);
    return type->image ? type->image[sender] : any_node(net, sender, word);
}

/* Does message `number` begin a burst? Without bursts every message does. */
static bool begins_burst(const swq_async_net *net, const swq_sender_group *spec, uint32_t sender,
                         uint64_t number)
{
    if (spec->burst <= 1 || number == 0)
        return true;
    swq_words more = swq_stream_words(&net->streams, SWQ_STREAM_MORE, sender, number);
    return swq_word_uniform((uint64_t)more.v[2] << 32) <= 1 / spec->burst;
}

/* The length of message `number`, which has that type. */
static uint32_t draw_length(const swq_async_net *net, const swq_drawing_type *type, uint32_t sender,
                            uint64_t number)
{
    if (type->length.choices == 1) /* the usual case: one length */
        return (uint32_t)type->length.least;
    swq_words more = swq_stream_words(&net->streams, SWQ_STREAM_MORE, sender, number);

    return swq_spread_draw(&type->length, (uint64_t)more.v[0] << 32 | more.v[1]);
}

/* Cycles that a message takes on the link to the switch, including the pause after each packet. */
static uint32_t link_time(const swq_async_net *net, uint32_t bytes)
{
    const uint32_t most = (uint32_t)net->spec->packet.max;
    return bytes + (bytes + most - 1) / most * net->link_rest;
}

/* The first type, from t on, that a number from 0 to 1 means. */
static int find_type(const swq_async_net *net, int g, int t, double u)
{
    while (t < net->spec->traffic.group[g].types - 1 && u >= net->group[g].type[t].up_to)
        t++;
    return t;
}

static int draw_type(const swq_async_net *net, uint32_t sender, int g, uint64_t number,
                     uint32_t word)
{
    const double u = swq_first_digits(word);
    const int t = find_type(net, g, 0, u);

    if (!swq_digits_leave_open(u, net->group[g].type[t].up_to))
        return t;
    return find_type(net, g, t, swq_all_digits(&net->streams, sender, number, 0, u));
}

/* Draws a message, which may be the first message of its sender in group `g`. The message has
 * the destination of the message that began its burst. */
static swq_drawn_message draw(const swq_async_net *net, uint32_t sender, int g, uint64_t number,
                              bool begins)
{
    const swq_sender_group *spec = &net->spec->traffic.group[g];
    const swq_drawing *drawing = &net->group[g];
    uint64_t first = number;

    while (!begins_burst(net, spec, sender, first))
        first--;
    swq_words w = swq_stream_words(&net->streams, SWQ_STREAM_PACKET, sender, first);
    const uint64_t word = (uint64_t)w.v[0] << 32 | w.v[1];
    swq_beginning beginning = {0, SWQ_ANY_TYPE};
    if (begins || (first == 0 && spec->burst > 1))
        beginning = swq_sender_beginning(net, sender, g, first, word);
    const int t =
        beginning.type == SWQ_ANY_TYPE ? draw_type(net, sender, g, first, w.v[3]) : beginning.type;
    const swq_drawing_type *type = &drawing->type[t];
    swq_drawn_message m = {.to = aim(net, &spec->type[t], type, sender, first, w.v[2]),
                           .bytes = draw_length(net, type, sender, number)};
    if (begins)
        m.interval = beginning.wait;
    else if (first == number)
        m.interval = swq_spread_draw(swq_drawn_interval(drawing, sender), word);
    else if (spec->kind == SWQ_SOURCE_OPEN)
        m.interval = link_time(net, draw_length(net, type, sender, number - 1));
    return m;
}

/* Is a message sent to no node, or in a fabric in which that is no way to its own sender? */
static bool goes_nowhere(const swq_async_net *net, uint32_t sender, uint32_t to)
{
    return to == SWQ_NO_WHERE || (to == sender && net->fabric->shape.kind->point_to_point);
}

/* The only destination that a type of messages can have, as far as that is known without a search:
 * else a node to which messages go. */
static uint32_t only_aim(const swq_message_type *type, const swq_drawing_type *drawing,
                         uint32_t sender, uint32_t other)
{
    if (type->aim == SWQ_AIM_NODE)
        return type->value;
    if (type->aim == SWQ_AIM_SUBSET)
        return drawing->members == 1 ? drawing->member[0] : other;
    if (type->aim != SWQ_AIM_PATTERN)
        return other;
    if (type->matrix) {
        const uint64_t first = type->matrix->first[sender];
        const uint64_t count = type->matrix->first[sender + 1] - first;
        return count == 0 ? SWQ_NO_WHERE : count == 1 ? type->matrix->to[first] : other;
    }
    return drawing->image ? drawing->image[sender] : other;
}

/* Is a sender in no group, or in a group in which it sends nothing, or only to itself? */
static bool silent_in(const swq_async_net *net, uint32_t sender, int g)
{
    const swq_sender_group *spec = &net->spec->traffic.group[g];

    if (g == net->spec->traffic.groups || swq_sender_silent(spec, sender))
        return true;
    for (int t = 0; t < spec->types; t++) {
        const uint32_t to = only_aim(&spec->type[t], &net->group[g].type[t], sender, sender + 1);
        if (spec->type[t].probability > 0 && !goes_nowhere(net, sender, to))
            return false;
    }
    return true;
}

uint32_t swq_sender_first_cycle(const swq_async_net *net, uint32_t sender, int group)
{
    const swq_sender_group *g = &net->spec->traffic.group[group];
    double span = 0;

    if (g->kind == SWQ_SOURCE_OPEN)
        return 0;
    for (int t = 0; t < g->types; t++)
        span +=
            g->type[t].probability *
            swq_spread_link_time(&g->type[t].length, net->spec->packet.max, net->spec->link.rest);
    span /= swq_graph_line_speed(net->fabric->shape.graph, sender);
    swq_words w = swq_stream_words(&net->streams, SWQ_STREAM_SETUP, sender,
                                   1 + (net->timed ? (uint64_t)group : 0));
    return span < 1e9 ? swq_word_below(w.v[0], (uint32_t)ceil(span)) : 0;
}

/* As `swq_message_place`, for a sender whose group may change: a message that would be created
 * after the change of group is dropped, and a new message is drawn at the change, as at the
 * beginning of the run. */
static uint32_t place_in_time(const swq_async_net *net, uint32_t sender, uint8_t *group,
                              uint64_t *number, uint32_t from, swq_drawn_message *m)
{
    bool begins = *number == 0;

    for (;; ++*number) {
        uint32_t next;
        int g = swq_sender_group_at(net->spec, sender, from, &next);
        const bool silent = silent_in(net, sender, g);
        if (!silent) {
            *m = draw(net, sender, g, *number, begins);
            from = swq_later(from, m->interval);
            begins = false;
        }
        if (silent || from >= next) {
            from = next;
            while (from != SWQ_NEVER &&
                   silent_in(net, sender, g = swq_sender_group_at(net->spec, sender, from, &next)))
                from = next;
            if (from == SWQ_NEVER)
                return SWQ_NEVER;
            from = swq_later(from, swq_sender_first_cycle(net, sender, g));
            begins = true;
        } else if (!goes_nowhere(net, sender, m->to)) {
            *group = (uint8_t)g;
            return from;
        }
    }
}

static uint32_t place_in_trace(const swq_async_net *net, uint32_t sender, uint64_t number,
                               swq_drawn_message *m)
{
    const uint64_t at = net->trace_start[sender] + number;
    uint32_t later = 0;

    if (net->after.start ? !swq_after_next(net, sender, number, &later)
                         : at >= net->trace_start[sender + 1])
        return SWQ_NEVER;
    const swq_async_message *line =
        &net->spec->traffic.trace[net->after.start ? later : net->trace_order[at]];
    *m = (swq_drawn_message){0, line->destination, line->bytes};
    return net->after.start ? net->after.birth[later] : (uint32_t)line->cycle;
}

uint32_t swq_message_place(const swq_async_net *net, uint32_t sender, uint8_t *group,
                           uint64_t *number, uint32_t from, swq_drawn_message *m)
{
    if (swq_senders_traced(net))
        return place_in_trace(net, sender, *number, m);
    if (net->timed)
        return place_in_time(net, sender, group, number, from, m);
    if (swq_sender_silent(&net->spec->traffic.group[*group], sender))
        return SWQ_NEVER;
    for (;; ++*number) {
        *m = draw(net, sender, *group, *number, *number == 0);
        from = swq_later(from, m->interval);
        if (from == SWQ_NEVER || !goes_nowhere(net, sender, m->to))
            return from;
    }
}

void swq_sender_groups(const swq_async *spec, uint32_t nodes, uint8_t *group)
{
    for (uint32_t i = 0; i < nodes; i++) {
        int g = 0;
        while (g < spec->traffic.groups &&
               (i & spec->traffic.group[g].mask) != spec->traffic.group[g].value)
            g++;
        group[i] = (uint8_t)g;
    }
}

int swq_sender_first_group(const swq_async_net *net, uint32_t sender, uint32_t *cycle)
{
    uint32_t next;
    int g;

    *cycle = 0;
    while (silent_in(net, sender, g = swq_sender_group_at(net->spec, sender, *cycle, &next))) {
        if (next == SWQ_NEVER)
            return net->spec->traffic.groups;
        *cycle = next;
    }
    return g;
}

static swq_status sum_rows(swq_context *ctx, const swq_destinations *m, double **sums)
{
    double *sum = swq_calloc(ctx, m->first[m->nodes] + 1, sizeof *sum);

    *sums = sum;
    if (!sum)
        return swq_memory_status(ctx);
    for (uint32_t i = 0; i < m->nodes; i++) {
        double all = 0, so_far = 0;
        for (uint64_t k = m->first[i]; k < m->first[i + 1]; k++)
            all += m->share[k];
        for (uint64_t k = m->first[i]; k < m->first[i + 1]; k++) {
            so_far += m->share[k];
            sum[k] = so_far / all;
        }
    }
    return SWQ_OK;
}

void swq_drawing_own_intervals(swq_async_net *net, int g)
{
    const swq_sender_group *spec = &net->spec->traffic.group[g];
    swq_drawn *own = net->group[g].own_interval;

    for (uint32_t i = 0; own && i < net->fabric->nodes; i++) {
        const swq_spread interval = swq_sender_interval(net->spec, spec, i);
        if (!swq_sender_silent(spec, i))
            own[i] = swq_spread_prepare(&interval);
    }
}

static swq_status prepare_own_intervals(swq_context *ctx, const swq_async_net *net, int g)
{
    swq_drawn *own = swq_calloc(ctx, net->fabric->nodes, sizeof *own);

    net->group[g].own_interval = own;
    return own ? SWQ_OK : swq_memory_status(ctx);
}

static swq_status prepare_type(swq_context *ctx, swq_async_net *net, const swq_message_type *spec,
                               swq_drawing_type *type)
{
    const swq_places places = swq_fabric_places(net->fabric);
    uint32_t nodes = places.nodes;
    swq_status status = SWQ_OK;

    type->length = swq_spread_prepare(&spec->length);
    if (spec->matrix) {
        status = sum_rows(ctx, spec->matrix, &type->row_sum);
    } else if (spec->aim == SWQ_AIM_PATTERN) {
        /* all replications have the same image, since they repeat one experiment */
        status = swq_pattern_make_image(ctx, spec->pattern, &places, net->system.options->seed,
                                        &type->image_store);
        type->image = type->image_store;
    } else if (spec->aim == SWQ_AIM_SUBSET) {
        type->member = swq_calloc(ctx, nodes, sizeof *type->member);
        if (!type->member)
            return swq_memory_status(ctx);
        for (uint32_t i = 0; i < nodes; i++) {
            if ((i & spec->mask) == spec->value)
                type->member[type->members++] = i;
        }
    }
    return status;
}

swq_status swq_drawing_prepare(swq_context *ctx, swq_async_net *net)
{
    const swq_async *spec = net->spec;
    uint32_t sets = 0;
    swq_status status = SWQ_OK;

    swq_node_sets_draw(spec, net->system.options->seed, &net->sets);
    for (int g = 0; g < spec->traffic.groups && !status; g++) {
        double sum = 0;
        net->group[g].interval = swq_spread_prepare(&spec->traffic.group[g].interval);
        if (swq_sender_has_own_interval(spec, &spec->traffic.group[g]))
            status = prepare_own_intervals(ctx, net, g);
        if (!status)
            swq_drawing_own_intervals(net, g);
        for (int t = 0; t < spec->traffic.group[g].types && !status; t++) {
            sum += spec->traffic.group[g].type[t].probability;
            net->group[g].type[t].up_to = sum;
            net->group[g].type[t].first_set = sets;
            sets += swq_sets_of_type(&spec->traffic.group[g].type[t]);
            status =
                prepare_type(ctx, net, &spec->traffic.group[g].type[t], &net->group[g].type[t]);
        }
    }
    return status;
}

void swq_senders_free(swq_context *ctx, swq_async_net *net)
{
    for (int g = 0; net->group && g < net->spec->traffic.groups; g++) {
        for (int t = 0; t < SWQ_MAX_MESSAGE_TYPES; t++) {
            swq_free(ctx, net->group[g].type[t].image_store);
            swq_free(ctx, net->group[g].type[t].member);
            swq_free(ctx, net->group[g].type[t].row_sum);
        }
        swq_free(ctx, net->group[g].own_interval);
    }
}

double swq_senders_bytes(const swq_async *spec, const swq_fabric *fabric)
{
    double bytes = 0;

    for (int g = 0; g < spec->traffic.groups && !spec->traffic.trace; g++) {
        const swq_sender_group *group = &spec->traffic.group[g];
        bytes += (double)group->types * fabric->nodes * sizeof(uint32_t);
        for (int t = 0; t < group->types; t++)
            bytes += group->type[t].matrix
                         ? (double)group->type[t].matrix->first[fabric->nodes] * sizeof(double)
                         : 0;
        bytes += swq_sender_has_own_interval(spec, group)
                     ? (double)fabric->nodes * sizeof(swq_drawn)
                     : 0;
    }
    return bytes;
}
