"""A signing key on a PKCS#11 token: it never leaves the token, which is asked to sign."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from asn1crypto import x509 as asn1_x509
from pyhanko.sign.signers import Signer

from evidence.errors import RigFault, UsageError
from reports.sealing.identity import PIN, Token


@contextmanager
def token_signer(module: Path, token: Token, chain: Sequence[asn1_x509.Certificate]) -> Iterator[Signer]:
    """A signer whose key is on a token, for pyHanko. `chain` begins with the signer's certificate.

    Raises UsageError when the library, the token or the PIN is missing, RigFault when the token does not open or sign.
    """
    try:
        import pkcs11  # noqa: PLC0415 - of use only with a token, and not to be had on every machine
        from pyhanko.config.pkcs11 import TokenCriteria  # noqa: PLC0415
        from pyhanko.sign.pkcs11 import PKCS11Signer, open_pkcs11_session  # noqa: PLC0415
    except ImportError:
        raise UsageError("a key on a token needs the package python-pkcs11: pip install 'cardcert[token]'") from None
    if not module.is_file():
        raise UsageError(f"{module}: no PKCS#11 library here. Name that of your token as `module`.")
    pin = os.environ.get(PIN)
    if not pin:
        raise UsageError(f"token {token.token!r}: its PIN is expected in the environment variable {PIN}.")
    try:
        with open_pkcs11_session(str(module), token_criteria=TokenCriteria(label=token.token), user_pin=pin) as session:
            yield PKCS11Signer(session, signing_cert=chain[0], ca_chain=chain[1:], key_label=token.key)
    except (pkcs11.PKCS11Error, RuntimeError) as error:
        why = str(error) or type(error).__name__
        raise RigFault(f"token {token.token!r}: {why}. Check that it is plugged in, and its PIN and labels.") from None
