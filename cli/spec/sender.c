/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The option for schemes that hold senders back, in addition to the flow control. A scheme's name,
 * its parameters and their ranges come from the scheme's row.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/print/append.h"
#include "cli/spec/async.h"

#include <string.h>

static swq_status read_sender(swq_context *ctx, const char *text, void *spec);

cli_parameter cli_sender_parameters[] = {
    {CLI_OPTION("sender", "SCHEME[:PARAMETERS]", SWQ_ENGINE_ASYNC), .axis = CLI_AXIS_SENDERS,
     .list = "senders", .read = read_sender,
     .about = "hold senders back by a scheme and its parameters, such as window:4, at most 4 "
              "unacknowledged packets to a node (switchq list senders; several: "
              "window:1,bucket:0.1,64); shared-memory: how hosts send, such as dcqcn:timer=55us, "
              "or for each class: dctcp+cubic (switchq list host-senders)",
     .key = "sender"},
    CLI_PARAMETERS_END,
};

/* "window:W, bucket:RATE,BURST or ..." */
static swq_status wrong(swq_context *ctx, const char *given)
{
    char all[400] = "", one[100];

    for (int k = 0; swq_sender_schemes[k]; k++) {
        const char *between = k == 0 ? "" : swq_sender_schemes[k + 1] ? ", " : " or ";
        cli_append(all, sizeof all, "%s%s", between,
                   swq_sender_syntax(swq_sender_schemes[k], one, sizeof one));
    }
    return swq_fail(ctx, SWQ_EINVAL, "--sender must be %s, not '%.60s'", all, given);
}

/* Cuts text at the first character `at`; returns the text behind it, or NULL. */
static char *split(char *text, char at)
{
    char *end = strchr(text, at);

    if (!end)
        return NULL;
    *end = '\0';
    return end + 1;
}

static swq_status read_value(swq_context *ctx, const swq_sender_scheme *row,
                             const swq_sender_parameter *p, const char *text, double *value)
{
    char name[80];
    int whole = 0;

    snprintf(name, sizeof name, "sender %s's %s", row->name, p->name);
    if (p->real)
        return cli_number(ctx, name, text, p->least, p->most, value);
    swq_status status = p->word ? cli_word(ctx, name, text, p->word, &whole)
                                : cli_integer(ctx, name, text, (int)p->least, (int)p->most, &whole);
    *value = whole;
    return status;
}

/* The parameters, separated by commas; `text` is taken apart. */
static swq_status read_values(swq_context *ctx, const char *given, char *text, swq_async *n)
{
    const int count = swq_sender_parameters(n->sender.row);
    swq_status status = SWQ_OK;

    for (int k = 0; k < count && !status; k++) {
        const swq_sender_parameter *p = &n->sender.row->parameter[k];
        char *more = text ? split(text, ',') : NULL;
        if (text)
            status = read_value(ctx, n->sender.row, p, text, &n->sender.value[k]);
        else if (p->optional)
            n->sender.value[k] = p->preset;
        else
            status = wrong(ctx, given);
        text = more;
    }
    return !status && text ? wrong(ctx, given) : status;
}

static swq_status read_sender(swq_context *ctx, const char *given, void *spec)
{
    swq_async *n = &((cli_async *)spec)->network;
    char text[80], *values;

    if (strlen(given) >= sizeof text || !strchr(given, ':'))
        return wrong(ctx, given);
    snprintf(text, sizeof text, "%s", given);
    values = split(text, ':');
    if (swq_sender_scheme_find(ctx, text, &n->sender.row))
        return wrong(ctx, given);
    return read_values(ctx, given, values, n);
}

/* The scheme as --sender takes it, with all parameters. */
static void words(const swq_async *n, char *text, size_t size)
{
    snprintf(text, size, "%s", n->sender.row->name);
    for (int k = 0; k < swq_sender_parameters(n->sender.row); k++) {
        const swq_sender_parameter *p = &n->sender.row->parameter[k];
        const double value = n->sender.value[k];
        const size_t used = strlen(text);
        char *end = text + used;
        const char *between = k == 0 ? ":" : ",";
        if (p->word)
            snprintf(end, size - used, "%s%s", between, p->word[(int)value]);
        else if (p->real)
            snprintf(end, size - used, "%s%g", between, value);
        else
            snprintf(end, size - used, "%s%.0f", between, value);
    }
}

void cli_sender_put(cli_record *model, const cli_async *n)
{
    char text[80];

    if (!n->network.sender.row)
        return;
    words(&n->network, text, sizeof text);
    cli_put_word(model, "sender", text);
    cli_put_number(model, "sender_state_bytes",
                   swq_sender_state_bytes(&n->network, n->fabric.nodes));
    const double at_switch = swq_sender_switch_bytes(&n->network, &n->fabric);
    if (at_switch > 0)
        cli_put_number(model, "switch_state_bytes", at_switch);
}

void cli_sender_say(cli_record *root, const cli_async *n)
{
    char text[80], at_switch[80] = "";

    if (!n->network.sender.row)
        return;
    words(&n->network, text, sizeof text);
    const double bytes = swq_sender_switch_bytes(&n->network, &n->fabric);
    if (bytes > 0)
        snprintf(at_switch, sizeof at_switch, " and %.0f at each switch that nodes are linked to",
                 bytes);
    cli_say(root, "senders are held back by %s, which takes %.0f bytes of state at each node%s",
            text, swq_sender_state_bytes(&n->network, n->fabric.nodes), at_switch);
}
