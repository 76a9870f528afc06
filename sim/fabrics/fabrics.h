/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of this folder. An output or an input port, or a class at one, counts as
 * used once it has its level, or its output.
 */
#ifndef SWQ_SIM_FABRICS_H
#define SWQ_SIM_FABRICS_H

#include "base/port_set.h"
#include "switchq/fabric.h"

enum {
    SWQ_UNUSED = 255, /* a level, or the output of a class */
    /* ports of a router of the kinds in which packets have one output, whose numbers are bytes */
    SWQ_MOST_ROUTER_PORTS = 256,
    SWQ_MOST_TABLE_PORTS =
        SWQ_MAX_WORM_PORTS,         /* where outputs are in tables, and one value is none */
    SWQ_MOST_ROUTER_NODES = 1 << 24 /* nodes of a network */
};

/* swq_fabric_kind.level_name of fabrics whose levels are the dimensions and, last, the host
 * links. */
void swq_fabric_dimension_name(const swq_fabric *fabric, int level, char *text, size_t size);

/* swq_fabric_kind.direction_name of the same. */
void swq_fabric_dimension_of_port(const swq_fabric *fabric, uint32_t port, char *text, size_t size);

/* Refuses parameters that a shape sets and its row does not have, and its own sizes that are out of
 * range. */
swq_status swq_shape_check_parameters(swq_context *ctx, const swq_shape *shape);

/* Number of the first port of a switch. */
static inline uint32_t swq_first_port(const swq_fabric *fabric, uint32_t which)
{
    return which * (uint32_t)fabric->ports;
}

/* The output of a class at an input port: of the kinds whose classes are outputs, the class. */
static inline int swq_output_of(const swq_fabric *fabric, uint32_t port, int class)
{
    return fabric->shape.kind->classes_are_outputs
               ? class
               : fabric->output[(size_t)port * (size_t)fabric->classes + (size_t) class];
}

/* The outputs of the classes of an input port: [classes]. */
static inline uint8_t *swq_outputs_of(const swq_fabric *fabric, uint32_t port)
{
    return fabric->output + (size_t)port * (size_t)fabric->classes;
}

/* The output of the deterministic way, where packets have a choice; and the escape class of a
 * packet that enters a port on this way. */
static inline int swq_first_output(const swq_fabric *f, uint32_t port, uint32_t from, uint32_t to)
{
    const swq_fabric_kind *kind = f->shape.kind;

    return (kind->first ? kind->first : kind->route)(f, port, from, to);
}

static inline int swq_escape_class(const swq_fabric *f, uint32_t port, uint32_t from, uint32_t to)
{
    return f->shape.kind->escape ? f->shape.kind->escape(f, port, from, to) : 0;
}

/* The set of outputs at a switch for a column of the table of ways. */
static inline swq_port_set *swq_ways_of(const swq_fabric *fabric, uint32_t at, uint32_t column)
{
    const size_t entry = (size_t)at * fabric->way_columns + column;

    return fabric->ways + entry * (size_t)fabric->set_words;
}

/* Adaptive routing: the set of outputs of a class at an input port. */
static inline swq_port_set *swq_set_of(const swq_fabric *fabric, uint32_t port, int class)
{
    const size_t at = (size_t)port * (size_t)fabric->classes + (size_t) class;

    return fabric->outputs + at * (size_t)fabric->set_words;
}

#endif
