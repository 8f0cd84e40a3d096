"""Text of devices and files is shown for what it is: nothing invisible, nothing that turns the line around."""

import html
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.certificate.printable import PRINTABLE, printable, printable_tree
from reports.text import html_text, visible

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


def test_a_long_text_says_how_much_is_left_out() -> None:
    assert visible("x" * 305) == "x" * 300 + "… (+5 characters)"


def test_stacked_marks_are_cut_so_that_they_do_not_paint_over_other_lines() -> None:
    assert visible("a" + "\u0301" * 50) == "a" + "\u0301" * 3


@given(st.text(max_size=400))
def test_nothing_invisible_is_left_and_the_length_is_bounded(raw: str) -> None:
    shown = visible(raw, 100)
    assert not [letter for letter in shown if unicodedata.category(letter) in INVISIBLE]
    assert len(shown) <= 100 * len("<U+10FFFF>") + len("… (+300 characters)")


@given(st.text(max_size=200))
def test_html_text_holds_no_markup_and_reads_back_as_what_is_visible(raw: str) -> None:
    assert not set("<>\"'") & set(html_text(raw))
    assert html.unescape(html_text(raw)) == visible(raw)


@given(st.text(max_size=200))
def test_what_is_printed_is_in_the_fonts(raw: str) -> None:
    assert set(printable(raw)) <= PRINTABLE


def test_a_letter_written_in_two_parts_is_printed_as_one() -> None:
    assert printable("e\u0301") == "é"


def test_data_is_made_printable_in_depth_and_keeps_its_shape() -> None:
    data = {"name\u202e": ["牌", 3, None, {"deep": "\x07"}]}
    assert printable_tree(data) == {"name<U+202E>": ["<U+724C>", 3, None, {"deep": "<U+0007>"}]}
