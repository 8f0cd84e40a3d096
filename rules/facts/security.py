"""Facts about security checks: ports, logins, identity, and whether a line carried the order of the cards."""

from collections import Counter
from dataclasses import dataclass, field

from evidence.events import (
    CardsSeen,
    CheckBegan,
    CheckEnded,
    DealerDid,
    DeviceChecked,
    DeviceCommanded,
    DeviceCycle,
    LinkBytes,
    LoginTried,
    PortsTried,
)
from rules import leaks
from rules.line_readings import MOST_BYTES
from rules.table import CENTRE, Draft, Moment, Table
from rules.vocabulary import Value

MOST_NAMED = 10


@dataclass
class Laid:
    """One time that the pack was laid out: what was read of it, part by part."""

    parts: list[tuple[int, ...]] = field(default_factory=list)
    seqs: list[int] = field(default_factory=list)
    size: int = 0
    whole: bool = False
    """The last part was not full, so that nothing was left."""
    doubt: bool = False

    def look(self, seen: CardsSeen, seq: int) -> None:
        numbers = [leaks.number_of(label) for label in seen.face_up if label]
        read = tuple(number for number in numbers if number is not None)
        self.seqs.append(seq)
        self.parts.append(read)
        self.doubt = self.doubt or seen.count is None or seen.count != len(read)
        self.whole = seen.count is not None and seen.count < self.size

    def read(self, cards: int) -> leaks.Parts | None:
        """The order; None where a card was not read, or they are not those of one pack."""
        found = [card for part in self.parts for card in part]
        sound = self.whole and not self.doubt and len(found) == cards == len(set(found))
        return tuple(part for part in self.parts if part) if sound else None


@dataclass
class Shuffle:
    """One shuffle, from the end of the laying out before it to the end of the one after it."""

    seq: int = -1
    completed: bool = False
    after: Laid = field(default_factory=Laid)
    heard: dict[str, list[bytes]] = field(default_factory=dict)
    """By link, what came from the device."""
    seqs: dict[str, int] = field(default_factory=dict)
    amounts: Counter[str] = field(default_factory=Counter)
    full: bool = False
    """A line was read so late that it may have lost something."""

    def hear(self, said: LinkBytes, seq: int) -> None:
        """Keep what came over a link, up to what is looked through."""
        self.amounts[said.link] += len(said.data) // 2
        self.seqs.setdefault(said.link, seq)
        self.full = self.full or len(said.data) // 2 >= leaks.FULL_BYTES
        if self.amounts[said.link] <= MOST_BYTES:
            self.heard.setdefault(said.link, []).append(bytes.fromhex(said.data))


@dataclass
class Watched:
    """A check of the order that is under way."""

    before: Laid = field(default_factory=Laid)
    shuffles: list[Shuffle] = field(default_factory=list)
    early: Shuffle = field(default_factory=Shuffle)
    """What came before the first shuffle was ordered."""
    between: list[tuple[int, LinkBytes]] = field(default_factory=list)
    """What came since the pack was last laid out whole: it may tell of the shuffle that comes next as well."""

    @property
    def latest(self) -> Shuffle:
        return self.shuffles[-1] if self.shuffles else self.early


class SecurityTracker:
    """Follows the security checks of a laboratory."""

    watches = (
        CheckBegan, CheckEnded, PortsTried, LoginTried, DeviceChecked, LinkBytes, DeviceCommanded, DeviceCycle,
        DealerDid, CardsSeen,
    )  # fmt: skip
    states = ("ports_tried", "logins_tried", "identity_tried", "order_watched")

    def __init__(self) -> None:
        self._under_way: CheckBegan | None = None
        self._ports: tuple[int, PortsTried] | None = None
        self._logins: list[tuple[int, LoginTried]] = []
        self._checked: list[tuple[int, DeviceChecked]] = []
        self._watched = Watched()

    def feed(self, moment: Moment, table: Table) -> list[Draft]:
        if isinstance(moment.event, CheckBegan):
            self.__init__()  # type: ignore[misc]  # nothing of the check before
            self._under_way = moment.event
        elif self._under_way is not None:
            return self._within(self._under_way, moment, table)
        return []

    def _within(self, check: CheckBegan, moment: Moment, table: Table) -> list[Draft]:
        match moment.event:
            case PortsTried(device=check.device) as tried:
                self._ports = moment.seq, tried
            case LoginTried(device=check.device) as attempt:
                self._logins.append((moment.seq, attempt))
            case DeviceChecked(device=check.device) as checked:
                self._checked.append((moment.seq, checked))
            case CheckEnded(device=check.device, check=check.check) as ended:
                self._under_way = None
                return self._ended(ended, moment.seq, table)
            case _ if check.check == "order":
                self._watch(check.device, moment)
            case _:
                pass
        return []

    def _ended(self, ended: CheckEnded, seq: int, table: Table) -> list[Draft]:
        done = ended.outcome == "done"
        match ended.check:
            case "ports":
                return [self._ports_tried(ended.device, done, seq)]
            case "logins":
                return self._logins_tried(ended.device, done, seq)
            case "identity":
                return [self._identity_tried(ended.device, done, seq)]
            case _:
                return self._order_watched(ended.device, done, seq, table)

    # --- ports, logins, identity ---

    def _ports_tried(self, device: str, done: bool, seq: int) -> Draft:
        at, tried = self._ports or (seq, None)
        undeclared = sorted(set(tried.open) - set(tried.declared)) if tried is not None else []
        found = len(undeclared) if undeclared or (done and tried is not None) else None
        silent = tried.silent_count if tried is not None else 0
        named = ", ".join(map(str, undeclared[:MOST_NAMED]))
        facts: dict[str, Value] = {
            "device": device,
            "undeclared": found,
            "undeclared_at_least": None if silent and not found else found,
            "ports": f"{named} and {len(undeclared) - MOST_NAMED} more" if len(undeclared) > MOST_NAMED else named,
            "silent": silent,
        }
        return Draft(name="ports_tried", at=at, attributes=facts, evidence=(at, seq))

    def _logins_tried(self, device: str, done: bool, seq: int) -> list[Draft]:
        services = dict.fromkeys(attempt.service for _, attempt in self._logins)
        return [self._service_tried(device, service, done, seq) for service in services or ("",)]

    def _service_tried(self, device: str, service: str, done: bool, seq: int) -> Draft:
        attempts = [one for one in self._logins if one[1].service == service]
        outcomes = {attempt.entry: attempt.outcome for _, attempt in attempts}
        without = outcomes.pop(0, None)
        accepted = [entry for entry, outcome in outcomes.items() if outcome == "accepted"]
        certain = done and outcomes and set(outcomes.values()) <= {"accepted", "refused"}
        facts: dict[str, Value] = {
            "device": device,
            "service": service,
            "tried": len(outcomes),
            "accepted": len(accepted) if accepted or certain else None,
            "entries": ", ".join(map(str, accepted[:MOST_NAMED])),
            "unasked": {"accepted": True, "refused": False}.get(without or "") if without else None,
        }
        telling = [record for record, attempt in attempts if attempt.outcome != "refused"]
        at = attempts[0][0] if attempts else seq
        return Draft(name="logins_tried", at=at, attributes=facts, evidence=(at, *telling[:MOST_NAMED], seq))

    def _identity_tried(self, device: str, done: bool, seq: int) -> Draft:
        answers = [checked.matches for _, checked in self._checked]
        same = False if False in answers else True if answers and done else None
        facts: dict[str, Value] = {"device": device, "questions": len(answers), "same": same}
        seqs = [record for record, _ in self._checked]
        return Draft(name="identity_tried", at=(seqs or [seq])[0], attributes=facts, evidence=(*seqs, seq))

    # --- the order ---

    def _watch(self, device: str, moment: Moment) -> None:
        watched, shuffle = self._watched, self._watched.latest
        laid = shuffle.after if watched.shuffles else watched.before
        match moment.event:
            case LinkBytes(direction="rx") as said if said.link == device or said.link.startswith(f"{device}-"):
                shuffle.hear(said, moment.seq)
                if laid.whole and watched.shuffles:
                    watched.between.append((moment.seq, said))
            case DealerDid(act="lay_out") as did:
                laid.size = did.count
            case CardsSeen(place=place) as seen if place == CENTRE and laid.size:
                laid.look(seen, moment.seq)
            case DeviceCommanded(device=name, command="shuffle") if name == device:
                self._begin(moment.seq)
            case DeviceCycle(device=name, kind="shuffle", phase="completed") if name == device:
                shuffle.completed = True
            case _:
                pass

    def _begin(self, seq: int) -> None:
        watched = self._watched
        begun = watched.early if not watched.shuffles else Shuffle()
        begun.seq = seq
        for record, said in watched.between:
            begun.hear(said, record)
        watched.between.clear()
        watched.shuffles.append(begun)

    def _order_watched(self, device: str, done: bool, seq: int, table: Table) -> list[Draft]:
        watched, search = self._watched, leaks.Search()
        read = [laid.read(table.cards_in_deck) for laid in (watched.before, *(one.after for one in watched.shuffles))]
        facts = []
        for n, shuffle in enumerate(watched.shuffles, 1):
            earlier = watched.shuffles[n - 2] if n > 1 else Shuffle()
            found = _told(search, shuffle, read[n - 1], read[n])
            found = found or _in_fixed_code(search, earlier, shuffle, read[n - 1], read[n])
            unclear = _unclear(shuffle, read[n - 1], read[n]) or ("too_much" if search.given_up else "")
            unclear = unclear or ("" if done else "unfinished")
            facts.append(self._watched_fact(device, n, shuffle, found, unclear))
        return facts or [self._watched_fact(device, 0, Shuffle(seq=seq), None, "unfinished")]

    @staticmethod
    def _watched_fact(
        device: str, n: int, shuffle: Shuffle, found: tuple[leaks.How, str] | None, unclear: str
    ) -> Draft:
        how, link = found or ("", "")
        facts: dict[str, Value] = {
            "device": device,
            "shuffle": n,
            "leaked": True if found else None if unclear else False,
            "how": how,
            "link": link,
            "unclear": "" if found else unclear,
        }
        evidence = (shuffle.seq, *((shuffle.seqs[link],) if link else ()), *shuffle.after.seqs)
        return Draft(name="order_watched", at=shuffle.seq, attributes=facts, evidence=evidence)


def _told(
    search: leaks.Search, shuffle: Shuffle, before: leaks.Parts | None, after: leaks.Parts | None
) -> tuple[leaks.How, str] | None:
    """A line that told of this shuffle, if there is one."""
    if after is None:
        return None
    for link, pieces in shuffle.heard.items():
        how = search.telling(before or (), after, pieces)
        if how is not None:
            return how, link
    return None


def _in_fixed_code(
    search: leaks.Search, earlier: Shuffle, shuffle: Shuffle, first: leaks.Parts | None, then: leaks.Parts | None
) -> tuple[leaks.How, str] | None:
    """A line that told of both shuffles in one code, if there is one."""
    if first is None or then is None:
        return None
    for link, pieces in shuffle.heard.items():
        if link in earlier.heard and search.same_code(first, then, earlier.heard[link], pieces):
            return "fixed_code", link
    return None


def _unclear(shuffle: Shuffle, before: leaks.Parts | None, after: leaks.Parts | None) -> str:
    """Why it cannot be told that no line carried the order; empty where it can."""
    if not shuffle.completed:
        return "unfinished"
    if before is None or after is None:
        return "unread"
    if not leaks.moved(before, after):
        return "unmoved"
    if not shuffle.heard:
        return "unrecorded"
    return "too_much" if shuffle.full or max(shuffle.amounts.values()) > MOST_BYTES else ""
