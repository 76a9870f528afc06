/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which engine `switchq sim` takes: --engine, a topology or a flow control that one engine alone
 * has, and nothing else decides; and every option of the other engine is refused with what to do.
 */
#include "tests/cli/program.h"

TestSuite(cli_sim_engine, .init = program_begin, .fini = program_end, .timeout = 240);

static void refuse_all(const bad_input *cases, size_t count, const char *with)
{
    for (size_t c = 0; c < count; c++) {
        program_run run = program("%s %s", with, cases[c].arguments);
        expect_refusal(&run, 2, cases[c].name, cases[c].value);
        program_free(&run);
    }
}

#define REFUSE(cases, with) refuse_all(cases, sizeof cases / sizeof *cases, with)

Test(cli_sim_engine, what_asks_for_an_engine)
{
    static const struct {
        const char *arguments, *engine;
    } cases[] = {
        {"--engine async", "async"},
        {"--engine async --topology switch", "async"},
        {"--engine async --slots 4", "async"},
        {"--topology torus --dims 4", "async"},
        {"--topology mesh --dims 2x2", "async"},
        {"--topology hypercube --dims 2", "async"},
        {"--flow maximum-usage --threshold 8", "async"},
        {"--engine plain --slots 4", "plain"},
        {"--slots 4", NULL},
        {"--slots 4 --flow block", NULL},
        {"--slots 4 --flow discard --topology cube --ports 2", NULL},
        {"--slots 4 --high 0.5", NULL},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        cJSON *tree =
            program_json("sim --buffer damq --load 0.1 --cycles 100 %s --json", cases[c].arguments);
        const char *engine = json_string(tree, "run.engine");
        if (cases[c].engine)
            cr_expect_str_eq(engine, cases[c].engine, "%s: %s", cases[c].arguments, engine);
        else
            cr_expect_str_neq(engine, "async", "%s", cases[c].arguments);
        cJSON_Delete(tree);
    }
}

/* An option that only one engine has does not choose it. */
Test(cli_sim_engine, no_option_of_an_engine_chooses_it)
{
    static const bad_input cases[] = {
        {"--bytes 128",
         "--bytes is for the asynchronous engine: ", "add --engine async, or give --slots\n"},
        {"--dims 4", "--dims is for the asynchronous engine: ",
         "add --topology torus, mesh, hypercube or hyperx\n"},
        {"--one-way", "--one-way is for the asynchronous engine: ", "add --topology torus\n"},
        {"--chained",
         "--chained is for the asynchronous engine: ", "add --topology torus or mesh\n"},
        {"--block 8", "--block is for the asynchronous engine: ", "add --engine async\n"},
        {"--max-packet 8", "--max-packet is for the asynchronous engine: ", "add --engine async\n"},
        {"--threshold 8", "--threshold is for the asynchronous engine: ", "add --engine async\n"},
        {"--release end", "--release is for the asynchronous engine: ", "add --engine async\n"},
        {"--hop-delay 8", "--hop-delay is for the asynchronous engine: ", "add --engine async\n"},
        {"--link-rest 8", "--link-rest is for the asynchronous engine: ", "add --engine async\n"},
        {"--length 8", "--length is for the asynchronous engine: ", "add --engine async\n"},
        {"--interval 8",
         "--interval is for the asynchronous engine: ", "add --engine async, or give --load\n"},
        {"--interval-from rest",
         "--interval-from is for the asynchronous engine: ", "add --engine async\n"},
        {"--group load=1",
         "--group is for the asynchronous engine: ", "add --engine async, or give --node-groups\n"},
    };

    REFUSE(cases, "sim --buffer damq --slots 4 --load 0.5");
    REFUSE(cases, "sim --buffer damq --slots 4 --load 0.5 --topology switch");
    REFUSE(cases, "sim --buffer damq --slots 4 --load 0.5 --flow block");
}

Test(cli_sim_engine, options_of_the_other_engine)
{
    static const bad_input cases[] = {
        {"--priority arbiter", "--priority", "--engine async"},
        {"--high 0.5", "--high", "synchronous"},
        {"--high 0", "--high", "synchronous"},
        {"--priority-slots 2", "--priority-slots", "synchronous"},
        {"--priority-queues one", "--priority-queues", "synchronous"},
        {"--credit same", "--credit", "synchronous"},
        {"--resend", "--resend", "synchronous"},
        {"--stale 3", "--stale", "synchronous"},
        {"--queue-limit 2", "--queue-limit", "synchronous"},
        {"--scope pool", "--scope pool", "no pools"},
        {"--pool-rule room", "--pool-rule", "synchronous"},
        {"--node-groups 0", "--node-groups", "synchronous"},
        {"--group-by source", "--group-by", "synchronous"},
        {"--flow discard", "--flow discard", "synchronous"},
        {"--rare", "--rare", "synchronous"},
        {"--importance rivals", "--importance", "synchronous"},
        {"--levels none", "--levels", "--topology tree and fat-tree"},
        {"--pilot-steps 2000", "--pilot-steps", "synchronous"},
        {"--traffic file:x", "'x'", "No such file"},
        {"--traffic matrix", "--traffic", "file:PATH"},
        {"--load file:x", "--load", "'file:x'"},
    };
    static const bad_input sync[] = {
        {"--bytes 128", "--bytes", "asynchronous"},
        {"--dims 4", "--dims", "asynchronous"},
        {"--one-way", "--one-way", "asynchronous"},
        {"--arity 4", "--arity", "asynchronous"},
        {"--levels 3", "--levels", "asynchronous"},
        {"--radix 8", "--radix", "asynchronous"},
        {"--up-ports 2", "--up-ports", "asynchronous"},
        {"--chained", "--chained", "asynchronous"},
        {"--block 8", "--block", "asynchronous"},
        {"--max-packet 8", "--max-packet", "asynchronous"},
        {"--threshold 8", "--threshold", "asynchronous"},
        {"--release end", "--release", "asynchronous"},
        {"--hop-delay 8", "--hop-delay", "asynchronous"},
        {"--link-rest 8", "--link-rest", "asynchronous"},
        {"--length 8", "--length", "asynchronous"},
        {"--interval 8", "--interval", "asynchronous"},
        {"--interval-from rest", "--interval-from", "asynchronous"},
        {"--group load=1", "--group", "asynchronous"},
        {"--bytes 128", "--bytes", "which has --slots"},
        {"--topology torus", "--topology torus", "asynchronous"},
        {"--flow maximum-usage", "--flow maximum-usage", "asynchronous"},
    };
    static const bad_input implied[] = {
        {"--topology torus --dims 4 --high 0.1", "--high", "--topology torus asks"},
        {"--topology torus --dims 4 --flow discard", "--flow discard", "--topology torus asks"},
        {"--flow maximum-usage --threshold 8 --high 0.1", "--high", "--flow maximum-usage asks"},
        {"--topology torsu", "'torsu'", "'torus'"},
    };

    REFUSE(cases, "sim --engine async --buffer damq --load 0.5");
    REFUSE(sync, "sim --engine sync --buffer damq --slots 4 --load 0.5");
    REFUSE(sync, "sim --engine plain --buffer damq --slots 4 --load 0.5");
    REFUSE(implied, "sim --buffer damq --load 0.5");
}
