"""Which telegrams count: a shoe sends each of them three times, and its check catches little."""

from collections import deque
from dataclasses import dataclass
from typing import Literal

from bench.protocol.angel_eye.telegrams import Telegram

REMEMBERED = 3
"""Latest telegrams whose copies are known again; a copy may come after the first copy of the next one."""
Judgement = Literal["counts", "repetition", "conflict"]


@dataclass(slots=True)
class _Heard:
    telegram: Telegram
    copies: int


class Copies:
    """Lets each telegram count once, as soon as `needed` (1 to 3) copies of it agree."""

    def __init__(self, needed: int) -> None:
        self._needed = needed
        self._recent: deque[_Heard] = deque()
        self._rival: Telegram | None = None
        """What came under a known number with other data; it counts when it comes once more."""
        self.dropped: Telegram | None = None
        """A telegram that the latest one pushed out before enough copies of it had come."""

    def judge(self, telegram: Telegram) -> Judgement:
        """What one copy amounts to."""
        self.dropped = None
        for heard in self._recent:
            if heard.telegram == telegram:
                heard.copies += 1
                return "counts" if heard.copies == self._needed else "repetition"
        for heard in self._recent:
            if heard.telegram.seq == telegram.seq and heard.copies >= self._needed:
                # Damage that the check does not see, or a shoe that has started anew: then it comes once more.
                if self._rival != telegram:
                    self._rival = telegram
                    return "conflict"
                self._recent.remove(heard)
                return self._note(telegram, self._needed)
        return self._note(telegram, 1)

    def forget(self, telegram: Telegram) -> None:
        """A telegram that could not be taken: its next copy is looked at as if it were the first."""
        self._recent = deque(heard for heard in self._recent if heard.telegram != telegram)

    def _note(self, telegram: Telegram, copies: int) -> Judgement:
        self._recent.append(_Heard(telegram, copies))
        if len(self._recent) > REMEMBERED:
            oldest = self._recent.popleft()
            self.dropped = oldest.telegram if oldest.copies < self._needed else None
        self._rival = None
        return "counts" if copies == self._needed else "repetition"
