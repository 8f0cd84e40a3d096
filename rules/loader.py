"""Reads clause packs from their folders and checks everything that can be checked without a journal."""

from collections.abc import Collection, Iterable, Sequence
from functools import partial
from pathlib import Path

import msgspec

from evidence.errors import UsageError
from rules.checking import Checker
from rules.clauses import build_clause, build_policy, check_texts
from rules.head import check_head, check_inputs
from rules.mistakes import Notebook, Source, choice
from rules.pack import Clause, Pack
from rules.packfile import Head, Part, RawClause
from rules.packfolder import MAIN, parse_files, read_folder
from rules.sense import Place, check_overrides, check_policy_use
from rules.shape import check_shape

PACKS = Path(__file__).parent / "packs"

MOST_KEPT = 32
"""Packs that are kept for when the same files are read again."""
_kept: dict[tuple[tuple[str, str], ...], tuple[Pack, bool]] = {}
"""By names and texts of their files; and whether they were held to what is asked of packs that ship."""

Written = tuple[Source, Head | Part]
"""A file of a pack with what stands in it."""


def shipped_ids() -> list[str]:
    """The ids of the packs that ship with cardcert."""
    return sorted(folder.name for folder in PACKS.iterdir() if (folder / MAIN).is_file())


def load_packs(ids: Sequence[str] | None = None, extra: Sequence[Path] = ()) -> list[Pack]:
    """The shipped packs named in `ids` (None: all of them), then those in the folders `extra`.

    An id of a pack or a clause may stand only once. Raises UsageError with file, line where it is known, and remedy.
    """
    shipped = {name: PACKS / name for name in shipped_ids()}
    packs: dict[str, Pack] = {}
    for folder in extra:
        _add(packs, load_pack(folder))
    for wanted in dict.fromkeys(shipped if ids is None else ids):
        if wanted in packs and ids is not None:
            continue
        if wanted not in shipped:
            known = choice("Known", (*shipped, *packs), wanted)
            raise UsageError(
                f"unknown clause pack {wanted!r}. {known} A pack of your own lies beside the plan, in its folder."
            )
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

    Raises PackMistakes with all that is wrong, each with its file, line where it is known, and remedy.
    """
    notebook = Notebook()
    shipped = folder.parent == PACKS
    read = read_folder(folder, notebook, links=shipped)
    # Reading is little, understanding much, and the same files are asked for again and again.
    key = tuple((path.name, text) for path, text in read)
    pack, as_shipped = _kept.get(key, (None, False))
    if pack is not None and as_shipped >= shipped and not notebook:
        return pack if pack.path == str(folder) else msgspec.structs.replace(pack, path=str(folder))
    files = parse_files(read, notebook)
    for file in files:
        check_shape(file.source, file.data, Head if file.main else Part)
    notebook.check()
    head: Head = msgspec.convert(files[0].data, Head)
    parts: list[Written] = [(files[0].source, head)]
    parts += [(file.source, msgspec.convert(file.data, Part)) for file in files[1:]]
    with notebook.entry():
        pack = _build(parts, head, str(folder), notebook)
        notebook.check()
        if len(_kept) >= MOST_KEPT:
            _kept.clear()
        _kept[key] = pack, shipped
        return pack
    notebook.check()
    raise AssertionError("an entry was refused, and no mistake was noted")


def _build(parts: Sequence[Written], head: Head, folder: str, notebook: Notebook) -> Pack:
    if head.note:
        check_texts(parts[0][0], "note", head.note, head.languages, "note")
    check_head(parts[0][0], head, shipped=parts[0][0].path.parent.parent == PACKS)
    raw_policies = [((source, f"policy[{n}]"), raw) for source, part in parts for n, raw in enumerate(part.policy)]
    raw_clauses = [((source, f"clause[{n}]"), raw) for source, part in parts for n, raw in enumerate(part.clause)]
    _once("policy", [(place, raw.id) for place, raw in raw_policies])
    _once("clause", [(place, raw.id) for place, raw in raw_clauses])
    _once("input", [((parts[0][0], f"input[{n}]"), one.id) for n, one in enumerate(head.input)])
    check_inputs(parts[0][0], head, raw_clauses)
    if not raw_clauses:
        parts[0][0].refuse("", f"pack {head.id!r} has no clause", "Add a [[clause]].")
    values = {raw.id: [value.value for value in raw.value] for _, raw in raw_policies}
    known = {raw.id for _, raw in raw_clauses}
    policies, clauses = notebook.gather_both(
        [partial(build_policy, *place, raw, head.languages) for place, raw in raw_policies],
        [
            partial(_clause, Checker(place[0], head.game, values), place[1], raw, head, known)
            for place, raw in raw_clauses
        ],
    )
    placed = zip(policies, (place for place, _ in raw_policies), strict=True)
    check_policy_use({policy.id: (policy, place) for policy, place in placed}, clauses)
    check_overrides(list(zip(clauses, (place for place, _ in raw_clauses), strict=True)))
    return Pack(
        id=head.id,
        title=head.title,
        authority=head.authority,
        citation=head.citation,
        version=head.version,
        text_date=head.text_date,
        pack_date=head.pack_date,
        languages=tuple(head.languages),
        text_language=head.text_language,
        note=head.note,
        inputs={one.id: one.meaning for one in head.input},
        game=head.game,
        policies=tuple(policies),
        clauses=tuple(clauses),
        path=folder,
    )


def _once(what: str, named: Iterable[tuple[Place, str]]) -> None:
    """Notes every entry whose id another of the pack has, in whichever file."""
    first: dict[str, Place] = {}
    for (source, where), name in named:
        if name in first:
            other = first[name][0].place(first[name][1])
            source.note(f"{where}.id", f"{what} {name!r} stands twice, first at {other}", "Rename or remove one.")
        first.setdefault(name, (source, where))


def _clause(checker: Checker, where: str, raw: RawClause, head: Head, known: Collection[str]) -> Clause:
    if not raw.id.startswith(f"{head.id}."):
        checker.source.note(
            f"{where}.id", f"{raw.id!r} is not of pack {head.id!r}", f"Begin it with {head.id!r} and a dot."
        )
    return build_clause(checker, where, raw, head.languages, known)


def _check_unique(packs: Iterable[Pack]) -> None:
    owners: dict[str, str] = {}
    for pack in packs:
        for clause in pack.clauses:
            if clause.id in owners:
                other = owners[clause.id]
                raise UsageError(f"clause {clause.id!r} stands in pack {other} and in {pack.id}. Give one another id.")
            owners[clause.id] = pack.id
