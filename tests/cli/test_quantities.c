/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One quantity has one name, and one name one quantity: every key of many answers has a row in the
 * table of quantities, stands for one kind of value, and is said on docs/keys.md to be of the
 * commands that give it; and commands that can answer the same question agree. Not held here: that
 * a row's words are true.
 */
#include "tests/cli/program.h"

#include <limits.h>
#include <math.h>

enum { KEYS = 999, LINE = 4000 };

/* The table's and the page's description of a key, and its observed use. */
typedef struct seen_key {
    char name[48], unit[120], meaning[400], commands[200];
    char kind; /* 'n'umber, 'w'ord, 't'ruth, 'g'roup or list; 0: not seen */
    char first[48];
} seen_key;

static seen_key known[KEYS];
static int keys;

static const char *const lines[] = {
    "solve --buffer fifo --slots 2 --load 0.6,0.9 --traffic hotspot:0.2 --variance --slope --delay "
    "--losses",
    "solve --buffer damq --slots 2 --load 0.5 --flow block",
    "solve --buffer damq --slots 2 --load 9/10 --exact",
    "solve --buffer damq --load 0.5 --target 0.01",
    "sim --buffer damq --slots 2 --load 0.9 --stages 2 --cycles 400 --high 0.1 --node-groups 0-1 "
    "--per-node --per-link --histogram --measure hop-wait",
    "sim --stages 2 --buffer damq --slots 4 --arbiter islip --iterations 2 --load 0.5 --cycles 400 "
    "--series 100",
    "sim --topology torus --dims 4x4 --buffer damq --bytes 256 --load 0.3 --cycles 2000 --flow "
    "block --per-node --per-link",
    "sim --topology tree --arity 2 --levels 3 --buffer damq --bytes 64 --load 0.6 --cycles 1000 "
    "--routing adaptive",
    "sim --engine async --architecture cioq --buffer fifo --bytes 64 --load 0.9 --cycles 1000",
    "sim --topology switch --architecture cioq --buffer damq --slots 2 --speedup 2 --output-slots "
    "2 "
    "--load 0.9 --cycles 400 --per-link",
    "sim --topology switch --architecture crosspoint --crosspoint-slots 2 --load 0.9 --cycles 400",
    "sim --engine async --architecture hipiqs --bytes 64 --length 5-30 --load 0.9 --cycles 2000",
    "sim --engine async --architecture multi-buffer --load 0.5 --cycles 1000",
    "sim --engine async --architecture central --bytes 64 --length 5-30 --load 0.9 --cycles 2000",
    "sim --topology torus --dims 4x4 --architecture wormhole --load 0.5 --cycles 1000",
    "sim --engine async --architecture atlas --load 0.5 --cycles 1000",
    "sim --engine async --ports 2 --stages 2 --buffer damq --flow path --load 0.9 --cycles 1000",
    "sim --ports 2 --stages 2 --slots 4 --buffer damq --flow block --find-saturation --warmup 100 "
    "--cycles 400",
    "sim --rare --topology switch --ports 2 --buffer damq --slots 2 --load 0.5 --cycles 5000",
    "sim --architecture shared-memory --load 1.2 --classes 2 --schedule drr --ecn red:10K,90K,0.5 "
    "--admission threshold --memory 100K --packet-bytes 64:0.5,1500:0.5 --duration 200us",
    "sim --architecture shared-memory --load 1.2 --admission minimum-maximum --queue-max 50K "
    "--queue-min 1K --memory 100K --duration 200us",
    "sim --architecture shared-memory --load 1.2 --admission abm --memory 100K --duration 200us",
    "sim --architecture shared-memory --load 1.2 --admission ib --memory 100K --duration 200us",
    "sim --architecture shared-memory --load 1.2 --admission reverie --memory 100K --duration "
    "200us",
    "sim --architecture shared-memory --load 1.2 --admission occamy --memory 100K --duration 200us",
    "sim --architecture shared-memory --sender dctcp --ecn step:30K --load 0.9 --sizes 30000 "
    "--admission fab "
    "--memory 100K --duration 200us",
    "sim --architecture shared-memory --sender delay --load 0.9 --sizes 30000 --incast 3000,3,20K "
    "--memory 300K --headroom 10K --pfc --duration 500us",
    "sim --architecture shared-memory --topology leaf-spine --sender open --load 0.9 --sizes 30000 "
    "--memory 300K --headroom 1K --pfc --pause-watchdog 5us --duration 200us",
    "sim --architecture shared-memory --topology leaf-spine --sender dctcp --ecn step:30K --load "
    "0.9 --sizes "
    "30000 "
    "--duration 500us",
    "sim --architecture shared-memory --topology fat-tree --ports 4 --spread flowlet:5us --sender "
    "window --load 0.9 --sizes 30000 --duration 200us --per-link --series 50us",
    "sim --architecture shared-memory --sender open --traffic ring-all-reduce:80K --off 20us "
    "--sizes 9K "
    "--duration 200us",
    "approx --buffer damq --slots 4 --load 0.5 --ports 2 --stages 2 --compare --cycles 400",
    "approx --buffer damq --slots 4 --traffic hotspot:0.1 --load 0.1 --ports 4 --stages 3 --flow "
    "block",
    "approx --topology torus --dims 3x3 --buffer damq --bytes 200 --load 0.5 --compare --cycles "
    "1000",
    "approx --methods",
    "formula",
    "formula output-queue --load 1 --ports 2",
    "formula torus --extent 4 --dims 2",
    "formula pfc-headroom",
    "headroom --gap 20 --headroom 60000",
    "formula complete-sharing --load 0.5,0.3 --slots 4",
    "table 4.1 --ports 3 --slots 2 --loads 0.5,0.9 --cycles 1000",
    "figure 6.2 --cycles 10 --no-plot",
    "validate --quick --only=reduced-unreduced*fifo-1*",
    "cost --buffer damq --slots 4",
    "cost --engine async --management recn-iq --ports 4 --stages 2",
    "worst --admission lqd --slots 4",
    "worst --admission lqd --slots 4 --objective excess",
    "worst --rule best --slots 3",
    "list",
};

/* "| `key` | unit | meaning | commands |" */
static bool read_row(char *line, char *part[4])
{
    char *at = line;

    if (strncmp(line, "| `", 3) != 0)
        return false;
    for (int k = 0; k < 4 && at; k++) {
        at = strstr(at, "| ");
        part[k] = at ? at + 2 : NULL;
        at = at ? strstr(at + 2, " |") : NULL;
        if (!at)
            return k >= 2;
        *at++ = '\0';
    }
    return true;
}

static seen_key *find(const char *name)
{
    for (int k = 0; k < keys; k++) {
        if (strcmp(known[k].name, name) == 0)
            return &known[k];
    }
    return NULL;
}

static void read_page(void)
{
    char path[PATH_MAX], line[LINE], *part[4];

    snprintf(path, sizeof path, "%s/docs/keys.md", getenv("SWITCHQ_SOURCE"));
    FILE *page = fopen(path, "r");
    cr_assert(page, "%s", path);
    for (bool all = false; fgets(line, sizeof line, page);) {
        all = all || strncmp(line, "## All keys", 11) == 0;
        memset(part, 0, sizeof part);
        if (!all || !read_row(line, part) || !part[3])
            continue;
        cr_assert_lt(keys, KEYS);
        seen_key *row = &known[keys++];
        snprintf(row->name, sizeof row->name, "%.*s", (int)strlen(part[0]) - 2, part[0] + 1);
        snprintf(row->unit, sizeof row->unit, "%s", part[1]);
        snprintf(row->meaning, sizeof row->meaning, "%s", part[2]);
        snprintf(row->commands, sizeof row->commands, "%s", part[3]);
    }
    fclose(page);
}

static void begin(void)
{
    program_begin();
    read_page();
}

TestSuite(cli_quantities, .init = begin, .fini = program_end, .timeout = 240);

Test(cli_quantities, the_page_is_the_table)
{
    cJSON *tree = program_json("list quantities --json"), *row;
    int rows = 0;

    cJSON_ArrayForEach(row, json_at(tree, "quantities"))
    {
        const cJSON *unit = cJSON_GetObjectItemCaseSensitive(row, "more");
        const seen_key *k = find(json_string(row, "name"));
        rows++;
        cr_expect(k, "docs/keys.md lacks %s", json_string(row, "name"));
        if (!k)
            continue;
        cr_expect_str_eq(k->meaning, json_string(row, "summary"), "%s", k->name);
        cr_expect_str_eq(k->unit, unit ? unit->valuestring : "", "%s", k->name);
    }
    cr_expect_eq(rows, keys);
    cJSON_Delete(tree);
}

/* ---- answers ---- */

static char kind_of(const cJSON *item)
{
    if (cJSON_IsArray(item))
        return item->child ? kind_of(item->child) : 0;
    if (cJSON_IsObject(item))
        return cJSON_GetObjectItemCaseSensitive(item, "half_width") ||
                       cJSON_GetObjectItemCaseSensitive(item, "numerator")
                   ? 'n'
                   : 'g';
    return cJSON_IsNumber(item) ? 'n' : cJSON_IsString(item) ? 'w' : cJSON_IsBool(item) ? 't' : 0;
}

/* Bounds are explained by the row of what they bound; a group may have the name of the number in
 * it. */
static bool is_bound(const char *name)
{
    const size_t length = strlen(name);

    return length > 6 &&
           (strcmp(name + length - 6, "_lower") == 0 || strcmp(name + length - 6, "_upper") == 0);
}

/* Results and parameters of formulas, and terms of costs, are explained by their commands. */
static bool has_own_names(const char *place)
{
    return strcmp(place, "results") == 0 || strcmp(place, "parameters") == 0 ||
           strcmp(place, "terms") == 0;
}

static void see(const cJSON *item, const char *place, const char *command)
{
    const char *name = item->string;
    const char kind = kind_of(item);
    seen_key *k = find(name);

    if (!k) {
        cr_expect(is_bound(name) || has_own_names(place), "%s: %s in '%s' has no row", command,
                  name, place);
        return;
    }
    cr_expect(strstr(k->commands, command) || strcmp(k->commands, "all") == 0,
              "docs/keys.md: %s is of %s, too", name, command);
    if (kind == 0 || kind == 'g' || has_own_names(place) || is_bound(name))
        return;
    cr_expect(!k->kind || k->kind == kind, "%s is '%c' in %s, and '%c' in %s", name, k->kind,
              k->first, kind, command);
    k->kind = kind;
    snprintf(k->first, sizeof k->first, "%.20s %.20s", command, place);
}

static void walk(const cJSON *tree, const char *place, const char *command)
{
    const cJSON *item;

    cJSON_ArrayForEach(item, tree)
    {
        if (cJSON_IsObject(tree)) {
            see(item, place, command);
        }
        if (strcmp(command, "validate") == 0 && item->string && strcmp(item->string, "levels") == 0)
            continue; /* names of levels are not keys */
        walk(item, cJSON_IsObject(tree) ? item->string : place, command);
    }
}

Test(cli_quantities, a_key_means_the_same_in_every_answer)
{
    char command[20];

    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        cJSON *tree = program_json("%s --json", lines[k]);
        snprintf(command, sizeof command, "%.*s", (int)strcspn(lines[k], " "), lines[k]);
        walk(tree, "", command);
        cJSON_Delete(tree);
    }
}

/* A result of a formula with a quantity's name is that quantity, or names the one that it is. */
Test(cli_quantities, results_of_formulas_are_told_apart)
{
    cJSON *tree = program_json("formula --json"), *formula, *result;

    cJSON_ArrayForEach(formula, json_at(tree, "formulas"))
    {
        cJSON_ArrayForEach(result, json_at(formula, "results"))
        {
            const char *name = json_string(result, "name");
            const cJSON *quantity = cJSON_GetObjectItemCaseSensitive(result, "quantity");
            const bool has = cJSON_IsString(quantity);
            cr_expect(!find(name) || has, "%s: what is %s?", json_string(formula, "name"), name);
            cr_expect(!has || find(quantity->valuestring), "%s: %s has no row",
                      json_string(formula, "name"), has ? quantity->valuestring : "");
        }
    }
    cJSON_Delete(tree);
}

/* ---- the same question ---- */

static void expect_near(const cJSON *exact, const cJSON *simulated, const char *name)
{
    char mean[80], half[80];

    snprintf(mean, sizeof mean, "%s.mean", name);
    snprintf(half, sizeof half, "%s.half_width", name);
    const double value = json_number(exact, cJSON_IsObject(json_at(exact, name)) ? mean : name);
    cr_expect_lt(fabs(json_number(simulated, mean) - value), 2.5 * json_number(simulated, half),
                 "%s: exact %g, simulated %g +- %g", name, value, json_number(simulated, mean),
                 json_number(simulated, half));
}

Test(cli_quantities, a_switch_and_its_chain_agree_by_name)
{
    static const char *const flows[] = {"discard", "block"};

    for (int k = 0; k < 2; k++) {
        cJSON *exact =
            program_json("solve --buffer damq --slots 4 --load 0.8 --flow %s --json", flows[k]);
        cJSON *run = program_json("sim --topology switch --ports 2 --buffer damq --slots 4 --load "
                                  "0.8 --flow %s --arbiter random --cycles 60000 --json",
                                  flows[k]);
        const cJSON *result = json_at(exact, "result");
        expect_near(result, json_at(run, "result"), "throughput");
        expect_near(result, json_at(run, "result"), "latency_cycles");
        expect_near(result, json_at(run, "result"), "refusal_probability");
        if (k == 0)
            expect_near(result, json_at(run, "result"), "discard_probability");
        else
            expect_near(result, json_at(run, "result"), "source_queue");
        expect_near(result, cJSON_GetArrayItem(json_at(run, "result.stages"), 0), "mean_packets");
        cJSON_Delete(exact);
        cJSON_Delete(run);
    }
}

Test(cli_quantities, hops_agree_by_name)
{
    cJSON *run =
        program_json("sim --topology torus --dims 4x4 --buffer damq --bytes 256 --load 0.1 "
                     "--cycles 40000 --json");
    cJSON *near =
        program_json("approx --topology torus --dims 4x4 --buffer damq --bytes 256 --load "
                     "0.1 --json");
    cJSON *formula = program_json("formula torus --extent 4 --dims 2 --json");
    const cJSON *point = json_at(near, "result");
    const cJSON *given = cJSON_GetArrayItem(json_at(formula, "points"), 0);

    expect_near(point, json_at(run, "result"), "switch_hops");
    cr_expect_float_eq(json_number(point, "link_hops"), json_number(given, "results.link_hops"),
                       1e-12);
    cJSON_Delete(run);
    cJSON_Delete(near);
    cJSON_Delete(formula);
}
