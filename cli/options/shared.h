/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of options that several commands have: the same names, with the same meaning and words.
 */
#ifndef SWQ_CLI_SHARED_H
#define SWQ_CLI_SHARED_H

#include "cli/options/parameter.h"

/* Parts of a row that says how a command runs: no part of the question, and no axis. */
#define CLI_OF_THE_RUN .axis = CLI_AXIS_NONE, .aside = true, .preset = ""

/* The seed: a uint64_t. */
#define CLI_SEED_ROW(spec, member)                                                                 \
    {                                                                                              \
        CLI_OPTION("seed", "S", 0), CLI_AT(CLI_BIG, spec, member), CLI_FROM(0, 9.2e18),            \
            CLI_OF_THE_RUN, .about = "seed of all random streams (default 1)"                      \
    }

/* The threads: an int, which is cli_usual_threads() if the option is not given. what: for example
 * "simulations"; usual: for example "1". */
#define CLI_THREADS_ROW(spec, member, what, usual)                                                 \
    {                                                                                              \
        CLI_OPTION("threads", "T", 0), CLI_AT(CLI_INT, spec, member),                              \
            CLI_FROM(1, SWQ_MAX_THREADS), CLI_OF_THE_RUN,                                          \
            .about = what " at a time (default: " usual "); does not change the numbers"           \
    }

/* what: for example "simulations"; usual: for example "1"; read by cli_threads. */
#define CLI_THREADS_OPTION(to, what, usual)                                                        \
    {                                                                                              \
        "threads", '\0', POPT_ARG_STRING, to, 0,                                                   \
            what " at a time (default: " usual "); does not change the numbers", "T"               \
    }
#define CLI_ALL_CORES "the machine's cores"

/* Of files that options write. */
#define CLI_MAKES_FOLDERS "; missing folders are created"

/* file: "FILE", "PATH" or "DIR"; what: what is written there. Missing folders are made. */
#define CLI_OUTPUT_OPTION(to, what, file)                                                          \
    {                                                                                              \
        "output", 'o', POPT_ARG_STRING, to, 0, what CLI_MAKES_FOLDERS, file                        \
    }

/* what: the time that a quick run takes, and the effect of the option. */
#define CLI_QUICK_OPTION(to, what)                                                                 \
    {                                                                                              \
        "quick", '\0', POPT_ARG_NONE, to, 0, "short runs, for a first look: " what, NULL           \
    }

#endif
