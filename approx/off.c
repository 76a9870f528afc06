/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The error of a method in a network like the one in question. A method that was measured in
 * networks of one kind has a sentence about these networks, and says whether the network in
 * question is one of them.
 */
#include "approx/methods.h"

#include <stdio.h>

const char *swq_approx_off(const swq_approx_method *method, const swq_network *network, char *text,
                           size_t size)
{
    return method->off ? method->off(network, text, size) : NULL;
}

const char *approx_off_where(bool there, const char *where, const char *off, char *text,
                             size_t size)
{
    if (there)
        snprintf(text, size, "%s", off);
    else
        snprintf(text, size,
                 "it was not measured in a network like this one; in %s the following was found: "
                 "%s",
                 where, off);
    return text;
}
