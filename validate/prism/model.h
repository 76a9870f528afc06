/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model in the PRISM language as it was read: names, variables, commands, rewards, and the states
 * that were found. The first error stays: later steps see it, and do nothing.
 */
#ifndef SWQ_VALIDATE_PRISM_MODEL_H
#define SWQ_VALIDATE_PRISM_MODEL_H

#include "validate/prism/prism.h"

#include <stdbool.h>
#include <stddef.h>

enum { MOST_NAMES = 800, MOST_COMMANDS = 200, MOST_VARIABLES = 64, MOST_REWARDS = 64 };

typedef struct prism_node {
    char op; /* the operator; '0' a number, 'x' a name, 'm' min, 'M' max, 'R' a long-run reward;
                'l' <=, 'g' >=, '!' not, 'n' !=, '_' minus */
    double number;
    int name; /* index in its table */
    struct prism_node *a, *b, *c;
} prism_node;

typedef enum prism_kind { PRISM_CONSTANT, PRISM_FORMULA, PRISM_VARIABLE } prism_kind;

typedef struct prism_symbol {
    char name[SWQ_PRISM_NAME];
    prism_kind kind;
    bool known;
    prism_node *body; /* of constants and formulas */
    int variable;     /* index in a state */
    double value;     /* of constants and formulas: the value in state `stamp` */
    long stamp;
} prism_symbol;

typedef struct prism_assignment {
    int variable;
    prism_node *value;
    struct prism_assignment *next;
} prism_assignment;

typedef struct prism_update {
    prism_node *chance; /* NULL: 1 */
    prism_assignment *first;
    struct prism_update *next;
} prism_update;

typedef struct prism_command {
    int module;
    char action[SWQ_PRISM_NAME]; /* "": none */
    prism_node *guard;
    prism_update *first;
} prism_command;

typedef struct prism_reward {
    char name[SWQ_PRISM_NAME];
    prism_node *guard, *value;
} prism_reward;

typedef struct prism_model {
    swq_context *ctx;
    swq_status status;         /* the first error */
    struct prism_block *block; /* memory of the text as it was read, freed together */
    const char *at;            /* where the text is read; its end after an error */

    prism_symbol symbol[MOST_NAMES];
    int symbols;
    struct {
        int low, high, start;
    } variable[MOST_VARIABLES];
    int variables;
    prism_command command[MOST_COMMANDS];
    int commands, modules;
    prism_reward reward[MOST_REWARDS];
    int rewards;
    const int *state; /* [variables] the state in which expressions are evaluated */
    long stamp;       /* another one for each state that is looked at */

    int (*known)[MOST_VARIABLES]; /* [room] the states, of which `states` are found */
    int states, room;
    int *table, slots; /* [slots] numbers of states by their hash; -1: none */
    struct {
        int from, to;
        double value;
    } * edge; /* [edge_room] */
    size_t edges, edge_room;
    double *pi; /* [states] the stationary distribution */
} prism_model;

/* Note an error, unless there is one already, and go to the end of the text. */
void prism_fail(prism_model *m, swq_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reading: the text of a model; one property, whose expression is returned; all memory of what was
 * read. */
void prism_read_model(prism_model *m, const char *text);
prism_node *prism_read_property(prism_model *m, char name[SWQ_PRISM_NAME]);
bool prism_at_end(prism_model *m);
void prism_forget_text(prism_model *m);

/* The value of an expression in m->state; 0 after an error. */
double prism_value(prism_model *m, const prism_node *n);

#endif
