/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model in the PRISM language: its text becomes expressions, modules and rewards.
 */
#include "base/context.h"
#include "validate/prism/model.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct prism_block {
    struct prism_block *next;
} prism_block;

/* Memory until prism_forget_text; NULL after an error. */
static void *fresh(prism_model *m, size_t size)
{
    prism_block *b = m->status ? NULL : swq_calloc(m->ctx, 1, sizeof *b + size);

    if (!b) {
        if (!m->status)
            m->status = swq_memory_status(m->ctx);
        m->at = "";
        return NULL;
    }
    b->next = m->block;
    m->block = b;
    return b + 1;
}

void prism_forget_text(prism_model *m)
{
    while (m->block) {
        prism_block *next = m->block->next;
        swq_free(m->ctx, m->block);
        m->block = next;
    }
}

/* ---- words ---- */

static void skip(prism_model *m)
{
    for (;;) {
        m->at += strspn(m->at, " \t\n");
        if (strncmp(m->at, "//", 2) != 0)
            return;
        m->at += strcspn(m->at, "\n");
    }
}

bool prism_at_end(prism_model *m)
{
    skip(m);
    return !*m->at;
}

static bool next_is(prism_model *m, const char *text)
{
    skip(m);
    return strncmp(m->at, text, strlen(text)) == 0;
}

static bool of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* A word ends where its letters do. */
static bool take(prism_model *m, const char *text)
{
    const size_t length = strlen(text);

    if (!next_is(m, text) || (isalpha((unsigned char)text[0]) && of_word(m->at[length])))
        return false;
    m->at += length;
    return true;
}

static void expect(prism_model *m, const char *text)
{
    if (!take(m, text))
        prism_fail(m, SWQ_EINVAL, "'%s' expected at '%.40s'", text, m->at);
}

static void word(prism_model *m, char name[SWQ_PRISM_NAME])
{
    int length = 0;

    skip(m);
    while (of_word(*m->at) && length + 1 < SWQ_PRISM_NAME)
        name[length++] = *m->at++;
    name[length] = '\0';
    if (!length || of_word(*m->at))
        prism_fail(m, SWQ_EINVAL, "a name of at most %d letters expected at '%.40s'",
                   SWQ_PRISM_NAME - 1, m->at);
}

static void quoted(prism_model *m, char name[SWQ_PRISM_NAME])
{
    expect(m, "\"");
    word(m, name);
    expect(m, "\"");
}

/* The number of a name, which may be defined further down. */
static int find(prism_model *m, const char *name)
{
    for (int k = 0; k < m->symbols; k++) {
        if (strcmp(m->symbol[k].name, name) == 0)
            return k;
    }
    if (m->symbols == MOST_NAMES) {
        prism_fail(m, SWQ_EINVAL, "more than %d names", MOST_NAMES);
        return 0;
    }
    snprintf(m->symbol[m->symbols].name, SWQ_PRISM_NAME, "%s", name);
    return m->symbols++;
}

static prism_symbol *define(prism_model *m, const char *name, prism_kind kind, prism_node *body)
{
    prism_symbol *s = &m->symbol[find(m, name)];

    if (s->known)
        prism_fail(m, SWQ_EINVAL, "%s is defined twice", name);
    s->known = true;
    s->kind = kind;
    s->body = body;
    return s;
}

/* ---- expressions ---- */

static prism_node *make(prism_model *m, prism_node node)
{
    prism_node *n = fresh(m, sizeof *n);

    if (n)
        *n = node;
    return n;
}

static prism_node *binary(prism_model *m, char op, prism_node *a, prism_node *b)
{
    return make(m, (prism_node){.op = op, .a = a, .b = b});
}

static prism_node *number(prism_model *m, double value)
{
    return make(m, (prism_node){.op = '0', .number = value});
}

static prism_node *expression(prism_model *m);

/* In [0..3], the number 0 ends before the dots. */
static prism_node *literal(prism_model *m)
{
    const char *whole = m->at + strspn(m->at, "0123456789");
    char *end;
    const double value = strtod(m->at, &end);

    m->at = strncmp(whole, "..", 2) == 0 ? whole : end;
    return number(m, value);
}

static prism_node *long_run_reward(prism_model *m)
{
    static const char *const rest[] = {"}", "=?", "[", "S", "]"};
    char name[SWQ_PRISM_NAME];

    quoted(m, name);
    for (size_t k = 0; k < sizeof rest / sizeof *rest; k++)
        expect(m, rest[k]);
    for (int k = 0; k < m->rewards; k++) {
        if (strcmp(m->reward[k].name, name) == 0)
            return make(m, (prism_node){.op = 'R', .name = k});
    }
    prism_fail(m, SWQ_EINVAL, "there are no rewards \"%s\"", name);
    return NULL;
}

static prism_node *primary(prism_model *m)
{
    char name[SWQ_PRISM_NAME];
    prism_node *n;

    skip(m);
    if (isdigit((unsigned char)*m->at))
        return literal(m);
    if (take(m, "(")) {
        n = expression(m);
        expect(m, ")");
        return n;
    }
    if (take(m, "-"))
        return binary(m, '_', primary(m), NULL);
    if (take(m, "R{"))
        return long_run_reward(m);
    word(m, name);
    if (strcmp(name, "true") == 0 || strcmp(name, "false") == 0)
        return number(m, name[0] == 't');
    if (strcmp(name, "min") == 0 || strcmp(name, "max") == 0) {
        const char op = name[1] == 'i' ? 'm' : 'M';
        expect(m, "(");
        n = expression(m);
        while (take(m, ","))
            n = binary(m, op, n, expression(m));
        expect(m, ")");
        return n;
    }
    return make(m, (prism_node){.op = 'x', .name = find(m, name)});
}

static prism_node *product(prism_model *m)
{
    prism_node *n = primary(m);

    for (;;) {
        if (take(m, "*"))
            n = binary(m, '*', n, primary(m));
        else if (take(m, "/"))
            n = binary(m, '/', n, primary(m));
        else
            return n;
    }
}

static prism_node *sum(prism_model *m)
{
    prism_node *n = product(m);

    for (;;) {
        if (take(m, "+"))
            n = binary(m, '+', n, product(m));
        else if (!next_is(m, "->") && take(m, "-"))
            n = binary(m, '-', n, product(m));
        else
            return n;
    }
}

static prism_node *relation(prism_model *m)
{
    static const struct {
        const char *text;
        char op;
    } ops[] = {{"<=", 'l'}, {">=", 'g'}, {"!=", 'n'}, {"<", '<'}, {">", '>'}, {"=", '='}};
    prism_node *n = sum(m);

    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        if (take(m, ops[k].text))
            return binary(m, ops[k].op, n, sum(m));
    }
    return n;
}

static prism_node *negation(prism_model *m)
{
    return !next_is(m, "!=") && take(m, "!") ? binary(m, '!', negation(m), NULL) : relation(m);
}

static prism_node *conjunction(prism_model *m)
{
    prism_node *n = negation(m);

    while (take(m, "&"))
        n = binary(m, '&', n, negation(m));
    return n;
}

static prism_node *disjunction(prism_model *m)
{
    prism_node *n = conjunction(m);

    while (take(m, "|"))
        n = binary(m, '|', n, conjunction(m));
    return n;
}

static prism_node *expression(prism_model *m)
{
    prism_node *n = disjunction(m), *yes, *no;

    if (!take(m, "?"))
        return n;
    yes = expression(m);
    expect(m, ":");
    no = expression(m);
    return make(m, (prism_node){.op = '?', .a = n, .b = yes, .c = no});
}

/* ---- the model ---- */

static void read_variable(prism_model *m, const char *name)
{
    const int v = m->variables;

    if (v == MOST_VARIABLES) {
        prism_fail(m, SWQ_EINVAL, "more than %d variables", MOST_VARIABLES);
        return;
    }
    m->variables++;
    define(m, name, PRISM_VARIABLE, NULL)->variable = v;
    expect(m, ":");
    m->stamp++;
    if (take(m, "bool")) {
        m->variable[v].high = 1;
    } else {
        expect(m, "[");
        m->variable[v].low = (int)prism_value(m, expression(m));
        expect(m, "..");
        m->variable[v].high = (int)prism_value(m, expression(m));
        expect(m, "]");
    }
    expect(m, "init");
    m->variable[v].start = (int)prism_value(m, expression(m));
    expect(m, ";");
}

/* Only variables from first_variable on may be set: those before belong to other modules. */
static prism_assignment *read_assignments(prism_model *m, int first_variable)
{
    prism_assignment *first = NULL, **end = &first;

    if (take(m, "true"))
        return NULL;
    do {
        char name[SWQ_PRISM_NAME];
        prism_assignment *a = fresh(m, sizeof *a);
        expect(m, "(");
        word(m, name);
        expect(m, "'");
        expect(m, "=");
        const prism_symbol *s = &m->symbol[find(m, name)];
        if (!s->known || s->kind != PRISM_VARIABLE || s->variable < first_variable)
            prism_fail(m, SWQ_EINVAL, "%s is no variable of this module", name);
        prism_node *value = expression(m);
        expect(m, ")");
        if (m->status)
            return NULL;
        a->variable = s->variable;
        a->value = value;
        *end = a;
        end = &a->next;
    } while (take(m, "&"));
    return first;
}

/* "(x' = ..." or "true;": an update without a chance before it */
static bool chance_left_out(prism_model *m)
{
    const char *here = m->at;
    char name[SWQ_PRISM_NAME];
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
    m->at = m->status ? "" : here;
    return out;
}

static void read_command(prism_model *m, int first_variable)
{
    if (m->commands == MOST_COMMANDS) {
        prism_fail(m, SWQ_EINVAL, "more than %d commands", MOST_COMMANDS);
        return;
    }
    prism_command *c = &m->command[m->commands++];
    prism_update **end = &c->first;

    c->module = m->modules;
    if (!take(m, "]")) {
        word(m, c->action);
        expect(m, "]");
    }
    c->guard = expression(m);
    expect(m, "->");
    do {
        prism_update *u = fresh(m, sizeof *u);
        if (!u)
            return;
        skip(m);
        if (!chance_left_out(m)) {
            u->chance = expression(m);
            expect(m, ":");
        }
        u->first = read_assignments(m, first_variable);
        *end = u;
        end = &u->next;
    } while (take(m, "+"));
    expect(m, ";");
}

static void read_module(prism_model *m)
{
    char name[SWQ_PRISM_NAME];
    const int first = m->variables;

    word(m, name);
    while (!m->status && !take(m, "endmodule")) {
        if (take(m, "[")) {
            read_command(m, first);
        } else {
            word(m, name);
            read_variable(m, name);
        }
    }
    m->modules++;
}

static void read_rewards(prism_model *m)
{
    char name[SWQ_PRISM_NAME];

    quoted(m, name);
    while (!m->status && !take(m, "endrewards")) {
        if (m->rewards == MOST_REWARDS) {
            prism_fail(m, SWQ_EINVAL, "more than %d rewards", MOST_REWARDS);
            return;
        }
        prism_reward *r = &m->reward[m->rewards++];
        snprintf(r->name, sizeof r->name, "%s", name);
        r->guard = expression(m);
        expect(m, ":");
        r->value = expression(m);
        expect(m, ";");
    }
}

static void read_definition(prism_model *m, prism_kind kind)
{
    char name[SWQ_PRISM_NAME];

    word(m, name);
    expect(m, "=");
    define(m, name, kind, expression(m));
    expect(m, ";");
}

void prism_read_model(prism_model *m, const char *text)
{
    m->at = text;
    expect(m, "dtmc");
    while (!prism_at_end(m)) {
        if (take(m, "const")) {
            if (!take(m, "double"))
                expect(m, "int");
            read_definition(m, PRISM_CONSTANT);
        } else if (take(m, "formula")) {
            read_definition(m, PRISM_FORMULA);
        } else if (take(m, "module")) {
            read_module(m);
        } else if (take(m, "rewards")) {
            read_rewards(m);
        } else {
            prism_fail(m, SWQ_EINVAL, "'%.40s' is not understood", m->at);
        }
    }
}

prism_node *prism_read_property(prism_model *m, char name[SWQ_PRISM_NAME])
{
    prism_node *n;

    quoted(m, name);
    expect(m, ":");
    n = expression(m);
    expect(m, ";");
    return n;
}
