"""What devices, software, operators and packs say is shown literally in every output: HTML, PDF, terminal and JSON."""

import base64
import dataclasses
import io
import json
import re
import unicodedata
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pypdf
import pytest

from evidence import events as e
from reports.allure_html import build_allure
from reports.certificate.build import build_certificate, render_certificate
from reports.console import print_summary
from reports.diff.compare import compare
from reports.diff.told import as_data, as_markdown
from reports.junit import build_junit
from reports.run_view import RunView
from rules.loader import load_packs
from rules.summary import ClauseSummary, OpenPoint, Overall, Summary
from rules.verdicts import Outcome
from tests.reports.report_runs import RunSketch, jam_scenario, small_run

CLAUSE = "PR-PGP-SHOE.A.1"
INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
ISOLATES = "\u2068\u2069"

HOSTILE = {
    "html": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "typst": '#panic("x") $x$ *b* _i_ `r` @ref <label> \\ // /* #read("/etc/passwd")',
    "terminal": "\x1b[2J\x1b]0;owned\x07\x9b31mred\r\nnext\x7f",
    "direction": "invoice\u202egpj.exe\u2066\u200f",
    "hidden": "zero\u200bwidth\ufeff\u00ad\U000e0041\u2028",
    "markdown": "| a | [x](https://example.net) `c` ![i](y) ~~s~~ &lt;",
    "template": "{clauses} {name} [{x}] %s ${y} {{z}}",
    "marks": "a" + "\u0301" * 40 + "\u0489",
    "scripts": "天使カード 한국어 繁體 Ω Ж Հայ ქარ ไทย हिन्दी",
    "leftward": "יצרן قارئ 7",
    "long": "Y" * 1_000_000,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in which everybody says everything hostile, in every place there is for it."""
    sketch = RunSketch(tmp_path_factory.mktemp("hostile") / "run")
    for kind, text in HOSTILE.items():
        short = text[:2000]
        seen = jam_scenario(sketch, f"s-{kind}", short)
        device = dict.fromkeys(("device", "maker", "model", "serial", "firmware"), short)
        seen.append(sketch.add("device:shoe", e.DeviceIdentity(role="shoe", firmware_sha256=short, **device)))  # type: ignore[arg-type]
        seen.append(sketch.add("operator:desk", e.FloorRuled(question=short, ruling=text, by=short)))
        seen.append(sketch.add("device:shoe", e.DeviceFault(device=short, code=text, symptom="jam")))
        sketch.judge(CLAUSE, "FAIL", text, seen)
        sketch.judge(f"{kind} {short[:60]}", "FAIL", text, seen, requirement=short, alternatives=[short])
    every = list(HOSTILE.values())
    lab = {"name": every[0], "address": every[1], "contact": every[4], "accreditation": every[7], "location": every[9]}
    written = {
        "report_number": HOSTILE["direction"],
        "laboratory": {name: text[:300] for name, text in lab.items()},
        "opinion": [{"text": text[:4000]} for text in every],
    }
    (sketch.folder / "laboratory.toml").write_text(toml(written), encoding="utf-8")
    known = {"known": [{"clause": CLAUSE, "until": "@2026-12-31", "why": text[:4000]} for text in every]}
    (sketch.folder / "known-nonconformities.toml").write_text(toml(known), encoding="utf-8")
    return sketch.finish(
        devices=[{"device": text, "maker": text, "model": text, "firmware": text} for text in every],
        software={"maker": HOSTILE["html"], "product": HOSTILE["typst"], "version": HOSTILE["terminal"]},
        plan={"name": HOSTILE["html"], "sha256": HOSTILE["direction"]},
        laboratory={text[:40]: text for text in every},
        policies={text[:40]: text for text in every},
        versions={text[:40]: text for text in every},
        defects=every,
    )


@pytest.fixture(scope="module")
def certificate(folder: Path) -> Path:
    return build_certificate(folder)


@pytest.fixture(scope="module")
def page(folder: Path) -> str:
    return build_allure(folder).read_text(encoding="utf-8")


def toml(value: dict[str, Any]) -> str:
    """TOML of texts, with `@` before what is a date; JSON's strings are TOML's."""
    lines = []
    for name, item in value.items():
        for table in item if isinstance(item, list) else [item]:
            if isinstance(table, dict):
                lines.append(f"[[{name}]]" if isinstance(item, list) else f"[{name}]")
                lines += [
                    f"{key} = {text[1:] if text.startswith('@') else quoted(text)}" for key, text in table.items()
                ]
            else:
                lines.insert(0, f"{name} = {quoted(table)}")
    return "\n".join(lines)


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def bare(text: str) -> str:
    """The text without the isolates that stand in balanced pairs around words written from right to left."""
    return re.sub("\u2068([^\u2068\u2069]+)\u2069", r"\1", text)


def assert_visible(text: str, allowed: str = "\n") -> None:
    hidden = {one for one in bare(text) if unicodedata.category(one) in INVISIBLE and one not in allowed}
    assert not hidden, [hex(ord(one)) for one in hidden]


def test_the_certificate_prints_every_text_literally(certificate: Path) -> None:
    pdf = pypdf.PdfReader(certificate)
    text = " ".join(page.extract_text() for page in pdf.pages)
    squeezed = re.sub(r"[\s\u200b\u2068\u2069\u202a-\u202e]+", "", text)
    for kind in ("html", "typst", "markdown", "template"):
        assert re.sub(r"\s", "", HOSTILE[kind]) in squeezed, kind
    for spelt in (
        "<U+001B>[2J",
        "<U+202E>gpj.exe",
        "zero<U+200B>width<U+FEFF><U+00AD><U+E0041>",
        "Ж",
        "天使カード",
        "ไทย",
    ):
        assert re.sub(r"\s", "", spelt) in squeezed, spelt
    assert "characters)" in text
    assert len(pdf.pages) < 80


def test_the_data_of_the_certificate_read_back_as_they_were_and_can_be_looked_at(certificate: Path) -> None:
    content = certificate.with_name("certificate.json").read_text(encoding="utf-8")
    assert_visible(content)
    data = json.loads(content)
    assert [finding["reason"] for finding in data["nonconformities"][::2]] == list(HOSTILE.values())
    assert [device["firmware"] for device in data["devices"]] == list(HOSTILE.values())


@pytest.mark.parametrize("lang", ["en", "es", "it"])
def test_texts_of_a_pack_are_texts(tmp_path: Path, lang: str) -> None:
    (pack,) = load_packs(["PR-PGP-SHOE"])
    hostile = dict.fromkeys(("en", "es", "it"), " ".join(text[:300] for text in HOSTILE.values()))
    clauses = tuple(
        msgspec.structs.replace(
            clause,
            meaning=hostile,
            citation=HOSTILE["direction"],
            alternatives=tuple(msgspec.structs.replace(one, meaning=hostile) for one in clause.alternatives),
        )
        for clause in pack.clauses
    )
    run = dataclasses.replace(
        RunView.load(small_run(tmp_path / "run")), packs=(msgspec.structs.replace(pack, clauses=clauses),)
    )
    _, pdf = render_certificate(run, lang)
    text = re.sub(r"[\s\u200b]", "", " ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages))
    assert "<script>alert(1)</script>" in text
    assert "<U+202E>gpj.exe" in text


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from (*strings(key), *strings(item))
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def test_the_page_holds_texts_and_no_markup_of_theirs(page: str) -> None:
    assert len(page) < 30_000_000
    outside = re.sub(r"(?s)<script>.*?</script>", "", page)
    assert "<img" not in outside
    assert set(re.findall(r".{5}alert\(1\).{4}", outside)) <= {"t&gt;alert(1)&lt;", "#x3D;alert(1)&gt;"}
    for name, data in re.findall(r'\bd\("((?:data|widgets)/[^"]+\.json)","([^"]*)"\)', page):
        for text in strings(json.loads(base64.b64decode(data))):
            assert_visible(text)
            assert len(text) < 40_000, name
    for data in re.findall(r'\bd\("data/attachments/[^"]+\.svg","([^"]*)"\)', page):
        drawing = ET.fromstring(base64.b64decode(data))
        assert {element.tag.rpartition("}")[2] for element in drawing.iter()} <= {
            "svg", "rect", "text", "line", "path", "circle", "title",
        }  # fmt: skip
    for data in re.findall(r'\bd\("data/attachments/[^"]+\.txt","([^"]*)"\)', page):
        assert_visible(base64.b64decode(data).decode())


def test_descriptions_hold_no_element_but_ours(page: str) -> None:
    found = 0
    for data in re.findall(r'\bd\("data/test-results/[^"]+","([^"]*)"\)', page):
        html = json.loads(base64.b64decode(data))["descriptionHtml"]
        tags = set(re.findall(r"<\s*/?\s*([a-zA-Z!][^\s/>]*)", html))
        assert tags <= {"p", "b", "blockquote", "table", "tr", "th", "td"}
        found += 1
    assert found == 2 * len(HOSTILE)


def test_a_build_server_gets_xml_that_it_can_read(folder: Path) -> None:
    root = ET.parse(build_junit(folder)).getroot()
    for element in root.iter():
        for value in element.attrib.values():
            assert_visible(value)


def test_a_terminal_gets_nothing_that_steers_it() -> None:
    clauses = [
        ClauseSummary(pack="p", clause=text, verdict=Outcome.FAIL, reason=text, scenario=text, declared=[text],
                      triggered=[], passed=[])
        for text in HOSTILE.values()
    ]  # fmt: skip
    points = [OpenPoint("unjudged", {"scenario": text}) for text in HOSTILE.values()]
    summary = Summary(overall=Overall.NON_CONFORMITY, clauses=clauses, open_points=[], points=points)
    for stream in (io.StringIO(), Terminal()):
        print_summary(summary, stream)
        printed = re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue())  # the colours are ours
        assert_visible(printed)
        assert len(printed) < 100_000


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_comparison_is_text_in_markdown_and_json(folder: Path) -> None:
    run = RunView.load(folder)
    found = compare(dataclasses.replace(run, verdicts=()), run)
    text = as_markdown(found)
    assert_visible(text)
    assert "<script" not in re.sub(r"\\<", "", text)
    assert not re.search(r"(?<!\\)\](?:\(|\[)", text)
    assert_visible(json.dumps(as_data(found, 0)))
