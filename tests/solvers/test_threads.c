/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains solved at the same time by several threads come out to the bit as they do alone: what the
 * libraries below share is theirs to guard, or ours.
 */
#include "tests/support/support.h"

#include <pthread.h>

TestSuite(solver_threads, .timeout = 480);

enum { THREADS = 4, ROUNDS = 80 };

typedef struct {
    const char *solver;
    double expected;
    int wrong;
} share;

/* Some hundred states, whose elimination is mostly matrix products. */
static double discard(const char *solver)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "samq", 3, 3, 0.8, "random");
    swq_exact_options options = swq_exact_options_defaults();
    swq_answers a;

    options.reduce = false;
    cr_assert_eq(swq_solver_find(ctx, solver, &options.solver), SWQ_OK);
    swq_status status = swq_exact_solve(ctx, &sw, &options, &a);
    double value = status ? -1 : a.discard.value;
    swq_answers_clear(ctx, &a);
    swq_context_free(ctx);
    return value;
}

static void *solve_often(void *arg)
{
    share *s = arg;

    for (int k = 0; k < ROUNDS; k++)
        s->wrong += discard(s->solver) != s->expected;
    return NULL;
}

static void all_at_once(const char *solver)
{
    share mine[THREADS];
    pthread_t thread[THREADS];
    double expected = discard(solver);

    for (int t = 0; t < THREADS; t++) {
        mine[t] = (share){.solver = solver, .expected = expected};
        cr_assert_eq(pthread_create(&thread[t], NULL, solve_often, &mine[t]), 0);
    }
    for (int t = 0; t < THREADS; t++) {
        pthread_join(thread[t], NULL);
        cr_assert_eq(mine[t].wrong, 0, "%s: %d of %d solutions differ from that found alone",
                     solver, mine[t].wrong, ROUNDS);
    }
}

Test(solver_threads, sparse_gth)
{
    all_at_once("sparse-gth");
}

Test(solver_threads, umfpack)
{
    all_at_once("umfpack");
}
