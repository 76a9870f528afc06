/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help: every command has it, it names every option and no other, and its examples run.
 */
#include "switchq/formula.h"
#include "tests/cli/program.h"

#include <ctype.h>

TestSuite(cli_help, .init = program_begin, .fini = program_end, .timeout = 480);

#define SWITCH                                                                                     \
    "buffer", "slots", "load", "ports", "arbiter", "iterations", "flow", "credit", "traffic",      \
        "queue-min", "queue-max", "alpha", "scope", "queues", "read", "pool-rule", "admission",    \
        "ties", "drop", "expel", "congested", "oracle"
#define STAGES   "architecture", "speedup", "output-slots", "crosspoint-slots", "departures"
#define PRIORITY "high", "priority", "priority-slots", "priority-queues"
#define NETWORK                                                                                    \
    "topology", "stages", "normalise", "hot-spots", "sources", "queue-limit", "burst", "resend",   \
        "stale", PRIORITY
#define RUN                                                                                        \
    "cycles", "time", "warmup", "packets", "ignore", "precision", "replications", "threads",       \
        "seed", "confidence", "find-saturation", "resolution", "engine", "per-node", "per-link",   \
        "histogram", "percentiles", "measure", "node-groups", "group-by", "series", "onset",       \
        "starts", "saq-log", "messages-out", "watch"
#define ASYNC                                                                                      \
    "dims", "one-way", "chained", "arity", "levels", "radix", "up-ports", "hosts", "routers",      \
        "leaves", "spines", "globals", "groups", "arrangement", "width", "order", "via",           \
        "architecture", "speedup", "output-slots", "crosspoint-slots", "departures",               \
        "output-bytes", "crossbar-delay", "cut-through", "management", "xoff", "xon", "saqs",      \
        "detect", "turnpool-bits", "interface-packets", "interface-cold", "inspection-cycles",     \
        "refused", "credit-unit", "credit-delay", "stop", "go", "two-counter", "circuits",         \
        "clock-ahead", "sender", "path-hops", "destination-stages", "no-abort", "no-restrict",     \
        "no-requeue", "no-preroute", "routing", "ways", "ugal-threshold", "ugal-queue",            \
        "ugal-credits", "straight-factor", "detour-factor", "choice", "benchmark", "bytes",        \
        "last-bytes", "block", "max-packet", "piece", "threshold", "release", "hop-delay",         \
        "link-rest", "length", "interval", "interval-from", "group", "flit", "chunk", "equal",     \
        "crosspoint", "crosspoint-chunks", "banks", "fifos", "fifo-bytes", "module", "lanes",      \
        "node-lanes", "lane-flits", "lane-pool", "lane-reserve", "lane-reserve-for",               \
        "lane-choice", "lane-reuse", "escape-use", "escape-exit", "router-delay", "link-delay",    \
        "level-delay", "deadlock", "fail", "routes", "pool-cells", "lane-cells", "node-cells",     \
        "group-credit", "multicast-queue"
#define DATACENTRE                                                                                 \
    "rate", "memory", "memories", "cell", "classes", "schedule", "quantum", "class-alpha", "test", \
        "arriving", "drain-interval", "first-alpha", "new-flow", "flow-pause", "gamma",            \
        "afd-interval", "afd-length", "afd-above", "expel-every", "expel-bucket", "cut-after",     \
        "ecn", "mark-at", "arrivals", "packet-bytes", "class-shares", "spine-links", "spine-rate", \
        "delay", "spread", "sizes", "incast", "off", "flow-list", "window", "header", "ack-bytes", \
        "least-timeout", "target-delay", "pfc", "lossless", "headroom", "pfc-alpha",               \
        "pause-response", "pause-watchdog", "duration", "fates-out", "flows-out"
/* Options of every command that computes something. */
#define FILES  "config", "save-config"
#define PLUGIN "plugin"
#define VIEW   "panel", "x-range", "y-range", "log-axes"
#define RARE   "rare", "importance", "pilot-steps"
#define SOLVER "reduce", "solver", "tol", "max-iterations", "mem"

static struct {
    const char *command, *options[240];
} commands[] = {
    {"solve",
     {"topology",
      "stages",
      "target",
      "exact",
      "policy",
      "delay",
      "losses",
      "tail",
      "variance",
      "slope",
      "by-output",
      "chain",
      "rewards",
      "states",
      "rates",
      "normalise",
      "start",
      "until",
      "after",
      SWITCH,
      STAGES,
      PRIORITY,
      SOLVER,
      "scratch",
      "threads",
      "plot",
      VIEW,
      "json",
      "mpi",
      "checkpoint",
      "checkpoint-every",
      "csv",
      FILES,
      PLUGIN,
      "help",
      "help-all",
      "burst",
      NULL}},
    {"sim",
     {SWITCH, NETWORK, ASYNC, DATACENTRE, RUN, RARE, "mem", "plot", VIEW, "json", "csv", "booksim",
      "preset", FILES, PLUGIN, "help", "help-all", NULL}},
    {"approx", {SWITCH,   NETWORK, ASYNC,      "method", "methods", "find-saturation",
                "target", "table", "compare",  "cycles", "seed",    "threads",
                "plot",   VIEW,    "json",     "csv",    "mem",     FILES,
                PLUGIN,   "help",  "help-all", NULL}},
    /* and those that add_parameters adds */
    {"formula", {"json", "csv", "plot", FILES, "help", "help-all", NULL}},
    {"table",
     {"arbiter", "pool-rule", "plot", "json", "csv", "quick", "cycles", "seed", "threads", "stale",
      "ports", "slots", "loads", "most-states", SOLVER, FILES, "help", "help-all", NULL}},
    {"figure",
     {"output", "no-plot", "quick", "cycles", "seed", "threads", "threshold", "equal", "json",
      "csv", "mem", FILES, "help", "help-all", NULL}},
    {"cost",
     {SWITCH, NETWORK, ASYNC, DATACENTRE, "cost-file", "network", "engine", "json", "csv", FILES,
      PLUGIN, "help", "help-all", NULL}},
    {"bound", {"routes",   "ways",    "topology", "fail",    "ports",     "stages",      "dims",
               "one-way",  "chained", "arity",    "levels",  "radix",     "up-ports",    "hosts",
               "routers",  "leaves",  "spines",   "globals", "groups",    "arrangement", "width",
               "order",    "via",     "routing",  "traffic", "hot-spots", "normalise",   "paths",
               "seed",     "json",    "csv",      "mem",     FILES,       PLUGIN,        "help",
               "help-all", NULL}},
    {"worst", {"admission", "rule",        "queues",   "slots",     "queue-min",
               "queue-max", "alpha",       "ties",     "objective", "arrivals-per-phase",
               "speedup",   "certificate", "sequence", "repeat",    "threads",
               "plot",      VIEW,          "json",     "csv",       "mem",
               "classes",   "drop",        FILES,      PLUGIN,      "help",
               "help-all",  NULL}},
    {"headroom", {"rate",      "cable",   "mac-phy",      "gearbox",  "quanta",
                  "gap",       "cell",    "lossless-mtu", "port-mtu", "least-packet",
                  "memory-at", "trigger", "small-share",  "headroom", "json",
                  "csv",       FILES,     "help",         "help-all", NULL}},
    {"compare", {"bytes",       "area",      "contestants", "scenarios", "benchmark", "seed",
                 "second-seed", "precision", "quick",       "threads",   "retry",     "database",
                 "cost-file",   "plot",      "page",        "data",      "json",      "csv",
                 PLUGIN,        "help",      "help-all",    NULL}},
    {"list", {"json", "csv", PLUGIN, "help", "help-all", NULL}},
    {"help", {"man", "json", "help", "help-all", NULL}},
    {"completion", {"help", "help-all", NULL}},
    {"export",
     {"format", "output", "reduce", "map", "mem", "burst", SWITCH, STAGES, PRIORITY, FILES, PLUGIN,
      "help", "help-all", NULL}},
    {"report",
     {"output", "quick", "full", "only", "no-validate", "again", "threads", "json", FILES, "help",
      "help-all", NULL}},
    {"sweep",
     {"threads", "retry", "again", "no-wait", "mem", "share", "database", "list", "dry-run", "json",
      "status", "export", "plot", "output", "merge", "prefer", "help", "help-all", NULL}},
    {"validate",
     {"quick", "full", "only", "list", "verbose", "seed", "threads", "json", "csv", FILES, "help",
      "help-all", NULL}},
};
enum { COMMANDS = sizeof commands / sizeof *commands, FORMULA = 3, COST = 6 };

/* The parameters of all formulas are options, each once. */
static void add_parameters(void)
{
    const char **option = commands[FORMULA].options;

    for (int f = 0; swq_formulas[f]; f++) {
        for (int k = 0; k < swq_formulas[f]->parameters; k++) {
            const char *name = swq_formulas[f]->parameter[k].name;
            int at = 0;
            while (option[at] && strcmp(option[at], name) != 0)
                at++;
            option[at] = name;
        }
    }
}

/* `cost` refuses some options that it shares with simulations, and does not list them. */
static void drop_options_of_cost(void)
{
    static const char *const refused[] = {
        "load",
        "traffic",
        "normalise",
        "hot-spots",
        "sources",
        "queue-limit",
        "burst",
        "benchmark",
        "length",
        "interval",
        "hop-delay",
        "link-rest",
        "group",
        "interval-from",
        "crossbar-delay",
        "router-delay",
        "link-delay",
        "level-delay",
        "deadlock",
        "release",
        "credit-delay",
        "banks",
        "ties",
        "drop",
        "expel",
        "congested",
        "oracle",
        "ugal-threshold",
        "ugal-queue",
        "ways",
        "ugal-credits",
        "straight-factor",
        "detour-factor",
        "test",
        "arriving",
        "expel-every",
        "cut-after",
        "ecn",
        "mark-at",
        "arrivals",
        "packet-bytes",
        "class-shares",
        "delay",
        "spread",
        "sizes",
        "incast",
        "off",
        "flow-list",
        "window",
        "header",
        "ack-bytes",
        "least-timeout",
        "target-delay",
        "pfc-alpha",
        "pause-response",
        "pause-watchdog",
        "duration",
        "flows-out",
        "fates-out",
        "off",
        "first-alpha",
        "new-flow",
        "flow-pause",
        "gamma",
        "afd-length",
        "afd-above",
    };
    const char **option = commands[COST].options;
    int kept = 0;

    for (int k = 0; option[k]; k++) {
        bool takes = true;
        for (size_t r = 0; r < sizeof refused / sizeof *refused; r++)
            takes = takes && strcmp(option[k], refused[r]) != 0;
        if (takes)
            option[kept++] = option[k];
    }
    option[kept] = NULL;
}

Test(cli_help, the_program_lists_its_commands)
{
    static const char *const ways[] = {"--help", "-h", "help"};

    for (int k = 0; k < 3; k++) {
        program_run run = program_succeeds("%s", ways[k]);
        for (int c = 0; c < COMMANDS; c++)
            cr_assert(strstr(run.out, commands[c].command), "%s", run.out);
        cr_assert(strstr(run.out, "Usage: switchq COMMAND"));
        cr_assert(strstr(run.out, "Exit status"));
        program_free(&run);
    }
}

Test(cli_help, without_a_command_the_same_goes_to_stderr)
{
    program_run help = program_succeeds("--help"), run = program("%s", "");

    cr_assert_eq(run.status, 2);
    cr_assert_str_empty(run.out);
    cr_assert_str_eq(run.err, help.out);
    program_free(&help);
    program_free(&run);
}

Test(cli_help, the_version_is_that_of_the_header)
{
    program_run run = program_succeeds("--version");

    cr_assert_str_eq(run.out, "switchq " SWQ_VERSION "\n");
    program_free(&run);
}

Test(cli_help, every_command_names_all_its_options_and_no_other)
{
    add_parameters();
    drop_options_of_cost();
    for (int c = 0; c < COMMANDS; c++) {
        program_run run = program_succeeds("%s --help-all", commands[c].command);
        int named = 0, known = 0;
        cr_assert(strstr(run.out, "Usage: switchq"));
        for (int o = 0; commands[c].options[o]; o++, known++) {
            char option[40];
            size_t length =
                (size_t)snprintf(option, sizeof option, " --%s", commands[c].options[o]);
            const char *at = run.out;
            /* at the start of its line, and not just a prefix */
            while ((at = strstr(at, option)) && (at[length] != '\n' && at[length] != ' '))
                at++;
            cr_assert(at, "%s --help-all does not name%s", commands[c].command, option);
        }
        /* an option begins a line, possibly after its short form */
        for (const char *line = run.out; line; line = strchr(line, '\n')) {
            line += *line == '\n';
            if (strncmp(line, "  --", 4) == 0 ||
                (strncmp(line, "  -", 3) == 0 && isalpha((unsigned char)line[3]) && line[4] == ','))
                named++;
        }
        cr_assert_eq(named, known, "%s --help-all names %d options, not %d", commands[c].command,
                     named, known);
        program_free(&run);
    }
}

/* A short help lists some of the options, all of which exist, and says where the others are. */
Test(cli_help, the_short_help_is_short)
{
    for (int c = 0; c < COMMANDS; c++) {
        program_run brief = program_succeeds("%s --help", commands[c].command);
        program_run same = program_succeeds("%s -h", commands[c].command);
        program_run all = program_succeeds("%s --help-all", commands[c].command);
        cr_assert_str_eq(brief.out, same.out);
        cr_assert(strstr(brief.out, "Usage: switchq"));
        cr_assert(strstr(brief.out, "--help-all"), "%s", commands[c].command);
        int lines = 0;
        for (const char *line = brief.out; (line = strchr(line, '\n')); line++) {
            lines++;
            if (strncmp(line, "\n  --", 5) == 0) {
                char option[80];
                snprintf(option, sizeof option, "%.*s", (int)strcspn(line + 1, "\n") + 1, line);
                cr_expect(strstr(all.out, option), "%s --help-all: no%s", commands[c].command,
                          option);
            }
        }
        cr_expect_leq(lines, 64, "%s --help: %d lines", commands[c].command, lines);
        program_free(&brief);
        program_free(&same);
        program_free(&all);
    }
}

Test(cli_help, a_formula_has_a_page_of_its_own)
{
    for (int f = 0; swq_formulas[f]; f++) {
        program_run run = program_succeeds("formula %s --help", swq_formulas[f]->name);
        for (int k = 0; k < swq_formulas[f]->parameters; k++) {
            char option[64];
            snprintf(option, sizeof option, "\n  --%s ", swq_formulas[f]->parameter[k].name);
            cr_expect(strstr(run.out, option), "%s: no%s", swq_formulas[f]->name, option);
        }
        for (int r = 0; r < swq_formulas[f]->results; r++)
            cr_expect(strstr(run.out, swq_formulas[f]->result[r].name), "%s",
                      swq_formulas[f]->name);
        program_free(&run);
    }
}

/* Whatever else is on the line. */
Test(cli_help, help_goes_before_anything_missing)
{
    for (int c = 0; c < COMMANDS; c++) {
        bool plain = strcmp(commands[c].command, "list") == 0 ||
                     strcmp(commands[c].command, "help") == 0 ||
                     strcmp(commands[c].command, "completion") == 0 ||
                     strcmp(commands[c].command, "report") == 0 ||
                     strcmp(commands[c].command, "sweep") == 0 ||
                     strcmp(commands[c].command, "compare") == 0 ||
                     strcmp(commands[c].command, "validate") == 0 ||
                     strcmp(commands[c].command, "report") == 0 || c == FORMULA;
        bool figure = strcmp(commands[c].command, "figure") == 0;
        bool worst = strcmp(commands[c].command, "worst") == 0;
        bool headroom = strcmp(commands[c].command, "headroom") == 0;
        program_run run = program_succeeds("%s %s --help", commands[c].command,
                                           plain      ? "nonsense"
                                           : figure   ? "--cycles nonsense"
                                           : worst    ? "--slots nonsense"
                                           : headroom ? "--rate nonsense"
                                                      : "--arbiter nonsense");
        cr_assert(strstr(run.out, "Usage:"));
        program_free(&run);
    }
}

/* Many simulations take time, and regenerated numbers may differ from the print. */
static bool takes_its_time(const char *arguments)
{
    return strncmp(arguments, "figure ", 7) == 0 || strstr(arguments, "--find-saturation") ||
           strncmp(arguments, "compare league", 14) == 0 ||
           strncmp(arguments, "compare buffers", 15) == 0 ||
           strncmp(arguments, "compare 1000-hosts", 18) == 0 ||
           (strncmp(arguments, "table ", 6) == 0 && strncmp(arguments, "table 4.1", 9) != 0);
}

/* Every line below "Examples:", up to a pipe to another program; none takes long, except the
 * papers' simulations, which are interrupted by Ctrl-C and end with partial results, or a note. */
Test(cli_help, the_examples_run)
{
    int examples = 0;
    program_run copied = program_shell("cp \"$SWITCHQ_SOURCE\"/examples/studies/*.yaml .");

    cr_assert_eq(copied.status, 0, "set SWITCHQ_SOURCE to the source: %s", copied.err);
    program_free(&copied);
    for (int c = 0; c < COMMANDS; c++) {
        program_run help = program_succeeds("%s --help-all", commands[c].command);
        const char *line = strstr(help.out, "Examples:\n");
        while (line && (line = strchr(line, '\n')) && *++line) {
            char text[256];
            snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "|\n"), line);
            char *arguments = strstr(text, "switchq ");
            cr_assert(arguments, "%s", text);
            arguments += strlen("switchq ");
            bool long_ = takes_its_time(arguments);
            program_run run = program_shell("timeout --foreground -s INT -k 5 %d \"$SWITCHQ\" %s",
                                            long_ ? 1 : 20, arguments);
            cr_expect(run.status == 0 || (long_ && (run.status == 1 || run.status == 124)),
                      "%s: status %d (124: it took too long) %s", text, run.status, run.err);
            program_free(&run);
            examples++;
        }
        program_free(&help);
    }
    cr_assert(examples >= 16, "%d", examples);
}

/* No option's help has its default twice. */
Test(cli_help, defaults_are_said_once)
{
    static const char *const commands_with_options[] = {"sim", "solve", "approx", "cost",
                                                        "compare"};

    for (int c = 0; c < 5; c++) {
        program_run run = program_succeeds("%s --help-all", commands_with_options[c]);
        char *to = run.out;
        for (char *at = run.out; *at; at++) { /* words of help, a blank between two */
            if (!isspace((unsigned char)*at) || (to > run.out && to[-1] != ' '))
                *to++ = isspace((unsigned char)*at) ? ' ' : *at;
        }
        *to = '\0';
        for (char *at = run.out; (at = strstr(at, "(default")); at++) {
            const char *end = strchr(at, ')');
            cr_expect(!end || strncmp(end, ") (default", 10) != 0, "%s: %.80s",
                      commands_with_options[c], at);
        }
        program_free(&run);
    }
}

Test(cli_help, all_options_of_a_command)
{
    program_run one = program_succeeds("help solve --help-all"),
                other = program_succeeds("solve --help-all");

    cr_expect_str_eq(one.out, other.out);
    program_free(&one);
    program_free(&other);
}
