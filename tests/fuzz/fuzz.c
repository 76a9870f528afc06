/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See fuzz.h.
 */
#include "tests/fuzz/fuzz.h"
#include "cli/answer.h"
#include "cli/cli.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 200, MEGABYTES = 64 };

char **fuzz_lines(const uint8_t *data, size_t size, int *count)
{
    size_t lines = 1;

    for (size_t k = 0; k < size; k++)
        lines += data[k] == '\n';
    char **line = malloc((lines + 1) * sizeof *line + size + 1);
    if (!line)
        return NULL;
    char *text = (char *)(line + lines + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    *count = 0;
    for (char *next = text; next; (*count)++) {
        line[*count] = next;
        next = strchr(next, '\n');
        if (next)
            *next++ = '\0';
    }
    line[*count] = NULL;
    return line;
}

void fuzz_file(const char *name, const uint8_t *data, size_t size)
{
    FILE *file = fopen(name, "wb");

    assert(file);
    assert(fwrite(data, 1, size, file) == size);
    assert(fclose(file) == 0);
}

/* Without --mem a command may use most of the machine's memory. */
static bool may_be_limited(int count, const char *const *words)
{
    static const char *const commands[] = {"solve", "sim", "approx", "export", NULL};
    int k = 0;

    while (commands[k] && strcmp(commands[k], words[0]) != 0)
        k++;
    for (int w = 1; w < count; w++) {
        if (strncmp(words[w], "--m", 3) == 0)
            return false;
    }
    return commands[k] && count < MOST_WORDS;
}

void fuzz_ask(int count, const char *const *words)
{
    swq_context *ctx = swq_context_new();
    const char *limited[MOST_WORDS + 1];
    cli_answer answer;

    if (count > 0 && may_be_limited(count, words)) {
        memcpy(limited, words, (size_t)count * sizeof *words);
        limited[count++] = "--mem=128M";
        words = limited;
    }

    assert(ctx);
    swq_context_limit_memory(ctx, (size_t)MEGABYTES << 20);
    swq_context_cancel(ctx);
    cli_ask(ctx, count, words, &answer);
    assert(answer.status >= CLI_OK && answer.status <= CLI_LIMIT);
    if (answer.status == CLI_BAD_INPUT)
        assert(answer.message[0] && !strchr(answer.message, '\n'));
    cli_answer_clear(&answer);
    swq_context_free(ctx);
}
