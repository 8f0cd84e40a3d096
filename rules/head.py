"""Checks the head of a pack: its names, its dates, its languages, and whether the numbers of its game can be."""

import datetime
import re
from collections.abc import Iterable

import msgspec

from rules.clauses import check_texts
from rules.inputs import known_inputs
from rules.mistakes import Source, choice
from rules.packfile import Head, RawClause
from rules.wordfile import LANGUAGES

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def check_head(source: Source, head: Head, *, shipped: bool = False) -> None:
    """Notes what cannot be in a pack's head. A pack that ships with cardcert speaks every language of its sentences."""
    for name in ("title", "authority", "citation", "text_date"):
        if not getattr(head, name).strip():
            source.note(name, f"`{name}` is empty", "Say it in a few words.")
    _date(source, "pack_date", head.pack_date, needed=True)
    _date(source, "text_date", head.text_date, needed=False)
    if "en" not in head.languages:
        source.note("languages", "English is missing", 'Add "en": reasons and reports are in English.')
    lacking = [language for language in LANGUAGES if shipped and language not in head.languages]
    if lacking:
        problem = f"a pack that ships speaks {', '.join(LANGUAGES)}, and {', '.join(lacking)} is missing"
        source.note("languages", problem, "Add it, and every meaning and duty in it.")
    if head.text_language not in head.languages:
        problem = f"{head.text_language!r}, the language of the text, is none of the pack's languages"
        source.note("text_language", problem, "Name one of `languages`, or add it there.")
    for n, language in enumerate(head.languages):
        if language in head.languages[:n]:
            source.note(f"languages[{n}]", f"language {language!r} stands twice", "Remove one.")
    _game(source, head)


def check_inputs(source: Source, head: Head, clauses: Iterable[tuple[tuple[Source, str], RawClause]]) -> None:
    """Notes inputs that clauses need and nobody knows, and inputs that the head tells of and no clause needs."""
    for n, one in enumerate(head.input):
        check_texts(source, f"input[{n}].meaning", one.meaning, head.languages)
    told = {one.id: f"input[{n}]" for n, one in enumerate(head.input)}
    needed: set[str] = set()
    for (file, where), clause in clauses:
        for n, requirement in enumerate(clause.requirement):
            for m, name in enumerate(requirement.needs_input):
                needed.add(name)
                if name not in told and name not in known_inputs():
                    remedy = choice("Known", known_inputs() | set(told), name)
                    place = f"{where}.requirement[{n}].needs_input[{m}]"
                    file.note(place, f"unknown operator input {name!r}", f"{remedy} Tell of a new one by [[input]].")
    for name, place in told.items():
        if name not in needed:
            source.note(place, f"no requirement needs the input {name!r}", "Name it in a needs_input, or remove it.")


def _date(source: Source, name: str, told: str, *, needed: bool) -> None:
    """A day as YYYY-MM-DD; where it is not `needed`, other words may say which state of a text is meant."""
    if not needed and not _DAY.fullmatch(told):
        return
    try:
        datetime.date.fromisoformat(told if _DAY.fullmatch(told) else "")
    except ValueError:
        source.note(name, f"{told[:40]!r} is no day", "Write it as YYYY-MM-DD.")


def _game(source: Source, head: Head) -> None:
    game = head.game
    if not game.name.strip():
        source.note("game.name", "the game has no name", "Name it as table software does.")
    for name, value in msgspec.structs.asdict(game).items():
        if isinstance(value, int) and value < 0:
            source.note(f"game.{name}", f"{value} is below 0", "Give 0 for what the game does not have.")
    if game.cards_in_deck == 0:
        source.note("game.cards_in_deck", "a game without a card", "Give the number of cards in its pack.")
    if game.stacks and game.stacks * game.stack_size + game.remainder != game.cards_in_deck:
        dealt = f"{game.stacks} stacks of {game.stack_size} and {game.remainder} left"
        place = "game.remainder" if game.remainder else "game.stacks"
        source.note(place, f"{dealt} are not {game.cards_in_deck} cards", "Correct the game's numbers.")
