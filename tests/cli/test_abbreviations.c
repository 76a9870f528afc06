/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands and long options may be written as short as they are told apart.
 */
#include "tests/cli/program.h"

TestSuite(cli_abbreviations, .init = program_begin, .fini = program_end, .timeout = 240);

static void expect_same(const char *full, const char *brief)
{
    program_run one = program_succeeds("%s", full), other = program_succeeds("%s", brief);

    cr_expect_str_eq(one.out, other.out, "%s", brief);
    program_free(&one);
    program_free(&other);
}

Test(cli_abbreviations, what_begins_one_name_alone_is_that_name)
{
    expect_same("solve --buffer damq --slots 4 --load 0.5 --csv",
                "so --buf damq --slot 4 --loa=0.5 --csv");
    expect_same("sim --buffer damq --slots 4 --load 0.5 --cycles 200 --seed 3 --csv",
                "sim --buff damq --slo 4 --load 0.5 --cyc=200 --see 3 --csv");
    expect_same("formula hol-saturation --ports 4", "form hol-saturation --po 4");
    expect_same("--version", "version");
    expect_same("--version", "-V");
    expect_same("list buffers", "li buffers");
}

/* A value is not an option, whatever it looks like, and neither is anything after "--". */
Test(cli_abbreviations, values_stay_as_they_are)
{
    program_run run = program("solve --buf --slots --slots 4 --load 0.5");
    expect_refusal(&run, 2, "buffer '--slots' is unknown", NULL);
    program_free(&run);
    run = program("solve --buf fifo -- --slo");
    expect_refusal(&run, 2, "unexpected argument '--slo'", NULL);
    program_free(&run);
}

Test(cli_abbreviations, an_ambiguous_one_is_refused_with_its_candidates)
{
    static const bad_input bad[] = {
        {"s", "'s' is ambiguous", "solve, sim, sweep"},
        {"solve --slo 4", "--slo is ambiguous", "--slots, --slope"},
        {"solve --l=0.5", "--l=0.5 is ambiguous", "--load, --losses"},
        {"solve --help-al --he", "--he is ambiguous", "--help, --help-all"},
        {"solve --qeue-min 3", "unknown option --qeue-min", "--queue-min"},
        {"solv3", "'solv3' is unknown", "'solve'"},
    };

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        program_run run = program("%s", bad[k].arguments);
        expect_refusal(&run, 2, bad[k].name, bad[k].value);
        program_free(&run);
    }
}

/* The answer says what was meant. */
Test(cli_abbreviations, the_answer_has_the_full_names)
{
    program_run run = program_succeeds("so --buf damq --slots 4 --loa=0.5 --js");

    cr_expect(strstr(run.out, "\"switchq solve --buffer damq --slots 4 --load=0.5 --json\""), "%s",
              run.out);
    program_free(&run);
}

/* An option of other simulators is known by the word of the field that it is. */
Test(cli_abbreviations, options_of_other_tools_are_explained)
{
    static const bad_input cases[] = {
        {"sim --num_vcs 4 --load 0.1", "--num_vcs", "it is --lanes"},
        {"sim --vcs=4 --load 0.1", "--vcs=4", "it is --lanes"},
        {"sim --injection-rate 0.1", "--injection-rate", "it is --load"},
        {"sim --packet_size 3 --load 0.1", "--packet_size", "it is --length"},
        {"solve --vcs 3", "--vcs", "--help-all"}, /* solve has no lanes */
        {"sim --lanse 3 --load 0.1", "--lanse", "did you mean --lanes"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = program("%s", cases[k].arguments);
        expect_refusal(&run, 2, cases[k].name, cases[k].value);
        program_free(&run);
    }
}
