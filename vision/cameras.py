"""A camera by the address that a rig file gives it: USB, MJPEG over HTTP, RTSP, a video file, or a folder of stills."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from evidence.errors import UsageError
from vision.addresses import shown
from vision.capture_source import rtsp_camera, usb_camera
from vision.mjpeg_source import MjpegSource
from vision.sources import FolderSource, FrameSource
from vision.video_source import SUFFIXES, VideoSource

Kind = Literal["usb", "http", "rtsp", "video", "folder"]

LIVE: frozenset[Kind] = frozenset(("usb", "http", "rtsp"))
"""Cameras that show what happens now. The others show what happened."""


def kind_of(address: str) -> Kind:
    """What kind of camera an address names. Raises `UsageError` for none of them; opens nothing."""
    if address.startswith(("http://", "https://")):
        return "http"
    if address.startswith("rtsp://"):
        return "rtsp"
    if address.startswith("/dev/"):
        return "usb"
    if address.isdecimal() and len(address) <= 2:
        raise UsageError(
            f"camera address {address}: a number is not the same camera for long; expected a device such as "
            f"/dev/v4l/by-id/... or /dev/video{address}, or ./{address} for a folder of that name"
        )
    login = ":" in address.partition("@")[0] and "@" in address  # of an address without its scheme
    if address and "://" not in address and "\0" not in address and not login:
        return "video" if address.lower().endswith(SUFFIXES) else "folder"
    raise UsageError(
        f"camera address {shown(address)}: expected http://host/stream.mjpg, rtsp://host/path, a device such as "
        f"/dev/video0 or /dev/v4l/by-id/..., a video file, or a folder of PNG or JPEG pictures"
    )


def open_camera(
    address: str,
    now_ns: Callable[[], int],
    latency_ns: int = 0,
    size_px: Sequence[int] = (),
    fps: float = 0.0,
    beside: Path = Path(),
) -> FrameSource:
    """Open a camera. A relative path counts from `beside`; `size_px` and `fps` are asked of a USB camera only."""
    kind = kind_of(address)
    if kind != "usb" and (size_px or fps):
        raise UsageError(f"camera {shown(address)}: only a USB camera is asked for a size_px and fps; set them in it")
    if kind == "usb":
        return usb_camera(address, now_ns, latency_ns, size_px, fps)
    if kind == "http":
        return MjpegSource(address, now_ns, latency_ns)
    if kind == "rtsp":
        return rtsp_camera(address, now_ns, latency_ns)
    path = beside / address
    return VideoSource(path, now_ns()) if kind == "video" else FolderSource(path, now_ns)
