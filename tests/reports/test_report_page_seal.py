"""A sealed page asks nobody for anything and runs no script but its own."""

import base64
import hashlib
import re

import pytest

from evidence.errors import RigFault
from reports.page_seal import seal

HEAD = '<!DOCTYPE html><html><head><meta charset="utf-8"><title>x</title></head><body>'


def page(*parts: str) -> str:
    return HEAD + "".join(parts) + "</body></html>"


def policy(sealed: str) -> str:
    found = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', sealed)
    assert found
    return found[1]


def digest(script: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() + "'"


def test_the_policy_stands_before_any_script_and_allows_nothing_by_default() -> None:
    sealed = seal(page("<script>run()</script>"))
    assert sealed.index("Content-Security-Policy") < sealed.index("<script")
    assert policy(sealed).startswith("default-src 'none'; ")
    assert "http" not in policy(sealed)
    assert "unsafe-inline" not in policy(sealed).partition("script-src")[2]


def test_own_scripts_are_allowed_by_their_digest() -> None:
    assert policy(seal(page("<script>run()</script>"))).endswith("script-src " + digest("run()"))


def test_a_script_held_in_a_data_address_is_written_into_the_page() -> None:
    body = "const text = '</script><!--';"
    held = base64.b64encode(body.encode()).decode()
    sealed = seal(page(f'<script async src="data:text/javascript;base64,{held}"></script>'))
    (script,) = re.findall(r"<script>(.*?)</script>", sealed)
    assert script == r"const text = '\x3C/script>\x3C!--';"
    assert digest(script) in policy(sealed)


@pytest.mark.parametrize(
    "part",
    [
        '<script async src="https://www.googletagmanager.com/gtag/js?id=G-1"></script>',
        "<script src='//cdn.example.net/a.js'></script>",
        "<script>window.dataLayer = []; function gtag(){dataLayer.push(arguments);} gtag('js', new Date());</script>",
        '<link rel="stylesheet" href="https://fonts.example.net/css">',
        '<script>const b = document.createElement("base"); document.head.appendChild(b);</script>',
    ],
)
def test_what_is_not_needed_or_leads_outside_is_taken_out(part: str) -> None:
    sealed = seal(page(part))
    assert sealed == seal(page())


@pytest.mark.parametrize(
    "part",
    [
        '<img src="https://example.net/pixel.gif">',
        "<img src=//example.net/pixel.gif>",
        '<iframe src="http://example.net"></iframe>',
        '<form action="https://example.net/take"></form>',
    ],
)
def test_anything_else_from_outside_is_refused(part: str) -> None:
    with pytest.raises(RigFault, match="loads something from outside"):
        seal(page(part))


def test_a_page_without_a_place_for_the_policy_is_refused() -> None:
    with pytest.raises(RigFault, match="no <meta charset>"):
        seal("<html><body></body></html>")


def test_an_icon_within_the_page_stays() -> None:
    icon = '<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns=\'http://www.w3.org/2000/svg\'/%3E">'
    assert icon in seal(page(icon))
