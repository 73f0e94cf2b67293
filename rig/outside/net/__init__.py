"""Server of a rig's signals: frames over TCP and WebSocket, permissions, removal of faulty clients."""
