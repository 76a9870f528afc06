/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Distributions of the sizes of flows: points of a cumulative distribution, linear between them, as
 * the scripts of ns-3 and HPCC have them. Those that are built in are data, in sizes/, with their
 * sources. A load is defined by a mean, so that every answer must print it: files of the same name
 * differ (hadoop and hadoop-hpcc by a factor of 28).
 */
#ifndef SWQ_SIM_DATACENTRE_SIZES_H
#define SWQ_SIM_DATACENTRE_SIZES_H

#include "switchq/context.h"

#include <stdint.h>

typedef struct swq_flow_size_point {
    double bytes, share; /* the share of flows of at most that many bytes, 0 to 1 */
} swq_flow_size_point;

/* A distribution that is built in. */
typedef struct swq_flow_size_row {
    const char *name, *summary, *source;
    double mean; /* as its file states it; tests compare */
    int points;
    const swq_flow_size_point *point;
} swq_flow_size_row;

extern const swq_flow_size_row *const swq_flow_size_rows[]; /* ended by NULL */

/* A distribution; zero before it is read. The shares begin with 0 and end with 1, and neither they
 * nor the bytes decrease; points of the same bytes are a jump. */
typedef struct swq_flow_sizes {
    int points; /* at least 2 */
    const swq_flow_size_point *point;
    swq_flow_size_point *own; /* `point`, if it is to be freed; else NULL */
} swq_flow_sizes;

/* Reads the words of an option: the NAME of a row; file:PATH, a text file with lines of bytes and
 * cumulative share, which ends at 1 or, in percent, at 100, and where # begins a comment; or a size
 * such as 20KB, which all flows have. `what` is how messages name it. Errors: SWQ_EINVAL naming
 * `what`, or file and line; SWQ_EIO; SWQ_ECANCELLED; SWQ_ENOMEM; SWQ_ELIMIT; *sizes stays zero. */
swq_status swq_flow_sizes_read(swq_context *ctx, const char *what, const char *text,
                               swq_flow_sizes *sizes);
void swq_flow_sizes_clear(swq_context *ctx, swq_flow_sizes *sizes);

/* The mean, in bytes, and the mean of the squares, of the piecewise linear distribution. Drawn
 * sizes have this mean but for sizes below half a byte, which count as 1 byte. O(points). */
double swq_flow_sizes_mean(const swq_flow_sizes *sizes);
double swq_flow_sizes_square(const swq_flow_sizes *sizes);

/* The size below which a share (0 to 1) of the flows is. O(log points). */
double swq_flow_sizes_quantile(const swq_flow_sizes *sizes, double share);

/* The share of flows of at most that many bytes, and the share of all bytes that these flows
 * carry. O(points). */
double swq_flow_sizes_share(const swq_flow_sizes *sizes, double bytes);
double swq_flow_sizes_carried(const swq_flow_sizes *sizes, double bytes);

/* The smallest and largest size that can be drawn, in bytes. */
uint64_t swq_flow_sizes_least(const swq_flow_sizes *sizes);
uint64_t swq_flow_sizes_most(const swq_flow_sizes *sizes);

/* The size, at least 1 byte, that a random word stands for: the quantile at word / 2^64, to the
 * nearest byte. Monotone in `word`. */
uint64_t swq_flow_sizes_draw(const swq_flow_sizes *sizes, uint64_t word);

#endif
