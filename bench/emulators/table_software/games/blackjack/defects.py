"""The defects that blackjack can be given: each departs from the rule at one place only.

With failing devices it departs by the defects that other games have: `round_not_voided`, `cards_left_in_shoe`,
`dealt_cards_left_out`, and `no_reshuffle_after_jam`, `..._stop` and `..._incomplete`.
"""

DEFECTS = {
    "reversed_card_played": "deals a card that came face up from the shoe",
    "reversed_card_voids_round": "voids the round for a card face up in the shoe",
    "stray_card_racked": "discards a card drawn in error instead of using it as the next one",
    "stray_card_voids_round": "voids the round because a card was drawn in error",
    "shown_card_racked": "discards a card that was drawn in error and exposed",
    "shown_card_forced": "gives a player a card that was exposed in error without asking",
    "refuser_draws_on": "lets a player who refused an exposed card draw others",
    "refused_card_racked": "discards an exposed card that nobody took instead of burning it",
    "overdrawn_card_racked": "discards a card that the dealer drew although the hand must stand",
    "overdrawn_card_kept": "adds a card to the dealer's hand although the hand must stand",
    "dealer_served_at_once": "gives the dealer the missed card at once, before the players have their second card",
    "dealer_left_short": "plays on with a dealer's hand of one card",
    "short_shoe_gathers_hands": "shuffles the hands too, before they are settled, in a round in which the shoe ran out",
    "short_shoe_not_cut": "does not have the discards cut when the shoe has run out",
    "short_shoe_not_burned": "burns no card after the discards were shuffled",
    "short_shoe_voids_round": "voids the round when the shoe runs out",
    "short_shoe_unsettled": "ends a round in which the shoe ran out without settling the wagers",
    "no_cards_hand_filled": "deals a hand that got no card two cards after all the others",
    "no_cards_wager_kept": "keeps the wager of a hand that got no card",
    "no_cards_left_out_again": "leaves a player who got no card out of the next round too",
    "one_card_not_offered": "declares a hand of one card dead without asking the player",
    "one_card_not_completed": "does not give the second card that a player asked for",
    "one_card_wager_kept": "keeps the wager of a player who gave up a hand of one card",
    "one_card_played_on": "lets a player who gave up a hand of one card play it",
    "late_card_not_offered": "declares a hand dead that was passed over for a card, without asking the player",
    "late_card_not_given": "does not give the card for which a player was passed over",
    "late_card_at_once": "gives a player who was passed over the card before the other players have theirs",
    "late_card_wager_kept": "keeps the wager of a player who gave up a hand that was passed over",
    "late_card_played_on": "plays on with a hand that its player gave up after being passed over",
    "void_wagers_kept": "keeps the wagers of a round that was voided because the shoe failed",
}
