/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of topologies of data centres.
 */
#include "sim/datacentre/topologies.h"

#include <string.h>

static const swq_dc_topology *const rows[] = {&dc_one_switch.row, &dc_leaf_spine.row,
                                              &dc_fat_tree.row,   &dc_dumbbell.row,
                                              &dc_of_file.row,    NULL};

const swq_dc_topology *const *swq_dc_topologies(void)
{
    return rows;
}

const swq_dc_topology *swq_dc_topology_named(const char *name)
{
    int k = 0;

    while (rows[k] && strcmp(rows[k]->name, name) != 0)
        k++;
    return rows[k];
}
