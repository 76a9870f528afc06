/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rules that look at more than the present: IB, by windows, and Reverie, by averages. */
#include "tests/ref/ref_memory_part.h"

#include <math.h>

/* ---- IB ---- */

void ref_memory_begin_windows(ref_memory_state *s)
{
    for (int q = 0; q < ref_memory_queues(s->m); q++)
        s->window[q] = (ref_memory_window){.fair = 4000000};
}

/* A packet comes, and may be the first after a window of its output. */
void ref_memory_counts(ref_memory_state *s, const ref_memory_arrival *a, const long *length)
{
    const ref_memory *m = s->m;

    if (s->now - s->window_began[a->output] > m->window) {
        for (int q = a->output * m->classes; q < (a->output + 1) * m->classes; q++) {
            ref_memory_window *w = &s->window[q];
            w->fair += 1.7 * (double)(w->length - m->steered);
            w->fair = fmax(0, w->fair - 1.8 * (double)(length[q] - m->steered));
            w->length = length[q];
            w->before = w->came;
            w->came = 0;
        }
        s->window_began[a->output] = s->now;
    }
    s->window[ref_memory_queue(m, a)].came += a->bytes;
}

/* Is a packet spared that the threshold takes? */
int ref_memory_is_fair(ref_memory_state *s, const ref_memory_arrival *a, const long *length)
{
    const int queue = ref_memory_queue(s->m, a);
    const ref_memory_window *w = &s->window[queue];
    const double share = w->fair / (15.0 * (double)(w->before + 1));

    if (length[queue] <= s->m->random_above || share >= 1)
        return 1;
    const double chance = s->m->chance(s->chances++);
    if (fabs(chance - (1 - share)) < 1e-12)
        s->guesses++;
    return chance > 1 - share;
}

/* ---- Reverie ---- */

int ref_memory_is_below_average(ref_memory_state *s, const ref_memory_arrival *a, long left)
{
    const ref_memory *m = s->m;
    const int queue = ref_memory_queue(m, a);
    const double alpha = a->first_round_trip ? 1024 : m->alpha[a->class];
    double sum = 0;

    s->degree[queue] = (long)fmin(floor(s->average[queue]), (double)m->congested);
    for (int i = 0; i < m->ports; i++)
        sum += (double)s->degree[i * m->classes + a->class];
    const double limit = alpha * (double)left / fmax(1, sum / (double)m->congested);
    const double asked = s->average[queue] + (m->counts_itself ? (double)ref_memory_size(m, a) : 0);
    if ((limit != floor(limit) || asked != floor(asked)) &&
        fabs(asked - limit) < 1e-9 * (limit + 1))
        s->guesses++;
    return asked < limit;
}

/* A packet of a queue has been sent, which now has a length. */
void ref_memory_averages(ref_memory_state *s, int queue, long length)
{
    const double was = s->average[queue];

    s->average[queue] = fmin((double)length, was + (1 - s->m->gamma) * ((double)length - was));
}
