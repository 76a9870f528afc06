/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random arbitration for x86-64 machines with AVX2; the Makefile gives this file the compiler
 * flags.
 */
#ifdef __AVX2__
#define TABLE swq_drawn_avx2
#include "sim/stages/fast/drawn_instances.h"
#else
typedef int no_avx2; /* a translation unit must not be empty */
#endif
