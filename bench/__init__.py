"""Bench: the rig. Clock, links, drivers, table-software link, hands, camera eye, faults and emulators. Never judges."""
