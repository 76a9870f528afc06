/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq chip as a user sees it.
 */
#include "tests/cli/program.h"

#include <string.h>
#include <unistd.h>

TestSuite(cli_chip, .init = program_begin, .fini = program_end, .timeout = 120);

/* Table 7.1: cycles 1 to 5, four of them until the header crosses. */
Test(cli_chip, table_7_1_as_it_happened)
{
    static const int cycle[] = {1, 2, 3, 3, 4, 5};
    cJSON *answer = program_json("chip --json");
    const cJSON *events = json_at(answer, "result.first_packet");

    cr_assert_eq(cJSON_GetArraySize(events), 6);
    for (int k = 0; k < 6; k++)
        cr_expect_eq(json_number(cJSON_GetArrayItem(events, k), "cycle"), cycle[k], "event %d", k);
    cr_expect_eq(json_number(answer, "result.header_cycles"), 4);
    cr_expect_eq(json_number(answer, "result.bytes_out"), 33);
    cJSON_Delete(answer);
}

Test(cli_chip, waveforms_have_every_register)
{
    char text[8192] = "";
    program_run run = program_succeeds("chip --waves w.vcd");
    FILE *file = fopen("w.vcd", "r");

    cr_assert(file);
    const size_t read = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    unlink("w.vcd");
    text[read] = '\0';
    static const char *const names[] = {
        "$timescale 1 ns", " link ",         " crossbar ", " sync ",     " head0 ",
        " null_free ",     " pointer12 ",    " header1 ",  " header12 ", " bypass3 ",
        " new_header ",    " fsm_fwd_busy ", "#20\n"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        cr_expect(strstr(text, names[k]), "no '%s'", names[k]);
    program_free(&run);
}

Test(cli_chip, bad_input_is_named)
{
    static const char *const line[][2] = {
        {"chip --block-bytes 9", "block-bytes must be even, not 9"},
        {"chip --block-bytes 4", "--block-bytes must be a whole number from 8 to 16, not '4'"},
        {"chip --block-bytes 18", "--block-bytes must be a whole number from 8 to 16, not '18'"},
        {"chip --packet-bytes 1", "--packet-bytes must be a whole number from 2 to 127, not '1'"},
        {"chip --blocks 3", "blocks must be 4 to 64, not 3"},
        {"chip --packets 5:0",
         "packets must be CYCLE:OUTPUT:BYTES, separated by commas, not '5:0'"},
        {"chip --packets 1:0:3,100:0:3", "cycle of packet 2 is 100, after the last of 60 cycles"},
        {"chip --packets 5:9:1", "output of packet 1 must be 0 to 3, not 9"},
        {"chip --packets 5:0:1 --begin 0.5", "--packets and --begin cannot both be given"},
        {"chip --control lifo", "control"},
    };

    for (size_t k = 0; k < sizeof line / sizeof *line; k++) {
        program_run run = program("%s", line[k][0]);
        cr_expect_eq(run.status, 2, "%s", line[k][0]);
        cr_expect(strstr(run.err, line[k][1]), "%s: %s", line[k][0], run.err);
        program_free(&run);
    }
}

/* A packet of 32 bytes and its header occupy the link for 33 cycles. */
Test(cli_chip, packets_that_still_wait_are_told)
{
    program_run run = program("chip --packets 1:0:32,5:0:32 --cycles 20");
    cr_expect_eq(run.status, 0);
    cr_expect_str_eq(run.err, "switchq: only 1 of 2 packets began within 20 cycles: the others "
                              "still waited\n");
    program_free(&run);
    run = program_succeeds("chip --packets 1:0:32,5:0:32 --cycles 60");
    program_free(&run);
}
