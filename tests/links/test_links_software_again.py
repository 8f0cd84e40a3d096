"""Table software that died and is on its way back: waited for where it had been there before, within a bound."""

import socket
import threading
from contextlib import ExitStack

import pytest
from websockets.sync.server import ServerConnection, serve
from websockets.typing import Subprotocol

from bench.software.cloudevents import SUBPROTOCOL
from bench.software.link import SoftwareLink
from evidence.errors import RigFault
from evidence.events import AnyEvent, LinkFault
from tests.software.odd_software import IDENTITY


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def hang_up_once(listener: socket.socket) -> None:
    connection, _ = listener.accept()
    connection.close()


@pytest.mark.parametrize("behind_a_proxy", [False, True])
def test_software_that_had_been_there_is_tried_again_until_it_is_back(behind_a_proxy: bool) -> None:
    """A proxy takes the connection, finds nobody behind it, and hangs up."""
    port, told = free_port(), list[AnyEvent]()

    def says_who_it_is(connection: ServerConnection) -> None:
        connection.send(IDENTITY)
        connection.recv()

    with ExitStack() as stack:
        proxy = socket.create_server(("127.0.0.1", port)) if behind_a_proxy else None
        if proxy is not None:
            stack.enter_context(proxy)
            threading.Thread(target=hang_up_once, args=(proxy,), daemon=True).start()

        def tell(event: AnyEvent) -> None:
            """The first try has failed: now it starts."""
            told.append(event)
            if proxy is not None:
                proxy.close()
            server = serve(says_who_it_is, "127.0.0.1", port, subprotocols=[Subprotocol(SUBPROTOCOL)])
            threading.Thread(target=server.serve_forever, daemon=True).start()
            stack.callback(server.shutdown)

        link = SoftwareLink(f"ws://127.0.0.1:{port}", 20.0, tell, awaited=True)
        assert not link.met
        link.connect()
        assert link.met
        link.close()
    (fault,) = told
    assert isinstance(fault, LinkFault)
    assert (fault.link, fault.kind) == ("software", "closed")


@pytest.mark.parametrize(("awaited", "faults"), [(False, 1), (True, 2)])
def test_software_that_stays_away_is_a_rig_fault_in_the_end(awaited: bool, faults: int) -> None:
    told: list[AnyEvent] = []
    with pytest.raises(RigFault, match="cannot connect"):
        SoftwareLink(f"ws://127.0.0.1:{free_port()}", 0.3, told.append, awaited=awaited).connect()
    assert len(told) == faults
