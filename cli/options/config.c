/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of one command line.
 */
#include "cli/options/config.h"
#include "base/context.h"
#include "base/outfile.h"
#include "cli/options/files.h"
#include "cli/options/parse.h"
#include "study/plan.h"
#include "switchq/formula.h"
#include "switchq/version.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static char *config_path, *save_path;

struct poptOption cli_config_options[] = {
    CLI_TEXT_ROW("config", "FILE.yaml", &config_path,
                 "read options from a file, which uses the words of a study, as --save-config "
                 "writes it; options on the command line override it"),
    CLI_TEXT_ROW("save-config", "FILE.yaml", &save_path,
                 "also write the options to a file for --config"),
    POPT_TABLEEND,
};

bool cli_config_given(void)
{
    return config_path != NULL;
}

/* ---- the tables ---- */

static bool is_ours(const struct poptOption *o)
{
    return o->arg == &config_path || o->arg == &save_path || o->shortName == 'h' ||
           strcmp(o->longName, "help-all") == 0;
}

static bool is_others(void *arg, const struct poptOption *o)
{
    (void)arg;
    return !is_ours(o);
}

/* arg: where to keep the table. */
static swq_option_use option(void *arg, const char *full, const char *name, const char **nearest)
{
    const struct poptOption *table = *(const struct poptOption *const *)arg;
    const struct poptOption *o = cli_option_named(table, name, strlen(name));

    (void)full;
    *nearest = cli_nearest_option(table, name, is_others, NULL);
    if (!o)
        return SWQ_OPTION_UNKNOWN;
    if (is_ours(o)) {
        *nearest = "it is for the command line alone";
        return SWQ_OPTION_BARRED;
    }
    const int kind = cli_option_kind(o);
    return kind == POPT_ARG_NONE   ? SWQ_OPTION_FLAG
           : kind == POPT_ARG_ARGV ? SWQ_OPTION_LIST
                                   : SWQ_OPTION_VALUE;
}

static swq_status formula(void *arg, swq_context *ctx, const char *name)
{
    const swq_formula *found;

    (void)arg;
    return swq_formula_find(ctx, name, &found);
}

/* ---- reading ---- */

/* The settings of the last file, for messages; and its argument, which outlives the reading. */
static struct {
    char path[200], argument[200];
    int count;
    struct {
        char name[40];
        int line;
    } option[SWQ_PLAN_OPTIONS];
} file;

void cli_config_forget(void)
{
    file.count = 0;
}

/* Adds an option, or an option that may be repeated once for each line of its value. */
static swq_status add_setting(swq_context *ctx, const swq_setting *s, cli_arguments *to)
{
    swq_status status = SWQ_OK;

    if (s->value == swq_plan_off)
        return SWQ_OK;
    if (s->value == swq_plan_on)
        return cli_arguments_option(ctx, to, s->option, "");
    char *rest = malloc(strlen(s->value) + 2);
    if (!rest)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the options");
    for (const char *at = s->value; *at && !status;) {
        const int length = (int)strcspn(at, "\n");
        sprintf(rest, "=%.*s", length, at);
        status = cli_arguments_option(ctx, to, s->option, rest);
        at += length + (at[length] == '\n');
    }
    free(rest);
    return status;
}

static swq_status add_argument(swq_context *ctx, const char *ours, const char *given,
                               cli_arguments *to)
{
    if (!ours || (given && strcmp(ours, given) == 0))
        return SWQ_OK;
    if (given)
        return swq_fail(ctx, SWQ_EINVAL, "%.150s is of '%.60s', not of '%.60s'", config_path, ours,
                        given);
    snprintf(file.argument, sizeof file.argument, "%s", ours);
    return cli_arguments_add(ctx, to, file.argument);
}

swq_status cli_config_read(swq_context *ctx, const cli_command *command,
                           const struct poptOption *table, const char *argument, cli_arguments *to)
{
    const char *const commands[] = {command->name, NULL};
    const struct poptOption *own = table;
    const swq_study_language language = {&own, commands, option, formula, true};
    swq_study *study = NULL;
    swq_status status = cli_files_readable(ctx, "config", config_path);

    if (!status)
        status = swq_study_read(ctx, config_path, &language, &study);
    if (status)
        return status;
    const swq_block *block = study->block[0];
    status = add_argument(ctx, block->formula, argument, to);
    snprintf(file.path, sizeof file.path, "%s", config_path);
    for (int k = 0; k < block->base.count && !status; k++) {
        const swq_setting *s = &block->base.setting[k];
        if (cli_given(table, s->option))
            continue;
        snprintf(file.option[file.count].name, sizeof file.option[0].name, "%s", s->option);
        file.option[file.count++].line = s->line;
        status = add_setting(ctx, s, to);
    }
    swq_study_free(ctx, study);
    return status;
}

/* The place where a message mentions an option: "--load", or at the beginning "slots must be ...".
 * NULL: it does not. */
static const char *spoken_of(const char *message, const char *name)
{
    const size_t length = strlen(name);
    char word[48];

    if (strncmp(message, name, length) == 0 && message[length] == ' ')
        return message;
    snprintf(word, sizeof word, "--%s", name);
    for (const char *at = message; (at = strstr(at, word)); at++) {
        if (!isalnum((unsigned char)at[length + 2]) && at[length + 2] != '-')
            return at;
    }
    return NULL;
}

const char *cli_config_blame(swq_status status, const char *message, char *text, size_t size)
{
    const char *first = NULL;
    int line = 0;

    if (file.count == 0 || status != SWQ_EINVAL)
        return message;
    for (int k = 0; k < file.count; k++) {
        const char *at = spoken_of(message, file.option[k].name);
        if (at && (!first || at < first)) {
            first = at;
            line = file.option[k].line;
        }
    }
    if (first)
        snprintf(text, size, "%.150s, line %d: %s", file.path, line, message);
    else
        snprintf(text, size, "%.150s: %s", file.path, message);
    return text;
}

/* ---- writing ---- */

/* The file that the current command is to write; NULL: none. */
static cli_config_file pending;

/* Writes a text so that it reads back unchanged. */
static void put_value(FILE *to, const char *value)
{
    static const char *const nothing[] = {"null", "Null", "NULL"};
    char canonical[64] = "";
    bool plain = isalnum((unsigned char)*value) && strlen(value) < sizeof canonical;

    for (const char *c = value; *c && plain; c++)
        plain = isalnum((unsigned char)*c) || strchr("._-/", *c);
    if (plain)
        swq_plan_canonical(value, canonical, sizeof canonical);
    plain = plain && strcmp(canonical, value) == 0;
    for (size_t k = 0; k < sizeof nothing / sizeof *nothing && plain; k++)
        plain = strcmp(value, nothing[k]) != 0;
    if (plain) {
        fputs(value, to);
        return;
    }
    putc('\'', to);
    for (const char *c = value; *c; c++)
        fputs(*c == '\'' ? "''" : (const char[]){*c, '\0'}, to);
    putc('\'', to);
}

static bool has_control(const char *value)
{
    while (*value && !iscntrl((unsigned char)*value))
        value++;
    return *value != '\0';
}

static swq_status put_option(swq_context *ctx, FILE *to, const struct poptOption *o)
{
    const int kind = cli_option_kind(o);
    char *one[] = {NULL, NULL}, **value = one;

    if (kind == POPT_ARG_NONE) {
        fprintf(to, "  %s: true\n", o->longName);
        return SWQ_OK;
    }
    if (kind == POPT_ARG_ARGV)
        value = *(char ***)o->arg;
    else
        one[0] = *(char **)o->arg;
    const bool list = value[1] != NULL;
    fprintf(to, "  %s: %s", o->longName, list ? "[" : "");
    for (int k = 0; value[k]; k++) {
        if (has_control(value[k]))
            return swq_fail(ctx, SWQ_EINVAL,
                            "--%s has a control character: --save-config cannot write it",
                            o->longName);
        fputs(k ? ", " : "", to);
        put_value(to, value[k]);
    }
    fputs(list ? "]\n" : "\n", to);
    return SWQ_OK;
}

static swq_status put_options(swq_context *ctx, FILE *to, const struct poptOption *table)
{
    cli_options_walk w = cli_walk_options(table);
    swq_status status = SWQ_OK;
    int count = 0;

    for (const struct poptOption *o; !status && (o = cli_next_option(&w));) {
        if (is_ours(o) || !cli_is_given(o))
            continue;
        fputs(count++ ? "" : "set:\n", to);
        status = put_option(ctx, to, o);
    }
    return status;
}

swq_status cli_config_keep(swq_context *ctx, const cli_command *command,
                           const struct poptOption *table, const char *argument)
{
    size_t size;

    if (!save_path)
        return SWQ_OK;
    if (!*save_path || strcmp(save_path, "-") == 0)
        return swq_fail(ctx, SWQ_EINVAL, "--save-config needs the name of a file");
    free(pending.path);
    free(pending.text);
    pending.text = NULL;
    pending.path = strdup(save_path);
    FILE *to = pending.path ? open_memstream(&pending.text, &size) : NULL;
    if (!to)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for --save-config");
    fprintf(to, "# switchq " SWQ_VERSION ": 'switchq %s --config FILE' runs it\ncommand: %s\n",
            command->name, command->name);
    if (argument) {
        fputs(strcmp(command->name, "formula") == 0 ? "formula: " : "argument: ", to);
        put_value(to, argument);
        putc('\n', to);
    }
    swq_status status = put_options(ctx, to, table);
    if (fclose(to) != 0 && !status)
        status = swq_fail(ctx, SWQ_ENOMEM, "no memory for --save-config");
    return status;
}

static swq_status write_pending(swq_context *ctx)
{
    swq_outfile to;
    swq_status status = cli_outfile_open(ctx, pending.path, &to);

    if (status)
        return status;
    fputs(pending.text, to.stream);
    return swq_outfile_commit(ctx, &to);
}

cli_config_file cli_config_set_aside(void)
{
    const cli_config_file outer = pending;

    pending = (cli_config_file){0};
    return outer;
}

swq_status cli_config_finish(swq_context *ctx, cli_config_file outer, bool wanted)
{
    swq_status status = pending.text && wanted ? write_pending(ctx) : SWQ_OK;

    free(pending.path);
    free(pending.text);
    pending = outer;
    return status;
}
