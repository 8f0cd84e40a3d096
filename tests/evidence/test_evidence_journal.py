"""The journal reads back what was written, finds one changed byte anywhere, and survives crashes and second writers."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import typing
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidence import events
from evidence.chain import MAX_LINE
from evidence.errors import EvidenceDamaged, UsageError
from evidence.events import AnyEvent, CardsSeen, JournalRepaired, LinkBytes, PlayerDid, ReadingTaken, Record
from evidence.journal import Journal, comparable, journal_head, read_journal, verify_journal

ALL_EVENTS: tuple[type[AnyEvent], ...] = typing.get_args(AnyEvent)


def lines_of(folder: Path) -> bytes:
    return (folder / "journal" / "events.jsonl").read_bytes()


def small_journal(folder: Path) -> bytes:
    ticks = iter(range(0, 10_000, 1000))
    with Journal.create(folder, lambda: next(ticks)) as journal:
        journal.append(PlayerDid(act="bet", position="seat/1"), source="player:1", scenario="s")
        journal.append(LinkBytes(link="shoe", direction="rx", data="02AAJ03"), source="bench:shoe", scenario="s")
        journal.append(
            CardsSeen(place="burn", count=1, face_up=["Jk"], certainty=0.5), source="camera:top", scenario="s"
        )
    return lines_of(folder)


def event_strategy() -> st.SearchStrategy[AnyEvent]:
    text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
    numbers = st.integers(-(2**63), 2**63 - 1)
    floats = st.floats(allow_nan=False, allow_infinity=False)
    st.register_type_strategy(str, text)
    st.register_type_strategy(int, numbers)
    st.register_type_strategy(float, floats)
    one_of_each: list[st.SearchStrategy[typing.Any]] = []
    for kind in ALL_EVENTS:
        fields = {name: st.from_type(hint) for name, hint in typing.get_type_hints(kind).items()}
        if "frame" in fields:
            fields["frame"] = st.just("")  # no attachments here; they have tests of their own
        one_of_each.append(st.builds(kind, **fields))
    return st.one_of(one_of_each)


def test_every_event_of_the_vocabulary_may_stand_in_a_journal() -> None:
    defined = {kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, events.Event)}
    assert defined - {events.Event} == set(ALL_EVENTS)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.lists(st.tuples(event_strategy(), st.text(st.characters(exclude_categories=["Cs"]), max_size=12)), max_size=30)
)
def test_any_order_of_appends_reads_back(appends: list[tuple[AnyEvent, str]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Journal.create(folder, lambda: 7) as journal:
            written = [journal.append(event, source=source, scenario="s") for event, source in appends]
            head = journal.head
        assert list(read_journal(folder)) == written
        assert [(record.seq, record.event, record.source) for record in written] == [
            (seq, event, source) for seq, (event, source) in enumerate(appends)
        ]
        assert verify_journal(folder, head) == []
        assert journal_head(folder) == head


def test_the_chain_can_be_checked_with_a_few_lines_of_any_language(tmp_path: Path) -> None:
    data = small_journal(tmp_path)
    previous = "0" * 64
    for number, line in enumerate(data.splitlines(keepends=True)):
        assert line.startswith(b'{"hash":"')
        assert line.endswith(b"}\n")
        record = line[84:-2]
        previous = hashlib.sha256(previous.encode() + record).hexdigest()
        assert json.loads(line) == {"hash": previous, "record": json.loads(record)}
        assert json.loads(record)["seq"] == number


def test_one_flipped_bit_anywhere_is_found_in_its_line(tmp_path: Path) -> None:
    """Every third byte; `benchmarks/tampering.py` flips bytes of all files of a whole run."""
    data = small_journal(tmp_path)
    head = journal_head(tmp_path)
    path = tmp_path / "journal" / "events.jsonl"
    for at in range(0, len(data), 3):
        line = data.count(b"\n", 0, at) + 1
        start = data.rfind(b"\n", 0, at) + 1
        end = data.index(b"\n", at)
        for bit in range(8):
            path.write_bytes(data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :])
            damages = verify_journal(tmp_path, head)
            where = f"byte {at} bit {bit}"
            assert damages, where
            assert damages[0].line == line, where
            assert start <= damages[0].offset <= end + 1, where
            with pytest.raises(EvidenceDamaged, match=f"line {line}, byte {damages[0].offset}"):
                list(read_journal(tmp_path))
            if not start + 84 <= at < end - 1 and data[at] ^ 1 << bit != 0x0A and not start + 9 <= at < start + 73:
                assert damages[0].offset == at, where  # the frame of a line is located to the byte


@pytest.mark.parametrize("field", ["hash", "record"])
def test_one_altered_line_is_one_damage(tmp_path: Path, field: str) -> None:
    data = small_journal(tmp_path)
    head = journal_head(tmp_path)
    at = 20 if field == "hash" else data.index(b"seat/1")
    changed = bytes([data[at] ^ 1]) if field == "record" else (b"0" if data[at : at + 1] != b"0" else b"1")
    (tmp_path / "journal" / "events.jsonl").write_bytes(data[:at] + changed + data[at + 1 :])
    assert [damage.line for damage in verify_journal(tmp_path, head)] == [1]


def test_a_line_left_out_swapped_or_repeated_is_found(tmp_path: Path) -> None:
    lines = small_journal(tmp_path).splitlines(keepends=True)
    path = tmp_path / "journal" / "events.jsonl"
    for order, first_wrong in [((0, 2), 2), ((1, 2), 1), ((1, 0, 2), 1), ((0, 1, 1, 2), 3), ((0, 0, 1, 2), 2)]:
        path.write_bytes(b"".join(lines[index] for index in order))
        assert verify_journal(tmp_path)[0].line == first_wrong, order


def test_a_gap_in_the_numbers_is_found_even_when_the_chain_was_made_anew(tmp_path: Path) -> None:
    records = [line[84:-2] for line in small_journal(tmp_path).splitlines(keepends=True)]
    previous, forged = "0" * 64, b""
    for record in (records[0], records[2]):
        previous = hashlib.sha256(previous.encode() + record).hexdigest()
        forged += b'{"hash":"' + previous.encode() + b'","record":' + record + b"}\n"
    (tmp_path / "journal" / "events.jsonl").write_bytes(forged)
    (damage,) = verify_journal(tmp_path)
    assert damage.line == 2
    assert "number 1, found 2" in damage.problem


def test_a_cut_off_end_is_found_against_the_sealed_head(tmp_path: Path) -> None:
    lines = small_journal(tmp_path).splitlines(keepends=True)
    head = journal_head(tmp_path)
    path = tmp_path / "journal" / "events.jsonl"
    path.write_bytes(b"".join(lines[:1]))
    assert verify_journal(tmp_path) == []
    (damage,) = verify_journal(tmp_path, head)
    assert "2 records after number 0" in damage.problem
    path.write_bytes(b"")
    assert "3 records after number -1" in verify_journal(tmp_path, head)[0].problem
    path.write_bytes(b"".join(lines))
    assert "added after" in verify_journal(tmp_path, (0, "0" * 64))[0].problem
    assert "sealed with" in verify_journal(tmp_path, (2, "0" * 64))[0].problem


def test_a_torn_tail_is_cut_off_and_noted_wherever_it_was_torn(tmp_path: Path) -> None:
    data = small_journal(tmp_path)
    starts = [0, *(at + 1 for at in range(len(data)) if data[at] == 0x0A)]
    path = tmp_path / "journal" / "events.jsonl"
    for cut in range(len(data)):
        path.write_bytes(data[:cut])
        whole = max(start for start in starts if start <= cut)
        with Journal.open(tmp_path, lambda: 9) as journal:
            journal.append(PlayerDid(act="fold", position="seat/2"), source="player:2")
            head = journal.head
        kept = data.count(b"\n", 0, whole)
        added = [record.event for record in read_journal(tmp_path)][kept:]
        torn = data[whole:cut]
        if torn:
            noted = JournalRepaired(bytes_cut=len(torn), sha256=hashlib.sha256(torn).hexdigest())
            assert added[:-1] == [noted], cut
        assert added[-1] == PlayerDid(act="fold", position="seat/2")
        assert len(added) == (2 if torn else 1)
        assert verify_journal(tmp_path, head) == []


def test_zeros_left_by_a_power_cut_are_a_torn_tail(tmp_path: Path) -> None:
    data = small_journal(tmp_path)
    (tmp_path / "journal" / "events.jsonl").write_bytes(data + bytes(4096))
    with Journal.open(tmp_path, lambda: 9):
        pass
    assert list(read_journal(tmp_path))[-1].event == JournalRepaired(
        bytes_cut=4096, sha256=hashlib.sha256(bytes(4096)).hexdigest()
    )


def test_nothing_is_added_to_evidence_that_was_altered(tmp_path: Path) -> None:
    data = small_journal(tmp_path)
    path = tmp_path / "journal" / "events.jsonl"
    for word in (b"seat/1", b"Jk"):
        altered = data.replace(word, b"X" * len(word))
        path.write_bytes(altered)
        with pytest.raises(EvidenceDamaged, match="not added to"):
            Journal.open(tmp_path, lambda: 9)
        assert lines_of(tmp_path) == altered


def test_a_resumed_journal_continues_the_chain_and_knows_its_time(tmp_path: Path) -> None:
    small_journal(tmp_path)
    with Journal.open(tmp_path, lambda: 5000) as journal:
        assert journal.last_mono_ns == 2000
        assert journal.append(PlayerDid(act="fold", position="seat/2"), source="player:2").seq == 3
        head = journal.head
    assert verify_journal(tmp_path, head) == []


def test_create_refuses_a_used_folder_and_open_an_empty_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no journal here"):
        Journal.open(tmp_path, lambda: 0)
    with pytest.raises(UsageError, match="no journal here"):
        list(read_journal(tmp_path))
    small_journal(tmp_path)
    with pytest.raises(UsageError, match="already holds a journal"):
        Journal.create(tmp_path, lambda: 0)


def test_a_second_writer_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    first = Journal.create(tmp_path, lambda: 0)
    with pytest.raises(UsageError, match="another run is writing"):
        Journal.open(tmp_path, lambda: 0)
    tried = subprocess.run(
        [sys.executable, "-c", SECOND_WRITER, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert "another run is writing" in tried.stderr
    first.close()
    Journal.open(tmp_path, lambda: 0).close()


SECOND_WRITER = """
import sys
from pathlib import Path
from evidence.journal import Journal
Journal.open(Path(sys.argv[1]), int)
"""

WRITER = """
import sys
from pathlib import Path
from evidence.events import LinkBytes
from evidence.journal import Journal
journal = Journal.create(Path(sys.argv[1]), lambda: 1)
for number in range(10_000_000):
    record = journal.append(LinkBytes(link="shoe", direction="rx", data=f"{number:08x}" * 50), source="bench:shoe")
    sys.stdout.write(f"{record.seq}\\n")
    sys.stdout.flush()
"""


def test_a_killed_writer_loses_nothing_that_append_returned_for(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        for _ in range(300):
            assert writer.stdout.readline()
        writer.send_signal(signal.SIGKILL)
        told = [int(line) for line in writer.stdout.read().splitlines() if line]
    last = max(told, default=299)
    with Journal.open(tmp_path, lambda: 2) as journal:
        head = journal.head
    records = list(read_journal(tmp_path))
    assert len(records) > last
    for record in records[: last + 1]:
        assert record.event == LinkBytes(link="shoe", direction="rx", data=f"{record.seq:08x}" * 50)
    assert verify_journal(tmp_path, head) == []


INTERRUPTED = """
import signal, sys
from pathlib import Path
from evidence.events import LinkBytes
from evidence.journal import Journal
journal = Journal.create(Path(sys.argv[1]), lambda: 1)
event = LinkBytes(link="shoe", direction="rx", data="00")
appending = False
def interrupt(*_):
    global appending
    if appending:
        appending = False
        raise KeyboardInterrupt
signal.signal(signal.SIGALRM, interrupt)
signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
hits = 0
while hits < 100:
    try:
        while True:
            appending = True
            journal.append(event, source="bench:shoe")
            appending = False
    except KeyboardInterrupt:
        hits += 1
signal.setitimer(signal.ITIMER_REAL, 0)
journal.append(event, source="bench:last")
print(*journal.head)
journal.close()
"""


def test_an_append_broken_off_by_a_signal_leaves_the_chain_whole(tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, "-c", INTERRUPTED, str(tmp_path)], capture_output=True, text=True, check=True)
    seq, digest = ran.stdout.split()
    assert verify_journal(tmp_path, (int(seq), digest)) == []
    assert list(read_journal(tmp_path))[-1].source == "bench:last"


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (ReadingTaken(channel="rail", value=float("nan"), unit="V"), "cannot be journalled"),
        (PlayerDid(act="bet", position="\ud800"), "cannot be journalled"),
        (PlayerDid(act="dance", position="seat/1"), "cannot be journalled"),  # type: ignore[arg-type]
        (LinkBytes(link="shoe", direction="rx", data="00" * MAX_LINE), "at most"),
    ],
)
def test_what_could_not_be_read_back_is_not_written(tmp_path: Path, event: AnyEvent, said: str) -> None:
    with Journal.create(tmp_path, lambda: 0) as journal:
        with pytest.raises(UsageError, match=said):
            journal.append(event, source="bench:x")
        assert lines_of(tmp_path) == b""
        journal.append(PlayerDid(act="bet", position="seat/1"), source="player:1")
    assert verify_journal(tmp_path, journal.head) == []


def test_a_line_without_end_is_read_within_bounds(tmp_path: Path) -> None:
    data = small_journal(tmp_path)
    endless = data + b'{"hash":"' + b"0" * (3 * MAX_LINE) + b"\n"
    (tmp_path / "journal" / "events.jsonl").write_bytes(endless)
    (damage,) = verify_journal(tmp_path)
    assert damage.line == 4
    assert str(MAX_LINE) in damage.problem
    with pytest.raises(EvidenceDamaged, match="more than a crash"):
        Journal.open(tmp_path, lambda: 0)


def test_a_well_chained_record_of_unknown_kind_is_damage(tmp_path: Path) -> None:
    small_journal(tmp_path)
    deep = b"[" * 100_000
    for record in (b'{"seq":0}', b"{}", b"nonsense", b'{"seq":' + deep):
        digest = hashlib.sha256(b"0" * 64 + record).hexdigest()
        line = b'{"hash":"' + digest.encode() + b'","record":' + record + b"}\n"
        (tmp_path / "journal" / "events.jsonl").write_bytes(line)
        (damage,) = verify_journal(tmp_path)
        assert damage.line == 1
        assert "vocabulary" in damage.problem


LIMITED = """
import resource, sys
from pathlib import Path
from evidence.errors import RigFault
from evidence.events import LinkBytes
from evidence.journal import Journal
journal = Journal.create(Path(sys.argv[1]), lambda: 1)
resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))
event = LinkBytes(link="shoe", direction="rx", data="00" * 200)
try:
    while True:
        journal.append(event, source="bench:shoe")
except RigFault as error:
    print(error)
try:
    journal.attach(b"x" * 5000, "png")
except RigFault as error:
    print(error)
print(*journal.head)
"""


def test_a_full_disk_leaves_whole_records_only(tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, "-c", LIMITED, str(tmp_path)], capture_output=True, text=True, check=True)
    record, attachment, head = ran.stdout.splitlines()
    assert "no room for" in record
    assert "Free space" in record
    assert "no room for" in attachment
    seq, digest = head.split()
    assert int(seq) >= 0
    assert verify_journal(tmp_path, (int(seq), digest)) == []
    assert os.listdir(tmp_path / "journal" / "attachments") == []


def test_comparable_leaves_out_wall_clock_stamps_only(tmp_path: Path) -> None:
    small_journal(tmp_path / "a")
    small_journal(tmp_path / "b")
    a, b = list(read_journal(tmp_path / "a")), list(read_journal(tmp_path / "b"))
    assert [comparable(record) for record in a] == [comparable(record) for record in b]
    later = msgspec.structs.replace(a[0], mono_ns=1, utc="2001-01-01T00:00:00.000000Z")
    assert comparable(later) != comparable(a[0])
    assert comparable(later, "wall") == comparable(a[0], "wall")
    edge = Record(seq=0, mono_ns=1, utc="", source="", scenario="", event=events.LineSeen(line="s/e", level=1, at_ns=5))
    assert "at_ns" in typing.cast("dict[str, object]", comparable(edge)["event"])
    assert "at_ns" not in typing.cast("dict[str, object]", comparable(edge, "wall")["event"])
