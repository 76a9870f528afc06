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
    return (swq_bracket){.most = 1, .deadlock_load = NAN, .interrupted = true};
}

static void say_loads(cli_record *to, const swq_bracket *b)
{
    if (b->least == 0)
        cli_say(to,
                "  open sources           not served in full at a load of %.4g, the lowest tried",
                b->most);
    else if (b->most == 1)
        cli_say(to, "  open sources           served in full at all loads tried, to %.4g",
                b->least);
    else
        cli_say(to, "  open sources           served in full at a load of %.4g, not at %.4g",
                b->least, b->most);
}

static void say_bracket(cli_record *to, const swq_bracket *b)
{
    char undecided[80] = "";

    if (b->runs == 0)
        return;
    say_loads(to, b);
    if (b->undecided)
        snprintf(undecided, sizeof undecided,
                 "; %d load%s left undecided by the longest, and not counted as served",
                 b->undecided, b->undecided == 1 ? "" : "s");
    cli_say(to,
            "                         (%d load%s, each served one for at least %llu cycles, "
            "the longest run %llu%s)",
            b->runs, b->runs == 1 ? "" : "s", (unsigned long long)b->cycles,
            (unsigned long long)b->longest, undecided);
    if (b->cycles < 500000)
        cli_say(to, "                         runs shorter than 500000 cycles may overstate it");
    if (b->interrupted)
        cli_say(to,
                "                         INTERRUPTED before the bracket was as narrow as asked");
}

void cli_put_bracket(cli_record *found, const swq_bracket *b, cli_record *say)
{
    cli_quietly(cli_put_number(found, "bracket_least", b->runs ? b->least : NAN));
    cli_quietly(cli_put_number(found, "bracket_most", b->runs ? b->most : NAN));
    cli_quietly(cli_put_count(found, "bracket_runs", (uint64_t)b->runs));
    cli_quietly(cli_put_count(found, "bracket_undecided", (uint64_t)b->undecided));
    cli_quietly(cli_put_count(found, "bracket_cycles", b->cycles));
    cli_quietly(cli_put_count(found, "bracket_longest", b->longest));
    if (say)
        say_bracket(say, b);
}
