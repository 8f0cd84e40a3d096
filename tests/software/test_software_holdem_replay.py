"""Tournament hold'em of the reference software: replays, strange cards, fouled decks, and each defect of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.emulators.table_software.games.holdem.betting import Betting
from evidence.events import CardsSeen, DealerDid, Directive, FloorRuled, LevelAnnounced, PlayerDid, SeatStatus
from rules.facts.tournament.action import Action
from rules.pack import Game
from tests.software.scripted_table import PACK_52, Slip
from tests.software.test_software_holdem_deal import CALL, TURN, holdem
from tests.software.tournament_table import Act, TournamentTable, hand, table, verbs

EXPOSED = [("deliver", 1, TURN)]


def replay(said: list[str]) -> list[str]:
    return said[said.index("redeal") :]


def during(verb: str, *events: SeatStatus | LevelAnnounced) -> tuple[str, int, Slip]:
    """News that come while an order is carried out."""

    def act(bench: TournamentTable, directive: Directive) -> None:
        bench.carry_out(directive)
        for event in events:
            bench.tell(event)

    return (verb, 1, holdem(act))


def test_newcomers_and_levels_wait_for_the_next_hand() -> None:
    news = during(
        "misdeal",
        SeatStatus(position="seat/4", state="present"),
        LevelAnnounced(small_blind_cents=200, big_blind_cents=400),
    )
    plain = replay(hand(slips=EXPOSED))
    assert replay(hand(slips=[*EXPOSED, news])) == plain
    newcomer = replay(hand("newcomer_dealt_in_replay", slips=[*EXPOSED, news]))
    assert newcomer.count("deliver seat/4 down") == 2
    raised = replay(hand("level_raised_for_replay", slips=[*EXPOSED, news]))
    assert "post_blind seat/1 200" in raised
    with table() as bench:
        bench.slip(*EXPOSED[0]).slip(*news)
        bench.ask("next_round")
        following = bench.ask("next_round")
    assert following[1] == "move_button seat/4"
    assert "post_blind seat/1 200" in following


def test_the_replay_has_the_button_and_the_players_of_the_first_deal() -> None:
    assert verbs(hand(slips=EXPOSED)).count("move_button") == 1
    moved = replay(hand("button_moved_for_replay", slips=EXPOSED))
    assert "move_button seat/1" in moved
    left_out = replay(hand("player_left_out_of_replay", slips=EXPOSED))
    assert "deliver seat/2 down" not in left_out
    assert "redeal" not in verbs(hand("misdeal_hand_abandoned", slips=EXPOSED))
    late = verbs(hand("misdeal_called_late", slips=EXPOSED))
    assert late.index("betting_round") < late.index("misdeal")


ABSENT = SeatStatus(position="seat/2", state="absent")
BACK = SeatStatus(position="seat/2", state="present")
PENALTY = SeatStatus(position="seat/1", state="penalty")


def test_who_was_away_is_dealt_in_and_plays_if_back() -> None:
    back = [*EXPOSED, during("redeal", BACK)]
    assert "dead_hand" not in verbs(hand(slips=back, told=[ABSENT]))
    assert "dead_hand seat/2" in replay(hand(slips=EXPOSED, told=[ABSENT]))
    assert "dead_hand seat/2" in replay(hand("returned_hand_killed", slips=back, told=[ABSENT]))
    assert "dead_hand" not in verbs(replay(hand("absent_hand_played", slips=EXPOSED, told=[ABSENT])))
    undealt = replay(hand("absent_not_dealt", slips=back, told=[ABSENT]))
    assert "deliver seat/2 down" not in undealt


def test_who_is_away_in_a_hand_that_is_dealt_right_has_no_live_hand() -> None:
    assert "dead_hand seat/2" in hand(told=[ABSENT])


def test_who_serves_a_penalty_is_dealt_in_killed_and_counted_once() -> None:
    said = hand(slips=EXPOSED, told=[PENALTY])
    assert replay(said).count("deliver seat/1 down") == 2
    assert replay(said).count("dead_hand seat/1") == 1
    assert [line for line in said if line.startswith("count_penalty")] == ["count_penalty seat/1 1"]
    assert "count_penalty seat/1 2" in hand("penalty_counts_deals", slips=EXPOSED, told=[PENALTY])
    assert "count_penalty" not in verbs(hand("penalty_not_counted", slips=EXPOSED, told=[PENALTY]))
    assert "dead_hand" not in verbs(replay(hand("penalty_hand_played", slips=EXPOSED, told=[PENALTY])))
    assert "deliver seat/1 down" not in replay(hand("penalty_not_dealt", slips=EXPOSED, told=[PENALTY]))


# --- cards of another game ---


def shows(place: str, *labels: str, before: tuple[Act, ...] = ()) -> tuple[str, int, Slip]:
    """A player shows cards on the first street, after these acts."""

    def act(bench: TournamentTable, directive: Directive) -> None:
        for one in before:
            bench.bet(one)
        bench.show(place, *labels)

    return ("betting_round", 1, holdem(act))


CALLS: tuple[Act, ...] = (CALL, ("seat/1", "call", 100))


def test_a_joker_before_substantial_action_is_a_misdeal_with_a_fresh_deck() -> None:
    early = [shows("seat/2", "Jk", "7c", before=CALLS[:1])]
    said = hand(slips=early)
    assert verbs(said)[verbs(said).index("misdeal") :][:5] == [
        "misdeal", "announce", "return_wagers", "remove_deck", "place_deck",
    ]  # fmt: skip
    assert "misdeal" not in verbs(hand("foreign_card_played_on", slips=early))


def test_a_joker_in_a_hand_after_substantial_action_is_for_the_floor() -> None:
    late = [shows("seat/2", "Jk", "7c", before=CALLS)]
    ruled = {"scrap_in_hand": "dead_hand"}
    said = hand(slips=late, rulings=ruled)
    assert said[said.index("call_floor seat/2 scrap_in_hand") + 1] == "dead_hand seat/2"
    assert "misdeal" not in verbs(said)
    assert "call_floor" not in verbs(hand("scrap_in_hand_passed_over", slips=late, rulings=ruled))
    assert "call_floor" not in verbs(hand("scrap_in_hand_decided", slips=late, rulings=ruled))
    assert "dead_hand seat/2" not in hand("scrap_ruling_ignored", slips=late, rulings=ruled)
    assert "misdeal" in verbs(hand("foreign_card_always_misdeal", slips=late, rulings=ruled))
    going_on = hand(slips=late, rulings={"scrap_in_hand": "play_on"})
    assert "dead_hand" not in verbs(going_on)


def joker_on_the_board(bench: TournamentTable, directive: Directive) -> None:
    bench.piles["shoe_mouth"][0].label = "Jk"
    bench.carry_out(directive)


def test_a_joker_on_the_board_is_scrap() -> None:
    calls = [[*CALLS, ("seat/2", "check", 0)]]
    slips = [("lay_board", 3, holdem(joker_on_the_board))]
    said = hand(slips=slips, acts=calls)
    third = said.index("retire_card layout_centre 1")
    assert said[third - 1 : third + 3] == ["lay_board", "retire_card layout_centre 1", "dispense card", "lay_board"]
    assert "retire_card" not in verbs(hand("scrap_on_board_kept", slips=slips, acts=calls))
    short = hand("scrap_not_replaced", slips=slips, acts=calls)
    assert short[short.index("retire_card layout_centre 1") + 1] == "betting_round"


def test_low_cards_are_strange_to_a_short_deck_only() -> None:
    short_deck = [label for label in PACK_52 if label[0] not in "2345"]
    slips = [shows("seat/2", "4h", "9c")]
    assert "misdeal" in verbs(hand(slips=slips, game="tournament_short_deck", cards=short_deck))
    assert "misdeal" not in verbs(hand(slips=slips))


# --- fouled decks ---


def twice(*before: Act) -> tuple[str, int, Slip]:
    """Two players show one and the same card."""

    def act(bench: TournamentTable, directive: Directive) -> None:
        for one in before:
            bench.bet(one)
        bench.show("seat/1", "Kd", "4c")
        bench.show("seat/2", "5c", "Kd")

    return ("betting_round", 1, holdem(act))


STOP = [
    "announce fouled_deck",
    "void_round",
    "return_wagers seat/1 round all 200",
    "return_wagers seat/2 round all 200",
    "return_wagers seat/3 round all 200",
    "remove_deck",
    "place_deck",
    "close_round",
]


def after_betting(said: list[str]) -> list[str]:
    return said[said.index("betting_round") + 1 :]


def test_a_card_that_is_there_twice_stops_the_hand_and_returns_all_bets_once() -> None:
    assert after_betting(hand(slips=[twice(*CALLS)])) == STOP
    before = after_betting(hand(slips=[twice()]))
    assert before == [*STOP[:2], "return_wagers seat/1 round all 100", "return_wagers seat/2 round all 200", *STOP[5:]]


@pytest.mark.parametrize(
    ("defect", "left"),
    [
        ("fouled_not_declared", STOP[1:]),
        ("fouled_hand_not_stopped", [STOP[0], *STOP[2:]]),
        ("fouled_bets_kept", [*STOP[:2], *STOP[5:]]),
        ("fouled_deck_kept", [*STOP[:5], STOP[7]]),
        ("bets_returned_to_one", [*STOP[:3], *STOP[5:]]),
        ("bets_returned_short", [line.replace("200", "100") for line in STOP]),
        ("refund_twice", [*STOP[:2], *[line for line in STOP[2:5] for _ in range(2)], *STOP[5:]]),
        ("fouled_hand_finished", ["betting_round", *STOP]),
    ],
)
def test_each_defect_of_a_fouled_deck_departs_at_one_place(defect: str, left: list[str]) -> None:
    found = after_betting(hand(defect, slips=[twice(*CALLS)], acts=[[]]))
    assert found == left


def test_software_that_does_not_see_the_double_plays_on() -> None:
    assert "void_round" not in verbs(hand("duplicate_ignored", slips=[twice(*CALLS)]))


def another_back(bench: TournamentTable, directive: Directive) -> None:
    bench.carry_out(directive)
    for place, back in (("seat/1", "red"), ("seat/2", "blue")):
        bench.tell(CardsSeen(place=place, count=1, face_down=1, backs=[back]))


@pytest.mark.parametrize(("rules", "stops"), [("other_back", True), ("missing_card", False), ("", False)])
def test_another_back_fouls_the_deck_where_the_house_says_so(rules: str, stops: bool) -> None:
    slips = [("deliver", 2, holdem(another_back))]
    inputs = {"fouled_deck_conditions": rules}
    assert ("void_round" in verbs(hand(slips=slips, inputs=inputs))) is stops
    assert "void_round" not in verbs(hand("local_conditions_ignored", slips=slips, inputs=inputs))


def found_when_over(
    *defects: str, ruling: str = "", sign: DealerDid | FloorRuled | None = None
) -> tuple[list[str], list[str]]:
    """What the software orders when a double is seen after the hand, and in the hand after it."""
    with table(*defects) as bench:
        bench.ask("next_round")
        if sign is not None:
            bench.tell(sign)
        if ruling:
            bench.rulings["fouled_deck_dispute"] = ruling
        before = len(bench.said)
        bench.show("seat/1", "Kd", "4c")
        bench.show("seat/2", "5c", "Kd")
        bench.ask("resume")
        found = [str(directive.verb) for directive in bench.said[before:] if directive.verb != "refuse"]
        return found, bench.ask("next_round")


def test_a_double_found_when_the_hand_is_over_is_for_the_floor_and_the_deck_goes() -> None:
    found, following = found_when_over(ruling="result_stands")
    assert found == ["call_floor", "continue_round"]
    assert following[:3] == ["remove_deck", "place_deck", "open_round"]
    assert found_when_over("dispute_refused")[0] == ["continue_round"]


def test_once_the_next_hand_has_begun_nothing_is_disputed() -> None:
    push = DealerDid(act="push")
    found, following = found_when_over(sign=push)
    assert found == ["continue_round"]
    assert following[:2] == ["remove_deck", "place_deck"]
    over = FloorRuled(question="dispute_time", ruling="over", by="floor")
    assert found_when_over(sign=over)[0] == ["continue_round"]
    assert found_when_over("dispute_never_ends", sign=push)[0] == ["call_floor"]
    assert found_when_over("old_hand_bets_returned", sign=push)[0] == ["return_wagers", "return_wagers"]


@pytest.mark.parametrize(
    ("ruling", "defect", "returned"),
    [
        ("result_stands", "", False),
        ("return_bets", "", True),
        ("result_stands", "standing_result_undone", True),
        ("return_bets", "dispute_ruling_ignored", False),
    ],
)
def test_what_the_floor_rules_on_a_dispute_is_done(ruling: str, defect: str, returned: bool) -> None:
    with table(*([defect] if defect else [])) as bench:
        bench.ask("next_round")
        bench.rulings["fouled_deck_dispute"] = ruling
        bench.show("seat/1", "Kd", "4c")
        bench.show("seat/2", "5c", "Kd")
        bench.ask("resume")
        assert any(directive.verb == "return_wagers" for directive in bench.said) is returned


@pytest.mark.parametrize(
    ("cards", "rules", "fouled"), [(51, "missing_card", True), (52, "missing_card", False), (51, "", False)]
)
def test_a_check_that_finds_a_card_missing_fouls_the_deck_where_the_house_says_so(
    cards: int, rules: str, fouled: bool
) -> None:
    with table(inputs={"fouled_deck_conditions": rules}) as bench:
        bench.ask("next_round")
        bench.cards = bench.cards[:cards]
        said = bench.ask("check_deck")
    assert said[:2] == ["proceed check_deck", "check_deck"]
    assert ("announce fouled_deck" in said) is fouled


def test_the_deck_is_not_checked_during_a_hand() -> None:
    asked: list[str] = []

    def act(bench: TournamentTable, directive: Directive) -> None:
        before = len(bench.said)
        bench.tell_request("check_deck")
        asked.extend(one.verb for one in bench.said[before:])

    hand(slips=[("betting_round", 1, holdem(act))])
    assert asked == ["refuse"]


# --- two counts of substantial action, made by two people ---

FIVE = tuple(f"seat/{seat}" for seat in range(1, 6))
MOVES = st.lists(
    st.tuples(st.sampled_from(FIVE), st.sampled_from(["check", "bet", "call", "raise", "fold", "expose"])), max_size=8
)


@given(MOVES, st.integers(0, 2))
def test_the_software_and_the_judge_agree_on_substantial_action(moves: list[tuple[str, str]], dead: int) -> None:
    """Neither knows the other; where they differ, one of them has the rule wrong."""
    software = Betting(seats=FIVE)
    judge = Action(Game(name="g", cards_in_deck=52, substantial_acts=3, substantial_acts_with_chips=2))
    judge.new_deal(FIVE)
    for place in FIVE[:2]:
        software.post(place, 100)
        judge.note(PlayerDid(act="post", position=place, amount_cents=100))
    judge.street()
    for place in FIVE[2 : 2 + dead]:
        software.dead.add(place)
        judge.dead(place)
    for place, act in moves:
        software.move(place, act, 0)
        judge.note(PlayerDid(act=act, position=place))  # type: ignore[arg-type]
        assert software.substantial == judge.substantial
        assert software.acted == judge.acted
