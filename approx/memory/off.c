/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The error of the method `shared-memory` in switches of as many ports as the one in question, or
 * of the measured numbers of ports below and above.
 */
#include "approx/memory/off.h"

#include "approx/memory/errors.h"

#include <math.h>
#include <stdio.h>

/* The measured numbers of ports next to one: both are equal if it was measured itself. */
static void neighbours(int ports, int *below, int *above)
{
    *below = 0;
    *above = 0;
    for (int k = 0; k < memory_measured_count; k++) {
        const int p = memory_measured[k].ports;
        if (p <= ports && p > *below)
            *below = p;
        if (p >= ports && (!*above || p < *above))
            *above = p;
    }
    *below = *below ? *below : *above;
    *above = *above ? *above : *below;
}

memory_span memory_span_of(int ports)
{
    memory_span s = {.least = INFINITY, .rarest = 1};

    neighbours(ports, &s.below, &s.above);
    for (int k = 0; k < memory_measured_count; k++) {
        const memory_error *e = &memory_measured[k];
        if (e->ports != s.below && e->ports != s.above)
            continue;
        s.least = fmin(s.least, e->approximated / e->loss);
        s.most = fmax(s.most, e->approximated / e->loss);
        s.rarest = fmin(s.rarest, e->loss);
        s.commonest = fmax(s.commonest, e->loss);
        s.half_width = fmax(s.half_width, e->half_width);
    }
    return s;
}

const char *memory_off(const swq_network *n, char *text, size_t size)
{
    const memory_span s = memory_span_of(n->sw.ports);
    char ports[40], known[60] = "exact chains";

    if (s.below == s.above)
        snprintf(ports, sizeof ports, "%d ports", s.below);
    else
        snprintf(ports, sizeof ports, "%d and %d ports", s.below, s.above);
    if (s.half_width > 0)
        snprintf(known, sizeof known, "%s, known to within %.0f%%",
                 s.below <= 16 ? "chains and simulations" : "simulations", 100 * s.half_width);
    snprintf(text, size,
             "with %s, the loss was %.2f to %.2f times the true one, for losses of %.1e to %.1e "
             "(against %s)",
             ports, s.least, s.most, s.rarest, s.commonest, known);
    return text;
}
