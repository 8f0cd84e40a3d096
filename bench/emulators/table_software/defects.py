"""The defects that the reference table software can be given: each departs from the rule at one place only."""

from collections.abc import Collection
from dataclasses import dataclass

from evidence.errors import UsageError

PAI_GOW = "pai_gow_poker"
WINNERS_POT = "winners_pot"
ANY_GAME = ""


@dataclass(frozen=True, slots=True)
class Defect:
    """One switch. `game` is empty for a defect of every game."""

    name: str
    game: str
    description: str


_PAI_GOW = {
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

_WINNERS_POT = {
    "third_card_face_up": "deals the third card face up although a hole card was turned up",
    "one_up_kills_hand": "calls a hand dead when only one hole card was turned up",
    "both_up_played_on": "plays on with a hand whose hole cards were both turned up",
    "both_up_wager_kept": "keeps the wagers of a dead hand",
    "both_up_not_collected": "leaves the cards of a dead hand on the table",
    "both_up_not_announced": "does not have a dead hand called dead",
    "both_up_voids_round": "voids the whole round when both hole cards of one hand were turned up",
    "bonus_voided_with_dead_hand": "voids a winning bonus wager with the dead hand",
    "face_up_card_used": "deals a card that came face up from the shoe",
    "face_up_card_voids_round": "voids the round for a single card face up in the shoe",
    "two_face_up_played_on": "plays on after a second card came face up from the shoe",
    "two_face_up_not_reshuffled": "voids the round for two cards face up without reshuffling the cards",
    "late_face_up_voids_round": "voids the round for a card found face up after all cards were dealt",
    "drawn_card_voids_round": "voids the round because a card was drawn in error",
    "drawn_card_discarded": "discards a card drawn in error instead of using it as the next one",
    "wrong_count_played_on": "plays on with a hand that holds a wrong number of cards",
    "wrong_count_voids_round": "voids the whole round for one hand with a wrong number of cards",
    "missed_burn_voids_round": "voids the round because no card was burned",
    "missed_burn_made_good_at_once": "burns the missed card at once instead of dealing on",
    "missed_burn_single_later": "burns one card instead of two after the betting round",
    "skipped_hand_dealt_late": "deals the skipped hand its card late instead of calling a misdeal",
    "misdeal_wagers_kept": "keeps the wagers after a misdeal",
    "misdeal_cards_left": "does not have the cards collected and reshuffled after a misdeal",
    "button_stops_round": "voids the round because the button was not moved",
    "button_forgotten": "does not move the button to the next player after it was left where it was",
    "button_skips_dealer": "moves the button from the last player past the dealer",
    "exposed_card_kills_hand": "calls a hand dead because its player exposed a card",
    "no_reshuffle_after_jam": "goes on with the cards of a shuffler that jammed",
    "no_reshuffle_after_stop": "goes on with the cards of a shuffler that stopped",
    "no_reshuffle_after_incomplete": "goes on with the cards of a shuffle that was not completed",
    "shoe_jam_resumed": "deals on after the shoe jammed",
    "shoe_stop_resumed": "deals on after the shoe stopped",
    "shoe_no_deal_resumed": "deals on after the shoe failed to deal",
    "round_not_voided": "does not void the round when the shoe failed",
    "cards_left_in_shoe": "leaves the cards in the shoe that failed",
    "dealt_cards_left_out": "reshuffles without the cards already dealt after the shoe failed",
    "shuffler_kept_for_hand_shuffle": "leaves the shuffler on the table while cards are shuffled by hand",
    "shoe_kept_for_hand_shuffle": "leaves the shoe on the table while cards are shuffled by hand",
    "shuffler_kept_for_hand_deal": "leaves the shuffler on the table while cards are dealt by hand",
    "shoe_kept_for_hand_deal": "leaves the shoe on the table while cards are dealt by hand",
    "shuffler_removed_too_late": "has the shuffler removed only after the cards were shuffled by hand",
    "shoe_removed_too_late": "has the shoe removed only after the cards were shuffled by hand",
}

_EVERY_GAME = {
    "refund_twice": "returns the wagers of a void round twice",
    "void_round_resumed": "lets a round that was voided go on when it is asked to",
}


def all_defects() -> list[Defect]:
    """Every defect that can be switched on, grouped by game."""
    groups = ((PAI_GOW, _PAI_GOW), (WINNERS_POT, _WINNERS_POT), (ANY_GAME, _EVERY_GAME))
    return [Defect(name, game, text) for game, defects in groups for name, text in defects.items()]


def check_defects(names: Collection[str]) -> frozenset[str]:
    """The names as a set. Raises UsageError for one that this software does not know."""
    known = {defect.name for defect in all_defects()}
    for name in sorted(names):
        if name not in known:
            raise UsageError(
                f"reference table software: unknown defect {name[:60]!r}. "
                "Take one of those that `cardcert sensitivity --list` prints."
            )
    return frozenset(names)
