/* When discs meet.

Between two events a disc moves on a straight line, at distance v t - a t^2 / 2 from where it was. Cushions, lips and
resting discs are therefore met at the root of a quadratic, two moving discs at that of a quartic. Its earliest root is
certain: either all its Bernstein coefficients are positive, and it has none, or it is searched for between the extremes
of the polynomial, in order, on pieces where it only rises or falls. */
#include "core.h"

/* Discs pressed together whose speeds agree meet again after they have sunk so much further (mm). */
#define PRESS 1e-8
#define NEWTON_STEPS 80
/* Nearer to their meeting than this (mm), discs have met. */
#define GRAIN 1e-9

/* Time until a disc of `speed` has slid `distance`; never if it stops before. */
double time_along(double distance, double speed, double friction) {
    if (distance <= 0) return 0;
    double rest = speed * speed - 2 * friction * distance;
    if (!(rest >= 0) || speed <= 0) return NEVER;
    /* the form of (v - sqrt(v^2 - 2 a s)) / a without cancellation */
    return 2 * distance / (speed + sqrt_(rest));
}

/* Distance along the unit vector u from p to where it enters the circle about the origin; a point inside has entered if it moves inwards. */
double enter_circle(double px, double py, double ux, double uy, double radius) {
    double along = px * ux + py * uy;
    if (along >= 0) return NEVER;
    double gap = (length(px, py) - radius) * (length(px, py) + radius);
    if (gap <= 0) return 0;
    double disc = along * along - gap;
    return disc < 0 ? NEVER : gap / (-along + sqrt_(disc));
}

/* Distance along the unit vector u from p to where it leaves the circle about the origin for good; never if it does not cross it. */
double leave_circle(double px, double py, double ux, double uy, double radius) {
    double along = px * ux + py * uy;
    double gap = (length(px, py) - radius) * (length(px, py) + radius);
    double disc = along * along - gap;
    if (disc < 0) return gap > 0 ? NEVER : 0;
    double way = along > 0 && gap < 0 ? -gap / (along + sqrt_(disc)) : sqrt_(disc) - along;
    return way > 0 ? way : 0;
}

/* Polynomials: coefficients from the constant up. */
static double value(const double *c, int degree, double t) {
    double v = c[degree];
    for (int k = degree - 1; k >= 0; k--) v = v * t + c[k];
    return v;
}

static void derive(const double *c, int degree, double *d) {
    for (int k = 1; k <= degree; k++) d[k - 1] = k * c[k];
}

/* The root between `left` and `right`, where the signs differ: Newton's steps inside a shrinking bracket. */
static double root(const double *c, int degree, double left, double right) {
    double slope[4];
    derive(c, degree, slope);
    int rising = value(c, degree, right) > 0;
    double t = 0.5 * (left + right);
    for (int k = 0; k < NEWTON_STEPS; k++) {
        double v = value(c, degree, t), s = value(slope, degree - 1, t);
        if ((v > 0) == rising) right = t;
        else left = t;
        double next = s != 0 ? t - v / s : left;
        if (!(next > left && next < right)) next = 0.5 * (left + right);
        if (fabs_(next - t) <= 1e-16 + 4e-16 * t) return next;
        t = next;
    }
    return t;
}

/* Roots of a t^2 + b t + c in (0, horizon), in order. */
static int quadratic(double c, double b, double a, double horizon, double *found) {
    double disc = b * b - 4 * a * c;
    if (!(disc > 0)) return 0;
    double w = b >= 0 ? -0.5 * (b + sqrt_(disc)) : -0.5 * (b - sqrt_(disc));
    double r0 = a != 0 ? w / a : NEVER, r1 = w != 0 ? c / w : NEVER;
    if (r1 < r0) {
        double swap = r0;
        r0 = r1;
        r1 = swap;
    }
    int n = 0;
    if (r0 > 0 && r0 < horizon) found[n++] = r0;
    if (r1 > 0 && r1 < horizon && r1 != r0) found[n++] = r1;
    return n;
}

/* Where the polynomial changes its sign in (0, horizon], in order: `marks` are its extremes there. */
static int crossings(const double *c, int degree, const double *marks, int count, double horizon, double *found) {
    int n = 0;
    double left = 0, low = c[0];
    for (int k = 0; k <= count; k++) {
        double right = k < count ? marks[k] : horizon, high = value(c, degree, right);
        if ((low > 0) != (high > 0)) found[n++] = root(c, degree, left, right);
        left = right;
        low = high;
    }
    return n;
}

/* A polynomial of degree 4 is positive on all of [0, horizon] if its Bernstein coefficients are. */
static int surely_positive(const double *c, double horizon) {
    double h = horizon, c1 = c[1] * h, c2 = c[2] * h * h, c3 = c[3] * h * h * h, c4 = c[4] * h * h * h * h;
    return c[0] > 0 && c[0] + c1 / 4 > 0 && c[0] + c1 / 2 + c2 / 6 > 0 && c[0] + 3 * c1 / 4 + c2 / 2 + c3 / 4 > 0 &&
           c[0] + c1 + c2 + c3 + c4 > 0;
}

/* Earliest time up to `horizon` at which a polynomial that begins positive (or at 0, rising) is no longer so. */
static double first_below(const double *c, int degree, double horizon) {
    double slope[4], bend[3], marks[2], extremes[3], found[4];
    derive(c, degree, slope);
    derive(slope, degree - 1, bend);
    int n;
    if (degree == 4) n = quadratic(bend[0], bend[1], bend[2], horizon, marks);
    else n = bend[1] != 0 && -bend[0] / bend[1] > 0 && -bend[0] / bend[1] < horizon ? (marks[0] = -bend[0] / bend[1], 1) : 0;
    n = crossings(slope, degree - 1, marks, n, horizon, extremes);
    n = crossings(c, degree, extremes, n, horizon, found);
    for (int k = 0; k < n; k++)
        if (value(slope, degree - 1, found[k]) <= 0) return found[k];
    return NEVER;
}

/* Earliest time in [0, horizon] at which two discs come within `reach` of each other; never if they do not.

p, v, a: place, velocity and acceleration of one disc as seen from the other; both keep their acceleration until `horizon`.
Discs that are that close already meet at once if they approach, else when they come as close again as they are. */
double first_contact(double px, double py, double vx, double vy, double ax, double ay, double reach, double horizon) {
    double d = length(px, py);
    double c[5] = {
        (d - reach) * (d + reach),
        2 * (px * vx + py * vy),
        vx * vx + vy * vy + px * ax + py * ay,
        vx * ax + vy * ay,
        0.25 * (ax * ax + ay * ay),
    };
    if (c[0] > 2 * d * GRAIN) return surely_positive(c, horizon) ? NEVER : first_below(c, 4, horizon);
    double slow = 2 * d * 4 * STILL; /* above what a blow takes for no approach, or it would be called for in vain */
    if (c[1] < -slow) return 0;
    if (c[1] <= slow) {
        /* as fast as each other: what their friction does to them decides */
        if (c[2] < 0) {
            double t = sqrt_(2 * d * PRESS / -c[2]);
            return t <= horizon ? t : NEVER;
        }
        double found[2];
        return quadratic(c[2], c[3], c[4], horizon, found) ? found[0] : NEVER;
    }
    return first_below(c + 1, 3, horizon);
}
