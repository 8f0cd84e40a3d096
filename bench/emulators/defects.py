"""Defects of the emulated devices: switches that break a rule on purpose, to show that the bench can fail a device."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DeviceDefect:
    """A switch of an emulated device, with the devices that have it."""

    name: str
    devices: tuple[str, ...]
    description: str


DEFECTS: tuple[DeviceDefect, ...] = (
    DeviceDefect("six_card_groups", ("shoe",), "The shoe is set to groups of six cards."),
    DeviceDefect("six_card_setting", ("shoe",), "The shoe says that it is set to groups of six, and deals seven."),
    DeviceDefect("false_group_count", ("shoe",), "The shoe claims one card fewer than each group holds."),
    DeviceDefect(
        "uneven_groups", ("shoe",), "The shoe dispenses eight cards, then six, and claims seven for both groups."
    ),
    DeviceDefect(
        "swallows_a_card",
        ("shoe",),
        "A card slips into the housing as the shoe is loaded, and stays there.",
    ),
    DeviceDefect(
        "auto_dispense_on_load", ("shoe",), "The shoe dispenses its first group by itself as soon as it is loaded."
    ),
    DeviceDefect(
        "silent_jam_recovery",
        ("shuffler", "shoe"),
        "The device clears every jam by itself, goes on, and never says that there was one.",
    ),
    DeviceDefect(
        "false_remainder_count", ("shoe",), "The shoe claims one card more inside than there is, whatever is left."
    ),
    DeviceDefect(
        "forgets_faults",
        ("shuffler", "shoe"),
        "The device takes on the next command after a fault as if nothing had been.",
    ),
    DeviceDefect(
        "broken_shuffle_called_complete", ("shuffler",), "The shuffler reports a shuffle that broke off as completed."
    ),
    DeviceDefect(
        "numbers_each_copy", ("card_shoe",), "The shoe numbers each copy of a telegram anew, as if it were another one."
    ),
    DeviceDefect("misreads_a_card", ("card_shoe",), "The shoe tells another suit of the third card than it has."),
    DeviceDefect("deals_while_locked", ("card_shoe",), "The shoe takes a card into the game while it is locked."),
    DeviceDefect("deals_on_after_error", ("card_shoe",), "The shoe takes cards into the game while an error stands."),
    DeviceDefect("cancels_errors_itself", ("card_shoe",), "The shoe cancels its errors although nobody ordered it."),
    DeviceDefect("wrong_result", ("card_shoe",), "The shoe tells that the other side has won."),
    DeviceDefect("other_firmware", ("identity",), "The device runs another firmware than the one handed in."),
    DeviceDefect(
        "canned_identity",
        ("identity",),
        "The device runs another firmware, and answers with the digest of the one handed in, whatever it is asked.",
    ),
    DeviceDefect("port_left_open", ("network",), "A port for the maker's debugger is open on the device's address."),
    DeviceDefect(
        "default_login_left", ("network",), "The maintenance line takes a login that every device leaves with."
    ),
    DeviceDefect(
        "default_page_login_left", ("network",), "The operator's page takes a login that every device leaves with."
    ),
    DeviceDefect("login_not_asked", ("network",), "The maintenance line gives its prompt to whoever connects."),
    DeviceDefect(
        "leaks_labels_unasked",
        ("shuffler",),
        "The shuffler sends the labels of the cards in their order, in a frame that nobody asked for.",
    ),
    DeviceDefect(
        "leaks_codes_on_service",
        ("shuffler",),
        "The shuffler sends a code for each card that comes out, over its connector for service.",
    ),
    DeviceDefect(
        "leaks_slots_ahead",
        ("shuffler",),
        "The shuffler sends where each card will go before the first one moves, over its connector for service.",
    ),
    DeviceDefect(
        "leaks_in_secret_code",
        ("shuffler",),
        "The shuffler sends the order in a code of its maker's own, in a frame that nobody asked for.",
    ),
    DeviceDefect("order_kept", ("shuffler",), "The shuffler gives the pack out in the order in which it took it in."),
)
"""Every defect, as `cardcert sensitivity --list` shows it."""
