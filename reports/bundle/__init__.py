"""The evidence bundle: a whole run folder in one file, the same bytes for the same folder, and refused when hostile."""

from reports.bundle.read import opened
from reports.bundle.write import SUFFIX, write_bundle

__all__ = ["SUFFIX", "opened", "write_bundle"]
