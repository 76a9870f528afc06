/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A question as a command line, its answer as JSON: the whole tool for languages other than C, in
 * four functions of text (libswitchq-ask.so). C programs have the rest of these headers, which are
 * faster to ask many times and say more.
 */
#ifndef SWITCHQ_ASK_H
#define SWITCHQ_ASK_H

#ifdef __cplusplus
extern "C" {
#endif

/* words[0] is a command of `switchq`, the others, up to words[count - 1], are its arguments, but
 * for --json. Returns one JSON object,
 *     {"status": 0, "message": "", "answer": {...}}
 * with the exit status that the command would have, why it failed if it did (or what is to be noted
 * about the answer), and what --json prints, or null. It is UTF-8: bytes of a word or a name that
 * are none become U+FFFD. A status of 1 may come with an answer: the last iterate of a method that
 * did not converge, what was simulated until a deadlock or a cancellation. To be freed by
 * swq_ask_free; NULL: no memory at all. Any thread may ask, one is answered at a time and the
 * others wait. Nothing is printed, unless a command has a note beside its answer (standard error)
 * or is asked for --help. The process's signal handlers are left alone. Cost beside the command's
 * own: microseconds. */
char *swq_ask(int count, const char *const *words);
void swq_ask_free(char *answer);

/* End the question that is being answered as Ctrl-C would, with what was finished; from any thread,
 * but not from a signal handler. Does nothing if there is none. */
void swq_ask_cancel(void);

/* The version, such as "0.1.0". */
const char *swq_ask_version(void);

#ifdef __cplusplus
}
#endif
#endif
