"""The replay of a misdealt hand beside its first deal: button, players, blinds, and who was away or on penalty."""

from collections.abc import Collection

import msgspec

from rules.facts.tournament.people import People
from rules.table import Draft
from rules.vocabulary import Value


class Before(msgspec.Struct, frozen=True, kw_only=True):
    """What a deal of the hand began with."""

    button: str | None
    players: tuple[str, ...]
    blinds: tuple[tuple[str, int], ...]
    away: tuple[str, ...]
    """Players who were not at their seats when the deal was given up."""


class Replay:
    """Compares each deal of a hand after the first with the one that was misdealt."""

    def __init__(self) -> None:
        self.deals = 0
        self.blinds: list[tuple[str, int]] = []
        self.button_seen: str | None = None
        """Where the camera last saw the button since the misdeal; None when it was not looked for."""
        self._before: Before | None = None
        self._told = False
        self._counted: dict[str, int] = {}

    def new_hand(self) -> None:
        self.deals = 1
        self.blinds = []
        self._before = None
        self._told = False
        self._counted = {}

    def misdealt(self, button: str | None, people: People) -> None:
        """A misdeal was called: what the replay has to be like."""
        if self._before is None:
            self._before = Before(
                button=button,
                players=people.entitled,
                blinds=tuple(self.blinds),
                away=people.in_state("absent", people.entitled),
            )
        self.button_seen = None

    def begun(self) -> None:
        """The hand is dealt again."""
        self.deals += 1
        self.blinds = []
        self._told = False

    def dealt(self, ordered: Collection[str], people: People, at: int) -> list[Draft]:
        """The initial deal of the hand is complete. States how it compares, once for each replay.

        Who is dealt in are those to whom cards were `ordered`: where the cards then go is the dealer's doing, and may
        be the next misdeal.
        """
        before = self._before
        if before is None or self._told or self.deals < 2:
            return []
        self._told = True
        again = set(ordered)
        facts: dict[str, Value] = {
            "button_same": self._button_same(before),
            "newcomers": len(again - set(before.players)),
            "left_out": len(set(before.players) - again),
            "blinds_same": [cents for _, cents in self.blinds] == [cents for _, cents in before.blinds],
            "waiting": bool(people.arrived),
            "level_due": people.level_called,
        }
        drafts = [Draft(name="hand_replayed", at=at, attributes=facts)]
        penalised = people.in_state("penalty", before.players)
        drafts += [self._player(place, "absent", again, people, at) for place in before.away if place not in penalised]
        drafts += [self._player(place, "penalty", again, people, at) for place in penalised]
        return drafts

    def counted(self, place: str, hands: int) -> None:
        """The table software counts hands of a penalty."""
        self._counted[place] = self._counted.get(place, 0) + max(1, hands)

    def penalties(self, places: Collection[str], at: int) -> list[Draft]:
        """The hand is over: how many hands of each penalty were counted for it."""
        return [
            Draft(
                name="penalty_hand_over",
                at=at,
                attributes={"position": place, "counted": self._counted.get(place, 0), "deals": self.deals},
            )
            for place in places
        ]

    def _button_same(self, before: Before) -> bool | None:
        if self.button_seen is None or before.button is None:
            return None
        return self.button_seen == before.button

    @staticmethod
    def _player(place: str, why: str, again: Collection[str], people: People, at: int) -> Draft:
        facts: dict[str, Value] = {
            "position": place,
            "why": why,
            "dealt": place in again,
            "seated": people.state(place) == "present",
        }
        return Draft(name="replayed_player", at=at, attributes=facts)
