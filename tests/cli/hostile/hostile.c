/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plug-ins that must be refused: one source, compiled once for each fault (-DFAULT_name), whose
 * names the Makefile finds behind "if". tests/cli/test_plugin.c has the messages.
 */
#include <switchq/plugin.h>

#include <stddef.h>

/* ---- an arbiter: the first queue that can send ---- */

static void first(const swq_requests *r, int *grant)
{
    for (int j = 0; j < r->ports; j++)
        grant[j] = SWQ_NO_INPUT;
    for (int i = 0; i < r->ports; i++) {
        bool sends = false;
        for (int j = 0; j < r->ports; j++) {
            if (!r->length[i][j] || grant[j] != SWQ_NO_INPUT || (sends && !r->read_each_queue))
                continue;
            grant[j] = i;
            sends = true;
        }
    }
}

__attribute__((unused)) static void arbitrate(const swq_requests *r, swq_dice *dice, int *grant)
{
    (void)dice;
    first(r, grant);
#if FAULT_grants_what_is_not_asked
    grant[0] = r->ports - 1;
#elif FAULT_grants_beyond_the_ports
    grant[0] = r->ports;
#elif FAULT_sends_twice
    for (int j = 0; j < r->ports; j++)
        grant[j] = r->length[0][j] ? 0 : SWQ_NO_INPUT;
#elif FAULT_throws_no_dice
    swq_dice_fair(dice, 0);
#elif FAULT_throws_too_many_dice
    for (int k = 0; k < 30; k++)
        swq_dice_fair(dice, 2);
#elif FAULT_keeps_too_much
    r->memory[0] = (uint16_t)r->ports;
#elif FAULT_compares_lengths
    if (r->length[0][0] > r->length[0][1])
        grant[0] = SWQ_NO_INPUT;
#elif FAULT_calls_what_is_not_there
    extern void swq_no_such_function(void);
    swq_no_such_function();
#endif
}

__attribute__((unused)) static int one_word(int ports)
{
    return ports > 0;
}

/* Steps with other grants than `arbitrate`: none. */
__attribute__((unused)) static bool no_step(const swq_requests *r, uint64_t *done, swq_dice *dice,
                                            int *grant)
{
    (void)r, (void)done, (void)dice, (void)grant;
    return false;
}

static const swq_arbiter arbiter = {
#if FAULT_no_name
    .name = NULL,
#elif FAULT_a_name_with_a_blank
    .name = "two words",
#elif FAULT_a_name_of_ours
    .name = "random",
#else
    .name = "hostile",
#endif
#if !FAULT_no_summary
    .summary = "an arbiter with a fault",
#endif
#if !FAULT_no_function
    .arbitrate = arbitrate,
#endif
#if FAULT_a_need_of_the_future
    .needs = (swq_needs)1 << SWQ_NEED_COUNT,
#elif FAULT_a_need_that_nobody_meets
    .needs = SWQ_NEEDS(SWQ_NEED_UNKNOWN),
#elif FAULT_is_not_alike
    .alike = SWQ_ALIKE_ALL,
#elif FAULT_steps_differ
    .step = no_step,
#elif FAULT_a_form_of_the_engines
    .unrolled = true,
#elif FAULT_compares_lengths
    .compares = SWQ_COMPARES_NONE,
#endif
#if FAULT_keeps_too_much
    .memory = one_word,
#endif
};

__attribute__((unused)) static const swq_arbiter *const arbiters[] = {&arbiter,
#if FAULT_one_name_twice
                                                                      &arbiter,
#endif
                                                                      NULL};

/* ---- patterns ---- */

__attribute__((unused)) static uint32_t image(const swq_places *places, uint32_t source)
{
#if FAULT_sends_beyond_the_nodes
    return source + places->nodes;
#else
    (void)places;
    return source & ~1u;
#endif
}

static const swq_pattern pattern = {
#if FAULT_a_word_of_ours
    .name = "hotspot",
#else
    .name = "bad-pattern",
#endif
    .summary = "a pattern with a fault",
#if !FAULT_a_random_pattern
    .image = image,
#endif
};
__attribute__((unused)) static const swq_pattern *const patterns[] = {&pattern, NULL};

/* ---- buffers ---- */

static const swq_buffer_kind kind = {
#if FAULT_a_buffer_word
    .name = "voq",
#else
    .name = "bad-buffer",
#endif
    .summary = "a pool with one queue",
    .scope = SWQ_POOL,
    .queues = SWQ_ONE_QUEUE,
};
__attribute__((unused)) static const swq_buffer_kind *const buffers[] = {&kind, NULL};

/* ---- rules of admission ---- */

__attribute__((unused)) static swq_fate fate(const swq_buffer *b, int queues,
                                             const uint16_t *length, uint16_t *kept, int join,
                                             swq_dice *dice)
{
    int held = 0;

    (void)kept, (void)dice;
    for (int q = 0; q < queues; q++)
        held += length[q];
#if FAULT_takes_without_a_slot
    (void)b, (void)join, (void)held;
    return SWQ_TAKE;
#elif FAULT_refuses_while_there_is_room
    (void)b, (void)join, (void)held;
    return SWQ_REFUSE;
#elif FAULT_pushes_out_of_nowhere
    return held < b->capacity && length[join] < b->queue_max ? SWQ_TAKE : queues;
#else /* pushes out, and does not say so */
    return held < b->capacity && length[join] < b->queue_max ? SWQ_TAKE
           : length[join] ? join
                          : SWQ_REFUSE;
#endif
}

static const swq_admission_rule rule = {
    .name = "bad-rule",
    .summary = "a rule with a fault",
#if !FAULT_declares_nothing
    .needs = SWQ_NEEDS(SWQ_NEED_ALL_LENGTHS),
#endif
    .fate = fate,
#if FAULT_refuses_while_there_is_room
    .takes_while_room = true,
#endif
};
__attribute__((unused)) static const swq_admission_rule *const rules[] = {&rule, NULL};

/* ---- the plug-in ---- */

#if FAULT_a_random_pattern || FAULT_a_word_of_ours || FAULT_sends_beyond_the_nodes
SWQ_PLUGIN(.patterns = patterns)
#elif FAULT_is_no_permutation
SWQ_PLUGIN(.patterns = patterns)
#elif FAULT_a_buffer_word || FAULT_a_buffer_that_cannot_be
SWQ_PLUGIN(.buffers = buffers)
#elif FAULT_a_buffer_that_cannot_be
#elif FAULT_takes_without_a_slot || FAULT_pushes_out_of_nowhere || FAULT_pushes_out_in_secret
SWQ_PLUGIN(.admission_rules = rules)
#elif FAULT_pushes_out_in_secret
#elif FAULT_declares_nothing || FAULT_refuses_while_there_is_room
SWQ_PLUGIN(.admission_rules = rules)
#elif FAULT_no_rows
SWQ_PLUGIN(.arbiters = NULL)
#elif FAULT_not_a_plugin
#elif FAULT_another_version
const swq_plugin_services *swq_plugin_given;
__attribute__((visibility("default"))) const swq_plugin switchq_plugin;
const swq_plugin switchq_plugin = {
    .abi = SWQ_PLUGIN_ABI + 1, .services = &swq_plugin_given, .arbiters = arbiters};
#elif FAULT_other_headers
const swq_plugin_services *swq_plugin_given;
__attribute__((visibility("default"))) const swq_plugin switchq_plugin;
const swq_plugin switchq_plugin = {
    .abi = SWQ_PLUGIN_ABI, .size = {1}, .services = &swq_plugin_given, .arbiters = arbiters};
#else
SWQ_PLUGIN(.arbiters = arbiters)
#endif
