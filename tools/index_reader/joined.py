"""Join two closer looks into one: the letters that the first says, and the suits that the second says.

    python tools/index_reader/joined.py LETTERS.onnx SUITS.onnx OUT.onnx

The first may have seen more letterings, the second more shapes of suits. Needs onnx, which the project does not.
"""

import argparse
from pathlib import Path

import onnx
from onnx import compose, helper, numpy_helper

from tools.index_reader.patches import NONE

LETTERS = NONE + 1


def part(path: Path, rows: slice, prefix: str) -> onnx.ModelProto:
    """A network of whose answers these alone are left, all names with a prefix."""
    model = onnx.load(path)
    for tensor in model.graph.initializer:
        if tensor.name.startswith("head.5."):
            tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor)[rows].copy(), tensor.name))
    del model.graph.value_info[:]
    return compose.add_prefix(model, prefix)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("letters", type=Path)
    parser.add_argument("suits", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    first = part(options.letters, slice(0, LETTERS), "letters/").graph
    second = part(options.suits, slice(LETTERS, None), "suits/").graph
    patch, says = onnx.load(options.letters).graph.input[0], onnx.load(options.letters).graph.output[0]
    for graph in (first, second):
        for node in graph.node:
            node.input[:] = [patch.name if name == graph.input[0].name else name for name in node.input]
    join = helper.make_node("Concat", [first.output[0].name, second.output[0].name], [says.name], axis=1)
    nodes, tensors = [*first.node, *second.node, join], [*first.initializer, *second.initializer]
    graph = helper.make_graph(nodes, "closer look", [patch], [says], tensors)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    made.ir_version = onnx.load(options.letters).ir_version
    onnx.checker.check_model(made)
    options.out.write_bytes(made.SerializeToString())


if __name__ == "__main__":
    main()
