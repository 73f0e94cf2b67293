"""The outside: what crosses the border of a rig as bytes, one file a protocol, and the geodesy that they
share. Nothing here steps a rig."""
