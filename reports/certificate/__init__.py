"""The certificate: `certificate.pdf`, and the same data for machines in `certificate.json`."""

from reports.certificate.build import build_certificate

__all__ = ["build_certificate"]
