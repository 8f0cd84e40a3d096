"""The shape of `certificate.json`: what a program may rely on. The schema in docs/schemas is made from it.

`schema` counts up when an entry is removed, renamed or means something else. An entry may be added without that, so a
program has to pass over those that it does not know.
"""

from typing import Any, Literal

import msgspec

from reports.certificate.data import NO_RESULT, SCHEMA
from reports.papers.laboratory import Amendment, Authorisation, Condition, Departure, External, Opinion, Uncertainty
from reports.signed_by import SignedBy
from rules.summary import Overall

Records = list[int]
"""Journal sequence numbers."""


class Named(msgspec.Struct, frozen=True):
    name: str
    value: str


class Report(msgspec.Struct, frozen=True):
    number: str
    numbered_by_laboratory: bool
    issued: str
    replaces: Amendment | None
    authorised_by: list[Authorisation]
    decision_rule: str
    remarks: str


class Result(msgspec.Struct, frozen=True):
    overall: str
    stored: str
    followed: str
    passed: int
    failed: int
    other: int
    untouched: int
    open: int
    further_packs: list[str]
    open_points: list[str]


class Laboratory(msgspec.Struct, frozen=True):
    name: str
    address: str
    contact: str
    accreditation: str
    location: str
    other: list[Named]


class Customer(msgspec.Struct, frozen=True):
    name: str
    address: str
    contact: str
    reference: str


class _Item(msgspec.Struct, frozen=True, kw_only=True):
    description: str
    condition: str
    received: str
    inventory_number: str
    remarks: str


class Device(_Item, frozen=True, kw_only=True):
    device: str
    role: str
    maker: str
    model: str
    serial: str
    firmware: str
    firmware_sha256: str


class Software(_Item, frozen=True, kw_only=True):
    maker: str
    product: str
    version: str
    sha256: str


class File(msgspec.Struct, frozen=True):
    name: str
    sha256: str


class Rig(msgspec.Struct, frozen=True):
    name: str
    sha256: str
    clock: str


class Journal(msgspec.Struct, frozen=True):
    records: str
    head: str


class Run(msgspec.Struct, frozen=True):
    cardcert: str
    plan: File
    rig: Rig
    seed: str
    started_utc: str
    finished_utc: str
    journal: Journal


class PackUsed(msgspec.Struct, frozen=True):
    id: str
    authority: str
    citation: str
    version: str
    sha256: str


class PolicyUsed(msgspec.Struct, frozen=True):
    id: str
    value: str
    is_default: bool
    meaning: str
    value_meaning: str


class Departures(msgspec.Struct, frozen=True):
    stated: list[Departure]
    observed: list[str]


class Sampling(msgspec.Struct, frozen=True):
    plan: str
    date: str


class Cell(msgspec.Struct, frozen=True):
    id: str
    short: str
    verdict: str


class MatrixRow(msgspec.Struct, frozen=True):
    pack: str
    authority: str
    verdicts: dict[str, int]
    clauses: list[Cell]


class Duty(msgspec.Struct, frozen=True):
    requirement: str
    duty: str


class Chosen(msgspec.Struct, frozen=True):
    id: str
    value: str


class KnownMark(msgspec.Struct, frozen=True):
    state: Literal["known", "expired"]
    until: str
    why: str
    reference: str
    agreed_by: str


class Event(msgspec.Struct, frozen=True):
    record: int
    seconds: float
    lane: str
    source: str
    words: str
    evidence: bool


class Picture(msgspec.Struct, frozen=True):
    record: int
    sha256: str
    words: str


class Open(msgspec.Struct, frozen=True, kw_only=True):
    clause: str
    scenario: str
    title: str
    verdict: str
    reason: str
    evidence: Records


class NonConformity(Open, frozen=True, kw_only=True):
    number: str
    pack: str
    citation: str
    words: str
    duties: list[Duty]
    policies: list[Chosen]
    known: KnownMark | None
    events: list[Event]
    pictures: list[Picture]
    excerpt: list[Event]
    records: int


class ClauseRow(msgspec.Struct, frozen=True):
    id: str
    pack: str
    citation: str
    meaning: dict[str, str]
    words: str
    exact: bool
    verdict: str
    reason: str


class AlternativeRow(msgspec.Struct, frozen=True):
    clause: str
    id: str
    words: str
    verdict: str
    scenarios: list[str]


class TriggerRow(msgspec.Struct, frozen=True):
    clause: str
    requirement: str
    triggered: int
    passed: int
    failed: int
    open: int


class MeasuredRow(msgspec.Struct, frozen=True):
    name: str
    samples: int
    scenarios: int
    median_s: float
    least_s: float
    most_s: float
    noise_s: float
    uncertainty_s: float


class SensitivityRow(msgspec.Struct, frozen=True):
    clause: str
    requirement: str
    compliant: str
    defect: str
    verdict: str
    also_failed: list[str]
    caught: bool


class Vision(msgspec.Struct, frozen=True):
    readings: int
    abstained: int
    lowest_certainty: float | None
    lowest_record: int | None
    stated: list[Named]


class FaultRow(msgspec.Struct, frozen=True):
    scenario: str
    fault: str
    target: str
    params: dict[str, int | str]
    proven: bool
    symptom: str
    means: str
    by: Records
    reason: str


class Certificate(msgspec.Struct, frozen=True):
    """Everything that a certificate states. What is not known is an empty string, or null where that may stand."""

    schema: int
    kind: Literal["cardcert.certificate"]
    signed: bool
    signature: SignedBy
    made_with: dict[str, str]
    lang: Literal["en", "es", "it"]
    reference: str
    report: Report
    result: Result
    defects: list[str]
    missing: list[str]
    laboratory: Laboratory
    customer: Customer
    devices: list[Device]
    software: Software
    run: Run
    camera: list[Named]
    packs: list[PackUsed]
    policies: list[PolicyUsed]
    departures: Departures
    conditions: list[Condition]
    sampling: Sampling
    uncertainty: list[Uncertainty]
    external: list[External]
    from_customer: list[str]
    opinions: list[Opinion]
    matrix: list[MatrixRow]
    nonconformities: list[NonConformity]
    open: list[Open]
    clauses: list[ClauseRow]
    alternatives: list[AlternativeRow]
    triggers: list[TriggerRow]
    measured: list[MeasuredRow]
    sensitivity: list[SensitivityRow] | None
    vision: Vision
    faults: list[FaultRow]
    versions: list[Named]


def certificate_schema() -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of `certificate.json`."""
    schema: dict[str, Any] = msgspec.json.schema(Certificate)
    definitions = schema["$defs"]
    definitions["Certificate"]["properties"]["schema"] = {"const": SCHEMA}
    definitions["Result"]["properties"]["overall"] = {"enum": [*map(str, Overall), NO_RESULT]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "certificate.json of cardcert",
        **schema,
    }
