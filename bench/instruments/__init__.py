"""Instruments on a rig: supplies, relays, meters and loads, spoken to in SCPI and kept within the rig's limits."""
