"""Synthesises songs of random notes with General MIDI sound fonts and separates them with the engine.

    python synthesise_songs.py FIRST_SEED COUNT OUT_FOLDER FONT.sf2 [FONT.sf3 ...]

Each song is mixed, and `separate-other.ts` in this folder returns its `other` stem as the separator would.
Writes OUT_FOLDER/<seed>.npz, for each frame of 4096 samples, each of 96 bands and each of 16 pan positions:
`o`, the decimal logarithm of the energy of `other`, and `q`, the optimal gains of guitar and piano on it, 0 to
255; for each band `m`, the logarithm of the energy of the mixture, and `e`, the logarithm of the energy of each
part at a common level; `k`, the kind of each part: 0 guitar, 1 piano, 2 another instrument of `other`, 3 a
voice, a bass or drums; and `present`, whether there are a guitar and a piano. The same seed and fonts give the
same song.
"""

import os
import subprocess
import sys
import tempfile

os.environ["OMP_NUM_THREADS"] = "1"
import numpy as np

from compose import notes, song
from effects import RATE, norm, pan, room, shelf
from instruments import guitar, piano, rest
from sound_fonts import SoundFonts
from spectra import N, edges, stft

SECONDS = 10.0
seed0, count, out = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
fonts = SoundFonts(sys.argv[4:])
os.makedirs(out, exist_ok=True)

E = edges()
band_of = np.full(N // 2 + 1, 96)
for band in range(96):
    band_of[E[band] : E[band + 1]] = band
POSITIONS = 15


def position(X):
    """Returns the pan position of each bin, 0 to 14, or 15 if both channels are loud and not in phase."""
    l, r = np.abs(X)
    phase = (X[0] * X[1].conj()).real / (l * r + 1e-9)
    at = np.minimum((np.arctan2(r, l) / (np.pi / 2) * POSITIONS).astype(int), POSITIONS - 1)
    return np.where((phase > 0.85) | ((at % (POSITIONS - 1) == 0) & (l + r > 0)), at, POSITIONS)


def in_cells(at, values):
    """Sums values for each frame, band and pan position."""
    frames = len(at)
    cell = ((np.arange(frames)[:, None] * 97 + band_of) * 16 + at).ravel()
    return np.bincount(cell, values.ravel(), frames * 97 * 16).reshape(frames, 97, 16)[:, :96]


def voiceish(r, sg, fonts):
    font, program = int(r.integers(fonts.count)), int(r.choice([52, 53, 54, 85, 73, 66]))
    return fonts.play(font, program, notes(r, sg, "melody", 52, 78), sg["seconds"])


def bass(r, sg, fonts):
    font, program = int(r.integers(fonts.count)), int(r.choice(range(32, 40)))
    return fonts.play(font, program, notes(r, sg, "melody", 28, 48), sg["seconds"])


def drums(r, sg, fonts):
    ev = []
    b = sg["beat"]
    t = 0.0
    j = 0
    while t < SECONDS - 0.1:
        hits = []
        if j % 2 == 0:
            hits.append(int(r.choice([42, 42, 46, 51])))
        if j % 8 == 0 or r.random() < 0.1:
            hits.append(36)
        if j % 8 == 4 or r.random() < 0.05:
            hits.append(int(r.choice([38, 40, 39])))
        if r.random() < 0.02:
            hits.append(49)
        for h in hits:
            ev += [(t, 1, h, int(r.uniform(50, 120))), (t + 0.09, 0, h, 0)]
        t += b / 2
        j += 1
    font, kit = int(r.integers(fonts.count)), int(r.choice([0, 8, 16, 24, 25, 32]))
    x = fonts.play(font, kit, ev, sg["seconds"], True)
    return x.astype(np.float32)


engine = subprocess.Popen(
    ["node", os.path.join(os.path.dirname(os.path.abspath(__file__)), "separate-other.ts")],
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    text=True,
)
scratch = tempfile.mkdtemp()
KINDS = {"guitar": 0, "piano": 1, "rest": 2, "voice": 3, "bass": 3, "drums": 3}


def in_bands(x):
    """Returns the mean energy of the bins of each band, for a part normalised in level."""
    power = (np.abs(stft(norm(np.random.default_rng(0), x, 0))) ** 2).sum(0)
    sums = np.concatenate([np.zeros((len(power), 1)), np.cumsum(power, 1)], 1)
    return (sums[:, E[1:]] - sums[:, E[:-1]]) / np.diff(E)


def divide(mix):
    """Returns the `other` stem of a mixture, separated by the engine."""
    path = os.path.join(scratch, "audio.f32")
    mix.astype(np.float32).tofile(path)
    engine.stdin.write(path + "\n")
    engine.stdin.flush()
    engine.stdout.readline()
    return np.fromfile(path, np.float32).reshape(2, -1)


# Each part has its kind, its generator, the number of instances and the mean level in dB.
def parts_of(r, sg):
    g = int(r.choice([0, 1, 2], p=[0.3, 0.45, 0.25]))
    p = int(r.choice([0, 1, 2], p=[0.3, 0.6, 0.1]))
    rest_count = int(r.choice([0, 1, 2, 3], p=[0.15, 0.35, 0.3, 0.2]))
    if g + p + rest_count == 0:
        rest_count = 1
    return [
        *[("guitar", guitar, 0)] * g,
        *[("piano", piano, 0)] * p,
        *[("rest", rest, -1)] * rest_count,
        *[("voice", voiceish, 3)] * (r.random() < 0.6),
        *[("bass", bass, 3)] * (r.random() < 0.9),
        *[("drums", drums, 4)] * (r.random() < 0.9),
    ]


for n in range(count):
    path = f"{out}/{seed0 + n}.npz"
    if os.path.exists(path):
        continue
    r = np.random.default_rng(seed0 + n)
    sg = song(r, SECONDS)
    total = int(SECONDS * RATE)
    parts = []
    sums = {kind: np.zeros((2, total), np.float32) for kind in ("guitar", "piano", "all")}
    for kind, make, level in parts_of(r, sg):
        try:
            x = make(r, sg, fonts)
        except ValueError as error:
            print("skip", make.__name__, error)
            continue
        if np.sqrt((x**2).mean()) < 1e-5:
            continue
        x = shelf(r, x)
        if kind in ("guitar", "piano", "rest"):
            x = pan(r, x)
        elif kind != "drums":
            x = np.stack([x.mean(0)] * 2)
        if r.random() < 0.7:
            x = room(r, x)
        parts.append((KINDS[kind], np.log10(in_bands(x) + 1e-9)))
        x = norm(r, x, r.normal(level, 4))
        sums["all"] += x
        if kind in sums:
            sums[kind] += x
    O = stft(divide(sums["all"]))
    at = position(O)
    o = in_cells(at, (np.abs(O) ** 2).sum(0))
    q = []
    for kind in ("guitar", "piano"):
        cross = in_cells(at, (stft(sums[kind]) * O.conj()).real.sum(0))
        q.append(np.clip(cross / (o + 1e-9), 0, 1))
    np.savez(
        path,
        k=np.array([kind for kind, _ in parts]),
        e=np.stack([energy for _, energy in parts]).astype(np.float16),
        o=np.log10(o + 1e-9).astype(np.float16),
        q=np.round(255 * np.stack(q)).astype(np.uint8),
        m=np.log10(in_cells(at, (np.abs(stft(sums["all"])) ** 2).sum(0)).sum(-1) + 1e-9).astype(np.float16),
        present=np.array([(sums[kind] ** 2).mean() > 1e-8 for kind in ("guitar", "piano")]),
    )
    if n % 20 == 0:
        print(n, flush=True)
