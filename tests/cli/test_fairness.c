/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who gets how much where all send to one node, as fast as they can: every architecture, every
 * management, every flow control, every arbiter and every buffer, so that a new row is tested, too.
 * Two networks. Through two stages the senders are alike, and get equal shares. In a row (the
 * "parking lot") each switch merges what comes with what its own node sends: if whoever was served
 * goes last, each of the two gets half of what goes on. Rows of which that is not true are listed
 * with the reason. Not pinned: any number that is drawn.
 */
#include "models/arbiters/arbiters.h"
#include "models/buffers/buffers.h"
#include "switchq/async.h"
#include "tests/cli/program.h"

TestSuite(cli_fairness, .init = program_begin, .fini = program_end, .timeout = 120);

enum { ROW = 5, STAGES_SENDERS = 16 };

/* What a row needs in addition to its name; a row may be there several times. */
typedef struct {
    const char *name, *options;
} row_options;

/* A row of which something is not true, the number that is, and why. */
typedef struct {
    const char *name;
    double number;
    const char *reason;
} exception;

#define POINTER                                                                                    \
    2.0 / 3,                                                                                       \
        "the dissertation's pointer (4.3) names the inputs in turn, whether or not they hold "     \
        "anything: of three, the one behind the idle one is first two times in three"
#define NEVER_HELD                                                                                 \
    1.0, "notices go to stores before links, and a node's own packets are in none: what comes "    \
         "over links waits until the congestion is over, which the nearest node prevents"

/* Rows of which the nearest sender of a parking lot does not get half, but this share, at each
 * switch. */
static const exception in_a_row[] = {
    {"input-queued", POINTER}, {"output-queued", POINTER},
    {"cioq", POINTER},         {"none", POINTER},
    {"1q", POINTER},           {"4q", POINTER},
    {"voqsw", POINTER},        {"dbbm", POINTER},
    {"voqnet", POINTER},       {"4q-least", POINTER},
    {"lecn", NEVER_HELD},      {"rotating", POINTER},
    {"advancing", POINTER},    {NULL, 0, NULL},
};

/* Rows that are not tested at all. */
static const exception not_tested[] = {
    {"fixed", 0, "an order of inputs that never changes lets the last ones starve, as it says"},
    {NULL, 0, NULL},
};

/* Rows whose equal shares are equal to within that fraction only, where `within` says less. */
static const exception nearly_equal[] = {
    {"recn-enhanced", 0.25,
     "with packets of a byte shares differ by a tenth or two, in long runs, too; why is not known"},
    {"fbicm", 0.25, "as recn-enhanced"},
    {NULL, 0, NULL},
};

static const exception *find(const exception *in, const char *name)
{
    for (; in->name; in++) {
        if (strcmp(in->name, name) == 0)
            return in;
    }
    return NULL;
}

/* ---- runs ---- */

/* What of a run's throughput is each sender's. */
static void run_shares(double *share, int nodes, const char *options)
{
    cJSON *answer = program_json("sim --load 1 --per-node --json %s", options);
    double all = 0;

    cr_assert_eq(cJSON_GetArraySize(json_at(answer, "result.nodes")), nodes);
    for (int i = 0; i < nodes; i++) {
        char path[60];
        snprintf(path, sizeof path, "result.nodes.%d.sender_throughput.mean", i);
        share[i] = json_number(answer, path);
        all += share[i];
    }
    for (int i = 0; i < nodes; i++)
        share[i] /= all;
    cJSON_Delete(answer);
}

/* All but the hot node get the same, to within that fraction; this one may send to itself. */
static void expect_equal_shares(const char *options, double within)
{
    double share[STAGES_SENDERS], mean = 0;

    run_shares(share, STAGES_SENDERS, options);
    for (int i = 1; i < STAGES_SENDERS; i++)
        mean += share[i] / (STAGES_SENDERS - 1);
    for (int i = 1; i < STAGES_SENDERS; i++)
        cr_expect(fabs(share[i] / mean - 1) <= within, "%s: sender %d gets %.3f of a fair share",
                  options, i, share[i] / mean);
}

/* At each switch of the row the node that is there gets that share of what goes on. */
static void expect_parking_lot(const char *options, double nearest, double within)
{
    double share[ROW], left = 1;

    run_shares(share, ROW, options);
    for (int i = ROW - 2; i >= 0; i--) {
        const double due = i > 0 ? left * nearest : left;
        cr_expect(fabs(share[i] - due) <= within * due + 1e-9, "%s: sender %d gets %.4f, not %.4f",
                  options, i, share[i], due);
        left -= due;
    }
}

/* ---- every row of a table of the asynchronous engine ---- */

static const int lengths[] = {1, 8, 32};

/* Long enough for some 150 packets of each of 16 senders. */
static long cycles_for(int length)
{
    return 150L * STAGES_SENDERS * (length + 2);
}

/* One of the two networks, as fast as it can be loaded. */
typedef void try_fn(const char *name, const char *common, int length, int seed, double within);

static void try_stages_of_alike(const char *name, const char *common, int length, int seed,
                                double within)
{
    const exception *nearly = find(nearly_equal, name);
    const long cycles = cycles_for(length);
    char options[400];

    snprintf(options, sizeof options,
             "--engine async %s --length %d --max-packet %d --topology %s --ports 4 --stages 2 "
             "--traffic node:0 --seed %d --warmup %ld --cycles %ld",
             common, length, length, seed % 2 ? "butterfly" : "omega", seed, cycles, cycles);
    expect_equal_shares(options, nearly ? nearly->number : within);
}

static void try_row_of_nodes(const char *name, const char *common, int length, int seed,
                             double within)
{
    const exception *e = find(in_a_row, name);
    const long cycles = cycles_for(length);
    char options[400];

    snprintf(options, sizeof options,
             "--engine async %s --length %d --max-packet %d --topology mesh --dims %d "
             "--traffic node:%d --seed %d --warmup %ld --cycles %ld",
             common, length, length, ROW, ROW - 1, seed, cycles, 2 * cycles);
    expect_parking_lot(options, e ? e->number : 0.5, within);
}

static void try_lengths(try_fn *try, const char *name, const char *common, double within)
{
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        try(name, common, lengths[k], (int)k + 1, within);
}

/* Every row under the option, with each of its needs, or with `common` if it has none. */
static void try_rows(try_fn *try, const char *option, const void *const *rows,
                     const row_options *needs, const char *common, double within)
{
    for (; *rows; rows++) {
        const char *name = *(const char *const *)*rows;
        bool listed = false;
        char options[200];
        if (find(not_tested, name))
            continue;
        for (const row_options *n = needs; n->name; n++) {
            if (strcmp(n->name, name) != 0)
                continue;
            listed = true;
            snprintf(options, sizeof options, "--%s %s %s", option, name, n->options);
            try_lengths(try, name, options, within);
        }
        snprintf(options, sizeof options, "--%s %s %s", option, name, common);
        if (!listed)
            try_lengths(try, name, options, within);
    }
}

/* A node that sends one packet at a time has one lane of several, and waits for the next one: in a
 * row of nodes it gets less than what comes over a link, whose lanes hold several packets. */
static const row_options of_architectures[] = {
    {"input-queued", "--buffer damq"},
    {"input-queued", "--buffer fifo"},
    {"input-queued", "--buffer safc --bytes 264"},
    {"output-queued", ""},
    {"cioq", "--buffer damq"},
    {"wormhole", "--sources hold --lanes 1"},
    {"wormhole", "--sources hold --lanes 4 --node-lanes 4"},
    {"atlas", ""},
    {"atlas", "--lanes 4 --lane-cells 2"},
    {"atlas", "--pool-cells 2 --node-cells 8"},
    {NULL, NULL}};

/* Every architecture that the asynchronous engine has. */
static void try_architectures(try_fn *try)
{
    for (int k = 0; swq_architectures[k]; k++) {
        const void *const one[] = {swq_architectures[k], NULL};
        if (swq_architectures[k]->engines & SWQ_ENGINE_ASYNC)
            try_rows(try, "architecture", one, of_architectures, "--bytes 132", 0.03);
    }
}

Test(cli_fairness, equal_senders_of_every_architecture)
{
    try_architectures(try_stages_of_alike);
}

Test(cli_fairness, parking_lots_of_every_architecture)
{
    try_architectures(try_row_of_nodes);
}

#define STORES "--architecture cioq --bytes 512 --output-bytes 512"
static const row_options of_managements[] = {{"none", "--buffer damq"}, {"lecn", STORES},
                                             {"recn", STORES},          {"recn-enhanced", STORES},
                                             {"fbicm", STORES},         {NULL, NULL}};

Test(cli_fairness, equal_senders_of_every_management)
{
    try_rows(try_stages_of_alike, "management", (const void *const *)swq_managements,
             of_managements, "--bytes 512", 0.05);
}

Test(cli_fairness, parking_lots_of_every_management)
{
    try_rows(try_row_of_nodes, "management", (const void *const *)swq_managements, of_managements,
             "--bytes 512", 0.05);
}

/* Flow controls that refuse packets are for networks of stages, and take whole packets; lengths as
 * in the dissertation, whose packets are longer than the way to the answer. */
Test(cli_fairness, of_every_flow_control)
{
    static const row_options needs[] = {{"maximum-usage", "--threshold 8"},
                                        {"destination+maximum-usage", "--threshold 8"},
                                        {"path+maximum-usage", "--threshold 8"},
                                        {"stop-go", "--bytes 256 --stop 8 --go 4"},
                                        {NULL, NULL}};

    for (const swq_hop_flow *const *row = swq_hop_flows; *row; row++) {
        const char *more = "";
        char options[300];
        for (const row_options *n = needs; n->name; n++)
            more = strcmp(n->name, (*row)->name) == 0 ? n->options : more;
        snprintf(options, sizeof options,
                 "--engine async --buffer damq --flow %s %s --topology butterfly --ports 4 "
                 "--stages 2 --traffic node:0 --length 32 --warmup 40000 --cycles 80000",
                 (*row)->name, more);
        expect_equal_shares(options, 0.03);
    }
}

/* ---- every arbiter, and the synchronous engine ---- */

/* Random arbiters give equal shares in the mean only: 600 packets of each of 16 senders scatter by
 * some 4%, of which the largest of 15 has twice as much. */
enum { RANDOM_PACKETS = 600 };
#define BY_CHANCE 0.2

Test(cli_fairness, of_every_arbiter)
{
    for (const swq_arbiter *const *row = swq_arbiters; *row; row++) {
        const exception *e = find(in_a_row, (*row)->name);
        char options[300];
        if (find(not_tested, (*row)->name))
            continue;
        snprintf(options, sizeof options,
                 "--engine async --buffer damq --arbiter %s --topology omega --ports 4 --stages 2 "
                 "--traffic node:0 --length 8 --max-packet 8 --warmup 10000 --cycles %d",
                 (*row)->name, RANDOM_PACKETS * STAGES_SENDERS * 10);
        expect_equal_shares(options, BY_CHANCE);
        snprintf(options, sizeof options,
                 "--engine async --buffer damq --arbiter %s --topology mesh --dims %d "
                 "--traffic node:%d --length 8 --max-packet 8 --warmup 10000 --cycles %d",
                 (*row)->name, ROW, ROW - 1, RANDOM_PACKETS * STAGES_SENDERS * 10);
        expect_parking_lot(options, e ? e->number : 0.5, BY_CHANCE);
    }
}

/* Stage cycles: all switches of a stage are alike, and so are all senders. */
static void try_stages(const char *options)
{
    char whole[300];

    snprintf(whole, sizeof whole,
             "--topology butterfly --ports 4 --stages 2 --flow block --traffic hotspot:1 "
             "--warmup 2000 --cycles %d %s",
             RANDOM_PACKETS * STAGES_SENDERS, options);
    expect_equal_shares(whole, BY_CHANCE);
}

Test(cli_fairness, in_stage_cycles_of_every_arbiter)
{
    for (const swq_arbiter *const *row = swq_arbiters; *row; row++) {
        char options[100];
        snprintf(options, sizeof options, "--buffer damq --slots 4 --arbiter %s", (*row)->name);
        if (!find(not_tested, (*row)->name))
            try_stages(options);
    }
}

Test(cli_fairness, in_stage_cycles_of_every_buffer)
{
    for (const swq_buffer_kind *const *row = swq_buffer_kinds; *row; row++) {
        char options[100];
        snprintf(options, sizeof options, "--buffer %s --slots 8", (*row)->name);
        try_stages(options);
    }
}

Test(cli_fairness, in_stage_cycles_of_every_architecture)
{
    static const row_options needs[] = {
        {"input-queued", "--buffer damq --slots 4"},
        {"cioq", "--buffer damq --slots 4 --speedup 2 --output-slots 2"},
        {"output-queued", "--output-slots 4"},
        {"crosspoint", "--crosspoint-slots 4 --arbiter islip"},
        {"input-crosspoint", "--buffer damq --slots 4 --arbiter islip "
                             "--crosspoint-slots 1"},
        {NULL, NULL}};

    for (const swq_architecture *const *row = swq_architectures; *row; row++) {
        if (!((*row)->engines & SWQ_ENGINE_SYNC))
            continue;
        const char *more = "";
        char options[200];
        for (const row_options *n = needs; n->name; n++)
            more = strcmp(n->name, (*row)->name) == 0 ? n->options : more;
        snprintf(options, sizeof options, "--architecture %s %s", (*row)->name, more);
        try_stages(options);
    }
}
