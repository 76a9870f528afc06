/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rates, times and sizes with their units, exact in whole numbers of bit/s, picoseconds and bytes.
 * No number passes through a double: 0.1us is 100,000 ps, and 0.1ps is refused.
 */
#ifndef SWQ_BASE_UNITS_H
#define SWQ_BASE_UNITS_H

#include "switchq/context.h"

#include <stdint.h>

/* What is read and printed. A number is digits with or without a decimal point; a blank may stand
 * between it and the unit. Units distinguish upper and lower case, as m and M differ. */
typedef enum swq_unit_kind {
    SWQ_UNITS_RATE, /* bit/s: bit/s, b/s or bps with k, M, G or T before it, or that letter alone;
                     * 100G, 25Gbps, 400Mb/s. All powers of 1000. A number alone is refused. */
    SWQ_UNITS_TIME, /* picoseconds: ps, ns, us, ms or s; a number alone is refused unless it is 0 */
    SWQ_UNITS_SIZE  /* bytes: a number alone, B, KB, MB, GB, TB (powers of 1000, as in papers on
                     * data-centre switches), KiB, MiB, GiB, TiB (powers of 1024), or those without
                     * B. A lower-case b would be bits, and is refused. */
} swq_unit_kind;

/* Reads a quantity that is all of the text, and from `least` to `most`. `what` is how messages name
 * it, such as "--rate". Errors: SWQ_EINVAL naming `what`, the text, and what is allowed: for
 * another form, for a number that is not whole in the unit of *value, and outside of the range;
 * *value is not touched then. */
swq_status swq_units_read(swq_context *ctx, const char *what, swq_unit_kind kind, const char *text,
                          uint64_t least, uint64_t most, uint64_t *value);

/* The value exactly, in the largest unit of which it is 1 or more: 25 Gb/s, 1.5 us, 9 KB; a size is
 * in KiB, MiB or GiB if that is shorter: 4 MiB. swq_units_read reads it back. Returns text. */
enum { SWQ_UNITS_TEXT = 40 };
const char *swq_units_text(swq_unit_kind kind, uint64_t value, char text[SWQ_UNITS_TEXT]);

/* The memory of a switch, as a size, or as a size for each port, or for each port and Gb/s of its
 * rate. */
typedef enum swq_memory_per { SWQ_PER_SWITCH, SWQ_PER_PORT, SWQ_PER_PORT_GBPS } swq_memory_per;
typedef struct swq_memory_amount {
    uint64_t numerator, denominator; /* bytes, as a fraction */
    swq_memory_per per;
} swq_memory_amount;

/* Reads SIZE, SIZE/port or SIZE/port/Gbps (or /port/Gb/s): 2MB, 256K/port, 5.12K/port/Gbps. The
 * first must be whole bytes; the other two have at most 9 decimals. Errors: SWQ_EINVAL, as
 * above. */
swq_status swq_units_memory_read(swq_context *ctx, const char *what, const char *text,
                                 swq_memory_amount *amount);

/* The bytes of a switch with that number of ports whose rates add up to `rates` bit/s, rounded down
 * to a whole byte. Errors: SWQ_EINVAL naming `what` if that is less than `least` or more than
 * `most` bytes. */
swq_status swq_units_memory_bytes(swq_context *ctx, const char *what,
                                  const swq_memory_amount *amount, uint64_t ports, uint64_t rates,
                                  uint64_t least, uint64_t most, uint64_t *bytes);

#endif
