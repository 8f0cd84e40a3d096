"""The certificate's fonts hold what they are said to hold, and every sequence that is let through can be set."""

import json
import random
import unicodedata
from pathlib import Path

import pytest
import typst

from reports.glyphs import FACES, FONTS, faces_of
from reports.printable import printable

TEMPLATE = """
#import "theme.typ": sans, monospaced
#set document(title: "t")
#set text(font: sans, fallback: false, lang: "en")
#for line in json(bytes(sys.inputs.lines)) [#line #text(font: monospaced, strong(line)) \\ ]
"""
THEME = Path(__file__).parents[2] / "reports" / "certificate" / "typst" / "theme.typ"


def set_lines(lines: list[str], folder: Path) -> bytes:
    """Set lines in both families of the certificate, as it is set: every character must be in a font."""
    for name in ("data", "words", "assets"):
        (folder / f"{name}.json").write_text('{"stands_missing": ""}')
    (folder / "theme.typ").write_text(THEME.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "main.typ").write_text(TEMPLATE)
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(FONTS)])
    pdf: bytes = typst.compile(
        str(folder / "main.typ"), root=str(folder), font_paths=fonts, ignore_system_fonts=True, format="pdf",
        sys_inputs={"lines": json.dumps(lines)}, pdf_standards=["a-3a", "ua-1"], timestamp=0,
    )  # fmt: skip
    return pdf


def held() -> list[str]:
    return [character for code in range(0x20, 0x30000) if faces_of(character := chr(code))]


def test_every_character_that_the_fonts_hold_can_be_set(tmp_path: Path) -> None:
    characters = held()
    assert len(characters) > 15_000
    assert set_lines([" ".join(map(printable, characters[at : at + 200])) for at in range(0, 20_000, 200)], tmp_path)


def test_odd_sequences_of_letters_and_marks_can_be_set(tmp_path: Path) -> None:
    chance, characters = random.Random(20260304), held()
    marks = [one for one in characters if unicodedata.category(one) in ("Mn", "Mc", "Me")]
    letters = [one for one in characters if ord(one) < 0x2000]
    lines = [
        "".join(
            chance.choice(marks) if chance.random() < 0.4
            else chr(chance.randrange(0x20, 0x3000)) if chance.random() < 0.2
            else chance.choice(letters)
            for _ in range(chance.randrange(1, 14))
        )
        for _ in range(3000)
    ]  # fmt: skip
    assert set_lines([printable(line) for line in lines], tmp_path)


def test_what_no_font_holds_cannot_be_set_and_is_therefore_spelt_out(tmp_path: Path) -> None:
    with pytest.raises(typst.TypstError, match="could not be displayed with font"):
        set_lines(["\U0001f0cf"], tmp_path)
    assert set_lines([printable("\U0001f0cf")], tmp_path)


def test_each_font_ships_with_its_licence() -> None:
    assert {path.name for path in FONTS.glob("*.?tf")} == {*FACES, "NotoSans-SemiBold.ttf"}
    assert "SIL OPEN FONT LICENSE Version 1.1" in (FONTS / "OFL.txt").read_text(encoding="utf-8")


def test_a_font_is_read_as_its_own_tables_say() -> None:
    assert [faces_of(letter) != 0 for letter in "aЖא天\U0001f0cf"] == [True, True, True, True, False]
    assert faces_of("a") & 0b11 == 0b11, "both Latin faces hold it"
    assert faces_of("天") == 1 << FACES.index("NotoSansCJK-Regular.otf")
