/* What the outside calls. Numbers come and go in one block of doubles: `block` says where it lies. */
#include "core.h"

#define BLOCK (1 << 20)
#define HEAD 15
#define PER_DISC 11

extern Board board;
extern Disc disc[];
extern int discs, events, rows;
extern Event event[];
extern Row row[];
extern double duration;
int run(void);

static double block_[BLOCK];

__attribute__((export_name("block"))) double *block(void) { return block_; }
__attribute__((export_name("block_size"))) int block_size(void) { return BLOCK; }

/* Read a stroke: `HEAD` numbers of the board, then `PER_DISC` a disc. */
static void read(const double *in, int n) {
    board.side = in[0];
    board.pocket_radius = in[1];
    board.pocket_inset = in[2];
    board.corner_radius = in[3];
    for (int k = 0; k < CONTACT_KINDS; k++) board.contact[k] = (Contact){in[4 + 2 * k], in[5 + 2 * k]};
    board.fall_time = in[12];
    board.jump_speed = in[13];
    board.t_max = in[14];
    discs = n;
    for (int i = 0; i < n; i++) {
        const double *v = in + HEAD + PER_DISC * i;
        Disc *d = &disc[i];
        d->body = (Body){v[0], v[1], v[2], v[3], v[4]};
        d->radius = v[5];
        d->mass = v[6];
        d->friction = v[7];
        d->spin_friction = v[8];
        d->striker = v[9] != 0;
        d->here = v[10] != 0;
    }
}

/* Simulate the stroke in the block and leave there: how many events and rows, how long it took, then the events (t, kind, i, j,
impulse, which), then the rows (disc, t, x, y, vx, vy, spin). 0, or 1 if the events did not come to an end, or 2 if they do not fit. */
__attribute__((export_name("simulate"))) int simulate(int n) {
    read(block_, n);
    int failed = run();
    double *out = block_;
    if (3 + 6 * events + 7 * rows > BLOCK) return 2;
    *out++ = events;
    *out++ = rows;
    *out++ = duration;
    for (int k = 0; k < events; k++) {
        const Event *e = &event[k];
        double v[6] = {e->t, e->kind, e->i, e->j, e->impulse, e->which};
        for (int c = 0; c < 6; c++) *out++ = v[c];
    }
    for (int k = 0; k < rows; k++) {
        const Row *r = &row[k];
        double v[7] = {r->disc, r->t, r->body.x, r->body.y, r->body.vx, r->body.vy, r->body.spin};
        for (int c = 0; c < 7; c++) *out++ = v[c];
    }
    return failed;
}

/* Simulate `strokes` strokes of n discs that lie in the block one after the other, and write the places of all discs at `times` moments
(which follow the strokes, in order; a set for each stroke if `own`) behind them: x and y a disc, NaN once it has left. */
__attribute__((export_name("sample"))) int sample(int strokes, int n, int times, int own) {
    int size = HEAD + PER_DISC * n;
    const double *when = block_ + strokes * size;
    double *out = block_ + strokes * size + times * (own ? strokes : 1);
    int failed = 0;
    for (int s = 0; s < strokes; s++, when += own ? times : 0) {
        read(block_ + s * size, n);
        failed |= run();
        for (int i = 0; i < n; i++) {
            int at = i; /* the first rows are those of the start, disc by disc */
            double gone = NEVER;
            if (!disc[i].here) gone = block_[s * size + HEAD + PER_DISC * i + 10] != 0 ? disc[i].since : -NEVER;
            for (int k = 0; k < times; k++) {
                double t = when[k];
                while (row[at].then >= 0 && row[row[at].then].t <= t) at = row[at].then;
                Body b = body_at(&row[at].body, t - row[at].t, disc[i].friction, disc[i].spin_friction);
                double *place = out + ((s * times + k) * n + i) * 2;
                place[0] = t >= gone ? __builtin_nan("") : b.x;
                place[1] = t >= gone ? __builtin_nan("") : b.y;
            }
        }
    }
    return failed;
}
