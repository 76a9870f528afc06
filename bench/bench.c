/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CPU time and memory of typical runs of the program, as whole processes, as CSV; for simulations
 * the packet-hops of the measured cycles per second of all CPU time, set-up and warm-up included;
 * for chains their states, the entries of their factors and the relative width of the enclosure of
 * the headline figure. With a second program the two run in turn, A B A B ..., and the ratio of the
 * medians is printed, of CPU time and of wall time: compare only figures of one run. CASES is a
 * pattern of the shell's for the names of cases. bench [--cases=CASES] SWITCHQ [OTHER]
 */
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RUNS = 15, LONG_RUNS = 5, MOST_WORDS = 32 };

/* A run that takes longer than this is repeated less often. */
#define LONG_MS 200

/* Stands for a database that does not exist yet. */
#define FRESH "FRESH"

#define SIM    "sim --json --buffer damq --slots 4 --flow block --warmup 100 "
#define APPROX "approx --json --flow block "
#define WORMS                                                                                      \
    "sim --json --engine async --architecture wormhole --topology mesh --dims 8x8 --lanes 4 "      \
    "--sources open --warmup 1000 "
#define ASYNC "sim --json --engine async --buffer damq --warmup 1000 "
/* load of the tori: 55% of the bandwidth of the links between switches */
#define TORUS ASYNC "--topology torus --bytes 256 --threshold 26 "

static const struct {
    const char *name, *arguments;
} cases[] = {
    {"start", "--version"},
    {"sweep-10000", "sweep bench/sweep.yaml --threads 2 --database " FRESH},
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
    {"damq-8-asymmetric",
     "solve --json --buffer damq --slots 8 --load 0.7,0.9 --traffic hotspot:0.2"},
    {"damq-12", "solve --json --buffer damq --slots 12 --load 0.9"},
    {"damq-20", "solve --json --buffer damq --slots 20 --load 0.9"},
    {"damq-40", "solve --json --buffer damq --slots 40 --load 0.9"},
    {"damq-6-exact", "solve --exact --buffer damq --slots 6 --load 0.9"},
    {"damq-3x3-3", "solve --json --buffer damq --ports 3 --slots 3 --load 0.9"},
    {"damq-3x3-8", "solve --json --buffer damq --ports 3 --slots 8 --load 0.9"},
    {"damq-4x4-3", "solve --json --buffer damq --ports 4 --slots 3 --load 0.9 --arbiter maximum"},
    {"damq-4x4-4", "solve --json --buffer damq --ports 4 --slots 4 --load 0.9 --arbiter maximum"},
    {"damq-4x4-4-tail",
     "solve --json --buffer damq --ports 4 --slots 4 --load 0.1 --arbiter maximum"},
    {"damq-4x4-4-random", "solve --json --buffer damq --ports 4 --slots 4 --load 0.9"},
    {"samq-4x4-8", "solve --json --buffer samq --ports 4 --slots 8 --load 0.9"},
    {"safc-4x4-8", "solve --json --buffer safc --ports 4 --slots 8 --load 0.9"},
    {"fifo-8x8-4", "solve --json --buffer fifo --ports 8 --slots 4 --load 0.9"},
    {"damq-8x8-2", "solve --json --buffer damq --ports 8 --slots 2 --load 0.9"},
    {"sim-64-saturated", SIM "--load 1 --cycles 400000"},
    {"sim-64-0.4", SIM "--load 0.4 --cycles 400000"},
    {"sim-4096-saturated", SIM "--stages 6 --load 1 --cycles 4000"},
    {"sim-4096-0.4", SIM "--stages 6 --load 0.4 --cycles 4000"},
    {"sim-65536-saturated", SIM "--stages 8 --load 1 --cycles 800"},
    {"sim-65536-0.4", SIM "--stages 8 --load 0.4 --cycles 800"},
    {"sim-64-plain", SIM "--load 1 --cycles 40000 --engine plain"},
    {"sim-64-random", SIM "--load 1 --cycles 200000 --arbiter random"},
    {"sim-64-longest", SIM "--load 1 --cycles 80000 --arbiter longest"},
    {"sim-64-priority", SIM "--load 0.5 --cycles 40000 --high 0.05 --priority queue"},
    {"sim-64-cbda",
     "sim --json --buffer cbda --slots 4 --flow block --warmup 100 --load 1 --cycles 40000"},
    {"async-torus-11x11", TORUS "--dims 11x11 --load 0.4 --cycles 100000"},
    {"async-torus-64x64", TORUS "--dims 64x64 --load 0.06875 --cycles 5000"},
    {"async-omega-256", ASYNC "--stages 4 --load 0.4 --cycles 60000"},
    {"async-omega-256-saturated", ASYNC "--stages 4 --load 1 --cycles 60000"},
    {"wormhole-mesh-8x8-20", WORMS "--length 20 --max-packet 20 --load 0.26 --cycles 100000"},
    {"wormhole-mesh-8x8-1", WORMS "--length 1 --max-packet 1 --load 0.33 --cycles 60000"},
    {"wormhole-dragonfly-1056",
     "sim --json --engine async --architecture wormhole --topology dragonfly --hosts 4 "
     "--length 1 --lanes 3 --load 0.3 --warmup 300 --cycles 2000"},
    {"wormhole-mesh-8x8-pool",
     WORMS "--lane-pool 16 --length 20 --max-packet 20 --load 0.26 --cycles 60000"},
    {"async-omega-4096", ASYNC "--stages 6 --load 0.4 --cycles 5000"},
    {"approx-fifo-12-64-0.9", APPROX "--buffer fifo --slots 12 --stages 3 --load 0.9"},
    {"approx-fifo-12-64-saturated", APPROX "--buffer fifo --slots 12 --stages 3 --load 1"},
    {"approx-fifo-12-1M-saturated", APPROX "--buffer fifo --slots 12 --stages 10 --load 1"},
    {"approx-samq-12-64-0.9", APPROX "--buffer samq --slots 12 --stages 3 --load 0.9"},
    {"approx-samq-12-64-saturated", APPROX "--buffer samq --slots 12 --stages 3 --load 1"},
    {"approx-samq-12-1M-saturated", APPROX "--buffer samq --slots 12 --stages 10 --load 1"},
    {"approx-safc-12-64-0.9", APPROX "--buffer safc --slots 12 --stages 3 --load 0.9"},
    {"approx-safc-12-64-saturated", APPROX "--buffer safc --slots 12 --stages 3 --load 1"},
    {"approx-safc-12-1M-saturated", APPROX "--buffer safc --slots 12 --stages 10 --load 1"},
    {"approx-damq-12-64-0.9", APPROX "--buffer damq --slots 12 --stages 3 --load 0.9"},
    {"approx-damq-12-64-saturated", APPROX "--buffer damq --slots 12 --stages 3 --load 1"},
    {"approx-damq-12-1M-saturated", APPROX "--buffer damq --slots 12 --stages 10 --load 1"},
    {"approx-cbda-12-64-0.9", APPROX "--buffer cbda --slots 12 --stages 3 --load 0.9"},
    {"approx-cbda-12-64-saturated", APPROX "--buffer cbda --slots 12 --stages 3 --load 1"},
    {"approx-cbda-12-1M-saturated", APPROX "--buffer cbda --slots 12 --stages 10 --load 1"},
    {"approx-torus-64x64", "approx --json --topology torus --dims 64x64 --buffer damq --load 0.05"},
};

/* Results of a run besides its time; 0 if it does not report them. */
typedef struct {
    double ms, wall_ms, peak_mb, hops, states, entries, width;
} facts;

/* The number under a key in JSON; 0 if there is none. */
static double number_behind(const char *text, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(text, quoted);
    return at ? strtod(at + strlen(quoted), NULL) : 0;
}

static void read_facts(int output, facts *f)
{
    static char text[1 << 18];
    lseek(output, 0, SEEK_SET);
    ssize_t got = read(output, text, sizeof text - 1);
    text[got > 0 ? got : 0] = '\0';
    f->hops = number_behind(text, "packet_hops");
    f->states = number_behind(text, "states");
    f->entries = number_behind(text, "factor_entries");
    double value = number_behind(text, "discard_probability");
    f->width =
        value > 0
            ? (number_behind(text, "discard_upper") - number_behind(text, "discard_lower")) / value
            : 0;
}

/* The name of a file; removes the file if the last run has left one. */
static char *fresh_file(void)
{
    static char name[64];

    snprintf(name, sizeof name, "/tmp/switchq-bench-%ld.db", (long)getpid());
    unlink(name);
    return name;
}

static double now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

/* Runs the program once; exits if it fails. */
static facts run(const char *program, const char *arguments)
{
    facts f;
    FILE *output = tmpfile();
    char words[512];
    char *argv[MOST_WORDS] = {0};
    int argc = 0, status;
    struct rusage usage;

    argv[argc++] = strdup(program);
    snprintf(words, sizeof words, "%s", arguments);
    for (char *word = strtok(words, " "); word && argc + 1 < MOST_WORDS; word = strtok(NULL, " "))
        argv[argc++] = strcmp(word, FRESH) == 0 ? fresh_file() : word;
    if (!output) {
        perror("bench");
        exit(1);
    }
    double begun = now_ms();
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
    double ended = now_ms();
    read_facts(fileno(output), &f);
    fclose(output);
    f.wall_ms = ended - begun;
    f.ms = 1e3 * (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-3 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    f.peak_mb = (double)usage.ru_maxrss / 1024;
    return f;
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

/* Times of one program in one case. */
typedef struct {
    double cpu[RUNS], wall[RUNS];
} times;

static void time_once(const char *program, const char *arguments, times *t, int k)
{
    facts f = run(program, arguments);

    t->cpu[k] = f.ms;
    t->wall[k] = f.wall_ms;
}

static void bench_case(const char *program, const char *other, const char *name,
                       const char *arguments)
{
    times mine, others;
    facts f = run(program, arguments); /* warm up */
    int runs = f.ms > LONG_MS ? LONG_RUNS : RUNS;

    for (int k = 0; k < runs; k++) {
        time_once(program, arguments, &mine, k);
        if (other)
            time_once(other, arguments, &others, k);
    }
    double cpu = median(mine.cpu, runs), wall = median(mine.wall, runs);
    printf("%s,%.2f,%.2f,%.1f,", name, cpu, wall, f.peak_mb);
    if (f.hops > 0)
        printf("%.1f", f.hops / cpu / 1e3);
    if (f.states > 0)
        printf(",%.0f,%.0f,%.1e", f.states, f.entries, f.width);
    else
        fputs(",,,", stdout);
    if (other) {
        double other_cpu = median(others.cpu, runs), other_wall = median(others.wall, runs);
        printf(",%.2f,%.2f,%.3f,%.3f", other_cpu, other_wall, cpu / other_cpu, wall / other_wall);
    }
    putchar('\n');
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const char option[] = "--cases=";
    const bool some = argc > 1 && strncmp(argv[1], option, strlen(option)) == 0;
    const char *which = some ? argv[1] + strlen(option) : "*";
    char **program = argv + 1 + some;
    int matched = 0;

    if (!*program) {
        fputs("usage: bench [--cases=CASES] SWITCHQ [OTHER]\n", stderr);
        return 2;
    }
    printf("case,cpu_ms_median,wall_ms_median,peak_mb,million_hops_per_cpu_s,states,entries,"
           "relative_width%s\n",
           program[1] ? ",other_cpu_ms_median,other_wall_ms_median,cpu_ratio,wall_ratio" : "");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        if (fnmatch(which, cases[c].name, 0) != 0)
            continue;
        matched++;
        bench_case(program[0], program[1], cases[c].name, cases[c].arguments);
    }
    fresh_file();
    if (!matched)
        fprintf(stderr, "bench: no case is called '%s'\n", which);
    return matched ? 0 : 2;
}
