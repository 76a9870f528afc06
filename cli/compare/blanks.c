/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counts the contestants that are left out of a comparison, with the reasons, and finds a size that
 * would do.
 */
#include "base/context.h"
#include "cli/compare/compare.h"

#include <stdlib.h>
#include <string.h>

/* The number of a contestant's cells at a size that are not blank. */
static int cells_of(const cli_comparison *c, int size, int k)
{
    int cells = 0;

    for (int f = size * c->scenarios; f < (size + 1) * c->scenarios; f++)
        cells += c->asked[cli_compare_cell(c, f, k)] > 0;
    return cells;
}

static int built_at(const cli_comparison *c, int size)
{
    int built = 0;

    for (int k = 0; k < c->contest.contestants; k++)
        built += cells_of(c, size, k) > 0;
    return built;
}

/* The most frequent reason why contestants are left out, except reasons told already. Returns the
 * number of contestants with this reason. */
static int next_reason(const cli_comparison *c, int size, const bool *told, const char **reason)
{
    const int field = size * c->scenarios, contestants = c->contest.contestants;
    int most = 0;

    for (int a = 0; a < contestants; a++) {
        int same = 0;
        if (told[a] || cells_of(c, size, a) > 0)
            continue;
        for (int b = 0; b < contestants; b++)
            same += cells_of(c, size, b) == 0 &&
                    !strcmp(cli_compare_reason(c, field, a), cli_compare_reason(c, field, b));
        if (same > most) {
            most = same;
            *reason = cli_compare_reason(c, field, a);
        }
    }
    return most;
}

enum { MOST_REASONS = 3 };

bool cli_compare_tell_blanks(const cli_comparison *c, int size, char *text, size_t room)
{
    const int contestants = c->contest.contestants, left = contestants - built_at(c, size);
    bool told[SWQ_CONTESTANTS] = {false};
    char at[40];
    size_t length;

    if (left == 0)
        return false;
    length = (size_t)snprintf(text, room, "left out of all scenarios%s: %d of %d contestants",
                              cli_compare_size(c, size * c->scenarios, at), left, contestants);
    for (int n = 0; n < MOST_REASONS && length < room; n++) {
        const char *reason = "";
        const int have = next_reason(c, size, told, &reason);
        if (have == 0)
            break;
        for (int k = 0; k < contestants; k++)
            told[k] = told[k] || !strcmp(cli_compare_reason(c, size * c->scenarios, k), reason);
        length += (size_t)snprintf(text + length, room - length, "%s%d since %.*s", n ? "; " : ", ",
                                   have, CLI_REASON, reason);
    }
    if (c->better[size] > 0 && length < room)
        snprintf(text + length, room - length, ". With %s %ld, %d of %d could be built",
                 c->by_area ? "--area" : "--bytes", c->better[size], c->built_then[size],
                 contestants);
    return true;
}

/* ---- a size that would do ---- */

/* The parts of a comparison that change while another size is tried. */
typedef struct {
    char *reason;
    int *asked;
    swq_cost cost[SWQ_CONTESTANTS];
    long memory[SWQ_CONTESTANTS], size;
} kept_state;

static void swap_state(cli_comparison *c, int size, kept_state *kept, bool back)
{
    const size_t cells = (size_t)cli_compare_fields(c) * (size_t)c->contest.contestants;
    void *const pair[][2] = {{kept->reason, c->reason},
                             {kept->asked, c->asked},
                             {kept->cost, c->cost[size]},
                             {kept->memory, c->memory[size]},
                             {&kept->size, &c->size[size]}};
    const size_t bytes[] = {cells * CLI_REASON, cells * sizeof *c->asked, sizeof kept->cost,
                            sizeof kept->memory, sizeof kept->size};

    for (size_t n = 0; n < sizeof bytes / sizeof *bytes; n++)
        memcpy(pair[n][back], pair[n][!back], bytes[n]);
}

/* Count the contestants that can be built with `bytes` bytes per input. */
static swq_status try_bytes(cli_comparison *c, const char *terms, int size, long bytes, int *built)
{
    const size_t cells = (size_t)cli_compare_fields(c) * (size_t)c->contest.contestants;
    swq_status status;

    c->size[size] = bytes;
    for (int k = 0; k < SWQ_CONTESTANTS; k++)
        c->memory[size][k] = bytes;
    for (size_t cell = 0; cell < cells; cell++) {
        const size_t field = cell / (size_t)c->contest.contestants;
        c->asked[cell] = (int)field / c->scenarios == size;
        c->reason[CLI_REASON * cell] = '\0';
    }
    c->fitting = true;
    status = cli_compare_plan(c);
    if (!status)
        status = cli_compare_cost_size(c, size, terms);
    c->fitting = false;
    *built = built_at(c, size);
    return status;
}

/* Find the nearest power of two with which half of the contestants can be built; of a larger and a
 * smaller one at the same distance, the one with which more can. */
static swq_status look_for_bytes(cli_comparison *c, const char *terms, int size)
{
    const long given = c->size[size];
    swq_status status = SWQ_OK;
    long below = 1;

    while (below * 2 < given)
        below *= 2;
    for (int n = 0; n < 30 && c->better[size] == 0 && !status; n++) {
        const long try[2] = {below >> n, n < 15 ? (below * 2) << n : 0};
        for (int way = 0; way < 2 && !status; way++) {
            int built = 0;
            if (try[way] < 1 || try[way] > 1L << 20 || try[way] == given)
                continue;
            status = try_bytes(c, terms, size, try[way], &built);
            if (2 * built >= c->contest.contestants && built > c->built_then[size]) {
                c->better[size] = try[way];
                c->built_then[size] = built;
            }
        }
    }
    return status;
}

static int by_area(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The smallest area with which half of the contestants can be built. */
static void look_for_area(cli_comparison *c, int size)
{
    double area[SWQ_CONTESTANTS] = {0};
    size_t count = 0;

    for (int k = 0; k < c->contest.contestants; k++) {
        if (c->cost[size][k].ports > 0)
            area[count++] = c->cost[size][k].area;
    }
    const size_t half = ((size_t)c->contest.contestants + 1) / 2;
    if (count < half)
        return;
    qsort(area, count, sizeof *area, by_area);
    c->better[size] = (long)area[half - 1] + 1;
    while (half + (size_t)c->built_then[size] < count &&
           area[half + (size_t)c->built_then[size]] <= (double)c->better[size])
        c->built_then[size]++;
    c->built_then[size] += (int)half;
}

static swq_status look_for_size(cli_comparison *c, const char *terms, int size)
{
    const size_t cells = (size_t)cli_compare_fields(c) * (size_t)c->contest.contestants;
    kept_state *kept = NULL;
    swq_status status = SWQ_OK;

    if (c->by_area) {
        look_for_area(c, size);
        return SWQ_OK;
    }
    kept = swq_calloc(c->ctx, 1, sizeof *kept);
    if (!kept)
        return swq_memory_status(c->ctx);
    kept->reason = swq_calloc(c->ctx, cells, CLI_REASON);
    kept->asked = swq_calloc(c->ctx, cells, sizeof *kept->asked);
    if (kept->reason && kept->asked) {
        swap_state(c, size, kept, false);
        status = look_for_bytes(c, terms, size);
        swap_state(c, size, kept, true);
    } else {
        status = swq_memory_status(c->ctx);
    }
    swq_free(c->ctx, kept->reason);
    swq_free(c->ctx, kept->asked);
    swq_free(c->ctx, kept);
    return status;
}

/* Are there two contestants in a scenario? */
static bool any_pair(const cli_comparison *c)
{
    for (int f = 0; f < cli_compare_fields(c); f++) {
        int there = 0;
        for (int k = 0; k < c->contest.contestants; k++)
            there += c->asked[cli_compare_cell(c, f, k)] > 0;
        if (there > 1)
            return true;
    }
    return false;
}

static const char *first_reason(const cli_comparison *c)
{
    const size_t cells = (size_t)cli_compare_fields(c) * (size_t)c->contest.contestants;

    for (size_t cell = 0; cell < cells; cell++) {
        if (c->reason[CLI_REASON * cell])
            return c->reason + CLI_REASON * cell;
    }
    return "";
}

swq_status cli_compare_check_blanks(cli_comparison *c, const char *terms)
{
    char text[1200];
    swq_status status = SWQ_OK;

    for (int size = 0; c->sized && size < c->sizes && !status; size++) {
        if (2 * built_at(c, size) < c->contest.contestants)
            status = look_for_size(c, terms, size);
    }
    if (status || any_pair(c))
        return status;
    if (!cli_compare_tell_blanks(c, 0, text, sizeof text))
        snprintf(text, sizeof text, "no two contestants can run in the same scenario, since %.*s",
                 CLI_REASON, first_reason(c));
    return swq_fail(c->ctx, SWQ_EINVAL, "%.100s: nothing can be compared: %s", c->path, text);
}

const char *cli_compare_why_nothing(const cli_comparison *c)
{
    const size_t cells = (size_t)cli_compare_fields(c) * (size_t)c->contest.contestants;

    for (size_t cell = 0; cell < cells; cell++) {
        if (c->contest.standing[cell].there)
            return NULL;
    }
    return first_reason(c);
}
