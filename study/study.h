/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A study: a file that describes many points, and the list of these points. A point is a command
 * line, "solve --buffer damq --load 0.5 --slots 4"; the caller decides how a point is answered.
 * docs/sweep.md has the format.
 */
#ifndef SWQ_STUDY_STUDY_H
#define SWQ_STUDY_STUDY_H

#include "switchq/context.h"

#include <stdbool.h>
#include <stdint.h>

/* The language of a study: the caller's commands and options. The study asks about them before any
 * point is run. */
typedef enum swq_option_use {
    SWQ_OPTION_UNKNOWN,
    SWQ_OPTION_FLAG,  /* takes no value */
    SWQ_OPTION_VALUE, /* takes a value */
    SWQ_OPTION_LIST,  /* takes a value and may be repeated: the items of a list, one per line */
    SWQ_OPTION_BARRED /* known, but not for a point of a study */
} swq_option_use;

typedef struct swq_study_language {
    void *arg;
    const char *const *commands; /* the commands that points may have, ended by NULL */
    /* How a command ("formula NAME" in the case of formula) uses an option. For SWQ_OPTION_UNKNOWN,
     * *nearest may receive a known name that is similar; for SWQ_OPTION_BARRED, the reason. */
    swq_option_use (*option)(void *arg, const char *command, const char *name,
                             const char **nearest);
    /* Is `name` a formula? If not, the context has the message. */
    swq_status (*formula)(void *arg, swq_context *ctx, const char *name);
    /* The file describes one command line, of commands[0]: no axes, repeats or seeds, and
     * `argument` is the argument of a command other than formula. */
    bool single;
} swq_study_language;

/* A point. All texts are valid during the visit. */
typedef struct swq_point {
    const char *words; /* the canonical command line: options sorted, values in their shortest form,
                          words quoted for a shell; the key of the point */
    const char *command; /* its first word */
    const char *options; /* the same as a JSON object, {"buffer":"damq","load":0.5,...} */
    int repeat;          /* 0, 1, ... */
    bool seeded;         /* --seed is one of the options */
    uint64_t seed;
} swq_point;

typedef struct swq_study swq_study;

/* Reads a study from a file ("-": standard input), and checks everything except the options'
 * values. Errors: SWQ_EIO; SWQ_EINVAL naming file, line, key, value and what is allowed;
 * SWQ_ENOMEM. */
swq_status swq_study_read(swq_context *ctx, const char *path, const swq_study_language *language,
                          swq_study **study);

/* As swq_study_read, but from text in memory; `path` is for messages. */
swq_status swq_study_parse(swq_context *ctx, const char *path, const char *text, size_t size,
                           const swq_study_language *language, swq_study **study);

/* As swq_study_read, but from documents that have been read, or constructed, already
 * (study/tree.h). The documents must outlive the study, as messages name their lines. */
struct swq_node;
swq_status swq_study_make(swq_context *ctx, const char *path, struct swq_node **document,
                          int documents, const swq_study_language *language, swq_study **study);

/* NULL is allowed. */
void swq_study_free(swq_context *ctx, swq_study *study);

/* Shows every point to `visit`, in the order of the file, the last key varying fastest; a point
 * that occurs twice is shown twice. A status other than SWQ_OK from `visit` ends the walk and is
 * returned. Cost: a microsecond per point, and memory for one point. */
typedef swq_status swq_point_visit(void *arg, const swq_point *point);
swq_status swq_study_points(swq_context *ctx, const swq_study *study, swq_point_visit *visit,
                            void *arg);

/* Counts the points of a study. */
swq_status swq_study_count(swq_context *ctx, const swq_study *study, int64_t *points);

/* Splits a point's words in place as a shell would, with single quotes only; word[] receives
 * pointers into `words`. Errors: SWQ_EINVAL if there are more than `most`, or a quote is not
 * closed. */
swq_status swq_point_split(swq_context *ctx, char *words, const char **word, int most, int *count);

/* Quotes a word of a point if necessary; returns the length of the quoted word, and `text` (NULL:
 * of 0 bytes) receives the whole word with a final zero, if there is room. */
size_t swq_point_quote(const char *word, char *text, size_t room);

/* The seed of a repeat of a point, below 2^53 so that JSON preserves it: FNV-1a (64 bits) over the
 * study's seed in decimal, a line feed, the point's words without --seed, a line feed and the
 * repeat in decimal, mixed once by splitmix64's finalizer; its upper 53 bits. */
uint64_t swq_point_seed(uint64_t study_seed, const char *words, int repeat);

#endif
