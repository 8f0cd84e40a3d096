"""Procedurally different decks: for training and measuring the reader of decks that nobody has enrolled."""
