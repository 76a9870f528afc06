/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/outfile.c: whole files or none, whatever goes wrong on the way, and never a stray temporary.
 */
#include "base/outfile.h"
#include "tests/base/folder.h"
#include "tests/support/support.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static swq_context *ctx;

static void setup(void)
{
    folder_make();
    ctx = swq_context_new();
}

static void teardown(void)
{
    swq_context_free(ctx);
    folder_remove();
}

TestSuite(outfile, .init = setup, .fini = teardown, .timeout = 120);

static swq_outfile started(const char *name, const char *text)
{
    swq_outfile file;

    cr_assert_eq(swq_outfile_open(ctx, folder_path(name), &file), SWQ_OK, "%s",
                 swq_context_message(ctx));
    fputs(text, file.stream);
    return file;
}

static void expect_message_names(const char *path)
{
    cr_assert_not_null(strstr(swq_context_message(ctx), path), "'%s' does not name '%s'",
                       swq_context_message(ctx), path);
}

Test(outfile, appears_when_committed)
{
    swq_outfile file = started("out", "one\ntwo\n");

    cr_assert_not(folder_has("out"), "it is there before it is done");
    cr_assert_eq(swq_outfile_commit(ctx, &file), SWQ_OK);
    cr_assert(folder_holds("out", "one\ntwo\n"));
    cr_assert_eq(folder_entries(), 1);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_outfile_abort(ctx, &file); /* safe on a committed file */
    cr_assert(folder_holds("out", "one\ntwo\n"));
    swq_outfile_abort(ctx, &(swq_outfile){0});
}

Test(outfile, leaves_nothing_when_aborted)
{
    swq_outfile file = started("out", "half");

    swq_outfile_abort(ctx, &file);
    cr_assert_eq(folder_entries(), 0);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_outfile_abort(ctx, &file);
}

Test(outfile, replaces_the_old_one_only_when_done)
{
    folder_write("out", "old and longer");
    swq_outfile file = started("out", "half");
    fflush(file.stream);
    cr_assert(folder_holds("out", "old and longer"));
    swq_outfile_abort(ctx, &file);
    cr_assert(folder_holds("out", "old and longer"));
    file = started("out", "new");
    cr_assert_eq(swq_outfile_commit(ctx, &file), SWQ_OK);
    cr_assert(folder_holds("out", "new"));
    cr_assert_eq(folder_entries(), 1);
}

Test(outfile, two_at_once_do_not_meet)
{
    swq_outfile a = started("out", "first"), b = started("out", "second");

    cr_assert_eq(swq_outfile_commit(ctx, &b), SWQ_OK);
    cr_assert(folder_holds("out", "second"));
    cr_assert_eq(swq_outfile_commit(ctx, &a), SWQ_OK);
    cr_assert(folder_holds("out", "first"));
    cr_assert_eq(folder_entries(), 1);
}

Test(outfile, no_such_folder)
{
    swq_outfile file;

    folder_write("plain", "");
    const char *const name[] = {"missing/out", "plain/out"};
    for (int k = 0; k < 2; k++) {
        cr_assert_eq(swq_outfile_open(ctx, folder_path(name[k]), &file), SWQ_EIO);
        expect_message_names(folder_path(name[k]));
        cr_assert_null(file.stream);
        swq_outfile_abort(ctx, &file);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
    }
    cr_assert_eq(folder_entries(), 1);
}

Test(outfile, an_unwritable_folder)
{
    swq_outfile file;

    folder_write("out", "old");
    cr_assert_eq(chmod(folder_path(NULL), 0555), 0);
    if (geteuid() == 0 && seteuid(65534) != 0) /* for root, nothing is unwritable */
        cr_skip_test("cannot give up root's rights");
    cr_assert_eq(swq_outfile_open(ctx, folder_path("out"), &file), SWQ_EIO);
    expect_message_names(folder_path("out"));
    expect_message_names("ermission denied");
    swq_outfile_abort(ctx, &file);
    if (getuid() == 0)
        cr_assert_eq(seteuid(0), 0);
    chmod(folder_path(NULL), 0755);
    cr_assert(folder_holds("out", "old"));
    cr_assert_eq(folder_entries(), 1);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
}

Test(outfile, a_folder_in_its_place)
{
    swq_outfile file;

    cr_assert_eq(mkdir(folder_path("out"), 0755), 0);
    cr_assert_eq(swq_outfile_open(ctx, folder_path("out"), &file), SWQ_EIO);
    expect_message_names(folder_path("out"));
    cr_assert_eq(folder_entries(), 1, "a temporary was left");
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
}

Test(outfile, an_empty_path)
{
    swq_outfile file;

    cr_assert_eq(chdir(folder_path(NULL)), 0);
    swq_status status = swq_outfile_open(ctx, "", &file);
    if (!status)
        status = swq_outfile_commit(ctx, &file);
    cr_assert_eq(status, SWQ_EIO);
    cr_assert_eq(folder_entries(), 0);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    cr_assert_eq(chdir("/"), 0);
}

/* The disk is full: half a file must not replace the old one. */
Test(outfile, a_write_error)
{
    struct rlimit limit;

    folder_write("out", "old");
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = 10000;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    for (int size = 10001; size <= 100000; size += 89999) { /* at the flush; and before it */
        swq_outfile file = started("out", "");
        for (int k = 0; k < size; k++)
            putc('x', file.stream);
        cr_assert_eq(swq_outfile_commit(ctx, &file), SWQ_EIO, "%d bytes", size);
        expect_message_names(folder_path("out"));
        cr_assert(folder_holds("out", "old"));
        cr_assert_eq(folder_entries(), 1, "a temporary was left");
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
    }
    limit.rlim_cur = limit.rlim_max;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

Test(outfile, permissions_follow_the_umask)
{
    static const mode_t masks[] = {022, 077, 002, 0, 0222};
    struct stat about;

    for (size_t k = 0; k < sizeof masks / sizeof *masks; k++) {
        umask(masks[k]);
        swq_outfile file = started("out", "text");
        cr_assert_eq(umask(masks[k]), masks[k], "the umask was changed");
        cr_assert_eq(swq_outfile_commit(ctx, &file), SWQ_OK);
        cr_assert_eq(stat(folder_path("out"), &about), 0);
        cr_assert_eq(about.st_mode & 07777, 0666 & ~masks[k], "umask %o: %o", (unsigned)masks[k],
                     (unsigned)about.st_mode & 07777);
        cr_assert_eq(unlink(folder_path("out")), 0);
    }
}

static mode_t mode_of(const char *name)
{
    struct stat about;

    cr_assert_eq(stat(folder_path(name), &about), 0);
    return about.st_mode & 07777;
}

Test(outfile, a_file_that_is_replaced_keeps_its_mode)
{
    static const mode_t modes[] = {0600, 0640, 0644, 0666, 0755, 0444};

    umask(022);
    folder_write("out", "old");
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
        cr_assert_eq(chmod(folder_path("out"), modes[k]), 0);
        swq_outfile file = started("out", "new");
        cr_assert_eq(swq_outfile_commit(ctx, &file), SWQ_OK);
        cr_assert_eq(mode_of("out"), modes[k], "%o became %o", (unsigned)modes[k],
                     (unsigned)mode_of("out"));
    }
    cr_assert(folder_holds("out", "new"));
}

Test(outfile, a_file_that_is_replaced_keeps_its_owner)
{
    struct stat about;

    folder_write("out", "old");
    if (chown(folder_path("out"), 65534, 65534) != 0)
        cr_skip_test("this user cannot give files away");
    cr_assert_eq(chmod(folder_path("out"), 0660), 0);
    swq_outfile file = started("out", "new");
    cr_assert_eq(swq_outfile_commit(ctx, &file), SWQ_OK);
    cr_assert_eq(stat(folder_path("out"), &about), 0);
    cr_assert_eq(about.st_uid, 65534);
    cr_assert_eq(about.st_gid, 65534);
    cr_assert_eq(about.st_mode & 07777, 0660);
}

/* The file that a link points to is replaced, in its own folder, and the link stays. */
static void expect_written_through(const char *name, const char *to, const char *end)
{
    struct stat about;

    cr_assert_eq(symlink(to, folder_path(name)), 0);
    swq_outfile file = started(name, "new");
    cr_assert_eq(swq_outfile_commit(ctx, &file), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(lstat(folder_path(name), &about), 0);
    cr_expect(S_ISLNK(about.st_mode), "%s: the link is gone", name);
    cr_expect(folder_holds(end, "new"), "%s: %s was not written", name, end);
    cr_expect_eq(lstat(folder_path(end), &about), 0);
    cr_expect(S_ISREG(about.st_mode), "%s: %s is not the file", name, end);
    cr_expect_eq(swq_context_live_blocks(ctx), 0);
}

Test(outfile, a_symbolic_link_is_written_through)
{
    folder_write("file", "old");
    cr_assert_eq(chmod(folder_path("file"), 0600), 0);
    expect_written_through("relative", "file", "file");
    expect_written_through("absolute", folder_path("file"), "file");
    expect_written_through("of_a_link", "relative", "file");
    expect_written_through("dangling", "fresh", "fresh");
    expect_written_through("dangling_too", "./dangling_end", "dangling_end");
    cr_expect_eq(mode_of("file"), 0600);
    cr_assert_eq(folder_entries(), 8);
}

Test(outfile, a_symbolic_link_that_leads_nowhere)
{
    static const char *const to[] = {"round", "missing/out"};
    swq_outfile file;

    for (int k = 0; k < 2; k++) {
        cr_assert_eq(symlink(to[k], folder_path("round")), 0);
        cr_assert_eq(swq_outfile_open(ctx, folder_path("round"), &file), SWQ_EIO);
        expect_message_names(folder_path("round"));
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        cr_assert_eq(folder_entries(), 1);
        cr_assert_eq(unlink(folder_path("round")), 0);
    }
}

/* As by a signal handler that ends the process. */
Test(outfile, temporaries_can_be_removed_at_any_time)
{
    swq_outfile kept = started("kept", "kept"), one = started("one", ""), two = started("two", "");

    cr_assert_eq(swq_outfile_commit(ctx, &kept), SWQ_OK);
    cr_assert_eq(folder_entries(), 3);
    swq_context_remove_temporaries(ctx);
    cr_assert_eq(folder_entries(), 1);
    cr_assert(folder_holds("kept", "kept"));
    swq_outfile_abort(ctx, &one);
    swq_outfile_abort(ctx, &two);
    swq_context_remove_temporaries(ctx);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
}

/* With a link on the way there is one more allocation. */
Test(outfile, every_allocation_failing_behind_a_link)
{
    swq_outfile file;

    cr_assert_eq(symlink("end", folder_path("out")), 0);
    for (size_t after = 0; after < 4; after++) {
        swq_context_fail_allocations(ctx, after, true);
        cr_assert_eq(swq_outfile_open(ctx, folder_path("out"), &file), SWQ_ENOMEM);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        cr_assert_eq(folder_entries(), 1);
    }
    swq_context_fail_allocations(ctx, 4, true);
    file = started("out", "text");
    cr_assert_eq(swq_outfile_commit(ctx, &file), SWQ_OK);
    cr_assert(folder_holds("end", "text"));
}

/* A pipe or a device is kept: renaming a file over /dev/null would be a disaster. */
Test(outfile, a_pipe_is_not_replaced)
{
    struct stat about;
    swq_outfile file;

    cr_assert_eq(mkfifo(folder_path("out"), 0644), 0);
    int reader = open(folder_path("out"), O_RDONLY | O_NONBLOCK); /* so that no writer waits */
    swq_status status = swq_outfile_open(ctx, folder_path("out"), &file);
    if (!status) {
        fputs("text", file.stream);
        swq_outfile_commit(ctx, &file);
    }
    close(reader);
    cr_assert_eq(lstat(folder_path("out"), &about), 0);
    cr_assert(S_ISFIFO(about.st_mode), "the pipe is gone");
}

/* Redirects file descriptor 1; returns a copy of the old one. */
static int redirect(const char *path)
{
    fflush(stdout);
    int before = dup(1), to = open(path, O_WRONLY | O_CREAT, 0644);

    cr_assert(before >= 0 && to >= 0);
    dup2(to, 1);
    close(to);
    return before;
}

static void restore(int before)
{
    fflush(stdout);
    clearerr(stdout);
    dup2(before, 1);
    close(before);
}

Test(outfile, dash_is_standard_output)
{
    swq_outfile file;
    int before = redirect(folder_path("stdout"));

    cr_assert_eq(swq_outfile_open(ctx, "-", &file), SWQ_OK);
    bool same = file.stream == stdout;
    fputs("text\n", file.stream);
    swq_status status = swq_outfile_commit(ctx, &file);
    bool flushed = folder_holds("stdout", "text\n");
    swq_status again = swq_outfile_open(ctx, "-", &file);
    fputs("more\n", file.stream);
    swq_outfile_abort(ctx, &file);
    int written = puts("still open");
    restore(before);
    cr_assert(same);
    cr_assert_eq(status, SWQ_OK);
    cr_assert(flushed);
    cr_assert_eq(again, SWQ_OK);
    cr_assert(written >= 0, "standard output was closed");
    cr_assert_eq(folder_entries(), 1);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
}

Test(outfile, standard_output_full)
{
    swq_outfile file;

    if (access("/dev/full", W_OK) != 0)
        cr_skip_test("no /dev/full");
    int before = redirect("/dev/full");
    cr_assert_eq(swq_outfile_open(ctx, "-", &file), SWQ_OK);
    fputs("text\n", file.stream);
    swq_status status = swq_outfile_commit(ctx, &file);
    restore(before);
    cr_assert_eq(status, SWQ_EIO);
    expect_message_names("standard output");
}

Test(outfile, every_allocation_failing)
{
    swq_outfile file;

    for (size_t after = 0; after < 3; after++) {
        swq_context_fail_allocations(ctx, after, true);
        cr_assert_eq(swq_outfile_open(ctx, folder_path("out"), &file), SWQ_ENOMEM);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        cr_assert_eq(folder_entries(), 0);
    }
    swq_context_fail_allocations(ctx, 3, true);
    file = started("out", "text");
    cr_assert_eq(swq_outfile_commit(ctx, &file), SWQ_OK);
}
