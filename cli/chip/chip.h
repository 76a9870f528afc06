/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of switchq chip share.
 */
#ifndef SWQ_CLI_CHIP_H
#define SWQ_CLI_CHIP_H

#include "base/outfile.h"
#include "cli/options/options.h"
#include "switchq/chip.h"

/* A waveform file (VCD, IEEE 1364) being written: every register, in each cycle in which it
 * changes. A cycle takes 20 ns, as on the chip. */
typedef struct cli_waves {
    swq_outfile file;
    uint32_t *last; /* [signals] */
    int signals;
} cli_waves;

/* Begins a file of waveforms (VCD) at `path`. Errors: SWQ_EIO, SWQ_ENOMEM. */
swq_status cli_waves_open(swq_context *ctx, const char *path, cli_waves *waves);

/* Writes the signals that changed in a cycle. */
void cli_waves_cycle(cli_waves *waves, uint64_t cycle, const swq_chip *chip, const swq_chip_in *in,
                     const swq_chip_out *out);

/* Completes the file or, with `keep` false, removes it. Errors: SWQ_EIO. */
swq_status cli_waves_close(swq_context *ctx, cli_waves *waves, bool keep);

/* All parameters of the command. */
extern struct poptOption cli_chip_parameters[];

#endif
