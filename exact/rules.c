/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing a policy as text: the situations in which the action matters, and the best actions there.
 */
#include "exact/rules.h"

#include "base/context.h"

#include <math.h>
#include <string.h>

/* Two values whose relative difference is below this are taken to be equal, since values are known
 * to about 1e-10. */
#define EQUAL 1e-8L

enum { LINE = 400 };

typedef struct {
    swq_context *ctx;
    const swq_values *values;
    int stage;
    swq_optimal *to;
    int64_t room;
    size_t used, text_room;
} rule_listing;

static const swq_choices *choices_of(const rule_listing *l)
{
    return &l->values->d->stage[l->stage];
}

/* Could one more packet be sent? */
static bool extends(const swq_decisions *d, const swq_word *state, int32_t what)
{
    const swq_layout *l = &d->layout;
    const bool each = d->sw.buffer.read == SWQ_READ_EACH_QUEUE;
    unsigned sent = 0, taken = 0;

    for (int j = 0; j < l->ports; j++) {
        const int i = swq_action_input(d, what, j);
        if (i != SWQ_NO_INPUT) {
            sent |= 1u << i;
            taken |= 1u << j;
        }
    }
    for (int i = 0; i < l->ports; i++) {
        for (int j = 0; j < l->ports && (each || !(sent >> i & 1)); j++) {
            const bool asks =
                l->deferred ? state[l->head + i] == j + 1 : state[i * l->queues + j] > 0;
            if (asks && !(taken >> j & 1))
                return true;
        }
    }
    return false;
}

/* Could a simple rule take this action: no packet is held back, and none is lost needlessly? */
static bool plain(const rule_listing *l, int64_t node, int64_t action, long double least)
{
    const swq_choices *c = choices_of(l);

    if (c->stage == SWQ_STAGE_ADMISSION)
        return c->cost[action] == least;
    return !extends(l->values->d, swq_intern_state(&c->node, node), c->what[action]);
}

static bool equal(long double value, long double best)
{
    return value - best <= EQUAL * best;
}

/* ---- text ---- */

static void append(char *text, const char *more)
{
    const size_t used = strlen(text);
    snprintf(text + used, LINE - used, "%s", more);
}

static void append_number(char *text, const char *before, int number)
{
    const size_t used = strlen(text);
    snprintf(text + used, LINE - used, "%s%d", before, number);
}

static void write_state(const swq_decisions *d, const swq_word *state, bool sends, char *text)
{
    const swq_layout *l = &d->layout;

    text[0] = '\0';
    for (int k = 0; k < l->buffers * l->queues; k++)
        append_number(text, k == 0 ? "(" : k % l->queues ? " " : " | ", state[k]);
    for (int b = 0; b < l->buffers && l->deferred; b++) {
        append(text, b == 0 ? "; head " : " ");
        if (state[l->head + b])
            append_number(text, "", state[l->head + b] - 1);
        else
            append(text, "-");
    }
    for (int i = 0; i < l->ports && d->bursts && sends; i++) { /* each input's last packet */
        append(text, i == 0 ? "; last " : " ");
        if (state[l->held + i])
            append_number(text, "", state[l->held + i] - 1);
        else
            append(text, "-");
    }
    for (int k = 0; k < l->memory_words; k++)
        append_number(text, k == 0 ? "; memory " : " ", state[l->memory + k]);
    append(text, ")");
}

static void write_arriving(const swq_decisions *d, const swq_word *state, char *text)
{
    const swq_layout *l = &d->layout;

    text[0] = '\0';
    for (int i = 0; i < l->ports; i++) {
        const int packet = state[l->held + i];
        append(text, i ? " " : "");
        if (packet > 0 && !l->deferred)
            append_number(text, "", packet - 1);
        else
            append(text, packet ? "x" : "-");
    }
}

/* Append the action to the text. */
static void write_sending(const swq_decisions *d, int32_t what, char *text)
{
    bool any = false;

    for (int j = 0; j < d->sw.ports; j++) {
        const int i = swq_action_input(d, what, j);
        if (i == SWQ_NO_INPUT)
            continue;
        append_number(text, any ? " " : "", i);
        append_number(text, ">", j);
        any = true;
    }
    if (!any)
        append(text, "nothing");
}

static void write_admission(const swq_decisions *d, const swq_word *state, int32_t what, char *text)
{
    const swq_layout *l = &d->layout;
    bool any = false;

    for (int i = 0; i < l->ports; i++) {
        const int fate = swq_action_packet(d, what, i);
        if (!state[l->held + i])
            continue;
        append(text, any ? ", " : "");
        append_number(text, fate == SWQ_PACKET_REFUSED ? "refuse " : "admit ", i);
        if (fate >= SWQ_PACKET_PUSHES && l->deferred)
            append(text, " for the head");
        else if (fate >= SWQ_PACKET_PUSHES)
            append_number(text, " for one to ", fate - SWQ_PACKET_PUSHES);
        any = true;
    }
}

static void write_action(const swq_decisions *d, const swq_choices *c, int64_t node, int32_t what,
                         char *text)
{
    append(text, *text ? " or " : "");
    if (c->stage == SWQ_STAGE_TRANSMISSION)
        write_sending(d, what, text);
    else
        write_admission(d, swq_intern_state(&c->node, node), what, text);
}

/* Keep a text; returns where it begins, or SIZE_MAX. */
static size_t keep(rule_listing *l, const char *text)
{
    const size_t size = strlen(text) + 1, at = l->used;

    if (l->used + size > l->text_room) {
        const size_t room = 2 * (l->used + size) + 1000;
        char *grown = swq_resize(l->ctx, l->to->text, room, 1);
        if (!grown)
            return SIZE_MAX;
        l->to->text = grown;
        l->text_room = room;
    }
    memcpy(l->to->text + at, text, size);
    l->used += size;
    return at;
}

/* ---- lines ---- */

/* Offsets of the texts of a rule, until all texts are complete. */
typedef struct {
    size_t state, arriving, action;
} places;

static swq_status add_rule(rule_listing *l, places **place, int64_t node, const char *action,
                           long double regret)
{
    const swq_choices *c = choices_of(l);
    const swq_decisions *d = l->values->d;
    const swq_word *state = swq_intern_state(&c->node, node);
    const bool sends = c->stage == SWQ_STAGE_TRANSMISSION;
    swq_optimal *to = l->to;
    char text[LINE];
    places p = {0, SIZE_MAX, 0};

    if (to->rules == l->room) {
        const int64_t room = 2 * l->room + 64;
        swq_rule *grown = swq_resize(l->ctx, to->rule, (size_t)room, sizeof *grown);
        if (!grown)
            return swq_memory_status(l->ctx);
        to->rule = grown;
        places *more = swq_resize(l->ctx, *place, (size_t)room, sizeof *more);
        if (!more)
            return swq_memory_status(l->ctx);
        *place = more;
        l->room = room;
    }
    write_state(d, state, sends, text);
    p.state = keep(l, text);
    if (!sends) {
        write_arriving(d, state, text);
        p.arriving = keep(l, text);
    }
    p.action = keep(l, action);
    if (p.state == SIZE_MAX || p.action == SIZE_MAX || (!sends && p.arriving == SIZE_MAX))
        return swq_memory_status(l->ctx);
    if (!*place)
        return SWQ_EINTERNAL; /* never: the two arrays grow together */
    (*place)[to->rules] = p;
    to->rule[to->rules++] = (swq_rule){.sends = sends, .regret = (double)regret};
    return SWQ_OK;
}

/* The least cost of a node's actions from now on, and the least immediate loss. */
static void least_of(const rule_listing *l, int64_t node, long double *best, long double *lost)
{
    const swq_choices *c = choices_of(l);

    *best = *lost = INFINITY;
    for (int64_t a = c->first[node]; a < c->first[node + 1]; a++) {
        *best = fminl(*best, swq_value_of_action(l->values, l->stage, a));
        *lost = fminl(*lost, c->cost[a]);
    }
}

/* Add a line for a situation whose choices differ in value. Of equally good actions, only the plain
 * ones are named. */
static swq_status list_node(rule_listing *l, places **place, int64_t node)
{
    const swq_choices *c = choices_of(l);
    const swq_decisions *d = l->values->d;
    long double best, lost, second = INFINITY;
    char text[LINE] = "";
    bool apart = false;

    least_of(l, node, &best, &lost);
    for (int64_t a = c->first[node]; a < c->first[node + 1]; a++) {
        const long double value = swq_value_of_action(l->values, l->stage, a);
        const bool is_plain = plain(l, node, a, lost);
        if (is_plain && equal(value, best))
            write_action(d, c, node, c->what[a], text);
        if (equal(value, best))
            continue;
        apart = apart || is_plain;
        if (is_plain || c->stage == SWQ_STAGE_ADMISSION)
            second = fminl(second, value);
    }
    for (int64_t a = c->first[node]; !*text && a < c->first[node + 1]; a++) {
        if (equal(swq_value_of_action(l->values, l->stage, a), best))
            write_action(d, c, node, c->what[a], text);
    }
    return apart ? add_rule(l, place, node, text, second - best) : SWQ_OK;
}

swq_status swq_rules_list(swq_context *ctx, const swq_values *values, swq_optimal *to)
{
    rule_listing l = {.ctx = ctx, .values = values, .to = to};
    places *place = NULL;
    swq_status status = SWQ_OK;

    for (l.stage = 1; l.stage < values->d->stages && !status; l.stage++) {
        for (int64_t node = 0; node < choices_of(&l)->node.count && !status; node++)
            status = list_node(&l, &place, node);
    }
    for (int64_t k = 0; place && k < to->rules && !status; k++) {
        to->rule[k].state = to->text + place[k].state;
        to->rule[k].action = to->text + place[k].action;
        to->rule[k].arriving = place[k].arriving == SIZE_MAX ? NULL : to->text + place[k].arriving;
    }
    swq_free(ctx, place);
    return status;
}
