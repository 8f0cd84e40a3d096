"""The security checks of a scenario, one after the other: what they do at a device, and what they put on record."""

from collections import Counter
from collections.abc import Callable, Mapping

from bench.clock import Deadline
from bench.live_rig import Rig
from bench.operate import Teller
from bench.security.access import SecurityAccess
from bench.security.check import SecurityCheck
from bench.security.dialogue import Dialogue
from bench.security.lists import Service
from bench.security.logins import Login, Outcome, attempt
from bench.security.network import Answer, Network
from bench.security.order import OrderCheck
from evidence.errors import RigFault
from evidence.events import AnyEvent, CheckBegan, CheckEnded, LoginTried, PortsTried

SOURCE = "bench:security"
AGAIN_S = 1.0
"""How long after no answer came a login is tried once more."""
MOST_SILENT = 20
"""Silent ports that a record names."""


class Checks:
    """Makes the security checks of one scenario."""

    def __init__(self, rig: Rig, teller: Teller) -> None:
        self._rig = rig
        self._teller = teller
        self._tries: Counter[tuple[str, str]] = Counter()
        """By device and service: how often a login was tried since the service was last known to be unlocked."""

    def make(self, check: SecurityCheck) -> None:
        """Make one check and put on record what came of it. RigFault when a line of the rig fails meanwhile."""
        device = check.device
        makers: Mapping[str, Callable[[SecurityCheck], str]] = {
            "ports": self._ports,
            "logins": self._logins,
            "identity": self._identity,
            "order": self._order,
        }
        self._tell(CheckBegan(device=device, check=check.what))
        if device in self._rig.devices:
            trouble = makers[check.what](check)
        else:
            trouble = "there is no such device at this rig"
        outcome = CheckEnded(
            device=device, check=check.what, outcome="failed" if trouble else "done", detail=trouble[:400]
        )
        self._teller.tap()
        self._tell(outcome)

    def _tell(self, event: AnyEvent, source: str = SOURCE) -> None:
        self._teller.publish(event, source)

    # --- the network ---

    def _ports(self, check: SecurityCheck) -> str:
        access = self._rig.security.get(check.device)
        if access is None:
            return "the rig file names no address of it: add [device.security]"
        if access.services is None:
            return "the laboratory has given no list of services: name one in [device.security]"
        deadline, opened, silent = self._rig.clock.deadline(access.longest_s), [], []
        tried = answered = 0
        for port in access.services.ports:
            if deadline.passed(self._rig.clock.now_ns()):
                break
            answer = _answer(access.network, port)
            tried += 1
            answered = port if answer != "silent" else answered
            opened += [port] if answer == "open" else []
            silent += [port] if answer == "silent" else []
        self._tell(
            PortsTried(
                device=check.device,
                address=access.network.address,
                ports=access.services.text,
                tried=tried,
                open=opened,
                silent=silent[:MOST_SILENT],
                silent_count=len(silent),
                declared=sorted(service.port for service in access.services.services),
            ),
            "instrument:network",
        )
        if tried < len(access.services.ports):
            return f"{tried} of {len(access.services.ports)} ports were tried in {access.longest_s:g} s"
        if len(silent) == tried:
            return f"nothing at {access.network.address} answered, neither with a connection nor with a refusal"
        if silent and _answer(access.network, answered) == "silent":
            return f"port {answered} of {access.network.address} answered, and no longer did in the end"
        return ""

    def _logins(self, check: SecurityCheck) -> str:
        access = self._rig.security.get(check.device)
        if access is None:
            return "the rig file names no address of it: add [device.security]"
        if access.services is None or not access.logins:
            return "the laboratory has given no list of services, or none of logins: name both in [device.security]"
        services = [service for service in access.services.services if service.login]
        if not services:
            return "the list of services names none at which one logs in"
        deadline = self._rig.clock.deadline(access.longest_s)
        return next((why for service in services if (why := self._service(check, access, service, deadline))), "")

    def _service(self, check: SecurityCheck, access: SecurityAccess, service: Service, deadline: Deadline) -> str:
        """First without a login, then with each of the list, each over a connection of its own."""
        for login in (None, *access.logins):
            if self._locked(check.device, service) and service.unlocks_after_s:
                self._rig.clock.pause(service.unlocks_after_s)
                self._tries[check.device, service.name] = 0
            if deadline.passed(self._rig.clock.now_ns()):
                return f"{service.name}: the logins were not all tried in {access.longest_s:g} s"
            if self._locked(check.device, service):
                # It would refuse a good login now as it refuses a wrong one.
                untried = _tried(check.device, service, login, "unclear", "not tried: by now the service is locked")
                self._tell(untried, "instrument:network")
                continue
            tried = self._attempt(check.device, access, service, login)
            if tried.outcome == "no_answer" and not self._locked(check.device, service):
                # A device may serve one after the other, and not have noticed yet that the last one has gone.
                self._rig.clock.pause(AGAIN_S)
                tried = self._attempt(check.device, access, service, login)
            self._tell(tried, "instrument:network")
            if login is None and tried.outcome == "accepted":
                return ""  # whoever needs no login need not guess one
            if tried.outcome == "no_answer":
                return f"{service.name}: no answer"
            if access.pause_s:
                self._rig.clock.pause(access.pause_s)
        return ""

    def _locked(self, device: str, service: Service) -> bool:
        """Whether as many logins were tried as the service takes before it may refuse all of them."""
        return service.tries_allowed is not None and self._tries[device, service.name] >= service.tries_allowed

    def _attempt(self, device: str, access: SecurityAccess, service: Service, login: Login | None) -> LoginTried:
        self._tries[device, service.name] += 1
        try:
            line = Dialogue(access.network.connect(service.port), self._rig.clock, access.answer_timeout_s)
        except RigFault:
            return _tried(device, service, login, "no_answer", "no connection came about")
        try:
            return _tried(device, service, login, *attempt(service.login, line, login, service.options))
        finally:
            line.close()

    # --- the device's own lines ---

    def _identity(self, check: SecurityCheck) -> str:
        asked = self._rig.identities.get(check.device)
        if asked is None:
            return "the rig file gives it no line for its identity: add [device.identity]"
        for checked in asked.ask():
            self._tell(checked, f"device:{check.device}")
        return ""

    def _order(self, check: SecurityCheck) -> str:
        return OrderCheck(self._rig, self._teller, check.device).run(check.shuffles)


def _tried(device: str, service: Service, login: Login | None, outcome: Outcome, detail: str) -> LoginTried:
    return LoginTried(
        device=device,
        service=service.name,
        port=service.port,
        protocol=service.login,
        entry=login.number if login else 0,
        name=login.name if login else "",
        outcome=outcome,
        detail=detail[:200],
    )


def _answer(network: Network, port: int) -> Answer:
    """What came of a port. What was lost once on its way is tried once more."""
    answer = network.try_port(port)
    return network.try_port(port) if answer == "silent" else answer
