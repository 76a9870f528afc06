/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * popt behind one call: read a command's options, print its help, explain an unknown option.
 * Room: cli.
 */
#include "base/context.h"
#include "base/names.h"
#include "cli/answer.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int asked_for_help;

static struct poptOption help_option[] = {
    {"help", 'h', POPT_ARG_NONE, &asked_for_help, 0, "show this help", NULL},
    POPT_TABLEEND,
};

/* The long option nearest to `name`, looking into included tables. */
static void nearest_option(const struct poptOption *table, const char *name, const char **best,
                           int *distance)
{
    for (const struct poptOption *o = table; o->longName || o->shortName || o->arg; o++) {
        if ((o->argInfo & POPT_ARG_MASK) == POPT_ARG_INCLUDE_TABLE) {
            nearest_option(o->arg, name, best, distance);
            continue;
        }
        int d = o->longName ? swq_name_distance(o->longName, name) : INT_MAX;
        if (d < *distance) {
            *distance = d;
            *best = o->longName;
        }
    }
}

/* Whatever type it is of that the tables use. */
static bool is_given(const struct poptOption *o)
{
    switch (o->argInfo & POPT_ARG_MASK) {
    case POPT_ARG_STRING:
        return *(char **)o->arg != NULL;
    case POPT_ARG_ARGV:
        return *(char ***)o->arg != NULL;
    case POPT_ARG_NONE:
        return *(int *)o->arg != 0;
    default:
        return false;
    }
}

/* As if nothing had ever been given. */
static void forget(const struct poptOption *table)
{
    for (const struct poptOption *o = table; o->longName || o->shortName || o->arg; o++) {
        if ((o->argInfo & POPT_ARG_MASK) == POPT_ARG_INCLUDE_TABLE) {
            forget(o->arg);
            continue;
        }
        if (!is_given(o))
            continue;
        switch (o->argInfo & POPT_ARG_MASK) {
        case POPT_ARG_STRING:
            free(*(char **)o->arg);
            *(char **)o->arg = NULL;
            break;
        case POPT_ARG_ARGV:
            for (char **word = *(char ***)o->arg; *word; word++)
                free(*word);
            free(*(char ***)o->arg);
            *(char ***)o->arg = NULL;
            break;
        default:
            *(int *)o->arg = 0;
        }
    }
}

static const struct poptOption *find_given(const struct poptOption *table, const char *name,
                                           const char *const *but)
{
    for (const struct poptOption *o = table; o->longName || o->shortName || o->arg; o++) {
        if ((o->argInfo & POPT_ARG_MASK) == POPT_ARG_INCLUDE_TABLE) {
            const struct poptOption *inner = find_given(o->arg, name, but);
            if (inner)
                return inner;
        } else if (o->longName && is_given(o) && (!name || strcmp(name, o->longName) == 0)) {
            int k = 0;
            while (but && but[k] && strcmp(but[k], o->longName) != 0)
                k++;
            if (!but || !but[k])
                return o;
        }
    }
    return NULL;
}

const char *cli_given(const struct poptOption *table, const char *name)
{
    const struct poptOption *o = find_given(table, name, NULL);
    return o ? o->longName : NULL;
}

const char *cli_given_but(const struct poptOption *table, const char *const *names)
{
    const struct poptOption *o = find_given(table, NULL, names);
    return o ? o->longName : NULL;
}

const char *cli_text(const struct poptOption *table, const char *name)
{
    const struct poptOption *o = find_given(table, name, NULL);
    return o ? *(char **)o->arg : NULL;
}

static int explain(swq_context *ctx, const struct poptOption *table, const cli_command *self,
                   poptContext popt, int error)
{
    const char *bad = poptBadOption(popt, POPT_BADOPTION_NOALIAS), *best = NULL;
    int distance = INT_MAX;

    if (error != POPT_ERROR_BADOPT) {
        swq_fail(ctx, SWQ_EINVAL, "%s: %s", bad, poptStrerror(error));
        return cli_fail(ctx, SWQ_EINVAL);
    }
    char name[60]; /* without dashes and "=VALUE" */
    const char *begin = bad + strspn(bad, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(begin, "="), begin);
    nearest_option(table, name, &best, &distance);
    if (best && distance <= (int)(strlen(name) + 2) / 3)
        swq_fail(ctx, SWQ_EINVAL, "unknown option %.60s; did you mean --%s? ('switchq %s --help')",
                 bad, best, self->name);
    else
        swq_fail(ctx, SWQ_EINVAL, "unknown option %.60s; 'switchq %s --help' lists the options",
                 bad, self->name);
    return cli_fail(ctx, SWQ_EINVAL);
}

static void print_help(const cli_command *self, poptContext popt)
{
    printf("switchq %s - %s\n\n", self->name, self->summary);
    poptSetOtherOptionHelp(popt, self->usage);
    poptPrintHelp(popt, stdout, 0);
    if (self->notes)
        printf("\n%s", self->notes);
    if (self->examples)
        printf("\nExamples:\n%s", self->examples);
}

/* Who looks at a command's options without giving any. */
static struct {
    cli_see_fn see;
    void *arg;
} seer;

void cli_see_options(swq_context *ctx, const cli_command *command, cli_see_fn see, void *arg)
{
    const char *none[] = {NULL};

    seer.see = see;
    seer.arg = arg;
    command->run(ctx, command, 0, none);
    seer.see = NULL;
}

int cli_read_options(swq_context *ctx, const cli_command *self, struct poptOption *options,
                     int argc, const char **argv, const char **other, int most)
{
    struct poptOption table[] = {
        {NULL, '\0', POPT_ARG_INCLUDE_TABLE, options, 0, NULL, NULL},
        {NULL, '\0', POPT_ARG_INCLUDE_TABLE, help_option, 0, NULL, NULL},
        POPT_TABLEEND,
    };
    char name[64];
    const char *full[CLI_MOST_ARGUMENTS + 1];
    int status = -1, got = 0;

    if (seer.see) {
        seer.see(seer.arg, table);
        return CLI_OK;
    }
    snprintf(name, sizeof name, "switchq %s", self->name);
    forget(table);
    full[0] = name; /* popt prints this in the usage line */
    memcpy(full + 1, argv, sizeof *argv * (size_t)argc);
    poptContext popt = poptGetContext(NULL, argc + 1, full, table, 0);
    int error = poptGetNextOpt(popt);
    if (error < -1) {
        status = explain(ctx, table, self, popt, error);
    } else if (asked_for_help) {
        print_help(self, popt);
        status = cli_flush(ctx) ? cli_fail(ctx, SWQ_EIO) : CLI_OK;
    }
    for (const char *argument; status < 0 && (argument = poptGetArg(popt));) {
        if (got < most) {
            other[got++] = argument;
        } else {
            swq_fail(ctx, SWQ_EINVAL, "unexpected argument '%.60s'; 'switchq %s --help' tells more",
                     argument, self->name);
            status = cli_fail(ctx, SWQ_EINVAL);
        }
    }
    /* popt's copies die with its context: point into argv instead */
    for (int k = 0; k < got; k++) {
        const char *copy = other[k];
        for (int a = 0; a < argc; a++)
            other[k] = strcmp(argv[a], copy) == 0 ? argv[a] : other[k];
    }
    poptFreeContext(popt);
    return status;
}

int cli_fail(swq_context *ctx, swq_status status)
{
    cli_clear_progress();
    if (!cli_answer_note(swq_context_message(ctx))) {
        fflush(stdout);
        fprintf(stderr, "switchq: %s\n", swq_context_message(ctx));
    }
    switch (status) {
    case SWQ_ENOMEM:
    case SWQ_ELIMIT:
        return CLI_LIMIT;
    case SWQ_ECONVERGE:
    case SWQ_ESINGULAR:
    case SWQ_ECANCELLED:
        return CLI_FAILED;
    default:
        return CLI_BAD_INPUT;
    }
}
