"""What `cardcert rules list`, `show` and `check` tell, as plain data."""

from collections.abc import Sequence
from typing import Any

import msgspec

from evidence.errors import UsageError
from rules.mistakes import nearest
from rules.pack import Clause, Pack, pack_digest

MOST_HINTS = 5


def list_clauses(packs: Sequence[Pack]) -> list[dict[str, Any]]:
    """One row for each clause, in the order of the packs.

    `id`, `pack`, `version` of the pack, `authority`, `citation`, `role`, `languages`, `text_language`, `meaning` by
    language, `alternatives` and `policies` (ids), `requirements` (each `id`, `duty`, `needs_input`, `needs_ruling`).
    """
    return [_row(pack, clause) for pack in packs for clause in pack.clauses]


def find_clause(packs: Sequence[Pack], clause_id: str) -> tuple[Pack, Clause]:
    """The clause with this id and its pack. Raises UsageError, with those that may be meant, when no pack has it."""
    known = {clause.id: (pack, clause) for pack in packs for clause in pack.clauses}
    if clause_id in known:
        return known[clause_id]
    close = [name for name in known if clause_id.casefold() in name.casefold()][:MOST_HINTS]
    near = nearest(known, clause_id)
    meant = close or ([near] if near else [])
    hint = f"Did you mean {', '.join(meant)}?" if meant else "`cardcert rules list` shows those there are."
    raise UsageError(f"there is no clause {clause_id!r}. {hint}")


def show_clause(packs: Sequence[Pack], clause_id: str) -> dict[str, Any]:
    """All there is to one clause: its row, its alternatives, policies and requirements in full.

    Raises UsageError when no pack has it.
    """
    pack, clause = find_clause(packs, clause_id)
    policies = [policy for policy in pack.policies if policy.id in clause.policies]
    return {
        **_row(pack, clause),
        "alternatives": [{"id": one.id, "meaning": one.meaning} for one in clause.alternatives],
        "policies": [
            {
                "id": policy.id,
                "meaning": policy.meaning,
                "default": policy.default,
                "values": {one.value: one.meaning for one in policy.values},
            }
            for policy in policies
        ],
        "requirements": [msgspec.to_builtins(requirement) for requirement in clause.requirements],
        "see": list(clause.see),
    }


def describe_pack(pack: Pack) -> dict[str, Any]:
    """What a pack holds: `pack`, `version`, `sha256`, how many clauses, requirements and alternatives, `policies`."""
    return {
        "pack": pack.id,
        "title": pack.title,
        "version": pack.version,
        "languages": list(pack.languages),
        "text_language": pack.text_language,
        "note": dict(pack.note),
        "sha256": pack_digest(pack),
        "clauses": len(pack.clauses),
        "requirements": sum(len(clause.requirements) for clause in pack.clauses),
        "alternatives": sum(len(clause.alternatives) for clause in pack.clauses),
        "policies": {policy.id: policy.default for policy in pack.policies},
        "inputs": sorted({name for one in pack.clauses for need in one.requirements for name in need.needs_input}),
    }


def _row(pack: Pack, clause: Clause) -> dict[str, Any]:
    return {
        "id": clause.id,
        "pack": pack.id,
        "version": pack.version,
        "authority": pack.authority,
        "citation": clause.citation,
        "role": clause.role,
        "languages": list(pack.languages),
        "text_language": pack.text_language,
        "meaning": dict(clause.meaning),
        "alternatives": [alternative.id for alternative in clause.alternatives],
        "policies": list(clause.policies),
        "requirements": [
            {
                "id": one.id,
                "duty": one.duty,
                "needs_input": list(one.needs_input),
                "needs_ruling": list(one.needs_ruling),
            }
            for one in clause.requirements
        ],
    }
