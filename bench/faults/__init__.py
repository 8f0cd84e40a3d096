"""Faults: the catalogue, the entries of a plan that ask for them, and the proof that they happened."""
