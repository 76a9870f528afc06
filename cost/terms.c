/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of the terms that a designer may change.
 */
#include "base/context.h"
#include "base/names.h"
#include "switchq/cost.h"

#include <stddef.h>

/* As remembered, not looked up: prices of 40 Gbit/s InfiniBand, and cables between racks. */
#define ROUTER "Besta and Hoefler (2014), as remembered: a fit of prices of InfiniBand switches"
#define CABLE  "Besta and Hoefler (2014), as remembered: a fit of prices of cables for 40 Gbit/s"
#define LAYOUT "Besta and Hoefler (2014), as remembered: racks of a square metre"

#define AT(member) offsetof(swq_cost_terms, member)

const swq_cost_term swq_cost_term_rows[] = {
    {.name = "link-bits",
     .summary = "bits that a link carries at once, times --flit",
     .source = "Frazier (1995), 7.2.1: as wide as the memory array",
     .usual = 8,
     .least = 1,
     .most = 4096,
     .whole = true,
     .offset = AT(link_bits)},
    {.name = "header-bits",
     .summary = "bits of a header register",
     .source = "Frazier (1995), 7.1.3: a header is a byte",
     .usual = 8,
     .least = 1,
     .most = 4096,
     .whole = true,
     .offset = AT(header_bits)},
    {.name = "slot-bytes",
     .summary = "networks in stage cycles: bytes of a packet slot",
     .source = "Frazier (1995), 7.1: the longest packet",
     .usual = 32,
     .least = 1,
     .most = 16384,
     .whole = true,
     .offset = AT(slot_bytes)},
    {.name = "block-bytes",
     .summary = "networks in stage cycles: bytes of a block, of which a slot has whole ones",
     .source = "Frazier (1995), 7.1",
     .usual = 8,
     .least = 1,
     .most = 16384,
     .whole = true,
     .offset = AT(block_bytes)},
    {.name = "register-cells",
     .summary = "area of a register's bit, in cells of the memory array",
     .source = "from Frazier (1995), 7.2.4: a DAMQ buffer of 96 bytes takes about the area of a "
               "FIFO of 128; 256 cells for 215 bits more of registers",
     .usual = 256.0 / 215,
     .least = 0,
     .most = 1e6,
     .offset = AT(register_cells)},
    {.name = "cam-cells",
     .summary = "area of a bit that is searched by content",
     .source = "assumed: the documents say \"significantly\" larger (Frazier, 8.6.3)",
     .usual = 2,
     .least = 0,
     .most = 1e6,
     .offset = AT(cam_cells)},
    {.name = "crosspoint-cells",
     .summary = "area of a crosspoint of a bit",
     .source = "assumed: no document says",
     .usual = 1,
     .least = 0,
     .most = 1e6,
     .offset = AT(crosspoint_cells)},
    {.name = "port-cells",
     .summary = "area that a third or further port adds to a bit of memory",
     .source = "from Frazier (1995), Figure 7.6: two of the cell's eight transistors are one "
               "port's",
     .usual = 0.25,
     .least = 0,
     .most = 1e6,
     .offset = AT(port_cells)},
    {.name = "switch-base",
     .summary = "networks: dollars of a switch without ports (a sum below 0 counts as 0)",
     .source = ROUTER,
     .usual = -892.3,
     .least = -1e+09,
     .most = 1e+09,
     .offset = AT(switch_base)},
    {.name = "switch-port",
     .summary = "networks: dollars of each port of a switch that is in use",
     .source = ROUTER,
     .usual = 350.4,
     .least = 0,
     .most = 1e+09,
     .offset = AT(switch_port)},
    {.name = "electric-base",
     .summary = "networks: dollars per Gbit/s of an electric cable, whatever its length",
     .source = CABLE,
     .usual = 0.5771,
     .least = 0,
     .most = 1e+06,
     .offset = AT(electric_base)},
    {.name = "electric-metre",
     .summary = "networks: dollars per Gbit/s of each metre of an electric cable",
     .source = CABLE,
     .usual = 0.4079,
     .least = 0,
     .most = 1e+06,
     .offset = AT(electric_metre)},
    {.name = "optic-base",
     .summary = "networks: dollars per Gbit/s of an optical cable, whatever its length",
     .source = CABLE,
     .usual = 2.7452,
     .least = 0,
     .most = 1e+06,
     .offset = AT(optic_base)},
    {.name = "optic-metre",
     .summary = "networks: dollars per Gbit/s of each metre of an optical cable",
     .source = CABLE,
     .usual = 0.0919,
     .least = 0,
     .most = 1e+06,
     .offset = AT(optic_metre)},
    {.name = "link-gbps",
     .summary = "networks: Gbit/s of a link",
     .source = CABLE,
     .usual = 40,
     .least = 0.001,
     .most = 1e+06,
     .offset = AT(link_gbps)},
    {.name = "rack-ports",
     .summary = "networks: ports of switches for which a rack has room",
     .source = "assumed: 16 switches of 32 ports",
     .usual = 512,
     .least = 1,
     .most = 1e+09,
     .offset = AT(rack_ports)},
    {.name = "rack-metres",
     .summary = "networks: metres of a cable inside a rack",
     .source = LAYOUT,
     .usual = 1,
     .least = 0,
     .most = 10000,
     .offset = AT(rack_metres)},
    {.name = "pitch-metres",
     .summary = "networks: metres from a rack to the next one, in its row or in the next row",
     .source = LAYOUT,
     .usual = 1,
     .least = 0,
     .most = 10000,
     .offset = AT(pitch_metres)},
    {.name = "leave-metres",
     .summary = "networks: metres that a cable between racks has besides",
     .source = LAYOUT,
     .usual = 2,
     .least = 0,
     .most = 10000,
     .offset = AT(leave_metres)},
    {.name = NULL},
};

static double *term_of(swq_cost_terms *terms, const swq_cost_term *row)
{
    return (double *)(void *)((char *)terms + row->offset);
}

swq_cost_terms swq_cost_terms_defaults(void)
{
    swq_cost_terms terms = {0};

    for (const swq_cost_term *row = swq_cost_term_rows; row->name; row++)
        *term_of(&terms, row) = row->usual;
    return terms;
}

swq_status swq_cost_term_set(swq_context *ctx, swq_cost_terms *terms, const char *name,
                             double value)
{
    const void *rows[sizeof swq_cost_term_rows / sizeof *swq_cost_term_rows];
    int k = 0;

    for (; swq_cost_term_rows[k].name; k++)
        rows[k] = &swq_cost_term_rows[k];
    rows[k] = NULL;
    const swq_cost_term *row = swq_name_lookup(ctx, "term", name, rows);
    if (!row)
        return SWQ_EINVAL;
    if (!(value >= row->least && value <= row->most) ||
        (row->whole && value != (double)(long)value))
        return swq_fail(ctx, SWQ_EINVAL, "the term %s must be a%s number from %g to %g, not %g",
                        row->name, row->whole ? " whole" : "", row->least, row->most, value);
    *term_of(terms, row) = value;
    return SWQ_OK;
}
