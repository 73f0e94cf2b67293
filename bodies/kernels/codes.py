"""Integer codes by which the compiled step knows what a row is."""

# joints (bilateral, one node each)
FIXED, REVOLUTE, PRISMATIC, CYLINDRICAL, SPHERICAL = 0, 1, 2, 3, 4
UNIVERSAL, PLANAR, DISTANCE, POINT_ON_LINE, BUSHING = 5, 6, 7, 8, 9
CONSTANT_VELOCITY = 10

# coordinates
ANGLE, TRANSLATION, LENGTH = 0, 1, 2

# combinations of coordinates: bilateral
GEAR, GEARBOX, DRIVE_POSITION, DRIVE_SPEED, SPRING, ENGINE = 0, 1, 2, 3, 4, 5
# combinations of coordinates: bounded (channels)
BRAKE, CLUTCH, MOTOR_SPEED, LIMIT = 10, 11, 12, 13

# forces
FORCE_ON_COORDINATE, DRAG = 0, 1

# contact shapes and surfaces
SPHERE, BOX, CYLINDER = 0, 1, 2
PLANE, HEIGHT_FIELD, BALL = 0, 1, 2
