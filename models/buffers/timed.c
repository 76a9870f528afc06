/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules of admission that packets of one size in slots cannot be asked: they look at flows, bytes
 * or times. They are in the table so that their names are known; sim --architecture shared-memory
 * has them, and all else refuses them. Sources: M. Apostolaki, L. Vanbever and M. Ghobadi, "FAB:
 * toward flow-aware buffer sharing on programmable switches" (Buffer Sizing Workshop 2019); Cisco,
 * "Intelligent buffer management on Cisco Nexus 9000 series switches" (white paper, 2017); V.
 * Addanki, W. Bai, S. Schmid and M. Apostolaki, "Reverie: low pass filter-based switch buffer
 * sharing for datacenters with RDMA and TCP traffic" (NSDI 2024). All as in the simulation programs
 * of Addanki et al., which docs/datacentre.md describes.
 */
#include "models/buffers/buffers.h"

static void set_threshold(unsigned given, int queues, swq_buffer *b)
{
    (void)queues;
    if (!(given & SWQ_ADMISSION_ALPHA))
        b->alpha = 1;
}

const swq_admission_rule swq_admission_fab = {
    .name = "fab",
    .summary = "flow-aware buffer: a dynamic threshold, --alpha, and a larger one for the first "
               "packets of a flow; only sim --architecture shared-memory knows flows",
    .source = "Apostolaki, Vanbever and Ghobadi (2019), by the program of Addanki et al. (2022)",
    .needs = SWQ_NEEDS(SWQ_NEED_FLOWS),
    .takes = SWQ_ADMISSION_ALPHA,
    .set = set_threshold,
};

const swq_admission_rule swq_admission_ib = {
    .name = "ib",
    .summary = "intelligent buffer: a dynamic threshold, --alpha, and random losses of long queues "
               "that get more than their fair rate; only sim --architecture shared-memory has it",
    .source = "Cisco (2017), by the program of Addanki et al. (2022)",
    .needs = SWQ_NEEDS(SWQ_NEED_SIZES),
    .takes = SWQ_ADMISSION_ALPHA,
    .set = set_threshold,
};

const swq_admission_rule swq_admission_reverie = {
    .name = "reverie",
    .summary = "Reverie: dynamic thresholds, --alpha, of averages that rise slowly, divided among "
               "congested queues, also for lossless classes; only sim --architecture "
               "shared-memory has it",
    .source = "Addanki, Bai, Schmid and Apostolaki (2024)",
    .needs = SWQ_NEEDS(SWQ_NEED_SIZES),
    .takes = SWQ_ADMISSION_ALPHA,
    .set = set_threshold,
};
