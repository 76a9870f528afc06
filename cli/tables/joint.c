/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The joint verdict of a printed table or figure, as fields and as sentences.
 */
#include "cli/tables/joint.h"

#include <stdio.h>

void cli_put_joint(cli_record *root, const swq_joint *joint)
{
    cli_record *group = cli_not_in_csv(cli_quietly(cli_put_group(root, "joint", NULL)));

    cli_put_word(group, "verdict", swq_joint_verdict_text(joint->verdict));
    cli_put_word(group, "criterion", swq_joint_rule);
    cli_put_word(group, "digits", joint->truncated ? "truncated" : "rounded");
    cli_put_word(group, "note", joint->known ? joint->known : "");
    cli_record *parts = cli_quietly(cli_put_list(group, "parts", NULL));
    for (int k = 0; k < joint->parts; k++) {
        const swq_joint_part *p = &joint->part[k];
        cli_record *item = cli_put_item(parts, p->name);
        cli_put_word(item, "name", p->name);
        cli_put_count(item, "numbers", (uint64_t)p->numbers);
        cli_put_count(item, "printed_above", (uint64_t)p->above);
        cli_put_count(item, "printed_below", (uint64_t)p->below);
        cli_put_number(item, "sign_p", p->sign_p);
        cli_put_number(item, "chi_square", p->chi_square);
        cli_put_number(item, "chi_square_p", p->chi_p);
        cli_put_truth(item, "agrees", p->fits);
    }
}

/* A probability as text: "= 0.034" with two digits, or "< 1e-99" where it is too small. */
static const char *p_text(double p, char text[24])
{
    if (p < 1e-99)
        snprintf(text, 24, "< 1e-99");
    else
        snprintf(text, 24, "= %.2g", p);
    return text;
}

void cli_say_joint(cli_record *root, const swq_joint *joint)
{
    char sign[24], chi[24];

    if (joint->verdict == SWQ_JOINT_NONE)
        return;
    cli_say(root, "Numbers jointly: %s; digits read as %s.", swq_joint_verdict_text(joint->verdict),
            joint->truncated ? "truncated" : "rounded");
    for (int k = 0; k < joint->parts; k++) {
        const swq_joint_part *p = &joint->part[k];
        cli_tell(root, 4,
                 "  %c %s: printed above the simulation in %d of %d, below in %d (p %s); "
                 "chi-square %.0f (p %s)",
                 p->fits ? ' ' : '*', p->name, p->above, p->numbers, p->below,
                 p_text(p->sign_p, sign), p->chi_square, p_text(p->chi_p, chi));
    }
    if (joint->known)
        cli_tell(root, 2, "Tried: %s.", joint->known);
}
