"""Signed envelopes: the bytes that the specification gives, and no byte of one that could change unseen."""

import base64
import hashlib
import json

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given
from hypothesis import strategies as st

from reports.sealing.dsse import EnvelopeError, pre_authentication, unwrap, wrap

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KIND = "application/vnd.in-toto+json"
ENVELOPE = wrap(KIND, b'{"what":"holds"}', KEY)


def test_what_is_signed_is_the_worked_example_of_the_specification() -> None:
    signed = pre_authentication("http://example.com/HelloWorld", b"hello world")
    assert signed == b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"


def test_an_envelope_gives_its_payload_back() -> None:
    assert unwrap(ENVELOPE, KIND, KEY.public_key()) == b'{"what":"holds"}'
    plain = json.loads(ENVELOPE)
    assert (plain["payloadType"], base64.b64decode(plain["payload"])) == (KIND, b'{"what":"holds"}')
    spki = KEY.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    assert plain["signatures"][0]["keyid"] == hashlib.sha256(spki).hexdigest()


def test_no_other_key_and_no_other_type_will_do() -> None:
    other = Ed25519PrivateKey.from_private_bytes(bytes(32)).public_key()
    with pytest.raises(EnvelopeError, match="does not hold"):
        unwrap(ENVELOPE, KIND, other)
    with pytest.raises(EnvelopeError, match="expected one signature over text/plain"):
        unwrap(ENVELOPE, "text/plain", KEY.public_key())


def test_every_byte_counts() -> None:
    """Also a key's hint, which nothing rests on, and a blank, which changes no meaning."""
    for at in range(len(ENVELOPE)):
        for bit in (1, 0x20):
            altered = bytearray(ENVELOPE)
            altered[at] ^= bit
            with pytest.raises(EnvelopeError):
                unwrap(bytes(altered), KIND, KEY.public_key())


@given(st.binary(max_size=200))
def test_whatever_comes_is_refused_in_words(data: bytes) -> None:
    with pytest.raises(EnvelopeError) as refused:
        unwrap(data, KIND, KEY.public_key())
    assert str(refused.value)
