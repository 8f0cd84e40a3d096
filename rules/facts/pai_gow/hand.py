"""Whose hand lies at a position."""

from rules.table import DEALER, Table


def whose(position: str, table: Table) -> str:
    """`dealer`, `bank` for a player who banks, `player` for one with a wager, else `nobody`."""
    if position == DEALER:
        return "dealer"
    if position and position == table.bank:
        return "bank"
    return "player" if table.wagered(position) else "nobody"
