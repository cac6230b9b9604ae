"""Scores real recordings, which are not used for training: the rules alone, and corrected by a trained network.

    python try_four_stems.py FOUR.npz DIR

DIR holds a folder for each piece with vocals.flac, drums.flac, bass.flac and other.flac, as in the benchmark
`separation`; ffmpeg decodes them. The output is the signal-to-distortion ratio of each stem in dB, as the median over
the seconds in which it is not silent, as in that benchmark; for a silent stem, its level relative to the mixture in
dB. The last lines are the median and the mean over the pieces for each method. `hybrid_4_ft` refines the result of
`both`; that step is not done here.
"""

import os
import subprocess
import sys

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
import jax.numpy as jnp
import numpy as np

from effects import RATE
from four_stem_network import predict
from masks import bands_of, corrected, uncorrected
from spectra import N, istft, stft
from synthesise_four_stems import Divider, features

STEMS = ("vocals", "drums", "bass", "other")
MODELS = {"hybrid_4": (0, 1, 2, 0, 1, 2), "alt_4": (3, 4, 5, 3, 4, 5), "both": (0, 1, 2, 3, 4, 5)}


def read(path):
    command = ["ffmpeg", "-v", "error", "-i", path, "-f", "f32le", "-ac", "2", "-ar", str(RATE), "-"]
    return np.frombuffer(subprocess.run(command, capture_output=True, check=True).stdout, np.float32).reshape(-1, 2).T


def score(truth, found, mixture):
    """Returns whether the stem is present, and its score in dB."""
    ratios = []
    for at in range(0, max(1, truth.shape[1] - RATE + 1), RATE):
        a, b = (x[:, at : at + RATE].astype(np.float64) for x in (truth, found))
        if np.sqrt((a**2).mean()) > 1e-3:
            ratios.append(10 * np.log10((a**2).sum() / (((a - b) ** 2).sum() + 1e-12)))
    if ratios:
        return True, float(np.median(ratios))
    return False, float(10 * np.log10(((found**2).sum() + 1e-12) / (mixture**2).sum()))


def main():
    p = {name: jnp.asarray(value) for name, value in np.load(sys.argv[1]).items()}
    divider, bands, scores = Divider(), bands_of(np.arange(N // 2 + 1)), {}
    for piece in sorted(os.listdir(sys.argv[2])):
        paths = [os.path.join(sys.argv[2], piece, f"{stem}.flac") for stem in STEMS]
        if not all(os.path.exists(path) for path in paths):
            continue
        stems = np.stack([read(path) for path in paths])
        mixture = stems.sum(0)
        masks = divider.divide(mixture)
        X = stft(mixture)[:, : masks.shape[1]]
        masks = masks[:, : X.shape[1]]
        level, side, estimates = (x.astype(np.float32) for x in features(X, masks))
        for model, columns in MODELS.items():
            opinions = jnp.asarray(masks[None, columns] / np.float32(255))
            corrections = predict(p, level[None], side[None], estimates[None, columns])
            for who, found in (("rules", uncorrected(opinions)), ("network", corrected(corrections, opinions, bands))):
                parts = [istft(X * np.asarray(found)[0, :, :, i], mixture.shape[1]) for i in range(3)]
                parts.append(mixture - sum(parts))
                line = []
                for stem, truth, part in zip(STEMS, stems, parts, strict=True):
                    there, value = score(truth, part, mixture)
                    line.append(f"{stem} {value:.1f}" if there else f"({stem} {value:.1f})")
                    scores.setdefault((model, who), {}).setdefault(stem if there else "leak", []).append(value)
                print(f"{piece:20} {model:9} {who:8}", *line, flush=True)
    for (model, who), by_stem in scores.items():
        summary = [f"{stem} {np.median(v):.2f} ({np.mean(v):.2f})" for stem, v in sorted(by_stem.items())]
        print(f"{model:9} {who:8} median (mean):", *summary)


if __name__ == "__main__":
    main()
