"""Tournament hold'em of the reference software: a plain hand, errors of the deal, and each defect beside the rule."""

import pytest

from evidence.events import Directive, FloorRuled, PlayerDid, SeatStatus
from tests.software.scripted_table import PACK_52, ScriptedTable, Slip
from tests.software.tournament_table import Act, TournamentTable, hand, table, verbs

OPENING = ["open_round", "move_button seat/3", "shuffle shuffler device", "cut", "load_device"]
BLINDS = ["post_blind seat/1 100", "post_blind seat/2 200"]
DEAL = [line for seat in ("1", "2", "3") * 2 for line in ("dispense card", f"deliver seat/{seat} down")]
CLOSING = ["betting_round", "award_pot seat/2 300", "close_round"]
PLAIN = [*OPENING, *BLINDS, *DEAL, *CLOSING]
MISDEAL = [
    "misdeal",
    "announce misdeal",
    "return_wagers seat/1 round all 100",
    "return_wagers seat/2 round all 200",
]
REPLAY = ["redeal", "reshuffle device all_cards", "cut", "load_device", *BLINDS, *DEAL, *CLOSING]


def holdem(act: object) -> Slip:
    """A slip that gets the table as what it is here."""

    def slip(bench: ScriptedTable, directive: Directive) -> str | None:
        assert isinstance(bench, TournamentTable)
        return act(bench, directive)  # type: ignore[operator, no-any-return]

    return slip


KEEP = holdem(TournamentTable.keep)
TURN = holdem(lambda bench, directive: bench.deliver(directive.position, up=True))


def to(place: str) -> Slip:
    return holdem(lambda bench, directive: bench.misdirect(directive, place))


def cards(count: int) -> Slip:
    """So many cards come and all go to the hand."""

    def act(bench: TournamentTable, directive: Directive) -> None:
        bench.dispense(count - 1)
        bench.deliver(directive.position, count=count)

    return holdem(act)


def and_an_empty_seat(bench: TournamentTable, directive: Directive) -> None:
    """The hand gets its card, and an empty seat another one that nobody ordered."""
    bench.deliver(directive.position)
    bench.dispense(1)
    bench.move("shoe_mouth", "seat/5", 1)
    bench.look("seat/5")


EMPTY_SEAT = holdem(and_an_empty_seat)


def test_a_plain_hand() -> None:
    assert hand() == PLAIN


def test_a_hand_that_is_called_to_the_river_is_shown() -> None:
    calls: list[Act] = [("seat/3", "call", 200), ("seat/1", "call", 100), ("seat/2", "check", 0)]
    said = hand(acts=[calls, [], [], []])
    assert verbs(said[len(OPENING) + len(BLINDS) + len(DEAL) :]) == [
        *["betting_round", "burn", *["dispense", "lay_board"] * 3],
        *["betting_round", "burn", "dispense", "lay_board"] * 2,
        *["betting_round", "show_hands", "settle", "close_round"],
    ]


def test_two_players_alone_the_button_posts_the_small_blind_and_is_dealt_last() -> None:
    said = hand(seated=["seat/1", "seat/3"])
    assert said[1] == "move_button seat/3"
    assert said[5:7] == ["post_blind seat/3 100", "post_blind seat/1 200"]
    assert [line for line in said if line.startswith("deliver")] == [
        f"deliver seat/{seat} down" for seat in ("1", "3", "1", "3")
    ]


def test_with_one_player_no_hand_is_opened() -> None:
    with table(seated=["seat/1", "seat/3"], told=[SeatStatus(position="seat/1", state="empty")]) as bench:
        assert bench.ask("next_round") == ["refuse next_round"]


def at(*deliveries: int) -> int:
    """How many orders come before the misdeal when it is called at this delivery."""
    return len(OPENING) + len(BLINDS) + 2 * deliveries[0]


ERRORS = [
    ("first_card_played_on", [("deliver", 1, to("seat/2")), ("deliver", 2, to("seat/1"))], 1),
    ("ineligible_hand_played_on", [("deliver", 4, EMPTY_SEAT)], 4),
    ("many_cards_played_on", [("deliver", 5, cards(2))], 6),
    ("first_exposed_played_on", [("deliver", 2, TURN)], 2),
    ("two_exposed_played_on", [("deliver", 3, TURN), ("deliver", 5, TURN)], 5),
]


@pytest.mark.parametrize(("defect", "slips", "delivery"), ERRORS)
def test_an_error_of_the_deal_is_a_misdeal_and_the_hand_is_dealt_again(
    defect: str, slips: list[tuple[str, int, Slip]], delivery: int
) -> None:
    assert hand(slips=slips) == [*PLAIN[: at(delivery)], *MISDEAL, *REPLAY]
    assert "misdeal" not in verbs(hand(defect, slips=slips))


def test_a_player_who_is_dealt_out_makes_it_a_misdeal_once_the_deal_is_over() -> None:
    slips = [("deliver", 2, KEEP), ("deliver", 5, KEEP)]
    said = hand(slips=slips)
    assert verbs(said).count("misdeal") == 1
    assert said.count("use_as_next_card shoe_mouth") == 2
    assert said[said.index("misdeal") - 1] == "deliver seat/3 down"
    assert "misdeal" not in verbs(hand("skipped_seat_played_on", slips=slips))
    short_hand = [("deliver", 5, KEEP)]
    assert "misdeal" in verbs(hand(slips=short_hand))
    assert "misdeal" not in verbs(hand("few_cards_played_on", slips=short_hand))


def face_up(bench: TournamentTable, directive: Directive) -> None:
    bench.dispense(1)
    bench.piles["shoe_mouth"][-1].up = True
    bench.look("shoe_mouth")


BOXED = holdem(face_up)
STUCK = holdem(lambda bench, _: (bench.dispense(2), bench.look("shoe_mouth"), None)[2])


def test_one_boxed_card_is_laid_aside_and_a_second_one_is_a_misdeal() -> None:
    one = hand(slips=[("dispense", 2, BOXED)])
    scrap = at(1) + 1
    assert one == [*PLAIN[:scrap], "retire_card shoe_mouth", "dispense card", *PLAIN[scrap:]]
    two = [("dispense", 2, BOXED), ("dispense", 4, BOXED)]
    assert verbs(hand(slips=two)).count("misdeal") == 1
    assert "misdeal" not in verbs(hand("boxed_cards_played_on", slips=two))
    assert "retire_card" not in verbs(hand("boxed_card_dealt", slips=two[:1]))
    assert "misdeal" in verbs(hand("boxed_card_misdeal", slips=two[:1]))


def test_two_cards_that_stick_together_are_a_misdeal() -> None:
    slips = [("dispense", 2, STUCK)]
    assert hand(slips=slips) == [*PLAIN[: at(1) + 1], *MISDEAL, *REPLAY]
    assert "misdeal" not in verbs(hand("stuck_cards_played_on", slips=slips))


def test_one_other_exposed_card_is_replaced_when_all_are_dealt() -> None:
    slips = [("deliver", 3, TURN)]
    dealt = len(OPENING) + len(BLINDS) + len(DEAL)
    replaced = ["take_exposed seat/3 burn", "dispense card", "deliver seat/3 down"]
    assert hand(slips=slips) == [*PLAIN[:dealt], *replaced, *CLOSING]
    assert hand("exposed_card_kept", slips=slips) == PLAIN
    assert "misdeal" in verbs(hand("one_exposed_misdeal", slips=slips))


# --- the button ---


def test_a_button_that_is_short_gets_its_card() -> None:
    slips = [("deliver", 6, KEEP)]
    dealt = len(OPENING) + len(BLINDS) + len(DEAL)
    given = ["use_as_next_card shoe_mouth", "deliver seat/3 down"]
    assert hand(slips=slips) == [*PLAIN[:dealt], *given, *CLOSING]
    assert hand("button_left_short", slips=slips) == PLAIN
    assert "misdeal" in verbs(hand("button_short_misdeal", slips=slips))


def test_two_cards_in_a_row_on_the_button_are_no_misdeal() -> None:
    slips = [("deliver", 3, KEEP), ("deliver", 6, cards(2))]
    assert "misdeal" not in verbs(hand(slips=slips))
    assert "call_floor" not in verbs(hand(slips=slips))
    assert "misdeal" in verbs(hand("button_two_cards_misdeal", slips=slips))


def short_after(*acts: Act, place: str) -> tuple[str, int, Slip]:
    """While players act, a hand is found to be a card short."""

    def act(bench: TournamentTable, directive: Directive) -> None:
        for one in acts:
            bench.bet(one)
        bench.lose(place)

    return ("betting_round", 1, holdem(act))


CALL: Act = ("seat/3", "call", 200)


def test_a_short_hand_is_a_misdeal_before_substantial_action_and_played_on_after_it() -> None:
    early = [short_after(CALL, place="seat/2")]
    said = hand(slips=early)
    assert said[said.index("misdeal") + 4] == "return_wagers seat/3 round all 200"
    assert "misdeal" not in verbs(hand("late_count_played_on", slips=early))
    late = [short_after(CALL, ("seat/1", "call", 100), place="seat/2")]
    assert "continue_round" in verbs(hand(slips=late))
    assert "misdeal" not in verbs(hand(slips=late))
    assert "misdeal" in verbs(hand("misdeal_after_action", slips=late))
    assert "void_round" in verbs(hand("late_error_voids_hand", slips=late))


def test_a_button_that_acted_with_too_few_cards_is_dead() -> None:
    slips = [short_after(CALL, place="seat/3")]
    assert "dead_hand seat/3" in hand(slips=slips)
    assert "dead_hand seat/3" not in hand("short_button_plays_on", slips=slips)


def test_the_button_gets_its_card_after_substantial_action_as_long_as_it_has_not_acted() -> None:
    seated = [f"seat/{seat}" for seat in range(1, 6)]
    slips = [short_after(CALL, ("seat/4", "call", 200), place="seat/5")]
    said = hand(slips=slips, seated=seated)
    betting = said.index("betting_round")
    assert said[betting + 1 : betting + 3] == ["dispense card", "deliver seat/5 down"]
    assert "misdeal" not in verbs(said)


# --- what no rule names ---

TRANSPOSED = [("deliver", 2, to("seat/3")), ("deliver", 3, to("seat/2"))]
UNLISTED = "unlisted_dealing_error"


def test_cards_out_of_turn_are_for_the_floor() -> None:
    dealt = len(OPENING) + len(BLINDS) + len(DEAL)
    asked = f"call_floor {UNLISTED}"
    assert hand(slips=TRANSPOSED, rulings={UNLISTED: "play_on"}) == [*PLAIN[:dealt], asked, "continue_round", *CLOSING]
    assert hand(slips=TRANSPOSED, rulings={UNLISTED: "misdeal"}) == [*PLAIN[:dealt], asked, *MISDEAL, *REPLAY]
    assert hand(slips=TRANSPOSED) == [*PLAIN[:dealt], asked, "hold"]
    assert hand("unlisted_error_passed_over", slips=TRANSPOSED) == PLAIN
    assert "call_floor" not in verbs(hand("unlisted_error_misdeal", slips=TRANSPOSED))
    turned = hand("ruling_turned_round", slips=TRANSPOSED, rulings={UNLISTED: "play_on"})
    assert "misdeal" in verbs(turned)


# --- a draw game ---


@pytest.mark.parametrize(
    ("rule", "defect", "misdeals"),
    [("misdeal", False, True), ("replace", False, False), ("misdeal", True, False), ("replace", True, True)],
)
def test_in_a_draw_game_the_house_says_what_becomes_of_an_exposed_card(rule: str, defect: bool, misdeals: bool) -> None:
    said = hand(
        *(["draw_rule_ignored"] if defect else []),
        slips=[("deliver", 1, TURN)],
        game="tournament_draw",
        inputs={"draw_exposed_card": rule},
        seated=["seat/1", "seat/3"],
    )
    assert ("misdeal" in verbs(said)) is misdeals
    assert ("take_exposed" in verbs(said)) is not misdeals


def test_without_the_houses_rule_the_table_waits() -> None:
    said = hand(slips=[("deliver", 1, TURN)], game="tournament_draw", seated=["seat/1", "seat/3"])
    assert said[-1] == "hold"


# --- never more than so many deals ---


def test_a_hand_that_is_misdealt_again_and_again_ends_in_a_hold() -> None:
    said = hand(slips=[("deliver", nth, TURN) for nth in range(1, 12)], cards=PACK_52)
    assert verbs(said).count("misdeal") == 3
    assert said[-1] == "hold"


def test_what_strangers_tell_moves_nothing() -> None:
    with table() as bench:
        bench.tell(PlayerDid(act="raise", position="seat/9", amount_cents=500))
        bench.tell(FloorRuled(question="anything", ruling="anything", by="nobody"))
        bench.tell(SeatStatus(position="dealer", state="present"))
        assert bench.ask("next_round") == PLAIN
