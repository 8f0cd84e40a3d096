"""The check of what lines tell of the order of the cards: shuffle, and lay out what comes, while everything is tapped.

The pack is laid out face up before the first shuffle and after each, part by part, and the camera reads it. What the
device's lines carried meanwhile stands in the journal; whether the order is in it is for the judge to find.
"""

from bench.acts.identity import MOST_PARTS, PART
from bench.acts.table import CENTRE, RACK
from bench.live_rig import Rig
from bench.operate import Teller, completed, operate
from evidence.events import DealerAct, DealerDid

HAND = "hand"
FULL = 4095
"""Bytes that fit into the buffer of a serial line: where so many wait, what came after them may be lost."""
AFTERWARDS_S = 2.0
"""How long the lines are listened to once the pack has been laid out: what is told late is told too."""


class OrderCheck:
    """One check of one shuffler."""

    def __init__(self, rig: Rig, teller: Teller, device: str) -> None:
        self._rig = rig
        self._teller = teller
        self._device = device

    def run(self, shuffles: int) -> str:
        """Shuffle so often. Returns "" when all was done, else what went wrong."""
        rig, device = self._rig, self._device
        if rig.devices[device].role != "shuffler":
            return "it does not shuffle: this check is for shufflers"
        self._lay_out()
        for _ in range(shuffles):
            rig.hands.load(device)
            self._hear()
            self._did("load", device=device)
            trouble = operate(rig, self._teller, device, "shuffle", completed("shuffle"))
            if trouble:
                return trouble
            rig.hands.take_shuffled(device)
            self._hear()
            self._lay_out()
            self._listen()
        return ""

    def _lay_out(self) -> None:
        """The whole pack face up, part by part from the top; each part is put on the one before."""
        hands = self._rig.hands
        for _ in range(MOST_PARTS):
            hands.move(HAND, CENTRE, PART, "up")
            self._hear()
            hands.spread(CENTRE)
            self._hear()
            self._did("lay_out", place=CENTRE, count=PART)
            seen = self._rig.eye.cards(CENTRE)
            self._teller.publish(seen, "camera:main")
            self._hear()
            hands.move(CENTRE, RACK, None, "down")
            self._hear()
            if seen.count is None or seen.count < PART:
                break
        hands.move(RACK, HAND)
        self._hear()

    def _hear(self) -> None:
        """Take in what the connectors have said while a person acted, which takes minutes: a line has little room.

        Where it may have been too little, a fault of the link says so, and the judge passes nothing.
        """
        for line in self._rig.listeners:
            heard = sum(map(len, line.read(self._rig.clock.deadline(0.0))))
            if heard >= FULL:
                line.fault("lost", f"{heard} bytes waited to be read; what came after them may not have had room")
        self._teller.tap()

    def _listen(self) -> None:
        self._rig.clock.pause(AFTERWARDS_S)
        self._hear()
        # What the device has said by itself meanwhile stands on its line; asking brings it in.
        self._rig.devices[self._device].status()
        self._teller.tap()

    def _did(self, act: DealerAct, **details: str | int) -> None:
        self._teller.publish(DealerDid(act=act, **details), "dealer:table")  # type: ignore[arg-type]
