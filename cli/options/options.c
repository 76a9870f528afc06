/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * popt behind one call: read a command's options, print its help, explain an unknown option.
 */
#include "base/context.h"
#include "cli/answer.h"
#include "cli/help/help.h"
#include "cli/options/arguments.h"
#include "cli/options/asked.h"
#include "cli/options/config.h"
#include "cli/options/field.h"
#include "cli/options/files.h"
#include "cli/options/parameter.h"
#include "cli/options/plugins.h"
#include "cli/options/words.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static int asked_for_help, asked_for_all;

static struct poptOption no_options[] = {POPT_TABLEEND};

static struct poptOption help_option[] = {
    {"help", 'h', POPT_ARG_NONE, &asked_for_help, 0, "show the most common options", NULL},
    CLI_FLAG_ROW("help-all", &asked_for_all, "show all options"),
    POPT_TABLEEND,
};

/* The row of an unknown option whose name is a word of the field, such as --num_vcs, if the option
 * that it stands for is in the table; or NULL. */
static const cli_field_word *field_word(const struct poptOption *table, const char *name)
{
    const cli_field_word *row = cli_field_find(name);

    if (!row || row->place != CLI_FIELD_OPTION)
        return NULL;
    return cli_option_named(table, row->row + 2, strlen(row->row + 2)) ? row : NULL;
}

static int explain(swq_context *ctx, const struct poptOption *table, const cli_command *self,
                   poptContext popt, int error)
{
    const char *bad = poptBadOption(popt, POPT_BADOPTION_NOALIAS);

    if (error != POPT_ERROR_BADOPT) {
        swq_fail(ctx, SWQ_EINVAL, "%s: %s", bad, poptStrerror(error));
        return cli_fail(ctx, SWQ_EINVAL);
    }
    char name[60]; /* without dashes and "=VALUE" */
    const char *begin = bad + strspn(bad, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(begin, "="), begin);
    const cli_field_word *word = field_word(table, name);
    const char *best = cli_nearest_option(table, name, NULL, NULL);
    if (word)
        swq_fail(ctx, SWQ_EINVAL, "unknown option %.60s; here it is %s (%s)", bad, word->row,
                 word->about);
    else if (best)
        swq_fail(ctx, SWQ_EINVAL, "unknown option %.60s; did you mean --%s? ('switchq %s --help')",
                 bad, best, self->name);
    else
        swq_fail(ctx, SWQ_EINVAL, "unknown option %.60s; 'switchq %s --help-all' lists the options",
                 bad, self->name);
    return cli_fail(ctx, SWQ_EINVAL);
}

/* Prints help on the argument, if there is one and the command has such help. */
static void print_help(swq_context *ctx, const cli_command *self, const struct poptOption *table,
                       poptContext popt)
{
    const char *argument = poptPeekArg(popt);

    if (!self->help || !argument || !self->help(ctx, argument))
        cli_print_help(self, table, asked_for_all != 0);
}

/* The options that cli_options_of returns: while `looking`, cli_read_options copies a command's
 * options here, and the command does nothing else. */
static struct poptOption looked_at[5];
static bool looking;

const struct poptOption *cli_options_of(swq_context *ctx, const cli_command *command)
{
    const char *none[] = {NULL};

    looking = true;
    command->run(ctx, command, 0, none);
    looking = false;
    return looked_at;
}

/* ---- an option given twice ---- */

enum { MOST_OPTIONS = 400 };

/* The options of a table and of the tables that it includes, in order and numbered from 1: popt
 * returns the number of each option that it meets. */
typedef struct numbered {
    struct poptOption option[MOST_OPTIONS + 1];
    char *text[MOST_OPTIONS]; /* its value, popt's copy */
    bool given[MOST_OPTIONS];
    int count;
} numbered;

static void number_options(const struct poptOption *table, numbered *n)
{
    cli_options_walk w = cli_walk_options(table);

    for (const struct poptOption *o; (o = cli_next_option(&w)); n->count++) {
        assert(n->count < MOST_OPTIONS);
        n->option[n->count] = *o;
        n->option[n->count].val = n->count + 1;
    }
}

/* Counts the option of that number. Only lists (POPT_ARG_ARGV) may come again; of any other option
 * all values but the last would be ignored. */
static swq_status count_option(swq_context *ctx, numbered *n, int number)
{
    const struct poptOption *o = &n->option[number - 1];
    const int kind = (int)(o->argInfo & POPT_ARG_MASK);
    char *before = n->text[number - 1];
    const bool again = n->given[number - 1];
    swq_status status = SWQ_OK;

    n->given[number - 1] = true;
    if (kind == POPT_ARG_STRING)
        n->text[number - 1] = *(char **)o->arg;
    if (!again || kind == POPT_ARG_ARGV)
        return SWQ_OK;
    if (kind == POPT_ARG_STRING)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--%s is given twice, as '%.60s' and as '%.60s'; it takes one value",
                          o->longName, before, n->text[number - 1]);
    else
        status = swq_fail(ctx, SWQ_EINVAL, "--%s is given twice", o->longName);
    free(kind == POPT_ARG_STRING ? before : NULL);
    return status;
}

enum { UNKNOWN_OPTION = -2 }; /* in addition to -1, to go on, and exit statuses */

/* popt frees its copies of arguments with its context, so point into argv instead. */
static void keep_arguments(int argc, const char **argv, const char **other, int got)
{
    for (int k = 0; k < got; k++) {
        const char *copy = other[k];
        for (int a = 0; a < argc; a++)
            other[k] = strcmp(argv[a], copy) == 0 ? argv[a] : other[k];
    }
}

/* If `path` could not be read because it is a file for a translator, the message says so. Returns
 * status. */
static swq_status hint(swq_context *ctx, const cli_command *self, const char *path,
                       swq_status status)
{
    for (int k = 0; k < CLI_TRANSLATORS && self->translator[k]; k++) {
        if (self->translator[k]->hint)
            self->translator[k]->hint(ctx, path, status);
    }
    return status;
}

/* Reads these words; an unknown option is explained, or, if there are other `ways` to read the
 * words, returns UNKNOWN_OPTION. */
static int read_words(swq_context *ctx, const cli_command *self, const struct poptOption *table,
                      int argc, const char **argv, const char **other, int most, bool ways)
{
    numbered all = {.count = 0};
    char name[64];
    const char *full[CLI_MOST_ARGUMENTS + 1];
    int status = -1, got = 0;

    snprintf(name, sizeof name, "switchq %s", self->name);
    cli_forget_options(table);
    number_options(table, &all);
    for (int k = 0; k < most; k++)
        other[k] = NULL;
    full[0] = name; /* popt prints this in the usage line */
    memcpy(full + 1, argv, sizeof *argv * (size_t)argc);
    poptContext popt = poptGetContext(NULL, argc + 1, full, all.option, 0);
    int error = poptGetNextOpt(popt);
    for (; status < 0 && error > 0; error = poptGetNextOpt(popt))
        status = count_option(ctx, &all, error) ? cli_fail(ctx, SWQ_EINVAL) : -1;
    if (status < 0 && error == POPT_ERROR_BADOPT && ways) {
        poptFreeContext(popt);
        return UNKNOWN_OPTION;
    }
    if (status < 0 && error < -1) {
        status = explain(ctx, table, self, popt, error);
    } else if (status < 0 && (asked_for_help || asked_for_all)) {
        print_help(ctx, self, table, popt);
        status = cli_flush(ctx) ? cli_fail(ctx, SWQ_EIO) : CLI_OK;
    }
    for (const char *argument; status < 0 && (argument = poptGetArg(popt));) {
        if (got < most) {
            other[got++] = argument;
        } else {
            swq_fail(ctx, SWQ_EINVAL, "unexpected argument '%.60s'; 'switchq %s --help' tells more",
                     argument, self->name);
            hint(ctx, self, argument, SWQ_EINVAL);
            status = cli_fail(ctx, SWQ_EINVAL);
        }
    }
    keep_arguments(argc, argv, other, got);
    poptFreeContext(popt);
    return status;
}

/* The first of the command's translators, from number `from` on, whose option is given; NULL:
 * none. */
static const cli_translator *given_translator(const cli_command *self,
                                              const struct poptOption *table, int from)
{
    for (int k = from; k < CLI_TRANSLATORS && self->translator[k]; k++) {
        if (cli_given(table, self->translator[k]->option))
            return self->translator[k];
    }
    return NULL;
}

/* The option, of those given, that names options: --config, or that of a translator; NULL: none. */
static const char *file_of_options(const cli_command *self, const struct poptOption *table)
{
    const cli_translator *translator = given_translator(self, table, 0);

    if (cli_config_given())
        return "config";
    return translator ? translator->option : NULL;
}

/* Refuses a second option that names options. */
static swq_status refuse_second(swq_context *ctx, const cli_command *self,
                                const struct poptOption *table, const char *first)
{
    for (int k = 0; k < CLI_TRANSLATORS && self->translator[k]; k++) {
        const char *option = self->translator[k]->option;
        if (cli_given(table, option) && strcmp(option, first) != 0)
            return swq_fail(ctx, SWQ_EINVAL, "--%s and --%s cannot both be given", first, option);
    }
    return SWQ_OK;
}

/* Adds the options of the file that `file`, an option, names. */
static swq_status add_file(swq_context *ctx, const cli_command *self,
                           const struct poptOption *table, const char *file, const char *argument,
                           cli_arguments *words)
{
    const cli_translator *translator = given_translator(self, table, 0);
    char path[300];
    swq_status status = refuse_second(ctx, self, table, file);

    words->without = file;
    if (status)
        return status;
    if (strcmp(file, "config") != 0)
        return translator->translate(ctx, table, words);
    snprintf(path, sizeof path, "%s", cli_text(table, file));
    status = cli_config_read(ctx, self, table, argument, words);
    return hint(ctx, self, path, status);
}

/* Reads the options again, with abbreviations written out, and with the options of a file before
 * the options of the command line. */
static int read_again(swq_context *ctx, const cli_command *self, const struct poptOption *table,
                      int argc, const char **argv, const char **other, int most,
                      cli_arguments *words)
{
    swq_status error = cli_arguments_in_full(ctx, self, table, argc, argv, words);
    int status = error
                     ? cli_fail(ctx, error)
                     : read_words(ctx, self, table, words->count, words->word, other, most, false);
    const char *file = status == -1 ? file_of_options(self, table) : NULL;

    if (!file)
        return status;
    cli_arguments_clear(words);
    error = add_file(ctx, self, table, file, most > 0 ? other[0] : NULL, words);
    if (!error)
        error = cli_arguments_in_full(ctx, self, table, argc, argv, words);
    if (error)
        return cli_fail(ctx, error);
    status = read_words(ctx, self, table, words->count, words->word, other, most, false);
    file = status == -1 ? file_of_options(self, table) : NULL;
    if (file && strcmp(file, "config") != 0)
        status =
            cli_fail(ctx, swq_fail(ctx, SWQ_EINVAL, "--%s is for the command line alone", file));
    return status;
}

/* Prints the question that a file of another program, or a preset, has become. */
static void print_translation(const cli_command *self, const char *file)
{
    for (int k = 0; k < CLI_TRANSLATORS && self->translator[k]; k++) {
        if (file && strcmp(file, self->translator[k]->option) == 0 && cli_asked_line())
            cli_note("%s asks: %s", self->translator[k]->name, cli_asked_line());
    }
}

int cli_read_options(swq_context *ctx, const cli_command *self, struct poptOption *options,
                     int argc, const char **argv, const char **other, int most)
{
    struct poptOption table[] = {
        CLI_TABLE(options, NULL),
        {NULL, '\0', POPT_ARG_INCLUDE_TABLE, self->plugins ? cli_plugin_options : no_options, 0,
         self->plugins ? "Plug-ins:" : NULL, NULL},
        {NULL, '\0', POPT_ARG_INCLUDE_TABLE, self->no_file ? no_options : cli_config_options, 0,
         self->no_file ? NULL : "A run from a file:", NULL},
        CLI_TABLE(help_option, NULL),
        POPT_TABLEEND,
    };

    if (looking) {
        memcpy(looked_at, table, sizeof table);
        return CLI_OK;
    }
    cli_config_forget();
    cli_question_table(options);
    int status = read_words(ctx, self, table, argc, argv, other, most, true);
    if (status == UNKNOWN_OPTION || (status == -1 && file_of_options(self, table))) {
        cli_arguments *words = calloc(1, sizeof *words);
        status = words ? read_again(ctx, self, table, argc, argv, other, most, words)
                       : cli_fail(ctx, swq_fail(ctx, SWQ_ENOMEM, "no memory for the options"));
        if (status == -1)
            cli_asked_set(self, words->count, words->word);
        if (status == -1 && words->without)
            print_translation(self, words->without);
        if (words)
            cli_arguments_clear(words);
        free(words);
    } else if (status == -1) {
        cli_asked_set(self, argc, argv);
    }
    if (status == -1) {
        swq_status error = cli_refuse_lacking(ctx, table, table, 0);
        if (!error)
            error = cli_files_check(ctx, table);
        if (!error)
            error = cli_plugins_load(ctx, self->plugins);
        if (!error)
            error = cli_config_keep(ctx, self, table, most > 0 ? other[0] : NULL);
        status = error ? cli_fail(ctx, error) : -1;
    }
    return status;
}

void cli_note(const char *format, ...)
{
    char text[1200];
    va_list list;

    va_start(list, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is above
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    cli_clear_progress();
    if (cli_answer_add(text))
        return;
    fflush(stdout);
    fprintf(stderr, "switchq: %s\n", text);
}

int cli_fail(swq_context *ctx, swq_status status)
{
    char text[600], hint[900];
    const char *message = cli_config_blame(status, swq_context_message(ctx), text, sizeof text);

    message = cli_field_hint(message, hint, sizeof hint);
    cli_clear_progress();
    if (!cli_answer_note(message)) {
        fflush(stdout);
        fprintf(stderr, "switchq: %s\n", message);
    }
    switch (status) {
    case SWQ_ENOMEM:
    case SWQ_ELIMIT:
        return CLI_LIMIT;
    case SWQ_ECONVERGE:
    case SWQ_ESINGULAR:
    case SWQ_ECANCELLED:
    case SWQ_EINTERNAL:
        return CLI_FAILED;
    default:
        return CLI_BAD_INPUT;
    }
}
