"""A linear text model as an ONNX graph over count vectors, in float64, so that its answers are those of Python.

Input ``counts``: how often each word of the vocabulary occurs, one row a text. Outputs: ``margins``, ``label`` (the
number of the class) and, where the model has them, ``probabilities``. The words, the classes and the analyzer are in
the file's metadata as JSON, under ``words``, ``classes`` and ``analyzer``.
"""

import json
from typing import Any

import numpy as np

from laconic.models.scoring.linear_text import LinearText, folded

OPSET = 17


def onnx_model(model: LinearText) -> Any:
    """Return the graph as an ``onnx.ModelProto``."""
    try:
        import onnx
    except ImportError as error:
        raise ImportError("Writing ONNX needs the package onnx: pip install onnx") from error
    from onnx import helper, numpy_helper

    model = folded(model)
    words = list(model.vocabulary.words)
    constants = {"weights": model.dense_weights, "intercept": model.intercept, "zero": np.zeros(1), "one": np.ones(1)}
    nodes = [*_cells(model, constants, helper)]
    nodes += [
        helper.make_node("MatMul", ["cells", "weights"], ["sums"]),
        helper.make_node("Add", ["sums", "intercept"], ["margins"]),
    ]
    every = "margins"
    if len(model.outputs) == 1:  # the first class has the margin 0
        nodes += [helper.make_node("Sub", ["margins", "margins"], ["none"])]
        nodes += [helper.make_node("Concat", ["none", "margins"], ["every"], axis=1)]
        every = "every"
    nodes.append(helper.make_node("ArgMax", [every], ["label"], axis=1, keepdims=0))
    outputs: list[tuple[str, Any, Any]] = [("margins", onnx.TensorProto.DOUBLE, ["texts", len(model.outputs)])]
    outputs.append(("label", onnx.TensorProto.INT64, ["texts"]))
    if model.probabilistic:
        nodes.append(helper.make_node("Softmax", [every], ["probabilities"], axis=1))
        outputs.append(("probabilities", onnx.TensorProto.DOUBLE, ["texts", len(model.classes)]))
    graph = helper.make_graph(
        nodes,
        "laconic",
        [helper.make_tensor_value_info("counts", onnx.TensorProto.DOUBLE, ["texts", len(words)])],
        [helper.make_tensor_value_info(*one) for one in outputs],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="laconic")
    made.ir_version = 9  # of the opset; newer runtimes read it, older ones too
    facts = {"words": words, "classes": list(model.classes), "analyzer": model.analyzer.to_json()}
    helper.set_model_props(made, {name: json.dumps(value) for name, value in facts.items()})
    onnx.checker.check_model(made)
    return made


def _cells(model: LinearText, constants: dict[str, Any], helper: Any) -> list[Any]:
    """Return the nodes from counts to cells."""
    if model.cells == "count":
        return [helper.make_node("Identity", ["counts"], ["cells"])]
    if model.cells == "binary":
        constants["lowest"], constants["highest"] = np.array(0.0), np.array(1.0)
        return [helper.make_node("Clip", ["counts", "lowest", "highest"], ["cells"])]
    constants["idf"] = model.vocabulary.inverse_document_frequency
    return [
        helper.make_node("Mul", ["counts", "idf"], ["scaled"]),
        helper.make_node("ReduceL2", ["scaled"], ["length"], axes=[1], keepdims=1),
        # a text without any known word has no length: its row stays zero
        helper.make_node("Greater", ["length", "zero"], ["known"]),
        helper.make_node("Where", ["known", "length", "one"], ["divisor"]),
        helper.make_node("Div", ["scaled", "divisor"], ["cells"]),
    ]
