/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models/canon.c and the canonical states of models/symmetry.c: a form is of the orbit, is its own
 * form, and is that of every image; and going through all contents there are as many forms as
 * models/foresee.c counts by Burnside's lemma. Not pinned: which member of an orbit is its form.
 */
#include "models/canon.h"
#include "models/chain_parts.h"
#include "tests/support/support.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

static swq_context *ctx;

static void setup(void)
{
    ctx = swq_context_new();
}

static void teardown(void)
{
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(canon, .init = setup, .fini = teardown, .timeout = 480);

enum { MOST = 4000, WORDS = 2 * SWQ_CHAIN_PORTS + 4, STATE = 200 };

/* ---- all contents ---- */

/* The contents of an input or of the pool, as words of a row: every combination of lengths that
 * fits, of a head, of one queue's slot not yet credited, of a packet held by the source (not for a
 * pool, which has several sources). Written from the description of the layout, independently of
 * the counting. */
typedef struct {
    int words;
    int64_t count;
    swq_word content[MOST][WORDS];
} contents;

static bool fits(const swq_buffer *b, const swq_word *length, int queues)
{
    int taken = 0;

    for (int q = 0; q < queues; q++) {
        if (length[q] > b->queue_max)
            return false;
        taken += length[q] > b->queue_min ? length[q] : b->queue_min;
    }
    return taken <= b->capacity;
}

static void add_content(contents *c, const swq_word *content)
{
    cr_assert_lt(c->count, MOST);
    memcpy(c->content[c->count++], content, sizeof(swq_word) * (size_t)c->words);
}

static void add_held(contents *c, const swq_layout *l, swq_word *content, int at)
{
    if (l->held < 0 || l->buffers < l->ports) {
        add_content(c, content);
        return;
    }
    for (int j = 0; j <= (l->deferred ? 1 : l->ports); j++) {
        content[at] = (swq_word)j;
        add_content(c, content);
    }
}

static void add_freed(contents *c, const swq_layout *l, swq_word *content, int at)
{
    if (l->freed < 0) {
        add_held(c, l, content, at);
        return;
    }
    for (int q = -1; q < l->queues; q++) {
        memset(content + at, 0, sizeof *content * (size_t)l->queues);
        if (q >= 0)
            content[at + q] = 1;
        add_held(c, l, content, at + l->queues);
    }
}

static void add_heads(contents *c, const swq_layout *l, swq_word *content)
{
    if (l->head < 0) {
        add_freed(c, l, content, l->queues);
        return;
    }
    for (int j = content[0] > 0; j <= (content[0] > 0 ? l->ports : 0); j++) {
        content[1] = (swq_word)j;
        add_freed(c, l, content, 2);
    }
}

static contents *list_contents(const swq_switch *sw, const swq_layout *l)
{
    contents *c = calloc(1, sizeof *c);
    swq_word content[WORDS] = {0};

    c->words = l->queues * (l->freed >= 0 ? 2 : 1) + (l->head >= 0) +
               (l->held >= 0 && l->buffers == l->ports);
    for (int q = 0; q < l->queues;) { /* an odometer */
        if (fits(&sw->buffer, content, l->queues))
            add_heads(c, l, content);
        for (q = 0; q < l->queues && content[q] == sw->buffer.queue_max; q++)
            content[q] = 0;
        if (q < l->queues)
            content[q]++;
        memset(content + l->queues, 0, sizeof content - sizeof *content * (size_t)l->queues);
    }
    return c;
}

static double foreseen(const swq_switch *sw, bool reduce)
{
    swq_chain_size size;

    cr_assert_eq(swq_chain_foresee(ctx, sw, reduce, &size), SWQ_OK, "%s", swq_context_message(ctx));
    return size.states;
}

/* ---- switches made of rows ---- */

typedef struct {
    swq_switch sw;
    swq_symmetry symmetry;
    swq_rows rows;
    contents *list;
    swq_word number[SWQ_ROW_PORTS][MOST]; /* of the rows of each class, by content */
} bench;

static bench *new_bench(const swq_switch *sw)
{
    bench *b = calloc(1, sizeof *b);

    b->sw = *sw;
    cr_assert_eq(swq_symmetry_find(ctx, &b->sw, true, &b->symmetry), SWQ_OK);
    cr_assert(swq_by_rows(&b->sw, &b->symmetry));
    cr_assert_eq(swq_rows_init(ctx, &b->sw, &b->symmetry, &b->rows), SWQ_OK);
    b->list = list_contents(&b->sw, &b->rows.layout);
    cr_assert_eq(b->list->words, b->rows.words);
    for (int c = 0; c < b->rows.classes; c++) {
        for (int64_t k = 0; k < b->list->count; k++) {
            int32_t number;
            cr_assert_eq(swq_rows_number(ctx, &b->rows, c, b->list->content[k], &number), SWQ_OK,
                         "%s", swq_context_message(ctx));
            b->number[c][k] = (swq_word)number;
        }
    }
    return b;
}

static void free_bench(bench *b)
{
    swq_rows_clear(ctx, &b->rows);
    swq_symmetry_clear(ctx, &b->symmetry);
    free(b->list);
    free(b);
}

static void canonical(bench *b, swq_word *row)
{
    cr_assert_eq(swq_canonical(ctx, &b->rows, row), SWQ_OK, "%s", swq_context_message(ctx));
}

/* All tuples up to the order of inputs in a class: a multiset of rows for each class. */
static int64_t count_forms(bench *b)
{
    int n = b->sw.ports, class[SWQ_ROW_PORTS], at = 0;
    int64_t pick[SWQ_ROW_PORTS] = {0};
    swq_intern forms;

    for (int c = 0; c < b->rows.classes; c++) {
        for (int k = 0; k < b->rows.members[c]; k++)
            class[at++] = c;
    }
    swq_intern_init(&forms, n);
    for (int i = 0; i >= 0;) {
        swq_word row[SWQ_ROW_PORTS];
        for (int k = 0; k < n; k++)
            row[k] = b->number[class[k]][pick[k]];
        canonical(b, row);
        cr_assert_geq(swq_intern_number(ctx, &forms, row), 0);
        for (i = n - 1; i >= 0 && pick[i] == b->list->count - 1;)
            i--;
        if (i < 0)
            break;
        pick[i]++;
        for (int k = i + 1; k < n; k++)
            pick[k] = class[k] == class[i] ? pick[i] : 0;
    }
    int64_t count = forms.count;
    swq_intern_clear(ctx, &forms);
    return count;
}

static void expect_burnside(const swq_switch *sw, const char *text)
{
    bench *b = new_bench(sw);
    int64_t forms = count_forms(b);
    double orbits = foreseen(sw, true);

    cr_assert_eq((double)forms, orbits, "%s: %lld forms, %.17g orbits", text, (long long)forms,
                 orbits);
    free_bench(b);
}

/* With all their variants if there are few contents. */
static void expect_burnside_of_variants(swq_switch sw, int variants, const char *text)
{
    for (int variant = 0; variant < variants; variant++) {
        sw.flow = variant % 2 ? SWQ_BLOCK : SWQ_DISCARD;
        sw.credit = variant / 2 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
        for (int traffic = 0; traffic < 4; traffic++) {
            swq_switch now = sw;
            char what[100];
            if (traffic % 2)
                cr_assert_eq(swq_traffic_hotspot(ctx, &now, 0.2, now.ports - 1), SWQ_OK);
            for (int i = 0; traffic / 2 && i < now.ports; i += 2)
                now.load[i] = 0.4;
            snprintf(what, sizeof what, "%s, %d ports, variant %d, traffic %d", text, sw.ports,
                     variant, traffic);
            expect_burnside(&now, what);
        }
    }
}

/* Up to 5 ports every permutation of outputs is listed. */
Test(canon, as_many_forms_as_burnside_counts_listed)
{
    static const struct {
        const char *buffer;
        int ports, slots, variants;
    } cases[] = {
        {"damq", 1, 3, 4}, {"damq", 2, 3, 4}, {"fifo", 2, 4, 4}, {"samq", 2, 4, 4},
        {"damq", 3, 1, 4}, {"damq", 3, 2, 1}, {"fifo", 3, 2, 4}, {"samq", 3, 3, 1},
        {"damq", 4, 1, 2}, {"fifo", 4, 2, 4}, {"samq", 4, 4, 1}, {"fifo", 5, 1, 4},
        {"damq", 5, 1, 1}, {"fifo", 5, 2, 1},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        expect_burnside_of_variants(
            test_switch(ctx, cases[c].buffer, cases[c].ports, cases[c].slots, 0.8, "random"),
            cases[c].variants, cases[c].buffer);
    swq_switch kept = test_switch(ctx, "damq", 3, 5, 0.8, "random");
    kept.buffer.queue_min = 1;
    kept.buffer.queue_max = 2;
    expect_burnside_of_variants(kept, 1, "reserved slots");
}

/* From 6 on they are searched. */
Test(canon, as_many_forms_as_burnside_counts_searched)
{
    static const struct {
        const char *buffer;
        int ports, slots, variants;
    } cases[] = {{"fifo", 6, 1, 2}, {"damq", 6, 1, 1}, {"fifo", 7, 1, 1}, {"fifo", 6, 2, 1}};

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        expect_burnside_of_variants(
            test_switch(ctx, cases[c].buffer, cases[c].ports, cases[c].slots, 0.8, "random"),
            cases[c].variants, cases[c].buffer);
    swq_switch sw = test_switch(ctx, "damq", 7, 1, 0.8, "random");
    expect_burnside(&sw, "damq, 7 ports");
    sw = test_switch(ctx, "damq", 8, 1, 0.8, "random");
    expect_burnside(&sw, "damq, 8 ports");
    sw = test_switch(ctx, "fifo", 8, 1, 0.8, "random");
    expect_burnside(&sw, "fifo, 8 ports");
    expect_burnside_of_variants(test_switch(ctx, "fifo", 8, 1, 0.8, "random"), 1, "fifo");
}

/* ---- images ---- */

static void shuffled(gsl_rng *rng, const uint8_t *class, int n, uint8_t *to)
{
    for (int j = 0; j < n; j++)
        to[j] = (uint8_t)j;
    for (int j = n - 1; j > 0; j--) { /* among those of its class */
        int k = (int)gsl_rng_uniform_int(rng, (unsigned long)j + 1);
        if (class[j] != class[k])
            continue;
        uint8_t kept = to[j];
        to[j] = to[k];
        to[k] = kept;
    }
}

/* The tuple with renamed outputs and the inputs of each class in a different order. */
static void make_image(bench *b, gsl_rng *rng, const uint8_t *to, const swq_word *row,
                       swq_word *image)
{
    int n = b->sw.ports;

    for (int i = 0; i < n; i++) {
        const swq_word *key = swq_intern_state(&b->rows.set, row[i]);
        swq_word moved[WORDS];
        int32_t number;
        memcpy(moved, key, 2 * sizeof *moved);
        swq_row_rename(&b->rows, key[0], key + 2, to, moved + 2);
        cr_assert_eq(swq_rows_renamed(ctx, &b->rows, moved, &number), SWQ_OK);
        image[i] = (swq_word)number;
    }
    for (int i = n - 1; i > 0 && rng; i--) {
        int k = (int)gsl_rng_uniform_int(rng, (unsigned long)i + 1);
        swq_word kept = image[i];
        image[i] = image[k];
        image[k] = kept;
    }
}

static int by_number(const void *a, const void *b)
{
    return *(const swq_word *)a - *(const swq_word *)b;
}

/* Is there a permutation of outputs within the classes that maps one tuple to the other? Tries all,
 * output by output; the order of inputs is removed by sorting. */
static bool try_outputs(bench *b, const swq_word *row, const swq_word *sorted, uint8_t *to, int j)
{
    int n = b->sw.ports;

    if (j == n) {
        swq_word image[SWQ_ROW_PORTS];
        make_image(b, NULL, to, row, image);
        qsort(image, (size_t)n, sizeof *image, by_number);
        return memcmp(image, sorted, sizeof *image * (size_t)n) == 0;
    }
    for (int k = j; k < n; k++) {
        uint8_t kept = to[j];
        if (b->symmetry.output_class[to[k]] != b->symmetry.output_class[j])
            continue;
        to[j] = to[k];
        to[k] = kept;
        if (try_outputs(b, row, sorted, to, j + 1))
            return true;
        to[k] = to[j];
        to[j] = kept;
    }
    return false;
}

static bool same_orbit(bench *b, const swq_word *row, const swq_word *form)
{
    swq_word sorted[SWQ_ROW_PORTS];
    uint8_t to[SWQ_ROW_PORTS];
    int n = b->sw.ports;

    memcpy(sorted, form, sizeof *sorted * (size_t)n);
    qsort(sorted, (size_t)n, sizeof *sorted, by_number);
    for (int j = 0; j < n; j++)
        to[j] = (uint8_t)j;
    return try_outputs(b, row, sorted, to, 0);
}

static void expect_form(bench *b, gsl_rng *rng, const swq_word *row, int images, bool search,
                        const char *text)
{
    size_t bytes = sizeof *row * (size_t)b->sw.ports;
    swq_word form[SWQ_ROW_PORTS], image[SWQ_ROW_PORTS];
    uint8_t to[SWQ_ROW_PORTS];

    memcpy(form, row, bytes);
    canonical(b, form);
    memcpy(image, form, bytes);
    canonical(b, image);
    cr_assert_eq(memcmp(image, form, bytes), 0, "%s: not its own form", text);
    for (int k = 1; k < b->sw.ports; k++)
        cr_assert_geq(form[k], form[k - 1], "%s: not sorted", text);
    for (int k = 0; k < images; k++) {
        shuffled(rng, b->symmetry.output_class, b->sw.ports, to);
        make_image(b, rng, to, row, image);
        canonical(b, image);
        cr_assert_eq(memcmp(image, form, bytes), 0, "%s: two forms in one orbit", text);
    }
    cr_assert(!search || same_orbit(b, row, form), "%s: the form is of another orbit", text);
}

/* Random tuples: of any rows, and of few different rows, which leave more ties. */
static void expect_forms_of_random_tuples(const swq_switch *sw, unsigned long seed,
                                          const char *text)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    bench *b = new_bench(sw);
    int n = sw->ports;

    gsl_rng_set(rng, seed);
    for (int round = 0; round < 150; round++) {
        int few = 1 + (int)gsl_rng_uniform_int(rng, (unsigned long)n);
        swq_word row[SWQ_ROW_PORTS];
        int64_t pick[SWQ_ROW_PORTS];
        for (int i = 0, c = 0, left = b->rows.members[0]; i < n; i++, left--) {
            uint8_t to[SWQ_ROW_PORTS];
            if (left == 0)
                left = b->rows.members[++c];
            pick[i] = i < few ? (int64_t)gsl_rng_uniform_int(rng, (unsigned long)b->list->count)
                              : pick[i % few];
            row[i] = b->number[c][pick[i]];
            if (i >= few && round % 2) { /* the same with other outputs: one design more or less */
                swq_word image[SWQ_ROW_PORTS], all[SWQ_ROW_PORTS];
                for (int k = 0; k < n; k++)
                    all[k] = row[i];
                shuffled(rng, b->symmetry.output_class, n, to);
                make_image(b, NULL, to, all, image);
                row[i] = image[0];
            }
        }
        expect_form(b, rng, row, 12, n <= 5 || round < 6, text);
    }
    gsl_rng_free(rng);
    free_bench(b);
}

Test(canon, forms_of_random_tuples)
{
    char text[100];

    for (int n = 1; n <= 8; n++) {
        for (int variant = 0; variant < 8; variant++) {
            static const char *const buffers[] = {"damq", "fifo"};
            swq_switch sw = test_switch(ctx, buffers[variant % 2], n,
                                        n < 6 ? 2 : 2 - variant % 4 / 2, 0.8, "random");
            if (variant / 2 % 2)
                sw.flow = SWQ_BLOCK;
            if (variant / 4)
                cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.2, n / 2), SWQ_OK);
            if (variant / 4 && n > 2)
                sw.load[0] = sw.load[n - 1] = 0.3;
            sw.credit = variant == 5 || (variant == 0 && n < 6) ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
            snprintf(text, sizeof text, "%s, %d ports, variant %d", buffers[variant % 2], n,
                     variant);
            expect_forms_of_random_tuples(&sw, (unsigned long)(100 * n + variant), text);
        }
    }
}

/* ---- tuples that colours cannot tell apart ---- */

/* Input i has a packet for each output of mask[i]. */
static void tuple_of_masks(bench *b, const unsigned *mask, swq_word *row)
{
    for (int i = 0; i < b->sw.ports; i++) {
        swq_word content[WORDS] = {0};
        int32_t number;
        for (int j = 0; j < b->sw.ports; j++)
            content[j] = mask[i] >> j & 1;
        cr_assert_eq(swq_rows_number(ctx, &b->rows, 0, content, &number), SWQ_OK);
        row[i] = (swq_word)number;
    }
}

/* Regular bipartite graphs of inputs and outputs: every port looks like every other one, at any
 * distance, to an algorithm that counts neighbours. */
static const struct {
    const char *name;
    int ports, orbit; /* equal numbers: the same orbit, among graphs with as many ports */
    unsigned mask[8];
} designs[] = {
    {"a ring of six", 6, 1, {0x03, 0x06, 0x0c, 0x18, 0x30, 0x21}},
    {"two rings of three", 6, 2, {0x03, 0x06, 0x05, 0x18, 0x30, 0x28}},
    {"the same, apart", 6, 2, {0x05, 0x14, 0x11, 0x0a, 0x28, 0x22}},
    {"three pairs", 6, 3, {0x03, 0x03, 0x0c, 0x0c, 0x30, 0x30}},
    {"rings of two and four", 6, 4, {0x03, 0x03, 0x0c, 0x18, 0x30, 0x24}},
    {"a ring of seven", 7, 1, {0x03, 0x06, 0x0c, 0x18, 0x30, 0x60, 0x41}},
    {"rings of three and four", 7, 2, {0x03, 0x06, 0x05, 0x18, 0x30, 0x60, 0x48}},
    {"rings of two and five", 7, 3, {0x03, 0x03, 0x0c, 0x18, 0x30, 0x60, 0x44}},
    {"the Fano plane", 7, 4, {0x0b, 0x16, 0x2c, 0x58, 0x31, 0x62, 0x45}},
    {"the plane, turned", 7, 4, {0x0d, 0x1a, 0x34, 0x68, 0x51, 0x23, 0x46}},
    {"three in a row", 7, 5, {0x07, 0x0e, 0x1c, 0x38, 0x70, 0x61, 0x43}},
    {"a ring of eight", 8, 1, {0x03, 0x06, 0x0c, 0x18, 0x30, 0x60, 0xc0, 0x81}},
    {"two rings of four", 8, 2, {0x03, 0x06, 0x0c, 0x09, 0x30, 0x60, 0xc0, 0x90}},
    {"rings of three and five", 8, 3, {0x03, 0x06, 0x05, 0x18, 0x30, 0x60, 0xc0, 0x88}},
    {"four pairs", 8, 4, {0x03, 0x03, 0x0c, 0x0c, 0x30, 0x30, 0xc0, 0xc0}},
    {"rings of two, three and three", 8, 5, {0x03, 0x03, 0x0c, 0x18, 0x14, 0x60, 0xc0, 0xa0}},
    {"three in a row of eight", 8, 6, {0x07, 0x0e, 0x1c, 0x38, 0x70, 0xe0, 0xc1, 0x83}},
    {"a cube's corners and their neighbours",
     8,
     7,
     {0x16, 0x29, 0x49, 0x86, 0x61, 0x92, 0x94, 0x68}},
    {"Moebius and Kantor", 8, 8, {0x0b, 0x16, 0x2c, 0x58, 0xb0, 0x61, 0xc2, 0x85}},
    {"complete in two halves", 8, 9, {0x0f, 0x0f, 0x0f, 0x0f, 0xf0, 0xf0, 0xf0, 0xf0}},
    {"its corners, those of each colour apart",
     8,
     7,
     {0x0e, 0x0d, 0x0b, 0x07, 0xe0, 0xd0, 0xb0, 0x70}},
};

Test(canon, forms_of_regular_graphs)
{
    enum { DESIGNS = sizeof designs / sizeof *designs };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    swq_word form[DESIGNS][SWQ_ROW_PORTS];

    gsl_rng_set(rng, 7);
    for (int n = 6; n <= 8; n++) {
        swq_switch sw = test_switch(ctx, "damq", n, 1, 0.8, "random");
        sw.buffer.capacity = sw.buffer.queue_max = n == 8 ? 4 : 3;
        bench *b = calloc(1, sizeof *b); /* rows are numbered when they are asked for */
        b->sw = sw;
        cr_assert_eq(swq_symmetry_find(ctx, &b->sw, true, &b->symmetry), SWQ_OK);
        cr_assert_eq(swq_rows_init(ctx, &b->sw, &b->symmetry, &b->rows), SWQ_OK);
        for (int d = 0; d < DESIGNS; d++) {
            if (designs[d].ports != n)
                continue;
            tuple_of_masks(b, designs[d].mask, form[d]);
            expect_form(b, rng, form[d], 100, true, designs[d].name);
            canonical(b, form[d]);
            for (int e = 0; e < d; e++) {
                if (designs[e].ports != n)
                    continue;
                bool same = memcmp(form[d], form[e], sizeof *form[d] * (size_t)n) == 0;
                cr_assert_eq(same, designs[d].orbit == designs[e].orbit, "%s and %s",
                             designs[d].name, designs[e].name);
            }
        }
        free_bench(b);
    }
    gsl_rng_free(rng);
}

/* With the outputs in two classes, a hot one and the others, and the inputs in two. */
Test(canon, forms_of_regular_graphs_in_classes)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_rng_set(rng, 8);
    for (size_t d = 0; d < sizeof designs / sizeof *designs; d++) {
        int n = designs[d].ports;
        swq_switch sw = test_switch(ctx, "damq", n, 1, 0.8, "random");
        swq_word row[SWQ_ROW_PORTS];
        sw.buffer.capacity = sw.buffer.queue_max = n == 8 ? 4 : 3;
        cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.2, 2), SWQ_OK);
        bench *b = calloc(1, sizeof *b);
        b->sw = sw;
        cr_assert_eq(swq_symmetry_find(ctx, &b->sw, true, &b->symmetry), SWQ_OK);
        cr_assert_eq(swq_rows_init(ctx, &b->sw, &b->symmetry, &b->rows), SWQ_OK);
        tuple_of_masks(b, designs[d].mask, row);
        expect_form(b, rng, row, 60, true, designs[d].name);
        free_bench(b);
    }
    gsl_rng_free(rng);
}

/* ---- whole switches: pools, and arbiters that remember ---- */

/* Counts all states: the content of each input or of the pool, what the sources hold, and the
 * memory. */
static int64_t count_whole_forms(const swq_switch *sw)
{
    swq_symmetry symmetry;
    swq_layout l;
    swq_intern forms;
    contents *list;
    int digits, base[3 * SWQ_CHAIN_PORTS], digit[3 * SWQ_CHAIN_PORTS] = {0}, i;

    swq_layout_init(&l, sw);
    cr_assert_leq(l.words, STATE);
    cr_assert_eq(swq_symmetry_find(ctx, sw, true, &symmetry), SWQ_OK);
    list = list_contents(sw, &l);
    bool sources = l.held >= 0 && l.buffers < l.ports;
    for (digits = 0; digits < l.buffers; digits++)
        base[digits] = (int)list->count;
    for (i = 0; sources && i < l.ports; i++)
        base[digits++] = 1 + l.ports;
    for (i = 0; i < l.memory_words; i++)
        base[digits++] = l.ports;
    swq_intern_init(&forms, l.words);
    do {
        swq_word state[STATE] = {0}, work[2 * STATE], again[STATE];
        for (int b = 0; b < l.buffers; b++) {
            const swq_word *content = list->content[digit[b]];
            size_t queues = sizeof *content * (size_t)l.queues;
            memcpy(state + b * l.queues, content, queues);
            content += l.queues;
            if (l.head >= 0)
                state[l.head + b] = *content++;
            if (l.freed >= 0) {
                memcpy(state + l.freed + b * l.queues, content, queues);
                content += l.queues;
            }
            if (l.held >= 0 && !sources)
                state[l.held + b] = *content;
        }
        for (i = 0; sources && i < l.ports; i++)
            state[l.held + i] = (swq_word)digit[l.buffers + i];
        for (i = 0; i < l.memory_words; i++)
            state[l.memory + i] = (swq_word)digit[digits - l.memory_words + i];
        swq_symmetry_canonical(&symmetry, &l, state, work);
        int64_t known = forms.count, number = swq_intern_number(ctx, &forms, state);
        if (number == known) {
            memcpy(again, state, sizeof again);
            swq_symmetry_canonical(&symmetry, &l, again, work);
            cr_assert_eq(memcmp(again, state, sizeof *state * (size_t)l.words), 0,
                         "not its own form");
        }
        for (i = 0; i < digits && ++digit[i] == base[i]; i++)
            digit[i] = 0;
    } while (i < digits);
    int64_t count = forms.count;
    swq_intern_clear(ctx, &forms);
    swq_symmetry_clear(ctx, &symmetry);
    free(list);
    return count;
}

static void expect_burnside_whole(const swq_switch *sw, const char *text)
{
    int64_t forms = count_whole_forms(sw);
    double orbits = foreseen(sw, true);

    cr_assert_eq((double)forms, orbits, "%s: %lld forms, %.17g orbits", text, (long long)forms,
                 orbits);
}

Test(canon, pools)
{
    static const struct {
        int ports, slots, variants;
    } cases[] = {{1, 3, 4}, {2, 4, 4}, {3, 4, 4}, {4, 3, 4}, {5, 2, 2},
                 {6, 1, 2}, {6, 6, 1}, {7, 4, 1}, {8, 6, 1}};
    char text[100];

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (int variant = 0; variant < 4 * cases[c].variants; variant++) {
            int n = cases[c].ports;
            swq_switch sw = test_switch(ctx, "cbda", n, 1, 0.8, "random");
            sw.buffer.capacity = sw.buffer.queue_max = cases[c].slots;
            sw.flow = variant / 4 % 2 ? SWQ_BLOCK : SWQ_DISCARD;
            sw.credit = variant / 8 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
            if (variant % 2)
                cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.2, n - 1), SWQ_OK);
            for (int i = 0; variant / 2 % 2 && i < n; i += 2)
                sw.load[i] = 0.4;
            snprintf(text, sizeof text, "pool of %d ports and %d slots, variant %d", n,
                     cases[c].slots, variant);
            if (sw.flow == SWQ_BLOCK && n == 6 && variant % 4 == 1)
                continue; /* an equivalent one is among the others */
            expect_burnside_whole(&sw, text);
        }
    }
}

/* A pool with held packets and more ports than permutations are listed for: any image has the
 * canonical form of the state, however many sources there are and whatever their classes. */
Test(canon, wide_pools_with_held_packets)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_rng_set(rng, 11);
    for (int n = 6; n <= 12; n += 2) {
        for (int variant = 0; variant < 8; variant++) {
            swq_switch sw = test_switch(ctx, "cbda", n, 2, 0.8, "random");
            swq_symmetry s;
            swq_layout l;
            sw.flow = SWQ_BLOCK;
            sw.credit = variant / 4 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
            if (variant % 2)
                cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.2, 1), SWQ_OK);
            for (int i = 0; variant / 2 % 2 && i < n; i += 3)
                sw.load[i] = 0.4;
            swq_layout_init(&l, &sw);
            cr_assert_eq(swq_symmetry_find(ctx, &sw, true, &s), SWQ_OK);
            for (int round = 0; round < 200; round++) {
                swq_word state[STATE] = {0}, form[STATE] = {0}, work[2 * STATE];
                for (int w = 0; w < l.words; w++)
                    state[w] = (swq_word)gsl_rng_uniform_int(
                        rng, w >= l.held ? (unsigned long)n + 1 : 2 + (unsigned long)round % 2);
                memcpy(form, state, sizeof form);
                swq_symmetry_canonical(&s, &l, form, work);
                for (int image = 0; image < 10; image++) {
                    swq_word moved[STATE] = {0};
                    uint8_t in[SWQ_CHAIN_PORTS], out[SWQ_CHAIN_PORTS];
                    shuffled(rng, s.input_class, n, in);
                    shuffled(rng, s.output_class, n, out);
                    for (int j = 0; j < n; j++) {
                        swq_word held = state[l.held + j];
                        moved[out[j]] = state[j];
                        if (l.freed >= 0)
                            moved[l.freed + out[j]] = state[l.freed + j];
                        moved[l.held + in[j]] = held ? (swq_word)(1 + out[held - 1]) : 0;
                    }
                    swq_symmetry_canonical(&s, &l, moved, work);
                    cr_assert_eq(memcmp(moved, form, sizeof *form * (size_t)l.words), 0,
                                 "%d ports, variant %d: two forms in one orbit", n, variant);
                }
            }
            swq_symmetry_clear(ctx, &s);
        }
    }
    gsl_rng_free(rng);
}

/* Cyclic groups, which move the arbiter's memory along. */
Test(canon, what_arbiters_remember)
{
    static const struct {
        const char *buffer, *arbiter;
        int ports, slots, variants;
    } cases[] = {
        {"damq", "rotating", 2, 3, 4}, {"fifo", "rotating", 2, 3, 4}, {"damq", "rotating", 3, 1, 2},
        {"fifo", "rotating", 3, 2, 4}, {"damq", "rotating", 4, 1, 1}, {"fifo", "rotating", 4, 2, 1},
        {"damq", "islip", 2, 2, 2},    {"fifo", "islip", 2, 2, 4},    {"samq", "islip", 2, 2, 1},
        {"damq", "islip", 3, 1, 1},    {"fifo", "islip", 3, 1, 1},
    };
    char text[100];

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (int variant = 0; variant < 4 * cases[c].variants; variant++) {
            int n = cases[c].ports;
            swq_switch sw =
                test_switch(ctx, cases[c].buffer, n, cases[c].slots, 0.8, cases[c].arbiter);
            sw.flow = variant / 4 % 2 ? SWQ_BLOCK : SWQ_DISCARD;
            sw.credit = variant / 8 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
            if (variant % 2)
                cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.2, n - 1), SWQ_OK);
            for (int i = 0; variant / 2 % 2 && i < n; i += 2) /* half way round for 4 ports */
                sw.load[i] = 0.4;
            snprintf(text, sizeof text, "%s %s %d, variant %d", cases[c].buffer, cases[c].arbiter,
                     n, variant);
            expect_burnside_whole(&sw, text);
        }
    }
}

/* iSLIP with four ports has 65536 memories for every content: instead of forms, count the states
 * that each of the sixteen rotations leaves unchanged. */
Test(canon, what_islip_of_four_ports_remembers)
{
    swq_switch sw = test_switch(ctx, "damq", 4, 1, 0.8, "islip");
    double sum = 0;

    for (int turn = 0; turn < 16; turn++) {
        int64_t memories = 0, states = 0;
        uint8_t in[4], out[4];
        for (int i = 0; i < 4; i++) {
            in[i] = (uint8_t)((i + turn % 4) % 4);
            out[i] = (uint8_t)((i + turn / 4) % 4);
        }
        for (int number = 0; number < 65536; number++) {
            uint16_t memory[8], moved[8];
            for (int w = 0; w < 8; w++)
                memory[w] = (uint16_t)(number >> 2 * w & 3);
            sw.arbiter->rename(4, in, out, memory, moved);
            memories += memcmp(memory, moved, sizeof memory) == 0;
        }
        for (int number = 0; number < 625; number++) { /* nothing, or a packet for an output */
            int holds[4], moved[4];
            for (int i = 0, rest = number; i < 4; i++, rest /= 5)
                holds[i] = rest % 5 - 1;
            for (int i = 0; i < 4; i++)
                moved[in[i]] = holds[i] < 0 ? -1 : out[holds[i]];
            states += memcmp(holds, moved, sizeof holds) == 0;
        }
        sum += (double)memories * (double)states;
    }
    cr_assert_eq(foreseen(&sw, true), sum / 16, "%.17g not %.17g", foreseen(&sw, true), sum / 16);
    cr_assert_eq(foreseen(&sw, false), 625.0 * 65536);
}
