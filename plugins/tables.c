/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables that plug-ins add rows to, and the checks of names and fields of their rows.
 */
#include "base/context.h"
#include "models/buffers/buffers.h"
#include "plugins/inside.h"

#include <stddef.h>
#include <string.h>

enum { LONGEST_NAME = 31 };
static const size_t no_needs = SIZE_MAX;

static const void *const *arbiters_of(const swq_plugin *p)
{
    return (const void *const *)p->arbiters;
}
static const void *const *patterns_of(const swq_plugin *p)
{
    return (const void *const *)p->patterns;
}
static const void *const *buffers_of(const swq_plugin *p)
{
    return (const void *const *)p->buffers;
}
static const void *const *pool_rules_of(const swq_plugin *p)
{
    return (const void *const *)p->pool_rules;
}
static const void *const *admission_rules_of(const swq_plugin *p)
{
    return (const void *const *)p->admission_rules;
}

/* ---- fields ---- */

static swq_status check_arbiter(swq_context *ctx, const void *row)
{
    const swq_arbiter *a = row;

    if (!a->arbitrate)
        return swq_fail(ctx, SWQ_EINVAL, "it has no function arbitrate");
    if (a->alike > SWQ_ALIKE_ALL || a->compares > SWQ_COMPARES_NONE ||
        a->serves > SWQ_SERVES_IN_TURNS)
        return swq_fail(ctx, SWQ_EINVAL,
                        "alike, compares and serves must be values of their enumerations");
    if (a->unrolled || a->advances)
        return swq_fail(ctx, SWQ_EINVAL,
                        "unrolled and advances are for arbiters whose rule the engines have "
                        "written out, and must be false");
    if (a->step && a->memory)
        return swq_fail(ctx, SWQ_EINVAL, "an arbiter with steps has no memory");
    if (a->memory && !a->rename && a->alike != SWQ_ALIKE_NONE)
        return swq_fail(ctx, SWQ_EINVAL,
                        "an arbiter with memory needs a function rename, or SWQ_ALIKE_NONE");
    if (a->most_ports < 0 || a->most_ports > SWQ_MAX_PORTS || a->most_ports == 1)
        return swq_fail(ctx, SWQ_EINVAL, "most_ports must be 2 to %d, or 0, not %d", SWQ_MAX_PORTS,
                        a->most_ports);
    return swq_plugin_try_arbiter(ctx, row);
}

static swq_status check_pattern(swq_context *ctx, const void *row)
{
    const swq_pattern *p = row;

    if (!p->image || p->shuffled || p->matrix)
        return swq_fail(ctx, SWQ_EINVAL,
                        "a pattern of a plug-in is a fixed permutation: image must be a function, "
                        "shuffled and matrix false");
    if (p->alias)
        return swq_fail(ctx, SWQ_EINVAL, "a pattern of a plug-in has no alias");
    return SWQ_OK;
}

static swq_status check_buffer(swq_context *ctx, const void *row)
{
    const swq_buffer_kind *k = row;
    swq_buffer buffer;

    if (k->queue_min < 0 || k->queue_max < 0 || k->queue_min > SWQ_MAX_SLOTS ||
        k->queue_max > SWQ_MAX_SLOTS)
        return swq_fail(ctx, SWQ_EINVAL, "queue_min and queue_max must be 0 to %d", SWQ_MAX_SLOTS);
    if (k->queue_max > 0 && k->queue_max < k->queue_min)
        return swq_fail(ctx, SWQ_EINVAL, "queue_max must be 0 or at least queue_min, not %d",
                        k->queue_max);
    const int least = swq_buffer_least(k, NULL, 2);
    swq_status status = swq_buffer_preset(ctx, k, 2, least, &buffer);
    return status ? status : swq_buffer_check(ctx, &buffer, 2);
}

static swq_status check_pool_rule(swq_context *ctx, const void *row)
{
    const swq_pool_rule *r = row;

    if (r->opens_ports && !(r->needs & SWQ_NEEDS(SWQ_NEED_OPEN_PORTS)))
        return swq_fail(ctx, SWQ_EINVAL, "it opens ports and must declare SWQ_NEED_OPEN_PORTS");
    if (r->in_order && !(r->needs & SWQ_NEEDS(SWQ_NEED_ORDER)))
        return swq_fail(ctx, SWQ_EINVAL, "it looks at ports and must declare SWQ_NEED_ORDER");
    if (r->oldest_first && !(r->needs & SWQ_NEEDS(SWQ_NEED_AGES)))
        return swq_fail(ctx, SWQ_EINVAL, "it looks at ages and must declare SWQ_NEED_AGES");
    return SWQ_OK;
}

static swq_status check_admission(swq_context *ctx, const void *row)
{
    return swq_plugin_try_admission(ctx, row);
}

const swq_plugin_table swq_plugin_tables[SWQ_PLUGIN_TABLES] = {
    {"arbiter", (const void *const *)swq_arbiters, offsetof(swq_arbiter, needs), arbiters_of,
     check_arbiter},
    {"pattern", (const void *const *)swq_patterns, offsetof(swq_pattern, needs), patterns_of,
     check_pattern},
    {"buffer", (const void *const *)swq_buffer_kinds, SIZE_MAX, buffers_of, check_buffer},
    {"pool-rule", (const void *const *)swq_pool_rules, offsetof(swq_pool_rule, needs),
     pool_rules_of, check_pool_rule},
    {"admission", (const void *const *)swq_admission_rules, offsetof(swq_admission_rule, needs),
     admission_rules_of, check_admission},
};

/* ---- names ---- */

static const char *name_of(const void *row)
{
    return *(const char *const *)row;
}

/* The summary, which follows the name in the rows of all tables. */
static const char *summary_of(const void *row)
{
    return ((const char *const *)row)[1];
}

static bool is_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    const size_t length = strlen(name);

    return length >= 1 && length <= LONGEST_NAME && strchr(letters, *name) &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
}

/* Words that options take where they take a name of the table, and that have no row of their own.
 */
static bool is_word(const swq_plugin_table *table, const char *name)
{
    static const char *const traffic[] = {"hotspot", "file", "trace",     "node",
                                          "subset",  "all",  "multicast", "matrix"};

    for (size_t k = 0; k < sizeof traffic / sizeof *traffic; k++) {
        if (table->own == (const void *const *)swq_patterns && strcmp(traffic[k], name) == 0)
            return true;
    }
    if (table->own == (const void *const *)swq_patterns &&
        strcmp(swq_pattern_name(name), name) != 0)
        return true;
    return table->own == (const void *const *)swq_buffer_kinds && swq_buffer_is_word(name);
}

/* The name is well-formed, and no other row of the table has it: neither a row that is there, nor
 * one of the `before` rows before it in the plug-in. */
static swq_status check_name(swq_context *ctx, const swq_plugin_table *table,
                             const void *const *added, size_t before)
{
    const char *name = name_of(added[before]);
    const void *const *there = swq_rows(ctx, table->own);

    if (!name)
        return swq_fail(ctx, SWQ_EINVAL, "%s %zu of the plug-in has no name", table->word,
                        before + 1);
    if (!is_name(name))
        return swq_fail(ctx, SWQ_EINVAL,
                        "%s '%.40s': a name is 1 to %d lower-case letters, digits and hyphens, and "
                        "begins with a letter",
                        table->word, name, LONGEST_NAME);
    for (size_t k = 0; there[k]; k++) {
        const swq_plugin_file *from = swq_row_plugin(ctx, there[k]);
        if (strcmp(name_of(there[k]), name) == 0)
            return swq_fail(ctx, SWQ_EINVAL, "%s '%s' %s%.150s", table->word, name,
                            from ? "is one of plug-in " : "is a name of switchq's own",
                            from ? from->path : "");
    }
    for (size_t k = 0; k < before; k++) {
        if (strcmp(name_of(added[k]), name) == 0)
            return swq_fail(ctx, SWQ_EINVAL, "%s '%s' is there twice", table->word, name);
    }
    return is_word(table, name)
               ? swq_fail(ctx, SWQ_EINVAL, "%s '%s' is a word of switchq's own", table->word, name)
               : SWQ_OK;
}

static swq_status check_needs(swq_context *ctx, const swq_plugin_table *table, const void *row)
{
    swq_needs needs = 0;

    if (table->needs != no_needs)
        memcpy(&needs, (const char *)row + table->needs, sizeof needs);
    if (needs >> SWQ_NEED_COUNT)
        return swq_fail(ctx, SWQ_EINVAL,
                        "it declares a need that this version does not know (%#llx)",
                        (unsigned long long)needs);
    return SWQ_OK;
}

static swq_status check_row(swq_context *ctx, const swq_plugin_table *table,
                            const void *const *added, size_t at)
{
    char why[400];
    swq_status status = check_name(ctx, table, added, at);

    if (status)
        return status;
    if (!summary_of(added[at]))
        status = swq_fail(ctx, SWQ_EINVAL, "it has no summary");
    if (!status)
        status = check_needs(ctx, table, added[at]);
    if (!status)
        status = table->check(ctx, added[at]);
    if (!status)
        return SWQ_OK;
    snprintf(why, sizeof why, "%s", swq_context_message(ctx));
    return swq_fail(ctx, status, "%s '%s': %s", table->word, name_of(added[at]), why);
}

swq_status swq_plugin_check(swq_context *ctx, const swq_plugin *plugin)
{
    size_t rows = 0;

    for (int t = 0; t < SWQ_PLUGIN_TABLES; t++) {
        const void *const *added = swq_plugin_tables[t].added(plugin);
        for (size_t k = 0; added && added[k]; k++, rows++) {
            swq_status status = check_row(ctx, &swq_plugin_tables[t], added, k);
            if (status)
                return status;
        }
    }
    return rows ? SWQ_OK : swq_fail(ctx, SWQ_EINVAL, "the plug-in has no row");
}
