/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Canonical tuples of rows: sorting networks over listed images, or colour refinement.
 */
#include "models/canon.h"

#include "base/context.h"
#include "models/classes.h"

#include <string.h>

enum { MANY_IMAGES = 8 }; /* from this number of images on it is faster to sort them side by side */

static void sort_words(swq_word *row, int n)
{
    for (int i = 1; i < n; i++) {
        swq_word moving = row[i];
        int at = i;
        for (; at > 0 && row[at - 1] > moving; at--)
            row[at] = row[at - 1];
        row[at] = moving;
    }
}

/* Sort every column of lane[n][images] at once: odd-even transposition, whose inner loop has no
 * branch and runs in vector registers. */
static void sort_lanes(swq_word lane[][SWQ_ROW_IMAGES], int n, int images)
{
    for (int round = 0; round < n; round++) {
        for (int k = round & 1; k + 1 < n; k += 2) {
            swq_word *a = lane[k], *b = lane[k + 1];
            for (int g = 0; g < images; g++) {
                swq_word least = a[g] < b[g] ? a[g] : b[g];
                b[g] = a[g] < b[g] ? b[g] : a[g];
                a[g] = least;
            }
        }
    }
}

/* The first column in lexicographic order. */
static int first_lane(swq_word lane[][SWQ_ROW_IMAGES], int n, int images)
{
    int alive[SWQ_ROW_IMAGES] = {0}, left = images;

    for (int g = 0; g < images; g++)
        alive[g] = g;
    for (int k = 0; k < n && left > 1; k++) {
        swq_word least = UINT16_MAX;
        int kept = 0;
        for (int a = 0; a < left; a++)
            least = lane[k][alive[a]] < least ? lane[k][alive[a]] : least;
        for (int a = 0; a < left; a++) {
            if (lane[k][alive[a]] == least)
                alive[kept++] = alive[a];
        }
        left = kept;
    }
    return alive[0];
}

static void by_images(const swq_rows *rows, swq_word *row)
{
    int n = rows->tuple, images = rows->images;
    swq_word lane[SWQ_ROW_PORTS][SWQ_ROW_IMAGES];

    for (int i = 0; i < n; i++)
        memcpy(lane[i], rows->image + (int64_t)row[i] * images, sizeof(swq_word) * (size_t)images);
    sort_lanes(lane, n, images);
    int best = first_lane(lane, n, images);
    for (int i = 0; i < n; i++)
        row[i] = lane[i][best];
}

/* Four rows or fewer: a column is one number. */
static void by_short_images(const swq_rows *rows, swq_word *row)
{
    int n = rows->tuple, images = rows->images;
    swq_word lane[4][SWQ_ROW_IMAGES];
    uint64_t best = UINT64_MAX;

    for (int i = 0; i < n; i++)
        memcpy(lane[i], rows->image + (int64_t)row[i] * images, sizeof(swq_word) * (size_t)images);
    sort_lanes(lane, n, images);
    for (int i = n; i < 4; i++)
        memset(lane[i], 0, sizeof(swq_word) * (size_t)images);
    for (int g = 0; g < images; g++) {
        uint64_t key = (uint64_t)lane[0][g] << 48 | (uint64_t)lane[1][g] << 32 |
                       (uint64_t)lane[2][g] << 16 | lane[3][g];
        best = key < best ? key : best;
    }
    for (int i = 0; i < n; i++)
        row[i] = (swq_word)(best >> (48 - 16 * i));
}

static inline void put_in_order(uint64_t *a, uint64_t *b)
{
    uint64_t least = *a < *b ? *a : *b;

    *b = *a < *b ? *b : *a;
    *a = least;
}

/* The canonical tuple begins with the least image of any row, so that only the permutations that
 * map some row to this image are tried: one or two, if the rows have few equal queues. */
static void by_few_images(const swq_rows *rows, swq_word *row)
{
    const int n = rows->tuple, images = rows->images;
    const uint16_t *image[4];
    uint64_t best = UINT64_MAX;
    uint32_t least = UINT16_MAX, at = 0;

    for (int i = 0; i < n; i++) {
        uint32_t own = rows->least[row[i]];
        at = own < least ? 0 : at;
        least = own < least ? own : least;
        at |= own == least ? rows->least_at[row[i]] : 0;
    }
    if (__builtin_popcount(at) > MANY_IMAGES) {
        by_short_images(rows, row);
        return;
    }
    for (int i = 0; i < 4; i++)
        image[i] = rows->image + (int64_t)row[i < n ? i : 0] * images;
    for (; at; at &= at - 1) {
        const int g = __builtin_ctz(at);
        /* missing rows come last */
        uint64_t a = image[0][g], b = n > 1 ? image[1][g] : UINT16_MAX,
                 c = n > 2 ? image[2][g] : UINT16_MAX, d = n > 3 ? image[3][g] : UINT16_MAX;
        put_in_order(&a, &b);
        put_in_order(&c, &d);
        put_in_order(&a, &c);
        put_in_order(&b, &d);
        put_in_order(&b, &c);
        uint64_t key = a << 48 | b << 32 | c << 16 | d;
        best = key < best ? key : best;
    }
    for (int i = 0; i < n; i++)
        row[i] = (swq_word)(best >> (48 - 16 * i));
}

/* ---- many permutations: refine, and try the ties ---- */

/* The content of a row for one output. */
typedef struct {
    uint8_t output;
    uint64_t code;
} mark;

typedef struct {
    swq_context *ctx;
    swq_rows *rows;
    int n, tuple; /* outputs; rows */
    const swq_word *row;
    mark entry[SWQ_ROW_PORTS][SWQ_ROW_PORTS];
    int entries[SWQ_ROW_PORTS];
    uint32_t touches[SWQ_ROW_PORTS]; /* outputs that a row has entries for */
    /* hash of the part of a row that no renaming of outputs changes */
    uint64_t base[SWQ_ROW_PORTS];
    uint64_t hash[SWQ_ROW_PORTS]; /* of the whole row */
    uint8_t place[SWQ_ROW_PORTS]; /* outputs by classes: the outputs of a class stay in the places
                                     of the class */
    swq_word best[SWQ_ROW_PORTS];
    bool found;
} image_search;

static uint64_t mix(uint64_t x)
{
    x = (x + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 29) * 0x94d049bb133111ebu;
    return x ^ x >> 32;
}

/* The hash of a row after outputs j and k are exchanged. */
static uint64_t hash_row(const image_search *s, int i, int j, int k)
{
    uint64_t sum = s->base[i];

    for (int e = 0; e < s->entries[i]; e++) {
        int at = s->entry[i][e].output;
        sum += mix(s->entry[i][e].code * 41 + (uint64_t)(at == j ? k : at == k ? j : at));
    }
    return mix(sum);
}

/* For two classes: words of a queue per output belong to its output, words of a single queue to the
 * row, and the head of a single queue to its destination. (Rows of two classes have no mark.) */
static void collect_marks_of_classes(image_search *s, int i)
{
    const swq_layout *l = &s->rows->layout;
    const swq_word *key = swq_intern_state(&s->rows->set, s->row[i]), *content = key + 2;
    const swq_word *heads = content + l->queues, *behind = heads + l->heads;
    const swq_word *freed = l->freed >= 0 ? behind : NULL;
    const swq_word held = l->held >= 0 ? behind[freed ? l->queues : 0] : 0;
    uint64_t same = (uint64_t)key[0] << 8 | key[1], code[SWQ_ROW_PORTS] = {0};

    for (int q = 0; q < l->queues; q++) {
        const bool high = q >= swq_normal_queues(l), fans = l->split.fans[high];
        const int at = swq_head_of_queue(l, q);
        const uint64_t head = at < 0 ? 0 : heads[at], many = freed ? freed[q] : 0;
        const uint64_t words = (uint64_t)high << 40 | many << 16 | content[q];
        const int to = high ? q - swq_normal_queues(l) : q;
        if (fans && (content[q] || many))
            code[to] += mix(words | head << 44);
        else if (!fans)
            same = mix(same + mix(words));
        /* the word's number gives the packet's class, and its place the destination */
        if (!fans && head)
            code[(head - 1) % (uint64_t)s->n] +=
                mix((uint64_t)high << 1 | 1 | ((head - 1) / (uint64_t)s->n) << 2);
    }
    if (held) {
        const swq_kind_of_packet p = swq_packet_kind(l, held);
        if (l->split.fans[p.class])
            code[p.to] += mix(7 + (uint64_t)p.class);
        else
            same = mix(same + mix(9 + (uint64_t)p.class));
    }
    s->entries[i] = 0;
    s->touches[i] = 0;
    for (int j = 0; j < s->n; j++) {
        if (code[j]) {
            s->entry[i][s->entries[i]++] = (mark){(uint8_t)j, code[j]};
            s->touches[i] |= 1u << j;
        }
    }
    s->base[i] = mix(same);
    s->hash[i] = hash_row(s, i, 0, 0);
}

static void collect_marks(image_search *s)
{
    const swq_layout *l = &s->rows->layout;

    for (int i = 0; i < s->tuple && l->classes > 1; i++)
        collect_marks_of_classes(s, i);
    for (int i = 0; i < s->tuple && l->classes == 1; i++) {
        const swq_word *key = swq_intern_state(&s->rows->set, s->row[i]), *content = key + 2;
        const swq_word *behind = content + l->queues + (l->head >= 0) + (l->same >= 0);
        const swq_word *freed = l->freed >= 0 ? behind : NULL;
        swq_word held = l->held >= 0 ? behind[freed ? l->queues : 0] : 0;
        const swq_word none[SWQ_MARK_WORDS] = {0};
        const swq_word *tag = s->rows->marked ? swq_row_mark(s->rows, s->row[i]) : none;
        uint64_t same = (uint64_t)key[0] << 8 | key[1];
        if (l->deferred) /* `length`, `freed` and `held` of a single queue belong to no output */
            same |= (uint64_t)content[0] << 16 | (uint64_t)(freed ? freed[0] : 0) << 32 |
                    (uint64_t)(swq_names_output(l, held) ? 0 : held) << 48;
        if (l->same >= 0)
            same = mix(same + mix((uint64_t)content[2]));
        if (l->deferred || tag[0] > s->n) /* these words belong to no output, either */
            same = mix(same + mix((uint64_t)tag[0] << 16 | tag[1]));
        const bool queues = key[0] == s->rows->outputs; /* the row of output queues */
        const swq_word *cross = s->rows->cross >= 0 ? content + s->rows->cross : NULL;
        s->entries[i] = 0;
        s->touches[i] = 0;
        same = queues ? key[0] : same;
        for (int j = 0; j < s->n; j++) {
            uint64_t code =
                queues ? content[j]
                : l->deferred
                    ? (uint64_t)(content[1] == j + 1) | (uint64_t)(l->bursts && held == j + 1) << 1
                    : content[j] | (uint64_t)(freed ? freed[j] : 0) << 16 |
                          (uint64_t)(held == j + 1) << 32 |
                          (tag[0] == j + 1 ? (uint64_t)(1 + tag[1]) << 33 : 0);
            if (cross && !queues)
                code ^= mix(cross[j]) - mix(0);
            if (code) {
                s->entry[i][s->entries[i]++] = (mark){(uint8_t)j, code};
                s->touches[i] |= 1u << j;
            }
        }
        s->base[i] = mix(same);
        s->hash[i] = hash_row(s, i, 0, 0);
    }
}

/* Colour outputs and rows in turn until the number of colours of the outputs no longer grows. */
static void refine(const image_search *s, uint64_t *colour)
{
    uint64_t tone[SWQ_ROW_PORTS];
    int apart = 0;

    memcpy(tone, s->base, sizeof tone);
    for (int round = 0; round <= s->n; round++) {
        uint64_t fresh[SWQ_ROW_PORTS] = {0};
        int distinct = 0;
        for (int i = 0; i < s->tuple; i++) {
            uint64_t sum = tone[i];
            for (int e = 0; e < s->entries[i]; e++) /* NOLINT: all rows are described */
                sum += mix(s->entry[i][e].code * 31 + colour[s->entry[i][e].output]);
            tone[i] = mix(sum);
        }
        for (int j = 0; j < s->n; j++)
            fresh[j] = mix(colour[j]);
        for (int i = 0; i < s->tuple; i++) {
            for (int e = 0; e < s->entries[i]; e++)
                fresh[s->entry[i][e].output] += mix(s->entry[i][e].code * 37 + tone[i]);
        }
        memcpy(colour, fresh, sizeof *colour * (size_t)s->n);
        for (int j = 0; j < s->n; j++) {
            bool new = true;
            for (int k = 0; k < j && new; k++)
                new = colour[k] != colour[j];
            distinct += new;
        }
        if (distinct == s->n || (round > 0 && distinct == apart))
            return;
        apart = distinct;
    }
}

/* Does exchanging outputs j and k preserve the set of rows? (Compared by sums of hashes: a
 * collision would only leave two states of one orbit unmerged.) */
static bool twins(const image_search *s, int j, int k)
{
    uint32_t either = 1u << j | 1u << k;
    uint64_t change = 0;

    for (int i = 0; i < s->tuple; i++) {
        if (s->touches[i] & either) /* NOLINT: all rows are described */
            change += hash_row(s, i, j, k) - s->hash[i];
    }
    return change == 0;
}

/* The image of the tuple for the given order of the outputs; kept if it is the least so far. */
static swq_status judge(image_search *s, const int *order)
{
    uint8_t to[SWQ_ROW_PORTS] = {0};
    swq_word image[SWQ_ROW_PORTS], content[2 + SWQ_ROW_WORDS];

    for (int k = 0; k < s->n; k++)
        to[order[k]] = s->place[k];
    for (int i = 0; i < s->tuple; i++) {
        const swq_word *key = swq_intern_state(&s->rows->set, s->row[i]);
        int32_t number;
        content[0] = key[0];
        content[1] = key[1];
        swq_row_rename(s->rows, key[0], key + 2, to, content + 2);
        int64_t known = swq_intern_find(&s->rows->set, content);
        if (known < 0) {
            swq_status status =
                s->ctx ? swq_rows_renamed(s->ctx, s->rows, content, &number) : SWQ_ELIMIT;
            if (status)
                return status;
            known = number;
        }
        image[i] = (swq_word)known;
    }
    sort_words(image, s->tuple);
    for (int i = 0; i < s->tuple && s->found; i++) {
        if (image[i] != s->best[i]) {
            if (image[i] > s->best[i])
                return SWQ_OK;
            break;
        }
    }
    memcpy(s->best, image, sizeof image);
    s->found = true;
    return SWQ_OK;
}

static swq_status explore(image_search *s, const uint64_t *given, int depth)
{
    const uint8_t *class = s->rows->symmetry->output_class;
    uint64_t colour[SWQ_ROW_PORTS];
    int order[SWQ_ROW_PORTS] = {0};

    memcpy(colour, given, sizeof colour);
    refine(s, colour);
    for (int k = 0; k < s->n; k++) { /* class by class */
        int at = k;
        for (; at > 0 && (class[order[at - 1]] > class[k] ||
                          (class[order[at - 1]] == class[k] && colour[order[at - 1]] > colour[k]));
             at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
    for (int from = 0; from < s->n;) {
        int to = from + 1;
        bool alike = true;
        for (; to < s->n && colour[order[to]] == colour[order[from]] &&
               class[order[to]] == class[order[from]];
             to++)
            alike = alike && twins(s, order[from], order[to]);
        if (alike) {
            from = to;
            continue;
        }
        for (int k = from; k < to;
             k++) { /* individualise each output that is no twin of an earlier output */
            bool new = true;
            for (int earlier = from; earlier < k && new; earlier++)
                new = !twins(s, order[earlier], order[k]);
            uint64_t singled[SWQ_ROW_PORTS];
            if (!new)
                continue;
            memcpy(singled, colour, sizeof singled);
            singled[order[k]] = mix(singled[order[k]] + (uint64_t)depth + 1);
            swq_status status = explore(s, singled, depth + 1);
            if (status)
                return status;
        }
        return SWQ_OK;
    }
    return judge(s, order);
}

static swq_status by_search(swq_context *ctx, swq_rows *rows, swq_word *row)
{
    const uint8_t *class = rows->symmetry->output_class;
    int placed = 0;
    image_search s;
    s.ctx = ctx;
    s.rows = rows;
    s.n = rows->layout.ports;
    s.tuple = rows->tuple;
    s.row = row;
    s.found = false;
    memset(s.place, 0, sizeof s.place);
    uint64_t colour[SWQ_ROW_PORTS] = {0};

    collect_marks(&s);
    for (int j = 0; j < s.n; j++) {
        colour[j] = class[j];
        for (int k = j; k < s.n && class[j] == j; k++) {
            if (class[k] == j)
                s.place[placed++] = (uint8_t)k;
        }
    }
    swq_status status = explore(&s, colour, 0);
    if (!status)
        memcpy(row, s.best, sizeof *row * (size_t)s.tuple);
    return status;
}

swq_status swq_canonical(swq_context *ctx, swq_rows *rows, swq_word *row)
{
    if (rows->images == 0)
        return by_search(ctx, rows, row);
    if (rows->images == 1)
        sort_words(row, rows->tuple);
    else if (rows->tuple <= 4)
        (rows->images <= 32 ? by_few_images : by_short_images)(rows, row);
    else
        by_images(rows, row);
    return SWQ_OK;
}
