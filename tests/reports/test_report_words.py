"""Every language says everything, with the same values in it, in letters that can be printed."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bench.faults
import reports.certificate.build as certificate_build
from bench.faults.proof import NOT_SHOWN
from evidence import events as e
from evidence.errors import UsageError
from reports.glyphs import faces_of
from reports.sentences import proof_told, sentence
from reports.wordbook import LANGUAGES, Wordbook, wordbook
from tests.reports.report_runs import example_of

OPTIONAL = {"word", "proof"}
"""Sections whose words stand as they are where a language has none for them."""
FAULTS = Path(bench.faults.__file__).parent


def texts_of(lang: str) -> Iterator[tuple[str, str, str]]:
    words = wordbook(lang)
    for section in words.sections():
        for key, text in words.section(section).items():
            yield section, key, text if isinstance(text, str) else " ".join(text)


def slots(text: str) -> list[str]:
    return sorted(re.findall(r"\{(\*|\w+)", text))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_says_the_same_things_of_the_same_values(lang: str) -> None:
    english = {(section, key): text for section, key, text in texts_of("en") if section not in OPTIONAL}
    other = {(section, key): text for section, key, text in texts_of(lang) if section not in OPTIONAL}
    assert set(english) == set(other)
    for place, text in other.items():
        assert slots(text) == slots(english[place]), place


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_word_can_be_printed(lang: str) -> None:
    for section, key, text in texts_of(lang):
        assert all(map(faces_of, text)), (section, key)


def test_the_languages_but_english_have_the_same_words_for_codes() -> None:
    assert set(wordbook("es").section("word")) == set(wordbook("it").section("word"))


def wordings() -> set[str]:
    """The sentences of the bench about what proves a fault: what `proven` and `missed` are called with."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in FAULTS.glob("proof*.py")]
    found = {NOT_SHOWN}
    for function in (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        assigned = [node for node in ast.walk(function) if isinstance(node, ast.Assign)]
        named = {(ast.unparse(one.targets[0]), one.lineno): one.value for one in assigned}
        for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
            if isinstance(call.func, ast.Attribute) and call.func.attr in ("proven", "missed") and len(call.args) > 1:
                said = call.args[1]
                earlier = [at for name, at in named if name == ast.unparse(said) and at < call.lineno]
                value = named[ast.unparse(said), max(earlier)] if earlier else said
                if isinstance(value, ast.Constant):
                    found.add(str(value.value))
    return found


@pytest.mark.parametrize("lang", ["es", "it"])
def test_every_proof_of_the_bench_is_said_in_every_language_with_its_values(lang: str) -> None:
    said = wordbook(lang).section("proof")
    assert set(said) == wordings()
    for wording, text in said.items():
        assert sorted(set(slots(text))) == sorted(set(slots(wording)))


def test_a_proof_is_told_in_the_language_of_the_report_and_an_unknown_one_as_it_was_recorded() -> None:
    wording: str = "The camera reads {label} at {place}."
    values: dict[str, int | float | str] = {"label": "7h", "place": "seat/{fault}"}
    proof = e.FaultProven(
        fault="nonstandard_card", target="pack", symptom="nonstandard_card", by=[3], means=wording.format(**values),
        wording=wording, values=values,
    )  # fmt: skip
    assert proof_told(proof, "en") == "The camera reads 7h at seat/{fault}."
    assert proof_told(proof, "es") == "La cámara lee 7h en seat/{fault}."
    assert "La telecamera legge 7h a seat/{fault}." in sentence(proof, "it")
    unknown = msgspec.structs.replace(proof, wording="Somebody saw {label}.", means="Somebody saw it.")
    assert proof_told(unknown, "es") == "Somebody saw it."


def test_every_word_of_the_templates_is_there() -> None:
    templates = Path(certificate_build.__file__).parent / "typst"
    used = {
        word
        for path in templates.glob("*.typ")
        for word in re.findall(r"(?<![\w.]|\")words\.(?!at\b|json\b)(\w+)", path.read_text(encoding="utf-8"))
    }
    assert used <= set(wordbook("en").section("certificate"))
    assert len(used) > 100


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", get_args(e.AnyEvent))
def test_every_event_has_a_sentence_in_every_language(kind: type[e.AnyEvent], lang: str) -> None:
    tag = str(kind.__struct_config__.tag)
    assert tag in wordbook(lang).section("event"), f"words/{lang}/events.toml lacks {tag!r}"
    told = sentence(example_of(kind), lang)
    assert told
    assert not {"\n", "{", "}", "[", "]"} & set(told)


def test_a_slot_of_every_event_names_a_field_of_it() -> None:
    fields = {str(kind.__struct_config__.tag): set(kind.__struct_fields__) for kind in get_args(e.AnyEvent)}
    for tag, text in wordbook("en").section("event").items():
        if tag in fields:
            assert set(slots(text)) <= fields[tag] | {"*", "counted", "players"}, tag


WORDS = Wordbook(
    "xx",
    {
        "word": {"jam": "Stau"},
        "noun": {"card": ["Karte", "Karten"]},
        "test": {"plain": "a {x} b"},
    },
)


@pytest.mark.parametrize(
    ("text", "values", "said"),
    [
        ("{s:word} {t:word}", {"s": "jam", "t": "two_words"}, "Stau two words"),
        ("{n:card}, {m:card}", {"n": 1, "m": 0}, "1 Karte, 0 Karten"),
        ("x[, code {c}][: {d}]", {"c": "", "d": "why"}, "x: why"),
        ("{b?yes|no|unknown}", {"b": True}, "yes"),
        ("{b?yes|no|unknown}", {"b": False}, "no"),
        ("{b?yes|no|unknown}", {"b": None}, "unknown"),
        ("{b?yes}", {"b": False}, ""),
        ("{by:#}", {"by": [3, 4]}, "#3, #4"),
        ("{f:.2f} {c:money}", {"f": 0.5, "c": 1050}, "0.50 10.50"),
        ("{verb}{*}", {"verb": "burn", "count": 2, "place": "", "face": "up"}, "burn count=2 face=up"),
        ("{list}", {"list": ["Ah", None]}, "Ah ?"),
    ],
)
def test_slots_are_filled_by_their_form(text: str, values: dict[str, object], said: str) -> None:
    assert WORDS.fill(text, values) == said


@given(st.text(max_size=30))
def test_a_value_is_never_taken_for_a_slot(hostile: str) -> None:
    assert WORDS.say("test", "plain", x=hostile) == f"a {hostile} b"
    assert WORDS.say("test", "plain", x="{x}[{y}]{*}") == "a {x}[{y}]{*} b"


def test_a_language_there_is_none_of_is_refused() -> None:
    with pytest.raises(UsageError, match="language 'fr': expected one of en, es, it"):
        wordbook("fr")
