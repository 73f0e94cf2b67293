"""Connections of a rig with other programs: server, CAN, NMEA, AgOpenGPS, journal, live scene.

No module of this package advances a rig.
"""
