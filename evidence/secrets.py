"""Takes secrets out of what is stored: passwords, tokens and keys in settings, in addresses and in messages.

Evidence is passed on to makers, authorities and courts; what opens a camera or a network must not go with it.
"""

import re
from collections.abc import Mapping
from typing import Any

REMOVED = "removed"
"""What stands in the place of a secret."""

_SECRET_NAME = re.compile(
    r"pass(?:word|wd|phrase|code)?$|(?:^|_)p(?:wd|in)$|secret|token|credential|(?:^|_)auth(?:orization)?$"
    r"|(?:api|access|private|secret|signing|encryption)_?key",
    re.IGNORECASE,
)
_USER = re.compile(r"([a-z][a-z0-9+.-]*://)[^\s/?#@\"'<>]*(?::[^\s/?#\"'<>]*)?@", re.IGNORECASE)
_QUERY = re.compile(r"([?&;]([\w.-]+)=)([^&#;\s\"'<>]+)")
_PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\Z)", re.DOTALL
)
_MENTIONED = re.compile(r"#.*(?:pass(?:word|wd|phrase|code)|\bpin\b|secret|token|credential|api.?key)\W", re.IGNORECASE)


def without_secrets(text: str) -> str:
    """The text with user and password taken out of every address in it, secret query parameters, and private keys."""
    text = _USER.sub(rf"\1{REMOVED}@", text)
    text = _QUERY.sub(lambda found: found[1] + (REMOVED if is_secret(found[2]) else found[3]), text)
    return _PRIVATE_KEY.sub(REMOVED, text)


def is_secret(name: str) -> bool:
    """Whether an entry of this name holds a secret, such as `password` or `api_key`."""
    return _SECRET_NAME.search(name.replace("-", "_")) is not None


def strip(value: Any, name: str = "") -> Any:
    """Settings as read from a file, with every secret in them replaced. A switch (true or false) is none."""
    if isinstance(value, Mapping):
        return {key: strip(entry, str(key)) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [strip(entry, name) for entry in value]
    if is_secret(name) and not isinstance(value, bool) and value != "":
        return REMOVED
    return without_secrets(value) if isinstance(value, str) else value


def may_hold_secrets(text: str, settings: Mapping[str, Any]) -> bool:
    """Whether a settings file holds a secret anywhere, in its entries or in a comment. `settings` is its content."""
    return strip(settings) != settings or without_secrets(text) != text or _MENTIONED.search(text) is not None
