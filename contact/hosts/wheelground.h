/* The ground solve for C and C++: one function on two blocks of memory that Python laid out once.
 * Written by python -m contact.hosts.header.
 *
 *     wg_step step = ...;            address from contact.hosts.kernels.entry.address()
 *     double *F; int64_t *N;         WheelsOnGround.floats and .ints
 *     wg_array(F, N, WG_POSITION)[0] = x;  ...
 *     if (step(F, N, WG_ALL) != WG_DONE) ...   no state has changed then
 *     wg_array(F, N, WG_WRENCH)[0]   force on wheel 0 along x [N]
 *
 * No Python frame, no allocation, no lock. One pair of blocks a thread. SI units, world axes, z up;
 * W wheels, C = 4 W channels, matrices row by row. */
#ifndef WHEELGROUND_H
#define WHEELGROUND_H
#include <stdint.h>

typedef int64_t (*wg_step)(double *F, int64_t *N, int64_t stages);

/* Numbers in N. */
enum {
    WG_TABLE = 16,        /* start of the table of offsets */
    WG_WHEELS = 1,
    WG_CULPRIT = 9,       /* after an error: number of the wheel */
    WG_ONLY_PYTHON = 10   /* 1: soil map, ruts or a solver without a kernel; C cannot solve it */
};

/* Stages of a call, to be added up. */
enum {
    WG_DETECT = 1,
    WG_PROJECT = 2,
    WG_CHECK = 4,
    WG_SOLVE = 8,
    WG_REPORT = 16,
    WG_ALL = 31
};

/* Arrays that the host writes before a call. */
enum {
    WG_STEP = 0,          /* (1,) step length h [s] */
    WG_POSITION = 1,      /* (W, 3) wheel centres, world [m] */
    WG_AXIS = 2,          /* (W, 3) spin axes, unit, pointing left, world */
    WG_TWIST = 3,         /* (W, 6) velocity of the centre, angular velocity, world, start of the
                             step [m/s, rad/s] */
    WG_FREE_TWIST = 4,    /* (W, 6) twist at the end of the step without ground forces [m/s,
                             rad/s] */
    WG_MOBILITY = 5       /* (6 W, 6 W) change of the twists per impulse [1/kg, 1/(kg m), 1/(kg
                             m^2)] */
};

/* Arrays that the host reads after a call. */
enum {
    WG_WRENCH = 6,        /* (W, 6) force and torque about the wheel centre on the wheel, world
                             [N, N m] */
    WG_POINT = 7,         /* (W, 3) contact point, world [m] */
    WG_FRAME = 8,         /* (W, 9) normal, forward, left, world */
    WG_STATE = 9,         /* (W, STATES) readings of each wheel, columns below */
    WG_VERDICT = 11       /* (4,) natural residual, passes, missed (0 or 1), error of the law */
};

/* Results of WG_DETECT and WG_PROJECT; a host that writes B, u, u_free leaves out WG_PROJECT. */
enum {
    WG_MAP = 13,          /* (C, 6) channel velocities from each wheel's twist [-, m] */
    WG_GAP = 72,          /* gap of each undeformed tyre above ground, negative when compressed
                             [m] */
    WG_B = 14,            /* (C, C) Delassus matrix of the channels [1/kg] */
    WG_U = 15,            /* (C,) channel velocities at the start of the step [m/s] */
    WG_U_FREE = 16        /* (C,) channel velocities at the end of the step without ground forces
                             [m/s] */
};

/* Columns of WG_STATE. */
enum {
    WG_SLIP = 0,          /* slip ratio [-] */
    WG_LOAD = 1,          /* normal force [N] */
    WG_SINKAGE = 2,       /* sinkage of the soil [m] */
    WG_COMPRESSION = 3,   /* compression of soil and tyre [m] */
    WG_SLIDING = 4,       /* velocity of the contact point along the heading [m/s] */
    WG_SPEED = 5,         /* velocity of the centre along the heading [m/s] */
    WG_LATERAL = 6,       /* velocity of the contact point, to the left [m/s] */
    WG_STATES = 7         /* number of columns */
};

/* Codes that a call returns; N[WG_CULPRIT] is the wheel. */
enum {
    WG_DONE = 0,
    WG_BAD_BLOCK = 1,     /* N[0] is not MAGIC */
    WG_BAD_STEP = 2,
    WG_NOT_FINITE = 3,    /* a number from the host */
    WG_TOO_DEEP = 4,      /* a wheel's centre more than its radius below the ground */
    WG_NOT_DEFINITE = 5,  /* not the mobility of a positive definite mass matrix */
    WG_BAD_AXIS = 6,      /* not a unit vector, or along the ground's normal */
    WG_NOT_FROM_C = 7     /* varying ground or a solver without a kernel: call WheelsOnGround
                             from Python */
};

static inline double *wg_array(double *F, const int64_t *N, int k) {
    return F + N[WG_TABLE + 2 * k];
}

#endif
