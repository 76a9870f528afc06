/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Printed numbers judged together. A tolerance for each number cannot see that all numbers lean to
 * one side. A sign test sees that, and a chi-square test sees that the numbers are further off than
 * chance allows.
 */
#include "switchq/joint.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#define SIGNIFICANCE 0.001
#define NORMAL_95    1.959963984540054

const char swq_joint_rule[] =
    "numbers of a part agree jointly when neither a two-sided sign test nor a chi-square of their "
    "deviations is less likely than 0.001, divided by the number of such tests. The variance of a "
    "deviation is the simulation's, that of a print simulated as long as stated, and a twelfth of "
    "the last digit's square. The print is read as rounded, or as truncated (half a unit is "
    "added), whichever gives the smaller chi-square; numbers below one unit of the last digit, "
    "such as 0+, are not counted";

const char *swq_joint_verdict_text(swq_joint_verdict verdict)
{
    static const char *const text[] = {"agrees", "differs", "known", "not judged"};

    return text[verdict];
}

double swq_joint_error(double half_width, double cycles, double of_print)
{
    return half_width / NORMAL_95 * sqrt(1 + cycles / of_print);
}

static swq_joint_part *part_of(swq_joint *joint, const char *name)
{
    for (int k = 0; k < joint->parts; k++) {
        if (strcmp(joint->part[k].name, name) == 0)
            return &joint->part[k];
    }
    if (joint->parts == SWQ_JOINT_PARTS)
        return NULL;
    joint->part[joint->parts] = (swq_joint_part){.name = name};
    return &joint->part[joint->parts++];
}

static void count(swq_joint *joint, const swq_joint_number *n)
{
    if (!isfinite(n->found) || !isfinite(n->error) || n->printed < n->unit)
        return;
    swq_joint_part *part = part_of(joint, n->part);
    double off = n->printed + (joint->truncated ? n->unit / 2 : 0) - n->found;

    if (!part)
        return;
    part->numbers++;
    part->above += off > 0;
    part->below += off < 0;
    part->chi_square += off * off / (n->error * n->error + n->unit * n->unit / 12);
}

/* The numbers under one reading of their last digits, and the sum of their squares. */
static double judge_as(swq_joint *joint, const swq_joint_number *number, int numbers)
{
    double sum = 0;

    for (int k = 0; k < numbers; k++)
        count(joint, &number[k]);
    for (int k = 0; k < joint->parts; k++) {
        swq_joint_part *p = &joint->part[k];
        const int fewer = p->above < p->below ? p->above : p->below;
        const double least = SIGNIFICANCE / (2 * joint->parts);
        p->sign_p =
            fmin(1, 2 * gsl_cdf_binomial_P((unsigned)fewer, 0.5, (unsigned)(p->above + p->below)));
        p->chi_p = gsl_cdf_chisq_Q(p->chi_square, p->numbers);
        p->fits = p->sign_p >= least && p->chi_p >= least;
        sum += p->chi_square;
    }
    return sum;
}

swq_joint swq_joint_judge(const swq_joint_number *number, int numbers, const char *known)
{
    swq_joint rounded = {.verdict = SWQ_JOINT_NONE}, truncated = {.truncated = true};
    const double as_rounded = judge_as(&rounded, number, numbers);
    swq_joint joint = judge_as(&truncated, number, numbers) < as_rounded ? truncated : rounded;
    bool fits = true;

    for (int k = 0; k < joint.parts; k++)
        fits = fits && joint.part[k].fits;
    joint.known = fits ? NULL : known;
    joint.verdict = joint.parts == 0 ? SWQ_JOINT_NONE
                    : fits           ? SWQ_JOINT_AGREES
                    : known          ? SWQ_JOINT_KNOWN
                                     : SWQ_JOINT_DIFFERS;
    return joint;
}
