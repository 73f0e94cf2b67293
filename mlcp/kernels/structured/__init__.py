"""Problems A = J M^-1 J' + diag(e) of bodies, solved by reduction to the bounded rows or by Newton's
method in the velocities."""
