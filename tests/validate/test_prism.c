/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/prism: a chain whose answers are known in closed form, texts with an error, and no
 * memory.
 */
#include "tests/support/support.h"
#include "validate/prism/prism.h"

#include <string.h>

static const char two_states[] =
    "dtmc\n"
    "const double p = 0.25; // from 0 to 1\n"
    "formula both = here & !there;\n"
    "module m\n"
    "  here : bool init false;\n"
    "  n : [0..1] init 0;\n"
    "  [] n=0 -> p : (n'=1) & (here'=true) + 1-p : true;\n"
    "  [] n=1 -> 0.5 : (n'=min(n, 0)) + 0.5 : (here'=both?true:true);\n"
    "endmodule\n"
    "module other\n"
    "  there : bool init false;\n"
    "endmodule\n"
    "rewards \"ones\" n=1 : 1; endrewards\n"
    "rewards \"all\" true : 2; endrewards\n";
static const char ones[] = "\"share\": R{\"ones\"}=? [ S ] / R{\"all\"}=? [ S ] * 2;\n";

/* In state 1 with probability p / (p + 1/2). */
Test(prism_language, two_states)
{
    swq_context *ctx = swq_context_new();
    swq_prism_answer answer[1];
    int answers, states;

    cr_assert_eq(swq_prism_check(ctx, two_states, ones, 1, answer, &answers, &states), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert_eq(answers, 1);
    cr_assert_str_eq(answer[0].name, "share");
    assert_relative(answer[0].value, 1 / 3.0, 1e-12, "%.15g", answer[0].value);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* What PRISM refuses, or leaves to chance, is refused by name. */
Test(prism_language, errors)
{
    static const struct {
        const char *old, *new, *message;
    } cases[] = {
        {"p : (n'=1)", "p : (n'=2)", "is set to 2"},
        {"1-p : true", "0.5 : true", "probabilities sum to 0.75"},
        {"[] n=1", "[] n>=0", "2 choices in a state"},
        {"formula both = here", "formula both = her", "her is not defined"},
        {"0.5 : (n'", "-0.5 : (n'", "a probability of -0.5"},
        {"(here'=both", "(there'=both", "there is no variable of this module"},
        {"const double p", "constant double p", "not understood"},
        {"endmodule\nrewards", "end\nrewards", "expected"},
        {"formula both", "formula p", "p is defined twice"},
    };
    swq_context *ctx = swq_context_new();
    char text[sizeof two_states + 40];
    swq_prism_answer answer[1];
    int answers, states;

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *at = strstr(two_states, cases[k].old);
        cr_assert(at, "%s", cases[k].old);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - two_states), two_states, cases[k].new,
                 at + strlen(cases[k].old));
        cr_expect_eq(swq_prism_check(ctx, text, ones, 1, answer, &answers, &states), SWQ_EINVAL,
                     "%s", cases[k].new);
        cr_expect(strstr(swq_context_message(ctx), cases[k].message), "%s: %s", cases[k].new,
                  swq_context_message(ctx));
    }
    cr_expect_eq(swq_prism_check(ctx, two_states, "\"a\": R{\"none\"}=? [ S ];", 1, answer,
                                 &answers, &states),
                 SWQ_EINVAL);
    cr_expect_eq(
        swq_prism_check(ctx, two_states, "\"a\": 1;\"b\": 2;", 1, answer, &answers, &states),
        SWQ_EINVAL);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(prism_language, every_allocation_can_fail)
{
    for (int k = 0;; k++) {
        swq_context *ctx = swq_context_new();
        swq_prism_answer answer[1];
        int answers, states;
        swq_context_fail_allocations(ctx, k, true);
        swq_status status = swq_prism_check(ctx, two_states, ones, 1, answer, &answers, &states);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
        if (!status)
            break;
        cr_assert_eq(status, SWQ_ENOMEM, "%d", k);
    }
}
