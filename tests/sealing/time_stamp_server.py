"""A time-stamping authority on this machine's loopback: RFC 3161 over HTTP, or an answer that is none."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from asn1crypto import keys as asn1_keys
from asn1crypto import tsp
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from pyhanko.sign.timestamps import DummyTimeStamper
from pyhanko_certvalidator.registry import SimpleCertificateStore

from reports.sealing.certificates import to_asn1


def authority() -> tuple[x509.Certificate, DummyTimeStamper]:
    """A self-signed certificate for stamping, and what stamps with it."""
    key = rsa.generate_private_key(65537, 2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Time of the test suite")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING]), critical=True)
        .sign(key, hashes.SHA256())
    )
    plain = key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    store = SimpleCertificateStore()
    return certificate, DummyTimeStamper(to_asn1(certificate), asn1_keys.PrivateKeyInfo.load(plain), store)


@contextmanager
def serving(stamper: DummyTimeStamper | None = None, answer: bytes = b"", status: int = 200) -> Iterator[str]:
    """The address of a server that stamps, or that gives a fixed answer."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = self.rfile.read(int(self.headers["Content-Length"]))
            content = answer
            if stamper is not None:
                content = stamper.request_tsa_response(tsp.TimeStampReq.load(asked)).dump()
            self.send_response(status)
            self.send_header("Content-Type", "application/timestamp-reply")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
