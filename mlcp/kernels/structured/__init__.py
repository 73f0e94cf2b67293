"""Problems A = J M^-1 J' + diag(e) of bodies: reduced to bounded rows, or Newton in the velocities."""
