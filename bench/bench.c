/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CPU time of typical runs of the program, as whole processes, as CSV, and for simulations the
 * packet-hops of the measured cycles per second of all CPU time, set-up and warm-up included. With
 * a second program the two run in turn, A B A B ..., and the ratio of the medians is printed:
 * compare only figures of one run. bench SWITCHQ [OTHER]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RUNS = 15, SIM_RUNS = 5, MOST_WORDS = 32 };

#define SIM "sim --json --buffer damq --slots 4 --flow block --warmup 100 "

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
    {"sim-64-saturated", SIM "--load 1 --cycles 400000"},
    {"sim-64-0.4", SIM "--load 0.4 --cycles 400000"},
    {"sim-4096-saturated", SIM "--stages 6 --load 1 --cycles 4000"},
    {"sim-4096-0.4", SIM "--stages 6 --load 0.4 --cycles 4000"},
    {"sim-65536-saturated", SIM "--stages 8 --load 1 --cycles 800"},
    {"sim-65536-0.4", SIM "--stages 8 --load 0.4 --cycles 800"},
    {"sim-64-plain", SIM "--load 1 --cycles 40000 --engine plain"},
    {"sim-64-priority", SIM "--load 0.5 --cycles 40000 --high 0.05 --priority queue"},
    {"sim-64-cbda",
     "sim --json --buffer cbda --slots 4 --flow block --warmup 100 --load 1 --cycles 40000"},
};

/* The number behind "packet_hops" in what the program printed, 0 if there is none. */
static double hops_in(int output)
{
    static char text[1 << 16];
    lseek(output, 0, SEEK_SET);
    ssize_t got = read(output, text, sizeof text - 1);
    text[got > 0 ? got : 0] = '\0';
    const char *key = strstr(text, "\"packet_hops\":");
    return key ? strtod(key + strlen("\"packet_hops\":"), NULL) : 0;
}

/* User and system milliseconds of one run, and its packet-hops; exits when the run fails. */
static double run(const char *program, const char *arguments, double *hops)
{
    FILE *output = tmpfile();
    char words[512];
    char *argv[MOST_WORDS] = {0};
    int argc = 0, status;
    struct rusage usage;

    argv[argc++] = strdup(program);
    snprintf(words, sizeof words, "%s", arguments);
    for (char *word = strtok(words, " "); word && argc + 1 < MOST_WORDS; word = strtok(NULL, " "))
        argv[argc++] = word;
    if (!output) {
        perror("bench");
        exit(1);
    }
    pid_t child = fork();
    if (child == 0) {
        dup2(fileno(output), STDOUT_FILENO);
        execv(program, argv);
        _exit(127);
    }
    free(argv[0]);
    if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status != 0) {
        fprintf(stderr, "bench: '%s %s' failed\n", program, arguments);
        exit(1);
    }
    *hops = hops_in(fileno(output));
    fclose(output);
    return 1e3 * (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-3 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *value, int runs)
{
    qsort(value, (size_t)runs, sizeof *value, ascending);
    return value[runs / 2];
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: bench SWITCHQ [OTHER]\n", stderr);
        return 2;
    }
    printf("case,cpu_ms_median,million_hops_per_cpu_s%s\n",
           argc > 2 ? ",other_cpu_ms_median,ratio" : "");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double mine[RUNS] = {0}, other[RUNS] = {0}, hops, others;
        int runs = strncmp(cases[c].arguments, "sim", 3) == 0 ? SIM_RUNS : RUNS;
        run(argv[1], cases[c].arguments, &hops); /* warm up */
        for (int k = 0; k < runs; k++) {
            mine[k] = run(argv[1], cases[c].arguments, &hops);
            other[k] = argc > 2 ? run(argv[2], cases[c].arguments, &others) : 0;
        }
        double a = median(mine, runs), b = median(other, runs);
        printf("%s,%.2f,", cases[c].name, a);
        if (hops > 0)
            printf("%.1f", hops / a / 1e3);
        if (argc > 2)
            printf(",%.2f,%.3f", b, a / b);
        putchar('\n');
        fflush(stdout);
    }
    return 0;
}
