/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A question as a command line, and its answer as JSON: the whole tool for languages other than C,
 * in five functions on text (libswitchq-ask.so), and networks that are stepped. C programs can use
 * the other headers, which are faster for many questions and give more detail.
 */
#ifndef SWITCHQ_ASK_H
#define SWITCHQ_ASK_H

#ifdef __cplusplus
extern "C" {
#endif

/* words[0] is a command of `switchq`, and words[1] to words[count - 1] are its arguments, without
 * --json. Returns one JSON object,
 *     {"status": 0, "message": "", "answer": {...}}
 * with the exit status that the command would have, the reason if it failed (or a note about the
 * answer), and what --json prints, or null. It is UTF-8: invalid bytes of a word or a name become
 * U+FFFD. A status of 1 may come with an answer: the last iterate of a method that did not
 * converge, or the results of a simulation until a deadlock or a cancellation. The caller frees the
 * text with swq_ask_free; NULL: no memory. Any thread may ask; one question is answered at a time,
 * and the others wait. Nothing is printed, unless a command has a note beside its answer (standard
 * error) or gets --help. The process's signal handlers stay as they are. Cost beyond the command's
 * own: microseconds. */
char *swq_ask(int count, const char *const *words);
void swq_ask_free(char *answer);

/* End the current question as Ctrl-C would, with what has been finished. May be called from any
 * thread, but not from a signal handler. Does nothing if no question is being answered. */
void swq_ask_cancel(void);

/* A network that is stepped (switchq/live.h), from the options of `switchq sim` that describe the
 * network and its traffic, --seed, --engine, and --follow for swq_live_options.follow; without the
 * word `sim`. NULL: it could not be opened, *status is the exit status that the command would have,
 * and *message, which the caller frees with swq_ask_free, says why (NULL: no memory). The library
 * has all functions of switchq/live.h, for swq_ask_network_live; if one of them fails,
 * swq_ask_network_message is the reason. A network may be used by one thread at a time, and several
 * networks by several threads. Opening waits for a question that is being answered. */
typedef struct swq_ask_network swq_ask_network;
swq_ask_network *swq_ask_network_open(int count, const char *const *words, int *status,
                                      char **message);
void swq_ask_network_close(swq_ask_network *network);
struct swq_live *swq_ask_network_live(const swq_ask_network *network);
const char *swq_ask_network_message(const swq_ask_network *network);

/* The colours, dashes and marks of the curves with these names in a plot of `switchq --plot`, as a
 * JSON array with an object for each curve:
 *     {"colour": "#0072b2", "dash": [7, 3], "mark": "diamond", "kind": true}
 * dash: lengths of strokes and gaps, empty for a line without gaps; mark: circle, square, triangle,
 * diamond, triangle-down or pentagon; kind: whether the name has a word with a style of its own,
 * such as damq (others have the styles that are left). The caller frees the text with swq_ask_free;
 * NULL: no memory. */
char *swq_ask_styles(int count, const char *const *names);

/* The version, such as "0.1.0". */
const char *swq_ask_version(void);

#ifdef __cplusplus
}
#endif
#endif
