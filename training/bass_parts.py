"""Bass lines, played by the basses of sound fonts and by the synthesiser."""

import numpy as np

from effects import RATE, amp
from synthesiser import patch, play_patch

RHYTHMS = (
    (0,), (0, 2), (0, 1, 2, 3), tuple(i / 2 for i in range(8)), (0, 1.5, 2, 3.5), (0, 0.75, 1.5, 2.5), (0, 1.5, 3),
    tuple(i / 4 for i in range(16)), (0.5, 1.5, 2.5, 3.5), (0, 0.5, 1.75, 2.5, 3.25),
)  # fmt: skip


def line(r, sg):
    """Returns the events of a bass line: roots, fifths, octaves or walking bass, sometimes with rests."""
    starts = [s for s in RHYTHMS[r.integers(len(RHYTHMS))] if s < sg["bar"]]
    manner = r.choice(["root", "root", "octaves", "fifths", "walk", "free"])
    lowest = int(r.integers(26, 36))
    held = r.choice([0.4, 0.7, 0.95, 1.0])
    bars = int(sg["seconds"] / (sg["beat"] * sg["bar"])) + 1
    velocity = r.uniform(70, 115)
    events, degree = [], 0
    resting = r.integers(bars) if r.random() < 0.35 else bars
    for bar in range(bars):
        if resting <= bar < resting + 2:
            continue
        chord = sg["chords"][bar % 4]
        root = lowest + (sg["key"] + chord[0] - lowest) % 12
        for j, start in enumerate(starts):
            if r.random() < 0.06:
                continue
            key = root
            if manner == "octaves":
                key += 12 * (j % 2)
            elif manner == "fifths":
                key += (0, 7, 12, 7)[j % 4]
            elif manner == "walk":
                degree = int(np.clip(degree + r.integers(-2, 3), 0, 9)) if j else 0
                key += int(sg["scale"][degree % 7]) + 12 * (degree // 7)
            elif manner == "free" and j:
                key += int(r.choice([0, 0, 7, 12, chord[1] - chord[0], 10]))
            following = starts[j + 1] if j + 1 < len(starts) else sg["bar"]
            time = max(0, (bar * sg["bar"] + start) * sg["beat"] + r.normal(0, 0.005))
            length = max(0.06, (following - start) * sg["beat"] * held)
            if time < sg["seconds"] - 0.1:
                events.append((time, 1, key, float(np.clip(velocity + r.normal(0, 8), 20, 127))))
                events.append((min(time + length, sg["seconds"] - 0.01), 0, key, 0))
    return events


def bass(r, sg, fonts):
    events = line(r, sg)
    if r.random() < 0.35:
        p = patch(r)
        p["cutoff"] = 10 ** r.uniform(2.1, 3.3)
        p["attack"] = 10 ** r.uniform(-3, -1.6)
        p["wide"] = p["wide"] and r.random() < 0.3
        return play_patch(r, p, events, sg["seconds"], sg["loop"])
    program = int(r.choice([32, 33, 33, 33, 34, 34, 35, 36, 37, 38, 39, 43]))
    x = fonts.play(int(r.integers(fonts.count)), program, events, sg["seconds"])
    if r.random() < 0.25:
        x = 0.6 * x + 0.4 * amp(r, x, r.random() < 0.4)
    if r.random() < 0.8:
        x = np.stack([x.mean(0)] * 2)
    return x[:, : int(sg["seconds"] * RATE)]
