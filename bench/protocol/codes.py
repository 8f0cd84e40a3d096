"""Condition codes of the reference protocol: the number on the wire, the name in the journal, the usual symptom.

Numbers up to 0x0FFF are given out here and never change their meaning. 0x8000 and above are free for makers. They, and
numbers unknown to this version, read as `CODE_` and four hexadecimal digits: no fault is lost for want of a name.
"""

from typing import Literal

Symptom = Literal["jam", "stop", "incomplete", "count", "empty", "other"]

CODES: dict[str, tuple[int, Symptom]] = {
    # a card where it should not be
    "CARD_STUCK_IN_TRAY": (0x0101, "jam"),
    "CARD_STUCK_ON_ENTRY": (0x0102, "jam"),
    "CARD_STUCK_ON_EXIT": (0x0103, "jam"),
    "CARD_STUCK_INSIDE": (0x0104, "jam"),
    # the device stands still
    "MOTOR_STALL": (0x0201, "stop"),
    "HOMING": (0x0202, "stop"),
    "CAROUSEL_MOVE": (0x0203, "stop"),
    "ALIGNMENT": (0x0204, "stop"),
    "STOPPED": (0x0205, "stop"),
    "LID_OPEN": (0x0206, "stop"),
    "POWER_LOST": (0x0207, "stop"),
    "MOTOR_DRIVER": (0x0208, "stop"),
    "MEMORY_ERROR": (0x0209, "stop"),
    "RANDOM_GENERATOR": (0x020A, "stop"),
    "SENSOR_FAILED": (0x020B, "stop"),
    # a cycle or a unit that does not come to its end
    "CYCLE_TIMEOUT": (0x0301, "incomplete"),
    "CARDS_LEFT_IN_TRAY": (0x0302, "incomplete"),
    "SLOT_IS_EMPTY": (0x0303, "incomplete"),
    # a number of cards that is not what it should be
    "COUNT_MISMATCH": (0x0401, "count"),
    "DOUBLE_FEED": (0x0402, "count"),
    "GROUP_SIZE": (0x0403, "count"),
    "SHUFFLER_FULL": (0x0404, "count"),
    # nothing left to work with
    "SHUFFLER_EMPTY": (0x0501, "empty"),
    "TRAY_EMPTY": (0x0502, "empty"),
    "NOT_ENOUGH_CARDS": (0x0503, "empty"),
    # other conditions at the device
    "WRONG_INSERTION": (0x0601, "other"),
    "CARD_FACE_UP": (0x0602, "other"),
    "CARD_UNREADABLE": (0x0603, "other"),
    "PICK_UP_CARDS": (0x0604, "other"),
    "CARD_OUT_OF_TURN": (0x0605, "other"),
    "BUTTON_MISUSED": (0x0606, "other"),
    # why a command is refused, when none of the above is the reason
    "BUSY": (0x0701, "other"),
    "NOT_READY": (0x0702, "other"),
    "NOT_SUPPORTED": (0x0703, "other"),
    "FAULT_STANDING": (0x0704, "other"),
    "BAD_ARGUMENT": (0x0705, "other"),
}

_NAMES = {number: name for name, (number, _) in CODES.items()}


def code_number(name: str) -> int:
    """Number of a code by its name; the empty name (no condition) is 0. ValueError for a name that does not exist."""
    if not name:
        return 0
    if name in CODES:
        return CODES[name][0]
    digits = name.removeprefix("CODE_")
    if len(name) == 9 and len(digits) == 4 and all(digit in "0123456789ABCDEF" for digit in digits):
        number = int(digits, 16)
        if number and number not in _NAMES:
            return number
    raise ValueError(
        f"no such condition code: {name!r}; known are {', '.join(sorted(CODES))}, and CODE_xxxx of a maker"
    )


def code_name(number: int) -> str:
    """Name of a code by its number (0 to 0xFFFF); 0 gives the empty name."""
    return _NAMES.get(number) or (f"CODE_{number:04X}" if number else "")


def usual_symptom(name: str) -> Symptom:
    """The symptom that a code stands for unless the device says otherwise; `other` for a maker's own code."""
    return CODES[name][1] if name in CODES else "other"
