/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Vectors on their way through the factors of a spread chain. What a rank's rows add to nodes of
 * other ranks is summed by node first, and then sent to the owners.
 */
#ifdef SWQ_HAVE_PETSC

#include "base/context.h"
#include "base/packed.h"
#include "cluster/spread.h"

#include <assert.h>
#include <float.h>
#include <string.h>

/* Order the halo by owner, and count the nodes of each. */
static void place_by_owner(swq_halo *h, const uint64_t *met, int ranks, int32_t *wanted)
{
    for (int64_t j = 0; j < h->nodes; j++)
        h->from[met[j] >> 32]++;
    for (int r = 1; r < ranks; r++)
        h->from_at[r] = h->from_at[r - 1] + h->from[r - 1];
    for (int64_t j = 0; j < h->nodes; j++) {
        const int32_t at = (int32_t)h->from_at[met[j] >> 32]++;
        h->place[j] = at;
        wanted[at] = (int32_t)(met[j] & 0xffffffff);
    }
    for (int r = 0; r < ranks; r++)
        h->from_at[r] -= h->from[r];
}

swq_status swq_spread_meet(swq_spread_chain *s, int k, const uint64_t *met, int64_t nodes)
{
    const swq_fleet *f = s->fleet;
    const size_t ranks = (size_t)f->ranks;
    swq_halo *h = &s->halo[k];
    int32_t *wanted = swq_calloc(s->ctx, (size_t)nodes + 1, sizeof *wanted);
    swq_status status = SWQ_OK;

    h->nodes = nodes;
    h->place = swq_calloc(s->ctx, (size_t)nodes + 1, sizeof *h->place);
    h->from = swq_calloc(s->ctx, ranks, sizeof *h->from);
    h->from_at = swq_calloc(s->ctx, ranks, sizeof *h->from_at);
    h->to = swq_calloc(s->ctx, ranks, sizeof *h->to);
    h->to_at = swq_calloc(s->ctx, ranks, sizeof *h->to_at);
    if (!wanted || !h->place || !h->from || !h->from_at || !h->to || !h->to_at)
        status = swq_memory_status(s->ctx);
    status = swq_fleet_agree(s->fleet, status);
    if (!status) {
        place_by_owner(h, met, f->ranks, wanted);
        MPI_Alltoall(h->from, 1, MPI_INT, h->to, 1, MPI_INT, f->comm);
        for (int r = 0; r < f->ranks; r++) {
            h->to_at[r] = (int)(h->shown < INT32_MAX ? h->shown : INT32_MAX);
            h->shown += h->to[r];
        }
        h->own = swq_calloc(s->ctx, (size_t)h->shown + 1, sizeof *h->own);
        status = h->own ? SWQ_OK : swq_memory_status(s->ctx);
        if (h->shown >= INT32_MAX)
            status = swq_fail(s->ctx, SWQ_ELIMIT,
                              "a rank would exchange %lld numbers with others in one step, more "
                              "than MPI can count: more ranks exchange fewer each",
                              (long long)h->shown);
        status = swq_fleet_agree(s->fleet, status);
    }
    if (!status)
        MPI_Alltoallv(wanted, h->from, h->from_at, MPI_INT32_T, h->own, h->to, h->to_at,
                      MPI_INT32_T, f->comm);
    swq_free(s->ctx, wanted);
    return status;
}

/* Send numbers of the halo, by owner, to the owners: from out to in. */
static void send_home(swq_spread_chain *s, const swq_halo *h, const void *out, void *in,
                      MPI_Datatype type)
{
    if (s->fleet->ranks > 1)
        MPI_Alltoallv(out, h->from, h->from_at, type, in, h->to, h->to_at, type, s->fleet->comm);
}

/* Send numbers of own nodes that are in the halos of other ranks, to these ranks: from out to in.
 */
static void send_away(swq_spread_chain *s, const swq_halo *h, const void *out, void *in,
                      MPI_Datatype type)
{
    if (s->fleet->ranks > 1)
        MPI_Alltoallv(out, h->to, h->to_at, type, in, h->from, h->from_at, type, s->fleet->comm);
}

swq_status swq_spread_show(swq_spread_chain *s, int k, const int32_t *own, int32_t *halo)
{
    const swq_halo *h = &s->halo[k];
    int32_t *out = swq_calloc(s->ctx, (size_t)h->shown + 1, sizeof *out);
    int32_t *in = swq_calloc(s->ctx, (size_t)h->nodes + 1, sizeof *in);
    const swq_status status =
        swq_fleet_agree(s->fleet, out && in ? SWQ_OK : swq_memory_status(s->ctx));

    if (!status) {
        for (int64_t i = 0; i < h->shown; i++)
            out[i] = own[h->own[i]];
        send_away(s, h, out, in, MPI_INT32_T);
        for (int64_t j = 0; j < h->nodes; j++)
            halo[j] = in[h->place[j]];
    }
    swq_free(s->ctx, out);
    swq_free(s->ctx, in);
    return status;
}

void swq_spread_entries(const swq_csr *m, swq_spread_entry_fn *each, void *arg)
{
    const swq_packed *p = m->packed;

    for (int64_t i = 0; i < m->rows && !p; i++) {
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++)
            each(arg, i, m->col[e], m->value[e]);
    }
    for (int64_t s = 0; p && s < p->strips; s++) {
        int64_t row = 0;
        for (int64_t k = 0; k < swq_strip_chunks(&p->strip[s]); k++) {
            const swq_packed_chunk w = swq_strip_chunk(&p->strip[s], k, p->wide);
            for (int64_t e = 0; e < w.count; e++) {
                const uint32_t value = swq_word_value(&w, e, p->wide);
                row += swq_word_gap(&w, e, p->wide);
                if (value != 0) /* a word that bridges a gap is no entry */
                    each(arg, row, (s << SWQ_STRIP_BITS) + swq_word_col(&w, e), p->value[value]);
            }
        }
    }
}

/* Marks of rows and columns. */
typedef struct {
    bool back;
    const uint8_t *from;
    uint8_t *to;
} marking;

static void mark_entry(void *arg, int64_t row, int64_t col, double value)
{
    const marking *m = arg;

    (void)value;
    if (m->from[m->back ? col : row])
        m->to[m->back ? row : col] = 1;
}

swq_status swq_spread_mark(swq_spread_chain *s, int k, bool back, const uint8_t *from, uint8_t *to)
{
    const swq_halo *h = &s->halo[k];
    uint8_t *far = swq_calloc(s->ctx, (size_t)h->nodes + 1, sizeof *far);
    uint8_t *out = swq_calloc(s->ctx, (size_t)h->nodes + 1, sizeof *out);
    uint8_t *in = swq_calloc(s->ctx, (size_t)h->shown + 1, sizeof *in);
    const swq_status status =
        swq_fleet_agree(s->fleet, far && out && in ? SWQ_OK : swq_memory_status(s->ctx));
    marking home = {back, from, to}, away = {back, back ? far : from, back ? to : far};

    if (!status) {
        memset(to, 0, (size_t)s->own[back ? k : (k + 1) % s->levels]);
        for (int64_t i = 0; i < h->shown && back; i++)
            in[i] = from[h->own[i]];
        if (back)
            send_away(s, h, in, out, MPI_UINT8_T);
        for (int64_t j = 0; j < h->nodes && back; j++)
            far[j] = out[h->place[j]];
        swq_spread_entries(&s->home[k], mark_entry, &home);
        swq_spread_entries(&s->away[k], mark_entry, &away);
        for (int64_t j = 0; j < h->nodes && !back; j++)
            out[h->place[j]] = far[j];
        if (!back)
            send_home(s, h, out, in, MPI_UINT8_T);
        for (int64_t i = 0; i < h->shown && !back; i++)
            to[h->own[i]] |= in[i];
    }
    swq_free(s->ctx, far);
    swq_free(s->ctx, out);
    swq_free(s->ctx, in);
    return status;
}

/* Applies one factor in double. */
static void pass(swq_spread_chain *s, int k, const double *from, double *to)
{
    const swq_halo *h = &s->halo[k];
    double *out = (void *)s->out, *in = (void *)s->in, *sum = out + h->nodes;

    swq_csr_vector_times(from, &s->home[k], to);
    if (s->fleet->ranks == 1)
        return;
    swq_csr_vector_times(from, &s->away[k], sum);
    for (int64_t j = 0; j < h->nodes; j++)
        out[h->place[j]] = sum[j];
    send_home(s, h, out, in, MPI_DOUBLE);
    for (int64_t i = 0; i < h->shown; i++)
        to[h->own[i]] += in[i];
}

/* Levels between the states lie at the two ends of the block in turn. */
static int64_t place_of_level(const swq_spread_chain *s, int k)
{
    return k % 2 ? 0 : s->room - s->own[k];
}

void swq_spread_apply(swq_spread_chain *s, const double *x, double *image, swq_spread_note_fn *note,
                      void *arg)
{
    const double *from = x;

    for (int k = 0; k < s->levels; k++) {
        double *to = k + 1 < s->levels ? s->block + place_of_level(s, k + 1) : image;
        if (note)
            note(arg, k, from);
        pass(s, k, from, to);
        from = to;
    }
}

/* A vector in long double, or in compensated form. */
typedef struct {
    long double *whole; /* NULL: split */
    swq_compensated split;
} fine_vector;

static long double get(const fine_vector *v, int64_t i)
{
    assert(v->whole || (v->split.high && v->split.low));
    return v->whole ? v->whole[i] : swq_compensated_get(&v->split, i);
}

static void put(const fine_vector *v, int64_t i, long double value)
{
    swq_compensated split = v->split;

    assert(v->whole || (split.high && split.low));
    if (v->whole)
        v->whole[i] = value;
    else
        swq_compensated_put(&split, i, value);
}

/* Stores the sums of a part's columns: in a vector, or in the buffer to be sent, ordered by
 * owner. */
static void take_sums(const long double *sum, int64_t first, int64_t cols, const int32_t *place,
                      const fine_vector *to)
{
    for (int64_t j = 0; j < cols; j++)
        put(to, place ? place[first + j] : first + j, sum[j]);
}

static void add_strip(const swq_csr *m, int64_t strip, const fine_vector *from, long double *sum)
{
    if (from->whole)
        swq_packed_add_times(m, strip, from->whole, sum);
    else
        swq_packed_add_times_compensated(m, strip, &from->split, sum);
}

/* Applies one part of a factor, some columns at a time. */
static void pass_part(swq_spread_chain *s, const swq_csr *m, const fine_vector *from,
                      const int32_t *place, const fine_vector *to)
{
    const int64_t strips = m->packed ? m->packed->strips : 0;

    for (int64_t strip = 0; strip < strips; strip++) {
        const int64_t first = strip << SWQ_STRIP_BITS, left = m->cols - first;
        const int64_t cols = left < SWQ_STRIP ? left : SWQ_STRIP;
        memset(s->desk, 0, sizeof *s->desk * (size_t)cols);
        add_strip(m, strip, from, s->desk);
        take_sums(s->desk, first, cols, place, to);
    }
    if (m->packed)
        return;
    memset(s->desk, 0, sizeof *s->desk * (size_t)m->cols);
    for (int64_t i = 0; i < m->rows; i++) {
        const long double held = get(from, i);
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++)
            s->desk[m->col[e]] += held * m->value[e];
    }
    take_sums(s->desk, 0, m->cols, place, to);
}

static fine_vector split_level(const swq_spread_chain *s, int k)
{
    void *const behind = s->block + s->room;
    float *const low = behind;

    return (fine_vector){NULL, {s->block + place_of_level(s, k), low + place_of_level(s, k)}};
}

void swq_spread_apply_fine(swq_spread_chain *s, const long double *x, long double *image)
{
    long double *start =
        image; /* its contents do not matter: level 0 is read before the image is written */
    fine_vector from = {start, {NULL, NULL}}, out = {s->out, {NULL, NULL}};

    memcpy(start, x, sizeof *x * (size_t)s->own[0]);
    for (int k = 0; k < s->levels; k++) {
        const swq_halo *h = &s->halo[k];
        const fine_vector to =
            k + 1 < s->levels ? split_level(s, k + 1) : (fine_vector){image, {NULL, NULL}};
        pass_part(s, &s->home[k], &from, NULL, &to);
        pass_part(s, &s->away[k], &from, h->place, &out);
        send_home(s, h, s->out, s->in, MPI_LONG_DOUBLE);
        for (int64_t i = 0; i < h->shown; i++)
            put(&to, h->own[i], get(&to, h->own[i]) + s->in[i]);
        from = to;
    }
}

static void count_entry(void *arg, int64_t row, int64_t col, double value)
{
    int32_t *count = arg;

    (void)row;
    (void)value;
    count[col]++;
}

/* Find the most entries in one column of a factor, which bounds the rounding of sums: in long
 * double, an entry of k terms has at most k + 1 roundings, in whatever order the ranks add them. A
 * level in compensated form adds two roundings where it is read and one where it is written, each
 * time that a rank's part is added. */
static swq_status count_column_terms(swq_spread_chain *s, int k)
{
    const double fine = LDBL_MANT_DIG >= 64 ? 0x1p-11 : 1;
    const int64_t next = s->own[(k + 1) % s->levels];
    const swq_halo *h = &s->halo[k];
    int32_t *near = swq_calloc(s->ctx, (size_t)next + 1, sizeof *near);
    int32_t *far = swq_calloc(s->ctx, (size_t)h->nodes + 1, sizeof *far);
    int32_t *out = swq_calloc(s->ctx, (size_t)h->nodes + 1, sizeof *out);
    int32_t *in = swq_calloc(s->ctx, (size_t)h->shown + 1, sizeof *in);
    swq_status status =
        swq_fleet_agree(s->fleet, near && far && out && in ? SWQ_OK : swq_memory_status(s->ctx));

    if (!status) {
        int64_t most = 0;
        swq_spread_entries(&s->home[k], count_entry, near);
        swq_spread_entries(&s->away[k], count_entry, far);
        for (int64_t j = 0; j < h->nodes; j++)
            out[h->place[j]] = far[j];
        send_home(s, h, out, in, MPI_INT32_T);
        for (int64_t i = 0; i < h->shown; i++)
            near[h->own[i]] += in[i];
        for (int64_t i = 0; i < next; i++)
            most = near[i] > most ? near[i] : most;
        const double terms = (double)swq_fleet_most(s->fleet, most), others = s->fleet->ranks - 1;
        s->summing += fine * (terms + 3 + 3 * (others < terms ? others : terms));
    }
    swq_free(s->ctx, near);
    swq_free(s->ctx, far);
    swq_free(s->ctx, out);
    swq_free(s->ctx, in);
    return status;
}

/* Long doubles in which the columns of a part are added up. */
static int64_t desk_of(const swq_csr *m)
{
    return m->packed && m->cols > SWQ_STRIP ? SWQ_STRIP : m->cols;
}

static swq_status make_room(swq_spread_chain *s)
{
    int64_t widest = 1, most_shown = 1, desk = 1;

    for (int k = 0; k < s->levels; k++) {
        const swq_halo *h = &s->halo[k];
        const int64_t two = s->own[k] + (k + 1 < s->levels ? s->own[k + 1] : 0);
        const int64_t home = desk_of(&s->home[k]), away = desk_of(&s->away[k]);
        s->room = k > 0 && two > s->room ? two : s->room;
        widest = h->nodes > widest ? h->nodes : widest;
        most_shown = h->shown > most_shown ? h->shown : most_shown;
        desk = home > desk ? home : desk;
        desk = away > desk ? away : desk;
    }
    s->block = swq_calloc(s->ctx, (size_t)(s->room + (s->room + 1) / 2) + 1, sizeof *s->block);
    s->desk = swq_calloc(s->ctx, (size_t)desk, sizeof *s->desk);
    s->out = swq_calloc(s->ctx, (size_t)widest, sizeof *s->out);
    s->in = swq_calloc(s->ctx, (size_t)most_shown, sizeof *s->in);
    return s->block && s->desk && s->out && s->in ? SWQ_OK : swq_memory_status(s->ctx);
}

swq_status swq_spread_furnish(swq_spread_chain *s)
{
    int64_t halo = 0;
    swq_status status = swq_groups_find(s->fleet, s->chain, &s->groups);

    for (int k = 1; k < s->levels && !status; k++)
        swq_intern_forget(s->ctx, &s->chain->node[k]);
    for (int k = 0; k < s->levels && !status; k++) {
        status = count_column_terms(s, k);
        halo += s->halo[k].nodes;
    }
    s->summing += LDBL_MANT_DIG >= 64 ? 3 * 0x1p-11 : 3;
    s->sent = (double)swq_fleet_sum(s->fleet, halo) * sizeof(double);
    return status ? status : swq_fleet_agree(s->fleet, make_room(s));
}

void swq_spread_clear(swq_spread_chain *s)
{
    for (int k = 0; k < SWQ_CHAIN_LEVELS; k++) {
        swq_halo *h = &s->halo[k];
        swq_csr_clear(s->ctx, &s->home[k]);
        swq_csr_clear(s->ctx, &s->away[k]);
        swq_free(s->ctx, h->place);
        swq_free(s->ctx, h->from);
        swq_free(s->ctx, h->from_at);
        swq_free(s->ctx, h->to);
        swq_free(s->ctx, h->to_at);
        swq_free(s->ctx, h->own);
    }
    swq_groups_clear(s->ctx, &s->groups);
    swq_owners_clear(s->ctx, &s->owners);
    swq_free(s->ctx, s->block);
    swq_free(s->ctx, s->desk);
    swq_free(s->ctx, s->out);
    swq_free(s->ctx, s->in);
    swq_share_free(s->ctx, s->share);
    *s = (swq_spread_chain){0};
}

#endif
