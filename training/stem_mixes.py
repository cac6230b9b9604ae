"""Examples for the accompaniment network: new mixes of rendered stems, with what the voice network leaves of a voice.

An example consists of
- `magnitude`, the input, (frames, 1024, 2): that of the accompaniment,
- `products`, (frames, 1024, 2, 3): the real part of each stem times the conjugate of the accompaniment,
- `energy`, (frames, 3): the energy of each stem.

With a mask m, the energy of a stem's error is Σ m² magnitude² − 2 m products, plus `energy`.
"""

import glob
import os

import numpy as np
from scipy.fft import rfft
from scipy.signal import resample_poly

from spleeter_network import BINS, FRAME_SIZE, HOP

SCALE = 8192
HELD_OUT = 12
"""Songs with seeds divisible by it are not used for training."""
SPEEDS = ((16, 15), (9, 8), (6, 5), (5, 4), (15, 16), (8, 9), (5, 6), (4, 5))
WINDOW = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(FRAME_SIZE) / FRAME_SIZE)).astype(np.float32)


def seeds_in(folder):
    return sorted(int(os.path.basename(f)[:-4]) for f in glob.glob(f"{folder}/*.npz") if ".part" not in f)


class Songs:
    """Rendered songs, kept in memory once read."""

    def __init__(self, folder):
        self.folder, self.known = folder, {}

    def read(self, seed):
        """Returns the stems as integers, (4, 2, samples), and the mask of the voice, 0 to 255, or None."""
        if seed not in self.known:
            with np.load(f"{self.folder}/{seed}.npz") as file:
                self.known[seed] = file["stems"], file["voice"] if "voice" in file else None
        return self.known[seed]


def spectrogram(x):
    """Spectrogram below 11 kHz of (2, samples), with the window of the network: (frames, 1024, 2)."""
    frames = np.lib.stride_tricks.sliding_window_view(x, FRAME_SIZE, axis=1)[:, ::HOP]
    return rfft(frames * WINDOW, axis=2)[:, :, :BINS].transpose(1, 2, 0)


def example_of(X, stems):
    """Returns an example from the accompaniment and its stems, as spectrograms."""
    products = np.stack([(S * X.conj()).real for S in stems], -1)
    energy = np.stack([(np.abs(S) ** 2).sum((1, 2)) for S in stems], -1)
    return np.abs(X).astype(np.float32), products.astype(np.float32), energy.astype(np.float32)


def whole(song, frames):
    """Returns an example of the first frames of a song, unchanged, as the separator sees it."""
    stems, voice = song
    start = FRAME_SIZE - HOP
    padded = np.pad(stems[:, :, : (frames - 1) * HOP + HOP].astype(np.float32) / SCALE, ((0, 0), (0, 0), (start, 0)))
    spectra = [spectrogram(x) for x in padded]
    X = sum(spectra)
    if voice is not None:
        X = X * (1 - voice[:frames].astype(np.float32) / 255)
    return example_of(X, spectra[1:])


class Mixer:
    """Makes examples of `frames` frames from random songs."""

    def __init__(self, songs, frames, seed):
        self.songs, self.frames, self.r = songs, frames, np.random.default_rng(seed)
        self.length = (frames - 1) * HOP + FRAME_SIZE

    def example(self, seeds):
        """Returns an example; in a third of them, all stems are from one song."""
        r = self.r
        rest = self.songs.read(int(r.choice(seeds)))
        together = r.random() < 1 / 3
        # Frame t of the separator begins FRAME_SIZE - HOP samples earlier than that of audio without padding.
        first = int(r.integers(0, (rest[0].shape[2] - self.length) // HOP))
        start = first * HOP
        with_voice = rest[1] is not None and r.random() < 0.75
        other, voice = self.changed(rest[0][3], start, r.normal(0, 2), together or with_voice, keep=with_voice)
        spectra = []
        for stem in (1, 2):
            source = rest if together else self.songs.read(int(r.choice(seeds)))
            if r.random() < 0.06:
                spectra.append(np.zeros_like(other))
                continue
            at = start if together else int(r.integers(0, source[0].shape[2] - self.length))
            spectra.append(self.changed(source[0][stem], at, r.normal(0, 3), together)[0])
        spectra.append(other if r.random() > 0.03 else np.zeros_like(other))
        X = sum(spectra)
        if with_voice:
            sung = spectrogram(rest[0][0][:, start : start + self.length].astype(np.float32) / SCALE)
            mask = rest[1][first + 3 : first + 3 + self.frames].astype(np.float32) / 255
            X = (X + voice * sung) * (1 - mask)
        level = np.float32(10 ** (r.normal(0, 3) / 20))
        return example_of(level * X, [level * S for S in spectra])

    def changed(self, stem, start, level, same_speed, keep=False):
        """Returns the spectrogram of an excerpt with another level, tone, width and speed, and the gain of the level.

        With `keep`, tone and width stay, because the mask of the voice was estimated with them.
        """
        r = self.r
        gain = np.float32(10 ** (level / 20))
        speed = None if same_speed or r.random() < 0.4 else SPEEDS[r.integers(len(SPEEDS))]
        if speed:
            needed = self.length * speed[1] // speed[0] + 16
            start = min(start, stem.shape[1] - needed)
            if start < 0:
                speed, start = None, 0
        if speed:
            x = stem[:, start : start + needed].astype(np.float32) / SCALE
            x = resample_poly(x, *speed, axis=1)[:, : self.length]
        else:
            x = stem[:, start : start + self.length].astype(np.float32) / SCALE
        x = gain * x
        if keep:
            return spectrogram(x), gain
        if r.random() < 0.3:
            x = x[::-1]
        rms = np.sqrt((x**2).mean())
        if r.random() < 0.15 and rms > 1e-4:
            drive = r.uniform(0.3, 1.5) / rms
            x = np.tanh(drive * x) / np.float32(drive)
        if r.random() < 0.3:
            middle = x.mean(0, keepdims=True)
            x = middle + (x - middle) * np.float32(r.uniform(0, 1.2))
        curve = np.interp(np.log2(np.arange(BINS) + 1), np.linspace(0, 10, 6), r.normal(0, 2.5, 6))
        return spectrogram(x) * (10 ** (curve / 20)).astype(np.float32)[None, :, None], gain
