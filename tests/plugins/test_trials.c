/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The trials of plug-ins' rows refuse no rule that is right: all built-in rows pass them.
 */
#include "plugins/inside.h"
#include "tests/support/support.h"

TestSuite(plugins_trials, .timeout = 60);

Test(plugins_trials, built_in_arbiters_pass)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; swq_arbiters[k]; k++) {
        cr_expect_eq(swq_plugin_try_arbiter(ctx, swq_arbiters[k]), SWQ_OK, "%s: %s",
                     swq_arbiters[k]->name, swq_context_message(ctx));
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(plugins_trials, built_in_rules_of_admission_pass)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; swq_admission_rules[k]; k++) {
        const swq_admission_rule *rule = swq_admission_rules[k];
        if (rule->fate || rule->set) /* not `room`, by which the preset's numbers stand */
            cr_expect_eq(swq_plugin_try_admission(ctx, rule), SWQ_OK, "%s: %s", rule->name,
                         swq_context_message(ctx));
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}
