"""`cardcert plan`: show the plans that ship and what is written in one, what it costs, and make it cheaper."""

import argparse
import json
from pathlib import Path

import msgspec

from bench.plan import Plan, load_plan
from bench.rig import load_rig
from cardcert.listings import print_rows, reading
from cardcert.shipped import PLANS, find_plan, find_rig, names
from evidence.errors import UsageError
from evidence.files import make_empty, write_atomic
from fixtures.checks import check_plan
from fixtures.own_packs import copy_own, packs_of
from fixtures.plan_costs import LEAST_S, Cost, costs_of, fewest
from fixtures.plan_parts import kept_files
from fixtures.progress import Progress
from fixtures.run_settings import parse_policies
from rules.judge import choose_policies
from rules.pack import Pack
from rules.summary import Overall, Summary


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    plan = commands.add_parser("plan", help="plans: list, show, reduce").add_subparsers(required=True)
    reading(plan, "list", run_list, "list the shipped plans")
    parser = reading(plan, "show", run_show, "show the scenarios of a plan")
    parser.add_argument("plan")
    parser.add_argument("--cost", action="store_true", help="what each scenario asks of the devices")
    _add_rig(parser)
    parser = reading(plan, "reduce", run_reduce, "write the part of a plan that shows as much with the least work")
    parser.add_argument("plan")
    parser.add_argument("--out", type=Path, required=True, help="folder to make; the plan in it is plan.toml")
    _add_rig(parser)


def _add_rig(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rig", default="emulated", help="rig whose device times count (default: the emulated rig)")
    parser.add_argument("--policy", action="append", default=[], metavar="SWITCH=VALUE", help="set a policy switch")


def run_list(options: argparse.Namespace) -> int:
    rows = []
    for name in names(PLANS):
        plan = load_plan(find_plan(name))
        rows.append({"name": name, "title": plan.title, "scenarios": len(plan.scenarios), "packs": plan.packs})
    return print_rows(options, rows, ("name", "scenarios", "title"))


def run_show(options: argparse.Namespace) -> int:
    path = find_plan(options.plan)
    plan = load_plan(path)
    packs = packs_of(plan, path)
    check_plan(plan, packs)
    if options.cost:
        costs, _ = _costs(options, plan, packs)
        return _show_costs(options, costs)
    rows = [
        {"id": scenario.id, "title": scenario.title, "covers": scenario.covers,
         "faults": [fault.name for fault in scenario.faults], "defects": [defect.name for defect in scenario.defects]}
        for scenario in plan.scenarios
    ]  # fmt: skip
    return print_rows(options, rows, ("id", "title", "covers"))


def run_reduce(options: argparse.Namespace) -> int:
    """Write the reduced plan; 3 if the whole plan does not conform on the emulated rig, so that nothing follows."""
    path = find_plan(options.plan)
    plan = load_plan(path)
    packs = packs_of(plan, path)
    check_plan(plan, packs)
    make_empty(options.out)
    costs, summary = _costs(options, plan, packs)
    if summary.overall is not Overall.CONFORMS:
        print(f"the whole plan is {summary.overall.value} on the emulated rig; a part of it would show no more")
        for point in summary.open_points:
            print(point)
        return 3
    choice = fewest(plan, costs)
    for name, text in kept_files(path, frozenset(choice.names)).items():
        write_atomic(options.out / name, text.encode())
    copy_own(packs, path, options.out)
    chosen = [one for one in costs if one.scenario in choice.names]
    least_s = max(0.0, round(choice.bound - LEAST_S * len(costs), 3))
    before, after, made = _total(costs), _total(chosen), str(options.out / "plan.toml")
    if options.json:
        told = {"plan": made, "before": before, "after": after, "least_device_s": least_s, "cheapest": choice.cheapest}
        print(json.dumps({**told, "scenarios": list(choice.names)}))
        return 0
    print(f"whole plan  {_sentence(before)}")
    print(f"reduced     {_sentence(after)}")
    if choice.cheapest:
        print("no part of the plan shows as much for less")
    else:
        print(f"any part that shows as much takes {least_s:.0f} s of the devices or more")
    print(made)
    return 0


def _costs(options: argparse.Namespace, plan: Plan, packs: list[Pack]) -> tuple[list[Cost], Summary]:
    policies = parse_policies(options.policy)
    for pack in packs:
        choose_policies(pack, policies, packs)
    takes = {entry.name: entry.takes for entry in load_rig(find_rig(options.rig)).file.device}
    emulated = load_rig(find_rig("emulated"))
    names_ = {entry.name for entry in emulated.file.device}
    strange = sorted(takes.keys() - names_)
    if strange:
        known = ", ".join(sorted(names_))
        raise UsageError(
            f"rig {options.rig!r}: no device of the emulated rig is called {strange[0]!r}. Known: {known}."
        )
    with Progress(len(plan.scenarios)) as progress:
        return costs_of(plan, packs, emulated, takes, policies, step=progress.step)


def _show_costs(options: argparse.Namespace, costs: list[Cost]) -> int:
    if options.json:
        print(json.dumps({"total": _total(costs), "scenarios": [msgspec.to_builtins(one) for one in costs]}))
        return 0
    rows = [
        {"scenario": one.scenario, "device s": f"{one.device_s:.1f}",
         "commands": [f"{count} {command}" for command, count in one.commands.items()]}
        for one in costs
    ]  # fmt: skip
    print_rows(options, rows, ("scenario", "device s", "commands"))
    print(_sentence(_total(costs)))
    return 0


def _total(costs: list[Cost]) -> dict[str, float]:
    return {
        "scenarios": len(costs),
        "shuffles": sum(one.shuffles for one in costs),
        "commands": sum(sum(one.commands.values()) for one in costs),
        "device_s": round(sum(one.device_s for one in costs), 3),
    }


def _sentence(total: dict[str, float]) -> str:
    return (
        f"{total['scenarios']} scenarios, {total['shuffles']} shuffles, {total['commands']} commands, "
        f"{total['device_s'] / 60:.1f} min of the devices"
    )
