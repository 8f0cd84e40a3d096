"""Facts of a game dealt card by card to players who bet into a pot: what came where, and what went wrong with it."""
