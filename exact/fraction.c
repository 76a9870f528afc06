/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fractions from text and to text.
 */
#include "base/context.h"
#include "exact/integers.h"

#include <ctype.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST_TEXT = 1000,
    LARGEST_EXPONENT = 1000,
    DIGITS = 20 /* of a decimal */
};

/* Read digits with at most one point, and an optional exponent: value = digits * 10^exponent. */
static bool read_decimal(const char *text, mpq_t value)
{
    char digits[LONGEST_TEXT + 1];
    size_t count = 0;
    long exponent = 0;
    bool point = false;
    mpz_t power;

    for (; isdigit((unsigned char)*text) || (*text == '.' && !point); text++) {
        if (*text == '.') {
            point = true;
        } else {
            digits[count++] = *text;
            exponent -= point;
        }
    }
    if (count == 0)
        return false;
    if (*text == 'e' || *text == 'E') {
        char *end;
        text++;
        if (!isdigit((unsigned char)text[*text == '-' || *text == '+']))
            return false;
        long given = strtol(text, &end, 10); /* LONG_MIN, which has no opposite, if too small */
        if (given < -LARGEST_EXPONENT || given > LARGEST_EXPONENT)
            return false;
        exponent += given;
        text = end;
    }
    if (*text)
        return false;
    digits[count] = '\0';
    mpz_set_str(mpq_numref(value), digits, 10);
    mpz_set_ui(mpq_denref(value), 1);
    mpz_init(power);
    mpz_ui_pow_ui(power, 10, (unsigned long)labs(exponent));
    if (exponent < 0)
        mpz_swap(mpq_denref(value), power);
    else
        mpz_mul(mpq_numref(value), mpq_numref(value), power);
    mpz_clear(power);
    mpq_canonicalize(value);
    return true;
}

bool swq_fraction_read(const char *text, mpq_t value)
{
    static const char figures[] = "0123456789";
    size_t above = strspn(text, figures);

    if (strlen(text) > LONGEST_TEXT)
        return false;
    if (above == 0 || text[above] != '/')
        return read_decimal(text, value);
    size_t below = strspn(text + above + 1, figures);
    if (below == 0 || text[above + 1 + below] ||
        strspn(text + above + 1, "0") == below) /* the denominator must not be zero */
        return false;
    mpq_set_str(value, text, 10);
    mpq_canonicalize(value);
    return true;
}

bool swq_rational_value(const char *text, double *value)
{
    char decimal[SWQ_RATIONAL_DECIMAL];
    mpq_t exact;

    mpq_init(exact);
    bool fine = swq_fraction_read(text, exact);
    if (fine) {
        swq_fraction_decimal(exact, decimal);
        *value = strtod(decimal, NULL);
        if (*value == 0 && mpq_sgn(exact) > 0)
            *value = DBL_TRUE_MIN;
    }
    mpq_clear(exact);
    return fine;
}

/* scaled = value * 10^(DIGITS - 1 - exponent), rounded to the nearest whole number. */
static void scale(const mpq_t value, long exponent, mpz_t scaled)
{
    long shift = DIGITS - 1 - exponent;
    mpz_t power, below;

    mpz_init(power);
    mpz_init_set(below, mpq_denref(value));
    mpz_set(scaled, mpq_numref(value));
    mpz_ui_pow_ui(power, 10, (unsigned long)labs(shift));
    if (shift < 0)
        mpz_mul(below, below, power);
    else
        mpz_mul(scaled, scaled, power);
    mpz_mul_2exp(scaled, scaled, 1);
    mpz_add(scaled, scaled, below);
    mpz_mul_2exp(below, below, 1);
    mpz_fdiv_q(scaled, scaled, below); /* floor(v + 1/2) */
    mpz_clear(power);
    mpz_clear(below);
}

void swq_fraction_decimal(const mpq_t value, char decimal[SWQ_RATIONAL_DECIMAL])
{
    char digits[DIGITS + 4];
    mpz_t scaled, limit;

    if (mpq_sgn(value) <= 0) {
        memcpy(decimal, "0", sizeof "0");
        return;
    }
    /* sizeinbase is the number of digits or one more, so this exponent is right or too low; a low
     * exponent gives too many digits, and so does rounding up to a power of ten */
    long exponent = (long)mpz_sizeinbase(mpq_numref(value), 10) -
                    (long)mpz_sizeinbase(mpq_denref(value), 10) - 2;
    mpz_init(scaled);
    mpz_init(limit);
    mpz_ui_pow_ui(limit, 10, DIGITS);
    for (scale(value, exponent, scaled); mpz_cmp(scaled, limit) >= 0;)
        scale(value, ++exponent, scaled);
    gmp_snprintf(digits, sizeof digits, "%Zd", scaled);
    mpz_clear(limit);
    mpz_clear(scaled);
    size_t last = strlen(digits);
    while (last > 1 && digits[last - 1] == '0')
        last--;
    digits[last] = '\0';
    if (exponent < -5 || exponent >= DIGITS)
        snprintf(decimal, SWQ_RATIONAL_DECIMAL, "%c%s%se%ld", digits[0], last > 1 ? "." : "",
                 digits + 1, exponent);
    else if (exponent < 0)
        snprintf(decimal, SWQ_RATIONAL_DECIMAL, "0.%.*s%s", (int)(-exponent - 1), "0000", digits);
    else if ((size_t)exponent + 1 >= last)
        snprintf(decimal, SWQ_RATIONAL_DECIMAL, "%s%.*s", digits, (int)(exponent + 1 - (long)last),
                 "0000000000000000000");
    else
        snprintf(decimal, SWQ_RATIONAL_DECIMAL, "%.*s.%s", (int)exponent + 1, digits,
                 digits + exponent + 1);
}

static char *text_of(swq_context *ctx, const mpz_t number)
{
    char *text = swq_calloc(ctx, mpz_sizeinbase(number, 10) + 2, 1);

    return text ? mpz_get_str(text, 10, number) : NULL;
}

swq_status swq_fraction_write(swq_context *ctx, const mpz_t part, const mpz_t whole,
                              swq_fraction *out)
{
    swq_fraction made;
    mpq_t value;

    mpq_init(value);
    mpz_set(mpq_numref(value), part);
    mpz_set(mpq_denref(value), whole);
    mpq_canonicalize(value);
    made.numerator = text_of(ctx, mpq_numref(value));
    made.denominator = made.numerator ? text_of(ctx, mpq_denref(value)) : NULL;
    swq_fraction_decimal(value, made.decimal);
    mpq_clear(value);
    if (!made.denominator) {
        swq_free(ctx, made.numerator);
        return swq_memory_status(ctx);
    }
    *out = made;
    return SWQ_OK;
}
