/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the fuzz targets share. A target is a file with LLVMFuzzerTestOneInput, a parser that any
 * bytes may reach, and its first inputs in seeds/; `make fuzz` runs them all. It may write files
 * into the folder that it is run in.
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Splits the bytes, which it copies, into lines without line feeds, each ended by zero. Returns
 * NULL if there is no memory. One block, to be freed with free(lines); line[*count] is NULL. */
char **fuzz_lines(const uint8_t *data, size_t size, int *count);

/* Writes the bytes into a file of that name. */
void fuzz_file(const char *name, const uint8_t *data, size_t size);

/* Runs a command as far as reading its options and files: the work is cancelled before it begins.
 * Asserts that a refusal is one line. */
void fuzz_ask(int count, const char *const *words);

#endif
