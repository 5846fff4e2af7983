/* What a blow does to all discs that touch each other.

The blow goes through a cluster in rounds: the contacts whose discs approach are resolved together, which sets others in
motion against theirs, and so on until nothing approaches. So a row of touching discs passes a blow on as Newton's cradle
does, and one that comes in the middle is shared evenly. In a round the impulses p >= 0 along the normals make each
approach u a separation of at least e u (Newton's law of restitution; none pulls), which can only lose energy; then each
contact rubs with at most mu p (Coulomb), and never so much that the slip would turn. */
#include "core.h"

/* Discs that meet no faster than this (mm/s) part as fast: slow contacts are elastic, and pressed discs do not touch ever faster. */
#define ELASTIC 0.5
/* A disc that runs along a cushion's corner leaves it at no less than this, as part of its speed, without gaining any: so the curve leads
it round in a few touches, where it would else touch it without end. */
#define GRAZING 0.02
/* Discs that press each other, because friction slows them differently, would touch without end. After so many slow touches in a row
they part at that speed, which they take from their sliding along each other, or else go on together. */
#define PATIENCE 8
/* After so many rounds contacts no longer bounce. */
#define ROUNDS 60
#define MOST_ROUNDS 200
#define SWEEPS 2000
#define SETTLED 1e-13

static double inverse(const Disc *discs, int i) { return i < 0 ? 0 : 1 / discs[i].mass; }

static double approach(const Touch *c, const Body *b) {
    double vx = b[c->i].vx, vy = b[c->i].vy;
    if (c->j >= 0) {
        vx -= b[c->j].vx;
        vy -= b[c->j].vy;
    }
    return vx * c->nx + vy * c->ny;
}

static void push(const Touch *c, Body *b, const Disc *discs, double p) {
    b[c->i].vx -= p * c->nx / discs[c->i].mass;
    b[c->i].vy -= p * c->ny / discs[c->i].mass;
    if (c->j >= 0) {
        b[c->j].vx += p * c->nx / discs[c->j].mass;
        b[c->j].vy += p * c->ny / discs[c->j].mass;
    }
}

/* How fast the rims slide along each other, along the tangent (-ny, nx). */
static double slip(const Touch *c, const Body *b, const Disc *discs) {
    const Body *i = &b[c->i];
    double s = -i->vx * c->ny + i->vy * c->nx + discs[c->i].radius * i->spin;
    if (c->j >= 0) {
        const Body *j = &b[c->j];
        s -= -j->vx * c->ny + j->vy * c->nx;
        s += discs[c->j].radius * j->spin;
    }
    return s;
}

static void rub(const Touch *c, Body *b, const Disc *discs, double p) {
    const Disc *i = &discs[c->i];
    b[c->i].vx += p * c->ny / i->mass;
    b[c->i].vy -= p * c->nx / i->mass;
    b[c->i].spin -= 2 * p / (i->mass * i->radius);
    if (c->j >= 0) {
        const Disc *j = &discs[c->j];
        b[c->j].vx -= p * c->ny / j->mass;
        b[c->j].vy += p * c->nx / j->mass;
        b[c->j].spin -= 2 * p / (j->mass * j->radius);
    }
}

static double separation(const Touch *c, double u) { return max_(c->contact.restitution * u, min_(u, ELASTIC)); }

/* A corner's curve leads a disc that runs along it round. */
static void lead(Touch *c, Body *b, const Disc *discs, double u) {
    Body *i = &b[c->i];
    double speed = length(i->vx, i->vy), inwards = GRAZING * speed, tangent = -i->vx * c->ny + i->vy * c->nx;
    double along = sqrt_(speed * speed - inwards * inwards);
    if (tangent < 0) along = -along;
    i->vx = -inwards * c->nx - along * c->ny;
    i->vy = -inwards * c->ny + along * c->nx;
    c->impulse += (u + inwards) * discs[c->i].mass;
}

/* Two discs that keep touching: the energy and the momentum of their motion against each other stay, but more of it parts them. */
static void ease(Touch *c, Body *b, const Disc *discs, double u) {
    Body *i = &b[c->i], *j = &b[c->j];
    double mi = discs[c->i].mass, mj = discs[c->j].mass, tx = -c->ny, ty = c->nx;
    double across = (i->vx - j->vx) * tx + (i->vy - j->vy) * ty, spare = u * u + across * across - ELASTIC * ELASTIC;
    double apart = spare > 0 ? ELASTIC : 0, along = spare > 0 ? sqrt_(spare) : 0;
    if (across < 0) along = -along;
    double weight = 1 / (1 / mi + 1 / mj), pn = (u + apart) * weight, pt = (across - along) * weight;
    i->vx -= (pn * c->nx + pt * tx) / mi;
    i->vy -= (pn * c->ny + pt * ty) / mi;
    j->vx += (pn * c->nx + pt * tx) / mj;
    j->vy += (pn * c->ny + pt * ty) / mj;
    c->impulse += pn;
}

/* One round over the contacts listed in `active`; `parts` are the speeds at which they shall separate. */
static void resolve(Touch *touches, const int *active, const double *parts, int count, Body *b, const Disc *discs, int round) {
    static double p[MAX_TOUCHES], along[MAX_TOUCHES];
    static int shared[MAX_DISCS];
    double fastest = 0;
    for (int k = 0; k < count; k++) {
        p[k] = 0;
        fastest = max_(fastest, fabs_(approach(&touches[active[k]], b)));
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double changed = 0;
        for (int k = 0; k < count; k++) {
            Touch *c = &touches[active[k]];
            double weight = 1 / (inverse(discs, c->i) + inverse(discs, c->j));
            double more = (approach(c, b) + parts[k]) * weight;
            if (p[k] + more < 0) more = -p[k];
            p[k] += more;
            push(c, b, discs, more);
            changed = max_(changed, fabs_(more) / weight);
        }
        if (count == 1 || changed <= SETTLED * fastest) break;
    }
    for (int k = 0; k < count; k++) {
        shared[touches[active[k]].i] = 0;
        if (touches[active[k]].j >= 0) shared[touches[active[k]].j] = 0;
    }
    for (int k = 0; k < count; k++) {
        Touch *c = &touches[active[k]];
        if (p[k] <= 0) continue;
        shared[c->i]++;
        if (c->j >= 0) shared[c->j]++;
        c->impulse += p[k];
        if (c->round < 0) c->round = round;
    }
    /* A disc that rubs on several at once gives each its share of what would stop the slip: together they cannot gain energy. */
    for (int k = 0; k < count; k++) {
        Touch *c = &touches[active[k]];
        int n = c->j >= 0 && shared[c->j] > shared[c->i] ? shared[c->j] : shared[c->i];
        double stop = p[k] > 0 ? slip(c, b, discs) / (3 * (inverse(discs, c->i) + inverse(discs, c->j)) * n) : 0;
        double most = c->contact.friction * p[k];
        along[k] = max_(-most, min_(most, stop));
    }
    for (int k = 0; k < count; k++) rub(&touches[active[k]], b, discs, along[k]);
}

/* Let a blow run through the contacts of a cluster. A disc that meets a cushion faster than `jump_speed` is marked in `jumped` and left alone;
`hard` is set if any contact was faster than a slow touch. */
void blow(Touch *touches, int count, Body *bodies, const Disc *discs, double jump_speed, int *jumped, int *hard) {
    static int active[MAX_TOUCHES];
    static double parts[MAX_TOUCHES];
    for (int round = 0; round < MOST_ROUNDS; round++) {
        int n = 0, felt = 0;
        for (int k = 0; k < count; k++) {
            Touch *c = &touches[k];
            if (jumped[c->i] || (c->j >= 0 && jumped[c->j])) continue;
            double u = approach(c, bodies);
            if (c->j < 0 && u > jump_speed) {
                jumped[c->i] = 1;
                return blow(touches, count, bodies, discs, jump_speed, jumped, hard);
            }
            felt += u > STILL;
            if (u <= STILL && round < ROUNDS) continue;
            active[n] = k;
            parts[n++] = round < ROUNDS ? separation(c, u) : 0;
        }
        if (!felt) return;
        int fastest = 0, slow = 1, tired = 0;
        for (int k = 0; k < n; k++) {
            const Touch *c = &touches[active[k]];
            slow &= approach(c, bodies) < ELASTIC;
            tired |= discs[c->i].slow > PATIENCE || (c->j >= 0 && discs[c->j].slow > PATIENCE);
            if (approach(c, bodies) > approach(&touches[active[fastest]], bodies)) fastest = k;
        }
        if (!slow) *hard = 1;
        if (slow && tired && round < ROUNDS) active[0] = active[fastest], parts[0] = parts[fastest], n = 1;
        Touch *only = &touches[active[0]];
        double u = approach(only, bodies);
        if (n == 1 && only->curved && u < GRAZING * length(bodies[only->i].vx, bodies[only->i].vy)) {
            lead(only, bodies, discs, u);
            if (only->round < 0) only->round = round;
            continue;
        }
        if (n == 1 && slow && tired && only->j >= 0 && u > STILL) {
            ease(only, bodies, discs, u);
            if (only->round < 0) only->round = round;
            continue;
        }
        resolve(touches, active, parts, n, bodies, discs, round);
    }
}
