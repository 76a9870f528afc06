/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --preset: its settings become options, in front of those of the command line.
 */
#include "base/context.h"
#include "base/names.h"
#include "cli/options/arguments.h"
#include "cli/spec/presets.h"

#include <stdio.h>
#include <string.h>

static char *preset_name;

struct poptOption cli_preset_options[] = {
    CLI_TEXT_ROW("preset", "abm|credence|occamy|reverie|dctcp", &preset_name,
                 "set the options that a published study of data-centre switches used, and print "
                 "them; other options replace parts of it ('switchq list presets')"),
    POPT_TABLEEND,
};

/* Has the command line the option, with another value than the preset's? */
static bool replaced(const struct poptOption *table, const cli_preset *preset, const char *option)
{
    const char *text = cli_text(table, option);

    for (const cli_preset_setting *s = preset->setting; text && s->value; s++) {
        if (s->option && strcmp(s->option, option) == 0 && strcmp(s->value, text) == 0)
            return false;
    }
    return cli_given(table, option) != NULL;
}

/* Does the command line replace one of these options, separated by blanks? NULL: none. */
static bool one_replaced(const struct poptOption *table, const cli_preset *preset,
                         const char *options)
{
    char name[32];

    for (const char *at = options; at && *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (replaced(table, preset, name))
            return true;
        at += length;
    }
    return false;
}

static swq_status add_setting(swq_context *ctx, const struct poptOption *table,
                              const cli_preset *preset, const cli_preset_setting *setting,
                              cli_arguments *to)
{
    char word[120];

    if (setting->only_with && !one_replaced(table, preset, setting->only_with))
        return SWQ_OK;
    if (cli_given(table, setting->option) && !replaced(table, preset, setting->option))
        return SWQ_OK;
    if (cli_given(table, setting->option) || one_replaced(table, preset, setting->instead)) {
        cli_note("  --%s %s is replaced [%s]", setting->option, setting->value, setting->from);
        return SWQ_OK;
    }
    cli_note("  --%s %s [%s]", setting->option, setting->value, setting->from);
    snprintf(word, sizeof word, "--%s=%s", setting->option, setting->value);
    return cli_arguments_own(ctx, to, word);
}

static swq_status translate(swq_context *ctx, const struct poptOption *table, cli_arguments *to)
{
    const cli_preset *preset =
        swq_name_lookup(ctx, "--preset", preset_name, (const void *const *)cli_presets);
    swq_status status = SWQ_OK;

    if (!preset)
        return SWQ_EINVAL;
    cli_note("--preset %s: %s; %s", preset->name, preset->summary, preset->source);
    for (const cli_preset_setting *s = preset->setting; s->value && !status; s++) {
        if (s->option)
            status = add_setting(ctx, table, preset, s, to);
    }
    for (const cli_preset_setting *s = preset->setting; s->value && !status; s++) {
        if (!s->option)
            cli_note("  not set: %s [%s]", s->value, s->from);
    }
    return status;
}

const cli_translator cli_preset_translator = {
    .option = "preset", .name = "the preset", .translate = translate};
