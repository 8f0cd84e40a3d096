"""What the bench does for each directive of the table software (the table in docs/architecture.md)."""

from collections.abc import Callable, Iterable
from typing import Literal

from bench.operate import Teller, completed, dispensed, operate, settle
from bench.plan import Scenario
from bench.rig import Rig
from bench.slips import Slips
from evidence.events import CardsSeen, DealerAct, DealerDid, Directive, PlayerDid

Outcome = tuple[Literal["done", "failed", "impossible"], str]

DONE: Outcome = ("done", "")
MOUTH = "shoe_mouth"
RACK = "discard_rack"
LOOSE_PLACES = ("burn", MOUTH, "layout_centre")
NEEDED = {
    "load_device": "device",
    "remove_cards": "device",
    "remove_device": "device",
    "deliver": "position",
    "move_button": "position",
}
"""The field without which a directive makes no sense."""


class Acts:
    """The dealer and the players of one scenario, with the devices and the camera at their hands."""

    def __init__(self, rig: Rig, scenario: Scenario, slips: Slips, teller: Teller) -> None:
        self._rig = rig
        self._table = scenario.table
        self._arranged = {entry.card: entry.label for entry in scenario.arranged}
        self._slips = slips
        self._teller = teller
        self._seen: dict[str, CardsSeen] = {}
        self._dealt: dict[str, int] = {}
        self._round = self._burns = self._betting_rounds = 0
        self._drawn = False
        self._verbs: dict[str, Callable[[Directive], Outcome]] = {
            "open_round": self._open_round,
            "announce": self._announce,
            "shuffle": self._shuffle,
            "cut": self._cut,
            "load_device": self._load_device,
            "roll_dice": self._roll_dice,
            "dispense": self._dispense,
            "deliver": self._deliver,
            "burn": self._burn,
            "betting_round": self._betting_round,
            "show_hands": self._show_hands,
            "move_button": self._move_button,
            "remove_remainder": self._remove_remainder,
            "spread": self._spread,
            "check_stacks": self._check_stacks,
            "collect": self._collect,
            "retire_card": self._collect,
            "reshuffle": self._reshuffle,
            "remove_cards": self._remove_cards,
            "remove_device": self._remove_device,
            "remove_deck": self._remove_deck,
            "place_deck": self._place_deck,
        }

    def carry_out(self, directive: Directive) -> Outcome:
        """Carry out one directive; a verb without a physical act is done at once."""
        nonsense = self._nonsense(directive)
        if nonsense:
            return "impossible", nonsense
        act = self._verbs.get(directive.verb)
        return act(directive) if act else DONE

    def _nonsense(self, directive: Directive) -> str:
        """Why a directive makes no sense at this table; empty when it does."""
        needed = NEEDED.get(directive.verb)
        if needed and not getattr(directive, needed):
            return f"{directive.verb} names no {needed}"
        if directive.device and directive.device not in self._rig.devices:
            return f"there is no device {directive.device!r} at this table"
        positions = self._table.positions
        places = (*positions, *LOOSE_PLACES, RACK)
        everything = ("all",) if directive.verb == "collect" else ()
        if directive.position and directive.position not in (*positions, *everything):
            return f"there is no position {directive.position!r} at this table"
        for place in (directive.place, directive.to):
            if place and place not in (*places, *everything):
                return f"there is no place {place!r} at this table"
        return ""

    # --- reporting ---

    def _did(self, act: DealerAct, directive: Directive | None = None, **details: str | int) -> None:
        event = DealerDid(act=act, directive=directive.id if directive else "", **details)  # type: ignore[arg-type]
        self._teller.publish(event, "dealer:table")

    def _look(self, place: str) -> CardsSeen:
        seen = self._rig.eye.cards(place)
        self._teller.publish(seen, "camera:main")
        self._seen[place] = seen
        return seen

    def _used(self, places: Iterable[str]) -> list[str]:
        """Those of the places where cards were last seen, or may lie: the camera cannot count a stack."""
        return [place for place in places if place in self._seen and self._seen[place].count != 0]

    # --- procedure ---

    def _open_round(self, _: Directive) -> Outcome:
        self._round += 1
        self._burns = self._betting_rounds = 0
        self._dealt.clear()
        self._seen.clear()
        return DONE

    def _announce(self, directive: Directive) -> Outcome:
        self._did("announce", directive, phrase=directive.phrase)
        return DONE

    def _shuffle(self, directive: Directive) -> Outcome:
        if directive.method == "hand":
            self._rig.hands.shuffle_by_hand()
            self._did("shuffle_by_hand", directive)
            return DONE
        # From the second round on the pack lies in the discard rack and in the shoe.
        self._rig.hands.gather()
        return self._shuffle_by_device(directive)

    def _shuffle_by_device(self, directive: Directive) -> Outcome:
        device = directive.device or self._rig.first("shuffler")
        if device is None:
            return "impossible", "there is no shuffler at this table"
        self._rig.hands.load(device)
        self._did("load", directive, device=device)
        trouble = operate(self._rig, self._teller, device, "shuffle", completed("shuffle"))
        if trouble:
            return "failed", trouble
        self._rig.hands.take_shuffled(device)
        return DONE

    def _cut(self, directive: Directive) -> Outcome:
        self._rig.hands.cut()
        self._did("cut", directive)
        return DONE

    def _load_device(self, directive: Directive) -> Outcome:
        self._rig.hands.load(directive.device)
        if self._arranged:
            self._rig.hands.arrange_in_device(directive.device, self._arranged)
            self._arranged = {}
        for prepared in self._slips.prepare("card_face_up"):
            first = int(prepared.at.get("card", 1))
            self._rig.hands.reverse_in_device(
                directive.device, range(first, first + int(prepared.params.get("count", 1)))
            )
        self._did("load", directive, device=directive.device)
        trouble = operate(self._rig, self._teller, directive.device, "load", completed("load"))
        settle(self._rig, self._teller, directive.device)
        if self._rig.devices[directive.device].role == "shoe":
            self._look(MOUTH)
        return ("failed", trouble) if trouble else DONE

    def _roll_dice(self, directive: Directive) -> Outcome:
        self._rig.hands.shake_dice()
        self._did("shake_dice", directive)
        self._teller.publish(self._rig.eye.dice(), "camera:main")
        return DONE

    def _dispense(self, directive: Directive) -> Outcome:
        trouble = self._bring_to_mouth(directive, directive.unit or "card")
        self._look(MOUTH)
        return ("failed", trouble) if trouble else DONE

    def _bring_to_mouth(self, directive: Directive, unit: str) -> str:
        if directive.method == "hand":
            self._rig.hands.draw_by_hand()
            self._did("deal_by_hand", directive)
            return ""
        device = directive.device or self._rig.first("shoe")
        if device is None:
            return "there is no dealing shoe at this table"
        return operate(self._rig, self._teller, device, f"deal_{unit}", dispensed(unit))

    def _deliver(self, directive: Directive) -> Outcome:
        position = directive.position
        card = self._dealt[position] = self._dealt.get(position, 0) + 1
        actual = position
        if self._slips.take("hand_skipped", position=position, card=card):
            actual = self._after(position)
        turned = (0,) if self._slips.take("hole_card_turned_up", position=position, card=card) else ()
        self._rig.hands.deliver(actual, directive.face or "down", turned)
        if self._slips.take("extra_card_dealt", position=position, card=card):
            self._bring_to_mouth(directive, "card")
            self._rig.hands.deliver(actual, directive.face or "down")
        self._drawn = False
        self._did("deliver", directive, position=position)
        before = self._seen.get(position)
        after = self._look(position)
        if after.count == (before.count if before else 0):
            # Nothing more lies here than before: the card is somewhere else, so look everywhere.
            for other in self._table.positions:
                if other != position:
                    self._look(other)
        if self._slips.take("card_drawn_in_error", position=position, card=card):
            self._draw_unasked()
        return DONE

    def _after(self, position: str) -> str:
        order = [place for place in self._table.positions if place in (*self._table.seated, "dealer")]
        return order[(order.index(position) + 1) % len(order)]

    def _burn(self, directive: Directive) -> Outcome:
        trouble = ""
        for _ in range(min(directive.count or 1, 10)):
            self._burns += 1
            if self._slips.take("burn_missed", burn=self._burns):
                continue
            if not self._drawn:
                trouble = self._bring_to_mouth(directive, "card")
                if self._look(MOUTH).face_up:
                    return "failed", "the card to be burnt lies face up"
                if trouble:
                    break
            self._drawn = False
            self._rig.hands.move(MOUTH, "burn", 1, "down")
            self._did("burn", directive, count=1)
        self._look("burn")
        return ("failed", trouble) if trouble else DONE

    def _betting_round(self, _: Directive) -> Outcome:
        self._betting_rounds += 1
        now = self._betting_rounds
        for position in self._table.seated:
            self._teller.publish(PlayerDid(act="bet", position=position), f"player:{position}")
            if self._slips.take("player_exposes_card", position=position, betting_round=now):
                self._rig.hands.turn_up(position, [0])
                self._teller.publish(PlayerDid(act="expose", position=position), f"player:{position}")
                self._look(position)
            if self._slips.take("hand_short_found_late", position=position, betting_round=now):
                self._rig.hands.move(position, "away", 1)
                self._look(position)
        while self._slips.take("card_drawn_in_error", betting_round=now):
            self._draw_unasked()
        return DONE

    def _draw_unasked(self) -> None:
        device = self._rig.first("shoe")
        if device is not None:
            operate(self._rig, self._teller, device, "deal_card", dispensed("card"))
            self._did("draw", device=device, count=1)
            self._drawn = bool(self._look(MOUTH).face_down)

    def _show_hands(self, _: Directive) -> Outcome:
        for position in self._used(self._table.positions):
            self._rig.hands.turn_up(position)
            self._look(position)
        return DONE

    def _move_button(self, directive: Directive) -> Outcome:
        if not self._slips.take("button_not_moved", round=self._round):
            self._rig.hands.move_button(directive.position)
        self._did("move_button", directive, position=directive.position)
        self._teller.publish(self._rig.eye.button(), "camera:main")
        return DONE

    def _remove_remainder(self, directive: Directive) -> Outcome:
        device = directive.device or self._rig.first("shoe")
        if device is None:
            return "impossible", "there is no dealing shoe at this table"
        self._rig.hands.take_remainder(device)
        self._did("unload", directive, device=device, place="layout_centre")
        return DONE

    def _spread(self, directive: Directive) -> Outcome:
        place = directive.place or "layout_centre"
        self._rig.hands.spread(place)
        self._did("spread", directive, place=place)
        self._look(place)
        return DONE

    def _check_stacks(self, directive: Directive) -> Outcome:
        for position in self._used(self._table.positions):
            self._rig.hands.spread(position)
            self._did("spread", directive, place=position)
            self._look(position)
        return DONE

    # --- clearing up ---

    def _collect(self, directive: Directive) -> Outcome:
        self._drawn = False
        to = directive.to or RACK
        wanted = directive.position or directive.place
        places = [wanted] if wanted not in ("", "all") else [*self._table.positions, *LOOSE_PLACES]
        for place in places:
            self._rig.hands.move(place, to, None, "up" if directive.face == "up" else "down")
        self._did("collect", directive, place=wanted or "all")
        if len(places) == 1:
            self._look(places[0])
        self._look(to)
        return DONE

    def _reshuffle(self, directive: Directive) -> Outcome:
        used = self._used(list(self._seen))
        for driver in self._rig.devices.values():
            if driver.status().state == "fault":
                driver.command("clear_fault")
        if directive.scope == "device_cards":
            for name in self._rig.devices:
                self._rig.hands.unload(name)
        else:
            self._rig.hands.gather()
        self._did("gather", directive, place=directive.scope)
        for place in used:
            self._look(place)
        if directive.method == "hand":
            return self._shuffle(directive)
        return self._shuffle_by_device(directive)

    def _remove_cards(self, directive: Directive) -> Outcome:
        self._rig.hands.unload(directive.device)
        self._did("unload", directive, device=directive.device, place="hand")
        return DONE

    def _remove_device(self, directive: Directive) -> Outcome:
        self._rig.hands.remove_device(directive.device)
        self._did("remove_device", directive, device=directive.device)
        self._teller.publish(self._rig.eye.device(directive.device), "camera:main")
        return DONE

    def _remove_deck(self, directive: Directive) -> Outcome:
        self._rig.hands.remove_pack()
        self._did("remove_deck", directive)
        for place in self._used(list(self._seen)):
            self._look(place)
        return DONE

    def _place_deck(self, directive: Directive) -> Outcome:
        self._rig.hands.place_pack(self._table.cards_in_deck)
        self._did("place_deck", directive)
        return DONE
