"""What stands around the tests in Allure: the environment of the run, and the categories of trouble."""

from pathlib import Path
from typing import Any

import msgspec

from reports.run_view import RunView
from reports.shape import mapping, mappings
from reports.text import visible

# Name, then the label and value by which a test belongs there. The first that fits counts: a verdict that is
# inconclusive because the rig failed is the rig's.
CATEGORIES = (
    ("Non-conformity", "verdict", "FAIL"),
    ("Rig fault", "scenario_status", "rig_fault"),
    ("Operator input missing", "verdict", "NEEDS_OPERATOR_INPUT"),
    ("Inconclusive", "verdict", "INCONCLUSIVE"),
    ("Verdict missing", "verdict", "MISSING"),
)


def category_rules() -> list[dict[str, Any]]:
    """The categories as the configuration of Allure 3 takes them."""
    return [
        {"name": name, "matchers": {"labels": {label: value}}, "groupBy": [{"label": "clause"}], "expand": True}
        for name, label, value in CATEGORIES
    ]


def write_meta(run: RunView, results: Path) -> None:
    """Write `environment.properties` and `categories.json` into a folder of Allure results."""
    lines = [f"{_key(name)} = {_value(value)}" for name, value in environment(run).items()]
    (results / "environment.properties").write_text("\n".join([*lines, ""]), encoding="utf-8")
    # The older form of the file knows no labels: it goes by the message, which starts with the verdict.
    classic = [
        {"name": name, "matchedStatuses": ["failed", "broken"], "messageRegex": f"(?s).*{value}.*"}
        for name, label, value in CATEGORIES
        if label == "verdict"
    ]
    (results / "categories.json").write_bytes(msgspec.json.format(msgspec.json.encode(classic), indent=1))


def environment(run: RunView) -> dict[str, str]:
    """Facts about the run, by name, safe to show. What `run.json` does not say is shown as missing."""
    facts: dict[str, Any] = {
        "overall result": run.run.get("overall"),
        "plan": mapping(run.run.get("plan")).get("name"),
        "rig": mapping(run.run.get("rig")).get("name"),
        "clock": mapping(run.run.get("rig")).get("clock"),
        "seed": run.run.get("seed"),
        "started": run.run.get("started_utc"),
        "finished": run.run.get("finished_utc"),
        "cardcert": run.run.get("cardcert"),
        "journal head": mapping(run.run.get("journal")).get("head"),
    }
    for device in mappings(run.run.get("devices")):
        named = " ".join(str(device.get(key, "?")) for key in ("maker", "model", "serial", "firmware"))
        facts[f"device {device.get('device', '?')}"] = f"{named}, SHA-256 {device.get('firmware_sha256', '?')}"
    software = mapping(run.run.get("software"))
    if software:
        facts["table software"] = " ".join(str(software.get(key, "?")) for key in ("maker", "product", "version"))
    for pack in mappings(run.run.get("packs")):
        facts[f"pack {pack.get('id', '?')}"] = f"{pack.get('version', '?')}, SHA-256 {pack.get('sha256', '?')}"
    for name, value in sorted(mapping(run.run.get("versions")).items()):
        facts[f"version {name}"] = value
    return {visible(name, 80): "MISSING" if value is None else visible(value, 200) for name, value in facts.items()}


def _key(name: str) -> str:
    return "".join(f"\\{character}" if character in " =:\\#!" else character for character in name)


def _value(value: str) -> str:
    return value.replace("\\", "\\\\")
