/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What hosts of data-centre networks send: collective operations and hosts that are silent between
 * flows against closed forms, and flows that are written for other simulators.
 */
#include "tests/sim/datacentre/runs.h"
#include "tests/sim/samples.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

TestSuite(datacentre_flows, .timeout = 120);

#define MS UINT64_C(1000000000) /* ps */
#define US UINT64_C(1000000)

/* n hosts of one switch. */
static swq_dc one_switch(int hosts)
{
    swq_dc dc = swq_dc_defaults();

    dc.ports = hosts;
    dc.memory.bytes = 400000000;
    dc.network.sending[0].sender = dc_sender_named("open");
    return dc;
}

/* In an idle switch the flows of a phase do not meet, so that collectives take whole multiples of
 * the time of one of them: p packets of 1.2 us, one more at the second link, 2 us on links. With
 * 1 to 7 hosts behind a host, all at once, packets to all of them take turns and do not meet. */
Test(datacentre_flows, collectives_in_an_idle_switch)
{
    enum { HOSTS = 8, PACKETS = 700, BYTES = 1460 * PACKETS };
    static const struct {
        swq_dc_collective kind;
        uint64_t bytes, flows;
        double us;
    } cases[] = {
        {SWQ_DC_PERMUTATION, BYTES, HOSTS, PACKETS * 1.2 + 3.2},
        {SWQ_DC_AT_ONCE, BYTES, HOSTS * (HOSTS - 1), PACKETS * 1.2 + 3.2},
        {SWQ_DC_ALL_TO_ALL, BYTES, HOSTS * (HOSTS - 1),
         (HOSTS - 1) * (PACKETS / (HOSTS - 1) * 1.2 + 3.2)},
        {SWQ_DC_RING, 1460 * 800, 2 * HOSTS * (HOSTS - 1), 2 * (HOSTS - 1) * (100 * 1.2 + 3.2)},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_dc dc = one_switch(HOSTS);
        swq_dc_options o = dc_runs(3 * MS, 2);
        o.warmup = 7 * US;
        dc.flows.collective = cases[k].kind;
        dc.flows.collective_bytes = cases[k].bytes;
        const swq_dc_result r = dc_run(&dc, &o);
        cr_expect_eq(r.collectives, 2);
        cr_expect_float_eq(r.collective.mean / 1e6, cases[k].us, 1e-6, "%s: %g",
                           swq_dc_collective_words[cases[k].kind], r.collective.mean);
        cr_expect_eq(dc_all_sizes(&r)->completed, 2 * cases[k].flows);
        cr_expect_float_eq(r.jain.mean, 1, 1e-12);
    }
}

/* With two hosts no flows meet: a host sends S bytes in each time of silence and flow, which is
 * a renewal process. */
Test(datacentre_flows, hosts_are_silent_between_flows)
{
    const double flow = 10 * 1.2 + 3.2, off = 20; /* us */
    const double exact = 14600 * 8 / (flow + off) / 1e4;
    swq_dc dc = one_switch(2);
    const swq_dc_options o = dc_runs(20 * MS, 10);

    dc.flows.sizes = "14600";
    dc.flows.off = (uint64_t)(off * 1e6);
    const swq_dc_result r = dc_run(&dc, &o);
    cr_expect_float_eq(dc_all_sizes(&r)->time.mean / 1e6, flow, 1e-6);
    const double z = score_of(&r.goodput, exact, 10, .95);
    cr_expect(fabs(z) < 3.3, "goodput %g +- %g, exactly %g: z = %g", r.goodput.mean,
              r.goodput.half_width, exact, z);
}

/* Flows that are written for another simulator and read again are the same flows, at the same
 * times. */
Test(datacentre_flows, flows_written_for_other_simulators)
{
    static const struct {
        swq_dc_flows_as as;
        const char *prefix;
    } cases[] = {{SWQ_DC_AS_HPCC, "hpcc:"}, {SWQ_DC_AS_HTSIM, "htsim:"}};

    for (size_t k = 0; k < 2; k++) {
        char path[] = "/tmp/switchq-flows-XXXXXX", list[60];
        const int fd = mkstemp(path);
        swq_dc dc = dc_leaves("dctcp");
        swq_dc_options o = dc_runs(MS, 1);
        dc.flows.sizes = "30000";
        dc.flows.load = .4;
        o.flows = fdopen(fd, "w");
        o.flows_as = cases[k].as;
        const swq_dc_result first = dc_run(&dc, &o);
        fclose(o.flows);
        o.flows = NULL;
        o.duration = 10 * MS;
        dc.flows = (swq_dc_flows){.list = list};
        snprintf(list, sizeof list, "%s%s", cases[k].prefix, path);
        const swq_dc_result again = dc_run(&dc, &o);
        unlink(path);
        cr_expect_gt(dc_all_sizes(&first)->begun, 100);
        cr_expect_eq(dc_all_sizes(&again)->begun, dc_all_sizes(&first)->begun);
        cr_expect_eq(dc_all_sizes(&again)->completed, dc_all_sizes(&first)->begun);
    }
}
