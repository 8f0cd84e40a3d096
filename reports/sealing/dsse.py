"""Signed envelopes (DSSE 1.0): a payload with its type, signed with Ed25519 over both."""

import base64
import hashlib
from dataclasses import dataclass

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


class Signature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    keyid: str
    sig: str


class Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An envelope as it stands in its file; `payload` and `sig` are base64."""

    payload: str
    payloadType: str  # noqa: N815 - the name that the specification gives
    signatures: list[Signature]


@dataclass(frozen=True, slots=True)
class EnvelopeError(Exception):
    """An envelope that is none, or whose signature does not hold."""

    problem: str

    def __str__(self) -> str:
        return self.problem


def pre_authentication(payload_type: str, payload: bytes) -> bytes:
    """The bytes that are signed: type and payload, each with its length."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


def key_id(key: Ed25519PublicKey) -> str:
    """The name of a key: SHA-256 of it (SubjectPublicKeyInfo, DER) in hexadecimal."""
    return hashlib.sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).hexdigest()


def wrap(payload_type: str, payload: bytes, key: Ed25519PrivateKey) -> bytes:
    """The envelope's file: one signature, in the one layout that `unwrap` takes."""
    signed = key.sign(pre_authentication(payload_type, payload))
    return _lay_out(Envelope(_base64(payload), payload_type, [Signature(key_id(key.public_key()), _base64(signed))]))


def unwrap(data: bytes, payload_type: str, key: Ed25519PublicKey) -> bytes:
    """The payload of an envelope that `key` signed. EnvelopeError when anything about it is not as it should be.

    Also a byte that changes no meaning is found: the file must be laid out exactly as `wrap` does it.
    """
    try:
        envelope = msgspec.json.decode(data, type=Envelope)
        payload = base64.b64decode(envelope.payload, validate=True)
        signed = [base64.b64decode(one.sig, validate=True) for one in envelope.signatures]
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise EnvelopeError(f"is no signed envelope ({error})") from None
    if envelope.payloadType != payload_type or len(signed) != 1:
        raise EnvelopeError(
            f"expected one signature over {payload_type}, found {len(signed)} over {envelope.payloadType}"
        )
    try:
        key.verify(signed[0], pre_authentication(payload_type, payload))
    except InvalidSignature:
        raise EnvelopeError("its signature does not hold: it was altered, or another key signed it") from None
    # Nothing rests on the key's name, but what does not name the key was altered.
    exact = Envelope(_base64(payload), payload_type, [Signature(key_id(key), _base64(signed[0]))])
    if _lay_out(exact) != data:
        raise EnvelopeError("was altered: it is not laid out as it was written")
    return payload


def _lay_out(envelope: Envelope) -> bytes:
    return msgspec.json.format(msgspec.json.encode(envelope), indent=1) + b"\n"


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
