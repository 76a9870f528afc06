/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every arbiter and pool rule with every command that makes a chain: an answer or a refusal, never
 * a crash.
 */
#include "tests/cli/program.h"

TestSuite(cli_chain_rules, .init = program_begin, .fini = program_end, .timeout = 480);

#define SWITCH(arbiter) "--buffer damq --slots 2 --load 0.5 --arbiter %s ", (arbiter)

static void expect_answer_or_refusal(program_run run)
{
    cr_assert(run.status == 0 || run.status == 2, "%s: %d, %s", run.arguments, run.status, run.err);
    if (run.status == 2)
        expect_refusal(&run, 2, NULL, NULL);
    program_free(&run);
}

Test(cli_chain_rules, arbiters)
{
    for (int k = 0; swq_arbiters[k]; k++) {
        const char *name = swq_arbiters[k]->name;
        expect_answer_or_refusal(program("solve " SWITCH(name)));
        expect_answer_or_refusal(program("solve --exact " SWITCH(name)));
        expect_answer_or_refusal(program("solve --delay " SWITCH(name)));
        for (int f = 0; swq_export_formats[f]; f++)
            expect_answer_or_refusal(
                program("export --buffer damq --slots 2 --load 0.5 --arbiter %s --format %s "
                        "--output x.%d",
                        name, swq_export_formats[f]->name, k * 100 + f));
        expect_answer_or_refusal(program("approx --method exact-chains --stages 2 --ports 2 "
                                         "--buffer fifo --slots 2 --load 0.5 --arbiter %s",
                                         name));
        expect_answer_or_refusal(
            program("table 4.1 --ports 3 --slots 1 --load 0.5 --arbiter %s --cycles 200", name));
    }
}

Test(cli_chain_rules, pool_rules)
{
    for (int k = 0; swq_pool_rules[k]; k++) {
        const char *name = swq_pool_rules[k]->name;
        static const char *const commands[] = {"solve", "solve --exact", "export --format drn -o x",
                                               "export --format prism-source -o y"};
        for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
            program_run run =
                program("%s --buffer cbda --slots 2 --load 0.5 --pool-rule %s", commands[c], name);
            cr_assert_eq(run.status,
                         swq_pool_rules[k]->needs &
                                 (SWQ_NEEDS(SWQ_NEED_AGES) | SWQ_NEEDS(SWQ_NEED_ORDER))
                             ? 2
                             : 0,
                         "%s: %s", run.arguments, run.err);
            if (run.status)
                expect_refusal(&run, 2,
                               swq_pool_rules[k]->needs & SWQ_NEEDS(SWQ_NEED_AGES)
                                   ? "pool-rule oldest needs the ages of packets"
                                   : "pool-rule in-order needs packets in the order of input ports",
                               "use room, ports");
            program_free(&run);
        }
        expect_answer_or_refusal(program("approx --method exact-chains --stages 2 --ports 2 "
                                         "--buffer cbda --slots 2 --load 0.5 --pool-rule %s",
                                         name));
    }
}
