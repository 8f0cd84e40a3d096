"""Seals a run folder: manifest, signatures, attestation, and the signature in the PDF; and checks them again."""

import logging

# What these libraries find wrong with a file is told as a finding; their own log would tell it again, with a traceback.
for _library in ("pyhanko", "pyhanko_certvalidator", "pypdf"):
    logging.getLogger(_library).addHandler(logging.NullHandler())
