/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See folder.h.
 */
#include "tests/base/folder.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

void folder_make(void)
{
    strcpy(folder, "/tmp/switchq-test-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    chmod(folder, 0755); /* for the test that drops its privileges */
}

const char *folder_path(const char *name)
{
    static char path[4][512];
    static int turn;

    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s%s%s", folder, name ? "/" : "", name ? name : "");
    return path[turn];
}

/* Calls `visit`, unless it is NULL, with the path of every entry; returns the number of entries. */
static int walk(void (*visit)(const char *path))
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    int entries = 0;

    while (dir && (entry = readdir(dir))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        entries++;
        if (visit)
            visit(folder_path(entry->d_name));
    }
    if (dir)
        closedir(dir);
    return entries;
}

static void remove_entry(const char *path)
{
    remove(path);
}

void folder_remove(void)
{
    walk(remove_entry);
    rmdir(folder);
}

int folder_entries(void)
{
    return walk(NULL);
}

bool folder_has(const char *name)
{
    struct stat about;

    return lstat(folder_path(name), &about) == 0;
}

void folder_write(const char *name, const char *text)
{
    FILE *file = fopen(folder_path(name), "w");

    cr_assert_not_null(file);
    fputs(text, file);
    cr_assert_eq(fclose(file), 0);
}

char *folder_read(const char *name, size_t *size)
{
    FILE *file = fopen(folder_path(name), "r");
    char *text = NULL;

    *size = 0;
    if (!file)
        return NULL;
    for (size_t room = 1 << 16, got = 1; got > 0; *size += got) {
        if (!text || *size + 1 == room)
            text = realloc(text, (room *= 2));
        cr_assert_not_null(text);
        got = fread(text + *size, 1, room - *size - 1, file);
    }
    text[*size] = '\0';
    fclose(file);
    return text;
}

bool folder_holds(const char *name, const char *text)
{
    size_t size;
    char *content = folder_read(name, &size);
    bool same = content && size == strlen(text) && memcmp(content, text, size) == 0;

    free(content);
    return same;
}
