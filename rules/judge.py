"""The judge: a pure function of journal records, clause packs and policies."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from evidence.errors import UsageError
from evidence.events import DeviceIdentity, LineSeen, Record, ScenarioFinished, ScenarioStarted
from rules.attempt import Attempt
from rules.demands import rules_under
from rules.doubts import another_device
from rules.facts.machine import SILENT
from rules.pack import Pack
from rules.scenario import unknown_pack
from rules.verdicts import Outcome, Verdict

MOST_LINES = 1000
"""Lines of which the latest edge is remembered."""
MOST_COMMON = 100
"""Latest records outside of scenarios that each scenario is given first."""


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
    given = {pack.id: (pack, choose_policies(pack, policies or {}, packs)) for pack in packs}
    running: dict[str, Attempt] = {}
    decided: dict[str, list[Verdict]] = {}
    common: deque[Record] = deque(maxlen=MOST_COMMON)
    stood: dict[str, DeviceIdentity] = {}
    edges: dict[str, int] = {}
    last = -1
    for record in records:
        seq, event = record.seq, record.event
        if seq != last + 1:
            if last >= 0:
                for attempt in running.values():
                    attempt.damage(last, seq)
            if seq <= last:
                continue
        last = seq
        if type(event) in SILENT:
            _overhear(record, running, edges)
            continue
        scenario = record.scenario
        if not scenario:
            common.append(record)
        elif isinstance(event, ScenarioStarted):
            _settle(running, decided, scenario)
            running[scenario] = attempt = _begin(record, event, given, language, edges)
            for earlier in (*common, record):
                attempt.feed(earlier)
        elif scenario in running:
            running[scenario].feed(record)
            if isinstance(event, DeviceIdentity):
                running[scenario].doubt(another_device(stood.setdefault(event.device, event), event, seq))
            if isinstance(event, ScenarioFinished):
                _settle(running, decided, scenario)
    for scenario in list(running):
        _settle(running, decided, scenario)
    return [verdict for verdicts in decided.values() for verdict in verdicts]


def _overhear(record: Record, running: Mapping[str, Attempt], edges: dict[str, int]) -> None:
    """A record that most trackers are not shown."""
    event = record.event
    if isinstance(event, LineSeen) and (event.line in edges or len(edges) < MOST_LINES):
        edges[event.line] = record.seq
    elif record.scenario in running:
        running[record.scenario].overhear(record)


def _begin(
    record: Record,
    event: ScenarioStarted,
    given: Mapping[str, tuple[Pack, Mapping[str, str]]],
    language: str,
    edges: Mapping[str, int],
) -> Attempt:
    """An attempt at a scenario, by every pack that it names and that was given."""
    named = list(dict.fromkeys([event.pack, *event.also]))
    lacking = [name for name in named if name not in given]
    rows = [row for name in lacking for row in unknown_pack(record.scenario, event, name, record.seq, language)]
    rules = [rules_under(*given[name]) for name in named if name in given]
    return Attempt(record.scenario, rules, event.covers, rows, language, edges)


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
