/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pages of `switchq help`. Their text is in cli/help/topics/, a file each, which the Makefile
 * turns into strings.
 */
#include "cli/help/topics.inc"
#include "cli/help/help.h"

#include <stddef.h>

const cli_topic cli_topics[] = {
    {"buffers", "fifo, samq, safc, damq, dafc and cbda", "buffers", text_buffers},
    {"arbiters", "which input may send, and how much it matters", "arbiters", text_arbiters},
    {"architectures", "where a switch has memory", "architectures", text_architectures},
    {"flow", "what happens to a packet that finds no room", "flow", text_flow},
    {"discard-or-block", "the two flow controls compared", NULL, text_discard_or_block},
    {"load-and-units", "cycles, packets, loads and printed quantities", NULL, text_load_and_units},
    {"sizing", "the smallest buffer or the largest load for a given loss", NULL, text_sizing},
    {"defaults", "the default of each option, and why", NULL, text_defaults},
    {"networks", "stages of switches between nodes", "topologies", text_networks},
    {"traffic", "where packets go, and when", "traffic", text_traffic},
    {"tori", "tori, meshes and hypercubes, byte by byte; deadlock", NULL, text_tori},
    {"trees", "k-ary n-trees and fat trees", NULL, text_trees},
    {"managements", "queues that isolate congested packets", "managements", text_managements},
    {"links", "where the traffic goes: links, nodes, latencies, and maps", NULL, text_links},
    {"priority", "a few important packets", NULL, text_priority},
    {"statistics", "intervals, precision, warm-up, seeds", NULL, text_statistics},
    {"exactness", "what \"proven\" means", "solvers", text_exactness},
    {"rare-events", "losses too rare for a plain simulation", "importances", text_rare_events},
    {"formulas", "closed forms, and how accurate they are", NULL, text_formulas},
    {"approximations", "networks in milliseconds, and how large the error is", NULL,
     text_approximations},
    {"validation", "whether the answers are right: switchq validate", NULL, text_validation},
    {"ranges", "several values of an option, and curves", NULL, text_ranges},
    {"studies", "studies of many points, resumable and parallel: switchq sweep", NULL,
     text_studies},
    {"plugins", "arbiters, traffic and rules of your own: --plugin", NULL, text_plugins},
    {"reports", "a page of tables, figures and verdicts: switchq report", NULL, text_reports},
    {"json", "answers for programs: JSON, CSV, Python", NULL, text_json},
    {"exit-statuses", "what a script can rely on", NULL, text_exit_statuses},
    {"environment", "memory, threads, Ctrl-C, completion, plots", NULL, text_environment},
    {"glossary", "terms, and words of the field that have another name here", NULL, text_glossary},
    {"sources", "the literature", NULL, text_sources},
    {NULL, NULL, NULL, NULL},
};

const char *cli_topic_text(const cli_topic *topic)
{
    return topic->text == text_defaults ? cli_defaults_page(topic->text) : topic->text;
}
