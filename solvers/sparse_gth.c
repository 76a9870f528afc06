/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GTH elimination on sparse chains: the arithmetic of gth.c, multifrontal. CHOLMOD finds a
 * fill-reducing order of the states and the supernodes that it leads to; the states of a supernode
 * are censored together in a dense front, with BLAS. Triangular solves have negative entries off
 * the diagonal and positive right-hand sides, so they add as well: nothing is ever subtracted, and
 * every entry keeps its relative accuracy as in gth.c.
 *
 * A front of m states, the first w of which (its pivots) are censored here, keeps its first w rows
 * and columns as factors: right of the diagonal the transitions out of a pivot, below it the
 * columns divided by the pivot. The rest, the chain as the other states see it, is added into its
 * parent. Sources: W. Grassmann, M. Taksar, D. Heyman, Oper. Res. 33(5), 1985; I. Duff, J. Reid,
 * ACM TOMS 9(3), 1983 (multifrontal); Y. Chen et al., ACM TOMS 35(3), 2008 (CHOLMOD).
 */
#include "base/blas.h"
#include "base/context.h"
#include "base/library.h"
#include "solvers/solvers.h"
#include "solvers/suitesparse.h"

#include <suitesparse/cholmod.h>

#include <string.h>

#ifndef SWQ_LIBRARY
#define SWQ_LIBRARY "libcholmod.so"
#endif

static struct {
    __typeof__(cholmod_l_start) *start;
    __typeof__(cholmod_l_finish) *finish;
    __typeof__(cholmod_l_allocate_triplet) *allocate_triplet;
    __typeof__(cholmod_l_triplet_to_sparse) *triplet_to_sparse;
    __typeof__(cholmod_l_free_triplet) *free_triplet;
    __typeof__(cholmod_l_free_sparse) *free_sparse;
    __typeof__(cholmod_l_amd) *amd;
    __typeof__(cholmod_l_metis) *metis;
    __typeof__(cholmod_l_analyze_p) *analyze_p;
    __typeof__(cholmod_l_free_factor) *free_factor;
} cholmod;

static swq_status load_cholmod(swq_context *ctx)
{
    const swq_symbol symbols[] = {
        SWQ_SYMBOL(cholmod.start, cholmod_l_start),
        SWQ_SYMBOL(cholmod.finish, cholmod_l_finish),
        SWQ_SYMBOL(cholmod.allocate_triplet, cholmod_l_allocate_triplet),
        SWQ_SYMBOL(cholmod.triplet_to_sparse, cholmod_l_triplet_to_sparse),
        SWQ_SYMBOL(cholmod.free_triplet, cholmod_l_free_triplet),
        SWQ_SYMBOL(cholmod.free_sparse, cholmod_l_free_sparse),
        SWQ_SYMBOL(cholmod.amd, cholmod_l_amd),
        SWQ_SYMBOL(cholmod.metis, cholmod_l_metis),
        SWQ_SYMBOL(cholmod.analyze_p, cholmod_l_analyze_p),
        SWQ_SYMBOL(cholmod.free_factor, cholmod_l_free_factor),
    };
    return swq_library_load(ctx, SWQ_LIBRARY, symbols, (int)(sizeof symbols / sizeof *symbols));
}

/* Start CHOLMOD, whose blocks the context counts until it is stopped. */
static swq_status start(swq_context *ctx, cholmod_common *common)
{
    swq_status status = load_cholmod(ctx);

    if (!status)
        status = swq_suitesparse_begin(ctx, SWQ_LIBRARY);
    if (status)
        return status;
    cholmod.start(common);
    common->print = 0;
    return SWQ_OK;
}

static void stop(cholmod_common *common)
{
    cholmod.finish(common);
    swq_suitesparse_end();
}

/* The status if an order could not be found for want of memory: the context's status, or that of
 * METIS. */
static swq_status not_ordered(swq_context *ctx, int64_t states)
{
    return swq_over_limit(ctx)
               ? SWQ_ELIMIT
               : swq_fail(ctx, SWQ_ENOMEM, "no memory to order %lld states", (long long)states);
}

enum {
    BLOCK = 48,       /* pivots censored by plain loops before BLAS takes over */
    DISSECTED = 6000, /* number of states from which nested dissection is worth its time */
    METIS_BYTES = 16
};

typedef struct {
    int64_t w, m;           /* pivots, states */
    const int64_t *member;  /* [m] positions, ascending; the first w are the pivots */
    double *rows;           /* [w * m] */
    double *columns;        /* [(m - w) * w] */
    double *rest;           /* [(m - w)^2] on the stack until the parent has added it */
    int64_t child, sibling; /* -1: none */
} front;

typedef struct {
    int64_t n, fronts;
    int64_t *state;    /* [n] position -> state; position n - 1 is the root */
    int64_t *position; /* [n] state -> position */
    int64_t *member;   /* the fronts' lists */
    front *front;      /* [fronts] in postorder */
    double *factors;   /* the block that contains all rows and columns */
    double *stack; /* the stack that contains all `rest`: in postorder, the last ones left are used
                      first */
    double *pivot; /* [n] by position */
    double *b;     /* [n] a right-hand side by position */
    double *gathered; /* [n] */
} sparse_gth;

static void release(swq_context *ctx, void *work)
{
    sparse_gth *g = work;

    if (!g)
        return;
    swq_free(ctx, g->front);
    swq_free(ctx, g->factors);
    swq_free(ctx, g->stack);
    swq_free(ctx, g->member);
    swq_free(ctx, g->state);
    swq_free(ctx, g->position);
    swq_free(ctx, g->pivot);
    swq_free(ctx, g->b);
    swq_free(ctx, g->gathered);
    swq_free(ctx, g);
}

/* The graph of the chain without directions, as the upper triangle of a symmetric pattern. NULL if
 * CHOLMOD has no memory. */
static cholmod_sparse *graph(const swq_csr *p, cholmod_common *common)
{
    size_t n = (size_t)p->rows;
    cholmod_triplet *t =
        cholmod.allocate_triplet(n, n, (size_t)swq_csr_nnz(p), 1, CHOLMOD_PATTERN, common);
    if (!t)
        return NULL;
    SuiteSparse_long *row = t->i, *col = t->j;
    for (int64_t s = 0; s < p->rows; s++) {
        for (int64_t e = p->start[s]; e < p->start[s + 1]; e++) {
            row[t->nnz] = s;
            col[t->nnz++] = p->col[e];
        }
    }
    cholmod_sparse *pattern = cholmod.triplet_to_sparse(t, 0, common);
    cholmod.free_triplet(&t, common);
    return pattern;
}

/* Nested dissection by METIS, which allocates by itself: about METIS_BYTES for each entry of the
 * graph, for the weights of edges, coarser graphs and the halves. These bytes are counted while
 * METIS runs.
 */
static bool dissect(swq_context *ctx, cholmod_sparse *pattern, SuiteSparse_long *perm,
                    cholmod_common *common)
{
    const SuiteSparse_long *start = pattern->p;
    const size_t bytes = METIS_BYTES * 2 * (size_t)start[pattern->ncol];

    swq_context_count(ctx, bytes, 0);
    const bool ordered =
        swq_context_keep_limit(ctx) == SWQ_OK && cholmod.metis(pattern, NULL, 0, 1, perm, common);
    swq_context_count(ctx, 0, bytes);
    return ordered;
}

/* Order the states to keep the fill small (minimum degree; nested dissection for many), move the
 * root to the end, and find the supernodes of that order. `perm` has room for n numbers. NULL if
 * there is no memory. */
static cholmod_factor *analyse(swq_context *ctx, const swq_csr *p, int64_t root,
                               SuiteSparse_long *perm, cholmod_common *common)
{
    cholmod_sparse *pattern = graph(p, common);
    cholmod_factor *supernodes = NULL;

    if (pattern && (p->rows < DISSECTED ? cholmod.amd(pattern, NULL, 0, perm, common)
                                        : dissect(ctx, pattern, perm, common))) {
        int64_t at = 0;
        for (int64_t k = 0; k < p->rows; k++) {
            if (perm[k] != root)
                perm[at++] = perm[k];
        }
        perm[at] = root;
        common->nmethods = 1;
        common->method[0].ordering = CHOLMOD_GIVEN;
        common->supernodal = CHOLMOD_SUPERNODAL;
        supernodes = cholmod.analyze_p(pattern, perm, NULL, 0, common);
    }
    cholmod.free_sparse(&pattern, common);
    return supernodes;
}

swq_status swq_sparse_gth_foresee(swq_context *ctx, const swq_csr *p, double *multiplications,
                                  double *bytes)
{
    cholmod_common common;
    SuiteSparse_long *perm = swq_calloc(ctx, (size_t)p->rows, sizeof *perm);
    swq_status status = perm ? start(ctx, &common) : swq_memory_status(ctx);
    if (status) {
        swq_free(ctx, perm);
        return status;
    }
    *multiplications = *bytes = 0;
    cholmod_factor *f = analyse(ctx, p, 0, perm, &common);
    for (size_t k = 0; f && k < f->nsuper; k++) {
        const SuiteSparse_long *super = f->super, *pi = f->pi;
        double w = (double)(super[k + 1] - super[k]), m = (double)(pi[k + 1] - pi[k]);
        *multiplications += w * m * m - w * w * m + w * w * w / 3;
        *bytes += sizeof(double) * (2 * m - w) * w;
    }
    if (!f)
        status = not_ordered(ctx, p->rows);
    cholmod.free_factor(&f, &common);
    stop(&common);
    swq_free(ctx, perm);
    return status;
}

/* Copy the order and the supernodes from CHOLMOD, and link each front to its parent: the front that
 * censors its first state after its own pivots. */
static swq_status plant(swq_context *ctx, sparse_gth *g, const cholmod_factor *f)
{
    const SuiteSparse_long *perm = f->Perm, *super = f->super, *pi = f->pi, *member = f->s;
    int64_t *front_of = swq_calloc(ctx, (size_t)g->n, sizeof *front_of);

    g->fronts = (int64_t)f->nsuper;
    g->front = swq_calloc(ctx, f->nsuper, sizeof *g->front);
    g->member = swq_calloc(ctx, f->ssize, sizeof *g->member);
    if (!front_of || !g->front || !g->member) {
        swq_free(ctx, front_of);
        return swq_memory_status(ctx);
    }
    for (int64_t k = 0; k < g->n; k++) {
        g->state[k] = perm[k];
        g->position[perm[k]] = k;
    }
    for (size_t k = 0; k < f->ssize; k++)
        g->member[k] = member[k];
    for (int64_t k = 0; k < g->fronts; k++) {
        g->front[k] = (front){.w = super[k + 1] - super[k],
                              .m = pi[k + 1] - pi[k],
                              .member = g->member + pi[k],
                              .child = -1,
                              .sibling = -1};
        for (int64_t c = super[k]; c < super[k + 1]; c++)
            front_of[c] = k;
    }
    for (int64_t k = g->fronts - 1; k >= 0; k--) {
        front *child = &g->front[k];
        if (child->m > child->w) {
            front *parent = &g->front[front_of[child->member[child->w]]];
            child->sibling = parent->child;
            parent->child = k;
        }
    }
    swq_free(ctx, front_of);
    return SWQ_OK;
}

static int64_t rest_size(const front *f)
{
    return (f->m - f->w) * (f->m - f->w);
}

/* Divide two blocks, whose sizes are now known, among all fronts. */
static swq_status lay_out(swq_context *ctx, sparse_gth *g)
{
    int64_t factors = 0, stack = 0, deepest = 0;

    for (int pass = 0; pass < 2; pass++) {
        factors = stack = 0;
        for (int64_t k = 0; k < g->fronts; k++) {
            front *f = &g->front[k];
            for (int64_t c = f->child; c >= 0; c = g->front[c].sibling)
                stack -= rest_size(&g->front[c]);
            if (pass == 1) {
                f->rows = g->factors + factors;
                f->columns = f->rows + f->w * f->m;
                f->rest = g->stack + stack;
            }
            factors += f->w * f->m + (f->m - f->w) * f->w;
            stack += rest_size(f);
            deepest = stack > deepest ? stack : deepest;
        }
        if (pass == 0) {
            g->factors = swq_calloc(ctx, (size_t)factors, sizeof *g->factors);
            g->stack = swq_calloc(ctx, (size_t)deepest, sizeof *g->stack);
            if (!g->factors || !g->stack)
                return swq_memory_status(ctx);
        }
    }
    return SWQ_OK;
}

/* Scatter the transitions that touch a pivot, and the arrays `rest` of the children, into the m x m
 * array `a`. place[position] is the index within this front. */
static void assemble(sparse_gth *g, front *f, const swq_csr *p, const swq_csr *transposed,
                     int64_t *place, double *a)
{
    int64_t m = f->m, first = f->member[0], behind = f->member[f->w - 1];

    for (int64_t i = 0; i < m; i++)
        place[f->member[i]] = i;
    for (int64_t i = 0; i < f->w; i++) {
        int64_t s = g->state[f->member[i]];
        for (int64_t e = p->start[s]; e < p->start[s + 1]; e++) {
            int64_t to = g->position[p->col[e]];
            if (to >= first)
                a[i * m + place[to]] = p->value[e];
        }
        for (int64_t e = transposed->start[s]; e < transposed->start[s + 1]; e++) {
            int64_t from = g->position[transposed->col[e]];
            if (from > behind)
                a[place[from] * m + i] = transposed->value[e];
        }
    }
    for (int64_t k = f->child; k >= 0; k = g->front[k].sibling) {
        front *child = &g->front[k];
        int64_t left = child->m - child->w;
        const int64_t *member = child->member + child->w;
        for (int64_t i = 0; i < left; i++) {
            double *row = a + place[member[i]] * m;
            for (int64_t j = 0; j < left; j++)
                row[place[member[j]]] += child->rest[i * left + j];
        }
    }
}

/* Censor the pivots from .. to-1 among themselves, by plain loops. The pivot is the probability of
 * leaving: the sum of the entries right of the diagonal. */
static void censor_block(double *a, int64_t m, int64_t from, int64_t to, double *pivot)
{
    double leaving[BLOCK] = {0};

    for (int64_t i = from; i < to; i++) {
        for (int64_t j = to; j < m; j++)
            leaving[i - from] += a[i * m + j];
    }
    for (int64_t s = from; s < to; s++) {
        const double *row = a + s * m;
        double sum = leaving[s - from];
        for (int64_t j = s + 1; j < to; j++)
            sum += row[j];
        pivot[s] = sum;
        for (int64_t i = s + 1; i < to; i++) {
            double *below = a + i * m;
            if (below[s] == 0)
                continue;
            double scaled = below[s] /= sum;
            for (int64_t j = s + 1; j < to; j++)
                below[j] += scaled * row[j];
            leaving[i - from] += scaled * leaving[s - from];
        }
    }
}

/* Censor the first `pivots` states of an m x m front. */
static void censor(double *a, int64_t m, int64_t pivots, double *pivot)
{
    double lower[BLOCK * BLOCK], upper[BLOCK * BLOCK];

    for (int64_t from = 0; from < pivots; from += BLOCK) {
        int64_t to = from + BLOCK < pivots ? from + BLOCK : pivots;
        int size = (int)(to - from), behind = (int)(m - to), width = (int)m;
        double *diagonal = a + from * m + from, *right = a + from * m + to;
        double *below = a + to * m + from, *rest = a + to * m + to;

        censor_block(a, m, from, to, pivot);
        if (behind == 0)
            return;
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                lower[i * BLOCK + j] = j < i ? -diagonal[i * m + j] : 0;
                upper[i * BLOCK + j] = j > i ? -diagonal[i * m + j] : 0;
            }
            upper[i * BLOCK + i] = pivot[from + i];
        }
        swq_blas_lock();
        swq_blas.dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, size, behind,
                       1, lower, BLOCK, right, width);
        swq_blas.dtrsm(CblasRowMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, behind,
                       size, 1, upper, BLOCK, below, width);
        swq_blas.dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, behind, behind, size, 1, below,
                       width, right, width, 1, rest, width);
        swq_blas_unlock();
    }
}

/* Keep the factors of a censored front, and the rest for its parent. */
static void keep(front *f, const double *a)
{
    int64_t left = f->m - f->w;

    memcpy(f->rows, a, sizeof *a * (size_t)(f->w * f->m));
    for (int64_t i = 0; i < left; i++) {
        const double *row = a + (f->w + i) * f->m;
        memcpy(f->columns + i * f->w, row, sizeof *row * (size_t)f->w);
        memcpy(f->rest + i * left, row + f->w, sizeof *row * (size_t)left);
    }
}

/* Approximate number of multiplications for a front. */
static double front_work(const front *f)
{
    return (double)f->w * (double)f->m * (double)f->m;
}

static swq_status factor(swq_context *ctx, sparse_gth *g, const swq_csr *p)
{
    int64_t largest = 0;
    swq_csr transposed = {0};
    for (int64_t k = 0; k < g->fronts; k++)
        largest = g->front[k].m > largest ? g->front[k].m : largest;
    double *a = swq_calloc(ctx, (size_t)largest, (size_t)largest * sizeof *a);
    int64_t *place = swq_calloc(ctx, (size_t)g->n, sizeof *place);
    swq_status status =
        a && place ? swq_csr_transpose(ctx, p, &transposed) : swq_memory_status(ctx);

    double work = 0, done = 0;
    for (int64_t k = 0; k < g->fronts; k++)
        work += front_work(&g->front[k]);
    for (int64_t k = 0; k < g->fronts && !status; k++) {
        front *f = &g->front[k];
        /* the last pivot of the last front is the root, which is not censored */
        bool last = k + 1 == g->fronts;
        if (swq_context_cancelled(ctx)) {
            status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled during elimination");
            break;
        }
        memset(a, 0, sizeof *a * (size_t)(f->m * f->m));
        assemble(g, f, p, &transposed, place, a);
        censor(a, f->m, f->w - last, g->pivot + f->member[0]);
        keep(f, a);
        swq_progress(ctx, "eliminating", done += front_work(f), work);
    }
    swq_free(ctx, g->stack);
    g->stack = NULL;
    swq_csr_clear(ctx, &transposed);
    swq_free(ctx, place);
    swq_free(ctx, a);
    return status;
}

static swq_status prepare(swq_context *ctx, const swq_csr *p, int64_t root,
                          const swq_solver_options *options, void **work)
{
    (void)options;
    cholmod_common common;
    size_t n = (size_t)p->rows;
    swq_status status = SWQ_OK;
    sparse_gth *g = swq_calloc(ctx, 1, sizeof *g);
    if (!g)
        return swq_memory_status(ctx);
    g->n = p->rows;
    g->state = swq_calloc(ctx, n, sizeof *g->state);
    g->position = swq_calloc(ctx, n, sizeof *g->position);
    g->pivot = swq_calloc(ctx, n, sizeof *g->pivot);
    g->b = swq_calloc(ctx, n, sizeof *g->b);
    g->gathered = swq_calloc(ctx, n, sizeof *g->gathered);
    if (!g->state || !g->position || !g->pivot || !g->b || !g->gathered)
        status = swq_memory_status(ctx);
    else
        status = start(ctx, &common);
    if (!status) {
        cholmod_factor *analysis = analyse(ctx, p, root, (SuiteSparse_long *)g->state, &common);
        status = analysis ? plant(ctx, g, analysis) : not_ordered(ctx, p->rows);
        cholmod.free_factor(&analysis, &common);
        stop(&common);
    }
    if (!status)
        status = lay_out(ctx, g);
    if (!status)
        status = factor(ctx, g, p);
    if (status) {
        release(ctx, g);
        return status;
    }
    *work = g;
    return SWQ_OK;
}

static void load(sparse_gth *g, const double *b)
{
    for (int64_t k = 0; k < g->n; k++)
        g->b[k] = b[g->state[k]];
}

static void store(const sparse_gth *g, double *out)
{
    for (int64_t k = 0; k < g->n; k++)
        out[g->state[k]] = g->b[k];
}

static void gather(const sparse_gth *g, const front *f)
{
    for (int64_t j = f->w; j < f->m; j++)
        g->gathered[j] = g->b[f->member[j]];
}

static void scatter(const sparse_gth *g, const front *f)
{
    for (int64_t j = f->w; j < f->m; j++)
        g->b[f->member[j]] = g->gathered[j];
}

/* y += A x for a rows x cols block of a row-major array, or y += x A */
static void add_rows(int64_t rows, int64_t cols, const double *a, int64_t stride, const double *x,
                     double *y)
{
    swq_blas_lock();
    if (rows > 0 && cols > 0)
        swq_blas.dgemv(CblasRowMajor, CblasNoTrans, (int)rows, (int)cols, 1, a, (int)stride, x, 1,
                       1, y, 1);
    swq_blas_unlock();
}

static void add_columns(int64_t rows, int64_t cols, const double *a, int64_t stride,
                        const double *x, double *y)
{
    swq_blas_lock();
    if (rows > 0 && cols > 0)
        swq_blas.dgemv(CblasRowMajor, CblasTrans, (int)rows, (int)cols, 1, a, (int)stride, x, 1, 1,
                       y, 1);
    swq_blas_unlock();
}

/* y = b + y Q: starts in a pivot are passed on to the states after it; then, backwards, the visits
 * to a pivot are its own starts plus its entries from the states after it. Pivots of a front have
 * consecutive positions. */
static swq_status visits(swq_context *ctx, void *work, const double *b, double *y)
{
    (void)ctx;
    sparse_gth *g = work;
    int64_t root = g->n - 1;

    load(g, b);
    double at_root = g->b[root];
    for (int64_t k = 0; k < g->fronts; k++) {
        const front *f = &g->front[k];
        double *own = g->b + f->member[0];
        for (int64_t s = 0; s < f->w && f->member[s] != root; s++) {
            own[s] /= g->pivot[f->member[s]];
            for (int64_t j = s + 1; j < f->w; j++)
                own[j] += own[s] * f->rows[s * f->m + j];
        }
        gather(g, f);
        add_columns(f->w, f->m - f->w, f->rows + f->w, f->m, own, g->gathered + f->w);
        scatter(g, f);
    }
    g->b[root] = at_root; /* Q does not enter the root */
    for (int64_t k = g->fronts - 1; k >= 0; k--) {
        const front *f = &g->front[k];
        double *own = g->b + f->member[0];
        gather(g, f);
        add_columns(f->m - f->w, f->w, f->columns, f->w, g->gathered + f->w, own);
        for (int64_t i = f->w - 1; i > 0; i--) {
            for (int64_t s = 0; s < i; s++)
                own[s] += own[i] * f->rows[i * f->m + s];
        }
    }
    store(g, y);
    return SWQ_OK;
}

/* x = b + Q x: the reward of an excursion into a pivot is added to the rewards of the states after
 * it; then, backwards, a pivot earns its own reward and the reward that follows when the pivot is
 * left. */
static swq_status rewards(swq_context *ctx, void *work, const double *b, double *x)
{
    (void)ctx;
    sparse_gth *g = work;
    int64_t root = g->n - 1;

    load(g, b);
    for (int64_t k = 0; k < g->fronts; k++) {
        const front *f = &g->front[k];
        double *own = g->b + f->member[0];
        for (int64_t i = 1; i < f->w; i++) {
            for (int64_t s = 0; s < i; s++)
                own[i] += f->rows[i * f->m + s] * own[s];
        }
        gather(g, f);
        add_rows(f->m - f->w, f->w, f->columns, f->w, own, g->gathered + f->w);
        scatter(g, f);
    }
    double at_root = g->b[root];
    g->b[root] = 0; /* Q does not enter the root */
    for (int64_t k = g->fronts - 1; k >= 0; k--) {
        const front *f = &g->front[k];
        double *own = g->b + f->member[0];
        gather(g, f);
        add_rows(f->w, f->m - f->w, f->rows + f->w, f->m, g->gathered + f->w, own);
        for (int64_t s = f->w - 1; s >= 0; s--) {
            if (f->member[s] == root)
                continue;
            for (int64_t j = s + 1; j < f->w; j++)
                own[s] += f->rows[s * f->m + j] * own[j];
            own[s] /= g->pivot[f->member[s]];
        }
    }
    g->b[root] = at_root;
    store(g, x);
    return SWQ_OK;
}

const swq_solver swq_solver_sparse_gth = {
    .name = "sparse-gth",
    .summary = "the same elimination, sparse and multifrontal, in a fill-reducing order",
    .promise = "every entry relatively exact to rounding, however small",
    .any_root = true,
    .fills = true,
    .blas = true,
    .prepare = prepare,
    .visits = visits,
    .rewards = rewards,
    .release = release,
};
