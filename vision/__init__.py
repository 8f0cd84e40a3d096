"""The camera: sources, finding and reading cards, dice, devices, and the renderer of the emulated table."""

import os

# Before NumPy is loaded: pictures are small, so that a second thread of its arithmetic costs more than it gives, and
# where other processes want that core it waits for it, at ten times the price.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
