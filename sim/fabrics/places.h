/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names for the places of a network, for people.
 */
#ifndef SWQ_SIM_PLACES_H
#define SWQ_SIM_PLACES_H

#include "switchq/fabric.h"

/* What it takes to name the places of a network in its details. */
typedef struct swq_map {
    const swq_shape *shape;
    const swq_fabric *fabric; /* laid out; NULL: a multistage network, described by its wiring */
    uint32_t nodes;
} swq_map;

/* Does the link exist? Outputs at the border of a mesh have none. */
bool swq_link_exists(const swq_map *map, size_t link);

/* The ends of a link: "node 5", "stage 1, switch 2, output 3", "(1,2)". */
void swq_link_from(const swq_map *map, size_t link, char *text, size_t size);
void swq_link_to(const swq_map *map, size_t link, char *text, size_t size);

/* "sources", "stage 2", "dimension 1", "hosts". */
void swq_link_level(const swq_map *map, size_t link, char *text, size_t size);

/* ---- ports of a fabric that is laid out ---- */

/* "dimension 2 up", "host", "input 1 of stage 2". An output and the input that it leads to have the
 * same number and the same direction. */
void swq_port_words(const swq_fabric *fabric, uint32_t port, char *text, size_t size);

/* Where a packet of a class goes from an input port: "output 3", "dimension 1 up, wrapped", "host".
 * With adaptive routing this is the output that leads to input port `next`. */
void swq_class_words(const swq_fabric *fabric, uint32_t port, int class, uint32_t next, char *text,
                     size_t size);

/* "node 12 (1,1)", with its switch if it has several; "switch 3". */
void swq_place_words(const swq_fabric *fabric, uint32_t port, char *text, size_t size);

#endif
