/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models/import: what is in the files arrives, in any order of the lines; what is wrong is named
 * with its line, and nothing is left behind.
 */
#include "switchq/export.h"
#include "switchq/import.h"
#include "tests/base/folder.h"
#include "tests/support/support.h"

#include <stdint.h>

static swq_context *ctx;

static void setup(void)
{
    folder_make();
    ctx = swq_context_new();
}

static void teardown(void)
{
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    folder_remove();
}

TestSuite(import, .init = setup, .fini = teardown, .timeout = 120);

static swq_imported read_chain(const char *name)
{
    swq_imported chain = {0};

    cr_assert_eq(swq_import_chain(ctx, folder_path(name), NULL, &chain), SWQ_OK, "%s",
                 swq_context_message(ctx));
    return chain;
}

static double entry(const swq_csr *p, int64_t i, int64_t j)
{
    for (int64_t e = p->start[i]; e < p->start[i + 1]; e++) {
        cr_assert(e == p->start[i] || p->col[e] > p->col[e - 1], "columns must be ascending");
        if (p->col[e] == j)
            return p->value[e];
    }
    return 0;
}

/* 0.25 0.75 0 / 0 0 1 / 0.5 0 0.5 */
static void expect_three(const swq_imported *c)
{
    static const double p[3][3] = {{0.25, 0.75, 0}, {0, 0, 1}, {0.5, 0, 0.5}};

    cr_assert(c->p.rows == 3 && c->p.cols == 3);
    cr_assert_eq(swq_csr_nnz(&c->p), 5);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            cr_assert_eq(entry(&c->p, i, j), p[i][j], "%d %d", i, j);
    }
}

Test(import, any_order_actions_fractions_and_comments)
{
    static const char *const same[] = {
        "3 5\n0 0 0.25\n0 1 0.75\n1 2 1\n2 0 0.5\n2 2 0.5\n",
        ("# Transitions (DTMC)\r\n3 5\r\n2 2 0.5\r\n0 1 0.75 go\r\n\r\n2 0 5e-1\r\n1 2 1.\r\n"
         "0 0 .25"),
        "3 5\n0 1 3/4\n# half way\n0 0 1/4\n2 2 1/2\n2 0 2/4\n1\t2  1\n",
        /* duplicates are summed, zeros dropped */
        "3 8\n0 1 0.25\n0 0 0.25\n0 1 0.25\n0 2 0\n2 0 0.5\n0 1 0.25\n1 2 1\n2 2 0.5\n",
    };

    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        folder_write("c.tra", same[k]);
        swq_imported chain = read_chain("c.tra");
        expect_three(&chain);
        cr_assert(chain.worst_sum == 0 && chain.first == 0);
        cr_assert(!chain.reward && !chain.named && !chain.labels);
        cr_assert(chain.roundings >= 3, "two entries in a row");
        swq_imported_clear(ctx, &chain);
        swq_imported_clear(ctx, &chain); /* safe again */
    }
    folder_write("c.mtx", "%%MatrixMarket Matrix COORDINATE real General\n% by columns\n\n3 3 5\n"
                          "1 1 0.25\n3 1 0.5\n1 2 0.75\n2 3 1\n3 3 0.5\n");
    swq_imported chain = read_chain("c.mtx");
    expect_three(&chain);
    cr_assert_eq(chain.first, 1);
    swq_imported_clear(ctx, &chain);
}

/* The same chain in the other formats; what only some of them have is checked by itself. */
Test(import, the_same_chain_in_every_format)
{
    static const struct {
        const char *file, *text;
        int first;
    } same[] = {
        {"c.mtx",
         "%%MatrixMarket matrix array real general\n3 3\n.25\n0\n.5\n.75\n0\n0\n0\n1\n.5\n", 1},
        {"c.csv", "0,0,0.25\n0,1,0.75\n1,2,1\n2,0,0.5\n2,2,0.5\n", 0},
        {"c.csv",
         "From;To;Probability\r\n# by hand\r\n2; 0; 1/2\r\n2;2;1/2\r\n1;2;1\r\n0;0;1/4\r\n"
         "0;1;3/4",
         0},
        {"c.csv", "from,to,p\n1,1,0.25\n1,2,0.75\n2,3,1\n3,1,0.5\n3,3,0.5\n", 1},
        {"c.drn",
         "// by Storm\n@type: DTMC\n@value_type: double\n@parameters\n\n@reward_models\n\n"
         "@nr_states\n3\n@nr_choices\n3\n@model\nstate 0 init\n\taction 0\n\t\t0 : 0.25\n\t\t1 : "
         "0.75\n"
         "state 1\n\taction 0\n\t\t2 : 1\nstate 2\n\taction 0\n\t\t0 : 0.5\n\t\t2 : 0.5\n",
         0},
    };

    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        folder_write(same[k].file, same[k].text);
        swq_imported chain = read_chain(same[k].file);
        expect_three(&chain);
        cr_assert_eq(chain.first, same[k].first);
        cr_assert(!chain.reward && !chain.hold);
        cr_assert_eq(chain.labels, strcmp(same[k].file, "c.drn") == 0);
        swq_imported_clear(ctx, &chain);
    }
}

/* 0 1/2 1/2 / 1/2 1/2 0 / 1/2 0 1/2, of which a file has the lower triangle. */
Test(import, symmetric_matrices)
{
    static const char *const same[] = {
        "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n2 1 0.5\n2 2 0.5\n3 1 0.5\n3 3 "
        "0.5\n",
        "%%MatrixMarket matrix array real symmetric\n3 3\n0\n0.5\n0.5\n0.5\n0\n0.5\n",
    };

    for (int k = 0; k < 2; k++) {
        folder_write("c.mtx", same[k]);
        swq_imported chain = read_chain("c.mtx");
        cr_assert_eq(swq_csr_nnz(&chain.p), 6);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++)
                cr_assert_eq(entry(&chain.p, i, j), i + j == 0 || i + j == 3 ? 0 : 0.5, "%d %d", i,
                             j);
        }
        swq_imported_clear(ctx, &chain);
    }
}

/* Labels, also with blanks, and the first of two reward models, of states or of their actions. */
Test(import, drn_has_rewards_and_labels)
{
    folder_write("c.drn",
                 "@type: DTMC\n@parameters\n@reward_models\nlost late\n@nr_states\n2\n@model\n"
                 "state 0 [0.25, 7] init \"dead lock\"\n\taction 0 [0, 1]\n\t\t1 : 1\n"
                 "state 1 [0] \"dead lock\"\n\taction __NOLABEL__ [3]\n\t\t0 : 1\n");
    swq_imported c = read_chain("c.drn");
    cr_assert(c.reward[0] == 0.25 && c.reward[1] == 3);
    cr_assert_str_eq(c.reward_name, "lost");
    cr_assert_eq(c.labels, 2);
    cr_assert_str_eq(c.label[0].name, "init");
    cr_assert(c.label[0].states == 1 && c.label[0].state[0] == 0);
    cr_assert_str_eq(c.label[1].name, "dead lock");
    cr_assert(c.label[1].states == 2 && c.label[1].state[1] == 1);
    swq_imported_clear(ctx, &c);
    /* a file of rewards in place of them */
    folder_write("list", "5\n6\n");
    cr_assert_eq(swq_import_chain(ctx, folder_path("c.drn"),
                                  &(swq_import_options){.rewards = folder_path("list")}, &c),
                 SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert(c.reward[0] == 5 && c.reward[1] == 6 && !c.reward_name);
    swq_imported_clear(ctx, &c);
}

static void write_npy(const char *header, const double *value, size_t count)
{
    char name[] = "c.npy", text[128];
    FILE *file = fopen(folder_path(name), "wb");

    snprintf(text, sizeof text, "%-117s\n", header);
    cr_assert(file && fwrite("\x93NUMPY\1\0\x76", 1, 9, file) == 9 && fputc(0, file) == 0);
    cr_assert_eq(fwrite(text, 1, 118, file), 118);
    cr_assert_eq(fwrite(value, sizeof *value, count, file), count);
    cr_assert_eq(fclose(file), 0);
}

#define NPY(order, shape) "{'descr': '<f8', 'fortran_order': " order ", 'shape': (" shape "), }"

Test(import, npy)
{
    static const double by_rows[] = {0.25, 0.75, 0, 0, 0, 1, 0.5, 0, 0.5},
                        by_columns[] = {0.25, 0, 0.5, 0.75, 0, 0, 0, 1, 0.5};

    for (int k = 0; k < 2; k++) {
        write_npy(k ? NPY("True", "3, 3") : NPY("False", "3, 3"), k ? by_columns : by_rows, 9);
        swq_imported chain = read_chain("c.npy");
        expect_three(&chain);
        cr_assert_eq(chain.first, 0);
        swq_imported_clear(ctx, &chain);
    }
}

Test(import, malformed_npy)
{
    static const struct {
        const char *header;
        double last;
        int count;
        const char *what;
    } wrong[] = {
        {NPY("False", "2, 2"), 0, 3, "ends before the array"},
        {NPY("False", "2, 2"), 0, 5, "more than the array"},
        {NPY("False", "2, 3"), 0, 6, "square, not 2 x 3"},
        {NPY("False", "4,"), 0, 4, "two dimensions"},
        {NPY("False", "1, 2, 2"), 0, 4, "two dimensions"},
        {NPY("False", "0, 0"), 0, 0, "square, not 0 x 0"},
        {NPY("False", "9999999999, 9999999999"), 0, 4, "can be numbered"},
        {NPY("False", "2000000000, 2000000000"), 0, 4, "ends before the array"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }", 0, 4, "float64"},
        {"{'descr': '>f8', 'fortran_order': False, 'shape': (2, 2), }", 0, 4, "float64"},
        {"", 0, 4, "float64"},
        {NPY("False", "2, 2"), NAN, 4, "row 1, column 1 (counted from 0): a number must be"},
        {NPY("False", "2, 2"), INFINITY, 4, "row 1, column 1"},
        {NPY("False", "2, 2"), 1e-300, 4, "1e-290"},
        {NPY("False", "2, 2"), 2, 4, "--rates"},
        {NPY("False", "2, 2"), -1, 4, "generator matrix"},
        {NPY("False", "2, 2"), 0.5, 4, "state 1 sum to 1.5"},
    };

    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        double value[6] = {0, 1, 1, wrong[k].last};
        swq_imported out = {.first = 77};
        write_npy(wrong[k].header, value, (size_t)wrong[k].count);
        cr_assert_eq(swq_import_chain(ctx, folder_path("c.npy"), NULL, &out), SWQ_EINVAL, "%zu", k);
        cr_assert(strstr(swq_context_message(ctx), wrong[k].what), "'%s': %s", wrong[k].what,
                  swq_context_message(ctx));
        cr_assert_eq(out.first, 77);
    }
}

/* Thirds with three decimals: rows are scaled, and the error is reported. */
Test(import, rows_are_scaled)
{
    folder_write("c.tra", "1 3\n0 0 0.3333333333\n0 0 0.3333333333\n0 0 0.3333333333\n");
    swq_imported chain = read_chain("c.tra");
    cr_assert_eq(chain.p.value[0], 1);
    cr_assert(fabs(chain.worst_sum - 1e-10) < 1e-15, "%g", chain.worst_sum);
    swq_imported_clear(ctx, &chain);

    folder_write("c.tra", "2 3\n0 1 1.0000000009\n1 0 0.3\n1 1 0.6999999995\n");
    chain = read_chain("c.tra");
    cr_assert_eq(entry(&chain.p, 0, 1), 1);
    assert_relative(entry(&chain.p, 1, 0), 0.3 / 0.9999999995, 1e-15, "scaled");
    assert_relative(chain.worst_sum, 9e-10, 1e-6, "%g", chain.worst_sum);
    swq_imported_clear(ctx, &chain);
}

/* Counts of roundings: one for a decimal, three for a fraction, two for a sum that divides; see
 * table.c. */
Test(import, roundings_are_counted)
{
    folder_write("c.tra", "1 1\n0 0 1\n");
    swq_imported chain = read_chain("c.tra");
    cr_assert_eq(chain.roundings, 2 * 1 + 1);
    swq_imported_clear(ctx, &chain);
    folder_write("c.tra", "1 1\n0 0 3/3\n");
    chain = read_chain("c.tra");
    cr_assert_eq(chain.roundings, 2 * 3 + 1);
    swq_imported_clear(ctx, &chain);
    folder_write("c.tra", "2 6\n0 0 0.25\n0 1 0.25\n0 0 0.25\n0 0 0.25\n1 0 0.5\n1 1 0.5\n");
    chain = read_chain("c.tra");
    cr_assert_eq(chain.roundings, 2 * (1 + 2) + 2);
    swq_imported_clear(ctx, &chain);
}

#define TWO "2 2\n0 1 1\n1 0 1\n"

Test(import, companions)
{
    folder_write("c.tra", TWO);
    folder_write("c.srew", "# Reward structure \"lost\"\n# State rewards\n2 1\n1 0.5\n");
    folder_write("c.sta", "# States\n(a,b)\n0:(0,0)\n1:(0,12)\n");
    folder_write("c.lab", "# Labels\n0=\"init\" 1=\"dead lock\" 2=\"x\"\n0: 0 2\n1: 2\n");
    swq_imported c = read_chain("c.tra");
    cr_assert(c.reward[0] == 0 && c.reward[1] == 0.5);
    cr_assert_str_eq(c.reward_name, "lost");
    cr_assert_str_eq(c.names + c.named[0], "(0,0)");
    cr_assert_str_eq(c.names + c.named[1], "(0,12)");
    cr_assert_eq(c.labels, 3);
    cr_assert_str_eq(c.label[1].name, "dead lock");
    cr_assert(c.label[0].states == 1 && c.label[1].states == 0 && c.label[2].states == 2);
    cr_assert(c.label[2].state[0] == 0 && c.label[2].state[1] == 1);
    swq_imported_clear(ctx, &c);

    /* a list instead of the companion files, which are then ignored */
    folder_write("c.srew", "nonsense");
    folder_write("list", "# one a state\n3\n1/4\n");
    cr_assert_eq(swq_import_chain(ctx, folder_path("c.tra"),
                                  &(swq_import_options){.rewards = folder_path("list")}, &c),
                 SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert(c.reward[0] == 3 && c.reward[1] == 0.25 && !c.reward_name);
    swq_imported_clear(ctx, &c);
    /* nor is there a companion of a .mtx */
    folder_write("c.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n2 1 1\n");
    c = read_chain("c.mtx");
    cr_assert(!c.reward && !c.labels);
    swq_imported_clear(ctx, &c);
    cr_assert_eq(swq_import_chain(ctx, folder_path("c.tra"),
                                  &(swq_import_options){.rewards = folder_path("nix")}, &c),
                 SWQ_EIO);
}

/* What export writes can be imported: the same matrix, up to the scaling. */
Test(import, round_trip)
{
    static const char *const formats[] = {"prism", "mtx", "drn"}, *const names[] = {
                                                                      "x.tra", "x.mtx", "x.drn"};
    swq_switch sw = test_switch(ctx, "damq", 2, 3, 0.9, "random");
    swq_chain *chain = NULL;
    swq_csr p;

    sw.flow = SWQ_BLOCK;
    cr_assert_eq(swq_chain_generate(ctx, &sw, false, &chain), SWQ_OK);
    cr_assert_eq(swq_chain_matrix(ctx, chain, &p, NULL), SWQ_OK);
    for (int k = 0; k < 3; k++) {
        const swq_export_format *format;
        cr_assert_eq(swq_export_find(ctx, formats[k], &format), SWQ_OK);
        cr_assert_eq(swq_export_write(ctx, chain, format, folder_path("x")), SWQ_OK);
        swq_imported c = read_chain(names[k]);
        cr_assert_eq(c.p.rows, p.rows);
        cr_assert_eq(swq_csr_nnz(&c.p), swq_csr_nnz(&p));
        for (int64_t e = 0; e < swq_csr_nnz(&p); e++) {
            cr_assert_eq(c.p.col[e], p.col[e]);
            assert_relative(c.p.value[e], p.value[e], 1e-15, "entry %lld", (long long)e);
        }
        cr_assert_eq(c.reward != NULL, k != 1);
        for (int64_t s = 0; s < p.rows && k != 1; s++) {
            char text[64];
            double refused = swq_chain_refused(chain)[2 * s] + swq_chain_refused(chain)[2 * s + 1];
            cr_assert_eq(c.reward[s], refused);
            if (k == 2)
                continue;
            snprintf(text, sizeof text, "(%d,", swq_chain_word(chain, s, 0));
            cr_assert_eq(strncmp(c.names + c.named[s], text, strlen(text)), 0);
        }
        swq_imported_clear(ctx, &c);
    }
    swq_csr_clear(ctx, &p);
    swq_chain_free(ctx, chain);
}

/* ---- what is wrong ---- */

#define MTX       "%%MatrixMarket matrix coordinate real general\n"
#define ARRAY     "%%MatrixMarket matrix array real general\n"
#define SYMMETRIC "%%MatrixMarket matrix coordinate real symmetric\n"
#define DRN       "@type: DTMC\n@nr_states\n2\n@model\n"

static const struct {
    const char *file, *text, *where, *what; /* a companion file is written next to a valid c.tra */
} bad[] = {
    {"c.tra", "", "line 1", "STATES TRANSITIONS"},
    {"c.tra", "# nothing\n", "line 2", "STATES TRANSITIONS"},
    {"c.tra", "x 2\n", "line 1", "'x'"},
    {"c.tra", "0 0\n", "line 1", "number of states"},
    {"c.tra", "-2 2\n", "line 1", "'-2'"},
    {"c.tra", "2\n", "line 1", "number of transitions"},
    {"c.tra", "2 2 2\n0 0 1 1\n", "line 1", "choices"},
    {"c.tra", "2 1\n0 1 1\n", "line 1", "too few for 2 states"},
    {"c.tra", "3000000000 3000000000\n", "line 1", "2147483647"},
    {"c.tra", "99999999999999999999 1\n", "line 1", "whole number"},
    {"c.tra", "2 2\n0 1 1\n", "line 3", "1 of the 2 transitions"},
    {"c.tra", "2 2\n0 1 1\n1 0 1\n0 0 0.5\n", "line 4", "more than the 2"},
    {"c.tra", "2 2\n0 2 1\n1 0 1\n", "line 2", "from 0 to 1, not '2'"},
    {"c.tra", "2 2\n-1 0 1\n1 0 1\n", "line 2", "'-1'"},
    {"c.tra", "2 2\n0 1\n1 0 1\n", "line 2", "probability"},
    {"c.tra", "2 2\n0\n1 0 1\n", "line 2", "entered"},
    {"c.tra", "2 2\n0 1 -0.5\n1 0 1\n", "line 2", "0 to 1, not -0.5"},
    {"c.tra", "2 2\n0 1 nan\n1 0 1\n", "line 2", "'nan'"},
    {"c.tra", "2 2\n0 1 inf\n1 0 1\n", "line 2", "'inf'"},
    {"c.tra", "2 2\n0 1 1e-300\n1 0 1\n", "line 2", "1e-290"},
    {"c.tra", "2 2\n0 1 2\n1 0 1\n", "line 2", "0 to 1, not 2"},
    {"c.tra", "2 2\n0 1 1/0\n1 0 1\n", "line 2", "'1/0'"},
    {"c.tra", "2 2\n0 1 1 go on\n1 0 1\n", "line 2", "'on'"},
    {"c.tra", "2 2\n0 1 0,5\n1 0 1\n", "line 2", "'0,5'"},
    {"c.tra", "2 2\n0 1 0.9\n1 0 1\n", "state 0", "sum to 0.9, not to 1"},
    {"c.tra", "2 3\n0 1 0.9\n1 0 1\n0 1 0.2\n", "state 0", "sum to 1.1"},
    {"c.tra", "2 2\n0 1 1\n0 1 0\n", "state 1", "sum to 0"},
    {"c.tra", "2 2\n0 1 0.999999998\n1 0 1\n", "state 0", "0.999999998"},
    {"c.tra", "2 2\n0 1 1.000000002\n1 0 1\n", "line 2", "0 to 1"},
    {"c.mtx", "", "line 1", "must begin"},
    {"c.mtx", "2 2 2\n", "line 1", "must begin"},
    {"c.mtx", "\n" MTX, "line 2", "must begin"},
    {"c.mtx", "%%MatrixMarket vector coordinate real general\n", "line 1", "'vector'"},
    {"c.mtx", "%%MatrixMarket matrix table real general\n", "line 1", "'table'"},
    {"c.mtx", "%%MatrixMarket matrix coordinate pattern general\n", "line 1", "no probabilities"},
    {"c.mtx", "%%MatrixMarket matrix coordinate complex general\n", "line 1", "'complex'"},
    {"c.mtx", "%%MatrixMarket matrix coordinate real hermitian\n", "line 1", "'hermitian'"},
    {"c.mtx", "%%MatrixMarket matrix coordinate real\n", "line 1", "general"},
    {"c.mtx", "%%MatrixMarket matrix coordinate real general x\n", "line 1", "'x'"},
    {"c.mtx", MTX "% end\n", "line 3", "ROWS COLUMNS ENTRIES"},
    {"c.mtx", MTX "2 3 2\n", "line 2", "square, not 2 x 3"},
    {"c.mtx", MTX "2 2\n", "line 2", "number of entries"},
    {"c.mtx", MTX "2 2 2 2\n", "line 2", "nothing is expected"},
    {"c.mtx", MTX "2 2 2\n0 1 1\n2 1 1\n", "line 3", "from 1 to 2, not '0'"},
    {"c.mtx", MTX "2 2 2\n1 3 1\n2 1 1\n", "line 3", "from 1 to 2, not '3'"},
    {"c.mtx", MTX "2 2 2\n1 2 1 1\n2 1 1\n", "line 3", "nothing is expected"},
    {"c.mtx", MTX "2 2 2\n1 2 1\n", "line 4", "1 of the 2 entries"},
    {"c.mtx", MTX "2 2 2\n1 2 1\n2 1 1\n1 1 0\n", "line 5", "more than the 2"},
    {"c.mtx", MTX "2 2 2\n1 2 1\n2 1 0.5\n", "state 2", "sum to 0.5"},
    {"c.mtx", SYMMETRIC "2 2 2\n1 2 1\n2 2 1\n", "line 3", "column 2 is above row 1"},
    {"c.mtx", SYMMETRIC "3 3 1\n1 1 1\n", "line 2", "too few for 3"},
    {"c.mtx", ARRAY "2 2 4\n0\n1\n1\n0\n", "line 2", "nothing is expected"},
    {"c.mtx", ARRAY "2\n", "line 2", "columns"},
    {"c.mtx", ARRAY "2 2\n0\n1\n1\n", "line 6", "3 of the 4 entries"},
    {"c.mtx", ARRAY "2 2\n0\n1\n1\n0\n0\n", "line 7", "more than the 4"},
    {"c.mtx", ARRAY "2 2\n0 1\n1\n0\n", "line 3", "nothing is expected"},
    {"c.csv", "", "line 1", "no transitions"},
    {"c.csv", "0.5,0.5\n1\n", "line 2", "a row of 2 numbers"},
    {"c.csv", "0.5,0.5\n", "line 2", "must have 2 rows, not 1"},
    {"c.csv", "0,1\n1,0\n0,1\n", "line 3", "and no more"},
    {"c.csv", "0,1\n0.5,0.4\n", "state 1", "sum to 0.9"},
    {"c.csv", "0.5,0.25,0.25\n", "line 1", "state left"}, /* three states: no matrix */
    {"c.csv", "from,to,probability\n", "line 2", "FROM,TO,PROBABILITY"},
    {"c.csv", "from,to,probability\nfrom,to,probability\n", "line 2", "state left"},
    {"c.csv", "0,1,1\n1,0\n", "line 2", "not 2 fields"},
    {"c.csv", "0,1,1\n1,0,1,7\n", "line 2", "not 4 fields"},
    {"c.csv", "0,1,1\n1,0,x\n", "line 2", "'x'"},
    {"c.csv", "0,1,1\n1,-1,1\n", "line 2", "'-1'"},
    {"c.csv", "0,1,1\n1,0,7\n", "line 2", "--rates"},
    {"c.csv", "0,2000000000,1\n", "line 2", "too few for 2000000001"},
    {"c.csv", "0,1,1\n1,0,0.5\n", "state 1", "--normalise"},
    {"c.csv", "1,2,1\n2,1,0.5\n", "state 2", "sum to 0.5"},
    {"c.drn", "", "line 1", "ends before '@model'"},
    {"c.drn", "@type: MDP\n", "line 1", "'MDP'"},
    {"c.drn", "@type: CTMC\n", "line 1", "--rates"},
    {"c.drn", "@value_type: parametric\n", "line 1", "'parametric'"},
    {"c.drn", "@parameters\nx y\n", "line 2", "parameters"},
    {"c.drn", "@players\n", "line 1", "'@players'"},
    {"c.drn", "@nr_states\n2\n@model\n", "line 3", "@type"},
    {"c.drn", "@type: DTMC\n@model\n", "line 2", "@nr_states"},
    {"c.drn", "@nr_states\n0\n", "line 2", "number of states"},
    {"c.drn", DRN "action 0\n", "line 5", "'state 0' was expected"},
    {"c.drn", DRN "state 1\n", "line 5", "from 0 to 0"},
    {"c.drn", DRN "state 0 [1\n", "line 5", "no ']'"},
    {"c.drn", DRN "state 0 [-1]\n", "line 5", "negative"},
    {"c.drn", DRN "state 0 [1]\naction 0 [1]\n", "line 6", "not both"},
    {"c.drn", DRN "state 0 {1}\n", "line 5", "observation"},
    {"c.drn", DRN "state 0 a a\n", "line 5", "twice"},
    {"c.drn", DRN "state 0 \"a\n", "line 5", "does not end"},
    {"c.drn", DRN "state 0\naction a\naction b\n", "line 7", "second action"},
    {"c.drn", DRN "state 0\naction a\n1 1\n", "line 7", "TO : PROBABILITY"},
    {"c.drn", DRN "state 0\naction a\n2 : 1\n", "line 7", "from 0 to 1"},
    {"c.drn", DRN "state 0\naction a\n1 : 1 1\n", "line 7", "nothing is expected"},
    {"c.drn", DRN "state 0\naction a\n1 : 1\n", "line 8", "1 of the 2 states"},
    {"c.drn", DRN "state 0\n1 : 1\nstate 1\n0 : 1\nstate 2\n", "line 9", "more than the 2"},
    {"c.drn", DRN "state 0\n1 : 1\nstate 1\n", "state 1", "sum to 0"},
    {"c.npy", "", "c.npy", "not an array of NumPy"},
    {"c.npy", "0,1,1\n1,0,1\n", "c.npy", "not an array of NumPy"},
    {"c.srew", "", "line 1", "no rewards"},
    {"c.srew", "2 1\n0 -1\n", "line 2", "negative"},
    {"c.srew", "3 1\n0 1\n", "line 1", "3 states are announced, but the chain has 2"},
    {"c.srew", "2 1\n2 1\n", "line 2", "from 0 to 1"},
    {"c.srew", "2 1\n0 x\n", "line 2", "'x'"},
    {"c.srew", "2 1\n0 1 1\n", "line 2", "nothing is expected"},
    {"c.srew", "2 2\n0 1\n", "line 3", "1 of the 2 rewards"},
    {"c.srew", "2 1\n0 1\n1 1\n", "line 3", "more than the 1"},
    {"c.srew", "2 2\n0 1\n0 2\n", "line 3", "already"},
    {"c.srew", "# without its header\n0 0.5\n1 2\n", "line 2", "number of states"},
    {"c.srew", "1\n", "line 2", "1 rewards, and the chain has 2"},
    {"c.srew", "1\n2\n3\n", "line 3", "more rewards than the 2"},
    {"c.srew", "1\n-2\n", "line 2", "negative"},
    {"c.srew", "1\n2 3\n", "line 2", "nothing is expected"},
    {"c.sta", "", "line 1", "variables"},
    {"c.sta", "0:(0)\n1:(1)\n", "line 1", "variables"},
    {"c.sta", "(a)\n0:(0)\n", "line 3", "1 of 2 states"},
    {"c.sta", "(a)\n1:(0)\n0:(1)\n", "line 2", "from 0 to 0"},
    {"c.sta", "(a)\n0 (0)\n1:(1)\n", "line 2", "STATE:(VALUES)"},
    {"c.sta", "(a)\n0:(0)\n1:(1)\n2:(2)\n", "line 4", "more than the chain's 2"},
    {"c.lab", "", "line 1", "names of the labels"},
    {"c.lab", "0: 0\n", "line 1", "a label was expected"},
    {"c.lab", "1=\"x\"\n", "line 1", "from 0 to 0"},
    {"c.lab", "0=\"x\n", "line 1", "does not end"},
    {"c.lab", "0=\"x\" 0=\"y\"\n", "line 1", "from 1 to 1"},
    {"c.lab", "0=\"x\"\n0 0\n", "line 2", "STATE: LABEL"},
    {"c.lab", "0=\"x\"\n2: 0\n", "line 2", "from 0 to 1"},
    {"c.lab", "0=\"x\"\n0: 1\n", "line 2", "from 0 to 0"},
    {"c.lab", "0=\"x\"\n1: 0\n0: 0\n", "line 3", "whole number"},
    {"c.lab", "0=\"x\" 1=\"y\"\n0: 0\n0: 1\n", "line 3", "from 1 to 1"},
    {"c.lab", "0=\"x\"\n0: 0 0\n", "line 2", "twice"},
};

Test(import, malformed_files)
{
    size_t count = sizeof bad / sizeof *bad;

    for (size_t k = 0; k < count; k++) {
        const swq_import_format *format;
        bool chain = swq_import_find(ctx, bad[k].file, &format) == SWQ_OK;
        swq_imported out = {.first = 77};
        folder_write("c.tra", TWO);
        folder_write(bad[k].file, bad[k].text);
        swq_status status =
            swq_import_chain(ctx, folder_path(chain ? bad[k].file : "c.tra"), NULL, &out);
        const char *message = swq_context_message(ctx);
        cr_assert_eq(status, SWQ_EINVAL, "%s: %s", bad[k].file, bad[k].text);
        cr_assert(strstr(message, bad[k].where) && strstr(message, bad[k].what) &&
                      strstr(message, bad[k].file),
                  "'%s' in '%s': %s", bad[k].text, bad[k].file, message);
        cr_assert(out.first == 77 && !out.p.start, "the output was touched");
        cr_assert_eq(swq_context_live_blocks(ctx), 0, "leaked by %s", bad[k].text);
        remove(folder_path(bad[k].file));
    }
    cr_assert_geq(count, 25);
}

Test(import, no_such_file_or_format)
{
    swq_imported out;

    cr_assert_eq(swq_import_chain(ctx, folder_path("nix.tra"), NULL, &out), SWQ_EIO);
    cr_assert_eq(swq_import_chain(ctx, folder_path("nix.txt"), NULL, &out), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), ".tra, .mtx, .drn, .csv or .npy"));
    cr_assert_eq(swq_import_chain(ctx, ".tra", NULL, &out), SWQ_EINVAL, "no name at all");
}

/* A header that promises a large matrix takes no memory before the entries come. */
Test(import, headers_are_not_believed)
{
    swq_imported out;

    swq_context_limit_memory(ctx, 1 << 20);
    folder_write("c.tra", "2000000000 9000000000000000\n0 1 1\n");
    cr_assert_eq(swq_import_chain(ctx, folder_path("c.tra"), NULL, &out), SWQ_EINVAL);
    cr_assert_lt(swq_context_peak_bytes(ctx), 1 << 17);
}

Test(import, every_allocation_failing_in_drn)
{
    swq_status status = SWQ_ENOMEM;
    size_t after = 0;
    swq_imported c;

    folder_write("c.drn",
                 "@type: DTMC\n@reward_models\nlost\n@nr_states\n2\n@model\n"
                 "state 0 [0.25] init \"x y\"\naction 0\n1 : 1\nstate 1 last\naction 0\n0 : 1\n");
    for (; status; after++) {
        cr_assert_lt(after, 200);
        swq_context_fail_allocations(ctx, after, true);
        status = swq_import_chain(ctx, folder_path("c.drn"), NULL, &c);
        swq_context_fail_allocations(ctx, SIZE_MAX, false);
        cr_assert(!status || status == SWQ_ENOMEM, "after %zu", after);
        cr_assert(!status || swq_context_live_blocks(ctx) == 0, "leaked after %zu", after);
    }
    cr_assert_gt(after, 15);
    swq_imported_clear(ctx, &c);
}

Test(import, every_allocation_failing)
{
    swq_status status = SWQ_ENOMEM;
    swq_imported c;

    folder_write("c.tra", "2 4\n1 1 0.5\n1 0 0.5\n0 1 1\n1 1 0\n"); /* unsorted: transposed too */
    folder_write("c.srew", "# Reward structure \"lost\"\n2 1\n1 0.5\n");
    folder_write("c.sta", "(a,b)\n0:(0,0)\n1:(0,12)\n");
    folder_write("c.lab", "0=\"init\" 1=\"x\"\n0: 0 1\n1: 1\n");
    for (int for_good = 0; for_good < 2; for_good++) {
        size_t after = 0;
        for (status = SWQ_ENOMEM; status; after++) {
            cr_assert_lt(after, 200);
            swq_context_fail_allocations(ctx, after, for_good == 1);
            status = swq_import_chain(ctx, folder_path("c.tra"), NULL, &c);
            swq_context_fail_allocations(ctx, SIZE_MAX, false);
            cr_assert(!status || status == SWQ_ENOMEM, "after %zu: %s", after,
                      swq_context_message(ctx));
            cr_assert(!status || swq_context_live_blocks(ctx) == 0, "leaked after %zu", after);
        }
        cr_assert_gt(after, 20);
        swq_imported_clear(ctx, &c);
    }
}
