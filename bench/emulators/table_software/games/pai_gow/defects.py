"""The defects that Pai Gow Poker can be given: each departs from the rule at one place only.

It shares some with Winner's Pot: `face_up_card_used` and `..._voids_round`, `drawn_card_discarded` and
`..._voids_round`, and those of devices that fail or are to leave the table.
"""

DEALING = {
    "use_unapproved_device": "deals from a shoe without the authority's approval",
    "load_before_cut": "has the cards put into the shoe before they are cut",
    "no_more_bets_omitted": "never announces that wagers are closed",
    "no_more_bets_late": "announces that wagers are closed after the first stack was dispensed",
    "start_without_dice": "sets the starting position without rolling the dice",
    "start_before_announcement": "sets the starting position before announcing that wagers are closed",
    "start_after_first_delivery": "sets the starting position after the first stack was delivered",
    "additional_wager_late": "settles the additional wagers after the first stack was delivered",
    "additional_wager_unsettled": "never settles the additional wagers",
    "first_stack_elsewhere": "delivers the first stack to the position after the starting position",
    "skip_empty_positions": "puts the stacks of positions without a wager aside instead of delivering them",
    "delivery_reversed": "delivers the stacks after the first one counter-clockwise",
    "deliver_face_up": "delivers the stacks face up",
    "remainder_not_counted": "takes the remaining cards out and plays on without counting them",
    "remainder_left_in_shoe": "leaves the remaining cards in the shoe and plays on",
    "trust_device_count": "goes by the shoe's count of the remaining cards instead of the cards that were spread",
    "remainder_exposed": "turns the four remaining cards face up on their way to the discard rack",
    "remainder_not_racked": "leaves the four remaining cards on the layout",
    "stacks_not_checked": "reshuffles when not four cards remain, without checking the stacks",
    "misdeal_played_on": "plays on with a stack of the wrong size",
    "misdeal_not_reshuffled": "voids the round after a misdeal without reshuffling the cards",
    "misdeal_removes_deck": "removes the deck after a misdeal instead of reshuffling it",
    "short_deck_played_on": "plays on with a deck of the wrong size",
    "short_deck_reshuffled": "reshuffles a deck of the wrong size instead of removing it",
    "empty_stack_left": "leaves the stacks of positions without a wager where they lie",
    "empty_stack_exposed": "turns the stacks of positions without a wager face up while collecting them",
    "wagered_stack_collected": "collects the stack of a position with a wager too",
}
DICE = {
    "no_roll_not_announced": "has spoiled dice shaken again without announcing that there was no roll",
    "no_roll_announced_late": "announces that there was no roll only after the dice were shaken again",
    "spoiled_roll_used": "sets the starting position after a spoiled roll instead of having the dice shaken again",
    "second_spoiled_roll_used": "sets the starting position after a second spoiled roll in a row",
    "shaken_once": "has the dice shaken once and not three times",
    "dealer_total_trusted": "goes by the total that the dealer calls instead of the pips",
    "misplaced_played_on": "plays on after the first card or stack went to the wrong position",
    "misplaced_moved": "has the first stack moved from the wrong to the right position",
    "misplaced_hand_only": "calls one hand dead instead of all after the first stack went to the wrong position",
    "dead_not_pronounced": "voids the round after a wrong start without having the hands pronounced dead",
}
EXPOSED = {
    "option_offered_late": "offers the choice only after the players have looked at their cards",
    "exposed_card_voids_round": "voids the whole round for a player's card that was exposed",
    "exposed_hand_voided_unasked": "voids a player's exposed hand without asking",
    "void_choice_ignored": "plays on with a hand whose player chose to void it",
    "play_choice_voided": "voids a hand whose player chose to play it",
    "option_after_look_honoured": "voids a hand whose player looked at the other cards before choosing",
    "exposed_played_on": "plays on after a card of the dealer or the bank was exposed",
    "exposed_hand_only": "voids only the hand of the dealer or the bank that was exposed",
    "bank_treated_as_player": "lets the bank choose whether to void its exposed hand",
}
CARDS = {
    "face_up_card_not_racked": "has a card that came face up laid elsewhere than in the discard rack",
    "face_up_card_not_replaced": "delivers the stack from which a face-up card was taken one card short",
    "face_up_counted_per_stack": "counts cards face up in the shoe anew for each stack",
    "faces_played_on": "plays on after a second card came face up from the shoe",
    "faces_hand_only": "only takes the cards away when a second one came face up from the shoe",
    "drawn_card_burned": "has a card drawn in error burned instead of using it as the next one",
    "count_played_on": "plays on with a wrong number of cards in a hand when four cards remain",
    "group_count_trusted": "goes by the shoe's count of the cards in a stack instead of the camera's",
    "count_hand_only": "voids only the hands with a wrong number of cards",
    "count_mended": "has a card taken from one hand and given to another",
}
SETTING = {
    "house_way_not_reset": "lets the dealer's hands stand that were not set the house way",
    "house_way_mistaken": "takes another way than the submitted one for the house way",
    "house_way_reset_late": "has the dealer's hands set again only after the wagers were settled",
    "house_way_voids_round": "voids the round because the dealer did not set the hands the house way",
    "bank_foul_loses": "lets the bank lose its wager for hands that it set wrongly",
    "bank_foul_settled": "settles with the bank's hands as they were wrongly set",
    "bank_foul_voids_round": "voids the round because the bank set its hands wrongly",
}
BY_HAND = {
    "shown_card_played_on": "deals on by hand after a card was exposed",
    "shown_card_taken_back": "takes back only the card that was exposed while dealing by hand",
    "shown_card_voids_round": "voids the round for a card exposed while dealing by hand",
    "by_hand_reshuffled_late": "deals the stacks to the end before it has the cards shuffled again",
    "wrong_stack_played_on": "deals on by hand after a stack did not get what was its own",
    "passed_stack_dealt_late": "gives a stack that was passed over its card late",
}
DEVICES = {
    "additional_returned": "gives back additional wagers that were settled before the shoe failed",
    "shuffler_granted_before_removal": "grants dealing or shuffling by hand before it has the shuffler removed",
    "shoe_granted_before_removal": "grants dealing or shuffling by hand before it has the shoe removed",
}

DEFECTS = {**DEALING, **DICE, **EXPOSED, **CARDS, **SETTING, **BY_HAND, **DEVICES}
