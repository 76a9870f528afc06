/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Quantities with units: a decimal as digits x 10^-decimals, times the unit, divided without a
 * remainder.
 */
#include "base/units.h"

#include "base/context.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define KILO UINT64_C(1000)
#define MEGA UINT64_C(1000000)
#define GIGA UINT64_C(1000000000)
#define TERA UINT64_C(1000000000000)

/* A unit's name, and the value of 1 of it. Each table begins with the units that are printed, the
 * largest first, down to the one that values are stored in. */
typedef struct quantity_unit {
    const char *name;
    uint64_t value;
} quantity_unit;

static const quantity_unit rate_units[] = {
    {"Tb/s", TERA},   {"Gb/s", GIGA},   {"Mb/s", MEGA},   {"kb/s", KILO},   {"bit/s", 1},
    {"T", TERA},      {"G", GIGA},      {"M", MEGA},      {"k", KILO},      {"K", KILO},
    {"Tbps", TERA},   {"Gbps", GIGA},   {"Mbps", MEGA},   {"kbps", KILO},   {"Kbps", KILO},
    {"bps", 1},       {"Kb/s", KILO},   {"b/s", 1},       {"Tbit/s", TERA}, {"Gbit/s", GIGA},
    {"Mbit/s", MEGA}, {"kbit/s", KILO}, {"Kbit/s", KILO}, {NULL, 0},
};
static const quantity_unit time_units[] = {
    {"s", TERA}, {"ms", GIGA},      {"us", MEGA},      {"ns", KILO},
    {"ps", 1},   {"\u00b5s", MEGA}, {"\u03bcs", MEGA}, {NULL, 0},
};
static const quantity_unit size_units[] = {
    {"TB", TERA},
    {"GB", GIGA},
    {"MB", MEGA},
    {"KB", KILO},
    {"bytes", 1},
    {"T", TERA},
    {"G", GIGA},
    {"M", MEGA},
    {"K", KILO},
    {"k", KILO},
    {"kB", KILO},
    {"B", 1},
    {"byte", 1},
    {"", 1},
    {"TiB", UINT64_C(1) << 40},
    {"GiB", UINT64_C(1) << 30},
    {"MiB", UINT64_C(1) << 20},
    {"KiB", UINT64_C(1) << 10},
    {"Ti", UINT64_C(1) << 40},
    {"Gi", UINT64_C(1) << 30},
    {"Mi", UINT64_C(1) << 20},
    {"Ki", UINT64_C(1) << 10},
    {NULL, 0},
};

static const struct {
    const char *stored_in, *allowed;
    const quantity_unit *unit;
} kinds[] = {
    [SWQ_UNITS_RATE] = {"bit/s", "a rate with its unit, such as 100G, 25Gbps or 400Mb/s",
                        rate_units},
    [SWQ_UNITS_TIME] = {"picoseconds", "a time with its unit, such as 1.5us, 250ns or 80ps",
                        time_units},
    [SWQ_UNITS_SIZE] = {"bytes",
                        "a size in bytes, KB or MB (1000, 1000000) or KiB or MiB (1024, 1048576), "
                        "such as 1500, 9KB or 4MiB",
                        size_units},
};

/* ---- reading ---- */

static uint64_t power_of_ten(int exponent)
{
    uint64_t power = 1;

    while (exponent-- > 0)
        power *= 10;
    return power;
}

/* digits x 10^-decimals, without zeros at the end of the decimals */
typedef struct exact_decimal {
    __uint128_t digits; /* at most 10^26, so that digits x unit fits */
    int decimals;       /* at most 19, so that 10^decimals fits into 64 bits */
} exact_decimal;

enum { MOST_DECIMALS = 19 };
#define MOST_DIGITS ((__uint128_t)10000000000000 * 10000000000000)

/* Moves *text behind the number. False: there is none, or it has too many digits. */
static bool read_decimal(const char **text, exact_decimal *number)
{
    const char *at = *text;
    size_t whole = strspn(at, "0123456789"), part = 0;
    exact_decimal n = {0, 0};

    if (at[whole] == '.')
        part = strspn(at + whole + 1, "0123456789");
    if (whole == 0 || (at[whole] == '.' && part == 0))
        return false;
    const size_t end = part ? whole + 1 + part : whole;
    while (part > 0 && at[whole + part] == '0')
        part--;
    if (part > MOST_DECIMALS)
        return false;
    n.decimals = (int)part;
    for (size_t i = 0; i < (part ? whole + 1 + part : whole); i++) {
        if (i == whole)
            continue; /* the point */
        const uint64_t digit = (uint64_t)(at[i] - '0');
        n.digits = n.digits * 10 + digit;
        if (n.digits > MOST_DIGITS)
            return false;
    }
    *text = at + end;
    *number = n;
    return true;
}

/* The unit that the first `length` characters of the text name; 0: none. */
static uint64_t find_unit(swq_unit_kind kind, const char *text, size_t length)
{
    for (const quantity_unit *u = kinds[kind].unit; u->name; u++) {
        if (strlen(u->name) == length && strncmp(u->name, text, length) == 0)
            return u->value;
    }
    return 0;
}

/* A number and a unit, which ends before `end`, or with the text. */
static bool read_words(swq_unit_kind kind, const char *text, const char *end, exact_decimal *number,
                       uint64_t *unit)
{
    if (!read_decimal(&text, number) || text > end)
        return false;
    if (*text == ' ' && text + 1 < end)
        text++;
    *unit = find_unit(kind, text, (size_t)(end - text));
    if (kind == SWQ_UNITS_TIME && text == end && number->digits == 0)
        *unit = 1;
    return *unit > 0;
}

swq_status swq_units_read(swq_context *ctx, const char *what, swq_unit_kind kind, const char *text,
                          uint64_t least, uint64_t most, uint64_t *value)
{
    exact_decimal number;
    uint64_t unit;
    char from[SWQ_UNITS_TEXT], to[SWQ_UNITS_TEXT];

    if (!read_words(kind, text, text + strlen(text), &number, &unit))
        return swq_fail(ctx, SWQ_EINVAL, "%s must be %s, not '%.60s'", what, kinds[kind].allowed,
                        text);
    const __uint128_t product = number.digits * unit;
    const uint64_t below = power_of_ten(number.decimals);
    if (product % below)
        return swq_fail(ctx, SWQ_EINVAL, "%s must be a whole number of %s, not '%.60s'", what,
                        kinds[kind].stored_in, text);
    if (product / below < least || product / below > most)
        return swq_fail(ctx, SWQ_EINVAL, "%s must be from %s to %s, not '%.60s'", what,
                        swq_units_text(kind, least, from), swq_units_text(kind, most, to), text);
    *value = (uint64_t)(product / below);
    return SWQ_OK;
}

/* ---- printing ---- */

/* value / unit as a decimal. False: it does not end after 18 decimals. */
static bool print_in(uint64_t value, uint64_t unit, const char *name, char text[SWQ_UNITS_TEXT])
{
    uint64_t rest = value % unit;
    int length = snprintf(text, SWQ_UNITS_TEXT, "%" PRIu64, value / unit);

    if (rest)
        text[length++] = '.';
    for (int decimals = 0; rest; decimals++) {
        if (decimals == 18 || length + 8 > SWQ_UNITS_TEXT)
            return false;
        text[length++] = (char)('0' + (int)((__uint128_t)rest * 10 / unit));
        rest = (uint64_t)((__uint128_t)rest * 10 % unit);
    }
    snprintf(text + length, (size_t)(SWQ_UNITS_TEXT - length), " %s", name);
    return true;
}

const char *swq_units_text(swq_unit_kind kind, uint64_t value, char text[SWQ_UNITS_TEXT])
{
    const quantity_unit *u = kinds[kind].unit;
    char other[SWQ_UNITS_TEXT];

    while (u->value > value && u->value > 1)
        u++;
    assert(u->value > 0); /* each kind has a unit of 1 */
    print_in(value, u->value, kind == SWQ_UNITS_SIZE && value == 1 ? "byte" : u->name, text);
    if (kind != SWQ_UNITS_SIZE || value == 0 || value % 1024)
        return text;
    for (const quantity_unit *binary = size_units; binary->name; binary++) {
        if (strlen(binary->name) == 3 && binary->name[1] == 'i' && value >= binary->value &&
            print_in(value, binary->value, binary->name, other) && strlen(other) < strlen(text))
            memcpy(text, other, sizeof other);
    }
    return text;
}

/* ---- memory ---- */

static bool ends_in(const char *text, const char *end, size_t *length)
{
    const size_t all = strlen(text), tail = strlen(end);

    if (all < tail || strcmp(text + all - tail, end) != 0)
        return false;
    *length = all - tail;
    return true;
}

swq_status swq_units_memory_read(swq_context *ctx, const char *what, const char *text,
                                 swq_memory_amount *amount)
{
    size_t length = 0;
    exact_decimal number;
    uint64_t unit;
    swq_memory_per per = SWQ_PER_SWITCH;

    if (ends_in(text, "/port/Gbps", &length) || ends_in(text, "/port/Gb/s", &length))
        per = SWQ_PER_PORT_GBPS;
    else if (ends_in(text, "/port", &length))
        per = SWQ_PER_PORT;
    else
        length = strlen(text);
    const bool read = read_words(SWQ_UNITS_SIZE, text, text + length, &number, &unit) &&
                      number.decimals <= 9 && number.digits <= (UINT64_MAX >> 1) / unit;
    if (!read)
        return swq_fail(ctx, SWQ_EINVAL,
                        "%s must be %s, or a size for each port (256KB/port) or for each port and "
                        "Gb/s (5.12KB/port/Gbps), not '%.60s'",
                        what, kinds[SWQ_UNITS_SIZE].allowed, text);
    const swq_memory_amount a = {(uint64_t)(number.digits * unit), power_of_ten(number.decimals),
                                 per};
    if (per == SWQ_PER_SWITCH && a.numerator % a.denominator)
        return swq_fail(ctx, SWQ_EINVAL, "%s must be a whole number of bytes, not '%.60s'", what,
                        text);
    *amount = a;
    return SWQ_OK;
}

swq_status swq_units_memory_bytes(swq_context *ctx, const char *what,
                                  const swq_memory_amount *amount, uint64_t ports, uint64_t rates,
                                  uint64_t least, uint64_t most, uint64_t *bytes)
{
    const uint64_t times[] = {
        [SWQ_PER_SWITCH] = 1, [SWQ_PER_PORT] = ports, [SWQ_PER_PORT_GBPS] = rates};
    __uint128_t size = (__uint128_t)amount->numerator * times[amount->per] / amount->denominator;
    char from[SWQ_UNITS_TEXT], to[SWQ_UNITS_TEXT], is[SWQ_UNITS_TEXT];

    if (amount->per == SWQ_PER_PORT_GBPS)
        size /= GIGA;
    if (size >= least && size <= most) {
        *bytes = (uint64_t)size;
        return SWQ_OK;
    }
    if (size > UINT64_MAX)
        return swq_fail(ctx, SWQ_EINVAL, "%s must be at most %s for the whole switch", what,
                        swq_units_text(SWQ_UNITS_SIZE, most, to));
    return swq_fail(ctx, SWQ_EINVAL, "%s must be from %s to %s for the whole switch, not %s", what,
                    swq_units_text(SWQ_UNITS_SIZE, least, from),
                    swq_units_text(SWQ_UNITS_SIZE, most, to),
                    swq_units_text(SWQ_UNITS_SIZE, (uint64_t)size, is));
}
