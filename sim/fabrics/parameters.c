/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parameters of shapes: which fabrics have one, and the refusal of one that the fabric of a shape
 * does not have.
 */
#include "base/context.h"
#include "sim/fabrics/fabrics.h"

#include <stdio.h>
#include <string.h>

const char *swq_shape_name(const swq_shape *shape)
{
    return shape->wiring ? shape->wiring->name : shape->kind->name;
}

/* Writes which fabrics have a parameter, for messages: "topologies torus, mesh and hypercube". At
 * least one fabric must have it. */
static void owners(swq_shape_parameter parameter, char *text, size_t size)
{
    const bool staged = swq_fabric_multistage.parameters & parameter;
    size_t used = (size_t)snprintf(text, size, "%s", staged ? "multistage networks" : "topolog");
    int left = 0;

    for (int k = 0; swq_fabric_kinds[k]; k++)
        left += (swq_fabric_kinds[k]->parameters & parameter) != 0;
    if (!staged)
        used += (size_t)snprintf(text + used, size - used, left > 1 ? "ies " : "y ");
    for (int k = 0; swq_fabric_kinds[k] && used < size; k++) {
        const swq_fabric_kind *row = swq_fabric_kinds[k];
        if (!(row->parameters & parameter))
            continue;
        left--;
        if (row != &swq_fabric_multistage)
            used += (size_t)snprintf(text + used, size - used, "%s%s", row->name,
                                     left == 1  ? " and "
                                     : left > 1 ? ", "
                                                : "");
    }
}

swq_status swq_shape_must_have(swq_context *ctx, const swq_shape *shape,
                               swq_shape_parameter parameter, const char *name)
{
    char text[200];

    if (shape->kind->parameters & parameter)
        return SWQ_OK;
    owners(parameter, text, sizeof text);
    return swq_fail(ctx, SWQ_EINVAL, "%s is for %s, not for %s", name, text, swq_shape_name(shape));
}

/* The sizes of a row are in their range, and those behind its last are zero. */
static swq_status check_sizes(swq_context *ctx, const swq_shape *shape)
{
    const swq_fabric_size *row = shape->kind->sizes;

    for (int k = 0; k < SWQ_MAX_SIZES; k++) {
        if (!row || !row->name) {
            if (shape->size[k])
                return swq_fail(ctx, SWQ_EINVAL, "size %d must be 0 for topology %s, not %d", k + 1,
                                swq_shape_name(shape), shape->size[k]);
            continue;
        }
        int most = row->most;
        for (int word = 0; row->words && row->words[word]; word++)
            most = word;
        const bool normal = shape->size[k] == 0 && !row->needed;
        if (!normal && (shape->size[k] < row->least || shape->size[k] > most))
            return swq_fail(ctx, SWQ_EINVAL, "%s of topology %s must be %d to %d, not %d",
                            row->name, swq_shape_name(shape), row->least, most, shape->size[k]);
        row++;
    }
    return SWQ_OK;
}

swq_status swq_shape_check_parameters(swq_context *ctx, const swq_shape *s)
{
    const bool radix = s->kind->parameters & SWQ_HAS_RADIX;
    const struct {
        swq_shape_parameter parameter;
        const char *name;
        bool set;
    } given[] = {
        {radix ? SWQ_HAS_RADIX : SWQ_HAS_PORTS, "ports", s->ports != 0},
        {SWQ_HAS_STAGES, "stages", s->stages != 0},
        {SWQ_HAS_DIMS, "dims", s->dims != 0},
        {SWQ_HAS_LEVELS, "levels", s->levels != 0},
        {SWQ_HAS_UP_PORTS, "up_ports", s->up_ports != 0},
        {SWQ_HAS_ONE_WAY, "one_way", s->one_way},
        {SWQ_HAS_CHAINED, "chained", s->chained},
    };
    swq_status status = SWQ_OK;

    for (size_t k = 0; k < sizeof given / sizeof *given && !status; k++) {
        if (given[k].set)
            status = swq_shape_must_have(ctx, s, given[k].parameter, given[k].name);
    }
    return status ? status : check_sizes(ctx, s);
}
