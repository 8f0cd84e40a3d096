"""The base of all events, and words that several of them use."""

import msgspec

CardLabel = str


class Event(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True
):
    """Base of all events. The tag is the event's type on disk and on the wire."""
