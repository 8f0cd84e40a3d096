"""Every fact can be said in every language, whatever its attributes, and every verdict has its sentence in each."""

import re
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rules
from evidence.errors import UsageError
from rules.judge import judge
from rules.sentences import NOTHING
from rules.speech import Speech, Telling, reasons
from rules.verdicts import Outcome
from rules.vocabulary import FACTS, Attribute, Fact, FactKind
from rules.vocabulary.kinds import FLAG, TEXT, text
from rules.wordcheck import combinations, find_problems, frame_slots
from rules.wordfile import LANGUAGES, Words, load_words, read_words
from tests.rules.pai_gow_script import wrong_stack
from tests.rules.stud_script import exposed_hole_card
from tests.rules.table_script import PACKS

SOURCE = Path(rules.__file__).parent


def stated(name: str, **attributes: str | int | bool | None) -> Fact:
    return Fact(name=name, attributes=attributes, at=7, seq=7, evidence=())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fact_has_words_for_all_that_it_can_be(language: str) -> None:
    problems = find_problems(load_words(language), FACTS)
    assert not problems, "\n\n".join(problems)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", FACTS)
def test_every_fact_becomes_a_clause_in_every_language(name: str, language: str) -> None:
    words = load_words(language)
    assert name in words.facts, "the test above says what to add"
    speech = Speech(words)
    for attributes in combinations(FACTS[name], words.facts[name]):
        said = speech.fact(Fact(name=name, attributes=attributes, at=1, seq=1, evidence=()))
        assert said == said.strip(), attributes
        assert not re.search(r"[{}]|  |\.$| [,;:.]|_|\bNone\b|\bTrue\b|\bFalse\b", said), (said, attributes)


def test_the_languages_say_different_things() -> None:
    """A sentence that was left in English shows."""
    said = {one: {name: words.facts[name].variants for name in words.facts} for one, words in all_words().items()}
    for name in said["en"]:
        first = [said[one].get(name) for one in LANGUAGES]
        alike = [name for one in (1, 2) if first[0] == first[one]]
        # Sentences that are made of slots alone are said by the tables.
        literal = any(isinstance(piece, str) and piece.strip() for one in first[0] or () for piece in one.says)
        assert not (alike and literal and name != "floor_ruled"), name


def all_words() -> dict[str, Words]:
    return {one: load_words(one) for one in LANGUAGES}


def test_the_frames_of_every_language_speak_of_the_same_things() -> None:
    english = load_words("en").frames
    for language in ("es", "it"):
        frames = load_words(language).frames
        assert set(frames) == set(english)
        for name, frame in frames.items():
            assert frame_slots(frame) == frame_slots(english[name]), (language, name)


def test_every_frame_that_the_judge_uses_is_there() -> None:
    used = set()
    for path in SOURCE.glob("*.py"):
        used |= set(re.findall(r'Telling\(\s*"([a-z_]+)"', path.read_text(encoding="utf-8")))
    assert {"late", "no_verdict", "ended", "another_device"} - used <= {"ended"}
    assert used - {"fact"} <= set(load_words("en").frames)


@pytest.mark.parametrize("language", LANGUAGES)
def test_tables_of_a_language_speak_of_attributes_and_of_one_another(language: str) -> None:
    """Nothing in the common words is left over from what once was."""
    words = load_words(language)
    asked = {slot.table for entry in words.facts.values() for one in entry.variants for slot in slots(one.says)}
    asked |= {slot.table for entry in words.facts.values() for table in entry.tables.values() for slot in within(table)}
    asked |= {slot.table for frame in words.frames.values() for slot in slots(frame)}
    asked |= {slot.table for table in words.tables.values() for slot in within(table)}
    assert set(words.tables) <= asked


def slots(pieces: Iterable[object]) -> list[rules.wordfile.Slot]:
    return [piece for piece in pieces if isinstance(piece, rules.wordfile.Slot)]


def within(table: rules.wordfile.Table) -> list[rules.wordfile.Slot]:
    return [slot for said in table.values() for slot in slots(said)]


# --- what the check finds --------------------------------------------------------------------------------------------

KIND = FactKind("Something happened.", {"colour": text("red", "blue"), "seen": FLAG, "note": TEXT})
GOOD = """
[fact.thing]
says = "a {colour} thing, {seen}{note}"
seen = { true = "seen", false = "not seen", unknown = "perhaps" }
[table.colour]
red = "red"
blue = "blue"
"""


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("[fact.thing]", "[fact.other]", "has no sentence. Add to a file there"),
        ("[fact.thing]", "[fact.other]", "there is no such fact"),
        ('blue = "blue"', "", r"no words for 'blue' of colour"),
        (', unknown = "perhaps"', "", r"no words for 'unknown' of seen"),
        ("{note}", "{nose}", r"\{nose\} is no attribute. It has: colour, seen, note"),
        ("{note}", "{note:nowhere}", r"there is no table 'nowhere'"),
        ("[table.colour]", "[table.hue]", r"colour needs words for its values. Add a table 'colour' with red, blue"),
        ("{seen}", "", "nothing uses its table 'seen'"),
        ('red = "red"', 'red = "{colour}"', "comes back to itself"),
        (
            'says = "a {colour} thing, {seen}{note}"',
            'says = [{ when = { colour = "red" }, says = "{seen}" }]',
            "the last variant has a `when`",
        ),
        (
            'says = "a {colour} thing, {seen}{note}"',
            'says = [{ when = { colour = "green" }, says = "{seen}" }, { says = "{colour}" }]',
            "colour = 'green', which cannot be",
        ),
    ],
)
def test_the_check_says_what_to_add(tmp_path: Path, old: str, new: str, problem: str) -> None:
    (tmp_path / "a.toml").write_text(GOOD, encoding="utf-8")
    assert find_problems(read_words(tmp_path, "en"), {"thing": KIND}) == []
    assert old in GOOD
    (tmp_path / "a.toml").write_text(GOOD.replace(old, new), encoding="utf-8")
    assert any(re.search(problem, one) for one in find_problems(read_words(tmp_path, "en"), {"thing": KIND}))


def test_words_are_read_from_all_files_of_a_folder_and_none_twice(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('[table.act]\none = "first"\n', encoding="utf-8")
    (tmp_path / "b.toml").write_text('[table.act]\ntwo = "second"\n', encoding="utf-8")
    assert set(read_words(tmp_path, "en").tables["act"]) == {"one", "two"}
    (tmp_path / "b.toml").write_text('[table.act]\none = "second"\n', encoding="utf-8")
    with pytest.raises(UsageError, match=r"b\.toml: word catalogue: table\.act\.one stands twice"):
        read_words(tmp_path, "en")


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(UsageError, match="en, es, it"):
        load_words("de")


# --- what is said ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "the dealing shoe “S2” jammed during a round of play without saying so"),
        ("es", "el zapato «S2» se atascó durante una ronda de juego sin decirlo"),
        ("it", "il sabot «S2» si è inceppato durante una mano senza dirlo"),
    ],
)
def test_a_fact_is_said_with_the_grammar_of_its_language(language: str, expected: str) -> None:
    jam = stated(
        "device_irregularity", device="S2", role="shoe", symptom="jam", during="round", basis="proven", silent=True,
        recovered=False,
    )  # fmt: skip
    assert Speech(load_words(language)).fact(jam) == expected


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "the table software's order to collect the cards from seat 3 to the discard rack {}"),
        (
            "es",
            "la orden del programa de mesa de recoger las cartas del asiento 3 y llevarlas al anaquel de descarte {}",
        ),
        (
            "it",
            "l'ordine del software del tavolo di raccogliere le carte dal posto 3 e portarle nel portascarti {}",
        ),
    ],
)
def test_an_order_is_said_with_what_it_names(language: str, expected: str) -> None:
    blank: dict[str, str | int | bool | None] = {
        name: False if form == FLAG else 0 if form.kind == "number" else ""
        for name, form in FACTS["carried_out"].attributes.items()
    }
    done = {**blank, "verb": "collect", "position": "seat/3", "to": "discard_rack", "outcome": "done"}
    outcome = {"en": "was carried out", "es": "se cumplió", "it": "è stato eseguito"}[language]
    assert Speech(load_words(language)).fact(stated("carried_out", **done)) == expected.format(outcome)


@given(st.text(max_size=200))
def test_what_a_foreign_party_wrote_is_shown_and_never_understood(hostile: str) -> None:
    for words in all_words().values():
        said = Speech(words).fact(stated("announced", phrase=hostile))
        assert "\n" not in said
        assert len(said) < 120
    said = Speech(load_words("en")).fact(stated("announced", phrase="{phrase}{device:role} {?x}"))
    assert said == "the dealer announced “{phrase}{device:role} {?x}”"


def test_a_fact_without_words_is_named_rather_than_hidden() -> None:
    assert "new_fact" in Speech(load_words("es")).fact(stated("new_fact"))


def values(form: Attribute) -> st.SearchStrategy[str | int | bool | None]:
    if form.values:
        return st.sampled_from([*form.values, None])
    if form.kind == "flag":
        return st.booleans() | st.none()
    return st.integers() | st.none() if form.kind == "number" else st.text(max_size=20) | st.none()


@given(st.sampled_from(sorted(FACTS)), st.data())
def test_nothing_that_a_fact_can_hold_silences_its_sentence(name: str, data: st.DataObject) -> None:
    kind = FACTS[name]
    attributes = {one: data.draw(values(form)) for one, form in kind.attributes.items()}
    for words in all_words().values():
        assert Speech(words).fact(Fact(name=name, attributes=attributes, at=1, seq=1, evidence=()))


def test_a_verdict_has_its_sentence_in_every_language_and_its_reason_in_the_one_asked_for() -> None:
    story = exposed_hole_card("up")
    story.end()
    for language in LANGUAGES:
        for verdict in judge(story.records, list(PACKS.values()), language=language):
            assert set(verdict.reasons) == set(LANGUAGES)
            assert verdict.reason == verdict.reasons[language]
            assert len(set(verdict.reasons.values())) == len(LANGUAGES)


def test_only_the_reason_of_a_verdict_depends_on_the_language() -> None:
    story = wrong_stack(8)
    story.end()
    found = [
        [
            msgspec.structs.replace(one, reason="")
            for one in judge(story.records, list(PACKS.values()), language=language)
        ]
        for language in LANGUAGES
    ]
    assert found[0] == found[1] == found[2]
    assert any(one.verdict is Outcome.FAIL for one in found[0])


def test_a_sentence_begins_with_a_capital_and_ends_with_one_full_stop() -> None:
    ended = Telling("ended_saying", values={"status": "rig_fault", "said": "the cable broke"})
    for told in (NOTHING, Telling("no_verdict", parts={"why": (ended,)})):
        for said in reasons(told).values():
            assert said[0].isupper()
            assert re.search(r"[^.]\.$", said)
