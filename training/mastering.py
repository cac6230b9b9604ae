"""Processing applied equally to all stems of a song, so that they still sum to the mixture."""

import numpy as np
from scipy.ndimage import maximum_filter1d, uniform_filter1d
from scipy.signal import butter, resample_poly, sosfilt

from effects import RATE


def limit(r, stems):
    """Limits all stems with one gain, from the peaks of the mixture."""
    peak = np.abs(stems.sum(0)).max(0)
    ceiling = peak.max() * 10 ** (-r.uniform(1, 9) / 20)
    reach = int(r.uniform(0.002, 0.05) * RATE)
    gain = np.minimum(1, ceiling / (maximum_filter1d(peak, 2 * reach) + 1e-9))
    return stems * uniform_filter1d(gain, reach).astype(np.float32)


def pump(r, stems):
    """Compresses all stems with one gain, slower than the limiter, so that drums reduce the level of the others."""
    level = np.sqrt(sosfilt(butter(1, r.uniform(3, 15), fs=RATE, output="sos"), (stems.sum(0) ** 2).mean(0)).clip(1e-9))
    gain = np.maximum(1, level / (level.mean() * r.uniform(0.5, 1.2) + 1e-6)) ** -r.uniform(0.1, 0.5)
    return stems * gain.astype(np.float32)


def master(r, stems):
    """Applies width, speed with pitch, compression, limiting and the treble cut of lossy formats; (4, 2, samples)."""
    if r.random() < 0.12:
        stems = np.repeat(stems.mean(1, keepdims=True), 2, 1)
    elif r.random() < 0.25:
        middle = stems.mean(1, keepdims=True)
        stems = middle + (stems - middle) * r.uniform(0.3, 1.2)
    if r.random() < 0.35:
        up, down = ((20, 19), (15, 14), (10, 9), (19, 20), (14, 15), (9, 10))[r.integers(6)]
        length = stems.shape[2]
        moved = resample_poly(stems, up, down, axis=2)[:, :, :length]
        stems = np.pad(moved, ((0, 0), (0, 0), (0, length - moved.shape[2])))
    if r.random() < 0.4:
        stems = pump(r, stems)
    if r.random() < 0.6:
        stems = limit(r, stems)
    if r.random() < 0.15:
        sos = butter(8, r.uniform(10500, 16500), fs=RATE, output="sos")
        stems = sosfilt(sos, stems, axis=2)
    return (stems * (10 ** r.normal(0, 0.15))).astype(np.float32)
