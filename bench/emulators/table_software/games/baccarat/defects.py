"""The defects that baccarat can be given: each departs from the rule at one place only."""

DEFECTS = {
    "deals_on_after_cut_card": "opens another round from a shoe whose cutting card has been drawn",
    "settles_unconfirmed": "settles the wagers before the shoe has told the result",
    "error_not_cancelled": "deals on after an error of the shoe without having it cancelled",
    "error_card_dealt": "gives a card that was drawn in error to a hand",
}
