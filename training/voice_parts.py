"""Vocals: sung or rhythmically spoken lines of the project's formant synthesis, doubled, in harmony and in choirs."""

import json
import os
import subprocess
import tempfile

import numpy as np
from scipy.signal import butter, sosfilt

from compose import notes
from effects import RATE, amp

ONSETS = [
    "",
    "",
    "l",
    "m",
    "n",
    "s",
    "t",
    "k",
    "d",
    "b",
    "w",
    "r",
    "h",
    "f",
    "S",
    "g",
    "v",
    "D",
    "j",
    "p",
    "st",
    "br",
    "tr",
]
VOWELS = ["i", "I", "E", "A", "a", "o", "U", "u", "V", "R", "aI", "EI", "oU", "aU"]
CODAS = ["", "", "", "n", "m", "t", "s", "z", "d", "l", "k", "N", "nd", "st"]
LEAD = 0.25
KINDS = {"man": (41, 62), "woman": (54, 75), "child": (60, 80)}


def singer_of(r, kind):
    size = {"man": r.uniform(0.9, 1.08), "woman": r.uniform(0.92, 1.06), "child": r.uniform(1.06, 1.22)}[kind]
    plain = r.random() < 0.25
    return {
        "formants": "men" if kind == "man" else "women",
        "size": size,
        "vibratoHz": r.uniform(4.4, 6.6),
        "vibratoCents": r.uniform(0, 12) if plain else r.uniform(10, 70),
        "vibratoAfterSeconds": r.uniform(0.05, 0.6),
        "portamentoSeconds": r.uniform(0.025, 0.13),
        "openQuotient": r.uniform(0.42, 0.8),
        "tiltHz": 10 ** r.uniform(3.1, 3.9),
        "breath": 10 ** r.uniform(-2.5, -0.8),
    }


def syllable(r):
    return str(r.choice(ONSETS)) + str(r.choice(VOWELS)) + str(r.choice(CODAS))


def melody(r, sg, lowest, highest):
    """Returns phrases of random steps in the scale, with a pause after each."""
    classes = (sg["scale"] + sg["key"]) % 12
    usable = [k for k in range(lowest, highest + 1) if k % 12 in classes]
    at, found = float(r.choice([0, 0, 0.5, 1, 2, 4])), []
    index = int(r.integers(len(usable)))
    step = float(r.choice([0.5, 0.5, 1, 1, 2]))
    while at * sg["beat"] < sg["seconds"] - 0.4:
        for _ in range(int(r.integers(3, 12))):
            beats = step * float(r.choice([0.5, 1, 1, 1, 2, 3]))
            index = int(np.clip(index + r.choice([-3, -2, -1, -1, 0, 0, 1, 1, 2, 4]), 0, len(usable) - 1))
            start, length = at * sg["beat"], beats * sg["beat"]
            if length < 0.12:
                length, beats = 0.12, 0.12 / sg["beat"]
            if start + length > sg["seconds"] - 0.3:
                return found
            sung = length * r.uniform(0.8, 1.0)
            found.append({"startSeconds": start, "durationSeconds": sung, "midi": usable[index]})
            at += beats
        at += float(r.choice([0.5, 1, 2, 2, 4]))
    return found


def speech(r, sg, lowest, highest):
    """Returns syllables of about a sixteenth note with the pitch contour of speech."""
    base = r.uniform(lowest + 2, lowest + 12)
    at, found = 0.0, []
    while at * sg["beat"] < sg["seconds"] - 0.5:
        phrase = int(r.integers(6, 17))
        for i in range(phrase):
            beats = float(r.choice([0.25, 0.25, 0.25, 0.5])) if sg["beat"] > 0.4 else float(r.choice([0.5, 0.5, 1]))
            length = beats * sg["beat"]
            if at * sg["beat"] + length > sg["seconds"] - 0.3:
                return found
            pitch = base + 4 * (1 - i / phrase) + r.normal(0, 1.5)
            found.append(
                {"startSeconds": at * sg["beat"], "durationSeconds": max(0.09, length * 0.95), "midi": float(pitch)}
            )
            at += beats
        at += float(r.choice([0.5, 1, 1, 2]))
    return found


class Voices:
    """Singing synthesis in a separate process."""

    def __init__(self, node):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sing-lines.ts")
        self.process = subprocess.Popen([node, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.path = os.path.join(tempfile.mkdtemp(), "line.f32")

    def sing(self, r, line, singer, seconds):
        order = {"notes": line, "singer": singer, "seed": int(r.integers(1, 1 << 30)), "path": self.path}
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        if self.process.stdout.readline() != "sung\n":
            raise RuntimeError("the singers' process ended")
        x = np.fromfile(self.path, np.float32)[int(LEAD * RATE) :]
        out = np.zeros(int(seconds * RATE), np.float32)
        out[: len(x)] = x[: len(out)]
        return out


def even_out(r, x):
    """Compresses audio by reducing part of the excess above a threshold near its mean level."""
    level = np.sqrt(sosfilt(butter(1, r.uniform(4, 12), fs=RATE, output="sos"), (x**2).mean(0)).clip(1e-9))
    threshold = level.mean() * r.uniform(0.5, 1.5) + 1e-6
    return x * np.maximum(1, level / threshold) ** -r.uniform(0.2, 0.8)


def sung(r, sg, fonts, voices):
    """Returns the vocals of a song, (2, samples): a lead with optional backing vocals, or a choir."""
    seconds = sg["seconds"]
    if r.random() < 0.05:
        x = fonts.play(
            int(r.integers(fonts.count)), int(r.choice([52, 52, 53])), notes(r, sg, "chord", 50, 76), seconds
        )
        return x.astype(np.float32)
    kind = str(r.choice(list(KINDS), p=[0.45, 0.42, 0.13]))
    lowest, highest = KINDS[kind]
    low = int(r.integers(lowest, highest - 11))
    spoken = r.random() < 0.12
    line = speech(r, sg, lowest, highest) if spoken else melody(r, sg, low, low + int(r.integers(8, 12)))
    if not line:
        return np.zeros((2, int(seconds * RATE)), np.float32)
    syllables = (
        [syllable(r) for _ in line] if r.random() < 0.9 else [str(r.choice(["la", "u", "a", "na", "o"]))] * len(line)
    )
    line = [{**n, "syllable": w} for n, w in zip(line, syllables, strict=True)]
    singer = singer_of(r, kind)
    lead = voices.sing(r, line, singer, seconds)
    side = 0.5 if r.random() < 0.8 else r.uniform(0.25, 0.75)
    out = np.stack([lead * np.sqrt(2 * (1 - side)), lead * np.sqrt(2 * side)])
    more = r.random()
    others = 0 if more < 0.72 else 1 if more < 0.82 else 2 if more < 0.93 else 4
    for i in range(0 if spoken else others):
        by = int(r.choice([0, 0, 2, 4, -3, 7])) if others > 1 else 0
        classes = sorted((sg["scale"] + sg["key"]) % 12)
        moved = [{**n, "midi": nearest(n["midi"] + by, classes)} for n in line] if by else line
        late = float(abs(r.normal(0, 0.02)))
        moved = [{**n, "startSeconds": n["startSeconds"] + late} for n in moved]
        other = singer if r.random() < 0.4 else singer_of(r, kind)
        x = np.roll(voices.sing(r, moved, other, seconds), int(r.normal(0, 200))) * r.uniform(0.3, 1)
        side = (i + r.random()) / others
        out += np.stack([x * np.sqrt(2 * (1 - side)), x * np.sqrt(2 * side)])
    if r.random() < 0.1:
        out = sosfilt(
            butter(2, [r.uniform(250, 500), r.uniform(2500, 4000)], "band", fs=RATE, output="sos"), out, axis=1
        )
    elif r.random() < 0.1:
        out = amp(r, out, False)
    if r.random() < 0.6:
        out = even_out(r, out)
    return out.astype(np.float32)


def nearest(key, classes):
    """Returns the note of the scale at or below a key."""
    while key % 12 not in classes:
        key -= 1
    return key
