/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Linear programs by GLPK, which is loaded when the first one is solved. GLPK ends the process on
 * an error unless its hook leaves it: this file leaves by longjmp, and frees all that GLPK holds in
 * this thread, as its manual demands. The hook of its terminal output, which it calls all the time,
 * asks whether to go on.
 * Source: A. Makhorin, GNU Linear Programming Kit, reference manual, 5.0.
 */
#include "bound/program.h"
#include "base/arrays.h"
#include "base/context.h"
#include "base/library.h"

#include <glpk.h>
#include <math.h>
#include <setjmp.h>

#ifndef SWQ_LIBRARY
#define SWQ_LIBRARY "libglpk.so"
#endif

static struct {
    __typeof__(glp_create_prob) *create;
    __typeof__(glp_set_obj_dir) *set_direction;
    __typeof__(glp_add_rows) *add_rows;
    __typeof__(glp_add_cols) *add_columns;
    __typeof__(glp_set_row_bnds) *bound_row;
    __typeof__(glp_set_col_bnds) *bound_column;
    __typeof__(glp_set_obj_coef) *set_cost;
    __typeof__(glp_set_mat_col) *set_column;
    __typeof__(glp_init_smcp) *init_simplex;
    __typeof__(glp_simplex) *simplex;
    __typeof__(glp_get_col_prim) *column;
    __typeof__(glp_get_row_dual) *dual;
    __typeof__(glp_init_iptcp) *init_interior;
    __typeof__(glp_interior) *interior;
    __typeof__(glp_ipt_col_prim) *interior_column;
    __typeof__(glp_ipt_row_dual) *interior_dual;
    __typeof__(glp_term_hook) *term_hook;
    __typeof__(glp_error_hook) *error_hook;
    __typeof__(glp_mem_limit) *limit_memory;
    __typeof__(glp_free_env) *free_all;
} glpk;

static swq_status load(swq_context *ctx)
{
    const swq_symbol symbols[] = {
        SWQ_SYMBOL(glpk.create, glp_create_prob),
        SWQ_SYMBOL(glpk.set_direction, glp_set_obj_dir),
        SWQ_SYMBOL(glpk.add_rows, glp_add_rows),
        SWQ_SYMBOL(glpk.add_columns, glp_add_cols),
        SWQ_SYMBOL(glpk.bound_row, glp_set_row_bnds),
        SWQ_SYMBOL(glpk.bound_column, glp_set_col_bnds),
        SWQ_SYMBOL(glpk.set_cost, glp_set_obj_coef),
        SWQ_SYMBOL(glpk.set_column, glp_set_mat_col),
        SWQ_SYMBOL(glpk.init_simplex, glp_init_smcp),
        SWQ_SYMBOL(glpk.simplex, glp_simplex),
        SWQ_SYMBOL(glpk.column, glp_get_col_prim),
        SWQ_SYMBOL(glpk.dual, glp_get_row_dual),
        SWQ_SYMBOL(glpk.init_interior, glp_init_iptcp),
        SWQ_SYMBOL(glpk.interior, glp_interior),
        SWQ_SYMBOL(glpk.interior_column, glp_ipt_col_prim),
        SWQ_SYMBOL(glpk.interior_dual, glp_ipt_row_dual),
        SWQ_SYMBOL(glpk.term_hook, glp_term_hook),
        SWQ_SYMBOL(glpk.error_hook, glp_error_hook),
        SWQ_SYMBOL(glpk.limit_memory, glp_mem_limit),
        SWQ_SYMBOL(glpk.free_all, glp_free_env),
    };
    return swq_library_load(ctx, SWQ_LIBRARY, symbols, (int)(sizeof symbols / sizeof *symbols));
}

double swq_program_bytes(double rows, double columns, double entries)
{
    return 500 * (rows + columns) + 300 * entries;
}

/* ---- a call that GLPK may not return from ---- */

typedef struct {
    swq_context *ctx;
    jmp_buf back;
} glpk_call;

static int go_on(void *arg, const char *text)
{
    glpk_call *c = arg;

    (void)text;
    if (swq_context_cancelled(c->ctx))
        longjmp(c->back, 1);
    return 1; /* nothing is printed */
}

static void give_up(void *arg)
{
    glpk_call *c = arg;

    longjmp(c->back, 2);
}

static glp_prob *put(const swq_program *p, int *index, double *value)
{
    glp_prob *lp = glpk.create();

    glpk.set_direction(lp, GLP_MIN);
    glpk.add_rows(lp, (int)p->rows);
    glpk.add_columns(lp, (int)p->columns);
    for (uint32_t r = 0; r < p->rows; r++)
        glpk.bound_row(lp, (int)r + 1, p->equal[r] ? GLP_FX : GLP_UP, p->side[r], p->side[r]);
    for (uint32_t c = 0; c < p->columns; c++) {
        const uint64_t first = p->start[c], count = p->start[c + 1] - first;
        for (uint64_t k = 0; k < count; k++) {
            index[k + 1] = (int)p->row[first + k] + 1;
            value[k + 1] = p->value[first + k];
        }
        glpk.set_column(lp, (int)c + 1, (int)count, index, value);
        glpk.bound_column(lp, (int)c + 1, isinf(p->most[c]) ? GLP_LO : GLP_DB, 0, p->most[c]);
    }
    glpk.set_cost(lp, 1, 1);
    return lp;
}

static void by_simplex(glp_prob *lp, const swq_program *p, double *column, double *dual)
{
    glp_smcp how;

    glpk.init_simplex(&how);
    how.msg_lev = GLP_MSG_ALL; /* for the hook */
    how.presolve = GLP_ON;
    if (glpk.simplex(lp, &how) != 0)
        return;
    for (uint32_t c = 0; c < p->columns; c++)
        column[c] = glpk.column(lp, (int)c + 1);
    for (uint32_t r = 0; r < p->rows; r++)
        dual[r] = glpk.dual(lp, (int)r + 1);
}

/* Where interior points lose their precision near the end, as they do where a network has many
 * symmetries, GLPK keeps the best point. */
static void by_interior_points(glp_prob *lp, const swq_program *p, double *column, double *dual)
{
    glp_iptcp how;

    glpk.init_interior(&how);
    how.msg_lev = GLP_MSG_ALL;
    glpk.interior(lp, &how);
    for (uint32_t c = 0; c < p->columns; c++)
        column[c] = glpk.interior_column(lp, (int)c + 1);
    for (uint32_t r = 0; r < p->rows; r++)
        dual[r] = glpk.interior_dual(lp, (int)r + 1);
}

static void solve(glpk_call *call, const swq_program *p, int *index, double *value, double *column,
                  double *dual)
{
    const size_t limit = swq_context_memory_limit(call->ctx) >> 20;

    glpk.error_hook(give_up, call);
    glpk.term_hook(go_on, call);
    if (limit > 0 && limit < INT32_MAX)
        glpk.limit_memory((int)limit);
    glp_prob *lp = put(p, index, value);
    if (p->bounded)
        by_simplex(lp, p, column, dual);
    else
        by_interior_points(lp, p, column, dual);
}

swq_status swq_program_solve(swq_context *ctx, const swq_program *p, double *column, double *dual)
{
    glpk_call call = {.ctx = ctx};
    int *index = NULL;
    double *value = NULL;
    swq_arrays list = {0};

    SWQ_ARRAY(&list, index, (double)p->rows + 1);
    SWQ_ARRAY(&list, value, (double)p->rows + 1);
    swq_status status = load(ctx);
    if (!status)
        status = swq_arrays_take(ctx, &list);
    for (uint32_t c = 0; c < p->columns; c++)
        column[c] = 0;
    for (uint32_t r = 0; r < p->rows; r++)
        dual[r] = 0;
    if (!status) {
        const int left = setjmp(call.back);
        if (left == 0)
            solve(&call, p, index, value, column, dual);
        glpk.free_all();
        if (left == 1)
            status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
        else if (left == 2)
            status = swq_fail(ctx, SWQ_ELIMIT,
                              "GLPK gave up on a linear program of %u rows and %u columns, as it "
                              "does when memory runs out",
                              p->rows, p->columns);
    }
    swq_arrays_free(ctx, &list);
    return status;
}
