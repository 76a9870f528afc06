/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dynamic thresholds as a fluid: classes with an alpha of their own, queues that are filled in
 * turn, and marks for congestion that a threshold makes impossible; DCTCP's rule for such marks.
 * Sources: Choudhury and Hahne, IEEE/ACM Trans. Networking 6(2), 1998; Alizadeh and others, Data
 * Center TCP, SIGCOMM 2010, sections 3.3 and 3.4.
 */
#include "base/context.h"
#include "models/formulas/formulas.h"

#include <math.h>

/* slots, alpha, overloaded, others. With q_k = alpha_k F and F free slots, B = F (1 + sum of n_k
 * alpha_k). */
static swq_status classes(swq_context *ctx, const swq_argument *a, double *result)
{
    const double slots = a[0].value, others = a[3].value;
    const int count = a[1].count;
    double sum = 1;

    if (count > SWQ_FORMULA_CLASSES)
        return swq_fail(ctx, SWQ_EINVAL, "alpha may have at most %d classes, not %d",
                        SWQ_FORMULA_CLASSES, count);
    if (a[2].count != count)
        return swq_fail(ctx, SWQ_EINVAL,
                        "overloaded must have as many numbers as alpha, %d, not %d", count,
                        a[2].count);
    if (others > slots)
        return swq_fail(ctx, SWQ_EINVAL, "others hold %g slots, more than %g", others, slots);
    for (int k = 0; k < count; k++)
        sum += a[1].list[k] * a[2].list[k];
    const double unused = (slots - others) / sum;
    result[0] = unused;
    result[1] = slots > 0 ? unused / slots : 0;
    for (int k = 0; k < SWQ_FORMULA_CLASSES; k++) {
        result[2 + k] = k < count ? a[1].list[k] * unused : NAN;
        result[2 + SWQ_FORMULA_CLASSES + k] =
            k < count ? a[1].list[k] * unused * a[2].list[k] : NAN;
    }
    return SWQ_OK;
}

/* slots, alpha, queues. A queue that is filled alone takes packets while it is shorter than alpha
 * times the free slots, so that its share of what is free is alpha / (1 + alpha); it stays full
 * while the next one is filled. */
static swq_status in_turn(swq_context *ctx, const swq_argument *a, double *result)
{
    const double slots = a[0].value, alpha = a[1].value, queues = a[2].value;
    double left = slots, whole = floor(slots), length = 0, first_whole = 0, last_whole = 0;

    (void)ctx;
    for (int k = 0; k < queues; k++) {
        length = alpha * left / (1 + alpha);
        left -= length;
        last_whole = fmin(ceil(alpha * whole / (1 + alpha)), whole);
        first_whole = k == 0 ? last_whole : first_whole;
        whole -= last_whole;
    }
    result[0] = alpha * slots / (1 + alpha);
    result[1] = length;
    result[2] = result[0] - length;
    result[3] = alpha * slots / (1 + alpha * queues);
    result[4] = first_whole;
    result[5] = last_whole;
    return SWQ_OK;
}

/* slots, alpha, mark, overloaded. A queue that may have at most L = alpha B / (1 + n alpha) is
 * never marked above K > L; L >= K for n <= B / K - 1 / alpha. */
static swq_status marks(swq_context *ctx, const swq_argument *a, double *result)
{
    const double slots = a[0].value, alpha = a[1].value, mark = a[2].value, queues = a[3].value;

    (void)ctx;
    result[0] = alpha * slots / (1 + alpha * queues);
    result[1] = mark <= result[0] ? 1 : 0;
    result[2] = fmax(floor(slots / mark - 1 / alpha), 0);
    result[3] = mark * (1 + alpha * queues) / alpha;
    return SWQ_OK;
}

/* rate, rtt, length, flows, mark. C RTT packets are in flight; with K the sawtooth of N windows has
 * the amplitude A = sqrt(2 N (C RTT + K)) / 2 below K + N. The least of K + N - A over N is K - (C
 * RTT + K) / 8, at N = (C RTT + K) / 8, which is above 0 for K > C RTT / 7. */
static swq_status dctcp(swq_context *ctx, const swq_argument *a, double *result)
{
    const double length = a[2].value, flows = a[3].value;
    const double flight = a[0].value * 1e9 / 8 * a[1].value * 1e-6 / length;
    const double mark = a[4].value > 0 ? a[4].value : flight / 7;
    const double amplitude = sqrt(2 * flows * (flight + mark)) / 2;

    (void)ctx;
    result[0] = flight / 7;
    result[1] = flight / 7 * length;
    result[2] = flight;
    result[3] = mark + flows;
    result[4] = amplitude;
    result[5] = mark + flows - amplitude;
    result[6] = mark - (flight + mark) / 8;
    return SWQ_OK;
}

#define SLOTS                                                                                      \
    {                                                                                              \
        .name = "slots", .summary = "packets, or bytes, in the memory", .least = 0, .most = 1e12,  \
        .usual = NAN                                                                               \
    }
#define ALPHA(several, words)                                                                      \
    {                                                                                              \
        .name = "alpha", .summary = (words), .least = 1e-6, .most = 1e6, .usual = 1,               \
        .list = (several)                                                                          \
    }

#define SOURCE "after Choudhury and Hahne (1998), IEEE/ACM Trans. Networking 6(2)"

const swq_formula swq_formula_threshold_classes = {
    .name = "dynamic-threshold-classes",
    .family = "dynamic thresholds as a fluid",
    .summary = "shares of overloaded queues whose classes have thresholds of their own",
    .assumptions = "fluid; queues that have reached their thresholds and stay there",
    .source = SOURCE,
    .standing = SWQ_STANDS_LIMIT,
    .parameter =
        (const swq_formula_parameter[]){
            SLOTS,
            ALPHA(true, "a queue of the class may hold alpha times the free slots"),
            {.name = "overloaded",
             .summary = "queues at the threshold; a number for each class",
             .least = 0,
             .most = 1e6,
             .usual = NAN,
             .whole = true,
             .list = true},
            {.name = "others",
             .summary = "slots that queues below the threshold hold",
             .least = 0,
             .most = 1e12,
             .usual = 0},
        },
    .parameters = 4,
    .result =
        (const swq_formula_result[]){
            {"unused", "slots left free", "slots", NULL},
            {"unused_fraction", "of the memory", NULL, NULL},
            SWQ_RESULTS_BY_CLASS("threshold", "slots that each queue of this class has", "slots"),
            SWQ_RESULTS_BY_CLASS("together", "slots that all queues of this class have", "slots"),
        },
    .results = 2 + 2 * SWQ_FORMULA_CLASSES,
    .evaluate = classes,
};

const swq_formula swq_formula_threshold_in_turn = {
    .name = "dynamic-threshold-in-turn",
    .summary = "queues that are filled one after another, and stay full, under a dynamic threshold",
    .assumptions = "nothing is sent; fluid, or packets of one slot, each queue filled until it "
                   "refuses a packet",
    .source = SOURCE,
    .standing = SWQ_STANDS_EXACT,
    .parameter =
        (const swq_formula_parameter[]){
            SLOTS,
            ALPHA(false, "a queue may hold alpha times the free slots"),
            {.name = "queues",
             .summary = "that are filled, each when the one before it is full",
             .least = 1,
             .most = 1e6,
             .usual = 4,
             .whole = true},
        },
    .parameters = 3,
    .result =
        (const swq_formula_result[]){
            {"first", "slots that the first one takes, as if it were alone", "slots", NULL},
            {"last", "slots that the last one takes", "slots", NULL},
            {"short", "of what the first one took", "slots", NULL},
            {"alike", "slots of each if all are filled at the same pace", "slots", NULL},
            {"first_whole", "packets of one slot that the first one takes", "packets", NULL},
            {"last_whole", "packets of one slot that the last one takes", "packets", NULL},
        },
    .results = 6,
    .evaluate = in_turn,
};

const swq_formula swq_formula_threshold_marks = {
    .name = "ecn-below-threshold",
    .summary = "can a queue under a dynamic threshold become long enough to be marked?",
    .assumptions = "fluid; all overloaded queues are at the threshold, a queue is marked above the "
                   "mark",
    .source = SOURCE,
    .standing = SWQ_STANDS_LIMIT,
    .parameter =
        (const swq_formula_parameter[]){
            SLOTS,
            ALPHA(false, "a queue may hold alpha times the free slots"),
            {.name = "mark",
             .summary = "slots of a queue above which packets are marked",
             .least = 1e-6,
             .most = 1e12,
             .usual = NAN},
            {.name = "overloaded",
             .summary = "queues at the threshold",
             .least = 1,
             .most = 1e6,
             .usual = 1,
             .whole = true},
        },
    .parameters = 4,
    .result =
        (const swq_formula_result[]){
            {"longest", "slots that a queue can have", "slots", NULL},
            {"marks", "(1 or 0) for: does a queue reach the mark?", NULL, NULL},
            {"most_queues", "overloaded queues with which they still do", "queues", NULL},
            {"least_slots", "of a memory with which these queues do", "slots", NULL},
        },
    .results = 4,
    .evaluate = marks,
};

const swq_formula swq_formula_dctcp_mark = {
    .name = "dctcp-mark",
    .summary = "the mark that DCTCP needs for full throughput: K > C RTT / 7",
    .assumptions =
        "flows whose windows grow and fall together, many packets in flight, a gain that "
        "is small; the factor 7 is of the worst number of flows",
    .source =
        "Alizadeh and others, Data Center TCP, SIGCOMM 2010, sections 3.3 and 3.4; derived in "
        "the source code",
    .standing = SWQ_STANDS_APPROXIMATION,
    .error =
        "the paper uses 65 packets where the rule asks for 12 (10 Gb/s, round trips of 100 us), as "
        "packets come in bursts",
    .parameter =
        (const swq_formula_parameter[]){
            {.name = "rate",
             .summary = "of the link, in Gb/s",
             .least = 0.001,
             .most = 1e6,
             .usual = 10},
            {.name = "rtt",
             .summary = "round trip without queues, in us",
             .least = 0.001,
             .most = 1e6,
             .usual = 100},
            {.name = "length", .summary = "bytes", .least = 1, .most = 1e9, .usual = 1500},
            {.name = "flows",
             .summary = "that share the link",
             .least = 1,
             .most = 1e6,
             .usual = 1,
             .whole = true},
            {.name = "mark",
             .summary =
                 "packets of a queue above which packets are marked; 0: the least by the rule",
             .least = 0,
             .most = 1e12,
             .usual = 0},
        },
    .parameters = 5,
    .result =
        (const swq_formula_result[]){
            {"least_mark", "packets, C RTT / 7", "packets", NULL},
            {"least_mark_bytes", "the same in bytes", "bytes", NULL},
            {"flight", "packets in flight, C RTT", "packets", NULL},
            {"queue_most", "packets, K + N", "packets", NULL},
            {"amplitude", "packets by which the queue falls", "packets", NULL},
            {"queue_least", "packets: below 0, the link idles", "packets", NULL},
            {"queue_least_ever", "the least of queue_least over numbers of flows", "packets", NULL},
        },
    .results = 7,
    .evaluate = dctcp,
};
