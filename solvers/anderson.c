/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Extrapolated power iteration: y <- e + y Q on the factors, with Anderson mixing in relative
 * terms.
 */
#include "base/context.h"
#include "solvers/mixing.h"
#include "solvers/operator.h"
#include "solvers/solvers.h"

#include <string.h>

/* One step of the power method, scaled so that the root has the value one. */
static void power_step(swq_operator *op, const double *y, double *image)
{
    memcpy(op->level[0], y, sizeof *y * (size_t)op->n);
    swq_operator_spread(op, NULL);
    const double *last = op->level[op->p->factors];
    double at_root = last[op->root];
    for (int64_t i = 0; i < op->n; i++)
        image[i] = last[i] / at_root;
}

static swq_status iterate(swq_context *ctx, swq_iteration *it)
{
    swq_operator op;
    swq_mixing mixing = {0};
    swq_status status = swq_operator_init(ctx, it->p, it->root, &op);
    double *image = status ? NULL : swq_calloc(ctx, (size_t)op.n, sizeof *image);

    if (!status)
        status =
            image ? swq_mixing_init(ctx, op.n, SWQ_MIXING_DEPTH, &mixing) : swq_memory_status(ctx);
    for (int64_t k = 0; !status; k++) {
        power_step(&op, it->y, image);
        double change = swq_mixing_step(&mixing, it->y, image, it->y);
        it->done++;
        if (change <= it->tolerance)
            break;
        if (k + 1 >= it->most)
            status =
                swq_fail(ctx, SWQ_ECONVERGE, "anderson did not reach a change of %g in %lld steps",
                         it->tolerance, (long long)it->most);
        else if (swq_context_cancelled(ctx))
            status =
                swq_fail(ctx, SWQ_ECANCELLED, "cancelled after %lld steps", (long long)it->done);
        swq_progress(ctx, "power steps", (double)it->done, 0);
    }
    swq_mixing_clear(ctx, &mixing);
    swq_free(ctx, image);
    swq_operator_clear(ctx, &op);
    return status;
}

const swq_solver swq_solver_anderson = {
    .name = "anderson",
    .summary = "power iteration on the factors, extrapolated by Anderson mixing",
    .promise = "what its proven bounds say; slow where the chain mixes slowly",
    .iterative = true,
    .iterate = iterate,
};
