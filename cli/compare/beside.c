/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What other commands say of the rule of admission of a shared memory in bytes: the same rule in
 * slots, in a small switch that the file chooses, has a proven worst case (switchq worst) and an
 * exact loss (switchq solve).
 */
#include "base/context.h"
#include "base/names.h"
#include "cli/answer.h"
#include "cli/compare/compare.h"
#include "cli/options/parse.h"
#include "cli/print/append.h"
#include "cli/print/json_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 200, MOST_ASKED = 60 };

/* Options of a rule that mean the same in slots, and those that are in bytes or times, or that
 * only packets of a size have. Which end of a queue loses a packet (drop) changes no length, so
 * that it is no option of a worst case. */
static const char *const alike[] = {"admission", "alpha", "ties", "drop", NULL};
static const char *const in_bytes[] = {
    "queue-min",   "queue-max",    "congested", "class-alpha", "drain-interval",
    "expel-every", "expel-bucket", "test",      "arriving",    "oracle",
    NULL};

bool cli_compare_shares_bytes(const char *words)
{
    return strstr(words, "--architecture=shared-memory") ||
           strstr(words, "--architecture shared-memory");
}

swq_status cli_compare_add_beside(cli_comparison *c, cli_beside command, const char **word,
                                  int *count)
{
    const swq_node *options = c->beside[command];
    char option[60];

    for (int k = 0; options && k < options->count; k++) {
        snprintf(option, sizeof option, "--%.50s", options->key[k]->text);
        word[*count] = swq_arena_text(c->ctx, &c->arena, option, strlen(option));
        if (!word[*count])
            return swq_memory_status(c->ctx);
        word[++*count] = options->item[k]->text;
        ++*count;
    }
    return SWQ_OK;
}

/* The question about the rule of a command line. The reason why there is none is in `why`. */
static swq_status make_question(cli_comparison *c, cli_beside command, const char *const *word,
                                int count, const char **asked, int *length, char why[CLI_REASON])
{
    bool rule = false;

    asked[(*length)++] = cli_beside_commands[command];
    for (int k = 1; k + 1 < count; k++) {
        const char *name = word[k] + 2;
        if (strncmp(word[k], "--", 2) != 0)
            continue;
        if (swq_name_is_among(name, in_bytes))
            snprintf(why, CLI_REASON, "--%.40s is not known to the rule in slots", name);
        if (!swq_name_is_among(name, alike) ||
            (command == CLI_BESIDE_WORST && strcmp(name, "drop") == 0) ||
            /* ties at random are what an adversary may choose, the default of worst */
            (command == CLI_BESIDE_WORST && strcmp(name, "ties") == 0 &&
             strcmp(word[k + 1], "random") == 0))
            continue;
        rule = rule || strcmp(name, "admission") == 0;
        asked[(*length)++] = word[k];
        asked[(*length)++] = word[k + 1];
    }
    if (!rule) {
        asked[(*length)++] = "--admission";
        asked[(*length)++] = "sharing";
    }
    return cli_compare_add_beside(c, command, asked, length);
}

static void take_loss(const cli_answer *answer, cli_exact_loss *loss)
{
    const cJSON *value =
        answer->tree ? cli_json_at(answer->tree, "result.discard_probability") : NULL;

    loss->fraction = cli_json_as_number(value);
    if (isnan(loss->fraction))
        snprintf(loss->why, sizeof loss->why, "%.*s", (int)strcspn(answer->message, ";"),
                 answer->message);
}

static void join(const char *const *word, int count, char *text, size_t room)
{
    snprintf(text, room, "switchq");

    for (int k = 0; k < count; k++)
        cli_append(text, room, " %s", word[k]);
}

static swq_status ask(cli_comparison *c, cli_beside command, const char *line,
                      cli_worst_case *worst, cli_exact_loss *loss)
{
    const char *word[MOST_WORDS], *asked[MOST_ASKED + 2 * sizeof alike];
    char *copy = swq_arena_text(c->ctx, &c->arena, line, strlen(line));
    char *why = command == CLI_BESIDE_WORST ? worst->why : loss->why;
    cli_answer answer = {0};
    int count = 0, length = 0;
    swq_status status =
        copy ? swq_point_split(c->ctx, copy, word, MOST_WORDS, &count) : swq_memory_status(c->ctx);

    if (!status)
        status = make_question(c, command, word, count, asked, &length, why);
    if (status || *why)
        return status;
    join(asked, length, command == CLI_BESIDE_WORST ? worst->question : loss->question,
         CLI_QUESTION);
    cli_ask(c->ctx, length, asked, &answer);
    if (command == CLI_BESIDE_WORST)
        cli_compare_take_worst(&answer, worst);
    else
        take_loss(&answer, loss);
    cli_answer_clear(&answer);
    return SWQ_OK;
}

static swq_status ask_all(cli_comparison *c, const char *line, int size, int contestant)
{
    swq_status status = SWQ_OK;

    for (int command = 0; command < CLI_BESIDE_COST && !status; command++) {
        if (c->beside[command])
            status = ask(c, (cli_beside)command, line, &c->worst[size][contestant],
                         &c->loss[size][contestant]);
    }
    return status;
}

swq_status cli_compare_ask_beside(cli_comparison *c)
{
    swq_status status = SWQ_OK;

    for (int at = 0; at < c->sizes * c->contest.contestants && !status; at++) {
        const int size = at / c->contest.contestants, k = at % c->contest.contestants;
        int f = size * c->scenarios;
        while (f < (size + 1) * c->scenarios && c->asked[cli_compare_cell(c, f, k)] == 0)
            f++;
        if (f == (size + 1) * c->scenarios)
            continue;
        const char *line = c->words[c->first[cli_compare_cell(c, f, k)]];
        if (cli_compare_shares_bytes(line))
            status = ask_all(c, line, size, k);
    }
    return status;
}
