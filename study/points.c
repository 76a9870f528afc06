/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a study's axes to its points, one after another, each as a canonical command line.
 */
#include "base/context.h"
#include "study/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

/* A text written from left to right; `full` if something did not fit. */
typedef struct {
    char *text;
    size_t used, room;
    bool full;
} writer;

static void put(writer *w, const char *text, size_t length)
{
    if (w->full || length >= w->room - w->used) {
        w->full = true;
        return;
    }
    memcpy(w->text + w->used, text, length);
    w->used += length;
    w->text[w->used] = '\0';
}

static void put_text(writer *w, const char *text)
{
    put(w, text, strlen(text));
}

/* Characters that a shell does not interpret. */
static const char plain_letters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:,=+@%^-";

/* Writes a word so that a shell reads it back unchanged. */
static void put_word(writer *w, const char *word)
{
    if (*word && strspn(word, plain_letters) == strlen(word)) {
        put_text(w, word);
        return;
    }
    put_text(w, "'");
    for (; *word; word++)
        put_text(w, *word == '\'' ? "'\\''" : (const char[]){*word, '\0'});
    put_text(w, "'");
}

size_t swq_point_quote(const char *word, char *text, size_t room)
{
    size_t length = strlen(word);
    const bool plain = *word && strspn(word, plain_letters) == length;

    if (!plain)
        length += 2;
    for (const char *at = word; !plain && *at; at++)
        length += *at == '\'' ? 3 : 0;
    if (length < room) {
        writer w = {.text = text, .room = room};
        put_word(&w, word);
    }
    return length;
}

static void put_json(writer *w, const char *text)
{
    put_text(w, "\"");
    for (; *text; text++) { /* control characters were refused when the file was read */
        if (*text == '"' || *text == '\\')
            put_text(w, "\\");
        put(w, text, 1);
    }
    put_text(w, "\"");
}

swq_status swq_point_split(swq_context *ctx, char *words, const char **word, int most, int *count)
{
    char *to = words;
    bool quoted = false;

    *count = 0;
    for (const char *at = words; *at;) {
        at += strspn(at, " ");
        if (!*at)
            break;
        if (*count == most)
            return swq_fail(ctx, SWQ_EINVAL, "a point has at most %d words", most);
        word[(*count)++] = to;
        for (; *at && (quoted || *at != ' '); at++) {
            if (*at == '\'')
                quoted = !quoted;
            else if (*at == '\\' && !quoted && at[1])
                *to++ = *++at;
            else
                *to++ = *at;
        }
        const bool more = *at != '\0';
        *to++ = '\0'; /* never ahead of the reading position, since quotes only shorten */
        at += more;
        if (!more)
            break;
    }
    return quoted ? swq_fail(ctx, SWQ_EINVAL, "a point ends inside quotes") : SWQ_OK;
}

/* ---- one point ---- */

typedef struct {
    swq_context *ctx;
    const swq_block *block;
    const swq_setting *setting[SWQ_PLAN_OPTIONS + 1]; /* the current settings, sorted by name */
    int settings;
    int *held;     /* [exclusions] number of rules that hold */
    int excluding; /* number of exclusions all of whose rules hold */
    char words[SWQ_PLAN_WORDS], options[2 * SWQ_PLAN_WORDS];
} builder;

static int by_name(const void *a, const void *b)
{
    const swq_setting *const *one = a, *const *other = b;
    return strcmp((*one)->option, (*other)->option);
}

/* Collects the settings at a place on the axes. */
static void gather(builder *b, const int *place)
{
    b->settings = 0;
    for (int a = -1; a < b->block->axes; a++) {
        const swq_choice *choice = a < 0 ? &b->block->base : &b->block->axis[a].choice[place[a]];
        for (int s = 0; s < choice->count; s++)
            b->setting[b->settings++] = &choice->setting[s];
    }
    qsort(b->setting, (size_t)b->settings, sizeof(swq_setting *), by_name);
}

static const char *value_of(const builder *b, const char *option)
{
    for (int s = 0; s < b->settings; s++) {
        if (strcmp(b->setting[s]->option, option) == 0)
            return b->setting[s]->value;
    }
    return NULL;
}

/* Adds (by = 1) or removes (-1) a choice: updates the number of rules that hold in each exclusion,
 * and of the exclusions in which all rules hold. */
static void count_rules(builder *b, const swq_choice *choice, int by)
{
    const swq_without *w = &b->block->without;

    for (int s = 0; w->facts && s < choice->count; s++) {
        if (!choice->setting[s].fact)
            continue;
        const swq_fact *fact = &w->fact[choice->setting[s].fact - 1];
        for (int k = 0; k < fact->hits; k++) {
            const int e = w->hit[fact->first + k];
            b->excluding -= b->held[e] == w->rules[e];
            b->held[e] += by;
            b->excluding += b->held[e] == w->rules[e];
        }
    }
}

static void write_words(builder *b, writer *w)
{
    *w = (writer){.text = b->words, .room = sizeof b->words};
    put_text(w, b->block->command);
    if (b->block->formula) {
        put_text(w, " ");
        put_word(w, b->block->formula);
    }
    for (int s = 0; s < b->settings; s++) {
        const swq_setting *setting = b->setting[s];
        if (setting->value == swq_plan_off)
            continue;
        put_text(w, " --");
        put_text(w, setting->option);
        if (setting->value == swq_plan_on)
            continue;
        put_text(w, " ");
        put_word(w, setting->value);
    }
}

static void write_options(builder *b, writer *w)
{
    *w = (writer){.text = b->options, .room = sizeof b->options};
    put_text(w, "{");
    if (b->block->formula) {
        put_text(w, "\"formula\":");
        put_json(w, b->block->formula);
    }
    for (int s = 0; s < b->settings; s++) {
        const swq_setting *setting = b->setting[s];
        if (setting->value == swq_plan_off)
            continue;
        put_text(w, w->used > 1 ? "," : "");
        put_json(w, setting->option);
        put_text(w, ":");
        if (setting->value == swq_plan_on || swq_plan_is_number(setting->value))
            put_text(w, setting->value);
        else
            put_json(w, setting->value);
    }
    put_text(w, "}");
}

uint64_t swq_point_seed(uint64_t study_seed, const char *words, int repeat)
{
    char number[24], last[16];
    const char *part[] = {number, words, last};
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    snprintf(number, sizeof number, "%" PRIu64 "\n", study_seed);
    snprintf(last, sizeof last, "\n%d", repeat);
    for (int p = 0; p < 3; p++) {
        for (const char *at = part[p]; *at; at++)
            hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    }
    hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
    return (hash ^ hash >> 31) >> 11;
}

/* Shows a point, with its seed among the options if it has one. */
static swq_status show(builder *b, int repeat, swq_point_visit *visit, void *arg)
{
    char text[24];
    swq_setting seed = {.option = "seed", .value = text};
    swq_point point = {
        .words = b->words, .command = b->block->command, .options = b->options, .repeat = repeat};
    writer words, options;
    const int settings = b->settings;
    swq_status status = SWQ_OK;

    write_words(b, &words);
    if (b->block->seeds && !words.full) {
        snprintf(text, sizeof text, "%" PRIu64, swq_point_seed(b->block->seed, b->words, repeat));
        b->setting[b->settings++] = &seed;
        qsort(b->setting, (size_t)b->settings, sizeof(swq_setting *), by_name);
        write_words(b, &words);
    }
    write_options(b, &options);
    const char *given = value_of(b, "seed");
    point.seeded = given != NULL;
    point.seed = given ? strtoull(given, NULL, 10) : 0;
    if (words.full || options.full)
        status = swq_fail(b->ctx, SWQ_EINVAL, "a point has more than %d bytes: %.100s...",
                          SWQ_PLAN_WORDS, b->words);
    if (!status)
        status = visit(arg, &point);
    if (b->settings > settings) { /* remove the seed again, for the next repeat */
        for (int s = 0, kept = 0; s < b->settings; s++) {
            if (b->setting[s] != &seed)
                b->setting[kept++] = b->setting[s];
        }
        b->settings = settings;
    }
    return status;
}

/* ---- all points ---- */

/* Advances to the next place, the last axis varying fastest; false: that was the last one. */
static bool advance(builder *b, int *place)
{
    for (int a = b->block->axes - 1; a >= 0; a--) {
        const swq_axis *axis = &b->block->axis[a];
        const bool further = place[a] + 1 < axis->count;
        if (axis->count == 1)
            continue;
        count_rules(b, &axis->choice[place[a]], -1);
        place[a] = further ? place[a] + 1 : 0;
        count_rules(b, &axis->choice[place[a]], 1);
        if (further)
            return true;
    }
    return false;
}

/* Begins a block at its first point. */
static swq_status begin(builder *b)
{
    swq_free(b->ctx, b->held);
    b->excluding = 0;
    b->held = swq_calloc(b->ctx, (size_t)b->block->without.exclusions, sizeof *b->held);
    if (!b->held)
        return swq_memory_status(b->ctx);
    count_rules(b, &b->block->base, 1);
    for (int a = 0; a < b->block->axes; a++)
        count_rules(b, &b->block->axis[a].choice[0], 1);
    return SWQ_OK;
}

static swq_status block_points(builder *b, swq_point_visit *visit, void *arg, int64_t *count)
{
    int place[SWQ_PLAN_AXES] = {0};
    swq_status status = SWQ_OK;

    /* the number is known without visiting the points */
    if (!visit && b->block->without.exclusions == 0) {
        int64_t product = b->block->repeats;
        for (int a = 0; a < b->block->axes; a++)
            product *= b->block->axis[a].count;
        *count += product;
        return SWQ_OK;
    }
    status = begin(b);
    if (status)
        return status;
    do {
        if (swq_context_cancelled(b->ctx))
            return swq_fail(b->ctx, SWQ_ECANCELLED, "interrupted");
        if (b->excluding)
            continue;
        gather(b, place);
        *count += b->block->repeats;
        for (int repeat = 0; visit && repeat < b->block->repeats && !status; repeat++)
            status = show(b, repeat, visit, arg);
    } while (!status && advance(b, place));
    return status;
}

/* Refuses a study that is too large at once, since it may be a typing error, rather than after
 * hours of counting. */
static swq_status check_size(swq_context *ctx, const swq_study *study)
{
    double points = 0;

    for (int k = 0; k < study->blocks; k++) {
        double product = study->block[k]->repeats;
        for (int a = 0; a < study->block[k]->axes; a++)
            product *= study->block[k]->axis[a].count;
        points += product;
    }
    if (points > (double)SWQ_PLAN_POINTS)
        return swq_fail(ctx, SWQ_EINVAL, "%.150s: that comes to %.3g points, of at most %.0g",
                        study->path, points, (double)SWQ_PLAN_POINTS);
    return SWQ_OK;
}

static swq_status all_points(swq_context *ctx, const swq_study *study, swq_point_visit *visit,
                             void *arg, int64_t *count)
{
    builder *b = swq_calloc(ctx, 1, sizeof *b);
    swq_status status = b ? SWQ_OK : swq_memory_status(ctx);

    *count = 0;
    for (int k = 0; k < study->blocks && !status; k++) {
        b->ctx = ctx;
        b->block = study->block[k];
        status = block_points(b, visit, arg, count);
    }
    if (b)
        swq_free(ctx, b->held);
    swq_free(ctx, b);
    return status;
}

swq_status swq_study_points(swq_context *ctx, const swq_study *study, swq_point_visit *visit,
                            void *arg)
{
    int64_t count;
    return all_points(ctx, study, visit, arg, &count);
}

swq_status swq_study_count(swq_context *ctx, const swq_study *study, int64_t *points)
{
    swq_status status = check_size(ctx, study);
    return status ? status : all_points(ctx, study, NULL, NULL, points);
}
