/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq solve --exact: the answers as fractions. Numbers are read from the words of the command
 * line, which reading the spec keeps.
 */
#include "switchq/rational.h"
#include "base/context.h"
#include "cli/options/words.h"
#include "cli/print/append.h"
#include "cli/solve/solve.h"
#include "cli/spec/solver.h"

#include <stdlib.h>
#include <string.h>

enum {
    READABLE = 60,              /* digits of a number that text shows completely */
    SHOWN = 12,                 /* digits shown of a longer one */
    FRACTION = 2 * READABLE + 8 /* characters of a fraction in a sentence */
};

/* An answer in all output formats. */
typedef struct {
    const char *key, *name, *unit;
    const swq_fraction *value;
} figure;

enum { MOST_FIGURES = 8 };

/* The answers for a flow control, ended by a NULL key; returns figures. */
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

/* ---- the record ---- */

/* The parts of a fraction, into an item or a group; nothing if it is not defined. */
static void put_parts(cli_record *to, const swq_fraction *f)
{
    cli_put_word(to, "numerator", f->numerator);
    cli_put_word(to, "denominator", f->denominator);
    cli_put_decimal(to, "decimal", f->decimal);
}

static void put_fraction(cli_record *in, const char *key, const swq_fraction *f)
{
    if (f->numerator)
        put_parts(cli_quietly(cli_put_group(in, key, NULL)), f);
    else
        cli_put_word(in, key, NULL);
}

static void put_fractions(cli_record *in, const char *key, const swq_fraction *f, int count)
{
    cli_record *list = cli_put_list(in, key, NULL);

    for (int i = 0; i < count; i++)
        put_parts(cli_put_item(list, NULL), &f[i]);
}

/* ---- in sentences ---- */

static bool is_whole(const swq_fraction *f)
{
    return strcmp(f->denominator, "1") == 0;
}

static size_t number_words(char *text, size_t size, const char *digits)
{
    const size_t count = strlen(digits);

    if (count <= READABLE)
        return (size_t)snprintf(text, size, "%s", digits);
    return (size_t)snprintf(text, size, "%.*s...(%zu digits)", SHOWN, digits, count);
}

/* "1/3"; of long numbers only the first digits. */
static const char *fraction_words(const swq_fraction *f, char text[FRACTION])
{
    size_t used = number_words(text, FRACTION, f->numerator);

    if (!is_whole(f)) {
        text[used++] = '/';
        number_words(text + used, FRACTION - used, f->denominator);
    }
    return text;
}

static void say_fraction(cli_record *to, const char *name, const swq_fraction *f, const char *unit)
{
    char text[FRACTION];

    if (!f->numerator)
        return;
    fraction_words(f, text);
    if (is_whole(f))
        cli_say(to, "  %-22s %s%s", name, text, unit);
    else
        cli_say(to, "  %-22s %s\n  %-22s = %s%s", name, text, "", f->decimal, unit);
}

void cli_say_exact(cli_record *to, const char *name, const swq_fraction *f, const char *unit)
{
    say_fraction(to, name, f, unit);
}

void cli_put_exact(cli_record *to, const char *key, const char *name, const swq_fraction *f,
                   const char *unit)
{
    put_fraction(to, key, f);
    if (name)
        say_fraction(to, name, f, unit);
}

/* A line for each input, or one line if they are all equal. */
static void say_by_input(cli_record *to, const char *what, const swq_fraction *f, int inputs)
{
    bool same = true;
    char name[40];

    for (int i = 1; i < inputs; i++)
        same = same && strcmp(f[i].numerator, f[0].numerator) == 0 &&
               strcmp(f[i].denominator, f[0].denominator) == 0;
    for (int i = 0; i < (same ? 1 : inputs); i++) {
        snprintf(name, sizeof name, same ? "%s, each input" : "%s, input %d", what, i);
        say_fraction(to, name, &f[i], "");
    }
}

static void say_how(cli_record *to, const cli_spec *spec, const swq_rational_answers *a)
{
    char load[SWQ_CHAIN_PORTS * FRACTION] = "", text[FRACTION], transient[40] = "";

    for (int i = 0; i < (spec->same_load ? 1 : a->ports); i++)
        cli_append(load, sizeof load, "%s%s", i ? ", " : " ", fraction_words(&a->load[i], text));
    cli_say(to, "\n  exact, with every probability taken as it was written: load%s", load);
    if (a->transient)
        snprintf(transient, sizeof transient, ", %lld transient", (long long)a->transient);
    cli_say(to,
            "  %lld state%s%s; solved by p-adic lifting in %.3f s, checked in integers of %lld "
            "bits",
            (long long)a->states, a->states == 1 ? "" : "s", transient, a->seconds,
            (long long)a->bits);
}

static cli_record *record_of(const cli_spec *spec, const swq_rational_answers *a, size_t peak)
{
    const bool block = spec->sw.flow == SWQ_BLOCK;
    figure figures[MOST_FIGURES + 1];
    cli_record *root = cli_record_new("switchq/solve-exact/1");

    cli_put_model(root, spec);
    cli_record *chain = cli_quietly(cli_put_group(root, "chain", NULL));
    cli_put_count(chain, "states", (uint64_t)a->states);
    cli_put_count(chain, "transient_states", (uint64_t)a->transient);
    cli_record *solver = cli_quietly(cli_prefixed(cli_put_group(root, "solver", NULL)));
    cli_put_word(solver, "name", "p-adic lifting");
    cli_put_count(solver, "largest_integer_bits", (uint64_t)a->bits);
    cli_put_number(solver, "seconds", a->seconds);
    cli_put_count(solver, "peak_bytes", peak);
    cli_say_question(root, root);
    cli_say(root, "%s", "");
    cli_record *exact = cli_the_result(cli_put_group(root, "exact", NULL));
    put_fractions(exact, "load", a->load, a->ports);
    for (const figure *f = figures_of(a, spec->sw.flow, figures); f->key; f++) {
        put_fraction(exact, f->key, f->value);
        say_fraction(exact, f->name, f->value, f->unit);
    }
    put_fractions(exact, by_input_key(spec->sw.flow), a->refusal_input, a->ports);
    say_by_input(exact, block ? "refused" : "discarded", a->refusal_input, a->ports);
    say_how(exact, spec, a);
    return root;
}

/* ---- reading ---- */

static swq_status check_options(swq_context *ctx, bool target)
{
    if (target)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--exact and --target cannot both be given: loads and sizes are sought "
                        "with doubles");
    if (cli_solver_given())
        return swq_fail(ctx, SWQ_EINVAL,
                        "--exact has a method of its own: leave out --solver, --tol and "
                        "--max-iterations");
    return SWQ_OK;
}

/* The words kept are the loads, followed by the numbers of the traffic. */
static swq_rational_traffic traffic_of(const cli_spec *spec, const cli_words *words)
{
    const int ports = spec->sw.ports, loads = words->loads;
    swq_rational_traffic t = {.pattern = SWQ_RATIONAL_UNIFORM, .burst = spec->burst_word};

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

int cli_solve_exact(swq_context *ctx, bool target, cli_format format)
{
    cli_spec spec;
    cli_words words = {0};
    swq_exact_options how = swq_exact_options_defaults();
    swq_rational_answers answers;

    swq_status status = check_options(ctx, target);
    if (!status) {
        cli_keep_words(&words);
        status = cli_spec_read(ctx, &spec, false);
        if (!status && spec.classes)
            status = swq_fail(ctx, SWQ_EINVAL,
                              "--exact does not know packets of high priority (--high)");
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
    status = cli_record_print(ctx, record_of(&spec, &answers, swq_context_peak_bytes(ctx)), format);
    swq_rational_answers_clear(ctx, &answers);
    return status ? cli_fail(ctx, status) : CLI_OK;
}
