"""A person who is told what to do."""

from collections.abc import Mapping, Sequence

from bench.hands.picture import OrderPicture
from bench.hands.protocol import Die, Face, Turn
from bench.hands.terminal import Terminal

MOUTH, CENTRE = "shoe_mouth", "layout_centre"
_FROM = {"hand": "of the pack in your hand", "floor": "that lie on the floor"}
_TO = {"hand": "the pack in your hand", "floor": "the floor"}


class PromptedHands:
    """A person at a real table: each act is one plain order at a terminal, with a drawing of where it is to be done."""

    def __init__(self, terminal: Terminal, picture: OrderPicture | None = None) -> None:
        self._terminal = terminal
        self._picture = picture

    def _ask(self, order: str, *places: str) -> None:
        self._terminal.ask(order, self._picture.show(places) if self._picture else "")

    def place_pack(
        self, cards_in_deck: int, missing: int = 0, extra: int = 0, swapped: int = 0, back: str = "red"
    ) -> None:
        self.remove_pack()
        prepared = f", with {missing} cards left out" if missing else ""
        prepared += f", with {extra} cards of the same back too many" if extra else ""
        prepared += f", with {swapped} cards replaced by duplicates of others" if swapped else ""
        self._ask(f"take a pack of {cards_in_deck} cards with {back} backs{prepared} into your hand")

    def remove_pack(self) -> None:
        self._ask("take every card off the table and out of the devices, and put them away")

    def load(self, device: str) -> None:
        self._ask(f"put the pack into the tray of the {device}", device)

    def unload(self, device: str) -> None:
        self._ask(f"take all cards out of the {device}, stuck ones too, into your hand, face down", device)

    def take_shuffled(self, device: str) -> None:
        self._ask(f"take the shuffled pack from the exit of the {device} into your hand", device)

    def shuffle_by_hand(self) -> None:
        self._ask("shuffle the pack by hand")

    def cut(self) -> None:
        self._ask("cut the pack")

    def draw_by_hand(self) -> None:
        self._ask("draw the top card of the pack to the shoe's mouth", MOUTH)

    def draw_from(self, device: str) -> None:
        self._ask(f"draw the next card out of the {device} and let it lie at its mouth")

    def deliver(self, position: str, face: Face, turned: Sequence[int] = ()) -> None:
        other = "up" if face == "down" else "down"
        slip = f", but let these cards, counted from the topmost as 1, land face {other}: " if turned else ""
        cards = ", ".join(str(index + 1) for index in turned)
        self._ask(f"move all that lies at the shoe's mouth to {position}, face {face}{slip}{cards}", MOUTH, position)

    def move(self, place: str, to: str, count: int | None = None, face: Turn = "as_is") -> None:
        what = "all cards" if count is None else f"{count} card(s) from the top"
        lying = "as they lie" if face == "as_is" else f"face {face}"
        self._ask(f"move {what} {_FROM.get(place, f'at {place}')} to {_TO.get(to, to)}, {lying}", place, to)

    def take_face_up(self, place: str, to: str) -> None:
        self._ask(f"move the cards that lie face up at {place} to {to}, as they lie", place, to)

    def spread(self, place: str) -> None:
        self._ask(f"spread the cards at {place} as they lie, so that each can be counted", place)

    def square(self, place: str) -> None:
        self._ask(f"square the cards at {place}", place)

    def take_remainder(self, device: str) -> None:
        self._ask(f"take the cards left in the {device} to the layout's centre, squared, as they lie", device, CENTRE)

    def gather(self) -> None:
        self._ask("gather every card on the table and in the devices into your hand, face down")

    def turn_up(self, position: str, cards: Sequence[int] | None = None) -> None:
        if cards is None:
            self._ask(f"turn up all cards at {position} and lay them beside each other", position)
        else:
            self._ask(f"turn up at {position} card(s) number {', '.join(str(index + 1) for index in cards)}", position)

    def pick_out(self, place: str, labels: Sequence[str], to: str, face: Turn = "as_is") -> None:
        how = "as they lie" if face == "as_is" else f"face {face}"
        self._ask(f"take {', '.join(labels)} out of the cards at {place} to {to}, {how}", place, to)

    def shake_dice(self, prepared: Sequence[Die] = ()) -> None:
        lying = {"flat": "flat", "leaning": "leaning against the wall", "outside": "outside the shaker"}
        told = ", ".join(f"a {pips} {lying[pose]}" for pips, pose in prepared)
        self._ask(f"cover, shake and uncover the dice{', then lay them so: ' + told if told else ''}")

    def call_total(self, total: int) -> None:
        self._ask(f"say that the dice total {total}")

    def move_button(self, position: str) -> None:
        self._ask(f"move the button to {position}", position)

    def inject(self, order: str) -> None:
        self._ask(f"bring a fault about at the {order.rstrip('.')}")

    def restore(self, order: str) -> None:
        self._ask(f"put this right before going on, at the {order.rstrip('.')}")

    def remove_device(self, device: str) -> None:
        self._ask(f"take the {device} off the table", device)

    def place_device(self, device: str) -> None:
        self._ask(f"put the {device} in its place on the table", device)

    def reverse_in_device(self, device: str, positions: Sequence[int]) -> None:
        cards = ", ".join(str(position) for position in positions)
        self._ask(f"turn up inside the {device} these next cards to be dealt (1 is the next): {cards}", device)

    def arrange_in_device(self, device: str, cards: Mapping[int, str]) -> None:
        wanted = ", ".join(f"number {position}: {label}" for position, label in cards.items())
        self._ask(f"arrange the next cards to be dealt from the {device} (1 is the next): {wanted}", device)

    def exchange_in_device(self, device: str, card: int, label: str, back: str = "") -> None:
        face, other = label or "the same card", f"with a {back} back" if back else "with the same back"
        self._ask(
            f"inside the {device}, put a card of another pack in place of the next card number {card}: {face}, {other}",
            device,
        )
