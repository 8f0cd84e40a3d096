"""Seals a run folder: manifest, signatures, attestation, and the signature in the PDF; and checks them again."""
