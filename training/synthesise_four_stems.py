"""Synthesises songs of four stems and separates them with the rules of the engine.

    python synthesise_four_stems.py FIRST_SEED COUNT OUT_FOLDER FONT.sf2 [FONT.sf3 ...]

Writes OUT_FOLDER/<seed>.npz with, for each frame and band, `level`, `side` and `estimates` (see `features` below);
for each frame and each of the bins of `spectra.kept_bins`, `energy`, the decimal logarithm of the mixture's
energy, `masks`, the masks of vocals, drums and bass from both methods, 0 to 255, and `best`, the optimal gains
of vocals, drums and bass, −0.5 to 1.5 scaled to 0 to 255; for each frame, `truth`, the energy of each of the
four stems, and `lost`, the energy of the error that remains with the optimal gains. The same seed and fonts
give the same song. Songs with seeds divisible by 12 are held out.
"""

import os
import subprocess
import sys
import tempfile

os.environ["OMP_NUM_THREADS"] = "1"
import numpy as np

from bass_parts import bass
from compose import notes, song
from drum_parts import drums
from effects import RATE, norm, pan, room, shelf
from instruments import REST, guitar, piano, rest
from mastering import master
from sound_fonts import LoopingFonts, SoundFonts
from spectra import band_means, four_stem_edges, kept_bins, stft
from synthesiser import patch, play_patch
from voice_parts import Voices, sung

SECONDS = 12.0
NODE = os.environ.get("NODE", "node")
EDGES = four_stem_edges()
BINS, _ = kept_bins()
NO_CHOIRS = [program for program in REST if program not in (52, 53, 54, 85)]


class Divider:
    """The rules of the engine, running in a separate process."""

    def __init__(self):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "divide-both-ways.ts")
        self.process = subprocess.Popen([NODE, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.path = os.path.join(tempfile.mkdtemp(), "audio.f32")

    def divide(self, mixture):
        """Returns the masks of vocals, drums and bass from both methods, 0 to 255: (6, frames, bins)."""
        mixture.astype(np.float32).tofile(self.path)
        self.process.stdin.write(self.path + "\n")
        self.process.stdin.flush()
        frames = int(self.process.stdout.readline())
        return np.fromfile(self.path + ".masks", np.uint8).reshape(6, frames, -1)


def synth(r, sg, fonts):
    """Returns a lead, a pad or an arpeggio played by the synthesiser."""
    p = patch(r)
    style = str(r.choice(["melody", "melody", "arp", "chord"]))
    if style == "chord":
        p["attack"], p["unison"] = 10 ** r.uniform(-2.5, -0.3), 1
    low = int(r.integers(45, 62))
    return play_patch(r, p, notes(r, sg, style, low, low + int(r.integers(14, 26))), sg["seconds"], sg["loop"])


def other_rest(r, sg, fonts):
    return rest(r, sg, fonts, NO_CHOIRS)


def mixed_other(r, sg, fonts):
    """Returns a mix of one to four instruments, each with its own pan and level."""
    total = np.zeros((2, int(sg["seconds"] * RATE)), np.float32)
    electronic = r.random() < 0.35
    for _ in range(int(r.choice([1, 2, 3, 4], p=[0.2, 0.35, 0.3, 0.15]))):
        weights = [0.1, 0.15, 0.25, 0.5] if electronic else [0.4, 0.25, 0.27, 0.08]
        make = (guitar, piano, other_rest, synth)[r.choice(4, p=weights)]
        total += placed(r, make(r, sg, fonts), True, r.normal(0, 4))
    return total


def placed(r, x, anywhere, level):
    x = shelf(r, x)
    if anywhere:
        x = pan(r, x)
    if r.random() < 0.65:
        x = room(r, x)
    return norm(r, x, level)


def setting(r):
    """Returns a random song; two of three repeat one, two or four bars exactly, as most music nearly does."""
    sg = song(r, SECONDS)
    bar = sg["beat"] * sg["bar"]
    fitting = [n for n in (1, 2, 4) if n * bar <= SECONDS / 2]
    return {**sg, "loop": float(r.choice(fitting)) * bar if r.random() < 0.67 else None}


def stems_of(r, fonts, voices):
    """Returns vocals, drums, bass and other, (4, 2, samples). In some songs each stem comes from a different song."""
    one = setting(r)
    mismatched = r.random() < 0.15
    stems = np.zeros((4, 2, int(SECONDS * RATE)), np.float32)
    there = r.random(4) < (0.62, 0.9, 0.9, 0.97)
    if there.sum() < 2:
        there[:] = True

    def played(make):
        sg = setting(r) if mismatched else one
        return make(r, sg, LoopingFonts(fonts, sg["loop"]) if sg["loop"] else fonts)

    if there[0]:
        stems[0] = placed(r, sung(r, setting(r) if mismatched else one, fonts, voices), False, r.normal(5.5, 3))
    if there[1]:
        x = shelf(r, played(drums))
        stems[1] = norm(r, room(r, x) if r.random() < 0.2 else x, r.normal(4, 3))
    if there[2]:
        stems[2] = norm(r, shelf(r, played(bass)), r.normal(3.5, 3))
    if there[3]:
        stems[3] = norm(r, played(mixed_other), r.normal(2.5, 3))
    return master(r, stems)


def features(X, masks):
    """Returns the network inputs: level and side proportion, (frames, bands), and masks, (6, frames, bands)."""
    both = (np.abs(X) ** 2).sum(0)
    energy = band_means(both, EDGES)
    level = np.log10(energy / (energy.mean() + 1e-20) + 1e-7) / 2 + 1.2
    side = band_means(np.abs(X[0] - X[1]) ** 2 / 2, EDGES) / (energy + 1e-9)
    estimates = np.stack([band_means(both * (mask / 255), EDGES) / (energy + 1e-9) for mask in masks])
    return level.astype(np.float16), side.astype(np.float16), estimates.astype(np.float16)


def divided(stems, divider):
    masks = divider.divide(stems.sum(0))
    X = stft(stems.sum(0))
    frames = min(X.shape[1], masks.shape[1])
    X, masks = X[:, :frames], masks[:, :frames]
    spectra = [stft(stem)[:, :frames] for stem in stems]
    energy = (np.abs(X) ** 2).sum(0)
    best = np.stack([(S * X.conj()).real.sum(0) / (energy + 1e-9) for S in spectra])
    truth = np.stack([(np.abs(S) ** 2).sum(0) for S in spectra])
    lost = np.maximum(0, truth - energy * best**2)
    level, side, estimates = features(X, masks)
    return {
        "level": level,
        "side": side,
        "estimates": estimates,
        "energy": np.log10(energy[:, BINS] + 1e-12).astype(np.float16),
        "masks": masks[:, :, BINS],
        "best": np.round(255 * (best[:3, :, BINS].clip(-0.5, 1.5) + 0.5) / 2).astype(np.uint8),
        "truth": truth.sum(2).T.astype(np.float32),
        "lost": lost.sum(2).T.astype(np.float32),
    }


def main():
    first, count, out = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    os.makedirs(out, exist_ok=True)
    fonts, voices, divider = SoundFonts(sys.argv[4:]), Voices(NODE), Divider()
    for seed in range(first, first + count):
        path = f"{out}/{seed}.npz"
        if os.path.exists(path):
            continue
        stems = stems_of(np.random.default_rng(seed), fonts, voices)
        np.savez(path + ".part.npz", **divided(stems, divider))
        os.rename(path + ".part.npz", path)
        print(seed, *np.sqrt((stems**2).mean((1, 2))).round(3), flush=True)


if __name__ == "__main__":
    main()
