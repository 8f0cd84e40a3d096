"""The camera: sources, finding and reading cards, dice, devices, and the renderer of the emulated table."""
