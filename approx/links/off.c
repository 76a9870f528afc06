/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The error of the method `links` in networks like the one in question: in this network if it was
 * measured, in the measured networks around it if it lies between some, and in the nearest one
 * otherwise.
 */
#include "approx/links/links.h"

#include "approx/links/errors.h"
#include "models/arbiters/arbiters.h"
#include "models/buffers/buffers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The measured values of one dimension, stages or slots, next to the value in question: least and
 * most are equal if this value was measured itself, or if it is larger than all measured values
 * (`beyond`). */
typedef struct {
    int least, most;
    bool beyond;
} neighbours;

/* The measured networks of the same buffer, ports and flow control that are nearest to the network
 * in question. */
typedef struct {
    const char *buffer;
    int ports;
    bool discard;
    neighbours stages, slots;
} around;

/* The range of the method's errors over several measured networks. */
typedef struct {
    double least, most;
} span;

static const span no_span = {INFINITY, -INFINITY};

static void widen(span *s, const double errors[2])
{
    if (!isnan(errors[0])) {
        s->least = fmin(s->least, errors[0]);
        s->most = fmax(s->most, errors[1]);
    }
}

/* ---- the measured networks nearest to the one in question ---- */

static int slots_of(const swq_switch *sw)
{
    return sw->buffer.scope == SWQ_POOL ? sw->buffer.capacity / sw->ports : sw->buffer.capacity;
}

static bool is_preset(const swq_buffer *b, const swq_buffer_kind *kind, int ports)
{
    const int queues = kind->queues == SWQ_ONE_QUEUE ? 1 : ports;
    swq_buffer preset;

    swq_buffer_fill(kind, queues, b->capacity, 1, &preset);
    return b->scope == preset.scope && b->queues == preset.queues && b->read == preset.read &&
           b->queue_min == preset.queue_min && b->queue_max == preset.queue_max &&
           b->alpha == preset.alpha;
}

/* The name of the preset that made the buffer; NULL: none, or the buffer has limits of its own. */
static const char *name_of(const swq_switch *sw)
{
    for (int k = 0; swq_buffer_kinds[k]; k++) {
        if (is_preset(&sw->buffer, swq_buffer_kinds[k], sw->ports))
            return swq_buffer_kinds[k]->name;
    }
    return NULL;
}

/* Were networks of such switches measured? Their arbiter was rotating, and their pools had the rule
 * `room`. */
static bool like_measured(const swq_switch *sw)
{
    return sw->buffer.scope == SWQ_POOL ? swq_buffer_pool_rule(&sw->buffer) == &swq_pool_room
                                        : sw->arbiter == &swq_arbiter_rotating;
}

static bool alike(const links_errors *e, const around *a)
{
    return e->ports == a->ports && e->discard == a->discard && strcmp(e->buffer, a->buffer) == 0;
}

static void look_at(neighbours *n, int measured, int asked)
{
    if (measured <= asked && measured > n->least)
        n->least = measured;
    if (measured >= asked && (n->most == 0 || measured < n->most))
        n->most = measured;
}

/* No value is below the least measured one, which is one stage and the fewest slots. */
static bool settle(neighbours *n)
{
    n->beyond = n->most == 0;
    if (n->beyond)
        n->most = n->least;
    return n->least > 0;
}

static bool find_around(const swq_network *network, around *a)
{
    const swq_switch *sw = &network->sw;

    *a = (around){.buffer = name_of(sw), .ports = sw->ports, .discard = sw->flow == SWQ_DISCARD};
    if (!a->buffer || !like_measured(sw))
        return false;
    for (int k = 0; k < links_measured_count; k++) {
        const links_errors *e = &links_measured[k];
        if (alike(e, a)) {
            look_at(&a->stages, e->stages, network->shape.stages);
            look_at(&a->slots, e->slots, slots_of(sw));
        }
    }
    return settle(&a->stages) && settle(&a->slots);
}

static bool within(const neighbours *n, int value)
{
    return value == n->least || value == n->most;
}

/* ---- in words ---- */

/* "3 stages", or "3 and 4 stages" */
static void say_neighbours(const neighbours *n, const char *what, char *text, size_t size)
{
    if (n->least < n->most)
        snprintf(text, size, "%d and %d %ss", n->least, n->most, what);
    else
        snprintf(text, size, "%d %s%s", n->least, what, n->least == 1 ? "" : "s");
}

static const char *say_span(const span *s, char *text, size_t size)
{
    if (s->least < s->most)
        snprintf(text, size, "%+.1f to %+.1f%%", s->least, s->most);
    else
        snprintf(text, size, "%+.1f%%", s->least);
    return text;
}

static void say_where(const around *a, char *text, size_t size)
{
    char stages[60], slots[60];
    const bool beyond = a->stages.beyond || a->slots.beyond;
    const bool between = a->stages.least < a->stages.most || a->slots.least < a->slots.most;

    say_neighbours(&a->stages, "stage", stages, sizeof stages);
    say_neighbours(&a->slots, "slot", slots, sizeof slots);
    if (beyond)
        snprintf(text, size,
                 "this network is outside of what was measured, and may be further off than the "
                 "nearest that was (%s, %s), where errors were",
                 stages, slots);
    else if (between)
        snprintf(text, size, "in the simulated networks next to this one (%s, %s) errors were",
                 stages, slots);
    else
        snprintf(text, size, "against a simulation of this network, errors were");
}

static const char *say_errors(const around *a, char *text, size_t size)
{
    span throughput = no_span, latency = no_span, discards = no_span;
    double half_width = 0;
    char where[240], t[40], l[40], d[40], lost[200] = "";

    for (int k = 0; k < links_measured_count; k++) {
        const links_errors *e = &links_measured[k];
        if (alike(e, a) && within(&a->stages, e->stages) && within(&a->slots, e->slots)) {
            widen(&throughput, e->throughput);
            widen(&latency, e->latency);
            widen(&discards, e->discards);
            half_width = fmax(half_width, e->half_width);
        }
    }
    say_where(a, where, sizeof where);
    say_span(&throughput, t, sizeof t);
    say_span(&latency, l, sizeof l);
    if (discards.least <= discards.most)
        snprintf(lost, sizeof lost,
                 ", of discards (of 1e-3 and more) %s; rarer ones may be far off",
                 say_span(&discards, d, sizeof d));
    else
        snprintf(lost, sizeof lost, "; discards, all below 1e-3 there, may be far off");
    if (a->discard)
        snprintf(text, size,
                 "%s: of throughput %s, of latency %s%s (at loads 0.5, 0.75 and 1; known to within "
                 "%.1f points)",
                 where, t, l, lost, half_width);
    else
        snprintf(text, size,
                 "%s: of throughput at full load %s, of latency at 40 and 80%% of the approximated "
                 "saturation %s (known to within %.1f points)",
                 where, t, l, half_width);
    return text;
}

/* For a kind of network that was never measured: a sentence that says which kinds were. */
static const char *say_measured(char *text, size_t size)
{
    snprintf(text, size,
             "this network is outside of what was measured: fifo, samq, safc, damq, dafc and cbda "
             "buffers in switches of 2, 4 or 8 ports, with the arbiter rotating (cbda: the pool "
             "rule room)");
    return text;
}

const char *links_off(const swq_network *network, char *text, size_t size)
{
    around a;

    return find_around(network, &a) ? say_errors(&a, text, size) : say_measured(text, size);
}
