/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq worst: how much more than a rule of admission the best schedule with foresight sends.
 */
#include "cli/worst/worst.h"
#include "base/context.h"
#include "cli/options/parameter.h"
#include "cli/options/parse.h"
#include "cli/options/shared.h"
#include "cli/points/points.h"
#include "cli/record/format.h"
#include "cli/spec/switch.h"

#include <stdio.h>
#include <string.h>

static cli_format format;
static char *plot_path, *threads_text;

static int capacity(const void *spec)
{
    return ((const cli_worst_point *)spec)->buffer.capacity;
}

static const char *const drop_words[] = {"tail", "head", NULL};

static cli_parameter memory_parameters[] = {
    {CLI_OPTION("admission", "NAME", 0), CLI_AT(CLI_NAMED, cli_worst_point, buffer.admission),
     CLI_ROWS_OF(swq_admission_rules), .list = "admission",
     .about = "rule of admission ('switchq list admission')",
     CLI_DEFAULTS({"worst", "room", "as for one switch"})},
    {CLI_OPTION("rule", "given|best|best-no-push-out", 0),
     CLI_AT(CLI_CHOICE, cli_worst_point, spec.rule),
     CLI_WORDS_OF("given", "best", "best-no-push-out"),
     .about =
         "given: the rule of --admission; best: the best deterministic rule that does not know the "
         "future; best-no-push-out: the best such rule that only takes and refuses packets",
     .key = "rule_asked", .says = "against the % rule", .plain = "given",
     CLI_DEFAULTS({"worst", "given", "the rule of --admission"})},
    {CLI_OPTION("queues", "N", 0), CLI_AT(CLI_INT, cli_worst_point, spec.queues),
     CLI_FROM(1, SWQ_WORST_QUEUES), .about = "queues that share the memory, one for each output",
     .key = "memory_queues", .says = "% queue~",
     CLI_DEFAULTS({"worst", "2", "the least that share"})},
    {CLI_OPTION("slots", "M", 0), CLI_AT(CLI_INT, cli_worst_point, buffer.capacity),
     CLI_FROM(1, SWQ_WORST_SLOTS), .axis = CLI_AXIS_SIZES,
     .about = "packet slots of the whole memory, not of a port as elsewhere", .key = "memory_slots",
     .says = "memory of % slot~", .unit = "slots"},
    {CLI_OPTION("queue-min", "N", 0), CLI_AT(CLI_INT, cli_worst_point, buffer.queue_min),
     .highest = capacity, .about = "slots reserved for each queue", .plain = "0"},
    {CLI_OPTION("queue-max", "N", 0), CLI_AT(CLI_INT, cli_worst_point, buffer.queue_max),
     .least = 1, .highest = capacity, .about = "slots that one queue may take"},
    {CLI_OPTION("alpha", "A", 0), CLI_AT(CLI_REAL, cli_worst_point, buffer.alpha), CLI_FROM(0, 1e6),
     .about = "dynamic threshold: of the shared slots, a queue may take fewer than A times the "
              "free ones; 0 for none",
     .key = "alpha", .plain = "0"},
    {CLI_OPTION("ties", "own|other|low|high", 0), CLI_AT(CLI_CHOICE, cli_worst_point, buffer.ties),
     CLI_WORDS_OF("own", "other", "low", "high"),
     .about =
         "which of several longest queues loses a packet: that of the packet that comes, another "
         "one, the one with the lowest or the highest number; else the adversary chooses"},
    {CLI_OPTION("drop", "tail|head", 0), CLI_AT(CLI_EITHER, cli_worst_point, buffer.drop_head),
     .words = drop_words,
     .about = "with --classes: the longest queue loses its last packet (tail, as for one switch) "
              "or its first"},
    CLI_PARAMETERS_END,
};

static swq_status read_arrivals(swq_context *ctx, const char *text, void *spec)
{
    int *arrivals = &((cli_worst_point *)spec)->spec.arrivals;

    *arrivals = 0;
    if (strcmp(text, "unlimited") == 0)
        return SWQ_OK;
    return cli_integer(ctx, "arrivals-per-phase", text, 1, SWQ_WORST_ARRIVALS, arrivals);
}

static int divisor(int a, int b)
{
    return b ? divisor(b, a % b) : a;
}

/* "1,V" with V as 3, 1.5 or 3/2: two whole numbers, the worth of a packet of each class. */
static swq_status read_classes(swq_context *ctx, const char *text, void *spec)
{
    int *value = ((cli_worst_point *)spec)->spec.value;
    const char *at = strncmp(text, "1,", 2) == 0 ? text + 2 : "";
    int number[2] = {0, 0}, digits = 0;
    bool point = false, over = false;

    for (; *at && digits < 7; at++) {
        if (*at >= '0' && *at <= '9') {
            number[over] = 10 * number[over] + (*at - '0');
            number[1] = point ? (number[1] ? number[1] : 1) * 10 : number[1];
            digits++;
        } else if (*at == '.' && !point && !over && digits > 0) {
            point = true;
        } else if (*at == '/' && !point && !over && digits > 0) {
            over = true;
        } else {
            break;
        }
    }
    if (!over && number[1] == 0)
        number[1] = 1;
    const int common = divisor(number[0], number[1]);
    if (*at || number[1] < 1 || number[0] < number[1] || number[0] / common > SWQ_WORST_VALUE)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--classes must be 1,V with a value V from 1, a number or a fraction in "
                        "lowest terms up to %d, such as 1,3 or 1,3/2, not '%s'",
                        SWQ_WORST_VALUE, text);
    value[0] = number[1] / common;
    value[1] = number[0] / common;
    return SWQ_OK;
}

static cli_parameter adversary_parameters[] = {
    {CLI_OPTION("objective", "throughput|excess", 0),
     CLI_AT(CLI_CHOICE, cli_worst_point, spec.objective), CLI_WORDS_OF("throughput", "excess"),
     .about = "the ratio of packets sent, or the excess: packets a phase that the optimum sends "
              "and the rule does not",
     .key = "objective", .plain = "throughput",
     CLI_DEFAULTS({"worst", "throughput", "as in the theory"})},
    {CLI_OPTION("arrivals-per-phase", "K|unlimited", 0), .read = read_arrivals,
     .axis = CLI_AXIS_WORDS, .about = "most packets that arrive in a phase",
     .key = "arrivals_per_phase", .unit = "packets",
     CLI_DEFAULTS({"worst", "unlimited", "as in the theory"})},
    {CLI_OPTION("speedup", "S", 0), CLI_AT(CLI_INT, cli_worst_point, spec.speedup),
     CLI_FROM(1, SWQ_WORST_SPEEDUP),
     .about = "packets that the rule sends of a queue in a phase, where the optimum sends one",
     .key = "rule_speedup", .plain = "1",
     CLI_DEFAULTS({"worst", "1", "both schedules send one packet of a queue"})},
    {CLI_OPTION("classes", "1,V", 0), .read = read_classes, .axis = CLI_AXIS_NONE,
     .about = "packets are worth 1 or V, a number or a fraction from 1; queues send them in the "
              "order in which they came, and worth takes the place of packets in the ratio",
     .key = "class_value"},
    CLI_PARAMETERS_END,
};

static cli_parameter certificate_parameters[] = {
    {CLI_OPTION("certificate", "FILE", 0),
     .about = "write the potential that proves the answer, a line for each pair of contents"},
    {CLI_OPTION("sequence", "FILE", 0), .about = "write the worst arrivals as a trace for 'switchq "
                                                 "sim --traffic trace:FILE --pool-rule in-order'"},
    {CLI_OPTION("repeat", "R", 0), CLI_AT(CLI_INT, cli_worst_point, repeat), CLI_FROM(1, 1000000),
     .axis = CLI_AXIS_NONE, .about = "periods of the sequence that --sequence writes",
     CLI_DEFAULTS({"worst --sequence worst.trace", "1", "a period shows all that comes"})},
    CLI_PARAMETERS_END,
};

struct poptOption cli_worst_parameters[] = {
    CLI_PARAMETERS(memory_parameters),
    CLI_PARAMETERS(adversary_parameters),
    CLI_PARAMETERS(certificate_parameters),
    POPT_TABLEEND,
};

static struct poptOption output_options[] = {
    CLI_PARAMETERS(certificate_parameters),
    CLI_THREADS_OPTION(&threads_text, "parts of one graph, or points of a range", CLI_ALL_CORES),
    CLI_TEXT_ROW("plot", "FILE.svg|.png|.pdf|.csv", &plot_path,
                 "also draw the ratio over a range of numbers"),
    CLI_TABLE(cli_points_plot_options, NULL),
    CLI_TABLE(cli_format_options, NULL),
    CLI_TABLE(cli_memory_options, NULL),
    POPT_TABLEEND,
};

static struct poptOption options[] = {
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, memory_parameters, CLI_IS_PARAMETER,
     "The memory and its rule:", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, adversary_parameters, CLI_IS_PARAMETER,
     "The adversary:", NULL},
    CLI_TABLE(output_options, "Output:"),
    POPT_TABLEEND,
};

/* ---- reading ---- */

static const char *given(const char *option)
{
    return cli_text(options, option);
}

/* With --rule best or best-no-push-out, refuses options that say which rule of admission is meant
 * (--admission, --alpha, ...) and options that write what a given rule does (--certificate,
 * --sequence). */
static swq_status check_best(swq_context *ctx, const cli_worst_point *p)
{
    static const char *const others[] = {"admission", "queue-min", "queue-max", "alpha",
                                         "ties",      "drop",      "classes",   "certificate",
                                         "sequence",  NULL};

    for (int k = 0; others[k] && p->spec.rule != SWQ_WORST_GIVEN; k++)
        if (given(others[k]))
            return swq_fail(ctx, SWQ_EINVAL, "--%s is for --rule given, not for --rule %s",
                            others[k], given("rule"));
    return SWQ_OK;
}

static swq_status read_point(swq_context *ctx, void *at, bool many)
{
    cli_worst_point *p = at;
    double bytes;

    const char *file = given("certificate") ? "certificate" : given("sequence") ? "sequence" : NULL;
    if (many && file)
        return swq_fail(ctx, SWQ_EINVAL, "--%s is for one memory, not for a range", file);
    if (given("repeat") && !given("sequence"))
        return swq_fail(ctx, SWQ_EINVAL, "--repeat is for --sequence");
    if (given("drop") && !given("classes"))
        return swq_fail(
            ctx, SWQ_EINVAL,
            "--drop is for --classes: if all packets are worth the same, it changes nothing");
    if (given("sequence") && given("classes"))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--sequence is for packets that are worth the same, not for --classes: a "
                        "trace has no values");
    p->repeat = 1;
    if (!given("slots"))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--slots is required: packet slots of the whole memory, 1 to %d",
                        SWQ_WORST_SLOTS);
    p->spec = swq_worst_spec_defaults();
    p->spec.queues = 2;
    p->spec.certificate = given("certificate");
    p->buffer = (swq_buffer){
        .scope = SWQ_POOL, .queues = SWQ_QUEUE_PER_OUTPUT, .read = SWQ_READ_EACH_QUEUE};
    swq_status status = cli_parameter_read(ctx, memory_parameters, "slots", p);
    p->buffer.queue_max = p->buffer.capacity;
    p->buffer.ties = SWQ_TIES_RANDOM; /* dice are the adversary's */
    if (!status)
        status = cli_parameters_read(ctx, memory_parameters, p);
    if (!status)
        status = check_best(ctx, p);
    if (!status)
        status = swq_buffer_set_admission(ctx, swq_buffer_admission(&p->buffer),
                                          (given("queue-min") ? SWQ_ADMISSION_QUEUE_MIN : 0) |
                                              (given("queue-max") ? SWQ_ADMISSION_QUEUE_MAX : 0) |
                                              (given("alpha") ? SWQ_ADMISSION_ALPHA : 0) |
                                              (given("ties") ? SWQ_ADMISSION_TIES : 0) |
                                              (given("drop") ? SWQ_ADMISSION_DROP : 0),
                                          p->spec.queues, &p->buffer);
    if (!status)
        status = cli_parameters_read(ctx, adversary_parameters, p);
    if (!status)
        status = cli_parameters_read(ctx, certificate_parameters, p);
    p->spec.buffer = &p->buffer;
    return status ? status : swq_worst_foresee(ctx, &p->spec, &bytes);
}

/* ---- answering ---- */

static swq_status answer_point(swq_context *ctx, void *at)
{
    cli_worst_point *p = at;

    cli_make_folder_for(p->spec.certificate);
    p->spec.buffer = &p->buffer;
    swq_status status = swq_worst_run(ctx, &p->spec, &p->worst);
    if (status == SWQ_ECANCELLED && p->worst.nodes > 0) { /* there are bounds */
        snprintf(p->unsettled, sizeof p->unsettled, "%s", swq_context_message(ctx));
        status = SWQ_OK;
    }
    if (!status && given("sequence"))
        status = cli_worst_write_sequence(ctx, p, given("sequence"));
    p->peak = swq_context_peak_bytes(ctx);
    return status;
}

static cli_record *record_point(swq_context *ctx, const void *at)
{
    (void)ctx;
    return cli_worst_record(at);
}

static int end_point(swq_context *ctx, const void *at, const char *where)
{
    const cli_worst_point *p = at;

    return *p->unsettled ? cli_fail(ctx, swq_fail(ctx, SWQ_ECANCELLED, "%s%s", where, p->unsettled))
                         : CLI_OK;
}

static void clear_point(swq_context *ctx, void *at)
{
    swq_worst_clear(ctx, &((cli_worst_point *)at)->worst);
}

static const cli_points_panel panels[] = {
    {.y = "competitive_ratio", .option = "slots", .counts = "memory_slots"},
    {.y = "excess_packets", .option = "slots", .counts = "memory_slots"},
    {.y = NULL},
};

static const cli_question_kind one_memory = {
    .size = sizeof(cli_worst_point),
    .read = read_point,
    .answer = answer_point,
    .record = record_point,
    .end = end_point,
    .clear = clear_point,
    .stage = "memories",
};

/* ---- the command ---- */

static int question(swq_context *ctx, const cli_axes *axes, cli_points_how *how)
{
    swq_status status = cli_format_read(ctx, &format);

    *how =
        (cli_points_how){.kind = &one_memory, .format = format, .plot = plot_path, .panel = panels};
    if (!status && plot_path)
        status = cli_plot_check(ctx, plot_path);
    if (!status && plot_path && axes->points == 1)
        status = swq_fail(ctx, SWQ_EINVAL, "--plot needs a range, such as --slots 2:40:2");
    if (!status)
        status = cli_memory_read(ctx);
    if (!status)
        status = cli_threads(ctx, threads_text, &how->threads);
    if (!status && axes->points == 1)
        swq_context_use_threads(ctx, how->threads);
    return status ? cli_fail(ctx, status) : -1;
}

const cli_command cli_worst = {
    .name = "worst",
    .plugins = true,
    .usage = "--admission NAME --queues N --slots M [OPTION...]",
    .common = "admission queues slots alpha objective arrivals-per-phase certificate plot json",
    .summary = "the worst case of a rule of admission, exactly and proven",
    .notes = "An adversary chooses all arrivals at a memory that N queues share. The competitive "
             "ratio is the largest ratio of what the best schedule with foresight sends to what "
             "the rule sends. docs/worst.md has the theory.\n",
    .examples = "  switchq worst --admission lqd --queues 2 --slots 6\n"
                "  switchq worst --admission room,lqd --queues 3 --slots 2:10:2\n"
                "  switchq worst --alpha 1 --queues 2 --slots 12 --json\n"
                "  switchq worst --admission lqd --queues 2 --slots 6 --arrivals-per-phase 2\n"
                "  switchq worst --admission lqd --queues 3 --slots 6 --objective excess\n"
                "  switchq worst --admission lqd --queues 2 --slots 4 --classes 1,3\n"
                "  switchq worst --rule best --queues 2 --slots 6\n",
    .options = options,
    .question = question,
    .run = cli_points_run,
};
