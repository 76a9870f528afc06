/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options of a switch: its memory and who may take it, which class is sent next, marks.
 */
#include "base/context.h"
#include "base/names.h"
#include "cli/datacentre/values.h"
#include "cli/options/parse.h"

#include <stdio.h>
#include <string.h>

static const char *const on_words[] = {"enqueue", "dequeue", NULL};
static const char *const counted_words[] = {"counted", "uncounted", NULL};

/* The memories of a graph's switches; that of the spec is the one of the first switch. */
static swq_status give_memories(swq_context *ctx, cli_datacentre *d, const swq_memory_amount *a)
{
    swq_status status = SWQ_OK;

    for (uint32_t w = swq_dc_graph_switches(d->graph); w-- > 0 && !status;) {
        uint64_t rates;
        const uint64_t ports = swq_dc_graph_ports(d->graph, w, &rates);
        status = swq_units_memory_bytes(ctx, "--memory", a, ports, rates, 1, SWQ_DC_MOST_MEMORY,
                                        &d->dc.memory.bytes);
        if (!status)
            swq_dc_graph_give_memory(d->graph, w, d->dc.memory.bytes);
    }
    return status;
}

/* The memories of each level. */
static swq_status read_amount(swq_context *ctx, swq_dc *dc, const swq_memory_amount *a)
{
    swq_dc_level level[SWQ_DC_LEVELS];
    const int levels = swq_dc_levels(dc, level);
    swq_status status = SWQ_OK;

    for (int k = 0; k < levels && !status; k++)
        status = swq_units_memory_bytes(ctx, "--memory", a, level[k].ports,
                                        swq_dc_level_rates(dc, &level[k]), 1, SWQ_DC_MOST_MEMORY,
                                        k == 0 ? &dc->memory.bytes : &dc->network.level_bytes[k]);
    return status;
}

swq_status cli_dc_read_memory(swq_context *ctx, cli_datacentre *d)
{
    swq_dc *dc = &d->dc;
    swq_memory_amount amount = {dc->memory.bytes, 1, SWQ_PER_SWITCH};
    const char *text = cli_dc_given("memory");
    uint64_t cell = dc->memory.cell;
    int parts = 1;
    swq_status status = SWQ_OK;

    if (text)
        status = swq_units_memory_read(ctx, "--memory", text, &amount);
    if (!status && d->graph)
        status = give_memories(ctx, d, &amount);
    else if (!status && text)
        status = read_amount(ctx, dc, &amount);
    if (!status)
        status = cli_dc_read_units(ctx, "cell", SWQ_UNITS_SIZE, 1, 65536, &cell);
    if (!status && cli_dc_given("memories"))
        status = cli_integer(ctx, "memories", cli_dc_given("memories"), 1, SWQ_DC_PORTS, &parts);
    dc->memory.cell = (uint32_t)cell;
    dc->memory.parts = (uint32_t)parts;
    return status;
}

/* Refuses parameters that the rule does not take. */
static swq_status refuse_parameters(swq_context *ctx, const swq_admission_rule *rule)
{
    const struct {
        const char *option;
        unsigned bit;
    } of_rules[] = {
        {"alpha", SWQ_ADMISSION_ALPHA},         {"class-alpha", SWQ_ADMISSION_ALPHA},
        {"queue-max", SWQ_ADMISSION_QUEUE_MAX}, {"queue-min", SWQ_ADMISSION_QUEUE_MIN},
        {"ties", SWQ_ADMISSION_TIES},           {"drop", SWQ_ADMISSION_DROP},
        {"congested", SWQ_ADMISSION_CONGESTED}, {"expel-every", SWQ_ADMISSION_EXPEL},
        {"expel-bucket", SWQ_ADMISSION_EXPEL},  {"test", SWQ_DC_TAKES_TEST},
        {"arriving", SWQ_DC_TAKES_COUNTED},     {"drain-interval", SWQ_DC_TAKES_INTERVAL},
        {"oracle", SWQ_ADMISSION_ORACLE},       {"first-alpha", SWQ_DC_TAKES_FIRST},
        {"new-flow", SWQ_DC_TAKES_FLOWS},       {"flow-pause", SWQ_DC_TAKES_FLOWS},
        {"gamma", SWQ_DC_TAKES_GAMMA},          {"afd-interval", SWQ_DC_TAKES_AFD},
        {"afd-length", SWQ_DC_TAKES_AFD},       {"afd-above", SWQ_DC_TAKES_AFD}};
    const unsigned takes = swq_dc_takes(rule);

    for (size_t k = 0; k < sizeof of_rules / sizeof *of_rules; k++) {
        if (cli_dc_given(of_rules[k].option) && !(takes & of_rules[k].bit))
            return swq_fail(ctx, SWQ_EINVAL, "--%s is not for --admission %s", of_rules[k].option,
                            rule->name);
    }
    if (takes & SWQ_ADMISSION_QUEUE_MAX && !cli_dc_given("queue-max"))
        return swq_fail(ctx, SWQ_EINVAL, "--queue-max is required for --admission %s", rule->name);
    if (rule == &swq_admission_minimum && !cli_dc_given("queue-min"))
        return swq_fail(ctx, SWQ_EINVAL, "--queue-min is required for --admission %s", rule->name);
    if (cli_dc_given("alpha") && cli_dc_given("class-alpha"))
        return swq_fail(ctx, SWQ_EINVAL, "--alpha and --class-alpha cannot both be given");
    return SWQ_OK;
}

static swq_status read_rule(swq_context *ctx, swq_dc *dc)
{
    const char *name = cli_dc_given("admission");
    const swq_admission_rule *rule = &swq_admission_sharing;

    if (name) {
        rule = swq_name_lookup(ctx, "admission", name, (const void *const *)swq_admission_rules);
        if (!rule)
            return SWQ_EINVAL;
    }
    if (!swq_dc_admits(rule))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--admission %s is not known to --architecture shared-memory, which takes "
                        "%s",
                        name, swq_dc_admission_names());
    dc->memory.admission = rule;
    return refuse_parameters(ctx, rule);
}

static swq_status read_alphas(swq_context *ctx, swq_dc *dc)
{
    const swq_admission_rule *rule = dc->memory.admission;
    const double usual = rule == &swq_admission_abm ? .5 : rule == &swq_admission_occamy ? 8 : 1;

    for (int k = 0; k < SWQ_DC_CLASSES; k++)
        dc->memory.alpha[k] = usual;
    if (cli_dc_given("class-alpha"))
        return cli_dc_read_each(ctx, "class-alpha", "classes", 1e-6, 1e6, dc->classes,
                                dc->memory.alpha);
    if (!cli_dc_given("alpha"))
        return SWQ_OK;
    const swq_status status =
        cli_number(ctx, "alpha", cli_dc_given("alpha"), 1e-6, 1e6, &dc->memory.alpha[0]);
    for (int k = 1; k < SWQ_DC_CLASSES; k++)
        dc->memory.alpha[k] = dc->memory.alpha[0];
    return status;
}

swq_status cli_dc_read_admission(swq_context *ctx, swq_dc *dc)
{
    static const char *const drop_words[] = {"tail", "head", NULL};
    swq_dc_memory_spec *m = &dc->memory;
    int ties = m->ties, head = 0, uncounted = 0, test = 0;
    const uint64_t most = swq_dc_largest_memory(dc);
    uint64_t bucket = (1500 + m->cell - 1) / m->cell;
    swq_status status = read_rule(ctx, dc);

    if (!status)
        status = read_alphas(ctx, dc);
    if (!status)
        status = cli_dc_read_units(ctx, "queue-max", SWQ_UNITS_SIZE, 1, most, &m->queue_max);
    if (!status)
        status = cli_dc_read_units(ctx, "queue-min", SWQ_UNITS_SIZE, 0, m->bytes, &m->queue_min);
    if (!status)
        status = cli_dc_read_units(ctx, "congested", SWQ_UNITS_SIZE, 1, most, &m->congested);
    if (!status)
        status = cli_dc_read_units(ctx, "drain-interval", SWQ_UNITS_TIME, SWQ_DC_LEAST_TIMER,
                                   SWQ_DC_MOST_TIME, &m->interval);
    if (!status)
        status = cli_dc_read_units(ctx, "expel-every", SWQ_UNITS_TIME, 1, SWQ_DC_MOST_TIME,
                                   &m->expel_every);
    if (!status && cli_dc_given("first-alpha"))
        status =
            cli_number(ctx, "first-alpha", cli_dc_given("first-alpha"), 1e-6, 1e6, &m->first_alpha);
    if (!status)
        status =
            cli_dc_read_units(ctx, "new-flow", SWQ_UNITS_SIZE, 1, SWQ_DC_MOST_MEMORY, &m->new_flow);
    if (!status)
        status = cli_dc_read_units(ctx, "flow-pause", SWQ_UNITS_TIME, 1, SWQ_DC_MOST_TIME,
                                   &m->flow_pause);
    if (!status && cli_dc_given("gamma"))
        status = cli_number(ctx, "gamma", cli_dc_given("gamma"), 0, 1, &m->gamma);
    if (!status && m->gamma == 1)
        status = swq_fail(ctx, SWQ_EINVAL, "--gamma must be below 1, not '%.60s'",
                          cli_dc_given("gamma"));
    if (!status)
        status = cli_dc_read_units(ctx, "afd-interval", SWQ_UNITS_TIME, 1, SWQ_DC_MOST_TIME,
                                   &m->afd_interval);
    if (!status)
        status = cli_dc_read_units(ctx, "afd-length", SWQ_UNITS_SIZE, 1, SWQ_DC_MOST_MEMORY,
                                   &m->afd_length);
    if (!status)
        status = cli_dc_read_units(ctx, "afd-above", SWQ_UNITS_SIZE, 0, SWQ_DC_MOST_MEMORY,
                                   &m->afd_above);
    if (!status && cli_dc_given("expel-bucket"))
        status = cli_big(ctx, "expel-bucket", cli_dc_given("expel-bucket"), 1, 1e9, &bucket);
    if (!status)
        status = cli_dc_read_word(ctx, "ties", swq_ties_words, &ties);
    if (!status)
        status = cli_dc_read_word(ctx, "drop", drop_words, &head);
    if (!status)
        status = cli_dc_read_word(ctx, "arriving", counted_words, &uncounted);
    if (!status)
        status = cli_dc_read_word(ctx, "test", swq_dc_test_words, &test);
    m->expel_bucket = (uint32_t)bucket;
    m->ties = (swq_ties)ties;
    m->drop_head = head == 1;
    m->uncounted = uncounted == 1;
    m->test = (swq_dc_test)test;
    return status;
}

/* ---- ports ---- */

swq_status cli_dc_read_schedule(swq_context *ctx, swq_dc *dc)
{
    double quantum[SWQ_DC_CLASSES];
    int schedule = dc->schedule;
    swq_status status = cli_dc_read_word(ctx, "schedule", swq_dc_schedule_words, &schedule);

    dc->schedule = (swq_dc_schedule)schedule;
    if (status || !cli_dc_given("quantum"))
        return status;
    if (dc->schedule != SWQ_DC_DRR)
        return swq_fail(ctx, SWQ_EINVAL, "--quantum is for --schedule drr");
    status = cli_dc_read_each(ctx, "quantum", "classes", 1, 1e6, dc->classes, quantum);
    if (!status)
        status = cli_dc_refuse_fractions(ctx, "quantum", quantum, dc->classes);
    for (int k = 0; k < dc->classes && !status; k++)
        dc->quantum[k] = (uint32_t)quantum[k];
    return status;
}

swq_status cli_dc_read_cut_through(swq_context *ctx, swq_dc *dc)
{
    static const char *const words[] = {"off", "on", NULL};
    uint64_t header = dc->cut_after;
    int on = 0;
    swq_status status = cli_dc_read_word(ctx, "cut-through", words, &on);

    dc->cut_through = on == 1;
    if (!status && cli_dc_given("cut-after") && !on)
        return swq_fail(ctx, SWQ_EINVAL, "--cut-after is for --cut-through on");
    if (!status)
        status = cli_dc_read_units(ctx, "cut-after", SWQ_UNITS_SIZE, 1, 1000000, &header);
    dc->cut_after = (uint32_t)header;
    return status;
}

swq_status cli_dc_read_marks(swq_context *ctx, swq_dc *dc)
{
    const char *text = cli_dc_given("ecn");
    swq_dc_marking *m = &dc->marking;
    int at = 0;
    swq_status status = cli_dc_read_word(ctx, "mark-at", on_words, &at);

    if (status)
        return status;
    if (cli_dc_given("mark-at") && !text)
        return swq_fail(ctx, SWQ_EINVAL, "--mark-at needs --ecn");
    if (!text)
        return SWQ_OK;
    *m = (swq_dc_marking){.on = true, .at_dequeue = at == 1};
    if (strncmp(text, "step:", 5) == 0) {
        status = swq_units_read(ctx, "--ecn step", SWQ_UNITS_SIZE, text + 5, 0, SWQ_DC_MOST_MEMORY,
                                &m->low);
        m->high = m->low;
        return status;
    }
    char low[40], high[40], most[40];
    if (sscanf(text, "red:%39[^,],%39[^,],%39[^,]", low, high, most) != 3)
        return swq_fail(ctx, SWQ_EINVAL, "--ecn must be step:K or red:KMIN,KMAX,PMAX, not '%.60s'",
                        text);
    status = swq_units_read(ctx, "--ecn red", SWQ_UNITS_SIZE, low, 0, SWQ_DC_MOST_MEMORY, &m->low);
    if (!status)
        status = swq_units_read(ctx, "--ecn red", SWQ_UNITS_SIZE, high, m->low, SWQ_DC_MOST_MEMORY,
                                &m->high);
    return status ? status : cli_number(ctx, "ecn red", most, 0, 1, &m->most);
}
