/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Flows of several classes: shares of the classes, a sender for each class, and times by class.
 */
#include "tests/sim/datacentre/runs.h"

#include <math.h>
#include <stdio.h>

TestSuite(class_senders, .timeout = 120);

#define MS UINT64_C(1000000000) /* ps */

enum { ALL = SWQ_DC_SIZE_CLASSES - 1 };

static swq_dc_result run(const swq_dc *dc, uint64_t duration, int replications)
{
    const swq_dc_options o = dc_runs(duration, replications);

    return dc_run(dc, &o);
}

/* Eight hosts at one switch that loses nothing, marks above 30 KB. */
static swq_dc one_switch(const char *first, const char *second)
{
    swq_dc dc = swq_dc_defaults();

    dc.classes = 2;
    dc.memory.bytes = 20000000;
    dc.marking = (swq_dc_marking){.on = true, .low = 30000, .high = 30000, .most = 1};
    dc.network.sending[0].sender = dc_sender_named(first);
    dc.network.sending[1].sender = second ? dc_sender_named(second) : NULL;
    return dc;
}

/* Two flows to host 2 make a queue there, two of the other class one at host 5: neither meets the
 * other, so that each pair has the times that it has alone with its own sender. */
Test(class_senders, are_those_of_the_class)
{
    static const char first[] = "0,0,2,3000000,0\n0,1,2,2000000,0\n",
                      second[] = "0,3,5,3000000,1\n0,4,5,2000000,1\n";
    static const char *const names[] = {"dctcp", "cubic", "swift", "dcqcn", "hpcc", "powertcp"};
    char both[200];

    snprintf(both, sizeof both, "%s%s", first, second);
    for (int a = 0; a < 6; a++) {
        for (int b = 0; b < 6; b++) {
            const swq_dc_result all = dc_run_list(one_switch(names[a], names[b]), both, 20 * MS);
            const swq_dc_result one = dc_run_list(one_switch(names[a], NULL), first, 20 * MS);
            const swq_dc_result two = dc_run_list(one_switch(names[b], NULL), second, 20 * MS);
            cr_expect_eq(all.by_class_and_size[0][ALL].completed, 2);
            cr_expect_eq(all.by_class_and_size[1][ALL].completed, 2);
            cr_expect_eq(all.by_class_and_size[0][ALL].time.mean, one.by_size[ALL].time.mean,
                         "%s beside %s", names[a], names[b]);
            cr_expect_eq(all.by_class_and_size[1][ALL].time.mean, two.by_size[ALL].time.mean,
                         "%s beside %s", names[b], names[a]);
        }
    }
}

/* The flows are those of one class; only their classes are drawn. */
Test(class_senders, shares_of_flows)
{
    swq_dc dc = one_switch("dctcp", NULL);

    dc.flows.sizes = "20000";
    dc.flows.load = .5;
    const swq_dc_result one = run(&dc, 10 * MS, 2);
    cr_expect_eq(one.by_class_and_size[1][ALL].begun, 0);
    dc.class_share[0] = .3;
    dc.class_share[1] = .7;
    const swq_dc_result two = run(&dc, 10 * MS, 2);
    const double flows = (double)two.by_size[ALL].begun;
    const double drawn = (double)two.by_class_and_size[0][ALL].begun;

    cr_expect_eq(two.by_size[ALL].begun, one.by_size[ALL].begun);
    cr_expect_gt(flows, 4000);
    cr_expect_float_eq(drawn, .3 * flows, 3.3 * sqrt(.21 * flows), "%g of %g", drawn, flows);
    for (int k = 0; k <= ALL; k++) {
        const swq_dc_completion *of0 = &two.by_class_and_size[0][k];
        const swq_dc_completion *of1 = &two.by_class_and_size[1][k], *all = &two.by_size[k];
        cr_expect_eq(of0->begun + of1->begun, all->begun);
        cr_expect_eq(of0->completed + of1->completed, all->completed);
        if (all->completed == 0)
            continue;
        const double sum =
            of0->time.mean * (double)of0->completed + of1->time.mean * (double)of1->completed;
        cr_expect_float_eq(sum, all->time.mean * (double)all->completed, 1e-9 * sum);
    }
}

/* Queries have a class of their own. */
Test(class_senders, class_of_queries)
{
    swq_dc dc = one_switch("dctcp", "swift");

    dc.flows.query_rate = 500;
    dc.flows.fan_in = 3;
    dc.flows.query_bytes = 30000;
    dc.flows.query_class = 1;
    const swq_dc_result r = run(&dc, 10 * MS, 1);
    cr_expect_gt(r.queries.completed, 10);
    cr_expect_eq(r.by_class_and_size[0][ALL].begun, 0);
    cr_expect_eq(r.by_class_and_size[1][ALL].begun, 3 * r.queries.begun);
}
