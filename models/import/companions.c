/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files that may accompany a chain: rewards (PRISM's .srew, or a plain list), names of states
 * (.sta) and labels (.lab). # begins a comment in all of them.
 */
#include "base/context.h"
#include "models/import/formats.h"

#include <string.h>

enum { FIRST_ROOM = 64, MOST_LABELS = 1000 };

char *import_quoted(swq_context *ctx, char **at, swq_status *status)
{
    char *open = strchr(*at, '"'), *end = open ? strchr(open + 1, '"') : NULL;

    if (!end)
        return NULL;
    char *text = swq_calloc(ctx, (size_t)(end - open), 1);
    if (!text) {
        *status = swq_memory_status(ctx);
        return NULL;
    }
    memcpy(text, open + 1, (size_t)(end - open) - 1);
    *at = end + 1;
    return text;
}

/* The next line that is not a comment; a comment may name the rewards. */
static swq_status next_reward_line(swq_lines *l, char **name, bool *more)
{
    static const char prefix[] = "# Reward structure";
    swq_status status;

    while (!(status = swq_lines_next(l, more)) && *more && l->line[0] == '#') {
        if (strncmp(l->line, prefix, sizeof prefix - 1) == 0 && !*name) {
            char *at = l->line;
            *name = import_quoted(l->ctx, &at, &status);
            if (status)
                return status;
        }
    }
    return status;
}

static swq_status read_reward(swq_lines *l, double *value)
{
    swq_status status = swq_lines_number(l, "the reward", value, NULL);

    if (!status && *value < 0)
        status = swq_lines_fail(l, "a reward must not be negative, as %g is", *value);
    return status ? status : swq_lines_end(l);
}

/* "STATES REWARDS", then "STATE REWARD"; the first line has been read. */
static swq_status read_sparse(swq_lines *l, int64_t states, char **name, double *reward)
{
    int64_t named = 0, count = 0, seen = 0, state = 0;
    bool more = true;
    swq_status status = swq_lines_integer(l, "the number of states", 1, INT64_MAX, &named);

    if (!status)
        status = swq_lines_integer(l, "the number of rewards", 0, INT64_MAX, &count);
    if (!status)
        status = swq_lines_end(l);
    if (!status && named != states)
        status = swq_lines_fail(l, "%lld states are announced, but the chain has %lld",
                                (long long)named, (long long)states);
    while (!status && !(status = next_reward_line(l, name, &more)) && more) {
        double value;
        if (seen++ == count)
            status = swq_lines_fail(l, "there are more than the %lld rewards announced",
                                    (long long)count);
        if (!status)
            status = swq_lines_integer(l, "the state", 0, states - 1, &state);
        if (!status)
            status = read_reward(l, &value);
        if (!status && reward[state] != 0)
            status = swq_lines_fail(l, "state %lld has its reward already", (long long)state);
        if (!status)
            reward[state] = value;
    }
    if (!status && seen < count)
        status = swq_lines_fail(l, "the file ends after %lld of the %lld rewards announced",
                                (long long)seen, (long long)count);
    return status;
}

/* One number per line; the first line has been read. */
static swq_status read_list(swq_lines *l, int64_t states, char **name, double *reward)
{
    int64_t seen = 0;
    bool more = true;
    swq_status status = SWQ_OK;

    while (!status && more) {
        if (seen == states)
            return swq_lines_fail(l, "there are more rewards than the %lld states",
                                  (long long)states);
        status = read_reward(l, &reward[seen]);
        seen++;
        if (!status)
            status = next_reward_line(l, name, &more);
    }
    if (!status && seen < states)
        status =
            swq_lines_fail(l, "the file ends after %lld rewards, and the chain has %lld states",
                           (long long)seen, (long long)states);
    return status;
}

/* The number of fields of a line. */
static int fields(const char *line)
{
    int count = 0;

    for (const char *c = line; *(c += strspn(c, " \t")); c += strcspn(c, " \t"))
        count++;
    return count;
}

swq_status import_rewards(swq_context *ctx, const char *path, bool optional, swq_imported *chain)
{
    swq_lines l = {0};
    char *name = NULL;
    double *reward = NULL;
    bool missing = false, more = false;
    swq_status status = swq_lines_open(ctx, path, &l, optional ? &missing : NULL);

    if (status || missing)
        return status;
    status = next_reward_line(&l, &name, &more);
    if (!status && !more)
        status = swq_lines_fail(&l, "the file has no rewards; 'STATES REWARDS' or a list of "
                                    "numbers was expected");
    if (!status) {
        reward = swq_calloc(ctx, (size_t)chain->p.rows, sizeof *reward);
        status = reward ? SWQ_OK : swq_memory_status(ctx);
    }
    if (!status)
        status = fields(l.line) == 1 ? read_list(&l, chain->p.rows, &name, reward)
                                     : read_sparse(&l, chain->p.rows, &name, reward);
    swq_lines_close(&l);
    if (status) {
        swq_free(ctx, name);
        swq_free(ctx, reward);
        return status;
    }
    chain->reward = reward;
    chain->reward_name = name;
    return SWQ_OK;
}

/* "(a,b)", then "STATE:(1,0)" in order. */
static swq_status read_names(swq_lines *l, int64_t states, int64_t *named, char **names)
{
    size_t used = 0, room = 0;
    bool more = true;
    swq_status status = swq_lines_next_but(l, '#', &more);

    if (!status && !(more && l->line[0] == '('))
        status = swq_lines_fail(l, "the names of the variables were expected, as in '(a,b)'");
    for (int64_t s = 0; !status; s++) {
        status = swq_lines_next_but(l, '#', &more);
        if (status || !more) {
            if (!status && s < states)
                status = swq_lines_fail(l, "the file ends after %lld of %lld states", (long long)s,
                                        (long long)states);
            break;
        }
        if (s == states)
            return swq_lines_fail(l, "there are more than the chain's %lld states",
                                  (long long)states);
        int64_t number = -1;
        char *colon = strchr(l->line, ':');
        if (!colon)
            return swq_lines_fail(l, "'STATE:(VALUES)' was expected");
        *colon = '\0';
        status = swq_lines_integer(l, "the state", s, s, &number);
        if (status)
            break;
        size_t length = strlen(colon + 1) + 1;
        while (!*names || used + length > room) {
            char *more_names = swq_resize(l->ctx, *names, room ? 2 * room : FIRST_ROOM, 1);
            if (!more_names)
                return swq_memory_status(l->ctx);
            *names = more_names;
            room = room ? 2 * room : FIRST_ROOM;
        }
        memcpy(*names + used, colon + 1, length);
        named[s] = (int64_t)used;
        used += length;
    }
    return status;
}

swq_status import_names(swq_context *ctx, const char *path, swq_imported *chain)
{
    swq_lines l = {0};
    char *names = NULL;
    bool missing;
    swq_status status = swq_lines_open(ctx, path, &l, &missing);

    if (status || missing)
        return status;
    int64_t *named = swq_calloc(ctx, (size_t)chain->p.rows, sizeof *named);
    status = named ? read_names(&l, chain->p.rows, named, &names) : swq_memory_status(ctx);
    swq_lines_close(&l);
    if (status) {
        swq_free(ctx, named);
        swq_free(ctx, names);
        return status;
    }
    chain->named = named;
    chain->names = names;
    return SWQ_OK;
}

swq_status import_new_label(swq_context *ctx, char *name, swq_imported *chain)
{
    swq_label *label = swq_resize(ctx, chain->label, (size_t)chain->labels + 1, sizeof *label);

    if (!label) {
        swq_free(ctx, name);
        return swq_memory_status(ctx);
    }
    chain->label = label;
    label[chain->labels++] = (swq_label){.name = name};
    return SWQ_OK;
}

/* 0="init" 1="deadlock" ...: numbers from 0 without a gap. */
static swq_status read_label_names(swq_lines *l, swq_imported *chain)
{
    bool more;
    swq_status status = swq_lines_next_but(l, '#', &more);

    if (!status && !more)
        return swq_lines_fail(l, "the names of the labels were expected, as in '0=\"init\"'");
    while (!status && swq_lines_field_left(l)) {
        int64_t number;
        char *equals = strchr(l->at, '=');
        if (!equals || equals[1] != '"')
            return swq_lines_fail(l, "a label was expected, as in '0=\"init\"', not '%.40s'",
                                  l->at);
        *equals = ' ';
        status = swq_lines_integer(l, "the label's number", chain->labels, chain->labels, &number);
        if (!status && number == MOST_LABELS)
            status = swq_lines_fail(l, "there are more than %d labels", MOST_LABELS);
        if (status)
            return status;
        char *name = import_quoted(l->ctx, &l->at, &status);
        if (!name)
            return status ? status
                          : swq_lines_fail(l, "the name of label %d does not end", (int)number);
        status = import_new_label(l->ctx, name, chain);
    }
    return status;
}

swq_status import_label_state(swq_lines *l, swq_label *label, int64_t state)
{
    if (label->states > 0 && label->state[label->states - 1] == state)
        return swq_lines_fail(l, "state %lld has the label \"%.40s\" twice", (long long)state,
                              label->name);
    if (label->states == label->room) {
        int64_t room = label->room ? 2 * label->room : FIRST_ROOM;
        int32_t *all = swq_resize(l->ctx, label->state, (size_t)room, sizeof *all);
        if (!all)
            return swq_memory_status(l->ctx);
        label->state = all;
        label->room = room;
    }
    label->state[label->states++] = (int32_t)state;
    return SWQ_OK;
}

/* "STATE: LABEL LABEL", states ascending. */
static swq_status read_label_line(swq_lines *l, swq_imported *chain, int64_t *least)
{
    int64_t state = 0, number = 0;
    char *colon = strchr(l->line, ':');

    if (!colon)
        return swq_lines_fail(l, "'STATE: LABEL ...' was expected");
    *colon = '\0';
    swq_status status = swq_lines_integer(l, "the state", *least, chain->p.rows - 1, &state);
    if (!status)
        status = swq_lines_end(l);
    *least = state + 1;
    l->at = colon + 1;
    while (!status && swq_lines_field_left(l)) {
        status = swq_lines_integer(l, "the label's number", 0, chain->labels - 1, &number);
        if (!status)
            status = import_label_state(l, &chain->label[number], state);
    }
    return status;
}

swq_status import_labels(swq_context *ctx, const char *path, swq_imported *chain)
{
    swq_lines l = {0};
    int64_t least = 0;
    bool missing, more = true;
    swq_status status = swq_lines_open(ctx, path, &l, &missing);

    if (status || missing)
        return status;
    status = read_label_names(&l, chain);
    while (!status && !(status = swq_lines_next_but(&l, '#', &more)) && more)
        status = read_label_line(&l, chain, &least);
    swq_lines_close(&l);
    return status; /* the caller clears what was read, with the chain */
}
