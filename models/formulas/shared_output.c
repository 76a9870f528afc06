/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Output queues in one memory, in slotted time.
 *
 * The approximation: every output's queue is that of a switch with unbounded memory, and the queues
 * are independent; so the memory is full when the sum of N queues reaches its size. In fact one
 * more packet for one output is one less for the others, so the sum varies less. The states of the
 * exact chain are the lengths, where exchanging outputs gives the same state.
 * Source: Hluchyj and Karol, JSAC 6(9), 1988.
 */
#include "base/context.h"
#include "models/formulas/formulas.h"
#include "models/formulas/queue_chain.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

enum { MOST_SLOTS = 1000, MOST_PORTS = 1024 };

/* Distribution q of one output's packets after the departure. The flow across the cut between m and
 * m + 1 gives q[m+1] a_0 = sum over j <= m of q[j] P(A >= m - j + 2); this holds for j = 0 too,
 * since arrivals come before the departure. */
static void one_output(int ports, double load, double *q, int length)
{
    const unsigned n = (unsigned)ports;
    const double none = gsl_ran_binomial_pdf(0, load / ports, n);
    double more[MOST_PORTS + 1]; /* P(A > k) */

    for (unsigned k = 0; k <= n; k++)
        more[k] = gsl_cdf_binomial_Q(k, load / ports, n);
    q[0] = (1 - load) / none;
    for (int m = 0; m + 1 < length; m++) {
        double up = 0;
        for (int j = m + 2 > ports ? m + 2 - ports : 0; j <= m; j++)
            up += q[j] * more[m - j + 1];
        q[m + 1] = up / none;
    }
}

static void convolve(const double *a, const double *b, double *into, int length)
{
    for (int e = 0; e < length; e++) {
        double sum = 0;
        for (int x = 0; x <= e; x++)
            sum += a[x] * b[e - x];
        into[e] = sum;
    }
}

swq_status swq_shared_output_tail(swq_context *ctx, int ports, double load, int slots, double *tail)
{
    /* long enough for the rest to be negligible if the tail at `slots` is small, since it falls
     * about geometrically */
    const int length = 8 * slots + 64;
    const size_t size = (size_t)length;

    if (ports < 2 || ports > MOST_PORTS || !(load >= 0 && load <= 1) || slots < 1 ||
        slots > MOST_SLOTS)
        return swq_fail(ctx, SWQ_EINVAL, "ports, load or slots: %d, %g, %d", ports, load, slots);
    if (load >= 1) {
        *tail = 1;
        return SWQ_OK;
    }
    double *block = swq_calloc(ctx, size, 4 * sizeof *block);
    if (!block)
        return swq_memory_status(ctx);
    double *sum = block, *power = block + size, *product = power + size;

    one_output(ports, load, power, length);
    sum[0] = 1;
    for (int n = ports; n > 0; n >>= 1) { /* the n-fold convolution, by squaring */
        if (n & 1) {
            convolve(sum, power, product, length);
            memcpy(sum, product, size * sizeof *sum);
        }
        if (n > 1) {
            convolve(power, power, product, length);
            memcpy(power, product, size * sizeof *power);
        }
    }
    double below = 0, above = 0;
    for (int k = 0; k < slots; k++)
        below += sum[k];
    for (int k = length - 1; k >= slots; k--)
        above += sum[k];
    swq_free(ctx, block);
    *tail = 1 - below > 1e-3 ? 1 - below : above;
    return SWQ_OK;
}

/* ---- the exact chain ---- */

typedef struct {
    int ports, slots;
    double load;
} output_model;

/* Give `left` more packets to random outputs, then let each queue send one. */
static void place(swq_queue_chain *chain, const output_model *m, int *length, int left,
                  double probability)
{
    int after[SWQ_CHAIN_QUEUES];

    if (left == 0) {
        for (int i = 0; i < m->ports; i++)
            after[i] = length[i] - (length[i] > 0);
        swq_queue_chain_move(chain, after, probability);
        return;
    }
    for (int i = 0; i < m->ports; i++) { /* queues of equal length are alike */
        int first = 0, same = 0;
        while (length[first] != length[i])
            first++;
        if (first < i)
            continue;
        for (int j = i; j < m->ports; j++)
            same += length[j] == length[i];
        length[i]++;
        place(chain, m, length, left - 1, probability * same / m->ports);
        length[i]--;
    }
}

static void moves(swq_queue_chain *chain, const void *arg, const int *state)
{
    const output_model *m = arg;
    int length[SWQ_CHAIN_QUEUES], total = 0;

    for (int i = 0; i < m->ports; i++)
        total += length[i] = state[i];
    for (int a = 0; a <= m->ports; a++) {
        int room = m->slots - total;
        place(chain, m, length, a < room ? a : room,
              gsl_ran_binomial_pdf((unsigned)a, m->load, (unsigned)m->ports));
    }
}

swq_status swq_shared_output_chain(swq_context *ctx, int ports, double load, int slots,
                                   double *loss, double *mean)
{
    const output_model m = {ports, slots, load};
    const int full[SWQ_CHAIN_QUEUES] = {load > 0 ? slots - 1 : 0};
    int length[SWQ_CHAIN_QUEUES];
    swq_queue_chain chain;
    double *pi = NULL, lost = 0, left = 0;

    if (ports < 2 || ports > SWQ_SHARED_PORTS || slots < 1 || slots > SWQ_CHAIN_LENGTH ||
        !(load >= 0 && load <= 1))
        return swq_fail(ctx, SWQ_EINVAL, "ports must be 2 .. %d, slots 1 .. %d, load 0 .. 1",
                        SWQ_SHARED_PORTS, SWQ_CHAIN_LENGTH);
    swq_status status = swq_queue_chain_solve(ctx, &chain, ports, NULL, full, moves, &m, &pi);
    for (int64_t s = 0; !status && s < chain.states.count; s++) {
        int total = swq_queue_chain_lengths(&chain, s, length);
        left += pi[s] * total;
        for (int a = slots - total + 1; a <= ports; a++)
            lost += pi[s] * (a - (slots - total)) *
                    gsl_ran_binomial_pdf((unsigned)a, load, (unsigned)ports);
    }
    swq_queue_chain_clear(&chain);
    swq_free(ctx, pi);
    if (status)
        return status;
    *loss = load > 0 ? lost / (ports * load) : 0;
    *mean = left;
    return SWQ_OK;
}

static swq_status independent(swq_context *ctx, const swq_argument *a, double *result)
{
    const int ports = (int)a[0].value;
    const double load = a[1].value, target = a[3].value;
    swq_status status = swq_shared_output_tail(ctx, ports, load, (int)a[2].value, &result[0]);
    int least = 0, most = 1;
    double tail = 1;

    result[1] = load < 1 ? (ports - 1) * load * load / (2 * (1 - load)) : INFINITY;
    result[2] = NAN;
    /* the tail falls with the slots: double them, then bisect */
    while (!status && load < 1) {
        status = swq_shared_output_tail(ctx, ports, load, most, &tail);
        if (tail < target || most == MOST_SLOTS)
            break;
        least = most;
        most = 2 * most < MOST_SLOTS ? 2 * most : MOST_SLOTS;
    }
    if (status || tail >= target)
        return status;
    while (!status && most - least > 1) {
        int middle = (least + most) / 2;
        status = swq_shared_output_tail(ctx, ports, load, middle, &tail);
        if (tail < target)
            most = middle;
        else
            least = middle;
    }
    result[2] = most;
    return status;
}

static swq_status exact(swq_context *ctx, const swq_argument *a, double *result)
{
    double loss = 0, mean = 0;
    const double load = a[1].value;
    swq_status status =
        swq_shared_output_chain(ctx, (int)a[0].value, load, (int)a[2].value, &loss, &mean);

    if (status)
        return status;
    result[0] = loss;
    result[1] = load * (1 - loss);
    result[2] = mean;
    return SWQ_OK;
}

#define SLOTS(up_to)                                                                               \
    {                                                                                              \
        .name = "slots", .summary = "packets in the memory", .least = 1, .most = (up_to),          \
        .usual = NAN, .whole = true                                                                \
    }

const swq_formula swq_formula_shared_independent = {
    .family = "shared memory",
    .name = "shared-output-independent",
    .summary = "occupancy of one memory for all output queues, with outputs treated as independent",
    .assumptions = "uniform traffic; outputs independent; memory without end, of which `slots` "
                   "are looked at",
    .source = "Hluchyj and Karol (1988), IEEE JSAC 6(9)",
    .standing = SWQ_STANDS_APPROXIMATION,
    .error = "too careful: at load 0.8, 21 and 36 slots have a tail below 1e-6 with 2 and 4 ports, "
             "but the exact loss is below it from 17 and 29 slots on; with 8 and 16 ports it says "
             "55 and 82 where simulated tails want 43 and 65",
    .parameter =
        (const swq_formula_parameter[]){
            SWQ_PARAMETER_PORTS,
            SWQ_PARAMETER_LOAD,
            SLOTS(MOST_SLOTS),
            {.name = "target",
             .summary = "probability that `enough` must not exceed",
             .least = 1e-300,
             .most = 1,
             .usual = 1e-6},
        },
    .parameters = 4,
    .result =
        (const swq_formula_result[]){
            {"tail",
             "probability that this number of packets or more are left after the departures", NULL,
             NULL},
            {"mean", "packets left after the departures", "packets", "mean_packets"},
            {"enough", "the fewest slots with a tail below the target; none up to 1000: nan",
             "slots", "slots_needed"},
        },
    .results = 3,
    .evaluate = independent,
};

const swq_formula swq_formula_shared_chain = {
    .name = "shared-output-chain",
    .summary = "loss of a small switch with one memory for all output queues",
    .assumptions = "uniform traffic; packets come before others leave; at most 2000 states when "
                   "outputs may change names",
    .source = "the chain that Hluchyj and Karol (1988), IEEE JSAC 6(9), approximate",
    .standing = SWQ_STANDS_EXACT,
    .parameter =
        (const swq_formula_parameter[]){
            {.name = "ports",
             .summary = "inputs and outputs",
             .least = 2,
             .most = SWQ_SHARED_PORTS,
             .usual = NAN,
             .whole = true},
            SWQ_PARAMETER_LOAD,
            SLOTS(SWQ_CHAIN_LENGTH),
        },
    .parameters = 3,
    .result =
        (const swq_formula_result[]){
            {"loss", "fraction of the packets", NULL, "discard_probability"},
            {"throughput", "packets per cycle and output", "packets per output and cycle",
             "throughput"},
            {"mean", "packets left after the departures", "packets", "mean_packets"},
        },
    .results = 3,
    .evaluate = exact,
};
