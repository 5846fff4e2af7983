"""The network: built from its definition with ultralytics' modules and loss, saved, exported. Needs the extra ``train``."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from models.detector.contract import CLASSES, DEFINITION, INPUT_NAME, INPUT_PX, OUTPUT_NAME
from models.errors import BadInput
from models.files import replacing

LOSS_WEIGHTS: Final = {"box": 7.5, "cls": 0.5, "dfl": 1.5}
OPSET: Final = 17


def prepare(scratch: Path, threads: int) -> None:
    """Keep ultralytics off the network and on `threads` threads; `scratch` takes its settings. Call before anything else here.

    Raises
    ------
    BadInput
        If the packages of the extra ``train`` are missing.
    """
    os.environ.update(YOLO_OFFLINE="1", YOLO_AUTOINSTALL="0", YOLO_CONFIG_DIR=str(scratch.resolve()), YOLO_VERBOSE="False")
    os.environ["OMP_NUM_THREADS"] = str(threads)
    folder = scratch / "Ultralytics"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        import matplotlib
        import torch

        font = folder / "Arial.ttf"
        if not font.exists():
            with replacing(font) as part:
                part.write_bytes((Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf").read_bytes())
        from ultralytics.utils import SETTINGS
    except ImportError as e:
        raise BadInput(f"training needs the extra packages of carromeye[train]: {e.name} is missing") from e
    SETTINGS.update({"sync": False})
    torch.set_num_threads(threads)


@dataclass(frozen=True)
class Design:
    """A network's make: its definition, a file or a name that ultralytics knows, and the side of the board that it takes (px)."""

    definition: Path | str = DEFINITION
    input_px: int = INPUT_PX


OURS: Final = Design()


def build(design: Design = OURS) -> Any:
    """The untrained network."""
    from ultralytics.nn.tasks import DetectionModel

    model = DetectionModel(str(design.definition), ch=3, nc=len(CLASSES), verbose=False)
    model.args = SimpleNamespace(**LOSS_WEIGHTS)
    model.names = dict(enumerate(CLASSES))
    return model


def export(model: Any, path: Path, input_px: int = INPUT_PX) -> None:
    """Write `model` as ONNX: input ``images`` (1, 3, `input_px`, `input_px`) RGB 0 to 1, output ``output0`` (1, 4 + classes, cells).

    The output's rows are centre x, centre y, width, height (px) and a score of each class; nothing is suppressed.
    """
    import copy

    import onnx
    import torch

    net = copy.deepcopy(model).float().eval()
    net.fuse(verbose=False)
    for m in net.modules():
        if m.__class__.__name__ == "Detect":
            m.export, m.format, m.dynamic, m.end2end = True, "onnx", False, False
    picture = torch.zeros(1, 3, input_px, input_px)
    with torch.no_grad():
        net(picture)
        torch.onnx.export(
            net, (picture,), str(path), input_names=[INPUT_NAME], output_names=[OUTPUT_NAME], opset_version=OPSET, dynamo=False
        )
    graph = onnx.load(str(path))
    try:
        import onnxslim

        graph = onnxslim.slim(graph)
    except ImportError:
        pass
    onnx.save(graph, str(path))


def interface(path: Path) -> dict[str, list[int]]:
    """Names and shapes of what an exported network takes and gives."""
    import onnx

    graph = onnx.load(str(path)).graph
    return {v.name: [d.dim_value for d in v.type.tensor_type.shape.dim] for v in (*graph.input, *graph.output)}
