"""Plans: what is tested. A plan file lists scenarios; each is one table session with its faults and its probes."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from bench.faults.script import FaultSpec, load_script, locator, parse_faults
from bench.inputs import Given, Input, read_inputs
from bench.news import MOST_NEWS, News, check_blinds
from bench.plan_entries import (
    MOST_CENTS,
    SEATS,
    Arranged,
    Ask,
    Choice,
    Defect,
    Equivalent,
    Move,
    Ruling,
    Table,
    Throw,
    Wager,
)
from bench.security.check import SecurityCheck, check_amount
from evidence.errors import UsageError
from evidence.tomlfile import load_toml, read_text


class _ScenarioTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario as it stands in the file."""

    id: str
    title: str
    covers: list[str]
    also: list[str] | None = None
    rounds: int = 1
    game: str = ""
    cards_in_deck: int = 0
    inputs: dict[str, Given] = {}
    """Inputs in place of those of the plan's table that have the same name."""
    button: str = ""
    seated: list[str] | None = None
    bank: str | None = None
    additional_wager_offered: bool | None = None
    wager: list[Wager] | None = None
    sits_out: list[str] = []
    play: list[Move] = []
    choice: list[Choice] = []
    approved: bool = True
    arranged: list[Arranged] = []
    dice: list[Throw] = []
    fault: list[dict[str, Any]] = []
    script: str = ""
    """A fault script beside the plan; its faults come before those of `fault`."""
    ask: list[Ask] = []
    check: list[SecurityCheck] = []
    ruling: list[Ruling] = []
    news: list[News] = []
    defect: list[Defect] = []


class _PlanFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    title: str
    pack: str = ""
    rig: str = "emulated"
    """The emulated rig that ships for this plan: where it is played unless another is named, and its defects always."""
    also: list[str] = []
    """Further packs that rule the same table; a scenario may name others."""
    include: list[str] = []
    table: Table | None = None
    scenario: list[_ScenarioTable] = []
    equivalent: list[Equivalent] = []


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """One table session, complete: what is set up, what goes wrong, what is asked."""

    id: str
    title: str
    pack: str
    also: list[str] = []
    """Further packs that rule the same table: the scenario is judged by them too."""
    covers: list[str]
    table: Table
    inputs: dict[str, Input] = {}
    """The inputs of the plan's table with their content; those of a rig file go before them."""
    own_inputs: dict[str, Input] = {}
    """Inputs of this scenario alone; they go before all others."""
    wagers: list[Wager]
    sits_out: list[str] = []
    """Players who are seated and put nothing into the pot."""
    play: list[Move] = []
    choices: list[Choice] = []
    rounds: int
    approved: bool
    arranged: list[Arranged]
    dice: list[Throw] = []
    """Throws of the dice that are prepared, one after the other; those that follow are left to chance."""
    faults: list[FaultSpec]
    asks: list[Ask]
    checks: list[SecurityCheck] = []
    rulings: list[Ruling] = []
    news: list[News] = []
    defects: list[Defect]

    @property
    def packs(self) -> list[str]:
        """Every pack that the scenario is judged by, its own first."""
        return list(dict.fromkeys([self.pack, *self.also]))


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    title: str
    scenarios: list[Scenario]
    equivalents: list[Equivalent] = []
    packs: list[str]
    rig: str = "emulated"
    sha256: str
    """Digest over the plan file and the files it includes, in order."""


def load_plan(path: Path) -> Plan:
    """Read a plan file and those that it includes (names beside it). Raises UsageError with file, line and remedy."""
    scenarios: list[Scenario] = []
    equivalents: list[Equivalent] = []
    digest = hashlib.sha256()
    head = _read(path, scenarios, equivalents, digest, ())
    known: set[str] = set()
    for scenario in scenarios:
        if scenario.id in known:
            raise UsageError(f"{path}: two scenarios have the id {scenario.id!r}. Give each its own.")
        known.add(scenario.id)
    if not scenarios:
        raise UsageError(f"{path}: this plan has no scenario. Add a [[scenario]] or an include.")
    packs = packs_of(scenarios)
    return Plan(
        name=head.name,
        title=head.title,
        scenarios=scenarios,
        equivalents=equivalents,
        packs=packs,
        rig=head.rig,
        sha256=digest.hexdigest(),
    )


def only(plan: Plan, wanted: Sequence[str]) -> Plan:
    """The plan with only the scenarios named; all of them when none is. Raises UsageError for one it does not have."""
    known = {scenario.id for scenario in plan.scenarios}
    for name in wanted:
        if name not in known:
            raise UsageError(f"plan {plan.name!r} has no scenario {name!r}. `cardcert plan show` lists those it has.")
    chosen = [scenario for scenario in plan.scenarios if not wanted or scenario.id in wanted]
    return narrowed(plan, chosen)


def narrowed(plan: Plan, scenarios: Sequence[Scenario]) -> Plan:
    """The plan with these of its scenarios, and with what concerns the packs that judge them."""
    packs = packs_of(scenarios)
    concerned = [one for one in plan.equivalents if any(one.requirement.startswith(f"{pack}.") for pack in packs)]
    return msgspec.structs.replace(plan, scenarios=list(scenarios), packs=packs, equivalents=concerned)


def packs_of(scenarios: Sequence[Scenario]) -> list[str]:
    """Every pack that one of the scenarios is judged by; first those that are somebody's own, in order."""
    own = [scenario.pack for scenario in scenarios]
    return list(dict.fromkeys([*own, *(pack for scenario in scenarios for pack in scenario.also)]))


def _read(
    path: Path,
    scenarios: list[Scenario],
    equivalents: list[Equivalent],
    digest: "hashlib._Hash",
    above: tuple[Path, ...],
) -> _PlanFile:
    if path in above:
        raise UsageError(f"{path}: this plan includes itself. Remove the include.")
    plan = load_toml(path, _PlanFile, "plan")
    digest.update(path.read_bytes())
    for name in plan.include:
        if Path(name).name != name:
            raise UsageError(f"{path}: include {name!r} must be the name of a file beside this one.")
        _read(path.parent / name, scenarios, equivalents, digest, (*above, path))
    equivalents += plan.equivalent
    text = read_text(path, "plan")
    for index, entry in enumerate(plan.scenario):
        faults = _faults(path, text, entry, index, digest)
        scenarios.append(_complete(path, plan, entry, index, faults))
    return plan


def _faults(path: Path, text: str, entry: _ScenarioTable, index: int, digest: "hashlib._Hash") -> list[FaultSpec]:
    """The faults of a scenario: those of its script, then its own."""
    faults: list[FaultSpec] = []
    where = f"scenario {index + 1} ({entry.id})"
    if entry.script:
        if Path(entry.script).name != entry.script:
            raise UsageError(f"{path}: {where}: script {entry.script!r} must be the name of a file beside this one.")
        script = path.parent / entry.script
        faults += load_script(script)
        digest.update(script.read_bytes())
    for n, table in enumerate(entry.fault):
        faults += parse_faults(table, locator(path, text, f"$.scenario[{index}].fault[{n}]", f"{where}, fault {n + 1}"))
    return faults


def _complete(path: Path, plan: _PlanFile, entry: _ScenarioTable, index: int, faults: list[FaultSpec]) -> Scenario:
    where = f"{path}: scenario {index + 1} ({entry.id})"
    if plan.table is None or not plan.pack:
        raise UsageError(f"{where}: the plan needs `pack` and a [table] for its scenarios.")
    if not entry.id or not all(letter.isalnum() or letter in "-._" for letter in entry.id) or len(entry.id) > 80:
        raise UsageError(f"{where}: an id is 1 to 80 letters, digits, '-', '.' or '_'.")
    if not 0 <= entry.rounds <= 100:
        raise UsageError(f"{where}: rounds is {entry.rounds}; expected 0 to 100.")
    if entry.rounds == 0 and not (entry.ask or entry.check):
        raise UsageError(f"{where}: no round and nothing asked: nothing would happen. Give it rounds or an ask.")
    check_amount(entry.check, where)
    table = _table(plan.table, entry)
    if table.bank and table.bank not in table.seated:
        raise UsageError(f"{where}: {table.bank!r} is to bank, and nobody is seated there.")
    for position in (*table.positions, *table.seated):
        if position not in SEATS:
            raise UsageError(f"{where}: {position!r} is not a position. Use one of {', '.join(SEATS)}.")
    check_blinds(table.blinds, where)
    if len(entry.news) > MOST_NEWS:
        raise UsageError(f"{where}: {len(entry.news)} news; expected at most {MOST_NEWS}. Remove some.")
    for n, news in enumerate(entry.news):
        news.check(f"{where}, news {n + 1}", table.positions)
    staked = [] if table.ante_cents or table.blinds else table.seated
    wagers = entry.wager if entry.wager is not None else [Wager(position=seat) for seat in staked]
    for wager in wagers:
        if wager.position not in table.seated:
            raise UsageError(f"{where}: a wager at {wager.position!r}, where nobody is seated.")
    for position in (*entry.sits_out, *(move.position for move in entry.play)):
        if position not in table.seated:
            raise UsageError(f"{where}: {position!r} sits out or plays, and nobody is seated there.")
    money = (table.ante_cents, table.bet_cents, *(move.amount_cents for move in entry.play))
    if not all(0 <= cents <= MOST_CENTS for cents in money):
        raise UsageError(f"{where}: an amount is from 0 to {MOST_CENTS} cents.")
    return Scenario(
        id=entry.id,
        title=entry.title,
        pack=plan.pack,
        also=plan.also if entry.also is None else entry.also,
        covers=entry.covers,
        table=table,
        inputs=read_inputs(plan.table.inputs, path),
        own_inputs=read_inputs(entry.inputs, path),
        wagers=wagers,
        sits_out=entry.sits_out,
        play=entry.play,
        choices=entry.choice,
        rounds=entry.rounds,
        approved=entry.approved,
        arranged=entry.arranged,
        dice=entry.dice,
        faults=faults,
        asks=entry.ask,
        checks=entry.check,
        rulings=entry.ruling,
        news=entry.news,
        defects=entry.defect,
    )


def _table(table: Table, entry: _ScenarioTable) -> Table:
    """The plan's table with what the scenario gives in place of its entries."""
    offered = entry.additional_wager_offered
    return msgspec.structs.replace(
        table,
        game=entry.game or table.game,
        cards_in_deck=entry.cards_in_deck or table.cards_in_deck,
        inputs={**table.inputs, **entry.inputs},
        button=entry.button or table.button,
        seated=table.seated if entry.seated is None else entry.seated,
        additional_wager_offered=table.additional_wager_offered if offered is None else offered,
        bank=table.bank if entry.bank is None else entry.bank,
    )
