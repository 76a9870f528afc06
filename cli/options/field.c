/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words of the field: other books' and tools' names for things that have another name here.
 * Room: cli.
 */
#include "cli/options/field.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const cli_field_word cli_field_words[] = {
    {"backpressure", "flow", "block", "a full buffer holds packets back in the switch before"},
    {"banyan", "topologies", "omega", "one way from each source to each destination"},
    {"central-buffer", "buffers", "cbda", "one memory for all inputs"},
    {"complete-partitioning", "buffers", "cbda",
     "--queue-min B, as many as --slots B: all are reserved"},
    {"complete-partitioning", "architectures", "output-queued", "the same, by its memory"},
    {"complete-partitioning", "formulas", "complete-partitioning", "in continuous time"},
    {"complete-sharing", "buffers", "cbda", "a packet takes any free slot"},
    {"complete-sharing", "formulas", "complete-sharing", "in continuous time"},
    {"crosspoint", "buffers", "safc", "a buffer for each input and output, all read at once"},
    {"cicq", "buffers", "safc", "a buffer at each crosspoint"},
    {"dynamic-threshold", "buffers", "cbda",
     "--alpha A: a queue takes less than A times what is free"},
    {"dynamic-threshold", "formulas", "dynamic-threshold", "overloaded queues, as a fluid"},
    {"dynamic-thresholds", "buffers", "cbda",
     "--alpha A: a queue takes less than A times what is free"},
    {"hol-blocking", "buffers", "fifo", "one queue per input, whose head holds the others back"},
    {"hol-blocking", "formulas", "hol-saturation", "what it costs"},
    {"incast", "traffic", "hotspot", "many sources send to one node"},
    {"input-queued", "architectures", "input-queued", "buffers before the crossbar"},
    {"input-queued", "buffers", "fifo", "one queue at each input"},
    {"k-ary-n-cube", "topologies", "torus", "rings in every dimension"},
    {"k-ary-n-fly", "topologies", "butterfly", "the same under its other name"},
    {"k-ary-n-tree", "topologies", "tree", "the same under its other name"},
    {"lossy", "flow", "discard", "a packet that finds no room is lost"},
    {"lossless", "flow", "block", "a packet that finds no room waits"},
    {"maximum-weight", "arbiters", "max-weight", "the same under its other name"},
    {"min", "topologies", "omega", "a multistage interconnection network"},
    {"oq", "architectures", "output-queued", "queues before the links"},
    {"output-queued", "architectures", "output-queued", "queues before the links"},
    {"output-queued", "formulas", "output-queue", "its wait in closed form"},
    {"parallel-iterative-matching", "arbiters", "pim", "the same, spelled out"},
    {"ring", "topologies", "torus", "--dims N: one dimension"},
    {"round-robin", "arbiters", "islip", "pointers that go round"},
    {"shared-memory", "buffers", "cbda", "one memory for all inputs"},
    {"shared-memory", "formulas", "shared-output-chain", "one memory for all output queues"},
    {"sma", "buffers", "cbda", "--queue-min N: sharing with a minimum allocation"},
    {"sma", "formulas", "sharing-minimum", "in continuous time"},
    {"smqma", "buffers", "cbda",
     "--queue-min N --queue-max M: sharing with a maximum queue and minimum allocation"},
    {"smqma", "formulas", "sharing-minimum-maximum", "in continuous time"},
    {"smxq", "buffers", "cbda", "--queue-max M: sharing with maximum queues"},
    {"smxq", "formulas", "sharing-maximum", "in continuous time"},
    {"virtual-output-queues", "buffers", "damq",
     "a queue per output, which share their input's slots"},
    {"virtual-output-queues", "buffers", "samq", "a queue per output, each with slots of its own"},
    {"voq", "buffers", "damq", "a queue per output, which share their input's slots"},
    {"voq", "buffers", "samq", "a queue per output, each with slots of its own"},
    {NULL, NULL, NULL, NULL},
};

const cli_field_word *cli_field_find(const char *word)
{
    for (const cli_field_word *row = cli_field_words; row->word; row++) {
        if (strcasecmp(row->word, word) == 0)
            return row;
    }
    return NULL;
}

const char *cli_field_hint(const char *message, char *text, size_t size)
{
    const char *end = strstr(message, "' is unknown");
    const char *begin = end;
    char word[48];

    while (begin && begin > message && begin[-1] != '\'')
        begin--;
    if (!begin || begin == message || (size_t)(end - begin) >= sizeof word)
        return message;
    memcpy(word, begin, (size_t)(end - begin));
    word[end - begin] = '\0';
    const cli_field_word *row = cli_field_find(word);
    if (!row)
        return message;
    size_t used = (size_t)snprintf(text, size, "%.*s' is unknown; in the field it is ",
                                   (int)(end - message), message);
    for (const cli_field_word *r = row; r->word && strcmp(r->word, row->word) == 0; r++)
        if (used < size)
            used += (size_t)snprintf(text + used, size - used, "%s'%s' of 'switchq list %s' (%s)",
                                     r == row ? "" : ", or ", r->row, r->list, r->about);
    return text;
}
