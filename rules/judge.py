"""The judge: a pure function of journal records, clause packs and policies."""

from collections.abc import Iterable, Mapping, Sequence

from evidence.errors import UsageError
from evidence.events import DeviceIdentity, Record, ScenarioFinished, ScenarioStarted
from rules.doubts import another_device
from rules.pack import Pack
from rules.scenario import ScenarioJudge, unknown_pack
from rules.speech import Telling
from rules.verdicts import Outcome, Verdict


def judge(
    records: Iterable[Record],
    packs: Sequence[Pack],
    policies: Mapping[str, str] | None = None,
    language: str = "en",
) -> list[Verdict]:
    """One verdict for each clause of its packs in each scenario of the journal, in order of the scenarios.

    Where several packs rule one table, a scenario is judged by each of them.

    Pass the journal whole and in order: a gap in the record numbers makes the scenarios it touches inconclusive.
    Reads the records once; memory is bounded by the state of the table and the open obligations. `language` is that of
    `Verdict.reason`; `Verdict.reasons` has the sentence in all of them.
    Raises UsageError for a policy or a value that none of the packs has.
    """
    switches = {pack.id: choose_policies(pack, policies or {}, packs) for pack in packs}
    by_id = {pack.id: pack for pack in packs}
    running: dict[str, Attempt] = {}
    decided: dict[str, list[Verdict]] = {}
    common: list[Record] = []
    stood: dict[str, DeviceIdentity] = {}
    last = -1
    for record in records:
        if last >= 0 and record.seq != last + 1:
            for attempt in running.values():
                attempt.damage(last, record.seq)
        if record.seq <= last:
            continue
        last = record.seq
        scenario, event = record.scenario, record.event
        if not scenario:
            common = [*common, record][-100:]
        elif isinstance(event, ScenarioStarted):
            _settle(running, decided, scenario)
            named = list(dict.fromkeys([event.pack, *event.also]))
            running[scenario] = Attempt(
                [
                    ScenarioJudge(scenario, by_id[one], switches[one], event.covers, language)
                    for one in named
                    if one in by_id
                ],
                [
                    row
                    for one in named
                    if one not in by_id
                    for row in unknown_pack(scenario, event, one, record.seq, language)
                ],
            )
            for earlier in (*common, record):
                running[scenario].feed(earlier)
        elif scenario in running:
            running[scenario].feed(record)
            if isinstance(event, DeviceIdentity):
                running[scenario].doubt(another_device(stood.setdefault(event.device, event), event, record.seq))
            if isinstance(event, ScenarioFinished):
                _settle(running, decided, scenario)
    for scenario in list(running):
        _settle(running, decided, scenario)
    return [verdict for verdicts in decided.values() for verdict in verdicts]


class Attempt:
    """One attempt at a scenario before each of the packs that rule its table."""

    def __init__(self, judges: Sequence[ScenarioJudge], unknown: Sequence[Verdict]) -> None:
        self._judges = judges
        self._unknown = unknown
        """Verdicts for packs that were not given to the judge."""

    def feed(self, record: Record) -> None:
        for one in self._judges:
            one.feed(record)

    def damage(self, before: int, after: int) -> None:
        for one in self._judges:
            one.damage(before, after)

    def doubt(self, why: Telling | None) -> None:
        for one in self._judges:
            one.doubt(why)

    def verdicts(self) -> list[Verdict]:
        return [*(verdict for one in self._judges for verdict in one.verdicts()), *self._unknown]


def choose_policies(pack: Pack, wanted: Mapping[str, str], packs: Sequence[Pack]) -> dict[str, str]:
    """The value of every policy of `pack`: its default, or what `wanted` says for `policy` or `PACK/policy`.

    Raises UsageError for a policy that no pack of `packs` has, or a value that it does not have.
    """
    known = {f"{one.id}/{policy.id}": policy for one in packs for policy in one.policies}
    bare = {policy.id for policy in known.values()}
    for name in wanted:
        if name not in known and name not in bare:
            raise UsageError(f"unknown policy {name!r}. Known: {', '.join(sorted(known)) or 'none'}.")
    values: dict[str, str] = {}
    for policy in pack.policies:
        value = wanted.get(f"{pack.id}/{policy.id}", wanted.get(policy.id, policy.default))
        allowed = [one.value for one in policy.values]
        if value not in allowed:
            raise UsageError(f"policy {policy.id!r} of {pack.id} cannot be {value!r}. It can be: {', '.join(allowed)}.")
        values[policy.id] = value
    return values


def _settle(running: dict[str, Attempt], decided: dict[str, list[Verdict]], scenario: str) -> None:
    attempt = running.pop(scenario, None)
    if attempt is not None:
        _decide(decided, scenario, attempt.verdicts())


def _decide(decided: dict[str, list[Verdict]], scenario: str, verdicts: list[Verdict]) -> None:
    """The latest attempt counts, but a failure shown in an earlier one is never repeated away."""
    failed = {one.clause: one for one in decided.get(scenario, ()) if one.verdict is Outcome.FAIL}
    decided[scenario] = [failed.get(one.clause, one) for one in verdicts]
