/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Trying an arbiter on small requests. In each case, all falls of the dice are enumerated: every
 * set of grants must be sound, and the probabilities of all sets must be as the row promises.
 * Chains are reduced and shortened on the strength of these promises, so that a wrong one would
 * give wrong answers without an error.
 */
#include "base/context.h"
#include "plugins/inside.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

enum {
    MOST = 3,     /* ports of requests whose falls of the dice are enumerated */
    SETS = 64,    /* sets of grants of MOST outputs: MOST + 1 grants each */
    ALL_2X2 = 81, /* requests of 2 ports and queues of 0, 1 or 2 packets */
    SAMPLE = 60,  /* requests of 3 ports, drawn */
    DRAWN = 200,  /* requests of up to 8 ports whose grants are drawn, one set each */
    DRAWN_PORTS = 8,
    WIDE = 6,     /* likewise, of more ports than sets of ports have in a word of 32 or 64 bits */
    MEMORIES = 4, /* contents of the memory tried with each request: all 0, and drawn */
    MOST_WORDS = 65536,  /* of memory */
    MOST_PASSES = 100000 /* falls of the dice in one case */
};

typedef struct trial {
    swq_context *ctx;
    const swq_arbiter *arbiter;
    gsl_rng *rng;
    swq_dice dice;
    int words; /* of memory, for the ports of the current request */
    uint16_t memory[MOST_WORDS], given[MOST_WORDS], kept[MOST_WORDS];
    int asked[SWQ_MAX_PORTS][SWQ_MAX_PORTS], changed[MOST][SWQ_MAX_PORTS]; /* lengths of requests */
} trial;

/* "2 ports, lengths 0 1 / 2 0, one read port for an input" */
static void describe(const swq_requests *r, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%d ports, lengths ", r->ports);

    for (int i = 0; i < r->ports; i++) {
        for (int j = 0; j < r->ports && used < size; j++)
            used += (size_t)snprintf(text + used, size - used, "%s%d",
                                     j   ? " "
                                     : i ? " / "
                                         : "",
                                     r->length[i][j]);
    }
    if (used < size)
        snprintf(text + used, size - used, ", one read port for %s",
                 r->read_each_queue ? "each queue" : "an input");
}

static swq_status wrong(trial *t, const swq_requests *r, const char *what)
{
    char text[240];

    describe(r, text, sizeof text);
    return swq_fail(t->ctx, SWQ_EINVAL, "%s (%s)", what, text);
}

static swq_status check_grants(trial *t, const swq_requests *r, const int *grant)
{
    int sends[SWQ_MAX_PORTS] = {0};
    char what[100];

    for (int j = 0; j < r->ports; j++) {
        if (grant[j] == SWQ_NO_INPUT)
            continue;
        *what = '\0';
        if (grant[j] < 0 || grant[j] >= r->ports)
            snprintf(what, sizeof what, "it grants output %d to input %d, which does not exist", j,
                     grant[j]);
        else if (r->length[grant[j]][j] <= 0)
            snprintf(what, sizeof what,
                     "it grants output %d to input %d, which does not ask for it", j, grant[j]);
        else if (sends[grant[j]]++ && !r->read_each_queue)
            snprintf(what, sizeof what, "it lets input %d send two packets", grant[j]);
        if (*what)
            return wrong(t, r, what);
    }
    for (int w = 0; w < t->words; w++) {
        if (t->memory[w] >= r->ports)
            return wrong(t, r, "it keeps a word of memory that is not below the number of ports");
    }
    return SWQ_OK;
}

/* ---- the distribution of grants ---- */

/* The number of a set of grants, for MOST ports at most. */
static int number_of(const swq_requests *r, const int *grant)
{
    int number = 0;

    for (int j = r->ports; j-- > 0;)
        number = number * (MOST + 1) + grant[j] + 1;
    return number;
}

static void arbitrate_once(trial *t, const swq_requests *r, bool in_steps, int *grant)
{
    uint64_t done = 0;

    for (int j = 0; j < r->ports; j++)
        grant[j] = SWQ_NO_INPUT;
    if (!in_steps) {
        t->arbiter->arbitrate(r, &t->dice, grant);
        return;
    }
    /* each step decides something: more steps than pairs of ports would never end */
    for (int k = 0; k <= r->ports * r->ports; k++) {
        if (!t->arbiter->step(r, &done, &t->dice, grant))
            return;
    }
}

/* The probability of each set of grants. The arbiter's memory is `memory` before each pass. */
static swq_status find_distribution(trial *t, swq_requests *r, const uint16_t *memory,
                                    bool in_steps, double chance[SETS])
{
    const size_t bytes = (size_t)t->words * sizeof *memory;
    double sum = 0;
    int passes = 0, grant[MOST];
    swq_status status = SWQ_OK;

    memset(chance, 0, SETS * sizeof *chance);
    swq_dice_begin_enumeration(&t->dice);
    do {
        memcpy(t->memory, memory, bytes);
        r->memory = t->words ? t->memory : NULL;
        arbitrate_once(t, r, in_steps, grant);
        status = check_grants(t, r, grant);
        if (!status) {
            chance[number_of(r, grant)] += (double)t->dice.probability;
            sum += (double)t->dice.probability;
        }
        if (++passes > MOST_PASSES && !status)
            status = wrong(t, r, "it throws too many dice");
    } while (!status && swq_dice_next(&t->dice));
    /* written so that a NaN fails it */
    if (!status && !(fabs(sum - 1) < 1e-9))
        status = wrong(t, r, "the probabilities of its grants do not sum to 1");
    return status;
}

static bool same(const double *a, const double *b)
{
    double most = 0;

    for (int s = 0; s < SETS; s++)
        most = fmax(most, fabs(a[s] - b[s]));
    return most < 1e-9;
}

/* ---- promises ---- */

/* Does the row say that this renaming leaves the probabilities unchanged? */
static bool is_promised(const swq_arbiter *a, int ports, const uint8_t *input,
                        const uint8_t *output)
{
    bool shifted = true;

    for (int i = 0; i < ports; i++)
        shifted =
            shifted && input[i] == (i + input[0]) % ports && output[i] == (i + output[0]) % ports;
    return a->alike == SWQ_ALIKE_ALL || (a->alike == SWQ_ALIKE_SHIFTED_APART && shifted) ||
           (a->alike == SWQ_ALIKE_SHIFTED_TOGETHER && shifted && input[0] == output[0]);
}

static swq_status try_renaming(trial *t, const swq_requests *r, const uint16_t *memory,
                               const double own[SETS], const uint8_t *input, const uint8_t *output)
{
    swq_requests renamed = *r;
    double other[SETS], expected[SETS] = {0};

    renamed.length = t->changed;
    for (int i = 0; i < r->ports; i++) {
        renamed.waiting[input[i]] = r->waiting[i];
        for (int j = 0; j < r->ports; j++)
            renamed.length[input[i]][output[j]] = r->length[i][j];
    }
    if (t->words)
        t->arbiter->rename(r->ports, input, output, memory, t->kept);
    swq_status status = find_distribution(t, &renamed, t->kept, false, other);
    for (int s = 0; s < SETS; s++) {
        int grant[MOST], number = s;
        for (int j = 0; j < r->ports; j++, number /= MOST + 1) {
            const int from = number % (MOST + 1) - 1;
            grant[output[j]] = from < 0 || from >= r->ports ? SWQ_NO_INPUT : input[from];
        }
        if (own[s] > 0)
            expected[number_of(r, grant)] += own[s];
    }
    if (!status && !same(expected, other))
        status = wrong(t, r,
                       "alike promises more than is so: its grants change with the numbers "
                       "of the ports");
    return status;
}

/* All renamings that the row says are of no importance. */
static swq_status try_renamings(trial *t, const swq_requests *r, const uint16_t *memory,
                                const double own[SETS])
{
    static const uint8_t orders[6][MOST] = {{0, 1, 2}, {1, 0, 2}, {1, 2, 0},
                                            {2, 0, 1}, {0, 2, 1}, {2, 1, 0}};
    const int count = r->ports == 2 ? 2 : 6;
    swq_status status = SWQ_OK;

    for (int a = 0; a < count * count && !status; a++) {
        const uint8_t *input = orders[a / count], *output = orders[a % count];
        if (is_promised(t->arbiter, r->ports, input, output))
            status = try_renaming(t, r, memory, own, input, output);
    }
    return status;
}

/* Lengths that the row says are not compared. */
static swq_status try_lengths(trial *t, const swq_requests *r, const uint16_t *memory,
                              const double own[SETS])
{
    swq_requests other = *r;
    double chance[SETS];

    if (t->arbiter->compares == SWQ_COMPARES_ALL ||
        (t->arbiter->compares == SWQ_COMPARES_INPUT && r->read_each_queue))
        return SWQ_OK;
    other.length = t->changed;
    for (int i = 0; i < r->ports; i++) {
        other.waiting[i] = 0;
        for (int j = 0; j < r->ports; j++) {
            other.length[i][j] = t->arbiter->compares == SWQ_COMPARES_NONE
                                     ? r->length[i][j] > 0
                                     : (i + 2) * r->length[i][j];
            other.waiting[i] += other.length[i][j];
        }
    }
    swq_status status = find_distribution(t, &other, memory, false, chance);
    if (!status && !same(own, chance))
        status = wrong(t, r,
                       "compares promises more than is so: its grants change with lengths "
                       "that are not to be compared");
    return status;
}

/* One request with one content of the memory. */
static swq_status try_case(trial *t, swq_requests *r, const uint16_t *memory)
{
    double own[SETS], stepwise[SETS];
    swq_status status = find_distribution(t, r, memory, false, own);

    if (!status && t->arbiter->step) {
        status = find_distribution(t, r, memory, true, stepwise);
        if (!status && !same(own, stepwise))
            status = wrong(t, r, "step and arbitrate grant with different probabilities");
    }
    if (!status)
        status = try_renamings(t, r, memory, own);
    return status ? status : try_lengths(t, r, memory, own);
}

/* ---- requests ---- */

static int draw(trial *t, int below)
{
    return (int)gsl_rng_uniform_int(t->rng, (unsigned long)below);
}

/* Some memory: all 0 as in the beginning, or drawn. */
static void remember(trial *t, int ports, int number, uint16_t *memory)
{
    for (int w = 0; w < t->words; w++)
        memory[w] = (uint16_t)(number ? draw(t, ports) : 0);
}

static swq_status count_words(trial *t, int ports)
{
    t->words = swq_arbiter_memory(t->arbiter, ports);
    if (t->words < 0 || t->words > MOST_WORDS)
        return swq_fail(t->ctx, SWQ_EINVAL, "memory must be 0 to %d words, not %d", MOST_WORDS,
                        t->words);
    return SWQ_OK;
}

/* Lengths are the digits of `number`, of base 3; -1: they are drawn. */
static void fill(trial *t, swq_requests *r, int number, int most)
{
    for (int i = 0; i < r->ports; i++) {
        r->waiting[i] = 0;
        for (int j = 0; j < r->ports; j++, number = number < 0 ? -1 : number / 3) {
            r->length[i][j] = number < 0 ? draw(t, most + 1) : number % 3;
            r->waiting[i] += r->length[i][j];
        }
    }
}

static swq_status try_enumerated(trial *t, int ports, int requests)
{
    swq_status status = count_words(t, ports);

    for (int k = 0; k < 2 * requests && !status; k++) {
        swq_requests r = {.ports = ports,
                          .read_each_queue = k % 2,
                          .length = t->asked,
                          .iterations = 1 + k / 2 % 2};
        fill(t, &r, ports == 2 ? k / 2 : -1, 2);
        for (int m = 0; m < (t->words ? MEMORIES : 1) && !status; m++) {
            remember(t, ports, m, t->given);
            status = try_case(t, &r, t->given);
        }
    }
    return status;
}

/* Larger requests, one cycle after the other with the same memory, as in a simulation. */
static swq_status try_drawn(trial *t, int ports, int requests)
{
    int grant[SWQ_MAX_PORTS];
    swq_status status = count_words(t, ports);

    memset(t->memory, 0, sizeof t->memory);
    swq_dice_begin_sampling(&t->dice, t->rng);
    for (int k = 0; k < requests && !status; k++) {
        swq_requests r = {.ports = ports,
                          .read_each_queue = k % 2,
                          .length = t->asked,
                          .iterations = 1 + draw(t, ports),
                          .memory = t->words ? t->memory : NULL};
        fill(t, &r, -1, k % 3 ? 1 : 60);
        t->arbiter->arbitrate(&r, &t->dice, grant);
        status = check_grants(t, &r, grant);
        if (!status && t->arbiter->settle) {
            t->arbiter->settle(&r, grant);
            status = check_grants(t, &r, grant);
        }
    }
    return status;
}

swq_status swq_plugin_try_arbiter(swq_context *ctx, const void *row)
{
    const swq_arbiter *a = row;
    static const int wide[] = {SWQ_CHAIN_PORTS, 64, SWQ_MAX_PORTS};
    const int most = a->most_ports ? a->most_ports : SWQ_MAX_PORTS;
    trial *t = swq_calloc(ctx, 1, sizeof *t);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    swq_status status = SWQ_OK;

    if (!t || !rng) {
        status = t ? SWQ_ENOMEM : swq_memory_status(ctx);
        goto end;
    }
    t->ctx = ctx;
    t->arbiter = a;
    t->rng = rng;
    status = try_enumerated(t, 2, ALL_2X2);
    if (!status && most >= 3)
        status = try_enumerated(t, 3, SAMPLE);
    for (int ports = 2; ports <= DRAWN_PORTS && ports <= most && !status; ports++)
        status = try_drawn(t, ports, DRAWN);
    for (size_t k = 0; k < sizeof wide / sizeof *wide && wide[k] <= most && !status; k++)
        status = try_drawn(t, wide[k], WIDE);
end:
    swq_free(ctx, t);
    if (rng)
        gsl_rng_free(rng);
    return status;
}
