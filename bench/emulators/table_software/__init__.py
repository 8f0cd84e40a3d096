"""The reference table software: compliant procedures of two games, with defects that can be switched on."""

from bench.emulators.table_software.defects import Defect, all_defects
from bench.emulators.table_software.facts import Told
from bench.emulators.table_software.server import InProcessSoftware, serve
from bench.emulators.table_software.software import ReferenceSoftware

__all__ = ["Defect", "InProcessSoftware", "ReferenceSoftware", "Told", "all_defects", "serve"]
