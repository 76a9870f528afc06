/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models/export: every format is written to a folder and read back by a small parser; what is read
 * must be the chain, to the last bit. Not pinned: comments, and the looks of DOT.
 */
#include "switchq/export.h"
#include "tests/base/folder.h"
#include "tests/support/support.h"

#include <fcntl.h>
#include <stdint.h>
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

TestSuite(export, .init = setup, .fini = teardown, .timeout = 120);

/* A chain, and what formats show of it, computed from its words and factors. */
typedef struct {
    swq_chain *chain;
    swq_csr p;
    double *refused; /* [states] */
    bool *full;      /* [states] */
} subject;

static subject make(const swq_switch *sw)
{
    subject s = {0};

    cr_assert_eq(swq_chain_generate(ctx, sw, false, &s.chain), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert_eq(swq_chain_matrix(ctx, s.chain, &s.p, NULL), SWQ_OK);
    s.refused = swq_calloc(ctx, (size_t)s.p.rows, sizeof *s.refused);
    s.full = swq_calloc(ctx, (size_t)s.p.rows, sizeof *s.full);
    for (int64_t k = 0; k < s.p.rows; k++) {
        for (int i = 0; i < sw->ports; i++)
            s.refused[k] += swq_chain_refused(s.chain)[k * sw->ports + i];
        int queues = swq_buffer_queues(&sw->buffer, sw->ports);
        int buffers = sw->buffer.scope == SWQ_POOL ? 1 : sw->ports;
        for (int b = 0; b < buffers; b++) { /* a state begins with the lengths of its queues */
            int packets = 0;
            for (int q = 0; q < queues; q++)
                packets += swq_chain_word(s.chain, k, b * queues + q);
            s.full[k] |= packets == sw->buffer.capacity;
        }
    }
    return s;
}

static void clear(subject *s)
{
    swq_free(ctx, s->refused);
    swq_free(ctx, s->full);
    swq_csr_clear(ctx, &s->p);
    swq_chain_free(ctx, s->chain);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
}

/* A chain with states that have a full buffer and states that refuse nothing. */
static subject small(void)
{
    swq_switch sw = test_switch(ctx, "damq", 2, 2, 0.9, "random");

    sw.flow = SWQ_BLOCK;
    sw.load[1] = 0.35;
    return make(&sw);
}

static const swq_export_format *format_of(const char *name)
{
    const swq_export_format *format = NULL;

    cr_assert_eq(swq_export_find(ctx, name, &format), SWQ_OK, "%s", swq_context_message(ctx));
    return format;
}

static void write_chain(const subject *s, const char *format, const char *name)
{
    cr_assert_eq(swq_export_write(ctx, s->chain, format_of(format), folder_path(name)), SWQ_OK,
                 "%s", swq_context_message(ctx));
}

static FILE *open_part(const char *name)
{
    FILE *file = fopen(folder_path(name), "r");

    cr_assert_not_null(file, "%s was not written", name);
    return file;
}

static void expect_end(FILE *file)
{
    char rest[2];

    cr_assert_eq(fscanf(file, " %1s", rest), EOF, "more than expected");
    fclose(file);
}

/* The next `row column value` lines are P, with indices from `base`. */
static void expect_entries(FILE *file, const subject *s, int base)
{
    for (int64_t i = 0; i < s->p.rows; i++) {
        double sum = 0;
        for (int64_t e = s->p.start[i]; e < s->p.start[i + 1]; e++) {
            long long row, col;
            double value;
            cr_assert_eq(fscanf(file, "%lld %lld %lf", &row, &col, &value), 3);
            cr_assert_eq(row, i + base);
            cr_assert_eq(col, s->p.col[e] + base);
            cr_assert_eq(value, s->p.value[e]);
            sum += value;
        }
        cr_assert(fabs(sum - 1) < 1e-14, "row %lld sums to %.17g", (long long)i, sum);
    }
}

Test(export, prism)
{
    subject s = small();
    char line[256], expected[256];
    long long a, b;

    write_chain(&s, "prism", "chain");
    cr_assert_eq(folder_entries(), 4);

    FILE *file = open_part("chain.tra");
    cr_assert_eq(fscanf(file, "%lld %lld", &a, &b), 2);
    cr_assert(a == s.p.rows && b == swq_csr_nnz(&s.p));
    expect_entries(file, &s, 0);
    expect_end(file);

    file = open_part("chain.sta");
    cr_assert_not_null(fgets(line, sizeof line, file));
    cr_assert_str_eq(line, "(len0_0,len0_1,len1_0,len1_1,held0,held1)\n");
    for (int64_t k = 0; k < s.p.rows; k++) {
        cr_assert_not_null(fgets(line, sizeof line, file));
        int v[6];
        for (int w = 0; w < 6; w++)
            v[w] = swq_chain_word(s.chain, k, w);
        snprintf(expected, sizeof expected, "%lld:(%d,%d,%d,%d,%d,%d)\n", (long long)k, v[0], v[1],
                 v[2], v[3], v[4], v[5]);
        cr_assert_str_eq(line, expected);
    }
    expect_end(file);

    file = open_part("chain.lab");
    cr_assert_not_null(fgets(line, sizeof line, file));
    cr_assert_str_eq(line, "0=\"init\" 1=\"deadlock\" 2=\"full\"\n");
    cr_assert_not_null(fgets(line, sizeof line, file));
    cr_assert_str_eq(line, "0: 0\n");
    int fulls = 0;
    for (int64_t k = 0; k < s.p.rows; k++) {
        if (!s.full[k])
            continue;
        cr_assert_eq(fscanf(file, "%lld: %lld", &a, &b), 2);
        cr_assert(a == k && b == 2, "state %lld", a);
        fulls++;
    }
    expect_end(file);
    cr_assert(fulls > 0 && fulls < s.p.rows, "%d full states", fulls);

    file = open_part("chain.srew");
    cr_assert_not_null(fgets(line, sizeof line, file));
    cr_assert_eq(line[0], '#', "without its header PRISM drops the first reward");
    cr_assert_not_null(fgets(line, sizeof line, file));
    cr_assert_eq(line[0], '#');
    cr_assert_eq(fscanf(file, "%lld %lld", &a, &b), 2);
    cr_assert_eq(a, s.p.rows);
    int64_t rewards = 0;
    for (int64_t k = 0; k < s.p.rows; k++) {
        double value;
        if (s.refused[k] == 0)
            continue;
        cr_assert_eq(fscanf(file, "%lld %lf", &a, &value), 2);
        cr_assert_eq(a, k);
        cr_assert_eq(value, s.refused[k]);
        rewards++;
    }
    cr_assert(b == rewards && rewards > 0);
    expect_end(file);
    clear(&s);
}

Test(export, drn)
{
    subject s = small();
    char line[256], expected[128];

    write_chain(&s, "drn", "chain");
    cr_assert_eq(folder_entries(), 1);
    FILE *file = open_part("chain.drn");
    long long states = -1, choices = -1;
    bool dtmc = false, reward = false;
    while (fgets(line, sizeof line, file) && strcmp(line, "@model\n") != 0) {
        dtmc |= strcmp(line, "@type: DTMC\n") == 0;
        reward |= strcmp(line, "refused\n") == 0;
        if (strcmp(line, "@nr_states\n") == 0)
            cr_assert_eq(fscanf(file, "%lld\n", &states), 1);
        if (strcmp(line, "@nr_choices\n") == 0)
            cr_assert_eq(fscanf(file, "%lld\n", &choices), 1);
    }
    cr_assert(dtmc && reward);
    cr_assert(states == s.p.rows && choices == s.p.rows);
    for (int64_t k = 0; k < s.p.rows; k++) {
        int used;
        double value, sum = 0;
        cr_assert_not_null(fgets(line, sizeof line, file));
        snprintf(expected, sizeof expected, "state %lld [", (long long)k);
        cr_assert_eq(strncmp(line, expected, strlen(expected)), 0, "%s", line);
        cr_assert_eq(sscanf(line + strlen(expected), "%lf]%n", &value, &used), 1);
        cr_assert_eq(value, s.refused[k]);
        snprintf(expected, sizeof expected, "%s%s\n", k == 0 ? " init" : "",
                 s.full[k] ? " full" : "");
        cr_assert_str_eq(strchr(line, ']') + 1, expected, "state %lld", (long long)k);
        cr_assert_not_null(fgets(line, sizeof line, file));
        cr_assert_eq(strncmp(line, "\taction 0", 9), 0, "%s", line);
        for (int64_t e = s.p.start[k]; e < s.p.start[k + 1]; e++) {
            long long col;
            cr_assert_not_null(fgets(line, sizeof line, file));
            cr_assert_eq(sscanf(line, "\t\t%lld : %lf", &col, &value), 2, "%s", line);
            cr_assert_eq(col, s.p.col[e]);
            cr_assert_eq(value, s.p.value[e]);
            sum += value;
        }
        cr_assert(fabs(sum - 1) < 1e-14);
    }
    expect_end(file);
    clear(&s);
}

Test(export, mtx)
{
    subject s = small();
    char line[512], text[128];
    long long rows, cols, entries;
    int64_t described = 0;

    write_chain(&s, "mtx", "chain");
    cr_assert_eq(folder_entries(), 1);
    FILE *file = open_part("chain.mtx");
    cr_assert_not_null(fgets(line, sizeof line, file));
    cr_assert_str_eq(line, "%%MatrixMarket matrix coordinate real general\n");
    do {
        cr_assert_not_null(fgets(line, sizeof line, file));
        swq_chain_state_text(s.chain, described < s.p.rows ? described : 0, text, sizeof text);
        described += line[0] == '%' && strstr(line, text) != NULL;
    } while (line[0] == '%');
    cr_assert_eq(described, s.p.rows, "%lld states described", (long long)described);
    cr_assert_eq(sscanf(line, "%lld %lld %lld", &rows, &cols, &entries), 3);
    cr_assert(rows == s.p.rows && cols == s.p.rows && entries == swq_csr_nnz(&s.p));
    expect_entries(file, &s, 1);
    expect_end(file);
    clear(&s);
}

Test(export, dot)
{
    swq_switch sw = test_switch(ctx, "damq", 2, 2, 0.9, "random");
    subject s = make(&sw);
    char line[512], text[128];
    int64_t node = 0, edge = 0, from = 0;

    write_chain(&s, "dot", "chain");
    FILE *file = open_part("chain.dot");
    cr_assert_not_null(fgets(line, sizeof line, file));
    cr_assert_eq(strncmp(line, "digraph", 7), 0);
    while (fgets(line, sizeof line, file)) {
        long long a, b;
        double value;
        if (sscanf(line, " s%lld -> s%lld [label=\"%lf\"]", &a, &b, &value) == 3) {
            while (edge == s.p.start[from + 1])
                from++;
            cr_assert(a == from && b == s.p.col[edge], "%s", line);
            assert_relative(value, s.p.value[edge], 6e-4, "%s", line);
            edge++;
        } else if (sscanf(line, " s%lld [label", &a) == 1) {
            cr_assert_eq(a, node);
            swq_chain_state_text(s.chain, node, text, sizeof text);
            cr_assert_not_null(strstr(line, text), "%s", line);
            cr_assert_eq(strstr(line, "filled") != NULL, s.full[node], "%s", line);
            node++;
        }
    }
    cr_assert_eq(line[0], '}');
    fclose(file);
    cr_assert_eq(node, s.p.rows);
    cr_assert_eq(edge, swq_csr_nnz(&s.p));
    clear(&s);
}

/* 2x2 DAMQ of 4 slots has 140 states, of 6 slots 525. */
Test(export, dot_is_for_at_most_200_states)
{
    swq_switch sw = test_switch(ctx, "damq", 2, 4, 0.9, "random");
    subject s = make(&sw);

    write_chain(&s, "dot", "fits");
    clear(&s);
    sw = test_switch(ctx, "damq", 2, 6, 0.9, "random");
    s = make(&sw);
    cr_assert_eq(swq_export_write(ctx, s.chain, format_of("dot"), folder_path("large")),
                 SWQ_ELIMIT);
    cr_assert_not_null(strstr(swq_context_message(ctx), "at most 200 states; this chain has 525"),
                       "%s", swq_context_message(ctx));
    cr_assert_eq(folder_entries(), 1);
    for (int k = 0; swq_export_formats[k]; k++) {
        if (swq_export_formats[k]->most_states == 0)
            write_chain(&s, swq_export_formats[k]->name, "large");
    }
    clear(&s);
}

Test(export, suffixes)
{
    static const char *const single[] = {"drn", "mtx", "dot"};
    subject s = small();
    char name[32];

    for (int k = 0; k < 3; k++) {
        snprintf(name, sizeof name, "a.%s", single[k]);
        write_chain(&s, single[k], "a"); /* added */
        cr_assert(folder_has(name));
        snprintf(name, sizeof name, "b.%s", single[k]);
        write_chain(&s, single[k], name); /* there already */
        cr_assert(folder_has(name));
        snprintf(name, sizeof name, "c.txt.%s", single[k]);
        write_chain(&s, single[k], "c.txt"); /* another one */
        cr_assert(folder_has(name));
    }
    cr_assert_eq(folder_entries(), 9);
    clear(&s);
}

/* export.h: with several parts the suffix is added to the path as it is. */
Test(export, suffixes_of_several_parts)
{
    static const char *const names[] = {"a.tra.tra", "a.tra.sta", "a.tra.lab", "a.tra.srew"};
    subject s = small();

    write_chain(&s, "prism", "a.tra");
    for (int k = 0; k < 4; k++)
        cr_assert(folder_has(names[k]), "no %s", names[k]);
    clear(&s);
}

Test(export, standard_output)
{
    subject s = small();
    size_t size, written;

    cr_assert_eq(swq_export_write(ctx, s.chain, format_of("prism"), "-"), SWQ_EINVAL);
    cr_assert_not_null(strstr(swq_context_message(ctx), "prism has 4 files"), "%s",
                       swq_context_message(ctx));

    fflush(stdout);
    int before = dup(1), to = open(folder_path("stdout"), O_WRONLY | O_CREAT, 0644);
    cr_assert(before >= 0 && to >= 0);
    dup2(to, 1);
    swq_status status = swq_export_write(ctx, s.chain, format_of("drn"), "-");
    dup2(before, 1);
    close(before);
    close(to);
    cr_assert_eq(status, SWQ_OK);
    cr_assert_eq(folder_entries(), 1, "a file of its own was written");
    write_chain(&s, "drn", "file");
    char *shown = folder_read("stdout", &size), *file = folder_read("file.drn", &written);
    cr_assert(size == written && memcmp(shown, file, size) == 0);
    free(shown);
    free(file);
    clear(&s);
}

/* Whichever of the four files cannot be renamed, none of the others may appear, and what was there
 * before is kept. */
Test(export, all_files_or_none)
{
    static const char *const parts[] = {"chain.tra", "chain.sta", "chain.lab", "chain.srew"};
    subject s = small();
    size_t live = swq_context_live_bytes(ctx);

    for (int bad = 0; bad < 4; bad++) {
        for (int k = 0; k < 4; k++) {
            if (k != bad)
                folder_write(parts[k], "old");
        }
        remove(folder_path(parts[bad]));
        cr_assert_eq(mkdir(folder_path(parts[bad]), 0755), 0);
        cr_assert_eq(swq_export_write(ctx, s.chain, format_of("prism"), folder_path("chain")),
                     SWQ_EIO);
        cr_assert_not_null(strstr(swq_context_message(ctx), parts[bad]), "%s",
                           swq_context_message(ctx));
        cr_assert_eq(swq_context_live_bytes(ctx), live);
        cr_assert_eq(folder_entries(), 4, "a temporary was left");
        for (int k = 0; k < 4; k++)
            cr_assert(k == bad || folder_holds(parts[k], "old"), "%s was replaced, %s was not",
                      parts[k], parts[bad]);
        cr_assert_eq(rmdir(folder_path(parts[bad])), 0);
    }
    clear(&s);
}

Test(export, no_such_folder)
{
    subject s = small();

    for (int k = 0; swq_export_formats[k]; k++) {
        cr_assert_eq(
            swq_export_write(ctx, s.chain, swq_export_formats[k], folder_path("missing/chain")),
            SWQ_EIO);
        cr_assert_not_null(strstr(swq_context_message(ctx), "missing/chain."), "%s",
                           swq_context_message(ctx));
    }
    cr_assert_eq(folder_entries(), 0);
    clear(&s);
}

Test(export, every_allocation_failing)
{
    subject s = small();
    size_t live = swq_context_live_bytes(ctx);

    for (int k = 0; swq_export_formats[k]; k++) {
        swq_status status = SWQ_ENOMEM;
        for (size_t after = 0; status; after++) {
            cr_assert_lt(after, 100);
            swq_context_fail_allocations(ctx, after, true);
            status = swq_export_write(ctx, s.chain, swq_export_formats[k], folder_path("chain"));
            swq_context_fail_allocations(ctx, SIZE_MAX, false);
            cr_assert(!status || status == SWQ_ENOMEM);
            cr_assert_eq(swq_context_live_bytes(ctx), live, "leaked after %zu", after);
            cr_assert_eq(folder_has("chain.tra") + folder_has("chain.drn") +
                             folder_has("chain.mtx") + folder_has("chain.dot") +
                             folder_has("chain.pm"),
                         status ? k : k + 1);
        }
    }
    cr_assert_eq(folder_entries(), 4 + 3 + 2);
    clear(&s);
}
