/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names with any bytes on their way out: JSON is valid UTF-8 whatever is quoted in it, and CSV has
 * no cell that a spreadsheet would take for a formula.
 */
#include "tests/cli/program.h"

TestSuite(cli_text, .init = program_begin, .fini = program_end, .timeout = 480);

/* All kinds of invalid UTF-8, among characters of one to four bytes. */
#define STRANGE                                                                                    \
    "a\\377\\302\\300\\257\\340\\237\\277\\355\\240\\200\\364\\220\\200\\200\\360\\237\\230"       \
    "b\\303\\251\\342\\202\\254\\360\\237\\230\\200"

/* The same as it is printed: each invalid byte is one U+FFFD. */
#define R      "\xef\xbf\xbd"
#define MENDED "a" R R R R R R R R R R R R R R R R R "b\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"

static void expect_utf8(const char *what)
{
    program_run run = program_shell("iconv -f UTF-8 -t UTF-16 out >/dev/null");

    cr_expect_eq(run.status, 0, "%s: not UTF-8: %s", what, run.err);
    program_free(&run);
}

/* Runs a shell command in which $name is the strange name; its output is in the file `out`. */
static char *output_of(const char *line)
{
    program_run run = program_shell("name=$(printf '" STRANGE "'); %s", line);
    char *text = file_text("out");

    cr_expect_eq(run.status, 0, "%s: status %d: %.300s", line, run.status, run.err);
    program_free(&run);
    expect_utf8(line);
    return text;
}

Test(cli_text, names_in_json_are_utf8)
{
    static const char *const lines[] = {
        "printf '0.5 0.5\\n0.5 0.5\\n' >\"$name\"; \"$SWITCHQ\" sim --buffer damq --slots 2 "
        "--ports 2 --stages 1 --load 0.5 --cycles 500 --traffic \"file:$name\" --json >out",
        "printf '2 2\\n0 1 1\\n1 0 1\\n' >\"$name.tra\"; \"$SWITCHQ\" solve --chain \"$name.tra\" "
        "--json >out",
        "printf 'command: solve\\nset: {buffer: damq, slots: 2, load: 0.5}\\n' >\"$name.yaml\"; "
        "\"$SWITCHQ\" sweep \"$name.yaml\" --json >out",
    };

    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        char *text = output_of(lines[k]);
        cJSON *tree = cJSON_ParseWithOpts(text, NULL, true);
        cr_expect(tree, "%s: not JSON: %.300s", lines[k], text);
        cr_expect(strstr(text, MENDED), "%s: no '%s' in %s", lines[k], MENDED, text);
        cJSON_Delete(tree);
        free(text);
    }
}

/* A message cut within a character, passed through a database. */
Test(cli_text, messages_of_a_sweep_are_utf8)
{
    free(output_of("long=$(printf '\\303\\251%.0s' $(seq 100)); "
                   "printf 'command: solve\\nset: {buffer: damq, slots: 2, load: 0.5, traffic: "
                   "\"file:a%s\"}\\n' \"$long$long\" >s.yaml; \"$SWITCHQ\" sweep s.yaml >/dev/null "
                   "2>&1; \"$SWITCHQ\" sweep s.db --status --json >out; \"$SWITCHQ\" "
                   "sweep s.db --export json >>out; \"$SWITCHQ\" sweep s.db --export csv >>out; "
                   "grep -q 'cannot read' out"));
}

static void expect_cells(const char *text, const char *const *cells)
{
    for (int k = 0; cells[k]; k++)
        cr_expect(strstr(text, cells[k]), "no '%s' in\n%s", cells[k], text);
}

Test(cli_text, names_of_states_are_no_formulas_in_csv)
{
    static const char *const cells[] = {
        ",'=1+1\n", ",'@sum\n", ",\"'-2,3\"\n", ",'+a\n", ",a=b\n", ",\"say \"\"x\"\"\"\n", NULL};
    char *text =
        output_of("printf '6 6\\n0 1 1\\n1 2 1\\n2 3 1\\n3 4 1\\n4 5 1\\n5 0 1\\n' >c.tra; "
                  "printf '(s)\\n0:=1+1\\n1:@sum\\n2:-2,3\\n3:+a\\n4:a=b\\n5:say \"x\"\\n' "
                  ">c.sta; \"$SWITCHQ\" solve --chain c.tra --states --csv >out");

    expect_cells(text, cells);
    free(text);
}

Test(cli_text, exported_cells_are_no_formulas_and_numbers_stay)
{
    static const char *const cells[] = {"solve,'=1+1,-0.5,", "solve,'@x,-0.5,",
                                        "solve,\"'+y,z\",-0.5,", "solve,damq,-0.5,", NULL};
    char *text = output_of("printf 'command: solve\\nset: {load: -0.5}\\nover: {buffer: [\"=1+1\", "
                           "\"@x\", \"+y,z\", damq]}\\n' >s.yaml; \"$SWITCHQ\" sweep s.yaml "
                           ">/dev/null 2>&1; \"$SWITCHQ\" sweep s.yaml --export csv >out");

    expect_cells(text, cells);
    free(text);
}
