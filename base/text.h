/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts and numbers as files for other programs have them: UTF-8, CSV, and decimals that read back
 * as the same numbers.
 */
#ifndef SWQ_BASE_TEXT_H
#define SWQ_BASE_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* What stands for a byte that is not UTF-8: U+FFFD. */
extern const char swq_replacement[];

/* The bytes of the UTF-8 character at `at`; 0: there is none (RFC 3629, section 4). */
size_t swq_character_bytes(const char *at);

/* Writes a field of CSV as in RFC 4180: quoted where necessary, and valid UTF-8. Text that a
 * spreadsheet would take for a formula, beginning with = + - @, a tab or a line end, gets an
 * apostrophe in front. Not for numbers. */
void swq_csv_text(FILE *to, const char *text);

/* The shortest decimal, with at least 15 digits, that reads back as exactly this number. Returns
 * text. */
const char *swq_number_text(double value, char text[40]);

#endif
