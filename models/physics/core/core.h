/* The physics core: what its parts share. Lengths in mm, times in s, masses in kg, angles in rad. */
#ifndef CARROMEYE_CORE_H
#define CARROMEYE_CORE_H

#define MAX_DISCS 64
#define MAX_EVENTS 20000
#define MAX_ROWS 65536
#define MAX_TOUCHES (8 * MAX_DISCS)

#define NEVER __builtin_inf()

/* Two discs are taken to meet once they overlap by so much (mm): discs at rest side by side do not. */
#define SINK 2e-7
/* Discs that are no further apart (mm) touch when a blow goes through them. */
#define CLOSE 5e-7
/* Slower than this (mm/s), nothing approaches: the rounding of speeds. */
#define STILL 1e-8

enum contact_kind { PIECE_PIECE, STRIKER_PIECE, PIECE_CUSHION, STRIKER_CUSHION, CONTACT_KINDS };

/* What is waited for; of things that happen at the same time the first in this order comes first. */
enum event_kind { FALL, LIP, OUT, REST, DISC, CUSHION, OFF };

typedef struct {
    double restitution, friction;
} Contact;

typedef struct {
    double side, pocket_radius, pocket_inset, corner_radius;
    Contact contact[CONTACT_KINDS];
    double fall_time, jump_speed, t_max;
} Board;

typedef struct {
    double x, y, vx, vy, spin;
} Body;

typedef struct {
    Body body;    /* at `since` */
    double since;
    double radius, mass, friction, spin_friction;
    double next;  /* when it meets something other than a disc, and what */
    int next_kind, next_which;
    double falls; /* when it falls into pocket `over`, unless it gets away; `over` is -1 beside the pockets */
    int over;
    int striker, here;
    int row;      /* its latest */
    int slow;     /* slow touches in a row */
} Disc;

/* One row a change of motion; `then` is the same disc's next row, or -1. */
typedef struct {
    double t;
    Body body;
    int disc, then;
} Row;

typedef struct {
    double t, impulse;
    int kind, i, j, which;
} Event;

static inline double sqrt_(double v) { return __builtin_sqrt(v); }
static inline double fabs_(double v) { return __builtin_fabs(v); }
static inline double min_(double a, double b) { return a < b ? a : b; }
static inline double max_(double a, double b) { return a > b ? a : b; }
static inline double length(double x, double y) { return sqrt_(x * x + y * y); }

/* roots.c */
double time_along(double distance, double speed, double friction);
double enter_circle(double px, double py, double ux, double uy, double radius);
double leave_circle(double px, double py, double ux, double uy, double radius);
double first_contact(double px, double py, double vx, double vy, double ax, double ay, double reach, double horizon);

/* motion.c */
Body body_at(const Body *from, double dt, double friction, double spin_friction);

/* touch.c: blows */
typedef struct {
    int i, j;          /* j: the other disc, or -1 for a cushion */
    int curved;        /* a cushion's corner */
    double nx, ny;     /* from i to j, or into the cushion */
    Contact contact;
    double impulse;    /* all that went through it (kg mm/s) */
    int round;         /* in which it was first felt; -1: not at all */
} Touch;
void blow(Touch *touches, int count, Body *bodies, const Disc *discs, double jump_speed, int *jumped, int *hard);

#endif
