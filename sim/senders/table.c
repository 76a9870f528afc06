/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schemes that hold senders back: the table, and what is asked of a row and its parameters.
 */
#include "sim/frame/schemes.h"

#include "base/context.h"
#include "base/names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const swq_sender_scheme *const swq_sender_schemes[] = {
    &swq_sender_window, &swq_sender_bucket, &swq_sender_feedback,
    &swq_sender_tokens, &swq_sender_dctcp,  NULL,
};

swq_status swq_sender_scheme_find(swq_context *ctx, const char *name, const swq_sender_scheme **row)
{
    const void *found =
        swq_name_lookup(ctx, "sender", name, (const void *const *)swq_sender_schemes);
    if (!found)
        return SWQ_EINVAL;
    *row = found;
    return SWQ_OK;
}

/* ---- parameters ---- */

int swq_sender_parameters(const swq_sender_scheme *row)
{
    int count = 0;

    while (count < SWQ_MAX_SENDER_PARAMETERS && row->parameter[count].name)
        count++;
    return count;
}

/* Adds text behind what is there, as far as it fits. */
static void add(char *text, size_t size, const char *more)
{
    const size_t used = strlen(text);

    snprintf(text + used, size - used, "%s", more);
}

const char *swq_sender_syntax(const swq_sender_scheme *row, char *text, size_t size)
{
    int open = 0;

    snprintf(text, size, "%s", row->name);
    for (int k = 0; k < swq_sender_parameters(row); k++) {
        const swq_sender_parameter *p = &row->parameter[k];
        add(text, size, p->optional ? "[" : "");
        add(text, size, k == 0 ? ":" : ",");
        open += p->optional;
        if (!p->word)
            add(text, size, p->name);
        for (int w = 0; p->word && p->word[w]; w++) {
            add(text, size, w > 0 ? "|" : "");
            add(text, size, p->word[w]);
        }
    }
    for (; open > 0; open--)
        add(text, size, "]");
    return text;
}

static swq_status check_value(swq_context *ctx, const swq_sender_scheme *row,
                              const swq_sender_parameter *p, double value)
{
    double most = p->most;

    for (int w = 0; p->word && p->word[w]; w++)
        most = w;
    if (value >= p->least && value <= most && (p->real || value == floor(value)) &&
        !(p->above && value == p->least))
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL, "sender %s's %s must be %s%.10g %s %.10g%s%s, not %.10g",
                    row->name, p->name, p->above ? "above " : "", p->least,
                    p->above ? "and at most" : "to", most, p->unit ? " " : "",
                    p->unit ? p->unit : "", value);
}

/* ---- what a scheme is for ---- */

/* Refuses networks in which hooks that the scheme has would not be called. */
static swq_status check_network(swq_context *ctx, const swq_async *n)
{
    const swq_sender_scheme *s = n->sender.row;

    if (swq_acks_ask(n))
        return swq_fail(ctx, SWQ_EINVAL,
                        "sender %s is not for flow %s, whose buffers refuse what has been sent",
                        s->name, n->flow.row->name);
    if (swq_pieces_asked(n))
        return swq_fail(ctx, SWQ_EINVAL, "sender %s is not for packets that go in pieces", s->name);
    const swq_store_hooks *stores = swq_async_stores(n);
    const bool managed = stores && !n->architecture.row->async.stores;
    if (stores && (s->hooks->marks || (s->hooks->entered && !stores->tells_entries)))
        return swq_fail(ctx, SWQ_EINVAL,
                        "sender %s is not for %s %s, whose stores do not tell how much they hold",
                        s->name, managed ? "management" : "architecture",
                        managed ? n->management.row->name : n->architecture.row->name);
    return SWQ_OK;
}

swq_status swq_scheme_check(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const swq_sender_scheme *s = n->sender.row;

    if (!s)
        return SWQ_OK;
    swq_status status = check_network(ctx, n);
    for (int k = 0; !status && k < swq_sender_parameters(s); k++)
        status = check_value(ctx, s, &s->parameter[k], n->sender.value[k]);
    return status || !s->hooks->check ? status : s->hooks->check(ctx, n, f);
}

/* ---- what it costs ---- */

double swq_scheme_bits(double most)
{
    return ceil(log2(most + 1));
}

double swq_sender_state_bytes(const swq_async *n, uint32_t nodes)
{
    return n->sender.row ? n->sender.row->hooks->node_bytes(n, nodes) : 0;
}

double swq_sender_switch_bytes(const swq_async *n, const swq_fabric *f)
{
    return n->sender.row && n->sender.row->hooks->switch_bytes
               ? n->sender.row->hooks->switch_bytes(n, f)
               : 0;
}
