/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What options with a language of their own take. The first byte, from '0' on, says which option
 * of which command; each line is given to that option once more.
 */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASYNC "sim", "--buffer=damq", "--slots=64", "--topology=torus", "--dims=4x4", "--load=0.1"
#define SYNC  "sim", "--buffer=damq", "--slots=4", "--load=0.1"
#define MESH  "sim", "--architecture=wormhole", "--topology=mesh", "--dims=4x4", "--load=0.1"
#define FLIES "sim", "--architecture=wormhole", "--lanes=5", "--topology=dragonfly", "--load=0.1"
#define DC    "sim", "--architecture=shared-memory", "--ports=4", "--load=0.1", "--duration=10us"
#define SENDS                                                                                      \
    "sim", "--architecture=shared-memory", "--ports=4", "--sender=dctcp", "--sizes=websearch"

static const char *const asked[][12] = {
    {ASYNC, "--group="},
    {ASYNC, "--traffic="},
    {ASYNC, "--length="},
    {"sim", "--buffer=damq", "--slots=64", "--topology=torus", "--dims=4x4", "--interval="},
    {"sim", "--buffer=damq", "--slots=64", "--topology=torus", "--load=0.1", "--dims="},
    {SYNC, "--traffic="},
    {SYNC, "--hot-spots="},
    {"sim", "--buffer=damq", "--slots=4", "--load="},
    {"solve", "--buffer=damq", "--slots=4", "--load=0.5", "--traffic="},
    {"solve", "--buffer=damq", "--slots=4", "--load="},
    {"solve", "--exact", "--buffer=damq", "--slots=2", "--load="},
    {"solve", "--exact", "--buffer=damq", "--slots=2", "--load=1/2", "--traffic="},
    {"approx", "--buffer=damq", "--slots=4", "--load="},
    {FLIES, "--hosts=1", "--traffic="},
    {FLIES, "--hosts=1", "--routing="},
    {MESH, "--level-delay="},
    {FLIES, "--hosts="},
    {FLIES, "--hosts=1", "--routers="},
    {FLIES, "--hosts=1", "--globals="},
    {FLIES, "--hosts=1", "--groups="},
    {FLIES, "--hosts=1", "--arrangement="},
    {"sim", "--buffer=damq", "--topology=hyperx", "--dims=4x4", "--load=0.1", "--hosts="},
    {MESH, "--router-delay="},
    {MESH, "--sender="},
    {DC, "--memory="},
    {DC, "--ecn="},
    {DC, "--packet-bytes="},
    {DC, "--arrivals="},
    {DC, "--classes=2", "--class-shares="},
    {DC, "--classes=2", "--schedule=drr", "--quantum="},
    {DC, "--rate="},
    {DC, "--sizes=websearch", "--sender="},
    {SENDS, "--load=0.1", "--incast="},
    {SENDS, "--load=0.1", "--delay="},
    {SENDS, "--load=0.1", "--traffic="},
    {"sim", "--architecture=shared-memory", "--ports=4", "--load=0.1", "--sender=dctcp",
     "--sizes="},
    {"sim", "--architecture=shared-memory", "--ports=4", "--sender=dctcp", "--flow-list="},
    {"sim", "--architecture=shared-memory", "--sender=dctcp", "--load=0.1", "--sizes=websearch",
     "--topology=leaf-spine", "--leaves=2", "--spines=2", "--hosts=2", "--spread="},
    {"worst", "--admission=lqd", "--queues=2", "--slots=4", "--speedup="},
    {"worst", "--admission=lqd", "--queues=2", "--slots=4", "--classes="},
};

enum { ASKED = sizeof asked / sizeof *asked, MOST_LINES = 8, MOST_WORDS = 12 + MOST_LINES };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *words[MOST_WORDS];
    char *given[MOST_LINES];
    int lines, count = 0, option = 0;

    if (size < 1)
        return 0;
    char **line = fuzz_lines(data + 1, size - 1, &lines);
    if (!line || lines > MOST_LINES) {
        free(line);
        return 0;
    }
    const char *const *row = asked[(uint8_t)(data[0] - '0') % ASKED];
    while (row[option + 1])
        words[count++] = row[option++];
    for (int k = 0; k < lines; k++) {
        const size_t room = strlen(row[option]) + strlen(line[k]) + 1;
        given[k] = malloc(room);
        if (given[k]) {
            snprintf(given[k], room, "%s%s", row[option], line[k]);
            words[count++] = given[k];
        }
    }
    fuzz_ask(count, words);
    for (int k = 0; k < lines; k++)
        free(given[k]);
    free(line);
    return 0;
}
