/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files that options name: traces, matrices, loads, configurations of BookSim, tables of Noxim. The
 * first byte says which.
 */
#include "tests/fuzz/fuzz.h"

#define FILE_NAME "input"
#define ASYNC     "sim", "--engine=async", "--buffer=damq", "--slots=64", "--stages=2"
#define SYNC      "sim", "--buffer=damq", "--slots=4", "--stages=2"

static const char *const asked[][8] = {
    {SYNC, "--traffic=trace:" FILE_NAME},
    {SYNC, "--load=0.1", "--traffic=file:" FILE_NAME},
    {SYNC, "--load=file:" FILE_NAME},
    {ASYNC, "--traffic=trace:" FILE_NAME},
    {"solve", "--buffer=damq", "--slots=4", "--load=0.5", "--traffic=file:" FILE_NAME},
    {"solve", "--exact", "--buffer=damq", "--slots=2", "--load=1/2", "--traffic=file:" FILE_NAME},
    {ASYNC, "--traffic=netrace:" FILE_NAME},
    {"sim", "--booksim=" FILE_NAME},
    {ASYNC, "--traffic=noxim:" FILE_NAME},
};

enum { ASKED = sizeof asked / sizeof *asked };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int count = 0;

    if (size < 1)
        return 0;
    const char *const *words = asked[data[0] % ASKED];
    while (words[count])
        count++;
    fuzz_file(FILE_NAME, data + 1, size - 1);
    fuzz_ask(count, words);
    return 0;
}
