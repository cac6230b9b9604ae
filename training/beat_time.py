"""The time of invented music: beats of a constant, drifting, stepping or partly free tempo."""

import numpy as np

TIMINGS = ("straight", "drift", "steps", "rubato start")


def beat_times(r, timing, bpm, count, per_bar):
    """Returns the times of `count` beats in seconds, from 0, and the constant tempo, or None without one.

    `drift` follows a smooth random tempo, or accelerates or slows throughout; `steps` changes the tempo on downbeats;
    `rubato start` plays one or two bars freely before the constant tempo.
    """
    tempo = np.full(count, float(bpm))
    if timing == "drift":
        tempo = bpm * np.exp(drift(r, count))
    elif timing == "steps":
        for _ in range(int(r.integers(1, 3))):
            bars = max(2, count // per_bar)
            at = per_bar * int(r.integers(bars // 4, max(bars // 4 + 1, 3 * bars // 4)))
            tempo[at:] *= r.choice([0.75, 0.8, 0.86, 0.92, 1.08, 1.15, 1.25, 1.33])
        tempo = np.clip(tempo, 45, 230)
    elif timing == "rubato start":
        free = per_bar * int(r.integers(1, 3))
        tempo[:free] *= np.exp(r.normal(-0.12, 0.16, free))
    times = np.concatenate([[0], np.cumsum(60 / tempo)])[:count]
    near = np.abs(tempo / np.median(tempo) - 1) < 0.03
    return times, float(np.median(tempo)) if near.mean() > 0.85 else None


def drift(r, count):
    """Returns the logarithm of a moving tempo: a mean-reverting random walk, a ramp, or both."""
    memory, size = r.uniform(6, 30), r.uniform(0.006, 0.03)
    keep = np.exp(-1 / memory)
    walk = np.zeros(count)
    for beat in range(1, count):
        walk[beat] = keep * walk[beat - 1] + size * np.sqrt(1 - keep**2) * r.normal()
    kind = r.random()
    if kind < 0.3:
        return walk + np.linspace(0, r.uniform(-0.2, 0.2), count)
    return walk


class Clock:
    """Converts positions in beats, counted from the first beat, to seconds."""

    def __init__(self, times, start, swing, steps):
        self.times = np.asarray(times) + start
        self.swing = swing
        self.steps = steps

    def at(self, position):
        """Returns the seconds of a position; beyond the ends the outer tempi continue."""
        last = len(self.times) - 1
        whole = int(np.clip(np.floor(position), 0, last - 1))
        return float(self.times[whole] + (position - whole) * (self.times[whole + 1] - self.times[whole]))

    def swung(self, beat, step):
        """Returns the seconds of a step of a beat; the off-beats of eighths, or of sixteenths, are delayed."""
        part = step / self.steps
        unit, amount = self.swing
        if amount and unit == 8:
            part = part * (1 + amount) if part <= 0.5 else 1 - (1 - part) * (1 - amount)
        elif amount and unit == 16:
            half, rest = divmod(part, 0.5)
            rest = rest * (1 + amount) if rest <= 0.25 else 0.5 - (0.5 - rest) * (1 - amount)
            part = half * 0.5 + rest
        return self.at(beat + part)
