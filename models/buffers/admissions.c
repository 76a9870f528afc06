/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of rules of admission, and the rules that are numbers of a buffer: slots reserved for a
 * queue, a maximum, a threshold. Sources: F. Kamoun and L. Kleinrock, IEEE Trans. Commun. 28(7),
 * 1980 (sharing, partitioning, maximum, minimum); M. Irland, IEEE Trans. Commun. 26(3), 1978
 * (square root); A. Choudhury and E. Hahne, IEEE/ACM ToN 6(2), 1998 (threshold).
 */
#include "base/context.h"
#include "models/buffers/buffers.h"

const char *const swq_ties_words[] = {"own", "other", "low", "high", "random", NULL};

const swq_admission_rule swq_admission_room = {
    .name = "room",
    .summary = "a packet is taken if there is room for it by the buffer's own numbers",
    .takes = SWQ_ADMISSION_QUEUE_MIN | SWQ_ADMISSION_QUEUE_MAX | SWQ_ADMISSION_ALPHA,
};

/* ---- rules that are numbers ---- */

/* No slot is reserved, and a queue may take all; what is given stays. */
static void share_all(unsigned given, int queues, swq_buffer *b)
{
    (void)queues;
    if (!(given & SWQ_ADMISSION_QUEUE_MIN))
        b->queue_min = 0;
    if (!(given & SWQ_ADMISSION_QUEUE_MAX))
        b->queue_max = b->capacity;
    if (!(given & SWQ_ADMISSION_ALPHA))
        b->alpha = 0;
}

static void part(unsigned given, int queues, swq_buffer *b)
{
    share_all(given, queues, b);
    b->queue_min = b->queue_max = b->capacity / queues;
}

static void limit_by_root(unsigned given, int queues, swq_buffer *b)
{
    const int most = (int)lround(b->capacity / sqrt(queues));

    share_all(given, queues, b);
    b->queue_max = most > 1 ? most : 1;
}

static void set_threshold(unsigned given, int queues, swq_buffer *b)
{
    share_all(given, queues, b);
    if (!(given & SWQ_ADMISSION_ALPHA))
        b->alpha = 1;
}

const swq_admission_rule swq_admission_sharing = {
    .name = "sharing",
    .summary = "complete sharing: a packet is taken if a slot is free",
    .source = "Kamoun and Kleinrock (1980)",
    .set = share_all,
};

const swq_admission_rule swq_admission_partitioning = {
    .name = "partitioning",
    .summary = "complete partitioning: each queue has its share of the slots to itself",
    .source = "Kamoun and Kleinrock (1980)",
    .set = part,
    .divides = true,
};

const swq_admission_rule swq_admission_maximum = {
    .name = "maximum",
    .summary = "sharing with maximum queue lengths (SMXQ): a queue takes at most --queue-max slots",
    .source = "Kamoun and Kleinrock (1980)",
    .takes = SWQ_ADMISSION_QUEUE_MAX,
    .demands = SWQ_ADMISSION_QUEUE_MAX,
    .set = share_all,
};

const swq_admission_rule swq_admission_minimum = {
    .name = "minimum",
    .summary = "sharing with a minimum allocation (SMA): --queue-min slots are reserved for each "
               "queue",
    .source = "Kamoun and Kleinrock (1980)",
    .takes = SWQ_ADMISSION_QUEUE_MIN,
    .demands = SWQ_ADMISSION_QUEUE_MIN,
    .set = share_all,
};

const swq_admission_rule swq_admission_minimum_maximum = {
    .name = "minimum-maximum",
    .summary = "both (SMQMA): --queue-min slots for each queue, at most --queue-max in all",
    .source = "Kamoun and Kleinrock (1980)",
    .takes = SWQ_ADMISSION_QUEUE_MIN | SWQ_ADMISSION_QUEUE_MAX,
    .demands = SWQ_ADMISSION_QUEUE_MIN | SWQ_ADMISSION_QUEUE_MAX,
    .set = share_all,
};

const swq_admission_rule swq_admission_square_root = {
    .name = "square-root",
    .summary =
        "a maximum by rule: a memory of B slots with N queues lets a queue take B / sqrt(N), "
        "rounded",
    .source = "Irland (1978)",
    .set = limit_by_root,
};

const swq_admission_rule swq_admission_threshold = {
    .name = "threshold",
    .summary = "a dynamic threshold: a queue may take fewer slots than --alpha (default 1) times "
               "the free ones",
    .source = "Choudhury and Hahne (1998)",
    .takes = SWQ_ADMISSION_ALPHA,
    .set = set_threshold,
};

const swq_admission_rule *const swq_admission_rules[] = {
    &swq_admission_room,
    &swq_admission_sharing,
    &swq_admission_partitioning,
    &swq_admission_maximum,
    &swq_admission_minimum,
    &swq_admission_minimum_maximum,
    &swq_admission_square_root,
    &swq_admission_threshold,
    &swq_admission_longest_queue_drop,
    &swq_admission_harmonic,
    &swq_admission_abm,
    &swq_admission_occamy,
    &swq_admission_follow_lqd,
    &swq_admission_credence,
    &swq_admission_edt,
    &swq_admission_tdt,
    &swq_admission_fab,
    &swq_admission_ib,
    &swq_admission_reverie,
    NULL,
};

/* ---- rules of buffers ---- */

static const struct {
    unsigned bit;
    const char *name;
} parameters[] = {{SWQ_ADMISSION_QUEUE_MIN, "queue-min"}, {SWQ_ADMISSION_QUEUE_MAX, "queue-max"},
                  {SWQ_ADMISSION_ALPHA, "alpha"},         {SWQ_ADMISSION_TIES, "ties"},
                  {SWQ_ADMISSION_DROP, "drop"},           {SWQ_ADMISSION_EXPEL, "expel"},
                  {SWQ_ADMISSION_CONGESTED, "congested"}, {SWQ_ADMISSION_ORACLE, "oracle"}};

/* "alpha, expel", or "no parameters". */
static const char *list_parameters(unsigned bits, char *text, size_t size)
{
    size_t used = 0;

    snprintf(text, size, "no parameters");
    for (size_t k = 0; k < sizeof parameters / sizeof *parameters && used < size; k++) {
        if (bits & parameters[k].bit)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                     parameters[k].name);
    }
    return text;
}

swq_status swq_buffer_set_admission(swq_context *ctx, const swq_admission_rule *rule,
                                    unsigned given, int ports, swq_buffer *b)
{
    const int queues = swq_buffer_queues(b, ports);
    char text[120];

    for (size_t k = 0; k < sizeof parameters / sizeof *parameters; k++) {
        if (given & ~rule->takes & parameters[k].bit)
            return swq_fail(
                ctx, SWQ_EINVAL, "--%s is not a parameter of --admission %s, which takes %s",
                parameters[k].name, rule->name, list_parameters(rule->takes, text, sizeof text));
        if (rule->demands & ~given & parameters[k].bit)
            return swq_fail(ctx, SWQ_EINVAL, "--admission %s needs %s", rule->name,
                            list_parameters(rule->demands, text, sizeof text));
    }
    b->admission = rule;
    if (b->congested == 0)
        b->congested = 1;
    if (rule->set)
        rule->set(given, queues, b);
    if (rule->divides && b->capacity < queues)
        return swq_fail(ctx, SWQ_EINVAL,
                        "admission %s needs a slot for each of %d queues: it is for %d slots or "
                        "more, not %d",
                        rule->name, queues, queues, b->capacity);
    return SWQ_OK;
}

swq_status swq_buffer_preset_like(swq_context *ctx, const swq_buffer_kind *kind, int ports,
                                  int slots, const swq_buffer *like, swq_buffer *b)
{
    const swq_admission_rule *rule = swq_buffer_admission(like);
    swq_status status = swq_buffer_preset(ctx, kind, ports, slots, b);

    b->alpha = like->alpha;
    b->pool_rule = like->pool_rule;
    b->admission = like->admission;
    b->ties = like->ties;
    b->drop_head = like->drop_head;
    b->expel = like->expel;
    b->expel_chance[0] = like->expel_chance[0];
    b->expel_chance[1] = like->expel_chance[1];
    b->congested = like->congested;
    b->oracle = like->oracle;
    if (!status && rule->set)
        rule->set(rule->takes & ~(SWQ_ADMISSION_QUEUE_MIN | SWQ_ADMISSION_QUEUE_MAX),
                  swq_buffer_queues(b, ports), b);
    return status;
}
