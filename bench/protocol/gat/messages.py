"""What host and device say in GAT frames. What stands inside data is our reading of it: docs/protocol-gat.md."""

import hashlib
import re
from dataclasses import dataclass

from bench.protocol.gat.frames import MAX_DATA, Frame
from evidence.errors import RigFault

STATUS, LAST_STATUS, LAST_RESULT, INITIATE = 0x01, 0x02, 0x03, 0x04
QUERIES = (STATUS, LAST_STATUS, LAST_RESULT, INITIATE)
REPLIES = tuple(command | 0x80 for command in QUERIES)
SPECIAL = 0xBA
"""The authentication level of a special function, which is named in text."""
READY, BUSY = 0x00, 0x01
NONE, RUNNING, COMPLETE, FAILED = 0x00, 0x01, 0x02, 0x03
STATES = {NONE: "nothing asked", RUNNING: "at work", COMPLETE: "complete", FAILED: "failed"}
ALGORITHMS = {"SHA1": hashlib.sha1, "SHA256": hashlib.sha256, "SHA512": hashlib.sha512}
_COMPONENT = re.compile(r"[A-Za-z0-9_.-]{1,40}")
_VERIFICATION = re.compile(
    r"doVerification;component=(?P<component>[A-Za-z0-9_.-]{1,40});algorithm=(?P<algorithm>[A-Z0-9]{1,10});"
    r"salt=(?P<salt>(?:[0-9A-F]{2}){0,32});start=(?P<start>[0-9]{1,10});end=(?P<end>[0-9]{1,10})"
)


class MalformedReply(RigFault):
    """A frame whose check holds and whose data is none that this command has."""


@dataclass(frozen=True, slots=True)
class Verification:
    """The special function asked: a digest over salt and the bytes from `start` to before `end` of a component."""

    component: str
    algorithm: str
    salt: bytes
    start: int
    end: int

    def digest(self, image: bytes) -> str:
        """What a device that holds this image must answer, in hexadecimal. ValueError for a part it does not have."""
        if not 0 <= self.start < self.end <= len(image):
            raise ValueError(f"bytes {self.start} to {self.end} of an image of {len(image)}")
        made = ALGORITHMS[self.algorithm](self.salt)
        made.update(image[self.start : self.end])
        return made.hexdigest()


def ask(verification: Verification) -> Frame:
    """The frame that asks for it. ValueError when it does not fit one."""
    if verification.algorithm not in ALGORITHMS or not _COMPONENT.fullmatch(verification.component):
        raise ValueError(f"{verification.algorithm} of {verification.component!r} cannot be asked")
    text = (
        f"doVerification;component={verification.component};algorithm={verification.algorithm};"
        f"salt={verification.salt.hex().upper()};start={verification.start};end={verification.end}"
    )
    data = bytes([SPECIAL]) + text.encode("ascii")
    if len(data) > MAX_DATA:
        raise ValueError(f"a question of {len(data)} bytes; at most {MAX_DATA} fit a frame")
    return Frame(INITIATE, data)


def asked(data: bytes) -> Verification | None:
    """What a host asks for; None when it is nothing of this kind."""
    found = _VERIFICATION.fullmatch(data[1:].decode("ascii", "replace")) if data[:1] == bytes([SPECIAL]) else None
    if found is None or found["algorithm"] not in ALGORITHMS:
        return None
    salt = bytes.fromhex(found["salt"])
    return Verification(found["component"], found["algorithm"], salt, int(found["start"]), int(found["end"]))


def state_of(data: bytes) -> int:
    """How the last calculation stands. MalformedReply when the data does not say."""
    if len(data) != 1 or data[0] not in STATES:
        raise MalformedReply(f"last authentication status {data[:20].hex(' ') or 'missing'}: expected 00 to 03")
    return data[0]


def result_of(data: bytes, algorithm: str) -> str:
    """The digest answered, in hexadecimal. MalformedReply when it is none of this algorithm."""
    size = ALGORITHMS[algorithm]().digest_size
    if len(data) != 1 + size or data[0] != SPECIAL:
        raise MalformedReply(f"last authentication result of {len(data)} bytes: expected level BA and {size} bytes")
    return data[1:].hex()
