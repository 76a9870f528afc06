/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The exact flows through the nodes of a torus or mesh under uniform traffic.
 *
 * Dimensions are traversed in order, so the number of pairs whose route passes a port of a node is
 * a product: dimensions before the port's have been traversed (any source coordinate, the node's
 * own as destination), and dimensions after it have not. It remains to count routes within one ring
 * or row.
 */
#include "approx/torus/torus.h"

#include "base/context.h"

enum { ARRAYS = 6, MOST_KINDS = 1 << 20 };

/* ---- one dimension ---- */

/* How many of the numbers from .. from + count - 1 have this parity. */
static int of_parity(int from, int count, int parity)
{
    return count <= 0 ? 0 : (count + ((from ^ parity) % 2 == 0)) / 2;
}

static void count_row(torus_dim *d, int c)
{
    const int before = c, behind = d->extent - 1 - c;

    for (int down = 0; down < 2; down++) {
        d->through[down][c] = (double)before * behind;
        d->arrive[down][c] = down ? behind : before;
        d->leave[down][c] = down ? before : behind;
    }
}

static void count_ring(torus_dim *d, int c, bool one_way)
{
    const int k = d->extent, near = one_way ? k - 1 : (k - 1) / 2;
    const bool halfway = !one_way && k % 2 == 0;

    for (int down = 0; down < (one_way ? 1 : 2); down++) {
        d->through[down][c] = (double)near * (near - 1) / 2;
        d->arrive[down][c] = d->leave[down][c] = near;
        if (!halfway)
            continue;
        /* packets that go halfway: even sources send up and odd ones down; adding k makes
         * coordinates positive */
        const int from = down ? c + 1 : c + k - (k / 2 - 1);
        d->through[down][c] += of_parity(from, k / 2 - 1, down);
        d->arrive[down][c] += (c + k / 2) % 2 == down;
        d->leave[down][c] += c % 2 == down;
    }
}

static int kinds_of(const torus_net *net, int extent)
{
    if (!net->torus)
        return extent % 2 == 0 ? extent / 2 : extent;
    return !net->one_way && extent % 2 == 0 ? 2 : 1;
}

static double *take(double **at, int count)
{
    double *taken = *at;

    *at += count;
    return taken;
}

static void count_dim(torus_net *net, torus_dim *d, double **store)
{
    for (int down = 0; down < 2; down++) {
        d->through[down] = take(store, d->kinds);
        d->arrive[down] = take(store, d->kinds);
        d->leave[down] = take(store, d->kinds);
    }
    for (int c = 0; c < d->kinds; c++) {
        if (net->torus)
            count_ring(d, c, net->one_way);
        else
            count_row(d, c);
    }
}

/* ---- all of them ---- */

swq_status torus_net_make(swq_context *ctx, const swq_shape *shape, torus_net *net)
{
    torus_net n = {.dims = shape->dims,
                   .torus = shape->kind->rings,
                   .one_way = shape->one_way,
                   .nodes = 1,
                   .kinds = 1};
    size_t total = 0;

    n.ports = 2 * n.dims + 1;
    for (int j = 0; j < n.dims; j++) {
        torus_dim *d = &n.dim[j];
        d->extent = shape->kind->grid ? shape->extent[j] : 2;
        d->kinds = kinds_of(&n, d->extent);
        n.nodes *= d->extent;
        n.kinds *= (uint64_t)d->kinds; /* at most as many as nodes */
        total += (size_t)d->kinds * ARRAYS;
    }
    if (n.kinds > MOST_KINDS)
        return swq_fail(ctx, SWQ_ELIMIT,
                        "a mesh with nodes in %llu different places is too large: at most %d",
                        (unsigned long long)n.kinds, MOST_KINDS);
    n.store = swq_calloc(ctx, total, sizeof *n.store);
    if (!n.store)
        return swq_memory_status(ctx);
    double *at = n.store;
    for (int j = 0; j < n.dims; j++)
        count_dim(&n, &n.dim[j], &at);
    *net = n;
    return SWQ_OK;
}

void torus_net_clear(swq_context *ctx, torus_net *net)
{
    swq_free(ctx, net->store);
    net->store = NULL;
}

torus_kind torus_kind_of(const torus_net *net, uint64_t number)
{
    torus_kind kind = {.weight = 1};

    for (int j = 0; j < net->dims; j++) {
        kind.kind[j] = (int)(number % (uint64_t)net->dim[j].kinds);
        number /= (uint64_t)net->dim[j].kinds;
        kind.weight *= (double)net->dim[j].extent / net->dim[j].kinds;
    }
    return kind;
}

uint64_t torus_next(const torus_net *net, const torus_kind *kind, int port, int *next_port)
{
    const int k = port / 2, extent = net->dim[k].extent;
    uint64_t number = 0;

    *next_port = port;
    for (int j = net->dims - 1; j >= 0; j--) {
        int c = kind->kind[j];
        if (j == k) {
            c += port % 2 ? -1 : 1;
            if (net->torus) {
                c = (c + extent) % net->dim[j].kinds;
            } else if (c >= net->dim[j].kinds) {
                c = extent - 1 - c;
                *next_port = port ^ 1;
            }
        }
        number = number * (uint64_t)net->dim[j].kinds + (uint64_t)c;
    }
    return number;
}

static void put(torus_flows *f, int in, int out, double flow)
{
    f->flow[in][out] = flow;
    f->in[in] += flow;
    f->out[out] += flow;
}

void torus_flows_of(const torus_net *net, const torus_kind *kind, torus_flows *flows)
{
    const int host = net->ports - 1;
    double before = 1, behind[SWQ_MAX_DIMS + 1]; /* products of extents */

    *flows = (torus_flows){.in = {0}};
    behind[net->dims] = 1 / (net->nodes - 1);
    for (int j = net->dims - 1; j >= 0; j--)
        behind[j] = behind[j + 1] * net->dim[j].extent;
    for (int j = 0; j < net->dims; j++) {
        const torus_dim *d = &net->dim[j];
        const int c = kind->kind[j];
        for (int p = 0; p < 2; p++) {
            const int port = 2 * j + p;
            put(flows, port, port, before * d->through[p][c] * behind[j + 1]);
            put(flows, port, host, before * d->arrive[p][c] / (net->nodes - 1));
            put(flows, host, port, d->leave[p][c] * behind[j + 1]);
            for (int to = port / 2 * 2 + 2; to < host; to++)
                put(flows, port, to,
                    before * d->arrive[p][c] * net->dim[to / 2].leave[to % 2][kind->kind[to / 2]] *
                        behind[to / 2 + 1]);
        }
        before *= d->extent;
    }
}
