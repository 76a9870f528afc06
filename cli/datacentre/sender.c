/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parameters of senders of hosts, as text: NAME:PARAMETER=VALUE,PARAMETER=VALUE.
 */
#include "base/context.h"
#include "cli/datacentre/values.h"
#include "cli/options/parse.h"
#include "cli/print/append.h"

#include <math.h>
#include <string.h>

static bool unit_of(swq_dc_kind kind, swq_unit_kind *unit)
{
    *unit = kind == SWQ_DC_TIME    ? SWQ_UNITS_TIME
            : kind == SWQ_DC_BYTES ? SWQ_UNITS_SIZE
                                   : SWQ_UNITS_RATE;
    return kind != SWQ_DC_NUMBER && kind != SWQ_DC_COUNT;
}

static swq_status unknown(swq_context *ctx, const swq_dc_sender *sender, const char *name)
{
    char all[300] = "";

    if (swq_dc_sender_parameters(sender) == 0)
        return swq_fail(ctx, SWQ_EINVAL, "--sender %s has no parameters, and cannot have '%.40s'",
                        sender->name, name);
    for (int k = 0; k < swq_dc_sender_parameters(sender); k++) {
        cli_append(all, sizeof all, "%s%s", k > 0 ? ", " : "", sender->parameter[k].name);
    }
    return swq_fail(ctx, SWQ_EINVAL,
                    "--sender %s has the parameters %s, as NAME=VALUE, not '%.40s'", sender->name,
                    all, name);
}

/* NAME=VALUE */
static swq_status read_one(swq_context *ctx, char *text, swq_dc_sending *s)
{
    const swq_dc_sender *sender = s->sender;
    const int count = swq_dc_sender_parameters(sender);
    char *equals = strchr(text, '='), what[80];
    uint64_t whole = 0;
    swq_unit_kind unit;
    int k = 0;

    if (!equals)
        return unknown(ctx, sender, text);
    *equals = '\0';
    while (k < count && strcmp(sender->parameter[k].name, text) != 0)
        k++;
    if (k == count)
        return unknown(ctx, sender, text);
    const swq_dc_sender_parameter *p = &sender->parameter[k];
    snprintf(what, sizeof what, "sender %s:%s", sender->name, p->name);
    if (s->given >> k & 1)
        return swq_fail(ctx, SWQ_EINVAL, "--%s is given twice", what);
    s->given |= 1u << k;
    if (!unit_of(p->kind, &unit))
        return cli_number_or_whole(ctx, what, equals + 1, p->least, p->most,
                                   p->kind == SWQ_DC_COUNT, &s->value[k]);
    char option[90];
    snprintf(option, sizeof option, "--%s", what);
    const swq_status status = swq_units_read(ctx, option, unit, equals + 1, (uint64_t)p->least,
                                             (uint64_t)p->most, &whole);
    s->value[k] = (double)whole;
    return status;
}

swq_status cli_dc_read_sender_values(swq_context *ctx, const char *given, swq_dc_sending *s)
{
    char text[CLI_DC_SENDER_TEXT], *at = text;
    swq_status status = SWQ_OK;

    const size_t length = strlen(given);

    if (length >= sizeof text)
        return swq_fail(ctx, SWQ_EINVAL, "--sender takes up to %zu characters of parameters",
                        sizeof text - 1);
    memcpy(text, given, length + 1);
    while (!status && at) {
        char *next = strchr(at, ',');
        if (next)
            *next++ = '\0';
        status = read_one(ctx, at, s);
        at = next;
    }
    return status;
}

const char *cli_dc_sender_value(const swq_dc_sender_parameter *p, double value,
                                char text[SWQ_UNITS_TEXT])
{
    swq_unit_kind unit;

    if (!unit_of(p->kind, &unit)) {
        snprintf(text, SWQ_UNITS_TEXT, "%.12g", value);
        return text;
    }
    swq_units_text(unit, (uint64_t)(value + .5), text);
    char *space = strchr(text, ' ');
    if (space)
        memmove(space, space + 1, strlen(space));
    return text;
}

bool cli_dc_any_sender(const swq_dc *dc, bool (*holds)(const swq_dc_sender *sender))
{
    for (int k = 0; k < dc->classes; k++) {
        if (holds(swq_dc_sending_of(&dc->network, k)->sender))
            return true;
    }
    return false;
}

bool cli_dc_is_acknowledged(const swq_dc_sender *sender)
{
    return strcmp(sender->name, "open") != 0;
}

bool cli_dc_is_windowed(const swq_dc_sender *sender)
{
    return sender->windowed;
}

bool cli_dc_is_delay(const swq_dc_sender *sender)
{
    return strcmp(sender->name, "delay") == 0;
}

const char *cli_dc_sender_names(const swq_dc *dc, char text[CLI_DC_SENDERS_TEXT])
{
    const swq_dc_sending *s = dc->network.sending;

    snprintf(text, CLI_DC_SENDERS_TEXT, "%s", s->sender->name);
    for (int k = 1; k < dc->classes && s[1].sender; k++) {
        cli_append(text, CLI_DC_SENDERS_TEXT, "+%s", s[k].sender->name);
    }
    return text;
}

const char *cli_dc_sender_words(const swq_dc_sender *sender, const double *value,
                                char text[CLI_DC_SENDER_TEXT])
{
    char one[SWQ_UNITS_TEXT];

    snprintf(text, CLI_DC_SENDER_TEXT, "%s", sender->name);
    for (int k = 0; k < swq_dc_sender_parameters(sender); k++) {
        cli_append(text, CLI_DC_SENDER_TEXT, "%c%s=%s", k == 0 ? ':' : ',',
                   sender->parameter[k].name,
                   cli_dc_sender_value(&sender->parameter[k], value[k], one));
    }
    return text;
}
