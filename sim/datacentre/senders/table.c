/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of senders.
 */
#include "sim/datacentre/senders.h"

#include <string.h>

static const swq_dc_sender *const rows[] = {&dc_open.row,  &dc_window.row,   &dc_reno.row,
                                            &dc_cubic.row, &dc_dctcp.row,    &dc_delay.row,
                                            &dc_swift.row, &dc_timely.row,   &dc_dcqcn.row,
                                            &dc_hpcc.row,  &dc_powertcp.row, &dc_theta_powertcp.row,
                                            NULL};

const swq_dc_sender *const *swq_dc_senders(void)
{
    return rows;
}

const swq_dc_sender *swq_dc_sender_named(const char *name)
{
    int k = 0;

    while (rows[k] && strcmp(rows[k]->name, name) != 0)
        k++;
    return rows[k];
}
