"""Scores divisions of the accompaniment: the rules, the network of `train_accompaniment.py`, and both combined.

    python try_accompaniment.py NETWORK.npz WEIGHTS songs SONGS_FOLDER [COUNT]
    python try_accompaniment.py NETWORK.npz WEIGHTS recordings DIR/sep [METHOD ...]

WEIGHTS is `voice.weights`. `songs` compares all methods on the held-out songs of `render_stems.py` by the error in the
spectrogram, for choosing a method. `recordings` runs the separator with the methods on recordings (a folder for each
piece with vocals.flac, drums.flac, bass.flac and other.flac), which are not used for choosing.
Scores are the signal-to-distortion ratio in dB as the median over the seconds in which a stem is not silent, of whole
pieces in parentheses.
"""

import os
import sys

os.environ.setdefault("OMP_NUM_THREADS", "2")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import numpy as np
import soundfile
import tensorflow as tf

tf.config.threading.set_intra_op_parallelism_threads(int(os.environ["OMP_NUM_THREADS"]))
tf.config.threading.set_inter_op_parallelism_threads(1)

from accompaniment_divider import AccompanimentDivider
from accompaniment_network import STEMS, masks
from effects import RATE
from spectra import win
from spleeter_network import BINS, FRAME_SIZE, FRAMES, HOP
from stem_mixes import HELD_OUT, SCALE, WINDOW, seeds_in

NODE = os.environ.get("NODE", "node")
FADE = 32
FLOOR = 0.01
EDGES_HZ = (0, 120, 250, 600, 2000, 6000, 11025)
SILENT_RMS = 1e-3


def frames_of(x, count, window):
    """Spectrogram of (2, samples) at the positions of the separator: (2, frames, 2049)."""
    start = FRAME_SIZE - HOP
    padded = np.pad(x, ((0, 0), (start, max(0, count * HOP + FRAME_SIZE - start - x.shape[1]))))
    frames = np.lib.stride_tricks.sliding_window_view(padded, FRAME_SIZE, axis=1)[:, ::HOP][:, :count]
    return np.fft.rfft(frames * window, axis=2).astype(np.complex64)


def network_masks(run, accompaniment, count):
    """Returns masks below 11 kHz, (3, 2, frames, 1024), window by window with a cross-fade as the separator's."""
    x = np.abs(frames_of(accompaniment, count, WINDOW))[:, :, :BINS].transpose(1, 2, 0)
    found = np.zeros((count, BINS, 2, 3), np.float32)
    start, done = 0, 0
    while True:
        at = max(0, min(start, count - FRAMES))
        part = np.zeros((FRAMES, BINS, 2), np.float32)
        part[: min(FRAMES, count)] = x[at : at + FRAMES]
        now = run(part[None])[0].numpy()[: min(FRAMES, count)]
        overlap = max(0, done - at)
        fade = min(FADE, overlap)
        weight = np.concatenate([np.zeros(overlap - fade), (np.arange(fade) + 0.5) / max(1, fade)])[:, None, None, None]
        found[at : at + overlap] = (1 - weight) * found[at : at + overlap] + weight * now[:overlap]
        found[at + overlap : at + len(now)] = now[overlap:]
        done = at + len(now)
        if done >= count:
            return found.transpose(3, 2, 0, 1)
        start = done - FADE


def full(rules):
    """Returns the rules' masks of three stems: (3, 1, frames, 2049)."""
    drums, bass = rules
    return np.stack([drums, bass, np.maximum(0, 1 - drums - bass)])[:, None]


def network_alone(rules, found):
    out = np.repeat(rules, 2, 1)
    out[..., :BINS] = found
    return out


def geometric(weight):
    """Returns a method: the weighted geometric mean of the masks; `weight` is that of the network."""

    def combine(rules, found):
        out = np.repeat(rules, 2, 1)
        mixed = (found + FLOOR) ** weight * (rules[..., :BINS] + FLOOR) ** (1 - weight)
        out[..., :BINS] = mixed / mixed.sum(0)
        return out

    return combine


def arithmetic(weight):
    def combine(rules, found):
        out = np.repeat(rules, 2, 1)
        out[..., :BINS] = weight * found + (1 - weight) * rules[..., :BINS]
        return out

    return combine


METHODS = {
    "rules": lambda rules, found: np.repeat(rules, 2, 1),
    "network": network_alone,
    **{f"geometric {w}": geometric(w) for w in (0.3, 0.5, 0.6, 0.7, 0.8)},
    **{f"arithmetic {w}": arithmetic(w) for w in (0.3, 0.5, 0.7)},
}


def seconds_of(x, hop):
    """Sums over whole seconds of the last axis."""
    size = RATE // hop
    count = x.shape[-1] // size
    return x[..., : count * size].reshape(*x.shape[:-1], count, size).sum(-1)


def spectral_score(mask, X, spectra):
    """Returns the median SDR of each stem in the spectrogram, NaN for a silent one."""
    scores = []
    for m, S in zip(mask, spectra, strict=True):
        truth = seconds_of((np.abs(S) ** 2).sum((0, 2)), HOP)
        error = seconds_of((np.abs(m * X - S) ** 2).sum((0, 2)), HOP)
        there = truth > SILENT_RMS**2 * FRAME_SIZE**2 / 2 * RATE // HOP
        scores.append(np.median(10 * np.log10(truth[there] / error[there])) if there.any() else np.nan)
    return scores


def band_errors(mask, X, spectra):
    """Returns the error of each stem in each band, relative to the energy of the stems together: (bands, 3)."""
    bins = [int(round(hz * FRAME_SIZE / RATE)) for hz in EDGES_HZ]
    whole = sum((np.abs(S) ** 2).sum() for S in spectra)
    rows = []
    for low, high in zip(bins, bins[1:], strict=False):
        part = slice(low, high)
        pairs = zip(mask, spectra, strict=True)
        rows.append([(np.abs(m[..., part] * X[..., part] - S[..., part]) ** 2).sum() / whole for m, S in pairs])
    return np.array(rows)


def score(truth, found):
    """Returns the SDR as the median over seconds and of the whole piece, or None for a silent stem."""
    signal = seconds_of((truth.astype(np.float64) ** 2).sum(0), 1)
    error = seconds_of(((truth.astype(np.float64) - found) ** 2).sum(0), 1) + 1e-12
    there = np.sqrt(signal / (2 * RATE)) > SILENT_RMS
    if not there.any():
        return None
    ratios = 10 * np.log10(signal[there] / error[there])
    return float(np.median(ratios)), float(10 * np.log10((truth**2).sum() / ((truth - found) ** 2).sum()))


def read(path):
    """Returns the audio of a file at 44.1 kHz, (2, samples)."""
    audio, rate = soundfile.read(path, dtype="float32", always_2d=True)
    if rate != RATE:
        raise SystemExit(f"{path} must have {RATE} samples per second (got {rate})")
    return np.repeat(audio, 2, 1).T if audio.shape[1] == 1 else audio.T


def try_songs(run, divider, folder, count):
    scores, errors = {name: [] for name in METHODS}, {name: [] for name in METHODS}
    for seed in [s for s in seeds_in(folder) if s % HELD_OUT == 0][:count]:
        with np.load(f"{folder}/{seed}.npz") as file:
            stems = file["stems"].astype(np.float32) / SCALE
        accompaniment, rules = divider.divide(stems.sum(0))
        frames = rules.shape[1]
        X = frames_of(accompaniment, frames, win)
        spectra = [frames_of(stem, frames, win) for stem in stems[1:]]
        found = network_masks(run, accompaniment, frames)
        for name, combine in METHODS.items():
            mask = combine(full(rules), found)
            scores[name].append(spectral_score(mask, X, spectra))
            errors[name].append(band_errors(mask, X, spectra))
    print(f"{len(scores['rules'])} songs; median (mean) SDR of", *STEMS, "; error by band, drums, bass, other in dB")
    for name in METHODS:
        x = np.array(scores[name])
        bands = 10 * np.log10(np.mean(errors[name], 0))
        line = [f"{a:.2f} ({b:.2f})" for a, b in zip(np.nanmedian(x, 0), np.nanmean(x, 0), strict=True)]
        print(f"{name:16}", *line, " | ", *(" ".join(f"{v:.1f}" for v in row) + " /" for row in bands), flush=True)


def try_recordings(run, divider, folder, names):
    table = {}
    for piece in sorted(os.listdir(folder)):
        paths = [os.path.join(folder, piece, f"{stem}.flac") for stem in ("vocals", *STEMS)]
        if not all(os.path.exists(path) for path in paths):
            continue
        truth = np.stack([read(path) for path in paths])
        mixture = truth.sum(0)
        accompaniment, rules = divider.divide(mixture)
        found = network_masks(run, accompaniment, rules.shape[1])
        for name in names:
            mask = METHODS[name](full(rules), found)
            parts = divider.finish(mixture, mask[:2])
            line = []
            for stem, a, b in zip(("vocals", *STEMS), truth, parts, strict=True):
                got = score(a, b)
                if got is None:
                    stem = f"absent {stem}"
                    got = (10 * np.log10((b**2).sum() / (mixture**2).sum() + 1e-12),) * 2
                table.setdefault(name, {}).setdefault(stem, []).append(got)
                line.append(f"{stem} {got[0]:.2f} ({got[1]:.2f})")
            print(f"{piece:22} {name:16}", *line, flush=True)
    for name, by_stem in table.items():
        for stem, values in by_stem.items():
            a, b = np.median(values, 0), np.mean(values, 0)
            print(f"{name:16} {stem:14} {len(values):2} median {a[0]:.2f} ({a[1]:.2f}), mean {b[0]:.2f} ({b[1]:.2f})")


def main():
    p = {name: tf.constant(x) for name, x in np.load(sys.argv[1]).items()}
    run = tf.function(lambda x: masks(p, x))
    divider = AccompanimentDivider(NODE, sys.argv[2])
    if sys.argv[3] == "songs":
        try_songs(run, divider, sys.argv[4], int(sys.argv[5]) if len(sys.argv) > 5 else 24)
    else:
        try_recordings(run, divider, sys.argv[4], sys.argv[5:] or ["rules", "network"])


if __name__ == "__main__":
    main()
