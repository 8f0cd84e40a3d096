"""The pot of one round as the software keeps its books: who put in what, and what has gone out of it."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Pot:
    """Cents by position."""

    put_in: dict[str, int] = field(default_factory=dict)
    initial: dict[str, int] = field(default_factory=dict)
    """What each player put in before the deal; a part of the above."""
    last: dict[str, int] = field(default_factory=dict)
    """What each player put in last."""
    returned: dict[str, int] = field(default_factory=dict)

    def put(self, position: str, cents: int, *, initial: bool) -> None:
        """A player puts something in."""
        if cents <= 0:
            return
        self.put_in[position] = self.put_in.get(position, 0) + cents
        self.last[position] = cents
        if initial:
            self.initial[position] = self.initial.get(position, 0) + cents

    def owed(self, position: str) -> int:
        """What a player put in and has not got back."""
        return self.put_in.get(position, 0) - self.returned.get(position, 0)

    def give_back(self, position: str, cents: int) -> int:
        """Book the return of so much to a player, and return it."""
        self.returned[position] = self.returned.get(position, 0) + cents
        return cents

    @property
    def players(self) -> list[str]:
        """Everybody who put something in, in the order of the first time."""
        return list(self.put_in)

    @property
    def total(self) -> int:
        """What lies in the pot."""
        return sum(self.put_in.values()) - sum(self.returned.values())
