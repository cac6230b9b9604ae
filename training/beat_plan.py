"""Plans of invented songs: scenes with their own chords, patterns and instruments, in the order of a form."""

import numpy as np

from beat_genres import GENRES
from compose import PROGRESSIONS

SCALES = {"major": (0, 2, 4, 5, 7, 9, 11), "minor": (0, 2, 3, 5, 7, 8, 10)}
NAMES = ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")
QUALITIES = {(4, 7): "maj", (3, 7): "min", (3, 6): "dim"}
DRUM_KEYS = {"kick": (36, 36, 35), "snare": (38, 38, 40, 39, 37), "hat": (42, 42, 42, 44, 51, 70), "open": (46, 46, 51),
             "extra": (62, 63, 64, 56, 75, 76, 54, 39, 70)}  # fmt: skip
FORMS = (
    "intro 4 verse 8 chorus 8 verse 8 chorus 8 bridge 8 chorus 8 outro 4",
    "intro 8 verse 16 chorus 8 verse 16 chorus 16 outro 4",
    "intro 4 verse 12 chorus 8 verse 12 chorus 8 bridge 4 chorus 12 outro 4",
    "intro 8 build 8 drop 16 breakdown 8 build 8 drop 16 outro 8",
    "intro 16 drop 16 breakdown 16 drop 16 outro 8",
    "verse 8 chorus 8 verse 8 chorus 8 bridge 8 verse 8",
    "intro 2 verse 8 build 4 chorus 8 verse 8 build 4 chorus 8 bridge 6 chorus 16",
    "intro 8 verse 16 bridge 8 verse 16 outro 8",
)  # fmt: skip
# Layers by section: each with the probability that it plays.
LAYERS = {
    "intro": (0.35, 0.5, 0.9, 0.3, 0.3), "verse": (0.95, 0.95, 0.9, 0.2, 0.6), "chorus": (1, 1, 1, 0.7, 0.9),
    "bridge": (0.6, 0.8, 0.9, 0.6, 0.5), "build": (0.8, 0.4, 0.9, 0.5, 0.3), "drop": (1, 1, 0.9, 0.5, 0.6),
    "breakdown": (0.1, 0.4, 0.9, 0.9, 0.5), "outro": (0.5, 0.6, 0.8, 0.3, 0.2),
}  # fmt: skip
LAYER_NAMES = ("drums", "bass", "chords", "second", "lead")


def chosen(r, text):
    """Returns one of the alternatives of a pattern as its bars."""
    options = text.split()
    return options[int(r.integers(len(options)))].split("/") if options else []


def varied(r, bars, amount):
    """Returns the bars of a pattern with some steps added, removed or softened."""
    out = []
    for bar in bars:
        steps = list(bar)
        for at in range(len(steps)):
            if r.random() < amount:
                steps[at] = "." if steps[at] != "." and at else str(r.choice(["x", "o"])) if at % 2 == 0 else steps[at]
        out.append("".join(steps))
    return out


def progression(r, mode):
    """Returns the chords of a progression of four, each with its degree and its semitones above the tonic."""
    scale = SCALES[mode]
    degrees = [int(d) for d in r.integers(7, size=4)] if r.random() < 0.25 else PROGRESSIONS[r.integers(len(PROGRESSIONS))]
    seventh = r.random() < 0.3
    steps = (0, 2, 4, 6) if seventh else (0, 2, 4)
    return [[scale[(d + k) % 7] + 12 * ((d + k) // 7) for k in steps] for d in degrees]


def label_of(tonic, chord):
    """Returns the label of a chord, such as `A:min`."""
    quality = QUALITIES.get((chord[1] - chord[0], chord[2] - chord[0]), "maj")
    return f"{NAMES[(tonic + chord[0]) % 12]}:{quality}"


def scene(r, genre, plan, label):
    """Returns a scene: what each layer plays in the sections of a label."""
    amount = r.choice([0, 0, 0.02, 0.06])
    kick, snare, hat = (varied(r, chosen(r, getattr(genre, name)), amount) for name in ("kick", "snare", "hat"))
    drums = {"kick": kick, "snare": snare, "hat": hat, "open": chosen(r, genre.open), "extra": chosen(r, genre.extra)}
    if r.random() < 0.4:
        drums["extra"] = []
    if plan["drums"] == "sparse":
        kept = r.choice(["kick", "snare", "hat"], size=int(r.integers(1, 3)), replace=False)
        drums = {name: bars if name in kept else [] for name, bars in drums.items()}
    elif plan["drums"] == "off-beat":
        drums = {**drums, "kick": [], "snare": drums["snare"] if r.random() < 0.6 else []}
        drums["hat"] = ["".join("x" if at % genre.steps == (genre.steps // 2 if genre.steps % 2 == 0 else 2) else "." for at in range(genre.beats * genre.steps))]
    layers = {"drums", "bass", "chords", "lead"} | ({"second"} if r.random() < 0.3 else set())
    if label is not None:
        chances = LAYERS[label]
        layers = {name for name, chance in zip(LAYER_NAMES, chances, strict=True) if r.random() < chance}
        layers |= {"chords"} if not layers & {"bass", "chords", "drums"} else set()
    elif r.random() < 0.35:
        layers -= {"lead"}
    if label in ("intro", "breakdown", "outro", "bridge") and r.random() < 0.5:
        drums["kick"] = []
    return {
        "label": label, "layers": layers, "drums": drums, "bass": varied(r, chosen(r, genre.bass), amount),
        "chords": varied(r, chosen(r, genre.chords), amount), "manner": str(r.choice(genre.manner)),
        "progression": progression(r, plan["mode"]), "per_chord": float(r.choice([0.5, 1, 1, 1, 2])),
        "level": {"chorus": 1.15, "drop": 1.15, "intro": 0.85, "breakdown": 0.8, "outro": 0.85}.get(label, 1.0),
        "bass_manner": str(r.choice(["root", "root", "fifth", "octave", "walk"])),
    }  # fmt: skip


def form_of(r, genre, plan, seconds, long):
    """Returns the scenes with their numbers of bars; a long song has the sections of a form."""
    bar_seconds = genre.beats * 60 / plan["bpm"]
    if not long:
        bars = max(4, round(seconds / bar_seconds))
        first = scene(r, genre, plan, None)
        if r.random() < 0.6 or bars < 12:
            return [(first, bars)]
        second = {**scene(r, genre, plan, None), "drums": first["drums"] if r.random() < 0.5 else scene(r, genre, plan, None)["drums"]}
        cut = 4 * int(r.integers(1, bars // 4))
        return [(first, cut), (second, bars - cut)]
    if genre.name == "drum loop":
        return [({**scene(r, genre, plan, None), "label": "loop", "layers": {"drums"}}, max(8, round(seconds / bar_seconds)))]
    club = genre.electronic > 0.6
    form = FORMS[int(r.choice([3, 4] if club and r.random() < 0.7 else [0, 1, 2, 5, 6, 7]))].split()
    parts = [(form[at], int(form[at + 1])) for at in range(0, len(form), 2)]
    while sum(bars for _, bars in parts) * bar_seconds > 1.5 * seconds and any(bars > 2 for _, bars in parts):
        parts = [(label, max(2, bars // 2)) for label, bars in parts]
    while sum(bars for _, bars in parts) * bar_seconds < 0.6 * seconds:
        parts = [(label, bars * 2) for label, bars in parts]
    if r.random() < 0.2:  # a section of an unusual length
        at = int(r.integers(len(parts)))
        parts[at] = (parts[at][0], max(2, parts[at][1] + int(r.choice([-1, 1, 2]))))
    scenes = {label: scene(r, genre, plan, label) for label in dict.fromkeys(label for label, _ in parts)}
    same_chords = r.random() < 0.25  # one progression throughout: only the instruments differ between sections
    for one in scenes.values():
        if same_chords:
            one["progression"] = scenes[parts[0][0]]["progression"]
        if r.random() < 0.5:
            one["drums"] = {**one["drums"], "snare": scenes[parts[0][0]]["drums"]["snare"]}
    ordered = [(scenes[label], bars) for label, bars in parts]
    return distinct(r, ordered)


def distinct(r, ordered):
    """Changes the layers of a scene that would play exactly what the scene before it plays."""
    for (before, _), (here, _) in zip(ordered[:-1], ordered[1:], strict=True):
        if before is not here and before["layers"] == here["layers"] and before["progression"] == here["progression"]:
            here["layers"] = here["layers"] ^ {str(r.choice(["drums", "second", "bass"]))} or {"chords"}
    return ordered


def plan_song(r, index, long):
    """Returns the plan of a song; the genre follows from its index, so that any run of songs has all genres."""
    genre = GENRES[index % len(GENRES)]
    low, high = genre.bpm
    tight = r.random() < genre.tight
    timing = "straight" if tight or r.random() < 0.4 else str(r.choice(["drift", "drift", "steps", "rubato start"]))
    drums = "full"
    if r.random() >= genre.drummed:
        drums = "none"
    elif genre.name != "drum loop" and r.random() < 0.22:
        drums = str(r.choice(["sparse", "sparse", "off-beat"]))
    chance, least, most, unit = (*genre.swing, 8)[:4]
    swing = (unit, float(r.uniform(least, most)) if r.random() < chance and genre.steps == 4 else 0.0)
    bpm = float(r.uniform(low, high))
    plan = {
        "genre": genre, "tight": tight, "timing": timing, "drums": drums, "swing": swing,
        "bpm": float(round(bpm)) if tight and r.random() < 0.7 else bpm, "mode": str(r.choice(["major", "minor"])),
        "tonic": int(r.integers(12)), "push": float(r.choice([0.25, 0.5, 0.5])) if r.random() < genre.push else 0.0,
        "pick_up": int(r.integers(1, genre.beats)) if genre.beats > 1 and r.random() < 0.15 else 0,
        "lead_in": float(r.uniform(0, 1.5)) if r.random() < 0.7 else 0.0,
        "entry": str(r.choice(["all", "all", "all", "drums later", "drums first", "chords first"])),
        "fills": float(r.choice([0, 0.3, 0.6])), "breaks": float(r.choice([0, 0, 0.15])),
    }  # fmt: skip
    return {**plan, "form": form_of(r, genre, plan, r.uniform(92, 140) if long else r.uniform(19, 37), long)}
