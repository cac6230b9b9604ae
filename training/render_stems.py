"""Renders songs of four stems as audio, with the masks of the voice network.

    python render_stems.py FIRST_SEED COUNT OUT_FOLDER WEIGHTS FONT.sf2 [FONT.sf3 ...]

WEIGHTS is `packages/separator/src/backends/weights/voice.weights`. Writes OUT_FOLDER/<seed>.npz with `stems`, vocals,
drums, bass and other as integers of 16 bits, (4, 2, samples), which are `SCALE` at full scale, and, if the song has a
voice, `voice`, the mask of the voice below 11 kHz as `divide-accompaniment.ts` estimates it, 0 to 255,
(frames, 1024, 2). The songs are those of `synthesise_four_stems.py` with the same seeds and fonts.
"""

import os
import sys

os.environ["OMP_NUM_THREADS"] = "1"
import numpy as np

from accompaniment_divider import AccompanimentDivider
from sound_fonts import SoundFonts
from synthesise_four_stems import NODE, stems_of
from voice_parts import Voices

SCALE = 8192
"""The value of a sample of 1: stems may exceed full scale fourfold, since only their sum is limited."""


def main():
    first, count, out, weights = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
    os.makedirs(out, exist_ok=True)
    fonts, voices, divider = SoundFonts(sys.argv[5:]), Voices(NODE), AccompanimentDivider(NODE, weights)
    for seed in range(first, first + count):
        path = f"{out}/{seed}.npz"
        if os.path.exists(path):
            continue
        stems = stems_of(np.random.default_rng(seed), fonts, voices)
        song = {"stems": np.clip(np.rint(stems * SCALE), -32768, 32767).astype(np.int16)}
        if np.abs(stems[0]).max() > 1e-4:
            song["voice"] = np.rint(255 * divider.voice_masks(stems.sum(0))).astype(np.uint8)
        np.savez(path + ".part.npz", **song)
        os.rename(path + ".part.npz", path)
        print(seed, *np.sqrt((stems**2).mean((1, 2))).round(3), flush=True)


if __name__ == "__main__":
    main()
