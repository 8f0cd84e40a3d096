"""What a line may have lost while a person acted at the table is told, so that nothing passes on it."""

import socket
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bench.clock import WallClock
from bench.drivers.line import Line
from bench.links.link import StreamLink
from bench.links.stream import Stream
from bench.live_rig import Rig
from bench.security.order import OrderCheck
from evidence.events import AnyEvent, CardsSeen, LinkBytes, LinkFault


class Hands:
    """A person: whatever they do takes so long that the line has said so many bytes meanwhile, once."""

    def __init__(self, act: str, line: socket.socket, amount: int) -> None:
        self._act, self._line, self._amount = act, line, amount

    def __getattr__(self, act: str) -> Any:
        def done(*_: object) -> None:
            if act == self._act:
                self._line.sendall(bytes(self._amount))
                self._act = ""

        return done


@pytest.mark.parametrize("act", ["move", "spread", "load"])
@pytest.mark.parametrize(("amount", "lost"), [(3000, False), (5000, True)])
def test_what_may_have_been_lost_while_a_person_acted_is_told(act: str, amount: int, lost: bool) -> None:
    events: list[AnyEvent] = []
    ours, theirs = socket.socketpair()
    clock = WallClock()
    link = StreamLink(Stream(ours.detach()), "service")
    line = Line("d-service", link, clock, events.append)
    # It refuses to shuffle, so that the check is over once the pack was laid out and put in.
    device = SimpleNamespace(role="shuffler", command=lambda _: SimpleNamespace(accepted=False, code="busy"))
    eye = SimpleNamespace(cards=lambda place: CardsSeen(place=place, count=0, face_up=[]))
    rig = SimpleNamespace(
        devices={"d": device}, hands=Hands(act, theirs, amount), eye=eye, clock=clock, listeners=[line], injections=None
    )
    teller = SimpleNamespace(publish=lambda event, _: events.append(event), tap=lambda: None)
    with theirs:
        assert OrderCheck(cast(Rig, rig), cast(Any, teller), "d").run(1) == "d refused shuffle: busy"
    line.close()
    assert sum(len(one.data) // 2 for one in events if isinstance(one, LinkBytes)) == amount
    faults = [(one.link, one.kind) for one in events if isinstance(one, LinkFault)]
    assert faults == ([("d-service", "lost")] if lost else [])
