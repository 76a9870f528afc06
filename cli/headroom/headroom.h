/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq headroom: what its files share.
 */
#ifndef SWQ_CLI_HEADROOM_H
#define SWQ_CLI_HEADROOM_H

#include "cli/options/options.h"
#include "cli/record/record.h"
#include "switchq/headroom.h"

/* A question as it is asked, and its answer. */
typedef struct cli_headroom_point {
    double rate, cable, mac_phy; /* Gb/s, m, KiB */
    int lossless_mtu, port_mtu, least_packet, cell, quanta, gearbox, gap, small_share;
    int memory_at, trigger; /* words */
    int asked;              /* bytes of --headroom; 0: none */
    swq_headroom_spec spec;
    swq_headroom answer;
    swq_sonic_headroom sonic;
} cli_headroom_point;

/* The parameters of the question. */
extern struct poptOption cli_headroom_parameters[];

/* ---- cli/headroom/show.c ---- */

/* `model`: puts the parameters into a group. */
cli_record *cli_headroom_record(const cli_headroom_point *point,
                                void (*model)(cli_record *to, const cli_headroom_point *point));

#endif
