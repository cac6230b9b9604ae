"""Songs of random notes, played by the instruments of General MIDI sound fonts and divided by the engine itself.

    python synthesise_songs.py FIRST_SEED COUNT OUT_FOLDER FONT.sf2 [FONT.sf3 ...]

Each song is mixed, and `divide-sounds.ts` beside this file leaves its `other` as the separator would. Writes
OUT_FOLDER/<seed>.npz, for each frame of 4096 samples, each of 96 bands and each of 16 positions in the panorama:
`o`, the decimal logarithm of the energy of `other`, and `q`, the best gains of guitar and piano on it, 0 to 255; for
each band `m`, the logarithm of the energy of the mixture, and `e`, the logarithm of the energy of each part at a common
level; `k`, what each part is: 0 guitar, 1 piano, 2 another instrument of `other`, 3 a voice, a bass or drums; and
`present`, whether there are a guitar and a piano. The same seed and fonts give the same song.
"""

import os
import subprocess
import sys
import tempfile

os.environ["OMP_NUM_THREADS"] = "1"
import numpy as np
import tinysoundfont as tsf
from scipy.signal import butter, fftconvolve, sosfilt

seed0, count, out, FONTS = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:]
os.makedirs(out, exist_ok=True)
RATE = 44100
N = 4096
HOP = 1024
SECONDS = 10.0
win = np.sqrt(0.5 - 0.5 * np.cos(2 * np.pi * np.arange(N) / N)).astype(np.float32)


def edges(first=5, last=1500, bands=96):
    e = [int(np.floor(first * (last / first) ** (i / bands) + 0.5)) for i in range(bands + 1)]
    for i in range(1, bands + 1):
        e[i] = max(e[i], e[i - 1] + 1)
    return np.array(e)


E = edges()
band_of = np.full(N // 2 + 1, 96)
for band in range(96):
    band_of[E[band] : E[band + 1]] = band
POSITIONS = 15


def stft(x):
    x = np.pad(x, ((0, 0), (N - HOP, N)))
    frames = (x.shape[1] - N) // HOP
    idx = np.arange(N)[None] + HOP * np.arange(frames)[:, None]
    return np.stack([np.fft.rfft(c[idx] * win, axis=1) for c in x]).astype(np.complex64)


def position(X):
    """The position of each bin in the panorama, 0 to 14, or 15 where its sides are loud and not in phase."""
    l, r = np.abs(X)
    phase = (X[0] * X[1].conj()).real / (l * r + 1e-9)
    at = np.minimum((np.arctan2(r, l) / (np.pi / 2) * POSITIONS).astype(int), POSITIONS - 1)
    return np.where((phase > 0.85) | ((at % (POSITIONS - 1) == 0) & (l + r > 0)), at, POSITIONS)


def in_cells(at, values):
    """Sums of what is at each frame, band and position."""
    frames = len(at)
    cell = ((np.arange(frames)[:, None] * 97 + band_of) * 16 + at).ravel()
    return np.bincount(cell, values.ravel(), frames * 97 * 16).reshape(frames, 97, 16)[:, :96]


synths = []
for f in FONTS:
    s = tsf.Synth(samplerate=RATE, gain=-6)
    i = s.sfload(f)
    synths.append((s, i))


def play(font, program, events, drum=False):
    s, i = synths[font]
    s.sounds_off()
    s.program_select(9 if drum else 0, i, 128 if drum else 0, program, drum)
    ch = 9 if drum else 0
    total = int(SECONDS * RATE)
    ev = sorted(events)
    out = np.zeros(2 * total, np.float32)
    at = 0
    for t, kind, key, vel in ev + [(SECONDS, 2, 0, 0)]:
        to = min(total, int(t * RATE))
        if to > at:
            out[2 * at : 2 * to] = np.frombuffer(s.generate(to - at), dtype=np.float32)
            at = to
        if kind == 1:
            s.noteon(ch, int(key), int(vel))
        elif kind == 0:
            s.noteoff(ch, int(key))
    s.sounds_off()
    return out.reshape(-1, 2).T.copy()


PROGRESSIONS = (
    (0, 5, 3, 4), (0, 4, 5, 3), (0, 3, 4, 3), (0, 3, 0, 4), (5, 3, 0, 4), (1, 4, 0, 0), (0, 2, 3, 4), (0, 6, 3, 0),
    (0, 6, 5, 4), (0, 5, 1, 4), (3, 4, 0, 5), (0, 0, 3, 0), (0, 0, 0, 0),
)  # fmt: skip


def song(r):
    tempo = r.uniform(66, 168)
    beat = 60 / tempo
    key = r.integers(12)
    minor = r.random() < 0.45
    scale = np.array([0, 2, 3, 5, 7, 8, 10] if minor else [0, 2, 4, 5, 7, 9, 11])
    deg = (
        [int(r.integers(7)) for _ in range(4)]
        if r.random() < 0.3
        else list(PROGRESSIONS[r.integers(len(PROGRESSIONS))])
    )
    chords = [
        [
            int(scale[(d + k) % 7]) + 12 * ((d + k) // 7)
            for k in (0, 2, 4) + ((6,) if r.random() < 0.35 else ())
        ]
        for d in deg
    ]
    barbeats = 3 if r.random() < 0.12 else 4
    return dict(
        beat=beat,
        key=int(key),
        scale=scale,
        chords=chords,
        bar=barbeats,
        swing=r.uniform(0, 0.3) if r.random() < 0.3 else 0,
    )


def voicing(r, chord, key, lo, hi, n):
    tones = [t for o in range(0, 11) for t in [12 * o + key + c for c in chord] if lo <= t <= hi]
    tones = sorted(set(tones))
    if len(tones) <= n:
        return tones
    if r.random() < 0.6:
        st = r.integers(0, len(tones) - n + 1)
        return tones[st : st + n]
    return sorted(r.choice(tones, n, replace=False))


def rhythm(r, sg):
    """starts in beats of a bar and lengths"""
    b = sg["bar"]
    k = r.integers(7)
    if k == 0:
        st = [0]
    elif k == 1:
        st = list(range(b))
    elif k == 2:
        st = [i / 2 for i in range(2 * b)]
    elif k == 3:
        st = [i / 4 for i in range(4 * b)] if sg["beat"] > 0.45 else [i / 2 for i in range(2 * b)]
    elif k == 4:
        st = [0, b / 2]
    elif k == 5:
        st = [i + 0.5 for i in range(b)]
    else:
        st = sorted(
            set(float(x) for x in r.choice(np.arange(0, b, 0.5), size=r.integers(2, 2 * b), replace=False))
        )
    return st


PICKED = (0, 2, 3, 1, 4, 2, 3, 1)


def notes(r, sg, style, lo, hi):
    ev = []
    beat = sg["beat"]
    bars = int(SECONDS / (beat * sg["bar"])) + 1
    st = rhythm(r, sg)
    n = int(r.integers(2, 7))
    legato = r.choice([0.3, 0.6, 0.95, 1.0])
    base = r.uniform(45, 115)
    mel = int(r.integers(lo + (hi - lo) // 3, hi))
    perbar = max(1, int(r.choice([1, 1, 1, 2])))
    rest = r.random() < 0.3
    pause = r.integers(0, 4)
    strum = r.uniform(0.004, 0.03)
    alter = r.random() < 0.5
    for bar in range(bars):
        if rest and (bar // 2) % 2 == pause % 2:
            continue
        ch = sg["chords"][(bar // perbar) % 4]
        v = voicing(
            np.random.default_rng(r.integers(1 << 30))
            if r.random() < 0.3
            else np.random.default_rng(7 + len(ch)),
            ch,
            sg["key"],
            lo,
            hi,
            n,
        ) or [lo]
        sts = st if r.random() < 0.85 else rhythm(r, sg)
        for j, s in enumerate(sts):
            nxt = sts[j + 1] if j + 1 < len(sts) else sg["bar"]
            t = (bar * sg["bar"] + s) * beat + r.normal(0, 0.006)
            d = max(0.06, (nxt - s) * beat * legato)
            if t < 0:
                t = 0
            vel = np.clip(base + r.normal(0, 9) + (8 if s == int(s) else 0), 15, 127)
            if style == "chord":
                ks = [(k, r.uniform(0, 0.012)) for k in v]
            elif style == "strum":
                vv = v if not (alter and j % 2) else v[::-1]
                ks = [(k, i * strum) for i, k in enumerate(vv)]
            elif style == "arp":
                ks = [(v[(j if not alter else int(r.integers(len(v)))) % len(v)], 0)]
                d = max(d, beat * legato * 2)
            elif style == "power":
                root = v[0]
                root = lo + ((root - lo) % 12)
                ks = [(root, 0), (root + 7, 0.004)] + ([(root + 12, 0.008)] if n > 3 else [])
            elif style == "pick":  # fingers on the strings of one held chord, left to ring
                ks = [(v[PICKED[j % 8] % len(v)], 0)] + ([(v[0], 0)] if j == 0 else [])
                d = max(d, (sg["bar"] - s) * beat * r.uniform(0.6, 1.0))
            elif style == "mute":
                ks = [(k, i * 0.003) for i, k in enumerate(v[:2])]
                d = r.uniform(0.05, 0.11)
            elif style == "pedal":  # both hands, held by the pedal to the end of the bar
                ks = [(k, r.uniform(0, 0.015)) for k in v[1:]]
                if j == 0:
                    low = v[0] - 12 if v[0] - 12 >= 28 else v[0]
                    ks += [(low, 0), (low + 12, r.uniform(0, 0.01))]
                d = max(0.1, (sg["bar"] - s) * beat)
            elif style == "two":
                ks = (
                    [(k, r.uniform(0, 0.01)) for k in v[1:]]
                    if j % 2
                    else [(v[0] - 12 if v[0] - 12 >= lo else v[0], 0)]
                )
                if j == 0:
                    ks = [(k, r.uniform(0, 0.01)) for k in v]
            else:
                mel += int(r.choice([-4, -2, -2, -1, 0, 1, 2, 2, 3, 5]))
                mel = int(np.clip(mel, lo, hi))
                pcs = (sg["scale"] + sg["key"]) % 12
                while mel % 12 not in pcs:
                    mel -= 1
                if r.random() < 0.15:
                    continue
                ks = [(mel, 0)]
            for k, late in ks:
                if t + late < SECONDS - 0.05:
                    ev.append((t + late, 1, k, vel))
                    ev.append((min(t + late + d, SECONDS - 0.001), 0, k, 0))
    return ev


def shelf(r, x):
    """Random tone control: sum of tilted bands in the frequency domain."""
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


def guitar_take(r, prog, font, ev, colour):
    x = play(font, prog, ev)
    if colour == "amp":
        return amp(r, x, r.random() < 0.5)
    if colour == "hard":
        return amp(r, x, True)
    if colour == "tremolo":
        return x * (1 + 0.5 * np.sin(2 * np.pi * r.uniform(3, 7) * np.arange(x.shape[1]) / RATE)).astype(
            np.float32
        )
    return x


def guitar(r, sg):
    prog = int(r.choice([24, 24, 25, 25, 25, 26, 27, 27, 27, 28, 29, 29, 30, 30]))
    font = int(r.integers(len(FONTS)))
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
    x = guitar_take(r, prog, font, ev, colour)
    k = r.random()
    if k < 0.2:  # a second take of the same, on the other side
        late = r.normal(0, 0.012)
        other = [(max(0, t + late + r.normal(0, 0.005)), kind, key, vel) for t, kind, key, vel in ev]
        y = guitar_take(r, prog, font, other, colour)
        return np.stack([x.mean(0), y.mean(0)])
    if k < 0.3 and prog >= 26:
        d = int(r.uniform(0.012, 0.03) * RATE)
        return np.stack([x.mean(0), np.roll(x.mean(0), d)])
    return x


def piano(r, sg):
    prog = int(r.choice([0, 0, 0, 0, 1, 1, 2, 3, 4, 4, 5, 5, 6, 7]))
    font = int(r.integers(len(FONTS)))
    style = r.choice(["chord", "chord", "pedal", "pedal", "two", "two", "arp", "melody"])
    lo, hi = (int(r.integers(34, 60)), int(r.integers(72, 100)))
    ev = notes(r, sg, style, lo, hi)
    if r.random() < 0.3:
        ev += notes(r, sg, "melody", 64, 90)
    if r.random() < 0.4:
        ev += notes(r, sg, "arp", 33, 52)
    x = play(font, prog, ev)
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


def rest(r, sg):
    prog = int(r.choice(REST))
    font = int(r.integers(len(FONTS)))
    style = r.choice(["chord", "melody", "melody", "arp", "chord"])
    return play(font, prog, notes(r, sg, style, int(r.integers(40, 60)), int(r.integers(70, 95))))


def voiceish(r, sg):
    return play(
        int(r.integers(len(FONTS))), int(r.choice([52, 53, 54, 85, 73, 66])), notes(r, sg, "melody", 52, 78)
    )


def bass(r, sg):
    return play(int(r.integers(len(FONTS))), int(r.choice(range(32, 40))), notes(r, sg, "melody", 28, 48))


def drums(r, sg):
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
    x = play(int(r.integers(len(FONTS))), int(r.choice([0, 8, 16, 24, 25, 32])), ev, True)
    return x.astype(np.float32)


engine = subprocess.Popen(
    ["node", os.path.join(os.path.dirname(os.path.abspath(__file__)), "divide-sounds.ts")],
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    text=True,
)
scratch = tempfile.mkdtemp()
KINDS = {"guitar": 0, "piano": 1, "rest": 2, "voice": 3, "bass": 3, "drums": 3}


def in_bands(x):
    """Mean energy of the bins of each band, of a part at its own level."""
    power = (np.abs(stft(norm(np.random.default_rng(0), x, 0))) ** 2).sum(0)
    sums = np.concatenate([np.zeros((len(power), 1)), np.cumsum(power, 1)], 1)
    return (sums[:, E[1:]] - sums[:, E[:-1]]) / np.diff(E)


def divide(mix):
    """What the engine leaves as `other`."""
    path = os.path.join(scratch, "sound.f32")
    mix.astype(np.float32).tofile(path)
    engine.stdin.write(path + "\n")
    engine.stdin.flush()
    engine.stdout.readline()
    return np.fromfile(path, np.float32).reshape(2, -1)


# kind of part, its maker, how many, mean level in dB
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
    sg = song(r)
    total = int(SECONDS * RATE)
    parts = []
    sums = {kind: np.zeros((2, total), np.float32) for kind in ("guitar", "piano", "all")}
    for kind, make, level in parts_of(r, sg):
        try:
            x = make(r, sg)
        except Exception as e:
            print("skip", make.__name__, e)
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
