"""Forces of an axle's two wheels at the slip of its shaft.

law: compiled ground law; p: parameters of the law; slip [-], load of a wheel [N].
"""

import math

from contact.kernels.laws.law import ground_law
from contact.kernels.wheel.wheel_law import set_offset
from mlcp.jit import kernel

HALVINGS = 40
FALSE_POSITIONS = 12


@kernel
def wheel(law, p, slip, load):
    """Forces of a wheel over its load at a slip: ``(traction, resistance, rolling moment / radius)``."""
    mu, slope, coulomb, gamma, rho, _, offset = ground_law(law, p, slip, load)
    mu, slope, coulomb, gamma, rho, _ = set_offset(slip, mu, slope, coulomb, gamma, rho, offset)
    if slip > 0.0:
        mu += coulomb
    elif slip < 0.0:
        mu -= coulomb
    return mu, gamma, rho


@kernel
def towed(law, p, load):
    """Forces of a wheel without torque over its load: ``(traction, resistance)``.

    The slip is the one at which the traction balances the rolling moment.
    """
    mu, slope, coulomb, gamma, rho, _, offset = ground_law(law, p, 0.0, load)
    mu, slope, coulomb, gamma, rho, _ = set_offset(0.0, mu, slope, coulomb, gamma, rho, offset)
    if rho <= coulomb:
        return -rho, gamma
    low, high = -1.0, 0.0
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        mu, gamma, rho = wheel(law, p, middle, load)
        if mu + rho > 0.0:
            high = middle
        else:
            low = middle
    return -rho, gamma


@kernel
def pair(law, p, slip, light, heavy, share):
    """Forces of a driven axle [N]: ``(traction, resistance, torque over radius, largest slip)``.

    light, heavy: loads of the wheels [N], both at the same slip; share: fraction of the traction
    available lengthwise by the friction ellipse.
    """
    mu_l, gamma_l, rho_l = wheel(law, p, slip, light)
    mu_h, gamma_h, rho_h = wheel(law, p, slip, heavy)
    return (
        share * (mu_l * light + mu_h * heavy),
        gamma_l * light + gamma_h * heavy,
        share * (mu_l * light + mu_h * heavy) + rho_l * light + rho_h * heavy,
        abs(slip),
    )


@kernel
def lighter(slip, heavy):
    """Slip of the more lightly loaded wheel of an open differential; slip: of the shaft, heavy: of the
    other wheel."""
    return 1.0 - 1.0 / (2.0 / (1.0 - slip) - 1.0 / (1.0 - heavy))


@kernel
def more_torque(law, p, s_heavy, slip, light, heavy, share):
    """Torque over radius of the more heavily loaded wheel less that of the other one [N]."""
    mu_l, _, rho_l = wheel(law, p, lighter(slip, s_heavy), light)
    mu_h, _, rho_h = wheel(law, p, max(s_heavy, 1e-12), heavy)
    return (share * mu_h + rho_h) * heavy - (share * mu_l + rho_l) * light


@kernel
def open_pair(law, p, slip, light, heavy, share):
    """Forces of ``pair`` with an open differential: the wheels have equal torques, at slips with

        1/(1 - s_light) + 1/(1 - s_heavy) = 2/(1 - s),   s: slip of the shaft, from 0 to below 1,

    so that the mean speed of both wheels is that of the shaft.
    """
    # the difference of the torques rises with the heavier wheel's slip: false position
    low, high = 0.0, slip
    below, above = more_torque(law, p, low, slip, light, heavy, share), math.inf
    s_heavy = 0.0
    if below < 0.0:
        above = more_torque(law, p, high, slip, light, heavy, share)
        for _ in range(FALSE_POSITIONS):
            s_heavy = high - above * (high - low) / (above - below) if above > below else high
            found = more_torque(law, p, s_heavy, slip, light, heavy, share)
            if abs(found) < 1e-7 * heavy:
                break
            if found < 0.0:
                low, below, above = s_heavy, found, 0.5 * above
            else:
                high, above, below = s_heavy, found, 0.5 * below
    s_light = lighter(slip, s_heavy)
    mu_l, gamma_l, rho_l = wheel(law, p, s_light, light)
    mu_h, gamma_h, rho_h = wheel(law, p, s_heavy, heavy)
    torque = (share * mu_l + rho_l) * light
    # a heavier wheel at slip 0 has a set-valued thrust, here that of the common torque
    thrust_h = min(share * mu_h * heavy, torque - rho_h * heavy)
    return (
        share * mu_l * light + thrust_h,
        gamma_l * light + gamma_h * heavy,
        2.0 * torque,
        max(s_light, s_heavy),
    )


@kernel
def ellipse(lateral):
    """Available fraction of the thrust at a fraction ``lateral`` of the largest side force (ellipse)."""
    return math.sqrt(max(0.0, 1.0 - lateral * lateral))
