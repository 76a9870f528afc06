/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions of which the compiler makes a copy at every call, with the arguments known there.
 */
#ifndef SWQ_BASE_INLINE_H
#define SWQ_BASE_INLINE_H

#define SWQ_INLINE static inline __attribute__((always_inline))

#endif
