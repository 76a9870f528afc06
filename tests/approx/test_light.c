/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Next to no load: every method on every buffer that it takes delivers what is offered, in the time
 * of a packet that meets nobody.
 */
#include "switchq/approx.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

TestSuite(approx_light, .timeout = 480);

static const double loads[] = {0, 1e-300, 1e-30, 1e-15, 1e-9, 9.9e-7, 1e-6, 1e-3};

typedef struct {
    int ports, slots, stages;
    swq_flow flow;
    swq_credit credit;
} light_shape;

static swq_network network_of(swq_context *ctx, const swq_buffer_kind *kind, const light_shape *as,
                              const swq_approx_method *method)
{
    swq_network n = {.shape = {.kind = &swq_fabric_multistage,
                               .wiring = swq_topologies[0],
                               .stages = as->stages},
                     .traffic = swq_traffic_defaults()};

    n.sw = test_switch(ctx, kind->name, as->ports, as->slots, 0.5, "rotating");
    n.sw.flow = as->flow;
    n.sw.credit = as->credit;
    if (strcmp(method->name, "hot-tree") == 0) {
        n.traffic.hot_spots = 1;
        n.traffic.hot[0].fraction = 0.1;
    }
    return n;
}

/* A small fraction of packets meet: throughput and latency are off by no more than that. */
static void expect_light(const char *what, const swq_approx_result *r, double load)
{
    const double part = 3 * load + 1e-9, passed = load * (1 - r->discard_fraction);

    cr_expect_eq(r->load, load, "%s: %g", what, r->load);
    cr_expect(r->converged, "%s at %g: change %g", what, load, r->change);
    cr_expect(fabs(r->throughput - passed) <= 2e-6 * load, "%s at %g: throughput %g", what, load,
              r->throughput);
    cr_expect(fabs(r->latency - r->stages) <= part * r->stages, "%s at %g: latency %.15g", what,
              load, r->latency);
    cr_expect(r->discard_fraction >= 0 && r->discard_fraction <= 4 * load, "%s at %g: discards %g",
              what, load, r->discard_fraction);
    cr_expect(r->refusal >= 0 && r->refusal <= part, "%s at %g: refusal %g", what, load,
              r->refusal);
    cr_expect(r->source_queue >= 0 && r->source_queue <= part, "%s at %g: %g at sources", what,
              load, r->source_queue);
    for (int s = 0; s < r->stages; s++) {
        const swq_approx_stage *stage = &r->stage[s];
        cr_expect(!(fabs(stage->sent - load) > 1e-4 * load + 4 * load * load),
                  "%s at %g: stage %d sends %g", what, load, s + 1, stage->sent);
        cr_expect(!(stage->blocked < -1e-9 || stage->blocked > 8 * load + 1e-9),
                  "%s at %g: stage %d blocked %g", what, load, s + 1, stage->blocked);
    }
}

static int try_method(swq_context *ctx, const swq_approx_method *method,
                      const swq_buffer_kind *kind, const light_shape *as)
{
    char what[160];
    int answered = 0;

    snprintf(what, sizeof what, "%s: %s, %d x %d, %d slots, flow %d, credit %d", method->name,
             kind->name, as->ports, as->ports, as->slots, (int)as->flow, (int)as->credit);
    for (size_t k = 0; k < sizeof loads / sizeof *loads; k++) {
        swq_network n = network_of(ctx, kind, as, method);
        swq_approx_result r;
        n.traffic.load = loads[k];
        n.sw.priority.fraction = strcmp(method->name, "classes") == 0 ? 0.25 : 0;
        swq_status status = swq_approx_run(ctx, &n, method, &r);
        if (status == SWQ_EINVAL)
            continue;
        cr_expect_eq(status, SWQ_OK, "%s at %g: %s", what, loads[k], swq_context_message(ctx));
        expect_light(what, &r, loads[k]);
        answered++;
    }
    cr_expect(answered == 0 || answered == sizeof loads / sizeof *loads, "%s: %d loads answered",
              what, answered);
    return answered;
}

Test(approx_light, every_method_and_buffer)
{
    static const light_shape shapes[] = {
        {8, 4, 1, SWQ_DISCARD, SWQ_CREDIT_SAME}, {2, 1, 2, SWQ_DISCARD, SWQ_CREDIT_SAME},
        {2, 1, 2, SWQ_BLOCK, SWQ_CREDIT_SAME},   {2, 1, 2, SWQ_BLOCK, SWQ_CREDIT_NEXT},
        {2, 4, 3, SWQ_DISCARD, SWQ_CREDIT_SAME}, {2, 4, 3, SWQ_BLOCK, SWQ_CREDIT_SAME},
        {2, 4, 3, SWQ_BLOCK, SWQ_CREDIT_NEXT},   {4, 4, 2, SWQ_DISCARD, SWQ_CREDIT_SAME},
        {4, 4, 2, SWQ_BLOCK, SWQ_CREDIT_SAME},   {4, 4, 2, SWQ_BLOCK, SWQ_CREDIT_NEXT}};
    swq_context *ctx = swq_context_new();

    for (int m = 0; swq_approx_methods[m]; m++) {
        int answered = 0;
        for (int b = 0; swq_buffer_kinds[b]; b++) {
            for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
                if (shapes[k].slots < swq_buffer_least(swq_buffer_kinds[b], NULL, shapes[k].ports))
                    continue;
                answered += try_method(ctx, swq_approx_methods[m], swq_buffer_kinds[b], &shapes[k]);
            }
        }
        cr_expect(answered > 0 || !swq_approx_methods[m]->run, "%s has answered nothing",
                  swq_approx_methods[m]->name);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}
