"""Parts of guitars, pianos and other instruments of General MIDI sound fonts."""

import numpy as np

from compose import notes
from effects import RATE, amp


def guitar_take(r, fonts, prog, font, ev, colour, seconds):
    x = fonts.play(font, prog, ev, seconds)
    if colour == "amp":
        return amp(r, x, r.random() < 0.5)
    if colour == "hard":
        return amp(r, x, True)
    if colour == "tremolo":
        return x * (1 + 0.5 * np.sin(2 * np.pi * r.uniform(3, 7) * np.arange(x.shape[1]) / RATE)).astype(
            np.float32
        )
    return x


def guitar(r, sg, fonts):
    prog = int(r.choice([24, 24, 25, 25, 25, 26, 27, 27, 27, 28, 29, 29, 30, 30]))
    font = int(r.integers(fonts.count))
    if prog in (29, 30):
        style = r.choice(["power", "power", "chord", "melody", "strum", "mute"])
    elif prog == 28:
        style = r.choice(["mute", "strum", "arp", "melody"])
    else:
        style = r.choice(["strum", "strum", "arp", "pick", "pick", "chord", "melody", "melody"])
    lo, hi = (40, 64) if style in ("power", "mute") else (int(r.integers(40, 53)), int(r.integers(64, 88)))
    colour = "clean"
    if prog in (26, 27, 28) and r.random() < 0.45:
        colour = r.choice(["amp", "amp", "hard", "tremolo"])
    elif prog in (29, 30) and r.random() < 0.4:
        colour = "hard"
    ev = notes(r, sg, style, lo, hi)
    x = guitar_take(r, fonts, prog, font, ev, colour, sg["seconds"])
    k = r.random()
    if k < 0.2:  # a second take of the same part, panned to the other side
        late = r.normal(0, 0.012)
        other = [(max(0, t + late + r.normal(0, 0.005)), kind, key, vel) for t, kind, key, vel in ev]
        y = guitar_take(r, fonts, prog, font, other, colour, sg["seconds"])
        return np.stack([x.mean(0), y.mean(0)])
    if k < 0.3 and prog >= 26:
        d = int(r.uniform(0.012, 0.03) * RATE)
        return np.stack([x.mean(0), np.roll(x.mean(0), d)])
    return x


def piano(r, sg, fonts):
    prog = int(r.choice([0, 0, 0, 0, 1, 1, 2, 3, 4, 4, 5, 5, 6, 7]))
    font = int(r.integers(fonts.count))
    style = r.choice(["chord", "chord", "pedal", "pedal", "two", "two", "arp", "melody"])
    lo, hi = (int(r.integers(34, 60)), int(r.integers(72, 100)))
    ev = notes(r, sg, style, lo, hi)
    if r.random() < 0.3:
        ev += notes(r, sg, "melody", 64, 90)
    if r.random() < 0.4:
        ev += notes(r, sg, "arp", 33, 52)
    x = fonts.play(font, prog, ev, sg["seconds"])
    if prog in (4, 5) and r.random() < 0.4:
        x = x * (1 + 0.4 * np.sin(2 * np.pi * r.uniform(3, 7) * np.arange(x.shape[1]) / RATE)).astype(
            np.float32
        )
    return x


REST = (
    list(range(8, 16))
    + list(range(16, 24)) * 2
    + list(range(40, 52)) * 2
    + [48, 49, 50, 51] * 2
    + list(range(52, 55)) * 2
    + list(range(56, 80))
    + list(range(80, 96)) * 2
    + list(range(104, 109))
    + [46, 114]
)


def rest(r, sg, fonts, programs=REST):
    prog = int(r.choice(programs))
    font = int(r.integers(fonts.count))
    style = r.choice(["chord", "melody", "melody", "arp", "chord"])
    return fonts.play(
        font, prog, notes(r, sg, style, int(r.integers(40, 60)), int(r.integers(70, 95))), sg["seconds"]
    )
