/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The three functions of GSL's distributions that intervals need, in a browser, where there is no
 * GSL: by series and continued fractions, and inverted by halves. Right to about 1e-12, where GSL's
 * last digits may be others; a mean does not depend on them.
 * Source: NIST Digital Library of Mathematical Functions, 8.7.1, 8.9.2 and 8.17.22.
 */
#include <gsl/gsl_cdf.h>
#include <math.h>

enum { TERMS = 10000, HALVINGS = 200 };

/* Regularized incomplete beta function where its continued fraction converges fast, x < (a + 1) /
 * (a + b + 2); evaluated forwards by Lentz's method. */
static double beta_fraction(double x, double a, double b)
{
    const double front =
        exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a;
    double c = 1, d = 1 - (a + b) * x / (a + 1);

    d = 1 / (fabs(d) < 1e-300 ? 1e-300 : d);
    double f = d;
    for (int m = 1; m < TERMS; m++) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        const double term[] = {even, odd};
        double step = 1;
        for (int k = 0; k < 2; k++) {
            d = 1 + term[k] * d;
            c = 1 + term[k] / c;
            d = 1 / (fabs(d) < 1e-300 ? 1e-300 : d);
            c = fabs(c) < 1e-300 ? 1e-300 : c;
            step = c * d;
            f *= step;
        }
        if (fabs(step - 1) < 1e-16)
            break;
    }
    return front * f;
}

double gsl_cdf_beta_P(const double x, const double a, const double b)
{
    if (x <= 0 || x >= 1)
        return x > 0;
    return x < (a + 1) / (a + b + 2) ? beta_fraction(x, a, b) : 1 - beta_fraction(1 - x, b, a);
}

/* P(T > t), t >= 0. */
static double student_above(double t, double nu)
{
    return gsl_cdf_beta_P(nu / (nu + t * t), nu / 2, 0.5) / 2;
}

double gsl_cdf_tdist_Qinv(const double Q, const double nu)
{
    double low = 0, high = 1;

    if (Q > 0.5)
        return -gsl_cdf_tdist_Qinv(1 - Q, nu);
    while (student_above(high, nu) > Q && high < 1e300)
        high *= 2;
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = (low + high) / 2;
        if (student_above(middle, nu) > Q)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* Regularized lower incomplete gamma function. */
static double gamma_below(double x, double a)
{
    const double front = exp(a * log(x) - x - lgamma(a));
    double term = 1 / a, sum = term;

    if (x < a + 1) {
        for (int k = 1; k < TERMS && term > sum * 1e-17; k++) {
            term *= x / (a + k);
            sum += term;
        }
        return front * sum;
    }
    double b = x + 1 - a, c = 1e300, d = 1 / b, f = d;
    for (int k = 1; k < TERMS; k++) {
        const double step = k * (a - k);
        b += 2;
        d = 1 / (step * d + b);
        c = b + step / c;
        f *= c * d;
        if (fabs(c * d - 1) < 1e-16)
            break;
    }
    return 1 - front * f;
}

double gsl_cdf_gamma_P(const double x, const double a, const double b)
{
    return gamma_below(x / b, a);
}
