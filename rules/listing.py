"""What `cardcert rules list`, `show` and `check` print, as plain data."""

from collections.abc import Sequence
from typing import Any

import msgspec

from evidence.errors import UsageError
from rules.pack import Clause, Pack, pack_digest


def list_clauses(packs: Sequence[Pack]) -> list[dict[str, Any]]:
    """One row for each clause: `id`, `pack`, `citation`, `meaning` by language, `alternatives`, `policies`."""
    return [_row(pack, clause) for pack in packs for clause in pack.clauses]


def show_clause(packs: Sequence[Pack], clause_id: str) -> dict[str, Any]:
    """All there is to one clause: its row, its alternatives, policies and requirements in full.

    Raises UsageError when no pack has it.
    """
    for pack in packs:
        for clause in pack.clauses:
            if clause.id == clause_id:
                return _full(pack, clause)
    close = [clause.id for pack in packs for clause in pack.clauses if clause_id.lower() in clause.id.lower()]
    hint = f"Did you mean {', '.join(close[:5])}?" if close else "`cardcert rules list` shows those there are."
    raise UsageError(f"there is no clause {clause_id!r}. {hint}")


def describe_pack(pack: Pack) -> dict[str, Any]:
    """What a pack holds: `pack`, `version`, `sha256`, how many clauses, requirements and alternatives, `policies`."""
    return {
        "pack": pack.id,
        "version": pack.version,
        "sha256": pack_digest(pack),
        "clauses": len(pack.clauses),
        "requirements": sum(len(clause.requirements) for clause in pack.clauses),
        "alternatives": sum(len(clause.alternatives) for clause in pack.clauses),
        "policies": {policy.id: policy.default for policy in pack.policies},
    }


def _row(pack: Pack, clause: Clause) -> dict[str, Any]:
    return {
        "id": clause.id,
        "pack": pack.id,
        "citation": clause.citation,
        "meaning": dict(clause.meaning),
        "alternatives": [alternative.id for alternative in clause.alternatives],
        "policies": list(clause.policies),
    }


def _full(pack: Pack, clause: Clause) -> dict[str, Any]:
    policies = [policy for policy in pack.policies if policy.id in clause.policies]
    return {
        **_row(pack, clause),
        "authority": pack.authority,
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
    }
