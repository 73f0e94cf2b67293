"""Connections of a rig with other programs: server, CAN, NMEA, AgOpenGPS, journal, live scene.

Nothing here steps a rig.
"""
