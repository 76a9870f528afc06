/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What commands print alike: JSON pieces, and the check that it all arrived.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/answer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool cli_progress_shown;

void cli_clear_progress(void)
{
    if (cli_progress_shown)
        fputs("\r\033[K", stderr);
    cli_progress_shown = false;
}

const char *cli_number_text(double value, char text[40])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, 40, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return text;
}

/* cJSON's own text may be off by one unit, which would spoil proven bounds. */
static cJSON *number(double value)
{
    char text[40];

    return isfinite(value) ? cJSON_CreateRaw(cli_number_text(value, text)) : cJSON_CreateNull();
}

void cli_json_number(cJSON *object, const char *key, double value)
{
    cJSON_AddItemToObject(object, key, number(value));
}

void cli_csv_number(double value)
{
    if (isfinite(value))
        printf(",%.9g", value);
    else
        putchar(',');
}

cJSON *cli_json_numbers(const double *value, int count)
{
    cJSON *array = cJSON_CreateArray();

    for (int k = 0; k < count; k++)
        cJSON_AddItemToArray(array, number(value[k]));
    return array;
}

static void add_load(cJSON *model, const cli_spec *spec)
{
    if (spec->same_load)
        cli_json_number(model, "load", spec->sw.load[0]);
    else
        cJSON_AddItemToObject(model, "load", cli_json_numbers(spec->sw.load, spec->sw.ports));
}

static void add_traffic(cJSON *model, const cli_spec *spec)
{
    cJSON_AddStringToObject(model, "traffic", spec->traffic);
    if (strcmp(spec->traffic, "uniform") == 0)
        return;
    if (strcmp(spec->traffic, "hotspot") == 0) {
        cli_json_number(model, "hot_fraction", spec->hot_fraction);
        cJSON_AddNumberToObject(model, "hot_output", spec->hot_output);
    }
    cJSON *rows = cJSON_AddArrayToObject(model, "destinations");
    for (int i = 0; i < spec->sw.ports; i++)
        cJSON_AddItemToArray(rows, cli_json_numbers(spec->sw.dest[i], spec->sw.ports));
}

cJSON *cli_json_model(const cli_spec *spec)
{
    const swq_switch *sw = &spec->sw;
    cJSON *model = cJSON_CreateObject();

    cJSON_AddStringToObject(model, "buffer", spec->buffer);
    cJSON_AddNumberToObject(model, "ports", sw->ports);
    cJSON_AddNumberToObject(model, "slots", spec->slots);
    add_load(model, spec);
    cJSON_AddStringToObject(model, "flow", cli_flow_words[sw->flow]);
    cJSON_AddStringToObject(model, "credit", cli_credit_words[sw->credit]);
    cJSON_AddStringToObject(model, "arbiter", sw->arbiter->name);
    add_traffic(model, spec);
    cJSON_AddStringToObject(model, "scope", cli_scope_words[sw->buffer.scope]);
    cJSON_AddStringToObject(model, "queues", cli_queues_words[sw->buffer.queues]);
    cJSON_AddStringToObject(model, "read", cli_read_words[sw->buffer.read]);
    cJSON_AddNumberToObject(model, "capacity", sw->buffer.capacity);
    cJSON_AddNumberToObject(model, "queue_min", sw->buffer.queue_min);
    cJSON_AddNumberToObject(model, "queue_max", sw->buffer.queue_max);
    cli_json_number(model, "alpha", sw->buffer.alpha);
    cJSON_AddStringToObject(model, "pool_rule", cli_pool_rule_words[sw->buffer.pool_rule]);
    return model;
}

void cli_print_mean(const char *name, const swq_mean *m, const char *unit)
{
    double half = fmax(m->upper - m->value, m->value - m->lower);

    if (m->value == 0 && m->upper == 0) {
        printf("  %-22s 0 exactly%s\n", name, unit);
    } else if (half > 0 && half < 0.1 * m->value) {
        int digits = (int)fmin(15, fmax(2, floor(-log10(half / m->value))));
        printf("  %-22s %.*g%s   (proven to within %.1g of itself)\n", name, digits, m->value, unit,
               half / m->value);
    } else {
        printf("  %-22s %.6g%s   (proven to lie in %.4g .. %.4g)\n", name, m->value, unit, m->lower,
               m->upper);
    }
}

swq_status cli_json_print(swq_context *ctx, cJSON *tree)
{
    if (tree && cli_answer_take(tree))
        return SWQ_OK;
    char *text = tree ? cJSON_Print(tree) : NULL;

    cJSON_Delete(tree);
    if (!text)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the JSON output");
    puts(text);
    cJSON_free(text);
    return cli_flush(ctx);
}

swq_status cli_flush(swq_context *ctx)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EIO, "cannot write to standard output: %s", strerror(errno));
}
