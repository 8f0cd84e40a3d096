"""A plan finds the packs that ship by their ids, and packs of one's own in folders beside it."""

from pathlib import Path

import pytest

from bench.plan import Plan, load_plan
from evidence.errors import UsageError
from fixtures.own_packs import packs_of
from rules.mistakes import PackMistakes
from tests.rules.pack_mistakes import FILES

PLAN = """
name = "mine"
title = "Mine"
pack = "XX-1"
also = ["PR-PGP-SHOE"]

[table]
game = "pai_gow_poker"
cards_in_deck = 53
seated = ["seat/1"]

[[scenario]]
id = "a"
title = "A"
covers = []
"""


def lay(folder: Path, plan: str = PLAN, pack: str = "XX-1") -> tuple[Plan, Path]:
    (folder / pack).mkdir(parents=True)
    for name, text in FILES.items():
        (folder / pack / name).write_text(text, encoding="utf-8")
    path = folder / "plan.toml"
    path.write_text(plan)
    return load_plan(path), path


def test_a_pack_beside_the_plan_is_found_by_its_name(tmp_path: Path) -> None:
    packs = packs_of(*lay(tmp_path))
    assert [pack.id for pack in packs] == ["XX-1", "PR-PGP-SHOE"]
    assert packs[0].path == str(tmp_path / "XX-1")


def test_a_pack_that_ships_is_not_looked_for_beside_the_plan(tmp_path: Path) -> None:
    plan = PLAN.replace('"XX-1"', '"NJ-69F-33.12"')
    packs = packs_of(*lay(tmp_path, plan, "NJ-69F-33.12"))
    assert "NJ-69F-33.12.a.1" in [clause.id for clause in packs[0].clauses]


@pytest.mark.parametrize("name", ["XX-2", "../XX-1", "sub/XX-1", ".."])
def test_a_pack_that_is_nowhere_is_named_and_no_other_folder_is_entered(tmp_path: Path, name: str) -> None:
    for folder in (tmp_path / "XX-1", tmp_path / "plans" / "sub" / "XX-1", tmp_path):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "pack.toml").write_text("whoever reads this tells that it is no TOML")
    plan, path = lay(tmp_path / "plans", PLAN.replace('"XX-1"', f'"{name}"'))
    with pytest.raises(UsageError, match=r"unknown clause pack .*A pack of your own lies beside the plan"):
        packs_of(plan, path)


def test_a_mistake_in_a_pack_of_one_s_own_is_told_with_its_line(tmp_path: Path) -> None:
    plan, path = lay(tmp_path)
    wrong = tmp_path / "XX-1" / "pack.toml"
    wrong.write_text(wrong.read_text(encoding="utf-8").replace("2025-01-31", "soon"), encoding="utf-8")
    with pytest.raises(PackMistakes, match=r"pack.toml:7: .*'soon' is no day"):
        packs_of(plan, path)
