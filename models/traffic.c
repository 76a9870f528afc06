/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where packets go: named patterns and a given matrix.
 */
#include "base/context.h"
#include "switchq/switch.h"

#include <math.h>

static swq_status check_ports(swq_context *ctx, const swq_switch *sw)
{
    if (sw->ports >= 1 && sw->ports <= SWQ_CHAIN_PORTS)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL, "ports must be 1 to %d, not %d", SWQ_CHAIN_PORTS, sw->ports);
}

void swq_traffic_uniform(swq_switch *sw)
{
    /* a wrong number of ports is reported by swq_switch_check */
    for (int i = 0; i < sw->ports && sw->ports <= SWQ_CHAIN_PORTS; i++) {
        for (int j = 0; j < sw->ports; j++)
            sw->dest[i][j] = 1.0 / sw->ports;
    }
}

swq_status swq_traffic_hotspot(swq_context *ctx, swq_switch *sw, double fraction, int hot)
{
    swq_status status = check_ports(ctx, sw);
    if (status)
        return status;
    if (!(fraction >= 0 && fraction <= 1))
        return swq_fail(ctx, SWQ_EINVAL, "hot-spot fraction must be 0 to 1, not %g", fraction);
    if (hot < 0 || hot >= sw->ports)
        return swq_fail(ctx, SWQ_EINVAL, "hot-spot output must be 0 to %d, not %d", sw->ports - 1,
                        hot);
    for (int i = 0; i < sw->ports; i++) {
        for (int j = 0; j < sw->ports; j++)
            sw->dest[i][j] = (1 - fraction) / sw->ports + (j == hot ? fraction : 0);
    }
    return SWQ_OK;
}

swq_status swq_traffic_matrix(swq_context *ctx, swq_switch *sw, const double *matrix)
{
    double scale[SWQ_CHAIN_PORTS];
    swq_status status = check_ports(ctx, sw);
    if (status)
        return status;
    for (int i = 0; i < sw->ports; i++) {
        const double *row = matrix + (size_t)i * (size_t)sw->ports;
        double sum = 0;
        for (int j = 0; j < sw->ports; j++) {
            if (!(row[j] >= 0 && row[j] <= 1))
                return swq_fail(ctx, SWQ_EINVAL,
                                "destination probability of input %d, output %d must be 0 to 1, "
                                "not %g",
                                i, j, row[j]);
            sum += row[j];
        }
        if (fabs(sum - 1) > 1e-9)
            return swq_fail(ctx, SWQ_EINVAL,
                            "destination probabilities of input %d must sum to 1, not %.12g", i,
                            sum);
        scale[i] = sum;
    }
    for (int i = 0; i < sw->ports; i++) {
        for (int j = 0; j < sw->ports; j++)
            sw->dest[i][j] = matrix[i * sw->ports + j] / scale[i];
    }
    return SWQ_OK;
}
