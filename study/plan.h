/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A study once it is understood: blocks of a command, options that all its points share, axes to be
 * crossed, and exclusions. What the files of this room share about it.
 * Room: study.
 */
#ifndef SWQ_STUDY_PLAN_H
#define SWQ_STUDY_PLAN_H

#include "study/study.h"
#include "study/tree.h"

enum {
    SWQ_PLAN_OPTIONS = 40,        /* of one point */
    SWQ_PLAN_AXES = 24,           /* of one block */
    SWQ_PLAN_VALUES = 1000000,    /* on one axis */
    SWQ_PLAN_ALL = 4000000,       /* values in one study */
    SWQ_PLAN_EXCLUSIONS = 100000, /* of one block */
    SWQ_PLAN_REPEATS = 1000000,
    SWQ_PLAN_WORDS = 16 << 10 /* bytes of one point's words */
};
#define SWQ_PLAN_POINTS INT64_C(100000000) /* of one study */

/* An option with its value in canonical form; a flag has the value swq_plan_on or swq_plan_off. */
typedef struct swq_setting {
    const char *option, *value;
    int line;
    int fact; /* the exclusions' fact that it is, from 1; 0: none */
} swq_setting;
extern const char swq_plan_on[], swq_plan_off[];

/* Options that go together: one place on an axis. */
typedef struct swq_choice {
    int count;
    swq_setting *setting;
} swq_choice;

typedef struct swq_axis {
    bool alike; /* all choices are of the same options */
    int count;
    swq_choice *choice;
} swq_axis;

/* What `without` says. A point is left out if every rule of an exclusion has its option at one of
 * its values. An option at a value is a fact; the exclusions that it counts for are
 * hit[first .. first + hits). */
typedef struct swq_fact {
    const char *option, *value;
    int first, hits;
    bool occurs;
} swq_fact;

typedef struct swq_without {
    int exclusions, facts;
    int *rules; /* [exclusions] */
    swq_fact *fact;
    int *hit;
} swq_without;

typedef struct swq_block {
    const char *command, *formula; /* formula: its name, or a single line's argument; or NULL */
    char *full;                    /* both in one text, as the language is asked */
    swq_choice base;
    int axes, repeats;
    swq_axis axis[SWQ_PLAN_AXES];
    swq_without without;
    bool seeds; /* points get seeds of their own */
    uint64_t seed;
} swq_block;

struct swq_study {
    swq_arena arena;
    const char *path; /* for messages */
    int blocks, room;
    swq_block **block;
};

/* What grows while a study is read: its values, and the options of the block under way whose use
 * the language has told. */
typedef struct swq_plan_tally {
    int64_t values;
    int options;
    struct {
        const char *name;
        swq_option_use use;
    } option[SWQ_PLAN_OPTIONS];
} swq_plan_tally;

/* What reading needs everywhere. */
typedef struct swq_plan_reader {
    swq_context *ctx;
    const char *path;
    const swq_study_language *language;
    swq_arena *arena;
    swq_block *block; /* under way */
    swq_plan_tally *tally;
} swq_plan_reader;

/* Record "PATH, line N: ..." and return SWQ_EINVAL. */
swq_status swq_plan_fail(const swq_plan_reader *r, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The word of a list that NULL ends which `name` is probably meant for; NULL: none is near. */
const char *swq_plan_nearest(const char *name, const char *const *known);

/* The words of such a list with commas between them, as far as there is room. */
void swq_plan_join(const char *const *words, char *text, size_t room);

/* Is a key one of a list that NULL ends? If not, an error that tells them. */
swq_status swq_plan_keys(const swq_plan_reader *r, const swq_node *map, const char *what,
                         const char *const *known);

/* One value of an option: a text, or a list of texts, which are joined by commas. */
swq_status swq_plan_value(const swq_plan_reader *r, const swq_node *option, const swq_node *value,
                          swq_setting *setting);

/* A list of values, a range, a list with ranges in it, or a single value. */
swq_status swq_plan_values(const swq_plan_reader *r, const swq_node *option, const swq_node *values,
                           swq_setting **setting, int *count);

/* A map of options with one value each. */
swq_status swq_plan_choice(const swq_plan_reader *r, const swq_node *map, const char *what,
                           swq_choice *choice);

/* An error unless a node is of a kind: "WHAT is ...". */
swq_status swq_plan_need(const swq_plan_reader *r, const swq_node *node, swq_node_kind kind,
                         const char *what, const char *is);

/* The block's axes from `cases`, `zip` and `over`, each NULL if it is not there; and its exclusions
 * from `without`. O(file and values, times the log of the exclusions). */
swq_status swq_plan_axes(const swq_plan_reader *r, const swq_node *cases, const swq_node *zip,
                         const swq_node *over);
swq_status swq_plan_without(const swq_plan_reader *r, const swq_node *without);

/* Where an option is set, by the base or one of the first axes; NULL: nowhere. */
const swq_setting *swq_plan_set_before(const swq_block *block, int axes, const char *option);

/* The canonical form of a plain value: numbers in it as they are shortest (0.10 is 0.1, 1e3 is
 * 1000), everything else as it stands. Returns how long it is; `text` gets as much as there is room
 * for. */
size_t swq_plan_canonical(const char *value, char *text, size_t room);

/* Is a text a number as JSON writes them? */
bool swq_plan_is_number(const char *text);

#endif
