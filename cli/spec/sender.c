/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The option for schemes that hold senders back, in addition to the flow control: those of section
 * 8.2 of the dissertation.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/spec/async.h"

#include <string.h>

static char *given_sender;

struct poptOption cli_sender_options[] = {
    {"sender", '\0', POPT_ARG_STRING, &given_sender, SWQ_ENGINE_ASYNC,
     "hold senders back: at most W unacknowledged packets to a node; RATE bytes a cycle to a node, "
     "and up to BURST bytes ahead of that; nothing to a node whose last switch holds HOT packets "
     "for it, until fewer than COLD are left, with news DELAY cycles late; or N tokens in the "
     "network, one of which each packet takes along and which returns to the source or stays at "
     "the destination (several: window:1,bucket:0.1,64)",
     "window:W|bucket:RATE,BURST|feedback:HOT,COLD,DELAY|tokens:N[,source|stay]"},
    POPT_TABLEEND,
};

/* "0.5,64": cuts at the comma; returns what comes after it, or NULL. */
static const char *split(char *text)
{
    char *comma = strchr(text, ',');

    if (!comma)
        return NULL;
    *comma = '\0';
    return comma + 1;
}

static swq_status wrong(swq_context *ctx)
{
    return swq_fail(ctx, SWQ_EINVAL,
                    "--sender must be window:W, bucket:RATE,BURST, feedback:HOT,COLD,DELAY or "
                    "tokens:N[,source|stay], not '%.60s'",
                    given_sender);
}

/* "12,8,20", without the first number, which has been cut off. */
static swq_status read_feedback(swq_context *ctx, const char *hot, const char *more, swq_async *n)
{
    char text[80];

    snprintf(text, sizeof text, "%s", more);
    const char *late = split(text);
    if (!late)
        return wrong(ctx);
    swq_status status = cli_integer(ctx, "sender", hot, 1, 1000000000, &n->feedback_hot);
    if (!status)
        status = cli_integer(ctx, "sender", text, 1, 1000000000, &n->feedback_cold);
    return status ? status : cli_integer(ctx, "sender", late, 0, 65535, &n->feedback_delay);
}

swq_status cli_sender_read(swq_context *ctx, swq_async *n)
{
    static const char *const where[] = {"source", "stay", NULL};
    char text[80], *colon;
    int which = 0;

    if (!given_sender)
        return SWQ_OK;
    if (strlen(given_sender) >= sizeof text || !strchr(given_sender, ':'))
        return wrong(ctx);
    snprintf(text, sizeof text, "%s", given_sender);
    colon = strchr(text, ':');
    *colon = '\0';
    swq_status status = swq_sender_scheme_find(ctx, text, &n->sender);
    if (status)
        return wrong(ctx);
    const char *more = split(colon + 1);
    if (((n->sender->bucket || n->sender->feedback) && !more) || (n->sender->window && more))
        return wrong(ctx);
    if (n->sender->window)
        return cli_integer(ctx, "sender", colon + 1, 1, 65535, &n->window);
    if (n->sender->feedback)
        return read_feedback(ctx, colon + 1, more, n);
    if (n->sender->bucket) {
        status = cli_number(ctx, "sender", colon + 1, 0, 1, &n->bucket_rate);
        return status ? status : cli_integer(ctx, "sender", more, 1, 1000000000, &n->bucket_burst);
    }
    status = cli_integer(ctx, "sender", colon + 1, 1, 1000000000, &n->tokens);
    if (!status && more)
        status = cli_word(ctx, "sender", more, where, &which);
    n->tokens_stay = which == 1;
    return status;
}

static void words(const swq_async *n, char *text, size_t size)
{
    if (n->sender->window)
        snprintf(text, size, "window:%d", n->window);
    else if (n->sender->bucket)
        snprintf(text, size, "bucket:%g,%d", n->bucket_rate, n->bucket_burst);
    else if (n->sender->feedback)
        snprintf(text, size, "feedback:%d,%d,%d", n->feedback_hot, n->feedback_cold,
                 n->feedback_delay);
    else
        snprintf(text, size, "tokens:%d,%s", n->tokens, n->tokens_stay ? "stay" : "source");
}

void cli_sender_put(cli_record *model, const cli_async *n)
{
    char text[80];

    if (!n->network.sender)
        return;
    words(&n->network, text, sizeof text);
    cli_put_word(model, "sender", text);
    cli_put_number(model, "sender_state_bytes",
                   swq_sender_state_bytes(&n->network, n->fabric.nodes));
    if (n->network.sender->feedback)
        cli_put_number(model, "switch_state_bytes",
                       swq_sender_switch_bytes(&n->network, &n->fabric));
}

void cli_sender_say(cli_record *root, const cli_async *n)
{
    char text[80], at_switch[80] = "";

    if (!n->network.sender)
        return;
    words(&n->network, text, sizeof text);
    if (n->network.sender->feedback)
        snprintf(at_switch, sizeof at_switch, " and %.0f at each switch that nodes are linked to",
                 swq_sender_switch_bytes(&n->network, &n->fabric));
    cli_say(root, "senders are held back by %s, which takes %.0f bytes of state at each node%s",
            text, swq_sender_state_bytes(&n->network, n->fabric.nodes), at_switch);
}
