"""The network in training's form again, from the exported weights: no other file of it needs to be kept. Needs the extra ``train``."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.detector import network
from models.detector.contract import INPUT_PX
from models.detector.run import Network
from models.errors import BadInput

TOLERANCE: Final = 1e-3
"""How far restored and exported network may differ: scores, and places and sizes over the picture's side."""


def restore(weights: Path) -> Any:
    """The network whose export `weights` is.

    In the export every convolution has taken its batch normalisation in. Here the normalisation comes back as the identity, mean 0
    and variance 1, with the export's bias, so that everything has its place and its name again; train on without letting it follow
    the batches (`models.detector.learn.Learner`, `statistics`).

    Raises
    ------
    BadInput
        If the weights are not those of this network (another version's, another program's), or it doesn't give what they give.
    """
    import onnx
    import torch
    from onnx import numpy_helper

    exported = Network(weights)
    graph = onnx.load(str(weights)).graph
    arrays = {i.name: np.array(numpy_helper.to_array(i), np.float32) for i in graph.initializer if i.name.startswith("model.")}
    model = network.build().eval()
    state = model.state_dict()
    for name, module in model.named_modules():
        bn = getattr(module, "bn", None)
        if isinstance(bn, torch.nn.BatchNorm2d):
            state[f"{name}.bn.weight"] = torch.full_like(bn.weight, (1 + bn.eps) ** 0.5)
            state[f"{name}.bn.running_mean"], state[f"{name}.bn.running_var"] = torch.zeros_like(bn.bias), torch.ones_like(bn.bias)
            arrays[f"{name}.bn.bias"] = arrays.pop(f"{name}.conv.bias", np.zeros(0, np.float32))
    wanted = {name for name, _ in model.named_parameters()} - {name for name in state if name.endswith(".bn.weight")}
    for name in wanted:
        value = arrays.get(name)
        if value is None or value.shape != tuple(state[name].shape):
            raise BadInput(f"{weights}: is no export of this version's network ({name} is missing or has another shape)")
        state[name] = torch.from_numpy(value)
    model.load_state_dict(state)
    differs = difference(model, exported)
    if not differs <= TOLERANCE:  # what is no number is no likeness either
        raise BadInput(f"{weights}: restored for training, the network differs from the export by {differs:.1g}")
    return model


def difference(model: Any, exported: Network) -> float:
    """The largest difference of both networks' output for a picture of noise: scores, and boxes over the picture's side."""
    import torch

    picture = _noise()
    with torch.no_grad():
        ours = model.eval()(torch.from_numpy(picture[..., ::-1].transpose(2, 0, 1).copy())[None].float() / 255)[0][0].numpy()
    far = np.abs(ours - exported.raw(picture))
    return float(max(far[:4].max() / INPUT_PX, far[4:].max()))


def _noise() -> NDArray[np.uint8]:
    """Blotches of every size, so that the whole network has something to say."""
    rng = np.random.default_rng(0)
    blotches = np.zeros((INPUT_PX, INPUT_PX, 3))
    for cells in (8, 32, 128, INPUT_PX):
        blotches += cv2.resize(rng.uniform(-50, 50, (cells, cells, 3)), (INPUT_PX, INPUT_PX), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(128 + blotches, 0, 255), np.uint8)
