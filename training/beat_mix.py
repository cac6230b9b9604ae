"""The audio of invented songs: instruments, room, ducking, compression, and applause and sirens without any beat."""

import numpy as np
from scipy.signal import butter, firwin2, oaconvolve, sosfilt

from beat_genres import LOUD_GUITARS, SYNTHS
from drum_parts import KITS, noise_burst, play_machine
from effects import RATE, amp, norm, pan
from mastering import limit, pump
from synthesiser import patch, play_patch

LEADS = (52, 53, 54, 56, 57, 60, 65, 66, 68, 71, 73, 40, 42, 80, 81, 26, 29, 11, 21, 22)
LEVELS = {"drums": 4, "bass": 2.5, "chords": 0, "second": -4, "lead": 1}


def played(r, fonts, program, events, seconds):
    """Returns a part played by a sound font, or a synthesiser's for most synth programs."""
    if program in SYNTHS and r.random() < 0.4:
        p = patch(r)
        p["unison"] = min(p["unison"], 2)
        return play_patch(r, p, events, seconds)
    x = fonts.play(int(r.integers(fonts.count)), int(program), events, seconds)
    if program in LOUD_GUITARS and r.random() < 0.5:
        return amp(r, x, True)
    return x


def drums(r, fonts, hits, seconds, electronic):
    """Returns the drums of a song and their name: a sound-font kit, a drum machine, or both."""
    kind = r.random()
    if electronic and kind < 0.65:
        return play_machine(r, hits, seconds), "drum machine"
    program = int(r.choice((24, 25, 26) if electronic else KITS))
    events = [(t, 1, key, v) for t, key, v in hits] + [(t + 0.08, 0, key, 0) for t, key, v in hits]
    x = fonts.play(int(r.integers(fonts.count)), program, events, seconds, True)
    if not electronic or kind < 0.85:
        return x, f"kit {program}"
    y = play_machine(r, [hit for hit in hits if hit[1] in (35, 36, 39)], seconds)
    return x / (np.abs(x).max() + 1e-6) + r.uniform(0.2, 0.8) * y / (np.abs(y).max() + 1e-6), f"kit {program} and machine"


def parts_of(r, fonts, plan, score):
    """Returns the parts of a song by layer, each (2, samples), and the names of the instruments."""
    genre, seconds = plan["genre"], score.ends
    electronic = r.random() < genre.electronic
    programs = {
        "bass": int(r.choice(genre.basses)), "chords": int(r.choice(genre.programs)),
        "second": int(r.choice([48, 50, 88, 89, 16, 0, 61])), "lead": int(r.choice(LEADS)),
    }  # fmt: skip
    parts, names = {}, []
    if score.hits:
        parts["drums"], name = drums(r, fonts, score.hits, seconds, electronic)
        names.append(name)
    for layer, program in programs.items():
        if score.events[layer]:
            parts[layer] = played(r, fonts, program, score.events[layer], seconds)
            names.append(f"{layer} {program}")
    return {name: x for name, x in parts.items() if np.sqrt((x**2).mean()) > 1e-5}, names


def ducked(r, parts, hits):
    """Reduces the other parts at every bass drum, as club music does."""
    kicks = [time for time, key, _ in hits if key in (35, 36)]
    if not kicks or "drums" not in parts:
        return parts
    gain = np.ones(parts["drums"].shape[1], np.float32)
    depth, length = r.uniform(0.3, 0.85), int(r.uniform(0.12, 0.35) * RATE)
    curve = 1 - depth * (1 - np.arange(length) / length) ** 1.5
    for time in kicks:
        at = int(time * RATE)
        gain[at : at + length] = np.minimum(gain[at : at + length], curve[: len(gain) - at])
    return {name: x if name == "drums" else x * gain for name, x in parts.items()}


def mixed(r, fonts, plan, score):
    """Returns the mastered mix of a song, (2, samples), and the names of its instruments."""
    parts, names = parts_of(r, fonts, plan, score)
    treated, sent = {}, 0
    for name, x in parts.items():
        x = tone(r, x.astype(np.float32))
        if name in ("chords", "lead", "second"):
            x = pan(r, x)
        treated[name] = norm(r, x, r.normal(LEVELS[name], 2.5))
        sent = sent + treated[name] * 10 ** (r.uniform(-20, 0) / 20) * (0.2 if name in ("drums", "bass") else 1)
    if plan["genre"].electronic > 0.6 and r.random() < 0.6:
        treated = ducked(r, treated, score.hits)
    stems = list(treated.values())
    if r.random() < 0.8:
        stems.append(reverberated(r, sent))
    return mastered(r, np.stack(stems)), names


def tone(r, x):
    """Applies a random tone control of ±3 dB at seven points from 20 Hz to 20 kHz."""
    gains = 10 ** (r.normal(0, 3, 7) / 20)
    hz = 20 * 2 ** np.linspace(0, 10, 7)
    kernel = firwin2(1023, [0, *hz[:-1], RATE / 2], [gains[0], *gains[:-1], gains[-1]], fs=RATE)
    return oaconvolve(x, kernel[None], axes=1)[:, 511 : 511 + x.shape[1]].astype(np.float32)


def reverberated(r, sent):
    """Returns the reverberation of a send, without the direct signal."""
    t60 = r.uniform(0.25, 2.4)
    t = np.arange(int(min(t60, 1.5) * RATE)) / RATE
    tails = r.normal(0, 1, (2, len(t))) * np.exp(-6.9 * t / t60)
    tails[:, : int(r.uniform(0.002, 0.03) * RATE)] = 0
    tails = sosfilt(butter(1, [200, r.uniform(2500, 8000)], "band", fs=RATE, output="sos"), tails, axis=1)
    tails /= np.sqrt((tails**2).sum(1, keepdims=True)) + 1e-9
    wet = 10 ** (r.uniform(-22, -8) / 20)
    return (wet * oaconvolve(sent, tails, axes=1)[:, : sent.shape[1]]).astype(np.float32)


def mastered(r, stems):
    """Compresses, limits and dulls a mix like recordings, and returns it with a peak of −1 to −8 dB."""
    if r.random() < 0.5:
        stems = pump(r, stems)
    if r.random() < 0.6:
        stems = limit(r, stems)
    mix = stems.sum(0)
    if r.random() < 0.15:
        mix = sosfilt(butter(6, r.uniform(7000, 16000), fs=RATE, output="sos"), mix, axis=1)
    if r.random() < 0.12:
        mix = mix + r.normal(0, np.sqrt((mix**2).mean()) * 10 ** (-r.uniform(30, 45) / 20), mix.shape)
    if r.random() < 0.1:
        mix = np.repeat(mix.mean(0, keepdims=True), 2, 0)
    return (mix * 10 ** (-r.uniform(1, 8) / 20) / (np.abs(mix).max() + 1e-9)).astype(np.float32)


def applause(r, seconds):
    """Returns applause: thousands of claps at random times, whose number swells and fades, with cheers."""
    n = int(seconds * RATE)
    swell = np.interp(np.arange(n), np.linspace(0, n, 12), r.uniform(0.3, 1, 12))
    claps = np.zeros(n)
    samples = [noise_burst(r, 0.03, r.uniform(500, 1500), r.uniform(2500, 7000)) * np.exp(-np.arange(int(0.03 * RATE)) / RATE / 0.005) for _ in range(24)]
    for at in r.integers(0, n - 2000, int(seconds * r.uniform(60, 250))):
        clap = samples[int(r.integers(24))]
        claps[at : at + len(clap)] += clap * r.uniform(0.1, 1) * swell[at]
    cheer = noise_burst(r, seconds, 400, 2500)[:n] * swell * r.uniform(0.02, 0.2)
    both = np.stack([claps + cheer, np.roll(claps, 300) + cheer])
    return (both / np.abs(both).max() * 0.6).astype(np.float32)


def siren(r, seconds):
    """Returns a siren whose pitch moves between two tones, over the noise of a street."""
    n = int(seconds * RATE)
    t = np.arange(n) / RATE
    low = r.uniform(400, 700)
    lfo = 0.5 + 0.5 * np.sin(2 * np.pi * t * r.uniform(0.1, 1.2))
    if r.random() < 0.5:
        lfo = (lfo > 0.5).astype(float)
    hz = low * (1 + r.uniform(0.3, 0.9) * lfo)
    tone = np.tanh(r.uniform(1, 4) * np.sin(2 * np.pi * np.cumsum(hz) / RATE))
    distance = np.interp(t, np.linspace(0, seconds, 6), r.uniform(0.3, 1, 6))
    street = noise_burst(r, seconds, 60, 900)[:n] * r.uniform(0.2, 1)
    mix = tone * distance + street
    return np.repeat((mix / np.abs(mix).max() * 0.6)[None], 2, 0).astype(np.float32)
