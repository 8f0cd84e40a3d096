"""A run folder, read once and indexed, for every report to draw from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from evidence.errors import UsageError
from evidence.events import Record
from evidence.reading import read_with_bytes
from reports.clauses import ClauseText, PolicyText, clause_texts, judged_packs, policy_texts
from reports.papers import known, laboratory
from reports.papers.known import Known
from reports.papers.laboratory import LabFile
from reports.shape import mappings
from rules.pack import Pack

_FILE_LIMIT_BYTES = 256 * 1024 * 1024
_RECENT_SCENARIOS = 4


class VerdictRow(msgspec.Struct, frozen=True, kw_only=True):
    """One line of `verdicts.json` as a report reads it. `verdict` is kept as written: a word unknown here is shown."""

    scenario: str
    pack: str
    clause: str
    verdict: str
    reason: str = ""
    reasons: dict[str, str] = {}
    evidence: tuple[int, ...] = ()
    policies: dict[str, Any] = {}
    requirement: str = ""
    requirements: dict[str, str] = {}
    alternatives: tuple[str, ...] = ()
    trigger: Any = None

    def sentence(self, lang: str) -> str:
        """The reason in a language; as it was written where there is none in that language."""
        return self.reasons.get(lang) or self.reason


@dataclass
class RecordIndex:
    """Journal records by sequence number and by scenario, kept as the JSON of the journal and decoded on demand.

    A run of 1,000 scenarios has some hundred thousand records; as objects they would take gigabytes.
    """

    _encoded: list[bytes] = field(default_factory=list)
    _scenarios: dict[str, list[int]] = field(default_factory=dict)
    _recent: dict[str, tuple[Record, ...]] = field(default_factory=dict)
    _decoder: msgspec.json.Decoder[Record] = field(default_factory=lambda: msgspec.json.Decoder(Record))
    _position: dict[int, int] = field(default_factory=dict)

    def add(self, record: Record, encoded: bytes) -> None:
        """Append a record, given with its JSON; its scenario's cached view is dropped."""
        self._position[record.seq] = len(self._encoded)
        self._scenarios.setdefault(record.scenario, []).append(len(self._encoded))
        self._encoded.append(encoded)
        self._recent.pop(record.scenario, None)

    def get(self, seq: int) -> Record | None:
        """The record with this sequence number, or None when the journal does not hold it."""
        position = self._position.get(seq)
        return None if position is None else self._decoder.decode(self._encoded[position])

    def of_scenario(self, scenario: str) -> tuple[Record, ...]:
        """All records of one scenario in journal order; empty when there is none."""
        if scenario not in self._recent:
            while len(self._recent) >= _RECENT_SCENARIOS:
                self._recent.pop(next(iter(self._recent)))
            positions = self._scenarios.get(scenario, [])
            self._recent[scenario] = tuple(self._decoder.decode(self._encoded[position]) for position in positions)
        return self._recent[scenario]

    def scenarios(self) -> tuple[str, ...]:
        """Scenario ids in order of appearance, without the run's own records."""
        return tuple(name for name in self._scenarios if name)

    def __iter__(self) -> Iterator[Record]:
        return (self._decoder.decode(encoded) for encoded in self._encoded)

    def __len__(self) -> int:
        return len(self._encoded)


@dataclass(frozen=True)
class RunView:
    """What a run folder holds. `missing` names the parts that should be there and are not."""

    folder: Path
    run: Mapping[str, Any]
    verdicts: tuple[VerdictRow, ...]
    sensitivity: tuple[Mapping[str, Any], ...] | None
    records: RecordIndex
    missing: tuple[str, ...] = ()
    packs: tuple[Pack, ...] = ()
    """Those of the packs judged with that are installed here."""
    lab: LabFile | None = None
    """What the laboratory says; None when it laid no file into the folder."""
    known: tuple[Known, ...] = ()

    @classmethod
    def load(cls, folder: Path, records: RecordIndex | None = None) -> "RunView":
        """Read a run folder; its journal too, unless its `records` have been read already.

        Raises UsageError when the folder is none, or when a file in it is not what its name says. A part that is not
        there is listed in `missing` instead, since an interrupted run must still be shown.
        """
        folder = Path(folder)
        if not folder.is_dir():
            raise UsageError(f"{folder}: expected a run folder, found none; name the folder given to certify as --out")
        missing = [name for name in ("run.json", "verdicts.json", "journal") if not (folder / name).exists()]
        if len(missing) == 3:
            raise UsageError(
                f"{folder}: expected a run folder with run.json, journal/ and verdicts.json, found none of them"
            )
        index = RecordIndex() if records is None else records
        if records is None and "journal" not in missing:
            for record, encoded in read_with_bytes(folder):
                index.add(record, encoded)
        run = _read(folder / "run.json", dict[str, Any]) if "run.json" not in missing else {}
        verdicts = _read(folder / "verdicts.json", tuple[VerdictRow, ...]) if "verdicts.json" not in missing else ()
        sensitivity = folder / "sensitivity.json"
        matrix = _read(sensitivity, tuple[dict[str, Any], ...]) if sensitivity.exists() else None
        lab, known_ones = folder / laboratory.FILE_NAME, folder / known.FILE_NAME
        return cls(
            folder,
            run,
            verdicts,
            matrix,
            index,
            tuple(missing),
            judged_packs(run, folder),
            laboratory.load_lab_file(lab) if lab.exists() else None,
            known.load_known(known_ones) if known_ones.exists() else (),
        )

    def rows(self, scenario: str, clause: str) -> tuple[VerdictRow, ...]:
        """The verdicts on one clause in one scenario, as written."""
        return self._by_case.get((scenario, clause), ())

    def cases(self) -> tuple[tuple[str, str], ...]:
        """Every (scenario, clause) judged, in the order of `verdicts.json`."""
        return tuple(self._by_case)

    def scenario(self, scenario: str) -> Mapping[str, Any]:
        """What `run.json` says of a scenario; empty when it does not name it."""
        return self._listed["scenarios"].get(scenario, {})

    def pack(self, pack: str) -> Mapping[str, Any]:
        """What `run.json` says of a clause pack; empty when it does not name it."""
        return self._listed["packs"].get(pack, {})

    @cached_property
    def scenarios_judged(self) -> tuple[str, ...]:
        """Scenarios with at least one verdict, in the order of `verdicts.json`."""
        return tuple(dict.fromkeys(row.scenario for row in self.verdicts))

    @cached_property
    def clauses(self) -> Mapping[str, ClauseText]:
        """Wording of the clauses of `packs`, by clause id."""
        return clause_texts(self.packs, self.run)

    @cached_property
    def policies(self) -> Mapping[str, PolicyText]:
        """Wording of the policy switches of `packs`, by their id."""
        return policy_texts(self.packs)

    @cached_property
    def _by_case(self) -> dict[tuple[str, str], tuple[VerdictRow, ...]]:
        cases: dict[tuple[str, str], tuple[VerdictRow, ...]] = {}
        for row in self.verdicts:
            case = (row.scenario, row.clause)
            cases[case] = (*cases.get(case, ()), row)
        return cases

    @cached_property
    def _listed(self) -> dict[str, dict[str, Mapping[str, Any]]]:
        return {
            name: {str(item.get("id")): item for item in mappings(self.run.get(name))}
            for name in ("scenarios", "packs")
        }


def _read(path: Path, kind: Any) -> Any:
    try:
        size = path.stat().st_size
        if size > _FILE_LIMIT_BYTES:
            raise UsageError(f"{path}: {size} bytes, expected at most {_FILE_LIMIT_BYTES}; this is not a file of a run")
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}); check its permissions") from error
    except (msgspec.MsgspecError, RecursionError) as error:
        raise UsageError(f"{path}: {error}; judge the run again to write this file anew") from error
