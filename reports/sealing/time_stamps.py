"""Asks a time-stamping authority (RFC 3161) over HTTP: one question, one bounded answer, no second try."""

import asyncio
import http.client
import urllib.error
import urllib.request

from asn1crypto import core, tsp
from pyhanko.sign.timestamps import TimeStamper

from evidence.errors import RigFault

_LIMIT_BYTES = 256 * 1024


class _Answer(core.Sequence):  # type: ignore[misc]
    """An answer with or without a stamp: a refusal has none, which asn1crypto's own type does not know."""

    _fields = [("status", tsp.PKIStatusInfo), ("token", core.Any, {"optional": True})]  # noqa: RUF012


class HttpTimeStamper(TimeStamper):
    """A time-stamping authority behind a URL, for pyHanko."""

    def __init__(self, url: str, timeout_s: float) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._url = url
        self._timeout_s = timeout_s

    async def async_request_tsa_response(self, req: tsp.TimeStampReq) -> tsp.TimeStampResp:
        """The authority's answer. RigFault when there is none in time, or none that is one."""
        answer = await asyncio.to_thread(self._post, req.dump())
        try:
            status = str(_Answer.load(answer, strict=True)["status"]["status"].native)
            if status not in ("granted", "granted_with_mods"):
                raise RigFault(f"{self._url}: the time-stamping authority refused ({status}). Ask whoever runs it.")
            return tsp.TimeStampResp.load(answer, strict=True)
        except (ValueError, TypeError, KeyError) as error:
            raise RigFault(f"{self._url}: what came is no time stamp ({error}). Check the address.") from None

    def _post(self, request: bytes) -> bytes:
        asked = urllib.request.Request(  # noqa: S310 - the identity file was checked to name http or https
            self._url, request, {"Content-Type": "application/timestamp-query"}, method="POST"
        )
        try:
            with urllib.request.urlopen(asked, timeout=self._timeout_s) as answer:  # noqa: S310
                data: bytes = answer.read(_LIMIT_BYTES + 1)
        except (OSError, urllib.error.URLError, http.client.HTTPException, ValueError) as error:
            raise RigFault(f"{self._url}: no time stamp was to be had ({error}). Check address and network.") from None
        if len(data) > _LIMIT_BYTES:
            raise RigFault(f"{self._url}: an answer of over {_LIMIT_BYTES} bytes is no time stamp. Check the address.")
        return data
