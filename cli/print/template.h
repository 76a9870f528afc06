/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts with gaps that a tree fills: manual pages, completion scripts and the report's page are
 * files of such text, built into the program. In them
 *     {{key}}  {{a.b}}  {{.}}     is a value: of the innermost object around that has the key, or
 * the item itself; text is escaped as the whole template is
 *     {{key|FILTER}}              escaped so instead; or, with a % in it, printf's format for the
 *                                 number or word, nothing at all where there is none
 *     {{#key}}...{{/}}            once for each item of an array; once for an object, within it;
 * once for any other value but false, "" and null
 *     {{^key}}...{{/}}            once where that would be nothing
 *     {{#key=word}}, {{^key=word}} once where the value is that word, or is not
 *     {{@first}}, {{@last}}       is this the first, the last item of the array?
 *     {{:name}}...{{/}}, {{>name}} a part by itself, and where it goes
 *     {{!}}                       nothing, and no blanks and line ends behind it
 * A line that has nothing but one of the signs # ^ : > / is no line of the result.
 */
#ifndef SWQ_CLI_TEMPLATE_H
#define SWQ_CLI_TEMPLATE_H

#include "cli/print/output.h"

/* Writes a template to a file, filled from a tree and escaped for its format: "html", "roff", or
 * "raw" for none. Templates are part of the program: a mistake in one fails an assertion. */
void cli_template(FILE *to, const char *text, const cJSON *tree, const char *escape);

#endif
