"""Ways in which an emulated shuffler lets out the order of its cards, each a defect of its own."""

import random
from collections.abc import Callable, Collection, Mapping, Sequence

from bench.protocol.frames import Frame, encode

UNASKED = 0x70
"""Kind of a frame that the protocol does not have."""
RANKS, SUITS = "A23456789TJQK", "shdc"
_SECRET = random.Random("a code of the maker's own").sample(range(0x20, 0x100), 64)


class Leaks:
    """What a shuffler with these defects says besides. It knows the faces as one with a reader inside does.

    `connectors` are its further connectors by name, each with what sends bytes there; `main` sends on its own line.
    """

    def __init__(
        self, defects: Collection[str], connectors: Mapping[str, Callable[[bytes], None]], main: Callable[[bytes], None]
    ) -> None:
        self._defects = frozenset(defects)
        self._connectors = connectors
        self._main = main

    def ahead(self, slots: Sequence[int]) -> None:
        """Before a card moves: the slots into which the cards will go."""
        if "leaks_slots_ahead" in self._defects:
            self._service(",".join(f"{slot:02d}" for slot in slots).encode() + b"\r\n")

    def card(self, label: str) -> None:
        """A card has come out."""
        if "leaks_codes_on_service" in self._defects and label[:1] in RANKS:
            self._service(bytes([SUITS.index(label[1]) << 4 | RANKS.index(label[0]) + 1]))

    def pack(self, labels: Sequence[str]) -> None:
        """The whole pack has come out, in this order."""
        if "leaks_labels_unasked" in self._defects:
            self._main(encode(Frame(UNASKED, 0, "".join(labels).encode())))
        if "leaks_in_secret_code" in self._defects:
            known = [label for label in labels if label[:1] in RANKS]
            codes = bytes(_SECRET[RANKS.index(label[0]) * 4 + SUITS.index(label[1])] for label in known)
            self._main(encode(Frame(UNASKED, 0, codes)))

    def _service(self, data: bytes) -> None:
        for send in self._connectors.values():
            send(data)
