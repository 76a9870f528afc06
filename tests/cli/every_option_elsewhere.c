/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The commands that are not asked by test_every_option.c, and where their options are tested.
 */
#include "tests/cli/every_option.h"

#define SWEEP    "tests/cli/test_sweep.c"
#define VIEWS    "tests/cli/test_sweep_views.c"
#define REPORT   "tests/cli/test_report.c"
#define VALIDATE "tests/cli/test_validate.c"

const every_elsewhere every_elsewhere_tests[] = {
    {"sweep", "threads", SWEEP, "the_number_of_workers_changes_nothing"},
    {"sweep", "retry", SWEEP, "failures_are_kept_told_and_tried_again"},
    {"sweep", "again", SWEEP, "points_of_another_version_are_computed_again_when_told"},
    {"sweep", "no-wait", SWEEP, "a_process_may_leave_what_others_are_at"},
    {"sweep", "mem", SWEEP, "memory_is_shared_among_workers"},
    {"sweep", "share", VIEWS, "shares_merge_to_the_whole"},
    {"sweep", "database", SWEEP, "only_what_is_missing_is_computed"},
    {"sweep", "list", SWEEP, "the_points_are_listed_and_nothing_is_written"},
    {"sweep", "dry-run", SWEEP, "failures_are_kept_told_and_tried_again"},
    {"sweep", "json", SWEEP, "only_what_is_missing_is_computed"},
    {"sweep", "status", VIEWS, "status"},
    {"sweep", "export", VIEWS, "export_csv"},
    {"sweep", "plot", VIEWS, "plot_of_repeats"},
    {"sweep", "output", VIEWS, "export_json_and_file"},
    {"sweep", "merge", VIEWS, "shares_merge_to_the_whole"},
    {"sweep", "prefer", VIEWS, "merge_conflicts"},
    {"compare", "threads", "tests/cli/test_compare.c", "numbers_are_those_of_the_simulator"},
    {"compare", "json", "tests/cli/test_compare.c", "numbers_are_those_of_the_simulator"},
    {"compare", "quick", "tests/cli/test_compare.c", "what_is_answered_is_kept"},
    {"compare", "csv", "tests/cli/test_compare.c", "what_is_answered_is_kept"},
    {"compare", "database", "tests/cli/test_compare.c", "what_is_answered_is_kept"},
    {"compare", "retry", "tests/cli/test_compare.c", "what_is_answered_is_kept"},
    {"compare", "cost-file", "tests/cli/test_compare.c", "page_plot_and_terms"},
    {"compare", "plot", "tests/cli/test_compare.c", "page_plot_and_terms"},
    {"compare", "page", "tests/cli/test_compare.c", "page_plot_and_terms"},
    {"compare", "data", "tests/cli/test_compare.c", "what_is_known_beside_the_runs"},
    {"compare", "bytes", "tests/cli/test_compare.c", "memory_is_put_in"},
    {"compare", "area", "tests/cli/test_compare.c", "silicon_is_equal"},
    {"compare", "contestants", "tests/cli/test_compare.c", "a_part_of_the_league"},
    {"compare", "scenarios", "tests/cli/test_compare.c", "a_part_of_the_league"},
    {"compare", "benchmark", "tests/cli/test_compare.c", "benchmarks_are_scenarios"},
    {"compare", "seed", "tests/cli/test_compare.c", "no_mark_changes_sign_with_the_seed"},
    {"compare", "second-seed", "tests/cli/test_compare.c", "no_mark_changes_sign_with_the_seed"},
    {"compare", "precision", "tests/cli/test_compare.c", "repeats_go_where_they_are_needed"},
    {"report", "output", REPORT, "a_table_is_shown_beside_the_print"},
    {"report", "quick", REPORT, "bad_input_is_refused"},
    {"report", "full", REPORT, "an_interruption_leaves_what_was_finished"},
    {"report", "only", REPORT, "the_page_needs_nothing_else"},
    {"report", "no-validate", REPORT, "bad_input_is_refused"},
    {"report", "again", REPORT, "answers_are_kept_and_used_again"},
    {"report", "threads", REPORT, "bad_input_is_refused"},
    {"report", "json", REPORT, "answers_are_kept_and_used_again"},
    {"validate", "quick", VALIDATE, "a_list_runs_nothing"},
    {"validate", "full", VALIDATE, "a_list_runs_nothing"},
    {"validate", "only", VALIDATE, "rules_come_first_and_counts_last"},
    {"validate", "list", VALIDATE, "a_list_runs_nothing"},
    {"validate", "verbose", VALIDATE, "verbose_shows_all"},
    {"validate", "seed", VALIDATE, "a_seed_gives_the_same_again"},
    {"validate", "threads", VALIDATE, "a_seed_gives_the_same_again"},
    {"validate", "json", VALIDATE, "json"},
    {"validate", "csv", VALIDATE, "csv_has_a_row_a_check"},
    {"list", "json", "tests/cli/test_list.c", "every_topic_has_rows_in_both_forms"},
    {"list", "csv", "tests/cli/test_list.c", "csv_has_the_rows_of_json"},
    {"help", "man", "tests/cli/test_help_topics.c", "a_manual_page_has_every_option_and_example"},
    {"help", "json", "tests/cli/test_help_topics.c", "options_as_json"},
    {NULL, NULL, NULL, NULL},
};
