/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of methods, and running one on a checked spec.
 * Room: approx. Includes base.
 */
#include "approx/methods.h"

#include "base/context.h"
#include "base/names.h"

#include <math.h>
#include <time.h>

const swq_approx_method *const swq_approx_methods[] = {&approx_links, NULL};

swq_status swq_approx_run(swq_context *ctx, const swq_network *network,
                          const swq_approx_method *method, swq_approx_result *result)
{
    (void)ctx;
    *result = (swq_approx_result){.load = network->traffic.load,
                                  .stages = network->stages,
                                  .nodes = pow(network->sw.ports, network->stages)};
    method = method ? method : &approx_links;
    result->method = method->name;
    return method->run(ctx, network, result);
}
