/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A folder of a test's own below /tmp. folder_make and folder_remove are meant as .init and .fini;
 * Criterion runs the latter for a failed test too.
 */
#ifndef SWQ_TESTS_FOLDER_H
#define SWQ_TESTS_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

void folder_make(void);
void folder_remove(void); /* with its contents, one level deep */

/* The path of the folder, or of a name in it; valid until the fourth call after this one. */
const char *folder_path(const char *name);

/* The number of entries in the folder; and whether `name` is one. */
int folder_entries(void);
bool folder_has(const char *name);

void folder_write(const char *name, const char *text);

/* The content of a file followed by a NUL, to be freed; NULL if there is no such file. */
char *folder_read(const char *name, size_t *size);
bool folder_holds(const char *name, const char *text);

#endif
