"""A small emulated shuffler for tests of clocks and links; run as a program it serves one port in real time.

toy_device.py PATH-OF-PTY|tcp SCALE      prints the address of its port, then serves it until its input ends
"""

import random
import select
import sys
from pathlib import Path

import simpy

from bench.clock import run_real_time, schedule_on
from bench.links import EmulatorPort, PtyPort, TcpPort
from bench.protocol import messages as m
from bench.protocol.device import DeviceEndpoint


class ToyShuffler:
    """Shuffles in about 22 s, card by card, with seeded timing; every tenth card or so is told of."""

    def __init__(self, env: simpy.Environment, port: EmulatorPort, seed: int) -> None:
        self.env = env
        self.random = random.Random(seed)
        self.state: m.State = "idle"
        self.endpoint = DeviceEndpoint(port.write, self.handle, schedule_on(env))
        port.feed = self.endpoint.feed

    def handle(self, request: m.Request) -> m.Reply:
        if isinstance(request, m.Identify):
            return m.Identity("shuffler", "Toy", "T1", "1", "1.0", "00" * 32)
        if isinstance(request, m.AskStatus):
            return m.Status(self.state)
        if request.name != "shuffle" or self.state != "idle":
            return m.Result(False, "BUSY")
        self.env.process(self.shuffle())
        return m.Result(True)

    def shuffle(self) -> "simpy.events.ProcessGenerator":
        self.state = "shuffling"
        self.endpoint.notify(m.Cycle("shuffle", "started"))
        for card in range(1, 53):
            yield self.env.timeout(self.random.uniform(0.3, 0.5))
            if self.random.random() < 0.1:
                self.endpoint.notify(m.Dispensed("card", card, 1))
        self.state = "idle"
        self.endpoint.notify(m.Cycle("shuffle", "completed", 52))


def main() -> None:
    port = TcpPort() if sys.argv[1] == "tcp" else PtyPort(Path(sys.argv[1]))
    print(port.url if isinstance(port, TcpPort) else sys.argv[1], flush=True)
    env = simpy.Environment()
    ToyShuffler(env, port, seed=1)
    run_real_time(env, [port], lambda: bool(select.select([sys.stdin], [], [], 0)[0]), float(sys.argv[2]))
    port.close()


if __name__ == "__main__":
    main()
