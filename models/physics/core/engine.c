/* From event to event: the simulation of a stroke.

What each disc meets next alone (a cushion, a pocket's lip, rest) and each pair's next meeting are predicted exactly; when
something changes a disc's motion, what concerns it is predicted anew. */
#include "core.h"

Board board;
Disc disc[MAX_DISCS];
int discs;
Event event[MAX_EVENTS];
int events;
Row row[MAX_ROWS];
int rows;
double duration;

static double meeting[MAX_DISCS][MAX_DISCS];
static double soonest[MAX_DISCS];
static int partner[MAX_DISCS];

/* Discs that overlap by more than this (mm) when the stroke begins are moved apart first. */
#define MEASURED 1e-7
#define PARTING_SWEEPS 4000

static double pocket_x(int k) { return k == 0 || k == 3 ? board.pocket_inset : board.side - board.pocket_inset; }
static double pocket_y(int k) { return k < 2 ? board.pocket_inset : board.side - board.pocket_inset; }

static Body now(int i, double t) {
    const Disc *d = &disc[i];
    return body_at(&d->body, t - d->since, d->friction, d->spin_friction);
}

static int full(void) { return events >= MAX_EVENTS || rows >= MAX_ROWS - MAX_DISCS; }

static void tell(double t, int kind, int i, int j, double impulse, int which) {
    if (events < MAX_EVENTS) event[events++] = (Event){t, impulse * 1e-3, kind, i, j, which};
}

static void record(int i) {
    row[rows] = (Row){disc[i].since, disc[i].body, i, -1};
    if (disc[i].row >= 0) row[disc[i].row].then = rows;
    disc[i].row = rows++;
}

/* The corner of the frame whose curve a disc of `radius` at (x, y) would touch: its middle; 0 where the cushions are straight. */
static int corner(double radius, double x, double y, double *cx, double *cy) {
    double rho = board.corner_radius;
    if (radius >= rho) return 0;
    *cx = x < rho ? rho : x > board.side - rho ? board.side - rho : -1;
    *cy = y < rho ? rho : y > board.side - rho ? board.side - rho : -1;
    return *cx >= 0 && *cy >= 0;
}

static void keep(Disc *d, double t, int kind, int which) {
    if (t < d->next) {
        d->next = t;
        d->next_kind = kind;
        d->next_which = which;
    }
}

static void predict_cushion(Disc *d, double t, const Body *b, double speed) {
    double ux = b->vx / speed, uy = b->vy / speed, far = board.side - d->radius, best = NEVER;
    if (b->vx < -4 * STILL) best = min_(best, (b->x - d->radius) / -ux);
    if (b->vx > 4 * STILL) best = min_(best, (far - b->x) / ux);
    if (b->vy < -4 * STILL) best = min_(best, (b->y - d->radius) / -uy);
    if (b->vy > 4 * STILL) best = min_(best, (far - b->y) / uy);
    double cx, cy;
    if (best < NEVER && corner(d->radius, b->x + ux * best, b->y + uy * best, &cx, &cy))
        best = leave_circle(b->x - cx, b->y - cy, ux, uy, board.corner_radius - d->radius + SINK);
    keep(d, t + time_along(best, speed, d->friction), CUSHION, 0);
}

static void predict_lip(Disc *d, double t, const Body *b, double speed) {
    double ux = b->vx / speed, uy = b->vy / speed;
    if (d->over >= 0) {
        double way = leave_circle(b->x - pocket_x(d->over), b->y - pocket_y(d->over), ux, uy, board.pocket_radius);
        keep(d, t + time_along(way, speed, d->friction), OUT, d->over);
        return;
    }
    if (d->radius >= board.pocket_radius) return; /* it cannot fall */
    for (int k = 0; k < 4; k++) {
        double way = enter_circle(b->x - pocket_x(k), b->y - pocket_y(k), ux, uy, board.pocket_radius);
        if (way < NEVER) keep(d, t + time_along(way, speed, d->friction), LIP, k);
    }
}

static void predict_alone(int i, double t) {
    Disc *d = &disc[i];
    d->next = NEVER;
    Body b = now(i, t);
    double speed = length(b.vx, b.vy);
    if (!d->here || speed <= 0) return;
    keep(d, t + speed / d->friction, REST, 0);
    predict_cushion(d, t, &b, speed);
    predict_lip(d, t, &b, speed);
}

static double meet(int i, int j, double t) {
    const Disc *a = &disc[i], *b = &disc[j];
    if (!a->here || !b->here) return NEVER;
    Body p = now(i, t), q = now(j, t);
    double vp = length(p.vx, p.vy), vq = length(q.vx, q.vy);
    if (vp <= 0 && vq <= 0) return NEVER;
    double px = p.x - q.x, py = p.y - q.y, reach = a->radius + b->radius - SINK;
    double most = reach + vp * vp / (2 * a->friction) + vq * vq / (2 * b->friction);
    if (px * px + py * py > most * most) return NEVER;
    double d = length(px, py);
    if (vq <= 0 && d > reach + CLOSE) return t + time_along(enter_circle(px, py, p.vx / vp, p.vy / vp, reach), vp, a->friction);
    if (vp <= 0 && d > reach + CLOSE) return t + time_along(enter_circle(-px, -py, q.vx / vq, q.vy / vq, reach), vq, b->friction);
    double ap = vp > 0 ? a->friction / vp : 0, aq = vq > 0 ? b->friction / vq : 0;
    double horizon = min_(vp > 0 ? vp / a->friction : NEVER, vq > 0 ? vq / b->friction : NEVER);
    return t + first_contact(px, py, p.vx - q.vx, p.vy - q.vy, -p.vx * ap + q.vx * aq, -p.vy * ap + q.vy * aq, reach, horizon);
}

static void rescan(int i) {
    soonest[i] = NEVER;
    partner[i] = -1;
    for (int j = 0; j < discs; j++)
        if (j != i && meeting[i][j] < soonest[i]) {
            soonest[i] = meeting[i][j];
            partner[i] = j;
        }
}

static void predict(int i, double t) {
    predict_alone(i, t);
    for (int j = 0; j < discs; j++) {
        if (j == i) continue;
        meeting[i][j] = meeting[j][i] = meet(i, j, t);
        if (partner[j] == i) rescan(j);
        else if (meeting[j][i] < soonest[j]) {
            soonest[j] = meeting[j][i];
            partner[j] = i;
        }
    }
    rescan(i);
}

static void changed(int i, double t, const Body *body) {
    disc[i].body = *body;
    disc[i].since = t;
    record(i);
    predict(i, t);
}

static void leave(int i, double t, int kind, int which) {
    Body last = now(i, t);
    disc[i].here = 0;
    disc[i].over = -1;
    tell(t, kind, i, -1, 0, which);
    last.vx = last.vy = last.spin = 0;
    changed(i, t, &last);
}

static void over_pocket(int i, int pocket, double t) {
    disc[i].over = pocket;
    disc[i].falls = t + board.fall_time;
}

/* Gather what touches disc i, and what touches that, and so on. */
static int gather(int seed, const Body *bodies, Touch *touches) {
    static int queue[MAX_DISCS], seen[MAX_DISCS];
    int head = 0, tail = 0, count = 0;
    for (int k = 0; k < discs; k++) seen[k] = 0;
    queue[tail++] = seed;
    seen[seed] = 1;
    while (head < tail) {
        int i = queue[head++];
        const Disc *d = &disc[i];
        const Body *b = &bodies[i];
        double cx, cy, far = board.side - d->radius;
        Contact cushion = board.contact[d->striker ? STRIKER_CUSHION : PIECE_CUSHION];
        if (corner(d->radius, b->x, b->y, &cx, &cy)) {
            double dx = b->x - cx, dy = b->y - cy, way = length(dx, dy);
            if (way > 0 && way >= board.corner_radius - d->radius - CLOSE) touches[count++] = (Touch){i, -1, 1, dx / way, dy / way, cushion, 0, -1};
        } else {
            if (b->x - d->radius <= CLOSE) touches[count++] = (Touch){i, -1, 0, -1, 0, cushion, 0, -1};
            if (far - b->x <= CLOSE) touches[count++] = (Touch){i, -1, 0, 1, 0, cushion, 0, -1};
            if (b->y - d->radius <= CLOSE) touches[count++] = (Touch){i, -1, 0, 0, -1, cushion, 0, -1};
            if (far - b->y <= CLOSE) touches[count++] = (Touch){i, -1, 0, 0, 1, cushion, 0, -1};
        }
        for (int j = 0; j < discs && count < MAX_TOUCHES - 4; j++) {
            if (j == i || !disc[j].here) continue;
            double dx = bodies[j].x - b->x, dy = bodies[j].y - b->y, reach = d->radius + disc[j].radius + CLOSE;
            if (dx * dx + dy * dy > reach * reach) continue;
            if (!seen[j]) {
                seen[j] = 1;
                queue[tail++] = j;
            } else if (j < i || seen[j] == 2) continue; /* told from the other side */
            double way = length(dx, dy);
            Contact contact = board.contact[d->striker || disc[j].striker ? STRIKER_PIECE : PIECE_PIECE];
            touches[count++] = (Touch){i, j, 0, way > 0 ? dx / way : 1, way > 0 ? dy / way : 0, contact, 0, -1};
        }
        seen[i] = 2;
    }
    return count;
}

static void touch(int seed, double t) {
    static Body bodies[MAX_DISCS];
    static Touch touches[MAX_TOUCHES];
    static int jumped[MAX_DISCS], moved[MAX_DISCS];
    for (int k = 0; k < discs; k++) {
        bodies[k] = now(k, t);
        jumped[k] = moved[k] = 0;
    }
    int count = gather(seed, bodies, touches);
    int hard = 0, last = -1;
    blow(touches, count, bodies, disc, board.jump_speed, jumped, &hard);
    for (int k = 0; k < count; k++) last = touches[k].round > last ? touches[k].round : last;
    for (int round = 0; round <= last; round++)
        for (int k = 0; k < count; k++) {
            const Touch *c = &touches[k];
            if (c->round != round) continue;
            tell(t, c->j < 0 ? CUSHION : DISC, c->i, c->j, c->impulse, 0);
            moved[c->i] = 1;
            if (c->j >= 0) moved[c->j] = 1;
        }
    moved[seed] = 1;
    for (int k = 0; k < discs; k++) {
        if (jumped[k]) leave(k, t, OFF, 0);
        else if (moved[k]) {
            disc[k].slow = hard ? 0 : disc[k].slow + 1;
            changed(k, t, &bodies[k]);
        }
    }
}

/* Measured places may overlap a little, or lie a little beyond a cushion: move such discs apart, each its share. */
static void part(void) {
    for (int sweep = 0; sweep < PARTING_SWEEPS; sweep++) {
        int again = 0;
        for (int i = 0; i < discs; i++) {
            Disc *d = &disc[i];
            Body *b = &d->body;
            if (!d->here) continue;
            for (int j = i + 1; j < discs; j++) {
                if (!disc[j].here) continue;
                Body *o = &disc[j].body;
                double dx = o->x - b->x, dy = o->y - b->y, reach = d->radius + disc[j].radius;
                if (dx * dx + dy * dy >= (reach - MEASURED) * (reach - MEASURED)) continue;
                double way = length(dx, dy), half = 0.5 * (reach - way);
                double nx = way > 0 ? dx / way : 1, ny = way > 0 ? dy / way : 0;
                b->x -= half * nx;
                b->y -= half * ny;
                o->x += half * nx;
                o->y += half * ny;
                again = 1;
            }
            double cx, cy, far = board.side - d->radius;
            if (corner(d->radius, b->x, b->y, &cx, &cy)) {
                double dx = b->x - cx, dy = b->y - cy, way = length(dx, dy), room = board.corner_radius - d->radius;
                if (way > room + MEASURED) {
                    b->x = cx + dx / way * room;
                    b->y = cy + dy / way * room;
                    again = 1;
                }
            }
            double x = max_(d->radius, min_(far, b->x)), y = max_(d->radius, min_(far, b->y));
            again |= fabs_(x - b->x) > MEASURED || fabs_(y - b->y) > MEASURED;
            b->x = x;
            b->y = y;
        }
        if (!again) return;
    }
}

static void start(void) {
    events = rows = 0;
    duration = 0;
    part();
    for (int i = 0; i < discs; i++) {
        Disc *d = &disc[i];
        d->since = 0;
        d->row = -1;
        d->slow = 0;
        d->over = -1;
        d->falls = NEVER;
        record(i);
        for (int k = 0; k < 4 && d->here; k++)
            if (d->radius < board.pocket_radius && length(d->body.x - pocket_x(k), d->body.y - pocket_y(k)) < board.pocket_radius)
                over_pocket(i, k, 0);
        predict_alone(i, 0);
        for (int j = 0; j < i; j++) meeting[i][j] = meeting[j][i] = meet(i, j, 0);
    }
    for (int i = 0; i < discs; i++) rescan(i);
}

/* Run until all discs rest or `t_max`; 0, or 1 if the events did not come to an end. */
int run(void) {
    start();
    while (!full()) {
        double t = NEVER;
        int who = -1, kind = 0;
        for (int i = 0; i < discs; i++) {
            const Disc *d = &disc[i];
            double falls = d->over >= 0 ? d->falls : NEVER;
            double first = min_(falls, min_(d->next, soonest[i]));
            if (!(first < NEVER) || first > t) continue;
            int what = first == falls ? FALL : first == d->next && (d->next_kind < DISC || d->next < soonest[i]) ? d->next_kind : DISC;
            if (first < t || what < kind) {
                t = first;
                who = i;
                kind = what;
            }
        }
        if (who < 0) return 0;
        if (t > board.t_max) {
            duration = board.t_max;
            return 0;
        }
        Disc *d = &disc[who];
        if (kind == LIP) {
            over_pocket(who, d->next_which, t);
            predict_alone(who, t);
            continue;
        }
        if (kind == OUT) {
            d->over = -1;
            predict_alone(who, t);
            continue;
        }
        duration = t;
        if (kind == FALL) leave(who, t, FALL, d->over);
        else if (kind == REST) {
            Body at = now(who, t);
            at.vx = at.vy = 0;
            tell(t, REST, who, -1, 0, 0);
            changed(who, t, &at);
        } else touch(who, t);
    }
    return 1;
}
