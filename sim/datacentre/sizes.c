/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See sizes.h.
 */
#include "sim/datacentre/sizes.h"

#include "base/context.h"
#include "base/lines.h"
#include "base/names.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

enum { MOST_POINTS = 100000, FIRST_POINTS = 32 };
#define MOST_BYTES 1e15

/* ---- reading ---- */

/* The point before, if it is not the first, is point[-1]. */
static swq_status read_point(swq_lines *l, bool first, swq_flow_size_point *point)
{
    swq_flow_size_point p;
    swq_status status = swq_lines_number(l, "the size in bytes", &p.bytes, NULL);

    if (!status)
        status = swq_lines_number(l, "the cumulative share", &p.share, NULL);
    if (!status)
        status = swq_lines_end(l);
    if (status)
        return status;
    if (p.bytes < 0 || p.bytes > MOST_BYTES)
        return swq_lines_fail(l, "the size must be from 0 to 1e15 bytes, not %.15g", p.bytes);
    *point = p;
    if (first)
        return p.share == 0 ? SWQ_OK
                            : swq_lines_fail(
                                  l, "the cumulative shares must begin with 0, not %.15g", p.share);
    const swq_flow_size_point *before = point - 1;
    if (p.bytes < before->bytes)
        return swq_lines_fail(l,
                              "the size must be at least that of the line before, %.15g, not %.15g",
                              before->bytes, p.bytes);
    if (p.share < before->share || p.share > 100)
        return swq_lines_fail(l, "the cumulative share must be from %.15g to 100, not %.15g",
                              before->share, p.share);
    return SWQ_OK;
}

static swq_status read_points(swq_lines *l, swq_flow_sizes *s)
{
    int room = 0;
    bool more = false;
    swq_status status;

    while (!(status = swq_lines_next_but(l, '#', &more)) && more) {
        if (s->points == MOST_POINTS)
            return swq_lines_fail(l, "there are more than %d points", (int)MOST_POINTS);
        if (s->points == room) {
            room = room ? 2 * room : FIRST_POINTS;
            if (!swq_resize_array(l->ctx, &s->own, room, sizeof *s->own))
                return swq_memory_status(l->ctx);
        }
        status = read_point(l, s->points == 0, &s->own[s->points]);
        if (status)
            return status;
        s->points++;
    }
    return status;
}

/* Shares in percent become fractions. */
static swq_status finish(swq_context *ctx, const char *path, swq_flow_sizes *s)
{
    const double last = s->points ? s->own[s->points - 1].share : 0;

    if (s->points < 2 || (last != 1 && last != 100))
        return swq_fail(
            ctx, SWQ_EINVAL,
            "'%.120s': the cumulative shares must go from 0 to 1, or to 100, and end at "
            "%.15g",
            path, last);
    if (s->own[s->points - 1].bytes < 1)
        return swq_fail(ctx, SWQ_EINVAL, "'%.120s': the largest size must be at least 1 byte",
                        path);
    for (int k = 0; k < s->points; k++)
        s->own[k].share /= last;
    s->point = s->own;
    return SWQ_OK;
}

static swq_status read_file(swq_context *ctx, const char *path, swq_flow_sizes *sizes)
{
    swq_lines lines = {0};
    swq_flow_sizes s = {0};
    swq_status status = swq_lines_open(ctx, path, &lines, NULL);

    if (!status)
        status = read_points(&lines, &s);
    swq_lines_close(&lines);
    if (!status)
        status = finish(ctx, path, &s);
    if (status)
        swq_free(ctx, s.own);
    else
        *sizes = s;
    return status;
}

/* All flows have the same size: a jump from 0 to 1. */
static swq_status read_size(swq_context *ctx, const char *what, const char *text,
                            swq_flow_sizes *sizes)
{
    uint64_t bytes;
    swq_status status =
        swq_units_read(ctx, what, SWQ_UNITS_SIZE, text, 1, (uint64_t)MOST_BYTES, &bytes);

    if (status)
        return status;
    swq_flow_size_point *p = swq_calloc(ctx, 2, sizeof *p);
    if (!p)
        return swq_memory_status(ctx);
    p[0] = (swq_flow_size_point){(double)bytes, 0};
    p[1] = (swq_flow_size_point){(double)bytes, 1};
    *sizes = (swq_flow_sizes){2, p, p};
    return SWQ_OK;
}

swq_status swq_flow_sizes_read(swq_context *ctx, const char *what, const char *text,
                               swq_flow_sizes *sizes)
{
    if (strncmp(text, "file:", 5) == 0)
        return read_file(ctx, text + 5, sizes);
    if (text[0] >= '0' && text[0] <= '9')
        return read_size(ctx, what, text, sizes);
    const swq_flow_size_row *row =
        swq_name_lookup(ctx, what, text, (const void *const *)swq_flow_size_rows);
    if (!row)
        return SWQ_EINVAL;
    *sizes = (swq_flow_sizes){row->points, row->point, NULL};
    return SWQ_OK;
}

void swq_flow_sizes_clear(swq_context *ctx, swq_flow_sizes *s)
{
    swq_free(ctx, s->own);
    *s = (swq_flow_sizes){0};
}

/* ---- what a distribution is like ---- */

/* The share of flows between points k and k + 1. */
static double between(const swq_flow_sizes *s, int k)
{
    return s->point[k + 1].share - s->point[k].share;
}

double swq_flow_sizes_mean(const swq_flow_sizes *s)
{
    double sum = 0;

    for (int k = 0; k + 1 < s->points; k++)
        sum += between(s, k) * (s->point[k].bytes + s->point[k + 1].bytes) / 2;
    return sum;
}

double swq_flow_sizes_square(const swq_flow_sizes *s)
{
    double sum = 0;

    for (int k = 0; k + 1 < s->points; k++) {
        const double a = s->point[k].bytes, b = s->point[k + 1].bytes;
        sum += between(s, k) * (a * a + a * b + b * b) / 3;
    }
    return sum;
}

double swq_flow_sizes_share(const swq_flow_sizes *s, double bytes)
{
    const swq_flow_size_point *p = s->point;
    int k = 0;

    if (bytes < p[0].bytes)
        return 0;
    while (k + 1 < s->points && p[k + 1].bytes <= bytes)
        k++;
    if (k + 1 == s->points)
        return 1;
    return p[k].share + between(s, k) * (bytes - p[k].bytes) / (p[k + 1].bytes - p[k].bytes);
}

double swq_flow_sizes_carried(const swq_flow_sizes *s, double bytes)
{
    const swq_flow_size_point *p = s->point;
    double sum = 0;

    for (int k = 0; k + 1 < s->points && p[k].bytes <= bytes; k++) {
        const double end = fmin(bytes, p[k + 1].bytes), all = p[k + 1].bytes - p[k].bytes;
        const double part = all > 0 ? (end - p[k].bytes) / all : 1;
        sum += between(s, k) * part * (p[k].bytes + end) / 2;
    }
    return sum / swq_flow_sizes_mean(s);
}

double swq_flow_sizes_quantile(const swq_flow_sizes *s, double share)
{
    const swq_flow_size_point *p = s->point;
    int low = 0, high = s->points - 1; /* p[low].share <= share < p[high].share */

    if (share >= 1) { /* the first point that has all flows */
        while (p[high - 1].share >= 1)
            high--;
        return p[high].bytes;
    }
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (p[middle].share <= share)
            low = middle;
        else
            high = middle;
    }
    return p[low].bytes +
           (p[high].bytes - p[low].bytes) * ((share - p[low].share) / between(s, low));
}

static uint64_t whole(double bytes)
{
    return bytes < 1 ? 1 : (uint64_t)(bytes + 0.5);
}

uint64_t swq_flow_sizes_least(const swq_flow_sizes *s)
{
    return whole(swq_flow_sizes_quantile(s, 0));
}

uint64_t swq_flow_sizes_most(const swq_flow_sizes *s)
{
    return whole(swq_flow_sizes_quantile(s, 1));
}

uint64_t swq_flow_sizes_draw(const swq_flow_sizes *s, uint64_t word)
{
    return whole(swq_flow_sizes_quantile(s, (double)(word >> 11) * 0x1p-53));
}
