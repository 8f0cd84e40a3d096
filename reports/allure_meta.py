"""What stands around the tests in Allure: the environment of the run, and the categories of trouble."""

from pathlib import Path
from typing import Any

import msgspec

from reports.run_view import RunView
from reports.shape import mapping, mappings
from reports.text import visible
from reports.wordbook import wordbook

# Name, then the labels and values by which a test belongs there. The first that fits counts: a verdict that is
# inconclusive because the rig failed is the rig's.
CATEGORIES: tuple[tuple[str, dict[str, str]], ...] = (
    ("known", {"verdict": "FAIL", "known": "known"}),
    ("expired", {"verdict": "FAIL", "known": "expired"}),
    ("non_conformity", {"verdict": "FAIL"}),
    ("rig_fault", {"scenario_status": "rig_fault"}),
    ("operator_input", {"verdict": "NEEDS_OPERATOR_INPUT"}),
    ("inconclusive", {"verdict": "INCONCLUSIVE"}),
    ("missing", {"verdict": "MISSING"}),
)


def category_rules(lang: str = "en") -> list[dict[str, Any]]:
    """The categories as the configuration of Allure 3 takes them."""
    words = wordbook(lang)
    return [
        {
            "name": words.say("category", name),
            "matchers": {"labels": labels},
            "groupBy": [{"label": "clause"}],
            "expand": True,
        }
        for name, labels in CATEGORIES
    ]


def write_meta(run: RunView, results: Path, lang: str = "en") -> None:
    """Write `environment.properties` and `categories.json` into a folder of Allure results."""
    lines = [f"{_key(name)} = {_value(value)}" for name, value in environment(run, lang).items()]
    (results / "environment.properties").write_text("\n".join([*lines, ""]), encoding="utf-8")
    # The older form of the file knows no labels: it goes by the message, which starts with the verdict.
    words = wordbook(lang)
    classic = [
        {
            "name": words.say("category", name),
            "matchedStatuses": ["failed", "broken"],
            "messageRegex": f"(?s).*{labels['verdict']}.*",
        }
        for name, labels in CATEGORIES
        if list(labels) == ["verdict"]
    ]
    (results / "categories.json").write_bytes(msgspec.json.format(msgspec.json.encode(classic), indent=1))


def environment(run: RunView, lang: str = "en") -> dict[str, str]:
    """Facts about the run, by name, safe to show. What `run.json` does not say is shown as missing."""
    words = wordbook(lang)

    def named(key: str, name: object = "") -> str:
        return words.say("environment", key, name=name)

    rig = mapping(run.run.get("rig"))
    facts: dict[str, Any] = {
        named("overall"): run.run.get("overall"),
        named("plan"): mapping(run.run.get("plan")).get("name"),
        named("rig"): rig.get("name"),
        named("clock"): rig.get("clock"),
        named("seed"): run.run.get("seed"),
        named("started"): run.run.get("started_utc"),
        named("finished"): run.run.get("finished_utc"),
        named("cardcert"): run.run.get("cardcert"),
        named("head"): mapping(run.run.get("journal")).get("head"),
    }
    if run.lab is not None and run.lab.report_number:
        facts[named("report")] = run.lab.report_number
    for device in mappings(run.run.get("devices")):
        told = " ".join(str(device.get(key, "?")) for key in ("maker", "model", "serial", "firmware"))
        facts[named("device", device.get("device", "?"))] = f"{told}, SHA-256 {device.get('firmware_sha256', '?')}"
    software = mapping(run.run.get("software"))
    if software:
        facts[named("software")] = " ".join(str(software.get(key, "?")) for key in ("maker", "product", "version"))
    for pack in mappings(run.run.get("packs")):
        facts[named("pack", pack.get("id", "?"))] = f"{pack.get('version', '?')}, SHA-256 {pack.get('sha256', '?')}"
    for name, value in sorted(mapping(run.run.get("versions")).items()):
        facts[named("version", name)] = value
    return {visible(name, 80): "MISSING" if value is None else visible(value, 200) for name, value in facts.items()}


def _key(name: str) -> str:
    return "".join(f"\\{character}" if character in " =:\\#!" else character for character in name)


def _value(value: str) -> str:
    return value.replace("\\", "\\\\")
