"""The link to table software: CloudEvents 1.0 in JSON over WebSocket, described in docs/table-software.md."""
