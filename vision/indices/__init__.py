"""Reading cards of a deck that nobody has enrolled, by the indices in their corners."""
