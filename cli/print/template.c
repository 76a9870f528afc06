/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Templates: read and written out in one pass, by a function that calls itself for the text inside
 * a section.
 */
#include "cli/print/template.h"
#include "base/text.h"
#include "cli/print/json_path.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- escapes ---- */

/* Replacements of characters; the text before a character that begins a line; whether letters
 * become capitals. */
typedef struct escape {
    const char *name, *pair[6][2], *begin;
    bool capitals;
} escape;

#define ROFF                                                                                       \
    {                                                                                              \
        {"\\", "\\e"}, {"-", "\\-"},                                                               \
        {                                                                                          \
            "'", "\\(aq"                                                                           \
        }                                                                                          \
    }

static const escape escapes[] = {
    {.name = "raw"},
    {.name = "html", .pair = {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}}},
    /* in JSON a "<" occurs only in strings; unescaped it could end a script element */
    {.name = "script", .pair = {{"<", "\\u003c"}}},
    {.name = "roff", .pair = ROFF, .begin = ".'"},
    {.name = "roff-capitals", .pair = ROFF, .begin = ".'", .capitals = true},
    /* for single quotes of a shell, and the characters at which the shell splits its own lists of
     * words */
    {.name = "fish", .pair = {{"\\", "\\\\"}, {"'", "\\'"}, {"\n", " "}}},
    {.name = "zsh", .pair = {{"\\", "\\\\"}, {"'", "'\\''"}, {"\n", " "}}},
    {.name = "zsh-word", .pair = {{"\\", "\\\\"}, {":", "\\:"}, {"'", ""}, {"\n", " "}}},
    {.name = "zsh-option",
     .pair =
         {{"\\", "\\\\"}, {":", "\\:"}, {"[", "\\["}, {"]", "\\]"}, {"'", "'\\''"}, {"\n", " "}}},
};

static const escape *escape_of(const char *name, size_t length)
{
    size_t k = 0;

    while (strlen(escapes[k].name) != length || strncmp(escapes[k].name, name, length) != 0) {
        k++;
        assert(k < sizeof escapes / sizeof *escapes);
    }
    return &escapes[k];
}

static void put_escaped(FILE *to, const char *text, const escape *e)
{
    bool begins = true;

    for (; *text; begins = *text++ == '\n') {
        const char *in_place = NULL;
        if (begins && e->begin && strchr(e->begin, *text))
            fputs("\\&", to);
        for (int k = 0; k < 6 && e->pair[k][0]; k++)
            in_place = e->pair[k][0][0] == *text ? e->pair[k][1] : in_place;
        if (in_place)
            fputs(in_place, to);
        else
            putc(e->capitals ? toupper((unsigned char)*text) : *text, to);
    }
}

/* ---- values ---- */

/* A tree, or an object or item in it, nested in others. */
typedef struct scope {
    const cJSON *value;
    const struct scope *outer;
    bool item;
} scope;

typedef struct template_run {
    FILE *to;
    const char *text; /* the whole template, in which sections are looked up */
    const escape *usual;
} template_run;

static bool is_word(const char *at, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(at, word, length) == 0;
}

/* The member at the path [at, at + length); NULL: there is none. */
static const cJSON *find(const scope *s, const char *at, size_t length)
{
    char key[64];
    const cJSON *found = NULL;

    if (is_word(at, length, "."))
        return s->value;
    for (bool first = true; length > 0; first = false) {
        size_t part = 0;
        while (part < length && at[part] != '.')
            part++;
        snprintf(key, sizeof key, "%.*s", (int)part, at);
        for (const scope *in = s; first && in && !found; in = in->outer)
            found = cJSON_GetObjectItemCaseSensitive(in->value, key);
        if (!first)
            found = cJSON_GetObjectItemCaseSensitive(found, key);
        part += part < length;
        at += part;
        length -= part;
    }
    return found;
}

static bool holds(const cJSON *value)
{
    if (cJSON_IsString(value))
        return value->valuestring[0] != '\0';
    if (cJSON_IsArray(value))
        return value->child != NULL;
    return cJSON_IsObject(value) || cJSON_IsTrue(value) || isfinite(cli_json_as_number(value));
}

static void put_formatted(const template_run *r, const char *format, const cJSON *value)
{
    const double number = cli_json_as_number(value);
    const char *gap = strstr(format, "%s");

    if (gap && cJSON_IsString(value) && holds(value)) {
        fprintf(r->to, "%.*s", (int)(gap - format), format);
        put_escaped(r->to, value->valuestring, r->usual);
        fputs(gap + 2, r->to);
    } else if (!gap && isfinite(number)) {
        fprintf(r->to, format, number);
    }
}

/* {{key}} or {{key|FILTER}}. */
static void put_value(const template_run *r, const scope *s, const char *at, size_t length)
{
    char format[80], number[40];
    size_t key = 0;

    while (key < length && at[key] != '|')
        key++;
    const cJSON *value = find(s, at, key);
    const escape *e = r->usual;
    snprintf(format, sizeof format, "%.*s", key < length ? (int)(length - key - 1) : 0,
             at + key + (key < length));
    if (strchr(format, '%')) {
        put_formatted(r, format, value);
        return;
    }
    if (*format)
        e = escape_of(format, strlen(format));
    if (cJSON_IsString(value))
        put_escaped(r->to, value->valuestring, e);
    else if (isfinite(cli_json_as_number(value)))
        fputs(swq_number_text(cli_json_as_number(value), number), r->to);
}

/* ---- sections: written once, several times or not at all ---- */

typedef struct template_mark {
    const char *open, *at, *end,
        *behind;   /* "{{", the text between it and "}}", and the text behind */
    size_t length; /* of the text in between */
} template_mark;

/* The next mark, and the line if nothing else is on it; false: there is none before `end`. */
static bool next_mark(const char *text, const char *from, const char *end, template_mark *m)
{
    m->open = strstr(from, "{{");
    if (!m->open || m->open >= end)
        return false;
    m->at = m->open + 2;
    m->end = strstr(m->at, "}}");
    assert(m->end);
    m->behind = m->end + 2;
    m->length = (size_t)(m->end - m->at);
    if (*m->at == '!')
        m->behind += strspn(m->behind, " \n");
    const char *begin = m->open;
    while (begin > text && begin[-1] == ' ')
        begin--;
    if (strchr("#^:>/", *m->at) && (begin == text || begin[-1] == '\n') && *m->behind == '\n' &&
        begin >= from) {
        m->open = begin;
        m->behind++;
    }
    return true;
}

/* The {{/}} that closes the section that begins before `from`. */
static template_mark closing(const char *text, const char *from, const char *end)
{
    template_mark m;

    for (int depth = 1; depth > 0; from = m.behind) {
        const bool found = next_mark(text, from, end, &m);
        assert(found);
        (void)found;
        depth += strchr("#^:", *m.at) ? 1 : *m.at == '/' ? -1 : 0;
    }
    return m;
}

static void render(const template_run *r, const scope *s, const char *from, const char *end);

static void put_part(const template_run *r, const scope *s, const char *name, size_t length)
{
    const char *end = r->text + strlen(r->text);
    template_mark m = {.behind = r->text};

    do {
        const bool found = next_mark(r->text, m.behind, end, &m);
        assert(found);
        (void)found;
    } while (*m.at != ':' || m.length != length + 1 || strncmp(m.at + 1, name, length) != 0);
    render(r, s, m.behind, closing(r->text, m.behind, end).open);
}

/* Does the condition of {{#key}}, {{#key=word}} or {{#@first}} hold? *value: the value of the
 * key. */
static bool asked(const scope *s, const template_mark *m, const cJSON **value)
{
    const char *key = m->at + 1;
    const size_t length = m->length - 1;
    size_t name = 0;

    *value = NULL;
    if (*key == '@') {
        while (s && !s->item)
            s = s->outer;
        assert(s); /* it is only used in sections */
        return is_word(key, length, "@last") ? !s->value->next : !s->value->prev->next;
    }
    while (name < length && key[name] != '=')
        name++;
    const cJSON *found = find(s, key, name);
    if (name < length)
        return cJSON_IsString(found) &&
               is_word(key + name + 1, length - name - 1, found->valuestring);
    *value = found;
    return holds(found);
}

static void put_section(const template_run *r, const scope *s, const template_mark *m,
                        const char *end)
{
    const cJSON *value, *item;
    const bool holding = asked(s, m, &value);

    if (holding != (*m->at == '#'))
        return;
    if (holding && cJSON_IsArray(value)) {
        cJSON_ArrayForEach(item, value)
        {
            render(r, &(scope){item, s, true}, m->behind, end);
        }
    } else {
        const scope inner = {value, s, false};
        render(r, holding && cJSON_IsObject(value) ? &inner : s, m->behind, end);
    }
}

static void render(const template_run *r, const scope *s, const char *from, const char *end)
{
    template_mark m, close;

    for (; next_mark(r->text, from, end, &m); from = m.behind) {
        fwrite(from, 1, (size_t)(m.open - from), r->to);
        if (strchr("#^:", *m.at)) {
            close = closing(r->text, m.behind, end);
            if (*m.at != ':')
                put_section(r, s, &m, close.open);
            m.behind = close.behind;
        } else if (*m.at == '>') {
            put_part(r, s, m.at + 1, m.length - 1);
        } else if (*m.at != '!') {
            put_value(r, s, m.at, m.length);
        }
    }
    fwrite(from, 1, (size_t)(end - from), r->to);
}

void cli_template(FILE *to, const char *text, const cJSON *tree, const char *how)
{
    const template_run r = {to, text, escape_of(how, strlen(how))};

    render(&r, &(scope){tree, NULL, false}, text, text + strlen(text));
}
