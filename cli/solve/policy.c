/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq solve --policy: the least loss that any policy can reach, and what that policy does.
 */
#include "base/context.h"
#include "cli/options/words.h"
#include "cli/print/words.h"
#include "cli/solve/solve.h"

#include <stdlib.h>

enum { SHOWN_RULES = 60 }; /* in text */

swq_status cli_policy_read(swq_context *ctx, const char *name, const cli_spec *spec,
                           const swq_policy **policy)
{
    swq_status status = swq_policy_find(ctx, name, policy);

    if (!status && (*policy)->arbitration && cli_given(cli_spec_options, "arbiter"))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--policy %s chooses who sends: --arbiter cannot be given with it", name);
    return status ? status : swq_optimal_check(ctx, &spec->sw, *policy);
}

static void put_rules(cli_record *policy, const swq_optimal *o)
{
    cli_record *rules = cli_not_in_csv(cli_put_list(policy, "rules", NULL));

    for (int64_t k = 0; k < o->rules; k++) {
        const swq_rule *r = &o->rule[k];
        cli_record *rule = cli_put_item(rules, NULL);
        cli_put_word(rule, "decision", r->sends ? "send" : "admit");
        cli_put_word(rule, "situation", r->state);
        cli_put_word(rule, "arriving", r->arriving);
        cli_put_word(rule, "action", r->action);
        cli_put_number(rule, "regret_packets", r->regret);
    }
}

/* Rules of one kind, as many as a page has room for. */
static void say_rules(cli_record *to, const swq_optimal *o, bool sends, const char *title)
{
    int64_t shown = 0, all = 0;

    for (int64_t k = 0; k < o->rules; k++) {
        const swq_rule *r = &o->rule[k];
        if (r->sends != sends)
            continue;
        if (all++ == 0)
            cli_say(to, "\n%s", title);
        if (all > SHOWN_RULES)
            continue;
        shown++;
        cli_say(to, "  %s%s%s: %s  (%.2g)", r->state, sends ? "" : " arriving ",
                sends ? "" : r->arriving, r->action, r->regret);
    }
    if (all > shown)
        cli_say(to, "  and %lld more; --json has all", (long long)(all - shown));
}

cli_record *cli_policy_record(const cli_spec *spec, const swq_policy *policy, const swq_optimal *o,
                              size_t peak)
{
    const double width = (o->discard.upper - o->discard.lower) / 2;
    const cli_solved solved = {"value iteration",
                               NULL,
                               o->iterations,
                               width,
                               o->discard.value > 0 ? width / o->discard.value : 0,
                               o->converged,
                               o->seconds,
                               peak};
    cli_record *root = cli_record_new("switchq/solve/1");

    cli_put_model(root, spec);
    cli_say_question(root, root);
    cli_say(root, "%s", "");
    cli_say(root, "policy %s, in place of the rules above: %s\n", policy->name, policy->summary);
    cli_record *result = cli_the_result(cli_put_group(root, "result", NULL));
    cli_put_proven(result, "discard_probability", "discard", &o->discard);
    cli_put_proven(result, "throughput", "throughput", &o->throughput);
    cli_record *chain = cli_quietly(cli_put_group(root, "chain", NULL));
    cli_put_count(chain, "states", (uint64_t)o->states);
    cli_record *group = cli_quietly(cli_put_group(root, "policy", NULL));
    cli_put_word(group, "policy", policy->name);
    cli_put_count(group, "situations", (uint64_t)o->situations);
    cli_put_count(group, "actions", (uint64_t)o->actions);
    if (!o->steps)
        put_rules(group, o);
    else
        cli_say(root,
                "\ndecided packet by packet, as all decisions of a cycle together are too many "
                "for the memory (--mem): the rule is not listed");
    say_rules(root, o, false,
              "who is admitted, where it matters: (queues of input 0 | of input 1), output of each "
              "arriving packet: by input, what is best (packets that anything else costs more)");
    say_rules(
        root, o, true,
        "who sends, where it matters: (queues of input 0 | of input 1): input>output (packets "
        "that the next best costs more)");
    cli_say(
        root,
        "\n  %lld state%s, %lld situations with %lld actions; value iteration over %lld cycles, "
        "in %.3f s",
        (long long)o->states, cli_plural((uint64_t)o->states), (long long)o->situations,
        (long long)o->actions, (long long)o->iterations, o->seconds);
    if (o->actions > o->situations)
        cli_say(root, "  no policy of this kind loses less than the lower bound");
    cli_put_solver(root, &solved);
    return root;
}
