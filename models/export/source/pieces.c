/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all writers of rules in the PRISM language need: numbers, signs, the admission rule.
 * Room: models.
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
    for (int q = 0; q < queues; q++) {
        fprintf(out, "formula admit%s_%d = ", buffer, q);
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
