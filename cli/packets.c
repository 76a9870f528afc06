/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq solve --delay, --losses: what becomes of single packets.
 * Room: cli.
 */
#include "switchq/packets.h"
#include "base/context.h"
#include "cli/cli.h"

#include <math.h>

static int asks_delay, asks_losses;
static char *tail_text;

struct poptOption cli_packets_options[] = {
    {"delay", '\0', POPT_ARG_NONE, &asks_delay, 0, "the distribution of an accepted packet's delay",
     NULL},
    {"losses", '\0', POPT_ARG_NONE, &asks_losses, 0,
     "the distribution of losses in a row at an input", NULL},
    {"tail", '\0', POPT_ARG_STRING, &tail_text, 0, "leave out of a mean at most so much (1e-15)",
     "P"},
    POPT_TABLEEND,
};

static swq_delay delay;
static swq_losses losses;

bool cli_packets_asked(void)
{
    return asks_delay || asks_losses;
}

swq_status cli_packets_solve(swq_context *ctx, const swq_switch *sw, const swq_exact_options *how)
{
    swq_packets_options packets = swq_packets_options_defaults();
    swq_status status = SWQ_OK;

    if (tail_text && !cli_packets_asked())
        return swq_fail(ctx, SWQ_EINVAL, "--tail is for --delay and --losses");
    if (tail_text)
        status = cli_number(ctx, "tail", tail_text, 1e-300, 0.5, &packets.tail);
    if (!status && asks_delay)
        status = swq_exact_delay(ctx, sw, how, &packets, &delay);
    if ((!status || status == SWQ_ECONVERGE) && asks_losses)
        status = swq_exact_losses(ctx, sw, how, &packets, &losses);
    return status;
}

void cli_packets_clear(swq_context *ctx)
{
    swq_delay_clear(ctx, &delay);
    swq_losses_clear(ctx, &losses);
}

static void add_mean(cJSON *object, const char *name, const swq_mean *mean)
{
    char key[64];

    cli_json_number(object, name, mean->value);
    snprintf(key, sizeof key, "%s_lower", name);
    cli_json_number(object, key, mean->lower);
    snprintf(key, sizeof key, "%s_upper", name);
    cli_json_number(object, key, mean->upper);
}

static const char *const percentile_keys[SWQ_DELAY_PERCENTILES] = {"p50", "p90", "p99", "p999"};

static void add_delay(cJSON *tree, const swq_delay *d, int ports)
{
    cJSON *object = cJSON_AddObjectToObject(tree, "delay");

    add_mean(object, "mean_cycles", &d->mean);
    add_mean(object, "variance", &d->variance);
    for (int p = 0; p < SWQ_DELAY_PERCENTILES; p++)
        cli_json_number(object, percentile_keys[p],
                        d->percentile[p] < 0 ? NAN : (double)d->percentile[p]);
    cJSON_AddItemToObject(object, "mean_by_input", cli_json_numbers(d->mean_input, ports));
    cJSON_AddItemToObject(object, "mean_by_output", cli_json_numbers(d->mean_output, ports));
    cJSON_AddItemToObject(object, "probability",
                          cli_json_numbers(d->probability, (int)d->most + 1));
    cJSON_AddItemToObject(object, "longer", cli_json_numbers(d->longer, (int)d->most + 1));
    cli_json_number(object, "relative_error", d->relative_error);
    cli_json_number(object, "states", (double)d->states);
    cli_json_number(object, "transitions", (double)d->transitions);
    cJSON_AddBoolToObject(object, "complete", d->complete);
    cli_json_number(object, "seconds", d->seconds);
}

static void add_losses(cJSON *tree, const swq_losses *l)
{
    cJSON *object = cJSON_AddObjectToObject(tree, "losses");
    cJSON *inputs = cJSON_AddArrayToObject(object, "by_input");

    for (int i = 0; i < l->ports; i++) {
        const swq_loss_runs *r = &l->input[i];
        cJSON *input = cJSON_CreateObject();
        cJSON_AddItemToArray(inputs, input);
        add_mean(input, "loss", &r->loss);
        add_mean(input, "loss_after_loss", &r->repeat);
        add_mean(input, "mean_in_a_row", &r->length);
        cJSON_AddItemToObject(input, "probability",
                              cli_json_numbers(r->probability, (int)r->most + 1));
        cJSON_AddItemToObject(input, "longer", cli_json_numbers(r->longer, (int)r->most + 1));
    }
    cli_json_number(object, "relative_error", l->relative_error);
    cli_json_number(object, "states", (double)l->states);
    cli_json_number(object, "transitions", (double)l->transitions);
    cJSON_AddBoolToObject(object, "complete", l->complete);
    cli_json_number(object, "seconds", l->seconds);
}

void cli_packets_json(cJSON *tree, int ports)
{
    if (asks_delay)
        add_delay(tree, &delay, ports);
    if (asks_losses)
        add_losses(tree, &losses);
}

/* A line for each value, until what is beyond would not show. */
static void print_distribution(const char *what, const double *probability, const double *longer,
                               int64_t first, int64_t most)
{
    printf("\n  %14s  %12s  %12s\n", what, "probability", "more");
    for (int64_t k = first; k <= most; k++) {
        printf("  %14lld  %12.6g  %12.6g\n", (long long)k, probability[k], longer[k]);
        if (k < most && longer[k] < 1e-6) {
            printf("  %14s  (up to %lld with --json)\n", "...", (long long)most);
            return;
        }
    }
}

static void print_cost(double error, int64_t states, int64_t transitions, double seconds,
                       bool complete)
{
    if (!complete)
        puts("  NOT COMPLETE: what was left out is not short");
    printf("\n  %lld states, %lld transitions with a mark, in %.3f s", (long long)states,
           (long long)transitions, seconds);
    if (isfinite(error))
        printf("; every probability is proven to within %.1g of itself\n", error);
    else
        puts("; without a proven error bound");
}

static void print_delay(const swq_delay *d, int ports)
{
    puts("\nDelay of an accepted packet, from reception to departure");
    if (isnan(d->mean.value)) {
        puts("  nothing is accepted");
        return;
    }
    cli_print_mean("mean", &d->mean, " cycles");
    cli_print_mean("variance", &d->variance, "");
    for (int p = 0; p < SWQ_DELAY_PERCENTILES; p++) {
        char name[24];
        snprintf(name, sizeof name, "percentile %g", 100 * swq_delay_percentiles[p]);
        if (d->percentile[p] >= 0)
            printf("  %-22s %lld\n", name, (long long)d->percentile[p]);
    }
    if (!isnan(d->mean_input[0])) {
        printf("  %-22s", "mean by input");
        for (int i = 0; i < ports; i++)
            printf(" %.6g", d->mean_input[i]);
        putchar('\n');
    }
    printf("  %-22s", "mean by output");
    for (int j = 0; j < ports; j++)
        printf(" %.6g", d->mean_output[j]);
    putchar('\n');
    print_distribution("cycles", d->probability, d->longer, 1, d->most);
    print_cost(d->relative_error, d->states, d->transitions, d->seconds, d->complete);
}

static void print_losses(const swq_losses *l)
{
    puts("\nLosses in a row, of the packets that one source creates");
    for (int i = 0; i < l->ports; i++) {
        const swq_loss_runs *r = &l->input[i];
        bool seen = false;
        for (int j = 0; j < i && !seen; j++)
            seen = l->input[j].longer == r->longer;
        if (seen)
            continue;
        printf("  input%s", "");
        for (int j = i; j < l->ports; j++) {
            if (l->input[j].longer == r->longer)
                printf(" %d", j);
        }
        putchar('\n');
        cli_print_mean("lost", &r->loss, "");
        if (isnan(r->repeat.value))
            continue;
        cli_print_mean("lost after a loss", &r->repeat, "");
        cli_print_mean("mean in a row", &r->length, "");
        print_distribution("in a row", r->probability, r->longer, 1, r->most);
    }
    print_cost(l->relative_error, l->states, l->transitions, l->seconds, l->complete);
}

void cli_packets_print(int ports)
{
    if (asks_delay)
        print_delay(&delay, ports);
    if (asks_losses)
        print_losses(&losses);
}
