"""Writes journals by hand: what a bench would record while a table software runs a game, step by step.

A script keeps just enough of the table (cards by place) to let its camera see what lies there. Each test says which
steps the table software takes, so that right and wrong software alike can be written down in a few lines.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from evidence.events import (
    AnyEvent,
    ApprovalRecord,
    ButtonSeen,
    CardsSeen,
    DealerDid,
    DeviceAnswered,
    DeviceCommanded,
    DeviceCycle,
    DeviceDispensed,
    DeviceFault,
    DeviceIdentity,
    DeviceSeen,
    DiceSeen,
    Directive,
    FaultArmed,
    FaultProven,
    FaultUnproven,
    LineSeen,
    PlayerDid,
    Record,
    RunStarted,
    ScenarioFinished,
    ScenarioStarted,
    SessionOpened,
    TableDone,
    TableRequested,
    WagerPlaced,
)
from rules.judge import judge
from rules.loader import load_packs
from rules.verdicts import Verdict

SEATS = ["seat/1", "seat/2", "seat/3", "seat/4", "seat/5", "seat/6", "dealer"]
PACKS = {pack.id: pack for pack in load_packs()}
FIRMWARE = "ab" * 32


class Script:
    """A journal under way."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.scenario = ""
        self.tapped = False
        """Whether the lines of the shuffler are watched while it works."""
        self.held: dict[str, int] = {}
        self.up: dict[str, int] = {}
        self.labels: dict[str, list[str]] = {}
        self.blind: set[str] = set()
        """Places at which the camera abstains."""
        self.in_part: set[str] = set()
        """Places of whose stacks the camera tells a part."""
        self._orders = 0
        self.put(RunStarted(plan="test", rig="none", seed=1, clock="virtual"), scenario="")

    # --- records ---

    def put(self, event: AnyEvent, scenario: str | None = None) -> int:
        seq = len(self.records)
        name = self.scenario if scenario is None else scenario
        record = Record(
            seq=seq, mono_ns=seq, utc="2025-01-01T00:00:00.000000Z", source="bench:test", scenario=name, event=event
        )
        self.records.append(record)
        return seq

    def order(self, verb: str, **fields: Any) -> str:
        self._orders += 1
        name = f"d{self._orders}"
        self.put(Directive(id=name, verb=verb, **fields))  # type: ignore[arg-type]
        return name

    def done(self, order: str, verb: str, outcome: str = "done") -> int:
        return self.put(TableDone(directive=order, verb=verb, outcome=outcome))  # type: ignore[arg-type]

    def just(self, verb: str, outcome: str = "done", **fields: Any) -> int:
        """An order that moves nothing, or that moves nothing the camera is to see."""
        return self.done(self.order(verb, **fields), verb, outcome)

    def act(self, act: str, order: str = "", **details: Any) -> int:
        return self.put(DealerDid(act=act, directive=order, **details))  # type: ignore[arg-type]

    def look(self, place: str, *, stacked: bool = False) -> int:
        if place in self.blind:
            return self.put(CardsSeen(place=place, count=None))
        held, up = self.held.get(place, 0), self.up.get(place, 0)
        shown: list[str | None] = []
        shown += [*self.labels.get(place, []), *["2c"] * up][:up]
        if stacked and held:
            return self.put(
                CardsSeen(place=place, count=None, stacked=True, in_part=True)
                if place in self.in_part
                else CardsSeen(place=place, count=None, stacked=True, face_up=shown[:1], face_down=0 if up else 1)
            )
        return self.put(CardsSeen(place=place, count=held, face_up=shown, face_down=held - up, certainty=0.99))

    def ask(self, request: str, *, probe: bool = False, device: str = "") -> int:
        return self.put(TableRequested(request=request, probe=probe, device=device))  # type: ignore[arg-type]

    # --- scenarios ---

    def begin(self, scenario: str, pack: str, covers: Sequence[str] = (), also: Sequence[str] = ()) -> None:
        self.scenario = scenario
        self.held, self.up, self.labels = {}, {}, {}
        self.put(ScenarioStarted(title=scenario, pack=pack, covers=list(covers), also=list(also)))

    def end(self, status: str | None = "completed") -> None:
        if status:
            self.put(ScenarioFinished(status=status))  # type: ignore[arg-type]
        self.scenario = ""

    def session(
        self,
        seated: Sequence[str],
        *,
        game: str = "winners_pot",
        cards: int = 52,
        devices: Iterable[str] = ("shuffler", "shoe"),
        approved: bool = True,
        group_size: int = 0,
        inputs: dict[str, str] | None = None,
        additional: bool = False,
    ) -> None:
        names = list(devices)
        self.put(
            SessionOpened(
                game=game,
                cards_in_deck=cards,
                positions=SEATS,
                seated=list(seated),
                devices={name: name for name in names},
                additional_wager_offered=additional,
                inputs=inputs or {},
            )
        )
        for name in names:
            if approved:
                self.put(
                    ApprovalRecord(
                        device=name, maker="M", model="X", firmware_sha256=FIRMWARE, location="pit 1", procedure="P 7"
                    )
                )
        for name in names:
            size = group_size if name == "shoe" else 0
            self.put(
                DeviceIdentity(
                    device=name, role="shoe" if name == "shoe" else "shuffler", maker="M", model="X", serial="1",
                    firmware="1.0", firmware_sha256=FIRMWARE, group_size=size,
                )
            )  # fmt: skip
            self.put(DeviceSeen(device=name, present=True))

    def wager(self, position: str, wager: str = "main") -> None:
        self.put(WagerPlaced(position=position, wager=wager, amount_cents=1000))  # type: ignore[arg-type]

    # --- steps that both games share ---

    def announce(self, phrase: str) -> None:
        order = self.order("announce", phrase=phrase)
        self.act("announce", order, phrase=phrase)
        self.done(order, "announce")

    def command(self, device: str, command: str) -> int:
        seq = self.put(DeviceCommanded(device=device, command=command))
        self.put(DeviceAnswered(device=device, command=command, accepted=True))
        return seq

    def cycle(self, device: str, kind: str, phase: str, count: int = 0) -> int:
        return self.put(DeviceCycle(device=device, kind=kind, phase=phase, count=count))  # type: ignore[arg-type]

    def fault(self, device: str, symptom: str, *, recovered: bool = False) -> int:
        claim = DeviceFault(device=device, code=f"code_{symptom}", symptom=symptom, recovered=recovered)  # type: ignore[arg-type]
        return self.put(claim)

    def armed(self, fault: str, target: str) -> int:
        return self.put(FaultArmed(fault=fault, target=target))

    def proven(self, fault: str, target: str, symptom: str, by: Sequence[int]) -> int:
        return self.put(FaultProven(fault=fault, target=target, symptom=symptom, by=list(by), means="line"))

    def unproven(self, fault: str, target: str) -> int:
        return self.put(FaultUnproven(fault=fault, target=target, reason="nothing was seen"))

    def line(self, line: str) -> int:
        return self.put(LineSeen(line=line, level=1, at_ns=len(self.records)))

    def shuffle(self, *, method: str = "device", verb: str = "shuffle", **fields: Any) -> None:
        order = self.order(verb, method=method, **fields)
        self._shuffle(order, method)
        self.done(order, verb)

    def _shuffle(self, order: str, method: str) -> None:
        if method == "hand":
            self.act("shuffle_by_hand", order)
            return
        self.act("load", order, device="shuffler")
        self.command("shuffler", "shuffle")
        self.cycle("shuffler", "shuffle", "started")
        if self.tapped:
            self.line("shuffler/entry")
        self.cycle("shuffler", "shuffle", "completed")

    def cut(self) -> None:
        order = self.order("cut")
        self.act("cut", order)
        self.done(order, "cut")

    def load_shoe(self) -> None:
        order = self.order("load_device", device="shoe")
        self.act("load", order, device="shoe")
        self.command("shoe", "load")
        self.cycle("shoe", "load", "started")
        self.cycle("shoe", "load", "completed")
        self.look("shoe_mouth")
        self.done(order, "load_device")

    def reshuffle(self, scope: str = "all_cards", *, leave: Sequence[str] = (), method: str = "device") -> None:
        order = self.order("reshuffle", scope=scope, method=method)
        self.act("gather", order, place=scope)
        used = [place for place, held in self.held.items() if held and place != "discard_rack"]
        for place in used:
            if scope == "all_cards" and place not in leave:
                self.held[place] = self.up[place] = 0
            self.look(place)
        self._shuffle(order, method)
        self.done(order, "reshuffle")

    def remove_cards(self, device: str = "shoe") -> None:
        order = self.order("remove_cards", device=device)
        self.act("unload", order, device=device, place="hand")
        self.done(order, "remove_cards")

    def remove_device(self, device: str, *, seen: bool | None = False) -> None:
        order = self.order("remove_device", device=device)
        self.act("remove_device", order, device=device)
        self.put(DeviceSeen(device=device, present=seen))
        self.done(order, "remove_device")

    def collect(self, place: str, *, verb: str = "collect", face: str = "down", stay: bool = False) -> None:
        where = {"position": place} if place in SEATS else {"place": place}
        order = self.order(verb, to="discard_rack", face=face, **where)
        if not stay:
            self.held["discard_rack"] = self.held.get("discard_rack", 0) + self.held.get(place, 0)
            self.held[place] = self.up[place] = 0
        self.up["discard_rack"] = 1 if face == "up" else 0
        self.act("collect", order, place=place)
        self.look(place)
        self.look("discard_rack", stacked=True)
        self.done(order, verb)

    def collect_all(self) -> None:
        order = self.order("collect", place="all", to="discard_rack")
        self.held = {"discard_rack": sum(self.held.values())}
        self.up = {}
        self.act("collect", order, place="all")
        self.look("discard_rack", stacked=True)
        self.done(order, "collect")

    def bet(self, positions: Iterable[str]) -> None:
        for position in positions:
            self.put(PlayerDid(act="bet", position=position))

    def button(self, position: str, *, seen: str | None = "as ordered") -> None:
        order = self.order("move_button", position=position)
        self.act("move_button", order, position=position)
        self.put(ButtonSeen(position=position if seen == "as ordered" else seen))
        self.done(order, "move_button")

    def dice(self, *, total: int | None = 9, leaning: int = 0) -> None:
        order = self.order("roll_dice")
        self.act("shake_dice", order)
        self.put(DiceSeen(flat=3 - leaning, leaning=leaning, outside=0, total=total))
        self.done(order, "roll_dice")

    def dispensed(self, device: str, unit: str, count: int) -> int:
        return self.put(DeviceDispensed(device=device, unit=unit, index=1, count=count))  # type: ignore[arg-type]

    # --- judging ---

    def verdicts(self, scenario: str | None = None, **policies: str) -> dict[str, Verdict]:
        """Verdicts by clause, of one scenario or of the only one."""
        found = judge(self.records, list(PACKS.values()), policies)
        names = {verdict.scenario for verdict in found}
        wanted = scenario or (names.pop() if len(names) == 1 else "")
        return {verdict.clause: verdict for verdict in found if verdict.scenario == wanted}
