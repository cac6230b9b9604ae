"""The notes and drum hits of invented songs, from the patterns of their scenes."""

import numpy as np

from beat_plan import DRUM_KEYS, SCALES, label_of

LOUDNESS = {"X": 112, "x": 90, "o": 46}
TOMS = (50, 48, 47, 45, 43, 41)
LEAD_STEPS = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5)


class Score:
    """Collects the events (time, 1 on or 0 off, key, velocity) of the layers of a song, and its chords."""

    def __init__(self, r, plan, clock, ends):
        self.r, self.plan, self.clock, self.ends = r, plan, clock, ends
        self.hits, self.chords = [], []
        self.events = {"bass": [], "chords": [], "second": [], "lead": []}
        self.loose = {name: 0.0012 if plan["tight"] else r.uniform(0.003, 0.011) for name in (*self.events, "drums")}
        self.late = {name: 0.0 if plan["tight"] else r.normal(0.003, 0.006) for name in (*self.events, "drums")}

    def time(self, layer, beat, step=0):
        """Returns the seconds at which a layer plays a step of a beat, with its inaccuracy."""
        exact = self.clock.swung(beat, step)
        return max(0.0, exact + self.late[layer] + self.r.normal(0, self.loose[layer]))

    def hit(self, beat, step, key, loudness):
        at = self.time("drums", beat, step)
        if at < self.ends - 0.05:
            self.hits.append((at, key, float(np.clip(loudness + self.r.normal(0, 7), 15, 127))))

    def note(self, layer, start, end, key, loudness):
        end = min(max(end, start + 0.05), self.ends - 0.02)
        if start < end and 20 <= key <= 108:
            velocity = float(np.clip(loudness + self.r.normal(0, 7), 15, 127))
            self.events[layer] += [(start, 1, int(key), velocity), (end, 0, int(key), 0)]


def play_drums(score, scene, kit, beat, bar, state):
    """Plays one bar of drums from a beat on; `state` says whether it is a break or ends with a fill."""
    genre, r = score.plan["genre"], score.r
    total = genre.beats * genre.steps
    fill_from = total - genre.steps * int(r.integers(1, 3)) if state == "fill" else total
    for name, bars in scene["drums"].items():
        if not bars or (state == "break" and name != kit["breaks"]):
            continue
        for at, symbol in enumerate(bars[bar % len(bars)][:fill_from]):
            if symbol != ".":
                whole, step = divmod(at, genre.steps)
                score.hit(beat + whole, step, kit[name], LOUDNESS[symbol] * scene["level"])
    for at in range(fill_from, total):
        whole, step = divmod(at, genre.steps)
        if r.random() < 0.75:
            key = TOMS[min(5, (at - fill_from) * 6 // max(1, total - fill_from))] if r.random() < 0.6 else kit["snare"]
            score.hit(beat + whole, step, key, 96)
    if state == "crash":
        score.hit(beat, 0, int(r.choice([49, 57, 55])), 105)


def chord_at(scene, bar_in_scene, beat_in_bar, beats):
    """Returns the chord of a position of a scene."""
    position = (bar_in_scene + beat_in_bar / beats) / scene["per_chord"]
    return scene["progression"][int(np.floor(position + 1e-6)) % len(scene["progression"])]


def voiced(chord, tonic, low, count):
    """Returns the keys of a chord in close position from a lowest key on."""
    keys = sorted({low + (tonic + tone - low) % 12 + 12 * octave for tone in chord for octave in (0, 1, 2)})
    return keys[:count]


def play_chords(score, scene, layer, voice, beat, bar, pattern, bar_in_scene, last_bar):
    """Plays one bar of chords; with `push`, a chord that changes is played ahead of its beat."""
    plan, r = score.plan, score.r
    genre, push = plan["genre"], plan["push"]
    steps = [at for at, symbol in enumerate(pattern) if symbol != "."]
    for index, at in enumerate(steps):
        whole, step = divmod(at, genre.steps)
        inside = whole + step / genre.steps
        chord = chord_at(scene, bar_in_scene, inside, genre.beats)
        changes = at == 0 and bar_in_scene > 0
        ahead = push if changes and push and r.random() < 0.8 else 0
        if push and not last_bar and chord_at(scene, bar_in_scene, inside + push, genre.beats) != chord:
            continue  # The pushed chord of the next beat has taken this step.
        start = score.time(layer, beat + whole, step) if not ahead else max(0, score.clock.at(beat - ahead) + r.normal(0, 0.004))
        following = steps[index + 1] / genre.steps if index + 1 < len(steps) else genre.beats
        length = (score.clock.at(beat + following) - score.clock.at(beat + inside)) * voice["held"]
        loudness = LOUDNESS[pattern[at]] * voice["loud"] * scene["level"]
        keys = voiced(chord, plan["tonic"], voice["low"], voice["count"])
        play_chord(score, layer, scene["manner"] if layer == "chords" else voice["manner"], start, length, keys, loudness, index)


def play_chord(score, layer, manner, start, length, keys, loudness, index):
    r = score.r
    if manner in ("skank", "stab"):
        length = min(length, r.uniform(0.07, 0.16))
    if manner == "power":
        root = keys[0]
        keys, length = [root, root + 7, root + 12], max(length * 0.8, 0.06)
    if manner in ("arp", "pick"):
        picked = [keys[(index * 2) % len(keys) if index % 3 else index % len(keys)]]
        keys = picked + ([keys[0]] if manner == "pick" and index == 0 else [])
        length *= 1.8
    gap = r.uniform(0.006, 0.018) if manner == "strum" else 0.0
    order = keys[::-1] if manner == "strum" and index % 2 else keys
    for number, key in enumerate(order):
        score.note(layer, start + number * gap + (0 if gap else r.uniform(0, 0.006)), start + length, key, loudness)


def play_bass(score, scene, beat, pattern, bar_in_scene, low):
    plan, r = score.plan, score.r
    genre, push = plan["genre"], plan["push"]
    steps = [at for at, symbol in enumerate(pattern) if symbol != "."]
    for index, at in enumerate(steps):
        whole, step = divmod(at, genre.steps)
        inside = whole + step / genre.steps
        chord = chord_at(scene, bar_in_scene, inside, genre.beats)
        root = low + (plan["tonic"] + chord[0] - low) % 12
        manner = scene["bass_manner"]
        key = root
        if manner == "fifth" and index % 2:
            key += 7
        elif manner == "octave" and index % 2:
            key += 12
        elif manner == "walk" and index:
            key += int(r.choice([2, 4, 5, 7, 9, 10, 12]))
        ahead = push if push and at == 0 and bar_in_scene > 0 and r.random() < 0.5 else 0
        start = score.clock.at(beat - ahead) if ahead else score.time("bass", beat + whole, step)
        following = steps[index + 1] / genre.steps if index + 1 < len(steps) else genre.beats
        length = (score.clock.at(beat + following) - score.clock.at(beat + inside)) * 0.9
        score.note("bass", start, start + length, key, LOUDNESS[pattern[at]] * scene["level"])


def melody(r, plan, bars):
    """Returns a melody of some bars: (position in beats, length in beats, degree of the scale)."""
    genre, notes, degree = plan["genre"], [], int(r.integers(0, 8))
    dense, off = r.uniform(0.25, 0.7), r.uniform(0.3, 1)
    grain = 1 / genre.steps if genre.steps == 3 else float(r.choice([0.5, 0.5, 0.25]))
    slots = np.arange(0, bars * genre.beats, grain)
    starts = [float(s) for s in slots if r.random() < dense * grain * 2 * (1 if s == int(s) else off)]
    if not starts:
        return []
    for start, following in zip(starts, [*starts[1:], float(bars * genre.beats)], strict=True):
        degree = int(np.clip(degree + r.choice([-3, -2, -1, -1, 0, 0, 1, 1, 2, 4]), -3, 10))
        notes.append((start, min(following - start, 4) * r.uniform(0.6, 1), degree))
    return notes


def play_lead(score, tune, beat, low):
    """Plays a melody from a beat on; singers and players of a melody are the least exact."""
    plan, r = score.plan, score.r
    scale = SCALES[plan["mode"]]
    for start, length, degree in tune:
        octave, step = divmod(degree, 7)
        key = low + (plan["tonic"] - low) % 12 + scale[step] + 12 * octave
        whole, part = divmod(beat + start, 1)
        at = max(0, score.clock.swung(whole, part * score.clock.steps) + score.late["lead"] + r.normal(0, 1.5 * score.loose["lead"]))
        score.note("lead", at, at + score.clock.at(beat + start + length) - score.clock.at(beat + start), key, 92)


def bar_state(r, plan, bar, bars, breaks):
    """Returns whether a bar of drums is a break, ends with a fill or begins with a crash."""
    if bar in breaks:
        return "break"
    if (bar + 1) % 4 == 0 and r.random() < plan["fills"]:
        return "fill"
    return "crash" if bar % 8 == 0 and bar < bars - 1 and r.random() < 0.5 else "plain"


def sits_out(plan, layer, bar):
    """Whether a layer of a short song has not entered yet."""
    entry = plan["entry"]
    if entry == "drums later":
        return layer == "drums" and bar < 4
    if entry == "drums first":
        return layer != "drums" and bar < 2
    return entry == "chords first" and layer != "chords" and bar < 4


def compose(r, plan, clock, ends, long):
    """Returns the score of a song, and the spans of its sections in beats from the first downbeat."""
    genre = plan["genre"]
    score = Score(r, plan, clock, ends)
    kit = {name: int(r.choice(keys)) for name, keys in DRUM_KEYS.items()}
    kit["breaks"] = str(r.choice(["hat", "none", "kick"]))
    low_bass, low_chords = int(r.integers(26, 34)), int(r.integers(45, 60))
    voice = {"held": float(r.choice([0.4, 0.8, 1.0])), "loud": r.uniform(0.7, 1), "low": low_chords, "count": int(r.integers(3, 6)), "manner": "pad"}
    second = {**voice, "held": 1.0, "low": low_chords + 5, "loud": 0.7}
    bars = sum(count for _, count in plan["form"])
    breaks = {b for b in range(4, bars - 2) if b % 8 in (6, 7) and r.random() < plan["breaks"]}
    tune = melody(r, plan, int(r.choice([2, 4])))
    if plan["pick_up"]:
        play_lead(score, [n for n in melody(r, plan, 1) if n[0] < plan["pick_up"]] or [(0.0, 0.9, 4)], 0, low_chords + 12)
        if plan["drums"] != "none" and r.random() < 0.5:
            for step in range(plan["pick_up"] * genre.steps):
                if r.random() < 0.7:
                    score.hit(step // genre.steps, step % genre.steps, kit["snare"], 90)
    spans, bar = [], 0
    for scene, count in plan["form"]:
        first = plan["pick_up"] + bar * genre.beats
        spans.append((first, first + count * genre.beats, scene["label"]))
        if scene["label"] == "chorus" or r.random() < 0.3:
            tune = melody(r, plan, int(r.choice([2, 4])))
        phrase = max(1, int(np.ceil(max((n[0] for n in tune), default=0) / genre.beats)))
        for inside in range(count):
            play_bar(score, scene, kit, bar, inside, count, (voice, second), (low_bass, breaks, bars, long))
            if "lead" in scene["layers"] and inside % phrase == 0 and not (not long and sits_out(plan, "lead", bar)):
                room = (count - inside) * genre.beats
                play_lead(score, [n for n in tune if n[0] < room], plan["pick_up"] + bar * genre.beats, low_chords + 14)
            bar += 1
    return score, spans


def play_bar(score, scene, kit, bar, inside, count, voices, setting):
    plan, r = score.plan, score.r
    genre = plan["genre"]
    low_bass, breaks, bars, long = setting
    beat = plan["pick_up"] + bar * genre.beats
    for offset in np.arange(0, genre.beats, min(genre.beats, scene["per_chord"] * genre.beats)):
        score.chords.append((beat + float(offset), label_of(plan["tonic"], chord_at(scene, inside, offset, genre.beats))))

    def plays(layer):
        return layer in scene["layers"] and (long or not sits_out(plan, layer, bar))

    if plan["drums"] != "none" and plays("drums"):
        state = bar_state(r, plan, inside if long else bar, bars, breaks)
        if long:
            state = "fill" if inside == count - 1 and r.random() < plan["fills"] else "crash" if inside == 0 and r.random() < 0.5 else "plain"
        play_drums(score, scene, kit, beat, bar, state)
    if plays("bass") and scene["bass"]:
        play_bass(score, scene, beat, scene["bass"][bar % len(scene["bass"])], inside, low_bass)
    if plays("chords") and scene["chords"]:
        pattern = scene["chords"][bar % len(scene["chords"])]
        play_chords(score, scene, "chords", voices[0], beat, bar, pattern, inside, inside == count - 1)
    if plays("second"):
        pattern = "x" + "." * (genre.beats * genre.steps - 1)
        play_chords(score, scene, "second", voices[1], beat, bar, pattern, inside, True)
