/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waveforms: the chip's registers as a value change dump, which GTKWave and similar programs open.
 */
#include "cli/chip/chip.h"

#include "base/context.h"
#include "cli/options/parse.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NANOSECONDS = 20, PINS = 5, MOST_SIGNALS = 200 };

swq_status cli_waves_open(swq_context *ctx, const char *path, cli_waves *waves)
{
    *waves = (cli_waves){0};
    waves->last = calloc(MOST_SIGNALS, sizeof *waves->last);
    if (!waves->last)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for --waves");
    swq_status status = cli_outfile_open(ctx, path, &waves->file);
    if (status) {
        free(waves->last);
        waves->last = NULL;
    }
    return status;
}

/* The name of signal k, its number of bits and its value. Signals
 * visible from outside come first, then the registers. */
static const char *signal_of(const swq_chip *chip, const swq_chip_in *in, const swq_chip_out *out,
                             int k, int *bits, uint32_t *value)
{
    static const char *const pins[PINS] = {"link_valid", "link", "crossbar_valid", "crossbar",
                                           "requests"};
    const uint32_t now[PINS] = {in->valid, in->byte, out->valid, out->byte, out->requests};

    if (k >= PINS)
        return swq_chip_signal(chip, k - PINS, bits, value);
    *bits = k % 2 || k == 4 ? 8 : 1;
    *value = now[k];
    return pins[k];
}

/* "!", "\"", ... "!!": a short name for each signal. */
static void short_name(int k, char name[3])
{
    name[0] = (char)('!' + k % 94);
    name[1] = (char)(k < 94 ? '\0' : '!' + k / 94 - 1);
    name[2] = '\0';
}

static void begin(cli_waves *w, const swq_chip *chip, const swq_chip_in *in,
                  const swq_chip_out *out)
{
    FILE *f = w->file.stream;
    char name[3];
    int bits, pointers = 0, headers = 0;
    uint32_t value;

    w->signals = PINS + swq_chip_signals(chip);
    fprintf(f, "$timescale 1 ns $end\n$scope module chip $end\n");
    for (int k = 0; k < w->signals; k++) {
        const char *full = signal_of(chip, in, out, k, &bits, &value);
        short_name(k, name);
        if (strcmp(full, "pointer") == 0) /* one for each block */
            fprintf(f, "$var reg %d %s %s%d $end\n", bits, name, full, ++pointers);
        else if (strcmp(full, "header") == 0)
            fprintf(f, "$var reg %d %s %s%d $end\n", bits, name, full, ++headers);
        else
            fprintf(f, "$var reg %d %s %s $end\n", bits, name, full);
        w->last[k] = UINT32_MAX;
    }
    fprintf(f, "$upscope $end\n$enddefinitions $end\n");
}

static void write_value(FILE *f, int bits, uint32_t value, const char *name)
{
    if (bits == 1) {
        fprintf(f, "%u%s\n", value & 1, name);
        return;
    }
    fputc('b', f);
    for (int b = bits - 1; b >= 0; b--)
        fputc('0' + (int)(value >> b & 1), f);
    fprintf(f, " %s\n", name);
}

void cli_waves_cycle(cli_waves *w, uint64_t cycle, const swq_chip *chip, const swq_chip_in *in,
                     const swq_chip_out *out)
{
    char name[3];
    int bits;
    uint32_t value;

    if (w->signals == 0)
        begin(w, chip, in, out);
    fprintf(w->file.stream, "#%" PRIu64 "\n", cycle * NANOSECONDS);
    for (int k = 0; k < w->signals; k++) {
        signal_of(chip, in, out, k, &bits, &value);
        if (value == w->last[k])
            continue;
        w->last[k] = value;
        short_name(k, name);
        write_value(w->file.stream, bits, value, name);
    }
}

swq_status cli_waves_close(swq_context *ctx, cli_waves *w, bool keep)
{
    swq_status status = SWQ_OK;

    if (!w->last)
        return SWQ_OK;
    if (keep)
        status = swq_outfile_commit(ctx, &w->file);
    else
        swq_outfile_abort(ctx, &w->file);
    free(w->last);
    w->last = NULL;
    return status;
}
