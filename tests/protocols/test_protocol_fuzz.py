"""Damaged telegrams and frames by the thousand; `benchmarks/fuzz_frames.py` does it by the million."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.protocol.angel_eye import messages as m
from bench.protocol.angel_eye import telegrams as t
from bench.protocol.gat import frames as g
from bench.protocol.gat import messages as gm
from benchmarks.fuzz_devices import play

CRC = g.CHECKSUMS[g.DEFAULT_CHECKSUM]


@pytest.mark.parametrize("protocol", ["angel-eye", "gat"])
def test_nothing_breaks_and_nothing_is_invented(protocol: str) -> None:
    tally = play(protocol, 2000, seed=7)
    assert tally["telegrams"] + tally["frames"] > 500


STREAMS = st.lists(
    st.one_of(
        st.binary(max_size=30),
        st.sampled_from([b"\x05", b"\x15", b"\x06", b"\x02", b"\x05\x31\x44\x81\xb8\x0346", b"\x02OPLK01\x0318"]),
        st.sampled_from([g.encode(g.Frame(command, b"\x00"), CRC) for command in gm.REPLIES]),
    ),
    max_size=12,
).map(b"".join)


@settings(max_examples=300)
@given(STREAMS, st.integers(1, 40))
def test_pieces_of_any_size_make_the_same_of_a_stream(stream: bytes, size: int) -> None:
    cut = [stream[at : at + size] for at in range(0, len(stream), size)]
    for make in (t.ShoeDecoder, t.HostDecoder):
        whole, parts = make(), make()
        once = [one for one in whole.feed(stream) if not isinstance(one, t.Damage)]
        assert once == [one for piece in cut for one in parts.feed(piece) if not isinstance(one, t.Damage)]
    known = frozenset(gm.REPLIES)
    first, second = g.Decoder(known, CRC), g.Decoder(known, CRC)
    frames = [one for one in first.feed(stream) if isinstance(one, g.Frame)]
    assert frames == [one for piece in cut for one in second.feed(piece) if isinstance(one, g.Frame)]


@settings(max_examples=300)
@given(st.binary(min_size=1, max_size=3))
def test_data_means_one_thing_and_goes_back_to_the_same_bytes(data: bytes) -> None:
    try:
        message = m.unpack(data)
    except m.MalformedData:
        return
    packed = m.pack(message)
    assert m.unpack(packed) == message
    if not isinstance(message, m.Error):  # bit 7 of an error is not public, and is let be
        assert packed == data


def test_the_worked_example_of_the_document() -> None:
    eight = t.encode_telegram(t.Telegram(0x31, m.pack(m.Card("player", 1, "8s"))))
    assert eight == bytes.fromhex("05 31 44 81 b8 03 34 46")
    assert t.encode_order(t.Order("LK", "02")) == bytes.fromhex("02 4f 50 4c 4b 30 32 03 31 42")
    with pytest.raises(ValueError, match="expected two letters or digits"):
        t.encode_order(t.Order("L\x03", "01"))
