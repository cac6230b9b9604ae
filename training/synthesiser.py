"""A software synthesiser: oscillators, a filter sweep, unison and glide."""

import numpy as np
from scipy.signal import butter, sosfilt

from compose import looped
from effects import RATE


def saw(phase, step):
    """Generates a sawtooth with its jumps rounded over two samples, which reduces aliasing."""
    p = phase % 1
    x = 2 * p - 1
    early, late = p < step, p > 1 - step
    a = p / step
    x = np.where(early, x - (2 * a - a * a - 1), x)
    b = (p - 1) / step
    return np.where(late, x - (b * b + 2 * b + 1), x)


def oscillator(kind, hz, start):
    step = hz / RATE
    phase = start + np.cumsum(step)
    if kind == "sine":
        return np.sin(2 * np.pi * phase)
    if kind == "triangle":
        return 4 * np.abs((phase % 1) - 0.5) - 1
    if kind == "square":
        return 0.5 * (saw(phase, step) - saw(phase + 0.5, step))
    if kind == "fm":
        return np.sin(2 * np.pi * phase + 2 * np.sin(4 * np.pi * phase))
    return saw(phase, step)


def patch(r, kind=None):
    """Returns a random patch."""
    return {
        "wave": kind or str(r.choice(["saw", "saw", "square", "triangle", "sine", "fm"])),
        "unison": int(r.choice([1, 1, 2, 3])),
        "spread": r.uniform(2, 18),
        "sub": r.uniform(0, 0.8) if r.random() < 0.3 else 0,
        "cutoff": 10 ** r.uniform(2.2, 3.9),
        "sweep": r.uniform(0, 3),
        "fall": 10 ** r.uniform(-1.6, 0.2),
        "attack": 10 ** r.uniform(-3, -0.8),
        "release": 10 ** r.uniform(-1.7, -0.3),
        "sustain": r.uniform(0.2, 1),
        "glide": r.random() < 0.15,
        "drive": r.uniform(0.5, 4),
        "wide": r.random() < 0.5,
    }


def note(r, p, hz, seconds, before_hz):
    """Returns one note, (2, samples); its filter sweep is a crossfade of two filters."""
    n = int((seconds + p["release"]) * RATE)
    t = np.arange(n) / RATE
    track = np.full(n, float(hz))
    if p["glide"] and before_hz:
        track = hz * (before_hz / hz) ** np.exp(-t / 0.05)
    sides = np.zeros((2, n))
    for voice in range(p["unison"]):
        off = 0 if p["unison"] == 1 else p["spread"] * (voice / (p["unison"] - 1) - 0.5)
        x = oscillator(p["wave"], track * 2 ** (off / 1200), r.random())
        side = 0.5 if not p["wide"] or p["unison"] == 1 else voice / (p["unison"] - 1)
        sides += np.stack([x * (1 - side), x * side])
    if p["sub"]:
        sides += p["sub"] * np.sin(np.pi * np.cumsum(track) / RATE)
    low = max(120, min(p["cutoff"], 16000))
    high = min(low * 2 ** p["sweep"], 18000)
    dark = sosfilt(butter(2, low, fs=RATE, output="sos"), sides, axis=1)
    bright = sosfilt(butter(2, high, fs=RATE, output="sos"), sides, axis=1)
    opened = np.exp(-t / p["fall"])
    shape = np.minimum(1, t / p["attack"]) * (p["sustain"] + (1 - p["sustain"]) * np.exp(-t / 0.25))
    shape = shape * np.exp(-np.maximum(0, t - seconds) / (p["release"] / 5))
    return np.tanh(p["drive"] * (dark + opened * (bright - dark))) * shape / p["drive"]


def play_patch(r, p, events, seconds, every=None):
    """Returns the audio of events (time, 1 on or 0 off, key, velocity); repeats the first `every` seconds."""
    if every:
        events = looped(events, seconds, every)
    total = int(seconds * RATE)
    out = np.zeros((2, total), np.float32)
    sounding, before = {}, None
    for time, kind, key, velocity in sorted(events, key=lambda e: (e[0], e[1])):
        if kind == 1:
            sounding[key] = (time, velocity)
        elif key in sounding:
            start, loudness = sounding.pop(key)
            hz = 440 * 2 ** ((key - 69) / 12)
            x = note(r, p, hz, max(0.03, min(time - start, 6)), before)
            at = int(start * RATE)
            x = x[:, : total - at] * (loudness / 100)
            out[:, at : at + x.shape[1]] += x
            before = hz
    return out
