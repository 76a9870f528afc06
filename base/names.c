/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of table rows: exact look-up, and the nearest one for a message.
 */
#include "base/names.h"

#include "base/context.h"
#include "base/plugins.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 63 };

static int least(int a, int b, int c)
{
    int ab = a < b ? a : b;
    return ab < c ? ab : c;
}

int swq_name_distance(const char *a, const char *b)
{
    size_t rows = strlen(a), cols = strlen(b);
    int d[LONGEST + 1][LONGEST + 1];

    if (rows > LONGEST || cols > LONGEST)
        return INT_MAX;
    for (size_t i = 0; i <= rows; i++)
        d[i][0] = (int)i;
    for (size_t j = 0; j <= cols; j++)
        d[0][j] = (int)j;
    for (size_t i = 1; i <= rows; i++) {
        for (size_t j = 1; j <= cols; j++) {
            int ai = tolower((unsigned char)a[i - 1]), bj = tolower((unsigned char)b[j - 1]);
            d[i][j] = least(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (ai != bj));
            if (i > 1 && j > 1 && ai == tolower((unsigned char)b[j - 2]) &&
                bj == tolower((unsigned char)a[i - 2]) && d[i - 2][j - 2] + 1 < d[i][j])
                d[i][j] = d[i - 2][j - 2] + 1;
        }
    }
    return d[rows][cols];
}

static const char *row_name(const void *row)
{
    return *(const char *const *)row;
}

bool swq_name_is_among(const char *name, const char *const *list)
{
    while (*list && strcmp(*list, name) != 0)
        list++;
    return *list != NULL;
}

const void *swq_name_lookup(swq_context *ctx, const char *what, const char *name,
                            const void *const *table)
{
    const char *nearest = NULL;
    int distance = INT_MAX;
    char known[320] = "";
    bool more = false; /* there are more names than fit into the message */

    for (const void *const *row = swq_rows(ctx, table); *row; row++) {
        const char *candidate = row_name(*row);
        if (strcmp(candidate, name) == 0)
            return *row;
        int d = swq_name_distance(candidate, name);
        if (d < distance) {
            distance = d;
            nearest = candidate;
        }
        size_t used = strlen(known);
        bool fits = !more && used + strlen(candidate) + strlen(", , ...") < sizeof known;
        if (!more)
            snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
                     fits ? candidate : "...");
        more = !fits;
    }
    if (nearest && distance <= (int)(strlen(name) + 2) / 3)
        swq_fail(ctx, SWQ_EINVAL, "%s '%.40s' is unknown; did you mean '%s'? (known: %s)", what,
                 name, nearest, known);
    else
        swq_fail(ctx, SWQ_EINVAL, "%s '%.40s' is unknown; known: %s", what, name, known);
    return NULL;
}
