"""Writes a trained network in the separator's format: 16-bit floats, the weights of each output of each layer.

    python pack_weights.py NETWORK.npz ../packages/separator/src/backends/guitar-piano.weights
"""

import sys

import numpy as np

p = np.load(sys.argv[1])
layers = [(p[f"w{i}"], p[f"b{i}"]) for i in range(7)] + [(p["wo"], p["bo"]), (p["wp"], p["bp"])]
# The last layer has two outputs and is padded to four, because layers are computed in groups of four outputs.
layers.append((np.pad(p["wq"], ((0, 0), (0, 2))), np.pad(p["bq"], (0, 2))))
with open(sys.argv[2], "wb") as out:
    for w, b in layers:
        out.write(np.ascontiguousarray(w.T).astype("<f2").tobytes())
        out.write(b.astype("<f2").tobytes())
