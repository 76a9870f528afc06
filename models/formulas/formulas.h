/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of the table of formulas.
 * Room: models.
 */
#ifndef SWQ_MODELS_FORMULAS_H
#define SWQ_MODELS_FORMULAS_H

#include "switchq/formula.h"

extern const swq_formula swq_formula_hol_saturation;

#define SWQ_COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* The usual parameters. */
#define SWQ_PARAMETER_LOAD                                                                         \
    {.name = "load", .summary = "packets per cycle and input", .least = 0, .most = 1, .usual = NAN}
#define SWQ_PARAMETER_PORTS                                                                        \
    {.name = "ports",                                                                              \
     .summary = "inputs and outputs of a switch",                                                  \
     .least = 2,                                                                                   \
     .most = 1024,                                                                                 \
     .usual = NAN,                                                                                 \
     .whole = true}
#define SWQ_PARAMETER_STAGES                                                                       \
    {.name = "stages",                                                                             \
     .summary = "of the network",                                                                  \
     .least = 1,                                                                                   \
     .most = 64,                                                                                   \
     .usual = NAN,                                                                                 \
     .whole = true}

#endif
