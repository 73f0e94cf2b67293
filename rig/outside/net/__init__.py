"""The server: frames over TCP and WebSocket, permissions, and the treatment of a client that
misbehaves loses."""
