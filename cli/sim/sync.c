/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim with the synchronous engine: all switches in step.
 */
#include "base/context.h"
#include "cli/points/points.h"
#include "cli/sim/detail.h"
#include "cli/sim/film.h"
#include "cli/sim/logs.h"
#include "cli/spec/network.h"
#include "sim/measure/refuse.h"
#include "sim/stages/net.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNIT "packets per node and cycle"

static swq_status bad_groups(swq_context *ctx, const char *text, uint32_t nodes)
{
    return swq_fail(
        ctx, SWQ_EINVAL,
        "--node-groups must be ranges of nodes 0 to %u such as 0-15+40,16-31, each node in "
        "one group at most and %d groups at most, not '%.60s'",
        nodes - 1, SWQ_MAX_GROUPS - 1, text);
}

/* Reads --node-groups, such as "0-15+40,16-31": the group of each node. Nodes that are in no group
 * form one more, *rest_group. */
static swq_status read_groups(swq_context *ctx, const char *text, uint32_t nodes, uint8_t **group,
                              int *groups, int *rest_group)
{
    enum { NO_GROUP = UINT8_MAX };
    const char *at = text;
    int current = 0;
    bool rest = false;

    *group = malloc(nodes);
    if (!*group)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the groups");
    memset(*group, NO_GROUP, nodes);
    for (;;) {
        char *end;
        if (*at < '0' || *at > '9')
            return bad_groups(ctx, text, nodes);
        unsigned long first = strtoul(at, &end, 10), last = first;
        if (*end == '-' && end[1] >= '0' && end[1] <= '9')
            last = strtoul(end + 1, &end, 10);
        if (last < first || last >= nodes || current >= SWQ_MAX_GROUPS - 1)
            return bad_groups(ctx, text, nodes);
        for (unsigned long i = first; i <= last; i++) {
            if ((*group)[i] != NO_GROUP)
                return bad_groups(ctx, text, nodes);
            (*group)[i] = (uint8_t)current;
        }
        if (*end == ',')
            current++;
        else if (*end != '+' && *end)
            return bad_groups(ctx, text, nodes);
        if (!*end)
            break;
        at = end + 1;
    }
    for (uint32_t i = 0; i < nodes; i++) {
        if ((*group)[i] == NO_GROUP) {
            (*group)[i] = (uint8_t)(current + 1);
            rest = true;
        }
    }
    *groups = current + 1 + rest;
    *rest_group = rest ? current + 1 : -1;
    return SWQ_OK;
}

static bool can_discard(const cli_network *n)
{
    return n->network.sw.flow == SWQ_DISCARD || n->network.traffic.queue_limit;
}

/* ---- the record ---- */

/* The stages of a result, or of a window. */
static void put_stages(cli_record *result, const swq_stage_result *stages, const void *network)
{
    const cli_network *n = network;
    cli_record *list = cli_put_list(result, "stages", "stage");

    for (int k = 0; k < n->network.shape.stages; k++) {
        const swq_stage_result *s = &stages[k];
        cli_record *stage = cli_put_item(list, NULL);
        cli_labelled(cli_put_estimate(stage, "mean_packets", s->occupancy), "packets/switch");
        cli_labelled(cli_put_estimate(stage, "sent", s->sent), "sent/output");
        cli_put_fraction(stage, "blocked", s->blocked, s->blocked_below, NULL);
        cli_record *lost = cli_put_fraction(stage, "discard_probability", s->discarded,
                                            can_discard(n) ? s->discarded_below : NAN, NULL);
        cli_labelled(lost, "discarded");
        if (!can_discard(n))
            cli_quietly(lost);
    }
}

static void put_classes(cli_record *result, const swq_sim_result *r, bool discards)
{
    static const char *const title[SWQ_CLASSES] = {"  normal packets:",
                                                   "  packets of high priority:"};
    cli_record *classes = cli_put_named(result, "classes", NULL);

    for (int k = 0; k < SWQ_CLASSES; k++)
        cli_put_flow(cli_titled(cli_put_item(classes, cli_class_names[k]), "%s", title[k]),
                     &r->by_class[k], UNIT, discards, false);
}

static void put_groups(cli_record *result, const swq_sim_result *r, bool discards, int rest_group)
{
    cli_record *groups = cli_put_list(result, "groups", NULL);
    char name[24];

    for (int g = 0; g < r->groups; g++) {
        snprintf(name, sizeof name, "%d", g);
        cli_record *group = cli_put_item(groups, name);
        cli_titled(group, "  group %d%s:", g, g == rest_group ? " (the rest)" : "");
        cli_put_flow(group, &r->by_group[g], UNIT, discards, false);
    }
}

static void put_result(cli_record *root, const cli_network *n, const cli_run *run,
                       const swq_sim_result *r)
{
    const swq_sim_options *o = &run->options;
    const bool discards = can_discard(n);
    cli_record *result = cli_the_result(cli_put_group(root, "result", NULL));

    cli_put_flow(result, &r->all, UNIT, discards, false);
    const cli_trials offers = {r->offers, "offers", "no more than two come together"};
    cli_record *refusal =
        cli_put_fraction(result, "refusal_probability", r->refusal, r->refusal_below, &offers);
    cli_in_unit(refusal, "of the sources' offers");
    if (n->network.sw.flow != SWQ_BLOCK)
        cli_quietly(refusal);
    cli_put_fraction(result, "source_queue", r->source_queue, r->source_queue_below, NULL);
    cli_quietly(cli_put_truth(result, "saturated", r->beyond != SWQ_BEYOND_NOT));
    cli_put_fairness(
        result, &r->fairness, UNIT,
        swq_switch_architecture(&n->network.sw)->stage.arbitrates ? n->network.sw.arbiter : NULL);
    if (r->by_class[1].created)
        put_classes(result, r, discards);
    if (o->group)
        put_groups(result, r, discards, run->rest_group);
    put_stages(result, r->stage, n);
    cli_put_series(result, r,
                   &(cli_series_as){.unit = UNIT,
                                    .discards = discards,
                                    .classes = r->by_class[1].created > 0,
                                    .groups = o->group != NULL,
                                    .onset = run->onset,
                                    .stages = put_stages,
                                    .arg = n});
}

static cli_record *record_of(const cli_network *n, const cli_run *run, const swq_sim_result *r,
                             const swq_saturation *found)
{
    const swq_sim_options *o = &run->options;
    const swq_traffic *t = &n->network.traffic;
    cli_record *root = cli_record_new("switchq/sim/1");

    cli_put_network(root, n);
    cli_put_run(root, r, o);
    put_result(root, n, run, r);
    cli_put_invariants(root, r);
    cli_say_run(root, r, o);
    if (t->kind == SWQ_SOURCE_TRACE)
        cli_put_trace_left(root, t->trace_packets - r->total_created, "packet");
    if (found)
        cli_put_full_load(
            root, &(cli_searched){.found = found, .full = r, .resolution = run->search.resolution},
            n->network.sw.flow != SWQ_DISCARD);
    return root;
}

/* ---- a point ---- */

typedef struct {
    cli_sim_point shared;
    cli_network n;
    uint8_t *group;
    swq_sim_result result;
    swq_saturation found;
    cli_film film;
} sync_point;

static void clear_point(swq_context *ctx, void *at)
{
    sync_point *p = at;

    swq_detail_clear(ctx, &p->shared.detail);
    swq_series_free(ctx, p->result.series);
    free(p->group);
    cli_network_clear(&p->n);
}

static swq_status read_point(swq_context *ctx, void *at, bool many)
{
    sync_point *p = at;
    const char *groups = cli_text(cli_sim_output_options, "node-groups");
    const bool open = cli_given(cli_run_options, "find-saturation") != NULL;
    swq_status status = cli_network_read(ctx, &p->n, open ? CLI_LOAD_OPEN : CLI_LOAD_GIVEN);

    if (status)
        return status;
    const swq_network *net = &p->n.network;
    const cli_run_of what = {
        .nodes = p->n.nodes, .trace = net->traffic.kind == SWQ_SOURCE_TRACE, .cycles = 20000};
    p->shared = (cli_sim_point){
        .shape = &net->shape, .nodes = p->n.nodes, .unit = UNIT, .discards = can_discard(&p->n)};
    status = cli_sim_read_point(ctx, &what, (size_t)p->n.nodes * (size_t)net->shape.stages, many,
                                &p->shared);
    cli_film_read(&p->film);
    if (!status && groups) {
        swq_sim_options *o = &p->shared.run.options;
        status =
            read_groups(ctx, groups, p->n.nodes, &p->group, &o->groups, &p->shared.run.rest_group);
        o->group = p->group;
    }
    if (status)
        clear_point(ctx, p);
    return status;
}

static double bytes_of_point(swq_context *ctx, const void *at)
{
    const sync_point *p = at;
    const swq_sim_options *o = &p->shared.run.options;

    (void)ctx;
    return o->replications * swq_net_bytes(&p->n.network, o, p->n.nodes);
}

static swq_status answer_point(swq_context *ctx, void *at)
{
    sync_point *p = at;
    const swq_traffic *t = &p->n.network.traffic;
    const swq_switch *sw = &p->n.network.sw;
    const cli_film_of film_of = {.shape = &p->n.network.shape,
                                 .pools = sw->buffer.scope == SWQ_POOL,
                                 .output_stores = swq_switch_architecture(sw)->stage.two_steps &&
                                                  swq_switch_architecture(sw)->stage.output_queues,
                                 .marked = t->hot_spots > 0 ? t->hot[0].node : SWQ_NO_WHERE};
    cli_run *run = &p->shared.run;
    swq_async_watch watch = {0};
    cli_log *log;
    swq_status status = cli_film_begin(ctx, &film_of, &run->options, &p->film);

    if (!status)
        status = cli_log_open(ctx, NULL, &watch, &log);
    if (status) {
        cli_film_end(ctx, &p->film, false);
        return status;
    }
    run->options.started = watch.started;
    run->options.started_arg = watch.arg;
    if (run->find_saturation) {
        p->n.network.traffic.load = 1;
        return swq_sim_saturation(ctx, &p->n.network, &run->options, &run->search, &p->result,
                                  &p->found);
    }
    status = swq_sim_run(ctx, &p->n.network, &run->options, &p->result);
    if (!status && p->n.network.traffic.kind == SWQ_SOURCE_TRACE)
        swq_result_drop_intervals(&p->result, run->options.detail);
    else if (!status)
        swq_result_refuse(&p->result, run->options.detail);
    const swq_status shown = cli_film_end(ctx, &p->film, !status);
    const swq_status kept = cli_log_close(ctx, log, !status && !shown);
    return status ? status : shown ? shown : kept;
}

static cli_record *record_point(swq_context *ctx, const void *at)
{
    const sync_point *p = at;
    const cli_run *run = &p->shared.run;
    cli_record *root = record_of(&p->n, run, &p->result, run->find_saturation ? &p->found : NULL);

    cli_put_detail(ctx, root, &p->shared);
    return root;
}

static int end_point(swq_context *ctx, const void *at, const char *where)
{
    const sync_point *p = at;
    const cli_run *run = &p->shared.run;

    (void)ctx;
    if (run->find_saturation && p->result.stopped_by == SWQ_STOP_INTERRUPTED)
        cli_note("%sinterrupted: the search was not finished", where);
    if (!run->find_saturation && cli_warns(run->format, where))
        cli_warn_run(&p->result, where);
    cli_note_run(&p->result, &run->options, run->find_saturation, where);
    return cli_sim_status(&p->result);
}

const cli_question_kind cli_sim_sync = {
    .size = sizeof(sync_point),
    .read = read_point,
    .bytes = bytes_of_point,
    .answer = answer_point,
    .record = record_point,
    .end = end_point,
    .clear = clear_point,
    .stage = "simulations",
};
