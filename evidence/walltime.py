"""The wall clock as records are stamped with it, and whether somebody set it meanwhile."""

import time
from datetime import UTC, datetime

STEP_S = 1.0
"""A leap of the wall clock against the machine's own count by more than this is a setting of it, in seconds."""


class WallTime:
    """Wall-clock time as text, watched against the count of seconds since the machine was started.

    `last_utc` is the stamp of the record before, of an earlier process: time may have passed since, but not backwards.
    """

    def __init__(self, last_utc: str = "") -> None:
        self._second = -1
        self._text = ""
        wall_ns, since_boot_ns = time.time_ns(), _since_boot_ns()
        back_ns = min(0, wall_ns - _to_ns(last_utc)) if last_utc else 0
        self._offset_ns = wall_ns - since_boot_ns - back_ns

    def now(self) -> tuple[str, float]:
        """The moment as ISO 8601 in UTC with microseconds, and by how many seconds the clock was set since last asked.

        That is 0.0 unless it was set by more than a second, and negative when it was set back.
        """
        wall_ns = time.time_ns()
        offset_ns = wall_ns - _since_boot_ns()
        step_s = (offset_ns - self._offset_ns) / 1e9
        self._offset_ns = offset_ns
        second, nanosecond = divmod(wall_ns, 1_000_000_000)
        if second != self._second:  # the part up to the second takes most of the time
            self._second = second
            self._text = time.strftime("%Y-%m-%dT%H:%M:%S.", time.gmtime(second))
        return f"{self._text}{nanosecond // 1000:06d}Z", round(step_s, 3) if abs(step_s) > STEP_S else 0.0


def _since_boot_ns() -> int:
    """Time that the machine spent asleep counts too: waking up is no setting of the clock."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


def _to_ns(stamp: str) -> int:
    try:
        moment = datetime.fromisoformat(stamp)
    except ValueError:
        return 0
    return round(moment.replace(tzinfo=moment.tzinfo or UTC).timestamp() * 1e9)
