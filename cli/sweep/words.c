/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sets a command's options as a point has them, makes a record of its answer's model, and asks for
 * the words of the question.
 */
#include "cli/sweep/words.h"

#include "base/context.h"
#include "cli/options/parameter.h"
#include "cli/sweep/flat.h"
#include "cli/sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

enum { MOST_SET = 200 };

/* Options that were set, with what the command line had given them. */
typedef struct {
    int count;
    struct {
        const struct poptOption *option;
        void *text; /* a word, or a list of words */
        int flag;
    } before[MOST_SET];
} set_options;

static void set_option(const struct poptOption *o, const cJSON *value)
{
    char number[40];
    const char *text = cli_flat_text(value, number);

    if (cli_option_kind(o) == POPT_ARG_NONE) {
        *(int *)o->arg = 1;
        return;
    }
    *(void **)o->arg = NULL;
    if (cli_option_kind(o) == POPT_ARG_ARGV)
        poptSaveString(o->arg, 0, text);
    else
        *(char **)o->arg = strdup(text);
}

/* Sets the parameters of a table as in `options`. */
static void set_all(const struct poptOption *table, const cJSON *options, set_options *set)
{
    cli_options_walk walk = cli_walk_options(table);

    for (const struct poptOption *o; (o = cli_next_option(&walk)) && set->count < MOST_SET;) {
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(options, o->longName);
        if (!value || cJSON_IsFalse(value) || !cli_parameter_of(o))
            continue;
        const bool flag = cli_option_kind(o) == POPT_ARG_NONE;
        set->before[set->count].option = o;
        set->before[set->count].flag = flag ? *(int *)o->arg : 0;
        set->before[set->count++].text = flag ? NULL : *(void **)o->arg;
        set_option(o, value);
    }
}

/* Backwards, as an option may be reached twice in a table. */
static void restore(const set_options *set)
{
    for (int k = set->count - 1; k >= 0; k--) {
        const struct poptOption *o = set->before[k].option;
        if (cli_option_kind(o) == POPT_ARG_NONE) {
            *(int *)o->arg = set->before[k].flag;
            continue;
        }
        for (char **word = cli_option_kind(o) == POPT_ARG_ARGV ? *(char ***)o->arg : NULL;
             word && *word; word++)
            free(*word);
        free(*(void **)o->arg);
        *(void **)o->arg = set->before[k].text;
    }
}

/* ---- the model ---- */

static void put_model(cli_record *to, const cJSON *model);

static void put_field(cli_record *to, const cJSON *f)
{
    if (cJSON_IsNumber(f))
        cli_put_number(to, f->string, f->valuedouble);
    else if (cJSON_IsBool(f))
        cli_put_truth(to, f->string, cJSON_IsTrue(f));
    else if (cJSON_IsObject(f))
        put_model(cli_put_group(to, f->string, NULL), f);
    else if (cJSON_IsArray(f) && cJSON_IsObject(f->child)) {
        cli_record *list = cli_put_list(to, f->string, NULL);
        for (const cJSON *item = f->child; item; item = item->next)
            put_model(cli_put_item(list, NULL), item);
    } else if (!cJSON_IsArray(f)) /* a word, or null */
        cli_put_word(to, f->string, cJSON_GetStringValue(f));
}

static void put_model(cli_record *to, const cJSON *model)
{
    for (const cJSON *f = model ? model->child : NULL; f; f = f->next)
        put_field(to, f);
}

static cli_record *record_of(const cJSON *answer)
{
    cli_record *root = cli_record_new("switchq/words/1");

    put_model(cli_put_group(root, "model", NULL),
              cJSON_GetObjectItemCaseSensitive(answer, "model"));
    return root;
}

/* ---- points ---- */

swq_status cli_common_words_add(swq_context *ctx, cli_common_words *to, const char *command,
                                const cJSON *options, const cJSON *answer)
{
    const struct poptOption *table = cli_sweep_options_of(ctx, command);
    cli_question_words *its = malloc(sizeof *its);
    cli_record *record = record_of(answer);
    set_options set = {.count = 0};

    if (!its || !record) {
        free(its);
        cli_record_free(record);
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the words of a question");
    }
    set_all(table, options, &set);
    cli_question_table(table);
    cli_question_phrases(record, its);
    restore(&set);
    if (to->any)
        cli_question_keep(&to->words, its);
    else
        to->words = *its;
    to->any = true;
    free(its);
    cli_record_free(record);
    return SWQ_OK;
}
