"""Prints the values that the test of the beat network compares with, computed by numpy.

    python golden_beats.py BeatNet-1.1.3-py3-none-any.whl
"""

import json
import sys

import numpy as np

from beatnet_network import RATE, features_of, run_network
from convert_beatnet import read_networks, unpacked

# The same samples as in the test: eight seconds of drums of noise and tones at 120 bpm under a chord, then silence.
index = np.arange(10 * RATE, dtype=np.uint64)
noise = (index * 2654435761 % 2**32).astype(np.float64) / 2**31 - 1
time = index / RATE
beat = time % 0.5
number = np.floor(time / 0.5).astype(int)
samples = 0.05 * sum(np.sin(2 * np.pi * hz * time) for hz in (220, 277.18, 329.63))
samples += np.where(number % 2 == 0, 0.6 * np.exp(-20 * beat) * np.sin(2 * np.pi * 60 * beat), 0)
samples += np.where(number % 2 == 1, 0.4 * np.exp(-25 * beat) * noise, 0)
samples += 0.15 * np.exp(-60 * (time % 0.25)) * noise
samples[8 * RATE:] = 0
features = features_of(samples.astype(np.float32).astype(np.float64))
golden = {}
for number, net in read_networks(sys.argv[1]).items():
    scores = run_network(unpacked(net), features)
    exact = run_network(net, features)
    print(f"network {number}: largest change by rounding {np.abs(scores - exact).max():.4f}", file=sys.stderr)
    golden[number] = scores
points = [*range(95, 130), *range(395, 410), 500]
print(json.dumps({
    "frames": len(features),
    "sums": {number: [round(float(v), 3) for v in scores.sum(axis=0)[:2]] for number, scores in golden.items()},
    "points": {number: [[t, *(round(float(v), 5) for v in scores[t, :2])] for t in points]
               for number, scores in golden.items()},
}))
