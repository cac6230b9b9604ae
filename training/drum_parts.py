"""Drum patterns, and the kits that play them: those of sound fonts, and drum machines of sines and noise."""

import numpy as np
from scipy.signal import butter, sosfilt

from effects import RATE, amp

KITS = (0, 0, 0, 8, 8, 16, 24, 25, 25, 32, 40)
KICKS = ((0, 8), (0, 6, 8), (0, 7, 10), (0, 3, 8, 10), (0, 4, 8, 12), (0, 10), (0, 2, 8, 11), (0, 5, 6, 11), (0,))
SNARES = ((4, 12), (4, 12), (4, 12), (8,), (3, 6, 12), (4, 11, 14), (2, 6, 10, 14), ())
HATS = (range(0, 16, 2), range(0, 16, 2), range(16), range(0, 16, 4), (2, 6, 10, 14), (0, 3, 6, 8, 11, 14), ())
TOMS = (50, 48, 47, 45, 43, 41)
HAND_DRUMS = (54, 56, 60, 61, 62, 63, 64, 67, 69, 70, 75, 76, 82)


def groove(r, sg):
    """Returns the drum hits (time, General MIDI key, velocity) of a whole song, with fills and pauses."""
    steps = 4 * sg["bar"]
    kick, snare, hat = (set(some[r.integers(len(some))]) for some in (KICKS, SNARES, HATS))
    cymbal = int(r.choice([42, 42, 42, 51, 46, 44]))
    snare_key = int(r.choice([38, 38, 40, 39, 37]))
    percussion = {int(s): int(r.choice(HAND_DRUMS)) for s in r.choice(16, 5)} if r.random() < 0.3 else {}
    loose, ghosts = r.uniform(0, 0.008), r.random() < 0.3
    step = sg["beat"] / 4
    bars = int(sg["seconds"] / (step * steps)) + 1
    quiet_from = r.integers(bars) if r.random() < 0.3 else bars
    hits = []
    for bar in range(bars):
        fill = r.random() < 0.2
        resting = quiet_from <= bar < quiet_from + 2
        for s in range(steps):
            keys = []
            if s in kick and not resting:
                keys.append((36 if r.random() < 0.9 else 35, 110))
            if s in snare and not resting:
                keys.append((snare_key, 108))
            elif ghosts and r.random() < 0.12:
                keys.append((snare_key, 40))
            if s in hat:
                keys.append((46 if cymbal == 42 and r.random() < 0.06 else cymbal, 90 if s % 4 == 0 else 65))
            if s in percussion:
                keys.append((percussion[s], 80))
            if s == 0 and r.random() < 0.2:
                keys.append((int(r.choice([49, 57, 55])), 105))
            if fill and s >= steps - 6:
                keys = [(TOMS[min(5, (s - steps + 6) + int(r.integers(2)))] if r.random() < 0.6 else snare_key, 100)]
            late = step * sg["swing"] if s % 2 else 0
            time = (bar * steps + s) * step + late
            for key, velocity in keys:
                at = max(0, time + r.normal(0, loose))
                if at < sg["seconds"] - 0.05:
                    hits.append((at, key, float(np.clip(velocity + r.normal(0, 9), 15, 127))))
    return hits


def noise_burst(r, seconds, low, high, order=2):
    noise = r.normal(0, 1, int(seconds * RATE))
    high = min(high, 20000)
    return sosfilt(butter(order, [low, high], "band", fs=RATE, output="sos"), noise)


def machine(r):
    """Returns the samples of a random drum machine: one mono recording for each family of drums."""

    def decay(n, seconds):
        return np.exp(-np.arange(n) / RATE / seconds)

    def sweep(start, end, fall, length):
        n = int(length * 6 * RATE)
        hz = end + (start - end) * decay(n, fall)
        return np.sin(2 * np.pi * np.cumsum(hz) / RATE + r.uniform(0, 1)) * decay(n, length)

    kick = sweep(r.uniform(90, 420), r.uniform(38, 65), r.uniform(0.008, 0.05), r.uniform(0.06, 0.35))
    click = noise_burst(r, 0.01, 800, r.uniform(4000, 12000)) * r.uniform(0, 0.5)
    kick[: len(click)] += click
    kick = np.tanh(kick * r.uniform(0.8, 4))
    snare = noise_burst(r, 0.5, r.uniform(300, 1800), r.uniform(6000, 15000)) * decay(
        int(0.5 * RATE), r.uniform(0.03, 0.14)
    )
    body = sweep(r.uniform(200, 400), r.uniform(140, 240), 0.02, r.uniform(0.03, 0.09))[: len(snare)]
    snare[: len(body)] += body * r.uniform(0.2, 2)
    clap = np.zeros(int(0.4 * RATE))
    for start in (0, 0.011, 0.023, 0.034):
        burst = noise_burst(r, 0.3, r.uniform(700, 1100), r.uniform(2500, 6000))
        burst = burst * decay(len(burst), 0.008 if start < 0.03 else r.uniform(0.05, 0.12))
        at = int(start * RATE)
        clap[at : at + len(burst)] += burst[: len(clap) - at]
    low = r.uniform(4500, 8500)

    def metal(seconds, length):
        n = int(length * 5 * RATE)
        t = np.arange(n) / RATE
        rings = sum(np.sign(np.sin(2 * np.pi * hz * t)) for hz in r.uniform(2500, 9000, 6))
        noise = noise_burst(r, length * 5, low, 18000)[:n] * r.uniform(0.4, 1) + 0.1 * rings
        return sosfilt(butter(2, low, "high", fs=RATE, output="sos"), noise) * decay(n, seconds)

    hat, open_hat, crash = (metal(s, s) for s in (r.uniform(0.012, 0.05), r.uniform(0.1, 0.3), r.uniform(0.4, 1)))
    tom = sweep(r.uniform(150, 300), r.uniform(70, 140), 0.05, r.uniform(0.1, 0.25))
    return {"kick": kick, "snare": snare, "clap": clap, "hat": hat, "open": open_hat, "crash": crash, "tom": tom}


FAMILY = {
    35: "kick", 36: "kick", 37: "clap", 38: "snare", 39: "clap", 40: "snare", 42: "hat", 44: "hat", 46: "open",
    49: "crash", 51: "open", 55: "crash", 57: "crash",
}  # fmt: skip


def play_machine(r, hits, seconds):
    samples = machine(r)
    sides = {name: np.clip(r.normal(0.5, 0.12), 0.1, 0.9) if name not in ("kick", "snare") else 0.5 for name in samples}
    levels = {name: 10 ** (r.normal(-9 if name in ("hat", "open", "crash") else 0, 3) / 20) for name in samples}
    out = np.zeros((2, int(seconds * RATE)), np.float32)
    for time, key, velocity in hits:
        name = FAMILY.get(key, "tom")
        at = int(time * RATE)
        sample = samples[name][: out.shape[1] - at] * levels[name] * (velocity / 127) ** 1.5
        out[0, at : at + len(sample)] += sample * np.sqrt(2 * (1 - sides[name]))
        out[1, at : at + len(sample)] += sample * np.sqrt(2 * sides[name])
    return out


def drums(r, sg, fonts):
    """Returns the drums of a song: a sound-font kit, a drum machine or both."""
    hits = groove(r, sg)
    if sg["loop"]:
        first = [hit for hit in hits if hit[0] < sg["loop"]]
        times = range(int(sg["seconds"] / sg["loop"]) + 1)
        hits = [(t + i * sg["loop"], key, v) for i in times for t, key, v in first]
        hits = [hit for hit in hits if hit[0] < sg["seconds"] - 0.05]
    kind = r.random()
    if kind < 0.35:
        return play_machine(r, hits, sg["seconds"])
    events = [(t, 1, key, v) for t, key, v in hits] + [(t + 0.08, 0, key, 0) for t, key, v in hits]
    x = fonts.play(int(r.integers(fonts.count)), int(r.choice(KITS)), events, sg["seconds"], True)
    if r.random() < 0.15:
        x = 0.5 * x + 0.5 * np.stack([amp(r, side[None], False)[0] for side in x])
    if kind < 0.45:
        kicks = [hit for hit in groove(r, sg) if hit[1] in (35, 36, 39)]
        y = play_machine(r, kicks, sg["seconds"])
        x = x / (np.abs(x).max() + 1e-6) + r.uniform(0.2, 0.8) * y / (np.abs(y).max() + 1e-6)
    return x.astype(np.float32)
