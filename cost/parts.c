/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of a switch, and their sums.
 */
#include "cost/parts.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>

const swq_takes cost_takes = {
    .who = "the cost of a switch",
    .needs = SWQ_NEEDS(SWQ_NEED_AGES) | SWQ_NEEDS(SWQ_NEED_OPEN_PORTS) |
             SWQ_NEEDS(SWQ_NEED_OUTPUTS) | SWQ_NEEDS(SWQ_NEED_STAGES) | SWQ_NEEDS(SWQ_NEED_BYTES) |
             SWQ_NEEDS(SWQ_NEED_PUSH_OUT) | SWQ_NEEDS(SWQ_NEED_ALL_LENGTHS) |
             SWQ_NEEDS(SWQ_NEED_KEPT_WORDS) | SWQ_NEEDS(SWQ_NEED_EXPULSION) |
             SWQ_NEEDS(SWQ_NEED_ORDER),
};

const char *const swq_cost_kind_names[SWQ_COST_KINDS] = {
    "data", "pointers", "headers", "cam", "crosspoints", "wires", "requests", "node",
};

double cost_bits_for(double values)
{
    return values > 1 ? ceil(log2(values)) : 0;
}

double cost_pointer_bits(double blocks)
{
    return cost_bits_for(blocks + 1);
}

static swq_cost_part *add(cost_sum *s, swq_cost_kind kind, double amount)
{
    swq_cost *c = s->cost;

    assert(c->parts < SWQ_COST_PARTS);
    swq_cost_part *part = &c->part[c->parts++];
    part->kind = kind;
    part->amount = amount;
    return part;
}

void cost_add(cost_sum *s, swq_cost_kind kind, const char *name, double amount, const char *rule,
              const char *source)
{
    if (!(amount > 0))
        return;
    swq_cost_part *part = add(s, kind, amount);
    part->part = name;
    part->rule = rule;
    part->source = source;
}

void cost_add_data(cost_sum *s, const char *name, double bytes, int ports, const char *rule,
                   const char *source)
{
    if (!(bytes > 0))
        return;
    cost_add(s, SWQ_COST_DATA, name, bytes * s->byte_bits, rule, source);
    s->cost->part[s->cost->parts - 1].ports = ports;
}

void cost_leave_out(cost_sum *s, const char *what, const char *why)
{
    swq_cost *c = s->cost;

    assert(c->uncounted_count < SWQ_COST_UNCOUNTED);
    c->uncounted[c->uncounted_count].what = what;
    c->uncounted[c->uncounted_count++].why = why;
}

void cost_finish(cost_sum *s)
{
    swq_cost *c = s->cost;
    const swq_cost_terms *t = s->terms;

    c->area = 0;
    for (int k = 0; k < c->parts; k++) {
        const swq_cost_part *p = &c->part[k];
        c->total[p->kind] += p->amount;
        if (p->kind == SWQ_COST_DATA)
            c->area += p->amount * (1 + t->port_cells * fmax(p->ports - 2, 0));
    }
    c->area += t->register_cells * (c->total[SWQ_COST_POINTERS] + c->total[SWQ_COST_HEADERS]) +
               t->cam_cells * c->total[SWQ_COST_CAM] +
               t->crosspoint_cells * c->total[SWQ_COST_CROSSPOINTS];
    c->memory_bits = c->total[SWQ_COST_DATA] + c->total[SWQ_COST_POINTERS] +
                     c->total[SWQ_COST_HEADERS] + c->total[SWQ_COST_CAM];
    c->packet_bytes = c->total[SWQ_COST_DATA] / 8 / s->ports;
}
