/* A simulation in C: a mass on one wheel, semi-implicit Euler, no Python in the loop. */
#include "wheelground.h"

#define MASS 250.0  /* kg, carried by the wheel */
#define SPIN 6.0    /* kg m^2 about the axle */

/* Drive `steps` steps of h from rest under a torque; returns 0, or the code of a failed solve. */
int64_t drive(wg_step ground, double *F, int64_t *N, int64_t steps, double h, double torque,
              double height, double v[3] /* out: v_x, v_z, omega */) {
    double *centre = wg_array(F, N, WG_POSITION), *axis = wg_array(F, N, WG_AXIS);
    double *now = wg_array(F, N, WG_TWIST), *then = wg_array(F, N, WG_FREE_TWIST);
    double *G = wg_array(F, N, WG_MOBILITY), *wrench = wg_array(F, N, WG_WRENCH);
    wg_array(F, N, WG_STEP)[0] = h;
    axis[1] = 1.0;
    centre[2] = height;
    G[0] = G[14] = 1.0 / MASS; /* 6 x 6 inverse mass matrix: motion along x, along z */
    G[28] = 1.0 / SPIN; /* rotation about y */
    v[0] = v[1] = v[2] = 0.0;
    for (int64_t k = 0; k < steps; k++) {
        double pull = -50.0 * v[0] * (v[0] < 0 ? -v[0] : v[0]);
        now[0] = v[0], now[2] = v[1], now[4] = v[2];
        then[0] = v[0] + h * pull / MASS;
        then[2] = v[1] - h * 9.81;
        then[4] = v[2] + h * torque / SPIN;
        int64_t code = ground(F, N, WG_ALL);
        if (code != WG_DONE) return code;
        v[0] = then[0] + h * wrench[0] / MASS;
        v[1] = then[2] + h * wrench[2] / MASS;
        v[2] = then[4] + h * wrench[4] / SPIN;
        centre[0] += h * v[0];
        centre[2] += h * v[1];
    }
    return WG_DONE;
}
