"""How an address of a camera is repeated in a message: without what opens the camera, even where it is malformed."""


def shown(address: str) -> str:
    """The address in quotes, cut to a length, without user, password and query, wherever in it they may end."""
    before, at, host = address.rpartition("@")
    scheme, mark, _ = before.partition("://")
    return repr(f"{f'{scheme}{mark}' if mark else ''}{'...@' if at else ''}{host}".partition("?")[0][:120])
