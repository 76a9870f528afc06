/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See prism_language.h.
 */
#include "tests/models/export/prism_language.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 32, MOST_NAMES = 800, MOST_COMMANDS = 200, MOST_VARIABLES = 64, MOST_REWARDS = 64 };

/* ---- expressions ---- */

typedef struct node {
    char op; /* the operator; '0' a number, 'x' a name, 'm' min, 'M' max, 'R' a long-run reward;
                'l' <=, 'g' >=, '!' not, 'n' !=, '_' minus */
    double number;
    int name; /* index in its table */
    struct node *a, *b, *c;
} node;

typedef enum { CONSTANT, FORMULA, VARIABLE } symbol_kind;

typedef struct {
    char name[NAME];
    symbol_kind kind;
    bool known;
    node *body;   /* of constants and formulas */
    int variable; /* index in a state */
    double value; /* of formulas: the value in state `stamp` */
    long stamp;
} symbol;

typedef struct assignment {
    int variable;
    node *value;
    struct assignment *next;
} assignment;

typedef struct update {
    node *chance; /* NULL: 1 */
    assignment *first;
    struct update *next;
} update;

typedef struct {
    int module;
    char action[NAME];
    node *guard;
    update *first;
} command;

typedef struct {
    char name[NAME];
    node *guard, *value;
} reward;

typedef struct {
    const char *at;
    symbol symbol[MOST_NAMES];
    int symbols;
    struct {
        int low, high, start;
    } variable[MOST_VARIABLES];
    int variables;
    command command[MOST_COMMANDS];
    int commands, modules;
    reward reward[MOST_REWARDS];
    int rewards;
    const int *state; /* the state in which expressions are evaluated */
    long stamp;

    int (*known)[MOST_VARIABLES]; /* the states */
    int states, room;
    int *table, slots;
    struct {
        int from, to;
        double value;
    } * edge;
    size_t edges, edge_room;
    double *pi;
} prism_model;

/* Blocks of the parsed text, freed together. */
typedef struct prism_block {
    struct prism_block *next;
} prism_block;

static prism_block *blocks;

static void *fresh(size_t size)
{
    prism_block *b = calloc(1, sizeof *b + size);

    cr_assert(b);
    b->next = blocks;
    blocks = b;
    return b + 1;
}

static void free_blocks(void)
{
    while (blocks) {
        prism_block *next = blocks->next;
        free(blocks);
        blocks = next;
    }
}

static void skip(prism_model *m)
{
    for (;;) {
        m->at += strspn(m->at, " \t\n");
        if (strncmp(m->at, "//", 2) != 0)
            return;
        m->at += strcspn(m->at, "\n");
    }
}

static bool next_is(prism_model *m, const char *text)
{
    skip(m);
    return strncmp(m->at, text, strlen(text)) == 0;
}

/* A word ends where its letters do. */
static bool take(prism_model *m, const char *text)
{
    size_t length = strlen(text);

    if (!next_is(m, text) || (isalpha((unsigned char)text[0]) &&
                              (isalnum((unsigned char)m->at[length]) || m->at[length] == '_')))
        return false;
    m->at += length;
    return true;
}

static void expect(prism_model *m, const char *text)
{
    cr_assert(take(m, text), "'%s' expected at '%.60s'", text, m->at);
}

static void word(prism_model *m, char *name)
{
    int length = 0;

    skip(m);
    while (isalnum((unsigned char)*m->at) || *m->at == '_') {
        cr_assert(length + 1 < NAME);
        name[length++] = *m->at++;
    }
    name[length] = '\0';
    cr_assert(length, "a name expected at '%.60s'", m->at);
}

static void quoted(prism_model *m, char *name)
{
    expect(m, "\"");
    word(m, name);
    expect(m, "\"");
}

static int find(prism_model *m, const char *name)
{
    for (int k = 0; k < m->symbols; k++) {
        if (strcmp(m->symbol[k].name, name) == 0)
            return k;
    }
    cr_assert(m->symbols < MOST_NAMES);
    strcpy(m->symbol[m->symbols].name, name); /* may be defined further down */
    return m->symbols++;
}

static symbol *define(prism_model *m, const char *name, symbol_kind what, node *body)
{
    symbol *s = &m->symbol[find(m, name)];

    cr_assert(!s->known, "%s is defined twice", name);
    s->known = true;
    s->kind = what;
    s->body = body;
    return s;
}

static node *make(char op, node *a, node *b)
{
    node *n = fresh(sizeof *n);

    *n = (node){.op = op, .a = a, .b = b};
    return n;
}

static node *expression(prism_model *m);

static node *primary(prism_model *m)
{
    char name[NAME];
    node *n;

    skip(m);
    if (isdigit((unsigned char)*m->at)) {
        char *end;
        const char *whole = m->at + strspn(m->at, "0123456789");
        n = make('0', NULL, NULL);
        n->number = strtod(m->at, &end);
        m->at = strncmp(whole, "..", 2) == 0 ? whole : end; /* [0..3] */
        return n;
    }
    if (take(m, "(")) {
        n = expression(m);
        expect(m, ")");
        return n;
    }
    if (take(m, "-"))
        return make('_', primary(m), NULL);
    if (take(m, "R{")) {
        n = make('R', NULL, NULL);
        quoted(m, name);
        expect(m, "}");
        expect(m, "=?");
        expect(m, "[");
        expect(m, "S");
        expect(m, "]");
        n->name = -1;
        for (int k = 0; k < m->rewards; k++)
            n->name = strcmp(m->reward[k].name, name) == 0 ? k : n->name;
        cr_assert(n->name >= 0, "no rewards \"%s\"", name);
        return n;
    }
    word(m, name);
    if (strcmp(name, "true") == 0 || strcmp(name, "false") == 0) {
        n = make('0', NULL, NULL);
        n->number = name[0] == 't';
        return n;
    }
    if (strcmp(name, "min") == 0 || strcmp(name, "max") == 0) {
        char op = name[1] == 'i' ? 'm' : 'M';
        expect(m, "(");
        n = expression(m);
        while (take(m, ","))
            n = make(op, n, expression(m));
        expect(m, ")");
        return n;
    }
    n = make('x', NULL, NULL);
    n->name = find(m, name);
    return n;
}

static node *product(prism_model *m)
{
    node *n = primary(m);

    for (;;) {
        if (take(m, "*"))
            n = make('*', n, primary(m));
        else if (take(m, "/"))
            n = make('/', n, primary(m));
        else
            return n;
    }
}

static node *sum(prism_model *m)
{
    node *n = product(m);

    for (;;) {
        if (take(m, "+"))
            n = make('+', n, product(m));
        else if (!next_is(m, "->") && take(m, "-"))
            n = make('-', n, product(m));
        else
            return n;
    }
}

static node *relation(prism_model *m)
{
    static const struct {
        const char *text;
        char op;
    } ops[] = {{"<=", 'l'}, {">=", 'g'}, {"!=", 'n'}, {"<", '<'}, {">", '>'}, {"=", '='}};
    node *n = sum(m);

    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        if (take(m, ops[k].text))
            return make(ops[k].op, n, sum(m));
    }
    return n;
}

static node *negation(prism_model *m)
{
    return !next_is(m, "!=") && take(m, "!") ? make('!', negation(m), NULL) : relation(m);
}

static node *conjunction(prism_model *m)
{
    node *n = negation(m);

    while (take(m, "&"))
        n = make('&', n, negation(m));
    return n;
}

static node *disjunction(prism_model *m)
{
    node *n = conjunction(m);

    while (take(m, "|"))
        n = make('|', n, conjunction(m));
    return n;
}

static node *expression(prism_model *m)
{
    node *n = disjunction(m);

    if (!take(m, "?"))
        return n;
    n = make('?', n, expression(m));
    expect(m, ":");
    n->c = expression(m);
    return n;
}

static double eval(prism_model *m, const node *n);

static double long_run(prism_model *m, int which)
{
    double mean = 0;

    for (int s = 0; s < m->states; s++) {
        m->state = m->known[s];
        m->stamp++;
        for (int k = 0; k < m->rewards; k++) {
            if (strcmp(m->reward[k].name, m->reward[which].name) == 0 &&
                eval(m, m->reward[k].guard) != 0)
                mean += m->pi[s] * eval(m, m->reward[k].value);
        }
    }
    return mean;
}

static double eval_name(prism_model *m, int k)
{
    symbol *s = &m->symbol[k];

    cr_assert(s->known, "%s is not defined", s->name);
    if (s->kind == VARIABLE)
        return m->state[s->variable];
    if (s->stamp != m->stamp) {
        s->value = eval(m, s->body);
        s->stamp = m->stamp;
    }
    return s->value;
}

static double eval(prism_model *m, const node *n)
{
    switch (n->op) {
    case '0':
        return n->number;
    case 'x':
        return eval_name(m, n->name);
    case 'R':
        return long_run(m, n->name);
    case '?':
        return eval(m, n->a) != 0 ? eval(m, n->b) : eval(m, n->c);
    case '!':
        return eval(m, n->a) == 0;
    case '_':
        return -eval(m, n->a);
    case '&':
        return eval(m, n->a) != 0 && eval(m, n->b) != 0;
    case '|':
        return eval(m, n->a) != 0 || eval(m, n->b) != 0;
    default:
        break;
    }
    double a = eval(m, n->a), b = eval(m, n->b);
    switch (n->op) {
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    case '/':
        return a / b;
    case '<':
        return a < b;
    case '>':
        return a > b;
    case 'l':
        return a <= b;
    case 'g':
        return a >= b;
    case '=':
        return a == b;
    case 'n':
        return a != b;
    case 'm':
        return fmin(a, b);
    case 'M':
        return fmax(a, b);
    default:
        cr_assert_fail("operator %c", n->op);
        return NAN;
    }
}

/* ---- the model ---- */

static void parse_variable(prism_model *m, const char *name)
{
    int v = m->variables++;

    cr_assert(v < MOST_VARIABLES);
    define(m, name, VARIABLE, NULL)->variable = v;
    expect(m, ":");
    m->stamp++;
    if (take(m, "bool")) {
        m->variable[v].high = 1;
    } else {
        expect(m, "[");
        m->variable[v].low = (int)eval(m, expression(m));
        expect(m, ".");
        expect(m, ".");
        m->variable[v].high = (int)eval(m, expression(m));
        expect(m, "]");
    }
    expect(m, "init");
    m->variable[v].start = (int)eval(m, expression(m));
    expect(m, ";");
}

static assignment *parse_assignments(prism_model *m)
{
    assignment *first = NULL, **end = &first;

    if (take(m, "true"))
        return NULL;
    do {
        char name[NAME];
        assignment *a = fresh(sizeof *a);
        expect(m, "(");
        word(m, name);
        expect(m, "'");
        expect(m, "=");
        int k = find(m, name);
        cr_assert(m->symbol[k].known && m->symbol[k].kind == VARIABLE,
                  "%s is no variable of this module or one before", name);
        a->variable = m->symbol[k].variable;
        a->value = expression(m);
        expect(m, ")");
        *end = a;
        end = &a->next;
    } while (take(m, "&"));
    return first;
}

/* "(x' = ..." or "true;": an update without a chance before it */
static bool chance_left_out(prism_model *m)
{
    const char *here = m->at;
    char name[NAME];
    bool out = false;

    if (take(m, "true")) {
        out = next_is(m, ";");
    } else if (take(m, "(")) {
        skip(m);
        if (isalpha((unsigned char)*m->at)) {
            word(m, name);
            out = next_is(m, "'");
        }
    }
    m->at = here;
    return out;
}

static void parse_command(prism_model *m, int first_variable)
{
    command *c = &m->command[m->commands++];
    update **end = &c->first;

    cr_assert(m->commands <= MOST_COMMANDS);
    c->module = m->modules;
    if (!take(m, "]")) {
        word(m, c->action);
        expect(m, "]");
    }
    c->guard = expression(m);
    expect(m, "->");
    skip(m);
    do {
        update *u = fresh(sizeof *u);
        skip(m);
        if (!chance_left_out(m)) {
            u->chance = expression(m);
            expect(m, ":");
        }
        u->first = parse_assignments(m);
        for (assignment *a = u->first; a; a = a->next)
            cr_assert(a->variable >= first_variable, "a variable of another module is set");
        *end = u;
        end = &u->next;
    } while (take(m, "+"));
    expect(m, ";");
}

static void parse_module(prism_model *m)
{
    char name[NAME];
    int first = m->variables;

    word(m, name);
    while (!take(m, "endmodule")) {
        if (take(m, "[")) {
            parse_command(m, first);
        } else {
            word(m, name);
            parse_variable(m, name);
        }
    }
    m->modules++;
}

static void parse_rewards(prism_model *m)
{
    char name[NAME];

    quoted(m, name);
    while (!take(m, "endrewards")) {
        reward *r = &m->reward[m->rewards++];
        cr_assert(m->rewards <= MOST_REWARDS);
        strcpy(r->name, name);
        r->guard = expression(m);
        expect(m, ":");
        r->value = expression(m);
        expect(m, ";");
    }
}

static void parse_model(prism_model *m, const char *text)
{
    char name[NAME];

    m->at = text;
    expect(m, "dtmc");
    for (;;) {
        skip(m);
        if (!*m->at)
            return;
        if (take(m, "const")) {
            cr_assert(take(m, "double") || take(m, "int"), "%.40s", m->at);
            word(m, name);
            expect(m, "=");
            define(m, name, CONSTANT, expression(m));
            expect(m, ";");
        } else if (take(m, "formula")) {
            word(m, name);
            expect(m, "=");
            define(m, name, FORMULA, expression(m));
            expect(m, ";");
        } else if (take(m, "module")) {
            parse_module(m);
        } else if (take(m, "rewards")) {
            parse_rewards(m);
        } else {
            cr_assert_fail("not understood: '%.60s'", m->at);
        }
    }
}

/* ---- exploration ---- */

static unsigned hash(const prism_model *m, const int *state)
{
    unsigned h = 2166136261u;

    for (int v = 0; v < m->variables; v++)
        h = (h ^ (unsigned)state[v]) * 16777619u;
    return h;
}

static void rehash(prism_model *m)
{
    m->slots = m->slots ? 4 * m->slots : 1024;
    m->table = realloc(m->table, sizeof *m->table * (size_t)m->slots);
    cr_assert(m->table);
    for (int k = 0; k < m->slots; k++)
        m->table[k] = -1;
    for (int s = 0; s < m->states; s++) {
        unsigned at = hash(m, m->known[s]) & (unsigned)(m->slots - 1);
        while (m->table[at] >= 0)
            at = (at + 1) & (unsigned)(m->slots - 1);
        m->table[at] = s;
    }
}

static int intern(prism_model *m, const int *state)
{
    size_t bytes = sizeof *state * (size_t)m->variables;

    if (2 * m->states >= m->slots)
        rehash(m);
    unsigned at = hash(m, state) & (unsigned)(m->slots - 1);
    for (; m->table[at] >= 0; at = (at + 1) & (unsigned)(m->slots - 1)) {
        if (memcmp(m->known[m->table[at]], state, bytes) == 0)
            return m->table[at];
    }
    if (m->states == m->room) {
        m->room = m->room ? 2 * m->room : 256;
        m->known = realloc(m->known, sizeof *m->known * (size_t)m->room);
        cr_assert(m->known);
    }
    memcpy(m->known[m->states], state, bytes);
    m->table[at] = m->states;
    return m->states++;
}

static void add_edge(prism_model *m, int from, int to, double value)
{
    if (m->edges == m->edge_room) {
        m->edge_room = m->edge_room ? 2 * m->edge_room : 1024;
        m->edge = realloc(m->edge, sizeof *m->edge * m->edge_room);
        cr_assert(m->edge);
    }
    m->edge[m->edges].from = from;
    m->edge[m->edges].to = to;
    m->edge[m->edges++].value = value;
}

/* All combinations of the updates of commands part[k..parts-1], which act at the same time; their
 * expressions are evaluated in the old state. */
static double combine(prism_model *m, int from, const command **part, int parts, int k,
                      double chance, const int *next)
{
    int after[MOST_VARIABLES];
    double total = 0;

    if (k == parts) {
        add_edge(m, from, intern(m, next), chance);
        return chance;
    }
    for (const update *u = part[k]->first; u; u = u->next) {
        double p = u->chance ? eval(m, u->chance) : 1;
        cr_assert(p >= 0 && isfinite(p), "a chance of %g", p);
        if (p == 0)
            continue; /* as PRISM does: what it would set is irrelevant */
        memcpy(after, next, sizeof after);
        for (const assignment *a = u->first; a; a = a->next) {
            double value = eval(m, a->value);
            cr_assert(value == floor(value) && value >= m->variable[a->variable].low &&
                          value <= m->variable[a->variable].high,
                      "variable %d is set to %g", a->variable, value);
            after[a->variable] = (int)value;
        }
        total += combine(m, from, part, parts, k + 1, chance * p, after);
    }
    return total;
}

/* The commands enabled in the current state: one without an action, or one of each module that
 * knows the action. */
static int enabled(prism_model *m, const command **part)
{
    int parts = 0, choices = 0;

    for (int c = 0; c < m->commands; c++) {
        const command *first = &m->command[c], *group[MOST_COMMANDS];
        int members = 0;
        bool seen = false;
        for (int o = 0; o < c && first->action[0]; o++)
            seen = seen || strcmp(m->command[o].action, first->action) == 0;
        if (seen)
            continue; /* this action has been handled */
        if (!first->action[0]) {
            if (eval(m, first->guard) != 0)
                group[members++] = first;
        } else {
            for (int module = 0; module < m->modules; module++) {
                int knows = 0, can = 0;
                for (int o = c; o < m->commands; o++) {
                    const command *other = &m->command[o];
                    if (other->module != module || strcmp(other->action, first->action) != 0)
                        continue;
                    knows++;
                    if (eval(m, other->guard) != 0) {
                        cr_assert_eq(can++, 0, "two commands of a module are enabled");
                        group[members++] = other;
                    }
                }
                if (knows && !can) {
                    members = 0;
                    break;
                }
            }
        }
        if (members) {
            choices++;
            parts = members;
            memcpy(part, group, sizeof *part * (size_t)members);
        }
    }
    cr_assert_eq(choices, 1, "%d choices in a state", choices);
    return parts;
}

static void explore(prism_model *m)
{
    int state[MOST_VARIABLES] = {0};

    for (int v = 0; v < m->variables; v++)
        state[v] = m->variable[v].start;
    intern(m, state);
    for (int s = 0; s < m->states; s++) {
        const command *part[MOST_COMMANDS];
        memcpy(state, m->known[s], sizeof *state * (size_t)m->variables);
        m->state = state;
        m->stamp++;
        int parts = enabled(m, part);
        double total = combine(m, s, part, parts, 0, 1, state);
        cr_assert(fabs(total - 1) < 1e-12, "chances sum to %.17g", total);
    }
}

/* ---- solution ---- */

static void solve(prism_model *m)
{
    size_t n = (size_t)m->states;
    size_t *start = calloc(n + 2, sizeof *start), *by = calloc(m->edges, sizeof *by);
    double *stay = calloc(n, sizeof *stay), change = 1;

    m->pi = malloc(n * sizeof *m->pi);
    cr_assert(start && by && stay && m->pi);
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
    for (int sweep = 0; change > 1e-13; sweep++) {
        double total = 0;
        cr_assert(sweep < 20000, "no convergence: %g", change);
        change = 0;
        for (size_t j = 0; j < n; j++) {
            double in = 0;
            for (size_t k = start[j]; k < start[j + 1]; k++) {
                if (m->edge[by[k]].from != (int)j)
                    in += m->pi[m->edge[by[k]].from] * m->edge[by[k]].value;
            }
            in = 0.9 * in / (1 - stay[j]) + 0.1 * m->pi[j]; /* damped: the chain is periodic */
            if (in > 1e-25) /* smaller values fade away: a transient state */
                change = fmax(change, fabs(in - m->pi[j]) / in);
            m->pi[j] = in;
            total += in;
        }
        for (size_t j = 0; j < n; j++)
            m->pi[j] /= total;
    }
    free(start);
    free(by);
    free(stay);
}

int prism_check(const char *pm, const char *props, prism_answer *answer, int most, int *states)
{
    prism_model *m = calloc(1, sizeof *m);
    int count = 0;

    cr_assert(m);
    parse_model(m, pm);
    explore(m);
    solve(m);
    m->at = props;
    for (skip(m); *m->at; skip(m)) {
        cr_assert(count < most);
        quoted(m, answer[count].name);
        expect(m, ":");
        answer[count++].value = eval(m, expression(m));
        expect(m, ";");
    }
    *states = m->states;
    free(m->known);
    free(m->table);
    free(m->edge);
    free(m->pi);
    free(m);
    free_blocks();
    return count;
}
