/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model in the PRISM language: values of expressions in a state, and long-run rewards.
 */
#include "base/context.h"
#include "validate/prism/model.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void prism_fail(prism_model *m, swq_status status, const char *format, ...)
{
    char text[200];
    va_list arguments;

    if (m->status)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    m->status = swq_fail(m->ctx, status, "PRISM model: %s", text);
    m->at = "";
}

static double long_run(prism_model *m, int which)
{
    double mean = 0;

    for (int s = 0; s < m->states && !m->status; s++) {
        m->state = m->known[s];
        m->stamp++;
        for (int k = 0; k < m->rewards; k++) {
            if (strcmp(m->reward[k].name, m->reward[which].name) == 0 &&
                prism_value(m, m->reward[k].guard) != 0)
                mean += m->pi[s] * prism_value(m, m->reward[k].value);
        }
    }
    return mean;
}

static double value_of_name(prism_model *m, int k)
{
    prism_symbol *s = &m->symbol[k];

    if (!s->known) {
        prism_fail(m, SWQ_EINVAL, "%s is not defined", s->name);
        return 0;
    }
    if (s->kind == PRISM_VARIABLE && !m->state)
        prism_fail(m, SWQ_EINVAL, "%s has no value where states do not matter", s->name);
    else if (s->kind == PRISM_VARIABLE)
        return m->state[s->variable];
    else if (s->stamp != m->stamp) {
        s->stamp = m->stamp;
        s->value = prism_value(m, s->body);
    }
    return s->value;
}

double prism_value(prism_model *m, const prism_node *n)
{
    if (m->status || !n)
        return 0;
    switch (n->op) {
    case '0':
        return n->number;
    case 'x':
        return value_of_name(m, n->name);
    case 'R':
        return long_run(m, n->name);
    case '?':
        return prism_value(m, n->a) != 0 ? prism_value(m, n->b) : prism_value(m, n->c);
    case '!':
        return prism_value(m, n->a) == 0;
    case '_':
        return -prism_value(m, n->a);
    case '&':
        return prism_value(m, n->a) != 0 && prism_value(m, n->b) != 0;
    case '|':
        return prism_value(m, n->a) != 0 || prism_value(m, n->b) != 0;
    default:
        break;
    }
    const double a = prism_value(m, n->a), b = prism_value(m, n->b);
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
    default: /* 'M' */
        return fmax(a, b);
    }
}
