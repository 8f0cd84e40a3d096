"""Seals a single-file HTML page: whatever it was made with, it asks nobody for anything.

Scripts and links to other places are taken out, scripts held in `data:` addresses are written into the page, and a
content security policy names the digest of every script that may run. A script that comes in through a device's name
has no digest there and does not run.
"""

import base64
import hashlib
import re
from urllib.parse import unquote_to_bytes

from evidence.errors import RigFault

_SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script\s*>", re.IGNORECASE | re.DOTALL)
_LINK = re.compile(r"<link\b[^>]*>", re.IGNORECASE)
_ADDRESS = re.compile(r"""\b(?:src|href)\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_LOADING = re.compile(
    r"""\s(?:src|integrity|crossorigin)\s*=\s*(?:"[^"]*"|'[^']*')|\s(?:async|defer)\b""", re.IGNORECASE
)
_CHARSET = re.compile(r"<meta\s+charset[^>]*>", re.IGNORECASE)
_TRACKING = re.compile(r"googletagmanager|google-analytics")
_OUTSIDE = re.compile(r"""<[a-z][^>]*\s(?:src|href|action|data|poster)\s*=\s*["']?\s*(?:[a-z]+:)?//""", re.IGNORECASE)
# Links of the page's own program to its makers' sites: a click must not lead out of the evidence.
_MAKERS_LINKS = ("https://allurereport.org", "https://trace.playwright.dev")
# The page's program sets the document's base address, which a sealed page neither needs nor allows.
_SETS_BASE = re.compile(r"""createElement\(\s*["']base["']\s*\)""")
_SMALL_SCRIPT = 2000

_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; connect-src data: blob:; "
    "media-src data: blob:; base-uri 'none'; form-action 'none'; script-src {scripts}"
)
_NO_REFERRER = '<meta name="referrer" content="no-referrer">'
_EXPECTED = "expected the page of Allure 3.18; run make setup again"


def seal(page: str) -> str:
    """The page without any outside reference, with a content security policy first in its head.

    Raises RigFault when the page is not of the expected make, or when something outside is left in it.
    """
    pieces: list[str] = []
    digests: list[str] = []
    position = 0
    for script in _SCRIPT.finditer(page):
        pieces.append(_sealed_markup(page[position : script.start()]))
        pieces.append(_sealed_script(script[1], script[2], digests))
        position = script.end()
    pieces.append(_sealed_markup(page[position:]))
    policy = _POLICY.format(scripts=" ".join(dict.fromkeys(digests)) or "'none'")
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n    {_NO_REFERRER}'
    pieces[0], heads = _CHARSET.subn(lambda charset: f"{charset[0]}\n    {head}", pieces[0], count=1)
    if heads != 1:
        raise RigFault(f"the page Allure made has no <meta charset> before its scripts: {_EXPECTED}")
    sealed = "".join(pieces)
    if left := [word for word in (*_MAKERS_LINKS, "googletagmanager", "google-analytics") if word in sealed]:
        raise RigFault(f"the page Allure made still refers to {left[0]}: {_EXPECTED}")
    return sealed


def _sealed_markup(markup: str) -> str:
    markup = _LINK.sub(lambda link: "" if _address(link[0]) and not _is_inside(_address(link[0])) else link[0], markup)
    if outside := _OUTSIDE.search(markup):
        raise RigFault(f"the page Allure made loads something from outside: {outside[0][:80]!r}: {_EXPECTED}")
    return markup


def _sealed_script(attributes: str, body: str, digests: list[str]) -> str:
    address = _address(attributes)
    if address and not _is_inside(address):
        return ""
    if address:
        body = _of_data_address(address)
    if _TRACKING.search(body[:_SMALL_SCRIPT]) or "gtag(" in body[:_SMALL_SCRIPT] or _sets_base_only(body):
        return ""
    for link in _MAKERS_LINKS:
        body = body.replace(link, "#")
    body = body.replace("\r\n", "\n").replace("\r", "\n")
    body = re.sub(r"<(?=/script|script|!--)", r"\\x3C", body, flags=re.IGNORECASE)
    digests.append(f"'sha256-{base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()}'")
    return f"<script{_LOADING.sub('', ' ' + attributes.strip()).rstrip()}>{body}</script>"


def _sets_base_only(body: str) -> bool:
    return len(body) < _SMALL_SCRIPT and _SETS_BASE.search(body) is not None


def _address(tag: str) -> str:
    found = _ADDRESS.search(tag)
    return (found[1] or found[2] or "") if found else ""


def _is_inside(address: str) -> bool:
    return address.startswith(("data:", "#"))


def _of_data_address(address: str) -> str:
    head, _, data = address.partition(",")
    return (base64.b64decode(data) if head.endswith(";base64") else unquote_to_bytes(data)).decode()
