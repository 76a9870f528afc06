// SPDX-License-Identifier: GPL-3.0-or-later
// The DAMQ Buffer Chip of chapter 7 (Frazier 1995) in Verilog, a witness for `switchq chip`: written from
// the dissertation and the rules of docs/chip.md, not from chip/*.c. Names are the dissertation's.
//
// A cycle goes from one falling edge of phi2 to the next. On the rising edge of phi1 the state machines
// drive the control lines, on its falling edge a head or tail register addresses a block, on the rising
// edge of phi2 one value moves and the memory is read and written, and on its falling edge the state
// machines, the interface registers and the synchroniser change.
`timescale 1ns / 1ns

module damq_chip #(
    parameter QUEUES = 4,
    parameter BLOCKS = 12,
    parameter BLOCK_BYTES = 8,
    parameter PACKET_BYTES = 32
) (
    input phi1,
    input phi2,
    // the link, whose bytes the synchroniser latches
    input in_valid,
    input [7:0] in,
    // the router: it is shown a header for one cycle, and answers with a queue and a new header
    output ifc_header_valid,
    output [7:0] ifc_header,
    input rtr_valid_in,
    input [2:0] rtr_queue_in,
    input [7:0] rtr_header_in,
    // the arbiter: request lines, and an answer
    output [7:0] requests,
    input arb_valid_in,
    input [2:0] arb_queue_in,
    // the crossbar
    output out_valid,
    output [7:0] out,
    // a byte that is late, or one that finds no block
    output reg failed
);
    localparam FREE = QUEUES;       // the free list's place among the head and tail registers
    localparam [6:0] NULL = 0;      // blocks are counted from 1
    localparam [2:0] NOTHING = 0, SELECT = 1, REMOVE = 2, APPEND = 3, TERMINATE = 4, HEADER = 5, RELEASE = 6;

    // ---- registers ----
    reg [6:0] H [0:QUEUES], T [0:QUEUES], P [0:BLOCKS], tmp_tr, tmp_fwd;
    reg N [0:QUEUES];
    reg [7:0] header [0:BLOCKS], bypass [0:QUEUES-1], memory [0:(BLOCKS + 1) * BLOCK_BYTES - 1];
    reg synchroniser_valid;
    reg [7:0] synchroniser;
    reg V_rtr, Vx_rtr, V_arb, Vx_arb, sync;
    reg [2:0] queue_rtr, queue_arb;
    reg [7:0] new_header;

    // ---- FSM_sto: stores the bytes of a packet ----
    reg sto_busy, sto_long;         // within a packet; its length is known
    reg [7:0] sto_left;             // its bytes to come, once that is known
    reg [7:0] sto_bytes;            // its bytes in memory, once that is known
    reg [6:0] sto_block;
    reg [4:0] sto_byte;             // where the on-bit of the write shift register is
    reg sto_holds;                  // FSM_tr's block has its first byte
    wire sto_writes = synchroniser_valid & sto_busy;
    wire sto_begins = sto_writes & (sto_byte == 0);
    assign ifc_header_valid = synchroniser_valid & ~sto_busy;
    assign ifc_header = synchroniser;

    // ---- FSM_tr ----
    reg [2:0] tr_state, tr_op;
    reg tr_first;                   // the packet's first block is to be appended
    reg [7:0] tr_bytes;             // bytes that the packet's appended blocks hold
    wire tr_packet_done = ~tr_first & sto_long & (tr_bytes >= sto_bytes);
    // Between append and terminate the list's last block does not end it.
    wire tr_open = tr_state == TERMINATE;

    // ---- FSM_fwd ----
    reg [2:0] fwd_state, fwd_op;
    reg [7:0] fwd_bytes;            // bytes that the packet's removed blocks hold
    reg [7:0] rd_bytes;             // its bytes in memory, once that is known
    reg [7:0] rd_done;              // its bytes that have been read
    reg rd_busy;                    // the memory is read in every cycle
    reg [6:0] rd_block, rd_latch;   // the block that is read, and the block that is addressed next
    reg [4:0] rd_byte;              // where the on-bit of the read shift register is
    wire rd_last = rd_done + 1 >= rd_bytes;
    wire rd_began = rd_done + BLOCK_BYTES > fwd_bytes;  // of the block that was removed last
    wire fwd_open = fwd_state == TERMINATE;

    // ---- the control lines of a cycle ----
    always @(posedge phi1) begin
        // SYNC (Figure 7.17). High: FSM_fwd has the data path. An arbiter's strobe forces it high, a
        // router's alone low.
        sync = Vx_arb ? 1'b1 : Vx_rtr ? 1'b0 : ~sync;
        tr_op = NOTHING;
        if (!sync)
            case (tr_state)
                REMOVE: if (!N[FREE] && !(fwd_open && H[FREE] == T[FREE])) tr_op = REMOVE;
                APPEND: if (V_rtr && (sto_begins || sto_holds)) tr_op = APPEND;
                TERMINATE: tr_op = TERMINATE;
            endcase
        fwd_op = NOTHING;
        if (sync && V_arb)
            case (fwd_state)
                REMOVE: if (!N[queue_arb])
                    fwd_op = tr_open && queue_rtr == queue_arb && H[queue_arb] == T[queue_arb] ? SELECT : REMOVE;
                APPEND: if (rd_began) fwd_op = APPEND;
                TERMINATE: fwd_op = TERMINATE;
                RELEASE: fwd_op = N[queue_arb] ? RELEASE : HEADER;
            endcase
    end

    // ---- phase 1: addressing ----
    wire [2:0] op = sync ? fwd_op : tr_op;
    reg [3:0] list;
    reg [6:0] addr;                 // 0: the null register keeps all blocks from being selected
    always @(negedge phi1) begin
        if (sync) list = op == APPEND || op == TERMINATE ? FREE : queue_arb;
        else list = op == REMOVE ? FREE : queue_rtr;
        addr = NULL;
        if (op != NOTHING && op != RELEASE && !N[list])
            addr = op == APPEND || op == TERMINATE ? T[list] : H[list];
        if (op == REMOVE && sync) tmp_fwd = addr;
        if (op == REMOVE && !sync) tmp_tr = addr;
    end

    // ---- phase 2: data movement ----
    reg [6:0] moving;
    integer q;
    always @(posedge phi2) begin
        moving = sync ? tmp_fwd : tmp_tr;
        case (op)
            REMOVE: begin
                H[list] = P[addr];
                N[list] = P[addr] == NULL;
            end
            APPEND: begin
                // the New Header register is read: into the block's header register and the bypass
                // registers of all empty queues
                if (!sync && tr_first) begin
                    header[moving] = new_header;
                    for (q = 0; q < QUEUES; q = q + 1) if (N[q]) bypass[q] = new_header;
                end
                if (N[list]) H[list] = moving;
                else P[addr] = moving;
                T[list] = moving;
                N[list] = 0;
            end
            TERMINATE: P[addr] = NULL;
            HEADER: bypass[list] = header[addr];
        endcase
    end

    // ---- the memory: rd_byte and sto_byte are where the on-bits of the shift registers are ----
    reg [7:0] read;
    reg rd_enable;
    always @(posedge phi2) begin
        // a block that waited to be removed is read already
        if (sync && (op == SELECT || op == REMOVE) && (Vx_arb || rd_done <= fwd_bytes)) rd_latch = addr;
        rd_enable = Vx_arb || (rd_busy && rd_byte == 0);
        if (rd_enable) begin
            if (rd_latch == NULL) failed = 1;
            rd_block = rd_latch;
            rd_latch = NULL;
        end
        if (rd_enable || rd_busy) read = memory[rd_block * BLOCK_BYTES + rd_byte];
        if (sto_begins) begin
            if (tr_state != APPEND || sto_holds) failed = 1;
            sto_block = tmp_tr;
        end
    end

    // ---- the crossbar: the bypass register directly, else the byte that was read in the last cycle ----
    reg data_valid;
    reg [7:0] data;
    assign out_valid = Vx_arb | data_valid;
    assign out = Vx_arb ? bypass[queue_arb] : data_valid ? data : 8'h00;

    // ---- request lines: of the queues that are not empty, and of the one that is just routed to ----
    genvar g;
    generate
        for (g = 0; g < 8; g = g + 1)
            assign requests[g] = (g < QUEUES && !N[g < QUEUES ? g : 0]) || (Vx_rtr && queue_rtr == g);
    endgenerate

    // ---- the end of a cycle ----
    wire [7:0] rd_total = Vx_arb ? (out[7] ? PACKET_BYTES : read + 1) : rd_bytes;
    wire [7:0] rd_count = Vx_arb ? 1 : rd_done + 1;
    // V_clr does not wait for a turn: it depends on inputs, not on the state of the data path
    wire V_clr = V_arb & (op == HEADER | op == RELEASE | fwd_state == NOTHING) & (~rd_busy | rd_last);
    wire sto_last = sto_long ? sto_left == 1 : synchroniser == 0;
    always @(negedge phi2) begin
        // the memory is read; the length of the packet that leaves is the greatest, or its first byte
        data_valid <= rd_busy | Vx_arb;
        if (rd_busy || Vx_arb) begin
            data <= read;
            rd_bytes <= rd_total;
            rd_done <= rd_count;
            rd_busy <= rd_count != rd_total;
            rd_byte <= rd_count == rd_total || rd_byte + 1 == BLOCK_BYTES ? 0 : rd_byte + 1;
        end

        // FSM_fwd
        if (Vx_arb) fwd_bytes <= op == REMOVE ? BLOCK_BYTES : 0;
        else if (sync && op == REMOVE) fwd_bytes <= fwd_bytes + BLOCK_BYTES;
        if (sync)
            case (op)
                REMOVE: fwd_state <= APPEND;
                APPEND: fwd_state <= TERMINATE;
                TERMINATE: fwd_state <= fwd_bytes >= rd_bytes ? RELEASE : REMOVE;
                HEADER, RELEASE: fwd_state <= NOTHING;
            endcase
        if (V_clr) begin
            fwd_state <= REMOVE;
            V_arb <= 0;
        end

        // FSM_tr
        if (!sync)
            case (op)
                REMOVE: begin
                    tr_state <= APPEND;
                    if (tr_packet_done) V_rtr <= 0;
                end
                APPEND: begin
                    tr_state <= TERMINATE;
                    tr_first <= 0;
                    tr_bytes <= tr_bytes + BLOCK_BYTES;
                end
                TERMINATE: tr_state <= REMOVE;
            endcase

        // FSM_sto
        sto_holds <= (sto_holds | sto_begins) & ~(op == APPEND & ~sync);
        if (sto_writes) begin
            memory[sto_block * BLOCK_BYTES + sto_byte] <= synchroniser;
            sto_long <= 1;
            if (!sto_long) sto_bytes <= synchroniser + 1;
            sto_left <= sto_long ? sto_left - 1 : synchroniser;
            sto_busy <= ~sto_last;
            sto_byte <= sto_last || sto_byte + 1 == BLOCK_BYTES ? 0 : sto_byte + 1;
        end else if (ifc_header_valid) begin
            sto_busy <= 1;
            sto_long <= synchroniser[7];
            sto_bytes <= PACKET_BYTES;
            sto_left <= PACKET_BYTES;
            tr_first <= 1;
            tr_bytes <= 0;
        end

        // the interface registers (Figure 7.16)
        Vx_rtr <= rtr_valid_in;
        if (rtr_valid_in) begin
            V_rtr <= 1;
            queue_rtr <= rtr_queue_in;
            new_header <= rtr_header_in;
        end
        Vx_arb <= arb_valid_in;
        if (arb_valid_in) begin
            V_arb <= 1;
            queue_arb <= arb_queue_in;
        end

        // the synchroniser
        synchroniser_valid <= in_valid;
        synchroniser <= in;
    end

    // ---- reset: empty queues, and all blocks in the free list ----
    integer b;
    initial begin
        for (q = 0; q <= QUEUES; q = q + 1) begin
            H[q] = NULL;
            T[q] = NULL;
            N[q] = 1;
        end
        for (b = 1; b <= BLOCKS; b = b + 1) P[b] = b == BLOCKS ? 0 : b + 1;
        H[FREE] = 1;
        T[FREE] = BLOCKS;
        N[FREE] = 0;
        {tmp_tr, tmp_fwd, synchroniser, synchroniser_valid, new_header} = 0;
        {V_rtr, Vx_rtr, V_arb, Vx_arb, queue_rtr, queue_arb, sync, failed} = 0;
        {sto_busy, sto_long, sto_left, sto_bytes, sto_block, sto_byte, sto_holds} = 0;
        {tr_first, tr_bytes, fwd_bytes, rd_bytes, rd_done, rd_busy, rd_block, rd_latch, rd_byte} = 0;
        {data_valid, data, read} = 0;
        tr_state = REMOVE;
        fwd_state = REMOVE;
    end
endmodule

// The router: the lowest bits of a header are the output, the bits between count switches, and bit 7 stays.
module router #(
    parameter CYCLES = 1
) (
    input phi2,
    input header_valid,
    input [7:0] header,
    output valid,
    output [2:0] queue,
    output [7:0] new_header
);
    reg [7:0] late [0:3];
    reg late_valid [0:3];
    integer i;
    initial for (i = 0; i < 4; i = i + 1) late_valid[i] = 0;
    always @(negedge phi2) begin
        for (i = 3; i > 0; i = i - 1) begin
            late[i] <= late[i - 1];
            late_valid[i] <= late_valid[i - 1];
        end
        late[0] <= header;
        late_valid[0] <= header_valid;
    end
    wire [7:0] old = CYCLES == 1 ? header : late[CYCLES - 2];
    wire [3:0] switches = old[6:3] + 1;
    assign valid = CYCLES == 1 ? header_valid : late_valid[CYCLES - 2];
    assign queue = old[2:0];
    assign new_header = {old[7], switches, old[2:0]};
endmodule
