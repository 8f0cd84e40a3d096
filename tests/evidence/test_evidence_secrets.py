"""What opens a camera or a network is taken out of everything that is stored; all else stays as it is."""

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.secrets import is_secret, may_hold_secrets, strip, without_secrets
from evidence.tomlwrite import write_toml


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rtsp://lab:hunter2@10.0.0.9/stream", "rtsp://removed@10.0.0.9/stream"),
        ("http://token@host", "http://removed@host"),
        ("ws://a:b:c@host:80/x and ws://d@host", "ws://removed@host:80/x and ws://removed@host"),
        ("http://host/x?user=me&password=p%20q&n=1", "http://host/x?user=me&password=removed&n=1"),
        ("http://host/x?access_token=abc", "http://host/x?access_token=removed"),
        ("no route to http://u:p@camera (timed out)", "no route to http://removed@camera (timed out)"),
        ("-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----\nrest", "removed\nrest"),
        ("-----BEGIN EC PRIVATE KEY-----\nMC4C", "removed"),
    ],
)
def test_a_secret_in_a_text_is_taken_out(text: str, expected: str) -> None:
    assert without_secrets(text) == expected
    assert without_secrets(expected) == expected


@pytest.mark.parametrize(
    "text",
    [
        "socket://127.0.0.1:8002",
        "/dev/ttyUSB0",
        "a@b.example",
        "http://host/x?page=2#a@b",
        "5 @ 6",
        "key 7 of the shoe",
    ],
)
def test_a_text_without_a_secret_is_kept(text: str) -> None:
    assert without_secrets(text) == text


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        *((name, True) for name in ("password", "Passwd", "passphrase", "token", "api_key", "apikey",
                                    "user_pin", "PIN", "pwd", "client-secret", "credentials", "auth", "private_key")),
        *((name, False) for name in ("keyboard", "pinion", "author", "name", "url", "key_count", "passes", "spin")),
    ],
)  # fmt: skip
def test_secrets_are_known_by_their_names(name: str, secret: bool) -> None:
    assert is_secret(name) is secret


def test_settings_lose_their_secrets_and_nothing_else() -> None:
    settings: dict[str, Any] = {
        "name": "bench",
        "device": [{"name": "shoe", "options": {"password": "x", "pin": 4711, "retries": 3, "token": ""}}],
        "camera": {"url": "http://u:p@host/s"},
        "keys": ["http://a:b@c"],
        "secret": True,
    }
    assert strip(settings) == {
        "name": "bench",
        "device": [{"name": "shoe", "options": {"password": "removed", "pin": "removed", "retries": 3, "token": ""}}],
        "camera": {"url": "http://removed@host/s"},
        "keys": ["http://removed@c"],
        "secret": True,
    }
    assert strip(strip(settings)) == strip(settings)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("# a bench like any other", False),
        ("# the password is hunter2", True),
        ("# PIN: 4711", True),
        ("# see http://u:p@host", True),
        ("# spinning", False),
    ],
)
def test_a_comment_may_hold_a_secret_too(line: str, expected: bool) -> None:
    text = f'{line}\nname = "x"\n'
    assert may_hold_secrets(text, tomllib.loads(text)) is expected


KEYS = st.text(min_size=1, max_size=8)
VALUES = st.recursive(
    st.text(max_size=20) | st.integers(-(2**53), 2**53) | st.booleans() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


def utf8(value: Any) -> bool:
    try:
        repr(value).encode()
    except UnicodeEncodeError:
        return False
    return "\\ud" not in repr(value)


@given(st.dictionaries(KEYS, VALUES, max_size=5).filter(utf8))
def test_what_is_written_as_toml_reads_back(content: dict[str, Any]) -> None:
    assert tomllib.loads(write_toml(content)) == content
