"""The measured accuracy of the camera, from the rig file into the run folder and the certificate."""

import hashlib
import json
import shutil
from math import comb
from pathlib import Path
from typing import Any

import pypdf
import pytest

from bench.rig import load_rig
from cardcert.shipped import RIGS
from evidence.errors import UsageError
from fixtures.camera_accuracy import accuracy_file, upper_bound
from fixtures.consistency import contradictions
from fixtures.stored_run import settings_of
from reports.certificate import build_certificate
from tests.certification.conftest import cardcert, certify
from tests.reports.report_runs import small_run

NAMED = 996
BOUND = 1 - 0.05 ** (1 / NAMED)
"""Of none wrong, the Clopper-Pearson bound has this closed form."""


def measured(**changes: Any) -> dict[str, Any]:
    rows = [
        {"condition": "plain", "cards": 600, "misread": 0, "abstained": 0, "bound": 1 - 0.05 ** (1 / 600)},
        {"condition": "glare", "cards": 400, "misread": 0, "abstained": 4, "bound": 1 - 0.05 ** (1 / 396)},
    ]
    whole = {
        "schema": 1, "kind": "cardcert.camera_accuracy", "pictures": "drawn", "conditions": rows,
        "deck": {"name": "drawn by cardcert", "sha256": ""}, "cards": 1000, "misread": 0, "abstained": 4,
        "bound": BOUND, "seeds": {"first": 500, "tables": 40},
    }  # fmt: skip
    return whole | changes


def rig_with(folder: Path, content: Any, keys: str = "") -> Path:
    text = content if isinstance(content, str) else json.dumps(content)
    (folder / "a.json").write_text(text)
    shutil.copytree(RIGS / "inputs", folder / "inputs")
    rig = folder / "rig.toml"
    rig.write_text((RIGS / "emulated.toml").read_text() + f'\n[camera]\naccuracy = "a.json"\n{keys}')
    return rig


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"kind": "other"}, r"kind"),
        ({"pictures": "photographs"}, r"pictures"),
        ({"more": 1}, r"unknown field `more`"),
        ({"bound": "low"}, r"bound"),
        ({"bound": BOUND / 2}, r"a.json: bound: .* expected 0\.0030\d* for 0 misread of 996 named"),
        ({"cards": 1001}, r"cards: 1001, expected 1000, the sum"),
        ({"misread": 1}, r"misread: 1, expected 0"),
        ({"abstained": 3}, r"abstained: 3, expected 4"),
        ({"conditions": []}, r"conditions"),
        ({"conditions": [measured()["conditions"][0]] * 2}, r"'plain' stands there twice"),
        (
            {"deck": {"name": "mine", "sha256": "ab" * 32}},
            r"with the deck of SHA-256 (ab)+; the rig uses the deck that",
        ),
        ({"deck": {"name": "mine", "sha256": "ab"}}, r"deck\.sha256"),
    ],
)
def test_each_mistake_in_the_file_gets_one_clear_message(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told) as caught:
        accuracy_file(load_rig(rig_with(tmp_path, measured(**change))))
    assert str(tmp_path / "a.json") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_condition_that_misread_more_than_it_named_is_named(tmp_path: Path) -> None:
    row = {"condition": "dark", "cards": 10, "misread": 3, "abstained": 8, "bound": 1.0}
    whole = measured(conditions=[row], cards=10, misread=3, abstained=8, bound=1.0)
    with pytest.raises(UsageError, match="misread: 3, expected at most the 2 cards"):
        accuracy_file(load_rig(rig_with(tmp_path, whole)))


@pytest.mark.parametrize("content", ["", "[" * 100_000, "{", "\x00", "null"])
def test_what_is_no_such_file_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(UsageError, match="not a measured accuracy"):
        accuracy_file(load_rig(rig_with(tmp_path, content)))


def test_a_file_that_is_missing_ends_the_command_before_anything_runs(tmp_path: Path) -> None:
    rig = rig_with(tmp_path, measured())
    (tmp_path / "a.json").unlink()
    done = certify(tmp_path / "run", ["pr-unapproved"], "--rig", str(rig))
    assert done.status == 2
    assert "a.json: [camera] accuracy: cannot be read" in done.err
    assert not (tmp_path / "run" / "journal").exists()


def test_the_file_must_be_of_the_deck_that_the_rig_uses(tmp_path: Path) -> None:
    (tmp_path / "deck.npz").write_bytes(b"a deck")
    rig = rig_with(tmp_path, measured(), 'deck = "deck.npz"\n')
    with pytest.raises(UsageError, match="with the deck that cardcert draws; the rig uses the deck of SHA-256"):
        accuracy_file(load_rig(rig))
    own = measured(deck={"name": "mine", "sha256": hashlib.sha256(b"a deck").hexdigest()})
    (tmp_path / "a.json").write_text(json.dumps(own))
    assert accuracy_file(load_rig(rig)) == (tmp_path / "a.json").read_bytes()


def test_a_run_keeps_it_with_its_digest_and_the_certificate_quotes_the_bound(tmp_path: Path) -> None:
    run = tmp_path / "run"
    certify(run, ["pr-unapproved"], "--rig", str(rig_with(tmp_path, measured())))
    data = (tmp_path / "a.json").read_bytes()
    told = json.loads((run / "run.json").read_text())["vision"]
    assert (run / told["file"]).read_bytes() == data
    assert told["sha256"] == hashlib.sha256(data).hexdigest()
    assert (told["deck"], told["cards"], told["misread"], told["abstained"]) == ("drawn by cardcert", 1000, 0, 4)
    assert told["bound"] == pytest.approx(BOUND)
    text = words_of(run / "certificate.pdf")
    assert f"{BOUND:g}" in text
    assert "plain: 0.50%, glare: 0.75%" in text
    assert "No bound was measured" not in text
    cardcert("judge", str(run), "--write", folder=tmp_path)
    again = json.loads((run / "run.json").read_text())
    assert again["vision"] == told
    settings = settings_of(run, [], [])
    assert contradictions(settings, again) == []
    better = again | {"vision": told | {"bound": 0.0}}
    assert "run.json: vision is not what camera-accuracy.json says" in contradictions(settings, better)[0]
    (run / told["file"]).unlink()
    assert any("is missing, and rig.toml names" in one for one in contradictions(settings, again | {"vision": None}))


def test_where_none_is_given_the_certificate_says_so(tmp_path: Path) -> None:
    text = words_of(build_certificate(small_run(tmp_path / "run")))
    assert "No bound was measured on how often the camera misreads this deck in this light." in text


@pytest.mark.parametrize(("wrong", "tried"), [(1, 50), (3, 200), (0, 7)])
def test_the_bound_is_the_rate_at_which_so_few_would_be_seen_once_in_twenty(wrong: int, tried: int) -> None:
    rate = upper_bound(wrong, tried)
    assert sum(comb(tried, k) * rate**k * (1 - rate) ** (tried - k) for k in range(wrong + 1)) == pytest.approx(0.05)


def words_of(pdf: Path) -> str:
    return " ".join(" ".join(page.extract_text() for page in pypdf.PdfReader(pdf).pages).split())
