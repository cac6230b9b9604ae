"""Prints the values that the test of the voice network compares with, computed by numpy.

    python golden_voice.py ../packages/separator/src/backends/weights/voice.weights [FRAMES]

With a number of frames, a multiple of 128, it prints those of a window of so many frames.
"""

import json
import sys

import numpy as np

from convert_spleeter import nets_of, unpack
from spleeter_network import BINS, FRAMES, run_unet

with open(sys.argv[1], "rb") as file:
    NETS = nets_of(unpack(file.read()))

# The same magnitudes as in the test: 400 frames of noise and of a swelling harmonic tone, then silence.
index = np.arange(2 * FRAMES * BINS, dtype=np.uint64).reshape(2, FRAMES, BINS)
noise = (index * 2654435761 % 2**32).astype(np.float64) / 2**32
bins = np.arange(BINS)
swell = 0.5 + 0.5 * np.sin(np.arange(FRAMES) / 7)[:, None]
tone = np.where((bins % 18 < 2) & (bins < 400), 150 / (1 + bins / 50), 0) * swell
mixture = (10 * noise**2 / (1 + bins / 64) + tone).astype(np.float32)
mixture[:, 400:] = 0
length = int(sys.argv[2]) if len(sys.argv) > 2 else FRAMES
mixture = mixture[:, :length]
voice, rest = (run_unet(net, mixture.transpose(1, 2, 0)).transpose(2, 0, 1) for net in NETS)
points = [(side, t, k) for side in (0, 1) for t in (0, 1, 100, 399, 400) if t < length for k in (18, 55, 300, 1022)]
print(json.dumps({
    "voiceEnergy": float((voice.astype(np.float64) ** 2).sum()),
    "accompanimentEnergy": float((rest.astype(np.float64) ** 2).sum()),
    "points": [[side, t, k, round(float(voice[side, t, k]), 6), round(float(rest[side, t, k]), 6)]
               for side, t, k in points],
}))
