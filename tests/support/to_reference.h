/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A switch's spec in the words of the brute-force reference, which knows none of the library's.
 */
#ifndef SWQ_TESTS_TO_REFERENCE_H
#define SWQ_TESTS_TO_REFERENCE_H

#include "switchq/switch.h"
#include "tests/ref/ref_switch.h"

ref_switch to_reference(const swq_switch *sw);

#endif
