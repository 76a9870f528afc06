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
void folder_remove(void); /* with all that is in it, one level deep */

/* The folder's path, or that of a name in it; good until the fourth call from here. */
const char *folder_path(const char *name);

/* Entries in the folder, and whether `name` is one. */
int folder_entries(void);
bool folder_has(const char *name);

void folder_write(const char *name, const char *text);

/* The content with a NUL behind it, to be freed; NULL if there is no such file. */
char *folder_read(const char *name, size_t *size);
bool folder_holds(const char *name, const char *text);

#endif
