/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names in fabrics whose levels are dimensions and, last, host links.
 */
#include "sim/fabrics/fabrics.h"

#include <stdio.h>

void swq_fabric_dimension_name(const swq_fabric *fabric, int level, char *text, size_t size)
{
    if (level < fabric->shape.dims)
        snprintf(text, size, "dimension %d", level + 1);
    else
        snprintf(text, size, "hosts");
}

/* Ports of even number lead up, where links lead both ways. */
void swq_fabric_dimension_of_port(const swq_fabric *f, uint32_t port, char *text, size_t size)
{
    const int p = (int)(port % (uint32_t)f->ports), level = f->in_level[port];

    if (level == f->shape.dims)
        snprintf(text, size, "host");
    else if (f->shape.one_way || !f->shape.kind->grid)
        snprintf(text, size, "dimension %d", level + 1);
    else
        snprintf(text, size, "dimension %d %s", level + 1, p % 2 ? "down" : "up");
}
