"""Random music: songs with chords and a metre, and the notes of their parts."""

import numpy as np

PROGRESSIONS = (
    (0, 5, 3, 4), (0, 4, 5, 3), (0, 3, 4, 3), (0, 3, 0, 4), (5, 3, 0, 4), (1, 4, 0, 0), (0, 2, 3, 4), (0, 6, 3, 0),
    (0, 6, 5, 4), (0, 5, 1, 4), (3, 4, 0, 5), (0, 0, 3, 0), (0, 0, 0, 0),
)  # fmt: skip


def song(r, seconds):
    """Returns a song of the given length in seconds: tempo, key, chords and metre."""
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
    return {
        "seconds": seconds,
        "beat": beat,
        "key": int(key),
        "scale": scale,
        "chords": chords,
        "bar": barbeats,
        "swing": r.uniform(0, 0.3) if r.random() < 0.3 else 0,
    }


def voicing(r, chord, key, lo, hi, n):
    tones = [t for o in range(11) for t in [12 * o + key + c for c in chord] if lo <= t <= hi]
    tones = sorted(set(tones))
    if len(tones) <= n:
        return tones
    if r.random() < 0.6:
        st = r.integers(0, len(tones) - n + 1)
        return tones[st : st + n]
    return sorted(r.choice(tones, n, replace=False))


def rhythm(r, sg):
    """Returns the onsets, in beats of a bar, and the durations of a rhythm."""
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
            {float(x) for x in r.choice(np.arange(0, b, 0.5), size=r.integers(2, 2 * b), replace=False)}
        )
    return st


PICKED = (0, 2, 3, 1, 4, 2, 3, 1)


def notes(r, sg, style, lo, hi):
    """Returns the events (time, 1 on or 0 off, key, velocity) of a part in a playing style, between two keys."""
    ev = []
    beat = sg["beat"]
    bars = int(sg["seconds"] / (beat * sg["bar"])) + 1
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
            t = max(t, 0)
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
            elif style == "pick":  # notes of one held chord, picked and left to ring
                ks = [(v[PICKED[j % 8] % len(v)], 0)] + ([(v[0], 0)] if j == 0 else [])
                d = max(d, (sg["bar"] - s) * beat * r.uniform(0.6, 1.0))
            elif style == "mute":
                ks = [(k, i * 0.003) for i, k in enumerate(v[:2])]
                d = r.uniform(0.05, 0.11)
            elif style == "pedal":  # bass and chord, held by the pedal to the end of the bar
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
                if t + late < sg["seconds"] - 0.05:
                    ev.append((t + late, 1, k, vel))
                    ev.append((min(t + late + d, sg["seconds"] - 0.001), 0, k, 0))
    return ev


def looped(events, seconds, every):
    """Returns the notes that start in the first `every` seconds, repeated to the end."""
    begun, kept = {}, []
    for time, kind, key, velocity in sorted(events):
        if kind == 1 and time < every:
            begun[key] = (time, velocity)
        elif kind == 0 and key in begun:
            kept.append((*begun.pop(key), key, time))
    again = []
    for start, velocity, key, end in kept:
        for i in range(int(np.ceil((seconds - start) / every))):
            by = i * every
            again += [(start + by, 1, key, velocity), (min(end + by, seconds - 0.001), 0, key, 0)]
    return again
