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
    swq_status status = SWQ_OK;

    if (text)
        status = swq_units_memory_read(ctx, "--memory", text, &amount);
    if (!status && d->graph)
        status = give_memories(ctx, d, &amount);
    else if (!status && text)
        status = read_amount(ctx, dc, &amount);
    return status;
}

/* Refuses options of other networks that the rule does not take. */
static swq_status refuse_parameters(swq_context *ctx, const swq_admission_rule *rule)
{
    const struct {
        const char *option;
        unsigned bit;
    } of_rules[] = {{"alpha", SWQ_ADMISSION_ALPHA},         {"class-alpha", SWQ_ADMISSION_ALPHA},
                    {"queue-max", SWQ_ADMISSION_QUEUE_MAX}, {"queue-min", SWQ_ADMISSION_QUEUE_MIN},
                    {"ties", SWQ_ADMISSION_TIES},           {"drop", SWQ_ADMISSION_DROP},
                    {"congested", SWQ_ADMISSION_CONGESTED}, {"oracle", SWQ_ADMISSION_ORACLE}};
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
    return SWQ_OK;
}

swq_status cli_dc_read_rule(swq_context *ctx, swq_dc *dc)
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
    int ties = m->ties, head = 0;
    const uint64_t most = swq_dc_largest_memory(dc);
    swq_status status = read_alphas(ctx, dc);

    if (!cli_dc_given("expel-bucket"))
        m->expel_bucket = (1500 + m->cell - 1) / m->cell;
    if (!status)
        status = cli_dc_read_units(ctx, "queue-max", SWQ_UNITS_SIZE, 1, most, &m->queue_max);
    if (!status)
        status = cli_dc_read_units(ctx, "queue-min", SWQ_UNITS_SIZE, 0, m->bytes, &m->queue_min);
    if (!status)
        status = cli_dc_read_units(ctx, "congested", SWQ_UNITS_SIZE, 1, most, &m->congested);
    if (!status && m->gamma == 1)
        status = swq_fail(ctx, SWQ_EINVAL, "--gamma must be below 1, not '%.60s'",
                          cli_dc_given("gamma"));
    if (!status)
        status = cli_dc_read_word(ctx, "ties", swq_ties_words, &ties);
    if (!status)
        status = cli_dc_read_word(ctx, "drop", drop_words, &head);
    m->ties = (swq_ties)ties;
    m->drop_head = head == 1;
    return status;
}

/* ---- ports ---- */

swq_status cli_dc_read_quanta(swq_context *ctx, swq_dc *dc)
{
    double quantum[SWQ_DC_CLASSES];

    if (!cli_dc_given("quantum"))
        return SWQ_OK;
    swq_status status = cli_dc_read_each(ctx, "quantum", "classes", 1, 1e6, dc->classes, quantum);
    if (!status)
        status = cli_dc_refuse_fractions(ctx, "quantum", quantum, dc->classes);
    for (int k = 0; k < dc->classes && !status; k++)
        dc->quantum[k] = (uint32_t)quantum[k];
    return status;
}

swq_status cli_dc_read_cut_through(swq_context *ctx, swq_dc *dc)
{
    static const char *const words[] = {"off", "on", NULL};
    int on = 0;
    const swq_status status = cli_dc_read_word(ctx, "cut-through", words, &on);

    dc->cut_through = on == 1;
    return status;
}

swq_status cli_dc_read_marks(swq_context *ctx, swq_dc *dc)
{
    const char *text = cli_dc_given("ecn");
    swq_dc_marking *m = &dc->marking;
    swq_status status = SWQ_OK;

    if (!text)
        return SWQ_OK;
    m->on = true;
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
