/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules of admission that ask for the flow of a packet. They are in the table so that their names
 * are known; no part of this program knows flows when it admits a packet, so all refuse them.
 * Sources: M. Apostolaki, L. Vanbever and M. Ghobadi, "FAB: toward flow-aware buffer sharing on
 * programmable switches" (Buffer Sizing Workshop 2019); Cisco, "Intelligent buffer management on
 * Cisco Nexus 9000 series switches" (white paper, 2017). Both rules as in the simulation program of
 * Addanki et al. (2022), which docs/admission.md describes.
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
    .summary = "intelligent buffer: a dynamic threshold, --alpha, random losses of flows beyond "
               "their fair share, a queue of its own for short flows; no engine has it",
    .source = "Cisco (2017), by the program of Addanki et al. (2022)",
    .needs = SWQ_NEEDS(SWQ_NEED_FLOWS),
    .takes = SWQ_ADMISSION_ALPHA,
    .set = set_threshold,
};
