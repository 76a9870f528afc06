/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sweep: a study's points, answered by workers and kept in a database.
 */
#include "cli/sweep/sweep.h"
#include "base/context.h"
#include "base/machine.h"
#include "cli/booksim/booksim.h"
#include "cli/options/parse.h"
#include "cli/options/shared.h"
#include "cli/sweep/views.h"
#include "cli/sweep/workers.h"
#include "study/mpi.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int as_json, list_only, dry_run, retry, again, no_wait;
static char *database_text, *threads_text, *memory_text, *share_text;

static struct poptOption run_options[] = {
    CLI_THREADS_OPTION(&threads_text, "points, each in a process of its own,", CLI_ALL_CORES),
    CLI_FLAG_ROW("retry", &retry, "try failed points again"),
    CLI_FLAG_ROW("again", &again,
                 "recompute points that another version of the program has answered"),
    CLI_FLAG_ROW("no-wait", &no_wait,
                 "end when no point is left to begin, even if other processes still work on some"),
    CLI_TEXT_ROW("mem", "SIZE", &memory_text,
                 "memory of all workers together, divided equally among them (default: 80% of the "
                 "machine's, or of what ulimit allows)"),
    CLI_TEXT_ROW("share", "K/N", &share_text,
                 "only every N-th point, from point K on; slurm: taken from the job array's task"),
    POPT_TABLEEND,
};

static struct poptOption output_options[] = {
    CLI_TEXT_ROW("database", "FILE", &database_text,
                 "file that keeps the answers (default: STUDY with the ending .db)"),
    CLI_FLAG_ROW("list", &list_only, "print the points as command lines, and run none"),
    CLI_FLAG_ROW(
        "dry-run", &dry_run,
        "print how many points there are and how many remain to be computed, and run none"),
    CLI_FLAG_ROW("json", &as_json, "print the summary as JSON"),
    POPT_TABLEEND,
};

static struct poptOption options[] = {
    CLI_TABLE(run_options, "The run:"),
    CLI_TABLE(output_options, "Output:"),
    CLI_TABLE(cli_sweep_view_options, "Instead of running:"),
    POPT_TABLEEND,
};

typedef struct {
    swq_context *ctx;
    const char *path;
    char *database;
    swq_study *study;
    swq_store *store;
    bool far;          /* workers of other ranks take part */
    int workers;       /* of this process */
    size_t memory;     /* of each worker */
    int share, shares; /* this share of the points, and the number of shares (1 of 1: all points) */
    int64_t passed;    /* points reported so far */
    cli_sweep_outcome outcome;
} sweep;

/* ---- options ---- */

/* An option of a run, which has no effect when looking at a study; NULL: none is given. */
static const char *run_option(void)
{
    return list_only      ? "--list"
           : dry_run      ? "--dry-run"
           : retry        ? "--retry"
           : again        ? "--again"
           : no_wait      ? "--no-wait"
           : threads_text ? "--threads"
           : memory_text  ? "--mem"
                          : NULL;
}

static swq_status check_list(swq_context *ctx)
{
    if (list_only && dry_run)
        return swq_fail(ctx, SWQ_EINVAL, "--list and --dry-run: one at a time");
    if (list_only && as_json)
        return swq_fail(ctx, SWQ_EINVAL, "--list prints command lines, and has no --json");
    return SWQ_OK;
}

static swq_status read_workers(sweep *s)
{
    const size_t most = swq_usual_memory();
    size_t memory = most ? most : SIZE_MAX;
    swq_status status = cli_workers_read(s->ctx, threads_text, &s->workers);

    if (!status && memory_text)
        status = cli_bytes(s->ctx, "mem", memory_text, &memory);
    s->memory = memory / (size_t)s->workers;
    if (!status && memory_text && s->memory < 1 << 20)
        status =
            swq_fail(s->ctx, SWQ_EINVAL, "--mem %.40s is less than 1 MB for each of %d workers",
                     memory_text, s->workers);
    return status;
}

/* Looking at a database needs no study: STUDY.db then means everything in it. */
static bool is_database(const sweep *s)
{
    assert(s->path);
    const char *dot = strrchr(s->path, '.');

    return cli_sweep_view_asked() && !database_text && dot && strcmp(dot, ".db") == 0;
}

/* The database's name: studies/load.db for studies/load.yaml; study.db for standard input. */
static swq_status name_database(sweep *s)
{
    assert(s->path);
    const char *path = database_text ? database_text : s->path;
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    size_t length = strlen(path);

    if (database_text && !*database_text)
        return swq_fail(s->ctx, SWQ_EINVAL, "--database needs the name of a file");
    if (!database_text && strcmp(path, "-") == 0) {
        path = "study";
        length = strlen(path);
    } else if (!database_text && dot && dot > (slash ? slash + 1 : path)) {
        length = (size_t)(dot - path);
    }
    s->database = swq_calloc(s->ctx, length + 4, 1);
    if (!s->database)
        return swq_memory_status(s->ctx);
    memcpy(s->database, path, length);
    if (!database_text)
        memcpy(s->database + length, ".db", sizeof ".db");
    if (!database_text && dot && strcmp(dot, ".db") == 0 && !is_database(s))
        return swq_fail(s->ctx, SWQ_EINVAL,
                        "'%.150s' is named as a database: a sweep needs the study; --status, "
                        "--export and --plot look at a database, too",
                        s->path);
    if (strcmp(s->database, s->path) == 0 && !is_database(s))
        return swq_fail(s->ctx, SWQ_EINVAL,
                        "'%.150s' is the study itself: --database must name another file",
                        s->database);
    return SWQ_OK;
}

/* ---- points ---- */

static bool is_mine(sweep *s)
{
    return s->passed++ % s->shares == s->share - 1;
}

static swq_status print_point(void *arg, const swq_point *point)
{
    if (is_mine(arg))
        printf("switchq %s\n", point->words);
    return SWQ_OK;
}

static swq_status want_point(void *arg, const swq_point *point)
{
    sweep *s = arg;

    return is_mine(s) ? swq_store_want(s->ctx, s->store, point) : SWQ_OK;
}

static swq_status want_all(sweep *s)
{
    swq_status status = swq_store_begin(s->ctx, s->store);

    if (!status && !s->study)
        status = swq_store_want_all(s->ctx, s->store);
    else if (!status)
        status = swq_study_points(s->ctx, s->study, want_point, s);
    return status ? status : swq_store_commit(s->ctx, s->store);
}

/* ---- workers ---- */

static double cpu_of(int who)
{
    struct rusage usage;

    getrusage(who, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* Does everything while the database is open. */
static swq_status with_store(sweep *s, cli_workers *workers)
{
    const swq_crew_options crew = {.no_wait = no_wait != 0};
    const swq_store_options how = {.create = true};

    cli_make_folder_for(s->database);
    swq_status status = swq_store_open(s->ctx, s->database, &how, &s->store);

    if (!status)
        status = want_all(s);
    if (!status && (retry || again))
        status = swq_store_reopen(s->ctx, s->store, retry, again);
    if (!status)
        status = swq_store_count(s->ctx, s->store, &s->outcome.before);
    s->outcome.after = s->outcome.before;
    if (!status && s->outcome.before.open + s->outcome.before.running > 0) {
        status = cli_workers_run(workers, s->store, &crew, &s->outcome.crew);
        swq_store_counts after;
        char message[320];
        snprintf(message, sizeof message, "%s", swq_context_message(s->ctx));
        if (!swq_store_count(s->ctx, s->store, &after))
            s->outcome.after = after;
        else if (status)
            swq_fail(s->ctx, status, "%s", message);
    }
    swq_store_close(s->ctx, s->store);
    return status;
}

static swq_status read_study(sweep *s)
{
    swq_study_language language;

    cli_sweep_language(s->ctx, &language);
    const swq_status status = swq_study_read(s->ctx, s->path, &language, &s->study);
    return cli_booksim_hint(s->ctx, s->path, status);
}

/* The work of the process with the database; meanwhile other ranks wait for its points. */
static swq_status lead(void *arg, cli_workers *workers)
{
    sweep *s = arg;
    swq_status status = read_study(s);

    if (!status)
        status = cli_workers_meet(workers);
    s->far = cli_workers_far(workers);
    return status ? status : with_store(s, workers);
}

/* The end of the process with the database: its exit status, after a summary or a message. */
static int conclude(sweep *s, swq_status status)
{
    s->outcome.interrupted = status == SWQ_ECANCELLED;
    if (status && !s->outcome.interrupted) {
        char message[240];
        snprintf(message, sizeof message, "%s", swq_context_message(s->ctx));
        if (s->outcome.crew.lost > 0)
            swq_fail(s->ctx, status, "%s; answers computed but not kept: %lld", message,
                     (long long)s->outcome.crew.lost);
        return cli_fail(s->ctx, status);
    }
    status = cli_sweep_print(s->ctx, &s->outcome, as_json != 0);
    if (status)
        return cli_fail(s->ctx, status);
    return s->outcome.interrupted || s->outcome.after.failed ? CLI_FAILED : CLI_OK;
}

static int run_study(sweep *s)
{
    const double before = cpu_of(RUSAGE_SELF);
    cli_workers_plan plan = {.count = s->workers, .memory = s->memory, .lead = lead, .arg = s};
    const swq_status status = cli_workers_lead(s->ctx, &plan);

    if (plan.lent)
        return status ? cli_fail(s->ctx, status) : CLI_OK;
    cli_clear_progress();
    s->outcome.overhead_seconds = s->far ? NAN /* unknown for the other ranks */
                                         : cpu_of(RUSAGE_SELF) - before + cpu_of(RUSAGE_CHILDREN) -
                                               s->outcome.crew.cpu_seconds;
    return conclude(s, status);
}

/* Counts the points of the study, in a temporary database in memory, and how many of these points
 * are done. */
static swq_status count_points(sweep *s, swq_store_counts *all, swq_store_counts *there)
{
    const swq_store_options fresh = {.create = true}, as_it_is = {.read_only = true};
    swq_status status = swq_store_open(s->ctx, ":memory:", &fresh, &s->store);

    if (!status)
        status = want_all(s);
    if (!status)
        status = swq_store_count(s->ctx, s->store, all);
    swq_store_close(s->ctx, s->store);
    s->store = NULL;
    s->passed = 0;
    if (status || access(s->database, F_OK) != 0)
        return status;
    status = swq_store_open(s->ctx, s->database, &as_it_is, &s->store);
    if (!status)
        status = want_all(s);
    if (!status)
        status = swq_store_count(s->ctx, s->store, there);
    swq_store_close(s->ctx, s->store);
    s->store = NULL;
    return status;
}

static int tell_points(sweep *s)
{
    swq_store_counts all = {0}, there = {0};
    swq_status status = count_points(s, &all, &there);
    const cli_sweep_outcome *o = &s->outcome;

    all.done = there.done;
    all.failed = there.failed;
    all.running = there.running;
    all.other_version = there.other_version;
    all.open = all.wanted - all.done - all.failed - all.running;
    s->outcome.before = s->outcome.after = all;
    s->outcome.dry_run = true;
    /* a point that failed with another version counts as both */
    s->outcome.to_compute = all.open + (retry ? all.failed : 0) + (again ? all.other_version : 0);
    if (s->outcome.to_compute > all.wanted - all.running)
        s->outcome.to_compute = all.wanted - all.running;
    if (!status)
        status = cli_sweep_print(s->ctx, o, as_json != 0);
    return status ? cli_fail(s->ctx, status) : CLI_OK;
}

/* ---- looking at it ---- */

static int view(sweep *s, const char *const *word, int words)
{
    const bool merges = cli_sweep_view_merges();
    const swq_store_options how = {.create = merges, .read_only = !merges};
    swq_status status = SWQ_OK;

    if (!merges && s->database && access(s->database, F_OK) != 0 && errno == ENOENT)
        status = swq_fail(s->ctx, SWQ_EINVAL,
                          "there is no database '%.150s' yet: 'switchq sweep STUDY' makes it; "
                          "--database names another one",
                          s->database);
    if (!status)
        status = swq_store_open(s->ctx, s->database, &how, &s->store);
    if (!status)
        status = want_all(s);
    if (!status && !merges) /* a consistent view, though others may be at work */
        status = swq_store_begin(s->ctx, s->store);
    if (!status)
        status = cli_sweep_view(s->ctx, s->store, s->path, word, words, as_json != 0);
    if (!status && !merges)
        status = swq_store_commit(s->ctx, s->store);
    swq_store_close(s->ctx, s->store);
    return status ? cli_fail(s->ctx, status) : CLI_OK;
}

/* ---- the command ---- */

static swq_status list_points(sweep *s)
{
    swq_status status = swq_study_points(s->ctx, s->study, print_point, s);
    return status ? status : cli_flush(s->ctx);
}

static int run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    sweep s = {.ctx = ctx, .share = 1, .shares = 1};
    const char *word[CLI_MOST_ARGUMENTS] = {0};
    int words = 0, end = cli_read_options(ctx, self, options, argc, argv, word, CLI_MOST_ARGUMENTS);

    if (end >= 0)
        return end;
    if ((cli_sweep_view_asked() || list_only || dry_run) && swq_mpi_launched() > 1 &&
        swq_mpi_launched_rank() > 0)
        return CLI_OK; /* one rank is enough */
    s.path = word[0];
    while (words + 1 < CLI_MOST_ARGUMENTS && word[words + 1])
        words++;
    swq_status status = cli_sweep_view_check(ctx, words, run_option());
    if (!status)
        status = check_list(ctx);
    if (!status && share_text)
        status = cli_sweep_share(ctx, share_text, &s.share, &s.shares);
    if (!status && !s.path)
        status = swq_fail(ctx, SWQ_EINVAL, "sweep needs a study: switchq sweep STUDY.yaml");
    if (!status)
        status = read_workers(&s);
    if (!status)
        status = name_database(&s);
    const bool views = cli_sweep_view_asked();
    if (!status && (list_only || dry_run || (views && !is_database(&s))))
        status = read_study(&s);
    if (status || list_only) {
        status = status ? status : list_points(&s);
        end = status ? cli_fail(ctx, status) : CLI_OK;
    } else if (views) {
        end = view(&s, word + 1, words);
    } else {
        s.outcome.study = s.path;
        s.outcome.database = s.database;
        end = dry_run ? tell_points(&s) : run_study(&s);
    }
    swq_study_free(ctx, s.study);
    swq_free(ctx, s.database);
    return end;
}

const cli_command cli_sweep = {
    .name = "sweep",
    .no_file = true,
    .usage = "STUDY [OPTION...]",
    .common = "threads database plot json csv output",
    .summary = "run a study of many points, resumable and in parallel",
    .notes =
        "A study is a YAML (or JSON) file, '-' for standard input:\n"
        "  command: solve                        # or sim, approx; formula: NAME\n"
        "  set: {ports: 2, flow: discard}        # options that all points share\n"
        "  over:                                 # and these are crossed\n"
        "    buffer: [fifo, damq]\n"
        "    slots: [2, 4, 6]\n"
        "    load: {from: 0.1, to: 0.9, step: 0.1}\n"
        "  without:                              # points to be left out\n"
        "    - {buffer: fifo, slots: 6}\n"
        "zip: options whose lists go side by side; cases: a list of maps of options; repeats and\n"
        "seed: of simulations. Several blocks are set apart by '---'. docs/sweep.md tells more, "
        "and\n"
        "examples/studies/ has some. A point that the database has is not computed again, so the\n"
        "same command goes on after an interruption, also beside others.\n",
    .examples = "  switchq sweep buffers.yaml --list\n"
                "  switchq sweep buffers.yaml --threads 2\n"
                "  switchq sweep buffers.yaml --retry --json\n"
                "  switchq sweep network.yaml --dry-run\n"
                "  switchq sweep network.yaml --database network.db\n"
                "  switchq sweep network.yaml --status\n"
                "  switchq sweep network.yaml --export csv -o network.csv\n"
                "  switchq sweep network.yaml --plot x=load y=latency by=command,buffer where "
                "slots=4 -o network.svg\n",
    .run = run,
};
