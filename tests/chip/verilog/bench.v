// SPDX-License-Identifier: GPL-3.0-or-later
// Runs chip.v on a file with a line per cycle (is there a byte on the link, the byte, does the arbiter
// answer, with which queue) and writes a line per cycle of registers and one of phases, in the words of
// `switchq chip`. Stops where the switch around the chip breaks its rules: +begin_always and +grant_always
// say that a packet begins, and that the arbiter answers, in each cycle in which it may.
// +input=FILE +registers=FILE +phases=FILE
`timescale 1ns / 1ns

module bench;
    parameter QUEUES = 4;
    parameter BLOCKS = 12;
    parameter BLOCK_BYTES = 8;
    parameter PACKET_BYTES = 32;
    parameter ROUTER_CYCLES = 1;
    parameter ARBITER_CYCLES = 1;
    localparam LONGEST = (PACKET_BYTES + BLOCK_BYTES - 1) / BLOCK_BYTES;

    reg phi1 = 0, phi2 = 1;
    reg link_valid = 0, arb_valid = 0;
    reg [7:0] link = 0;
    reg [2:0] arb_queue = 0;
    wire header_valid, rtr_valid, out_valid, failed;
    wire [7:0] header, new_header, requests, out;
    wire [2:0] rtr_queue;

    damq_chip #(QUEUES, BLOCKS, BLOCK_BYTES, PACKET_BYTES) chip (phi1, phi2, link_valid, link, header_valid, header,
        rtr_valid, rtr_queue, new_header, requests, arb_valid, arb_queue, out_valid, out, failed);
    router #(ROUTER_CYCLES) route (phi2, header_valid, header, rtr_valid, rtr_queue, new_header);

    integer input_file, registers, phases, cycle, i;
    reg [8*256-1:0] name;
    reg [7:0] seen_requests;
    reg router_strobe, arbiter_strobe;

    task write_phases;
        begin
            $fwrite(phases, "%0d ", cycle);
            if (link_valid) $fwrite(phases, "%02x ", link);
            else $fwrite(phases, "- ");
            $fwrite(phases, "%0s %0s ",
                router_strobe && arbiter_strobe ? "both" : router_strobe ? "router" : arbiter_strobe ? "arbiter" : "-",
                chip.sync ? "FSM_fwd" : "FSM_tr");
            case (chip.op)
                chip.SELECT: $fwrite(phases, "select ");
                chip.REMOVE: $fwrite(phases, "remove ");
                chip.APPEND: $fwrite(phases, "append ");
                chip.TERMINATE: $fwrite(phases, "terminate ");
                chip.HEADER: $fwrite(phases, "header ");
                default: $fwrite(phases, "- ");
            endcase
            if (chip.op == chip.NOTHING || chip.op == chip.RELEASE) $fwrite(phases, "- ");
            else if (chip.list == QUEUES) $fwrite(phases, "free_list ");
            else $fwrite(phases, "queue_%0d ", chip.list);
            $fwrite(phases, "%0d ", chip.addr);
            if (out_valid) $fwrite(phases, "%02x%0s\n", out, arbiter_strobe ? "H" : "");
            else $fwrite(phases, "-\n");
        end
    endtask

    // what the link, the crossbar, the request lines and SYNC were in the cycle; registers at its end
    task write_registers(input crossbar_valid, input [7:0] crossbar);
        begin
            $fwrite(registers, "%0d %0d %0d %0d %0d %0d %0d", cycle, link_valid, link_valid ? link : 8'd0,
                crossbar_valid, crossbar_valid ? crossbar : 8'd0, seen_requests, chip.sync);
            $fwrite(registers, " %0d %0d", chip.synchroniser_valid, chip.synchroniser_valid ? chip.synchroniser : 8'd0);
            $fwrite(registers, " %0d %0d %0d", chip.V_rtr, chip.queue_rtr, chip.Vx_rtr);
            $fwrite(registers, " %0d %0d %0d", chip.V_arb, chip.queue_arb, chip.Vx_arb);
            // FSM_tr's next step: remove, append or terminate
            $fwrite(registers, " %0d %0d %0d", chip.tr_state - chip.REMOVE, chip.tmp_tr, chip.tmp_fwd);
            for (i = 0; i <= QUEUES; i = i + 1) $fwrite(registers, " %0d %0d %0d", chip.H[i], chip.T[i], chip.N[i]);
            for (i = 1; i <= BLOCKS; i = i + 1) $fwrite(registers, " %0d", chip.P[i]);
            $fwrite(registers, "\n");
        end
    endtask

    // ---- the link: a packet may begin when FSM_tr has a block, the router's last answer has served, and
    // the blocks of the longest packet are free, that of FSM_tr among them ----
    reg link_busy = 0, link_long = 0, header_waits = 0, may_begin;
    integer link_left = 0, free;
    reg [6:0] b;
    task watch_link;
        begin
            free = chip.tr_state == chip.APPEND;
            if (!chip.N[QUEUES]) begin
                free = free + 1;
                for (b = chip.H[QUEUES]; b != chip.T[QUEUES] && free <= BLOCKS; b = chip.P[b]) free = free + 1;
            end
            if (chip.V_rtr) header_waits = 0;
            may_begin = !link_busy && !header_waits && !chip.V_rtr && chip.tr_state == chip.APPEND && free >= LONGEST;
            if (link_busy && !link_valid) stop("a packet has a gap");
            if (!link_busy && link_valid && !may_begin) stop("a packet begins where it may not");
            if ($test$plusargs("begin_always") && may_begin && !link_valid) stop("a packet may begin and does not");
            if (link_busy) begin
                link_left = link_long ? link_left - 1 : link;
                link_long = 1;
                link_busy = link_left != 0;
            end else if (link_valid) begin
                header_waits = 1;
                link_busy = 1;
                link_long = link[7];
                link_left = PACKET_BYTES;
            end
        end
    endtask

    // ---- the arbiter: it answers one of the requests of ARBITER_CYCLES - 1 cycles ago or earlier, of a
    // chip that sends nothing ----
    integer waits [0:7], longest;
    initial for (i = 0; i < 8; i = i + 1) waits[i] = 0;
    task watch_arbiter;
        begin
            longest = 0;
            for (i = 0; i < 8; i = i + 1) begin
                waits[i] = requests[i] && !chip.V_arb ? waits[i] + 1 : 0;
                if (waits[i] > longest) longest = waits[i];
            end
            if (arb_valid && waits[arb_queue] < ARBITER_CYCLES) stop("the arbiter answers too early");
            if ($test$plusargs("grant_always") && longest >= ARBITER_CYCLES && !arb_valid)
                stop("the arbiter can answer and does not");
        end
    endtask

    task stop(input [8*40-1:0] what);
        begin
            $display("bench.v: cycle %0d: %0s", cycle, what);
            $finish;
        end
    endtask

    reg crossbar_valid;
    reg [7:0] crossbar;
    initial begin
        if (!$value$plusargs("input=%s", name)) $finish;
        input_file = $fopen(name, "r");
        if (!$value$plusargs("registers=%s", name)) $finish;
        registers = $fopen(name, "w");
        if (!$value$plusargs("phases=%s", name)) $finish;
        phases = $fopen(name, "w");
        cycle = 0;
        while ($fscanf(input_file, "%d %d %d %d\n", link_valid, link, arb_valid, arb_queue) == 4) begin
            cycle = cycle + 1;
            router_strobe = chip.Vx_rtr;
            arbiter_strobe = chip.Vx_arb;
            #3 phi1 = 1;
            #1 seen_requests = requests;
            watch_link;
            watch_arbiter;
            #2 phi1 = 0;
            #5 phi2 = 1;
            #7 crossbar_valid = out_valid;
            crossbar = out;
            write_phases;
            #1 phi2 = 0;
            #1 write_registers(crossbar_valid, crossbar);
            if (failed) stop("a byte is late, or finds no block");
        end
        $finish;
    end
endmodule
