/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq solve --exact: the answers as fractions. Numbers are read from the words that were
 * written, which the reading of the spec keeps.
 * Room: cli.
 */
#include "switchq/rational.h"
#include "base/context.h"
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

enum {
    READABLE = 60, /* digits of a number that text shows in full */
    SHOWN = 12     /* of a longer one */
};

/* One answer in all outputs. */
typedef struct {
    const char *key, *name, *unit;
    const swq_fraction *value;
} figure;

enum { MOST_FIGURES = 8 };

/* The answers that a flow control has, ended by a NULL key; returns figures. */
static const figure *figures_of(const swq_rational_answers *a, swq_flow flow,
                                figure figures[MOST_FIGURES + 1])
{
    const figure all[] = {
        {"discard_probability", "discard probability", "", &a->discard},
        {"throughput", "throughput", " packets per output and cycle", &a->throughput},
        {"saturation_throughput", "saturation throughput", " packets per output and cycle",
         &a->saturation},
        {"refusal_probability", "refused", " of the offers", &a->refusal},
        {"mean_packets", "mean packets", " in all buffers, after transmission", &a->mean_packets},
        {"mean_delay_cycles", "mean delay", " cycles from reception to departure", &a->mean_delay},
        {"mean_held_packets", "mean packets held", " by all sources", &a->mean_held},
        {"mean_source_wait_cycles", "mean wait at source", " cycles from creation to reception",
         &a->mean_source_wait},
    };
    static const char in_discard[] = "xx..xx..", in_block[] = ".xxxxxxx";
    const char *wanted = flow == SWQ_BLOCK ? in_block : in_discard;
    int count = 0;

    for (int k = 0; k < MOST_FIGURES; k++) {
        if (wanted[k] == 'x')
            figures[count++] = all[k];
    }
    figures[count] = (figure){0};
    return figures;
}

static const char *by_input_key(swq_flow flow)
{
    return flow == SWQ_BLOCK ? "refusal_by_input" : "discard_by_input";
}

/* ---- JSON ---- */

static cJSON *json_fraction(const swq_fraction *f)
{
    if (!f->numerator)
        return cJSON_CreateNull();
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "numerator", f->numerator);
    cJSON_AddStringToObject(object, "denominator", f->denominator);
    cJSON_AddRawToObject(object, "decimal", f->decimal);
    return object;
}

static cJSON *json_fractions(const swq_fraction *f, int count)
{
    cJSON *array = cJSON_CreateArray();

    for (int i = 0; i < count; i++)
        cJSON_AddItemToArray(array, json_fraction(&f[i]));
    return array;
}

static cJSON *json_of(const cli_spec *spec, const swq_rational_answers *a, size_t peak)
{
    figure figures[MOST_FIGURES + 1];
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/solve-exact/1");
    cJSON_AddItemToObject(tree, "model", cli_json_model(spec));
    cJSON *chain = cJSON_AddObjectToObject(tree, "chain");
    cli_json_number(chain, "states", (double)a->states);
    cli_json_number(chain, "transient_states", (double)a->transient);
    cJSON *solver = cJSON_AddObjectToObject(tree, "solver");
    cJSON_AddStringToObject(solver, "name", "p-adic lifting");
    cli_json_number(solver, "largest_integer_bits", (double)a->bits);
    cli_json_number(solver, "seconds", a->seconds);
    cli_json_number(solver, "peak_bytes", (double)peak);
    cJSON *exact = cJSON_AddObjectToObject(tree, "exact");
    cJSON_AddItemToObject(exact, "load", json_fractions(a->load, a->ports));
    for (const figure *f = figures_of(a, spec->sw.flow, figures); f->key; f++)
        cJSON_AddItemToObject(exact, f->key, json_fraction(f->value));
    cJSON_AddItemToObject(exact, by_input_key(spec->sw.flow),
                          json_fractions(a->refusal_input, a->ports));
    return tree;
}

/* ---- CSV ---- */

static void csv_heading(const char *key)
{
    printf(",%s_numerator,%s_denominator,%s", key, key, key);
}

/* Several fractions in the same three columns, joined by semicolons; undefined ones are empty. */
static void csv_fractions(const swq_fraction *f, int count)
{
    for (int i = 0; i < count; i++)
        printf("%c%s", i ? ';' : ',', f[i].numerator ? f[i].numerator : "");
    for (int i = 0; i < count; i++)
        printf("%c%s", i ? ';' : ',', f[i].numerator ? f[i].denominator : "");
    for (int i = 0; i < count; i++)
        printf("%c%s", i ? ';' : ',', f[i].numerator ? f[i].decimal : "");
}

static void print_csv(const cli_spec *spec, const swq_rational_answers *a)
{
    figure figures[MOST_FIGURES + 1];
    const swq_switch *sw = &spec->sw;
    int loads = spec->same_load ? 1 : sw->ports;

    figures_of(a, sw->flow, figures);
    fputs("buffer,ports,slots,flow,credit,arbiter,traffic,states", stdout);
    csv_heading("load");
    for (const figure *f = figures; f->key; f++)
        csv_heading(f->key);
    csv_heading(by_input_key(sw->flow));
    printf("\n%s,%d,%d,%s,%s,%s,%s,%lld", spec->buffer, sw->ports, spec->slots,
           cli_flow_words[sw->flow], cli_credit_words[sw->credit], sw->arbiter->name, spec->traffic,
           (long long)a->states);
    csv_fractions(a->load, loads);
    for (const figure *f = figures; f->key; f++)
        csv_fractions(f->value, 1);
    csv_fractions(a->refusal_input, a->ports);
    putchar('\n');
}

/* ---- text ---- */

static void print_number(const char *digits)
{
    size_t count = strlen(digits);

    if (count <= READABLE)
        fputs(digits, stdout);
    else
        printf("%.*s...(%zu digits)", SHOWN, digits, count);
}

static bool is_whole(const swq_fraction *f)
{
    return strcmp(f->denominator, "1") == 0;
}

static void print_parts(const swq_fraction *f)
{
    print_number(f->numerator);
    if (!is_whole(f)) {
        putchar('/');
        print_number(f->denominator);
    }
}

static void print_fraction(const char *name, const swq_fraction *f, const char *unit)
{
    if (!f->numerator)
        return;
    printf("  %-22s ", name);
    print_parts(f);
    if (!is_whole(f))
        printf("\n  %-22s = %s", "", f->decimal);
    puts(unit);
}

/* A line for each input, or one where they are all the same. */
static void print_by_input(const char *what, const swq_fraction *f, int inputs)
{
    bool same = true;
    char name[40];

    for (int i = 1; i < inputs; i++)
        same = same && strcmp(f[i].numerator, f[0].numerator) == 0 &&
               strcmp(f[i].denominator, f[0].denominator) == 0;
    for (int i = 0; i < (same ? 1 : inputs); i++) {
        snprintf(name, sizeof name, same ? "%s, each input" : "%s, input %d", what, i);
        print_fraction(name, &f[i], "");
    }
}

static void print_text(const cli_spec *spec, const swq_rational_answers *a)
{
    const bool block = spec->sw.flow == SWQ_BLOCK;
    figure figures[MOST_FIGURES + 1];

    cli_spec_print(spec);
    for (const figure *f = figures_of(a, spec->sw.flow, figures); f->key; f++)
        print_fraction(f->name, f->value, f->unit);
    print_by_input(block ? "refused" : "discarded", a->refusal_input, a->ports);
    printf("\n  exact, with every probability taken as it was written: load");
    for (int i = 0; i < (spec->same_load ? 1 : a->ports); i++) {
        fputs(i ? ", " : " ", stdout);
        print_parts(&a->load[i]);
    }
    printf("\n  %lld state%s", (long long)a->states, a->states == 1 ? "" : "s");
    if (a->transient)
        printf(", %lld transient", (long long)a->transient);
    printf("; solved by p-adic lifting in %.3f s, checked in integers of %lld bits\n", a->seconds,
           (long long)a->bits);
}

/* ---- reading ---- */

static swq_status check_options(swq_context *ctx, bool target, bool as_json, bool as_csv)
{
    if (target)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--exact and --target cannot both be given: loads and sizes are sought "
                        "with doubles");
    if (cli_solver_given())
        return swq_fail(ctx, SWQ_EINVAL,
                        "--exact has a method of its own: leave out --solver, --tol and "
                        "--max-iterations");
    if (as_json && as_csv)
        return swq_fail(ctx, SWQ_EINVAL, "--json and --csv cannot both be given");
    return SWQ_OK;
}

/* The words kept are the loads, then the numbers of the traffic. */
static swq_rational_traffic traffic_of(const cli_spec *spec, const cli_words *words)
{
    const int ports = spec->sw.ports, loads = words->loads;
    swq_rational_traffic t = {.pattern = SWQ_RATIONAL_UNIFORM};

    for (int i = 0; i < ports; i++)
        t.load[i] = words->word[loads == 1 ? 0 : i];
    if (strcmp(spec->traffic, "hotspot") == 0) {
        t.pattern = SWQ_RATIONAL_HOTSPOT;
        t.fraction = words->word[loads];
        t.hot = spec->hot_output;
    } else if (strcmp(spec->traffic, "matrix") == 0) {
        t.pattern = SWQ_RATIONAL_MATRIX;
        t.matrix = (const char *const *)words->word + loads;
    }
    return t;
}

int cli_solve_exact(swq_context *ctx, bool target, bool as_json, bool as_csv)
{
    cli_spec spec;
    cli_words words = {0};
    swq_exact_options how = swq_exact_options_defaults();
    swq_rational_answers answers;

    swq_status status = check_options(ctx, target, as_json, as_csv);
    if (!status) {
        cli_keep_words(&words);
        status = cli_spec_read(ctx, &spec, false);
        cli_keep_words(NULL);
    }
    if (!status)
        status = cli_solver_read(ctx, &how);
    if (!status) {
        swq_rational_traffic traffic = traffic_of(&spec, &words);
        status = swq_rational_solve(ctx, &spec.sw, &traffic, how.reduce, &answers);
        cli_clear_progress();
    }
    cli_words_clear(&words);
    if (status)
        return cli_fail(ctx, status);
    if (as_json) {
        status = cli_json_print(ctx, json_of(&spec, &answers, swq_context_peak_bytes(ctx)));
    } else {
        if (as_csv)
            print_csv(&spec, &answers);
        else
            print_text(&spec, &answers);
        status = cli_flush(ctx);
    }
    swq_rational_answers_clear(ctx, &answers);
    return status ? cli_fail(ctx, status) : CLI_OK;
}
