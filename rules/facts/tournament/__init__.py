"""Facts of a tournament dealt card by card: who is in the hand, what went wrong with its deal, how it is replayed."""
