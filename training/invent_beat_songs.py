"""Invents songs with known beats, bars, chords and sections.

    python invent_beat_songs.py SET FIRST COUNT OUT_FOLDER FONT.sf2 [FONT.sf3 ...]

SET is learn or judge (20 to 40 s), or forms-learn or forms-judge (90 to 150 s with sections); each has its own
seeds. Writes OUT_FOLDER/<seed>.wav and then <seed>.json of the songs FIRST to FIRST + COUNT − 1, and leaves songs
that exist. The same seed and fonts give the same song. Genres alternate, so that any run of songs has all of them.
"""

import json
import os
import sys
import wave

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np

from beat_mix import applause, mixed, siren
from beat_parts import compose
from beat_plan import NAMES, plan_song
from beat_time import Clock, beat_times
from effects import RATE
from sound_fonts import SoundFonts

FIRST_SEED = {"learn": 1_000_000, "judge": 2_000_000, "forms-learn": 3_000_000, "forms-judge": 4_000_000}
# One of so many long recordings is no music: applause or a siren, which has one section.
NO_MUSIC_EVERY = 12


def song(seed, index, fonts, long):
    """Returns the mix of a song and its truth."""
    r = np.random.default_rng(seed)
    if long and index % NO_MUSIC_EVERY == NO_MUSIC_EVERY - 1:
        return no_music(r, index)
    plan = plan_song(r, index, long)
    genre = plan["genre"]
    bars = sum(count for _, count in plan["form"])
    count = plan["pick_up"] + bars * genre.beats + 1
    times, steady = beat_times(r, plan["timing"], plan["bpm"], count, genre.beats)
    clock = Clock(times, plan["lead_in"], plan["swing"], genre.steps)
    ends = float(clock.times[-1]) + r.uniform(0.2, 2)
    score, spans = compose(r, plan, clock, ends, long)
    mix, names = mixed(r, fonts, plan, score)
    return mix, truth_of(plan, clock, score, spans, names, steady, long)


def no_music(r, index):
    seconds = r.uniform(60, 100)
    kind, mix = ("applause", applause(r, seconds)) if index // NO_MUSIC_EVERY % 2 == 0 else ("siren", siren(r, seconds))
    empty = {name: [] for name in ("beats", "tempoCurve", "chords", "instruments")}
    return mix, {
        "genre": kind, "metre": "", "beatsPerBar": 0, "bpm": None, "isAmbiguous": True, "timing": "none", "swing": 0,
        "drums": "none", "key": "", "sections": [[0, seconds, kind]], **empty,
    }  # fmt: skip


def truth_of(plan, clock, score, spans, names, steady, long):
    """Returns the truth of a song; its last beat is the one on which the music ends."""
    genre, times = plan["genre"], clock.times
    positions = [(beat - plan["pick_up"]) % genre.beats + 1 for beat in range(len(times))]
    tempo = 60 / np.diff(times)
    end = score.ends
    chords = []
    for position, label in score.chords:
        if not chords or chords[-1][2] != label:
            chords.append([round(clock.at(position), 4), 0, label])
    for chord, following in zip(chords, [*chords[1:], [float(times[-1])]], strict=True):
        chord[1] = round(following[0], 4)
    sections = []
    if long:
        starts = [round(clock.at(first), 4) for first, _, _ in spans]
        starts[0] = round(float(times[0]), 4)  # The silence before the music belongs to no section.
        stops = [*starts[1:], round(end, 4)]
        sections = [[start, stop, label] for start, stop, (_, _, label) in zip(starts, stops, spans, strict=True)]
    no_chords = not any(score.events[name] for name in ("chords", "second"))
    return {
        "genre": genre.name, "metre": genre.metre, "beatsPerBar": genre.beats,
        "bpm": None if steady is None else round(steady, 3), "isAmbiguous": genre.ambiguous, "timing": plan["timing"],
        "swing": round(plan["swing"][1], 3), "drums": plan["drums"], "instruments": names,
        "beats": [[round(float(t), 4), p] for t, p in zip(times, positions, strict=True)],
        "tempoCurve": [[round(float(t), 4), round(float(b), 3)] for t, b in zip(times[:-1], tempo, strict=True)],
        "soundingBeats": round(sounding_beats(score, np.asarray(times)), 3),
        "chords": [] if no_chords else chords, "key": f"{NAMES[plan['tonic']]} {plan['mode']}", "sections": sections,
    }  # fmt: skip


def sounding_beats(score, times):
    """Returns the fraction of beats that have a drum or note within 60 ms; others are inaudible."""
    starts = [time for time, _, _ in score.hits]
    starts += [time for events in score.events.values() for time, kind, _, _ in events if kind == 1]
    if not starts:
        return 0.0
    starts = np.sort(starts)
    after = np.clip(np.searchsorted(starts, times), 0, len(starts) - 1)
    near = np.minimum(np.abs(starts[after] - times), np.abs(starts[np.maximum(after - 1, 0)] - times))
    return float((near < 0.06).mean())


def write(path, mix, truth):
    """Writes the recording, and then its truth, so that a song with a truth is complete."""
    samples = np.round(np.clip(mix, -1, 1) * 32767).astype("<i2").T
    with wave.open(path + ".wav", "wb") as out:
        out.setparams((2, 2, RATE, 0, "NONE", ""))
        out.writeframes(samples.tobytes())
    with open(path + ".part", "w") as out:
        json.dump(truth, out)
    os.rename(path + ".part", path + ".json")


def main():
    name, first, count, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    os.makedirs(folder, exist_ok=True)
    fonts = SoundFonts(sys.argv[5:])
    for index in range(first, first + count):
        seed = FIRST_SEED[name] + index
        path = f"{folder}/{seed}"
        if os.path.exists(path + ".json"):
            continue
        mix, truth = song(seed, index, fonts, name.startswith("forms"))
        seconds = mix.shape[1] / RATE
        write(path, mix, {"version": 1, "seed": seed, "seconds": round(seconds, 4), **truth})
        print(seed, truth["genre"], round(seconds, 1), flush=True)


if __name__ == "__main__":
    main()
