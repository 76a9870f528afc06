/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every buffer and every arbiter against numbers that do not come from this program. Chain and
 * simulator run the same rules of models/, so that a wrong one would agree with itself; here it
 * does not. Traffic is lopsided: nothing that inputs or outputs do differently averages out.
 */
#include "validate/checks/anchors/anchors.h"

#include "base/context.h"
#include "validate/checks/compare.h"
#include "validate/checks/families.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- by a third implementation of the rules ---- */

static int count(swq_effort effort)
{
    (void)effort;
    return swq_anchor_count;
}

static void describe(swq_effort effort, int k, swq_check *check)
{
    const swq_case *c = &swq_anchors[k].what;
    char text[128];

    (void)effort;
    snprintf(check->name, sizeof check->name, "anchors/%s", swq_case_name(c, text, sizeof text));
    snprintf(check->claim, sizeof check->claim, "%s: as computed by the independent script",
             swq_case_words(c, text, sizeof text));
    check->level = SWQ_LEVEL_EXACT;
    check->weight = c->ports == 3 ? 0.1 : 0.01;
}

static swq_status run(swq_context *ctx, swq_effort effort, int k, uint64_t seed, swq_finding *f)
{
    const swq_anchor *anchor = &swq_anchors[k];
    const double *value = anchor->value;
    swq_exact_options options = swq_exact_options_defaults();
    swq_answers a = {0};
    swq_switch sw;
    swq_status status = swq_case_switch(ctx, &anchor->what, &sw);

    (void)effort;
    (void)seed;
    if (!status)
        status = swq_exact_solve(ctx, &sw, &options, &a);
    if (!status) {
        swq_compare(f, "refusals of input 0", a.refusal_input[0], value[SWQ_ANCHOR_FIRST]);
        swq_compare(f, "refusals of the last input", a.refusal_input[sw.ports - 1],
                    value[SWQ_ANCHOR_LAST]);
        swq_compare(f, "throughput of output 1", a.throughput_output[1], value[SWQ_ANCHOR_OUTPUT]);
        swq_compare(f, "packets", a.mean_packets, value[SWQ_ANCHOR_PACKETS]);
        swq_judge(f, 1e-9);
    }
    swq_answers_clear(ctx, &a);
    return status;
}

const swq_family swq_family_anchors = {
    .name = "anchors",
    .title = "Every buffer and arbiter against an independent version of the rules",
    .legs = "exact chain; numbers computed by tests/ref/anchors.py, which shares no code "
            "with it",
    .criterion = "refusals of the first and last input, throughput of output 1 and packets held "
                 "differ by at most 1e-9 of their value",
    .count = count,
    .describe = describe,
    .run = run,
};

/* ---- closed forms, and values of the literature ---- */

typedef struct {
    const char *buffer, *arbiter;
    int ports, slots;
    double load;
    const swq_pool_rule *rule;
    double above, below; /* the discard probability is their quotient */
    double digit;        /* one unit of the last printed digit; 0: exact */
    const char *source;
} known;

#define ROOM  &swq_pool_room
#define DOORS &swq_pool_ports

/* p^2 / (2 (p^2 - p + 2)) for FIFO with one slot; a^2 / (2 (a^2 - a + 1)), a = p / 2, for SAFC with
 * one slot per queue. Both follow by hand from the mean contents left behind. */
#define FIFO_1(p)                                                                                  \
    {                                                                                              \
        "fifo", "random", 2, 1, p, ROOM, (p) * (p), 2 * ((p) * (p) - (p) + 2), 0, "closed form"    \
    }
#define SAFC_1(p)                                                                                  \
    {                                                                                              \
        "safc", "random", 2, 2, p, ROOM, (p) * (p), 2 * ((p) * (p)-2 * (p) + 4), 0, "closed form"  \
    }
#define RATIONAL(buffer, slots, p, above, below)                                                   \
    {                                                                                              \
        buffer, "random", 2, slots, p, ROOM, above, below, 0, "fraction by hand"                   \
    }
/* Three percentages, at loads 0.80, 0.90 and 0.99, computed with other code; in ten-thousandths. */
#define STUDY(buffer, arbiter, rule, a, b, c)                                                      \
    {buffer, arbiter, 2, 4, 0.80, rule, a, 100, 1e-6, "arbitration study"},                        \
        {buffer, arbiter, 2, 4, 0.90, rule, b, 100, 1e-6, "arbitration study"},                    \
    {                                                                                              \
        buffer, arbiter, 2, 4, 0.99, rule, c, 100, 1e-6, "arbitration study"                       \
    }
#define KAROL "1 - saturation of heads of line, Karol, Hluchyj and Morgan 1987"

static const known knowns[] = {
    FIFO_1(0.25),
    FIFO_1(0.5),
    FIFO_1(0.75),
    FIFO_1(0.8),
    FIFO_1(0.9),
    FIFO_1(1.0),
    SAFC_1(0.5),
    SAFC_1(0.9),
    SAFC_1(1.0),
    RATIONAL("samq", 2, 0.5, 29, 616),
    RATIONAL("samq", 2, 0.9, 56781, 350920),
    RATIONAL("samq", 2, 1.0, 7, 36),
    RATIONAL("damq", 2, 0.5, 609, 96569),
    RATIONAL("damq", 2, 0.9, 6950218203, 65707870201),
    RATIONAL("fifo", 2, 0.5, 3, 242),
    RATIONAL("fifo", 2, 0.9, 72171, 404546),
    {"cbda", "random", 2, 1, 0.5, DOORS, 1, 14, 0, "as fifo of one slot"},
    {"cbda", "random", 2, 1, 0.9, DOORS, 81, 382, 0, "as fifo of one slot"},
    {"cbda", "random", 2, 1, 1.0, DOORS, 1, 4, 0, "as fifo of one slot"},
    {"cbda", "random", 2, 2, 0.5, DOORS, 1, 1094, 0, "fraction by hand"},
    {"cbda", "random", 2, 2, 0.9, DOORS, 531441, 7883542, 0, "fraction by hand"},
    {"fifo", "random", 2, 3, 1.0, ROOM, 1, 4, 0, KAROL},
    {"fifo", "longest", 2, 2, 1.0, ROOM, 1, 4, 0, KAROL},
    {"fifo", "random", 3, 2, 1.0, ROOM, 20, 63, 0, KAROL},
    {"fifo", "random", 4, 1, 1.0, ROOM, 171, 496, 0, KAROL},
    {"fifo", "random", 4, 2, 1.0, ROOM, 171, 496, 0, KAROL},
    STUDY("damq", "random", ROOM, 0.9495, 3.3644, 8.1361),
    STUDY("damq", "random-outputs", ROOM, 0.9495, 3.3644, 8.1361),
    STUDY("damq", "maximum", ROOM, 0.6750, 2.2149, 5.5929),
    STUDY("damq", "maximum-longest", ROOM, 0.1271, 1.1716, 5.4591),
    STUDY("damq", "max-weight", ROOM, 0.1302, 1.2113, 5.4730),
    STUDY("damq", "longest", ROOM, 0.7488, 2.9323, 7.5790),
    STUDY("samq", "random", ROOM, 4.2048, 7.1391, 10.5437),
    STUDY("samq", "maximum", ROOM, 3.4068, 5.3886, 7.3787),
    STUDY("samq", "maximum-longest", ROOM, 1.9047, 3.9759, 6.7794),
    STUDY("fifo", "random", ROOM, 8.1834, 16.7829, 24.2424),
    STUDY("fifo", "max-weight", ROOM, 6.9775, 16.6768, 24.2424),
    STUDY("safc", "random", ROOM, 2.8234, 5.1348, 8.1087),
    STUDY("safc", "maximum", ROOM, 2.9096, 5.3167, 8.4238),
    STUDY("safc", "max-weight", ROOM, 1.5542, 3.6142, 6.7215),
    STUDY("cbda", "random", ROOM, 0.1055, 1.1142, 5.4519),
    STUDY("cbda", "random", DOORS, 0.1143, 1.1390, 5.4589),
};

static swq_case case_of(const known *k)
{
    return (swq_case){.buffer = k->buffer,
                      .arbiter = k->arbiter,
                      .ports = k->ports,
                      .slots = k->slots,
                      .load = k->load,
                      .mode = SWQ_DISCARD_SAME,
                      .iterations = 1,
                      .rule = k->rule};
}

static int count_known(swq_effort effort)
{
    (void)effort;
    return sizeof knowns / sizeof *knowns;
}

static void describe_known(swq_effort effort, int k, swq_check *check)
{
    const swq_case c = case_of(&knowns[k]);
    char text[128];

    (void)effort;
    snprintf(check->name, sizeof check->name, "known-values/%s",
             swq_case_name(&c, text, sizeof text));
    snprintf(check->claim, sizeof check->claim, "%s: discards as known (%s)",
             swq_case_words(&c, text, sizeof text), knowns[k].source);
    check->level = knowns[k].digit > 0 ? SWQ_LEVEL_TABLE : SWQ_LEVEL_EXACT;
    check->weight = 0.01;
}

static swq_status run_known(swq_context *ctx, swq_effort effort, int k, uint64_t seed,
                            swq_finding *f)
{
    const known *row = &knowns[k];
    const swq_case c = case_of(row);
    const double value = row->above / row->below;
    swq_exact_options options = swq_exact_options_defaults();
    swq_answers a = {0};
    swq_switch sw;
    swq_status status = swq_case_switch(ctx, &c, &sw);

    (void)effort;
    (void)seed;
    if (!status)
        status = swq_exact_solve(ctx, &sw, &options, &a);
    if (!status) {
        swq_compare(f, "discard probability", a.discard.value, value);
        if (row->digit > 0)
            f->off = fabs(f->left - f->right);
        swq_judge(f, row->digit > 0 ? 0.5 * row->digit * (1 + 1e-6) : 1e-12);
        snprintf(f->text, sizeof f->text, "%s", row->source);
    }
    swq_answers_clear(ctx, &a);
    return status;
}

const swq_family swq_family_known_values = {
    .name = "known-values",
    .title = "Chains against closed forms, fractions and values from other programs",
    .legs = "exact chain; numbers derived by hand or with other code",
    .criterion = "EXACT: within 1e-12 of the value. TABLE: within half a unit of the last "
                 "digit, a ten-thousandth of a percent",
    .count = count_known,
    .describe = describe_known,
    .run = run_known,
};
