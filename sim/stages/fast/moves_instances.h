/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions that move packets and create packets, for one instruction set: included by the
 * files that define TABLE, the name of their table. With FEW_FORMS most numbers of ports share a
 * form, which is compiled in half the time.
 */
#ifndef SWQ_SIM_STAGES_FAST_MOVES_INSTANCES_H
#define SWQ_SIM_STAGES_FAST_MOVES_INSTANCES_H

#include "sim/stages/fast/creation.h"
#include "sim/stages/fast/moves.h"

#define SHAPE(n, q, w, p, k)                                                                       \
    (shape)                                                                                        \
    {                                                                                              \
        .ports = (n), .queues = (q), .bits = swq_output_bits(n), .known = (k), .word = (w),        \
        .pieces = (p)                                                                              \
    }
#define MOVES(name, n, q, w, k)                                                                    \
    static void deliver_##name(swq_net *net, const swq_stage_wiring *at, const swq_leaving *list,  \
                               int packets)                                                        \
    {                                                                                              \
        deliver(net, SHAPE(n, q, w, false, k), *at, list, packets);                                \
    }                                                                                              \
    static void take_##name(swq_net *net, const swq_stage_wiring *at, const swq_leaving *list,     \
                            int packets, swq_packet *taken)                                        \
    {                                                                                              \
        take_all(net, SHAPE(n, q, w, false, k), *at, list, packets, taken);                        \
    }                                                                                              \
    static void move_##name(swq_net *net, const swq_stage_wiring *at, const swq_leaving *list,     \
                            int packets)                                                           \
    {                                                                                              \
        move(net, SHAPE(n, q, w, false, k), *at, list, packets, false);                            \
    }
#define OFFER(name, n, q, w, p, k)                                                                 \
    static int offer_##name(swq_net *net, const swq_stage_wiring *at, const swq_leaving *list,     \
                            int packets)                                                           \
    {                                                                                              \
        return move(net, SHAPE(n, q, w, p, k), *at, list, packets, true);                          \
    }
/* One queue, and several, which differ only where there may be no room. */
#define ONE(name, n, w, k) MOVES(one_##name, n, 1, w, k) OFFER(one_##name, n, 1, w, false, k)
#define MANY(name, n, w, k)                                                                        \
    MOVES(many_##name, n, n, w, k)                                                                 \
    OFFER(whole_##name, n, n, w, false, k) OFFER(pieces_##name, n, n, w, true, k)
#define MOVER(name, offers)                                                                        \
    {                                                                                              \
        deliver_##name, take_##name, move_##name, offer_##offers                                   \
    }
#define MOVERS(name) MOVERS_OF(name, MOVER(many_##name, whole_##name))
#define MOVERS_OF(name, whole)                                                                     \
    {                                                                                              \
        MOVER(one_##name, one_##name), whole, MOVER(many_##name, pieces_##name)                    \
    }
#define FORMS(name, n, w, k) ONE(name, n, w, k) MANY(name, n, w, k)

#define CREATE(name, n, q, w, p)                                                                   \
    static void create_##name(swq_net *net)                                                        \
    {                                                                                              \
        create(net, SHAPE(n, q, w, p, false), false);                                              \
    }                                                                                              \
    static void create_alike_##name(swq_net *net)                                                  \
    {                                                                                              \
        create(net, SHAPE(n, q, w, p, false), true);                                               \
    }
#define CREATES(name, n, w, shared_w)                                                              \
    CREATE(one_##name, n, 1, w, false)                                                             \
    CREATE(whole_##name, n, n, shared_w, false)                                                    \
    CREATE(pieces_##name, n, n, w, true)
#define CREATE_ROW(name)                                                                           \
    {                                                                                              \
        {create_one_##name, create_alike_one_##name},                                              \
            {create_whole_##name, create_alike_whole_##name},                                      \
        {                                                                                          \
            create_pieces_##name, create_alike_pieces_##name                                       \
        }                                                                                          \
    }
#define CREATE_TABLE                                                                               \
    {                                                                                              \
        {CREATE_ROW(n_short), CREATE_ROW(4_short)}, {CREATE_ROW(n_word), CREATE_ROW(4_word)},      \
        {                                                                                          \
            CREATE_ROW(n_list), CREATE_ROW(n_list)                                                 \
        }                                                                                          \
    }

ONE(4_short, 4, 16, true)
MOVES(many_4_short, 4, 4, 16, true)
OFFER(pieces_4_short, 4, 4, 16, true, true)
MOVES(packed, 4, 4, PACKED, true)
OFFER(packed, 4, 4, PACKED, false, true)
FORMS(n_short, net->ports, 16, false)
FORMS(n_word, net->ports, 64, false)
FORMS(n_list, net->ports, 0, false)

CREATES(4_short, 4, 16, PACKED)
CREATES(n_short, net->ports, 16, 16)
CREATES(4_word, 4, 64, 64)
CREATES(n_word, net->ports, 64, 64)
CREATES(n_list, net->ports, 0, 0)

#define PACKED_MOVERS MOVERS_OF(4_short, MOVER(packed, packed))

#ifdef FEW_FORMS
const swq_fast_moves TABLE = {
    .mover = {{MOVERS(n_short), PACKED_MOVERS, MOVERS(n_short), MOVERS(n_short)},
              {MOVERS(n_word), MOVERS(n_word), MOVERS(n_word), MOVERS(n_word)},
              {MOVERS(n_list), MOVERS(n_list), MOVERS(n_list), MOVERS(n_list)}},
    .create = CREATE_TABLE,
    .redraw = redraw_alike,
    .show = show_room,
};
#else
FORMS(2_short, 2, 16, true)
FORMS(8_short, 8, 16, true)
FORMS(2_word, 2, 64, true)
FORMS(4_word, 4, 64, true)
FORMS(8_word, 8, 64, true)
FORMS(4_list, 4, 0, true)

const swq_fast_moves TABLE = {
    .mover = {{MOVERS(2_short), PACKED_MOVERS, MOVERS(8_short), MOVERS(n_short)},
              {MOVERS(2_word), MOVERS(4_word), MOVERS(8_word), MOVERS(n_word)},
              {MOVERS(n_list), MOVERS(4_list), MOVERS(n_list), MOVERS(n_list)}},
    .create = CREATE_TABLE,
    .redraw = redraw_alike,
    .show = show_room,
};
#endif

#endif
