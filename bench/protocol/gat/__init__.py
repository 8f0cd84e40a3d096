"""The serial identity check of the GSA's GAT protocol, as far as it is public (docs/protocol-gat.md)."""
