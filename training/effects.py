"""Effects on a part before it is mixed: tone, reverb, amplifier, pan and level. Audio is (2, samples)."""

import numpy as np
from scipy.signal import butter, fftconvolve, sosfilt

RATE = 44100


def shelf(r, x):
    """Random tone control: a random gain curve in the frequency domain."""
    X = np.fft.rfft(x, axis=1)
    f = np.fft.rfftfreq(x.shape[1], 1 / RATE)
    lf = np.log2(np.maximum(f, 20) / 20)
    pts = np.linspace(0, 10, 7)
    g = r.normal(0, 3, 7)
    return np.fft.irfft(X * 10 ** (np.interp(lf, pts, g) / 20), n=x.shape[1], axis=1).astype(np.float32)


def room(r, x):
    t60 = r.uniform(0.3, 2.8)
    n = int(min(t60, 2) * RATE)
    wet = 10 ** (r.uniform(-26, -7) / 20)
    t = np.arange(n) / RATE
    out = x.copy()
    for c in range(2):
        ir = r.normal(0, 1, n) * np.exp(-6.9 * t / t60)
        ir[: int(r.uniform(0, 0.03) * RATE)] = 0
        ir = sosfilt(butter(1, [200, r.uniform(2500, 8000)], "band", fs=RATE, output="sos"), ir)
        ir /= np.sqrt((ir**2).sum()) + 1e-9
        out[c] += wet * fftconvolve(x[c], ir)[: x.shape[1]]
    return out.astype(np.float32)


def amp(r, x, hard):
    lvl = np.sqrt((x**2).mean()) + 1e-9
    y = x / lvl
    y = sosfilt(butter(1, r.uniform(80, 400), "high", fs=RATE, output="sos"), y)
    y = np.tanh(y * (r.uniform(2, 25) if hard else r.uniform(0.4, 1.5)) + r.uniform(0, 0.2))
    sos = butter(2, [80, r.uniform(3500, 6500)], "band", fs=RATE, output="sos")
    return (sosfilt(sos, y) * lvl).astype(np.float32)


def pan(r, x):
    k = r.random()
    if k < 0.35:
        m = x.mean(0)
        p = r.uniform(0, 1)
        return np.stack([m * np.cos(p * np.pi / 2), m * np.sin(p * np.pi / 2)])
    if k < 0.5:
        m = x.mean(0)
        return np.stack([m, m]) * 0.7
    return x


def norm(r, x, db):
    e = np.sqrt((x**2).mean())
    return x * (10 ** (db / 20) * 0.05 / e) if e > 1e-6 else x * 0
