/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words of the field: other books' and tools' names for things that have another name here.
 */
#include "cli/options/field.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const cli_field_word cli_field_words[] = {
    {"anynet", "topologies", "graph", "BookSim's files of networks are read, too", CLI_FIELD_ROW},
    {"backpressure", "flow", "block", "a full buffer holds packets back in the switch before",
     CLI_FIELD_ROW},
    {"banyan", "topologies", "omega", "one way from each source to each destination",
     CLI_FIELD_ROW},
    {"bitcomp", "traffic", "bit-complement", "BookSim's name of it", CLI_FIELD_ROW},
    {"bitrev", "traffic", "bit-reversal", "BookSim's name of it", CLI_FIELD_ROW},
    {"booksim", "sim", "--booksim",
     "reads a configuration of BookSim 2; docs/howto/compare-with-booksim.md says how to compare",
     CLI_FIELD_OPTION},
    {"central-buffer", "buffers", "cbda", "one memory for all inputs", CLI_FIELD_ROW},
    {"cicq", "buffers", "safc", "a buffer at each crosspoint", CLI_FIELD_ROW},
    {"clos", "topologies", "fat-tree", "a folded Clos network of 2 or 3 levels", CLI_FIELD_ROW},
    {"clos", "topologies", "tree", "the same with k links up and k down in each switch",
     CLI_FIELD_ROW},
    {"cmesh", "topologies", "graph",
     "a mesh with several nodes at each switch is not built in; a file may have one",
     CLI_FIELD_ROW},
    {"competitive-ratio", "worst", "--admission", "'switchq worst' finds and proves it",
     CLI_FIELD_OPTION},
    {"complete-partitioning", "buffers", "cbda",
     "--queue-min B, as many as --slots B: all are reserved", CLI_FIELD_ROW},
    {"complete-partitioning", "architectures", "output-queued", "the same, by its memory",
     CLI_FIELD_ROW},
    {"complete-partitioning", "formulas", "complete-partitioning", "in continuous time",
     CLI_FIELD_ROW},
    {"complete-partitioning", "admission", "partitioning",
     "each queue has its share of a memory to itself", CLI_FIELD_ROW},
    {"complete-sharing", "buffers", "cbda", "a packet takes any free slot", CLI_FIELD_ROW},
    {"complete-sharing", "formulas", "complete-sharing", "in continuous time", CLI_FIELD_ROW},
    {"complete-sharing", "admission", "sharing", "a packet takes any free slot of a memory",
     CLI_FIELD_ROW},
    {"concentrated-mesh", "topologies", "graph",
     "a mesh with several nodes at each switch is not built in; a file may have one",
     CLI_FIELD_ROW},
    {"confidence-interval", "", "statistics", "intervals, precision, warm-up, seeds",
     CLI_FIELD_PAGE},
    {"credit", "flow", "credits", "a sender counts the room in the next buffer", CLI_FIELD_ROW},
    {"crosspoint", "buffers", "safc", "a buffer for each input and output, all read at once",
     CLI_FIELD_ROW},
    {"ctmc", "solve", "--rates",
     "a chain in continuous time from a file; formulas have some, too (complete-sharing)",
     CLI_FIELD_OPTION},
    {"deadlock", "", "tori", "which networks may deadlock, and what is done about it",
     CLI_FIELD_PAGE},
    {"dest-tag", "routing", "deterministic", "the only way in a multistage network", CLI_FIELD_ROW},
    {"dim-order", "routing", "deterministic", "one dimension after another, as without --routing",
     CLI_FIELD_ROW},
    {"dor", "routing", "deterministic", "one dimension after another, as without --routing",
     CLI_FIELD_ROW},
    {"dragonfly+", "topologies", "megafly", "the other name of megafly", CLI_FIELD_ROW},
    {"dragonflynew", "topologies", "dragonfly", "BookSim's k is p of --shape; links alike in delay",
     CLI_FIELD_ROW},
    {"dt", "admission", "threshold",
     "dynamic threshold: a queue takes less than A times what is free", CLI_FIELD_ROW},
    {"dtmc", "solve", "--chain", "a Markov chain in discrete time, from a file", CLI_FIELD_OPTION},
    {"dynamic-threshold", "buffers", "cbda",
     "--alpha A: a queue takes less than A times what is free", CLI_FIELD_ROW},
    {"dynamic-threshold", "formulas", "dynamic-threshold", "overloaded queues, as a fluid",
     CLI_FIELD_ROW},
    {"dynamic-threshold", "admission", "threshold", "a queue takes less than A times what is free",
     CLI_FIELD_ROW},
    {"dynamic-thresholds", "buffers", "cbda",
     "--alpha A: a queue takes less than A times what is free", CLI_FIELD_ROW},
    {"dynamic-thresholds", "admission", "threshold", "a queue takes less than A times what is free",
     CLI_FIELD_ROW},
    {"ecn", "sim", "--ecn",
     "explicit congestion notification, of switches of data centres: by a step or by red",
     CLI_FIELD_OPTION},
    {"ecn", "senders", "dctcp",
     "in networks of bytes: packets that found a long queue are marked, and senders slow down",
     CLI_FIELD_ROW},
    {"fattree", "topologies", "tree", "BookSim's, of k and n: --arity with k for each of n levels",
     CLI_FIELD_ROW},
    {"fattree", "topologies", "fat-tree", "2 or 3 levels of switches that all have --radix R ports",
     CLI_FIELD_ROW},
    {"fct", "sim", "--flows-out",
     "flow completion times, with --architecture shared-memory in a leaf-spine, fat-tree or graph; "
     "the slowdown is their multiple of that alone",
     CLI_FIELD_OPTION},
    {"first-passage", "solve", "--until",
     "of a chain from a file, the mean time until it enters a set of states", CLI_FIELD_OPTION},
    {"flatfly", "topologies", "hyperx",
     "BookSim's, of k, n and c: --dims with k n times, --shape t=c", CLI_FIELD_ROW},
    {"flattened-butterfly", "topologies", "hyperx", "one link between two routers of a row",
     CLI_FIELD_ROW},
    {"flit", "sim", "--flit",
     "the bytes that a link carries in a cycle; wormhole moves packets flit by flit",
     CLI_FIELD_OPTION},
    {"fly", "topologies", "butterfly", "BookSim's, of k and n: --ports k --stages n",
     CLI_FIELD_ROW},
    {"folded-clos", "topologies", "fat-tree",
     "2 or 3 levels of switches with as many links up as down", CLI_FIELD_ROW},
    {"head-of-line-blocking", "buffers", "fifo",
     "one queue per input, whose head holds the others back", CLI_FIELD_ROW},
    {"head-of-line-blocking", "formulas", "hol-saturation", "what it costs", CLI_FIELD_ROW},
    {"hol-blocking", "buffers", "fifo", "one queue per input, whose head holds the others back",
     CLI_FIELD_ROW},
    {"hol-blocking", "formulas", "hol-saturation", "what it costs", CLI_FIELD_ROW},
    {"hpcc", "host-senders", "hpcc", "high precision congestion control, by records of switches",
     CLI_FIELD_ROW},
    {"htsim", "sim", "--flow-list",
     "htsim is a simulator of transport protocols; htsim:FILE reads its connection matrices",
     CLI_FIELD_OPTION},
    {"importance-splitting", "", "rare-events", "losses too rare for a plain simulation",
     CLI_FIELD_PAGE},
    {"incast", "sim", "--incast",
     "with --architecture shared-memory: many hosts answer one at once", CLI_FIELD_OPTION},
    {"incast", "sim", "--group",
     "synchronised: senders of a group start a message at the same time with --interval",
     CLI_FIELD_OPTION},
    {"incast", "traffic", "hotspot", "many sources send to one node, each when it likes",
     CLI_FIELD_ROW},
    {"injection-rate", "sim", "--load",
     "BookSim's name; its rate counts packets unless it is told to count flits", CLI_FIELD_OPTION},
    {"input-queued", "architectures", "input-queued", "buffers before the crossbar", CLI_FIELD_ROW},
    {"input-queued", "buffers", "fifo", "one queue at each input", CLI_FIELD_ROW},
    {"isarithmic", "senders", "tokens", "a packet takes one of the network's tokens with it",
     CLI_FIELD_ROW},
    {"islip-rounds", "solve, sim", "--iterations", "rounds of islip and pim in a cycle",
     CLI_FIELD_OPTION},
    {"k-ary-n-cube", "topologies", "torus", "rings in every dimension", CLI_FIELD_ROW},
    {"k-ary-n-fly", "topologies", "butterfly", "the same under its other name", CLI_FIELD_ROW},
    {"k-ary-n-tree", "topologies", "tree", "the same under its other name", CLI_FIELD_ROW},
    {"leaf-spine", "topologies", "fat-tree",
     "--levels 2, equal speeds; with oversubscription: leaf-spine of --architecture shared-memory",
     CLI_FIELD_ROW},
    {"leaky-bucket", "senders", "bucket", "RATE bytes a cycle, and up to BURST ahead of that",
     CLI_FIELD_ROW},
    {"load", "", "load-and-units", "packets an input, or a node, sends in a cycle", CLI_FIELD_PAGE},
    {"longest-queue-drop", "admission", "lqd", "a full memory drops a packet of its longest queue",
     CLI_FIELD_ROW},
    {"lossless", "flow", "block", "a packet that finds no room waits", CLI_FIELD_ROW},
    {"lossy", "flow", "discard", "a packet that finds no room is lost", CLI_FIELD_ROW},
    {"markov-chain", "solve", "--chain", "any chain from a file, solved as those of switches are",
     CLI_FIELD_OPTION},
    {"maximum-weight", "arbiters", "max-weight", "the same under its other name", CLI_FIELD_ROW},
    {"min", "topologies", "omega", "a multistage interconnection network", CLI_FIELD_ROW},
    {"min-adapt", "routing", "adaptive",
     "in a mesh with --choice turn --escape-use alike --escape-exit never --lane-reuse sent",
     CLI_FIELD_ROW},
    {"nca", "routing", "adaptive", "up a tree, with --choice random", CLI_FIELD_ROW},
    {"noxim", "", "Noxim, a simulator of networks on chips",
     "its configurations are not read; the nearest is sim --topology mesh --architecture wormhole; "
     "its traffic tables: --traffic noxim:FILE, docs/howto/use-a-table-of-noxim.md",
     CLI_FIELD_NOWHERE},
    {"num-vcs", "sim", "--lanes", "virtual channels are called lanes here", CLI_FIELD_OPTION},
    {"on-off", "flow", "stop-go", "a buffer tells its sender to stop, and to go on", CLI_FIELD_ROW},
    {"oq", "architectures", "output-queued", "queues before the links", CLI_FIELD_ROW},
    {"output-queued", "architectures", "output-queued", "queues before the links", CLI_FIELD_ROW},
    {"output-queued", "formulas", "output-queue", "its wait in closed form", CLI_FIELD_ROW},
    {"packet-size", "sim", "--length", "the length of a packet, in flits or bytes",
     CLI_FIELD_OPTION},
    {"parallel-iterative-matching", "arbiters", "pim", "the same, spelled out", CLI_FIELD_ROW},
    {"pause", "sim", "--pfc",
     "pause frames, of switches of data centres; in networks of bytes, --flow stop-go has notices "
     "of a buffer to its sender",
     CLI_FIELD_OPTION},
    {"pfc", "sim", "--pfc", "priority flow control: pauses of classes of switches of data centres",
     CLI_FIELD_OPTION},
    {"phit", "sim", "--flit", "the bytes that a link carries in a cycle", CLI_FIELD_OPTION},
    {"priority-flow-control", "sim", "--pfc", "pauses of classes of switches of data centres",
     CLI_FIELD_OPTION},
    {"push-out", "admission", "lqd", "a packet that finds no room takes the place of another",
     CLI_FIELD_ROW},
    {"ran-min", "routing", "deterministic",
     "in a hyperx; in spite of its name BookSim's goes in dimension order, too", CLI_FIELD_ROW},
    {"randperm", "traffic", "random-permutation", "BookSim's name of it", CLI_FIELD_ROW},
    {"rare-event", "", "rare-events", "losses too rare for a plain simulation", CLI_FIELD_PAGE},
    {"red", "sim", "--ecn",
     "random early detection: red:KMIN,KMAX,PMAX marks packets of switches of data centres",
     CLI_FIELD_OPTION},
    {"ring", "topologies", "torus", "--dims N: one dimension", CLI_FIELD_ROW},
    {"round-robin", "arbiters", "islip", "pointers that go round", CLI_FIELD_ROW},
    {"shared-memory", "buffers", "cbda", "one memory for all inputs", CLI_FIELD_ROW},
    {"shared-memory", "formulas", "shared-output-chain", "one memory for all output queues",
     CLI_FIELD_ROW},
    {"slim-fly", "topologies", "slimfly", "routers at most two links apart", CLI_FIELD_ROW},
    {"sma", "buffers", "cbda", "--queue-min N: sharing with a minimum allocation", CLI_FIELD_ROW},
    {"sma", "formulas", "sharing-minimum", "in continuous time", CLI_FIELD_ROW},
    {"sma", "admission", "minimum", "sharing with a minimum allocation", CLI_FIELD_ROW},
    {"smqma", "buffers", "cbda",
     "--queue-min N --queue-max M: sharing with a maximum queue and minimum allocation",
     CLI_FIELD_ROW},
    {"smqma", "formulas", "sharing-minimum-maximum", "in continuous time", CLI_FIELD_ROW},
    {"smqma", "admission", "minimum-maximum", "sharing with a maximum queue and minimum allocation",
     CLI_FIELD_ROW},
    {"smxq", "buffers", "cbda", "--queue-max M: sharing with maximum queues", CLI_FIELD_ROW},
    {"smxq", "formulas", "sharing-maximum", "in continuous time", CLI_FIELD_ROW},
    {"smxq", "admission", "maximum", "sharing with maximum queues", CLI_FIELD_ROW},
    {"speedup", "solve, sim, cost", "--speedup", "how many times as fast as a link the crossbar is",
     CLI_FIELD_OPTION},
    {"spine-leaf", "topologies", "fat-tree",
     "--levels 2, equal speeds; with oversubscription: leaf-spine of --architecture shared-memory",
     CLI_FIELD_ROW},
    {"store-and-forward", "sim", "--cut-through",
     "off, only --architecture cioq: a packet goes on when all of it has come", CLI_FIELD_OPTION},
    {"table", "traffic", "a traffic table of Noxim",
     "--traffic noxim:FILE reads it, with its loads: docs/howto/use-a-table-of-noxim.md",
     CLI_FIELD_NOWHERE},
    {"table-based", "", "a traffic table of Noxim",
     "--traffic noxim:FILE reads it, with its loads: docs/howto/use-a-table-of-noxim.md",
     CLI_FIELD_NOWHERE},
    {"token-bucket", "senders", "bucket", "RATE bytes a cycle, and up to BURST ahead of that",
     CLI_FIELD_ROW},
    {"traffic-table-based", "", "a traffic table of Noxim",
     "--traffic noxim:FILE reads it, with its loads: docs/howto/use-a-table-of-noxim.md",
     CLI_FIELD_NOWHERE},
    {"transient", "solve", "--after",
     "of a chain from a file, the distribution at a time; sim --series shows a network's beginning",
     CLI_FIELD_OPTION},
    {"units", "", "load-and-units", "cycles, packets, loads and printed quantities",
     CLI_FIELD_PAGE},
    {"vc", "sim", "--lanes", "virtual channels are called lanes here", CLI_FIELD_OPTION},
    {"vc-buf-size", "sim", "--lane-flits", "flits of the buffer of a lane", CLI_FIELD_OPTION},
    {"vcs", "sim", "--lanes", "virtual channels are called lanes here", CLI_FIELD_OPTION},
    {"virtual-channel", "sim", "--lanes", "a lane of a link, with a buffer of its own at its end",
     CLI_FIELD_OPTION},
    {"virtual-channels", "sim", "--lanes",
     "lanes of a link, each with a buffer of its own at its end", CLI_FIELD_OPTION},
    {"virtual-cut-through", "sim", "--cut-through",
     "what asynchronous networks do: a packet goes on before its tail has come; cioq can do "
     "without",
     CLI_FIELD_OPTION},
    {"virtual-lane", "sim", "--lanes", "InfiniBand's name of a virtual channel", CLI_FIELD_OPTION},
    {"virtual-output-queues", "buffers", "damq",
     "a queue per output, which share their input's slots", CLI_FIELD_ROW},
    {"virtual-output-queues", "buffers", "samq", "a queue per output, each with slots of its own",
     CLI_FIELD_ROW},
    {"voq", "buffers", "damq", "a queue per output, which share their input's slots",
     CLI_FIELD_ROW},
    {"voq", "buffers", "samq", "a queue per output, each with slots of its own", CLI_FIELD_ROW},
    {"warm-up", "sim", "--warmup", "what is left out before the means", CLI_FIELD_OPTION},
    {"wormhole-routing", "architectures", "wormhole", "flit by flit, over lanes", CLI_FIELD_ROW},
    {"xon-xoff", "flow", "stop-go", "a buffer tells its sender to stop, and to go on",
     CLI_FIELD_ROW},
    {"xy", "routing", "deterministic", "one dimension after another, as without --routing",
     CLI_FIELD_ROW},
    {NULL, NULL, NULL, NULL, CLI_FIELD_NOWHERE},
};

const cli_field_word *cli_field_find(const char *word)
{
    char dashed[60];
    size_t length = 0;

    for (; word[length] && length + 1 < sizeof dashed; length++)
        dashed[length] = word[length] == '_' || word[length] == ' ' ? '-' : word[length];
    dashed[length] = '\0';
    for (const cli_field_word *row = cli_field_words; row->word; row++) {
        if (strcasecmp(row->word, dashed) == 0)
            return row;
    }
    return NULL;
}

const char *cli_field_meaning(const cli_field_word *row, char *text, size_t size)
{
    switch (row->place) {
    case CLI_FIELD_ROW:
        snprintf(text, size, "'%s' of 'switchq list %s'", row->row, row->list);
        break;
    case CLI_FIELD_OPTION:
        snprintf(text, size, "option %s of %s", row->row, row->list);
        break;
    case CLI_FIELD_PAGE:
        snprintf(text, size, "the page 'switchq help %s'", row->row);
        break;
    case CLI_FIELD_NOWHERE:
        snprintf(text, size, "%s", row->row);
        break;
    }
    return text;
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
    if (!row || (row->place == CLI_FIELD_NOWHERE && !strstr(message, row->list)))
        return message;
    size_t used = (size_t)snprintf(text, size, "%.*s' is unknown; in the field it is ",
                                   (int)(end - message), message);
    for (const cli_field_word *r = row; r->word && strcmp(r->word, row->word) == 0; r++) {
        char meaning[120];
        if (used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s (%s)", r == row ? "" : ", or ",
                                     cli_field_meaning(r, meaning, sizeof meaning), r->about);
    }
    return text;
}
