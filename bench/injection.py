"""How armed faults reach what they befall: an emulated device, its line, the camera, software, or somebody asked."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import msgspec

from bench.emulators.faulty_camera import FaultySource
from bench.faults.catalogue import LinkAction
from bench.faults.script import FaultSpec
from bench.hands.protocol import Hands
from bench.instruments.injection import Injections
from bench.links.line_faults import LineFault
from bench.taps import Control, LineControl


@dataclass(slots=True)
class Injection:
    """The means of one rig. Where it has none for a fault nothing happens, and the proof will fail."""

    hands: Hands
    injections: Injections | None
    """What the instruments of this rig bring about; None where it has none."""
    controls: Mapping[str, Control]
    lines: Mapping[str, LineControl] = field(default_factory=dict)
    """Lines to devices, by the device, that can go bad on purpose."""
    camera: FaultySource | None = None
    end_software: Callable[[], None] | None = None

    def arm(self, fault: FaultSpec) -> None:
        """Arm one fault now. UsageError when it does not fit what it is to befall."""
        entry, control = fault.fault, self.controls.get(fault.target)
        if (link := entry.hardware.link) is not None:
            if (line := self.lines.get(fault.target)) is not None:
                line.arm(line_fault(fault, link))
        elif fault.target == "camera" and self.camera is not None:
            self.camera.arm(fault)
        elif fault.target == "software" and self.end_software is not None:
            if not entry.defect:
                self.end_software()
        elif self.injections is not None and self.injections.arm(fault):
            # Whoever stands in for the device may show on its wires what an instrument does to it.
            if control is not None:
                control.clip(fault.name, **fault.params)
        elif control is not None:
            control.arm(fault.name, **fault.params, **fault.at)
        elif not entry.of_people and entry.hardware.means != ["instrument"]:
            self.hands.inject(f"{fault.target}: {entry.hardware.does.rstrip('.')} ({_stated(fault)})")


def line_fault(fault: FaultSpec, link: LinkAction) -> LineFault:
    """The fault of a link as the line takes it."""
    given: dict[str, object] = {name: value for name, value in fault.params.items() if name != "seconds"}
    if "seconds" in fault.params:
        given["seconds"] = float(fault.params["seconds"])
    return msgspec.convert({"kind": link.action, "first": fault.at.get("message", 1), **given}, LineFault)


def _stated(fault: FaultSpec) -> str:
    """When and how, as whoever brings it about has to know."""
    stated = [
        f"{name.replace('_', ' ')} {value}" for name, value in {**fault.at, **fault.params}.items() if value != ""
    ]
    return ", ".join(stated) or "at the next occasion"
