/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/sim/datacentre/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const swq_dc_sender *dc_sender_named(const char *name)
{
    const swq_dc_sender *row = swq_dc_sender_named(name);

    cr_assert(row, "%s", name);
    return row;
}

const swq_dc_topology *dc_topology_named(const char *name)
{
    const swq_dc_topology *row = swq_dc_topology_named(name);

    cr_assert(row, "%s", name);
    return row;
}

swq_dc dc_leaves(const char *sender)
{
    swq_dc dc = swq_dc_defaults();

    dc.network.topology = dc_topology_named("leaf-spine");
    dc.network.leaves = 3;
    dc.network.hosts = 4;
    dc.network.sending[0].sender = dc_sender_named(sender);
    return dc;
}

swq_dc_options dc_runs(uint64_t duration, int replications)
{
    swq_dc_options o = swq_dc_options_defaults();

    o.warmup = 0;
    o.duration = duration;
    o.replications = replications;
    return o;
}

swq_dc_result dc_run(const swq_dc *dc, const swq_dc_options *o)
{
    swq_context *ctx = swq_context_new();
    swq_dc_result r = {0};

    cr_assert_eq(swq_dc_run(ctx, dc, o, &r), SWQ_OK, "%s", swq_context_message(ctx));
    cr_expect(r.conserved);
    if (!o->per_link && o->series == 0)
        cr_expect_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    return r;
}

swq_dc_result dc_run_list(swq_dc dc, const char *lines, uint64_t duration)
{
    char path[] = "/tmp/switchq-flows-XXXXXX";
    const swq_dc_options o = dc_runs(duration, 1);
    int commas = 0;

    for (size_t k = 0; lines[k] && lines[k] != '\n'; k++)
        commas += lines[k] == ',';
    dc_write_file(path,
                  commas == 3 ? "start_ps,source,destination,bytes\n"
                              : "start_ps,source,destination,bytes,class\n",
                  lines);
    dc.flows.list = path;
    const swq_dc_result r = dc_run(&dc, &o);
    unlink(path);
    return r;
}

const swq_dc_completion *dc_all_sizes(const swq_dc_result *r)
{
    return &r->by_size[SWQ_DC_SIZE_CLASSES - 1];
}

void dc_write_file(char *path, const char *first, const char *text)
{
    const int fd = mkstemp(path);

    cr_assert_geq(fd, 0);
    dprintf(fd, "%s%s", first, text);
    close(fd);
}

swq_dc_graph *dc_graph_of(swq_context *ctx, const char *text, uint64_t bytes)
{
    char path[] = "/tmp/switchq-graph-XXXXXX";
    swq_dc_graph *g = NULL;

    dc_write_file(path, "", text);
    cr_assert_eq(swq_dc_graph_read(ctx, path, UINT64_C(10000000000), 1000000, &g), SWQ_OK, "%s",
                 swq_context_message(ctx));
    unlink(path);
    for (uint32_t w = 0; w < swq_dc_graph_switches(g); w++)
        swq_dc_graph_give_memory(g, w, bytes);
    return g;
}
