/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows: the contents of one input, numbered. A switch with a buffer per input is a tuple of rows,
 * one for each input; a cycle is then a sequence of steps in which one row changes, and one
 * arbitration, which involves all rows. A row is settled, or waits for its reception ("arriving"),
 * for the destination of its new head ("drawing", deferred FIFO heads), or for packets to be moved
 * to crosspoints ("filling"). An input's crosspoints are part of its row. The lengths of the queues
 * behind the crossbar are an additional row, of a class of its own. Inputs of different load or
 * destinations have rows of different classes. All probabilities come from the rules in
 * models/cycle.h, applied to a switch whose other inputs are idle.
 */
#ifndef SWQ_MODELS_ROW_H
#define SWQ_MODELS_ROW_H

#include "models/intern.h"
#include "models/symmetry.h"

enum {
    SWQ_ROW_PORTS = 16,                 /* most ports of a switch handled by rows */
    SWQ_ROW_QUEUES = 2 * SWQ_ROW_PORTS, /* of an input, including those of high priority */
    SWQ_ROW_WORDS =
        2 * SWQ_ROW_QUEUES + SWQ_ROW_PORTS + 4, /* most words of a content, including its mark */
    SWQ_ROW_IMAGES =
        120, /* most permutations of outputs for which the images of every row are listed */
    SWQ_MOST_ROWS = 65000 /* so that row numbers fit into 16 bits */
};

/* One way in which a waiting row can settle. */
typedef struct swq_row_outcome {
    int32_t row;
    /* parts of `chance`: an offer was refused; the source created a packet; the source was free to
     * create a packet, but created none */
    long double chance, refused, created, idle;
} swq_row_outcome;

typedef struct swq_rows {
    swq_switch sw;
    swq_layout layout;
    int classes; /* of inputs; the symmetry exchanges those of a class */
    int representative[SWQ_ROW_PORTS], members[SWQ_ROW_PORTS];
    const swq_symmetry *symmetry;
    int images;           /* permutations of outputs listed; 0: too many */
    uint8_t *permutation; /* [images * ports] */
    int words;            /* of a row's content, including its mark */
    int input_words;      /* of an input's content, which is followed by zeros up to plain_words */
    int plain_words;      /* of a row's content, without a mark */
    int tuple;            /* rows of a switch: one per port, and one for output queues */
    int outputs;          /* the class of the row of output queues; -1: none */
    int held;             /* position of the held packet in a row's content */
    int cross;            /* position of the crosspoints in a row's content; -1: none */
    int fill;             /* the step that fills crosspoints; -1: none */
    bool marked;          /* contents end with a mark: see swq_rows_mark */
    swq_intern set;       /* of keys: class, kind, content */
    int64_t room,
        expanded; /* rows allocated in the arrays below; rows whose images and outcomes are known */
    uint16_t *image;            /* [room * images] */
    uint16_t *least;            /* [room] the smallest image; and, for the first 32 images, ... */
    uint32_t *least_at;         /* [room] ... the permutations that give it, as a mask */
    int32_t *arriving;          /* [room] the number of this row when it waits for its reception */
    int32_t *first, *outcomes;  /* [room] a waiting row's outcomes */
    double *refused, *accepted; /* [room] expected packets in the reception of an arriving row */
    double *refused_to, *accepted_to; /* [room * ports] by destination; NULL if destinations are
                                         deferred and there are no bursts */
    double *refused_of, *accepted_of; /* [room * SWQ_CLASSES] by class; NULL for one class */
    int8_t *pending; /* [room] 0: settled; else waiting rows settle in descending order of this */
    swq_row_outcome *outcome;
    int64_t outcome_count, outcome_room;
    swq_intern sent_key; /* keys (row, mask of outputs, swq_row_sending), whose numbers are indices
                            of `sent` */
    int32_t *sent;
    int64_t sent_room;
    int64_t loaded, throws; /* most loaded throws, and most throws, in one outcome */
    /* by class: only its representative creates packets; these are large, so they come last and are
     * not cleared */
    swq_switch lone[SWQ_ROW_PORTS];
    swq_layout lone_layout[SWQ_ROW_PORTS];
} swq_rows;

/* Start with no rows. `symmetry` must outlive the rows. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_rows_init(swq_context *ctx, const swq_switch *sw, const swq_symmetry *symmetry,
                         swq_rows *rows);
void swq_rows_clear(swq_context *ctx, swq_rows *rows);

/* Call before there are rows: every content then ends with the two words of a mark, which are
 * updated with the row: {1 + queue, packets ahead} for a marked packet, until it has left; {ports +
 * 1, 0} for a marked row; {0, 0} for no mark. */
enum { SWQ_MARK_WORDS = 2 };
void swq_rows_mark(swq_rows *rows);

/* The number of the settled row of a class with the given content. Its images, its arriving form
 * and all outcomes are then tabulated. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_rows_number(swq_context *ctx, swq_rows *rows, int class, const swq_word *content,
                           int32_t *number);

/* The number of any row that is an image of a known one; key: its class, kind and content. Errors:
 * SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_rows_renamed(swq_context *ctx, swq_rows *rows, const swq_word *key, int32_t *number);

/* The functions below may be called by several threads at once if they get no context: they then
 * tabulate nothing, and return SWQ_ELIMIT if the answer is not in the tables yet. The same holds
 * for swq_matchings_of and the functions that use it. */

/* How packets leave a row. */
typedef enum swq_row_sending {
    SWQ_SENDS,      /* from the buffer, for the last time in this cycle */
    SWQ_SENDS_MORE, /* from the buffer, from which more packets may leave in this cycle */
    SWQ_SERVES      /* from the crosspoints */
} swq_row_sending;

/* The row that a settled row becomes by sending to the outputs of the mask: settled, drawing or
 * filling. With two classes, heads of high priority go to the outputs of the mask's upper half. */
swq_status swq_rows_send(swq_context *ctx, swq_rows *rows, int32_t row, uint32_t mask,
                         swq_row_sending how, int32_t *left);

/* The settled row of output queues that `row` becomes after the packets `gained` (a mask of
 * outputs) joined and, if `depart`, each queue has sent its head. */
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

/* The request of a row for output j: the length of its queue, or, for a single queue, its whole
 * length if its head goes there. */
static inline int swq_row_request(const swq_rows *rows, int32_t row, int j)
{
    const swq_word *content = swq_row_content(rows, row);

    if (!rows->layout.deferred)
        return content[j];
    return content[1] == j + 1 ? content[0] : 0;
}

/* The request of a row for output j by the head of a class, in switches with two classes. */
int swq_row_class_request(const swq_rows *rows, int32_t row, int class, int j);

/* The places of the inputs' rows in a tuple: place[i]; the inputs of a class take its rows in
 * order. place[ports] is the place of the row of output queues. */
void swq_rows_places(const swq_rows *rows, const swq_word *row, uint8_t *place);

/* The image of the content of a row of the class if output j becomes to[j]. */
void swq_row_rename(const swq_rows *rows, int class, const swq_word *content, const uint8_t *to,
                    swq_word *image);

/* Copy the content of input i's row from a state, and back. */
void swq_rows_of_state(const swq_rows *rows, const swq_word *state, int i, swq_word *content);
void swq_rows_into_state(const swq_rows *rows, const swq_word *content, int i, swq_word *state);

#endif
