"""How an address of a camera is repeated in a message: without what opens the camera, even where it is malformed."""


def shown(address: str) -> str:
    """The address in quotes, cut to a length, without user, password and query, wherever in it they may end."""
    scheme, mark, rest = address.partition("://")
    login, at, host = rest.rpartition("@")
    return repr(f"{scheme}{mark}{'...@' if at else login}{host}".partition("?")[0][:120])
