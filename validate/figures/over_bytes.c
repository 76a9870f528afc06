/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Saturation throughput over memory: what Figs. 6.4 and 6.5 of Frazier (1995) share.
 * Room: validate.
 */
#include "validate/figures/over_bytes.h"

#include <math.h>
#include <stdio.h>

enum { NUMBER = 24 };

const double figure_bytes_x[FIGURE_BYTES_XS] = {64,  96,  128, 192,  256,  384,  512,
                                                640, 768, 896, 1024, 1280, 1536, 2048};

#define CURVES(panel, first)                                                                       \
    {"DAMQ", panel, (first) + BYTES_DAMQ, THROUGHPUT, 3, 3, false},                                \
        {"SAMQ", panel, (first) + BYTES_SAMQ, THROUGHPUT, 1, 1, false},                            \
        {"SAFC", panel, (first) + BYTES_SAFC, THROUGHPUT, 2, 2, false},                            \
        {"DAMQ, by blocks", panel, BYTES_BLOCKS + (first) + BYTES_DAMQ, THROUGHPUT, 3, 5, true},   \
    {                                                                                              \
        "SAFC, by blocks", panel, BYTES_BLOCKS + (first) + BYTES_SAFC, THROUGHPUT, 2, 5, true      \
    }

const figure_curve_row figure_bytes_curves[FIGURE_BYTES_CURVES] = {CURVES(0, BYTES_ONE),
                                                                   CURVES(1, BYTES_64)};

static swq_estimate at(const figure_work *f, int network, double bytes)
{
    return figure_at(f, network, THROUGHPUT, bytes);
}

/* The buffer size at which SAFC rises above DAMQ for good, interpolated linearly, and DAMQ's
 * throughput there; NAN: there is no such size. first: the first of the network's rows. */
static double overtaken(const figure_work *f, int first, double *damq_there)
{
    double crossing = NAN, before = NAN, x_before = NAN, damq_before = NAN;

    *damq_there = NAN;
    for (int k = 0; k < f->plan->xs; k++) {
        double bytes = f->plan->x[k], damq = at(f, first + BYTES_DAMQ, bytes).mean;
        double lead = at(f, first + BYTES_SAFC, bytes).mean - damq;
        if (isnan(lead))
            continue;
        if (lead <= 0) {
            crossing = *damq_there = NAN;
        } else if (isnan(crossing)) {
            double share = before <= 0 ? before / (before - lead) : 1;
            crossing = isnan(before) ? bytes : x_before + share * (bytes - x_before);
            *damq_there = isnan(before) ? damq : damq_before + share * (damq - damq_before);
        }
        before = lead;
        x_before = bytes;
        damq_before = damq;
    }
    return crossing;
}

static const char *number(double crossing, char *text)
{
    if (isnan(crossing))
        return "no size of up to 2048";
    snprintf(text, NUMBER, "%.0f", crossing);
    return text;
}

void figure_claim_overtaking(figure_work *f)
{
    figure_tally t = {0};
    char text[2][NUMBER];
    double damq, crossing = overtaken(f, BYTES_64, &damq);
    double other, by_blocks = overtaken(f, BYTES_BLOCKS + BYTES_64, &other);

    for (int k = 0; k < f->plan->xs; k++) {
        double bytes = f->plan->x[k];
        swq_estimate safc = at(f, BYTES_64 + BYTES_SAFC, bytes);
        swq_estimate other_one = at(f, BYTES_64 + BYTES_DAMQ, bytes);
        if (bytes <= 512)
            figure_at_most(&t, figure_difference(safc, other_one), 0, figure_where("", bytes));
        else if (bytes == 1024)
            figure_less(&t, other_one, safc, figure_where("", bytes));
    }
    figure_claim(
        f, &t, "6.4: SAFC does not exceed DAMQ until the memory is increased to one kilobyte",
        "64x64: SAFC not above DAMQ up to 512 bytes, above at 1024, by more than the "
        "intervals",
        "neither way of freeing memory reproduces it",
        "SAFC comes to lie above at %s bytes; freed block by block at %s; at 1024 DAMQ %.4f, "
        "SAFC %.4f (%.4f, %.4f)",
        number(crossing, text[0]), number(by_blocks, text[1]),
        at(f, BYTES_64 + BYTES_DAMQ, 1024).mean, at(f, BYTES_64 + BYTES_SAFC, 1024).mean,
        at(f, BYTES_BLOCKS + BYTES_64 + BYTES_DAMQ, 1024).mean,
        at(f, BYTES_BLOCKS + BYTES_64 + BYTES_SAFC, 1024).mean);
}

void figure_claim_bytes(figure_work *f, double asymptote)
{
    static const char *const name[] = {"DAMQ", "SAMQ", "SAFC"};
    figure_tally bound = {0}, near = {0}, small = {0}, late = {0};
    const double most = f->plan->x[f->plan->xs - 1], least = 128;
    char text[2][NUMBER];
    double damq[2], crossing[2] = {overtaken(f, BYTES_ONE, &damq[0]),
                                   overtaken(f, BYTES_BLOCKS + BYTES_ONE, &damq[1])};

    for (int n = 0; n < f->plan->networks; n++) {
        for (int k = 0; k < f->plan->xs; k++)
            figure_at_most(&bound, at(f, n, f->plan->x[k]), asymptote,
                           figure_where(name[n % BYTES_BUFFERS], f->plan->x[k]));
    }
    for (int b = 0; b < BYTES_BUFFERS; b++)
        figure_same(&near, at(f, BYTES_ONE + b, most), (swq_estimate){asymptote, 0}, 0.03, 0,
                    figure_where(name[b], most));
    for (int first = BYTES_ONE; first <= BYTES_64; first += BYTES_64) {
        figure_less(&small, at(f, first + BYTES_SAMQ, least), at(f, first + BYTES_DAMQ, least),
                    figure_where(first ? "64x64 SAMQ" : "4x4 SAMQ", least));
        figure_less(&small, at(f, first + BYTES_SAFC, least), at(f, first + BYTES_DAMQ, least),
                    figure_where(first ? "64x64 SAFC" : "4x4 SAFC", least));
    }
    for (int k = 0; k < 2; k++) { /* never: use the largest memory */
        if (isnan(crossing[k]))
            damq[k] = at(f, BYTES_BLOCKS * k + BYTES_ONE + BYTES_DAMQ, most).mean;
    }
    figure_at_least(&late, (swq_estimate){damq[0], 0}, 0.95 * asymptote, figure_where("", damq[0]));
    figure_claim(f, &bound, "6.2.4: no throughput exceeds bytes over bytes and rest",
                 "the interval's upper end lies at or below it", NULL, "asymptote %.4f", asymptote);
    figure_claim(f, &near, "6.2.4: the 4x4 switch's throughput approaches its asymptote",
                 "at the largest memory: within 3% of it", NULL,
                 "%.0f bytes: DAMQ %.4f, SAMQ %.4f, SAFC %.4f; asymptote %.4f", most,
                 at(f, BYTES_DAMQ, most).mean, at(f, BYTES_SAMQ, most).mean,
                 at(f, BYTES_SAFC, most).mean, asymptote);
    figure_claim(f, &small, "6.2.4: with little memory DAMQ has the highest throughput",
                 "at 128 bytes: the 95% intervals do not overlap, SAMQ and SAFC below DAMQ", NULL,
                 "4x4: DAMQ %.4f, SAMQ %.4f, SAFC %.4f (block by block %.4f, %.4f, %.4f); 64x64: "
                 "%.4f, %.4f, %.4f (%.4f, %.4f, %.4f)",
                 at(f, 0, least).mean, at(f, 1, least).mean, at(f, 2, least).mean,
                 at(f, 6, least).mean, at(f, 7, least).mean, at(f, 8, least).mean,
                 at(f, 3, least).mean, at(f, 4, least).mean, at(f, 5, least).mean,
                 at(f, 9, least).mean, at(f, 10, least).mean, at(f, 11, least).mean);
    figure_claim(
        f, &late,
        "6.2.4: the 4x4 switch's throughput approaches its asymptote before SAFC overtakes "
        "DAMQ",
        "where SAFC overtakes DAMQ, or at the largest memory if it never does, DAMQ "
        "has at least 95% of the asymptote",
        NULL, "at %s bytes, %.1f%%; freed block by block at %s bytes, %.1f%%",
        number(crossing[0], text[0]), 100 * damq[0] / asymptote, number(crossing[1], text[1]),
        100 * damq[1] / asymptote);
}
