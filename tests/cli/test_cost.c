/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq cost: held against the buffer chip as it was built, against the formulas of flow
 * controls, crossbars and RECN-IQ, which are code of their own, and over every row of every table.
 */
#include "switchq/cost.h"
#include "tests/cli/program.h"

#include <math.h>
#include <string.h>

TestSuite(cli_cost, .init = program_begin, .fini = program_end, .timeout = 120);

/* The sum over the parts of that name and kind. */
static double part_of(const cJSON *answer, const char *part, const char *kind)
{
    double sum = 0;
    const cJSON *item;

    cJSON_ArrayForEach(item, json_at(answer, "cost_parts"))
    {
        if (strcmp(json_string(item, "cost_part"), part) == 0 &&
            strcmp(json_string(item, "cost_kind"), kind) == 0)
            sum += json_number(item, "amount");
    }
    return sum;
}

static void expect_equal(double a, double b, const char *what)
{
    cr_expect(fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b)), "%s: %.12g, %.12g", what, a, b);
}

/* Section 7.1: 12 pointers of 4 bits; heads, tails and null registers of five lists; two temporary
 * registers; 12 headers and four bypass registers of a byte. Section 7.2.4: such a buffer of 96
 * bytes has the area of a FIFO of 128 bytes, from which the weight of a register follows. */
Test(cli_cost, the_buffer_chip)
{
    cJSON *damq = program_json("cost --buffer damq --slots 3 --json");
    cJSON *fifo = program_json("cost --buffer fifo --slots 4 --json");

    expect_equal(part_of(damq, "input buffers", "pointers"), 4 * (12 * 4 + 5 * 9 + 8), "pointers");
    expect_equal(part_of(damq, "input buffers", "headers"), 4 * (12 + 4) * 8, "headers");
    expect_equal(json_number(damq, "cost.data_bits"), 4 * 96 * 8, "data");
    expect_equal(json_number(damq, "cost.area_cells"), json_number(fifo, "cost.area_cells"),
                 "area of 96 bytes as a DAMQ and 128 as a FIFO");
    cJSON_Delete(damq);
    cJSON_Delete(fifo);
}

/* Section 7.2.2: the last pointer of a list holds NULL, stored as 0, so that 12 blocks take 4 bits,
 * 16 and 17 take 5, and 32 take 6. A 4 x 4 switch has at each input a pointer for each block, head,
 * tail and null of five lists and two temporary registers; and a counter of free blocks, whose
 * values are 0 to all; and its rotating arbiter a pointer of 2 bits. HIPIQS (3.2) has no temporary
 * registers, one register for the free list, and for each queue the flits of its last chunk; SP2
 * and ATLAS one list of each output. An acknowledged buffer has one more list. */
Test(cli_cost, a_pointer_has_a_value_for_none)
{
    static const struct {
        const char *options, *part;
        double bits;
    } row[] = {
        {"--buffer damq --bytes 96", "input buffers", 4 * (12 * 4 + 5 * 9 + 8)},
        {"--buffer damq --bytes 128", "input buffers", 4 * (16 * 5 + 5 * 11 + 10)},
        {"--buffer damq --bytes 136", "input buffers", 4 * (17 * 5 + 5 * 11 + 10)},
        {"--buffer damq --bytes 256", "input buffers", 4 * (32 * 6 + 5 * 13 + 12)},
        {"--buffer dafc --bytes 128", "input buffers", 4 * (16 * 5 + 5 * 11 + 10)},
        {"--management dbbm --queues 4 --bytes 128", "input stores", 4 * (16 * 5 + 5 * 11 + 10)},
        {"--architecture hipiqs --bytes 128 --chunk 8", "input buffers",
         4 * (16 * 5 + 5 + 4 * (5 + 5 + 1 + 2))},
        {"--architecture central --bytes 64 --fifo-bytes 32 --chunk 8", "shared memory",
         16 * 5 + 5 + 4 * (5 + 5 + 1)},
        {"--architecture atlas --pool-cells 4 --lane-cells 1", "shared buffer",
         16 * 5 + 5 * 11 + 10},
        {"--flow destination --buffer damq --bytes 128", "flow control", 4 * 5 + 4 * (2 * 5 + 1)},
    };

    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        cJSON *cost = program_json("cost --engine async %s --json", row[k].options);
        expect_equal(part_of(cost, row[k].part, "pointers"), row[k].bits, row[k].options);
        cJSON_Delete(cost);
    }
    cJSON *cost = program_json("cost --engine async --buffer damq --bytes 128 --json");
    expect_equal(json_number(cost, "cost.pointer_bits"), 4 * (145 + 5) + 2, "128 bytes");
    cJSON_Delete(cost);
}

/* Section 8.6, by the formula flow-control-cost, for each of the four inputs of the switch. */
Test(cli_cost, flow_controls_are_as_the_formula_has_them)
{
    cJSON *formula = program_json("formula flow-control-cost --ports 4 --nodes 64 --bytes 128 "
                                  "--json");
    const cJSON *f = json_at(formula, "points")->child;
    cJSON *usage = program_json("cost --engine async --buffer damq --flow maximum-usage "
                                "--threshold 8 --json");
    cJSON *to = program_json("cost --engine async --buffer damq --flow destination --json");
    cJSON *path = program_json("cost --engine async --buffer damq --flow path --path-hops 2 "
                               "--json");
    cJSON *block = program_json("cost --engine async --buffer damq --flow block --json");

    expect_equal(json_number(block, "cost.link_wires"), json_number(f, "results.wires_blocking"),
                 "wires, block");
    expect_equal(json_number(usage, "cost.link_wires"), json_number(f, "results.wires_queues"),
                 "wires, maximum usage");
    expect_equal(json_number(to, "cost.link_wires"), json_number(f, "results.wires_acknowledged"),
                 "wires, destination");
    expect_equal(part_of(usage, "flow control", "pointers"),
                 4 * json_number(f, "results.queue_counter_bits"), "counters");
    expect_equal(json_number(to, "cost.cam_bits"),
                 4 * json_number(f, "results.cam_bits_destination"), "CAM, destination");
    expect_equal(json_number(path, "cost.cam_bits"), 4 * json_number(f, "results.cam_bits_path"),
                 "CAM, path");
    expect_equal(part_of(to, "flow control", "headers"), 4 * json_number(f, "results.retry_bits"),
                 "restricted retry");
    cJSON_Delete(formula);
    cJSON_Delete(usage);
    cJSON_Delete(to);
    cJSON_Delete(path);
    cJSON_Delete(block);
}

/* Section 8.6.1: DAMQ counts blocks, while FIFO, SAMQ and SAFC count bytes. Section 8.6.2: queues
 * with memory of their own have a wire and a counter each, and an arbiter needs to know the queue
 * in the next buffer. With 128 bytes: 129 values, 17 in blocks, 33 for a queue. */
Test(cli_cost, queues_of_their_own_have_a_wire_and_a_counter_each)
{
    static const struct {
        const char *options;
        double wires, counters, requests;
    } row[] = {
        {"--engine async --buffer fifo --bytes 128", 9, 4 * 8, 16},
        {"--engine async --management 1q --bytes 128", 9, 4 * 8, 16},
        {"--engine async --buffer damq --bytes 128", 9, 4 * 5, 16},
        {"--engine async --buffer samq --bytes 128", 12, 16 * 6, 64},
        {"--engine async --buffer safc --bytes 128", 12, 16 * 6, 64},
        {"--engine async --architecture crosspoint --bytes 128", 12, 16 * 6, 64},
        {"--engine async --architecture multi-buffer --bytes 128", 9, 4 * 8, 64},
        {"--flow block --buffer fifo --slots 4", 9, 4 * 3, 16},
        {"--flow block --buffer samq --slots 4", 12, 16 * 1, 64},
        {"--flow block --architecture crosspoint --crosspoint-slots 1 --arbiter islip", 12, 16, 64},
        {"--flow block --architecture output-queued --output-slots 4", 12, 4 * 3, 0},
        {"--flow block --buffer cbda --slots 4", 9, 5, 0},
        {"--buffer samq --slots 4", 8, 0, 16},
    };

    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        cJSON *cost = program_json("cost --ports 4 --stages 3 %s --json", row[k].options);
        expect_equal(json_number(cost, "cost.link_wires"), row[k].wires, row[k].options);
        expect_equal(part_of(cost, "flow control", "pointers"), row[k].counters, row[k].options);
        expect_equal(json_number(cost, "cost.arbiter_inputs"), row[k].requests, row[k].options);
        cJSON_Delete(cost);
    }
}

/* Section 3.5: a queue of high priority is one more list of the same blocks, with a bypass
 * register, and its packets go to all outputs, so that each header register has the output, 2 bits
 * of four. Pointers: 16 blocks and none are 17 values, 5 bits, with two temporary registers, in
 * lists of 11 bits, the free list among them; of a pool, 64 blocks and 7 bits. Section 5.4: a
 * buffer of its own is a FIFO, or is built as a DAMQ buffer of its 8 blocks, 4 bits. */
Test(cli_cost, packets_of_high_priority)
{
    static const struct {
        const char *options;
        double pointers, headers, wires, counters;
    } row[] = {
        {"--buffer damq", 4 * (16 * 5 + 5 * 11 + 10), 4 * (16 + 4) * 8, 9, 4 * 3},
        {"--buffer damq --priority arbiter", 4 * (16 * 5 + 5 * 11 + 10), 4 * (16 + 4) * 8, 9,
         4 * 3},
        {"--buffer damq --priority queue", 4 * (16 * 5 + 6 * 11 + 10), 4 * ((16 + 5) * 8 + 16 * 2),
         9, 4 * 3},
        {"--buffer fifo --priority queues", 4 * (16 * 5 + 6 * 11 + 10), 4 * ((16 + 5) * 8 + 16 * 2),
         9, 4 * 3},
        {"--buffer damq --priority queues", 4 * (16 * 5 + 9 * 11 + 10), 4 * (16 + 8) * 8, 9, 4 * 3},
        {"--buffer cbda --priority queue", 64 * 7 + 9 * 15 + 14, (64 + 8) * 8, 9, 5},
        {"--buffer damq --priority buffer", 4 * (16 * 5 + 5 * 11 + 10 + 2 * 6), 4 * (16 + 4) * 8,
         10, 4 * (3 + 2)},
        {"--buffer damq --priority buffer --priority-queues output",
         4 * (16 * 5 + 5 * 11 + 10 + 8 * 4 + 5 * 9 + 8), 4 * ((16 + 4) + (8 + 4)) * 8, 10,
         4 * (3 + 2)},
        {"--buffer fifo --priority buffer", 4 * (2 * 7 + 2 * 6), 0, 10, 4 * (3 + 2)},
    };

    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        cJSON *cost =
            program_json("cost --slots 4 --flow block --high 0.05 %s --json", row[k].options);
        const double counters = part_of(cost, "flow control", "pointers") +
                                part_of(cost, "flow control, high priority", "pointers");
        expect_equal(counters, row[k].counters, row[k].options);
        expect_equal(json_number(cost, "cost.pointer_bits") - counters -
                         part_of(cost, "crossbar's arbiter", "pointers"),
                     row[k].pointers, row[k].options);
        expect_equal(json_number(cost, "cost.header_bits"), row[k].headers, row[k].options);
        expect_equal(json_number(cost, "cost.link_wires"), row[k].wires, row[k].options);
        cJSON_Delete(cost);
    }
}

/* SAMQ: four queues of a slot and one of high priority with a slot of its own, FIFOs of 32 bytes,
 * with a wire and a counter each. */
Test(cli_cost, a_static_queue_of_high_priority)
{
    cJSON *cost = program_json("cost --buffer samq --slots 5 --flow block --high 0.05 --priority "
                               "queue --json");

    expect_equal(json_number(cost, "cost.data_bits"), 4 * 5 * 32 * 8, "data");
    expect_equal(part_of(cost, "input buffers", "pointers"), 4 * 4 * 2 * 5, "pointers");
    expect_equal(part_of(cost, "high priority", "pointers"), 4 * 2 * 5, "high priority");
    expect_equal(json_number(cost, "cost.link_wires"), 8 + 5, "wires");
    expect_equal(part_of(cost, "flow control, high priority", "pointers"), 4, "counters");
    cJSON_Delete(cost);
}

/* Document 003, section 4, by the formula crossbar-cost. */
Test(cli_cost, crossbars_are_as_the_formula_has_them)
{
    static const char *const row[][3] = {
        {"input_queued_crosspoints", "--buffer damq", ""},
        {"hipiqs_crosspoints", "--architecture hipiqs", "--bytes 512"},
        {"central_crosspoints", "--architecture central", "--bytes 512"},
        {"prizma_crosspoints", "--architecture prizma", "--bytes 544 --fifo-bytes 32"},
        {"multi_buffer_crosspoints", "--architecture multi-buffer", "--bytes 512"},
        {"input_queued_crosspoints", "--architecture crosspoint", "--bytes 512"},
    };
    cJSON *formula = program_json("formula crossbar-cost --ports 4 --bits 8 --modules 64 --json");

    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char path[80];
        cJSON *cost = program_json("cost --engine async %s %s --json", row[k][1], row[k][2]);
        snprintf(path, sizeof path, "results.%s", row[k][0]);
        expect_equal(json_number(cost, "cost.crosspoints"),
                     json_number(json_at(formula, "points")->child, path), row[k][1]);
        cJSON_Delete(cost);
    }
    cJSON_Delete(formula);
}

/* RECN-IQ, section 3: 32 Kbits of memory in 64 slots, a header of 36 bits, a request register of 7
 * bits and a pointer for each, two registers for the list of free slots, and lines with a turnpool
 * of 31 bits, its mask and three bits, at inputs and outputs. */
Test(cli_cost, recn_iq_is_as_its_section_3_has_it)
{
    cJSON *cost = program_json("cost --engine async --ports 8 --stages 2 --management recn-iq "
                               "--turnpool-bits 31 --json");

    expect_equal(json_number(cost, "cost.data_bits"), 8 * 32768.0, "data");
    expect_equal(json_number(cost, "cost.cam_bits"), 8 * 2 * 4 * (31 + 31 + 3), "CAM");
    expect_equal(part_of(cost, "input stores", "headers"), 8 * 64 * (36 + 7), "headers, requests");
    expect_equal(part_of(cost, "input stores", "pointers"),
                 8 * (64 * 6 + (6 + 7) + 5 * (6 + 6 + 1 + 7)), "pointers");
    cJSON_Delete(cost);
}

#define CIOQ                                                                                       \
    "cost --engine async --ports 8 --stages 2 --bytes 16384 --architecture cioq --speedup 1.5 "    \
    "--output-bytes 16384 --json --management "

/* A queue for each of 64 nodes has a wire, a counter of its 256 bytes, and a request. */
Test(cli_cost, voqnet_has_queues_with_memory_of_their_own)
{
    cJSON *cost = program_json(CIOQ "voqnet");

    expect_equal(part_of(cost, "flow control", "wires"), 64, "wires");
    expect_equal(part_of(cost, "flow control", "pointers"), 8 * 64 * 9, "counters");
    expect_equal(json_number(cost, "cost.arbiter_inputs"), 8 * 64, "requests");
    cJSON_Delete(cost);
}

/* A line names an output and one of its nine queues, or one of eight of the next input. Each of 64
 * destinations is in none or one of eight, and known to one contributor, or to eight. */
Test(cli_cost, fbicm_has_tables_of_destinations)
{
    cJSON *cost = program_json(CIOQ "fbicm");

    expect_equal(json_number(cost, "cost.cam_bits"), 8 * 8 * ((3 + 4 + 3) + (3 + 3)), "lines");
    expect_equal(part_of(cost, "congested points", "pointers"), 2 * 8 * 64 * 4 + 8 * 64 * (1 + 8),
                 "destinations");
    cJSON_Delete(cost);
}

/* ---- every row of every table has a cost of its own ---- */

enum { ROWS = 40 };

/* What a row needs in addition to its name. */
typedef struct {
    const char *name, *options;
} need;

static const char *needs_of(const need *needs, const char *name)
{
    for (int k = 0; needs[k].name; k++) {
        if (strcmp(needs[k].name, name) == 0)
            return needs[k].options;
    }
    return "";
}

/* The rows that an engine has. */
static const void *const *architectures_of(unsigned engine, const void *rows[ROWS])
{
    int count = 0;

    for (int k = 0; swq_architectures[k]; k++) {
        if (swq_architectures[k]->engines & engine)
            rows[count++] = swq_architectures[k];
    }
    rows[count] = NULL;
    return rows;
}

/* Two rows may cost the same only if the second one says so by "=FIRST". */
static void try_rows(const char *option, const void *const *rows, const char *common,
                     const need *needs)
{
    char *seen[ROWS];
    const char *name[ROWS];
    int count = 0;

    for (; rows[count]; count++) {
        name[count] = *(const char *const *)rows[count];
        cJSON *answer = program_json("cost --%s %s %s %s --json", option, name[count], common,
                                     needs_of(needs, name[count]));
        cr_expect_gt(json_number(answer, "cost.memory_bits"), 0, "%s", name[count]);
        cr_expect_gt(json_number(answer, "cost.link_wires"), 0, "%s", name[count]);
        const cJSON *item;
        cJSON_ArrayForEach(item, json_at(answer, "cost_parts"))
        {
            cr_expect(*json_string(item, "source") && *json_string(item, "rule"), "%s",
                      name[count]);
        }
        cJSON *all = cJSON_CreateArray();
        cJSON_AddItemReferenceToArray(all, (cJSON *)(uintptr_t)json_at(answer, "cost_parts"));
        cJSON_AddItemReferenceToArray(all, (cJSON *)(uintptr_t)json_at(answer, "not_counted"));
        seen[count] = cJSON_PrintUnformatted(all);
        cJSON_Delete(all);
        cJSON_Delete(answer);
    }
    for (int a = 0; a < count; a++) {
        for (int b = 0; b < a; b++)
            cr_expect(strcmp(seen[a], seen[b]) != 0, "--%s %s costs what %s does", option, name[a],
                      name[b]);
    }
    for (int k = 0; k < count; k++)
        free(seen[k]);
}

Test(cli_cost, of_every_buffer)
{
    try_rows("buffer", (const void *const *)swq_buffer_kinds, "--slots 8", (need[]){{NULL, NULL}});
}

Test(cli_cost, of_every_architecture)
{
    static const need needs[] = {{"input-queued", "--buffer damq --bytes 512"},
                                 {"cioq", "--buffer damq --bytes 512 --speedup 2"},
                                 {"output-queued", "--output-bytes 512"},
                                 {NULL, NULL}};
    static const need stages[] = {{"input-queued", "--buffer damq --slots 4"},
                                  {"cioq", "--buffer damq --slots 4 --speedup 2 --output-slots 4"},
                                  {"output-queued", "--output-slots 4"},
                                  {"crosspoint", "--crosspoint-slots 4 --arbiter random"},
                                  {"input-crosspoint", "--buffer damq --slots 4 --arbiter random "
                                                       "--crosspoint-slots 1"},
                                  {NULL, NULL}};

    const void *rows[ROWS];

    try_rows("architecture", architectures_of(SWQ_ENGINE_ASYNC, rows), "--engine async", needs);
    try_rows("architecture", architectures_of(SWQ_ENGINE_SYNC, rows), "--topology switch", stages);
}

Test(cli_cost, of_every_flow_control)
{
    static const need needs[] = {{"maximum-usage", "--threshold 8"},
                                 {"destination+maximum-usage", "--threshold 8"},
                                 {"path+maximum-usage", "--threshold 8"},
                                 {"stop-go", "--bytes 256 --stop 8 --go 4"},
                                 {NULL, NULL}};

    try_rows("flow", (const void *const *)swq_hop_flows, "--engine async --buffer damq", needs);
}

/* 1q, 4q and 4q-least have no row of a buffer; recn and its successors need output stores. */
Test(cli_cost, of_every_management)
{
#define STORES "--architecture cioq --speedup 1.5 --output-bytes 4096"
    static const need needs[] = {{"none", "--buffer fifo"},
                                 {"lecn", STORES},
                                 {"recn", STORES},
                                 {"recn-enhanced", STORES},
                                 {"fbicm", STORES},
                                 {"voqsw", "--xoff 4"},
                                 {NULL, NULL}};

    try_rows("management", (const void *const *)swq_managements, "--engine async --bytes 4096",
             needs);
}

/* ---- terms ---- */

Test(cli_cost, terms_are_a_designers)
{
    FILE *file = fopen("terms.yaml", "w");

    fputs("link-bits: 16\ncam-cells: 5\n", file);
    fclose(file);
    cJSON *usual = program_json("cost --engine async --buffer damq --flow destination --json");
    cJSON *other = program_json("cost --engine async --buffer damq --flow destination --cost-file "
                                "terms.yaml --json");

    expect_equal(json_number(other, "cost.crosspoints"), 2 * json_number(usual, "cost.crosspoints"),
                 "crosspoints");
    expect_equal(json_number(other, "cost.area_cells") - json_number(usual, "cost.area_cells"),
                 json_number(usual, "cost.crosspoints") + 3 * json_number(usual, "cost.cam_bits"),
                 "area");
    expect_equal(json_number(other, "terms.cam-cells.value"), 5, "the term");
    cJSON_Delete(usual);
    cJSON_Delete(other);
}

Test(cli_cost, bad_input_is_named)
{
    static const char *const text[][2] = {
        {"cam-cell: 5\n", "cam-cells"},
        {"link-bits: 0\n", "link-bits must be a whole number from 1 to 4096, not 0"},
        {"link-bits: wide\n", "line 1: the term link-bits must be a number"},
        {"- 5\n", "one map of names to numbers"},
    };
    static const char *const line[][2] = {
        {"--load 0.5", "--load is about traffic, time or"},
        {"--admission lqd --ties low", "--ties is about traffic, time or which packets are lost"},
        {"--cost-file nowhere.yaml", "nowhere.yaml"},
        {"--flow maximum-usage", "--threshold"},
    };

    for (size_t k = 0; k < sizeof text / sizeof *text; k++) {
        FILE *file = fopen("terms.yaml", "w");
        fputs(text[k][0], file);
        fclose(file);
        program_run run = program("cost --buffer damq --slots 4 --cost-file terms.yaml");
        expect_refusal(&run, 2, text[k][1], NULL);
        program_free(&run);
    }
    for (size_t k = 0; k < sizeof line / sizeof *line; k++) {
        program_run run = program("cost --buffer damq --slots 4 %s", line[k][0]);
        expect_refusal(&run, 2, line[k][1], NULL);
        program_free(&run);
    }
}

Test(cli_cost, formula_cost_leads_there)
{
    cJSON *cost = program_json("cost --buffer damq --slots 4 --json");
    cJSON *formula = program_json("formula cost --buffer damq --slots 4 --json");

    cr_expect(cJSON_Compare(cost, formula, true));
    cJSON_Delete(cost);
    cJSON_Delete(formula);
}

/* ---- networks ---- */

/* Four switches of 5 ports, each alone in its rack, in a square: four cables of 1 + 2 metres
 * between them, and a metre to each node; three ports of each are in use. */
Test(cli_cost, a_network_by_hand)
{
    FILE *file = fopen("racks.yaml", "w");
    cr_assert(file);
    fputs("rack-ports: 9\n", file);
    fclose(file);
    cJSON *cost = program_json("cost --topology mesh --dims 2x2 --buffer damq --bytes 96 --network "
                               "--cost-file racks.yaml --json");

    expect_equal(json_number(cost, "network.racks"), 4, "racks");
    expect_equal(json_number(cost, "network.used_ports"), 12, "ports");
    expect_equal(json_number(cost, "network.switch_dollars"), 4 * (3 * 350.4 - 892.3), "switches");
    expect_equal(json_number(cost, "network.cable_dollars"),
                 40 * (4 * (0.5771 + 3 * 0.4079) + 4 * (0.5771 + 0.4079)), "cables");
    expect_equal(json_number(cost, "network.node_dollars"),
                 json_number(cost, "network.network_dollars") / 4, "a node");
    cJSON_Delete(cost);
    file = fopen("racks.yaml", "w");
    cr_assert(file);
    fputs("{rack-ports: 5, leave-metres: 20, link-gbps: 1, switch-base: -2000}\n", file);
    fclose(file);
    cost = program_json("cost --topology mesh --dims 4 --buffer damq --bytes 96 --network "
                        "--cost-file racks.yaml --json");
    expect_equal(json_number(cost, "network.switch_dollars"), 0, "switches");
    /* a row of two racks and a row of two: 0 to 1 and 2 to 3 are one apart, 1 to 2 two */
    expect_equal(json_number(cost, "network.cable_dollars"),
                 3 * 2.7452 + (21 + 22 + 21) * 0.0919 + 4 * 0.985, "optical cables");
    cJSON_Delete(cost);
}

/* Counts are those of the definitions. */
Test(cli_cost, cables_of_networks)
{
    static const struct {
        const char *topology;
        double switches, ports, between;
    } row[] = {{"dragonfly --hosts 2", 36, 7, 9 * 6 + 36},
               {"hyperx --dims 4x6 --hosts 3", 24, 11, 24 * (3 + 5) / 2.0},
               {"slim-fly --order 5", 50, 11, 50 * 7 / 2.0},
               {"fat-tree --radix 8 --levels 3", 80, 8, 2 * 128}};

    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        cJSON *cost = program_json("cost --topology %s --architecture wormhole --network --json",
                                   row[k].topology);
        const cJSON *item;
        double cables = 0;
        cJSON_ArrayForEach(item, json_at(cost, "network.cables_of"))
        {
            cables += json_number(item, "cables");
            cr_expect_leq(json_number(item, "mean_metres"), json_number(item, "longest_metres"));
        }
        expect_equal(json_number(cost, "network.switches"), row[k].switches, row[k].topology);
        expect_equal(json_number(cost, "network.used_ports"), row[k].switches * row[k].ports,
                     row[k].topology);
        expect_equal(cables, row[k].between + json_number(cost, "network.nodes"), row[k].topology);
        cJSON_Delete(cost);
    }
}

Test(cli_cost, networks_without_such_nodes_are_refused)
{
    static const char *const row[] = {"--buffer damq --slots 4",
                                      "--engine async --buffer damq --bytes 96",
                                      "--architecture shared-memory --cell 200",
                                      "--topology torus --dims 4x4x4 --chained --buffer damq"};

    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        program_run run = program("cost %s --network", row[k]);
        expect_refusal(&run, 2, "network", "one switch");
        program_free(&run);
    }
}

/* A memory of 100 cells that 4 ports share with 2 classes: pointers have 7 bits, numbers of
 * cells (0 to 100) too; 100 pointers, head and tail of 8 queues and a bit that each is empty,
 * the head of the free list. ABM keeps of each queue its length and its degree of congestion,
 * and twice the bytes of 80 us at 10 Gb/s, 100,000; the sum of degrees of each class. */
Test(cli_cost, a_shared_memory_of_a_data_centre)
{
    static const char common[] = "cost --architecture shared-memory --ports 4 --memory 20000B "
                                 "--cell 200 --classes 2 --json";
    static const struct {
        const char *rule;
        double kept;
    } rules[] = {{"sharing", 7},
                 {"threshold", 7 + 8 * 7},
                 {"lqd", 7 + 8 * 7},
                 {"minimum --queue-min 200B", 7 + 8 * 7 + 7},
                 {"followlqd", 7 + 8 * 14 + 7},
                 {"fab", 7 + 8 * 7},
                 {"ib --afd-interval 80us", 7 + 8 * 21 + 8 * 2 * 19},
                 {"reverie", 7 + 8 * 21 + 2 * 7},
                 {"edt", 7 + 8 * (4 * 7 + 3)},
                 {"tdt", 7 + 8 * (5 * 7 + 4)},
                 {"occamy --expel-bucket 8", 7 + 8 * 7 + 4 + 3},
                 {"abm", 7 + 8 * 14 + 2 * 7 + 8 * 2 * 17}};

    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        cJSON *a = program_json("%s --admission %s", common, rules[k].rule);
        expect_equal(json_number(a, "cost.data_bits"), 20000 * 8, rules[k].rule);
        expect_equal(part_of(a, "shared memory", "pointers"), 100 * 7 + 8 * (7 + 7 + 1) + 7,
                     rules[k].rule);
        expect_equal(part_of(a, "admission", "pointers"), rules[k].kept, rules[k].rule);
        expect_equal(json_number(a, "cost.crosspoints"), 3 * 16 * 8, rules[k].rule);
        cJSON_Delete(a);
    }
    cJSON *pauses = program_json("%s --sender open --pfc --headroom 1K --lossless 1", common);
    expect_equal(part_of(pauses, "priority flow control", "pointers"), 4 * (2 * 7 + 2), "pauses");
    cJSON_Delete(pauses);
    pauses = program_json("%s --sender open --pfc --headroom 1K --lossless 1 --admission reverie",
                          common);
    expect_equal(part_of(pauses, "admission", "pointers"), 7 + 8 * 21 + 2 * 7 + 4 * 2 * 7,
                 "averages");
    cJSON_Delete(pauses);
    program_run run = program("cost --architecture shared-memory --ports 4 --memory 20000B");
    cr_expect_eq(run.status, 2);
    cr_expect(strstr(run.err, "--cell must be 2 bytes or more"), "%s", run.err);
    program_free(&run);
    run = program("cost --architecture shared-memory --cell 200 --ecn step:30K");
    cr_expect_eq(run.status, 2);
    cr_expect(strstr(run.err, "--ecn is about traffic"), "%s", run.err);
    program_free(&run);
}
