/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The worst case of contestants whose switches are one shared memory: switchq worst is asked for
 * the rule of admission, with as many queues as a switch has outputs and all slots of the memory.
 */
#include "base/context.h"
#include "cli/compare/compare.h"
#include "cli/options/parse.h"

#include <stdlib.h>
#include <string.h>

/* The memory, and with it the time, that one worst case may take: seconds. */
#define MOST_MEMORY "30M"

enum { MOST_WORDS = 200, OPTIONS = 7 };

/* What a worst case takes of a simulation's options. Which end of a queue loses a packet (drop)
 * changes no length. */
static const char *const rules[OPTIONS] = {"admission", "alpha",     "queue-min", "queue-max",
                                           "ties",      "congested", "expel"};

typedef struct {
    const char *buffer, *ports, *slots; /* as the command line has them; NULL: not given */
    const char *rule[OPTIONS];
} one_memory;

static void read_words(const char *const *word, int count, one_memory *m)
{
    const struct {
        const char *name;
        const char **to;
    } wanted[] = {{"buffer", &m->buffer}, {"ports", &m->ports}, {"slots", &m->slots}};

    for (int k = 1; k + 1 < count; k++) {
        const char *name = word[k] + 2;
        if (strncmp(word[k], "--", 2) != 0)
            continue;
        for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++) {
            if (strcmp(name, wanted[w].name) == 0)
                *wanted[w].to = word[k + 1];
        }
        for (int r = 0; r < OPTIONS; r++) {
            if (strcmp(name, rules[r]) == 0)
                m->rule[r] = word[k + 1];
        }
    }
}

/* Is the buffer of that name one memory for all queues of a switch? */
static bool is_shared(swq_context *ctx, const char *name)
{
    const swq_buffer_kind *kind = NULL;

    return name && !swq_buffer_kind_find(ctx, name, &kind) && kind->scope == SWQ_POOL;
}

void cli_compare_take_worst(const cli_answer *answer, cli_worst_case *worst)
{
    const cJSON *result = cJSON_GetObjectItemCaseSensitive(answer->tree, "result");
    const cJSON *exactly = cJSON_GetObjectItemCaseSensitive(result, "exactly");
    const cJSON *unbounded = cJSON_GetObjectItemCaseSensitive(result, "unbounded");

    if (cJSON_IsString(exactly))
        snprintf(worst->ratio, sizeof worst->ratio, "%s", exactly->valuestring);
    else if (cJSON_IsTrue(unbounded))
        snprintf(worst->ratio, sizeof worst->ratio, "unbounded");
    else
        /* without the advice, which is for the command line of worst */
        snprintf(worst->why, sizeof worst->why, "%.*s", (int)strcspn(answer->message, ";"),
                 answer->message);
}

/* The worst case of the switch that a command line describes; none if it is no shared memory. */
static swq_status ask(cli_comparison *c, const char *line, cli_worst_case *worst)
{
    const char *word[MOST_WORDS], *question[2 * OPTIONS + 7];
    char *copy = swq_arena_text(c->ctx, &c->arena, line, strlen(line)), slots[30],
         option[OPTIONS][40];
    int count = 0, asked = 0;
    one_memory m = {0};
    cli_answer answer = {0};
    swq_status status =
        copy ? swq_point_split(c->ctx, copy, word, MOST_WORDS, &count) : swq_memory_status(c->ctx);

    if (status)
        return status;
    read_words(word, count, &m);
    if (!is_shared(c->ctx, m.buffer) || !m.ports || !m.slots)
        return SWQ_OK;
    snprintf(slots, sizeof slots, "%ld", atol(m.ports) * atol(m.slots));
    question[asked++] = "worst";
    question[asked++] = "--queues";
    question[asked++] = m.ports;
    question[asked++] = "--slots";
    question[asked++] = slots;
    question[asked++] = "--mem";
    question[asked++] = MOST_MEMORY;
    for (int r = 0; r < OPTIONS; r++) {
        /* ties at random are what an adversary may choose, the default of worst */
        if (!m.rule[r] || strcmp(m.rule[r], "random") == 0)
            continue;
        snprintf(option[r], sizeof option[r], "--%s", rules[r]);
        question[asked++] = option[r];
        question[asked++] = m.rule[r];
    }
    cli_ask(c->ctx, asked, question, &answer);
    cli_compare_take_worst(&answer, worst);
    cli_answer_clear(&answer);
    return SWQ_OK;
}

swq_status cli_compare_worst(cli_comparison *c)
{
    swq_status status = SWQ_OK;

    for (int at = 0; at < c->sizes * c->contest.contestants && !status; at++) {
        const int size = at / c->contest.contestants, k = at % c->contest.contestants;
        for (int f = size * c->scenarios; f < (size + 1) * c->scenarios; f++) {
            const size_t cell = cli_compare_cell(c, f, k);
            if (c->asked[cell] == 0)
                continue;
            status = ask(c, c->words[c->first[cell]], &c->worst[size][k]);
            break;
        }
    }
    return status;
}
