/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Wormhole networks of a file: swq_graph_read and swq_async_run against tests/ref/ref_graph.c,
 * which was written from the documents without sight of the kernel, reads the same file, and moves
 * every flit in every cycle. Traffic is a trace; the node that the library draws for a packet is
 * told to the reference, which decides by itself whether UGAL or PAR goes by way of it. Every
 * header must be granted every crossbar in the same cycle and by the same ports, and all tails must
 * arrive after the same time.
 */
#include "sim/stream.h"
#include "switchq/async.h"
#include "switchq/graph.h"
#include "tests/ref/ref_groups.h"
#include "tests/support/support.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PACKETS = 400, LAST_CREATED = 2500, TEXT = 60000 };

static swq_context *ctx;
static char path[] = "/tmp/switchq-graph-reference-XXXXXX";

static void setup(void)
{
    ctx = swq_context_new();
    const int file = mkstemp(path);
    cr_assert_geq(file, 0);
    close(file);
}

static void teardown(void)
{
    remove(path);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(graph_reference, .init = setup, .fini = teardown, .timeout = 240);

/* ---- dice ---- */

static uint64_t dice;

static int below(int n)
{
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (int)((dice >> 33) % (uint64_t)n);
}

static int between(int least, int most)
{
    return least + below(most - least + 1);
}

/* ---- files ---- */

static char text[TEXT];
static size_t used;

static __attribute__((format(printf, 1, 2))) void add(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    used += (size_t)vsnprintf(text + used, sizeof text - used, format, list);
    va_end(list);
    cr_assert_lt(used, sizeof text);
}

/* Of the library's file, whose ports are so many times those of the reference's: where more than 1,
 * all ports are named, and switches have more than 64. */
static int apart = 1;

/* A port of a switch that no line has named, or -1, for which the lowest free one is taken. */
static int draw_port(int at, char named[][32])
{
    int port = below(3) ? -1 : below(12);

    if (apart > 1)
        for (port = below(REF_GRAPH_PORTS); named[at][port];)
            port = (port + 1) % REF_GRAPH_PORTS;

    if (port < 0 || named[at][port])
        return -1;
    named[at][port] = 1;
    return port;
}

static void add_end(int at, int port, int numbers)
{
    if (port < 0)
        add(numbers ? " %d" : " s%d", numbers ? 100 - 3 * at : at);
    else
        add(numbers ? " %d:^%d" : " s%d:^%d", numbers ? 100 - 3 * at : at, port);
}

static int of_speeds; /* links have several speeds */

static void add_times(int unlike)
{
    static const char *const speed[] = {"100", "25", "50", "40", "66.666667", "10", "75", "99.5"};

    if (of_speeds)
        add(" speed=%s", speed[below(of_speeds)]);
    if (unlike)
        add(" delay=%d", between(1, 4));
    add("\n");
}

/* A tree of switches, or a ring of arcs, with further links in both directions or in one, and one
 * to three hosts at most of them; names are words, or numbers in another order than their mention.
 */
static void draw_file(int unlike)
{
    char named[20][32] = {{0}};
    const int switches = between(2, 9), numbers = below(3) == 0, more = between(0, switches + 3);
    const int ring = below(4) == 0;
    int hosts = 0;

    used = 0;
    add("# a network that was drawn\n");
    for (int w = 0; w < switches; w++)
        for (int k = w == 0 || w == switches - 1 ? 1 : below(3); k > 0; k--) {
            const int name = numbers ? 500 - 7 * hosts : hosts;

            hosts++;
            add(numbers ? "host %d" : "host n%d", name);
            add_end(w, draw_port(w, named), numbers);
            add_times(unlike);
        }
    for (int k = ring ? 0 : 1; k < switches + more; k++) {
        const int a = k < switches ? k : below(switches);
        const int b = k >= switches ? below(switches) : ring ? (k + 1) % switches : below(k);

        if (a == b)
            continue;
        add((k < switches ? ring : below(5) == 0) ? "arc" : "link");
        add_end(a, draw_port(a, named), numbers);
        add_end(b, draw_port(b, named), numbers);
        add_times(unlike);
    }
}

/* Routes of single switches and hosts by any link, so that some lead in a circle. */
static void add_routes(const ref_graph *g)
{
    for (int k = between(0, 4); k > 0; k--) {
        const int at = below(g->switches), to = below(g->hosts), port = below(REF_GRAPH_PORTS);

        if (g->link[at][port].used && g->link[at][port].host < 0 && g->host[to].at != at)
            add("route %s %s ^%d\n", g->name[at], g->host[to].name, port);
    }
}

/* Writes the text, in which each port has a mark, with ports that are `times` those of the text. */
static void save(int times)
{
    FILE *file = fopen(path, "w");

    cr_assert(file);
    for (char *at = text; *at;) {
        if (*at == '^')
            fprintf(file, "%ld", times * strtol(at + 1, &at, 10));
        else
            fputc(*at++, file);
    }
    cr_assert_eq(fclose(file), 0);
}

/* ---- a case ---- */

typedef struct {
    char what[400];
    ref_graph graph;
    ref_graph_run run;
    ref_graph_packet packet[MOST_PACKETS];
    int output[MOST_PACKETS][REF_GRAPH_SWITCHES]; /* that a packet took in a switch */
    swq_async_message trace[MOST_PACKETS];
    swq_graph file;
    swq_async network;
    swq_fabric fabric; /* of which PAR draws places */
} graph_case;

typedef struct {
    swq_start *at;
    long count, room;
    ref_graph_packet *packet;
    int packets;
} graph_starts;

static int packet_of(const graph_starts *w, const swq_start *x)
{
    for (int k = 0; k < w->packets; k++)
        if (w->packet[k].from == (int)x->from && w->packet[k].cycle == (long)x->birth)
            return k;
    return -1;
}

static void started(void *arg, const swq_start *x)
{
    graph_starts *w = arg;

    if (w->count == w->room) {
        w->room = 2 * w->room + 1024;
        w->at = realloc(w->at, (size_t)w->room * sizeof *w->at);
        cr_assert(w->at);
    }
    w->at[w->count++] = *x;
    if (x->switch_ == SWQ_NO_WHERE) {
        const int k = packet_of(w, x);

        cr_assert_geq(k, 0);
        w->packet[k].drawn = (int)x->over - 1;
        return;
    }
    w->at[w->count - 1].input /= (uint32_t)apart;
    w->at[w->count - 1].output /= (uint32_t)apart;
}

/* Of the reference, as the library tells it. */
static swq_start start_of(const graph_case *c, const ref_graph_outcome *o, long k)
{
    const ref_graph_start *s = &o->start[k];
    const ref_graph_packet *p = &c->packet[s->packet];

    return (swq_start){.cycle = (uint32_t)s->cycle,
                       .from = (uint32_t)p->from,
                       .to = (uint32_t)p->to,
                       .birth = (uint32_t)p->cycle,
                       .bytes = (uint32_t)p->flits,
                       .switch_ = s->at < 0 ? SWQ_NO_WHERE : (uint32_t)s->at,
                       .input = (uint32_t)s->input,
                       .output = (uint32_t)s->output,
                       .over = (uint32_t)(s->over + 1)};
}

static int in_order(const void *a, const void *b)
{
    const swq_start *x = a, *y = b;
    const uint32_t i[] = {x->cycle, x->switch_, x->output, x->from};
    const uint32_t j[] = {y->cycle, y->switch_, y->output, y->from};

    for (int k = 0; k < 4; k++)
        if (i[k] != j[k])
            return i[k] < j[k] ? -1 : 1;
    return 0;
}

static bool same(const swq_start *x, const swq_start *y)
{
    return in_order(x, y) == 0 && x->input == y->input && x->to == y->to && x->birth == y->birth &&
           x->bytes == y->bytes && x->over == y->over;
}

static void print_start(char *line, size_t size, const swq_start *s)
{
    snprintf(line, size,
             "cycle %u, switch %d, input %u to output %u: %u to %u of %u, %u flits, over %d",
             s->cycle, (int)s->switch_, s->input, s->output, s->from, s->to, s->birth, s->bytes,
             (int)s->over - 1);
}

static bool compare_starts(const graph_case *c, const graph_starts *found,
                           const swq_start *expected, long count)
{
    char is[200] = "nothing", should[200] = "nothing";
    long k = 0;

    while (k < found->count && k < count && same(&found->at[k], &expected[k]))
        k++;
    if (k < found->count)
        print_start(is, sizeof is, &found->at[k]);
    if (k < count)
        print_start(should, sizeof should, &expected[k]);
    cr_expect(k == found->count && k == count, "%s: start %ld of %ld\n is        %s\n should be %s",
              c->what, k, count, is, should);
    return k == found->count && k == count;
}

static double tails_of(const graph_case *c, const ref_graph_outcome *o)
{
    double sum = 0;

    for (int k = 0; k < c->run.packets; k++)
        sum += o->last[k] < 0 ? 0 : (double)(o->last[k] - c->packet[k].cycle);
    return sum;
}

/* What was seen over all cases of a test. */
typedef struct {
    int cases, deadlocks, straight, over, refused, unfinished;
    long asked, turned; /* by PAR behind the first switch */
    long held;          /* most cycles for which a credit was held back */
    int off_route;      /* starts from a switch by another output than the route's */
} graph_seen;

/* What was drawn of several links, for the reference, which says which those are. */
static void note_outputs(graph_case *c, const graph_starts *found)
{
    for (long k = 0; k < found->count && (c->run.dims || c->run.pick == REF_PICK_RANDOM); k++) {
        const swq_start *s = &found->at[k];
        if (s->switch_ != SWQ_NO_WHERE)
            c->output[packet_of(found, s)][s->switch_] = (int)s->output;
    }
}

static int output_taken(const void *arg, int packet, int at)
{
    return ((const graph_case *)arg)->output[packet][at];
}

static void compare(graph_case *c, graph_seen *t)
{
    swq_sim_options options = swq_sim_defaults();
    graph_starts found = {.packet = c->packet, .packets = c->run.packets};
    swq_async_watch watch = {.started = started, .arg = &found};
    swq_async_result r;
    ref_graph_outcome o;

    options.warmup = 0;
    options.cycles = (uint64_t)c->run.cycles;
    cr_assert_eq(swq_async_run(ctx, &c->network, &options, &watch, &r), SWQ_OK, "%s: %s", c->what,
                 swq_context_message(ctx));
    cr_expect(r.sim.conserved && r.sim.little_exact, "%s", c->what);
    note_outputs(c, &found);
    ref_graph_simulate(&c->run, &o);
    cr_expect_eq(o.broken, 0, "%s: the reference breaks its rules %d times", c->what, o.broken);
    const bool whole = o.delivered == c->run.packets;
    swq_start *expected = malloc((size_t)(o.starts + 1) * sizeof *expected);
    long count = 0;
    for (long k = 0; k < o.starts; k++)
        if (whole || o.start[k].cycle < (long)r.sim.cycles)
            expected[count++] = start_of(c, &o, k);
    qsort(expected, (size_t)count, sizeof *expected, in_order);
    if (found.count)
        qsort(found.at, (size_t)found.count, sizeof *found.at, in_order);
    if (compare_starts(c, &found, expected, count) && whole) {
        const double is = r.sim.all.tail_latency.mean * (double)o.delivered,
                     should = tails_of(c, &o);

        cr_expect_eq(r.sim.total_delivered, (uint64_t)o.delivered, "%s", c->what);
        cr_expect(fabs(is - should) < 1e-9 * should, "%s: last flits %.2f, not %.2f", c->what, is,
                  should);
    }
    cr_expect_eq(r.sim.stopped_by,
                 whole          ? SWQ_STOP_TRACE_END
                 : o.unfinished ? SWQ_STOP_CYCLES
                                : SWQ_STOP_DEADLOCK,
                 "%s: stopped by %d", c->what, (int)r.sim.stopped_by);
    cr_expect(whole || o.unfinished || swq_async_may_deadlock(&c->network),
              "%s: said never to deadlock", c->what);
    for (long k = 0; k < o.starts; k++) {
        const ref_graph_start *s = &o.start[k];
        t->off_route += s->at >= 0 && c->graph.host[c->packet[s->packet].to].at != s->at &&
                        s->output != c->graph.route[s->at][c->packet[s->packet].to];
    }
    t->cases++;
    t->deadlocks += !whole && !o.unfinished;
    t->unfinished += o.unfinished;
    t->held = o.held > t->held ? o.held : t->held;
    t->asked += o.asked;
    t->turned += o.turned;
    for (int k = 0; k < c->run.packets; k++) {
        t->straight += o.over[k] == 0;
        t->over += o.over[k] == 1;
    }
    free(found.at);
    free(expected);
    ref_graph_clear(&o);
}

static void draw_packets(graph_case *c)
{
    static const int often[] = {5, 30, 100, 500};
    const int permille = often[below(4)], longest = below(3) ? between(1, 24) : 1;
    const int hot = below(3) ? -1 : below(c->graph.hosts), fixed = below(2);
    int n = 0;

    for (int now = 0; now < LAST_CREATED; now++)
        for (int from = 0; from < c->graph.hosts && n < MOST_PACKETS; from++) {
            if (below(1000) >= permille)
                continue;
            int to = hot >= 0 && below(3) ? hot : below(c->graph.hosts);
            if (to == from)
                to = (from + 1 + below(c->graph.hosts - 1)) % c->graph.hosts;
            const int flits = fixed ? longest : between(1, longest);
            c->trace[n] =
                (swq_async_message){(uint64_t)now, (uint32_t)from, (uint32_t)to, (uint32_t)flits};
            c->packet[n++] = (ref_graph_packet){now, from, to, flits, -1};
        }
    c->run.packet = c->packet;
    c->run.packets = n;
    c->network.traffic.trace = c->trace;
    c->network.traffic.trace_messages = (uint64_t)n;
}

/* Lanes and delays; `routing` is deterministic, valiant or ugal. */
static void draw_switches(graph_case *c, const char *routing, int unlike)
{
    ref_graph_run *r = &c->run;
    swq_async *n = &c->network;
    swq_link_lanes *lanes = &n->architecture.lanes;

    cr_assert_eq(swq_routing_find(ctx, routing, &n->shape.routing), SWQ_OK);
    r->ugal = strcmp(routing, "ugal") == 0;
    r->by_another = n->shape.routing->by_another;
    const int phases = c->graph.longest * (r->by_another ? 2 : 1);
    r->by_phase = phases > 0 && phases < REF_GRAPH_LANES && below(3) > 0;
    r->lanes = r->by_phase ? between(phases, phases + 3) : between(r->by_another ? 2 : 1, 5);
    r->room = between(1, 6);
    r->at_once = below(3) ? 1 : between(1, r->lanes);
    r->empty = below(3) == 0;
    r->threshold = r->ugal && below(2) ? below(6) : 0;
    r->routed = below(2) ? 0 : between(0, 3);
    r->given = between(0, 2);
    r->granted = 1;
    r->crossed = between(0, 2);
    r->credit = below(2) ? 0 : between(1, 3);
    r->cycles = 300000;
    n->architecture.row = &swq_wormhole_lanes;
    n->link.rest = 0;
    n->packet.max = 64;
    n->flow.credit_delay = r->credit;
    n->shape.ugal_threshold = r->threshold;
    if (r->ugal && below(3) == 0) {
        r->factor = n->shape.straight_factor = below(3);
        r->other_factor = n->shape.detour_factor = below(4);
    }
    cr_assert_eq(swq_lane_choice_find(ctx, r->by_phase ? "phase" : "any", &lanes->choice), SWQ_OK);
    lanes->count = r->lanes;
    lanes->flits = r->room;
    lanes->of_node = r->at_once;
    lanes->given_empty = r->empty;
    lanes->router_delay[0] = r->routed;
    lanes->router_delay[1] = r->given;
    lanes->router_delay[2] = r->granted;
    lanes->router_delay[3] = r->crossed;
    if (!unlike) { /* the file says nothing of delays */
        lanes->link_delay = between(1, 3);
        for (int w = 0; w < c->graph.switches; w++)
            for (int p = 0; p < REF_GRAPH_PORTS; p++)
                c->graph.link[w][p].delay = lanes->link_delay;
        for (int h = 0; h < c->graph.hosts; h++)
            c->graph.host[h].delay = lanes->link_delay;
    }
}

static const char *const picks[] = {[REF_PICK_NONE] = NULL,
                                    [REF_PICK_ROOM] = "room",
                                    [REF_PICK_FIRST] = "first",
                                    [REF_PICK_TURN] = "turn",
                                    [REF_PICK_RANDOM] = "random"};

/* Lets the packets of a case take any shortest way. One that is drawn is told to the reference, so
 * that all packets must arrive: with lanes for each link they do. */
static void choose_ways(graph_case *c)
{
    ref_graph_run *r = &c->run;
    swq_link_lanes *lanes = &c->network.architecture.lanes;

    if (c->network.shape.routing->escapes) {
        r->escape = 1;
        r->by_phase = 0;
        r->empty = lanes->given_empty = 1;
        r->alike = lanes->escapes_alike = below(2);
        lanes->escapes_kept = r->kept;
        r->lanes = lanes->count = between(2, 4);
        r->at_once = lanes->of_node = between(1, r->alike ? r->lanes : r->lanes - 1);
        cr_assert_eq(swq_lane_choice_find(ctx, "any", &lanes->choice), SWQ_OK);
    }
    const int pick = between(REF_PICK_ROOM, r->by_phase ? REF_PICK_RANDOM : REF_PICK_TURN);

    c->run.pick = pick;
    c->run.taken = output_taken;
    c->run.arg = c;
    cr_assert_eq(swq_selection_find(ctx, picks[pick], &c->network.arbiter.choice), SWQ_OK);
}

static void run_case(graph_case *c, const char *routing, int unlike, graph_seen *t)
{
    c->network.shape = (swq_shape){.kind = &swq_fabric_graph, .graph = &c->file};
    c->run.graph = &c->graph;
    draw_switches(c, routing, unlike);
    if (swq_shape_adaptive(&c->network.shape))
        choose_ways(c);
    draw_packets(c);
    snprintf(c->what, sizeof c->what,
             "case %d, %s %s, %d switches, %d hosts, longest %d, %d lanes of %d, phase %d, at once "
             "%d, empty %d, T %d, stages %d,%d,1,%d, link %d, credit %d, %d packets",
             t->cases, routing, c->run.pick ? picks[c->run.pick] : "", c->graph.switches,
             c->graph.hosts, c->graph.longest, c->run.lanes, c->run.room, c->run.by_phase,
             c->run.at_once, c->run.empty, c->run.threshold, c->run.routed, c->run.given,
             c->run.crossed, unlike ? 0 : c->network.architecture.lanes.link_delay, c->run.credit,
             c->run.packets);
    compare(c, t);
}

/* Reads the file by both readers; false if both refuse it. */
static bool read_both(graph_case *c, graph_seen *t)
{
    const char *wrong = ref_graph_read(path, &c->graph);

    if (apart > 1)
        save(apart);
    const swq_status status = swq_graph_read(ctx, path, NULL, &c->file);

    cr_assert_eq(wrong != NULL, status != SWQ_OK, "%s, and %s:\n%s",
                 wrong ? wrong : "nothing wrong", status ? swq_context_message(ctx) : "read", text);
    if (wrong) {
        cr_assert(strstr(swq_context_message(ctx), wrong), "%s", swq_context_message(ctx));
        t->refused++;
        return false;
    }
    cr_assert_eq(c->file.nodes, (uint32_t)c->graph.hosts);
    cr_assert_eq(c->file.switches, (uint32_t)c->graph.switches);
    return true;
}

static void compare_some(int cases, uint64_t seed, const char *routing, graph_seen *t)
{
    static graph_case c;

    *t = (graph_seen){0};
    dice = seed;
    while (t->cases < cases) {
        const int unlike = below(2);

        memset(&c, 0, sizeof c);
        c.network = swq_async_defaults();
        draw_file(unlike);
        save(1);
        if (!read_both(&c, t))
            continue;
        swq_graph_clear(ctx, &c.file);
        const int escape = strcmp(routing, "escape") == 0, kept = escape && below(2);
        if (escape)
            c.run.kept = kept;
        if (!escape || kept) /* else routes that lead no nearer could lead in circles */
            add_routes(&c.graph);
        save(1);
        if (!read_both(&c, t))
            continue;
        run_case(&c, routing, unlike && !c.file.delay, t);
        swq_graph_clear(ctx, &c.file);
    }
}

static const char *const routings[] = {"deterministic", "valiant", "ugal"};

Test(graph_reference, every_header_and_every_tail)
{
    graph_seen t;

    compare_some(200, 1, "deterministic", &t);
    cr_expect_gt(t.refused, 5, "only %d routes in a circle", t.refused);
    cr_expect_gt(t.deadlocks, 0, "no deadlock");
}

Test(graph_reference, over_another_node)
{
    graph_seen t;

    compare_some(200, 2, "valiant", &t);
    cr_expect_gt(t.over, 10000, "only %d packets", t.over);
}

Test(graph_reference, by_ugal)
{
    graph_seen t;

    compare_some(300, 3, "ugal", &t);
    cr_expect_gt(t.over, 3000, "only %d packets by way of another node", t.over);
    cr_expect_gt(t.straight, 5000, "only %d packets straight", t.straight);
}

/* ---- a choice of shortest ways ---- */

Test(graph_reference, by_any_shortest_way)
{
    graph_seen t;

    compare_some(150, 15, "adaptive", &t);
    cr_expect_gt(t.deadlocks, 0, "no deadlock");
    cr_expect_gt(t.cases - t.deadlocks, 100);
    cr_expect_gt(t.off_route, 2000, "only %d starts by another output than the route's",
                 t.off_route);
}

/* Switches of 65 to 241 ports, of which packets use those whose numbers are multiples of 16: sets
 * of outputs have several words. */
Test(graph_reference, by_any_shortest_way_of_many_ports)
{
    graph_seen t;

    apart = 16;
    compare_some(60, 21, "adaptive", &t);
    cr_expect_gt(t.off_route, 800, "only %d starts by another output than the route's",
                 t.off_route);
    compare_some(40, 22, "escape", &t);
    cr_expect_gt(t.off_route, 400, "only %d starts by another output than the route's",
                 t.off_route);
    apart = 1;
}

/* ---- links of several speeds ---- */

/* Links of two to eight speeds. */
static void compare_speeds(int cases, uint64_t seed, const char *routing, graph_seen *t)
{
    of_speeds = (int)seed % 7 + 2;
    compare_some(cases, seed, routing, t);
    of_speeds = 0;
}

Test(graph_reference, links_of_several_speeds)
{
    graph_seen t;

    for (uint64_t seed = 10; seed < 17; seed++)
        compare_speeds(6, seed, seed % 4 ? routings[seed % 4 - 1] : "adaptive", &t);
}

/* ---- built-in networks as files ---- */

static void compare_built_in(const swq_fabric_kind *kind, const int *extent, int first, int second,
                             graph_seen *t)
{
    static graph_case c;
    swq_fabric fabric;

    memset(&c, 0, sizeof c);
    c.network = swq_async_defaults();
    swq_shape shape = {.kind = kind, .size = {first, second}};
    for (int d = 0; extent && extent[d]; d++)
        shape.extent[shape.dims++] = extent[d];
    cr_assert_eq(swq_fabric_make(ctx, &shape, &fabric), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(swq_graph_write(ctx, &fabric, path), SWQ_OK, "%s", swq_context_message(ctx));
    swq_fabric_clear(ctx, &fabric);
    cr_assert(read_both(&c, t));
    run_case(&c, routings[t->cases % 3], 0, t);
    swq_graph_clear(ctx, &c.file);
}

Test(graph_reference, built_in_networks_as_files)
{
    static const int torus[] = {4, 4, 0}, rows[] = {3, 4, 0};
    graph_seen t = {0};

    dice = 4;
    for (int k = 0; k < 6; k++) {
        compare_built_in(&swq_fabric_torus, torus, 0, 0, &t);
        compare_built_in(&swq_fabric_hyperx, rows, 2, 0, &t);
        compare_built_in(&swq_fabric_dragonfly, NULL, 1, 0, &t);
        compare_built_in(&swq_fabric_slimfly, NULL, 3, 1, &t);
        compare_built_in(&swq_fabric_polarfly, NULL, 3, 2, &t);
        compare_built_in(&swq_fabric_megafly, NULL, 2, 0, &t);
        compare_built_in(&swq_fabric_dragonfly, NULL, 2, 0, &t);
    }
    cr_expect_eq(t.refused, 0);
    cr_expect(t.straight > 1000 && t.over > 1000);
}

/* ---- built-in networks with rules of their own ---- */

/* The links of two graphs are the same. */
static bool same_links(const ref_graph *a, const ref_graph *b)
{
    for (int w = 0; w < a->switches; w++)
        for (int p = 0; p < REF_GRAPH_PORTS; p++) {
            const ref_graph_link *x = &a->link[w][p], *y = &b->link[w][p];

            if (x->used != y->used ||
                (x->used &&
                 (x->host != y->host || (x->host < 0 && (x->to != y->to || x->port != y->port)))))
                return false;
        }
    return a->switches == b->switches && a->hosts == b->hosts;
}

/* Dragonflies and Megaflies have the reference's own links and ways, as well as the same links in
 * the file. */
static void wire_groups(graph_case *c, const swq_shape *shape)
{
    static ref_graph own;
    const int *n = shape->size;
    const char *wrong;

    if (shape->kind == &swq_fabric_dragonfly)
        wrong = ref_groups_dragonfly(&own, n[0], n[1], n[2], n[5] ? n[5] : n[1] * n[2] + 1, n[3]);
    else if (shape->kind == &swq_fabric_megafly)
        wrong = ref_groups_megafly(&own, n[0], n[1], n[2], n[3], n[4]);
    else
        return;
    cr_assert_null(wrong, "%s", wrong);
    cr_assert(same_links(&own, &c->graph), "other links");
    c->graph = own;
}

/* Lays a network out, writes it as a file for the reference, and draws lanes, delays and packets.
 * With `phases`, lanes for so many links of a way, else one for each link, and the last for the
 * rest. */
static void begin_built_in(graph_case *c, const swq_shape *shape, int lanes, int phases)
{
    swq_shape plain = *shape;
    ref_graph_run *r = &c->run;
    swq_async *n = &c->network;
    swq_fabric fabric;
    graph_seen t = {0};

    memset(c, 0, sizeof *c);
    c->network = swq_async_defaults();
    plain.routing = NULL;
    plain.ugal_threshold = plain.straight_factor = plain.detour_factor = 0;
    plain.ugal_queue = SWQ_QUEUE_LOCAL;
    plain.late_credits = false;
    if (plain.kind != &swq_fabric_megafly)
        plain.size[plain.kind == &swq_fabric_hyperx ? 2 : 4] = 0; /* via */
    cr_assert_eq(swq_fabric_make(ctx, &plain, &fabric), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(swq_graph_write(ctx, &fabric, path), SWQ_OK, "%s", swq_context_message(ctx));
    swq_fabric_clear(ctx, &fabric);
    cr_assert(read_both(c, &t));
    wire_groups(c, shape);
    r->graph = &c->graph;
    draw_switches(c, "deterministic", 0);
    n->shape = *shape;
    r->lanes = n->architecture.lanes.count = lanes;
    r->at_once = n->architecture.lanes.of_node = between(1, lanes < 2 ? 1 : 2);
    r->by_phase = phases > 0;
    r->by_hop = !phases;
    r->phases = phases;
    cr_assert_eq(swq_lane_choice_find(ctx, phases ? "phase" : "hop", &n->architecture.lanes.choice),
                 SWQ_OK);
    r->threshold = n->shape.ugal_threshold = below(2) ? below(6) : 0;
    r->factor = n->shape.straight_factor = below(3) ? 0 : between(1, 3);
    r->other_factor = n->shape.detour_factor = below(3) ? 0 : between(1, 3);
    draw_packets(c);
}

static void compare_dal(int dims, const int *extent, int nodes, int width, int cases, graph_seen *t)
{
    static graph_case c;
    swq_shape shape = {.kind = &swq_fabric_hyperx,
                       .dims = dims,
                       .size = {nodes, width},
                       .routing = &swq_routing_dal};
    int most = 0;

    for (int k = 0; k < dims; k++) {
        shape.extent[k] = extent[k];
        most += extent[k] > 2 ? 2 : 1;
    }
    for (int k = 0; k < cases; k++) {
        const int phases = below(2) ? most : 0, q_of_lanes = below(2);
        shape.ugal_queue = q_of_lanes ? SWQ_QUEUE_LANE : SWQ_QUEUE_LOCAL;
        begin_built_in(&c, &shape, between(most, most + 3), phases);
        c.run.dims = dims;
        c.run.q_of_lanes = q_of_lanes;
        memcpy(c.run.extent, extent, (size_t)dims * sizeof *extent);
        c.run.taken = output_taken;
        c.run.arg = &c;
        snprintf(c.what, sizeof c.what,
                 "case %d, dal, %d dims, %d nodes, %d links, %d lanes of %d, %d phases, T %d, "
                 "factors %d %d, lane %d, %d packets",
                 t->cases, dims, nodes, width, c.run.lanes, c.run.room, phases, c.run.threshold,
                 c.run.factor, c.run.other_factor, q_of_lanes, c.run.packets);
        compare(&c, t);
        swq_graph_clear(ctx, &c.file);
    }
}

/* Each header must be granted the crossbar in the cycle of the reference, and by an output that the
 * reference finds to be one of the best. */
Test(graph_reference, by_any_shortest_way_with_an_escape_lane)
{
    graph_seen t;

    compare_some(150, 17, "escape", &t);
    cr_expect_gt(t.off_route, 1000, "only %d starts by another output than the route's",
                 t.off_route);
}

Test(graph_reference, hyperx_in_any_order)
{
    static const int square[] = {3, 4}, cube[] = {2, 3, 3};
    static graph_case c;
    graph_seen t = {0};

    dice = 16;
    for (int k = 0; k < 40; k++) {
        swq_shape shape = {.kind = &swq_fabric_hyperx,
                           .dims = k % 2 ? 3 : 2,
                           .size = {2, k % 4 < 2 ? 1 : 2},
                           .routing = &swq_routing_adaptive};
        memcpy(shape.extent, k % 2 ? cube : square, (size_t)shape.dims * sizeof *square);
        begin_built_in(&c, &shape, between(shape.dims, shape.dims + 3), below(2) ? shape.dims : 0);
        choose_ways(&c);
        c.network.shape = shape; /* which has no queues to compare */
        snprintf(c.what, sizeof c.what, "case %d, %d dims, %s, %d lanes of %d, %d packets", k,
                 shape.dims, picks[c.run.pick], c.run.lanes, c.run.room, c.run.packets);
        compare(&c, &t);
        swq_graph_clear(ctx, &c.file);
    }
    cr_expect_eq(t.deadlocks, 0);
    cr_expect_gt(t.off_route, 1000, "%d", t.off_route);
}

Test(graph_reference, dal_in_every_switch)
{
    static const int row[] = {5}, square[] = {3, 4}, flat[] = {2, 3}, cube[] = {2, 3, 3};
    graph_seen t = {0};

    dice = 5;
    compare_dal(1, row, 3, 0, 20, &t);
    compare_dal(2, square, 2, 0, 40, &t);
    compare_dal(2, flat, 2, 2, 20, &t);
    compare_dal(3, cube, 1, 0, 20, &t);
    cr_expect_eq(t.deadlocks, 0);
    cr_expect_gt(t.over, 3000, "only %d packets left their way", t.over);
    cr_expect_gt(t.straight, 3000, "only %d packets straight", t.straight);
}

/* UGAL in dragonflies by way of a router of another group or of any of its routers, with credits
 * held back by their round trip. */
static void compare_round_trips(bool by_group, int cases, graph_seen *t)
{
    static graph_case c;
    static const int sizes[][3] = {{1, 3, 1}, {2, 2, 1}, {2, 4, 2}};

    for (int k = 0; k < cases; k++) {
        const int *size = sizes[k % 3];
        swq_shape shape = {.kind = &swq_fabric_dragonfly,
                           .size = {size[0], size[1], size[2], below(4), !by_group},
                           .routing = &swq_routing_ugal,
                           .late_credits = k % 5 > 0};
        begin_built_in(&c, &shape, between(5, 7), 0);
        /* lanes of 1 or 2 flits: the next test */
        c.run.room = c.network.architecture.lanes.flits = between(6, 12);
        c.run.ugal = c.run.by_another = 1;
        c.run.late = shape.late_credits;
        c.run.by_group = by_group;
        snprintf(c.what, sizeof c.what,
                 "case %d, p=%d, %d lanes of %d, late %d, T %d, factors %d %d, %d packets", k,
                 size[0], c.run.lanes, c.run.room, shape.late_credits, c.run.threshold,
                 c.run.factor, c.run.other_factor, c.run.packets);
        compare(&c, t);
        swq_graph_clear(ctx, &c.file);
    }
}

Test(graph_reference, credits_by_their_round_trip)
{
    graph_seen t = {0};

    dice = 6;
    compare_round_trips(false, 21, &t);
    cr_expect_eq(t.deadlocks, 0);
    cr_expect(t.straight > 2000 && t.over > 1000, "%d %d", t.straight, t.over);
}

Test(graph_reference, credits_by_their_round_trip_by_way_of_groups)
{
    graph_seen t = {0};

    dice = 8;
    compare_round_trips(true, 21, &t);
    cr_expect_eq(t.deadlocks, 0);
    cr_expect(t.straight > 2000 && t.over > 1000, "%d %d", t.straight, t.over);
}

/* The rule has no bound: a credit that is held back is late for the switch behind, which holds back
 * its own for longer. With lanes of a flit each packet waits for such a credit, so that half of the
 * traffic to one node brings a network to a stand: in the program as in the reference, start by
 * start. With a bound of four trips of a header that waits nowhere all packets arrive. */
Test(graph_reference, credits_are_held_back_longer_and_longer)
{
    enum { CYCLES = 6000, FLITS = 4, PACKETS = MOST_PACKETS };
    static graph_case c;
    swq_shape shape = {.kind = &swq_fabric_dragonfly,
                       .size = {2, 4, 2, 0, 1},
                       .routing = &swq_routing_ugal,
                       .late_credits = true};
    graph_seen t = {0};
    ref_graph_outcome bounded;

    dice = 7;
    begin_built_in(&c, &shape, 5, 0);
    c.run.room = c.network.architecture.lanes.flits = 1;
    c.run.ugal = c.run.by_another = 1;
    c.run.late = 1;
    c.run.cycles = CYCLES;
    c.run.packets = PACKETS;
    c.network.traffic.trace_messages = PACKETS;
    for (int k = 0; k < PACKETS; k++) {
        const int from = 1 + k % (c.graph.hosts - 1), to = k % 2 ? 0 : (from + 36) % c.graph.hosts;
        c.trace[k] =
            (swq_async_message){(uint64_t)(k / 8), (uint32_t)from, (uint32_t)to, (uint32_t)FLITS};
        c.packet[k] = (ref_graph_packet){k / 8, from, to, FLITS, -1};
    }
    snprintf(c.what, sizeof c.what, "lanes of a flit");
    compare(&c, &t);
    cr_expect_eq(t.unfinished, 1);
    cr_expect_gt(t.held, 1000, "%ld cycles", t.held);
    c.run.most_held = 4 * (c.run.granted + c.run.crossed + c.run.routed + c.run.given +
                           c.run.credit + 2 * c.network.architecture.lanes.link_delay);
    c.run.cycles = 10 * CYCLES;
    ref_graph_simulate(&c.run, &bounded);
    cr_expect_eq(bounded.delivered, PACKETS, "%ld", bounded.delivered);
    ref_graph_clear(&bounded);
    swq_graph_clear(ctx, &c.file);
}

/* ---- PAR, and Megaflies ---- */

static const swq_way_queue queues[] = {[REF_QUEUE_LOCAL] = SWQ_QUEUE_LOCAL,
                                       [REF_QUEUE_LANE] = SWQ_QUEUE_LANE,
                                       [REF_QUEUE_HYBRID] = SWQ_QUEUE_HYBRID,
                                       [REF_QUEUE_GLOBAL] = SWQ_QUEUE_GLOBAL,
                                       [REF_QUEUE_PATH] = SWQ_QUEUE_PATH};

enum { QUEUES = sizeof queues / sizeof *queues };

/* The node that the library draws anew: the number of a place from its stream of the input port, in
 * the cycle, for the lane. */
static int drawn_anew(const void *arg, int packet, int at, int input, int lane, long cycle)
{
    const graph_case *c = arg;
    const swq_fabric *f = &c->fabric;
    const uint32_t from = (uint32_t)c->packet[packet].from, to = (uint32_t)c->packet[packet].to;
    const swq_streams streams = swq_streams_of(swq_sim_defaults().seed, 0);
    const swq_words word =
        swq_stream_words(&streams, SWQ_STREAM_TURN, (uint32_t)(at * (int)f->ports + input),
                         (uint64_t)cycle << 5 | (uint64_t)lane);
    const uint32_t places = f->shape.kind->places(f, from, to);

    return (int)f->shape.kind->place(f, from, to, swq_word_below(word.v[0], places));
}

/* A place is in another group than the packet's nodes, or, in a Megafly, another leaf than theirs;
 * within a group of a dragonfly there is none. */
static void check_places(const graph_case *c, bool megafly)
{
    const ref_graph *g = &c->graph;

    for (int k = 0; k < c->run.packets; k++) {
        const ref_graph_packet *p = &c->packet[k];
        const int from = g->host[p->from].at, to = g->host[p->to].at;

        if (p->drawn < 0) {
            cr_assert(megafly || g->group[from] == g->group[to], "%s: packet %d", c->what, k);
            continue;
        }
        const int at = g->host[p->drawn].at;
        if (megafly)
            cr_assert(at != from && at != to, "%s: packet %d", c->what, k);
        else
            cr_assert(g->group[at] != g->group[from] && g->group[at] != g->group[to] &&
                          g->group[from] != g->group[to],
                      "%s: packet %d", c->what, k);
    }
}

/* Holds `cases` networks of a shape against the reference. Lanes for each of `phases` phases or one
 * for each link of a way, of which there are `longest`. */
static void compare_groups(swq_shape shape, int phases, int longest, int cases, graph_seen *t)
{
    static graph_case c;
    const bool megafly = shape.kind == &swq_fabric_megafly;

    for (int k = 0; k < cases; k++) {
        const int by_phase = below(2), queue = k % QUEUES;
        const int least = by_phase ? phases : longest;

        shape.ugal_queue = shape.routing->detours ? queues[queue] : SWQ_QUEUE_LOCAL;
        shape.late_credits = shape.routing->detours && k % 4 == 3;
        begin_built_in(&c, &shape, between(least, least + 4), 0);
        cr_assert_eq(swq_fabric_make(ctx, &shape, &c.fabric), SWQ_OK, "%s",
                     swq_context_message(ctx));
        c.run.late = shape.late_credits;
        if (c.run.late)
            c.run.room = c.network.architecture.lanes.flits = between(6, 12);
        c.run.by_hop = !by_phase;
        c.run.by_globals = by_phase && !megafly;
        c.run.by_part = by_phase && megafly;
        c.run.phases = by_phase ? phases : 0;
        cr_assert_eq(swq_lane_choice_find(ctx, by_phase ? "phase" : "hop",
                                          &c.network.architecture.lanes.choice),
                     SWQ_OK);
        if (queue == REF_QUEUE_PATH || !shape.routing->detours)
            c.run.factor = c.run.other_factor = c.network.shape.straight_factor =
                c.network.shape.detour_factor = 0;
        if (!shape.routing->detours)
            c.run.threshold = c.network.shape.ugal_threshold = 0;
        c.run.by_another = shape.routing->by_another;
        c.run.ugal = shape.routing->detours != NULL;
        c.run.par = shape.routing == &swq_routing_par;
        c.run.queue = queue;
        c.run.by_group = !megafly && !shape.size[4];
        c.run.drawn_anew = drawn_anew;
        c.run.arg = &c;
        snprintf(
            c.what, sizeof c.what,
            "case %d, %s, %s %d,%d,%d,%d,%d,%d, %d lanes of %d, phase %d, queue %d, late %d, T %d, "
            "factors %d %d, stages %d,%d,1,%d, credit %d, %d packets",
            t->cases, shape.routing->name, shape.kind->name, shape.size[0], shape.size[1],
            shape.size[2], shape.size[3], shape.size[4], shape.size[5], c.run.lanes, c.run.room,
            by_phase, queue, c.run.late, c.run.threshold, c.run.factor, c.run.other_factor,
            c.run.routed, c.run.given, c.run.crossed, c.run.credit, c.run.packets);
        compare(&c, t);
        if (c.run.by_another)
            check_places(&c, megafly);
        swq_fabric_clear(ctx, &c.fabric);
        swq_graph_clear(ctx, &c.file);
    }
}

/* p, a, h, g; several links a pair in the last two */
static const int dragonflies[][4] = {
    {1, 2, 1, 3}, {1, 3, 1, 4}, {2, 4, 2, 9}, {2, 4, 2, 5}, {1, 4, 2, 3}};

enum { DRAGONFLIES = sizeof dragonflies / sizeof *dragonflies };

static void compare_dragonflies(const swq_routing *routing, int by_router, int cases, graph_seen *t)
{
    const int par = routing == &swq_routing_par;

    for (int k = 0; k < DRAGONFLIES; k++) {
        const int *n = dragonflies[k];
        const swq_shape shape = {.kind = &swq_fabric_dragonfly,
                                 .size = {n[0], n[1], n[2], k % 4, by_router, n[3]},
                                 .routing = routing};

        compare_groups(shape, 3 + by_router + par, 4 + by_router + par, cases, t);
    }
}

Test(graph_reference, par_by_way_of_groups)
{
    graph_seen t = {0};

    dice = 9;
    compare_dragonflies(&swq_routing_par, 0, 10, &t);
    cr_expect_eq(t.deadlocks, 0);
    cr_expect(t.asked > 1000 && t.turned > 100, "%ld asked, %ld turned", t.asked, t.turned);
}

Test(graph_reference, par_by_way_of_routers)
{
    graph_seen t = {0};

    dice = 10;
    compare_dragonflies(&swq_routing_par, 1, 10, &t);
    cr_expect_eq(t.deadlocks, 0);
    cr_expect(t.asked > 1000 && t.turned > 100, "%ld asked, %ld turned", t.asked, t.turned);
}

Test(graph_reference, queues_of_ugal_in_dragonflies)
{
    graph_seen t = {0};

    dice = 11;
    for (int by_router = 0; by_router < 2; by_router++)
        compare_dragonflies(&swq_routing_ugal, by_router, 5, &t);
    cr_expect_eq(t.deadlocks, 0);
    cr_expect(t.straight > 2000 && t.over > 2000, "%d %d", t.straight, t.over);
}

/* p, l, s, h, g; several links a pair, and ports left over */
static const int megaflies[][5] = {{1, 1, 1, 1, 2}, {2, 2, 2, 1, 3}, {2, 2, 2, 2, 5},
                                   {1, 3, 2, 4, 2}, {1, 2, 4, 3, 6}, {3, 3, 2, 2, 5}};

enum { MEGAFLIES = sizeof megaflies / sizeof *megaflies };

static void compare_megaflies(const swq_routing *routing, int phases, int longest, int cases,
                              graph_seen *t)
{
    for (int k = 0; k < MEGAFLIES; k++) {
        swq_shape shape = {.kind = &swq_fabric_megafly, .routing = routing};

        memcpy(shape.size, megaflies[k], sizeof megaflies[k]);
        compare_groups(shape, phases, longest, cases, t);
    }
    cr_expect_eq(t->deadlocks, 0);
}

Test(graph_reference, straight_and_over_leaves_in_megaflies)
{
    graph_seen straight = {0}, over = {0};

    dice = 14;
    compare_megaflies(&swq_routing_deterministic, 1, 1, 4, &straight);
    compare_megaflies(&swq_routing_valiant, 2, 6, 4, &over);
    cr_expect_eq(straight.over, 0);
    cr_expect_gt(over.over, 5000, "%d", over.over);
}

Test(graph_reference, ugal_in_megaflies)
{
    graph_seen t = {0};

    dice = 13;
    compare_megaflies(&swq_routing_ugal, 2, 6, 8, &t);
    cr_expect(t.straight > 5000 && t.over > 1000, "%d %d", t.straight, t.over);
}
