"""How the words of foreign parties are shown in the sentences of verdicts."""

LONGEST = 60


def clip(text: str, longest: int = LONGEST) -> str:
    """A text of a foreign party, cut to what a sentence can bear and free of line breaks."""
    plain = "".join(letter if letter.isprintable() else "?" for letter in text[: longest + 1])
    return plain if len(plain) <= longest else plain[: longest - 1] + "…"
