/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PRISM's explicit files: transitions, states, labels and a state reward. Load them with
 *     prism -importmodel NAME.all -dtmc -pf 'R=? [ S ]'
 * The header lines matter: without the one of .srew, PRISM drops the first reward.
 */
#include "models/export/formats.h"

static void write_transitions(FILE *stream, const swq_export_data *d)
{
    fprintf(stream, "%lld %lld\n", (long long)d->p->rows, (long long)swq_csr_nnz(d->p));
    for (int64_t s = 0; s < d->p->rows; s++) {
        for (int64_t e = d->p->start[s]; e < d->p->start[s + 1]; e++)
            fprintf(stream, "%lld %d %.17g\n", (long long)s, d->p->col[e], d->p->value[e]);
    }
}

static void write_states(FILE *stream, const swq_export_data *d)
{
    char name[32];
    int words = swq_chain_words(d->chain);

    for (int w = 0; w < words; w++)
        fprintf(stream, "%c%s", w ? ',' : '(', swq_chain_word_name(d->chain, w, name, sizeof name));
    fputs(")\n", stream);
    for (int64_t s = 0; s < d->p->rows; s++) {
        fprintf(stream, "%lld:", (long long)s);
        for (int w = 0; w < words; w++)
            fprintf(stream, "%c%d", w ? ',' : '(', swq_chain_word(d->chain, s, w));
        fputs(")\n", stream);
    }
}

static void write_labels(FILE *stream, const swq_export_data *d)
{
    fputs("0=\"init\" 1=\"deadlock\" 2=\"full\"\n0: 0\n", stream);
    for (int64_t s = 0; s < d->p->rows; s++) {
        if (swq_export_full(d, s))
            fprintf(stream, "%lld: 2\n", (long long)s);
    }
}

static void write_rewards(FILE *stream, const swq_export_data *d)
{
    int64_t count = 0;

    for (int64_t s = 0; s < d->p->rows; s++)
        count += swq_export_refused(d, s) > 0;
    fprintf(stream, "# Reward structure \"refused\"\n# State rewards\n%lld %lld\n",
            (long long)d->p->rows, (long long)count);
    for (int64_t s = 0; s < d->p->rows; s++) {
        if (swq_export_refused(d, s) > 0)
            fprintf(stream, "%lld %.17g\n", (long long)s, swq_export_refused(d, s));
    }
}

static const swq_export_part parts[] = {
    {".tra", write_transitions}, {".sta", write_states}, {".lab", write_labels},
    {".srew", write_rewards},    {NULL, NULL},
};

const swq_export_format swq_export_prism = {
    .name = "prism",
    .summary = "PRISM explicit files .tra .sta .lab .srew",
    .part = parts,
};
