/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The data path: head, tail, null and pointer registers. A step is a read of a head or tail
 * register, whose value addresses a block (phase 1), and one move (phase 2). Source: Frazier
 * (1995), 7.1.2, Figs. 7.3 and 7.4.
 */
#include "chip/chip.h"

static void note(swq_chip_out *out, swq_chip_step step, int list, uint8_t block)
{
    out->step = step;
    out->list = (uint8_t)list;
    out->block = block;
}

uint8_t swq_chip_remove(swq_chip *c, int list, uint8_t *tmp, swq_chip_out *out)
{
    swq_chip_list *l = &c->list[list];
    const uint8_t block = l->head;

    note(out, SWQ_CHIP_REMOVE, list, block);
    *tmp = block;
    l->head = c->pointer[block];
    l->null = l->head == 0;
    c->free -= list == c->lists;
    return block;
}

/* If the null register is set, no pointer register is addressed, and the head is written together
 * with the tail. */
void swq_chip_append(swq_chip *c, int list, uint8_t tmp, swq_chip_out *out)
{
    swq_chip_list *l = &c->list[list];

    note(out, SWQ_CHIP_APPEND, list, l->null ? 0 : l->tail);
    if (l->null)
        l->head = tmp;
    else
        c->pointer[l->tail] = tmp;
    l->tail = tmp;
    l->null = false;
    c->free += list == c->lists;
}

void swq_chip_terminate(swq_chip *c, int list, swq_chip_out *out)
{
    const uint8_t block = c->list[list].tail;

    note(out, SWQ_CHIP_TERMINATE, list, block);
    c->pointer[block] = 0;
}

uint8_t swq_chip_select(swq_chip *c, int list, swq_chip_out *out)
{
    note(out, SWQ_CHIP_SELECT, list, c->list[list].head);
    return c->list[list].head;
}

void swq_chip_load_header(swq_chip *c, int list, swq_chip_out *out)
{
    const uint8_t block = c->list[list].head;

    note(out, SWQ_CHIP_HEADER, list, block);
    c->bypass[list] = c->header[block];
    c->bypass_output[list] = c->output[block];
}

int swq_chip_length(const swq_chip *c, int list)
{
    const swq_chip_list *l = &c->list[list];
    int blocks = 0;

    if (l->null)
        return 0;
    for (uint8_t b = l->head; blocks++ < c->spec.blocks && b != l->tail;)
        b = c->pointer[b];
    return blocks;
}
