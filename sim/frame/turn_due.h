/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The switches that are due in a cycle, in order: a part of the text of architectures whose units
 * are whole switches, which have `turn`. The bits of a switch in the wheel are its inputs and then
 * its outputs; one of more than 32 ports has whole words of them (SWQ_WIDE).
 */
static void look_at_switches(swq_async_net *net)
{
    swq_wheel_due due = swq_wheel_begin(&net->wheel, net->cycle);
#if SWQ_WIDE
    const uint32_t words = net->half / 64;
    uint32_t sw = UINT32_MAX;
    port_set inputs, outputs;

    for (uint64_t set; (set = swq_wheel_take(&due)) != 0;) {
        const uint32_t at = due.word % (2 * words);
        if (due.word / (2 * words) != sw) {
            if (sw != UINT32_MAX)
                turn(net, sw, inputs, outputs);
            sw = due.word / (2 * words);
            inputs = outputs = no_ports();
        }
        (at < words ? &inputs : &outputs)->word[at % words] = set;
    }
    if (sw != UINT32_MAX)
        turn(net, sw, inputs, outputs);
#else
    const uint32_t width = 1u << net->unit_shift, half = width / 2;
    const uint64_t inputs = (UINT64_C(1) << half) - 1;

    for (uint64_t set; (set = swq_wheel_take(&due)) != 0;) {
        while (set) {
            const uint32_t first = (uint32_t)__builtin_ctzll(set) & ~(width - 1);
            const uint64_t bits = set >> first;
            turn(net, (due.word * 64 + first) >> net->unit_shift, (port_set)(bits & inputs),
                 (port_set)(bits >> half & inputs));
            set &= ~(inputs << first | inputs << half << first);
        }
    }
#endif
}
