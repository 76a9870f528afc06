/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command line as a library: questions and answers as text.
 */
#include "switchq/ask.h"
#include "cli/answer.h"
#include "cli/figures/paper.h"
#include "cli/live.h"
#include "cli/print/drawing.h"
#include "cli/print/text.h"
#include "switchq/version.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Option tables are global, so questions take turns; but a thread that cancels a question must not
 * wait for the question's end. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER, handle = PTHREAD_MUTEX_INITIALIZER;
static swq_context *asked;

static void be_asked(swq_context *ctx)
{
    pthread_mutex_lock(&handle);
    asked = ctx;
    pthread_mutex_unlock(&handle);
}

/* Takes ownership of the answer's tree. */
static char *as_text(cli_answer *answer)
{
    cJSON *reply = cJSON_CreateObject();

    cJSON_AddNumberToObject(reply, "status", answer->status);
    cJSON_AddStringToObject(reply, "message", answer->message);
    cJSON_AddItemToObject(reply, "answer", answer->tree ? answer->tree : cJSON_CreateNull());
    if (reply)
        answer->tree = NULL;
    char *text = cli_json_text(reply, false);
    cJSON_Delete(reply);
    return text;
}

char *swq_ask(int count, const char *const *words)
{
    cli_answer answer;
    char *text = NULL;

    pthread_mutex_lock(&turn);
    swq_context *ctx = swq_context_new();
    if (ctx) {
        swq_figures_from(ctx, &cli_papers);
        be_asked(ctx);
        cli_ask(ctx, count, words, &answer);
        be_asked(NULL);
        text = as_text(&answer);
        cli_answer_clear(&answer);
        swq_context_free(ctx);
    }
    pthread_mutex_unlock(&turn);
    return text;
}

/* ---- networks that are stepped ---- */

struct swq_ask_network {
    swq_context *ctx;
    cli_live opened;
};

swq_ask_network *swq_ask_network_open(int count, const char *const *words, int *status,
                                      char **message)
{
    swq_ask_network *network = calloc(1, sizeof *network);
    cli_answer answer = {0};

    *status = CLI_LIMIT;
    *message = NULL;
    if (!network)
        return NULL;
    network->ctx = swq_context_new();
    if (network->ctx) {
        pthread_mutex_lock(&turn);
        *status = cli_live_open(network->ctx, count, words, &answer, &network->opened);
        pthread_mutex_unlock(&turn);
    }
    if (*status != CLI_OK || !network->opened.live) {
        *message = strdup(answer.message);
        swq_context_free(network->ctx);
        free(network);
        network = NULL;
    }
    cli_answer_clear(&answer);
    return network;
}

void swq_ask_network_close(swq_ask_network *network)
{
    if (!network)
        return;
    cli_live_close(&network->opened);
    swq_context_free(network->ctx);
    free(network);
}

struct swq_live *swq_ask_network_live(const swq_ask_network *network)
{
    return network->opened.live;
}

const char *swq_ask_network_message(const swq_ask_network *network)
{
    return swq_context_message(network->ctx);
}

void swq_ask_free(char *answer)
{
    free(answer);
}

void swq_ask_cancel(void)
{
    pthread_mutex_lock(&handle);
    if (asked)
        swq_context_cancel(asked);
    pthread_mutex_unlock(&handle);
}

/* ---- styles of curves ---- */

static cJSON *style_of(const swq_curve *curve)
{
    cJSON *object = cJSON_CreateObject(), *dash = cJSON_AddArrayToObject(object, "dash");
    const char *strokes = swq_palette_dashes[curve->style.dash];
    char colour[8];

    for (int length, used; sscanf(strokes, "%d%n", &length, &used) == 1; strokes += used)
        cJSON_AddItemToArray(dash, cJSON_CreateNumber(length));
    swq_palette_mix(&curve->style, colour);
    cJSON_AddStringToObject(object, "colour", colour);
    cJSON_AddStringToObject(object, "mark", swq_palette_marks[curve->style.mark]);
    cJSON_AddBoolToObject(object, "kind", swq_palette_kind_of(curve->name) >= 0);
    return object;
}

char *swq_ask_styles(int count, const char *const *names)
{
    const size_t curves = count > 0 ? (size_t)count : 0;
    swq_curve *curve = calloc(curves + 1, sizeof *curve);
    cJSON *all = curve ? cJSON_CreateArray() : NULL;

    for (size_t c = 0; c < curves && all; c++)
        snprintf(curve[c].name, sizeof curve[c].name, "%s", names[c]);
    if (all)
        cli_draw_styles(curve, curves);
    for (size_t c = 0; c < curves && all; c++)
        cJSON_AddItemToArray(all, style_of(&curve[c]));
    char *text = cli_json_text(all, false);
    cJSON_Delete(all);
    free(curve);
    return text;
}

const char *swq_ask_version(void)
{
    return SWQ_VERSION;
}
