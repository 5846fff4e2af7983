/* How a disc slides: constant deceleration against its velocity until it rests, its spin slowing down on its own (Coulomb friction). */
#include "core.h"

Body body_at(const Body *from, double dt, double friction, double spin_friction) {
    Body at = *from;
    if (dt <= 0) return at;
    double speed = length(from->vx, from->vy);
    if (speed > 0) {
        double left = speed - friction * dt, kept = left > 0 ? left / speed : 0;
        double way = left > 0 ? dt * 0.5 * (1 + kept) : speed / (2 * friction);
        at.x += from->vx * way;
        at.y += from->vy * way;
        at.vx *= kept;
        at.vy *= kept;
    }
    double spin = max_(fabs_(from->spin) - spin_friction * dt, 0);
    at.spin = from->spin < 0 ? -spin : spin;
    return at;
}
