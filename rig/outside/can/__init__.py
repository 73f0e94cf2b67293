"""ISO 11783 on CAN: messages by the table ``isobus.dbc``, fast packets, address claim, the gateway
between a guidance controller and a rig, and a bus for several processes on the loopback."""
