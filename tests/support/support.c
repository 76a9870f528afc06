/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See support.h.
 */
#include "tests/support/support.h"
#include "cli/figures/paper.h"

swq_switch test_switch(swq_context *ctx, const char *buffer, int ports, int slots, double load,
                       const char *arbiter)
{
    const swq_buffer_kind *kind;
    swq_switch sw = {.ports = ports};

    cr_assert_eq(swq_buffer_kind_find(ctx, buffer, &kind), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(swq_buffer_preset(ctx, kind, ports, slots, &sw.buffer), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert_eq(swq_arbiter_find(ctx, arbiter, &sw.arbiter), SWQ_OK, "%s",
                 swq_context_message(ctx));
    for (int i = 0; i < ports; i++)
        sw.load[i] = load;
    swq_traffic_uniform(&sw);
    return sw;
}

void give_buffer(swq_async *network, const char *buffer, int bytes)
{
    swq_context *ctx = swq_context_new();
    const swq_buffer_kind *kind;

    cr_assert_eq(swq_buffer_kind_find(ctx, buffer, &kind), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(swq_async_buffer(ctx, network, kind, bytes), SWQ_OK, "%s",
                 swq_context_message(ctx));
    swq_context_free(ctx);
}

swq_answers test_solve(swq_context *ctx, const swq_switch *sw, const char *solver)
{
    swq_answers answers;
    swq_exact_options options = swq_exact_options_defaults();

    cr_assert_eq(swq_solver_find(ctx, solver, &options.solver), SWQ_OK);
    swq_status status = swq_exact_solve(ctx, sw, &options, &answers);
    cr_assert_eq(status, SWQ_OK, "%s: %s", solver, swq_context_message(ctx));
    return answers;
}

double test_discard(const swq_switch *sw)
{
    swq_context *ctx = swq_context_new();
    swq_answers answers = test_solve(ctx, sw, "auto");
    double discard = answers.discard.value;

    swq_answers_clear(ctx, &answers);
    cr_assert_eq(swq_context_live_blocks(ctx), 0, "blocks leaked");
    swq_context_free(ctx);
    return discard;
}

double relative_difference(double a, double b)
{
    double larger = fmax(fabs(a), fabs(b));

    return a == b ? 0 : fabs(a - b) / larger;
}

swq_context *test_papers(void)
{
    swq_context *ctx = swq_context_new();

    swq_figures_from(ctx, &cli_papers);
    return ctx;
}

swq_status test_figure(swq_context *ctx, const char *name, const swq_figure_options *options,
                       swq_figure *figure)
{
    swq_figure_kind *kind = NULL;
    swq_status status = swq_figure_open(ctx, name, options->equal_all, &kind);

    if (!status)
        status = swq_figure_run(ctx, kind, options, figure);
    if (status)
        swq_figure_close(ctx, kind);
    return status;
}

void test_figure_clear(swq_context *ctx, swq_figure *figure)
{
    union {
        const swq_figure_kind *run;
        swq_figure_kind *opened;
    } kind = {figure->kind};

    swq_figure_clear(ctx, figure);
    swq_figure_close(ctx, kind.opened);
}
