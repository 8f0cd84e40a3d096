"""Makes a single-file page lighter: what stands in it several times over is kept once."""

import re

_FILE = re.compile(r'\bd\("([^"\\]+)","([A-Za-z0-9+/=]*)"\)')
_WORTH = 400
"""Characters from which on a reference is shorter by enough to matter."""


def slim(page: str) -> str:
    """The page with each file that equals an earlier one replaced by a reference to it.

    The page holds its files as `d("name","base64")`, stored under their names in the order in which they stand.
    """
    first: dict[str, str] = {}

    def kept(file: re.Match[str]) -> str:
        name, content = file[1], file[2]
        if len(content) < _WORTH or first.setdefault(content, name) == name:
            return file[0]
        return f'd("{name}",window.allureReportData["{first[content]}"])'

    return _FILE.sub(kept, page)
