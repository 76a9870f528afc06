/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The banks of a hipiqs input buffer, if outputs take turns at them (Sivaram, Stunkel and Panda,
 * 1997, 3.3): in each cycle one output may begin to read a chunk of an input, at its first bank.
 */
#ifndef SWQ_SIM_SWITCHES_HIPIQS_BANKS_H
#define SWQ_SIM_SWITCHES_HIPIQS_BANKS_H

#include <stdbool.h>
#include <stdint.h>

/* A queue's flits in the banks and past them. Flits are numbered as in flits.h. */
typedef struct swq_bank_queue {
    uint32_t came[3]; /* flits that had come to the input's register 1, 2 and 3 cycles ago */
    uint32_t fed[3];  /* flits that had gone to the crosspoint by then */
    uint32_t read;    /* the flit behind the last flit that was read from a bank */
    uint32_t first;   /* if flits are in the memory: a flit that begins a chunk */
    uint32_t behind;  /* gaps in the packet that is leaving */
    bool reading;     /* in the middle of a chunk */
} swq_bank_queue;

#endif
