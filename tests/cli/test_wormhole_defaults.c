/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What wormhole networks have that others do not: open sources by default, a largest packet that
 * follows --length, and the latency of the tail before that of the head.
 */
#include "tests/cli/program.h"

#include <stdlib.h>
#include <string.h>

TestSuite(cli_wormhole_defaults, .init = program_begin, .fini = program_end, .timeout = 60);

#define MESH  "sim --topology mesh --dims 4x4 --load 0.3 --cycles 1000 --warmup 200 "
#define WORMS MESH "--architecture wormhole "

static void expect_same(const char *one, const char *other)
{
    cJSON *a = program_json("%s --json", one), *b = program_json("%s --json", other);

    cr_expect(cJSON_Compare(json_at(a, "result"), json_at(b, "result"), true), "%s and %s", one,
              other);
    cJSON_Delete(a);
    cJSON_Delete(b);
}

Test(cli_wormhole_defaults, sources_are_open)
{
    cJSON *worms = program_json("%s --json", WORMS),
          *stores = program_json("%s --buffer damq --json", MESH);
    program_run text = program("%s", WORMS), given = program("%s --sources open", WORMS);

    expect_same(WORMS, WORMS "--sources open");
    cr_expect_str_eq(json_string(worms, "model.groups.0.sources"), "open");
    cr_expect_str_eq(json_string(worms, "model.defaults.2"), "sources");
    cr_expect_str_eq(json_string(stores, "model.groups.0.sources"), "hold");
    cr_expect(strstr(text.out, "open sources: the default of wormhole networks"), "%s", text.out);
    cr_expect_null(strstr(given.out, "the default of wormhole networks"), "%s", given.out);
    cJSON_Delete(worms);
    cJSON_Delete(stores);
    program_free(&text);
    program_free(&given);
}

Test(cli_wormhole_defaults, the_largest_packet_follows_the_length)
{
    static const struct {
        const char *options;
        double largest;
    } cases[] = {
        {"--length 4", 4},
        {"--length 4-12", 12},
        {"--length 20 --flit 4", 20},
        {"--length 64", 32},                /* split, as before */
        {"--length 4 --max-packet 16", 16}, /* as given */
        {"--length geometric:4", 32},       /* without a longest message */
        {"--length 4 --traffic 0.5*node:3@16+0.5*uniform", 32},
        {"", 32},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cJSON *tree = program_json("%s %s --json", WORMS, cases[k].options);
        cr_expect_eq(json_number(tree, "model.max_packet"), cases[k].largest, "%s: %g",
                     cases[k].options, json_number(tree, "model.max_packet"));
        cJSON_Delete(tree);
    }
    expect_same(WORMS "--length 4", WORMS "--length 4 --max-packet 4");
}

Test(cli_wormhole_defaults, the_tail_comes_first_in_text)
{
    program_run worms = program("%s", WORMS), stores = program("%s --buffer damq", MESH);
    const char *tail = strstr(worms.out, "mean latency, tail"),
               *head = strstr(worms.out, "mean latency, head");

    cr_expect(tail && head && tail < head, "%s", worms.out);
    tail = strstr(stores.out, "mean latency, tail");
    head = strstr(stores.out, "mean latency  ");
    cr_expect(tail && head && head < tail, "%s", stores.out);
    program_free(&worms);
    program_free(&stores);
}
