"""Problems of bodies with blocks of mass: reduced to their bounded rows, or Newton in the velocities."""
