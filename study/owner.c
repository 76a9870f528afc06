/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Processes by pid and start time, from Linux's /proc (proc(5)).
 */
#include "study/owner.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/vfs.h>
#include <unistd.h>

/* The first line of a file without its line end; "" if it cannot be read. */
static void first_line(const char *path, char *text, int room)
{
    FILE *file = fopen(path, "r");

    if (!file || !fgets(text, room, file))
        *text = '\0';
    if (file)
        fclose(file);
    text[strcspn(text, "\n")] = '\0';
}

/* Reads from /proc the state of a process (field 3) and when it was started (field 22). The second
 * field, a name in brackets, may contain anything. False: there is no such process. */
static bool stat_of(int64_t pid, char *state, int64_t *started)
{
    char path[40], line[1024];

    snprintf(path, sizeof path, "/proc/%lld/stat", (long long)pid);
    first_line(path, line, sizeof line);
    const char *at = strrchr(line, ')');
    if (!at || !at[1])
        return false;
    *state = at[2];
    for (int field = 2; field < 22 && at; field++)
        at = strchr(at + 1, ' ');
    *started = at ? strtoll(at, NULL, 10) : 0;
    return at != NULL;
}

void swq_owner_self(swq_owner *self)
{
    char boot[48], space[40] = "", state;

    *self = (swq_owner){.pid = getpid()};
    if (gethostname(self->host, sizeof self->host - 1) || !*self->host)
        snprintf(self->host, sizeof self->host, "unknown");
    first_line("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
    const ssize_t length = readlink("/proc/self/ns/pid", space, sizeof space - 1);
    space[length > 0 ? length : 0] = '\0';
    snprintf(self->machine, sizeof self->machine, "%s %s", *boot ? boot : self->host, space);
    if (!stat_of(self->pid, &state, &self->started))
        self->started = 0;
}

bool swq_owner_lives(int64_t pid, int64_t started)
{
    char state;
    int64_t now;

    if (stat_of(pid, &state, &now))
        return state != 'Z' && state != 'X' && (started == 0 || started == now);
    return access("/proc/self/stat", R_OK) != 0 && (kill((pid_t)pid, 0) == 0 || errno == EPERM);
}

bool swq_owner_far_file(const char *path)
{
    /* NFS, SMB, CIFS, SMB2, Ceph, AFS, Lustre, GPFS, BeeGFS, 9P: statfs(2) and their sources */
    static const unsigned long far[] = {0x6969,     0x517b,     0xff534d42, 0xfe534d42, 0x00c36400,
                                        0x5346414f, 0x0bd00bd0, 0x47504653, 0x19830326, 0x01021997};
    char folder[4096];
    struct statfs fs;

    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    if (statfs(slash ? folder : ".", &fs))
        return false;
    for (size_t k = 0; k < sizeof far / sizeof *far; k++) {
        if (((unsigned long)fs.f_type & 0xffffffff) == far[k])
            return true;
    }
    return false;
}
