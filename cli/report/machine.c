/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq report: the machine and the program that the numbers come from.
 */
#include "base/context.h"
#include "cli/report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The text after `key` and a separator in the first line that begins with `key`. */
static bool line_of(const char *path, const char *key, char *text, size_t size)
{
    char line[512];
    bool found = false;
    FILE *file = fopen(path, "r");

    while (file && !found && fgets(line, sizeof line, file)) {
        if (strncmp(line, key, strlen(key)) != 0)
            continue;
        const char *at = line + strlen(key);
        at += strspn(at, " \t:=\"");
        snprintf(text, size, "%.*s", (int)strcspn(at, "\"\n"), at);
        found = *text != '\0';
    }
    if (file)
        fclose(file);
    return found;
}

static void add_memory(cJSON *machine)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    char text[40];

    if (pages > 0 && size > 0)
        cJSON_AddStringToObject(machine, "memory",
                                swq_bytes_text((double)pages * (double)size, text, sizeof text));
}

cJSON *cli_machine(void)
{
    cJSON *machine = cJSON_CreateObject();
    struct utsname name;
    char text[256];

    if (line_of("/proc/cpuinfo", "model name", text, sizeof text))
        cJSON_AddStringToObject(machine, "cpu", text);
    cJSON_AddNumberToObject(machine, "cores", (double)sysconf(_SC_NPROCESSORS_ONLN));
    add_memory(machine);
    if (line_of("/etc/os-release", "PRETTY_NAME", text, sizeof text))
        cJSON_AddStringToObject(machine, "system", text);
    if (uname(&name) == 0) {
        snprintf(text, sizeof text, "%.60s %.90s %.60s", name.sysname, name.release, name.machine);
        cJSON_AddStringToObject(machine, "kernel", text);
    }
#if defined __clang__
    cJSON_AddStringToObject(machine, "compiler", __VERSION__);
#else
    cJSON_AddStringToObject(machine, "compiler", "gcc " __VERSION__);
#endif
    return machine;
}

/* FNV-1a: it has to distinguish builds, not withstand attacks. */
void cli_program_digest(char text[20])
{
    static unsigned char piece[1 << 16];
    uint64_t hash = 0xcbf29ce484222325u;
    FILE *file = fopen("/proc/self/exe", "rb");

    *text = '\0';
    if (!file)
        return;
    for (size_t got; (got = fread(piece, 1, sizeof piece, file)) > 0;) {
        for (size_t k = 0; k < got; k++)
            hash = (hash ^ piece[k]) * 0x100000001b3u;
    }
    if (!ferror(file))
        snprintf(text, 20, "%016" PRIx64, hash);
    fclose(file);
}
