"""Every mistake that a pack's author can make is told with file, line, what is wrong and how to mend it."""

import json
import os
from pathlib import Path

import jsonschema
import pytest

from cardcert.__main__ import main
from evidence.tomlfile import MAX_BYTES, parse_toml
from rules.loader import load_pack
from rules.mistakes import MOST, PackMistakes
from rules.schema import pack_schema
from tests.rules.pack_mistakes import CLAUSES, FILES, HEAD, Spoilt, all_mistakes

ALL = all_mistakes()


def write(folder: Path, files: dict[str, str] = FILES) -> Path:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def line_of(text: str, needle: str) -> int:
    return text.count("\n", 0, text.index(needle)) + 1


def mistakes_of(folder: Path) -> PackMistakes:
    with pytest.raises(PackMistakes) as caught:
        load_pack(folder)
    return caught.value


def test_the_pack_is_sound_before_it_is_spoilt(tmp_path: Path) -> None:
    pack = load_pack(write(tmp_path / "XX-1"))
    assert [clause.id for clause in pack.clauses] == ["XX-1.a", "XX-1.b"]
    assert len({spoilt.name for spoilt in ALL}) == len(ALL) > 80


@pytest.mark.parametrize("spoilt", ALL, ids=lambda spoilt: spoilt.name)
def test_a_mistake_is_told_with_its_line_and_remedy(tmp_path: Path, spoilt: Spoilt) -> None:
    error = mistakes_of(write(tmp_path / "XX-1", spoilt.files()))
    file, line = str(tmp_path / "XX-1" / spoilt.file), spoilt.line()
    place = f"{file}:{line}: " if line else f"{file}: "
    told = [one for one in error.lines if spoilt.told in one]
    assert told, error.lines
    assert told[0].startswith(place), (place, told[0])
    assert spoilt.remedy in told[0].split(spoilt.told)[1], told[0]
    (mistake,) = [one for one in error.mistakes if str(one) == told[0]]
    assert (mistake.file, mistake.line) == (file, line)


@pytest.mark.parametrize("spoilt", [one for one in ALL if one.schema], ids=lambda spoilt: spoilt.name)
def test_an_editor_sees_what_is_wrong_with_one_entry(tmp_path: Path, spoilt: Spoilt) -> None:
    schema = pack_schema("pack" if spoilt.file == "pack.toml" else "clauses")
    data = parse_toml(tmp_path, spoilt.files()[spoilt.file], "pack")
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, schema)


def test_an_input_of_its_own_is_told_of_by_the_pack(tmp_path: Path) -> None:
    told = '[[input]]\nid = "odds"\nmeaning = { en = "The odds.", es = "Las proporciones." }\n[[policy]]'
    needed = 'id = "size"\nneeds_input = ["odds", "house_way"]'
    files = {
        "pack.toml": HEAD.replace("[[policy]]", told, 1),
        "clauses.toml": CLAUSES.replace('id = "size"', needed),
    }
    assert load_pack(write(tmp_path / "XX-1", files)).inputs["odds"]["en"] == "The odds."


def lay(folder: Path, what: str) -> str:
    """Spoils a folder as a whole; returns the name of the file that is to be told of."""
    more = folder / "more.toml"
    match what:
        case "no pack.toml":
            (folder / "pack.toml").unlink()
            return "pack.toml"
        case "a link":
            more.symlink_to("/etc/hostname")
        case "a link for pack.toml":
            (folder / "pack.toml").rename(folder / "real.txt")
            (folder / "pack.toml").symlink_to(folder / "real.txt")
            return "pack.toml"
        case "a folder for a file":
            more.mkdir()
        case "a pipe":
            os.mkfifo(more)
        case "too large":
            more.write_bytes(b"#" * (MAX_BYTES + 1))
        case "not UTF-8":
            more.write_bytes(b"# caf\xe9")
        case "a byte order mark":
            more.write_bytes(b"\xef\xbb\xbfpolicy = []")
        case "without end":
            more.write_text("a = " + "[" * 50_000, encoding="utf-8")
        case "a folder within":
            (folder / "within").mkdir()
            (folder / "within" / "clauses.toml").touch()
            return "within"
        case "an ending in capitals":
            (folder / "more.TOML").touch()
            return "more.TOML"
        case "too many files":
            for n in range(101):
                (folder / f"{n}.txt").touch()
            return ""
        case _:
            raise ValueError(what)
    return "more.toml"


@pytest.mark.parametrize(
    ("what", "told", "remedy"),
    [
        ("no pack.toml", "there is none", "Write one"),
        ("a link", "a symbolic link is not followed", "Copy the file itself"),
        ("a link for pack.toml", "a symbolic link is not followed", "Copy the file itself"),
        ("a folder for a file", "no plain file", "Lay a file in its place."),
        ("a pipe", "no plain file", "Lay a file in its place."),
        ("too large", "of over 4194304 bytes is refused", "Split it"),
        ("not UTF-8", ":1: clause pack: this clause pack is not UTF-8 (byte 5)", "Save it as UTF-8."),
        ("a byte order mark", ":1: ", "Save it as UTF-8 without a byte order mark."),
        ("without end", "brackets within brackets without end", "Close them."),
        ("a folder within", "files in a folder within are not read", "Lay them beside pack.toml."),
        ("an ending in capitals", "the ending '.TOML' is not read", "End the name in .toml."),
        ("too many files", "over 100 files", "A pack is a folder of its own"),
    ],
)
def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, what: str, told: str, remedy: str) -> None:
    folder = write(tmp_path / "XX-1")
    name = lay(folder, what)
    (line,) = mistakes_of(folder).lines
    assert line.startswith(str(folder / name))
    assert told in line
    assert remedy in line.split(told)[1]


@pytest.mark.parametrize(("name", "told"), [("nowhere", "there is no such folder"), ("file", "this is a file")])
def test_what_is_no_folder_is_told(tmp_path: Path, name: str, told: str) -> None:
    (tmp_path / "file").touch()
    (line,) = mistakes_of(tmp_path / name).lines
    assert line == f"{tmp_path / name}: clause pack: {told}. Name the folder that holds the pack's pack.toml."


def test_a_pack_without_a_clause_is_told(tmp_path: Path) -> None:
    head = HEAD[: HEAD.index("[[policy]]")]
    (line,) = mistakes_of(write(tmp_path / "XX-1", {"pack.toml": head})).lines
    assert line.endswith("pack 'XX-1' has no clause. Add a [[clause]].")


def test_mistakes_of_all_files_are_told_at_once_in_the_order_of_the_lines(tmp_path: Path) -> None:
    spoilt = CLAUSES.replace('role = "shoe"', 'role = "shop"').replace('"stack_counted"', '"stack_cuonted"')
    spoilt = spoilt.replace("index = { at_least = 1 }", "index = { atleast = 1 }").replace('en = "It jams."', 'en = ""')
    head = HEAD.replace('default = "strict"', 'default = "stricter"').replace("2025-01-31", "2025-01-32")
    error = mistakes_of(write(tmp_path / "XX-1", {"pack.toml": head, "clauses.toml": spoilt}))
    found = [(Path(one.file).name, one.line) for one in error.mistakes]
    lines = [line_of(spoilt, wrong) for wrong in ("shop", 'en = ""', "atleast", "cuonted")]
    heads = [("pack.toml", line_of(head, "01-32")), ("pack.toml", line_of(head, "stricter"))]
    assert found == [*heads, *(("clauses.toml", line) for line in lines)]


def test_one_mistake_is_told_once_and_brings_no_others_with_it(tmp_path: Path) -> None:
    files = {**FILES, "pack.toml": HEAD.replace('meaning.en = "How it is meant."', 'meaning.en = ""')}
    (mistake,) = mistakes_of(write(tmp_path / "XX-1", files)).mistakes
    assert mistake.where == "policy[0].meaning.en"


def test_no_more_mistakes_are_told_than_one_can_read(tmp_path: Path) -> None:
    files = {**FILES, "more.toml": "".join(f"a{n} = 1\n" for n in range(1000))}
    assert len(mistakes_of(write(tmp_path / "XX-1", files)).mistakes) == MOST


def test_the_command_tells_each_mistake_on_a_line_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hostile = {"clauses.toml": CLAUSES.replace('"stack_counted"', '"a\\u001b[2J\\nb"').replace('"shoe"', '"shop"')}
    folder = write(tmp_path / "XX-1", {**FILES, **hostile})
    assert main(["rules", "check", str(folder)]) == 2
    told = capsys.readouterr().err.splitlines()
    assert [line.split(": ")[1].rpartition("/")[2] for line in told] == [
        f"clauses.toml:{line_of(CLAUSES, was)}" for was in ('role = "shoe"', "stack_counted")
    ]
    assert all(character.isprintable() for line in told for character in line)


def test_a_script_gets_the_mistakes_as_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write(tmp_path / "XX-1", {**FILES, "pack.toml": HEAD.replace("2025-01-31", "soon")})
    assert main(["rules", "check", str(folder), "--json"]) == 2
    (mistake,) = json.loads(capsys.readouterr().out)["mistakes"]
    assert (mistake["file"], mistake["line"], mistake["where"]) == (str(folder / "pack.toml"), 7, "pack_date")
    assert (mistake["problem"], mistake["remedy"]) == ("'soon' is no day", "Write it as YYYY-MM-DD.")
