"""How cards and devices leave their places."""

from bench.acts.preparing import Preparing
from bench.acts.table import DONE, LOOSE_PLACES, RACK, Act, Outcome
from bench.hands.protocol import Turn
from evidence.events import Directive


class Clearing(Preparing):
    """How cards and devices leave their places."""

    def _verbs(self) -> dict[str, Act]:
        return {
            **super()._verbs(),
            "collect": self._collect,
            "retire_card": self._collect,
            "reshuffle": self._reshuffle,
            "remove_cards": self._remove_cards,
            "remove_device": self._remove_device,
            "move_card": self._move_card,
            "recover_card": self._recover_card,
        }

    def _collect(self, directive: Directive) -> Outcome:
        self._drawn = False
        to = directive.to or RACK
        wanted = directive.position or directive.place
        places = [wanted] if wanted not in ("", "all") else [*self._table.positions, *LOOSE_PLACES]
        face: Turn = "up" if directive.face == "up" else "down"
        for place in places:
            count = directive.count or None if len(places) == 1 else None
            if directive.cards:
                self._rig.hands.pick_out(place, directive.cards, to, face)
            else:
                self._rig.hands.move(place, to, count, face)
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
        if not self._slips.take("device_left_in_place"):
            self._rig.hands.remove_device(directive.device)
        self._did("remove_device", directive, device=directive.device)
        self._teller.publish(self._rig.eye.device(directive.device), "camera:main")
        return DONE

    def _move_card(self, directive: Directive) -> Outcome:
        """The last card that came to one place goes to another, as it lies unless a face is ordered."""
        place, to = directive.place, directive.position or directive.to
        if not to or to == place:
            return "impossible", "move_card names no other place to move the card to"
        self._rig.hands.move(place, to, 1, directive.face or "as_is")
        self._did("move_card", directive, place=place, position=to)
        self._look(place)
        self._look(to)
        return DONE

    def _recover_card(self, directive: Directive) -> Outcome:
        """The card that fell off the table comes to the position."""
        self._rig.hands.move("floor", directive.position, 1, directive.face or "as_is")
        self._did("recover_card", directive, position=directive.position)
        self._look(directive.position)
        return DONE
