"""Reads clause packs from their folders and checks everything that can be checked without a journal."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from evidence.errors import UsageError
from evidence.tomlfile import load_toml, read_text
from rules.checking import Checker, Source
from rules.clauses import build_clause, build_policy
from rules.pack import Clause, Pack, Policy
from rules.packfile import Head, Part, RawClause, RawPolicy

PACKS = Path(__file__).parent / "packs"
WHAT = "clause pack"


def load_packs(ids: Sequence[str] | None = None, extra: Sequence[Path] = ()) -> list[Pack]:
    """The shipped packs named in `ids` (None: all of them), then those in the folders `extra`.

    An id of a pack or a clause may stand only once. Raises UsageError with file, line where it is known, and remedy.
    """
    shipped = {folder.name: folder for folder in sorted(PACKS.iterdir()) if (folder / "pack.toml").is_file()}
    packs: dict[str, Pack] = {}
    for folder in extra:
        _add(packs, load_pack(folder))
    for wanted in dict.fromkeys(shipped if ids is None else ids):
        if wanted in packs and ids is not None:
            continue
        if wanted not in shipped:
            known = ", ".join((*shipped, *packs))
            raise UsageError(f"unknown clause pack {wanted!r}. Known: {known}. See `cardcert rules list`.")
        pack = load_pack(shipped[wanted])
        if pack.id != wanted:
            raise UsageError(f"{pack.path}: this folder holds pack {pack.id!r}. Name the folder after its pack.")
        _add(packs, pack)
    _check_unique(packs.values())
    names = list(dict.fromkeys([*(shipped if ids is None else ids), *packs]))
    return [packs[name] for name in names]


def _add(packs: dict[str, Pack], pack: Pack) -> None:
    if pack.id in packs:
        raise UsageError(f"{pack.path}: pack {pack.id!r} is already in {packs[pack.id].path}. Give one another id.")
    packs[pack.id] = pack


def load_pack(folder: Path) -> Pack:
    """The pack in one folder: `pack.toml` and every other `.toml` beside it, in order of their names.

    Raises UsageError with file, line where it is known, and remedy.
    """
    main = folder / "pack.toml"
    head = load_toml(main, Head, WHAT)
    parts: list[tuple[Source, Head | Part]] = [(Source(main, read_text(main, WHAT)), head)]
    others = [path for path in sorted(folder.glob("*.toml")) if path != main]
    parts += [(Source(path, read_text(path, WHAT)), load_toml(path, Part, WHAT)) for path in others]
    _check_head(parts[0][0], head)
    raw_policies = [(source, n, raw) for source, part in parts for n, raw in enumerate(part.policy)]
    raw_clauses = [(source, n, raw) for source, part in parts for n, raw in enumerate(part.clause)]
    policies = _policies(raw_policies, head)
    clauses = _clauses(raw_clauses, head, policies)
    _check_policies(raw_policies, policies, clauses)
    return Pack(
        id=head.id,
        title=head.title,
        authority=head.authority,
        citation=head.citation,
        version=head.version,
        text_date=head.text_date,
        pack_date=head.pack_date,
        languages=tuple(head.languages),
        game=head.game,
        policies=tuple(policies),
        clauses=tuple(clauses),
        path=str(folder),
    )


def _check_head(source: Source, head: Head) -> None:
    if "en" not in head.languages:
        source.refuse("languages", "English is missing", 'Add "en": reasons and reports are in English.')
    if len(set(head.languages)) != len(head.languages):
        source.refuse("languages", "a language stands twice", "Remove one.")
    for name, value in msgspec.structs.asdict(head.game).items():
        if isinstance(value, int) and value < 0:
            source.refuse(f"game.{name}", f"{value} is below 0", "Give 0 for what the game does not have.")
    game = head.game
    if game.stacks and game.stacks * game.stack_size + game.remainder != game.cards_in_deck:
        dealt = f"{game.stacks} stacks of {game.stack_size} and {game.remainder} left"
        source.refuse("game.remainder", f"{dealt} are not {game.cards_in_deck} cards", "Correct the game's numbers.")


def _policies(raws: Iterable[tuple[Source, int, RawPolicy]], head: Head) -> list[Policy]:
    policies: dict[str, Policy] = {}
    for source, n, raw in raws:
        if raw.id in policies:
            source.refuse(f"policy[{n}].id", f"policy {raw.id!r} stands twice", "Rename or remove one.")
        policies[raw.id] = build_policy(source, f"policy[{n}]", raw, head.languages)
    return list(policies.values())


def _clauses(raws: Sequence[tuple[Source, int, RawClause]], head: Head, policies: Sequence[Policy]) -> list[Clause]:
    values = {policy.id: [value.value for value in policy.values] for policy in policies}
    known = {raw.id for _, _, raw in raws}
    clauses: dict[str, Clause] = {}
    for source, n, raw in raws:
        if raw.id in clauses:
            source.refuse(f"clause[{n}].id", f"clause {raw.id!r} stands twice", "Rename or remove one.")
        if not raw.id.startswith(head.id):
            source.refuse(f"clause[{n}].id", f"{raw.id!r} is not of pack {head.id!r}", f"Begin it with {head.id}.")
        checker = Checker(source, head.game, values)
        clauses[raw.id] = build_clause(checker, f"clause[{n}]", raw, head.languages, known)
    if not clauses:
        raise UsageError(f"clause pack {head.id!r} has no clause. Add a [[clause]].")
    return list(clauses.values())


def _check_policies(
    raws: Iterable[tuple[Source, int, RawPolicy]], policies: Iterable[Policy], clauses: Iterable[Clause]
) -> None:
    """A policy must touch exactly the clauses that it says it touches."""
    touched: dict[str, set[str]] = {policy.id: set() for policy in policies}
    for clause in clauses:
        for policy in clause.policies:
            touched[policy].add(clause.id)
    for source, n, raw in raws:
        where = f"policy[{n}].clauses"
        if unknown := sorted(set(raw.clauses) - {clause.id for clause in clauses}):
            source.refuse(where, f"there is no clause {unknown[0]!r}", "Correct or remove it.")
        if idle := sorted(set(raw.clauses) - touched[raw.id]):
            source.refuse(
                where, f"{idle[0]} does not depend on {raw.id!r}", "Use it in a `when`, or remove the clause."
            )
        if hidden := sorted(touched[raw.id] - set(raw.clauses)):
            source.refuse(where, f"{hidden[0]} depends on {raw.id!r} but is not named", "Add it.")
        if not raw.clauses:
            source.refuse(where, f"{raw.id!r} changes nothing", "Use it in a `when`, or remove the policy.")


def _check_unique(packs: Iterable[Pack]) -> None:
    owners: dict[str, str] = {}
    for pack in packs:
        for clause in pack.clauses:
            if clause.id in owners:
                other = owners[clause.id]
                raise UsageError(f"clause {clause.id!r} stands in pack {other} and in {pack.id}. Give one another id.")
            owners[clause.id] = pack.id
