"""The facts that a clause pack may speak of, with their attributes.

A fact is what the judge derives from journal records. An attribute that could not be seen (the camera abstained) is
None and makes every condition on it neither true nor false.
"""

from rules.vocabulary import (
    blackjack,
    card_shoe,
    dealing,
    devices,
    floor,
    identity,
    irregularities,
    money,
    orders,
    pai_gow,
    security,
    stud,
    tournament,
)
from rules.vocabulary.kinds import Attribute, Fact, FactKind, Value

__all__ = ["FACTS", "Attribute", "Fact", "FactKind", "Value"]

FACTS: dict[str, FactKind] = {
    **orders.FACTS,
    **devices.FACTS,
    **dealing.FACTS,
    **irregularities.FACTS,
    **floor.FACTS,
    **money.FACTS,
    **identity.FACTS,
    **stud.FACTS,
    **tournament.FACTS,
    **blackjack.FACTS,
    **pai_gow.FACTS,
    **card_shoe.FACTS,
    **security.FACTS,
}
