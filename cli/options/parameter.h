/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parameters of what is asked: one row each. The option, its help, the words it completes to, the
 * check of its value, the refusal where nothing takes it, the field of answers, the axis of ranges,
 * and the lines of docs/keys.md and docs/defaults.md are made from the row.
 */
#ifndef SWQ_CLI_PARAMETER_H
#define SWQ_CLI_PARAMETER_H

#include "cli/options/options.h"
#include "cli/record/record.h"

#include <stddef.h>

/* What a value is, and so what the spec keeps at `at`. */
typedef enum cli_parameter_kind {
    CLI_OWN,     /* read by `read`, or by the code of the spec */
    CLI_INT,     /* int: a whole number from `least` to `most` */
    CLI_BIG,     /* uint64_t: the same, which may be written as 1e6 */
    CLI_BYTES,   /* int: the same, in units of the int at `scale`, of which the number must be a
                    multiple */
    CLI_REAL,    /* double: a number from `least` to `most` */
    CLI_TIME,    /* uint64_t: picoseconds, from `least` to `most`, read with a unit; the field has
                    nanoseconds */
    CLI_SIZE,    /* uint64_t: bytes, read with a unit; of several values, words vary */
    CLI_SIZE_32, /* uint32_t: the same; of several values, numbers vary */
    CLI_RATE,    /* uint64_t: bit/s, read with a unit */
    CLI_CHOICE,  /* int or enum: the place of the value among `words` */
    CLI_EITHER,  /* bool: true for the second of two `words` */
    CLI_NAMED,   /* pointer: the row of that name among `rows` */
    CLI_FLAG,    /* bool: whether the option, which takes no value, was given */
    CLI_UNFLAG   /* the same; the field says whether it was not */
} cli_parameter_kind;

/* How several values are given, as an axis of ranges: by what kind the value is, or else. Of
 * several axes words vary slowest, then numbers, then sizes, then the load. */
typedef enum cli_axis_form {
    CLI_AXIS_BY_KIND, /* numbers as FROM:TO:STEP or with commas between, words with commas between;
                         none for CLI_OWN and CLI_FLAG */
    CLI_AXIS_NONE,
    CLI_AXIS_WORDS,
    CLI_AXIS_SENDERS,  /* bucket:0.1,64,tokens:8,stay: each begins with a word and a colon */
    CLI_AXIS_COUNTERS, /* H,20,8,4,2,4,A: words, and groups of five numbers */
    CLI_AXIS_WHOLE,
    CLI_AXIS_NUMBERS,
    CLI_AXIS_SIZES, /* whole numbers, which vary faster than others */
    CLI_AXIS_LOADS  /* FROM:TO:STEP alone, as commas separate the loads of inputs */
} cli_axis_form;

/* An option that chooses one row of a table, such as --architecture. */
typedef struct cli_owner {
    const char *option;
    const char *before;      /* stands before the names of rows in help: "--flow "; "": nothing */
    const void *const *rows; /* ended by NULL; a row begins with its name */
    size_t at;               /* where a spec has the pointer to its row */
    const char *(*name)(const void *spec); /* the name of that row; NULL: as in the table */
} cli_owner;

/* The rows of an owner that take a parameter. */
typedef struct cli_taker {
    const cli_owner *owner;
    bool (*takes)(const void *row);
} cli_taker;

/* A default: in command lines that begin with one of `lines` (such as "solve, sim --rare"). */
typedef struct cli_default {
    const char *lines;
    const char *value; /* in parentheses: cannot be typed, or is one of several */
    const char *why;
} cli_default;

enum { CLI_MOST_TAKERS = 3, CLI_MOST_NEEDS = 2 };

typedef struct cli_parameter {
    struct poptOption option; /* first; `val`: the engines, CLI_WITH_RARE and CLI_IS_PARAMETER */
    cli_parameter_kind kind;
    size_t at, scale;
    double least, most;
    int (*highest)(const void *spec); /* in place of `most`, where it depends on the spec */
    const char *const *words;         /* ended by NULL */
    const void *const *rows;          /* ended by NULL */
    const char *list;                 /* `switchq list LIST` has the rows; NULL: none */
    cli_taker takers[CLI_MOST_TAKERS];
    /* Options that must be given, too, each alone or with its value: "sender", "schedule drr"; and
     * an option that must not. */
    const char *needs[CLI_MOST_NEEDS], *excludes;
    bool any;            /* one of the owners must take it; else each of them */
    bool general;        /* most rows take it: help does not say which */
    bool costless;       /* of traffic, time or which packets are lost: what a switch costs is the
                            same */
    const char *instead; /* options that rows which do not take it have instead; NULL: none */
    const char *about;   /* the value in words */
    const char *preset;  /* the default in words, if it is not that of `defaults`: "default: ..." */
    const char *key, *unit; /* of the field in answers; NULL: the table makes none */
    /* in place of reading, showing and saying by kind; NULL: by kind. shown: is there a field,
     * beyond `takers`? said: the number that the field has */
    swq_status (*read)(swq_context *ctx, const char *text, void *spec);
    bool (*shown)(const void *spec);
    double (*said)(const void *spec);
    void (*put)(cli_record *model, const void *spec);
    cli_axis_form axis;
    /* The words of a question (cli/options/words.h). says: % is the value, and ~ the s of a plural;
     * NULL: the option's name, the value and its unit. plain: the value that goes without saying;
     * "": any value, unless the option was given; NULL: none. idle: does the field say nothing in
     * such a model? as_given: the option's own text says more than the field. aside: the option is
     * no part of the question, as the answer is the same. */
    const char *says, *plain;
    bool (*idle)(const cli_record *model);
    bool as_given, aside;
    const cli_default
        *defaults; /* ended by a row of NULLs; NULL: none, the option adds something */
} cli_parameter;

/* Added to an option's engines: --rare takes the option, too; the option is a parameter. */
enum { CLI_WITH_RARE = 0x100, CLI_IS_PARAMETER = 0x1000 };

/* The parts of a row. CLI_OPTION: the option's name, its value in help, and bits of `val`; the
 * compound literal keeps the text that was given. */
#define CLI_OPTION(name, argument, engines)                                                        \
    .option = {name,                                                                               \
               '\0',                                                                               \
               POPT_ARG_STRING,                                                                    \
               &(char *){NULL},                                                                    \
               (int)((unsigned)(engines) | CLI_IS_PARAMETER),                                      \
               NULL,                                                                               \
               argument}
/* The same, where the text, or whether the flag was given, is in a variable. */
#define CLI_OPTION_IN(name, argument, engines, text)                                               \
    .option = {                                                                                    \
        name, '\0',    POPT_ARG_STRING, text, (int)((unsigned)(engines) | CLI_IS_PARAMETER),       \
        NULL, argument}
#define CLI_FLAG_IN(name, engines, flag)                                                           \
    .option = {name, '\0', POPT_ARG_NONE, flag, (int)((unsigned)(engines) | CLI_IS_PARAMETER),     \
               NULL, NULL}
#define CLI_FLAG_OPTION(name, engines)                                                             \
    .option = {                                                                                    \
        name, '\0', POPT_ARG_NONE, &(int){0}, (int)((unsigned)(engines) | CLI_IS_PARAMETER),       \
        NULL, NULL}
#define CLI_AT(what, spec, member) .kind = (what), .at = offsetof(spec, member)
#define CLI_FROM(lowest, highest)  .least = (lowest), .most = (highest)
#define CLI_WORDS_OF(...)                                                                          \
    .words = (const char *const[])                                                                 \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define CLI_ROWS_OF(table) .rows = (const void *const *)(table)
#define CLI_DEFAULTS(...)                                                                          \
    .defaults = (const cli_default[])                                                              \
    {                                                                                              \
        __VA_ARGS__,                                                                               \
        {                                                                                          \
            NULL, NULL, NULL                                                                       \
        }                                                                                          \
    }

/* A function for takers: does a row have this member? */
#define CLI_PROPERTY(name, type, member)                                                           \
    static bool name(const void *row)                                                              \
    {                                                                                              \
        return ((const type *)row)->member;                                                        \
    }

/* The end of a table of parameters; and such a table in a table of options. */
#define CLI_PARAMETERS_END                                                                         \
    {                                                                                              \
        .option = POPT_TABLEEND                                                                    \
    }
#define CLI_PARAMETERS(table)                                                                      \
    {                                                                                              \
        NULL, '\0', POPT_ARG_INCLUDE_TABLE, table, CLI_IS_PARAMETER, NULL, NULL                    \
    }

/* The parameter whose option it is; NULL: an option that is no parameter. */
static inline const cli_parameter *cli_parameter_of(const struct poptOption *option)
{
    return option->val & CLI_IS_PARAMETER ? (const cli_parameter *)option : NULL;
}

/* The text that was given; NULL: none. */
const char *cli_parameter_text(const cli_parameter *row);

/* "--flow credits and stop-go, or --architecture wormhole and atlas": all who take a parameter,
 * with `last` before the last name of each owner. */
void cli_takers(const cli_parameter *row, const char *last, char *text, size_t size);

/* An option's help: who takes it, what it is, its default. May use text. */
enum { CLI_HELP_ROOM = 1600 };
const char *cli_option_help(const struct poptOption *option, char *text, size_t size);

/* Refuses options of a table, included tables too, that the spec's row of the owner does not take.
 * A parameter that any of several owners may take is refused with the first of them, whose row is
 * known last. Errors:
 * SWQ_EINVAL naming the option, the rows that take it, and the spec's row. */
swq_status cli_refuse_idle(swq_context *ctx, const struct poptOption *table, const cli_owner *owner,
                           const void *spec);

/* Refuses options of a table whose rows need other options of `all`, or exclude one: those that
 * only `engine` has, or with 0 those that any engine has. Errors: SWQ_EINVAL naming both. */
swq_status cli_refuse_lacking(swq_context *ctx, const struct poptOption *table,
                              const struct poptOption *all, unsigned engine);

/* Reads the parameters that were given, in their order, or one of them, into a spec that has their
 * defaults. Errors: SWQ_EINVAL naming the option, its value and what is allowed. */
swq_status cli_parameters_read(swq_context *ctx, const cli_parameter *table, void *spec);
swq_status cli_parameter_read(swq_context *ctx, const cli_parameter *table, const char *option,
                              void *spec);

/* Puts the parameters that the spec's rows take, in their order, or one of them. */
void cli_parameters_put(cli_record *model, const cli_parameter *table, const void *spec);
void cli_parameter_put(cli_record *model, const cli_parameter *table, const char *option,
                       const void *spec);

/* Has the value a unit? Questions then say it as it was given. */
bool cli_has_unit(const cli_parameter *row);

/* The axis of a parameter, CLI_AXIS_BY_KIND replaced. */
cli_axis_form cli_axis_of(const cli_parameter *row);

/* All tables of parameters. A row may be reached twice. */
extern const struct poptOption cli_all_parameters[];

#endif
