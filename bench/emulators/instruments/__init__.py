"""Emulated instruments: they understand SCPI as the real ones do, and are tied to the emulated devices."""
