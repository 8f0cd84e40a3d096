"""An emulated dealing shoe that reads the cards drawn from it by hand and follows the game (ANGEL EYE II-EX)."""
