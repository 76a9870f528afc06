/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The help of a command: the options that are used most, or with --help-all all options, each on a
 * line of its own with its text below it, as wide as the terminal.
 */
#include "cli/help/help.h"
#include "cli/options/parameter.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL_WIDTH = 80, LEAST_WIDTH = 40, MOST_WIDTH = 100, FEW = 14, SHOWN_EXAMPLES = 3 };

/* Columns to use: the terminal's, or 80 without one. */
static int width(void)
{
    struct winsize size;
    const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    const int columns = known ? size.ws_col - 1 : USUAL_WIDTH;

    return columns < LEAST_WIDTH ? LEAST_WIDTH : columns > MOST_WIDTH ? MOST_WIDTH : columns;
}

void cli_print_paragraph(const char *text, int indent)
{
    const int columns = width();
    int at = 0;

    for (const char *word = text; *word;) {
        int length = (int)strcspn(word, " ");
        if (at > indent && at + 1 + length > columns) {
            putchar('\n');
            at = 0;
        }
        at += at == 0 ? printf("%*s%.*s", indent, "", length, word) : printf(" %.*s", length, word);
        word += length;
        word += strspn(word, " ");
    }
    putchar('\n');
}

static void print_option(const struct poptOption *o)
{
    char text[CLI_HELP_ROOM];
    const char *help = cli_option_help(o, text, sizeof text);

    printf("  ");
    if (o->shortName)
        printf("-%c, ", o->shortName);
    printf("--%s%s%s\n", o->longName, o->argDescrip ? " " : "", o->argDescrip ? o->argDescrip : "");
    if (help[0])
        cli_print_paragraph(help, 8);
}

static bool takes(const cli_command *self, const struct poptOption *o)
{
    return !self->refuses || !self->refuses(o->longName);
}

/* Prints all options that the command takes, under the headings of their tables. */
static void print_all(const cli_command *self, const struct poptOption *table)
{
    cli_options_walk w = cli_walk_options(table);

    for (const struct poptOption *o; (o = cli_next_option(&w));) {
        if (w.heading)
            printf("\n%s\n", w.heading);
        if (takes(self, o))
            print_option(o);
    }
}

static int count(const cli_command *self, const struct poptOption *table)
{
    cli_options_walk w = cli_walk_options(table);
    int options = 0;

    for (const struct poptOption *o; (o = cli_next_option(&w));)
        options += takes(self, o);
    return options;
}

/* The options used most, by the command's own list. */
static void print_common(const struct poptOption *table, const char *names)
{
    for (const char *at = names; *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        const struct poptOption *o = cli_option_named(table, at, length);
        if (o)
            print_option(o);
        at += length;
    }
}

static void print_examples(const char *examples, int most)
{
    puts("\nExamples:");
    for (const char *line = examples; *line && most > 0; most--) {
        size_t length = strcspn(line, "\n") + 1;
        printf("%.*s", (int)length, line);
        line += length;
    }
}

void cli_print_help(const cli_command *self, const struct poptOption *table, bool all)
{
    const int options = count(self, table);
    const bool brief = !all && self->common && options > FEW;

    printf("switchq %s - %s\n\nUsage: switchq %s %s\n", self->name, self->summary, self->name,
           self->usage);
    if (brief) {
        puts("\nThe options that are used most:");
        print_common(table, self->common);
        printf("\n'switchq %s --help-all' tells all %d options.\n", self->name, options);
    } else {
        print_all(self, table);
    }
    if (self->notes && !brief)
        printf("\n%s", self->notes);
    if (self->examples)
        print_examples(self->examples, brief ? SHOWN_EXAMPLES : 1000);
}
