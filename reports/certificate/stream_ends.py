"""Ends every stream of a PDF so that no reader can mistake its last byte for the end of a line.

Typst puts a line feed between a stream and `endstream`. Where the stream's own last byte is a carriage return, the two
read as one end of line, and the stream seems a byte shorter than it says, which ISO 19005-3, 6.1.7.1 does not allow.
There the end of line is written as carriage return and line feed, after which nothing can be misread.
"""

import re
from itertools import pairwise

_END = b"\nendstream\nendobj\n"
_ENTRY = re.compile(rb"(\d{10})( \d{5} n)")
_START = re.compile(rb"startxref\n(\d+)\n%%EOF\s*\Z")


def clear_stream_ends(pdf: bytes) -> bytes:
    """The PDF as Typst wrote it, with one table of its objects, in which every stream ends clearly."""
    start = _START.search(pdf)
    if start is None:
        return pdf
    table = int(start[1])
    begins = sorted({int(entry[1]) for entry in _ENTRY.finditer(pdf, table)} | {table})
    objects = [pdf[here:there] for here, there in pairwise(begins)]
    mended = [one.removesuffix(_END) + b"\r" + _END if one.endswith(b"\r" + _END) else one for one in objects]
    moved, at = {}, begins[0]
    for begin, one in zip(begins, [*mended, b""], strict=True):
        moved[begin] = at
        at += len(one)
    tail = _ENTRY.sub(lambda entry: b"%010d" % moved[int(entry[1])] + entry[2], pdf[table : start.start()])
    return pdf[: begins[0]] + b"".join(mended) + tail + b"startxref\n%d\n%%%%EOF" % moved[table] + pdf[start.end() :]
