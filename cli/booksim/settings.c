/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The settings of BookSim 2, in the order of its booksim_config.cpp.
 */
#include "cli/booksim/settings.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#define ASKED(name, preset, option)                                                                \
    {                                                                                              \
        name, BOOKSIM_ASKED, preset, NULL, option                                                  \
    }
#define FIXED(name, preset, about)                                                                 \
    {                                                                                              \
        name, BOOKSIM_FIXED, preset, about, NULL                                                   \
    }
#define IDLE(name)                                                                                 \
    {                                                                                              \
        name, BOOKSIM_IDLE, "", NULL, NULL                                                         \
    }

#define ONE_CLASS "there is one class of traffic here"
#define PRIVATE   "lanes have buffers of their own; --lane-pool shares one by another rule"
#define ISLIP     "lanes and the crossbar are given by one iteration of iSLIP"

const booksim_row booksim_rows[] = {
    FIXED("channel_file", "", "links have the delays of their topology"),
    FIXED("subnets", "1", "there is one network here"),
    ASKED("topology", "torus", "topology"),
    ASKED("k", "8", NULL),
    ASKED("n", "2", NULL),
    ASKED("c", "1", "hosts"),
    ASKED("routing_function", "none", "routing"),
    ASKED("use_noc_latency", "1", "link-delay"),
    IDLE("x"),
    IDLE("y"),
    ASKED("xr", "1", "traffic"),
    IDLE("yr"),
    FIXED("link_failures", "0", "a network without some links is a file, --topology graph:FILE"),
    IDLE("fail_seed"),
    IDLE("in_ports"),
    IDLE("out_ports"),
    FIXED("router", "iq", "routers are input-queued"),
    FIXED("output_delay", "0", "there are no queues behind the crossbar"),
    ASKED("credit_delay", "0", "credit-delay"),
    FIXED("internal_speedup", "1.0", "the crossbar is as fast as a link (internal speedup)"),
    FIXED("output_buffer_size", "-1", "there are no queues behind the crossbar"),
    FIXED("noq", "0", "lanes are not queues for the outputs of the next router"),
    FIXED("speculative", "0", "a flit requests the crossbar when its packet has a lane"),
    IDLE("spec_check_elig"),
    IDLE("spec_check_cred"),
    IDLE("spec_mask_by_reqs"),
    IDLE("spec_sw_allocator"),
    ASKED("num_vcs", "16", "lanes"),
    ASKED("vc_buf_size", "8", "lane-flits"),
    FIXED("buf_size", "-1", "vc_buf_size says what the buffer of a lane holds"),
    FIXED("buffer_policy", "private", PRIVATE),
    IDLE("private_bufs"),
    IDLE("private_buf_size"),
    IDLE("private_buf_start_vc"),
    IDLE("private_buf_end_vc"),
    IDLE("max_held_slots"),
    IDLE("feedback_aging_scale"),
    IDLE("feedback_offset"),
    ASKED("wait_for_tail_credit", "0", "lane-reuse"),
    FIXED("vc_busy_when_full", "0", "a lane without credits can be given to a packet"),
    FIXED("vc_prioritize_empty", "0", "empty lanes are not given first"),
    IDLE("vc_priority_donation"), /* without priorities */
    FIXED("vc_shuffle_requests", "0", "requests of lanes are served in a circle"),
    FIXED("hold_switch_for_packet", "0", "each flit requests the crossbar by itself"),
    FIXED("input_speedup", "1", "an input sends one flit a cycle into the crossbar"),
    FIXED("output_speedup", "1", "an output takes one flit a cycle from the crossbar"),
    ASKED("routing_delay", "1", "router-delay"),
    ASKED("vc_alloc_delay", "1", "router-delay"),
    FIXED("sw_alloc_delay", "1", "the crossbar is allocated in 1 cycle"),
    ASKED("st_prepare_delay", "0", "router-delay"),
    ASKED("st_final_delay", "1", "router-delay"),
    IDLE("vct"), /* of event-driven routers */
    FIXED("vc_allocator", "islip", ISLIP),
    FIXED("sw_allocator", "islip", ISLIP),
    IDLE("arb_type"), /* of separable allocators */
    FIXED("alloc_iters", "1", ISLIP),
    FIXED("classes", "1", ONE_CLASS),
    ASKED("traffic", "uniform", "traffic"),
    IDLE("class_priority"),
    IDLE("perm_seed"),
    ASKED("injection_rate", "0.1", "load"),
    ASKED("injection_rate_uses_flits", "0", "load"),
    ASKED("packet_size", "1", "length"),
    IDLE("packet_size_rate"), /* of several sizes */
    FIXED("injection_process", "bernoulli",
          "a packet is created with the same probability in each cycle"),
    IDLE("burst_alpha"),
    IDLE("burst_beta"),
    IDLE("burst_r1"),
    FIXED("priority", "none", "flits have no priorities"),
    IDLE("batch_size"),
    IDLE("batch_count"),
    IDLE("max_outstanding_requests"), /* of batches */
    FIXED("use_read_write", "0", "packets are not answered: there are no requests and replies"),
    IDLE("write_fraction"),
    IDLE("read_request_begin_vc"),
    IDLE("read_request_end_vc"),
    IDLE("write_request_begin_vc"),
    IDLE("write_request_end_vc"),
    IDLE("read_reply_begin_vc"),
    IDLE("read_reply_end_vc"),
    IDLE("write_reply_begin_vc"),
    IDLE("write_reply_end_vc"),
    IDLE("read_request_subnet"),
    IDLE("read_reply_subnet"),
    IDLE("write_request_subnet"),
    IDLE("write_reply_subnet"),
    IDLE("read_request_size"),
    IDLE("write_request_size"),
    IDLE("read_reply_size"),
    IDLE("write_reply_size"),
    ASKED("sim_type", "latency", NULL),
    ASKED("warmup_periods", "3", "warmup"),
    ASKED("sample_period", "1000", "cycles"),
    ASKED("max_samples", "10", "cycles"),
    FIXED("measure_stats", "1", ONE_CLASS),
    IDLE("pair_stats"),
    IDLE("latency_thres"),
    IDLE("warmup_thres"),
    IDLE("acc_warmup_thres"),
    IDLE("stopping_thres"),
    IDLE("acc_stopping_thres"),
    ASKED("sim_count", "1", "replications"),
    FIXED("include_queuing", "1", "latencies begin when a packet is created"),
    ASKED("seed", "0", "seed"),
    IDLE("print_activity"),
    IDLE("print_csv_results"),
    IDLE("deadlock_warn_timeout"),
    IDLE("viewer_trace"),
    IDLE("watch_file"),
    IDLE("watch_flits"),
    IDLE("watch_packets"),
    IDLE("watch_transactions"),
    IDLE("watch_out"),
    IDLE("stats_out"),
    IDLE("injected_flits_out"),
    IDLE("received_flits_out"),
    IDLE("stored_flits_out"),
    IDLE("sent_flits_out"),
    IDLE("outstanding_credits_out"),
    IDLE("ejected_flits_out"),
    IDLE("active_packets_out"),
    IDLE("used_credits_out"),
    IDLE("free_credits_out"),
    IDLE("max_credits_out"),
    IDLE("sent_packets_out"),
    IDLE("sim_power"),
    IDLE("power_output_file"),
    IDLE("tech_file"),
    IDLE("channel_width"),
    IDLE("channel_sweep"),
    ASKED("network_file", "", "topology"),
    {NULL, BOOKSIM_IDLE, NULL, NULL, NULL},
};

static_assert(sizeof booksim_rows / sizeof *booksim_rows <= BOOKSIM_MOST_ROWS, "room for values");

int booksim_place(const char *name)
{
    int place = 0;

    while (strcmp(booksim_rows[place].name, name) != 0) {
        place++;
        assert(booksim_rows[place].name);
    }
    return place;
}
