/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The option --oracle of admission credence: perfect, flip:P, or file:PATH.
 */
#include "cli/spec/oracle.h"

#include "base/context.h"
#include "cli/options/options.h"
#include "cli/options/parse.h"
#include "switchq/buffer.h"

#include <stdlib.h>
#include <string.h>

/* Answers that were read, by their file; a program reads few, and keeps them until it ends. */
typedef struct answers {
    struct answers *next;
    char *path;
    uint8_t *answer;
    uint64_t count;
} answers;
static answers *all;

static void clear(answers *a)
{
    if (!a)
        return;
    free(a->path);
    free(a->answer);
    free(a);
}

/* Zeros and ones, with blanks, commas and line ends between them or not; # starts a comment. */
static swq_status read_answers(swq_context *ctx, FILE *file, const char *path, answers *a)
{
    uint64_t room = 0;
    swq_status status = SWQ_OK;

    for (int c; !status && (c = fgetc(file)) != EOF;) {
        if (c == '#') {
            while ((c = fgetc(file)) != EOF && c != '\n')
                ;
            continue;
        }
        if (strchr(" \t\r\n,", c))
            continue;
        if (c != '0' && c != '1')
            return swq_fail(ctx, SWQ_EINVAL,
                            "--oracle: '%.200s' must hold 0 and 1 only; answer %llu is neither",
                            path, (unsigned long long)a->count + 1);
        if (a->count == room) {
            room = 2 * room + 4096;
            uint8_t *more = realloc(a->answer, room);
            if (!more)
                return swq_fail(ctx, SWQ_ENOMEM, "no memory for the answers of '%.200s'", path);
            a->answer = more;
        }
        a->answer[a->count++] = (uint8_t)(c - '0');
        status = a->count % 4096 ? SWQ_OK : cli_go_on_reading(ctx, path);
    }
    if (!status && ferror(file))
        status = cli_cannot_read(ctx, path);
    if (!status && a->count == 0)
        status = swq_fail(ctx, SWQ_EINVAL, "--oracle: '%.200s' has no answers", path);
    return status;
}

static swq_status find_answers(swq_context *ctx, const char *path, const answers **found)
{
    answers *a = all;

    while (a && strcmp(a->path, path) != 0)
        a = a->next;
    *found = a;
    if (a)
        return SWQ_OK;
    FILE *file = fopen(path, "r");
    if (!file)
        return cli_cannot_read(ctx, path);
    a = calloc(1, sizeof *a);
    if (a)
        a->path = strdup(path);
    swq_status status = a && a->path ? read_answers(ctx, file, path, a)
                                     : swq_fail(ctx, SWQ_ENOMEM, "no memory for '%.200s'", path);
    fclose(file);
    if (status) {
        clear(a);
        return status;
    }
    a->next = all;
    *found = all = a;
    return SWQ_OK;
}

swq_status cli_oracle_read(swq_context *ctx, const char *text, void *buffer)
{
    swq_oracle *o = &((swq_buffer *)buffer)->oracle;
    const answers *a = NULL;

    *o = (swq_oracle){.flip = 0};
    if (strcmp(text, "perfect") == 0)
        return SWQ_OK;
    if (strncmp(text, "flip:", 5) == 0)
        return cli_number(ctx, "oracle flip", text + 5, 0, 1, &o->flip);
    if (strncmp(text, "file:", 5) != 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--oracle must be perfect, flip:P or file:PATH, not '%.60s'", text);
    const swq_status status = find_answers(ctx, text + 5, &a);
    if (!status)
        *o = (swq_oracle){.answer = a->answer, .answers = a->count, .file = a->path};
    return status;
}

void cli_oracle_put(cli_record *model, const void *buffer)
{
    const swq_oracle *o = &((const swq_buffer *)buffer)->oracle;
    char text[320];

    if (o->file)
        snprintf(text, sizeof text, "file:%.300s", o->file);
    else
        snprintf(text, sizeof text, o->flip > 0 ? "flip:%.15g" : "perfect", o->flip);
    cli_put_word(model, "oracle", text);
}
