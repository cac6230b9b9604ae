"""Spectrograms as the separator computes them, and bands of equal width on a logarithmic scale."""

import numpy as np

N = 4096
HOP = 1024
win = np.sqrt(0.5 - 0.5 * np.cos(2 * np.pi * np.arange(N) / N)).astype(np.float32)


def edges(first=5, last=1500, bands=96):
    e = [int(np.floor(first * (last / first) ** (i / bands) + 0.5)) for i in range(bands + 1)]
    for i in range(1, bands + 1):
        e[i] = max(e[i], e[i - 1] + 1)
    return np.array(e)


def stft(x):
    x = np.pad(x, ((0, 0), (N - HOP, N)))
    frames = (x.shape[1] - N) // HOP
    idx = np.arange(N)[None] + HOP * np.arange(frames)[:, None]
    return np.stack([np.fft.rfft(c[idx] * win, axis=1) for c in x]).astype(np.complex64)


def istft(X, length):
    """Inverts `stft`: returns the audio, (2, length), of a spectrogram."""
    out = np.zeros((2, max(length, X.shape[1] * HOP) + 2 * N), np.float32)
    for side, frames in zip(out, np.fft.irfft(X, axis=2).astype(np.float32), strict=True):
        for t, frame in enumerate(frames):
            side[t * HOP : t * HOP + N] += frame * win * (2 * HOP / N)
    return out[:, N - HOP : N - HOP + length]


def four_stem_edges():
    """Returns the band edges of the four-stem network: single bins from 21 Hz, then 1.2 semitones, up to 16 kHz."""
    return edges(2, 1500)


def band_means(values, e):
    """Averages (frames, bins) over bands."""
    sums = np.concatenate([np.zeros((len(values), 1)), np.cumsum(values, 1, dtype=np.float64)], 1)
    return (sums[:, e[1:]] - sums[:, e[:-1]]) / np.diff(e)


def kept_bins():
    """Returns the bins kept in examples (all below 5.5 kHz, every third above) and how many bins each represents."""
    bins = np.concatenate([np.arange(512), np.arange(513, N // 2 + 1, 3)])
    return bins, np.where(bins < 512, 1, 3).astype(np.float32)
