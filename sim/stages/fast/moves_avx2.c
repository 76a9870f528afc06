/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fast engine's moves for x86-64 machines with AVX2; the Makefile gives this file the compiler
 * flags.
 */
#ifdef __AVX2__
#define TABLE swq_moves_avx2
#include "sim/stages/fast/moves_instances.h"
#else
typedef int no_avx2; /* a translation unit must not be empty */
#endif
