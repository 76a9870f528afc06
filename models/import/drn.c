/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * DRN, the explicit format of Storm: a header of "@..." lines, then for each state
 * "state S [REWARDS] LABELS", "action NAME [REWARDS]" and lines "TO : PROBABILITY". // begins a
 * comment. Of several reward models the first is read; of a chain in continuous time the numbers
 * are rates, and "!RATE", their sum, may follow the number of the state.
 */
#include "base/context.h"
#include "models/import/formats.h"

#include <string.h>

enum { LONGEST_NAME = 200 };

typedef struct {
    swq_lines l;
    transitions t;
    swq_imported *chain;
    bool typed;       /* @type was given */
    int64_t states;   /* announced; 0: not yet */
    int64_t state;    /* described last; -1: none */
    int64_t actions;  /* of that state */
    double *reward;   /* [states] */
    bool any_rewards; /* a state or an action has rewards */
} drn_reader;

/* The next line that is neither blank nor a comment. */
static swq_status next_line(drn_reader *r, bool *more)
{
    swq_status status;

    do {
        status = swq_lines_next(&r->l, more);
    } while (!status && *more && strncmp(r->l.at, "//", 2) == 0);
    return status;
}

/* Does the rest of the line begin with `word`? Moves past it. */
static bool begins(swq_lines *l, const char *word)
{
    swq_lines_field_left(l);
    if (strncmp(l->at, word, strlen(word)) != 0)
        return false;
    l->at += strlen(word);
    return true;
}

static swq_status copy_name(drn_reader *r, size_t length, char **name)
{
    *name = swq_calloc(r->l.ctx, length + 1, 1);
    if (!*name)
        return swq_memory_status(r->l.ctx);
    memcpy(*name, r->l.at, length);
    r->l.at += length;
    return SWQ_OK;
}

/* ---- the header ---- */

static swq_status read_type(drn_reader *r)
{
    swq_lines *l = &r->l;

    swq_lines_field_left(l);
    r->typed = true;
    if (strcmp(l->at, "DTMC") == 0)
        return r->t.rates ? swq_lines_fail(l, "a DTMC has probabilities, and --rates takes the "
                                              "numbers of a chain as rates")
                          : SWQ_OK;
    if (strcmp(l->at, "CTMC") == 0)
        return r->t.rates ? SWQ_OK
                          : swq_lines_fail(l, "a CTMC has rates, which are read with --rates");
    return swq_lines_fail(l, "only chains can be solved, of the type DTMC or CTMC, not '%.40s'",
                          l->at);
}

static swq_status read_count(drn_reader *r, const char *what, int64_t *count)
{
    bool more;
    swq_status status = next_line(r, &more);

    if (!status && !more)
        status = swq_lines_fail(&r->l, "the file ends before %s", what);
    if (!status)
        status = swq_lines_integer(&r->l, what, 1, INT32_MAX, count);
    return status ? status : swq_lines_end(&r->l);
}

/* The line after @reward_models or @parameters, which may be missing or blank: then the next line
 * begins with @ and *again is set. */
static swq_status read_reward_models(drn_reader *r, bool *more, bool *again)
{
    swq_status status = next_line(r, more);

    *again = !status && *more && r->l.line[0] == '@';
    if (status || !*more || *again || r->chain->reward_name)
        return status;
    return copy_name(r, strcspn(r->l.at, " \t"), &r->chain->reward_name);
}

static swq_status read_parameters(drn_reader *r, bool *more, bool *again)
{
    swq_status status = next_line(r, more);

    *again = !status && *more && r->l.line[0] == '@';
    if (!status && *more && !*again)
        status = swq_lines_fail(&r->l, "a chain with parameters cannot be solved");
    return status;
}

static swq_status read_header_line(drn_reader *r, bool *more, bool *again, bool *model)
{
    swq_lines *l = &r->l;
    int64_t choices = 0;

    if (begins(l, "@type:"))
        return read_type(r);
    if (begins(l, "@value_type:")) {
        swq_lines_field_left(l);
        return strcmp(l->at, "double") == 0 || strcmp(l->at, "rational") == 0
                   ? SWQ_OK
                   : swq_lines_fail(l, "the values must be double or rational, not '%.40s'", l->at);
    }
    if (begins(l, "@parameters"))
        return read_parameters(r, more, again);
    if (begins(l, "@reward_models"))
        return read_reward_models(r, more, again);
    if (begins(l, "@nr_states"))
        return read_count(r, "the number of states", &r->states);
    if (begins(l, "@nr_choices"))
        return read_count(r, "the number of choices", &choices);
    *model = begins(l, "@model");
    if (!*model)
        return swq_lines_fail(l,
                              "a line '@type:', '@parameters', '@reward_models', '@nr_states', "
                              "'@nr_choices' or '@model' was expected, not '%.40s'",
                              l->at);
    if (!r->typed)
        return swq_lines_fail(l, "there was no line '@type:' before '@model'");
    return r->states ? SWQ_OK : swq_lines_fail(l, "there was no line '@nr_states' before '@model'");
}

static swq_status read_header(drn_reader *r)
{
    bool more = true, again = false, model = false;
    swq_status status = SWQ_OK;

    while (!status && !model) {
        if (!again)
            status = next_line(r, &more);
        again = false;
        if (!status && !more)
            status = swq_lines_fail(&r->l, "the file ends before '@model'");
        if (!status)
            status = read_header_line(r, &more, &again, &model);
    }
    return status;
}

/* ---- states, actions and transitions ---- */

/* "[R, R, ...]" if it follows: the first number is added to the reward of the state. */
static swq_status read_rewards(drn_reader *r, bool action)
{
    swq_lines *l = &r->l;
    double value = 0;

    if (!begins(l, "["))
        return SWQ_OK;
    size_t length = strcspn(l->at, "]");
    if (!l->at[length])
        return swq_lines_fail(l, "the rewards have no ']'");
    char *rest = l->at + length + 1;
    l->at[length] = '\0';
    l->at[strcspn(l->at, ",")] = '\0';
    swq_status status = SWQ_OK;
    if (swq_lines_field_left(l))
        status = swq_lines_number(l, "the reward", &value, NULL);
    if (!status && value < 0)
        status = swq_lines_fail(l, "a reward must not be negative, as %g is", value);
    if (!status)
        status = swq_lines_end(l);
    if (!status && action && value != 0 && r->t.rates)
        status = swq_lines_fail(l, "in continuous time only states may have rewards, not actions");
    if (!status && value != 0 && r->reward[r->state] != 0)
        status = swq_lines_fail(l, "either a state or its action may have a reward, not both");
    if (!status && value != 0)
        r->reward[r->state] = value;
    r->any_rewards = true;
    l->at = rest;
    return status;
}

/* A label: a word, or words in quotation marks. */
static swq_status read_label(drn_reader *r)
{
    swq_imported *chain = r->chain;
    swq_status status = SWQ_OK;
    char *name = NULL;
    int k = 0;

    if (*r->l.at == '"')
        name = import_quoted(r->l.ctx, &r->l.at, &status);
    else
        status = copy_name(r, strcspn(r->l.at, " \t"), &name);
    if (!status && !name)
        return swq_lines_fail(&r->l, "the name of a label does not end");
    if (!status && strlen(name) > LONGEST_NAME)
        status = swq_lines_fail(&r->l, "the name of a label is too long");
    if (status) {
        swq_free(r->l.ctx, name);
        return status;
    }
    while (k < chain->labels && strcmp(chain->label[k].name, name) != 0)
        k++;
    if (k == chain->labels)
        status = import_new_label(r->l.ctx, name, chain);
    else
        swq_free(r->l.ctx, name);
    return status ? status : import_label_state(&r->l, &chain->label[k], r->state);
}

static swq_status read_state(drn_reader *r)
{
    swq_lines *l = &r->l;
    int64_t number = 0;
    double exit;

    if (++r->state == r->states)
        return swq_lines_fail(l, "there are more than the %lld states announced",
                              (long long)r->states);
    r->actions = 0;
    swq_status status = swq_lines_integer(l, "the state", r->state, r->state, &number);
    if (!status && begins(l, "!")) /* the sum of the rates that follow */
        status = swq_lines_number(l, "the rate at which the state is left", &exit, NULL);
    /* memory for the rewards comes with the states, not with the number announced */
    if (!status && (r->state & (r->state - 1)) == 0 &&
        !swq_resize_array(l->ctx, &r->reward, r->state ? 2 * r->state : 1, sizeof *r->reward))
        status = swq_memory_status(l->ctx);
    if (status)
        return status;
    r->reward[r->state] = 0;
    status = read_rewards(r, false);
    if (!status && begins(l, "{"))
        status = swq_lines_fail(l, "a state with an observation is no state of a chain");
    while (!status && swq_lines_field_left(l))
        status = read_label(r);
    return status;
}

static swq_status read_action(drn_reader *r)
{
    swq_lines *l = &r->l;

    if (++r->actions > 1)
        return swq_lines_fail(l,
                              "state %lld has a second action: only a chain, which has no "
                              "choices, can be solved",
                              (long long)r->state);
    swq_lines_field_left(l);
    l->at += strcspn(l->at, " \t"); /* its name */
    swq_status status = read_rewards(r, true);
    return status ? status : swq_lines_end(l);
}

static swq_status read_transition(drn_reader *r)
{
    swq_lines *l = &r->l;
    int64_t to = 0;
    char *colon = strchr(l->at, ':');

    if (!colon)
        return swq_lines_fail(l,
                              "'state S', 'action NAME' or 'TO : PROBABILITY' was expected, not "
                              "'%.40s'",
                              l->at);
    *colon = '\0';
    swq_status status = swq_lines_integer(l, "the state entered", 0, r->states - 1, &to);
    if (!status)
        status = swq_lines_end(l);
    l->at = colon + 1;
    if (!status)
        status = transitions_read_value(l, r->state, to, false, &r->t);
    return status ? status : swq_lines_end(l);
}

static swq_status read_model(drn_reader *r)
{
    bool more = true;
    swq_status status = SWQ_OK;

    while (!status && !(status = next_line(r, &more)) && more) {
        if (begins(&r->l, "state "))
            status = read_state(r);
        else if (r->state < 0)
            status = swq_lines_fail(&r->l, "'state 0' was expected, not '%.40s'", r->l.at);
        else
            status = begins(&r->l, "action ") ? read_action(r) : read_transition(r);
    }
    if (!status && r->state + 1 < r->states)
        status = swq_lines_fail(&r->l, "the file ends after %lld of the %lld states announced",
                                (long long)r->state + 1, (long long)r->states);
    return status;
}

static swq_status read_drn(swq_context *ctx, const char *path, const swq_import_options *options,
                           swq_imported *chain)
{
    drn_reader r = {.t = transitions_begin(options), .chain = chain, .state = -1};
    swq_status status = swq_lines_open(ctx, path, &r.l, NULL);

    if (!status)
        status = read_header(&r);
    if (!status)
        status = read_model(&r);
    swq_lines_close(&r.l);
    if (!status)
        status = transitions_sort(ctx, &r.t, r.states, chain);
    transitions_clear(ctx, &r.t);
    if (status || !r.any_rewards) {
        swq_free(ctx, r.reward);
        swq_free(ctx, chain->reward_name);
        chain->reward_name = NULL;
    } else {
        chain->reward = r.reward;
    }
    return status; /* on failure the caller clears what was read, with the chain */
}

const swq_import_format swq_import_drn = {
    .name = "drn",
    .summary = "DRN, the explicit format of Storm, with its labels and its first reward model",
    .suffix = ".drn",
    .read = read_drn,
};
