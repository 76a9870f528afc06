/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stationary vectors of Markov chains, with bounds on their errors.
 *
 * All methods start from one recurrent state, the root. Let Q be P with the root's column set to
 * zero, so that I - Q is invertible. With e the root's unit vector, the solution y of y = e + y Q
 * counts the visits to each state between two visits to the root, and pi is y scaled; the solution
 * x of x = b + Q x is the reward b collected from each state on until the root is next reached.
 * Every method solves these two systems.
 */
#ifndef SWITCHQ_SOLVER_H
#define SWITCHQ_SOLVER_H

#include "switchq/csr.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct swq_solver_options {
    double tolerance; /* above 0, below 1; iterations: largest relative change of any component in
                         the last step */
    int64_t max_iterations; /* >= 1; iterations: the most sweeps for one system */
    double enclosure; /* >= 0; methods on factors: stop when the relative error of every entry of pi
                         is proven to be at most half of this */
} swq_solver_options;

/* The default options: tolerance 1e-14, max_iterations 100000, enclosure 1e-10. */
swq_solver_options swq_solver_options_defaults(void);

/* An iteration towards y = e + y Q, for the methods that work on the factors of a product and never
 * need an entry of it: their input, and their progress. */
typedef struct swq_iteration {
    const swq_product *p;
    int64_t root;
    struct swq_multilevel *grids; /* the multilevel hierarchy, prepared */
    double *y;                    /* [states] first guess, positive; then the result */
    double tolerance;             /* largest relative change wanted */
    int64_t most, done;           /* steps allowed, and taken */
} swq_iteration;

/* One row of the table of methods: prepare, any number of systems, release. `work` is private to
 * the method; an iteration that ends early returns SWQ_ECONVERGE with its last iterate in the
 * output. */
typedef struct swq_solver {
    const char *name;
    const char *summary;
    const char *promise; /* how accurate the method's answers are */
    bool chooses;        /* stands for another method, which swq_solver_choose finds */
    bool fills;          /* an elimination whose cost depends on how the factors fill */
    bool iterative;
    bool any_root; /* its answers are as good for a rare root as for a frequent one */
    bool blas;     /* it calls BLAS, for whose work space the address space must have room */
    swq_status (*prepare)(swq_context *ctx, const swq_csr *p, int64_t root,
                          const swq_solver_options *options, void **work);
    swq_status (*visits)(swq_context *ctx, void *work, const double *b, double *y);
    swq_status (*rewards)(swq_context *ctx, void *work, const double *b, double *x);
    swq_status (*stationary)(swq_context *ctx, void *work, double *pi); /* NULL: by visits */
    int64_t (*iterations)(const void *work);                            /* NULL: none */
    void (*release)(swq_context *ctx, void *work);
    /* a method on factors has only this. SWQ_ECONVERGE leaves the last iterate in y */
    swq_status (*iterate)(swq_context *ctx, swq_iteration *it);
    double relaxation; /* > 0: its levels sweep over entries with this relaxation, and the product
                          is multiplied out */
} swq_solver;

/* All methods, ended by NULL; the first, "auto", chooses one of the others. */
extern const swq_solver *const swq_solvers[];

/* The row of that name. Errors: SWQ_EINVAL for an unknown name (suggesting the nearest). */
swq_status swq_solver_find(swq_context *ctx, const char *name, const swq_solver **solver);

/* What "auto" chooses for the chain p: gth if it is small, sparse-gth if the elimination, foreseen
 * from the fill, is affordable and fits the memory limit, else gauss-seidel. If the address space
 * has no room for the work space of BLAS, gth replaces sparse-gth up to 1500 states, and
 * gauss-seidel replaces it above. Any other method is returned as it is. *why receives the reason,
 * a static string, or NULL. Errors: SWQ_ENOMEM, SWQ_ELIMIT, also if the method needs BLAS and there
 * is no room for it. Cost: nothing up to 3000 states, an ordering above. */
swq_status swq_solver_choose(swq_context *ctx, const swq_solver *asked, const swq_csr *p,
                             const swq_solver **chosen, const char **why);

/* The structure of a chain. */
typedef struct swq_structure {
    int64_t closed_classes; /* 1: the stationary vector is unique */
    int64_t recurrent;      /* states in the first closed class found */
    int64_t period;         /* of that class */
    int64_t *class_state;   /* [recurrent] its states, ascending */
} swq_structure;

/* Find the strongly connected components and the period. `p` is square with an entry in every row.
 * The caller frees with swq_structure_clear. O(rows + entries). Errors: SWQ_ENOMEM, SWQ_ELIMIT.
 * Sources: R. Tarjan, SIAM J. Comput. 1(2), 1972; E. Denardo, Oper. Res. 25(1), 1977 (period). */
swq_status swq_structure_find(swq_context *ctx, const swq_csr *p, swq_structure *structure);

/* The structure of a chain given as a product: the states are the rows of the first factor. */
swq_status swq_structure_of_product(swq_context *ctx, const swq_product *p,
                                    swq_structure *structure);
void swq_structure_clear(swq_context *ctx, swq_structure *structure);

/* A mean reward per cycle, and an interval that holds the exact one. */
typedef struct swq_mean {
    double value, lower, upper;
} swq_mean;

typedef struct swq_solution {
    int64_t states;
    double *pi;      /* [states]; zero exactly where a state is transient */
    double pi_error; /* proven bound on the relative error of every entry of pi; may be INFINITY */
    double residual; /* maximum over states of |pi P - pi| / pi, recomputed from the answer */
    const swq_solver *solver;
    const char *why; /* why auto chose it; NULL if it was requested */
    int64_t iterations;
    int64_t root, transient, period;
    int64_t transitions; /* entries of the matrix; 0 if it was never multiplied out */
    double seconds;
    bool converged; /* false: the last iterate, with its true residual and bounds */
    swq_mean *mean; /* [rewards] */
} swq_solution;

/* Solve pi = pi P and enclose the means of `rewards` reward vectors, reward[k][state] >= 0 per
 * cycle. Each entry of p, and of the rewards, may be off by `roundings` relative rounding errors of
 * 2^-53; the bounds (solvers/enclosure.h) cover these errors and the rounding of the solution. The
 * caller frees with swq_solution_clear. Errors: SWQ_EINVAL if p is packed or not square, a stored
 * entry is not above zero, or an option is out of range; SWQ_EREDUCIBLE if there is more than one
 * closed class; SWQ_EPERIODIC from power iteration; SWQ_ESINGULAR; SWQ_ENOMEM; SWQ_ELIMIT;
 * SWQ_ECANCELLED. SWQ_ECONVERGE is returned *with* a solution. Cost: that of the method, plus two
 * systems for pi and four for each reward. */
swq_status swq_solve(swq_context *ctx, const swq_csr *p, int64_t roundings,
                     const swq_solver *solver, const swq_solver_options *options,
                     const double *const *reward, int rewards, swq_solution *solution);

/* swq_solve for a chain given as a product of factors, which is multiplied out for methods that
 * need its entries. Each factor must have as many columns as the next one has rows (SWQ_EINVAL).
 * `grouping` may be NULL. For a method with `iterate`, here and in swq_solve, the bounds of the
 * means come only from pi's bound. */
swq_status swq_solve_product(swq_context *ctx, const swq_product *p, const swq_grouping *grouping,
                             const swq_solver *solver, const swq_solver_options *options,
                             const double *const *reward, int rewards, swq_solution *solution);

/* Solve y = b + y Q for several b >= 0, Q being P without the root's column: b[k][states] with
 * b[k][root] > 0, and zero in transient states. y[k][states] is the first guess of an iteration,
 * positive in recurrent states and zero in transient ones, then the solution; error[states]
 * receives a bound on the sum of the errors of all y[k] in a state, proven against the exact
 * product, or INFINITY, as where an entry of y is positive and below 1e-290. `root` is a recurrent
 * state of a chain with one closed class. Iterative methods, and auto for large chains, are
 * replaced by aggregation. Errors: SWQ_EINVAL if a b[k] is not positive at the root; SWQ_ECONVERGE
 * with y and error of the last iterate; SWQ_ESINGULAR, SWQ_ENOMEM, SWQ_ELIMIT, SWQ_ECANCELLED.
 * Cost: one solution for each system, and a rough one for the bound. */
swq_status swq_solve_visits(swq_context *ctx, const swq_product *p, const swq_grouping *grouping,
                            const swq_solver *solver, const swq_solver_options *options,
                            int64_t root, const double *const *b, int systems, double *const *y,
                            double *error);
void swq_solution_clear(swq_context *ctx, swq_solution *solution);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
