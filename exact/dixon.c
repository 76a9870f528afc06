/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dixon's p-adic lifting. With y_0 = 1, the other y solve B y = b, where row i of the transpose of
 * B holds N_ij - [i = j] D_i. B is factored once modulo a prime p; then one digit base p of all
 * unknowns at a time is solved for, and taken off the right-hand side exactly. B is the leading
 * part of an irreducible singular M-matrix, so none of its pivots is zero. No rows are exchanged;
 * if a pivot is zero modulo p by accident, the next prime is tried.
 */
#include "exact/dixon.h"

#include "base/context.h"

#include <string.h>

_Static_assert(sizeof(unsigned long) == 8, "a residue is given to GMP as an unsigned long");

__extension__ typedef unsigned __int128 wide;

enum {
    SPARE_BITS = 64, /* bits by which a reconstructed fraction must be smaller than a random residue
                        would allow */
    OFTEN = 1024     /* steps of a long loop between checks for cancellation */
};

typedef struct {
    swq_context *ctx;
    const swq_integer_rows *m;
    int64_t n; /* unknowns: state k + 1 is unknown k */
    uint64_t p;
    uint64_t *lower, *upper; /* of B transposed: rows of L, columns of U, packed */
    uint64_t *inverse;       /* [n]: of U's diagonal */
    uint64_t *digit;         /* [steps * n] */
    wide *sum;               /* [n] */
    int64_t steps, steps_room;
    double bits_foreseen;  /* upper bound, by Hadamard's inequality for rows of sum one */
    swq_integers residual; /* [n] */
    mpz_t modulus;         /* p^steps */
    mpz_t mixture;         /* a fixed linear combination of the unknowns, from their digits */
} lifting;

static uint64_t *row_of_lower(const lifting *f, int64_t i)
{
    return f->lower + i * (i - 1) / 2;
}

static uint64_t *column_of_upper(const lifting *f, int64_t j)
{
    return f->upper + j * (j + 1) / 2;
}

static uint64_t dot(const uint64_t *a, const uint64_t *b, int64_t count, uint64_t p)
{
    wide sum = 0;

    for (int64_t k = 0; k < count; k++)
        sum += (wide)a[k] * b[k];
    return (uint64_t)(sum % p);
}

static uint64_t minus(uint64_t a, uint64_t b, uint64_t p)
{
    return a >= b ? a - b : a + p - b;
}

static uint64_t times(uint64_t a, uint64_t b, uint64_t p)
{
    return (uint64_t)((wide)a * b % p);
}

/* a^(p - 2) */
static uint64_t inverse_of(uint64_t a, uint64_t p)
{
    uint64_t result = 1 % p;

    for (uint64_t e = p - 2; e > 0; e >>= 1) {
        if (e & 1)
            result = times(result, a, p);
        a = times(a, a, p);
    }
    return result;
}

/* Row i of B transposed, modulo p. */
static void scatter(const lifting *f, int64_t i, uint64_t *row)
{
    const swq_integer_rows *m = f->m;

    memset(row, 0, sizeof *row * (size_t)f->n);
    for (int64_t e = m->start[i + 1]; e < m->start[i + 2]; e++) {
        if (m->col[e] > 0)
            row[m->col[e] - 1] = mpz_fdiv_ui(m->value.at[e], f->p);
    }
    row[i] = minus(row[i], mpz_fdiv_ui(m->denominator.at[i + 1], f->p), f->p);
}

/* Factor modulo p, row by row, each entry by one dot product; *singular: a pivot is zero. */
static swq_status factor(lifting *f, bool *singular)
{
    uint64_t *row = swq_calloc(f->ctx, (size_t)f->n, sizeof *row);
    swq_status status = row ? SWQ_OK : swq_memory_status(f->ctx);

    *singular = false;
    for (int64_t i = 0; !status && !*singular && i < f->n; i++) {
        uint64_t *l = row_of_lower(f, i);
        scatter(f, i, row);
        for (int64_t j = 0; j < i; j++)
            l[j] = times(minus(row[j], dot(l, column_of_upper(f, j), j, f->p), f->p), f->inverse[j],
                         f->p);
        for (int64_t j = i; j < f->n; j++)
            column_of_upper(f, j)[i] = minus(row[j], dot(l, column_of_upper(f, j), i, f->p), f->p);
        *singular = column_of_upper(f, i)[i] == 0;
        f->inverse[i] = inverse_of(column_of_upper(f, i)[i], f->p);
        swq_progress(f->ctx, "factoring modulo a prime", (double)i * (double)i,
                     (double)f->n * (double)f->n);
        if (swq_context_cancelled(f->ctx))
            status = swq_fail(f->ctx, SWQ_ECANCELLED, "cancelled while factoring");
    }
    swq_free(f->ctx, row);
    return status;
}

/* Replace z, a right-hand side modulo p, by the solution: first U transposed, then L transposed. */
static void solve(const lifting *f, uint64_t *z)
{
    const uint64_t p = f->p;

    for (int64_t j = 0; j < f->n; j++)
        z[j] = times(minus(z[j], dot(column_of_upper(f, j), z, j, p), p), f->inverse[j], p);
    memset(f->sum, 0, sizeof *f->sum * (size_t)f->n);
    for (int64_t i = f->n - 1; i >= 0; i--) {
        const uint64_t *l = row_of_lower(f, i);
        z[i] = minus(z[i], (uint64_t)(f->sum[i] % p), p);
        for (int64_t k = 0; k < i; k++)
            f->sum[k] += (wide)l[k] * z[i];
    }
}

/* residual = (residual - B z) / p, without remainder. */
static void take_off(lifting *f, const uint64_t *z)
{
    const swq_integer_rows *m = f->m;

    for (int64_t i = 0; i < f->n; i++) {
        mpz_addmul_ui(f->residual.at[i], m->denominator.at[i + 1], z[i]);
        for (int64_t e = m->start[i + 1]; e < m->start[i + 2]; e++) {
            if (m->col[e] > 0)
                mpz_submul_ui(f->residual.at[m->col[e] - 1], m->value.at[e], z[i]);
        }
    }
    for (int64_t i = 0; i < f->n; i++)
        mpz_divexact_ui(f->residual.at[i], f->residual.at[i], f->p);
}

/* Weights of the combination: fixed, but without a pattern, so that no large factor of the
 * denominator cancels. */
static uint64_t weight(int64_t k)
{
    uint64_t x = ((uint64_t)k + 1) * 0x9e3779b97f4a7c15u;
    return 1 + (x >> 34);
}

/* Compute one more digit. */
static swq_status lift(lifting *f)
{
    mpz_t part;

    if (f->steps == f->steps_room) {
        int64_t room = 2 * f->steps_room + 16;
        uint64_t *grown = swq_resize(f->ctx, f->digit, (size_t)room, sizeof *grown * (size_t)f->n);
        if (!grown)
            return swq_memory_status(f->ctx);
        f->digit = grown;
        f->steps_room = room;
    }
    uint64_t *z = f->digit + f->steps * f->n;
    for (int64_t i = 0; i < f->n; i++)
        z[i] = mpz_fdiv_ui(f->residual.at[i], f->p);
    solve(f, z);
    take_off(f, z);
    mpz_init(part);
    for (int64_t i = 0; i < f->n; i++) {
        mpz_set_ui(part, z[i]);
        mpz_mul_ui(part, part, weight(i));
        mpz_addmul(f->mixture, part, f->modulus);
    }
    mpz_clear(part);
    mpz_mul_ui(f->modulus, f->modulus, f->p);
    f->steps++;
    return swq_context_keep_limit(f->ctx);
}

/* Is a residue so small, with this denominator, that it must be the whole number itself, and not
 * equal to it only modulo p^steps? */
static bool no_accident(const lifting *f, const mpz_t residue, const mpz_t denominator)
{
    return mpz_sizeinbase(residue, 2) + mpz_sizeinbase(denominator, 2) + SPARE_BITS <
           mpz_sizeinbase(f->modulus, 2);
}

/* The denominator of the fraction that a residue represents, if some fraction is so small that it
 * cannot be an accident: half of Euclid's algorithm. */
static swq_status reconstruct(const lifting *f, const mpz_t residue, mpz_t denominator, bool *found)
{
    mpz_t a, b, u, v, q;
    const size_t half = mpz_sizeinbase(f->modulus, 2) / 2;
    swq_status status = SWQ_OK;

    mpz_inits(b, q, NULL);
    mpz_init_set(a, f->modulus);
    mpz_fdiv_r(b, residue, f->modulus);
    mpz_init_set_ui(u, 0);
    mpz_init_set_ui(v, 1); /* b = v residue modulo p^steps */
    for (int64_t k = 1; !status && mpz_sizeinbase(b, 2) > half; k++) {
        mpz_tdiv_qr(q, a, a, b);
        mpz_swap(a, b);
        mpz_submul(u, q, v);
        mpz_swap(u, v);
        if (k % OFTEN == 0 && swq_context_cancelled(f->ctx))
            status = swq_fail(f->ctx, SWQ_ECANCELLED, "cancelled while reconstructing a fraction");
    }
    mpz_abs(denominator, v);
    *found = no_accident(f, b, denominator);
    mpz_clears(a, b, u, v, q, NULL);
    return status;
}

/* value = denominator * x_i modulo p^steps, where the digits found so far give x_i. */
static void evaluate(const lifting *f, int64_t i, const mpz_t denominator, mpz_t value)
{
    mpz_set_ui(value, 0);
    for (int64_t k = f->steps - 1; k >= 0; k--) {
        mpz_mul_ui(value, value, f->p);
        mpz_add_ui(value, value, f->digit[k * f->n + i]);
    }
    mpz_mul(value, value, denominator);
    mpz_fdiv_r(value, value, f->modulus);
}

/* y_0 = denominator, y_(i + 1) = denominator times unknown i. All are positive, so residues need no
 * sign. A small prime factor of the denominator may have cancelled in the mixture: then an unknown
 * is not yet a whole number. */
static swq_status compose(const lifting *f, const mpz_t denominator, swq_integers *y, bool *found)
{
    mpz_t value, extra;
    swq_status status = swq_integers_append(f->ctx, y, denominator);

    mpz_inits(value, extra, NULL);
    for (int64_t i = 0; !status && *found && i < f->n; i++) {
        evaluate(f, i, y->at[0], value);
        if (!no_accident(f, value, y->at[0])) {
            status = reconstruct(f, value, extra, found);
            for (int64_t k = 0; !status && *found && k < y->count; k++)
                mpz_mul(y->at[k], y->at[k], extra);
            mpz_mul(value, value, extra);
            mpz_fdiv_r(value, value, f->modulus);
        }
        if (!status)
            status = swq_integers_append(f->ctx, y, value);
        if (!status && swq_context_cancelled(f->ctx))
            status = swq_fail(f->ctx, SWQ_ECANCELLED, "cancelled while composing the solution");
    }
    mpz_clears(value, extra, NULL);
    return status;
}

/* Is y positive, and does it solve all equations, including the one that was left out? */
static swq_status check(swq_context *ctx, const swq_integer_rows *m, const swq_integers *y,
                        bool *found)
{
    swq_integers in = {0};
    swq_status status = swq_integers_zeros(ctx, &in, m->rows);

    for (int64_t i = 0; !status && i < m->rows; i++) {
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++)
            mpz_addmul(in.at[m->col[e]], m->value.at[e], y->at[i]);
        mpz_submul(in.at[i], m->denominator.at[i], y->at[i]);
        *found = *found && mpz_sgn(y->at[i]) > 0;
        status = swq_context_keep_limit(ctx);
        if (!status && swq_context_cancelled(ctx))
            status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled while checking the solution");
    }
    for (int64_t i = 0; !status && i < m->rows; i++)
        *found = *found && mpz_sgn(in.at[i]) == 0;
    swq_integers_clear(ctx, &in);
    return status;
}

/* Try to find the integers from the digits known so far. */
static swq_status finish(const lifting *f, swq_integers *y, bool *found)
{
    mpz_t denominator;

    mpz_init(denominator);
    swq_status status = reconstruct(f, f->mixture, denominator, found);
    if (!status && *found)
        status = compose(f, denominator, y, found);
    mpz_clear(denominator);
    if (!status && *found)
        status = check(f->ctx, f->m, y, found);
    if (status || !*found)
        swq_integers_clear(f->ctx, y);
    return status;
}

static swq_status prepare(lifting *f)
{
    const swq_integer_rows *m = f->m;
    size_t n = (size_t)f->n;
    swq_status status = SWQ_OK;

    f->lower = swq_calloc(f->ctx, n * (n + 1) / 2, sizeof *f->lower);
    if (f->lower)
        f->upper = swq_calloc(f->ctx, n * (n + 1) / 2, sizeof *f->upper);
    if (f->upper)
        f->inverse = swq_calloc(f->ctx, n, sizeof *f->inverse);
    if (f->inverse)
        f->sum = swq_calloc(f->ctx, n, sizeof *f->sum);
    if (!f->sum)
        return swq_memory_status(f->ctx);
    status = swq_integers_zeros(f->ctx, &f->residual, f->n);
    for (int64_t e = m->start[0]; !status && e < m->start[1]; e++) {
        if (m->col[e] > 0)
            mpz_neg(f->residual.at[m->col[e] - 1], m->value.at[e]);
    }
    for (int64_t i = 0; i < m->rows; i++)
        f->bits_foreseen += 2.0 * (double)mpz_sizeinbase(m->denominator.at[i], 2);
    return status;
}

static swq_status factor_modulo_a_prime(lifting *f, uint64_t from)
{
    bool singular = true;
    swq_status status = SWQ_OK;
    mpz_t prime;

    mpz_init_set_ui(prime, from);
    while (!status && singular) {
        mpz_nextprime(prime, prime);
        f->p = mpz_get_ui(prime);
        status = factor(f, &singular);
    }
    mpz_clear(prime);
    return status;
}

swq_status swq_dixon_null_vector(swq_context *ctx, const swq_integer_rows *m, uint64_t from,
                                 swq_integers *y)
{
    lifting f = {.ctx = ctx, .m = m, .n = m->rows - 1};
    bool found = false;
    mpz_t one;

    if (m->rows > SWQ_DIXON_MOST)
        return swq_fail(ctx, SWQ_ELIMIT, "%lld states are too many for exact rationals; at most %d",
                        (long long)m->rows, SWQ_DIXON_MOST);
    if (f.n == 0) {
        mpz_init_set_ui(one, 1);
        swq_status alone = swq_integers_append(ctx, y, one);
        mpz_clear(one);
        return alone;
    }
    mpz_init_set_ui(f.modulus, 1);
    mpz_init(f.mixture);
    swq_status status = prepare(&f);
    if (!status)
        status = factor_modulo_a_prime(&f, from);
    /* tries are spaced so that each costs little compared with the digits before it */
    for (int64_t next = 4; !status && !found; next += next / 6 + 1) {
        while (!status && f.steps < next) {
            status = lift(&f);
            swq_progress(ctx, "lifting", (double)mpz_sizeinbase(f.modulus, 2), f.bits_foreseen);
            if (!status && swq_context_cancelled(ctx))
                status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled after %lld digits",
                                  (long long)f.steps);
        }
        if (!status)
            status = finish(&f, y, &found);
    }
    swq_integers_clear(ctx, &f.residual);
    mpz_clear(f.modulus);
    mpz_clear(f.mixture);
    swq_free(ctx, f.lower);
    swq_free(ctx, f.upper);
    swq_free(ctx, f.inverse);
    swq_free(ctx, f.sum);
    swq_free(ctx, f.digit);
    return status;
}
