/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Input queues at saturation: the chain of the partitions of n.
 *
 * The heads wait in groups, one group per output wanted; only the groups' sizes matter. A cycle
 * takes one head from each group (with a speedup, up to that number), and each input that sent adds
 * a new head to the group of a random output. New heads are placed one at a time, through the
 * partitions of the numbers up to n, which is quick.
 * Source: Karol, Hluchyj and Morgan, IEEE Trans. Commun. 35(12), 1987; the same chain as memory
 * interference: Bhandarkar, IEEE Trans. Comput. C-24, 1975; speedup: Oie et al., ICC 1989.
 */
#include "base/context.h"
#include "models/formulas/formulas.h"

#include <gsl/gsl_randist.h>

#include <math.h>
#include <string.h>

enum {
    MOST_PORTS = 40,
    MOST_MOVES =
        9 /* partitions of 39 have at most 8 different sizes, and the head may form a new group */
};

/* How a head joins a group of some size: `weight` of the n outputs have such a group. */
typedef struct {
    int target[MOST_MOVES]; /* -1: no more ways */
    unsigned char weight[MOST_MOVES];
} placing;

/* Partitions are numbered by their sum, and in reverse lexicographic order within it; sizes are in
 * descending order, followed by 0. */
typedef struct {
    int ports, speedup;
    int most[MOST_PORTS + 1][MOST_PORTS + 1]; /* partitions of m into parts of at most k */
    int first[MOST_PORTS + 2];                /* number of the first partition of m */
    placing *place;                           /* [first[ports]] */
    int *left;      /* [partitions of n] the partition that a cycle leaves before new heads come */
    double *served; /* [partitions of n] the number of heads that a cycle takes */
} partitions;

/* The next partition after `size`; false after the last, all ones. */
static bool next_partition(int n, unsigned char *size)
{
    int k = n - 1, rest = 0;

    while (k >= 0 && size[k] <= 1)
        rest += size[k--];
    if (k < 0)
        return false;
    int part = --size[k];
    for (rest++; rest > 0; rest -= size[k])
        size[++k] = (unsigned char)(rest < part ? rest : part);
    memset(size + k + 1, 0, (size_t)(n - k - 1));
    return true;
}

static void count_partitions(partitions *p)
{
    for (int m = 0; m <= p->ports; m++) {
        p->most[m][0] = m == 0;
        for (int k = 1; k <= p->ports; k++)
            p->most[m][k] = p->most[m][k - 1] + (m >= k ? p->most[m - k][k] : 0);
        p->first[m + 1] = p->first[m] + p->most[m][p->ports];
    }
}

/* The number of a partition: partitions before it have a larger size at the first place where they
 * differ from it. */
static int number_of(const partitions *p, int sum, const unsigned char *size)
{
    int number = p->first[sum];

    for (int k = 0, bound = p->ports; sum > 0; k++) {
        number += p->most[sum][bound] - p->most[sum][size[k]];
        bound = size[k];
        sum -= size[k];
    }
    return number;
}

static placing placing_of(const partitions *p, int sum, unsigned char *size)
{
    placing place;
    int moves = 0, k = 0;

    for (bool again = true; again; moves++) {
        unsigned char old = size[k];
        int same = 0;
        again = old > 0;
        while (again && size[k + same] == old)
            same++;
        size[k]++;
        place.target[moves] = number_of(p, sum + 1, size);
        size[k] = old;
        place.weight[moves] = (unsigned char)(again ? same : p->ports - k);
        k += same;
    }
    if (moves < MOST_MOVES)
        place.target[moves] = -1;
    return place;
}

static void serve(const partitions *p, int number, const unsigned char *size)
{
    unsigned char left[MOST_PORTS + 1] = {0};
    int sum = 0, k;

    for (k = 0; k < p->ports && size[k] > p->speedup; k++) {
        left[k] = (unsigned char)(size[k] - p->speedup);
        sum += left[k];
    }
    p->left[number] = number_of(p, sum, left);
    p->served[number] = p->ports - sum;
}

static swq_status list_partitions(swq_context *ctx, partitions *p)
{
    const int n = p->ports;

    count_partitions(p);
    const int full = p->first[n], states = p->first[n + 1] - full;
    p->place = swq_calloc(ctx, (size_t)full, sizeof *p->place);
    p->left = swq_calloc(ctx, (size_t)states, sizeof *p->left);
    p->served = swq_calloc(ctx, (size_t)states, sizeof *p->served);
    if (!p->place || !p->left || !p->served)
        return swq_memory_status(ctx);
    for (int m = 0, number = 0; m <= n; m++) {
        unsigned char size[MOST_PORTS + 1] = {(unsigned char)m};
        do {
            if (m < n)
                p->place[number] = placing_of(p, m, size);
            else
                serve(p, number - full, size);
            number++;
        } while (next_partition(m, size));
    }
    return SWQ_OK;
}

/* The expected `value` one cycle later. value: [all partitions], given for those of n. */
static void look_ahead(const partitions *p, double *value)
{
    const int full = p->first[p->ports], states = p->first[p->ports + 1] - full;

    for (int number = full - 1; number >= 0; number--) {
        const placing *place = &p->place[number];
        double sum = 0;
        for (int k = 0; k < MOST_MOVES && place->target[k] >= 0; k++)
            sum += place->weight[k] * value[place->target[k]];
        value[number] = sum / p->ports;
    }
    /* the partition left has a smaller sum, so that no value is read that is written in this
     * loop */
    for (int s = 0; s < states; s++)
        value[full + s] = value[p->left[s]];
}

/* For every t, the long-run mean of the heads served lies between the least and the greatest of the
 * values expected for cycle t from each state in cycle 0. Subtracting the least limits the rounding
 * to the differences. */
static swq_status mean_served(swq_context *ctx, const partitions *p, double *value, double *mean)
{
    const int full = p->first[p->ports], states = p->first[p->ports + 1] - full;
    double spread = INFINITY;

    memcpy(value + full, p->served, sizeof *value * (size_t)states);
    for (*mean = 0; spread > 1e-17 * *mean;) {
        double least = INFINITY, greatest = 0;
        for (int s = 0; s < states; s++) {
            least = fmin(least, value[full + s]);
            greatest = fmax(greatest, value[full + s]);
        }
        for (int s = 0; s < states; s++)
            value[full + s] -= least;
        *mean += least;
        spread = greatest - least;
        if (swq_context_cancelled(ctx))
            return swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
        look_ahead(p, value);
    }
    return SWQ_OK;
}

swq_status swq_hol_saturation(swq_context *ctx, int ports, int speedup, double *throughput)
{
    double mean = 0, *value = NULL;

    if (ports < 1 || ports > MOST_PORTS)
        return swq_fail(ctx, SWQ_EINVAL, "ports must be from 1 to %d, not %d", MOST_PORTS, ports);
    if (speedup < 1)
        return swq_fail(ctx, SWQ_EINVAL, "speedup must be at least 1, not %d", speedup);
    partitions p = {.ports = ports, .speedup = speedup};
    swq_status status = list_partitions(ctx, &p);
    if (!status) {
        value = swq_calloc(ctx, (size_t)p.first[ports + 1], sizeof *value);
        status = value ? mean_served(ctx, &p, value, &mean) : swq_memory_status(ctx);
    }
    if (!status)
        *throughput = mean / ports;
    swq_free(ctx, value);
    swq_free(ctx, p.place);
    swq_free(ctx, p.left);
    swq_free(ctx, p.served);
    return status;
}

/* E[(A - most)^+] for Poisson A. */
static double excess(double mean, int most)
{
    double sum = 0, term = 1;

    for (int k = 1; term > 1e-18 * sum || most + k < mean; k++) {
        term = k * gsl_ran_poisson_pdf((unsigned)(most + k), mean);
        sum += term;
        if (sum == 0)
            break;
    }
    return sum;
}

/* Heads per output in the limit: the heads of a cycle, and the heads left by earlier cycles, whose
 * mean is by Spitzer's identity the sum of E[(A_1 + .. + A_l - l speedup)^+] / l. */
static double heads_per_output(double throughput, int speedup)
{
    double heads = throughput, term = 1;

    for (int l = 1; term > 1e-18; l++) {
        term = excess(l * throughput, l * speedup) / l;
        heads += term;
    }
    return heads;
}

double swq_hol_saturation_limit(int speedup)
{
    double low = 0.5, high = 1;

    if (speedup < 1)
        return NAN;
    if (speedup == 1) /* t + t^2 / (2 (1 - t)) = 1 */
        return 2 - sqrt(2);
    for (double mid = 0.75; mid > low && mid < high; mid = (low + high) / 2) {
        if (heads_per_output(mid, speedup) < 1)
            low = mid;
        else
            high = mid;
    }
    return low;
}

static swq_status evaluate(swq_context *ctx, const swq_argument *argument, double *result)
{
    int speedup = (int)argument[1].value;
    swq_status status = swq_hol_saturation(ctx, (int)argument[0].value, speedup, &result[0]);

    if (!status)
        result[1] = swq_hol_saturation_limit(speedup);
    return status;
}

static const swq_formula_parameter parameters[] = {
    {.name = "ports",
     .summary = "inputs and outputs of a switch",
     .least = 1,
     .most = MOST_PORTS,
     .usual = NAN,
     .whole = true},
    {.name = "speedup",
     .summary = "packets that an output can take in a cycle",
     .least = 1,
     .most = 64,
     .usual = 1,
     .whole = true},
};
static const swq_formula_result results[] = {
    {"throughput", "packets per output and cycle", "packets per output and cycle",
     "saturation_throughput"},
    {"limit", "the same for infinitely many ports; 2 - sqrt(2) without a speedup",
     "packets per output and cycle", NULL},
};
const swq_formula swq_formula_hol_saturation = {
    .name = "hol-saturation",
    .family = "input queues",
    .summary = "saturation throughput of FIFO input queues: head-of-line blocking",
    .assumptions =
        "every input always has packets; destinations uniform and independent; with a "
        "speedup S an output takes up to S heads in a cycle while an input sends one, which is "
        "another switch than --architecture cioq, whose crossbar is faster for inputs as well "
        "and carries min(1, S times the value for S = 1)",
    .source = "Karol, Hluchyj and Morgan (1987), IEEE Trans. Commun. 35(12); speedup: Oie, Murata, "
              "Kubota and Miyahara (1989), ICC",
    .standing = SWQ_STANDS_EXACT,
    .parameter = parameters,
    .parameters = SWQ_COUNT(parameters),
    .result = results,
    .results = SWQ_COUNT(results),
    .evaluate = evaluate,
};
