/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Losses although all is lossless: 1,000 flows of 143 hosts to one, with the headroom that HPCC's
 * program for ns-3 sets aside, three times what a line carries in its delay (issue 15 of that
 * program), and with the least one that is enough.
 */
#include "switchq/datacentre.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <unistd.h>

TestSuite(datacentre_incast, .timeout = 60);

enum { FLOWS = 1000, HOSTS = 144, PACKETS = 8, PACKET = 1048, HEADER = 48 };

static void write_flows(char *path)
{
    const int fd = mkstemp(path);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

    cr_assert(f);
    fprintf(f, "start_ps,source,destination,bytes\n");
    for (int k = 0; k < FLOWS; k++)
        fprintf(f, "0,%d,0,%d\n", 1 + k % (HOSTS - 1), PACKETS * (PACKET - HEADER));
    fclose(f);
}

/* Packets that are lost, with headrooms of so many bytes. */
static uint64_t lost(swq_dc dc, uint64_t headroom)
{
    char path[] = "/tmp/switchq-incast-XXXXXX";
    swq_context *ctx = swq_context_new();
    swq_dc_options o = swq_dc_options_defaults();
    swq_dc_result r = {0};

    write_flows(path);
    dc.flows.list = path;
    dc.pfc.headroom = headroom;
    o.warmup = 0;
    o.duration = UINT64_C(20000000000);
    o.replications = 1;
    cr_assert_eq(swq_dc_run(ctx, &dc, &o, &r), SWQ_OK, "%s", swq_context_message(ctx));
    const uint64_t discarded = r.all.refused;
    cr_expect(r.conserved);
    unlink(path);
    swq_context_free(ctx);
    return discarded;
}

/* Bytes that may still come at a line of so many bytes a microsecond, its delay: what travels both
 * ways, the packet that a frame waits for, the frame, and a packet begun just before. */
static uint64_t enough(uint64_t per_delay)
{
    return 2 * per_delay + PACKET + SWQ_DC_PAUSE_BYTES + PACKET - 1;
}

Test(datacentre_incast, is_lost_beyond_three_times_what_a_line_carries_in_its_delay)
{
    swq_dc dc = swq_dc_defaults();

    dc.ports = HOSTS;
    dc.memory.bytes = 8000000;
    dc.network.sending[0].sender = swq_dc_senders()[0];
    dc.network.header = HEADER;
    dc.size_bytes[0] = PACKET;
    dc.pfc.classes = 1;
    cr_expect_gt(lost(dc, 3 * 1250), 100);
    cr_expect_eq(lost(dc, enough(1250)), 0);
    dc.network.topology = swq_dc_topology_named("leaf-spine");
    dc.network.leaves = 9;
    dc.network.hosts = 16;
    dc.network.spines = 4;
    dc.network.spine_rate = UINT64_C(40000000000);
    cr_expect_gt(lost(dc, 3 * 1250), 500);
    cr_expect_eq(lost(dc, enough(5000)), 0);
}
