/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loads between which a network saturates: options and results of the search.
 * Room: cli.
 */
#include "cli/sim/sim.h"

#include <math.h>

swq_sim_options cli_bracket_options(const cli_run *run)
{
    swq_sim_options options = run->options;

    options.cycles = run->judged;
    options.frames = NULL;
    options.started = NULL;
    options.started_arg = NULL;
    return options;
}

swq_bracket cli_no_bracket(void)
{
    return (swq_bracket){.most = 1,
                         .worst_most = 1,
                         .worst_sender = SWQ_NO_SENDER,
                         .deadlock_load = NAN,
                         .interrupted = true};
}

/* The interval of a load as text; or its known end alone; or that neither end is known. */
static void interval(double least, double most, double confidence, char *text, size_t size)
{
    if (least <= 0 && most >= 1)
        snprintf(text, size, "the runs are too short to say up to which load");
    else if (least <= 0)
        snprintf(text, size, "up to a load below %.4g (%.4g%%)", most, 100 * confidence);
    else if (most >= 1)
        snprintf(text, size, "up to a load of at least %.4g (%.4g%%)", least, 100 * confidence);
    else
        snprintf(text, size, "up to a load from %.4g to %.4g (%.4g%%)", least, most,
                 100 * confidence);
}

/* Cycles of the shortest run with which the bracket would be as narrow as asked: its width falls as
 * the square root of them. 0: it is. */
static double cycles_needed(const swq_bracket *b, double resolution)
{
    const double wider = (b->most - b->least) / resolution;

    return wider > 1 ? (double)b->cycles * wider * wider : 0;
}

/* To two digits. */
static double round_up(double x)
{
    const double digit = pow(10, floor(log10(x)) - 1);

    return ceil(x / digit) * digit;
}

static void say_bracket(cli_record *to, const swq_bracket *b, double resolution)
{
    const double needed = cycles_needed(b, resolution);
    char text[120], sender[32] = "";

    if (b->runs == 0)
        return;
    interval(b->least, b->most, b->confidence, text, sizeof text);
    cli_say(to, "  open sources           served in full %s", text);
    interval(b->worst_least, b->worst_most, b->confidence, text, sizeof text);
    if (b->worst_sender != SWQ_NO_SENDER)
        snprintf(sender, sizeof sender, ", there node %u", b->worst_sender);
    cli_say(to, "  worst sender           served in full %s%s", text, sender);
    cli_say(to, "                         (%d load%s, in runs of %llu to %llu cycles)", b->runs,
            b->runs == 1 ? "" : "s", (unsigned long long)b->cycles, (unsigned long long)b->longest);
    if (b->interrupted)
        cli_say(to,
                "                         INTERRUPTED before the bracket was as narrow as asked");
    else if (needed > 0)
        cli_say(to,
                "                         a bracket of %.4g would need runs about %.2g times as "
                "long (--cycles %.0f)",
                resolution, needed / (double)b->cycles, round_up(needed));
}

void cli_put_bracket(cli_record *found, const swq_bracket *b, double resolution, cli_record *say)
{
    const bool any = b->runs > 0;

    cli_quietly(cli_put_number(found, "bracket_least", any ? b->least : NAN));
    cli_quietly(cli_put_number(found, "bracket_most", any ? b->most : NAN));
    cli_quietly(cli_put_number(found, "worst_sender_least", any ? b->worst_least : NAN));
    cli_quietly(cli_put_number(found, "worst_sender_most", any ? b->worst_most : NAN));
    if (b->worst_sender != SWQ_NO_SENDER)
        cli_quietly(cli_put_count(found, "worst_sender", b->worst_sender));
    cli_quietly(cli_put_number(found, "bracket_confidence", any ? b->confidence : NAN));
    cli_quietly(cli_put_count(found, "bracket_runs", (uint64_t)b->runs));
    cli_quietly(cli_put_count(found, "bracket_undecided", (uint64_t)b->undecided));
    cli_quietly(cli_put_count(found, "bracket_cycles", b->cycles));
    cli_quietly(cli_put_count(found, "bracket_longest", b->longest));
    if (say)
        say_bracket(say, b, resolution);
}
