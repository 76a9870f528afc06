/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Points to samples, samples to means.
 */
#include "cli/sweep/samples.h"
#include "cli/print/append.h"

#include "base/context.h"
#include "base/statistics.h"
#include "cli/print/json_path.h"
#include "cli/record/inside.h"
#include "cli/sweep/flat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CONFIDENCE 0.95 /* also that of the simulator's own half-widths */

/* ---- what a point has ---- */

typedef struct {
    const swq_row *row;
    cJSON *options, *answer;
    char number[40];
} sample_point;

static swq_status open_point(swq_context *ctx, const swq_row *row, sample_point *p)
{
    *p = (sample_point){.row = row};
    swq_status status = cli_sweep_parse(ctx, row, row->options, &p->options);
    return status ? status : cli_sweep_parse(ctx, row, row->answer, &p->answer);
}

static void close_point(sample_point *p)
{
    cJSON_Delete(p->options);
    cJSON_Delete(p->answer);
}

/* An option, or another property of a point, as text; NULL: it has none. Valid until the next
 * call. */
static const char *text_of(sample_point *p, const char *key)
{
    const cJSON *option = cJSON_GetObjectItemCaseSensitive(p->options, key);

    if (option)
        return cli_flat_text(option, p->number);
    if (strcmp(key, "command") == 0)
        return p->row->command;
    if (strcmp(key, "version") == 0)
        return p->row->version;
    if (strcmp(key, "repeat") == 0) {
        snprintf(p->number, sizeof p->number, "%d", p->row->repeat);
        return p->number;
    }
    return NULL;
}

/* A decimal, or a fraction such as 9/10. */
static bool number_in(const char *text, double *value)
{
    char *end;

    *value = strtod(text, &end);
    if (end != text && *end == '/') {
        const char *below = end + 1;
        *value /= strtod(below, &end);
        if (end == below)
            return false;
    }
    return end != text && !*end && isfinite(*value);
}

/* Words for results whose names differ between commands. */
static const struct {
    const char *word, *name[3];
} short_names[] = {
    {"latency", {"latency_cycles", "mean_delay_cycles", "latency"}},
    {"delay", {"mean_delay_cycles", "latency_cycles", "delay"}},
    {"discard", {"discard_probability", "discard_fraction", "discard"}},
};

/* The unit of the last part of a key that has a unit. The unit of throughput depends on the answer:
 * a fraction of a node's link, of a node's slot or of an output's slot. NULL: no unit. */
static const char *unit_of(const sample_point *p, const char *key)
{
    const char *unit = NULL;
    char part[80];
    double unused;

    for (const char *rest = key; *rest;) {
        const size_t length = strcspn(rest, ".");
        snprintf(part, sizeof part, "%.*s", (int)length, rest);
        const cli_quantity *row = cli_quantity_of(part);
        unit = row && row->unit ? row->unit : unit;
        rest += length + (rest[length] == '.');
    }
    if (!unit || strcmp(unit, cli_quantity_of("throughput")->unit) != 0)
        return unit;
    if (cli_flat_number(p->answer, "model.max_packet", &unused))
        return "of the links' bandwidth, per node";
    return cli_flat_number(p->answer, "model.nodes", &unused) ? "packets per node and cycle" : unit;
}

/* A result's name in words, where a plot names it without a path; NULL: it has none. */
static const char *label_of(const char *key, const char *name)
{
    const cli_quantity *row = strchr(key, '.') ? NULL : cli_quantity_of(name);

    return row ? row->label : NULL;
}

/* A result by its full key or a short name; *half is the half-width of its interval, 0 without
 * one; *unit and *label are NULL without one. */
static bool result_of(const sample_point *p, const char *key, double *value, double *half,
                      const char **unit, const char **label)
{
    static const char *const places[] = {"%s",
                                         "result.%s.mean",
                                         "result.%s",
                                         "points.0.results.%s",
                                         "saturation.%s.mean",
                                         "saturation.%s",
                                         "exact.%s.decimal",
                                         "delay.%s",
                                         "losses.%s",
                                         "model.%s"};
    const char *const itself[3] = {key};
    const char *const *name = itself;
    char full[CLI_FLAT_KEY + 32];

    for (size_t k = 0; k < sizeof short_names / sizeof *short_names; k++) {
        if (strcmp(short_names[k].word, key) == 0)
            name = short_names[k].name;
    }
    for (int n = 0; n < 3 && name[n]; n++) {
        const bool found = strcmp(cli_flat_found(p->answer), name[n]) == 0;
        for (size_t k = 0; k < sizeof places / sizeof *places - !found; k++) { /* model: the last */
            snprintf(full, sizeof full, places[k], name[n]);
            if (!cli_flat_number(p->answer, full, value))
                continue;
            char *last = strrchr(full, '.');
            *unit = unit_of(p, full);
            *label = label_of(key, name[n]);
            *half = 0;
            if (last && strcmp(last, ".mean") == 0) {
                snprintf(last, sizeof full - (size_t)(last - full), ".half_width");
                if (!cli_flat_number(p->answer, full, half))
                    *half = 0;
            }
            return true;
        }
    }
    return false;
}

/* ---- which names there are ---- */

static swq_status find_names(void *arg, const swq_row *row)
{
    cli_samples *d = arg;
    sample_point p;

    swq_status status = open_point(d->ctx, row, &p);
    if (!status)
        status = cli_sweep_option_names(d->ctx, p.options, &d->options);
    if (!status)
        status = cli_sweep_result_names(d->ctx, p.answer, true, &d->numbers);
    close_point(&p);
    return status;
}

static void list_names(const char *what, const cli_names *names)
{
    cli_clear_progress();
    fprintf(stderr, "%s:", what);
    for (int k = 0, column = (int)strlen(what) + 1; k < names->count; k++) {
        const int width = (int)strlen(names->name[k]) + 1;
        if (column + width > 100) {
            fputs("\n ", stderr);
            column = 1;
        }
        fprintf(stderr, " %s", names->name[k]);
        column += width;
    }
    putc('\n', stderr);
}

static swq_status unknown(const cli_samples *d, const char *role, const char *key, bool results)
{
    list_names("options", &d->options);
    if (results)
        list_names("results", &d->numbers);
    return swq_fail(d->ctx, SWQ_EINVAL, "--plot: %s '%.80s' is no %s of any point that is done",
                    role, key, results ? "option or result" : "option");
}

static bool is_option(const cli_samples *d, const char *key)
{
    static const char *const others[] = {"command", "version", "repeat"};

    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        if (strcmp(key, others[k]) == 0)
            return true;
    }
    return cli_names_find(&d->options, key) >= 0;
}

/* ---- points to samples ---- */

static bool is_wanted(const cli_samples *d, sample_point *p)
{
    const cli_sweep_axes *axes = d->axes;
    double a, b;

    for (int k = 0; k < axes->wheres; k++) {
        const char *text = text_of(p, axes->where[k].key);
        if (!text)
            return false;
        if (strcmp(text, axes->where[k].value) != 0 &&
            !(number_in(text, &a) && number_in(axes->where[k].value, &b) && a == b))
            return false;
    }
    return true;
}

/* The values of `by`, numbers with their names: "damq, slots 4". */
static void curve_text(const cli_samples *d, sample_point *p, char *text, size_t size)
{
    double number;

    *text = '\0';
    for (int k = 0; k < d->axes->bys; k++) {
        const char *key = d->axes->by[k], *value = text_of(p, key);
        const char *comma = k ? ", " : "";
        if (!value)
            cli_append(text, size, "%sno %s", comma, key);
        else if (number_in(value, &number) || strcmp(value, "true") == 0)
            cli_append(text, size, "%s%s %s", comma, key, value);
        else
            cli_append(text, size, "%s%s", comma, value);
    }
}

static swq_status find_curve(cli_samples *d, sample_point *p, int *curve)
{
    char text[sizeof d->curve->text] = "";

    curve_text(d, p, text, sizeof text);
    for (*curve = 0; *curve < d->curves; ++*curve) {
        if (strcmp(d->curve[*curve].text, text) == 0)
            return SWQ_OK;
    }
    if (d->curves == CLI_SWEEP_MOST_CURVES)
        return swq_fail(d->ctx, SWQ_EINVAL,
                        "--plot: more than %d curves; leave some out by 'where'",
                        CLI_SWEEP_MOST_CURVES);
    memcpy(d->curve[d->curves++].text, text, sizeof text);
    return SWQ_OK;
}

/* FNV-1a. */
static uint64_t stir(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return (hash ^ 0xff) * 0x100000001b3u; /* a separator that no text contains */
}

/* Is an option on an axis, or one in which repeats differ? */
static bool is_named(const cli_samples *d, const char *option)
{
    if (strcmp(option, "seed") == 0 || (d->x_is_option && strcmp(option, d->axes->x) == 0))
        return true;
    for (int k = 0; k < d->axes->bys; k++) {
        if (strcmp(option, d->axes->by[k]) == 0)
            return true;
    }
    return false;
}

static uint64_t rest_of(const cli_samples *d, const sample_point *p)
{
    char number[40];
    uint64_t hash = stir(0xcbf29ce484222325u, p->row->command);

    for (const cJSON *o = p->options->child; o; o = o->next) {
        if (!is_named(d, o->string))
            hash = stir(stir(hash, o->string), cli_flat_text(o, number));
    }
    return hash;
}

/* The unit, or the label, of all samples so far, or "". */
static void keep_text(char *all, size_t size, const char *its, bool first)
{
    if (first)
        snprintf(all, size, "%s", its ? its : "");
    else if (!its || strcmp(all, its) != 0)
        all[0] = '\0';
}

static swq_status add_sample(cli_samples *d, sample_point *p)
{
    cli_sample new = {.id = p->row->id, .order = (int64_t)d->count};
    double unused;
    const char *x = d->x_is_option ? text_of(p, d->axes->x) : NULL,
               *unit[2] = {x ? unit_of(p, d->axes->x) : NULL}, *label[2] = {NULL};

    if (!(x ? number_in(x, &new.x)
            : !d->x_is_option && result_of(p, d->axes->x, &new.x, &unused, &unit[0], &label[0])) ||
        !result_of(p, d->axes->y, &new.y, &new.half, &unit[1], &label[1])) {
        d->without++;
        return SWQ_OK;
    }
    for (int k = 0; k < 2; k++) {
        keep_text(d->unit[k], sizeof d->unit[k], unit[k], d->count == 0);
        keep_text(d->label[k], sizeof d->label[k], label[k], d->count == 0);
    }
    new.saturated = cJSON_IsTrue(cli_json_at(p->answer, "result.saturated"));
    new.rest = rest_of(d, p);
    const cJSON *engine = cli_json_at(p->answer, "run.engine");
    const bool async = cJSON_IsString(engine) && strcmp(engine->valuestring, "async") == 0;
    d->asynchronous |= async;
    d->synchronous |= !async;
    swq_status status = find_curve(d, p, &new.curve);
    if (!status)
        status = cli_common_words_add(d->ctx, d->common, p->row->command, p->options, p->answer);
    if (status)
        return status;
    if (d->count == d->room) {
        const size_t room = d->room ? 2 * d->room : 256;
        cli_sample *more = swq_resize(d->ctx, d->sample, room, sizeof *more);
        if (!more)
            return swq_memory_status(d->ctx);
        d->sample = more;
        d->room = room;
    }
    d->sample[d->count++] = new;
    return SWQ_OK;
}

static swq_status visit(void *arg, const swq_row *row)
{
    cli_samples *d = arg;
    sample_point p;

    swq_status status = open_point(d->ctx, row, &p);
    if (!status && is_wanted(d, &p)) {
        if (strcmp(row->state, "done") != 0)
            d->undone++;
        else if (p.answer && p.options)
            status = add_sample(d, &p);
    }
    close_point(&p);
    return status;
}

/* ---- samples to means ---- */

static int sign(double a, double b)
{
    return (a > b) - (a < b);
}

/* An order for qsort in which repeats of a point are next to one another. */
static int by_point(const void *a, const void *b)
{
    const cli_sample *s = a, *t = b;
    int order = s->curve - t->curve;

    if (!order)
        order = sign(s->x, t->x);
    if (!order)
        order = (s->rest > t->rest) - (s->rest < t->rest);
    return order ? order : (s->order > t->order) - (s->order < t->order);
}

/* As by_point, if x is a result: repeats of a point then differ in x, which is left out. */
static int by_rest(const void *a, const void *b)
{
    const cli_sample *s = a, *t = b;
    int order = s->curve - t->curve;

    if (!order)
        order = (s->rest > t->rest) - (s->rest < t->rest);
    return order ? order : (s->order > t->order) - (s->order < t->order);
}

static int by_order(const void *a, const void *b)
{
    const cli_sample *s = a, *t = b;
    const int order = s->curve - t->curve;

    return order ? order : (s->order > t->order) - (s->order < t->order);
}

/* The options of two points, for comparison. */
typedef struct {
    swq_context *ctx;
    const cli_samples *d;
    int64_t id[2];
    cJSON *options[2];
    char command[2][16];
} sample_pair;

static swq_status take_pair(void *arg, const swq_row *row)
{
    sample_pair *of = arg;

    for (int k = 0; k < 2; k++) {
        if (row->id != of->id[k])
            continue;
        snprintf(of->command[k], sizeof of->command[k], "%s", row->command);
        return cli_sweep_parse(of->ctx, row, row->options, &of->options[k]);
    }
    return SWQ_OK;
}

/* Two points in the same place are not repeats of one another: finds an option that distinguishes
 * them. */
static swq_status ambiguous(const cli_samples *d, swq_store *store, const cli_sample *a,
                            const cli_sample *b)
{
    sample_pair of = {.ctx = d->ctx, .d = d, .id = {a->id, b->id}};
    char names[160] = "", texts[2][40];
    size_t used = 0;

    swq_status status = swq_store_rows(d->ctx, store, "done", take_pair, &of);
    if (strcmp(of.command[0], of.command[1]) != 0)
        used = (size_t)snprintf(names, sizeof names, "command");
    for (int k = 0; k < 2 && !status; k++) {
        for (const cJSON *o = of.options[k] ? of.options[k]->child : NULL; o; o = o->next) {
            const cJSON *other = cJSON_GetObjectItemCaseSensitive(of.options[1 - k], o->string);
            const bool same =
                other && strcmp(cli_flat_text(o, texts[0]), cli_flat_text(other, texts[1])) == 0;
            if (same || is_named(d, o->string) || (k == 1 && other) || used >= sizeof names)
                continue;
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                     o->string);
        }
    }
    cJSON_Delete(of.options[0]);
    cJSON_Delete(of.options[1]);
    if (status)
        return status;
    return swq_fail(d->ctx, SWQ_EINVAL,
                    "--plot: points at %s=%g differ in %s: add that to by=, or choose by 'where'",
                    d->axes->x, a->x, names);
}

/* Replaces the samples [first, end) of a point by their mean. */
static swq_status average(cli_samples *d, size_t first, size_t end, size_t to)
{
    const size_t count = end - first;
    cli_sample mean = d->sample[first];
    cli_sample_curve *its = &d->curve[mean.curve];

    if (count > 1) {
        double *y = swq_calloc(d->ctx, count, sizeof *y), x = 0;
        if (!y)
            return swq_memory_status(d->ctx);
        for (size_t k = 0; k < count; k++) {
            y[k] = d->sample[first + k].y;
            x += d->sample[first + k].x / (double)count;
            mean.saturated |= d->sample[first + k].saturated;
        }
        swq_ratio_interval(y, NULL, count, CONFIDENCE, &mean.y, &mean.half);
        mean.x = d->x_is_option ? mean.x : x;
        swq_free(d->ctx, y);
        if (count > its->repeats)
            its->repeats = count;
    }
    if (!isfinite(mean.half))
        mean.half = 0;
    its->barred += mean.half > 0;
    d->sample[to] = mean;
    return SWQ_OK;
}

static swq_status summarise(cli_samples *d, swq_store *store)
{
    size_t means = 0;
    swq_status status = SWQ_OK;

    qsort(d->sample, d->count, sizeof *d->sample, d->x_is_option ? by_point : by_rest);
    for (size_t first = 0, end; first < d->count && !status; first = end) {
        const cli_sample *s = &d->sample[first];
        for (end = first + 1; end < d->count; end++) {
            const cli_sample *t = &d->sample[end];
            if (t->curve != s->curve || (d->x_is_option && t->x != s->x))
                break;
            if (t->rest == s->rest)
                continue;
            if (d->x_is_option)
                return ambiguous(d, store, s, t);
            break;
        }
        status = average(d, first, end, means++);
    }
    d->count = status ? 0 : means;
    if (!d->x_is_option) /* a curve may bend back, so its points stay in the order of the study */
        qsort(d->sample, d->count, sizeof *d->sample, by_order);
    for (size_t k = 0; k < d->count; k++) {
        cli_sample_curve *its = &d->curve[d->sample[k].curve];
        if (its->count++ == 0)
            its->first = k;
    }
    return status;
}

/* ---- keys ---- */

/* Do the keys exist? */
static swq_status check_keys(cli_samples *d)
{
    const cli_sweep_axes *axes = d->axes;

    for (int k = 0; k < axes->bys; k++) {
        if (!is_option(d, axes->by[k]))
            return unknown(d, "by", axes->by[k], false);
    }
    for (int k = 0; k < axes->wheres; k++) {
        if (!is_option(d, axes->where[k].key))
            return unknown(d, "where", axes->where[k].key, false);
    }
    d->x_is_option = is_option(d, axes->x);
    return SWQ_OK;
}

/* The error of a plot without points: either no wanted point is done, or no done point has both x
 * and y as numbers; then lists the options and results that the points have. */
static swq_status nothing(const cli_samples *d)
{
    if (!d->without)
        return swq_fail(d->ctx, SWQ_EINVAL, "--plot: no point that is wanted is done");
    list_names("options", &d->options);
    list_names("results", &d->numbers);
    return swq_fail(d->ctx, SWQ_EINVAL,
                    "--plot: no point has both x '%.80s' and y '%.80s' as numbers", d->axes->x,
                    d->axes->y);
}

swq_status cli_samples_find(swq_context *ctx, swq_store *store, const cli_sweep_axes *axes,
                            cli_samples *d)
{
    d->ctx = ctx;
    d->axes = axes;
    d->common = swq_calloc(ctx, 1, sizeof *d->common);
    if (!d->common)
        return swq_memory_status(ctx);
    swq_status status = swq_store_rows(ctx, store, "done", find_names, d);
    if (!status && d->options.count)
        status = check_keys(d);
    if (!status)
        status = swq_store_rows(ctx, store, NULL, visit, d);
    if (!status && d->count == 0)
        status = nothing(d);
    return status ? status : summarise(d, store);
}

void cli_samples_clear(swq_context *ctx, cli_samples *d)
{
    swq_free(ctx, d->sample);
    swq_free(ctx, d->common);
    cli_names_clear(ctx, &d->options);
    cli_names_clear(ctx, &d->numbers);
}
