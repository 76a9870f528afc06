/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The number of other inputs of a switch that want the same output as one input.
 */
#include "approx/hotspot/class.h"

#include <math.h>
#include <string.h>

/* An input that hardly ever stops wanting an output hardly ever begins to: below this weight, the
 * rivals that such an input sees when it begins are taken to be those that it sees at any time,
 * instead of a ratio of small numbers. */
#define SELDOM 1e-6

/* P(j of n), each with probability p, for j = 0 .. n. */
static void binomial(int n, double p, double *chance)
{
    chance[0] = 1;
    for (int i = 1; i <= n; i++) {
        chance[i] = chance[i - 1] * p;
        for (int j = i - 1; j > 0; j--)
            chance[j] = chance[j] * (1 - p) + chance[j - 1] * p;
        chance[0] *= 1 - p;
    }
}

void hot_rivals_steps(int ports, const hot_rivals *r, hot_steps *steps)
{
    memset(steps, 0, sizeof *steps);
    for (int h = 0; h < ports; h++) {
        double joining[SWQ_CHAIN_PORTS];

        binomial(ports - 1 - h, r->join, joining);
        for (int j = 0; j < ports - h; j++) {
            steps->still[h][h + j] += joining[j];
            if (h > 0) {
                steps->gone[h][h + j] += joining[j] * r->stay[h];
                steps->gone[h][h + j - 1] += joining[j] * (1 - r->stay[h]);
            }
        }
    }
}

/* Seen from outside, u inputs want the output with probability ports / u times that of one of them
 * having u - 1 rivals: inputs are alike. */
void hot_rivals_see(int ports, const double *wanting, const double *served, const hot_steps *steps,
                    double *see)
{
    double outside[SWQ_CHAIN_PORTS] = {0}, total = 0, rest = 1, all = 0;

    for (int u = 1; u < ports; u++) {
        double p = ports * wanting[u - 1] / u;

        rest -= p;
        outside[u] = p * (ports - u) / ports; /* of u inputs that want the output, none is this
                                                    one */
    }
    rest -= wanting[ports - 1];
    outside[0] = fmax(rest, 0);
    memset(see, 0, (size_t)ports * sizeof *see);
    for (int u = 0; u < ports; u++) {
        total += outside[u];
        for (int v = 0; v < ports; v++)
            see[v] +=
                outside[u] * ((1 - served[u]) * steps->still[u][v] + served[u] * steps->gone[u][v]);
    }
    for (int v = 0; v < ports; v++)
        all += wanting[v];
    for (int v = 0; v < ports; v++)
        see[v] = (see[v] + SELDOM * (all > 0 ? wanting[v] / all : v == 0)) / (total + SELDOM);
}

void hot_rivals_stay(int ports, const double *goes_on, const double *sends, double *stay)
{
    double all_go_on = 0, all = 0;

    for (int h = 0; h < ports; h++) {
        all_go_on += goes_on[h];
        all += sends[h];
    }
    for (int h = 0; h < ports; h++)
        stay[h] = all > 0 ? (goes_on[h] + SELDOM * all_go_on) / (sends[h] + SELDOM * all) : 0;
}

double hot_turn(int rivals, double take)
{
    double sum = 0, left = 1;

    for (int e = 0; e <= rivals; e++, left *= 1 - take)
        sum += left;
    return sum / (rivals + 1);
}
