/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/ref/ref_senders.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static double par(const ref_sender *s, const char *name)
{
    for (int k = 0; k < REF_SENDER_PARAMETERS; k++) {
        if (strcmp(s->parameter[k], name) == 0)
            return s->value[k];
    }
    assert(!"a parameter of this name");
    return NAN;
}

static bool is(const ref_sender *s, const char *name)
{
    return strcmp(s->name, name) == 0;
}

static double between(double low, double x, double high)
{
    return x < low ? low : x > high ? high : x;
}

static double line_window(const ref_sender *s)
{
    return s->line * par(s, "round") / 8e12;
}

void ref_sender_begin(ref_sender *s)
{
    s->noticed = -1e30;
    if (is(s, "timely") || is(s, "dcqcn")) {
        s->window = 0; /* none */
        s->rate = fmin(par(s, "start"), s->line);
        s->target = s->rate;
        s->alpha = 1;
    } else if (is(s, "swift")) {
        s->window = between(s->packet * par(s, "least"), s->window, s->packet * par(s, "most"));
    } else {
        s->window = s->reference = line_window(s);
        s->power = 1;
    }
}

/* ---- swift ---- */

static double swift_target(const ref_sender *s)
{
    const double w = s->window / s->packet;
    const double a = par(s, "range") / (pow(par(s, "small"), -.5) - pow(par(s, "large"), -.5));
    const double many = a * (pow(w, -.5) - pow(par(s, "large"), -.5));

    return par(s, "base") + par(s, "hop") * s->switches + between(0, many, par(s, "range"));
}

static void swift_shrink(ref_sender *s, double now, double share)
{
    if (now - s->cut < s->smoothed)
        return;
    s->window -= s->window * share;
    s->cut = now;
}

static void swift_bound(ref_sender *s)
{
    s->window = between(s->packet * par(s, "least"), s->window, s->packet * par(s, "most"));
}

static void swift_hears(ref_sender *s, const ref_heard *a)
{
    const double w = s->window / s->packet, target = swift_target(s);

    s->spell = 0;
    if (a->round >= target)
        swift_shrink(s, a->now,
                     fmin(par(s, "decrease") * (a->round - target) / a->round, par(s, "deepest")));
    else if (w < 1)
        s->window += s->packet * par(s, "increase");
    else
        s->window += s->packet * par(s, "increase") / w;
    swift_bound(s);
}

void ref_sender_loses(ref_sender *s, double now, bool timeout)
{
    if (timeout)
        s->next = 0;
    if (!is(s, "swift"))
        return;
    s->spell = timeout ? s->spell + 1 : 0;
    if (s->spell >= par(s, "retries")) {
        s->window = 0;
        s->cut = now;
    } else {
        swift_shrink(s, now, par(s, "deepest"));
    }
    swift_bound(s);
}

/* ---- timely ---- */

static void timely_hears(ref_sender *s, const ref_heard *a)
{
    const double step = par(s, "increase");
    double factor = 1, more = 0;

    s->count += s->packet;
    if (s->count < par(s, "segment"))
        return;
    s->count = 0;
    if (s->heard)
        s->difference =
            (1 - par(s, "weight")) * s->difference + par(s, "weight") * (a->round - s->before);
    s->heard = true;
    s->before = a->round;
    const double gradient = s->difference / par(s, "round");
    s->spell = gradient > 0 ? 0 : s->spell + 1;
    if (a->round < par(s, "low"))
        more = step;
    else if (a->round > par(s, "high"))
        factor = 1 - par(s, "decrease") * (1 - par(s, "high") / a->round);
    else if (gradient > 0)
        factor = 1 - par(s, "decrease") * gradient;
    else
        more = s->spell < par(s, "streak") ? step : 5 * step;
    s->rate = between(par(s, "least"), s->rate * factor + more, s->line);
}

/* ---- dcqcn ---- */

static void dcqcn_grow(ref_sender *s)
{
    const double stages = par(s, "stages"), least = fmin(s->ticks, s->laps);

    if (s->ticks >= stages || s->laps >= stages)
        s->target += least > stages ? par(s, "hyper") * (least - stages) : par(s, "increase");
    s->target = fmin(s->target, s->line);
    s->rate = .5 * s->rate + .5 * s->target;
}

static void dcqcn_until(ref_sender *s, double now)
{
    for (; s->reacts && s->timer_due <= now; s->timer_due += par(s, "timer")) {
        s->ticks++;
        dcqcn_grow(s);
    }
    for (; s->reacts && s->alpha_due <= now; s->alpha_due += par(s, "alpha-timer"))
        s->alpha -= par(s, "gain") * s->alpha;
}

static void dcqcn_hears(ref_sender *s, const ref_heard *a)
{
    if (!a->notice)
        return;
    dcqcn_until(s, a->now);
    s->reacts = true;
    s->target = s->rate;
    s->rate = fmax(par(s, "least"), s->rate - s->rate * s->alpha / 2);
    s->alpha = (1 - par(s, "gain")) * s->alpha + par(s, "gain");
    s->alpha_due = a->now + par(s, "alpha-timer");
    s->timer_due = a->now + par(s, "timer");
    s->count = s->ticks = s->laps = 0;
}

void ref_sender_sends(ref_sender *s, double now, double bytes)
{
    if (!s->reacts)
        return;
    dcqcn_until(s, now);
    s->count += bytes;
    if (s->count >= par(s, "bytes")) {
        s->count = 0;
        s->laps++;
        dcqcn_grow(s);
    }
}

bool ref_sender_notices(ref_sender *s, double now)
{
    if (is(s, "dcqcn") && now < s->noticed + par(s, "notice"))
        return false;
    s->noticed = now;
    return true;
}

/* ---- hpcc, powertcp, theta-powertcp ---- */

static void smooth(ref_sender *s, double seen, double time)
{
    const double round = par(s, "round"), t = fmin(time, round);

    s->power = (s->power * (round - t) + seen * t) / round;
}

/* The record of which `hpcc`'s u or PowerTCP's power is largest. */
static void look(ref_sender *s, const ref_heard *a)
{
    const double round = par(s, "round");
    double largest = 0, time = 0;

    for (int k = 0; k < a->records; k++) {
        const ref_record *old = &s->record[k], *new = &a->record[k];
        const double passed = new->time - old->time, line = new->rate / 8e12;
        const double sent = (new->sent - old->sent) / passed;
        const double queued = fmin(old->queued, new->queued);
        const double seen = is(s, "hpcc") ? sent / line + queued / (line * round)
                                          : ((new->queued - old->queued) / passed + sent) *
                                                (new->queued + line *round) / line / line / round;
        if (passed > 0 && seen > largest) {
            largest = seen;
            time = passed;
        }
    }
    smooth(s, largest, time);
}

static void hpcc_hears(ref_sender *s, const ref_heard *a)
{
    const bool over = a->place >= s->next;

    if (s->records > 0) {
        look(s, a);
        const bool scaled = s->power >= par(s, "eta") || s->stage >= par(s, "stages");
        s->window =
            (scaled ? s->reference * par(s, "eta") / s->power : s->reference) + par(s, "increase");
        s->window = fmin(s->window, line_window(s));
        if (over) {
            s->reference = s->window;
            s->stage = scaled ? 0 : s->stage + 1;
        }
    }
    if (over)
        s->next = a->next;
}

static void power_window(ref_sender *s)
{
    const double step = par(s, "increase") * par(s, "round") / 8e12, gamma = par(s, "gamma");
    const double fresh = s->power > 0 ? s->reference / s->power + step : INFINITY;

    s->window = fmin(gamma * fresh + (1 - gamma) * s->window, line_window(s) + step);
}

static void power_hears(ref_sender *s, const ref_heard *a)
{
    if (s->records > 0) {
        look(s, a);
        power_window(s);
    }
    if (a->place >= s->next) {
        s->reference = s->window;
        s->next = a->next;
    }
}

static void theta_hears(ref_sender *s, const ref_heard *a)
{
    const double passed = a->now - s->cut;

    if (s->heard && passed > 0)
        smooth(s,
               fmax(par(s, "current"), 1 + (a->round - s->before) / passed) * a->round /
                   par(s, "round"),
               passed);
    s->heard = true;
    s->before = a->round;
    s->cut = a->now;
    if (a->place < s->next)
        return;
    power_window(s);
    s->reference = s->window;
    s->next = a->next;
}

/* ---- all ---- */

void ref_sender_hears(ref_sender *s, const ref_heard *a)
{
    static const struct {
        const char *name;
        void (*hears)(ref_sender *s, const ref_heard *a);
    } rules[] = {{"swift", swift_hears},    {"timely", timely_hears},
                 {"dcqcn", dcqcn_hears},    {"hpcc", hpcc_hears},
                 {"powertcp", power_hears}, {"theta-powertcp", theta_hears}};

    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        if (is(s, rules[k].name))
            rules[k].hears(s, a);
    }
    memcpy(s->record, a->record, sizeof s->record);
    s->records = a->records;
}

double ref_sender_gap(const ref_sender *s, double bytes)
{
    if (is(s, "swift"))
        return s->window >= s->packet ? 0 : s->smoothed * s->packet / s->window;
    if (is(s, "timely") || is(s, "dcqcn"))
        return bytes * 8 / s->rate * 1e12;
    return par(s, "round") / s->window * bytes;
}
