/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See products.h.
 */
#include "tests/solvers/products.h"

void test_product_new(int factors, const int64_t *size, test_product *t)
{
    *t = (test_product){.p = {.factors = factors, .roundings = factors}};
    for (int k = 0; k < factors; k++) {
        t->size[k] = size[k];
        t->size[k + 1] = size[(k + 1) % factors];
        t->weight[k] = calloc((size_t)(t->size[k] * t->size[k + 1]), sizeof(double));
        cr_assert(t->weight[k] && size[k] <= TEST_STATES);
    }
}

void test_product_finish(test_product *t)
{
    for (int k = 0; k < t->p.factors; k++) {
        int64_t rows = t->size[k], cols = t->size[k + 1], at = 0;
        swq_csr *m = &t->factor[k];
        *m = (swq_csr){.rows = rows, .cols = cols};
        m->start = calloc((size_t)rows + 1, sizeof *m->start);
        m->col = calloc((size_t)(rows * cols), sizeof *m->col);
        m->value = calloc((size_t)(rows * cols), sizeof *m->value);
        cr_assert(m->start && m->col && m->value);
        for (int64_t i = 0; i < rows; i++) {
            long double sum = 0;
            for (int64_t j = 0; j < cols; j++)
                sum += t->weight[k][i * cols + j];
            for (int64_t j = 0; j < cols; j++) {
                if (t->weight[k][i * cols + j] > 0) {
                    m->col[at] = (int32_t)j;
                    m->value[at++] = (double)(t->weight[k][i * cols + j] / sum);
                }
            }
            m->start[i + 1] = at;
        }
    }
    t->p.factor = t->factor;
}

void test_product_free(test_product *t)
{
    for (int k = 0; k < TEST_FACTORS; k++) {
        free(t->weight[k]);
        test_matrix_free(&t->factor[k]);
    }
    *t = (test_product){0};
}

void test_product_random(gsl_rng *rng, bool walk, double extra, double spread, test_product *t)
{
    int factors = 1 + (int)gsl_rng_uniform_int(rng, TEST_FACTORS);
    int64_t size[TEST_FACTORS];
    bool even = gsl_rng_uniform(rng) < 0.5;

    for (int k = 0; k < factors; k++)
        size[k] = k > 0 && even ? size[0] : 1 + (int64_t)gsl_rng_uniform_int(rng, TEST_STATES);
    test_product_new(factors, size, t);
    for (int k = 0; k < factors; k++) {
        int64_t rows = t->size[k], cols = t->size[k + 1];
        for (int64_t i = 0; i < rows; i++) {
            int64_t edges = (int64_t)(extra * 2 * gsl_rng_uniform(rng));
            if (walk)
                t->weight[k][i * cols + (i + (k == 0)) % cols] = 1;
            for (int64_t e = walk ? 0 : -1; e < edges; e++) {
                int64_t j = (int64_t)gsl_rng_uniform_int(rng, (unsigned long)cols);
                t->weight[k][i * cols + j] = floor(pow(spread, gsl_rng_uniform(rng)));
            }
        }
    }
    test_product_finish(t);
}

/* The whole chain, and which transitions exist, however unlikely. */
static void multiply_out(const test_product *t, test_truth *truth,
                         bool leads[TEST_STATES][TEST_STATES])
{
    static long double next[TEST_STATES][TEST_STATES];
    bool seen[TEST_STATES][TEST_STATES];
    int64_t n = t->size[0];

    memset(truth->dense, 0, sizeof truth->dense);
    memset(leads, 0, sizeof seen);
    for (int64_t i = 0; i < n; i++) {
        truth->dense[i][i] = 1;
        leads[i][i] = true;
    }
    for (int k = 0; k < t->p.factors; k++) {
        int64_t rows = t->size[k], cols = t->size[k + 1];
        memset(next, 0, sizeof next);
        memset(seen, 0, sizeof seen);
        for (int64_t m = 0; m < rows; m++) {
            long double sum = 0;
            for (int64_t j = 0; j < cols; j++)
                sum += t->weight[k][m * cols + j];
            for (int64_t j = 0; j < cols; j++) {
                long double chance = t->weight[k][m * cols + j] / sum;
                for (int64_t i = 0; i < n; i++) {
                    next[i][j] += truth->dense[i][m] * chance;
                    seen[i][j] = seen[i][j] || (leads[i][m] && chance > 0);
                }
            }
        }
        memcpy(truth->dense, next, sizeof next);
        memcpy(leads, seen, sizeof seen);
    }
}

void test_product_truth(const test_product *t, test_truth *truth)
{
    bool leads[TEST_STATES][TEST_STATES], reach[TEST_STATES][TEST_STATES];
    double unit[TEST_STATES] = {0};
    int64_t n = t->size[0];

    *truth = (test_truth){.n = n};
    multiply_out(t, truth, leads);
    memcpy(reach, leads, sizeof reach);
    for (int64_t k = 0; k < n; k++) {
        for (int64_t i = 0; i < n; i++) {
            for (int64_t j = 0; j < n; j++)
                reach[i][j] = reach[i][j] || (reach[i][k] && reach[k][j]);
        }
    }
    /* a state is recurrent if everything that it reaches reaches it; a class is counted at its
     * first state */
    for (int64_t i = 0; i < n; i++) {
        bool first = true, recurs = true;
        for (int64_t j = 0; j < n; j++) {
            recurs = recurs && (!reach[i][j] || reach[j][i]);
            first = first && (j >= i || !reach[i][j]);
        }
        truth->classes += recurs && first;
        if (recurs)
            truth->state[truth->recurrent++] = i;
    }
    if (truth->classes != 1)
        return;
    test_graph g = test_graph_new(truth->recurrent);
    for (int64_t a = 0; a < truth->recurrent; a++) {
        for (int64_t b = 0; b < truth->recurrent; b++) {
            if (leads[truth->state[a]][truth->state[b]])
                test_graph_add(&g, a, b, 1);
        }
    }
    truth->period = test_graph_period(&g);
    test_graph_free(&g);
    long double total = 0;
    unit[truth->state[0]] = 1;
    test_truth_visits(truth, truth->state[0], unit, truth->pi);
    for (int64_t i = 0; i < n; i++)
        total += truth->pi[i];
    for (int64_t i = 0; i < n; i++)
        truth->pi[i] /= total;
}

void test_truth_visits(const test_truth *truth, int64_t root, const double *b, long double *y)
{
    static long double a[TEST_STATES][TEST_STATES];
    long double sum[TEST_STATES], pivot[TEST_STATES];
    int64_t n = truth->n, order[TEST_STATES], at = 0;

    /* eliminated last, and then the transient states, with pivots of their own */
    order[at++] = root;
    for (int64_t i = 0; i < n; i++) {
        if (i != root)
            order[at++] = i;
    }
    for (int64_t i = 0; i < n; i++) {
        sum[i] = b[order[i]];
        for (int64_t j = 0; j < n; j++)
            a[i][j] = truth->dense[order[i]][order[j]];
    }
    for (int64_t k = n - 1; k > 0; k--) {
        pivot[k] = 0;
        for (int64_t j = 0; j < k; j++)
            pivot[k] += a[k][j];
        sum[k] /= pivot[k];
        for (int64_t j = 1; j < k; j++)
            sum[j] += sum[k] * a[k][j];
        for (int64_t i = 0; i < k; i++) {
            a[i][k] /= pivot[k];
            for (int64_t j = 0; j < k; j++)
                a[i][j] += a[i][k] * a[k][j];
        }
    }
    for (int64_t k = 1; k < n; k++) {
        for (int64_t i = 0; i < k; i++)
            sum[k] += sum[i] * a[i][k];
    }
    for (int64_t i = 0; i < n; i++)
        y[order[i]] = sum[i];
}

swq_grouping test_grouping_new(gsl_rng *rng, const swq_product *p, test_grouping_kind kind,
                               int depth)
{
    swq_grouping g = {.depth = depth, .levels = p->factors};
    size_t arrays = (size_t)(depth * p->factors);

    g.of = calloc(arrays, sizeof *g.of);
    g.groups = calloc(arrays, sizeof *g.groups);
    cr_assert(g.of && g.groups);
    for (int d = 0; d < depth; d++) {
        for (int k = 0; k < p->factors; k++) {
            int at = d * p->factors + k;
            int64_t nodes = d == 0 ? p->factor[k].rows : g.groups[at - p->factors];
            int64_t groups = kind == TEST_ALL ? 1 : kind == TEST_SINGLE ? nodes : 1 + nodes / 3;
            g.groups[at] = groups;
            g.of[at] = calloc((size_t)nodes, sizeof **g.of);
            cr_assert_not_null(g.of[at]);
            for (int64_t i = 0; i < nodes; i++)
                g.of[at][i] = kind == TEST_SINGLE
                                  ? (int32_t)i
                                  : (int32_t)gsl_rng_uniform_int(rng, (unsigned long)groups);
        }
    }
    return g;
}

void test_grouping_free(swq_grouping *g)
{
    for (int k = 0; k < g->depth * g->levels; k++)
        free(g->of[k]);
    free(g->of);
    free(g->groups);
    *g = (swq_grouping){0};
}
