"""What the shares of a network are worth on pieces whose parts are known.

    python measure_shares.py NETWORK.npz PIECES_FOLDER [--temperature 2] [--bias 0] [--positions 1]

PIECES_FOLDER/<piece>/ holds stereo WAV files of the same length at 44.1 kHz: `other.wav` as the engine left it,
`mixture.wav`, and `guitar.wav` and `piano.wav` as they are, where they are known. A part of silence is an absent
instrument. Prints for each known part the median SDR of its seconds (those above 0.001 of full scale) in dB, beside
what a third, a half and all of `other` would give; for an absent or unknown one its level against the mix.
"""

import argparse
import os

import numpy as np
from scipy.io import wavfile

ask = argparse.ArgumentParser()
ask.add_argument("network")
ask.add_argument("pieces")
ask.add_argument("--temperature", type=float, default=2.0)
ask.add_argument("--bias", type=float, default=0.0, help="added to guitar's and piano's logits")
ask.add_argument(
    "--positions", type=float, default=1.0, help="how much the share at a position of the panorama counts"
)
asked = ask.parse_args()
RATE = 44100
N = 4096
HOP = 1024
win = np.sqrt(0.5 - 0.5 * np.cos(2 * np.pi * np.arange(N) / N)).astype(np.float32)


def edges(first=5, last=1500, bands=96):
    e = [int(np.floor(first * (last / first) ** (i / bands) + 0.5)) for i in range(bands + 1)]
    for i in range(1, bands + 1):
        e[i] = max(e[i], e[i - 1] + 1)
    return np.array(e)


E = edges()


def stft(x):
    x = np.pad(x, ((0, 0), (N - HOP, N)))
    F = (x.shape[1] - N) // HOP + 1
    idx = np.arange(N)[None] + HOP * np.arange(F)[:, None]
    return np.stack([np.fft.rfft(c[idx] * win, axis=1) for c in x])


def istft(X, n):
    y = np.zeros((2, (X.shape[1] - 1) * HOP + N))
    for c in range(2):
        f = np.fft.irfft(X[c], axis=1) * win
        for t in range(len(f)):
            y[c, t * HOP : t * HOP + N] += f[t]
    return (y * 0.5)[:, N - HOP : N - HOP + n]


def bands(X):
    p = (np.abs(X) ** 2).sum(0)
    cs = np.concatenate([np.zeros((len(p), 1)), np.cumsum(p, 1)], 1)
    return (cs[:, E[1:]] - cs[:, E[:-1]]) / (E[1:] - E[:-1])


p = np.load(asked.network)
DIL = [1, 2, 4, 8, 16, 32]
POSITIONS = 15


def net(A):
    """Logits of guitar, piano and the rest (frames, 96, 3) from band energies."""
    x = np.log10(A / (A.mean() + 1e-20) + 1e-7) / 2 + 1.2

    def conv(w, b, x, d):
        l = np.pad(x, ((d, 0), (0, 0)))[: len(x)]
        r = np.pad(x, ((0, d), (0, 0)))[d:]
        return np.concatenate([l, x, r], -1) @ w + b

    h = np.maximum(0, conv(p["w0"], p["b0"], x, 1))
    for i, d in enumerate(DIL):
        h = h + np.maximum(0, conv(p[f"w{i + 1}"], p[f"b{i + 1}"], h, d))
    return (h @ p["wo"] + p["bo"]).reshape(len(x), 96, 3)


def softmax(o):
    o = np.exp(o - o.max(-1, keepdims=True))
    return o / o.sum(-1, keepdims=True)


band_of = np.zeros(2049, int)
for b in range(96):
    band_of[E[b] : E[b + 1]] = b
band_of[E[-1] :] = 95


def sdr(t, e):
    v = []
    for i in range(0, t.shape[1] - RATE + 1, RATE):
        s = (t[:, i : i + RATE] ** 2).sum()
        if np.sqrt(s / (2 * RATE)) <= 1e-3:
            continue
        v.append(10 * np.log10(s / (((t - e)[:, i : i + RATE] ** 2).sum() + 1e-12)))
    return np.median(v) if v else None


def load(f):
    rate, x = wavfile.read(f)
    assert rate == RATE and x.ndim == 2, f"{f} must be stereo at {RATE} Hz (got {rate} Hz, shape {x.shape})"
    return (x.T / (np.iinfo(x.dtype).max + 1 if x.dtype.kind == "i" else 1)).astype(np.float32)


def position(X):
    """The position of each bin in the panorama, 0 to 14, or 15 where its sides are not in phase."""
    l, r = np.abs(X)
    phase = (X[0] * X[1].conj()).real / (l * r + 1e-9)
    return np.where(
        phase > 0.85,
        np.minimum((np.arctan2(r, l) / (np.pi / 2) * POSITIONS).astype(int), POSITIONS - 1),
        POSITIONS,
    )


def gains(X):
    """Gain of guitar, piano and the rest for each frame and bin, adding up to 1."""
    A = bands(X)
    mono = net(A) / asked.temperature + np.array([asked.bias, asked.bias, 0])
    o = mono[:, band_of].astype(np.float32)
    if asked.positions > 0:
        at = position(X)
        energy = (np.abs(X) ** 2).sum(0)
        known = {}
        for b in range(POSITIONS):
            if energy[at == b].sum() < 0.005 * energy.sum():
                continue
            near = bands(X * (np.abs(at - b) <= 1))
            here = bands(X * (at == b)) * np.diff(E)
            known[b] = ((softmax(net(near)) * here[..., None]).sum((0, 1)) / here.sum(), here.sum())
        if known:
            all_of = sum(share * e for share, e in known.values()) / sum(e for _, e in known.values())
            for b, (share, _) in known.items():
                o[at == b] += asked.positions * np.log((share + 1e-3) / (all_of + 1e-3))
    g = softmax(o)
    g[:, : E[0]] = [0, 0, 1]
    return g


res = []
for name in sorted(os.listdir(asked.pieces)):
    d = os.path.join(asked.pieces, name)
    o = load(f"{d}/other.wav")
    mix = load(f"{d}/mixture.wav")
    X = stft(o)
    g = gains(X)
    line = [name]
    for c, k in ((0, "guitar"), (1, "piano")):
        est = istft(X * g[..., c], o.shape[1])
        f = f"{d}/{k}.wav"
        level = 10 * np.log10((est**2).sum() / (mix**2).sum() + 1e-12)
        t = load(f) if os.path.exists(f) else None
        if t is None or np.sqrt((t**2).mean()) < 1e-4:
            line.append(f"{k} {'unknown' if t is None else 'absent'}, {level:.1f} dB of the mix")
            continue
        s = [sdr(t, est), sdr(t, o / 3), sdr(t, o / 2), sdr(t, o)]
        res.append(s)
        line.append(f"{k} {s[0]:.2f} (a third {s[1]:.2f}, a half {s[2]:.2f}, all {s[3]:.2f})")
    print(" | ".join(line), flush=True)
print("medians: network, a third, a half, all:", *np.median(np.array(res), 0).round(2))
