"""What a plan costs on a bench, and a part of it that shows as much."""

import json
import tomllib
from pathlib import Path

import msgspec
import pytest

from bench.plan import load_plan, only
from bench.rig import load_rig
from cardcert.__main__ import main
from cardcert.shipped import find_plan, find_rig
from evidence.events import AnyEvent, DeviceCommanded, DeviceCycle, DeviceDispensed, DeviceFault, Record
from fixtures.plan_costs import Cost, costs_of, fewest, until_done
from fixtures.plan_parts import kept_files
from rules.loader import load_packs
from rules.summary import Overall

PLAN = "sd-bj-28"


def cost(name: str, device_s: float, *shows: str) -> Cost:
    return Cost(scenario=name, pack="SD-BJ-28", commands={}, device_s=device_s, shows=list(shows))


def test_a_command_takes_what_the_rig_says_that_it_takes() -> None:
    plan = only(load_plan(find_plan(PLAN)), ["sd-plain"])
    packs, rig = load_packs(plan.packs), load_rig(find_rig("emulated"))
    (plain,), _ = costs_of(plan, packs, rig, {}, {})
    (slow,), _ = costs_of(plan, packs, rig, {"shuffler": {"shuffle": 1000.0}}, {})
    assert plain.commands == slow.commands
    assert plain.shuffles > 0
    assert 1000 * plain.shuffles < slow.device_s < 1000 * plain.shuffles + plain.device_s


def test_a_jam_that_a_device_clears_by_itself_does_not_end_its_work() -> None:
    jam = DeviceFault(device="shoe", code="CARD_STUCK_ON_EXIT", symptom="jam", recovered=True)
    told: list[tuple[int, AnyEvent]] = [
        (0, DeviceCommanded(device="shoe", command="deal_group")),
        (1, DeviceFault(device="shuffler", code="LID_OPEN", symptom="stop")),
        (2, jam),
        (9, DeviceDispensed(device="shoe", unit="group", index=1, count=7)),
        (20, DeviceCycle(device="shoe", kind="load", phase="completed")),
    ]
    records = [
        Record(seq=seq, mono_ns=at_s * 10**9, utc="", source="device:shoe", scenario="s", event=event)
        for seq, (at_s, event) in enumerate(told)
    ]
    assert until_done("shoe", records) == 9.0
    assert until_done("shoe", [*records[:2], records[4]]) == 20.0
    given_up = msgspec.structs.replace(jam, recovered=False)
    assert until_done("shoe", [*records[:2], msgspec.structs.replace(records[2], event=given_up), *records[3:]]) == 2.0


def test_a_scenario_is_left_out_when_others_show_all_of_it_for_less() -> None:
    plan = only(load_plan(find_plan(PLAN)), ["sd-plain"])
    costs = [
        cost("both", 50, "SD-BJ-28.a", "SD-BJ-28.b:x"), cost("a", 20, "SD-BJ-28.a"), cost("b", 20, "SD-BJ-28.b:x"),
        cost("doubtful", 1), cost("other pack", 1, "TDA-35.A"),
    ]  # fmt: skip
    assert fewest(plan, costs).names == ("a", "b")
    assert fewest(plan, [costs[0], cost("a", 40, "SD-BJ-28.a"), costs[2]]).names == ("both",)


def test_the_files_of_a_part_hold_its_scenarios_word_for_word(tmp_path: Path) -> None:
    whole = load_plan(find_plan("default"))
    wanted = {scenario.id for scenario in whole.scenarios[::7]}
    for name, text in kept_files(find_plan("default"), wanted).items():
        (tmp_path / name).write_text(text, "utf-8")
    part = load_plan(tmp_path / "plan.toml")
    assert part.scenarios == [scenario for scenario in whole.scenarios if scenario.id in wanted]


def test_included_files_of_the_same_name_stay_apart(tmp_path: Path) -> None:
    scenarios = tomllib.loads(find_plan(PLAN).read_text("utf-8"))["scenario"]
    first, second = scenarios[0]["id"], scenarios[1]["id"]
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        text = find_plan(PLAN).read_text("utf-8")
        if folder == "two":
            text = text.replace(f'id = "{first}"', 'id = "another"').replace(f'id = "{second}"', 'id = "wanted"')
        (tmp_path / folder / "plan.toml").write_text(text, "utf-8")
    (tmp_path / "all.toml").write_text(
        'name = "all"\ntitle = "All"\ninclude = ["one/plan.toml", "two/plan.toml"]\n', "utf-8"
    )
    files = kept_files(tmp_path / "all.toml", {first, "wanted"})
    made = tmp_path / "made"
    made.mkdir()
    for name, text in files.items():
        (made / name).write_text(text, "utf-8")
    assert [scenario.id for scenario in load_plan(made / "plan.toml").scenarios] == [first, "wanted"]


def test_the_reduced_plan_conforms_with_less_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "reduce", PLAN, "--out", str(tmp_path / "less"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["cheapest"]
    assert told["after"]["scenarios"] == len(told["scenarios"]) < told["before"]["scenarios"]
    assert told["least_device_s"] == pytest.approx(told["after"]["device_s"], abs=0.1)
    assert told["after"]["device_s"] < told["before"]["device_s"]
    plan = load_plan(tmp_path / "less" / "plan.toml")
    _, summary = costs_of(plan, load_packs(plan.packs), load_rig(find_rig("emulated")), {}, {})
    assert summary.overall is Overall.CONFORMS


def test_a_plan_that_does_not_conform_is_not_reduced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in kept_files(find_plan(PLAN), {"sd-plain"}).items():
        (tmp_path / name).write_text(text, "utf-8")
    assert main(["plan", "reduce", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "less")]) == 3
    assert "INCONCLUSIVE" in capsys.readouterr().out
    assert not list((tmp_path / "less").iterdir())
