"""Tells rounds at an emulated table as a journal would hold them, with faults that happen, or are kept from happening.

The camera here counts what it can of what truly lies there: single cards and spreads, never a squared stack.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import simpy

from bench.emulators.device import EmulatedDevice
from bench.emulators.shoe import EmulatedShoe
from bench.emulators.shuffler import EmulatedShuffler
from bench.emulators.world import World
from bench.faults.proof import Prover
from bench.faults.script import FaultSpec
from bench.hands.emulated import EmulatedHands
from bench.protocol.messages import Command, Cycle, Dispensed, EventMessage, Fault, Result, Status
from evidence.events import (
    AnyEvent,
    ButtonSeen,
    CardsSeen,
    DealerDid,
    DeviceCycle,
    DeviceDispensed,
    DeviceFault,
    DeviceIdentity,
    DeviceStatus,
    Directive,
    FaultArmed,
    FaultProven,
    FaultUnproven,
    LineSeen,
    PlayerDid,
    Record,
    SessionOpened,
    TableDone,
)

POSITIONS = ["seat/1", "seat/2", "seat/3", "seat/4", "seat/5", "seat/6", "dealer"]
DEALING_SLIPS = frozenset({"hole_card_turned_up", "extra_card_dealt", "hand_skipped"})
SILENCE_S = {"shuffler": 180.0, "shoe": 20.0}


@dataclass
class Story:
    """One table. `slips` are the people's faults that really happen; device faults happen when armed by `befall`."""

    armed: Sequence[FaultSpec] = ()
    slips: frozenset[str] = frozenset()
    pack: int = 53
    missing: int = 0
    extra: int = 0
    swapped: int = 0
    defects: tuple[str, ...] = ()
    records: list[Record] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.env = simpy.Environment()
        self.world = World(1)
        self.hands = EmulatedHands(self.world)
        self.said: list[EventMessage] = []
        self.devices: dict[str, EmulatedDevice] = {
            "shuffler": EmulatedShuffler(self.env, self.world),
            "shoe": EmulatedShoe(self.env, self.world, defects=self.defects),
        }
        for device in self.devices.values():
            device.firmware.notify = self.said.append
        self.prover = Prover(self.armed)
        self.findings: list[FaultProven | FaultUnproven] = []
        self.orders = 0
        self.write(
            SessionOpened(
                game="g",
                cards_in_deck=self.pack,
                positions=POSITIONS,
                seated=POSITIONS[:3],
                devices={"shuffler": "shuffler", "shoe": "shoe"},
            )
        )
        for spec in self.armed:
            self.write(FaultArmed(fault=spec.name, target=spec.target, params={**spec.params, **spec.at}))
        for name, device in self.devices.items():
            who = device.firmware.identity
            self.write(
                DeviceIdentity(
                    device=name,
                    role=who.role,
                    maker=who.maker,
                    model=who.model,
                    serial=who.serial,
                    firmware=who.firmware,
                    firmware_sha256=who.firmware_sha256,
                    group_size=who.group_size,
                )
            )
        self.hands.place_pack(self.pack, missing=self.missing, extra=self.extra, swapped=self.swapped)

    def befall(self, fault: str, target: str, **settings: object) -> "Story":
        """Let a fault really happen to a device."""
        self.devices[target].arm(fault, **settings)
        return self

    # --- records ---

    def write(self, event: AnyEvent) -> Record:
        mono_ns = round(self.env.now * 1e9)
        record = Record(seq=len(self.records), mono_ns=mono_ns, utc="", source="", scenario="s", event=event)
        self.records.append(record)
        for finding in self.prover.observe(record):
            self.findings.append(finding)
            self.write(finding)
        return record

    def finish(self) -> list[FaultProven | FaultUnproven]:
        self.tap()
        self.findings += self.prover.finish()
        return self.findings

    def proven(self) -> list[FaultProven]:
        return [finding for finding in self.findings if isinstance(finding, FaultProven)]

    def tap(self) -> None:
        for name, device in self.devices.items():
            for edge in device.tap():
                self.write(LineSeen(line=f"{name}/{edge.line}", level=edge.level, at_ns=edge.at_ns))

    def look(self, place: str) -> None:
        cards = self.world.cards(place)
        stacked = self.world.arrangement(place) == "squared" and len(cards) > 1
        shown = cards[-1:] if stacked else cards
        faces: list[str | None] = [card.label for card in shown if card.face_up]
        count = None if stacked else len(cards)
        down = len(shown) - len(faces)
        backs: list[str | None] = [card.back for card in shown if not card.face_up]
        self.write(CardsSeen(place=place, count=count, face_up=faces, face_down=down, backs=backs, stacked=stacked))

    def directed(self, verb: str, act: Callable[[Directive], str], **fields: object) -> bool:
        """A directive, what is done for it, and its end; True when it was done."""
        self.orders += 1
        order = Directive(id=f"d{self.orders}", verb=verb, **fields)  # type: ignore[arg-type]
        self.write(order)
        trouble = act(order)
        outcome = "failed" if trouble else "done"
        self.write(TableDone(directive=order.id, verb=verb, outcome=outcome, detail=trouble))  # type: ignore[arg-type]
        return not trouble

    def operate(self, device: str, command: str, ends: Callable[[EventMessage], bool]) -> str:
        """Let a device work; its claims come as it makes them, after the probe's edges until then."""
        reply = self.devices[device].handle(Command.of(command))  # type: ignore[arg-type]
        assert isinstance(reply, Result)
        limit_s = self.env.now + SILENCE_S[device]
        trouble = "" if reply.accepted else reply.code
        over = bool(trouble)
        while not over:
            while not self.said and self.env.peek() <= limit_s:
                self.env.step()
            if not self.said:
                self.env.run(until=limit_s)
                self.tap()
                return "nothing came"
            limit_s = self.env.now + SILENCE_S[device]
            self.tap()
            event = self.said.pop(0)
            self.write(claim(device, event))
            if isinstance(event, Fault) and not event.recovered:
                trouble = event.code
            over = bool(trouble) or ends(event)
        self.env.run(until=self.env.now + 0.5)
        self.tap()
        for event in self.said:
            self.write(claim(device, event))
        self.said.clear()
        return trouble

    # --- procedure ---

    def shuffle(self) -> bool:
        def act(order: Directive) -> str:
            self.hands.load("shuffler")
            trouble = self.operate("shuffler", "shuffle", lambda e: isinstance(e, Cycle) and e.phase == "completed")
            if not trouble:
                self.hands.take_shuffled("shuffler")
            return trouble

        return self.directed("shuffle", act, device="shuffler", method="device")

    def load(self) -> bool:
        def act(order: Directive) -> str:
            self.hands.load("shoe")
            if "card_face_up" in self.slips:
                self.hands.reverse_in_device("shoe", [5])
            trouble = self.operate("shoe", "load", lambda e: isinstance(e, Cycle) and e.phase == "completed")
            self.look("shoe_mouth")
            return trouble

        return self.directed("load_device", act, device="shoe")

    def dispense(self, unit: str) -> bool:
        def act(order: Directive) -> str:
            trouble = self.operate("shoe", f"deal_{unit}", lambda e: isinstance(e, Dispensed))
            self.look("shoe_mouth")
            return trouble

        return self.directed("dispense", act, device="shoe", unit=unit)

    def deliver(self, position: str, face: str = "down", slip: str = "") -> None:
        def act(order: Directive) -> str:
            to = "seat/4" if slip == "hand_skipped" else position
            turned = [0] if slip == "hole_card_turned_up" else []
            self.hands.deliver(to, face, turned)  # type: ignore[arg-type]
            if slip == "extra_card_dealt":
                self.operate("shoe", "deal_card", lambda e: isinstance(e, Dispensed))
                self.hands.deliver(to, face)  # type: ignore[arg-type]
            self.write(DealerDid(act="deliver", directive=order.id, position=position))
            self.look(position)
            if slip == "hand_skipped":
                for other in POSITIONS:
                    if other != position:
                        self.look(other)
            return ""

        self.directed("deliver", act, position=position, face=face)

    def burn(self) -> None:
        def act(order: Directive) -> str:
            if "burn_missed" not in self.slips:
                self.operate("shoe", "deal_card", lambda e: isinstance(e, Dispensed))
                self.look("shoe_mouth")
                self.hands.move("shoe_mouth", "burn", 1, "down")
                self.write(DealerDid(act="burn", directive=order.id, count=1))
            self.look("burn")
            return ""

        self.directed("burn", act, count=1)

    def button(self, position: str) -> None:
        def act(order: Directive) -> str:
            if "button_not_moved" not in self.slips:
                self.hands.move_button(position)
            self.write(DealerDid(act="move_button", directive=order.id, position=position))
            self.write(ButtonSeen(position=self.world.scene().button))
            return ""

        self.directed("move_button", act, position=position)

    def act_of_people(self, seat: str) -> None:
        """What happens while the players of a seat bet."""
        if "player_exposes_card" in self.slips:
            self.hands.turn_up(seat, [0])
            self.write(PlayerDid(act="expose", position=seat))
            self.look(seat)
        if "hand_short_found_late" in self.slips:
            self.hands.move(seat, "away", 1)
            self.look(seat)
        if "card_drawn_in_error" in self.slips:
            self.operate("shoe", "deal_card", lambda e: isinstance(e, Dispensed))
            self.write(DealerDid(act="draw", device="shoe", count=1))
            self.look("shoe_mouth")

    # --- games ---

    def groups_of_seven(self) -> "Story":
        """A round of seven stacks, the remainder counted, every stack checked. Ends early when a device fails."""
        self.directed("open_round", lambda _: "")
        if not (self.shuffle() and self.load()):
            return self
        for position in POSITIONS:
            if not self.dispense("group"):
                return self
            self.deliver(position)
        self.hands.take_remainder("shoe")
        self.write(DealerDid(act="unload", device="shoe", place="layout_centre"))
        self.hands.spread("layout_centre")
        self.look("layout_centre")
        for position in POSITIONS:
            self.hands.spread(position)
            self.look(position)
        return self

    def single_cards(self) -> "Story":
        """Two hole cards each, a round of bets, a burn and a third card face up. Ends early when a device fails."""
        self.world.move_button("dealer")
        self.directed("open_round", lambda _: "")
        self.button("seat/1")
        if not (self.shuffle() and self.load()):
            return self
        seats = ["seat/1", "seat/3", "seat/4", "dealer"]
        for card in (1, 2):
            for seat in seats:
                if not self.dispense("card"):
                    return self
                slips = sorted(self.slips & DEALING_SLIPS) if seat == "seat/3" and card == 2 else []
                self.deliver(seat, slip=slips[0] if slips else "")
        self.act_of_people("seat/3")
        self.burn()
        for seat in seats:
            if not self.dispense("card"):
                return self
            self.deliver(seat, face="up")
        return self


def claim(device: str, event: EventMessage) -> DeviceCycle | DeviceDispensed | DeviceFault | DeviceStatus:
    """What a driver makes of a device's event."""
    match event:
        case Cycle(kind, phase, count):
            return DeviceCycle(device=device, kind=kind, phase=phase, count=count)
        case Dispensed(unit, index, count):
            return DeviceDispensed(device=device, unit=unit, index=index, count=count)
        case Fault(code, symptom, recovered):
            return DeviceFault(device=device, code=code, symptom=symptom, recovered=recovered)
        case Status(state, code, inside):
            return DeviceStatus(device=device, state=state, code=code, cards_inside=inside)
