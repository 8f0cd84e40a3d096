"""Links: bytes to and from a device, whatever carries them."""

from bench.links.link import Link as Link
