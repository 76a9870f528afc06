/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq solve --delay, --losses: what happens to single packets.
 */
#include "switchq/packets.h"
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/options/shared.h"
#include "cli/print/append.h"
#include "cli/solve/solve.h"

#include <math.h>

static int asks_delay, asks_losses;
static char *tail_text;

static cli_parameter parameters[] = {
    {CLI_FLAG_IN("delay", 0, &asks_delay), CLI_OF_THE_RUN,
     .about = "print the distribution of an accepted packet's delay"},
    {CLI_FLAG_IN("losses", 0, &asks_losses), CLI_OF_THE_RUN,
     .about = "print the distribution of losses in a row at an input"},
    {CLI_OPTION_IN("tail", "P", 0, &tail_text), CLI_AT(CLI_REAL, cli_packets, options.tail),
     CLI_FROM(1e-300, 0.5), CLI_OF_THE_RUN,
     .about = "with --delay or --losses: leave out of a mean at most P (1e-15)"},
    CLI_PARAMETERS_END,
};

struct poptOption cli_packets_options[] = {
    CLI_PARAMETERS(parameters),
    POPT_TABLEEND,
};

bool cli_packets_asked(void)
{
    return asks_delay || asks_losses;
}

swq_status cli_packets_read(swq_context *ctx, const swq_switch *sw, cli_packets *p)
{
    p->options = swq_packets_options_defaults();
    if (tail_text && !cli_packets_asked())
        return swq_fail(ctx, SWQ_EINVAL, "--tail is for --delay and --losses");
    if (asks_losses && sw->flow != SWQ_DISCARD)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--losses needs --flow discard: with --flow block nothing is lost");
    return cli_parameters_read(ctx, parameters, p);
}

swq_status cli_packets_solve(swq_context *ctx, const swq_switch *sw, const swq_exact_options *how,
                             cli_packets *p)
{
    swq_status status = asks_delay ? swq_exact_delay(ctx, sw, how, &p->options, &p->delay) : SWQ_OK;

    p->has_delay = asks_delay && (!status || status == SWQ_ECONVERGE);
    if ((!status || status == SWQ_ECONVERGE) && asks_losses)
        status = swq_exact_losses(ctx, sw, how, &p->options, &p->losses);
    p->has_losses = asks_losses && (!status || status == SWQ_ECONVERGE);
    return status;
}

void cli_packets_clear(swq_context *ctx, cli_packets *p)
{
    swq_delay_clear(ctx, &p->delay);
    swq_losses_clear(ctx, &p->losses);
}

/* ---- the answers ---- */

/* Prints a distribution as text, a line for each value, up to the value beyond which less than 1e-6
 * is left. */
static void say_distribution(cli_record *to, const char *what, const double *probability,
                             const double *longer, int64_t first, int64_t most)
{
    cli_say(to, "\n  %14s  %12s  %12s", what, "probability", "more");
    for (int64_t k = first; k <= most; k++) {
        cli_say(to, "  %14lld  %12.6g  %12.6g", (long long)k, probability[k], longer[k]);
        if (k < most && longer[k] < 1e-6) {
            cli_say(to, "  %14s  (up to %lld with --json)", "...", (long long)most);
            return;
        }
    }
}

static void put_cost(cli_record *to, double error, int64_t states, int64_t transitions,
                     double seconds, bool complete)
{
    cli_quietly(cli_put_number(to, "relative_error", error));
    cli_quietly(cli_put_count(to, "states", (uint64_t)states));
    cli_quietly(cli_put_count(to, "transitions", (uint64_t)transitions));
    cli_quietly(cli_put_truth(to, "complete", complete));
    cli_quietly(cli_put_number(to, "seconds", seconds));
    if (!complete)
        cli_say(to, "  NOT COMPLETE: what was left out is not short");
    if (isfinite(error))
        cli_say(to,
                "\n  %lld states, %lld transitions with a mark, in %.3f s; every probability is "
                "proven to within %.1g of itself",
                (long long)states, (long long)transitions, seconds, error);
    else
        cli_say(to,
                "\n  %lld states, %lld transitions with a mark, in %.3f s; without a proven error "
                "bound",
                (long long)states, (long long)transitions, seconds);
}

static void put_delay(cli_record *root, const swq_delay *d, int ports)
{
    static const char *const key[SWQ_DELAY_PERCENTILES] = {"p50", "p90", "p99", "p999"};
    static const char *const label[SWQ_DELAY_PERCENTILES] = {"percentile 50", "percentile 90",
                                                             "percentile 99", "percentile 99.9"};
    const bool any = !isnan(d->mean.value);
    cli_record *to = cli_prefixed(
        cli_put_group(root, "delay", "Delay of an accepted packet, from reception to departure"));

    if (!any)
        cli_say(to, "  nothing is accepted");
    cli_in_unit(cli_labelled(cli_put_proven(to, "mean_delay_cycles", "mean_delay_cycles", &d->mean),
                             "mean"),
                "cycles");
    cli_labelled(cli_put_proven(to, "variance", "variance", &d->variance), "variance");
    for (int p = 0; p < SWQ_DELAY_PERCENTILES; p++)
        cli_labelled(
            cli_put_number(to, key[p], d->percentile[p] < 0 ? NAN : (double)d->percentile[p]),
            label[p]);
    cli_record *input = cli_put_numbers(to, "mean_by_input", d->mean_input, ports);
    cli_record *output = cli_put_numbers(to, "mean_by_output", d->mean_output, ports);
    if (!any || isnan(d->mean_input[0]))
        cli_quietly(input);
    if (!any)
        cli_quietly(output);
    cli_quietly(cli_put_numbers(to, "probability", d->probability, (int)d->most + 1));
    cli_quietly(cli_put_numbers(to, "longer", d->longer, (int)d->most + 1));
    if (any)
        say_distribution(to, "cycles", d->probability, d->longer, 1, d->most);
    put_cost(to, d->relative_error, d->states, d->transitions, d->seconds, d->complete);
}

/* In text, inputs with equal losses are described once: the first has the title of all. */
static void title_inputs(cli_record *item, const swq_losses *l, int i)
{
    char inputs[8 * SWQ_CHAIN_PORTS] = "";

    for (int j = 0; j < i; j++) {
        if (l->input[j].longer == l->input[i].longer)
            return;
    }
    for (int j = i; j < l->ports; j++) {
        if (l->input[j].longer == l->input[i].longer)
            cli_append(inputs, sizeof inputs, " %d", j);
    }
    cli_titled(item, "  input%s", inputs);
}

static void put_losses(cli_record *root, const swq_losses *l)
{
    cli_record *to = cli_prefixed(
        cli_put_group(root, "losses", "Losses in a row, of the packets that one source creates"));
    cli_record *list = cli_put_list(to, "by_input", NULL);

    for (int i = 0; i < l->ports; i++) {
        const swq_loss_runs *r = &l->input[i];
        cli_record *item = cli_put_item(list, NULL);
        title_inputs(item, l, i);
        cli_labelled(cli_put_proven(item, "discard_probability", "discard_probability", &r->loss),
                     "lost");
        cli_labelled(cli_put_proven(item, "loss_after_loss", "loss_after_loss", &r->repeat),
                     "lost after a loss");
        cli_labelled(cli_put_proven(item, "mean_in_a_row", "mean_in_a_row", &r->length),
                     "mean in a row");
        cli_quietly(cli_put_numbers(item, "probability", r->probability, (int)r->most + 1));
        cli_quietly(cli_put_numbers(item, "longer", r->longer, (int)r->most + 1));
        if (!isnan(r->repeat.value))
            say_distribution(item, "in a row", r->probability, r->longer, 1, r->most);
    }
    put_cost(to, l->relative_error, l->states, l->transitions, l->seconds, l->complete);
}

void cli_put_packets(cli_record *root, const cli_packets *p, int ports)
{
    if (p->has_delay)
        put_delay(root, &p->delay, ports);
    if (p->has_losses)
        put_losses(root, &p->losses);
}
