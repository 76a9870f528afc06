/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim --traffic noxim:FILE: the numbers of shares and loads that were worked out by hand, in both
 * engines, and refusals.
 */
#include "tests/cli/program.h"

TestSuite(cli_noxim, .init = program_begin, .fini = program_end, .timeout = 60);

#define MESH                                                                                       \
    "sim --topology mesh --dims 4x4 --architecture wormhole --length 8 --max-packet 8 "            \
    "--cycles 4000 "

static void write_file(const char *name, const char *text)
{
    FILE *to = fopen(name, "w");

    cr_assert(to && fputs(text, to) >= 0 && fclose(to) == 0);
}

static const char table[] =
    "% who sends to whom\n0 5 0.01 0.01\n0 7 0.03\n\n3 12 0.02\n15 0 0.05\n";

/* 0.01 and 0.03 packets of 8 flits are a load of 0.32, of which a quarter goes to node 5. */
Test(cli_noxim, a_table_is_shares_and_loads)
{
    write_file("table.txt", table);
    write_file("shares.csv", "sender,receiver,share\n0,5,0.25\n0,7,0.75\n3,12,1\n15,0,1\n");
    write_file("loads.txt", "0.32 0 0 0.16 0 0 0 0 0 0 0 0 0 0 0 0.4\n");
    cJSON *rates = program_json(MESH "--traffic noxim:table.txt --json");
    cJSON *shares = program_json(MESH "--traffic file:shares.csv --normalise --load file:loads.txt "
                                      "--json");

    const cJSON *group = cJSON_GetArrayItem(json_at(rates, "model.groups"), 0);
    const cJSON *load = json_at(group, "load");
    cr_expect_str_eq(json_string(group, "traffic"), "noxim:table.txt@8");
    cr_expect_float_eq(cJSON_GetArrayItem(load, 0)->valuedouble, 0.32, 1e-12);
    cr_expect_gt(json_number(rates, "result.delivered"), 100);
    cr_expect(cJSON_Compare(json_at(rates, "result"), json_at(shares, "result"), true));
    cJSON_Delete(rates);
    cJSON_Delete(shares);
}

/* In a synchronous network a packet is a flit. */
Test(cli_noxim, synchronous_networks)
{
    write_file("two.txt", "0 1 0.5 0.5\n1 0 0.25\n");
    write_file("loads.txt", "0.5 0.25\n");
    write_file("matrix.txt", "0 1 1 0\n");
#define SWITCH "sim --topology switch --ports 2 --buffer damq --slots 4 --cycles 3000 --json "
    cJSON *rates = program_json(SWITCH "--traffic noxim:two.txt");
    cJSON *shares = program_json(SWITCH "--traffic file:matrix.txt --load file:loads.txt");

    cr_expect(cJSON_Compare(json_at(rates, "result"), json_at(shares, "result"), true));
    cr_expect_gt(json_number(rates, "result.delivered"), 1000);
    cJSON_Delete(rates);
    cJSON_Delete(shares);
}

Test(cli_noxim, what_is_not_there_is_refused)
{
    static const char *const lines[][2] = {
        {"0 5", "must have a rate"},
        {"0 5 0.1 0.2", "column 4 must repeat column 3"},
        {"0 5 0.1 0.1 100", "columns 5 to 7"},
        {"3 3 0.1", "sends to itself"},
        {"0 16 0.1", "0 to 15"},
        {"0 5 1.5", "must be 0 to 1"},
        {"0 5 0.1\n0 5 0.02", "two shares of sender 0"},
        {"0 5 0.13", "node 0 sends 1.04 flits a cycle"},
        {"0 5 0", "no node of"},
    };
    static const char *const options[][2] = {
        {"--traffic noxim:table.txt --load 0.1", "--load does not change"},
        {"--traffic noxim:table.txt --interval 5", "--interval does not change"},
        {"--traffic noxim:table.txt --hot-spots 0.1:3", "--hot-spots does not change"},
        {"--traffic noxim:table.txt --find-saturation", "search for saturation"},
        {"--traffic noxim:table.txt --normalise", "has rates"},
        {"--traffic 0.5*noxim:table.txt+0.5*uniform --load 0.1", "for --traffic alone"},
        {"--group traffic=noxim:table.txt,load=0.1", "for --traffic alone"},
        {"--load noxim:table.txt", "noxim:table.txt"},
    };

    write_file("table.txt", table);
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        write_file("bad.txt", lines[k][0]);
        program_run run = program(MESH "--traffic noxim:bad.txt");
        expect_refusal(&run, 2, "bad.txt", lines[k][1]);
        program_free(&run);
    }
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        program_run run = program(MESH "%s", options[k][0]);
        expect_refusal(&run, 2, options[k][1], NULL);
        program_free(&run);
    }
}
