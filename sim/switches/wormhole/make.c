/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes an empty network of worms, and counts what it contains.
 */
#include "sim/switches/wormhole/worms.h"
#include "switchq/graph.h"

#include <string.h>

enum {
    FAR_FROM = 1 << 20,   /* bytes; smaller networks lose by fetching ahead, ... */
    APART_FROM = 1 << 23, /* ... and larger ones by fetching what several switches need at once */
};

int swq_worm_delay(const swq_worm_plan *plan, uint32_t place)
{
    const swq_fabric *f = plan->fabric;
    const uint32_t outputs = f->switches * (uint32_t)f->ports;
    const bool node = place >= outputs;
    const uint32_t port = node ? f->entry[place - outputs] : place;

    if (f->shape.graph && f->shape.graph->delays)
        return f->shape.graph->delays[port];
    if (plan->level_delay && f->out_level[port] != UINT8_MAX)
        return plan->level_delay[f->out_level[port]];
    return node || f->link[port] & SWQ_TO_NODE ? plan->times.node_link : plan->times.link;
}

/* The longest delay of a link, in a fabric that may be counted but not laid out. */
static int longest_delay(const swq_worm_plan *plan)
{
    const swq_fabric *f = plan->fabric;
    const swq_worm_times *t = &plan->times;
    const uint16_t *of_file = f->shape.graph ? f->shape.graph->delays : NULL;
    int far = t->link > t->node_link ? t->link : t->node_link;

    for (int level = 0; plan->level_delay && level < f->levels; level++)
        far = plan->level_delay[level] > far ? plan->level_delay[level] : far;
    for (uint32_t k = 0; of_file && k < f->switches * (uint32_t)f->ports; k++)
        far = of_file[k] > far ? of_file[k] : far;
    return far;
}

/* The cycles beyond the first that a flit takes to pass on the slowest link. */
static int longest_passage(const swq_fabric *f)
{
    const swq_graph *g = f->shape.graph;

    if (!g || !g->speed_of)
        return 0;
    const swq_link_speed *slowest = &g->speed[g->speeds - 1];
    return (int)((slowest->cycles - 1) / slowest->flits);
}

/* Slots of the time wheel: a power of two, more than the cycles of the longest way of a flit or a
 * credit. */
static uint32_t slots_of(const swq_worm_plan *plan)
{
    const swq_worm_times *t = &plan->times;
    const int far = longest_delay(plan);
    const int flit = t->crossbar + t->crossing + far + longest_passage(plan->fabric);
    const int credit = t->credit + far;
    uint32_t latest = 1;
    while (latest <= (uint32_t)(flit > credit ? flit : credit))
        latest *= 2;
    return latest;
}

/* An upper bound of the number of worms: every packet in the network has a flit in a buffer, or on
 * its way to a buffer where room is taken for it; or is on the way to its node; or is at its
 * sender, which has at most as many packets as it can send at once. */
static double most_worms(const swq_worms *w)
{
    const double lanes = (double)w->lanes * w->depth, pool = w->plan.pool;
    return w->inputs * (pool > 0 && pool < lanes ? pool : lanes) + (double)w->inputs * w->latest +
           (double)w->plan.fabric->nodes * w->plan.node_lanes;
}

static uint32_t words_of(uint32_t members)
{
    return (members + 63) / 64;
}

/* Do packets look at other switches than their own? */
static bool looks_round(const swq_shape *shape)
{
    return shape->ugal_queue == SWQ_QUEUE_GLOBAL || shape->ugal_queue == SWQ_QUEUE_PATH;
}

static bool looks_at_credits(const swq_routing *routing)
{
    return routing && (routing->detours || routing->choose);
}

/* Lists the arrays that each share has for itself. */
static void list_own(swq_worms *w, swq_arrays *list)
{
    const swq_fabric *f = w->plan.fabric;
    const double each = 1u << w->shift, ports = 64.0 * w->words;

    SWQ_ARRAY(list, w->sending, words_of(f->nodes));
    SWQ_ARRAY(list, w->arriving, (double)w->latest * f->switches * w->words);
    SWQ_ARRAY(list, w->returning, (double)w->latest * f->switches * w->words);
    SWQ_ARRAY(list, w->returning_node, (double)w->latest * words_of(f->nodes));
    SWQ_ARRAY(list, w->leaving, (double)w->latest * w->width);
    SWQ_ARRAY(list, w->leaves, w->latest);
    SWQ_ARRAY(list, w->front, looks_at_credits(w->plan.routing) ? w->inputs : 0);
    SWQ_ARRAY(list, w->notes.request,
              ports * each * (w->plan.pick == SWQ_PICK_TURN ? w->ports : 1));
    SWQ_ARRAY(list, w->notes.requested, ports);
    SWQ_ARRAY(list, w->notes.first, ports);
    SWQ_ARRAY(list, w->notes.granted, ports * w->words);
    SWQ_ARRAY(list, w->notes.given, ports * each);
}

static void list_trips(swq_worms *w, swq_arrays *list)
{
    const double inputs = w->plan.fabric->shape.late_credits ? w->inputs : 0;
    const double each = 1u << w->shift;

    SWQ_ARRAY(list, w->trips.sent, inputs * each * w->depth);
    SWQ_ARRAY(list, w->trips.next, inputs * each);
    SWQ_ARRAY(list, w->trips.excess, inputs);
    SWQ_ARRAY(list, w->trips.late, inputs * w->lanes * w->depth);
    SWQ_ARRAY(list, w->trips.held, inputs);
}

void swq_worms_list(swq_worms *w, swq_arrays *list)
{
    const swq_fabric *f = w->plan.fabric;
    const double each = 1u << w->shift, lanes = w->inputs * each;
    const double places = (double)w->inputs + f->nodes;

    SWQ_ARRAY(list, w->worm, w->worms);
    SWQ_ARRAY(list, w->lane, lanes);
    SWQ_ARRAY(list, w->outs, swq_shape_adaptive(&f->shape) ? lanes * w->words : 0);
    SWQ_ARRAY(list, w->behind, lanes * w->depth);
    SWQ_ARRAY(list, w->input, w->inputs);
    SWQ_ARRAY(list, w->place, places);
    SWQ_ARRAY(list, w->pace, f->shape.graph && f->shape.graph->speed_of ? places : 0);
    SWQ_ARRAY(list, w->until, f->switches);
    SWQ_ARRAY(list, w->bank, f->switches * 3.0 * w->words);
    SWQ_ARRAY(list, w->asked, (double)w->inputs * w->words);
    SWQ_ARRAY(list, w->exit, places * each);
    SWQ_ARRAY(list, w->pool, w->plan.pool > 0 ? places : 0);
    SWQ_ARRAY(list, w->turn, (double)w->inputs * w->ports);
    SWQ_ARRAY(list, w->node, f->nodes);
    SWQ_ARRAY(list, w->under_way, f->nodes * each);
    SWQ_ARRAY(list, w->flit, (double)w->latest * w->inputs);
    SWQ_ARRAY(list, w->credited, w->latest * places);
    SWQ_ARRAY(list, w->movable, lanes);
    SWQ_ARRAY(list, w->known, w->looks_round ? w->inputs : 0);
    list_trips(w, list);
    list_own(w, list);
}

void swq_worms_lay_out(swq_worms *w, const swq_worm_plan *plan)
{
    *w = (swq_worms){.plan = *plan};
    w->ports = (uint32_t)plan->fabric->ports;
    w->words = w->ports <= 64 ? 1 : SWQ_WORM_WIDE;
    w->inputs = plan->fabric->switches * w->ports;
    w->places = w->inputs + plan->fabric->nodes;
    w->node_words = words_of(plan->fabric->nodes);
    w->lanes = (uint32_t)plan->lanes;
    w->depth = (uint32_t)plan->lane_flits;
    w->all = w->lanes == 32 ? ~UINT32_C(0) : (UINT32_C(1) << w->lanes) - 1;
    while (1u << w->shift < w->lanes)
        w->shift++;
    w->latest = slots_of(plan);
    w->width = 2 * plan->fabric->nodes; /* a header and a tail for each node */
    w->worms = (uint32_t)most_worms(w) + plan->spare;
    w->looks_round = looks_round(&plan->fabric->shape);
    w->phases = swq_worm_phases(plan, w->phase_lanes);
    w->node_lanes = swq_worm_node_lanes(plan);
    w->straight = plan->fabric->shape.kind->classes_are_outputs &&
                  !swq_shape_has_ways(&plan->fabric->shape) && !plan->by_another &&
                  !(plan->routing && plan->routing->choose);
}

static void empty_pools(swq_worms *w)
{
    const bool pools = w->plan.pool > 0;

    w->always = w->plan.reserve_in_use ? swq_worm_first_lanes(&w->plan) : w->all;
    const uint32_t reserves = (uint32_t)__builtin_popcount(w->always) * (uint32_t)w->plan.reserve;
    for (uint32_t k = 0; k < w->inputs + w->plan.fabric->nodes && pools; k++) {
        const uint32_t left = (uint32_t)w->plan.pool - reserves;
        w->pool[k] = (swq_worm_pool){.room = w->all, .reserve = w->always, .free = left};
        if (left == 0 && !(w->place[k].to & SWQ_TO_NODE))
            w->place[k].credited = w->always;
    }
}

/* Do the lanes of a link hold no more of the pool than there is? */
static bool pool_is_sound(const swq_worms *w, uint32_t place)
{
    uint32_t held = w->pool[place].free;

    for (uint32_t l = 0; l < w->lanes; l++)
        held += swq_worms_hold(w, place, l);
    return held == (uint32_t)w->plan.pool;
}

/* Puts so many switches into each bank, and numbers their ports. */
static void make_banks(swq_worms *w, uint32_t switches)
{
    const uint32_t ports = switches * w->ports;

    w->bank_ports = ports;
    w->banks = w->all_banks = (w->inputs + ports - 1) / ports;
    for (uint32_t k = 0; k < w->inputs + w->plan.fabric->nodes; k++) {
        swq_worm_place *place = &w->place[k];
        if (place->to & SWQ_TO_NODE)
            continue;
        place->receiver = place->to / ports;
        place->receiver_in = (uint8_t)(place->to % ports);
    }
    for (uint32_t k = 0; k < w->inputs; k++) {
        swq_worm_input *in = &w->input[k];
        in->bank = k / ports;
        in->base = in->bank * ports;
        in->first = (uint8_t)((k - in->base) / w->ports * w->ports);
        if (in->sender & SWQ_TO_NODE)
            continue;
        in->sender = in->upstream / ports;
        in->sender_out = (uint8_t)(in->upstream % ports);
    }
    for (uint32_t k = 0; k < w->inputs << w->shift; k++)
        w->lane[k].input = (uint8_t)((k >> w->shift) % ports);
}

/* Where the link of a place leads, and where the link to an input comes from. */
static void empty_place(swq_worms *w, uint32_t k)
{
    const swq_fabric *f = w->plan.fabric;
    const uint32_t to = k < w->inputs ? f->link[k] : f->entry[k - w->inputs];
    const bool to_node = to & SWQ_TO_NODE; /* or SWQ_NO_WHERE */
    const uint16_t delay = (uint16_t)swq_worm_delay(&w->plan, k);

    if (w->pace) {
        const swq_graph *g = f->shape.graph;
        const swq_link_speed *s = &g->speed[g->speed_of[k < w->inputs ? k : to]];
        w->pace[k] = (swq_worm_pace){.cycles = s->cycles, .flits = s->flits};
    }
    w->place[k] = (swq_worm_place){.to = to, .unowned = w->all, .credited = w->all, .delay = delay};
    for (uint32_t l = 0; l < w->lanes; l++)
        w->exit[((size_t)k << w->shift) + l].credit = (uint16_t)w->depth;
    if (to_node)
        return;
    swq_worm_input *in = &w->input[to];
    in->upstream = k;
    in->sender = k < w->inputs ? 0 : SWQ_TO_NODE | (k - w->inputs);
    in->back = (uint16_t)(delay + w->plan.times.credit);
}

void swq_worms_empty(swq_worms *w, const swq_worm_told *told)
{
    const swq_fabric *f = w->plan.fabric;

    swq_arrays list = {0};

    w->told = *told;
    swq_worms_list(w, &list);
    w->far = told->fetch && swq_arrays_bytes(&list) >= FAR_FROM;
    for (uint32_t k = 0; k < w->worms; k++)
        w->worm[k].next = k + 1;
    for (uint32_t k = 0; k < w->inputs + f->nodes; k++)
        empty_place(w, k);
    for (uint32_t k = 0; k < w->inputs; k++)
        w->input[k].switch_ = k / w->ports;
    for (uint32_t k = 0; k < w->inputs << w->shift; k++)
        w->lane[k].number = (uint8_t)(k & ((1u << w->shift) - 1));
    const bool apart = w->words > 1 || (w->far && swq_arrays_bytes(&list) >= APART_FROM);
    make_banks(w, apart ? 1 : 64 / w->ports);
    w->by_credits = w->plan.atomic || (w->plan.pool > 0 && w->plan.reserve_in_use);
    empty_pools(w);
    for (uint32_t node = 0; node < f->nodes; node++)
        w->node[node] = (swq_worm_node){.worm = SWQ_NO_WORM, .last = SWQ_MAX_LANES - 1};
}

/* Flits in the buffer of a lane. */
static uint32_t held(const swq_worms *w, size_t lane)
{
    const swq_worm_lane *l = &w->lane[lane];
    uint32_t flits = l->packets ? l->here : 0;

    for (uint32_t k = 1; k < l->packets; k++)
        flits += w->behind[lane * w->depth + (l->first + k) % w->depth].here;
    return flits;
}

uint32_t swq_worms_held_in(const swq_worms *w, uint32_t port, uint32_t lane)
{
    return held(w, ((size_t)port << w->shift) + lane);
}

uint32_t swq_worms_held(const swq_worms *w, uint32_t port)
{
    uint32_t flits = 0;

    for (uint32_t l = 0; l < w->lanes; l++)
        flits += swq_worms_held_in(w, port, l);
    return flits;
}

/* The lane of a flit that comes to an input in a slot of the time wheel, and of a credit that comes
 * back to the sender of its link; UINT32_MAX: none. */
static uint32_t flit_under_way(const swq_worms *w, uint32_t slot, uint32_t port)
{
    const swq_worm_input *in = &w->input[port];
    const uint32_t number = port - in->base;
    const size_t at = swq_worms_at_bank(w, slot, in->bank) * w->words + number / 64;
    const bool comes = swq_worms_arriving(w, at, false) >> number % 64 & 1;

    return comes ? w->flit[swq_worms_at_input(w, slot, port)].lane : UINT32_MAX;
}

static bool comes_to_node(const swq_worms *w, uint32_t slot, uint32_t node)
{
    const size_t at = swq_worms_at_node(w, slot, node);
    uint64_t word = w->returning_node[at];

    for (int k = 0; w->team && k < w->team->shares; k++)
        word |= w->team->of[k].returning_node[at];
    return word >> node % 64 & 1;
}

uint32_t swq_worms_credit_under_way(const swq_worms *w, uint32_t slot, uint32_t port)
{
    const swq_worm_input *in = &w->input[port];
    bool comes;

    if (in->sender & SWQ_TO_NODE) {
        comes = comes_to_node(w, slot, in->sender & ~SWQ_TO_NODE);
    } else {
        const uint32_t out = in->sender_out;
        const size_t at = swq_worms_at_bank(w, slot, in->sender) * w->words + out / 64;
        comes = swq_worms_returning(w, at, false) >> out % 64 & 1;
    }
    return comes ? w->credited[swq_worms_at_place(w, slot, in->upstream)] : UINT32_MAX;
}

/* Counts the flits of an input in its buffers and on the link to it. Is each of them, and each
 * credit on its way back, where a credit of its lane is missing? */
static uint64_t audit_input(const swq_worms *w, uint32_t port, bool *sound)
{
    const uint32_t up = w->input[port].upstream;
    uint32_t taken[SWQ_MAX_LANES] = {0};
    uint64_t flits = 0;

    for (uint32_t l = 0; l < w->lanes; l++) {
        taken[l] = held(w, ((size_t)port << w->shift) + l);
        flits += taken[l];
    }
    for (uint32_t slot = 0; slot < w->latest; slot++) {
        const uint32_t flit = flit_under_way(w, slot, port);
        const uint32_t credit = swq_worms_credit_under_way(w, slot, port);
        if (flit < w->lanes) {
            taken[flit]++;
            flits++;
        }
        if (credit < w->lanes)
            taken[credit]++;
    }
    for (uint32_t k = 0; w->trips.sent && k < w->trips.held[port]; k++)
        taken[swq_worms_late_credit(w, port, k)]++;
    if (w->plan.pool > 0)
        *sound = *sound && pool_is_sound(w, up);
    for (uint32_t l = 0; l < w->lanes; l++)
        *sound = *sound && taken[l] + w->exit[((size_t)up << w->shift) + l].credit == w->depth;
    return flits;
}

uint64_t swq_worms_audit(const swq_worms *w, bool *sound)
{
    uint64_t flits = 0;

    *sound = true;
    for (uint32_t port = 0; port < w->inputs; port++) {
        if (w->plan.fabric->in_level[port] != UINT8_MAX)
            flits += audit_input(w, port, sound);
    }
    return flits;
}

/* ---- shares ---- */

double swq_worms_share_bytes(const swq_worms *w)
{
    swq_worms share = *w;
    swq_arrays list = {0};

    list_own(&share, &list);
    return swq_arrays_bytes(&list);
}

static void join(swq_worm_team *team, const swq_worms *share)
{
    team->of[team->shares].arriving = share->arriving;
    team->of[team->shares].returning = share->returning;
    team->of[team->shares].returning_node = share->returning_node;
    team->shares++;
}

/* The whole network becomes the first share of a team. All its numbers but a few are the team's. A
 * share begins with any switch, so that each switch has a bank of its own. */
static void begin_team(swq_worms *whole, swq_worm_team *team)
{
    pthread_mutex_init(&team->numbers, NULL);
    make_banks(whole, 1);
    team->whole = whole;
    join(team, whole);
    whole->worm[whole->worms - 1].next = SWQ_NO_WORM;
    team->free_worm = whole->free_worm;
    whole->free_worm = SWQ_NO_WORM;
    whole->idle = 0;
    whole->team = team;
}

swq_status swq_worms_share(swq_context *ctx, swq_worms *whole, swq_worm_team *team, uint32_t first,
                           uint32_t count, const swq_worm_told *told, swq_worms *share)
{
    swq_arrays list = {0};

    *share = *whole;
    share->told = *told;
    share->team = NULL;
    share->free_worm = SWQ_NO_WORM;
    share->idle = 0;
    list_own(share, &list);
    for (int k = 0; k < list.count; k++)
        memset(list.array[k].at, 0, sizeof(void *));
    const swq_status status = swq_arrays_take(ctx, &list);
    if (status)
        return status;
    if (team->shares == 0)
        begin_team(whole, team);
    if (whole->first_bank + whole->banks > first)
        whole->banks = first - whole->first_bank;
    share->bank_ports = whole->bank_ports;
    share->all_banks = whole->all_banks;
    share->first_bank = first;
    share->banks = count;
    share->team = team;
    join(team, share);
    return SWQ_OK;
}

void swq_worms_unshare(swq_context *ctx, swq_worms *share)
{
    swq_worm_team *team = share->team;
    swq_arrays list = {0};

    if (!share->plan.fabric) /* it was not made */
        return;
    list_own(share, &list);
    swq_arrays_free(ctx, &list);
    if (!team || --team->shares > 1)
        return;
    pthread_mutex_destroy(&team->numbers);
    if (team->whole->cycle == 0) { /* no thread has begun: it goes on alone */
        team->whole->banks = team->whole->all_banks;
        team->whole->free_worm = team->free_worm;
        team->whole->team = NULL;
    }
    *team = (swq_worm_team){0};
}

/* Moves at most `count` numbers from the front of a list to the front of another one. */
static uint32_t move_numbers(swq_worms *w, uint32_t *from, uint32_t *to, uint32_t count)
{
    uint32_t moved = 0;

    for (; moved < count && *from != SWQ_NO_WORM; moved++) {
        const uint32_t number = *from;
        *from = w->worm[number].next;
        w->worm[number].next = *to;
        *to = number;
    }
    return moved;
}

void swq_worms_take_numbers(swq_worms *w)
{
    pthread_mutex_lock(&w->team->numbers);
    w->idle += move_numbers(w, &w->team->free_worm, &w->free_worm, SWQ_WORM_SPARE / 2);
    pthread_mutex_unlock(&w->team->numbers);
}

void swq_worms_give_numbers(swq_worms *w)
{
    pthread_mutex_lock(&w->team->numbers);
    w->idle -= move_numbers(w, &w->free_worm, &w->team->free_worm, SWQ_WORM_SPARE / 2);
    pthread_mutex_unlock(&w->team->numbers);
}
