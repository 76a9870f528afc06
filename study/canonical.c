/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One way of writing each number, so that a point has one key however a study writes it.
 */
#include "study/plan.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 15, LONGEST = 40 }; /* the most decimal digits that every double preserves */

static size_t digits(const char *at)
{
    return strspn(at, "0123456789");
}

/* The length of a decimal number, [-+]1[.2][e[-+]3], at the start of a text; 0: there is none. */
static size_t number_length(const char *text)
{
    const char *at = text + (*text == '-' || *text == '+');
    size_t before = digits(at), after = 0;

    at += before;
    if (*at == '.') {
        after = digits(at + 1);
        at += 1 + after;
    }
    if (before + after == 0)
        return 0;
    if (*at == 'e' || *at == 'E') {
        const char *exponent = at + 1 + (at[1] == '-' || at[1] == '+');
        if (digits(exponent))
            at = exponent + digits(exponent);
    }
    return (size_t)(at - text);
}

/* The number of significant digits: the digits from the first digit that is not 0 on. */
static size_t significant(const char *number, size_t length)
{
    size_t count = 0;

    for (size_t k = 0; k < length && number[k] != 'e' && number[k] != 'E'; k++)
        count += isdigit((unsigned char)number[k]) && (count > 0 || number[k] != '0');
    return count;
}

/* Shortens 1e-05 to 1e-5. */
static void short_exponent(char *text)
{
    char *e = strchr(text, 'e');

    if (!e)
        return;
    char *from = e + 1 + (e[1] == '-' || e[1] == '+'), *to = e + 1 + (e[1] == '-');
    from += strspn(from, "0");
    memmove(to, from, strlen(from) + 1);
}

/* Writes a number in its shortest form; one with more digits than a double keeps is unchanged. */
static size_t write_number(const char *number, size_t length, char *text)
{
    char copy[LONGEST];

    if (length >= sizeof copy || significant(number, length) > DIGITS) {
        return 0;
    }
    memcpy(copy, number, length);
    copy[length] = '\0';
    const double value = strtod(copy, NULL);
    snprintf(text, LONGEST, "%.*g", DIGITS, value == 0 ? 0 : value);
    /* a whole number is written out, since options for whole numbers accept no exponent */
    if (strchr(text, 'e') && value >= 1 && value < 1e18)
        snprintf(text, LONGEST, "%.0f", value);
    short_exponent(text);
    return strlen(text);
}

bool swq_plan_is_number(const char *text)
{
    const char *at = text + (*text == '-');
    const size_t before = digits(at);

    if (!*text || number_length(text) != strlen(text) || before == 0)
        return false;
    return (*at != '0' || before == 1) && (at[before] != '.' || digits(at + before + 1) > 0);
}

size_t swq_plan_canonical(const char *value, char *text, size_t room)
{
    size_t used = 0;

    /* the text behind "file:" is a name, even if it looks like a number */
    const char *name = strncmp(value, "file:", 5) == 0 ? value : strstr(value, ":file:");
    for (const char *at = value; *at;) {
        char number[LONGEST];
        size_t word = name && at >= name ? strlen(at) : strcspn(at, ",:");
        const size_t length =
            word && word == number_length(at) ? write_number(at, word, number) : 0;
        const char *from = length ? number : at;
        const size_t size = length ? length : word;
        for (size_t k = 0; k < size; k++, used++) {
            if (used + 1 < room)
                text[used] = from[k];
        }
        at += word;
        if (*at && used + 1 < room)
            text[used] = *at;
        used += *at != '\0';
        at += *at != '\0';
    }
    if (room)
        text[used < room ? used : room - 1] = '\0';
    return used;
}
