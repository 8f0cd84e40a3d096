"""The command line of cardcert: wires the stages together, no logic of its own."""
