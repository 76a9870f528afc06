/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Printed numbers judged together: each may lie within its tolerance, and all on the same side.
 */
#ifndef SWITCHQ_JOINT_H
#define SWITCHQ_JOINT_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A printed number, and what was found for it. */
typedef struct swq_joint_number {
    const char *part; /* numbers of one kind, which are tested together: "discards"; kept */
    double printed;
    double unit;  /* of the last printed digit */
    double found; /* NAN: nothing was found, and the printed number is not judged */
    double error; /* standard error of printed minus found, without the error of rounding to the
                     last digit */
} swq_joint_number;

enum { SWQ_JOINT_PARTS = 8 /* at most */ };

/* The tests of one kind of numbers. */
typedef struct swq_joint_part {
    const char *name;
    int numbers;
    int above, below; /* printed numbers that are higher, lower than what was found */
    double sign_p;    /* of the two-sided sign test */
    double chi_square, chi_p;
    bool fits;
} swq_joint_part;

typedef enum swq_joint_verdict {
    SWQ_JOINT_AGREES,
    SWQ_JOINT_DIFFERS,
    SWQ_JOINT_KNOWN, /* differs, and is listed with what was tried */
    SWQ_JOINT_NONE   /* there is no number to judge */
} swq_joint_verdict;

typedef struct swq_joint {
    swq_joint_verdict verdict;
    const char *known; /* which explanations were tried, if the numbers differ and a list of these
                          exists; else NULL */
    bool truncated;    /* printed digits are read as truncated, not as rounded */
    int parts;
    swq_joint_part part[SWQ_JOINT_PARTS];
} swq_joint;

/* Judge numbers by swq_joint_rule. known: the explanations that were tried, in case the numbers
 * differ; NULL: none. At most SWQ_JOINT_PARTS parts; numbers of further ones are left out. */
swq_joint swq_joint_judge(const swq_joint_number *number, int numbers, const char *known);

/* The standard error of a printed number minus a simulated one, whose 95% interval has the given
 * half-width: the printed number is taken to come from a simulation of `of_print` cycles, and ours
 * from one of `cycles`. */
double swq_joint_error(double half_width, double cycles, double of_print);

/* The rule of swq_joint_judge, in words. It was fixed before any number was judged by it. */
extern const char swq_joint_rule[];

/* "agrees", "differs", "known", "not judged". */
const char *swq_joint_verdict_text(swq_joint_verdict verdict);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
