/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all writers of rules in the PRISM language need: numbers, signs, the admission rule.
 */
#include "models/export/source/source.h"

#include <stdlib.h>

const char *source_number(double value, char text[static 32])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, 32, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return text;
}

const char *source_plus(int term)
{
    return term ? " + " : "";
}

/* No m queues together hold more than their harmonic share, the packet that comes counted with
 * queue `join`: a condition for each set of queues. */
static void write_harmonic(FILE *out, const swq_buffer *b, const char *buffer, int queues, int join)
{
    int share[SOURCE_MOST_PORTS + 1] = {0}, unit = 1; /* harmonic numbers in parts of 1 / unit */

    for (int m = 2; m <= queues; m++)
        unit *= m;
    for (int m = 1; m <= queues; m++)
        share[m] = share[m - 1] + unit / m;
    for (unsigned set = 1; set < 1u << queues; set++) {
        int members = 0;
        fprintf(out, "%s(", set > 1 ? " & " : "");
        for (int q = 0; q < queues; q++) {
            if (set >> q & 1)
                fprintf(out, "%ssee%s_%d%s", source_plus(members++), buffer, q,
                        q == join ? " + 1" : "");
        }
        fprintf(out, ") * %d <= %d", share[queues], b->capacity * share[members]);
    }
    fputs(";\n", out);
}

/* The number of congested queues, at least 1; a short queue counts in proportion. */
static void write_congested(FILE *out, const swq_buffer *b, const char *buffer, int queues)
{
    fprintf(out, "formula congested%s = max(1, (", buffer);
    for (int q = 0; q < queues; q++)
        fprintf(out, "%smin(see%s_%d, %d)", source_plus(q), buffer, q, b->congested);
    fprintf(out, ") / %d);\n", b->congested);
}

void source_write_admission(FILE *out, const swq_switch *sw, const char *buffer, int queues)
{
    const swq_buffer *b = &sw->buffer;
    int shared = b->capacity - queues * b->queue_min;
    char text[32];

    if (b->queue_min < b->queue_max) { /* else no queue can use the shared part */
        fprintf(out, "formula used%s = ", buffer);
        for (int q = 0; q < queues; q++) {
            if (b->queue_min > 0)
                fprintf(out, "%smax(see%s_%d - %d, 0)", source_plus(q), buffer, q, b->queue_min);
            else
                fprintf(out, "%ssee%s_%d", source_plus(q), buffer, q);
        }
        fputs(";\n", out);
    }
    if (swq_buffer_admission(b) == &swq_admission_abm)
        write_congested(out, b, buffer, queues);
    for (int q = 0; q < queues; q++) {
        fprintf(out, "formula admit%s_%d = ", buffer, q);
        if (swq_buffer_admission(b) == &swq_admission_harmonic) {
            write_harmonic(out, b, buffer, queues, q);
            continue;
        }
        if (swq_buffer_admission(b) == &swq_admission_abm) {
            fprintf(out, "used%s < %d & see%s_%d * congested%s < %s * (%d - used%s);\n", buffer,
                    b->capacity, buffer, q, buffer, source_number(b->alpha, text), b->capacity,
                    buffer);
            continue;
        }
        if (b->queue_max < b->capacity || b->queue_min == b->queue_max)
            fprintf(out, "see%s_%d < %d%s", buffer, q, b->queue_max,
                    b->queue_min < b->queue_max ? " & " : "");
        if (b->queue_min < b->queue_max) {
            fputs("(", out);
            if (b->queue_min > 0)
                fprintf(out, "see%s_%d < %d | ", buffer, q, b->queue_min);
            fprintf(out, "used%s < %d", buffer, shared);
            if (b->alpha > 0)
                fprintf(out, " & see%s_%d - %d < %s * (%d - used%s)", buffer, q, b->queue_min,
                        source_number(b->alpha, text), shared, buffer);
            fputs(")", out);
        }
        fputs(";\n", out);
    }
}
