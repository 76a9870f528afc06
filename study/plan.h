/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A study as it is understood: blocks of a command, options that all points of a block share, axes
 * to be crossed, and exclusions; and the functions on it that the files of this room share.
 */
#ifndef SWQ_STUDY_PLAN_H
#define SWQ_STUDY_PLAN_H

#include "study/study.h"
#include "study/tree.h"

enum {
    SWQ_PLAN_OPTIONS = 40,        /* of a point */
    SWQ_PLAN_AXES = 24,           /* of a block */
    SWQ_PLAN_VALUES = 1000000,    /* on an axis */
    SWQ_PLAN_ALL = 4000000,       /* values in a study */
    SWQ_PLAN_EXCLUSIONS = 100000, /* of a block */
    SWQ_PLAN_REPEATS = 1000000,
    SWQ_PLAN_WORDS = 16 << 10 /* bytes of a point's words */
};
#define SWQ_PLAN_POINTS INT64_C(100000000) /* of a study */

/* An option with its value in canonical form; a flag has the value swq_plan_on or swq_plan_off. */
typedef struct swq_setting {
    const char *option, *value;
    int line;
    int fact; /* the number of this fact in the exclusions, from 1; 0: it is in none */
} swq_setting;
extern const char swq_plan_on[], swq_plan_off[];

/* Options that are set together: a choice is one place on an axis. */
typedef struct swq_choice {
    int count;
    swq_setting *setting;
} swq_choice;

typedef struct swq_axis {
    bool alike; /* all choices set the same options */
    int count;
    swq_choice *choice;
} swq_axis;

/* The key `without`. A point is left out if every rule of some exclusion has its option at one of
 * the rule's values. A fact is an option at a value; the exclusions in which the fact occurs are
 * hit[first .. first + hits). */
typedef struct swq_fact {
    const char *option, *value;
    int first, hits;
    bool occurs;
} swq_fact;

typedef struct swq_without {
    int exclusions, facts;
    int *rules; /* [exclusions] number of rules */
    swq_fact *fact;
    int *hit;
} swq_without;

typedef struct swq_block {
    /* formula: its name, or the argument of a single line; or NULL */
    const char *command, *formula;
    char *full; /* both in one text, for questions to the language */
    swq_choice base;
    int axes, repeats;
    swq_axis axis[SWQ_PLAN_AXES];
    swq_without without;
    bool seeds; /* points get their own seeds */
    uint64_t seed;
} swq_block;

struct swq_study {
    swq_arena arena;
    const char *path; /* for messages */
    int blocks, room;
    swq_block **block;
};

/* Data that grow while a study is read: the study's values, and the options of the current block
 * whose use is known. */
typedef struct swq_plan_tally {
    int64_t values;
    int options;
    struct {
        const char *name;
        swq_option_use use;
    } option[SWQ_PLAN_OPTIONS];
} swq_plan_tally;

/* The state that all readers need. */
typedef struct swq_plan_reader {
    swq_context *ctx;
    const char *path;
    const swq_study_language *language;
    swq_arena *arena;
    swq_block *block; /* the current block */
    swq_plan_tally *tally;
} swq_plan_reader;

/* Records "PATH, line N: ..." in the context and returns SWQ_EINVAL. */
swq_status swq_plan_fail(const swq_plan_reader *r, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The word of a NULL-terminated list that `name` was probably meant to be; NULL: none is
 * similar. */
const char *swq_plan_nearest(const char *name, const char *const *known);

/* Joins the words of such a list with commas, as far as there is room. */
void swq_plan_join(const char *const *words, char *text, size_t room);

/* Refuses keys that are not in a NULL-terminated list, with a message that names the keys of the
 * list. */
swq_status swq_plan_keys(const swq_plan_reader *r, const swq_node *map, const char *what,
                         const char *const *known);

/* A value of an option: a text, or a list of texts, which are joined by commas. */
swq_status swq_plan_value(const swq_plan_reader *r, const swq_node *option, const swq_node *value,
                          swq_setting *setting);

/* A list of values, a range, a list that contains ranges, or a single value. */
swq_status swq_plan_values(const swq_plan_reader *r, const swq_node *option, const swq_node *values,
                           swq_setting **setting, int *count);

/* A map of options, each with one value. */
swq_status swq_plan_choice(const swq_plan_reader *r, const swq_node *map, const char *what,
                           swq_choice *choice);

/* Refuses a node that is not of the kind `kind`, with a message "WHAT is ...". */
swq_status swq_plan_need(const swq_plan_reader *r, const swq_node *node, swq_node_kind kind,
                         const char *what, const char *is);

/* Reads the block's axes from `cases`, `zip` and `over`, and its exclusions from `without`; each is
 * NULL if it is missing. O(file and values, times the log of the exclusions). */
swq_status swq_plan_axes(const swq_plan_reader *r, const swq_node *cases, const swq_node *zip,
                         const swq_node *over);
swq_status swq_plan_without(const swq_plan_reader *r, const swq_node *without);

/* The setting of an option in the base or on one of the first `axes` axes; NULL: the option is not
 * set there. */
const swq_setting *swq_plan_set_before(const swq_block *block, int axes, const char *option);

/* The canonical form of a plain value: numbers in their shortest form (0.10 is 0.1, 1e3 is 1000),
 * everything else unchanged. Returns its length; `text` receives as much as fits. */
size_t swq_plan_canonical(const char *value, char *text, size_t room);

/* Is the text a number in JSON's syntax? */
bool swq_plan_is_number(const char *text);

#endif
