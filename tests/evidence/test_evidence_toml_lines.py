"""A mistake in a TOML file is named with its line, however the file is written."""

import tomllib
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.errors import UsageError
from evidence.tomlfile import find_line, load_toml, parse_toml
from evidence.tomllines import entry_lines, nearest_line

DOCUMENT = '''\
title = "x"   # not [a.table]
"quoted key" = 1
text = """
[not.a.table]
key = 1
"""
literal = \'\'\'
a = "
\'\'\'
list = [
    1, # one
    "two, [", { three = 3,
        four = [4] },
]
when = 1979-05-27 07:32:00

[[clause]]
id = "one"
meaning.en = "first"
meaning.es = "primero"
[[clause.requirement]]
id = "a"
trigger = { fact = "f", when = { p = "v" } }
[[clause.requirement]]
id = "b"

[[clause]]
id = "two"
[clause.meaning]
en = "second"
[[clause.requirement]]
id = "c"
[other.table]
last = true
'''


@pytest.mark.parametrize(
    ("where", "starts"),
    [
        ("$.title", "title"),
        ("$.text", "text"),
        ("$.literal", "literal"),
        ("$.list[0]", "    1"),
        ("$.list[1]", '    "two'),
        ("$.list[2].three", '    "two'),
        ("$.list[2].four[0]", "        four"),
        ("$.when", "when"),
        ("$.clause[0].meaning.es", "meaning.es"),
        ("$.clause[0].requirement[0].trigger.when.p", "trigger"),
        ("$.clause[0].requirement[1].id", 'id = "b"'),
        ("$.clause[1].meaning.en", 'en = "second"'),
        ("$.clause[1].meaning", "[clause.meaning]"),
        ("$.clause[1].requirement[0].id", 'id = "c"'),
        ("$.clause[1].requirement[0].missing", None),
        ("$.other.table.last", "last"),
    ],
)
def test_each_entry_is_found_where_it_stands(where: str, starts: str | None) -> None:
    lines = DOCUMENT.splitlines()
    line = find_line(DOCUMENT, where)
    if starts is None:  # what is not written is looked for where it should be
        assert line == lines.index('id = "c"')
        return
    assert line is not None
    assert lines[line - 1].startswith(starts)


def test_nothing_is_named_for_nothing() -> None:
    assert find_line(DOCUMENT, "$") is None
    assert find_line("", "$.a") is None
    assert nearest_line("a = 1", ("b", "c")) is None


KEYS = st.sampled_from(["id", "meaning", "a-b", "x1", '"odd, key ="'])
SCALARS = st.sampled_from(['"a = [b]"', "'# no'", "17", "-1.5", "true", '"""one\ntwo = 2"""', "1979-05-27T07:32:00Z"])
SPACES = st.sampled_from(["", " ", "  # a remark = [1]\n", "\n", "\r\n"])


class Writer:
    """Writes a document by random choices and keeps the line of all that it writes."""

    def __init__(self, data: st.DataObject) -> None:
        self.text = ""
        self.lines: dict[tuple[str | int, ...], int] = {}
        self._data = data

    def here(self) -> int:
        return self.text.count("\n") + 1

    def table(self, path: tuple[str | int, ...], deep: int) -> None:
        for key in self._data.draw(st.lists(KEYS, unique=True, max_size=4)):
            self.note((*path, key))
            self.text += f"{key} = "
            self.value((*path, key.strip('"')), deep)
            self.text += "\n"

    def note(self, path: tuple[str | int, ...]) -> None:
        self.lines[tuple(step.strip('"') if isinstance(step, str) else step for step in path)] = self.here()

    def value(self, path: tuple[str | int, ...], deep: int) -> None:
        kind = self._data.draw(st.sampled_from(["scalar", "list", "inline"] if deep else ["scalar"]))
        if kind == "scalar":
            self.text += self._data.draw(SCALARS)
        elif kind == "list":
            self.text += "["
            for n in range(self._data.draw(st.integers(0, 3))):
                self.text += ("," if n else "") + self._data.draw(SPACES)
                self.note((*path, n))
                self.value((*path, n), deep - 1)
                self.text += self._data.draw(SPACES)
            self.text += self._data.draw(SPACES) + "]"
        else:
            self.text += "{ "
            for n, key in enumerate(self._data.draw(st.lists(KEYS, unique=True, max_size=3))):
                self.text += ", " if n else ""
                self.note((*path, key))
                self.text += f"{key} = "
                self.value((*path, key.strip('"')), deep - 1)
            self.text += " }"


@given(st.data())
def test_every_entry_of_any_document_is_found(data: st.DataObject) -> None:
    writer = Writer(data)
    writer.table((), 3)
    for n in range(data.draw(st.integers(0, 3))):
        writer.lines.setdefault(("rule",), writer.here())
        writer.lines["rule", n] = writer.here()
        writer.text += "[[rule]]\n"
        writer.table(("rule", n), 2)
        for m in range(data.draw(st.integers(0, 2))):
            writer.lines.setdefault(("rule", n, "part"), writer.here())
            writer.lines["rule", n, "part", m] = writer.here()
            writer.text += "[[ rule . part ]]\n"
            writer.table(("rule", n, "part", m), 1)
    tomllib.loads(writer.text)
    assert entry_lines(writer.text) == writer.lines


@given(st.text(alphabet="a=[]{},.\"'\\#\n \r", max_size=60))
def test_no_text_breaks_the_scanner(text: str) -> None:
    lines = entry_lines(text)
    assert all(1 <= line <= text.count("\n") + 1 for line in lines.values())


@pytest.mark.parametrize("part", ["a", '"a"', "'a' ", '"\\""'])
def test_a_key_without_end_is_refused_before_it_is_read(part: str) -> None:
    with pytest.raises(UsageError, match=r"x\.toml:2: .*over 50 parts"):
        parse_toml(Path("x.toml"), f"b = 1\n{'.'.join([part] * 100_000)} = 1", "plan")
    assert parse_toml(Path("x.toml"), f"{'.'.join([part] * 40)} = 1", "plan")


def test_a_number_of_more_digits_than_python_reads_is_refused() -> None:
    with pytest.raises(UsageError, match="shorter number"):
        parse_toml(Path("long.toml"), f"a = {'9' * 6000}", "plan")


def test_brackets_without_end_are_refused_and_break_nothing() -> None:
    text = "a = " + "[" * 100_000
    with pytest.raises(UsageError, match="brackets within brackets"):
        parse_toml(Path("x.toml"), text, "plan")
    assert entry_lines(text)["a",] == 1


class Shape(msgspec.Struct, forbid_unknown_fields=True):
    number: int


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"\nnumber = 'x'\n", r"x.toml:2: .*Expected `int`"),
        (b"number = 1\n\nnumber = 2\n", r"x.toml:\d+: not a valid TOML"),
        (b"number = 1\n# \xff\n", r"x.toml:2: .*not UTF-8 \(byte 13\)"),
        (b"number = 1\ncolour = 2\n", r"x.toml:2: .*unknown field `colour`"),
    ],
)
def test_a_bad_file_is_named_with_its_line(tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=told):
        load_toml(path, Shape, "thing")


def test_a_folder_in_the_place_of_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no plain file"):
        load_toml(tmp_path, Shape, "thing")
