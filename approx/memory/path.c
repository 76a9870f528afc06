/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The saddle point of path.h. A queue goes forward from its stationary law and backward from the
 * tilted number of packets at the end; both vectors are scaled by exp(tilt x length), which keeps
 * them within range.
 */
#include "approx/memory/path.h"

#include "base/context.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Cycles and lengths of a queue to begin with; both are doubled while it matters. */
enum { FIRST_CYCLES = 64, MOST_CYCLES = 8192, FIRST_LENGTHS = 32, MOST_STEPS = 100 };

/* Arrivals of a queue in a cycle: rarer ones are left out. */
enum { MOST_ARRIVALS = 64 };
#define RARE 1e-18

/* Groups of cycles: one cycle each at the end, wider ones further back. */
#define CYCLES_OF(age) (1 + (age) / 6)

/* The oldest rate of arrivals must be this near to the usual one, relatively, and the longest
 * length this improbable. */
#define SETTLED 1e-3
#define LONGEST 1e-9
/* Queues that may be longer than the longest length in one of the cycles, if nothing is tilted. */
#define LEAKS 1e-3

/* Steps of Newton's method: the longest, the last, and the last while cycles or lengths are to be
 * added. */
#define LONG_STEP  0.3
#define LAST_STEP  1e-6
#define ROUGH_STEP 1e-2

/* Logarithm of a probability below which the path is not followed to the end. */
#define TOO_RARE (-60 * 2.302585093)

#define TAKE(array, count)                                                                         \
    ((array) = swq_calloc(ctx, (size_t)(count), sizeof *(array)), (array) != NULL)

/* What the total number of arrivals adds to the integrand in a cycle with mean r of all queues
 * together: log sum_n P(n arrivals) n! r^-n e^r, the mean of n under these weights, and its
 * variance. */
typedef struct total_arrivals {
    double log_weight, mean, variance;
} total_arrivals;

typedef struct path_work {
    int ports, packets;
    double load;
    int cycles, lengths, groups;
    double usual; /* log rate of a queue's arrivals at which nothing is tilted */
    total_arrivals at_usual;
    double *rate;   /* [groups + 1]: log rates, oldest group first, then the tilt */
    double *trial;  /* [groups + 1] */
    int *group_of;  /* [cycles] */
    int *width;     /* [groups]: cycles */
    double *chance; /* [groups * MOST_ARRIVALS]: tilted by the arrivals */
    int *most;      /* [groups]: the most arrivals, exclusive */
    double *behind; /* [(cycles + 1) * lengths]: backward vectors */
    double *ahead;  /* [lengths]: forward vector */
    double *moment; /* [groups * lengths]: forward, weighted with a group's arrivals */
    double *spare, *weighted, *squared; /* [lengths] */
    double *alone;    /* [groups]: variances of a queue's arrivals, sum over the group's cycles */
    double *between;  /* [groups]: curvature between two cycles of the group */
    double *gradient; /* [groups + 1] */
    double *hessian;  /* [(groups + 1)^2] */
} path_work;

double memory_mean(int ports, double load)
{
    return ports * (load + (1 - 1.0 / ports) * load * load / (2 * (1 - load)));
}

/* The number of inputs without a packet is Poisson, cut off at the number of inputs. */
static total_arrivals weigh(const path_work *w, double all)
{
    const int n = w->ports;
    const double rate = all * (1 - w->load) / w->load;
    double term = rate, sum = 1, first = 0, second = 0, scale = 0; /* no idle input: 1 */

    for (int idle = 1; idle <= n; idle++) {
        sum += term;
        first += term * idle;
        second += term * idle * idle;
        term *= rate / (idle + 1);
        if (sum > 1e200) {
            sum *= 1e-200, first *= 1e-200, second *= 1e-200, term *= 1e-200;
            scale += 200 * log(10);
        }
    }
    first /= sum;
    return (total_arrivals){
        .log_weight = all + lgamma(n + 1) + n * log(w->load / all) + log(sum) + scale,
        .mean = n - first,
        .variance = second / sum - first * first,
    };
}

static void find_usual(path_work *w)
{
    double all = w->ports * w->load;

    for (int step = 0; step < 50; step++) {
        const total_arrivals a = weigh(w, all);
        all *= exp((a.mean - all) / (all + a.variance));
    }
    w->usual = log(all / w->ports);
    w->at_usual = weigh(w, all);
}

/* ---- memory ---- */

static void clear(swq_context *ctx, path_work *w)
{
    void *const all[] = {w->rate,   w->trial,   w->group_of, w->width,  w->chance,   w->most,
                         w->behind, w->ahead,   w->moment,   w->spare,  w->weighted, w->squared,
                         w->alone,  w->between, w->gradient, w->hessian};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        swq_free(ctx, all[i]);
}

static int count_groups(int cycles)
{
    int groups = 0;

    for (int age = 0; age < cycles; age += CYCLES_OF(age))
        groups++;
    return groups;
}

static void lay_out(path_work *w)
{
    int group = w->groups;

    for (int age = 0; age < w->cycles;) {
        const int width = CYCLES_OF(age) < w->cycles - age ? CYCLES_OF(age) : w->cycles - age;
        w->width[--group] = width;
        for (int c = 0; c < width; c++)
            w->group_of[w->cycles - 1 - age - c] = group;
        age += width;
    }
}

/* Work space for so many cycles and lengths. The rates are those of `from`, and the usual ones
 * before its cycles. */
static swq_status prepare(swq_context *ctx, const path_work *from, int cycles, int lengths,
                          path_work *w)
{
    const int groups = count_groups(cycles), side = groups + 1;

    *w = (path_work){.ports = from->ports,
                     .packets = from->packets,
                     .load = from->load,
                     .cycles = cycles,
                     .lengths = lengths,
                     .groups = groups,
                     .usual = from->usual,
                     .at_usual = from->at_usual};
    if (!TAKE(w->rate, side) || !TAKE(w->trial, side) || !TAKE(w->group_of, cycles) ||
        !TAKE(w->width, groups) || !TAKE(w->chance, groups * MOST_ARRIVALS) ||
        !TAKE(w->most, groups) || !TAKE(w->behind, (size_t)(cycles + 1) * (size_t)lengths) ||
        !TAKE(w->ahead, lengths) || !TAKE(w->moment, (size_t)groups * (size_t)lengths) ||
        !TAKE(w->spare, lengths) || !TAKE(w->weighted, lengths) || !TAKE(w->squared, lengths) ||
        !TAKE(w->alone, groups) || !TAKE(w->between, groups) || !TAKE(w->gradient, side) ||
        !TAKE(w->hessian, side * side)) {
        clear(ctx, w);
        return swq_memory_status(ctx);
    }
    lay_out(w);
    for (int c = 0; c < cycles; c++) {
        const int old = c - (cycles - from->cycles);
        w->rate[w->group_of[c]] =
            old >= 0 && from->rate ? from->rate[from->group_of[old]] : w->usual;
    }
    w->rate[groups] = from->rate ? from->rate[from->groups] : 0;
    return SWQ_OK;
}

/* ---- a queue, forward and backward ---- */

/* Chances of a group's arrivals, each arrival tilted. */
static void find_chances(path_work *w, const double *rate)
{
    for (int g = 0; g < w->groups; g++) {
        const double mean = exp(rate[g]), tilted = mean * exp(rate[w->groups]);
        double *chance = w->chance + (size_t)g * MOST_ARRIVALS, most = 0;
        int a = 0;
        for (double p = exp(-mean); a < MOST_ARRIVALS && p > most * RARE; a++) {
            chance[a] = p;
            most = fmax(most, p);
            p *= tilted / (a + 1);
        }
        w->most[g] = a;
    }
}

/* What a queue of length x holds after it has sent. */
static int left(int x)
{
    return x > 0 ? x - 1 : 0;
}

/* to(x) = sum_a weight(a) from(x - [x > 0] + a), tilted. */
static void step_back(const path_work *w, int group, const double *weight, double sent,
                      const double *from, double *to)
{
    const int n = w->lengths;

    memset(to, 0, (size_t)n * sizeof *to);
    for (int a = 0; a < w->most[group]; a++)
        for (int x = 0; x < n - a; x++)
            to[x] += weight[a] * from[x + a];
    for (int x = n - 1; x > 0; x--)
        to[x] = to[x - 1] * sent;
}

/* from <- from P, and into <- into + from Q if into is given, Q with each arrival counted. */
static void step_ahead(const path_work *w, int group, double sent, double *from, double *into,
                       double *left)
{
    const double *chance = w->chance + (size_t)group * MOST_ARRIVALS;
    const int n = w->lengths;

    left[0] = from[0] + from[1] * sent;
    for (int x = 1; x < n - 1; x++)
        left[x] = from[x + 1] * sent;
    left[n - 1] = 0;
    memset(from, 0, (size_t)n * sizeof *from);
    for (int a = 0; a < w->most[group]; a++)
        for (int x = 0; x < n - a; x++)
            from[x + a] += chance[a] * left[x];
    for (int a = 1; into && a < w->most[group]; a++)
        for (int x = 0; x < n - a; x++)
            into[x + a] += a * chance[a] * left[x];
}

/* The stationary law with Poisson arrivals of mean `load`, tilted: what crosses a length upward is
 * what crosses it downward, one packet at a time. */
static void stationary(const path_work *w, double tilt, double *p)
{
    const int n = w->lengths;
    double more[MOST_ARRIVALS + 1] = {0}, chance[MOST_ARRIVALS], term = exp(-w->load);

    for (int a = 0; a < MOST_ARRIVALS; a++) {
        chance[a] = term;
        term *= w->load / (a + 1);
    }
    for (int a = MOST_ARRIVALS - 1; a >= 0; a--)
        more[a] = more[a + 1] + chance[a];
    p[0] = 1 - w->load;
    for (int x = 1; x < n; x++) {
        p[x] = 0;
        for (int from = x > MOST_ARRIVALS ? x - MOST_ARRIVALS : 0; from < x; from++) {
            const int jump = x - left(from);
            if (jump <= MOST_ARRIVALS)
                p[x] += p[from] * exp(tilt * (x - from)) * more[jump] / chance[0];
        }
    }
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* The logarithm of the integrand, which is convex; fills in the backward vectors. */
static double evaluate(path_work *w, const double *rate)
{
    const double tilt = rate[w->groups], sent = exp(-tilt);
    const int n = w->lengths;
    double sum = 0;

    find_chances(w, rate);
    /* at the end, no queue is longer than all together */
    for (int x = 0; x < n; x++)
        w->behind[(size_t)w->cycles * (size_t)n + (size_t)x] = x <= w->packets;
    for (int c = w->cycles - 1; c >= 0; c--)
        step_back(w, w->group_of[c], w->chance + (size_t)w->group_of[c] * MOST_ARRIVALS, sent,
                  w->behind + (size_t)(c + 1) * (size_t)n, w->behind + (size_t)c * (size_t)n);
    stationary(w, tilt, w->ahead);
    for (int g = 0; g < w->groups; g++)
        sum +=
            w->width[g] * (weigh(w, w->ports * exp(rate[g])).log_weight - w->at_usual.log_weight);
    return sum + w->ports * log(dot(w->ahead, w->behind, n)) - tilt * w->packets;
}

/* ---- derivatives ---- */

static double *cell(const path_work *w, int row, int column)
{
    return w->hessian + (size_t)row * (size_t)(w->groups + 1) + (size_t)column;
}

/* Sums over all cycles: expected arrivals of the groups, and of their products. After `evaluate`,
 * whose forward vector it takes to the end. */
static void gather(path_work *w, double sent, double all)
{
    const int n = w->lengths, side = w->groups + 1;

    memset(w->gradient, 0, (size_t)side * sizeof *w->gradient);
    memset(w->alone, 0, (size_t)w->groups * sizeof *w->alone);
    memset(w->hessian, 0, (size_t)(side * side) * sizeof *w->hessian);
    memset(w->moment, 0, (size_t)w->groups * (size_t)n * sizeof *w->moment);
    for (int c = 0; c < w->cycles; c++) {
        const int g = w->group_of[c];
        const double *behind = w->behind + (size_t)(c + 1) * (size_t)n;
        double *own = w->moment + (size_t)g * (size_t)n;
        double counted[MOST_ARRIVALS], squares[MOST_ARRIVALS];
        for (int a = 0; a < w->most[g]; a++) {
            counted[a] = a * w->chance[(size_t)g * MOST_ARRIVALS + (size_t)a];
            squares[a] = a * counted[a];
        }
        step_back(w, g, counted, sent, behind, w->weighted);
        step_back(w, g, squares, sent, behind, w->squared);
        const double mean = dot(w->ahead, w->weighted, n) / all;
        const double square = dot(w->ahead, w->squared, n) / all;
        w->gradient[g] += mean;
        w->alone[g] += square - mean * mean;
        *cell(w, g, g) += square;
        for (int k = 0; k <= g; k++)
            *cell(w, g, k) +=
                (k == g ? 2 : 1) * dot(w->moment + (size_t)k * (size_t)n, w->weighted, n) / all;
        for (int k = 0; k <= g; k++)
            step_ahead(w, g, sent, w->moment + (size_t)k * (size_t)n, NULL, w->spare);
        step_ahead(w, g, sent, w->ahead, own, w->spare);
    }
}

/* Of a group of equal cycles: the curvature when one cycle's rate rises and another's falls, if it
 * is `own` for one cycle alone and `together` for all at once. */
static double apart(double own, double together, int width)
{
    return width > 1 ? own - (together / width - own) / (width - 1) : own;
}

/* Gradient and Hessian (lower half) at the rates of the last `evaluate`; returns the probability
 * that a queue is empty at the end. */
static double differentiate(path_work *w, const double *rate)
{
    const int n = w->lengths, last = w->groups;
    const double all = dot(w->ahead, w->behind, n);
    double mean = 0, square = 0;

    gather(w, exp(-rate[last]), all);
    for (int x = 0; x < n && x <= w->packets; x++) {
        mean += w->ahead[x] * x / all;
        square += w->ahead[x] * x * x / all;
        for (int g = 0; g < last; g++)
            *cell(w, last, g) += w->moment[(size_t)g * (size_t)n + (size_t)x] * x / all;
    }
    w->gradient[last] = mean;
    *cell(w, last, last) = square;
    for (int i = 0; i <= last; i++)
        for (int j = 0; j <= i; j++)
            *cell(w, i, j) = w->ports * (*cell(w, i, j) - w->gradient[i] * w->gradient[j]);
    for (int g = 0; g < last; g++) {
        const total_arrivals a = weigh(w, w->ports * exp(rate[g]));
        w->gradient[g] = w->ports * w->gradient[g] - w->width[g] * a.mean;
        *cell(w, g, g) += w->width[g] * a.variance;
        w->between[g] =
            apart(w->ports * w->alone[g] / w->width[g] + a.variance, *cell(w, g, g), w->width[g]);
    }
    w->gradient[last] = w->ports * mean - w->packets;
    return w->ahead[0] / all;
}

/* The Cholesky factor in place of the lower half of the Hessian. */
static bool factorise(path_work *w)
{
    for (int i = 0; i <= w->groups; i++)
        for (int j = 0; j <= i; j++) {
            const double sum = *cell(w, i, j) - dot(cell(w, i, 0), cell(w, j, 0), j);
            if (i == j && !(sum > 0))
                return false;
            *cell(w, i, j) = i == j ? sqrt(sum) : sum / *cell(w, j, j);
        }
    return true;
}

/* gradient <- Newton's step */
static void solve(path_work *w)
{
    double *x = w->gradient;

    for (int i = 0; i <= w->groups; i++)
        x[i] = (-x[i] - dot(cell(w, i, 0), x, i)) / *cell(w, i, i);
    for (int i = w->groups; i >= 0; i--) {
        for (int j = i + 1; j <= w->groups; j++)
            x[i] -= *cell(w, j, i) * x[j];
        x[i] /= *cell(w, i, i);
    }
}

/* ---- the minimum ---- */

static double longest(const double *x, int n)
{
    double most = 0;

    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

/* Half of the logarithm by which the Gaussian integral exceeds that of the usual arrivals. Within a
 * wide group, cycles are as correlated with one another as any two of them on average. */
static double fluctuations(const path_work *w)
{
    const double usual = exp(w->usual) * w->ports + w->at_usual.variance;
    double sum = 0;

    for (int g = 0; g < w->groups; g++)
        sum += log(w->width[g] * usual) / 2 - log(*cell(w, g, g)) +
               (w->width[g] - 1) * log(usual / w->between[g]) / 2;
    return sum - log(*cell(w, w->groups, w->groups)) - log(2 * acos(-1)) / 2;
}

static swq_status minimise(swq_context *ctx, path_work *w, double last_step, memory_path *path)
{
    const int side = w->groups + 1;
    double value = evaluate(w, w->rate);

    for (int step = 0; step < MOST_STEPS; step++, path->steps++) {
        swq_progress(ctx, "steps of Newton's method", step, 0);
        if (swq_context_cancelled(ctx))
            return swq_fail(ctx, SWQ_ECANCELLED, "interrupted after %d steps", path->steps);
        path->busy = w->ports * (1 - differentiate(w, w->rate));
        if (!factorise(w))
            break;
        path->log_probability = value + fluctuations(w);
        path->decay = w->rate[w->groups];
        path->bend = 1 / (*cell(w, w->groups, w->groups) * *cell(w, w->groups, w->groups));
        solve(w);
        path->change = longest(w->gradient, side);
        path->too_rare = value < TOO_RARE;
        if (path->change < last_step || path->too_rare)
            return SWQ_OK;
        double length = fmin(1, LONG_STEP / path->change), now = 0;
        for (int half = 0; half < 40; half++, length /= 2) {
            for (int i = 0; i < side; i++)
                w->trial[i] = w->rate[i] + length * w->gradient[i];
            now = evaluate(w, w->trial);
            if (now <= value + 1e-10 * fabs(value))
                break;
        }
        value = now;
        memcpy(w->rate, w->trial, (size_t)side * sizeof *w->rate);
    }
    return swq_fail(ctx, SWQ_ECONVERGE,
                    "the path to %d packets was not found: the last step was %g", w->packets,
                    path->change);
}

/* Is next to nothing lost of the usual law because lengths end, in all cycles together? */
static bool holds_all(path_work *w)
{
    stationary(w, 0, w->spare);
    return w->spare[w->lengths - 1] * w->cycles * w->ports < LEAKS;
}

/* Lengths to begin with: far above the mean. */
static int first_lengths(int ports, int packets)
{
    const int many = 4 * (packets / ports + 1);

    return many > FIRST_LENGTHS ? many : FIRST_LENGTHS;
}

swq_status memory_path_find(swq_context *ctx, int ports, double load, int packets,
                            memory_path *path)
{
    path_work w = {.ports = ports, .packets = packets, .load = load};
    int cycles = FIRST_CYCLES, lengths = first_lengths(ports, packets);
    swq_status status;

    *path = (memory_path){0};
    find_usual(&w);
    double last_step = ROUGH_STEP;
    for (bool found = false; !found;) {
        path_work next;
        status = prepare(ctx, &w, cycles, lengths, &next);
        clear(ctx, &w);
        if (status)
            return status;
        w = next;
        status = minimise(ctx, &w, last_step, path);
        if (status)
            break;
        const double all = dot(w.ahead, w.behind + (size_t)cycles * (size_t)lengths, lengths);
        const bool old = fabs(w.rate[0] - w.usual) < SETTLED || cycles >= MOST_CYCLES;
        const bool wide =
            (lengths > packets || w.ahead[lengths - 1] < LONGEST * all) && holds_all(&w);
        found = path->too_rare || (old && wide && last_step < ROUGH_STEP);
        last_step = old && wide ? LAST_STEP : ROUGH_STEP;
        cycles = old ? cycles : 2 * cycles;
        lengths = wide ? lengths : 2 * lengths;
    }
    clear(ctx, &w);
    return status;
}
