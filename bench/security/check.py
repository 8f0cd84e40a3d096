"""What a plan asks for: one security check of one device."""

from typing import Annotated

import msgspec

from evidence.errors import UsageError
from evidence.events.security import Check

MOST_CHECKS = 20


class SecurityCheck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One check; those of a scenario are made in order, after its rounds and what it asks of table software."""

    what: Check
    device: str
    shuffles: Annotated[int, msgspec.Meta(ge=1, le=5)] = 2
    """Of a check of the order: how often it is shuffled. A code that nobody knows shows itself from the second on."""


def check_amount(checks: list[SecurityCheck], where: str) -> None:
    """UsageError for more checks than a scenario may have."""
    if len(checks) > MOST_CHECKS:
        raise UsageError(f"{where}: {len(checks)} checks; expected at most {MOST_CHECKS}. Make another scenario.")
