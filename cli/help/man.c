/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Manual pages, in roff, from what --help and the topics say.
 * Room: cli.
 */
#include "cli/help/help.h"
#include "cli/options/values.h"
#include "switchq/version.h"

#include <ctype.h>
#include <string.h>

/* Text as roff takes it: a line that begins with a full stop or quote is no request. */
static void print_roff(const char *text)
{
    bool begins = true;

    for (; *text; text++) {
        if (begins && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        begins = *text == '\n';
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else if (*text == '\'')
            fputs("\\(aq", stdout);
        else
            putchar(*text);
    }
}

/* Lines as they are, without blank ones at the end. */
static void print_lines(const char *text)
{
    size_t length = strlen(text);

    while (length > 0 && text[length - 1] == '\n')
        length--;
    puts(".nf");
    for (const char *at = text; at < text + length;) {
        char line[256];
        size_t end = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)end, at);
        print_roff(line);
        putchar('\n');
        at += end + 1;
    }
    puts(".fi");
}

static void print_heading(const char *name, const char *section, const char *summary)
{
    char title[80];
    size_t k = 0;

    for (; name[k] && k + 1 < sizeof title; k++)
        title[k] = (char)toupper((unsigned char)name[k]);
    title[k] = '\0';
    printf(".\\\" Written by 'switchq help --man'; SPDX-License-Identifier: GPL-3.0-or-later\n"
           ".TH ");
    print_roff(title);
    printf(" %s \"\" \"switchq %s\" \"switchq manual\"\n.SH NAME\n", section, SWQ_VERSION);
    print_roff(name);
    fputs(" \\- ", stdout);
    print_roff(summary);
    putchar('\n');
}

/* The words that the tables have for it. */
static void print_known(const cli_command *command, const struct poptOption *option)
{
    char text[512], word[64];
    cli_item item;
    cli_value value = cli_option_value(option, text, sizeof text);

    if (value.kind != CLI_VALUE_LIST)
        return;
    for (int k = 0; cli_list_word(command, value.list, k, &item, word, sizeof word); k++) {
        fputs(k ? ",\n" : "Known:\n", stdout);
        print_roff(item.name);
    }
    puts(".");
}

typedef struct {
    const cli_command *command;
    const char *section;
} page;

/* A heading in front of the options that stand under it. */
static void print_option(void *arg, const struct poptOption *option, const char *section)
{
    page *p = arg;

    if (section && section != p->section) {
        char text[200];
        size_t length = strlen(section);
        snprintf(text, sizeof text, "%.*s", (int)(length - (section[length - 1] == ':')), section);
        fputs(".SS ", stdout);
        print_roff(text);
        putchar('\n');
    } else if (!section && p->section) {
        puts(".SS Other options");
    }
    p->section = section;
    puts(".TP");
    fputs("\\fB", stdout);
    if (option->shortName)
        printf("\\-%c\\fR, \\fB", option->shortName);
    fputs("\\-\\-", stdout);
    print_roff(option->longName);
    fputs("\\fR", stdout);
    if (option->argDescrip) {
        fputs(" \\fI", stdout);
        print_roff(option->argDescrip);
        fputs("\\fR", stdout);
    }
    putchar('\n');
    print_roff(option->descrip ? option->descrip : "");
    puts(".");
    print_known(p->command, option);
}

static void print_exit_status(void)
{
    puts(".SH EXIT STATUS\n0; 1, a check failed, a run was interrupted or an iteration did not "
         "converge;\n2, bad input, with a line that says what is allowed; 3, a limit of memory or "
         "size.");
}

static void man_of_command(swq_context *ctx, const cli_command *command)
{
    char name[64];
    page p = {command, NULL};

    snprintf(name, sizeof name, "switchq-%s", command->name);
    print_heading(name, "1", command->summary);
    printf(".SH SYNOPSIS\n.B switchq %s\n", command->name);
    print_roff(command->usage);
    puts("\n.SH OPTIONS");
    cli_each_option(ctx, command, print_option, &p);
    if (command->notes) {
        puts(".SH NOTES");
        print_lines(command->notes);
    }
    print_exit_status();
    if (command->examples) {
        puts(".SH EXAMPLES");
        print_lines(command->examples);
    }
    puts(".SH SEE ALSO\n.BR switchq (1)");
}

static void man_of_topic(const cli_topic *topic)
{
    char name[64];

    snprintf(name, sizeof name, "switchq-%s", topic->name);
    print_heading(name, "7", topic->title);
    puts(".SH DESCRIPTION");
    print_lines(topic->text);
    puts(".SH SEE ALSO\n.BR switchq (1)");
}

static void man_of_all(void)
{
    print_heading("switchq", "1",
                  "what a buffer organisation and a flow control buy a packet switch");
    puts(".SH SYNOPSIS\n.B switchq\n.I COMMAND\n.RI [ OPTION ...]\n.SH DESCRIPTION\n"
         "The chain of one packet switch, solved exactly, with intervals that are proven to hold "
         "the exact value;\nnetworks of such switches, simulated, with confidence intervals, and "
         "approximated;\nand the closed forms of the literature.\n.SH COMMANDS\n"
         "Each has a page of its own, such as\n.BR switchq\\-solve (1).");
    for (int k = 0; cli_commands[k]; k++) {
        printf(".TP\n.B %s\n", cli_commands[k]->name);
        print_roff(cli_commands[k]->summary);
        puts(".");
    }
    puts(".SH TOPICS\n"
         "Pages that\n.B switchq help\n.I TOPIC\nprints, and that are installed as\n"
         ".BR switchq\\-buffers (7)\nand so on.");
    for (int k = 0; cli_topics[k].name; k++) {
        fputs(".TP\n.B ", stdout);
        print_roff(cli_topics[k].name);
        putchar('\n');
        print_roff(cli_topics[k].title);
        puts(".");
    }
    print_exit_status();
    puts(".SH EXAMPLES\n.nf");
    for (int k = 0; cli_commands[k]; k++) {
        char line[256];
        if (!cli_commands[k]->examples)
            continue;
        snprintf(line, sizeof line, "%.*s", (int)strcspn(cli_commands[k]->examples, "\n"),
                 cli_commands[k]->examples);
        print_roff(line);
        putchar('\n');
    }
    puts(".fi");
}

void cli_man(swq_context *ctx, const cli_command *command, const cli_topic *topic)
{
    if (command)
        man_of_command(ctx, command);
    else if (topic)
        man_of_topic(topic);
    else
        man_of_all();
}
