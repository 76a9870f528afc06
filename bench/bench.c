/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CPU time of typical runs of the program, as whole processes, as CSV. With a second program the
 * two run in turn, A B A B ..., and the ratio of the medians is printed: compare only figures of
 * one run. bench SWITCHQ [OTHER]
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RUNS = 15, MOST_WORDS = 24 };

static const struct {
    const char *name, *arguments;
} cases[] = {
    {"start", "--version"},
    {"table-4.1", "table 4.1"},
    {"fifo-8", "solve --buffer fifo --slots 8 --load 0.9"},
    {"samq-8", "solve --buffer samq --slots 8 --load 0.9"},
    {"safc-8", "solve --buffer safc --slots 8 --load 0.9"},
    {"damq-4", "solve --buffer damq --slots 4 --load 0.9"},
    {"damq-8", "solve --buffer damq --slots 8 --load 0.9"},
    {"damq-8-tail", "solve --buffer damq --slots 8 --load 0.25"},
    {"damq-8-hotspot", "solve --buffer damq --slots 8 --load 0.7 --traffic hotspot:0.2"},
    {"damq-8-block", "solve --buffer damq --slots 8 --load 0.9 --flow block"},
    {"dafc-8", "solve --buffer dafc --slots 8 --load 0.9"},
    {"cbda-8", "solve --buffer cbda --slots 8 --load 0.9"},
    {"damq-12", "solve --buffer damq --slots 12 --load 0.9"},
    {"damq-3x3-3", "solve --buffer damq --ports 3 --slots 3 --load 0.9"},
};

/* User and system milliseconds of one run; exits when the run fails. */
static double run(const char *program, const char *arguments)
{
    char words[512];
    char *argv[MOST_WORDS] = {0};
    int argc = 0, status;
    struct rusage usage;

    argv[argc++] = strdup(program);
    snprintf(words, sizeof words, "%s", arguments);
    for (char *word = strtok(words, " "); word && argc + 1 < MOST_WORDS; word = strtok(NULL, " "))
        argv[argc++] = word;
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_WRONLY);
        dup2(null, STDOUT_FILENO);
        execv(program, argv);
        _exit(127);
    }
    free(argv[0]);
    if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status != 0) {
        fprintf(stderr, "bench: '%s %s' failed\n", program, arguments);
        exit(1);
    }
    return 1e3 * (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-3 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *value)
{
    qsort(value, RUNS, sizeof *value, ascending);
    return value[RUNS / 2];
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: bench SWITCHQ [OTHER]\n", stderr);
        return 2;
    }
    puts(argc > 2 ? "case,cpu_ms_median,other_cpu_ms_median,ratio" : "case,cpu_ms_median");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double mine[RUNS], other[RUNS];
        run(argv[1], cases[c].arguments); /* warm up */
        for (int k = 0; k < RUNS; k++) {
            mine[k] = run(argv[1], cases[c].arguments);
            other[k] = argc > 2 ? run(argv[2], cases[c].arguments) : 0;
        }
        double a = median(mine), b = median(other);
        printf("%s,%.2f", cases[c].name, a);
        if (argc > 2)
            printf(",%.2f,%.3f", b, a / b);
        putchar('\n');
        fflush(stdout);
    }
    return 0;
}
