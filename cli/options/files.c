/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the files of options can be read or written is found out before the run, which may take
 * hours, rather than after it. No folder is made yet, since the command line may still be refused.
 */
#include "cli/options/files.h"

#include "base/context.h"
#include "base/names.h"
#include "base/outfile.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Options whose descriptions of their arguments begin with FILE. */
static const char *const written[] = {"plot",       "starts",      "saq-log",  "messages-out",
                                      "watch",      "save-config", "waves",    "page",
                                      "checkpoint", "certificate", "sequence", NULL};
static const char *const read_from[] = {"cost-file", NULL};

static bool is_one_of(const struct poptOption *o, const char *const *names)
{
    return o->argDescrip && strncmp(o->argDescrip, "FILE", 4) == 0 &&
           cli_option_kind(o) == POPT_ARG_STRING && swq_name_is_among(o->longName, names);
}

bool cli_files_written(const struct poptOption *option)
{
    return is_one_of(option, written);
}

static const char *path_of(const struct poptOption *o)
{
    return *(char **)o->arg;
}

swq_status cli_blame_option(swq_context *ctx, const char *option, swq_status status)
{
    char message[512];

    snprintf(message, sizeof message, "%s", swq_context_message(ctx));
    return swq_fail(ctx, status, "--%s: %s", option, message);
}

/* ---- reading ---- */

swq_status cli_files_readable(swq_context *ctx, const char *option, const char *path)
{
    struct stat about;
    int why = 0;

    if (strcmp(path, "-") == 0)
        return SWQ_OK;
    if (stat(path, &about) != 0 || (!S_ISDIR(about.st_mode) && access(path, R_OK) != 0))
        why = errno;
    else if (S_ISDIR(about.st_mode))
        why = EISDIR;
    return why == 0 ? SWQ_OK
                    : swq_fail(ctx, SWQ_EIO, "--%s: cannot read '%.200s': %s", option, path,
                               strerror(why));
}

/* ---- writing ---- */

/* The nearest folder above a path, which may be the path of a folder that is missing. */
static void cut_to_folder(char *path)
{
    char *slash = strrchr(path, '/');

    if (!slash)
        memcpy(path, ".", sizeof ".");
    else
        slash[slash == path] = '\0';
}

/* Can missing folders be made? Returns 0 or an error number. */
static int why_no_folder(const char *path)
{
    char folder[PATH_MAX];
    struct stat about;

    snprintf(folder, sizeof folder, "%s", path);
    do
        cut_to_folder(folder);
    while (stat(folder, &about) != 0 && errno == ENOENT && strcmp(folder, ".") != 0);
    if (stat(folder, &about) != 0)
        return errno;
    if (!S_ISDIR(about.st_mode))
        return ENOTDIR;
    return access(folder, W_OK | X_OK) == 0 ? 0 : errno;
}

static swq_status cannot_write(swq_context *ctx, const char *option, const char *path, int why)
{
    return swq_fail(ctx, SWQ_EIO, "--%s: cannot write '%.200s': %s", option, path, strerror(why));
}

swq_status cli_files_folder(swq_context *ctx, const char *option, const char *path)
{
    const int why = strcmp(path, "-") == 0 || strlen(path) >= PATH_MAX ? 0 : why_no_folder(path);

    return why == 0 ? SWQ_OK : cannot_write(ctx, option, path, why);
}

static bool has_folder(const char *path)
{
    char folder[PATH_MAX];
    struct stat about;

    snprintf(folder, sizeof folder, "%s", path);
    cut_to_folder(folder);
    return stat(folder, &about) == 0 && S_ISDIR(about.st_mode);
}

static swq_status check_writable(swq_context *ctx, const char *option, const char *path)
{
    struct stat about;
    swq_outfile probe = {0};
    const bool there = stat(path, &about) == 0;
    const bool special = there && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);

    if (*path == '\0')
        return swq_fail(ctx, SWQ_EINVAL, "--%s must name a file, not ''", option);
    if (strcmp(path, "-") == 0 || strlen(path) >= PATH_MAX)
        return SWQ_OK;
    if (!special && has_folder(path)) {
        const swq_status status = swq_outfile_open(ctx, path, &probe);
        swq_outfile_abort(ctx, &probe);
        return status ? cli_blame_option(ctx, option, status) : SWQ_OK;
    }
    if (!special)
        return cli_files_folder(ctx, option, path);
    /* a pipe must not be opened twice */
    return access(path, W_OK) == 0 ? SWQ_OK : cannot_write(ctx, option, path, errno);
}

static bool are_one(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Do two paths lead to the same place, where a file may exist or not? */
static bool same_place(const char *path, const char *other)
{
    char folder[2][PATH_MAX];
    struct stat about[2];

    if (strcmp(path, other) == 0 ||
        (stat(path, &about[0]) == 0 && stat(other, &about[1]) == 0 && are_one(about, about + 1)))
        return true;
    if (strcmp(last_part(path), last_part(other)) != 0)
        return false;
    for (int k = 0; k < 2; k++) {
        snprintf(folder[k], sizeof folder[k], "%s", k ? other : path);
        cut_to_folder(folder[k]);
        if (stat(folder[k], &about[k]) != 0)
            return false;
    }
    return are_one(about, about + 1);
}

static bool is_special(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

swq_status cli_files_differ(swq_context *ctx, const char *option, const char *path,
                            const char *other, const char *its_path)
{
    if (strcmp(path, "-") == 0 || is_special(path) || !same_place(path, its_path))
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL, "--%s and --%s must be different files, not both '%.150s'",
                    option, other, path);
}

static swq_status check_pairs(swq_context *ctx, const struct poptOption *table,
                              const struct poptOption *first)
{
    cli_options_walk w = cli_walk_options(table);
    swq_status status = SWQ_OK;

    for (const struct poptOption *o; !status && (o = cli_next_option(&w)) && o != first;) {
        if (cli_is_given(o) && is_one_of(o, written))
            status =
                cli_files_differ(ctx, o->longName, path_of(o), first->longName, path_of(first));
    }
    return status;
}

swq_status cli_files_check(swq_context *ctx, const struct poptOption *table)
{
    cli_options_walk w = cli_walk_options(table);
    swq_status status = SWQ_OK;

    for (const struct poptOption *o; !status && (o = cli_next_option(&w));) {
        if (!cli_is_given(o))
            continue;
        if (is_one_of(o, read_from))
            status = cli_files_readable(ctx, o->longName, path_of(o));
        if (!is_one_of(o, written))
            continue;
        status = check_writable(ctx, o->longName, path_of(o));
        if (!status)
            status = check_pairs(ctx, table, o);
    }
    return status;
}
