/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plug-ins in a context: what finds their rows, sets of them, and memory that runs out.
 */
#include "plugins/plugins.h"
#include "switchq/arbiter.h"
#include "switchq/traffic.h"
#include "tests/support/support.h"

TestSuite(plugins_load, .timeout = 60);

/* A plug-in of the examples; to be freed. */
static char *built(const char *name)
{
    const char *own = getenv("SWITCHQ"), *end = own ? strrchr(own, '/') : NULL;
    char *path = malloc(600);

    cr_assert(end, "set SWITCHQ to the program under test");
    snprintf(path, 600, "%.*s/examples/plugins/%s.so", (int)(end - own), own, name);
    return path;
}

/* Rows are found in the context that they were loaded into, and in no other one. */
Test(plugins_load, names)
{
    swq_context *ctx = swq_context_new(), *other = swq_context_new();
    const swq_arbiter *arbiter;
    const swq_pattern *pattern;
    char *turns = built("turns"), *halves = built("halves");

    cr_assert_eq(swq_arbiter_find(ctx, "turns", &arbiter), SWQ_EINVAL);
    cr_assert_eq(swq_plugin_load(ctx, turns), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(swq_plugin_load(ctx, halves), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(swq_arbiter_find(ctx, "turns", &arbiter), SWQ_OK);
    cr_assert_eq(swq_pattern_find(ctx, "halves", &pattern), SWQ_OK);
    cr_assert_eq(swq_arbiter_find(ctx, "random", &arbiter), SWQ_OK);
    cr_assert_eq(swq_arbiter_find(other, "turns", &arbiter), SWQ_EINVAL);
    cr_assert_str_eq(swq_plugin_at(ctx, 1)->path, halves);
    cr_assert_null(swq_plugin_at(ctx, 2));
    cr_assert_null(swq_plugin_at(other, 0));
    swq_plugins_unload(ctx);
    cr_assert_eq(swq_arbiter_find(ctx, "turns", &arbiter), SWQ_EINVAL);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    swq_context_free(other);
    free(turns);
    free(halves);
}

/* A row of a set that is no longer in use stays valid: it is the same row when its set is used
 * again. */
Test(plugins_load, sets)
{
    swq_context *ctx = swq_context_new();
    char *path[2] = {built("turns"), built("halves")};
    const swq_arbiter *first, *again;

    cr_assert_eq(swq_plugins_use(ctx, path, 0), SWQ_OK);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    cr_assert_eq(swq_plugins_use(ctx, path, 1), SWQ_OK);
    cr_assert_eq(swq_arbiter_find(ctx, "turns", &first), SWQ_OK);
    cr_assert_eq(swq_plugins_use(ctx, path + 1, 1), SWQ_OK);
    cr_assert_eq(swq_arbiter_find(ctx, "turns", &again), SWQ_EINVAL);
    cr_assert_str_eq(first->name, "turns");
    cr_assert_eq(swq_plugins_use(ctx, path, 0), SWQ_OK);
    cr_assert_null(swq_plugin_at(ctx, 0));
    const size_t blocks = swq_context_live_blocks(ctx);
    cr_assert_eq(swq_plugins_use(ctx, path, 1), SWQ_OK);
    cr_assert_eq(swq_context_live_blocks(ctx), blocks, "the set was there");
    cr_assert_eq(swq_arbiter_find(ctx, "turns", &again), SWQ_OK);
    cr_assert_eq(first, again);
    swq_plugins_unload(ctx);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    free(path[0]);
    free(path[1]);
}

/* Each allocation fails, once and for good: an error, the old set in use, and nothing leaked. */
Test(plugins_load, memory_runs_out)
{
    char *path[2] = {built("turns"), built("shares")};
    swq_status status = SWQ_ENOMEM;
    const swq_arbiter *arbiter;

    for (size_t after = 0; status; after++) {
        for (int for_good = 0; for_good < 2; for_good++) {
            swq_context *ctx = swq_context_new();
            cr_assert_eq(swq_plugins_use(ctx, path, 1), SWQ_OK);
            swq_context_fail_allocations(ctx, after, for_good);
            status = swq_plugins_use(ctx, path, 2);
            swq_context_fail_allocations(ctx, SIZE_MAX, false);
            cr_assert(status == SWQ_OK || status == SWQ_ENOMEM, "%s", swq_context_message(ctx));
            cr_assert_eq(swq_plugin_at(ctx, 1) != NULL, status == SWQ_OK);
            cr_assert_eq(swq_arbiter_find(ctx, "turns", &arbiter), SWQ_OK);
            swq_plugins_unload(ctx);
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "allocation %zu", after);
            swq_context_free(ctx);
        }
        cr_assert_lt(after, 1000u);
    }
    free(path[0]);
    free(path[1]);
}
