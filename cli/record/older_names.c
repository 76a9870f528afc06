/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Older names of quantities. Before names were common to all commands, some answers had another
 * name for a quantity, or used its name for something else. They keep the older name, and have the
 * common one beside it.
 * Room: cli.
 */
#include "cli/record/inside.h"

#include <stdio.h>
#include <string.h>

/* Sorted by the older name. */
const cli_older_name cli_older_names[] = {
    {".alpha", "significance"},
    {".beyond_chance", "cells_beyond_chance"},
    {".judged", "cells_judged"},
    {".model", "assumptions"},
    {".points", "point_count"},
    {".within", "cells_within"},
    {".x", "x_quantity"},
    {"by_input.loss", "discard_probability"},
    {"checks.level", "check_kind"},
    {"checks.off", "deviation"},
    {"claims.known", "explanation"},
    {"delay.mean_cycles", "mean_delay_cycles"},
    {"discard_fraction", "discard_probability"},
    {"formula.off_by", "accuracy"},
    {"formulas.off_by", "accuracy"},
    {"invariants.bytes_created", "all_bytes_created"},
    {"invariants.bytes_delivered", "all_bytes_delivered"},
    {"invariants.created", "all_created"},
    {"invariants.delivered", "all_delivered"},
    {"invariants.discarded", "all_discarded"},
    {"levels.occupancy", "packets_per_port"},
    {"levels.threshold", "importance_threshold"},
    {"links.occupancy", "packets_per_port"},
    {"method.off_by", "accuracy"},
    {"methods.off_by", "accuracy"},
    {"model.bytes", "buffer_bytes"},
    {"model.iterations", "arbiter_iterations"},
    {"model.levels", "tree_levels"},
    {"points.hops", "link_hops"},
    {"points.steps", "iterations"},
    {"points.utilisation", "busiest_link_use"},
    {"printed.paper", "paper_value"},
    {"refusal", "refusal_probability"},
    {"result.hops", "switch_hops"},
    {"result.occupancy", "occupancy_distribution"},
    {"rows.knee", "near_saturation"},
    {"rows.offered", "offered_packets"},
    {"run.bytes", "memory_bytes"},
    {"run.computed", "points_computed"},
    {"simulated.deadlock", "deadlocked"},
    {"splitting.families", "effective_families"},
    {"stages.discarded", "discard_probability"},
    {"stages.occupancy", "mean_packets"},
    {"summary.checks", "check_count"},
    {"wait_cycles.source", "mean_source_wait_cycles"},
    {NULL, NULL},
};

/* As strcmp(older, "PLACE.key"); place NULL: as strcmp(older, key). */
static int compare_older(const char *older, const char *place, const char *key)
{
    if (place) {
        for (; *place && *older == *place; place++)
            older++;
        if (*place || *older != '.')
            return (unsigned char)*older - (unsigned char)(*place ? *place : '.');
        older++;
    }
    return *older == *key ? strcmp(older, key) : (unsigned char)*older - (unsigned char)*key;
}

static const char *name_of_older(const char *place, const char *key)
{
    size_t low = 0, high = sizeof cli_older_names / sizeof *cli_older_names - 1;

    while (low < high) {
        const size_t middle = (low + high) / 2;
        const int order = compare_older(cli_older_names[middle].older, place, key);
        if (order == 0)
            return cli_older_names[middle].name;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const char *cli_common_name(const cli_record *group, const cli_record *field)
{
    if (field->kind == CLI_GROUP || field->kind == CLI_LIST || field->kind == CLI_SENTENCE)
        return NULL;
    const char *name = name_of_older(group->key ? group->key : "", field->key);
    return name ? name : name_of_older(NULL, field->key);
}

cli_record cli_renamed(const cli_record *field, const char *name)
{
    cli_record same = *field;

    same.key = name;
    if (same.known == CLI_PROVEN)
        same.stem = name;
    return same;
}

const char *cli_option_means(const char *option)
{
    char key[80] = "model.";
    const cli_quantity *row;

    for (size_t k = 0; k < 60 && option[k]; k++)
        snprintf(key + 6 + k, 2, "%c", option[k] == '-' ? '_' : option[k]);
    const char *name = key + 6;
    for (const cli_older_name *old = cli_older_names; old->older; old++)
        name = strcmp(old->older, key) == 0 ? old->name : name;
    row = cli_quantity_of(name);
    if (!row)
        return NULL;
    return row->unit && !strstr(row->about, row->unit) ? row->unit : row->about;
}
