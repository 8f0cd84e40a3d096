"""What an index can say, in the order of the networks' outputs, and which rank each letter stands for."""

LETTERS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "R", "D", "V", "B", "F", "C", "S", "1")
SUITS = "cdhs"
RANKS = "A23456789TJQK"

_SAME = {"10": "T", "1": "A", "R": "K", "D": "Q", "C": "Q", "V": "J", "B": "J", "F": "J", "S": "J"}
RANK_OF = tuple(RANKS.index(_SAME.get(letter, letter)) for letter in LETTERS)
"""Of each letter. English, French, German, Italian and Spanish courts do not contradict each other; a Dutch V, a queen,
would be taken for a French one, a jack."""
