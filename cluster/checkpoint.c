/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checkpoints in MPI files, of which every rank writes its part:
 *
 *   header   magic, words of a state, states, fingerprint of the chain, cycles, words of the root
 *   words    [states * words]
 *   entries  [states]
 *
 * in the machine's own byte order.
 */
#ifdef SWQ_HAVE_PETSC

#include "cluster/checkpoint.h"

#include "base/context.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    char magic[16];
    uint64_t fingerprint;
    int64_t words, states, cycles;
    swq_word root[SWQ_ROW_PORTS];
} checkpoint_header;

static const char magic[16] = "switchq iterate1";

static swq_status failure(swq_context *ctx, const char *path, const char *what, int error)
{
    char text[MPI_MAX_ERROR_STRING] = "unknown error";
    int length;

    MPI_Error_string(error, text, &length);
    return swq_fail(ctx, SWQ_EIO, "the checkpoint '%s' cannot be %s: %s", path, what, text);
}

/* A prefix for a name without a folder: Open MPI fails for names of a single letter. */
static const char *folder_of(const char *path)
{
    return strchr(path, '/') ? "" : "./";
}

/* Write words and entries of the own states, at their places in the file. */
static int write_states(const swq_spread_chain *s, MPI_File file, const double *x)
{
    const int words = s->chain->rows.tuple;
    const MPI_Offset body = (MPI_Offset)sizeof(checkpoint_header);
    const MPI_Offset entries = body + (MPI_Offset)(sizeof(swq_word) * (size_t)words) * s->all[0];
    MPI_Datatype node;

    MPI_Type_contiguous(words, MPI_UINT16_T, &node);
    MPI_Type_commit(&node);
    int error = MPI_File_write_at_all(
        file, body + (MPI_Offset)(sizeof(swq_word) * (size_t)words) * s->first[0],
        s->chain->node[0].state, (int)s->own[0], node, MPI_STATUS_IGNORE);
    int again = MPI_File_write_at_all(file, entries + (MPI_Offset)sizeof(double) * s->first[0], x,
                                      (int)s->own[0], MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_Type_free(&node);
    return error ? error : again;
}

static void fill_header(const swq_spread_chain *s, int64_t root, int64_t cycles,
                        checkpoint_header *h)
{
    const int64_t owner = swq_fleet_most(s->fleet, root >= 0 ? s->fleet->rank : -1);

    *h = (checkpoint_header){.fingerprint = s->fingerprint,
                             .words = s->chain->rows.tuple,
                             .states = s->all[0],
                             .cycles = cycles};
    memcpy(h->magic, magic, sizeof magic);
    if (root >= 0)
        memcpy(h->root, swq_intern_state(&s->chain->node[0], root),
               sizeof *h->root * (size_t)h->words);
    MPI_Bcast(h->root, SWQ_ROW_PORTS, MPI_UINT16_T, (int)owner, s->fleet->comm);
}

swq_status swq_checkpoint_write(swq_checkpoint *c, swq_spread_chain *s, const double *x,
                                int64_t root, int64_t cycles, bool now)
{
    const swq_fleet *f = s->fleet;
    char part[1100];
    MPI_File file;
    int due = now || MPI_Wtime() - c->written >= c->seconds;
    checkpoint_header header;

    if (!c->path)
        return SWQ_OK;
    MPI_Bcast(&due, 1, MPI_INT, 0, f->comm);
    if (!due)
        return SWQ_OK;
    fill_header(s, root, cycles, &header);
    snprintf(part, sizeof part, "%s%s.part", folder_of(c->path), c->path);
    int error =
        MPI_File_open(f->comm, part, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    if (!error) {
        MPI_File_set_size(file, 0);
        if (f->rank == 0)
            error = MPI_File_write_at(file, 0, &header, (int)sizeof header, MPI_BYTE,
                                      MPI_STATUS_IGNORE);
        const int written = write_states(s, file, x);
        const int closed = MPI_File_close(&file);
        error = error ? error : written ? written : closed;
    }
    swq_status status = error ? failure(s->ctx, c->path, "written", error) : SWQ_OK;
    status = swq_fleet_agree(s->fleet, status);
    if (!status && f->rank == 0 && rename(part, c->path) != 0)
        status = swq_fail(s->ctx, SWQ_EIO, "the checkpoint '%s' cannot be written", c->path);
    if (status && f->rank == 0)
        remove(part);
    c->written = MPI_Wtime();
    return swq_fleet_agree(s->fleet, status);
}

/* States and entries on their way from the ranks that read them to the ranks that own them. */
typedef struct {
    swq_spread_chain *s;
    int words;
    int64_t count; /* states that this rank has read */
    swq_word *state, *out, *in;
    double *entry, *out_entry, *in_entry;
    int *send, *send_at, *receive, *receive_at;
} delivery;

static void clear(delivery *d)
{
    swq_context *ctx = d->s->ctx;

    swq_free(ctx, d->state);
    swq_free(ctx, d->out);
    swq_free(ctx, d->in);
    swq_free(ctx, d->entry);
    swq_free(ctx, d->out_entry);
    swq_free(ctx, d->in_entry);
    swq_free(ctx, d->send);
    swq_free(ctx, d->send_at);
    swq_free(ctx, d->receive);
    swq_free(ctx, d->receive_at);
}

static swq_status make_room(delivery *d)
{
    swq_context *ctx = d->s->ctx;
    const size_t count = (size_t)d->count + 1, ranks = (size_t)d->s->fleet->ranks;
    const size_t own = (size_t)d->s->own[0] + 1, node = sizeof(swq_word) * (size_t)d->words;

    d->state = swq_calloc(ctx, count, node);
    d->out = swq_calloc(ctx, count, node);
    d->in = swq_calloc(ctx, own, node);
    d->entry = swq_calloc(ctx, count, sizeof *d->entry);
    d->out_entry = swq_calloc(ctx, count, sizeof *d->out_entry);
    d->in_entry = swq_calloc(ctx, own, sizeof *d->in_entry);
    d->send = swq_calloc(ctx, ranks, sizeof *d->send);
    d->send_at = swq_calloc(ctx, ranks, sizeof *d->send_at);
    d->receive = swq_calloc(ctx, ranks, sizeof *d->receive);
    d->receive_at = swq_calloc(ctx, ranks, sizeof *d->receive_at);
    return d->state && d->out && d->in && d->entry && d->out_entry && d->in_entry && d->send &&
                   d->send_at && d->receive && d->receive_at
               ? SWQ_OK
               : swq_memory_status(ctx);
}

/* A file may have any words; no rank finds a state with contents that do not exist. */
static int owner_of(const swq_spread_chain *s, const swq_word *state)
{
    for (int w = 0; w < s->chain->rows.tuple; w++) {
        if (state[w] >= s->chain->rows.set.count)
            return 0;
    }
    return swq_owners_find(&s->owners, s->fleet, s->chain, 0, state,
                           swq_node_hash(state, s->chain->rows.tuple));
}

static void sort_by_owner(delivery *d)
{
    const swq_fleet *f = d->s->fleet;
    int at = 0;

    for (int64_t k = 0; k < d->count; k++)
        d->send[owner_of(d->s, d->state + k * d->words)]++;
    for (int r = 0; r < f->ranks; r++) {
        d->send_at[r] = at;
        at += d->send[r];
    }
    for (int64_t k = 0; k < d->count; k++) {
        const int r = owner_of(d->s, d->state + k * d->words);
        const int to = d->send_at[r]++;
        memcpy(d->out + (int64_t)to * d->words, d->state + k * d->words,
               sizeof *d->out * (size_t)d->words);
        d->out_entry[to] = d->entry[k];
    }
    for (int r = 0; r < f->ranks; r++)
        d->send_at[r] -= d->send[r];
}

/* Send the states and entries that were read to their owners. False: the file does not have each
 * state exactly once. */
static bool deliver(delivery *d, double *x)
{
    const swq_fleet *f = d->s->fleet;
    MPI_Datatype node;
    int64_t all = 0;
    bool right = true;

    sort_by_owner(d);
    MPI_Alltoall(d->send, 1, MPI_INT, d->receive, 1, MPI_INT, f->comm);
    for (int r = 0; r < f->ranks; r++) {
        d->receive_at[r] = (int)all;
        all += d->receive[r];
    }
    if (swq_fleet_most(f, all != d->s->own[0]) != 0)
        return false;
    MPI_Type_contiguous(d->words, MPI_UINT16_T, &node);
    MPI_Type_commit(&node);
    MPI_Alltoallv(d->out, d->send, d->send_at, node, d->in, d->receive, d->receive_at, node,
                  f->comm);
    MPI_Type_free(&node);
    MPI_Alltoallv(d->out_entry, d->send, d->send_at, MPI_DOUBLE, d->in_entry, d->receive,
                  d->receive_at, MPI_DOUBLE, f->comm);
    memset(x, 0, sizeof *x * (size_t)all);
    for (int64_t k = 0; k < all; k++) {
        const int64_t number = swq_intern_find(&d->s->chain->node[0], d->in + k * d->words);
        right = right && number >= 0 && d->in_entry[k] >= 0;
        if (number >= 0)
            x[number] = d->in_entry[k];
    }
    return swq_fleet_most(f, !right) == 0;
}

/* Read this rank's part of the file. */
static swq_status read_states(delivery *d, MPI_File file, const checkpoint_header *h,
                              const char *path)
{
    const swq_fleet *f = d->s->fleet;
    const int64_t from = h->states * f->rank / f->ranks;
    const MPI_Offset body = (MPI_Offset)sizeof *h;
    const MPI_Offset entries = body + (MPI_Offset)sizeof(swq_word) * h->words * h->states;
    MPI_Datatype node;
    MPI_Status how;
    int words = 0, numbers = 0;

    d->count = h->states * (f->rank + 1) / f->ranks - from;
    swq_status status = swq_fleet_agree(d->s->fleet, make_room(d));
    if (status)
        return status;
    MPI_Type_contiguous(d->words, MPI_UINT16_T, &node);
    MPI_Type_commit(&node);
    int error = MPI_File_read_at_all(file, body + (MPI_Offset)sizeof(swq_word) * h->words * from,
                                     d->state, (int)d->count, node, &how);
    if (!error)
        MPI_Get_count(&how, node, &words);
    int again = MPI_File_read_at_all(file, entries + (MPI_Offset)sizeof(double) * from, d->entry,
                                     (int)d->count, MPI_DOUBLE, &how);
    if (!again)
        MPI_Get_count(&how, MPI_DOUBLE, &numbers);
    MPI_Type_free(&node);
    if (error || again)
        status = failure(d->s->ctx, path, "read", error ? error : again);
    else if (words != d->count || numbers != d->count)
        status = swq_fail(d->s->ctx, SWQ_EINVAL, "the checkpoint '%s' is cut short", path);
    return swq_fleet_agree(d->s->fleet, status);
}

static swq_status check_header(const swq_spread_chain *s, const checkpoint_header *h,
                               const char *path)
{
    if (memcmp(h->magic, magic, sizeof magic) != 0)
        return swq_fail(s->ctx, SWQ_EINVAL, "'%s' is no checkpoint of switchq", path);
    if (h->fingerprint != s->fingerprint || h->states != s->all[0] ||
        h->words != s->chain->rows.tuple)
        return swq_fail(s->ctx, SWQ_EINVAL,
                        "the checkpoint '%s' is of another chain (of %" PRId64
                        " states, not %" PRId64 ", or with other chances)",
                        path, h->states, s->all[0]);
    return SWQ_OK;
}

swq_status swq_checkpoint_read(const swq_checkpoint *c, swq_spread_chain *s, double *x,
                               int64_t *root, int64_t *cycles, bool *found)
{
    const swq_fleet *f = s->fleet;
    checkpoint_header header = {{0}, 0, 0, 0, 0, {0}};
    delivery d = {.s = s, .words = s->chain->rows.tuple};
    MPI_File file;
    int there = c->path && access(c->path, F_OK) == 0;

    *found = false;
    MPI_Bcast(&there, 1, MPI_INT, 0, f->comm);
    if (!there || !c->path)
        return SWQ_OK;
    char name[1100];
    snprintf(name, sizeof name, "%s%s", folder_of(c->path), c->path);
    int error = MPI_File_open(f->comm, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    swq_status status =
        swq_fleet_agree(s->fleet, error ? failure(s->ctx, c->path, "read", error) : SWQ_OK);
    if (status)
        return status;
    error = MPI_File_read_at_all(file, 0, &header, (int)sizeof header, MPI_BYTE, MPI_STATUS_IGNORE);
    status = error ? failure(s->ctx, c->path, "read", error) : check_header(s, &header, c->path);
    status = swq_fleet_agree(s->fleet, status);
    if (!status)
        status = read_states(&d, file, &header, c->path);
    MPI_File_close(&file);
    if (!status && !deliver(&d, x))
        status =
            swq_fail(s->ctx, SWQ_EINVAL,
                     "the checkpoint '%s' does not hold each state of the chain once", c->path);
    *root =
        owner_of(s, header.root) == f->rank ? swq_intern_find(&s->chain->node[0], header.root) : -1;
    if (!status && swq_fleet_most(f, *root) < 0)
        status = swq_fail(s->ctx, SWQ_EINVAL, "the checkpoint '%s' has no root", c->path);
    *cycles = header.cycles;
    *found = !status;
    clear(&d);
    return status;
}

#endif
