"""The serial protocol of the ANGEL EYE II-EX dealing shoe, as far as it is public (docs/protocol-angel-eye.md)."""
