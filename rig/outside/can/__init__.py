"""ISO 11783 on CAN: messages of the table ``isobus.dbc``, fast packets, address claim.

The package also has a gateway between a guidance controller and a rig, and a bus for several processes.
"""
