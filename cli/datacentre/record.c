/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Answers about switches with a shared memory.
 */
#include "cli/datacentre/values.h"
#include "cli/options/words.h"
#include "cli/print/append.h"
#include "cli/print/words.h"

#include <math.h>
#include <string.h>

static bool alike(const double *value, int count)
{
    for (int k = 1; k < count; k++) {
        if (value[k] != value[0])
            return false;
    }
    return true;
}

/* Loads are a number or, if they differ, a list, as those of all networks are. */
static void put_load(cli_record *to, const char *key, const double *value, int count)
{
    if (alike(value, count))
        cli_put_number(to, key, value[0]);
    else
        cli_put_numbers(to, key, value, count);
}

/* A number if all classes have the same, and always a list by class. */
static void put_alpha(cli_record *model, const double *alpha, int classes)
{
    cli_put_number(model, "alpha", alike(alpha, classes) ? alpha[0] : NAN);
    cli_put_numbers(model, "alpha_by_class", alpha, classes);
}

static void put_rule(cli_record *model, const cli_datacentre *d)
{
    const swq_dc *dc = &d->dc;
    const swq_dc_memory_spec *m = &dc->memory;
    const unsigned takes = swq_dc_takes(m->admission);

    cli_put_word(model, "admission", m->admission->name);
    if (takes & SWQ_ADMISSION_ALPHA)
        put_alpha(model, m->alpha, dc->classes);
    if (takes & SWQ_ADMISSION_QUEUE_MIN)
        cli_put_count(model, "queue_min_bytes", m->queue_min);
    if (takes & SWQ_ADMISSION_QUEUE_MAX)
        cli_put_count(model, "queue_max_bytes", m->queue_max);
    if (takes & SWQ_ADMISSION_TIES)
        cli_put_word(model, "ties", swq_ties_words[m->ties]);
    if (takes & SWQ_ADMISSION_DROP)
        cli_put_word(model, "drop", m->drop_head ? "head" : "tail");
    cli_dc_put(model, d, "arriving");
    if (takes & SWQ_ADMISSION_ORACLE)
        cli_put_word(model, "oracle", m->oracle ? "file" : "none");
    cli_dc_put(model, d, "test");
    if (takes & SWQ_ADMISSION_CONGESTED)
        cli_put_count(model, "congested_bytes", m->congested);
    cli_parameters_put(model, cli_dc_rule_parameters, d);
}

static void put_marks(cli_record *model, const cli_datacentre *d)
{
    const swq_dc_marking *m = &d->dc.marking;

    if (!m->on)
        return;
    cli_put_word(model, "ecn", m->low == m->high ? "step" : "red");
    cli_put_count(model, "ecn_from_bytes", m->low);
    if (m->low != m->high) {
        cli_put_count(model, "ecn_to_bytes", m->high);
        cli_put_number(model, "ecn_most", m->most);
    }
    cli_dc_put(model, d, "mark-at");
}

static void put_sender(cli_record *model, const swq_dc *dc, const swq_dc_result *r)
{
    const swq_dc_sending *s = dc->network.sending;
    char all[CLI_DC_SENDERS_TEXT] = "", one[CLI_DC_SENDER_TEXT];

    for (int k = 0; k < dc->classes && s[k].sender; k++) {
        cli_append(all, sizeof all, "%s%s", k > 0 ? "+" : "",
                   cli_dc_sender_words(s[k].sender, r->sender_value[k], one));
    }
    cli_put_word(model, "sender", all);
}

static void put_class_shares(cli_record *model, const swq_dc *dc)
{
    if (dc->classes > 1)
        cli_put_numbers(model, "class_shares", dc->class_share, dc->classes);
}

static void put_flows(cli_record *model, const cli_datacentre *d, const swq_dc_result *r)
{
    const swq_dc *dc = &d->dc;
    const swq_dc_flows *f = &dc->flows;

    cli_dc_put(model, d, "delay");
    put_sender(model, dc, r);
    cli_put_count(model, "packet_bytes", dc->size_bytes[0]);
    cli_dc_put(model, d, "header");
    if (cli_dc_any_sender(dc, cli_dc_is_acknowledged)) {
        if (cli_dc_any_sender(dc, cli_dc_is_windowed))
            cli_dc_put(model, d, "window");
        cli_dc_put(model, d, "ack-bytes");
        cli_dc_put(model, d, "least-timeout");
    }
    if (cli_dc_any_sender(dc, cli_dc_is_delay))
        cli_dc_put(model, d, "target-delay");
    if (f->sizes) {
        if (f->off > 0)
            cli_dc_put(model, d, "off");
        else
            cli_put_number(model, "load", f->load);
        cli_put_word(model, "flow_sizes", f->sizes);
        put_class_shares(model, dc);
    }
    if (f->query_rate > 0) {
        cli_put_number(model, "query_rate", f->query_rate);
        cli_put_count(model, "fan_in", f->fan_in);
        cli_put_count(model, "query_bytes", f->query_bytes);
        if (dc->classes > 1)
            cli_put_count(model, "query_class", f->query_class);
    }
    if (f->collective != SWQ_DC_NO_COLLECTIVE) {
        cli_put_word(model, "collective", swq_dc_collective_words[f->collective]);
        cli_put_count(model, "collective_bytes", f->collective_bytes);
    }
    if (f->list)
        cli_put_word(model, "flow_list", f->list);
}

static void put_pfc(cli_record *model, const cli_datacentre *d)
{
    const swq_dc *dc = &d->dc;
    const swq_dc_pfc *p = &dc->pfc;
    double classes[SWQ_DC_CLASSES];
    int count = 0;

    if (!p->classes)
        return;
    for (int k = 0; k < dc->classes; k++) {
        if (p->classes >> k & 1)
            classes[count++] = k;
    }
    cli_put_numbers(model, "lossless_classes", classes, count);
    cli_dc_put(model, d, "headroom");
    cli_dc_put(model, d, "pfc-alpha");
    cli_dc_put(model, d, "pause-response");
    cli_put_count(model, "resume_below_bytes", p->resume_below);
    cli_put_count(model, "resume_offset_bytes", p->resume_offset);
    if (p->detection) {
        cli_put_number(model, "watchdog_detection_ns", (double)p->detection / 1e3);
        cli_put_number(model, "watchdog_restoration_ns", (double)p->restoration / 1e3);
    }
}

/* The numbers that a topology is made of. */
static void put_numbers(cli_record *model, const swq_dc *dc)
{
    static const char *const keys[] = {"leaves",     "spines",      "ports",
                                       "leaf_hosts", "spine_links", "spine_rate_bps"};

    for (int k = 0; k < SWQ_DC_NUMBERS; k++) {
        if (swq_dc_topology_of(dc)->number[k])
            cli_put_count(model, keys[k], swq_dc_number_of(dc, (swq_dc_number)k));
    }
}

static void put_network(cli_record *model, const cli_datacentre *d)
{
    const swq_dc *dc = &d->dc;
    const swq_dc_network *n = &dc->network;
    const swq_dc_topology *row = swq_dc_topology_of(dc);
    swq_dc_level level[SWQ_DC_LEVELS];

    cli_put_word(model, "topology", n->graph ? cli_dc_given("topology") : row->name);
    put_numbers(model, dc);
    if (row->single)
        return;
    if (n->graph) {
        cli_put_count(model, "switches", swq_dc_graph_switches(n->graph));
        cli_put_count(model, "nodes", swq_dc_graph_hosts(n->graph));
    }
    if (swq_dc_levels(dc, level) > 1)
        cli_put_count(model, "spine_memory_bytes",
                      n->level_bytes[1] ? n->level_bytes[1] : dc->memory.bytes);
    cli_put_word(model, "spread", swq_dc_spread_words[n->spread]);
    if (n->spread == SWQ_DC_FLOWLET)
        cli_put_number(model, "flowlet_gap_ns", (double)n->flowlet_gap / 1e3);
}

static void put_arrivals(cli_record *model, const cli_datacentre *d, const swq_dc_result *r)
{
    const swq_dc *dc = &d->dc;
    double sizes[SWQ_DC_SIZES];

    if (dc->network.sending[0].sender) {
        put_flows(model, d, r);
        return;
    }

    cli_put_word(model, "arrivals", swq_dc_arrivals_words[dc->arrivals]);
    if (dc->arrivals == SWQ_DC_TRACE) {
        cli_put_word(model, "trace", dc->trace_file);
        cli_put_count(model, "trace_packets", dc->packets);
        return;
    }
    put_load(model, "load", dc->load, dc->ports);
    for (int k = 0; k < dc->sizes; k++)
        sizes[k] = dc->size_bytes[k];
    cli_put_number(model, "packet_bytes", dc->sizes == 1 ? sizes[0] : NAN);
    if (dc->sizes == 1)
        cli_put_number(model, "slot_ns", (double)swq_dc_time(dc->size_bytes[0], dc->rate) / 1e3);
    cli_put_numbers(model, "packet_sizes_bytes", sizes, dc->sizes);
    cli_put_numbers(model, "packet_shares", dc->size_share, dc->sizes);
    put_class_shares(model, dc);
}

/* The switch and its network, without marks and pauses. */
static cli_record *put_switch(cli_record *root, const cli_datacentre *d)
{
    const swq_dc *dc = &d->dc;
    cli_record *model = cli_quietly(cli_put_group(root, "model", NULL));

    cli_put_word(model, "architecture", "shared-memory");
    put_network(model, d);
    cli_dc_put(model, d, "classes");
    cli_dc_put(model, d, "rate");
    cli_put_count(model, "shared_memory_bytes", dc->memory.bytes);
    cli_dc_put(model, d, "cell");
    if (dc->memory.parts > 1)
        cli_put_count(model, "memories", dc->memory.parts);
    put_rule(model, d);
    cli_dc_put(model, d, "schedule");
    if (dc->schedule == SWQ_DC_DRR) {
        double quantum[SWQ_DC_CLASSES];
        for (int k = 0; k < dc->classes; k++)
            quantum[k] = dc->quantum[k];
        cli_put_numbers(model, "quantum_bytes", quantum, dc->classes);
    }
    if (dc->cut_through) {
        cli_put_truth(model, "cut_through", true);
        cli_dc_put(model, d, "cut-after");
    }
    return model;
}

void cli_datacentre_put_switch(cli_record *root, const cli_datacentre *d)
{
    put_pfc(put_switch(root, d), d);
}

static void put_model(cli_record *root, const cli_datacentre *d, const swq_dc_result *r)
{
    const swq_dc *dc = &d->dc;
    cli_record *model = put_switch(root, d);

    put_marks(model, d);
    put_pfc(model, d);
    put_arrivals(model, d, r);
    cli_put_word(model, "event_order",
                 dc->pfc.detection
                     ? "sent, token, pause, watchdog, arrival, start, interval: at equal times, in "
                       "this order"
                     : "sent, token, pause, arrival, start, interval: at equal times, in this "
                       "order");
}

/* ---- the run ---- */

static void put_run(cli_record *root, const cli_datacentre *d, const swq_dc_result *r)
{
    cli_record *run = cli_quietly(cli_put_group(root, "run", NULL));
    const bool trace = d->dc.arrivals == SWQ_DC_TRACE;

    if (!trace) {
        cli_put_count(run, "seed", d->options.seed);
        cli_put_number(run, "warmup_ns", (double)d->options.warmup / 1e3);
        cli_put_number(run, "duration_ns", (double)d->options.duration / 1e3);
        cli_put_number(run, "confidence", d->options.confidence);
    } else {
        cli_put_number(run, "duration_ns", (double)r->ended / 1e3);
    }
    cli_put_number(run, "measured_ns", (double)r->measured / 1e3);
    cli_put_count(run, "replications", (uint64_t)r->replications);
    cli_put_count(run, "packets", r->packets);
    cli_put_count(run, "packet_hops", r->packet_hops);
    cli_put_number(run, "cpu_seconds", r->cpu_seconds);
    cli_put_number(run, "wall_seconds", r->wall_seconds);
    cli_put_word(run, "stopped_by",
                 r->time_up       ? "time limit"
                 : r->interrupted ? "interrupted"
                 : trace          ? "trace end"
                                  : "time");
    cli_put_word(run, "engine", "timed");
}

/* ---- the result ---- */

static const char *const percentile_keys[SWQ_DC_PERCENTILES] = {"p50", "p95", "p99", "p999"};

static swq_estimate in_ns(swq_estimate e)
{
    return (swq_estimate){e.mean / 1e3, e.half_width / 1e3};
}

/* Of a fraction of what lines carry together. */
static swq_estimate in_gbps(swq_estimate e, double rates)
{
    return (swq_estimate){e.mean * rates / 1e9, e.half_width * rates / 1e9};
}

static void put_spread(cli_record *mean, const swq_estimate *at, double unit)
{
    for (int p = 0; p < SWQ_DC_PERCENTILES; p++)
        cli_quietly(cli_put_estimate(mean, percentile_keys[p],
                                     (swq_estimate){at[p].mean / unit, at[p].half_width / unit}));
}

static void say_spread(cli_record *to, const char *what, const swq_estimate *at, double unit,
                       const char *name)
{
    if (isfinite(at[0].mean))
        cli_say(to, "  %-22s 50%% %.4g, 95%% %.4g, 99%% %.4g, 99.9%% %.4g %s", what,
                at[0].mean / unit, at[1].mean / unit, at[2].mean / unit, at[3].mean / unit, name);
}

/* ps that a line takes for a packet, where all packets are alike; else 0. */
static double slot_of(const swq_dc *dc)
{
    const bool alike =
        !dc->network.sending[0].sender && dc->arrivals != SWQ_DC_TRACE && dc->sizes == 1;

    return alike ? (double)swq_dc_time(dc->size_bytes[0], dc->rate) : 0;
}

static swq_estimate in_units(swq_estimate e, double unit)
{
    return (swq_estimate){e.mean / unit, e.half_width / unit};
}

/* The same in slots and packets, beside ns and bytes. Text has them where packets come in slots. */
static void put_slots(cli_record *to, const swq_dc_flow *f, const swq_dc *dc)
{
    const double slot = slot_of(dc);
    const uint32_t cell = dc->memory.cell, cells = (dc->size_bytes[0] + cell - 1) / cell;
    const double held = (double)cells * cell;

    if (slot == 0)
        return;
    cli_record *delay = cli_put_estimate(to, "delay_slots", in_units(f->delay, slot));
    put_spread(delay, f->delay_at, slot);
    cli_record *queue = cli_put_estimate(to, "queue_packets", in_units(f->queue, held));
    if (dc->arrivals != SWQ_DC_SLOTS) {
        cli_quietly(delay);
        cli_quietly(queue);
    }
}

static void put_flow(cli_record *to, const swq_dc_flow *f, const swq_dc *dc, bool all)
{
    cli_put_estimate(to, "line_use_fraction", f->throughput);
    cli_put_fraction(to, "discard_fraction", f->loss, f->loss_below,
                     &(cli_trials){f->offered, "packets", "discards are independent"});
    cli_put_estimate(to, "byte_loss_fraction", f->byte_loss);
    cli_record *delay = cli_put_estimate(to, "delay_ns", in_ns(f->delay));
    put_spread(delay, f->delay_at, 1e3);
    if (all)
        say_spread(to, "delay", f->delay_at, 1e3, "ns (to within 0.4%)");
    cli_put_estimate(to, "queue_bytes", f->queue);
    put_slots(to, f, dc);
    if (dc->marking.on)
        cli_put_estimate(to, "mark_fraction", f->marks);
    if (dc->cut_through)
        cli_put_estimate(to, "cut_through_fraction", f->cut);
    cli_quietly(cli_put_count(to, "offered_packets", f->offered));
    cli_quietly(cli_put_count(to, "delivered", f->sent));
    cli_quietly(cli_put_count(to, "discarded", f->lost));
    cli_quietly(cli_put_count(to, "refused", f->refused));
    cli_quietly(cli_put_count(to, "pushed_out_packets", f->pushed_out));
    cli_quietly(cli_put_count(to, "expelled", f->expelled));
    cli_quietly(cli_put_count(to, "marked", f->marked));
    if (dc->pfc.detection) {
        cli_put_count(to, "pause_storms", f->storms);
        cli_put_count(to, "storm_dropped_packets", f->in_storm);
    }
}

/* ---- flows ---- */

static const char *const size_names[SWQ_DC_SIZE_CLASSES] = {"up to 100 KB", "up to 1 MB", "more",
                                                            "all"};

static void put_completion(cli_record *to, const swq_dc_completion *c, bool flows)
{
    cli_put_count(to, "begun", c->begun);
    cli_put_count(to, "completed", c->completed);
    cli_record *time = cli_put_estimate(to, "completion_ns", in_ns(c->time));
    put_spread(time, c->time_at, 1e3);
    if (!flows)
        return;
    cli_record *slowdown = cli_put_estimate(to, "slowdown", c->slowdown);
    put_spread(slowdown, c->slowdown_at, 1);
    cli_put_estimate(to, "flow_jain_index", c->jain);
}

static void say_completion(cli_record *to, const char *name, const swq_dc_completion *c, bool flows)
{
    const swq_estimate *at = flows ? c->slowdown_at : c->time_at;
    const double unit = flows ? 1 : 1e3;
    char left[40] = "", width[40] = "";

    if (c->begun == 0)
        return;
    if (c->completed < c->begun)
        snprintf(left, sizeof left, "; %llu not complete",
                 (unsigned long long)(c->begun - c->completed));
    if (c->completed == 0) {
        cli_say(to, "  %-14s %9d %s -%s", name, 0, flows ? "slowdown" : "time", left);
        return;
    }
    if (isfinite(at[2].half_width))
        snprintf(width, sizeof width, " +- %.2g", at[2].half_width / unit);
    cli_say(to, "  %-14s %9llu %s 50%% %.4g, 95%% %.4g, 99%% %.4g%s, 99.9%% %.4g%s%s", name,
            (unsigned long long)c->completed, flows ? "slowdown" : "time", at[0].mean / unit,
            at[1].mean / unit, at[2].mean / unit, width, at[3].mean / unit, flows ? "" : " ns",
            left);
}

/* The circle of outputs, each of which waits for the next one. */
static void put_deadlock(cli_record *result, const swq_dc *dc, const swq_dc_result *r)
{
    const swq_dc_circle *c = &r->circle;
    const int shown = c->outputs < SWQ_DC_CIRCLE ? c->outputs : SWQ_DC_CIRCLE;

    cli_quietly(cli_put_truth(result, "deadlocked", r->deadlocks > 0));
    cli_record *list = cli_quietly(cli_put_list(result, "deadlock", NULL));
    if (r->deadlocks > 0)
        cli_say(result,
                "\n  DEADLOCK in %d of %d replications: outputs that are paused %s, each by a "
                "switch that waits for the next:",
                r->deadlocks, r->replications,
                dc->pfc.detection > 0 ? "until the watchdog drops their packets, which it had not "
                                        "done by the end"
                                      : "for ever");
    for (int k = 0; k < shown; k++) {
        const swq_dc_paused *p = &c->output[k], *next = &c->output[(k + 1) % c->outputs];
        cli_record *item = cli_put_item(list, NULL);
        char from[CLI_DC_END_NAME], to[CLI_DC_END_NAME];
        cli_datacentre_end_name(dc, false, p->at, p->port, from);
        cli_datacentre_end_name(dc, false, p->to, p->to_port, to);
        cli_put_word(item, "from", from);
        cli_put_word(item, "to", to);
        cli_put_count(item, "switch", p->at);
        cli_put_count(item, "output", p->port);
        cli_put_count(item, "class", (uint64_t)p->traffic_class);
        if (k + 1 < c->outputs || c->outputs <= SWQ_DC_CIRCLE) {
            cli_put_count(item, "next_switch", next->at);
            cli_put_count(item, "next_output", next->port);
        }
        cli_say(result, "    %s -> %s, class %d", from, to, p->traffic_class);
    }
    if (c->outputs > shown)
        cli_say(result, "    and %d more", c->outputs - shown);
}

static void put_sizes(cli_record *to, const swq_dc_completion *size)
{
    cli_record *sizes = cli_put_list(to, "by_size", NULL);

    for (int k = 0; k < SWQ_DC_SIZE_CLASSES; k++)
        put_completion(cli_put_item(sizes, size_names[k]), &size[k], true);
}

static void say_sizes(cli_record *result, const swq_dc *dc, const swq_dc_result *r)
{
    cli_say(result, "\n  flows, by size (slowdown: their time divided by the time alone)");
    for (int k = 0; k < SWQ_DC_SIZE_CLASSES; k++)
        say_completion(result, size_names[k], &r->by_size[k], true);
    for (int class = 0; class < dc->classes && dc->classes > 1; class ++) {
        const swq_dc_completion *size = r->by_class_and_size[class];
        if (size[SWQ_DC_SIZE_CLASSES - 1].begun == 0)
            continue;
        cli_say(result, "  of class %d, sender %s", class,
                swq_dc_sending_of(&dc->network, class)->sender->name);
        for (int k = 0; k < SWQ_DC_SIZE_CLASSES; k++)
            say_completion(result, size_names[k], &size[k], true);
    }
}

static void put_completions(cli_record *result, const swq_dc *dc, const swq_dc_result *r)
{
    cli_put_estimate(result, "goodput_fraction", r->goodput);
    cli_quietly(cli_put_estimate(result, "goodput_gbps", in_gbps(r->goodput, r->host_rates)));
    cli_put_estimate(result, "host_jain_index", r->jain);
    if (dc->flows.collective != SWQ_DC_NO_COLLECTIVE) {
        cli_put_count(result, "collectives_completed", r->collectives);
        cli_put_estimate(result, "collective_ns", in_ns(r->collective));
    }
    cli_put_count(result, "timeouts", r->timeouts);
    cli_put_count(result, "retransmitted", r->retransmitted);
    if (dc->pfc.classes) {
        cli_put_count(result, "pauses", r->pauses);
        cli_put_estimate(result, "paused_fraction", r->paused);
        cli_put_count(result, "headroom_most_bytes", r->headroom_most);
        put_deadlock(result, dc, r);
    }
    put_sizes(result, r->by_size);
    say_sizes(result, dc, r);
    if (r->queries.begun == 0)
        return;
    cli_record *queries = cli_quietly(cli_put_group(result, "queries", NULL));
    put_completion(queries, &r->queries, false);
    say_completion(result, "queries", &r->queries, false);
}

static void put_memory(cli_record *result, const swq_dc *dc, const swq_dc_result *r)
{
    const uint64_t whole = dc->memory.bytes / dc->memory.cell * dc->memory.cell;
    const double bytes = (double)whole;

    cli_record *share = cli_put_estimate(result, "memory_used_fraction", r->occupancy);
    put_spread(share, r->occupancy_at, 1);
    say_spread(result, "memory in use", r->occupancy_at, 1, "of it, by time");
    if (!swq_dc_topology_of(dc)->single || dc->memory.parts > 1)
        return;
    cli_record *use = cli_put_estimate(
        result, "memory_used_bytes",
        (swq_estimate){r->occupancy.mean * bytes, r->occupancy.half_width * bytes});
    put_spread(use, r->occupancy_at, 1 / bytes);
    cli_quietly(cli_put_count(use, "max", r->occupancy_most));
}

static void put_result(cli_record *root, const cli_datacentre *d, const swq_dc_result *r)
{
    const swq_dc *dc = &d->dc;
    cli_record *result = cli_the_result(cli_put_group(root, "result", NULL));

    put_flow(result, &r->all, dc, true);
    cli_quietly(
        cli_put_estimate(result, "throughput_gbps", in_gbps(r->all.throughput, r->line_rates)));
    put_memory(result, dc, r);
    if (dc->network.sending[0].sender)
        put_completions(result, dc, r);
    cli_datacentre_put_memories(result, r);
    cli_datacentre_put_links(result, dc, r);
    cli_datacentre_put_windows(result, dc, r);
    if (dc->classes == 1)
        return;
    cli_record *classes = cli_put_list(result, "by_class", "by class:");
    for (int k = 0; k < dc->classes; k++) {
        char name[20];
        snprintf(name, sizeof name, "%d", k);
        cli_record *class = cli_put_item(classes, name);
        put_flow(class, &r->by_class[k], dc, false);
        if (dc->network.sending[0].sender)
            put_sizes(class, r->by_class_and_size[k]);
    }
}

static void say_network(cli_record *root, const swq_dc *dc)
{
    const swq_dc_network *n = &dc->network;
    const swq_dc_topology *row = swq_dc_topology_of(dc);
    char says[SWQ_DC_TOPOLOGY_TEXT], delay[SWQ_UNITS_TEXT], senders[CLI_DC_SENDERS_TEXT];

    if (!n->sending[0].sender)
        return;
    cli_dc_sender_names(dc, senders);
    swq_dc_topology_says(dc, says);
    swq_units_text(SWQ_UNITS_TIME, n->delay, delay);
    if (row->single)
        cli_tell(root, 2, "%s; sender %s", says, senders);
    else
        cli_tell(root, 2, "%s%s %s%s; spread %s, sender %s", says, row->file ? " and" : ",", delay,
                 row->file ? "" : " of delay", swq_dc_spread_words[n->spread], senders);
}

static void say_switch(cli_record *root, const cli_datacentre *d)
{
    const swq_dc *dc = &d->dc;
    char rate[SWQ_UNITS_TEXT], memory[SWQ_UNITS_TEXT], ports[20] = "", cut[50] = "", parts[40] = "";

    if (swq_dc_topology_of(dc)->single)
        snprintf(ports, sizeof ports, "%d port%s, ", dc->ports, cli_plural((uint64_t)dc->ports));
    if (dc->cut_through)
        snprintf(cut, sizeof cut, ", cut through after %u bytes", dc->cut_after);
    if (dc->memory.parts > 1)
        snprintf(parts, sizeof parts, " in %u memories", dc->memory.parts);
    cli_tell(root, 2,
             "shared memory: %slines of %s, %d class%s, %s%s in cells of %u byte%s, admission %s, "
             "schedule %s%s",
             ports, swq_units_text(SWQ_UNITS_RATE, dc->rate, rate), dc->classes,
             dc->classes == 1 ? "" : "es", swq_units_text(SWQ_UNITS_SIZE, dc->memory.bytes, memory),
             parts, dc->memory.cell, dc->memory.cell == 1 ? "" : "s", dc->memory.admission->name,
             swq_dc_schedule_words[dc->schedule], cut);
    say_network(root, dc);
}

/* What was run, and how much of that was measured if the run was cut short. */
static void say_run(cli_record *root, const cli_datacentre *d, const swq_dc_result *r)
{
    char measured[60] = "";
    char warmup[SWQ_UNITS_TEXT], duration[SWQ_UNITS_TEXT];

    if (d->dc.arrivals == SWQ_DC_TRACE) {
        cli_say(root, "\n  %llu packets of %s, until %s; %.3f s of CPU",
                (unsigned long long)d->dc.packets, d->dc.trace_file,
                swq_units_text(SWQ_UNITS_TIME, r->ended, duration), r->cpu_seconds);
        return;
    }
    if (r->interrupted)
        snprintf(measured, sizeof measured, "measured for %.4g s in all, not for ",
                 (double)r->measured / 1e12);
    cli_say(root,
            "\n  %s%d replication%s of %s after %s of warm-up, %llu packets; %.3f s of CPU, seed "
            "%llu\n  intervals: %g%%, from the replications",
            measured, d->options.replications, cli_plural((uint64_t)d->options.replications),
            swq_units_text(SWQ_UNITS_TIME, d->options.duration, duration),
            swq_units_text(SWQ_UNITS_TIME, d->options.warmup, warmup),
            (unsigned long long)r->packets, r->cpu_seconds, (unsigned long long)d->options.seed,
            100 * d->options.confidence);
}

void cli_datacentre_answer(cli_record *root, const cli_datacentre *d, const swq_dc_result *r)
{
    put_model(root, d, r);
    cli_say_question(root, root);
    say_switch(root, d);
    put_run(root, d, r);
    put_result(root, d, r);
    cli_record *check = cli_quietly(cli_put_group(root, "invariants", NULL));
    cli_put_truth(check, "packets_conserved", r->conserved);
    cli_put_count(check, "packets_in_flight", r->inside);
    say_run(root, d, r);
}
