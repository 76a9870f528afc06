/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks of a question about a data-centre network.
 */
#include "base/units.h"
#include "sim/datacentre/senders.h"
#include "sim/datacentre/topologies.h"

#include <assert.h>
#include <math.h>

/* The reserves of all queues of a switch fit into what its memory shares. name: of the switch. */
static swq_status check_reserves(swq_context *ctx, const swq_dc *dc, const char *name,
                                 uint32_t ports, uint64_t bytes)
{
    const swq_dc_memory_spec *m = &dc->memory;
    const uint64_t queues = ports / m->parts * (uint64_t)dc->classes;
    const uint64_t shared = bytes / m->parts / m->cell * m->cell - dc_headrooms(dc, ports);

    if (ports % m->parts != 0)
        return swq_fail(ctx, SWQ_EINVAL, "memories must be a divisor of the %u ports of %s, not %u",
                        ports, name, m->parts);
    if (bytes / m->parts < m->cell)
        return swq_fail(ctx, SWQ_EINVAL,
                        "each of the %u memories of %s must hold a cell of %u byte%s, but has %llu",
                        m->parts, name, m->cell, m->cell == 1 ? "" : "s",
                        (unsigned long long)(bytes / m->parts));
    if (m->queue_min == 0 || m->queue_min <= shared / queues)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL,
                    "queue-min must be at most %llu bytes, the memory of %s%s divided by its %llu "
                    "queues, not %llu",
                    (unsigned long long)(shared / queues), name,
                    dc_headrooms(dc, ports) > 0 ? " without its headrooms" : "",
                    (unsigned long long)queues, (unsigned long long)m->queue_min);
}

static swq_status check_all_reserves(swq_context *ctx, const swq_dc *dc, const swq_dc_graph *g)
{
    swq_status status = SWQ_OK;

    for (uint32_t w = 0; w < g->switches && !status; w++) {
        char name[DC_GRAPH_NAME];
        dc_graph_switch_name(g, w, name);
        status = check_reserves(ctx, dc, name, g->first[w + 1] - g->first[w], g->bytes[w]);
    }
    return status;
}

static swq_status check_memory(swq_context *ctx, const swq_dc *dc)
{
    const swq_dc_memory_spec *m = &dc->memory;

    if (m->bytes < 1 || m->bytes > SWQ_DC_MOST_MEMORY)
        return swq_fail(ctx, SWQ_EINVAL, "memory must be 1 to %llu bytes, not %llu",
                        (unsigned long long)SWQ_DC_MOST_MEMORY, (unsigned long long)m->bytes);
    if (m->cell < 1 || m->cell > 65536 || m->cell > m->bytes)
        return swq_fail(ctx, SWQ_EINVAL,
                        "cell must be 1 to 65536 bytes, and no larger than the memory, not %u",
                        m->cell);
    if (m->parts < 1 || m->parts > SWQ_DC_PORTS)
        return swq_fail(ctx, SWQ_EINVAL, "memories must be 1 to %d, not %u", SWQ_DC_PORTS,
                        m->parts);
    if (m->parts > 1 && dc->pfc.classes)
        return swq_fail(ctx, SWQ_EINVAL,
                        "memories must be 1 with priority flow control, which counts what an input "
                        "holds of one memory, not %u",
                        m->parts);
    if (!dc_rule_of(m->admission))
        return swq_fail(ctx, SWQ_EINVAL, "admission %s is not known to shared-memory networks",
                        m->admission ? m->admission->name : "(none)");
    for (int k = 0; k < dc->classes; k++) {
        if (!(m->alpha[k] > 0 && m->alpha[k] <= 1e6))
            return swq_fail(ctx, SWQ_EINVAL, "alpha must be above 0 and at most 1e6, not %g",
                            m->alpha[k]);
    }
    if ((m->admission == &swq_admission_maximum ||
         m->admission == &swq_admission_minimum_maximum) &&
        (m->queue_max < 1 || m->queue_max > swq_dc_largest_memory(dc)))
        return swq_fail(ctx, SWQ_EINVAL, "queue-max must be 1 to %llu bytes, the memory, not %llu",
                        (unsigned long long)swq_dc_largest_memory(dc),
                        (unsigned long long)m->queue_max);
    if (dc_rule_of(m->admission)->kept.flows && !dc->network.sending[0].sender &&
        dc->arrivals != SWQ_DC_TRACE)
        return swq_fail(ctx, SWQ_EINVAL,
                        "admission %s asks how much a flow has sent, and packets at random times "
                        "are of no flow; use a sender or a trace",
                        m->admission->name);
    if (!(m->first_alpha > 0 && m->first_alpha <= 1e6) || m->new_flow < 1 || m->flow_pause < 1)
        return swq_fail(ctx, SWQ_EINVAL,
                        "first-alpha must be above 0 and at most 1e6, new-flow and flow-pause 1 or "
                        "more");
    if (!(m->gamma >= 0 && m->gamma < 1))
        return swq_fail(ctx, SWQ_EINVAL, "gamma must be 0 or more and below 1, not %g", m->gamma);
    if (m->afd_interval < 1 || m->afd_length < 1)
        return swq_fail(ctx, SWQ_EINVAL, "afd-interval and afd-length must be 1 or more");
    if (m->interval < SWQ_DC_LEAST_TIMER || m->congested < 1 || m->expel_every < 1 ||
        m->expel_bucket < 1)
        return swq_fail(ctx, SWQ_EINVAL,
                        "drain-interval must be 1 us or more, and congested, expel-every and "
                        "expel-bucket 1 or more");
    return SWQ_OK;
}

static swq_status check_shares(swq_context *ctx, const char *what, const double *share, int count)
{
    double sum = 0;

    for (int k = 0; k < count; k++) {
        if (!(share[k] >= 0 && share[k] <= 1))
            return swq_fail(ctx, SWQ_EINVAL, "a share of %s must be 0 to 1, not %g", what,
                            share[k]);
        sum += share[k];
    }
    if (fabs(sum - 1) > 1e-9)
        return swq_fail(ctx, SWQ_EINVAL, "the shares of %s must sum to 1, not %.12g", what, sum);
    return SWQ_OK;
}

static swq_status check_random(swq_context *ctx, const swq_dc *dc)
{
    const double most = dc->arrivals == SWQ_DC_SLOTS ? 1 : 1000;

    for (int i = 0; i < dc->ports; i++) {
        if (!(dc->load[i] >= 0 && dc->load[i] <= most))
            return swq_fail(ctx, SWQ_EINVAL, "load must be 0 to %g, not %g", most, dc->load[i]);
    }
    if (dc->sizes < 1 || dc->sizes > SWQ_DC_SIZES)
        return swq_fail(ctx, SWQ_EINVAL, "there must be 1 to %d sizes of packets, not %d",
                        SWQ_DC_SIZES, dc->sizes);
    for (int k = 0; k < dc->sizes; k++) {
        if (dc->size_bytes[k] < 1 || dc->size_bytes[k] > 1000000)
            return swq_fail(ctx, SWQ_EINVAL, "a packet must have 1 to 1000000 bytes, not %u",
                            dc->size_bytes[k]);
    }
    if (dc->arrivals == SWQ_DC_SLOTS && dc->sizes != 1)
        return swq_fail(ctx, SWQ_EINVAL, "packets in slots have one size, not %d", dc->sizes);
    const swq_status status = check_shares(ctx, "sizes", dc->size_share, dc->sizes);
    return status ? status : check_shares(ctx, "classes", dc->class_share, dc->classes);
}

static swq_status check_trace(swq_context *ctx, const swq_dc *dc)
{
    for (uint64_t k = 0; k < dc->packets; k++) {
        const swq_dc_arrival *a = &dc->trace[k];
        const char *wrong = a->output >= dc->ports                     ? "output"
                            : a->input >= dc->ports                    ? "input"
                            : a->traffic_class >= dc->classes          ? "class"
                            : k > 0 && a->time < dc->trace[k - 1].time ? "time"
                            : a->bytes < 1 || a->bytes > 1000000       ? "bytes"
                                                                       : NULL;
        if (wrong)
            return swq_fail(ctx, SWQ_EINVAL, "packet %llu of the trace%s%s: its %s is out of range",
                            (unsigned long long)k, dc->trace_file ? " " : "",
                            dc->trace_file ? dc->trace_file : "", wrong);
    }
    return SWQ_OK;
}

static swq_status check_headrooms(swq_context *ctx, const swq_dc *dc, const swq_dc_graph *g)
{
    for (uint32_t w = 0; w < g->switches; w++) {
        const uint64_t headrooms = dc_headrooms(dc, g->first[w + 1] - g->first[w]);
        if (headrooms >= g->bytes[w])
            return swq_fail(ctx, SWQ_EINVAL,
                            "the headrooms of a switch take %llu bytes, and its memory has %llu",
                            (unsigned long long)headrooms, (unsigned long long)g->bytes[w]);
    }
    return SWQ_OK;
}

static swq_status check_pfc(swq_context *ctx, const swq_dc *dc, const swq_dc_graph *g)
{
    if (dc->pfc.classes >> dc->classes)
        return swq_fail(ctx, SWQ_EINVAL, "lossless classes must be below %d", dc->classes);
    if (dc->pfc.classes && (dc->memory.admission == &swq_admission_longest_queue_drop ||
                            dc->memory.admission == &swq_admission_occamy))
        return swq_fail(ctx, SWQ_EINVAL,
                        "admission %s loses stored packets, and does not go with lossless classes",
                        dc->memory.admission->name);
    const swq_status status = check_headrooms(ctx, dc, g);
    if (status)
        return status;
    if (dc->pfc.detection > 0 && (!dc->pfc.classes || g->switches < 2 || dc->pfc.restoration < 1))
        return swq_fail(ctx, SWQ_EINVAL,
                        "the watchdog of pauses needs lossless classes, two switches or more, as "
                        "outputs to hosts are never paused, and a restoration time above 0");
    if (dc->pfc.classes && !(dc->pfc.alpha > 0 && dc->pfc.alpha <= 1e6))
        return swq_fail(ctx, SWQ_EINVAL, "pfc-alpha must be above 0 and at most 1e6, not %g",
                        dc->pfc.alpha);
    return SWQ_OK;
}

static double value_of(const swq_dc_sending *s, int k)
{
    return s->given >> k & 1 ? s->value[k] : s->sender->parameter[k].preset;
}

/* Times and rates, of which the first must be at most the second. */
static swq_status check_order(swq_context *ctx, const swq_dc_sending *s, int low, int high)
{
    const swq_dc_sender_parameter *p = s->sender->parameter;
    const swq_unit_kind unit = p[low].kind == SWQ_DC_TIME ? SWQ_UNITS_TIME : SWQ_UNITS_RATE;
    char most[SWQ_UNITS_TEXT], is[SWQ_UNITS_TEXT];

    if (value_of(s, low) <= value_of(s, high))
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL, "sender %s: %s must be at most %s, which is %s, not %s",
                    s->sender->name, p[low].name, p[high].name,
                    swq_units_text(unit, (uint64_t)value_of(s, high), most),
                    swq_units_text(unit, (uint64_t)value_of(s, low), is));
}

static swq_status check_sender(swq_context *ctx, const swq_dc_sending *s, swq_dc_spread spread)
{
    if (s->sender->one_path && spread != SWQ_DC_ECMP)
        return swq_fail(ctx, SWQ_EINVAL,
                        "sender %s compares what the packets of a flow meet on one way, and spread "
                        "must be ecmp, not %s",
                        s->sender->name, swq_dc_spread_words[spread]);
    for (int k = 0; k < swq_dc_sender_parameters(s->sender); k++) {
        const swq_dc_sender_parameter *p = &s->sender->parameter[k];
        if ((s->given >> k & 1) && !(s->value[k] >= p->least && s->value[k] <= p->most))
            return swq_fail(ctx, SWQ_EINVAL, "sender %s: %s must be %g to %g, not %g",
                            s->sender->name, p->name, p->least, p->most, s->value[k]);
    }
    const dc_sender_rule *rule = (const dc_sender_rule *)s->sender;
    swq_status status = SWQ_OK;
    for (int k = 0; k < 2 && !status && rule->order[k][0] != rule->order[k][1]; k++)
        status = check_order(ctx, s, rule->order[k][0], rule->order[k][1]);
    return status;
}

/* No flow has more packets than can be numbered; those of lists are looked at as they are read. */
static swq_status check_flow_bytes(swq_context *ctx, const swq_dc *dc, const char *what,
                                   uint64_t bytes)
{
    const uint64_t most = dc_most_flow_bytes(dc);

    if (bytes <= most)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL,
                    "%s: a flow may have at most %llu bytes in packets of %u bytes with headers of "
                    "%u, not %llu",
                    what, (unsigned long long)most, dc->size_bytes[0], dc->network.header,
                    (unsigned long long)bytes);
}

/* The largest flow of all hosts' operation. */
static uint64_t collective_flow_bytes(const swq_dc_flows *f, uint32_t hosts)
{
    const uint32_t parts = f->collective == SWQ_DC_PERMUTATION ? 1
                           : f->collective == SWQ_DC_RING      ? hosts
                                                               : hosts - 1;
    return swq_flow_part(f->collective_bytes, parts, 0);
}

static swq_status check_flows(swq_context *ctx, const swq_dc *dc, uint32_t hosts)
{
    const swq_dc_flows *f = &dc->flows;
    swq_flow_sizes sizes = {0};
    swq_status status = SWQ_OK;

    if (f->collective != SWQ_DC_NO_COLLECTIVE)
        status = check_flow_bytes(ctx, dc, "traffic", collective_flow_bytes(f, hosts));
    if (!status && f->fan_in > 0)
        status = check_flow_bytes(ctx, dc, "incast", swq_flow_part(f->query_bytes, f->fan_in, 0));
    if (status || !f->sizes)
        return status;
    status = swq_flow_sizes_read(ctx, "--sizes", f->sizes, &sizes);
    if (!status)
        status = check_flow_bytes(ctx, dc, "sizes", swq_flow_sizes_most(&sizes));
    swq_flow_sizes_clear(ctx, &sizes);
    return status;
}

static swq_status check_hosts(swq_context *ctx, const swq_dc *dc, const swq_dc_graph *g)
{
    assert(g);
    if (dc->size_bytes[0] <= dc->network.header)
        return swq_fail(ctx, SWQ_EINVAL, "a packet of %u bytes has no room beside its header of %u",
                        dc->size_bytes[0], dc->network.header);
    if (g->hosts < 2)
        return swq_fail(ctx, SWQ_EINVAL, "there must be at least 2 hosts, not %u", g->hosts);
    if (dc->flows.query_rate > 0 && dc->flows.fan_in > g->hosts - g->rack)
        return swq_fail(ctx, SWQ_EINVAL, "a query can ask at most %u hosts, not %u",
                        g->hosts - g->rack, dc->flows.fan_in);
    if (dc->flows.query_class >= dc->classes)
        return swq_fail(ctx, SWQ_EINVAL, "the class of queries must be 0 to %d, not %d",
                        dc->classes - 1, dc->flows.query_class);
    if (dc->flows.off > 0 && dc->flows.load > 0)
        return swq_fail(ctx, SWQ_EINVAL, "flows have a load or a time off, not both");
    if (dc->flows.collective != SWQ_DC_NO_COLLECTIVE && dc->flows.list)
        return swq_fail(ctx, SWQ_EINVAL, "a list of flows does not go with a collective");
    if (dc->flows.collective != SWQ_DC_NO_COLLECTIVE && dc->flows.collective_bytes < g->hosts)
        return swq_fail(ctx, SWQ_EINVAL,
                        "a collective of %u hosts must have that many bytes or more, not %llu",
                        g->hosts, (unsigned long long)dc->flows.collective_bytes);
    if (dc->network.spread == SWQ_DC_FLOWLET && dc->network.flowlet_gap < 1)
        return swq_fail(ctx, SWQ_EINVAL, "flowlet-gap must be above 0");
    swq_status status = check_flows(ctx, dc, g->hosts);
    if (!status && dc->flows.sizes)
        status = check_shares(ctx, "classes", dc->class_share, dc->classes);
    for (int k = 0; k < dc->classes && !status; k++)
        status = check_sender(ctx, swq_dc_sending_of(&dc->network, k), dc->network.spread);
    if (!status)
        status = check_pfc(ctx, dc, g);
    return status ? status : check_all_reserves(ctx, dc, g);
}

static swq_status check_network(swq_context *ctx, const swq_dc *dc)
{
    swq_dc_graph *built = NULL;
    swq_status status = dc_topology_check(ctx, dc);

    if (!status && !dc->network.graph)
        status = dc_graph_make(ctx, dc, &built);
    if (!status)
        status = check_hosts(ctx, dc, built ? built : dc->network.graph);
    swq_dc_graph_free(ctx, built);
    return status;
}

swq_status swq_dc_check(swq_context *ctx, const swq_dc *dc, const swq_dc_options *o)
{
    if (dc->ports < 1 || dc->ports > SWQ_DC_PORTS)
        return swq_fail(ctx, SWQ_EINVAL, "ports must be 1 to %d, not %d", SWQ_DC_PORTS, dc->ports);
    if (dc->classes < 1 || dc->classes > SWQ_DC_CLASSES)
        return swq_fail(ctx, SWQ_EINVAL, "classes must be 1 to %d, not %d", SWQ_DC_CLASSES,
                        dc->classes);
    if (dc->rate < SWQ_DC_LEAST_RATE || dc->rate > SWQ_DC_MOST_RATE)
        return swq_fail(ctx, SWQ_EINVAL, "rate must be 1M to 10T bit/s, not %llu",
                        (unsigned long long)dc->rate);
    for (int k = 0; k < dc->classes && dc->schedule == SWQ_DC_DRR; k++) {
        if (dc->quantum[k] < 1)
            return swq_fail(ctx, SWQ_EINVAL, "quantum must be 1 byte or more");
    }
    if (dc->cut_through && (dc->cut_after < 1 || dc->cut_after > 1000000))
        return swq_fail(ctx, SWQ_EINVAL, "cut-after must be 1 to 1000000 bytes, not %u",
                        dc->cut_after);
    if (o->replications < 1 || o->replications > SWQ_MAX_REPLICATIONS)
        return swq_fail(ctx, SWQ_EINVAL, "replications must be 1 to %d, not %d",
                        SWQ_MAX_REPLICATIONS, o->replications);
    if (dc->arrivals != SWQ_DC_TRACE && o->duration < 1)
        return swq_fail(ctx, SWQ_EINVAL, "duration must be above 0");
    if (o->film && (dc->arrivals == SWQ_DC_TRACE || o->film->most < 1))
        return swq_fail(ctx, SWQ_EINVAL, "a film has frames, of a duration, which a trace has not");
    if (o->series > 0 && dc->arrivals == SWQ_DC_TRACE)
        return swq_fail(ctx, SWQ_EINVAL, "a series needs a duration, which a trace has not");
    const unsigned long long full = o->series > 0 ? (o->duration - 1) / o->series : 0;
    if (full >= SWQ_DC_MOST_WINDOWS)
        return swq_fail(ctx, SWQ_EINVAL, "a series may have up to %d windows, not %llu",
                        SWQ_DC_MOST_WINDOWS, full + 1);
    if (!(o->confidence >= 0.5 && o->confidence < 1))
        return swq_fail(ctx, SWQ_EINVAL, "confidence must be 0.5 or more and below 1, not %g",
                        o->confidence);
    swq_status status = check_memory(ctx, dc);
    if (status)
        return status;
    if (dc->network.sending[0].sender)
        return check_network(ctx, dc);
    status = check_reserves(ctx, dc, "the switch", (uint32_t)dc->ports, dc->memory.bytes);
    if (status)
        return status;
    return dc->arrivals == SWQ_DC_TRACE ? check_trace(ctx, dc) : check_random(ctx, dc);
}
