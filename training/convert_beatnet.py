"""Converts the published networks of BeatNet to modules with their weights as text.

    pip download --no-deps BeatNet==1.1.3
    python convert_beatnet.py BeatNet-1.1.3-py3-none-any.whl ../packages/dsp/src/rhythm/weights 1

Writes `beatnet-1.ts`, and so on for the networks named (1 to 3): the bytes of the network in base 64, all numbers
little-endian. Matrices have a
scale for each output (32-bit floats), then a byte for each weight, output by output; a weight is its byte times the
scale. Everything else is 32-bit floats. The order is that of `parts_of`. Biases of the two halves of a recurrent layer
are added.
"""

import base64
import hashlib
import os
import sys
import zipfile

import numpy as np

from beatnet_network import LAYERS, read_checkpoint

WHEEL_SHA256 = "1ecfa17bdcbe899975a88bdb6efebd6970d846a4f3b6cfd5c6f320647c641c7e"
NETWORKS = {
    1: "619091bc317ca3e83b45591d46f6de3d5a41588bcb39fe9fe7be30cffa6aca84",
    2: "5878a18c079fa0b0139879b14ed2b5b7595faef8c3d16210aed141fd00fa2d58",
    3: "0c52a074ea38e8cb4a760ecfa3747c9cf91a1e3cd19f238eed80b0de763989ca",
}


def _checked(data, sha256, what):
    found = hashlib.sha256(data).hexdigest()
    if found != sha256:
        raise SystemExit(f"{what} must have the SHA-256 {sha256} (got {found})")
    return data


def read_networks(path):
    """Returns the tensors of the three networks in the wheel, whose hashes are pinned."""
    with open(path, "rb") as file:
        _checked(file.read(), WHEEL_SHA256, path)
    with zipfile.ZipFile(path) as wheel:
        names = {n: f"BeatNet/models/model_{n}_weights.pt" for n in NETWORKS}
        return {n: read_checkpoint(_checked(wheel.read(names[n]), NETWORKS[n], names[n])) for n in NETWORKS}


def quantise(matrix):
    """Returns bytes and a scale per output (row), the best of several clipping levels for each."""
    largest = np.abs(matrix).max(axis=1, keepdims=True)
    best_error, best_scale = np.full(largest.shape, np.inf), np.ones(largest.shape, np.float32)
    for clip in np.linspace(0.7, 1, 13):
        scale = np.maximum(largest * np.float32(clip / 127), np.float32(1e-12)).astype(np.float32)
        error = ((np.clip(np.rint(matrix / scale), -127, 127) * scale - matrix) ** 2).sum(axis=1, keepdims=True)
        best_scale = np.where(error < best_error, scale, best_scale)
        best_error = np.minimum(error, best_error)
    return np.clip(np.rint(matrix / best_scale), -127, 127).astype(np.int8), best_scale


def parts_of(net):
    """Yields the stored arrays of a network in their order: float32 arrays, and (values, scales) of matrices."""
    yield net["conv1.weight"].reshape(2, 10)
    yield net["conv1.bias"]
    yield quantise(net["linear0.weight"])
    yield net["linear0.bias"]
    for layer in LAYERS:
        yield quantise(net[f"lstm.weight_ih_l{layer}"])
        yield quantise(net[f"lstm.weight_hh_l{layer}"])
        yield net[f"lstm.bias_ih_l{layer}"] + net[f"lstm.bias_hh_l{layer}"]
    yield net["linear.weight"]
    yield net["linear.bias"]


def pack(net):
    """Returns the bytes of a network."""
    packed = b""
    for part in parts_of(net):
        arrays = (part[1].astype("<f4"), part[0]) if isinstance(part, tuple) else (part.astype("<f4"),)
        packed += b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)
    return packed


def unpacked(net):
    """Returns a network with the rounded weights that the file contains."""
    rounded = dict(net)
    for name in ("linear0.weight", *[f"lstm.weight_{half}_l{n}" for n in LAYERS for half in ("ih", "hh")]):
        values, scales = quantise(net[name])
        rounded[name] = values * scales
    return rounded


if __name__ == "__main__":
    wheel_path, folder, *numbers = sys.argv[1:]
    networks = read_networks(wheel_path)
    for number in map(int, numbers):
        data = base64.b64encode(pack(networks[number])).decode()
        with open(os.path.join(folder, f"beatnet-{number}.ts"), "w", encoding="utf-8") as out:
            out.write("// Written by training/convert_beatnet.py: do not edit.\n"
                      "// BeatNet by Mojtaba Heydari, Frank Cwitkowitz, Zhiyao Duan, CC BY 4.0: "
                      "LICENSE and NOTICE are beside this file.\n"
                      f"/** Weights of network {number} of BeatNet, as `beat-network.ts` reads them, in base 64. */\n"
                      f"export const beatNet{number} =\n  '{data}';\n")
        print(f"network {number}: {len(data)} characters")
