"""Tournament poker dealt one card at a time: hold'em, its short-deck form, and a draw game."""
