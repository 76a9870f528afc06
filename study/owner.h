/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which process this is, in a way that no later process can be taken for it, and whether such a
 * process lives.
 */
#ifndef SWQ_STUDY_OWNER_H
#define SWQ_STUDY_OWNER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct swq_owner {
    char host[64];
    char machine[128]; /* boot id and pid namespace, within which a pid identifies a process */
    int64_t pid;
    int64_t started; /* clock ticks since boot; 0: unknown */
} swq_owner;

/* Fills in the owner that stands for this process. */
void swq_owner_self(swq_owner *self);

/* Is that process of this machine alive? A zombie is not. */
bool swq_owner_lives(int64_t pid, int64_t started);

/* Is the folder of a file on a network file system, where several machines may see the file but
 * cannot share memory? */
bool swq_owner_far_file(const char *path);

#endif
