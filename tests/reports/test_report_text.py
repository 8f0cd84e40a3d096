"""Text of devices and files is shown for what it is: nothing invisible, nothing that turns the line around."""

import html
import json
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.glyphs import faces_of
from reports.printable import NAME_WORD, breakable, printable, printable_tree
from reports.text import html_text, json_bytes, markdown_text, visible

INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("shoe\u202e7-S", "shoe<U+202E>7-S"),
        ("a\x1b[31mred", "a<U+001B>[31mred"),
        ("nul\x00", "nul<U+0000>"),
        ("two\nlines", "two<U+000A>lines"),
        ("zero\u200bwidth", "zero<U+200B>width"),
        ("\ud800", "<U+D800>"),
        ("Baraja española", "Baraja española"),
    ],
)
def test_what_cannot_be_seen_is_spelt_out(raw: str, shown: str) -> None:
    assert visible(raw) == shown


def test_no_text_breaks_a_line() -> None:
    assert visible("a\nb") == "a<U+000A>b"


def test_words_written_from_right_to_left_stand_isolated_and_cannot_reorder_what_follows() -> None:
    assert visible("Maker \u05d0\u05d1 \u05d2: 4 cards") == "Maker \u2068\u05d0\u05d1 \u05d2\u2069: 4 cards"
    assert visible("\u0639\u06312") == "\u2068\u0639\u0631\u20692"


def test_isolates_that_a_text_brings_itself_are_spelt_out() -> None:
    assert visible("a\u2067b\u2069") == "a<U+2067>b<U+2069>"
    assert visible("\u2068ab\u2069") == "<U+2068>ab<U+2069>"


@given(st.text(st.characters(max_codepoint=0x2FFF), max_size=60))
def test_what_is_visible_stays_as_it_is(raw: str) -> None:
    assert visible(visible(raw, 100), 4000) == visible(raw, 100)


def test_a_long_text_says_how_much_is_left_out() -> None:
    assert visible("x" * 305) == "x" * 300 + "… (+5 characters)"


def test_stacked_marks_are_cut_so_that_they_do_not_paint_over_other_lines() -> None:
    assert visible("a" + "\u0301" * 50) == "a" + "\u0301" * 3


@given(st.text(max_size=400))
def test_nothing_invisible_is_left_and_the_length_is_bounded(raw: str) -> None:
    shown = visible(raw, 100)
    bare = re.sub("\u2068([^\u2068\u2069]+)\u2069", r"\1", shown)
    assert not [letter for letter in bare if unicodedata.category(letter) in INVISIBLE]
    assert len(shown) <= 100 * len("<U+10FFFF>") + len("… (+300 characters)")


@given(st.text(max_size=200))
def test_html_text_holds_no_markup_and_reads_back_as_what_is_visible(raw: str) -> None:
    assert not set("<>\"'") & set(html_text(raw))
    assert html.unescape(html_text(raw)) == visible(raw)


@given(st.text(max_size=200))
def test_what_is_printed_is_in_the_fonts(raw: str) -> None:
    assert all(faces_of(letter) or letter in "\u2068\u2069" for letter in printable(raw))


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("שלום", "\u2068שלום\u2069"),
        ("天使カード 한국어 繁體", "天使カード 한국어 繁體"),
        ("हिन्दी ภาษาไทย ქართული Հայերեն", "हिन्दी ภาษาไทย ქართული Հայերեն"),
        ("η\u093f", "η<U+093F>"),
        ("\u0301a", "<U+0301>a"),
        ("\ua9c1", "<U+A9C1>"),
    ],
)
def test_other_scripts_are_printed_and_marks_only_on_letters_of_their_own(raw: str, shown: str) -> None:
    assert printable(raw) == shown


def test_plain_print_holds_nothing_but_ascii() -> None:
    assert printable("\u00e9 \u05d0", plain=True) == "<U+00E9> <U+2068><U+05D0><U+2069>"


def test_a_word_without_end_may_be_broken_and_loses_nothing() -> None:
    (printed,) = printable_tree(["W" * 500])
    assert printed.replace("\u200b", "") == "W" * 500
    assert max(map(len, printed.split("\u200b"))) <= 24


@given(st.recursive(st.text(max_size=20), lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=5), inner)))
def test_json_reads_back_the_same_and_holds_nothing_that_cannot_be_seen(value: object) -> None:
    told = json_bytes(value)
    assert json.loads(told) == value
    assert not [one for one in told.decode() if unicodedata.category(one) in INVISIBLE and one != "\n"]


@pytest.mark.parametrize(
    "hostile", ["<b>x</b>", "[a](https://example.net)", "| a |", "`x`", "# x", "![i](x)", "a_b_c*d*"]
)
def test_markdown_has_no_markup_of_a_foreign_text(hostile: str) -> None:
    told = markdown_text(hostile)
    assert re.sub(r"\\.", "", told).strip("!()abcdeghilmnopstx./: ") == ""


def test_a_letter_written_in_two_parts_is_printed_as_one() -> None:
    assert printable("e\u0301") == "é"


def test_a_name_is_shorter_and_says_how_much_is_left_out() -> None:
    shown = printable_tree({"firmware": "7" * 1_000_000, "reason": "7" * 1000})
    assert shown["firmware"].replace("\u200b", "") == "7" * 160 + "… (+999840 characters)"
    assert shown["reason"].replace("\u200b", "") == "7" * 1000


def test_a_digest_is_never_broken_so_that_it_can_be_copied() -> None:
    assert printable_tree({"sha256": "ab" * 32}) == {"sha256": "ab" * 32}


def test_data_is_made_printable_in_depth_and_keeps_its_shape() -> None:
    data = {"name\u202e": ["🃏", 3, None, {"deep": "\x07"}]}
    assert printable_tree(data) == {"name<U+202E>": ["<U+1F0CF>", 3, None, {"deep": "<U+0007>"}]}


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("protection_decided_by", ["protection_", "decided_", "by"]),
        ("hand/shoe:jam.twice-over", ["hand/", "shoe:", "jam.", "twice-", "over"]),
        ("as_short_as_it", ["as_short_as_it"]),
        ("x_" + "W" * 30, ["x_", "W" * 14, "W" * 14, "WW"]),
    ],
)
def test_a_long_name_is_broken_after_punctuation_first(name: str, parts: list[str]) -> None:
    assert breakable(name, NAME_WORD).split("\u200b") == parts
