"""Facts about Pai Gow Poker: one tracker for each thing that can go wrong, in games that are dealt in stacks."""
