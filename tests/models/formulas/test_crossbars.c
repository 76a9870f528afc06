/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Crosspoints of switch architectures, by the formulas of section 4 of the HIPIQS report.
 */
#include "tests/models/formulas/rows.h"
#include "tests/support/support.h"

TestSuite(formula_crossbars, .timeout = 120);

#define COST "crossbar-cost"

/* ports bits modules: 8 ports, flits of 2 bytes */
Test(formula_crossbars, the_reports_switch)
{
    cr_expect_eq(row_value(COST, "8 16", "input_queued_crosspoints"), 1024);
    cr_expect_eq(row_value(COST, "8 16", "multi_buffer_crosspoints"), 8192);
    cr_expect_eq(row_value(COST, "8 16", "hipiqs_input_crosspoints"), 9216);
    cr_expect_eq(row_value(COST, "8 16", "hipiqs_crosspoints"), 10240);
    cr_expect_eq(row_value(COST, "8 16", "hipiqs_ratio"), 10);
    cr_expect_eq(row_value(COST, "8 16", "central_crosspoints"), 3072);
    /* 32 modules are "approximately k^3 f" */
    cr_expect_eq(row_value(COST, "8 16 32", "prizma_crosspoints"), 8192);
}
