"""Protocols: bytes that cross the border of a rig, one file a protocol, and the geodesy that they
share. Nothing here steps a rig."""
