"""How facts speak of orders and acts in the sentences of verdicts."""

from evidence.events import Directive

LONGEST = 60


def clip(text: str) -> str:
    """A text of a foreign party, cut to what a sentence can bear and free of line breaks."""
    plain = "".join(letter if letter.isprintable() else "?" for letter in text)
    return plain if len(plain) <= LONGEST else plain[: LONGEST - 1] + "…"


def order(directive: Directive) -> str:
    """An order in words, such as `collect at seat/3, to discard_rack`."""
    words = directive.verb.replace("_", " ")
    details = [
        ("at", directive.position),
        ("from" if directive.to else "at", directive.place),
        ("to", directive.to),
        ("with", directive.device),
        ("by", directive.method),
        ("face", directive.face),
        ("scope", directive.scope.replace("_", " ")),
        ("wager", directive.wager.replace("_", " ")),
        ("phrase", directive.phrase.replace("_", " ")),
        ("for", directive.request.replace("_", " ")),
        ("question", directive.question.replace("_", " ")),
    ]
    told = ", ".join(f"{name} {clip(value)}" for name, value in details if value)
    number = f" {directive.count} times" if directive.count > 1 else ""
    return f"{words}{number}{' ' if told else ''}{told}"


def ordered(directive: Directive) -> str:
    """An order in words, with who gave it."""
    return f"the table software ordered: {order(directive)}"


def cards(count: int | None) -> str:
    """A number of cards in words."""
    if count is None:
        return "a number of cards that the camera could not tell"
    return "1 card" if count == 1 else f"{count or 'no'} cards"
