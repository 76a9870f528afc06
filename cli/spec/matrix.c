/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading numbers and matrices of traffic from files.
 */
#include "cli/spec/matrix.h"

#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/spec/noxim.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double slack = 1e-9; /* of the sum of a row, as numbers in files are rounded */

/* ---- words and numbers ---- */

/* A file of words, separated by blanks, commas or line ends; # before a word starts a comment. */
typedef struct {
    FILE *file;
    const char *path;
    uint64_t line; /* of the last word, from 1 on */
    bool ended;    /* the last word ended its line */
} word_file;

static bool separates(int c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',';
}

/* The next word, which is no number if it is longer than 63 characters; false: there is none. */
static bool next_word(word_file *f, char word[64])
{
    size_t length = 0;
    int c;

    f->line += f->ended;
    f->ended = false;
    while ((c = getc(f->file)) != EOF && (separates(c) || c == '#')) {
        if (c == '#') {
            while ((c = getc(f->file)) != EOF && c != '\n')
                ;
        }
        f->line += c == '\n';
    }
    for (; c != EOF && !separates(c); c = getc(f->file)) {
        if (length < 63)
            word[length++] = c ? (char)c : '?';
        else
            word[62] = '~';
    }
    f->ended = c == '\n';
    word[length] = '\0';
    return length > 0;
}

/* Numbers of a file, as an array that grows. */
typedef struct {
    double *value;
    size_t count, room;
    bool listed;  /* the first line says that the file is a list */
    bool triples; /* each line has three numbers, of which the first two are whole */
} number_list;

static swq_status add_number(swq_context *ctx, number_list *n, double value)
{
    if (n->count == n->room) {
        const size_t room = n->room ? 2 * n->room : 1024;
        double *larger = realloc(n->value, room * sizeof *larger);
        if (!larger)
            return swq_fail(ctx, SWQ_ENOMEM, "no memory for %zu numbers", room);
        n->value = larger;
        n->room = room;
    }
    n->value[n->count++] = value;
    return SWQ_OK;
}

swq_status cli_numbers_read(swq_context *ctx, const char *option, const char *path, size_t count,
                            double **numbers)
{
    word_file f = {.file = fopen(path, "r"), .path = path};
    number_list n = {0};
    char word[64];
    swq_status status = SWQ_OK;

    if (!f.file)
        return cli_cannot_read(ctx, path);
    while (!status && !(status = cli_go_on_reading(ctx, path)) && next_word(&f, word)) {
        double value = 0;
        if (n.count == count)
            status = swq_fail(ctx, SWQ_EINVAL, "--%s: '%.200s' has more than %zu numbers", option,
                              path, count);
        else if (cli_number(ctx, option, word, 0, 1, &value))
            status = swq_fail(ctx, SWQ_EINVAL,
                              "--%s: number %zu of '%.200s' must be from 0 to 1, not '%.60s'",
                              option, n.count + 1, path, word);
        else
            status = add_number(ctx, &n, value);
    }
    if (!status && ferror(f.file))
        status = cli_cannot_read(ctx, path);
    if (!status && n.count < count)
        status = swq_fail(ctx, SWQ_EINVAL, "--%s: '%.200s' must have %zu numbers, not %zu", option,
                          path, count, n.count);
    fclose(f.file);
    if (status)
        free(n.value);
    else
        *numbers = n.value;
    return status;
}

/* ---- a file of either form ---- */

typedef struct {
    swq_context *ctx;
    const cli_matrix_reading *as;
    const char *path;
} matrix_reader;

/* Is the word part of the line that says that the file is a list? */
static bool is_heading(number_list *n, unsigned *words, const char *word)
{
    static const char *const heading[] = {"sender", "receiver", "share"};

    if (n->count > 0 || *words > 2 || strcmp(word, heading[*words]) != 0)
        return false;
    n->listed = ++*words == 3;
    return true;
}

/* Too many numbers for a matrix, and for a list? */
static bool overflows(const matrix_reader *r, const number_list *n)
{
    const double all = (double)r->as->nodes * r->as->nodes;

    return (double)n->count >= (n->listed || n->triples ? 3 * all : all);
}

static swq_status take_word(const matrix_reader *r, number_list *n, const char *word)
{
    double value = 0;

    if (overflows(r, n))
        return swq_fail(r->ctx, SWQ_EINVAL, "--%s: '%.200s' has more than %.0f numbers",
                        r->as->option, r->path, (double)r->as->nodes * r->as->nodes);
    if (cli_number(r->ctx, r->as->option, word, 0, 1e300, &value))
        return swq_fail(r->ctx, SWQ_EINVAL, "--%s: number %zu of '%.200s' must be %s, not '%.60s'",
                        r->as->option, n->count + 1, r->path,
                        r->as->normalise ? "from 0 to 1e300" : "from 0 to 1", word);
    return add_number(r->ctx, n, value);
}

static swq_status read_words(const matrix_reader *r, FILE *file, number_list *n)
{
    word_file f = {.file = file, .path = r->path};
    uint64_t line = 0, on_line = 0;
    unsigned heading = 0;
    char word[64];
    swq_status status = SWQ_OK;

    n->triples = true;
    while (!status && !(status = cli_go_on_reading(r->ctx, r->path)) && next_word(&f, word)) {
        if (is_heading(n, &heading, word))
            continue;
        if (n->count > 0 && f.line != line) {
            n->triples = n->triples && on_line == 3;
            on_line = 0;
        }
        line = f.line;
        on_line++;
        status = take_word(r, n, word);
        if (!status)
            n->triples = n->triples && on_line <= 3 &&
                         (on_line == 3 || n->value[n->count - 1] == floor(n->value[n->count - 1]));
    }
    n->triples = n->triples && on_line == 3;
    return !status && ferror(file) ? cli_cannot_read(r->ctx, r->path) : status;
}

/* ---- rows ---- */

/* What a refusal of a row adds. */
static const char *hint(const matrix_reader *r)
{
    return r->as->can_normalise ? ": --normalise divides each row by its sum" : "";
}

/* Checks and, if asked for, normalises the row of a node: shares for the nodes to[0 .. count - 1],
 * or if `to` is NULL for the nodes 0 .. count - 1. */
static swq_status settle_row(const matrix_reader *r, uint32_t node, double *share,
                             const uint32_t *to, size_t count)
{
    double sum = 0, to_self = 0;

    for (size_t k = 0; k < count; k++) {
        sum += share[k];
        to_self += (to ? to[k] : k) == node ? share[k] : 0;
    }
    const bool selfish = r->as->no_selfs && to_self > 0 && to_self < sum;
    if (!r->as->normalise && !(fabs(sum - 1) <= slack))
        return swq_fail(r->ctx, SWQ_EINVAL,
                        "--%s: the shares of node %u in '%.200s' must sum to 1, not %.12g%s",
                        r->as->option, node, r->path, sum,
                        r->as->can_normalise && sum == 0
                            ? ": with --normalise, a node without shares sends nothing"
                            : hint(r));
    if (!r->as->normalise && selfish)
        return swq_fail(r->ctx, SWQ_EINVAL,
                        "--%s: node %u of '%.200s' sends %.6g of its packets to itself, for which "
                        "topology %s has no way: --normalise leaves them out",
                        r->as->option, node, r->path, to_self, r->as->no_selfs);
    if (!r->as->normalise || sum == 0)
        return SWQ_OK;
    sum = 0; /* anew, since the difference would be rounded */
    for (size_t k = 0; k < count; k++) {
        if (selfish && (to ? to[k] : k) == node)
            share[k] = 0;
        sum += share[k];
    }
    for (size_t k = 0; k < count; k++)
        share[k] /= sum;
    return SWQ_OK;
}

static swq_status settle_matrix(const matrix_reader *r, const number_list *n)
{
    const uint32_t nodes = r->as->nodes;
    const size_t all = (size_t)nodes * nodes;
    swq_status status = SWQ_OK;

    if (nodes > CLI_MOST_MATRIX_NODES)
        return swq_fail(r->ctx, SWQ_EINVAL,
                        "--%s: '%.200s' is a matrix in full, which is for up to %d nodes, not %u: "
                        "lines of sender,receiver,share are for more",
                        r->as->option, r->path, CLI_MOST_MATRIX_NODES, nodes);
    if (n->count != all)
        return swq_fail(r->ctx, SWQ_EINVAL,
                        "--%s: '%.200s' must have %zu numbers, not %zu, or lines of "
                        "sender,receiver,share",
                        r->as->option, r->path, all, n->count);
    for (size_t k = 0; k < all && !r->as->normalise; k++) {
        if (n->value[k] > 1)
            return swq_fail(r->ctx, SWQ_EINVAL,
                            "--%s: number %zu of '%.200s' must be from 0 to 1, not '%g'%s",
                            r->as->option, k + 1, r->path, n->value[k], hint(r));
    }
    for (uint32_t i = 0; i < nodes && !status; i++) {
        const size_t row = (size_t)i * nodes;
        assert(row + nodes <= n->count);
        status = settle_row(r, i, n->value + row, NULL, nodes);
    }
    return status;
}

/* ---- lists ---- */

typedef struct {
    uint32_t to;
    double share;
} list_entry;

static int by_receiver(const void *a, const void *b)
{
    const list_entry *x = a, *y = b;

    return (x->to > y->to) - (x->to < y->to);
}

static swq_status check_triples(const matrix_reader *r, const number_list *n)
{
    static const char *const what[] = {"sender", "receiver"};

    if (n->count % 3)
        return swq_fail(r->ctx, SWQ_EINVAL,
                        "--%s: '%.200s' must have three numbers in each line: sender, receiver and "
                        "share",
                        r->as->option, r->path);
    for (size_t k = 0; k < n->count; k++) {
        const double value = n->value[k];
        if (k % 3 < 2 && !(value == floor(value) && value < r->as->nodes))
            return swq_fail(
                r->ctx, SWQ_EINVAL, "--%s: %s of entry %zu of '%.200s' must be 0 to %u, not %g",
                r->as->option, what[k % 3], k / 3 + 1, r->path, r->as->nodes - 1, value);
        if (k % 3 == 2 && !r->as->normalise && value > 1)
            return swq_fail(r->ctx, SWQ_EINVAL,
                            "--%s: share of entry %zu of '%.200s' must be from 0 to 1, not %g%s",
                            r->as->option, k / 3 + 1, r->path, value, hint(r));
    }
    return SWQ_OK;
}

static swq_status take_rows(swq_context *ctx, cli_matrix *m, uint32_t nodes, uint64_t entries)
{
    m->first = calloc((size_t)nodes + 1, sizeof *m->first);
    m->to = calloc(entries + 1, sizeof *m->to);
    m->share = calloc(entries + 1, sizeof *m->share);
    m->rows = (swq_destinations){nodes, m->first, m->to, m->share};
    return m->first && m->to && m->share
               ? SWQ_OK
               : swq_fail(ctx, SWQ_ENOMEM, "no memory for a matrix of %.0f shares",
                          (double)entries);
}

/* Puts the entries of a list in order: entry[m->first[i]] .. are those of node i. */
static swq_status sort_list(const matrix_reader *r, const number_list *n, const cli_matrix *m,
                            list_entry *entry)
{
    const uint32_t nodes = r->as->nodes;
    const size_t entries = n->count / 3;

    for (size_t e = 0; e < entries; e++)
        m->first[(uint32_t)n->value[3 * e] + 1]++;
    for (uint32_t i = 0; i < nodes; i++)
        m->first[i + 1] += m->first[i];
    /* from the last entry on, so that `first` is moved to the row's beginning */
    for (size_t e = entries; e-- > 0;) {
        const uint32_t sender = (uint32_t)n->value[3 * e];
        entry[--m->first[sender + 1]] =
            (list_entry){(uint32_t)n->value[3 * e + 1], n->value[3 * e + 2]};
    }
    for (uint32_t i = 0; i < nodes; i++)
        m->first[i] = m->first[i + 1];
    m->first[nodes] = entries;
    for (uint32_t i = 0; i < nodes; i++) {
        qsort(entry + m->first[i], m->first[i + 1] - m->first[i], sizeof *entry, by_receiver);
        for (uint64_t k = m->first[i] + 1; k < m->first[i + 1]; k++) {
            if (entry[k].to == entry[k - 1].to)
                return swq_fail(r->ctx, SWQ_EINVAL,
                                "--%s: '%.200s' has two shares of sender %u and receiver %u",
                                r->as->option, r->path, i, entry[k].to);
        }
    }
    return SWQ_OK;
}

/* Takes out shares of zero. */
static void compact(cli_matrix *m)
{
    uint64_t kept = 0, k = 0;

    for (uint32_t i = 0; i < m->rows.nodes; i++) {
        const uint64_t end = m->first[i + 1];
        m->first[i] = kept;
        for (; k < end; k++) {
            if (m->share[k] > 0) {
                m->to[kept] = m->to[k];
                m->share[kept++] = m->share[k];
            }
        }
    }
    m->first[m->rows.nodes] = kept;
}

/* Keeps the rates of a table before they become shares. */
static swq_status keep_rates(const matrix_reader *r, cli_matrix *m)
{
    m->sent = calloc(r->as->nodes, sizeof *m->sent);
    if (!m->sent)
        return swq_fail(r->ctx, SWQ_ENOMEM, "no memory for %u rates", r->as->nodes);
    for (uint32_t i = 0; i < r->as->nodes; i++) {
        for (uint64_t k = m->first[i]; k < m->first[i + 1]; k++)
            m->sent[i] += m->share[k];
    }
    return SWQ_OK;
}

static swq_status settle_list(const matrix_reader *r, const number_list *n, cli_matrix *m)
{
    const size_t entries = n->count / 3;
    swq_status status = check_triples(r, n);
    list_entry *entry = NULL;

    if (!status)
        status = take_rows(r->ctx, m, r->as->nodes, entries);
    if (!status && !(entry = calloc(entries + 1, sizeof *entry)))
        status = swq_fail(r->ctx, SWQ_ENOMEM, "no memory for a list of %zu shares", entries);
    if (!status)
        status = sort_list(r, n, m, entry);
    for (size_t e = 0; e < entries && !status; e++)
        m->to[e] = entry[e].to, m->share[e] = entry[e].share;
    free(entry);
    if (!status && r->as->noxim)
        status = keep_rates(r, m);
    for (uint32_t i = 0; i < r->as->nodes && !status; i++)
        status = settle_row(r, i, m->share + m->first[i], m->to + m->first[i],
                            m->first[i + 1] - m->first[i]);
    if (!status)
        compact(m);
    return status;
}

/* ---- matrices ---- */

/* Does any node send to another one, or to itself if it may? */
static bool anything_sent(const matrix_reader *r, const cli_matrix *m)
{
    const size_t nodes = r->as->nodes;

    for (size_t k = 0; m->dense && k < nodes * nodes; k++) {
        if (m->dense[k] > 0 && !(r->as->no_selfs && k / nodes == k % nodes))
            return true;
    }
    for (uint32_t i = 0; !m->dense && i < nodes; i++) {
        for (uint64_t k = m->first[i]; k < m->first[i + 1]; k++) {
            if (!r->as->no_selfs || m->to[k] != i)
                return true;
        }
    }
    return false;
}

swq_status cli_matrix_read(swq_context *ctx, const cli_matrix_reading *as, const char *path,
                           cli_matrix *m)
{
    const matrix_reader r = {ctx, as, path};
    number_list n = {0};

    *m = (cli_matrix){.path = strdup(path), .rows.nodes = as->nodes, .noxim = as->noxim};
    if (!m->path)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory to read '%.200s'", path);
    swq_status status;
    if (as->noxim) {
        status = cli_noxim_read(ctx, path, as->nodes, &n.value, &n.count);
        n.count *= 3;
        n.listed = true;
    } else {
        FILE *file = fopen(path, "r");
        if (!file)
            return cli_cannot_read(ctx, path);
        status = read_words(&r, file, &n);
        fclose(file);
    }
    const bool full = (double)n.count == (double)as->nodes * as->nodes;
    if (!status && (n.listed || (n.triples && !full))) {
        status = settle_list(&r, &n, m);
    } else if (!status) {
        status = settle_matrix(&r, &n);
        m->dense = n.value;
        n.value = NULL;
    }
    free(n.value);
    if (!status && !anything_sent(&r, m))
        return swq_fail(ctx, SWQ_EINVAL, "--%s: no node of '%.200s' sends anything%s", as->option,
                        path, as->no_selfs ? " to another one" : "");
    return status;
}

swq_status cli_matrix_in_full(swq_context *ctx, cli_matrix *m)
{
    const size_t nodes = m->rows.nodes;

    if (m->dense)
        return SWQ_OK;
    m->dense = calloc(nodes * nodes, sizeof *m->dense);
    if (!m->dense)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the matrix of '%.200s'", m->path);
    for (size_t i = 0; i < nodes; i++) {
        for (uint64_t k = m->first[i]; k < m->first[i + 1]; k++)
            m->dense[i * nodes + m->to[k]] = m->share[k];
    }
    return SWQ_OK;
}

swq_status cli_matrix_without_zeros(swq_context *ctx, cli_matrix *m)
{
    const uint32_t nodes = m->rows.nodes;
    uint64_t entries = 0;

    if (m->first)
        return SWQ_OK;
    for (size_t k = 0; k < (size_t)nodes * nodes; k++)
        entries += m->dense[k] > 0;
    const swq_status status = take_rows(ctx, m, nodes, entries);
    entries = 0;
    for (uint32_t i = 0; i < nodes && !status; i++) {
        const double *row = m->dense + (size_t)i * nodes;
        for (uint32_t j = 0; j < nodes; j++) {
            if (row[j] > 0) {
                m->to[entries] = j;
                m->share[entries++] = row[j];
            }
        }
        m->first[i + 1] = entries;
    }
    return status;
}

void cli_matrix_clear(cli_matrix *m)
{
    free(m->path);
    free(m->dense);
    free(m->first);
    free(m->to);
    free(m->share);
    free(m->sent);
    *m = (cli_matrix){0};
}
