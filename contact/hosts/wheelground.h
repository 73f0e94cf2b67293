/* The ground solve for C and C++: one function on two blocks of memory that Python laid out once.
 *
 *     wg_step step = ...;            address from contact.hosts.kernels.entry.address()
 *     double *F; int64_t *N;         WheelsOnGround.floats and .ints
 *     wg_array(F, N, WG_POSITION)[0] = x;  ...
 *     if (step(F, N, WG_ALL) != WG_DONE) ...   nothing has changed then
 *     wg_array(F, N, WG_WRENCH)[0]   force on wheel 0 along x [N]
 *
 * No Python frame, no allocation, no lock. One pair of blocks a thread. SI units, world axes, z up;
 * W wheels, matrices row by row. The same numbers as contact/hosts/kernels/layout.py. */
#ifndef WHEELGROUND_H
#define WHEELGROUND_H
#include <stdint.h>

typedef int64_t (*wg_step)(double *F, int64_t *N, int64_t stages);

enum { WG_TABLE = 16, WG_WHEELS = 1, WG_CULPRIT = 9, WG_ONLY_PYTHON = 10 };

/* Stages of a call, to be added up. */
enum { WG_DETECT = 1, WG_PROJECT = 2, WG_CHECK = 4, WG_SOLVE = 8, WG_REPORT = 16, WG_ALL = 31 };

/* Arrays. The host writes the first six, and reads the next five. */
enum {
    WG_STEP = 0,       /* 1: h [s] */
    WG_POSITION = 1,   /* W x 3: wheel centres [m] */
    WG_AXIS = 2,       /* W x 3: spin axes, unit, pointing left */
    WG_TWIST = 3,      /* W x 6: velocity of the centre [m/s], angular velocity [rad/s] */
    WG_FREE_TWIST = 4, /* W x 6: the same at the end of the step without ground forces */
    WG_MOBILITY = 5,   /* 6W x 6W: change of the twists per impulse, J M^-1 J' */
    WG_WRENCH = 6,     /* W x 6: force [N], torque about the centre [N m] on each wheel */
    WG_POINT = 7,      /* W x 3: contact points [m] */
    WG_FRAME = 8,      /* W x 9: normal, forward, left */
    WG_STATE = 9,      /* W x 7: slip, load [N], sinkage [m], compression [m], sliding, speed,
                          lateral [m/s] */
    WG_VERDICT = 10,   /* 4: natural residual, passes, missed (0 or 1), agreement with the law */
    WG_MAP = 11,       /* 4W x 6: channel velocities from each wheel's twist, after WG_DETECT */
    WG_GAP = 12,       /* W: [m] */
    WG_B = 13,         /* 4W x 4W; hosts that make B, u, u_free themselves leave out WG_PROJECT */
    WG_U = 14,         /* 4W */
    WG_U_FREE = 15     /* 4W */
};

/* What a call returns; N[WG_CULPRIT] is the wheel. */
enum {
    WG_DONE = 0,
    WG_BAD_BLOCK = 1,
    WG_BAD_STEP = 2,
    WG_NOT_FINITE = 3,
    WG_TOO_DEEP = 4,
    WG_NOT_DEFINITE = 5,
    WG_BAD_AXIS = 6,
    WG_NOT_FROM_C = 7 /* soil maps, ruts and solvers without a kernel are solved from Python only */
};

static inline double *wg_array(double *F, const int64_t *N, int k) {
    return F + N[WG_TABLE + 2 * k];
}

#endif
