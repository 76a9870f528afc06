/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows: what one input holds, numbered. A switch with a buffer per input is a row for each of its
 * inputs; a cycle is then a sequence of steps in which one row changes, and of one arbitration that
 * ties them together. Rows are settled, waiting for their reception ("arriving"), or waiting for
 * the destination of their new head ("drawing", deferred FIFO heads), or for packets to be moved to
 * crosspoints ("filling"). What an input has at crosspoints is part of its row. Queues behind the
 * crossbar are one row more, of a class of its own: their lengths. Inputs of different load or
 * destinations have rows of their own. All chances come from the rules in models/cycle.h, run on a
 * switch whose other inputs are idle. Room: models.
 */
#ifndef SWQ_MODELS_ROW_H
#define SWQ_MODELS_ROW_H

#include "models/intern.h"
#include "models/symmetry.h"

enum {
    SWQ_ROW_PORTS = 16,                 /* most ports of a switch handled by rows */
    SWQ_ROW_QUEUES = 2 * SWQ_ROW_PORTS, /* of an input, those of high priority among them */
    SWQ_ROW_WORDS =
        2 * SWQ_ROW_QUEUES + SWQ_ROW_PORTS + 4, /* most of a content, the mark's included */
    SWQ_ROW_IMAGES = 120, /* most permutations of outputs for which every row's image is listed */
    SWQ_MOST_ROWS = 65000 /* row numbers fit 16 bits */
};

/* One way in which a waiting row may settle. */
typedef struct swq_row_outcome {
    int32_t row;
    /* parts of `chance`: an offer was refused; the source created a packet; it was free to, but
     * created none */
    long double chance, refused, created, idle;
} swq_row_outcome;

typedef struct swq_rows {
    swq_switch sw;
    swq_layout layout;
    int classes; /* of inputs that the symmetry exchanges */
    int representative[SWQ_ROW_PORTS], members[SWQ_ROW_PORTS];
    const swq_symmetry *symmetry;
    int images;                 /* permutations of outputs listed; 0: too many */
    uint8_t *permutation;       /* [images * ports] */
    int words;                  /* of a row's content, the mark's included */
    int input_words;            /* of what an input has; zeros follow up to plain_words */
    int plain_words;            /* of a row's content, without a mark */
    int tuple;                  /* rows of a switch: ports, and one more for output queues */
    int outputs;                /* the class of the row of output queues; -1: none */
    int held;                   /* where a held packet is in a row's content */
    int cross;                  /* where crosspoints are in a row's content; -1: none */
    int fill;                   /* the step that fills crosspoints; -1: none */
    bool marked;                /* content ends with a mark: see swq_rows_mark */
    swq_intern set;             /* class, kind, content */
    int64_t room, expanded;     /* rows allocated in the arrays below; rows that are filled in */
    uint16_t *image;            /* [room * images] */
    uint16_t *least;            /* [room] the smallest image; and for up to 32 images */
    uint32_t *least_at;         /* [room] ... the permutations that lead to it, as a mask */
    int32_t *arriving;          /* [room] the same row waiting for its reception */
    int32_t *first, *outcomes;  /* [room] a waiting row's outcomes */
    double *refused, *accepted; /* [room] of an arriving row: expected packets */
    double *refused_to, *accepted_to; /* [room * ports] by destination; NULL if that is deferred and
                                         there are no bursts */
    double *refused_of, *accepted_of; /* [room * SWQ_CLASSES]; NULL for one class */
    int8_t *pending; /* [room] 0 settled, else the order in which waiting rows are dealt with */
    swq_row_outcome *outcome;
    int64_t outcome_count, outcome_room;
    swq_intern sent_key; /* (row, mask of outputs sent to) -> sent[number] */
    int32_t *sent;
    int64_t sent_room;
    int64_t loaded, throws; /* most in one outcome */
    /* by class: only its representative creates packets; large, so last, and not cleared */
    swq_switch lone[SWQ_ROW_PORTS];
    swq_layout lone_layout[SWQ_ROW_PORTS];
} swq_rows;

/* Start with no rows. `symmetry` must outlive the rows. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_rows_init(swq_context *ctx, const swq_switch *sw, const swq_symmetry *symmetry,
                         swq_rows *rows);
void swq_rows_clear(swq_context *ctx, swq_rows *rows);

/* From now on (no rows yet) every content ends with the two words of a mark, which follow what
 * happens to the row: {1 + queue, packets ahead} of one packet, which is gone from the row that
 * the packet leaves behind; {ports + 1, 0} for a row that is just watched; {0, 0} for none. */
enum { SWQ_MARK_WORDS = 2 };
void swq_rows_mark(swq_rows *rows);

/* The number of the settled row of class c with the given content. Its images, its arriving form
 * and all outcomes are known afterwards. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_rows_number(swq_context *ctx, swq_rows *rows, int class, const swq_word *content,
                           int32_t *number);

/* The number of any row, key being class, kind and content: an image of one that is known. Errors:
 * SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_rows_renamed(swq_context *ctx, swq_rows *rows, const swq_word *key, int32_t *number);

/* The functions below may be called by several threads at once without a context: then they
 * tabulate nothing, and SWQ_ELIMIT says that the answer is not in the tables yet. So may
 * swq_matchings_of and what is built on it. */

/* How packets go. */
typedef enum swq_row_sending {
    SWQ_SENDS,      /* out of the buffer, for the last time in this cycle */
    SWQ_SENDS_MORE, /* ... and others may follow in this cycle */
    SWQ_SERVES      /* out of crosspoints */
} swq_row_sending;

/* The row that is left when a settled row has sent to the outputs of the mask: settled, drawing or
 * filling. Two classes: heads of high priority to the outputs of the mask's upper half. */
swq_status swq_rows_send(swq_context *ctx, swq_rows *rows, int32_t row, uint32_t mask,
                         swq_row_sending how, int32_t *left);

/* The settled row of output queues whose lengths are those of `row` after `gained` joined and, if
 * `depart`, each queue has sent its head. */
swq_status swq_rows_outputs(swq_context *ctx, swq_rows *rows, int32_t row, uint32_t gained,
                            bool depart, int32_t *after);

static inline const swq_word *swq_row_content(const swq_rows *rows, int32_t row)
{
    return swq_intern_state(&rows->set, row) + 2;
}

/* Does the source hold a packet? */
static inline bool swq_row_held(const swq_rows *rows, int32_t row)
{
    return rows->layout.held >= 0 && swq_row_content(rows, row)[rows->held] != 0;
}

static inline int swq_row_class(const swq_rows *rows, int32_t row)
{
    return swq_intern_state(&rows->set, row)[0];
}

static inline const swq_word *swq_row_mark(const swq_rows *rows, int32_t row)
{
    return swq_row_content(rows, row) + rows->words - SWQ_MARK_WORDS;
}

/* Packets of a row waiting to go to output j: the queue's length, or for a single queue its whole
 * length if its head goes there. */
static inline int swq_row_request(const swq_rows *rows, int32_t row, int j)
{
    const swq_word *content = swq_row_content(rows, row);

    if (!rows->layout.deferred)
        return content[j];
    return content[1] == j + 1 ? content[0] : 0;
}

/* Likewise of the head of a class: switches that tell two apart. */
int swq_row_class_request(const swq_rows *rows, int32_t row, int class, int j);

/* Where in a tuple of rows that of each input stands: place[i]; the inputs of a class take its rows
 * in order. place[ports] is that of the output queues. */
void swq_rows_places(const swq_rows *rows, const swq_word *row, uint8_t *place);

/* The image of the content of a row of the class when outputs are renamed: output j becomes to[j].
 */
void swq_row_rename(const swq_rows *rows, int class, const swq_word *content, const uint8_t *to,
                    swq_word *image);

/* Copy the rows of all inputs out of a state, class by class, and back. */
void swq_rows_of_state(const swq_rows *rows, const swq_word *state, int i, swq_word *content);
void swq_rows_into_state(const swq_rows *rows, const swq_word *content, int i, swq_word *state);

#endif
