/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model in the PRISM language: its states are explored from the first one, the stationary
 * distribution is found by damped Gauss-Seidel sweeps, and properties are evaluated.
 */
#include "base/context.h"
#include "validate/prism/model.h"

#include <math.h>
#include <string.h>

enum { MOST_SWEEPS = 20000 };

/* ---- exploration ---- */

static unsigned hash(const prism_model *m, const int *state)
{
    unsigned h = 2166136261u;

    for (int v = 0; v < m->variables; v++)
        h = (h ^ (unsigned)state[v]) * 16777619u;
    return h;
}

static void lose(prism_model *m)
{
    if (!m->status)
        m->status = swq_memory_status(m->ctx);
}

static void rehash(prism_model *m)
{
    const int slots = m->slots ? 4 * m->slots : 1024;

    if (!swq_resize_array(m->ctx, &m->table, slots, sizeof *m->table)) {
        lose(m);
        return;
    }
    m->slots = slots;
    for (int k = 0; k < slots; k++)
        m->table[k] = -1;
    for (int s = 0; s < m->states; s++) {
        unsigned at = hash(m, m->known[s]) & (unsigned)(slots - 1);
        while (m->table[at] >= 0)
            at = (at + 1) & (unsigned)(slots - 1);
        m->table[at] = s;
    }
}

/* The number of a state, which is new if it is not known; 0 after an error. */
static int intern(prism_model *m, const int *state)
{
    const size_t bytes = sizeof *state * (size_t)m->variables;

    if (2 * m->states >= m->slots)
        rehash(m);
    if (m->states == m->room) {
        const int room = m->room ? 2 * m->room : 256;
        if (swq_resize_array(m->ctx, &m->known, room, sizeof *m->known))
            m->room = room;
        else
            lose(m);
    }
    if (m->status)
        return 0;
    unsigned at = hash(m, state) & (unsigned)(m->slots - 1);
    for (; m->table[at] >= 0; at = (at + 1) & (unsigned)(m->slots - 1)) {
        if (memcmp(m->known[m->table[at]], state, bytes) == 0)
            return m->table[at];
    }
    memcpy(m->known[m->states], state, bytes);
    m->table[at] = m->states;
    return m->states++;
}

static void add_edge(prism_model *m, int from, int to, double value)
{
    if (m->edges == m->edge_room) {
        const size_t room = m->edge_room ? 2 * m->edge_room : 1024;
        if (!swq_resize_array(m->ctx, &m->edge, (int64_t)room, sizeof *m->edge)) {
            lose(m);
            return;
        }
        m->edge_room = room;
    }
    m->edge[m->edges].from = from;
    m->edge[m->edges].to = to;
    m->edge[m->edges++].value = value;
}

static void assign(prism_model *m, const prism_assignment *a, int *after)
{
    const double value = prism_value(m, a->value);

    if (value != floor(value) || value < m->variable[a->variable].low ||
        value > m->variable[a->variable].high)
        prism_fail(m, SWQ_EINVAL, "variable %d is set to %g", a->variable, value);
    else
        after[a->variable] = (int)value;
}

/* All combinations of the updates of commands part[k..parts-1], which act at the same time; their
 * expressions are evaluated in the old state. Returns the sum of their probabilities. */
static double combine(prism_model *m, int from, const prism_command **part, int parts, int k,
                      double chance, const int *next)
{
    int after[MOST_VARIABLES];
    double total = 0;

    if (k == parts) {
        add_edge(m, from, intern(m, next), chance);
        return chance;
    }
    for (const prism_update *u = part[k]->first; u && !m->status; u = u->next) {
        const double p = u->chance ? prism_value(m, u->chance) : 1;
        if (!(p >= 0) || !isfinite(p))
            prism_fail(m, SWQ_EINVAL, "a probability of %g", p);
        if (p == 0)
            continue; /* as PRISM does: what it would set is irrelevant */
        memcpy(after, next, sizeof after);
        for (const prism_assignment *a = u->first; a; a = a->next)
            assign(m, a, after);
        total += combine(m, from, part, parts, k + 1, chance * p, after);
    }
    return total;
}

/* The commands with the action of command c that are enabled, one of each module that knows the
 * action; none if a module that knows it has none. */
static int together(prism_model *m, int c, const prism_command **group)
{
    const char *action = m->command[c].action;
    int members = 0;

    for (int module = 0; module < m->modules; module++) {
        int knows = 0, can = 0;
        for (int o = c; o < m->commands; o++) {
            const prism_command *other = &m->command[o];
            if (other->module != module || strcmp(other->action, action) != 0)
                continue;
            knows++;
            if (prism_value(m, other->guard) != 0) {
                if (can++)
                    prism_fail(m, SWQ_EINVAL, "two commands of a module are enabled for %s",
                               action);
                group[members++] = other;
            }
        }
        if (knows && !can)
            return 0;
    }
    return members;
}

static bool seen_before(const prism_model *m, int c)
{
    for (int o = 0; o < c && m->command[c].action[0]; o++) {
        if (strcmp(m->command[o].action, m->command[c].action) == 0)
            return true;
    }
    return false;
}

/* The commands enabled in the current state: one without an action, or one of each module that
 * knows the action. */
static int enabled(prism_model *m, const prism_command **part)
{
    int parts = 0, choices = 0;

    for (int c = 0; c < m->commands && !m->status; c++) {
        const prism_command *first = &m->command[c], *group[MOST_COMMANDS];
        int members = 0;
        if (seen_before(m, c))
            continue;
        if (first->action[0])
            members = together(m, c, group);
        else if (prism_value(m, first->guard) != 0)
            group[members++] = first;
        if (members) {
            choices++;
            parts = members;
            for (int k = 0; k < members; k++)
                part[k] = group[k];
        }
    }
    if (choices != 1)
        prism_fail(m, SWQ_EINVAL, "%d choices in a state", choices);
    return parts;
}

static void explore(prism_model *m)
{
    int state[MOST_VARIABLES] = {0};

    for (int v = 0; v < m->variables; v++)
        state[v] = m->variable[v].start;
    intern(m, state);
    for (int s = 0; s < m->states && !m->status; s++) {
        const prism_command *part[MOST_COMMANDS];
        memcpy(state, m->known[s], sizeof *state * (size_t)m->variables);
        m->state = state;
        m->stamp++;
        const int parts = enabled(m, part);
        const double total = m->status ? 1 : combine(m, s, part, parts, 0, 1, state);
        if (fabs(total - 1) > 1e-12)
            prism_fail(m, SWQ_EINVAL, "probabilities sum to %.17g", total);
        if (swq_context_cancelled(m->ctx))
            prism_fail(m, SWQ_ECANCELLED, "interrupted");
    }
}

/* ---- solution ---- */

/* One sweep over columns by[start[j] .. start[j+1]-1]; returns the largest relative change. */
static double sweep(prism_model *m, const size_t *start, const size_t *by, const double *stay)
{
    double total = 0, change = 0;

    for (int j = 0; j < m->states; j++) {
        double in = 0;
        for (size_t k = start[j]; k < start[j + 1]; k++) {
            if (m->edge[by[k]].from != j)
                in += m->pi[m->edge[by[k]].from] * m->edge[by[k]].value;
        }
        in = 0.9 * in / (1 - stay[j]) + 0.1 * m->pi[j]; /* damped: the chain is periodic */
        if (in > 1e-25) /* smaller values fade away: a transient state */
            change = fmax(change, fabs(in - m->pi[j]) / in);
        m->pi[j] = in;
        total += in;
    }
    for (int j = 0; j < m->states; j++)
        m->pi[j] /= total;
    return change;
}

static void solve(prism_model *m)
{
    const size_t n = (size_t)m->states;
    size_t *start = swq_calloc(m->ctx, n + 2, sizeof *start);
    size_t *by = swq_calloc(m->ctx, m->edges + 1, sizeof *by);
    double *stay = swq_calloc(m->ctx, n, sizeof *stay), change = 1;

    m->pi = swq_calloc(m->ctx, n, sizeof *m->pi);
    if (!start || !by || !stay || !m->pi) {
        lose(m);
        goto done;
    }
    for (size_t e = 0; e < m->edges; e++) { /* entries by column */
        start[m->edge[e].to + 2]++;
        stay[m->edge[e].from] += m->edge[e].from == m->edge[e].to ? m->edge[e].value : 0;
    }
    for (size_t j = 1; j <= n; j++)
        start[j + 1] += start[j];
    for (size_t e = 0; e < m->edges; e++)
        by[start[m->edge[e].to + 1]++] = e;
    for (size_t j = 0; j < n; j++)
        m->pi[j] = 1 / (double)n;
    for (int sweeps = 0; change > 1e-13 && !m->status; sweeps++) {
        change = sweep(m, start, by, stay);
        if (sweeps == MOST_SWEEPS)
            prism_fail(m, SWQ_ECONVERGE, "no convergence: %g", change);
        if (swq_context_cancelled(m->ctx))
            prism_fail(m, SWQ_ECANCELLED, "interrupted");
    }
done:
    swq_free(m->ctx, start);
    swq_free(m->ctx, by);
    swq_free(m->ctx, stay);
}

swq_status swq_prism_check(swq_context *ctx, const char *pm, const char *props, int most,
                           swq_prism_answer *answer, int *answers, int *states)
{
    prism_model *m = swq_calloc(ctx, 1, sizeof *m);
    swq_status status;
    int count = 0;

    if (!m)
        return swq_memory_status(ctx);
    m->ctx = ctx;
    prism_read_model(m, pm);
    if (!m->status)
        explore(m);
    if (!m->status)
        solve(m);
    if (!m->status)
        m->at = props;
    while (!prism_at_end(m)) {
        char name[SWQ_PRISM_NAME];
        const double value = prism_value(m, prism_read_property(m, name));
        if (count == most)
            prism_fail(m, SWQ_EINVAL, "more than %d properties", most);
        if (m->status)
            break;
        memcpy(answer[count].name, name, sizeof name);
        answer[count++].value = value;
    }
    status = m->status;
    if (!status) {
        *answers = count;
        *states = m->states;
    }
    prism_forget_text(m);
    swq_free(ctx, m->known);
    swq_free(ctx, m->table);
    swq_free(ctx, m->edge);
    swq_free(ctx, m->pi);
    swq_free(ctx, m);
    return status;
}
