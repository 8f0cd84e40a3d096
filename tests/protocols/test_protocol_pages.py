"""The pages on the ANGEL EYE and GAT protocols say what the code does: worked frames, codes, names and options."""

import re
from pathlib import Path

import pytest

from bench.protocol.angel_eye import messages as m
from bench.protocol.angel_eye import telegrams as t
from bench.protocol.gat import frames as g
from bench.protocol.gat import messages as gm
from bench.rig_entries import IdentityEntry

DOCS = Path(__file__).parents[2] / "docs"
SHOE = (DOCS / "protocol-angel-eye.md").read_text()
GAT = (DOCS / "protocol-gat.md").read_text()


ORDERS = re.findall(r"^\| `([A-Z0-9n]{4})` \| `((?:[0-9A-F]{2} ?)+)`", SHOE, re.MULTILINE)


@pytest.mark.parametrize(("order", "line"), ORDERS)
def test_every_order_is_as_it_is_sent(order: str, line: str) -> None:
    assert len(ORDERS) == 4
    order = order.replace("nn", "02")
    assert t.encode_order(t.Order(order[:2], order[2:])) == bytes.fromhex(line)


def test_the_worked_telegram_is_the_card_that_it_is_said_to_be() -> None:
    line = re.search(r"player's first card:\n\n +([0-9A-F ]+)\n", SHOE)
    assert line is not None
    (telegram,) = t.ShoeDecoder().feed(bytes.fromhex(line[1]))
    assert isinstance(telegram, t.Telegram)
    assert m.unpack(telegram.data) == m.Card("player", 1, "8s")


def test_every_refusal_and_every_error_stands_on_the_page() -> None:
    codes = {int(code, 16) for code in re.findall(r"\| ([0-9A-F]{2}) \| [a-z]", SHOE)}
    assert codes == set(t.NAK_CODES)
    for number, name in m.ERRORS.items():
        assert re.search(rf"\b{number}\s+{name}\b", SHOE)


def test_every_type_has_its_row_and_says_how_long_it_is() -> None:
    rows = dict(re.findall(r"^\| `([A-Za-z])` \| ([^|]*)\|", SHOE, re.MULTILINE))
    assert set(rows) == set("SPDdGCEeLMR")
    assert {kind: int(size) for kind, size in rows.items() if size.strip().isdigit()} == {
        chr(kind): size for kind, size in t.FIXED.items()
    }


def test_commands_levels_and_checks_stand_on_the_gat_page() -> None:
    rows = re.findall(r"^\| (0[1-4]) \| [^|]+ \| (8[1-4]) \|", GAT, re.MULTILINE)
    assert [(int(asks, 16), int(answers, 16)) for asks, answers in rows] == list(
        zip(gm.QUERIES, gm.REPLIES, strict=True)
    )
    assert f"level `{gm.SPECIAL:X}`" in GAT
    assert all(f"`{name}`" in GAT or name in GAT for name in (*g.CHECKSUMS, *gm.ALGORITHMS))
    assert all(f"{field} = " in GAT for field in ("url", "image", "sha256", "component", "algorithm", "crc"))
    assert {"url", "image", "sha256", "component", "algorithm", "crc"} <= set(IdentityEntry.__struct_fields__)


def test_the_question_on_the_page_is_one_that_a_device_understands() -> None:
    text = re.search(r'BA "(doVerification[^"]+)"', GAT)
    assert text is not None
    asked = gm.asked(bytes([gm.SPECIAL]) + text[1].replace("0011..", "0011").encode())
    assert asked == gm.Verification("main", "SHA256", b"\x00\x11", 0, 4096)
