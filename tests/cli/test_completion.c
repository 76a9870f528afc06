/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Completion as the shells do it: bash always, zsh and fish where there are such.
 */
#include "tests/cli/program.h"

TestSuite(cli_completion, .init = program_begin, .fini = program_end, .timeout = 480);

/* A line as bash splits it ('|' between words), and the words that are offered. */
static const struct {
    const char *line, *offered;
} completions[] = {
    {"sol", "solve"},
    {"solve|--buf", "--buffer"},
    {"solve|--buffer|d", "damq dafc"},
    {"solve|--buffer|=|d", "damq dafc"},
    {"solve|--buffer|=", "fifo samq safc damq dafc cbda"},
    {"solve|--slots|", ""},
    {"solve|--slots|4|--fl", "--flow"},
    {"solve|--slots|4|--flow|", "discard block"},
    {"solve|--traffic|", "uniform hotspot: file: matrix:"},
    {"solve|--solver|sp", "sparse-gth"},
    {"sim|--topology|t", "torus tree"},
    {"sim|--traffic|tr", "transpose trace: tree-all-reduce:"},
    {"sim|--sender|f", "feedback:"},
    {"sim|--traffic|file|:|on", "one.txt"},
    {"sim|--traffic|hotspot|:|", ""},
    {"sim|--warmup|", "auto"},
    {"sim|--starts|t", "two words.txt"},
    {"approx|--method|ya", ""},
    {"approx|--method|yo", "yoon-lee-liu"},
    {"approx|--table|", "4.2 4.3 4.4"},
    {"formula|hol", "hol-saturation"},
    {"formula|hol-saturation|--",
     "--ports --speedup --json --csv --plot --config --save-config --help --help-all"},
    {"table|", "4.1 4.2 4.3 4.4 5.1 8.2 8.4 benchmarks small-packets"},
    {"figure|6.1", "6.1 6.10 6.11 6.12"},
    {"figure|-o|", "folder"},
    {"figure|--output|f", "folder"},
    {"list|ar", "arbiters architectures"},
    {"help|ar", "arbiters architectures"},
    {"help|so", "solve sources"},
    {"completion|", "bash zsh fish"},
    {"export|--format|pr", "prism prism-source"},
    {"export|--reduce|", "none auto"},
    {"nonsense|--bu", ""},
};

Test(cli_completion, bash_offers_commands_options_and_words)
{
    program_run made = program_shell(
        "touch one.txt 'two words.txt'; mkdir folder; $SWITCHQ completion bash > script");

    cr_assert_eq(made.status, 0);
    program_free(&made);
    for (size_t k = 0; k < sizeof completions / sizeof *completions; k++) {
        program_run run = program_shell(
            "LC_ALL=C bash -c '. ./script; IFS=\"|\" read -r -a COMP_WORDS <<< \"switchq|$0\"; "
            "case $0 in *\"|\") COMP_WORDS+=(\"\");; esac; COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
            "_switchq; IFS=\" \"; echo \"${COMPREPLY[*]}\"' '%s'",
            completions[k].line);
        run.out[strcspn(run.out, "\n")] = '\0';
        cr_expect_str_eq(run.out, completions[k].offered, "%s: '%s', not '%s'", completions[k].line,
                         run.out, completions[k].offered);
        cr_expect_str_empty(run.err, "%s: %s", completions[k].line, run.err);
        program_free(&run);
    }
}

/* The scripts contain what --help lists: every option of every command. */
Test(cli_completion, scripts_have_every_option)
{
    static const char *const commands[] = {"solve", "sim",    "approx", "formula", "table",
                                           "list",  "export", "figure", "help"};
    program_run bash = program_succeeds("completion bash"),
                zsh = program_succeeds("completion zsh"),
                fish = program_succeeds("completion fish");

    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
        program_run help = program_succeeds("%s --help-all", commands[c]);
        int options = 0;
        for (const char *at = help.out; (at = strstr(at, " --")); at++) {
            const char *line = at;
            while (line > help.out && line[-1] != '\n')
                line--;
            const size_t before = (size_t)(at - line);
            if (before != 1 && !(before == 5 && line[2] == '-' && line[4] == ','))
                continue; /* a match within a description */
            char name[64], text[160];
            snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 3, "= \n"), at + 3);
            snprintf(text, sizeof text, "--%s", name);
            cr_expect(strstr(bash.out, text), "bash: %s", text);
            cr_expect(strstr(zsh.out, text), "zsh: %s", text);
            snprintf(text, sizeof text, " -l %s", name);
            cr_expect(strstr(fish.out, text), "fish: %s", text);
            options++;
        }
        cr_expect_geq(options, 1, "%s: %d", commands[c], options);
        program_free(&help);
    }
    program_free(&bash);
    program_free(&zsh);
    program_free(&fish);
}

/* Without the shell there is nothing to test, which is reported. */
static bool has(const char *shell)
{
    program_run run = program_shell("command -v %s", shell);
    bool found = run.status == 0;

    if (!found)
        cr_log_info("no %s here", shell);
    program_free(&run);
    return found;
}

static void fish_offers(const char *line, const char *const *words)
{
    program_run run =
        program_shell("HOME=$PWD fish --no-config -c 'source script; complete -C \"%s\"'", line);

    cr_expect_str_empty(run.err, "%s", run.err);
    for (; *words; words++)
        cr_expect(strstr(run.out, *words), "%s: no %s in %s", line, *words, run.out);
    program_free(&run);
}

Test(cli_completion, fish_offers_them_with_what_they_mean)
{
    if (!has("fish"))
        return;
    program_run made = program_shell("$SWITCHQ completion fish > script && fish -n script");
    cr_assert_eq(made.status, 0, "%s", made.err);
    program_free(&made);
    fish_offers("switchq so", (const char *[]){"solve\t", NULL});
    fish_offers("switchq solve --buf", (const char *[]){"--buffer\tbuffer organisation", NULL});
    fish_offers("switchq solve --buffer d", (const char *[]){"damq\tdynamic", "dafc\t", NULL});
    fish_offers("switchq sim --flow ", (const char *[]){"discard", "block", NULL});
    fish_offers("switchq formula hol-saturation --s", (const char *[]){"--speedup\t", NULL});
    fish_offers("switchq help sol", (const char *[]){"solve\t", NULL});
    program_run none = program_shell("HOME=$PWD fish --no-config -c 'source script; complete -C "
                                     "\"switchq formula hol-saturation --wi\"'");
    cr_expect_str_empty(none.out, "%s", none.out);
    program_free(&none);
}

/* zsh completes only on a terminal, which its zpty provides. */
static const char driver[] = "zmodload zsh/zpty || exit 0\n"
                             "zpty z zsh -f -i\n"
                             "zpty -w z \"PS1=PROM; PS1+=PT; stty cols 500; fpath=($PWD \\$fpath); "
                             "autoload -U compinit; compinit -u -D; "
                             "print READY\\$((1+1))\"\n"
                             "zpty -r -m z line '*READY2*PROMPT*'\n"
                             "for words in \"$@\"; do\n"
                             "  zpty -w -n z \"$words\"$'\\t'\n"
                             "  zpty -w z $'\\C-a: \\C-e; print DO\\'\\'NE'\n"
                             "  zpty -r -m z line '*DONE*'\n"
                             "  print -r -- \"$line\"\n"
                             "done\n"
                             "zpty -d z\n";

Test(cli_completion, zsh_completes_them)
{
    static const char *const cases[][2] = {
        {"switchq sol", "switchq solve"},
        {"switchq solve --by-", "switchq solve --by-output"},
        {"switchq solve --buffer dam", "switchq solve --buffer damq"},
        {"switchq sim --flow=dis", "--flow=discard"},
        {"switchq formula hol-saturation --sp", "hol-saturation --speedup"},
        {"switchq help exit", "switchq help exit-statuses"},
        {"switchq solve --credit n", "--credit next"},
    };
    if (!has("zsh"))
        return;
    FILE *file = fopen("driver", "w");
    cr_assert(file);
    fputs(driver, file);
    fclose(file);
    program_run made = program_shell("$SWITCHQ completion zsh > _switchq && zsh -n _switchq");
    cr_assert_eq(made.status, 0, "%s", made.err);
    program_free(&made);
    /* all in one shell, as it is slow to start */
    char words[600] = "";
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        size_t used = strlen(words);
        snprintf(words + used, sizeof words - used, " '%s'", cases[k][0]);
    }
    program_run run = program_shell("HOME=$PWD timeout 30 zsh -f driver%s", words);
    const char *at = run.out;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *found = strstr(at, cases[k][1]);
        cr_expect(found, "%s: %s", cases[k][0], run.out);
        at = found ? found : at;
    }
    cr_expect_not(strstr(run.out, "invalid argument"), "%s", run.out);
    program_free(&run);
    run = program_shell("grep -c \"'damq:dynamically allocated\" _switchq");
    cr_expect_eq(run.status, 0);
    program_free(&run);
}

Test(cli_completion, a_shell_is_asked_for)
{
    program_run none = program("completion"), wrong = program("completion basch");

    expect_refusal(&none, 2, "bash, zsh or fish", NULL);
    expect_refusal(&wrong, 2, "basch", "'bash'");
    program_free(&none);
    program_free(&wrong);
}
