"""The ANGEL EYE driver against a shoe written from the document, over a pty and TCP: honest, lying, babbling, mute."""

import os
import socket
import threading
from collections.abc import Callable

import pytest

from bench.drivers.angel_eye import MAX_CLAIMS
from bench.drivers.registry import load_driver
from bench.links import pty_pair
from evidence.errors import RigFault, UsageError
from evidence.events import (
    DeviceAnswered,
    DeviceCard,
    DeviceFault,
    DeviceNotice,
    DeviceResult,
    LinkBytes,
    LinkFault,
)
from tests.protocols.shoe_stub import BANKER, CLOCK, PLAYER, ROUND, Rig, card, order, over_pty, over_tcp, telegram

EIGHT_OF_SPADES = bytes.fromhex("053144 81B8 03 3446".replace(" ", ""))
"""The worked example: 8 of spades as the player's first card."""


def labels(rig: Rig, number: int | None = None) -> list[str]:
    return [claim.label for claim in rig.claims(number) if isinstance(claim, DeviceCard)]


@pytest.mark.parametrize("wire", [over_pty, over_tcp])
def test_three_copies_are_one_card_and_each_is_acknowledged(wire: Callable[..., object]) -> None:
    with wire() as rig:  # type: ignore[attr-defined]
        rig.send(EIGHT_OF_SPADES * 3)
        (claim,) = rig.claims()
        assert claim == DeviceCard(device="shoe", hand="player", index=1, label="8s", round=1)
        assert rig.read_until(b"\x06" * 4) == b"\x06" * 4  # three copies and the mark
        assert rig.raw().startswith(EIGHT_OF_SPADES * 3)
        assert rig.faults() == []


def test_a_copy_that_comes_after_the_next_message_is_still_a_copy() -> None:
    with over_pty() as rig:
        first, second = telegram(0x31, ROUND[0]), telegram(0x32, ROUND[1])
        rig.send(first + second + first + second + first + second)
        assert labels(rig) == ["8s", "5d"]


def test_bytes_are_journalled_before_they_are_decoded() -> None:
    with over_pty() as rig:
        rig.send(b"\x05\x31\x44\x81")
        rig.send(EIGHT_OF_SPADES[:-1] + b"7")
        rig.say(ROUND[0])
        rig.claims(1)
        kinds = [type(event) for event in rig.journal]
        assert kinds.index(LinkBytes) < kinds.index(LinkFault)


def test_every_event_of_the_protocol_has_its_claim() -> None:
    with over_pty() as rig:
        rig.say(b"P", b"S", b"L01", *ROUND, card(2, 0, 1, 2), card(4, 0, 2, 3), card(5, 0, 0, 4))
        rig.say(card(0, 0, 1, 2, b"d"), card(1, 0, 1, 2, b"d"), card(2, 0, 0, 0, b"d"))
        rig.say(b"C", b"E\x42", b"e\x02", b"G\xa2", b"L02", b"M7", b"R")
        claims = rig.claims()
        notices = [(claim.notice, claim.detail) for claim in claims if isinstance(claim, DeviceNotice)]
        assert notices == [
            ("standby", ""), ("start", ""), ("unlocked", ""), ("cut_card", ""), ("error_cancelled", "OVERDRAW"),
            ("locked", ""), ("preset", "37"), ("retransmission", ""),
        ]  # fmt: skip
        cards = [(claim.hand, claim.label) for claim in claims if isinstance(claim, DeviceCard)]
        assert cards == [
            ("player", "8s"), ("banker", "5d"), ("player", "Kh"), ("banker", "Ac"), ("burn", "2d"), ("first", "3c"),
            ("burn_count", "4"), ("locked", "2d"), ("error", "2d"), ("setting", ""),
        ]  # fmt: skip
        (fault,) = [claim for claim in claims if isinstance(claim, DeviceFault)]
        assert (fault.code, fault.symptom, fault.recovered) == ("OVERDRAW", "count", False)
        (result,) = [claim for claim in claims if isinstance(claim, DeviceResult)]
        assert (result.winner, result.player_pair, result.banker_pair) == ("tie", False, True)


@pytest.mark.parametrize(
    ("byte", "name"),
    [
        (0x41, "CANNOT_READ"), (0x42, "OVERDRAW"), (0x43, "BUTTON_MISUSE"), (0x44, "REVERSE_RUN_AT_EXIT"),
        (0x45, "REVERSE_RUN_MIDWAY"), (0x46, "CARD_CODE"), (0x47, "DRAW_TIMEOUT"), (0x03, "BUTTON_MISUSE"),
    ],
)  # fmt: skip
def test_an_error_is_told_by_name_even_where_its_byte_is_an_etx(byte: int, name: str) -> None:
    with over_tcp() as rig:
        rig.say(bytes([ord("E"), byte]))
        (fault,) = rig.claims()
        assert isinstance(fault, DeviceFault)
        assert (fault.code, fault.recovered) == (name, not byte & 0x40)


# --- orders ---


@pytest.mark.parametrize(("with_stx", "bcc"), [(1, b"1B"), (0, b"19")])
def test_the_check_of_an_order_takes_in_the_stx_or_not(with_stx: int, bcc: bytes) -> None:
    with over_pty({"answer_timeout_s": 20, "bcc_with_stx": with_stx}) as rig:
        rig.send(b"\x06")  # answered before it is read: the order is taken on
        assert rig.driver.command("lock").accepted
        assert rig.read_until(bcc) == bytes.fromhex("024f504c4b303203") + bcc


@pytest.mark.parametrize("code", ["12", "13", "14", "FF"])
def test_a_refusal_is_an_answer(code: str) -> None:
    with over_pty() as rig:
        rig.send(b"\x15" + code.encode())
        answer = rig.driver.command("unlock")
        assert answer == DeviceAnswered(device="shoe", command="unlock", accepted=False, code=f"NAK_{code}")
        assert [(fault.kind, fault.sent) for fault in rig.journal if isinstance(fault, LinkFault)] == [("nak", "")]


@pytest.mark.parametrize("refusal", [b"\x1501", b"\x1502", b"\x15\x03", b"\x1511", b"\x1521", b"\x1522"])
def test_a_refusal_for_the_line_or_for_now_is_tried_again(refusal: bytes) -> None:
    with over_pty() as rig:
        shoe = threading.Thread(target=_refuse_once, args=(rig, refusal))
        shoe.start()
        assert rig.driver.command("confirm_game").accepted
        shoe.join()
        [fault] = [event for event in rig.journal if isinstance(event, LinkFault)]
        came_damaged = refusal not in (b"\x1521", b"\x1522")
        assert fault.sent == (order("GP00").hex() if came_damaged else "")


def _refuse_once(rig: Rig, refusal: bytes) -> None:
    rig.read_until(order("GP00"))
    rig.send(refusal)
    rig.read_until(order("GP00") * 2)
    rig.send(b"\x06")


def test_an_error_is_cancelled_under_its_own_number() -> None:
    with over_pty() as rig:
        rig.say(b"E\x46")
        rig.claims(1)
        rig.send(b"\x1513")  # it knows no such order, and shows that it is there
        assert rig.driver.status().state == "fault"
        rig.send(b"\x06")
        assert rig.driver.command("clear_fault").accepted
        rig.read_until(order("EC06"))
        rig.say(b"e\x06")
        rig.claims(1)
        rig.send(b"\x1513")
        assert rig.driver.status().state != "fault"


@pytest.mark.parametrize("answer", [b"\x06", b"\x1513", b"\x1514", b"\x1521", b"\x15FF"])
def test_whatever_it_answers_a_shoe_is_there(answer: bytes) -> None:
    with over_pty({"answer_timeout_s": 20, "asks_with": "QQ99"}) as rig:
        rig.send(answer)
        assert rig.driver.status().state == "idle"
        rig.read_until(order("QQ99"))
        assert rig.faults() == []


def test_a_shoe_on_a_dead_line_has_no_state_whatever_it_said_before() -> None:
    with over_pty({"answer_timeout_s": 0.05, "tries": 2}) as rig:
        rig.say(b"S")
        rig.claims(1)
        for ask in (rig.driver.status, rig.driver.identify):
            with pytest.raises(RigFault, match="ordered ST00 2 times, no answer"):
                ask()


def test_a_silent_shoe_is_given_up_and_its_late_answer_is_nobody_elses() -> None:
    with over_pty({"answer_timeout_s": 0.05, "tries": 2, "quiet_s": 5}) as rig:
        with pytest.raises(RigFault, match=r"ordered LK02 2 times.*bcc_with_stx"):
            rig.driver.command("lock")
        assert rig.faults() == ["timeout", "timeout"]
        rig.send(b"\x06\x06")  # both late answers
        rig.read_until(order("LK02") * 2)
        shoe = threading.Thread(target=_refuse, args=(rig,))
        shoe.start()
        answer = rig.driver.command("unlock")
        shoe.join()
        assert not answer.accepted


def _refuse(rig: Rig) -> None:
    rig.read_until(order("LK01"))
    rig.send(b"\x1513")


def test_an_answer_that_nobody_asked_for_is_dropped() -> None:
    with over_pty() as rig:
        rig.send(b"\x06\x1513")
        rig.say(ROUND[0])
        assert labels(rig) == ["8s"]
        assert rig.faults() == ["sequence"]


def test_an_order_that_this_shoe_does_not_know_is_misuse() -> None:
    with over_pty() as rig:
        for name, args in (("deal_group", {}), ("lock", {"code": 1}), ("cancel_error", {"code": 100})):
            with pytest.raises(UsageError):
                rig.driver.command(name, **args)
        assert [event for event in rig.journal if isinstance(event, LinkBytes)] == []


@pytest.mark.parametrize(
    "options", [{"copies": 4}, {"bcc_with_stx": 2}, {"copies": 1.5}, {"speed": 1}, {"asks_with": "st00"}]
)
def test_an_option_out_of_range_is_misuse(options: dict[str, object]) -> None:
    link, port = pty_pair()
    with pytest.raises(UsageError, match="device shoe: "):
        load_driver("angel-eye")("shoe", "shoe", link, CLOCK, lambda _: None, options)
    link.close()
    port.close()


def test_it_is_no_driver_for_a_shuffler() -> None:
    link, port = pty_pair()
    with pytest.raises(UsageError, match='Set role = "shoe"'):
        load_driver("angel-eye")("mixer", "shuffler", link, CLOCK, lambda _: None, {})
    link.close()
    port.close()


# --- what service taught ---


def test_connecting_in_the_middle_opens_no_round() -> None:
    with over_pty() as rig:
        rig.say(ROUND[1], ROUND[2], ROUND[3], b"G\xc0", *ROUND)
        claims = rig.claims()
        assert [(claim.round, claim.again) for claim in claims if isinstance(claim, DeviceCard)] == [
            (0, True), (0, True), (0, True), (1, False), (1, False), (1, False), (1, False),
        ]  # fmt: skip
        assert [claim.standing for claim in claims if isinstance(claim, DeviceResult)] == ["quarantined"]


def test_cards_sent_again_open_no_round_and_add_no_card() -> None:
    with over_pty() as rig:
        rig.say(*ROUND[:3], b"R", *ROUND[:3], ROUND[3], b"G\x90")
        rig.say(b"R", *ROUND, b"G\x90")
        claims = rig.claims()
        cards = [(claim.label, claim.round, claim.again) for claim in claims if isinstance(claim, DeviceCard)]
        assert cards[:3] == [("8s", 1, False), ("5d", 1, False), ("Kh", 1, False)]
        assert cards[3:6] == [("8s", 1, True), ("5d", 1, True), ("Kh", 1, True)]
        assert cards[6] == ("Ac", 1, False)
        assert all(again for _, _, again in cards[7:])
        assert [claim.standing for claim in claims if isinstance(claim, DeviceResult)] == ["final", "quarantined"]


def test_a_result_is_held_until_the_four_cards_are_told() -> None:
    with over_pty() as rig:
        rig.say(*ROUND[:3], b"G\x90", ROUND[3])
        claims = rig.claims()
        assert [claim.standing for claim in claims if isinstance(claim, DeviceResult)] == ["held", "final"]


def test_a_forced_end_needs_no_cards() -> None:
    with over_pty() as rig:
        rig.say(ROUND[0], b"G\xf0")
        result = rig.claims()[-1]
        assert isinstance(result, DeviceResult)
        assert (result.winner, result.standing) == ("void", "final")


def test_the_cutting_card_and_a_start_are_a_new_shoe_and_a_start_alone_is_not() -> None:
    with over_pty() as rig:
        rig.say(b"S", ROUND[0], b"S", ROUND[1], b"C", b"S", b"G\x90", *ROUND)
        claims = rig.claims()
        assert [claim.shoe for claim in claims if isinstance(claim, DeviceCard)] == [1, 1, 2, 2, 2, 2]
        assert [claim.standing for claim in claims if isinstance(claim, DeviceResult)] == ["quarantined"]


# --- lying, babbling, broken ---


def test_another_message_under_the_same_number_counts_only_when_it_comes_again() -> None:
    with over_pty() as rig:
        rig.send(telegram(0x31, ROUND[0]) * 2 + telegram(0x31, card(PLAYER, 1, 3, 9)))
        assert labels(rig) == ["8s"]
        assert rig.faults() == ["sequence"]
        rig.send(telegram(0x31, b"P") * 3)  # a shoe that has started anew counts from the beginning
        assert rig.claims() == [DeviceNotice(device="shoe", notice="standby")]


def test_two_copies_must_agree_where_the_rig_asks_for_it() -> None:
    with over_pty({"answer_timeout_s": 20, "copies": 2}) as rig:
        rig.send(telegram(0x31, ROUND[0]) * 3)
        for seq, rank in ((0x32, 2), (0x33, 3), (0x34, 4), (0x35, 5)):
            rig.send(telegram(seq, card(BANKER, 1, 1, rank)))
        rig.send(telegram(0x36, b"P") * 2)
        assert [type(claim) for claim in rig.claims(2)] == [DeviceCard, DeviceNotice]
        assert "lost" in rig.faults()


@pytest.mark.parametrize("cut", range(1, len(EIGHT_OF_SPADES)))
def test_half_a_telegram_costs_nothing_but_itself(cut: int) -> None:
    with over_pty() as rig:
        rig.send(EIGHT_OF_SPADES[:cut] + telegram(0x32, ROUND[1]) + telegram(0x33, ROUND[0]))
        assert [claim.label for claim in rig.claims() if isinstance(claim, DeviceCard)] == ["5d", "8s"]


def test_a_damaged_telegram_is_refused_and_its_copy_counts() -> None:
    with over_pty() as rig:
        damaged = bytearray(EIGHT_OF_SPADES)
        damaged[4] ^= 1
        rig.send(bytes(damaged) + EIGHT_OF_SPADES)
        assert labels(rig) == ["8s"]
        rig.read_until(b"\x1502")
        assert rig.faults()[0] == "crc"


@pytest.mark.parametrize(
    "data",
    [
        b"D\x01\xb8", b"D\xb1\xb8", b"D\x8b\xb8", b"D\x81\xd8", b"D\x81\xbe", b"D\x81\xb0", b"G\x80", b"G\x94",
        b"E\x40", b"L", b"L03", b"X", b"d\xb0\x92",
    ],
)  # fmt: skip
def test_data_that_the_protocol_does_not_have_is_refused_and_claims_nothing(data: bytes) -> None:
    with over_pty() as rig:
        rig.say(data, copies=1)
        assert rig.claims() == []
        assert rig.faults() == ["garbage"]
        rig.read_until(b"\x1514")


def test_a_babbling_shoe_fills_no_memory() -> None:
    with over_tcp() as rig:
        babble = b"".join(telegram(0x31 + number % 9, b"M%d" % number) for number in range(MAX_CLAIMS + 200))
        rig.send(babble + b"\x06")
        assert rig.driver.command("lock").accepted  # it listened to all of it, and nobody took the claims
        assert "overflow" in rig.faults()
        rig.read_until(b"\x1521")
        assert len([rig.driver.next_claim(CLOCK.deadline(0)) for _ in range(MAX_CLAIMS)]) == MAX_CLAIMS
        assert rig.driver.next_claim(CLOCK.deadline(0)) is None


def test_noise_is_survived() -> None:
    with over_tcp() as rig:
        rig.send(bytes(range(256)) * 20 + b"\x05" * 50)
        rig.say(*ROUND)
        assert labels(rig)[-4:] == ["8s", "5d", "Kh", "Ac"]


def test_a_line_that_is_cut_is_a_fault_of_the_rig() -> None:
    with over_tcp() as rig:
        with socket.socket(fileno=os.dup(rig.fd)) as end:
            end.shutdown(socket.SHUT_RDWR)
        with pytest.raises(RigFault, match="connection is gone"):
            rig.claims(1)
        assert rig.faults() == ["closed"]
