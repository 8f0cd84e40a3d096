"""The reference table software as a server: in-process, as a process of its own, and against hostile peers."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from bench.emulators.table_software import InProcessSoftware, ReferenceSoftware, Told, all_defects
from bench.emulators.table_software.software import GAMES
from bench.software.link import SoftwareLink
from evidence.errors import UsageError
from evidence.events import (
    AnyEvent,
    ButtonSeen,
    CardsSeen,
    DealerDid,
    DeviceCycle,
    DeviceDispensed,
    DeviceFault,
    DeviceSeen,
    DeviceStatus,
    DiceSeen,
    Directive,
    PlayerDid,
    SessionOpened,
    TableDone,
    TableRequested,
    WagerPlaced,
)
from tests.software.scripted_table import APPROVAL, PACK_52, PACK_53, POSITIONS, SHOE, ScriptedTable, journaled, table

ROOT = Path(__file__).parents[2]
SERVE = """
import sys
from bench.emulators.table_software import serve
serve("127.0.0.1", 0, sys.argv[1:], lambda line: print(line, flush=True))
"""


@contextmanager
def process(*defects: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-c", SERVE, *defects]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout is not None
            ready = json.loads(running.stdout.readline())
            assert ready["emulator"] == "table"
            assert ready["pid"] == running.pid
            yield running, ready["url"]
        finally:
            running.kill()


def rounds(url: str, game: str, count: int = 1) -> list[str]:
    link = SoftwareLink(url, 20.0, journaled)
    link.connect()
    try:
        bench = ScriptedTable(link, game, PACK_53 if game == "pai_gow_poker" else PACK_52).open()
        return [line for _ in range(count) for line in bench.ask("next_round")]
    finally:
        link.close()


@pytest.mark.parametrize("game", ["pai_gow_poker", "winners_pot"])
def test_a_process_of_its_own_plays_as_the_one_in_process(game: str) -> None:
    with table(game) as bench:
        expected = bench.open().ask("next_round")
    with process() as (_, url):
        assert rounds(url, game) == expected


def test_a_process_takes_defects_and_serves_one_table_for_each_connection() -> None:
    with process("no_more_bets_omitted") as (_, url):
        said = rounds(url, "pai_gow_poker")
        assert "announce no_more_bets" not in said
        assert rounds(url, "pai_gow_poker") == said


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_a_process_stops_cleanly_on_a_signal_even_with_a_connection_open(stop: signal.Signals) -> None:
    with process() as (running, url):
        link = SoftwareLink(url, 20.0, journaled)
        link.connect()
        os.kill(running.pid, stop)
        out, err = running.communicate(timeout=20)
        assert (running.returncode, out, err) == (0, "", "")
        link.close()


def test_an_unknown_defect_is_a_mistake_that_names_where_to_look() -> None:
    with pytest.raises(UsageError, match=r"unknown defect 'no_such'.*sensitivity --list"):
        InProcessSoftware(frozenset({"no_such"}))
    with pytest.raises(UsageError):
        ReferenceSoftware(frozenset({"no_such"}))


def test_every_defect_has_its_own_name_and_says_what_it_does() -> None:
    defects = all_defects()
    names = [defect.name for defect in defects]
    assert len(set(names)) == len(names)
    assert {defect.game for defect in defects} <= {*GAMES, ""}
    assert all(defect.description for defect in defects)


def test_every_defect_is_used_at_one_place_and_every_switch_is_listed() -> None:
    """A defect that no procedure asks about would never show; an unlisted switch could never be set."""
    games = ROOT / "bench/emulators/table_software/games"
    text = "\n".join(file.read_text() for file in sorted(games.rglob("*.py")) if file.stem != "defects")
    built = ("no_reshuffle_after_", "_removed_too_late", "_kept_for_hand_", "_granted_before_removal")
    for defect in all_defects():
        assert f'"{defect.name}"' in text or any(part in defect.name and part in text for part in built), defect.name


def test_a_new_session_starts_from_a_blank_table() -> None:
    with table("winners_pot") as bench:
        first = bench.open().ask("next_round")
        bench.open()
        assert bench.ask("next_round") == first
        ids = [directive.id for directive in bench.said]
        assert len(set(ids)) == len(ids)


def test_a_session_in_the_middle_of_a_round_forgets_that_round() -> None:
    software = ReferenceSoftware()
    opened = SessionOpened(
        game="winners_pot", cards_in_deck=52, positions=POSITIONS, seated=["seat/1"], devices={"shoe": "shoe"}
    )
    asked = TableRequested(request="next_round")
    software.react(Told("e0", opened))
    [first] = software.react(Told("e1", asked))
    software.react(Told("e2", opened))
    done = TableDone(directive=first.id, verb=first.verb, outcome="done")
    assert software.react(Told("e3", done)) == []
    assert [directive.verb for directive in software.react(Told("e4", asked))] == ["open_round"]


@pytest.mark.parametrize(
    "session",
    [
        {"game": "canasta"},
        {"positions": [f"seat/{number}" for number in range(5000)]},
        {"game": "pai_gow_poker", "positions": ["seat/1", "dealer"]},
        {"game": "pai_gow_poker", "positions": []},
        {"game": "winners_pot", "seated": []},
        {"game": "winners_pot", "positions": ["dealer", "seat/1"]},
        {"devices": {}},
    ],
    ids=str,
)
def test_a_table_that_cannot_be_played_is_refused(session: dict[str, Any]) -> None:
    plain: dict[str, Any] = {
        "game": "winners_pot", "cards_in_deck": 52, "positions": POSITIONS, "seated": POSITIONS[:6],
        "devices": {"shoe": "shoe"},
    }  # fmt: skip
    software = ReferenceSoftware()
    software.react(Told("e0", SessionOpened(**(plain | session))))
    [answer] = software.react(Told("e1", TableRequested(request="next_round")))
    assert (answer.verb, answer.request) == ("refuse", "next_round")
    assert answer.reason


def test_a_request_before_any_session_is_refused() -> None:
    [answer] = ReferenceSoftware().react(Told("e0", TableRequested(request="next_round")))
    assert answer.verb == "refuse"


# --- hostile peers ---


def cloudevent(event_type: str, data: Any) -> str:
    return json.dumps(
        {"specversion": "1.0", "id": "e1", "source": "bench:table", "type": f"cardcert.{event_type}", "data": data}
    )


PLAYS_ON = cloudevent("table.requested", {"request": "next_round"})
CLOSED: dict[str, tuple[str | bytes, int]] = {
    "no JSON": ("{", 1008),
    "deep nesting": ("[" * 60000, 1008),
    "binary": (PLAYS_ON.encode(), 1008),
    "foreign type": (PLAYS_ON.replace("cardcert.", "other."), 1008),
    "data that do not fit": (cloudevent("table.requested", {"request": "everything"}), 1008),
    "data that are no object": (cloudevent("table.requested", [1]), 1008),
    "deep data": (cloudevent("camera.cards", "@").replace('"@"', "[" * 50000), 1008),
    "endless number": (cloudevent("camera.cards", {"place": "burn", "count": 10**400}), 1008),
    "oversized": ("x" * 70000, 1009),
}


@contextmanager
def peer(url: str, **options: Any) -> Iterator[Any]:
    with connect(url, subprotocols=[Subprotocol("cloudevents.json")], compression=None, **options) as connection:
        yield connection


@pytest.mark.parametrize("name", CLOSED)
def test_a_message_that_breaks_the_format_ends_its_own_connection_only(name: str) -> None:
    text, code = CLOSED[name]
    with InProcessSoftware() as software, peer(software.url) as good, peer(software.url) as bad:
        assert json.loads(good.recv())["type"] == "cardcert.software.identity"
        bad.recv()
        bad.send(text)
        with pytest.raises(ConnectionClosed) as closed:
            bad.recv(timeout=10)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == code
        good.send(PLAYS_ON)
        assert json.loads(good.recv())["data"]["verb"] == "refuse"


def test_a_message_of_a_type_to_come_is_acknowledged_and_passed_over() -> None:
    with InProcessSoftware() as software, peer(software.url) as connection:
        connection.recv()
        connection.send(cloudevent("table.redecorated", {"colour": "green"}))
        assert json.loads(connection.recv())["data"] == {"message": "e1"}


def test_a_peer_without_the_subprotocol_is_sent_away() -> None:
    with InProcessSoftware() as software, connect(software.url, compression=None) as connection:
        with pytest.raises(ConnectionClosed) as closed:
            connection.recv(timeout=10)
        assert closed.value.rcvd is not None
        assert "cloudevents.json" in closed.value.rcvd.reason


def test_a_web_page_cannot_connect() -> None:
    with (
        InProcessSoftware() as software,
        pytest.raises(InvalidStatus),
        peer(software.url, origin=Origin("http://x.test")),
    ):
        pass


def test_a_ninth_connection_is_sent_away_until_one_leaves() -> None:
    with InProcessSoftware() as software:
        peers = [connect(software.url, subprotocols=[Subprotocol("cloudevents.json")]) for _ in range(8)]
        connections = [entered.__enter__() for entered in peers]
        try:
            for connection in connections:
                connection.recv()
            with peer(software.url) as ninth, pytest.raises(ConnectionClosed):
                ninth.recv(timeout=10)
        finally:
            for entered in peers:
                entered.__exit__(None, None, None)


def test_stopping_with_connections_open_does_not_hang() -> None:
    with InProcessSoftware() as software:
        for _ in range(3):
            connect(software.url, subprotocols=[Subprotocol("cloudevents.json")]).__enter__().recv()


# --- any order of events ---

PLACES = st.sampled_from([*POSITIONS, "shoe_mouth", "layout_centre", "burn", "discard_rack", "elsewhere"])
SEATS = st.sampled_from([*POSITIONS, "nowhere"])
DEVICES = st.sampled_from(["shoe", "shuffler", "other"])
COUNTS = st.one_of(st.integers(-1, 9), st.integers(1 - 2**63, 2**63 - 1))
LABELS = st.lists(st.sampled_from(["Jc", "Jd", "2c", "Jk", "?", "", None]), max_size=3)
EVENTS: st.SearchStrategy[AnyEvent] = st.one_of(
    st.builds(CardsSeen, place=PLACES, count=st.none() | COUNTS, face_up=LABELS),
    st.builds(
        DiceSeen, flat=st.integers(0, 3), leaning=st.integers(0, 1), outside=st.just(0), total=st.none() | COUNTS
    ),
    st.builds(DeviceSeen, device=DEVICES, present=st.sampled_from([True, False, None])),
    st.builds(ButtonSeen, position=st.none() | SEATS),
    st.builds(WagerPlaced, position=SEATS, wager=st.sampled_from(["main", "jacks_plus"]), amount_cents=COUNTS),
    st.builds(DeviceStatus, device=DEVICES, state=st.just("idle"), cards_inside=COUNTS),
    st.builds(DeviceCycle, device=DEVICES, kind=st.just("load"), phase=st.sampled_from(["completed", "aborted"])),
    st.builds(DeviceDispensed, device=DEVICES, unit=st.just("card"), index=COUNTS, count=COUNTS),
    st.builds(
        DeviceFault, device=DEVICES, code=st.just("E"), symptom=st.sampled_from(["jam", "stop", "incomplete", "count"])
    ),
    st.builds(
        DealerDid, act=st.sampled_from(["draw", "burn", "deliver", "remove_device"]), device=DEVICES, count=COUNTS
    ),
    st.builds(PlayerDid, act=st.sampled_from(["expose", "fold"]), position=SEATS),
    st.builds(
        TableRequested,
        request=st.sampled_from(["next_round", "resume", "deal_by_hand", "shuffle_by_hand", "use_device"]),
        device=DEVICES,
    ),
)
OUTCOMES = st.lists(st.sampled_from(["done"] * 12 + ["failed", "impossible"]), min_size=1, max_size=20)
STEPS = st.lists(st.one_of(OUTCOMES, EVENTS), min_size=5, max_size=60)
SOME_DEFECTS = st.lists(st.sampled_from([defect.name for defect in all_defects()]), max_size=3)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(["pai_gow_poker", "winners_pot"]), SOME_DEFECTS, STEPS)
def test_any_order_of_events_gets_bounded_and_well_formed_directives(
    game: str, defects: list[str], steps: list[list[str] | AnyEvent]
) -> None:
    software = ReferenceSoftware(frozenset(defects))
    devices = {"shoe": "shoe", "shuffler": "shuffler"}
    opened = SessionOpened(game=game, cards_in_deck=53, positions=POSITIONS, seated=POSITIONS[:3], devices=devices)
    queue: list[Directive] = []
    told: set[str] = set()
    ids: set[str] = set()

    def tell(event: AnyEvent) -> None:
        message = Told(f"e{len(told)}", event)
        told.add(message.id)
        said = software.react(message)
        assert len(said) <= 10
        for directive in said:
            assert directive.id not in ids
            assert directive.cause in told
            assert len(directive.reason) <= 500
            ids.add(directive.id)
        queue.extend(said)

    for event in (opened, SHOE, APPROVAL, TableRequested(request="next_round")):
        tell(event)
    for step in steps:
        if not isinstance(step, list):
            tell(step)
            continue
        for outcome in step:
            if not queue:
                break
            directive = queue.pop(0)
            tell(TableDone(directive=directive.id, verb=directive.verb, outcome=outcome))  # type: ignore[arg-type]
