"""Emulated devices, instruments and table software, and the emulated table that they share."""
