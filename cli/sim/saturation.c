/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search for saturation, of either engine: the highest throughput, and the loads between which
 * open sources cease to be served in full.
 */
#include "cli/sim/sim.h"

#include <inttypes.h>
#include <math.h>

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

static void put_bracket(cli_record *found, const cli_searched *s, cli_record *say)
{
    const swq_bracket *b = &s->found->bracket;
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
        say_bracket(say, b, s->resolution);
}

/* ---- the ceiling ---- */

static void say_ceiling(cli_record *to, const swq_ceiling *c)
{
    char others[40] = "";

    if (c->none) {
        cli_say(to, "  ceiling of the links   none: %s", c->none);
        return;
    }
    if (c->links > 1)
        snprintf(others, sizeof others, ", and %" PRIu64 " other%s", c->links - 1,
                 c->links == 2 ? "" : "s");
    cli_say(to, "  ceiling of the links   %.5g at a load of %.4g of all senders alike",
            c->throughput, c->load);
    cli_say(to, "                         (then always busy: the link from %s to %s%s)", c->from,
            c->to, others);
}

static void put_ceiling(cli_record *found, const swq_ceiling *c, cli_record *say)
{
    if (!c)
        return;
    cli_quietly(cli_put_number(found, "ceiling", c->throughput));
    cli_quietly(cli_put_number(found, "ceiling_load", c->load));
    cli_quietly(cli_put_word(found, "ceiling_from", c->none ? NULL : c->from));
    cli_quietly(cli_put_word(found, "ceiling_to", c->none ? NULL : c->to));
    cli_quietly(cli_put_word(found, "no_ceiling", c->none));
    say_ceiling(say, c);
}

/* ---- the highest throughput ---- */

/* "tried next to it: 0.4 and 0.6; " */
static const char *tried_beside(const swq_peak *peak, char *text, size_t size)
{
    char most[40] = "";

    if (!isnan(peak->above))
        snprintf(most, sizeof most, "%s%.4g", isnan(peak->below) ? "" : " and ", peak->above);
    if (!isnan(peak->below))
        snprintf(text, size, "tried next to it: %.4g%s; ", peak->below, most);
    else if (*most)
        snprintf(text, size, "tried next to it: %s; ", most);
    return text;
}

/* "0.52 +- 0.01, reached at a load of 0.5 (tried next to it: 0.4 and 0.6; 12 runs)", or two lines
 * if a lower load does as well, as far as the intervals can tell. */
static void say_highest(cli_record *to, const swq_peak *peak, bool cut)
{
    const char *what = cut ? "highest found so far" : "highest throughput";
    char tried[80] = "", runs[20];

    tried_beside(peak, tried, sizeof tried);
    snprintf(runs, sizeof runs, "%d run%s", peak->runs, peak->runs == 1 ? "" : "s");
    if (peak->load == peak->highest_load) {
        cli_say(to, "  %-22s %.5g +- %.2g, reached at a load of %.4g (%s%s)", what,
                peak->throughput.mean, peak->throughput.half_width, peak->load, tried, runs);
        return;
    }
    cli_say(to, "  %-22s %.5g +- %.2g at a load of %.4g, the best of all runs", what,
            peak->throughput.mean, peak->throughput.half_width, peak->highest_load);
    cli_say(to,
            "  no less from there on  %.5g +- %.2g at a load of %.4g, as far as can be told (%s%s)",
            peak->at_load.mean, peak->at_load.half_width, peak->load, tried, runs);
}

static void say_full_load(cli_record *to, const swq_peak *peak, swq_estimate full, bool deadlock)
{
    const double less = peak->throughput.mean - full.mean;

    if (deadlock)
        cli_say(to, "  at full load           a deadlock");
    else if (less > peak->throughput.half_width + full.half_width)
        cli_say(to, "  at full load           %.5g +- %.2g: %.3g%% less", full.mean,
                full.half_width, 100 * less / peak->throughput.mean);
    else
        cli_say(to, "  at full load           %.5g +- %.2g: no less, as far as can be told",
                full.mean, full.half_width);
}

static void say_peak(cli_record *to, const cli_searched *s, swq_estimate full)
{
    const swq_peak *peak = &s->found->peak;
    const bool cut = s->found->interrupted;

    cli_say(to, "%s",
            cut ? "\n  INTERRUPTED: the search for the highest throughput was not finished" : "");
    if (peak->runs == 0) {
        cli_say(to, "  not even the first run, at full load, was finished: nothing was found");
        return;
    }
    if (isnan(peak->throughput.mean)) {
        cli_say(to, "  no load without a deadlock was found (%d run%s)", peak->runs,
                peak->runs == 1 ? "" : "s");
    } else {
        say_highest(to, peak, cut);
        say_full_load(to, peak, full, s->deadlock);
    }
    if (!isnan(peak->deadlock_load))
        cli_say(
            to,
            "  DEADLOCKS at a load of %.4g; only lower ones count, and longer runs may deadlock "
            "there too",
            peak->deadlock_load);
}

void cli_put_peak(cli_record *root, const cli_searched *s)
{
    const swq_peak *peak = &s->found->peak;
    const swq_estimate none = {NAN, NAN}, full = peak->runs > 0 ? s->full->all.throughput : none;
    cli_record *found = cli_quietly(cli_prefixed(cli_put_group(root, "saturation", NULL)));

    cli_put_estimate(found, "throughput", peak->throughput);
    cli_put_number(found, "highest_load", peak->highest_load);
    cli_put_number(found, "load", peak->load);
    cli_put_estimate(found, "at_load", peak->at_load);
    cli_put_number(found, "tried_below", peak->below);
    cli_put_number(found, "tried_above", peak->above);
    cli_put_number(found, "deadlock_load", peak->deadlock_load);
    cli_put_estimate(found, "at_full_load", full);
    cli_put_word(found, "stopped_by", s->found->interrupted ? "interrupted" : "resolution");
    cli_put_count(found, "runs", (uint64_t)peak->runs);
    say_peak(root, s, full);
    put_bracket(found, s, root);
    put_ceiling(found, s->ceiling, root);
}

void cli_put_full_load(cli_record *root, const cli_searched *s, bool waits)
{
    const swq_bracket *b = &s->found->bracket;
    cli_record *found = cli_prefixed(cli_put_group(root, "saturation", ""));

    cli_in_unit(cli_labelled(cli_put_estimate(found, "throughput", s->full->all.throughput),
                             "saturation throughput"),
                "packets per node and cycle, at full load");
    cli_quietly(cli_put_number(found, "load_least", b->least));
    cli_quietly(cli_put_number(found, "load_most", b->most));
    cli_quietly(cli_put_count(found, "runs", (uint64_t)b->runs + 1));
    put_bracket(found, s, waits ? found : NULL);
}
