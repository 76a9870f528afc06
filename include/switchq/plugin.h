/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing a plug-in: a shared object with rows for the tables of switchq. A row has the same type
 * as the built-in ones, so a rule becomes part of the program by moving its file. A plug-in is one
 * source file or several; one of them ends with SWQ_PLUGIN:
 *
 *     #include <switchq/plugin.h>
 *
 *     static void arbitrate(const swq_requests *r, swq_dice *dice, int *grant) { ... }
 *     static const swq_arbiter mine = {.name = "mine", .summary = "...", .arbitrate = arbitrate};
 *     static const swq_arbiter *const arbiters[] = {&mine, NULL};
 *     SWQ_PLUGIN(.arbiters = arbiters)
 *
 *     cc -shared -fPIC -fvisibility=hidden mine.c -o mine.so
 *     switchq solve --plugin ./mine.so --arbiter mine --buffer damq --ports 2 --slots 4 --load 0.9
 *
 * It is linked to nothing: the program hands it the functions that rules call, swq_dice_fair and
 * swq_dice_loaded. Only their declarations need GSL's headers.
 */
#ifndef SWITCHQ_PLUGIN_H
#define SWITCHQ_PLUGIN_H

#include "switchq/arbiter.h"
#include "switchq/buffer.h"
#include "switchq/traffic.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. It grows whenever a structure below, or of the rows, changes. */
enum { SWQ_PLUGIN_ABI = 4 };

/* Structures that a plug-in and the program share: their sizes are compared, too. */
enum { SWQ_PLUGIN_SIZES = 8 };
#define SWQ_PLUGIN_SIZES_HERE                                                                      \
    {                                                                                              \
        sizeof(swq_arbiter), sizeof(swq_requests), sizeof(swq_dice), sizeof(swq_pattern),          \
            sizeof(swq_places), sizeof(swq_buffer_kind), sizeof(swq_pool_rule),                    \
            sizeof(swq_admission_rule) + sizeof(swq_buffer)                                        \
    }

/* What the program does for rules. */
typedef struct swq_plugin_services {
    int (*dice_fair)(swq_dice *dice, int faces);
    int (*dice_loaded)(swq_dice *dice, const double *weight, int faces);
} swq_plugin_services;

/* What a plug-in has, each list of rows ended by NULL; NULL: none. Names of rows are lower-case
 * letters, digits and hyphens, 31 at most, and begin with a letter. */
typedef struct swq_plugin {
    uint32_t abi;                           /* SWQ_PLUGIN_ABI */
    uint32_t size[SWQ_PLUGIN_SIZES];        /* SWQ_PLUGIN_SIZES_HERE */
    const swq_plugin_services **services;   /* where the program leaves what it does */
    const swq_arbiter *const *arbiters;     /* --arbiter */
    const swq_pattern *const *patterns;     /* --traffic: rows with `image`, fixed permutations */
    const swq_buffer_kind *const *buffers;  /* --buffer: presets */
    const swq_pool_rule *const *pool_rules; /* --pool-rule */
    const swq_admission_rule *const *admission_rules; /* --admission */
} swq_plugin;

#ifndef SWQ_PLUGIN_HOST /* in a plug-in, not in a program that loads one */

extern const swq_plugin_services *swq_plugin_given __attribute__((visibility("hidden")));

#define swq_dice_fair(dice, faces) (swq_plugin_given->dice_fair((dice), (faces)))
#define swq_dice_loaded(dice, weight, faces)                                                       \
    (swq_plugin_given->dice_loaded((dice), (weight), (faces)))

/* The one symbol by which the program finds a plug-in. */
#define SWQ_PLUGIN(...)                                                                            \
    const swq_plugin_services *swq_plugin_given;                                                   \
    extern const swq_plugin switchq_plugin __attribute__((visibility("default")));                 \
    const swq_plugin switchq_plugin = {.abi = SWQ_PLUGIN_ABI,                                      \
                                       .size = SWQ_PLUGIN_SIZES_HERE,                              \
                                       .services = &swq_plugin_given,                              \
                                       __VA_ARGS__};

#endif

#ifdef __cplusplus
}
#endif
#endif
