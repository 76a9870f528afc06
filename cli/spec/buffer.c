/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options that describe the buffers of a switch, and its rules of admission.
 */
#include "cli/spec/buffer.h"
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/record/inside.h"
#include "cli/spec/async.h"
#include "cli/spec/oracle.h"
#include "models/buffers/large.h"

const char *const cli_scope_words[] = {"input", "pool", NULL};
const char *const cli_queues_words[] = {"one", "output", NULL};
const char *const cli_read_words[] = {"one", "queue", NULL};

/* ---- who has buffers at the inputs, of any organisation ---- */

bool cli_has_buffers(const void *architecture)
{
    return ((const swq_architecture *)architecture)->async.input_buffers;
}

bool cli_has_stage_buffers(const void *architecture)
{
    return ((const swq_architecture *)architecture)->stage.input_buffers;
}

static bool may_reserve(const void *row)
{
    return cli_has_buffers(row) || ((const swq_architecture *)row)->async.crosspoints;
}

bool cli_has_no_queues(const void *row)
{
    const swq_management *management = row;
    return !management->hooks && !management->stores;
}

static bool may_have_queues(const void *row)
{
    return cli_has_no_queues(row) || ((const swq_management *)row)->default_queues > 0;
}

static int capacity(const void *buffer)
{
    return ((const swq_buffer *)buffer)->capacity;
}

/* What of a row of --buffer is replaced. */
cli_parameter cli_kind_parameters[] = {
    {CLI_OPTION("scope", "input|pool", 0), .plain = "", CLI_AT(CLI_CHOICE, swq_buffer_kind, scope),
     .words = cli_scope_words, BUFFERS(cli_has_buffers, cli_has_no_queues),
     .about = "override: a buffer per input, or one pool", .key = "scope"},
    {CLI_OPTION("queues", "one|output|Q", 0), .plain = "",
     CLI_AT(CLI_CHOICE, swq_buffer_kind, queues), .axis = CLI_AXIS_NONE, .words = cli_queues_words,
     BUFFERS(cli_has_buffers, may_have_queues),
     .about = "override: one queue per buffer, or one per output; --management dbbm: its queues",
     .preset = "", .key = "queues",
     CLI_DEFAULTS({"sim --engine async --management dbbm --xoff 4", "8",
                   "the number of ports of switches in the literature"})},
    {CLI_OPTION("read", "one|queue", 0), .plain = "", CLI_AT(CLI_CHOICE, swq_buffer_kind, read),
     .words = cli_read_words, BUFFERS(cli_has_buffers, cli_has_no_queues),
     .about = "override: one packet a cycle from a buffer, or from each queue", .key = "read"},
    CLI_PARAMETERS_END,
};

cli_parameter cli_limit_parameters[] = {
    {CLI_OPTION("queue-min", "N", 0), .says = "queue min %", .plain = "0",
     CLI_AT(CLI_INT, swq_buffer, queue_min), .highest = capacity,
     BUFFERS(may_reserve, cli_has_no_queues),
     .about = "slots (asynchronous: blocks) reserved for each queue", .key = "queue_min",
     .unit = "slots"},
    {CLI_OPTION("queue-max", "N", 0), .says = "queue max %", .plain = "",
     CLI_AT(CLI_INT, swq_buffer, queue_max), .least = 1, .highest = capacity,
     BUFFERS(cli_has_buffers, cli_has_no_queues),
     .about = "slots (asynchronous: blocks) that one queue may take", .key = "queue_max",
     .unit = "slots"},
    {CLI_OPTION("alpha", "A", 0), .plain = "0", CLI_AT(CLI_REAL, swq_buffer, alpha),
     CLI_FROM(0, 1e6), BUFFERS(cli_has_buffers, cli_has_no_queues),
     .about =
         "dynamic threshold: of the shared slots (blocks), a queue may take fewer than A times "
         "the free ones; 0 for none",
     .key = "alpha"},
    CLI_PARAMETERS_END,
};

/* ---- parameters of rules of admission ---- */

static const char *const drop_words[] = {"tail", "head", NULL};

static bool takes(const void *buffer, swq_admission_parameter parameter)
{
    return swq_buffer_admission(buffer)->takes & parameter;
}

static bool breaks_ties(const void *buffer)
{
    return takes(buffer, SWQ_ADMISSION_TIES);
}

static bool drops(const void *buffer)
{
    return takes(buffer, SWQ_ADMISSION_DROP);
}

static bool expels(const void *buffer)
{
    return takes(buffer, SWQ_ADMISSION_EXPEL);
}

static bool congests(const void *buffer)
{
    return takes(buffer, SWQ_ADMISSION_CONGESTED);
}

static bool asks(const void *buffer)
{
    return takes(buffer, SWQ_ADMISSION_ORACLE);
}

cli_parameter cli_pool_parameters[] = {
    {CLI_OPTION("pool-rule", "room|ports|oldest|in-order", SWQ_ENGINE_SYNC), .plain = "room",
     CLI_AT(CLI_NAMED, swq_buffer, pool_rule), CLI_ROWS_OF(swq_pool_rules),
     BUFFERS(cli_has_buffers, cli_has_no_queues),
     .about =
         "a pool short of slots takes packets while there is room (room), opens as many random "
         "ports as it has slots (ports), or takes the oldest packets (oldest, simulation only), or "
         "those at the lowest input ports (in-order, simulation only)",
     .key = "pool_rule",
     CLI_DEFAULTS({SOLVE, "room", "a pool takes what fits; Table 4.1 needs 'ports'"},
                  {SIM, "room", "as for one switch; the tables need 'oldest'"},
                  {LONE, "room", "as for solve"})},
    {CLI_OPTION("admission", "NAME", SWQ_ENGINE_SYNC), CLI_AT(CLI_NAMED, swq_buffer, admission),
     CLI_ROWS_OF(swq_admission_rules), .list = "admission",
     BUFFERS(cli_has_buffers, cli_has_no_queues),
     .about = "the rule that says whether a packet that comes to a buffer is stored ('switchq list "
              "admission')",
     .key = "admission",
     CLI_DEFAULTS({SOLVE, "room", "a packet is stored if there is room for it"},
                  {SIM, "room", "as for one switch"}, {LONE, "room", "as for solve"})},
    {CLI_OPTION("ties", "own|other|low|high|random", SWQ_ENGINE_SYNC),
     CLI_AT(CLI_CHOICE, swq_buffer, ties), .words = swq_ties_words,
     BUFFERS(cli_has_buffers, cli_has_no_queues), .shown = breaks_ties, .costless = true,
     .about = "lqd, followlqd, credence: of several longest queues, the packet that comes counted, "
              "its own (own) "
              "loses a packet, another one, that with the lowest or the highest number, or any",
     .key = "ties"},
    {CLI_OPTION("drop", "tail|head", SWQ_ENGINE_SYNC), CLI_AT(CLI_EITHER, swq_buffer, drop_head),
     .words = drop_words, BUFFERS(cli_has_buffers, cli_has_no_queues), .shown = drops,
     .costless = true, .about = "lqd: the longest queue loses its last packet (tail) or its first",
     .key = "drop"},
    {CLI_OPTION("expel", "R", SWQ_ENGINE_SYNC), CLI_AT(CLI_REAL, swq_buffer, expel),
     CLI_FROM(0, SWQ_MAX_SLOTS), BUFFERS(cli_has_buffers, cli_has_no_queues), .shown = expels,
     .costless = true,
     .about = "occamy: packets that may be expelled a cycle; a fraction is the chance of one more",
     .key = "expel", .unit = "packets"},
    {CLI_OPTION("congested", "C", SWQ_ENGINE_SYNC), CLI_AT(CLI_INT, swq_buffer, congested),
     .least = 1, .highest = capacity, BUFFERS(cli_has_buffers, cli_has_no_queues),
     .shown = congests, .costless = true,
     .about = "abm: packets from which a queue counts as congested; shorter queues count in "
              "proportion",
     .key = "congested", .says = "queues congested from %", .unit = "packets"},
    {CLI_OPTION("oracle", "perfect|flip:P|file:PATH", SWQ_ENGINE_SYNC),
     CLI_AT(CLI_OWN, swq_buffer, oracle), .axis = CLI_AXIS_WORDS,
     BUFFERS(cli_has_buffers, cli_has_no_queues), .read = cli_oracle_read, .shown = asks,
     .put = cli_oracle_put, .costless = true,
     .about = "credence: what says whether longest-queue drop would lose a packet: the truth "
              "(perfect), the truth turned round with chance P, or a file, with 0 or 1 for each "
              "packet of a trace (--architecture shared-memory: a file; if not given, no packet is "
              "said to be lost)",
     .key = "oracle"},
    CLI_PARAMETERS_END,
};

swq_status cli_buffer_choices(swq_context *ctx, swq_buffer_kind *kind)
{
    const swq_buffer_kind *row = NULL;
    swq_status status = cli_required(ctx, "buffer", cli_spec_text("buffer"));

    if (!status)
        status = swq_buffer_kind_find(ctx, cli_spec_text("buffer"), &row);
    if (status)
        return status;
    *kind = *row;
    return cli_parameters_read(ctx, cli_kind_parameters, kind);
}

/* The rule of admission, with the parameters that were given. */
static swq_status set_admission(swq_context *ctx, int ports, swq_buffer *b)
{
    static const struct {
        const char *option;
        swq_admission_parameter bit;
    } parameter[] = {
        {"queue-min", SWQ_ADMISSION_QUEUE_MIN}, {"queue-max", SWQ_ADMISSION_QUEUE_MAX},
        {"alpha", SWQ_ADMISSION_ALPHA},         {"ties", SWQ_ADMISSION_TIES},
        {"drop", SWQ_ADMISSION_DROP},           {"expel", SWQ_ADMISSION_EXPEL},
        {"congested", SWQ_ADMISSION_CONGESTED}, {"oracle", SWQ_ADMISSION_ORACLE},
    };
    unsigned bits = 0;

    for (size_t k = 0; k < sizeof parameter / sizeof *parameter; k++)
        bits |= cli_spec_text(parameter[k].option) ? parameter[k].bit : 0;
    return swq_buffer_set_admission(ctx, swq_buffer_admission(b), bits, ports, b);
}

/* The slots of an input port: as given, or the fewest, from which others are sought. */
static swq_status read_slots(swq_context *ctx, cli_spec *spec)
{
    if (!spec->slots_open) {
        swq_status status = cli_required(ctx, "slots", cli_spec_text("slots"));
        return status ? status
                      : cli_integer(ctx, "slots", cli_spec_text("slots"), 1, SWQ_MAX_SLOTS,
                                    &spec->slots);
    }
    if (cli_spec_text("queue-min") || cli_spec_text("queue-max"))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--queue-min and --queue-max need --slots: they are numbers of slots");
    swq_buffer choices = {.admission = NULL};
    swq_status status = cli_parameter_read(ctx, cli_pool_parameters, "admission", &choices);
    spec->slots = swq_buffer_least(&spec->kind, choices.admission, spec->sw.ports);
    return status;
}

/* extra_slots: the part of --slots that does not belong to the buffer. */
swq_status cli_buffer_read(swq_context *ctx, cli_spec *spec, int extra_slots)
{
    swq_buffer *b = &spec->sw.buffer;
    swq_status status = cli_buffer_choices(ctx, &spec->kind);

    if (!status)
        status = read_slots(ctx, spec);
    if (!status)
        status = swq_buffer_preset(ctx, &spec->kind, spec->sw.ports, spec->slots - extra_slots, b);
    if (!status)
        status = cli_parameters_read(ctx, cli_limit_parameters, b);
    b->pool_rule = &swq_pool_room;
    if (!status)
        status = cli_parameters_read(ctx, cli_pool_parameters, b);
    if (!status)
        status = set_admission(ctx, spec->sw.ports, b);
    spec->buffer = spec->kind.name;
    return status;
}

swq_status cli_slots_besides(swq_context *ctx, int ports, int extra)
{
    int slots;
    swq_status status = cli_required(ctx, "slots", cli_spec_text("slots"));
    if (!status)
        status = cli_integer(ctx, "slots", cli_spec_text("slots"), 1, SWQ_MAX_SLOTS, &slots);
    if (!status && (slots <= extra || (slots - extra) % ports != 0))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--slots must be a multiple of the %d ports, and %d more for high "
                          "priority, such as %d, not %d",
                          ports, extra, (slots / ports ? slots / ports : 1) * ports + extra, slots);
    return status;
}

swq_status cli_buffer_idle(swq_context *ctx, const swq_buffer *b, int ports)
{
    const int queues = swq_buffer_queues(b, ports);
    const bool shares = b->capacity > queues * b->queue_min || b->queue_max < b->queue_min;
    const char *shared = cli_spec_text("queue-max") ? "queue-max"
                         : cli_spec_text("alpha")   ? "alpha"
                                                    : NULL;

    if (cli_spec_text("pool-rule") && b->scope != SWQ_POOL)
        return swq_fail(ctx, SWQ_EINVAL, "--pool-rule %s is for a pool (cbda), not for %s",
                        cli_spec_text("pool-rule"), cli_spec_text("buffer"));
    if (cli_spec_text("alpha") && swq_buffer_partitioned(b))
        return swq_fail(
            ctx, SWQ_EINVAL,
            "--alpha limits the shared slots that queues take; a queue of %s takes only "
            "those that are reserved for it (--queue-min %d, --queue-max %d)",
            cli_spec_text("buffer"), b->queue_min, b->queue_max);
    if (cli_spec_text("read") && b->read == SWQ_READ_EACH_QUEUE && queues == 1)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--read queue is for a queue per output; %s has one queue a buffer",
                        cli_spec_text("buffer"));
    if (shared && !shares)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--%s limits the shared slots that queues take; all slots of %s are "
                        "reserved (--queue-min %d)",
                        shared, cli_spec_text("buffer"), b->queue_min);
    /* with all other queues full, could a queue be left with so few slots that a reservation
     * matters? */
    if (cli_spec_text("queue-min") && b->queue_max >= b->queue_min &&
        (queues - 1) * b->queue_max + b->capacity / queues <= b->capacity)
        return swq_fail(ctx, SWQ_EINVAL, "--queue-min keeps slots from other queues: %s",
                        queues == 1 ? "here there is one queue a buffer"
                                    : "here --queue-max, or the buffer's own limit, does so");
    return SWQ_OK;
}
