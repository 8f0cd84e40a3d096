"""Results of pure functions, kept so that nothing is worked out twice from the same pixels. Bounded in memory."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TypeVar

T = TypeVar("T")

MOST_BYTES = 64 * 1024 * 1024
MOST_ENTRIES = 20_000
SMALL_BYTES = 1000
"""What an entry counts for beside its pictures: a key and a reading."""


class Recall:
    """Remembers by key; what was not asked for longest goes first. A key says all that the result follows from."""

    def __init__(self, most_bytes: int = MOST_BYTES, most_entries: int = MOST_ENTRIES) -> None:
        self._most_bytes = most_bytes
        self._most_entries = most_entries
        self._kept: OrderedDict[Hashable, object] = OrderedDict()
        self.bytes = 0
        """About how much memory is taken."""

    def __len__(self) -> int:
        return len(self._kept)

    def of(self, key: Hashable, work_out: Callable[[], T]) -> T:
        """What `work_out` gives, from memory where this key was asked for before. What it raises is not kept."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]  # type: ignore[return-value]
        result = work_out()
        self._kept[key] = result
        self.bytes += _size(result)
        while self._kept and (self.bytes > self._most_bytes or len(self._kept) > self._most_entries):
            self.bytes -= _size(self._kept.popitem(last=False)[1])
        return result


def _size(result: object) -> int:
    return SMALL_BYTES + (len(result) if isinstance(result, bytes) else 0)
