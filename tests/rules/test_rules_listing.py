"""`cardcert rules list`, `show` and `check`: all that a script or a pack's author wants to know of clauses."""

import json
from pathlib import Path

import pytest

from cardcert.__main__ import main
from rules.loader import load_packs
from rules.showing import HEADINGS, show_clause_text, show_pack_text, written
from tests.rules.pack_mistakes import FILES

PACKS = load_packs()
LANGUAGES = ("en", "es", "it")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = tmp_path / "XX-1"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def shown(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    assert main(["rules", *words]) == status
    told = capsys.readouterr()
    return told.err if status else told.out


def test_a_script_finds_every_clause_of_every_pack(capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(shown(capsys, "list", "--json"))
    assert [row["id"] for row in rows] == [clause.id for pack in PACKS for clause in pack.clauses]
    assert len({row["id"] for row in rows}) == len(rows)
    for row in rows:
        assert set(row) >= {"id", "pack", "citation", "meaning", "alternatives", "policies", "requirements"}
        assert row["id"].startswith(f"{row['pack']}.")
        assert row["text_language"] in row["languages"]
        assert set(row["languages"]) == set(row["meaning"]) == set(LANGUAGES)
        assert row["citation"]
        assert row["requirements"]
        for requirement in row["requirements"]:
            assert set(requirement["duty"]) == set(LANGUAGES)


def test_the_rows_of_a_clause_say_what_the_clause_says(capsys: pytest.CaptureFixture[str]) -> None:
    rows = {row["id"]: row for row in json.loads(shown(capsys, "list", "--json"))}
    for pack in PACKS:
        for clause in pack.clauses:
            row = rows[clause.id]
            assert row["alternatives"] == [one.id for one in clause.alternatives]
            assert row["policies"] == list(clause.policies)
            told = [(one["id"], one["needs_input"], one["needs_ruling"]) for one in row["requirements"]]
            assert told == [(one.id, [*one.needs_input], [*one.needs_ruling]) for one in clause.requirements]


def test_one_pack_alone_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(shown(capsys, "list", "--pack", "SD-BJ-28", "--json"))
    assert {row["pack"] for row in rows} == {"SD-BJ-28"}
    assert "unknown clause pack 'SD-BJ-29'. Did you mean 'SD-BJ-28'?" in shown(
        capsys, "list", "--pack", "SD-BJ-29", status=2
    )


def test_written_to_a_file_each_clause_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(shown(capsys, "list", "--json"))
    told = shown(capsys, "list").splitlines()
    assert [line.split(" ")[0] for line in told[1:-1]] == [row["id"] for row in rows]
    assert all(row["meaning"]["en"] in line for row, line in zip(rows, told[1:-1], strict=True))


def test_a_pack_of_one_s_own_is_listed_beside_the_others(capsys: pytest.CaptureFixture[str], own: Path) -> None:
    rows = json.loads(shown(capsys, "list", "--folder", str(own), "--json"))
    assert {row["pack"] for row in rows} == {"XX-1", *(pack.id for pack in PACKS)}
    text = shown(capsys, "list", "--folder", str(own), "--pack", "XX-1", "--lang", "es")
    assert "Un atasco termina la ronda." in text
    assert text.splitlines()[-1] == "2 clauses, 4 requirements, 1 pack"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_clause_can_be_read_in_every_language(language: str) -> None:
    for pack in PACKS:
        assert pack.id in show_pack_text(pack, language)
        for clause in pack.clauses:
            text = " ".join(show_clause_text(pack, clause, language).split())
            assert " ".join(clause.meaning[language].split()) in text
            for requirement in clause.requirements:
                assert " ".join(requirement.duty[language].split()) in text
                for pattern in requirement.patterns():
                    assert " ".join(written(pattern).split()) in text
            for alternative in clause.alternatives:
                assert f" {alternative.id} " in text
            for policy in clause.policies:
                assert f" {policy} " in text


def test_every_language_has_the_same_headings() -> None:
    assert set(HEADINGS) == set(LANGUAGES)
    assert len({frozenset(words) for words in HEADINGS.values()}) == 1


def test_a_clause_is_shown_as_text_or_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "show", "SD-BJ-28.4", "--lang", "it")
    assert "predefinito" in text
    assert "stray_draw: phase = dealer, stands = true" in text
    assert "l'operatore dà" in text
    data = json.loads(shown(capsys, "show", "SD-BJ-28.4", "--json"))
    assert [one["id"] for one in data["requirements"]] == ["burned", "not_in_hand"]
    assert data["policies"][0]["default"] == "burned"


def test_a_pack_is_shown_with_its_note_and_its_digest(capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(shown(capsys, "show", "SD-BJ-28").split())
    assert "is not their official wording" in text
    data = json.loads(shown(capsys, "show", "SD-BJ-28", "--json"))
    assert f"sha256 {data['sha256']}" in text
    assert data["note"]["es"].startswith("Este paquete")


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("show", "28.4"), "there is no clause '28.4'. Did you mean SD-BJ-28.4?"),
        (("show", "SD-BJ-28.3.d"), "Did you mean SD-BJ-28.3."),
        (("show", "quite another thing"), "`cardcert rules list` shows those there are."),
        (("show", "SD-BJ-28.4", "--lang", "fr"), "nothing is shown in 'fr'. Choose one of: en, es, it."),
        (("list", "--lang", "IT"), "nothing is shown in 'IT'. Did you mean 'it'?"),
        (("check", "SD-BJ-29"), "there is no such folder"),
    ],
)
def test_what_is_not_there_is_answered_with_what_is(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], hint: str
) -> None:
    assert hint in shown(capsys, *words, status=2)


def test_text_in_a_language_that_a_pack_lacks_is_shown_in_english(
    capsys: pytest.CaptureFixture[str], own: Path
) -> None:
    text = shown(capsys, "show", "XX-1.a", "--folder", str(own), "--lang", "it")
    assert "Questo pacchetto non ha testo in questa lingua" in text
    assert "A jam ends the round." in text


def test_a_sound_pack_is_checked_by_folder_or_by_id(capsys: pytest.CaptureFixture[str], own: Path) -> None:
    (row,) = json.loads(shown(capsys, "check", str(own), "--json"))
    assert (row["pack"], row["clauses"], row["requirements"], row["alternatives"]) == ("XX-1", 2, 4, 2)
    (row,) = json.loads(shown(capsys, "check", "SD-BJ-28", "--json"))
    assert row["pack"] == "SD-BJ-28"
    assert [row["pack"] for row in json.loads(shown(capsys, "check", "--json"))] == [pack.id for pack in PACKS]


def test_what_a_foreign_pack_says_cannot_write_on_the_terminal(capsys: pytest.CaptureFixture[str], own: Path) -> None:
    text = FILES["clauses.toml"].replace("A jam ends the round.", "A \\u001b[2J\\u202e jam")
    (own / "clauses.toml").write_text(text, encoding="utf-8")
    for words in (("show", "XX-1.a"), ("list", "--pack", "XX-1"), ("show", "XX-1")):
        told = shown(capsys, *words, "--folder", str(own))
        assert "\x1b" not in told
        assert "\u202e" not in told
        assert "<U+202E>" in told
