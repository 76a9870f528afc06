#include "sim/net.h"
swq_stage_fn *swq_transmit_fast(const swq_net *net)
{
    (void)net;
    return NULL;
}
swq_sources_fn *swq_create_fast(const swq_net *net)
{
    (void)net;
    return NULL;
}
