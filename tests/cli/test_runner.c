/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists of questions: each answer is what the question gets alone, on any number of threads; a
 * refused question leaves the others alone; what is cancelled keeps what is finished; and no more
 * questions are answered at a time than fit into the memory.
 */
#include "base/context.h"
#include "cli/runner/runner.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

TestSuite(runner, .timeout = 120);

/* The groups of an answer that do not depend on time and memory. */
static bool same_answer(const cJSON *a, const cJSON *b)
{
    static const char *const groups[] = {"model", "result", "results", "exact", "chain"};
    bool any = false, same = true;

    for (size_t k = 0; k < sizeof groups / sizeof *groups; k++) {
        const cJSON *mine = cJSON_GetObjectItem(a, groups[k]);
        const cJSON *other = cJSON_GetObjectItem(b, groups[k]);
        any = any || mine;
        same = same && !mine == !other && (!mine || cJSON_Compare(mine, other, true));
    }
    return any && same;
}

static const char *const lines[] = {
    "sim --buffer damq --cycles 2000 --flow block --load 0.5 --slots 4 --per-node",
    "solve --buffer damq --load 0.5 --slots 2",
    "sim --buffer damq --cycles 3000 --engine async --load 0.3",
    "approx --buffer damq --flow block --load 0.5 --slots 4",
    "solve --buffer fifo --load 0.4 --slots 2 --variance",
    "sim --buffer samq --cycles 2000 --flow discard --load 0.7 --ports 2 --slots 4 --stages 2",
    "formula hol-saturation --ports 4",
    "solve --buffer fifo --exact --load 1/2 --slots 1",
};
enum { LINES = sizeof lines / sizeof *lines };

static cli_answer alone(swq_context *ctx, const char *line)
{
    char text[200];
    const char *word[20];
    int count = 0;
    cli_answer answer;

    snprintf(text, sizeof text, "%s", line);
    for (char *w = strtok(text, " "); w; w = strtok(NULL, " "))
        word[count++] = w;
    cli_ask(ctx, count, word, &answer);
    return answer;
}

Test(runner, answers_are_those_of_single_questions)
{
    swq_context *ctx = swq_context_new();

    for (int threads = 1; threads <= 3; threads += 2) {
        cli_asked asked[LINES];
        for (int k = 0; k < LINES; k++)
            asked[k] = (cli_asked){.words = lines[k]};
        cr_assert_eq(cli_ask_all(ctx, asked, LINES, threads, false), SWQ_OK);
        for (int k = 0; k < LINES; k++) {
            cli_answer single = alone(ctx, lines[k]);
            cr_expect_eq(asked[k].answer.status, single.status, "%s", lines[k]);
            cr_expect_str_eq(asked[k].answer.message, single.message, "%s", lines[k]);
            cr_expect(!asked[k].interrupted, "%s", lines[k]);
            const bool same = same_answer(asked[k].answer.tree, single.tree);
            const bool formula = strncmp(lines[k], "formula", 7) == 0;
            cr_expect(same || (formula && asked[k].answer.tree), "%s", lines[k]);
            cli_answer_clear(&single);
        }
        cli_asked_clear(asked, LINES);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(runner, what_is_refused_leaves_the_others_alone)
{
    static const struct {
        const char *words, *says;
    } row[] = {
        {"sim --buffer nonsense --load 0.3 --slots 2", "buffer 'nonsense' is unknown"},
        {"solve --buffer fifo --load 0.4 --slots 2", NULL},
        {"sim --buffer damq --load 0.3 --slots 1,2", "several values"},
        {"nothing --load 0.3", "command 'nothing' is unknown"},
        {"", "a question needs a command"},
        {"solve --buffer fifo --load 0.5 --slots 2 --wrong 3", "unknown option --wrong"},
        {"solve --buffer damq --load 0.5 --slots 2", NULL},
    };
    enum { ROWS = sizeof row / sizeof *row };
    swq_context *ctx = swq_context_new();
    cli_asked asked[ROWS];

    for (int k = 0; k < ROWS; k++)
        asked[k] = (cli_asked){.words = row[k].words};
    cr_assert_eq(cli_ask_all(ctx, asked, ROWS, 2, false), SWQ_OK);
    for (int k = 0; k < ROWS; k++) {
        const cli_answer *a = &asked[k].answer;
        cr_expect_eq(a->status, row[k].says ? 2 : 0, "%s: %d", row[k].words, a->status);
        cr_expect_eq(a->tree == NULL, row[k].says != NULL, "%s", row[k].words);
        cr_expect(strstr(a->message, row[k].says ? row[k].says : ""), "%s: %s", row[k].words,
                  a->message);
    }
    cli_asked_clear(asked, ROWS);
    swq_context_free(ctx);
}

enum { CALLS = 20 }; /* after which something of a run has been measured */

static void cancel(void *arg, const char *stage, double done, double total)
{
    static int calls;

    (void)stage;
    (void)total;
    calls += done >= 1;
    if (calls > CALLS)
        swq_context_cancel(arg);
}

Test(runner, cancelled_it_keeps_what_is_finished)
{
    swq_context *ctx = swq_context_new();
    cli_asked asked[3] = {{.words = "solve --buffer fifo --load 0.4 --slots 2"},
                          {.words = "sim --buffer damq --cycles 4000000000 --load 0.5 --slots 4 "
                                    "--warmup 0"},
                          {.words = "sim --buffer damq --cycles 100 --load 0.5 --slots 4"}};

    swq_context_watch(ctx, cancel, ctx); /* some time after the first is done */
    cr_assert_eq(cli_ask_all(ctx, asked, 3, 1, false), SWQ_ECANCELLED);
    cr_expect(asked[0].answer.status == 0 && asked[0].answer.tree && !asked[0].interrupted);
    cr_expect(asked[1].interrupted && asked[1].answer.status == 1 && asked[1].answer.tree);
    cr_expect(asked[2].interrupted && asked[2].answer.status == 1 && !asked[2].answer.tree);
    cli_asked_clear(asked, 3);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* ---- memory ---- */

enum { TASKS = 8 };

static atomic_int now, most;

static swq_status read_one(swq_context *ctx, void *question, bool many)
{
    (void)ctx;
    *(double *)question = many ? 40 : NAN;
    return SWQ_OK;
}

static double bytes_of(swq_context *ctx, const void *question)
{
    (void)ctx;
    return *(const double *)question;
}

static swq_status answer_one(swq_context *ctx, void *question)
{
    const int here = atomic_fetch_add(&now, 1) + 1;

    (void)ctx;
    (void)question;
    for (int seen = atomic_load(&most); here > seen;)
        atomic_compare_exchange_weak(&most, &seen, here);
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    atomic_fetch_sub(&now, 1);
    return SWQ_OK;
}

static void clear_one(swq_context *ctx, void *question)
{
    (void)ctx;
    (void)question;
}

static swq_status set_one(swq_context *ctx, void *arg, int k, const cli_question_kind **kind)
{
    static const cli_question_kind row = {.size = sizeof(double),
                                          .read = read_one,
                                          .bytes = bytes_of,
                                          .answer = answer_one,
                                          .clear = clear_one};

    (void)ctx;
    (void)arg;
    (void)k;
    *kind = &row;
    return SWQ_OK;
}

Test(runner, no_more_at_a_time_than_fit_into_the_memory)
{
    static const struct {
        size_t limit;
        int most;
    } row[] = {{100, 2}, {30, 1}, {1000, 4}};

    for (size_t n = 0; n < sizeof row / sizeof *row; n++) {
        swq_context *ctx = swq_context_new();
        cli_questions q = {.count = TASKS, .set = set_one};
        atomic_store(&most, 0);
        swq_context_limit_memory(ctx, row[n].limit);
        for (int k = 0; k < TASKS; k++)
            cr_assert_eq(cli_questions_read(ctx, &q, k), SWQ_OK);
        cr_assert_eq(cli_questions_answer(ctx, &q, 4), SWQ_OK);
        cr_expect(atomic_load(&most) <= row[n].most, "%d at a time", atomic_load(&most));
        for (int k = 0; k < TASKS; k++)
            cr_expect_eq(q.one[k].status, SWQ_OK);
        cli_questions_clear(ctx, &q);
        swq_context_free(ctx);
    }
}
