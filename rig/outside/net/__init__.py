"""The server: frames over TCP and WebSocket, who may do what, and what a client that
misbehaves loses."""
