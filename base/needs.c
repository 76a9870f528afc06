/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The words of the needs of rules, and the gate that compares the needs of a row with the needs
 * that a consumer meets.
 */
#include "switchq/needs.h"

#include "base/context.h"
#include "base/plugins.h"

#include <stdio.h>
#include <string.h>

static const char *const words[SWQ_NEED_COUNT] = {
    [SWQ_NEED_AGES] = "the ages of packets",
    [SWQ_NEED_OPEN_PORTS] = "input ports to be closed",
    [SWQ_NEED_ORDER] = "packets in the order of input ports",
    [SWQ_NEED_PUSH_OUT] = "stored packets to be pushed out",
    [SWQ_NEED_ALL_LENGTHS] = "the lengths of all queues for each packet that comes",
    [SWQ_NEED_KEPT_WORDS] = "words kept for each queue",
    [SWQ_NEED_EXPULSION] = "stored packets to be expelled",
    [SWQ_NEED_FUTURE] = "the packets that are still to come",
    [SWQ_NEED_FLOWS] = "the flow of each packet and what this flow sent before",
    [SWQ_NEED_OUTPUTS] = "memory behind the crossbar",
    [SWQ_NEED_STAGES] = "stage cycles",
    [SWQ_NEED_BYTES] = "packets that are seen in part",
    [SWQ_NEED_SIZES] = "packets of any size that come at any time",
    [SWQ_NEED_UNKNOWN] = "something that this version does not know",
};

const char *swq_need_words(swq_need need)
{
    return words[need];
}

static swq_needs needs_of(const swq_gated *table, const void *row)
{
    swq_needs needs;

    memcpy(&needs, (const char *)row + table->needs, sizeof needs);
    return needs;
}

static const char *name_of(const void *row)
{
    return *(const char *const *)row;
}

/* "; use a, b, c", or nothing if no row would do. */
static void list_others(swq_context *ctx, const swq_takes *takes, const swq_gated *table,
                        char *text, size_t size)
{
    const void *const *rows = swq_rows(ctx, table->rows);
    size_t used = 0;

    *text = '\0';
    for (int k = 0; rows[k] && used < size; k++) {
        if (!(needs_of(table, rows[k]) & ~takes->needs))
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "; use ",
                                     name_of(rows[k]));
    }
}

swq_status swq_gate(swq_context *ctx, const swq_takes *takes, const swq_gated *table,
                    const void *row)
{
    const swq_needs missing = needs_of(table, row) & ~takes->needs;
    char others[400];

    for (int k = 0; k < SWQ_NEED_COUNT; k++) {
        if (!(missing >> k & 1))
            continue;
        list_others(ctx, takes, table, others, sizeof others);
        return swq_fail(ctx, SWQ_EINVAL, "%s %s needs %s, which %s does not have%s", table->word,
                        name_of(row), words[k], takes->who, others);
    }
    return SWQ_OK;
}
