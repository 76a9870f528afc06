/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which inputs wait for which outputs: a part of turn.h for switches whose arbiter is built in, in
 * the lean kernels. An input waits for the outputs of its heads while it can be read and all its
 * heads are blocked; the input need not be looked at before one of these outputs is due. In a
 * switch of at most eight ports the waits are a matrix of bits in a word, whose rows and columns
 * are written and read without a loop; in a larger switch each output has a set of waiting inputs.
 */
enum { MOST_ROWS = 8 };

#define EACH_ROW UINT64_C(0x0101010101010101)

/* The lowest bits of the rows of the outputs `outputs`. Output o has row 7 - o: a product with a
 * bit of each power of 2^9 brings bit o of the set to bit 7 of that row, and nothing else to a bit
 * 7. */
static inline uint64_t rows_of(uint32_t outputs)
{
    return (outputs * UINT64_C(0x8040201008040201)) >> 7 & EACH_ROW;
}

/* ---- more ports than rows ---- */

static __attribute__((noinline)) void wait_for_each(swq_async_net *net, uint32_t base,
                                                    uint32_t input, uint32_t outputs)
{
    for (uint32_t set = outputs; set; set &= set - 1)
        net->port[base + (uint32_t)__builtin_ctz(set)].wanted |= UINT32_C(1) << input;
}

static __attribute__((noinline)) void wait_for_none(swq_async_net *net, uint32_t base,
                                                    uint32_t input)
{
    for (int k = 0; k < net->ports; k++)
        net->port[base + (uint32_t)k].wanted &= ~(UINT32_C(1) << input);
}

static __attribute__((noinline)) uint32_t waiting_for_any(const swq_async_net *net, uint32_t base,
                                                          uint32_t outputs)
{
    uint32_t inputs = 0;

    for (uint32_t set = outputs; set; set &= set - 1)
        inputs |= net->port[base + (uint32_t)__builtin_ctz(set)].wanted;
    return inputs;
}

/* ---- any number ---- */

/* An input begins to wait for the outputs `outputs`. */
static inline void wait_for(swq_async_net *net, swq_unit *u, uint32_t base, uint32_t input,
                            uint32_t outputs)
{
    if (net->ports <= MOST_ROWS)
        u->waits |= rows_of(outputs) << input;
    else
        wait_for_each(net, base, input, outputs);
}

/* An input waits for nothing any more. */
static inline void wait_no_more(swq_async_net *net, swq_unit *u, uint32_t base, uint32_t input)
{
    if (net->ports <= MOST_ROWS)
        u->waits &= ~(EACH_ROW << input);
    else
        wait_for_none(net, base, input);
}

/* The inputs that wait for one of the outputs `outputs`. */
static inline uint32_t waiting_for(const swq_async_net *net, const swq_unit *u, uint32_t base,
                                   uint32_t outputs)
{
    if (net->ports > MOST_ROWS)
        return waiting_for_any(net, base, outputs);
    uint64_t waits = u->waits & rows_of(outputs) * 0xff;
    waits |= waits >> 32;
    waits |= waits >> 16;
    return (uint32_t)(waits | waits >> 8) & 0xff;
}

/* Shuts an output whose link is taken until the link is free. */
static inline void shut_until_free(swq_async_net *net, swq_unit *u, uint32_t base, uint32_t output)
{
    swq_wake_output(net, net->port[base + output].out_free, base + output);
    u->shut |= UINT32_C(1) << output;
}

/* The link of an output has been taken. */
static inline void take_output(swq_async_net *net, swq_unit *u, uint32_t base, uint32_t output)
{
    const bool wanted = net->ports <= MOST_ROWS ? u->waits >> 8 * (MOST_ROWS - 1 - output) & 0xff
                                                : net->port[base + output].wanted != 0;

    if (wanted)
        shut_until_free(net, u, base, output);
}
