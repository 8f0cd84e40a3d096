"""Text from devices, software and files, made safe to show.

A name or a reason may hold markup, control characters, invisible characters or marks that reverse the direction of
reading. They are shown for what they are, `<U+202E>`, so that a reader sees that something is there, and every text
is bounded.
"""

import html
import unicodedata

LINE_LIMIT = 300
TEXT_LIMIT = 4000

# Unicode categories that draw nothing, change the direction, or are not characters at all.
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_MARKS_IN_A_ROW = 3


def visible(text: object, limit: int = LINE_LIMIT) -> str:
    """The text with every invisible character spelt out, at most `limit` characters of the original.

    Stacked combining marks are cut after three, since they paint over the neighbouring lines.
    """
    raw = str(text)
    kept, shown, marks = raw[:limit], [], 0
    for character in kept:
        category = unicodedata.category(character)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if category not in _INVISIBLE and marks <= _MARKS_IN_A_ROW:
            shown.append(character)
        elif category in _INVISIBLE:
            shown.append(f"<U+{ord(character):04X}>")
    if len(raw) > limit:
        shown.append(f"… (+{len(raw) - limit} characters)")
    return "".join(shown)


def html_text(text: object, limit: int = LINE_LIMIT) -> str:
    """`visible`, escaped for HTML and XML text and attribute values."""
    return html.escape(visible(text, limit), quote=True)


def plural(count: int, one: str, many: str = "") -> str:
    """`1 card`, `2 cards`."""
    return f"{count} {one if count == 1 else many or one + 's'}"
