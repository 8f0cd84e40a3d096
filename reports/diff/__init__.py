"""Compares two runs: what changed from one firmware to the next, for a maker's release gate."""
